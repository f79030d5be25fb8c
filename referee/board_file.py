"""Board files: YAML with the line of every mistake."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from referee.errors import BoardError

IS_A_MAPPING = "A board file is a mapping with the keys game, name, fidelity and the data of the board."


def read_yaml(text: str) -> dict[str, Any]:
    """The data in a board file. What YAML would pass over in silence, a key given twice, is an error here."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        # An alias may unfold to more than fits in memory, and no board needs one.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text)):
            raise BoardError(["Anchors and aliases (& and *) are not understood here."])
        repeated = list(_repeated_keys(node))
        if repeated:
            raise BoardError(repeated)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise BoardError([f"{where}this is not YAML: {error.problem or error.context}"]) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BoardError([f"This is not YAML: {error}"]) from None
    if not isinstance(data, dict):
        raise BoardError([IS_A_MAPPING])
    return data


def with_lines(text: str, problems: list[str]) -> list[str]:
    """Problems that begin with a place (`cities[3].lat: ...`, `airlines.red.home: ...`) get the line of that place."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return [f"line {line}: {problem}" if (line := _line(root, problem)) else problem for problem in problems]


def _line(node: Any, problem: str) -> int | None:
    """The line of the deepest part of the place that is in the file."""
    line = None
    for step in re.findall(r"[^.\[\]]+", problem.partition(": ")[0]):
        found = next((pair for pair in _children(node) if step in pair[0]), None)
        if found is None:
            break
        _, line, node = found
    return line


def _children(node: Any) -> Iterator[tuple[tuple[str, ...], int, Any]]:
    """What a node holds: the names by which a place may call it, the line, and the node itself."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (str(key.value),), key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield (str(index), *_names(item)), item.start_mark.line + 1, item


def _names(item: Any) -> Iterator[str]:
    """A list item is called by its id, or by its first two values (`london-paris`)."""
    if isinstance(item, yaml.MappingNode):
        values = [(key.value, value.value) for key, value in item.value if isinstance(value, yaml.ScalarNode)]
        yield from (value for key, value in values if key == "id")
        yield "-".join(value for _, value in values[:2])


def _repeated_keys(node: Any) -> Iterator[str]:
    seen: dict[str, int] = {}
    for names, line, child in _children(node):
        if isinstance(node, yaml.MappingNode):
            if names[0] in seen:
                yield f"line {line}: the key {names[0]!r} is given twice; it is there already in line {seen[names[0]]}"
            seen.setdefault(names[0], line)
        yield from _repeated_keys(child)

"""Board files: YAML with the line of every mistake."""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.composer import Composer

from referee.errors import BoardError

IS_A_MAPPING = "A board file is a mapping with the keys game, name, fidelity and the data of the board."

# Of the boards that ship the largest has 7,204 nodes, the deepest is 7 deep, and no value is longer than 82 letters.
MOST_NODES = 15_000
DEEPEST = 12
LONGEST_VALUE = 1_000  # letters

SafeLoader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C, where the library has it


class LimitedComposer(Composer):
    """Stops where a file grows beyond any board."""

    nodes = depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[attr-defined]  # of the parser that it is put in front of
        line = event.start_mark.line + 1
        # An alias may unfold to more than fits in memory, and no board needs one.
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise BoardError([f"line {line}: anchors and aliases (& and *) are not understood here"])
        if event.tag is not None:
            raise BoardError([f"line {line}: tags (!) are not understood here"])
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise BoardError([f"line {line}: this is value {self.nodes}, and no board has more than {MOST_NODES}"])
        if self.depth > DEEPEST:
            raise BoardError([f"line {line}: this is nested more than {DEEPEST} deep, and no board is deeper"])
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_VALUE:
            raise BoardError([f"line {line}: a value has at most {LONGEST_VALUE} letters, not {len(event.value)}"])
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


class Loader(LimitedComposer, SafeLoader):  # type: ignore[misc]  # whichever of the two it is
    def __init__(self, text: str) -> None:
        Composer.__init__(self)
        SafeLoader.__init__(self, text)


class BoardFile:
    """A board file that has been read: its data, and where in the file each part of it is."""

    def __init__(self, text: str) -> None:
        """What YAML would pass over in silence, a key given twice, is an error here."""
        try:
            loader = Loader(text)
            self._root = loader.get_single_node()
            repeated = list(_repeated_keys(self._root))
            if repeated:
                raise BoardError(repeated)
            data = loader.construct_document(self._root) if self._root else None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
            raise BoardError([f"{where}this is not YAML: {error.problem or error.context}"]) from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise BoardError([f"This is not YAML: {error}"]) from None
        if not isinstance(data, dict):
            raise BoardError([IS_A_MAPPING])
        self.data: dict[str, Any] = data

    def with_lines(self, problems: list[str]) -> list[str]:
        """Problems that begin with a place (`cities[3].lat: ...`, `airlines.red.home: ...`) get the line of it."""
        return [f"line {line}: {problem}" if (line := _line(self._root, problem)) else problem for problem in problems]


def read_yaml(text: str) -> dict[str, Any]:
    """The data in a board file."""
    return BoardFile(text).data


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

"""The files of the game build on each other in one direction, so that each can be read after those it imports."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = "referee.games.kings_of_air_and_steam"
FOLDER = Path(__file__).parents[4].joinpath(*PACKAGE.split("."))


def imported(source):
    """The files of the game that a file imports, also within functions and only for types."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = ".".join(filter(None, [PACKAGE if node.level else "", node.module]))
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.removeprefix(f"{PACKAGE}.").split(".")[0] for name in names if name.startswith(f"{PACKAGE}.")}
    return found


def reading_order(sources):
    return list(TopologicalSorter({name: imported(source) for name, source in sources.items()}).static_order())


def test_no_file_imports_itself_by_way_of_others():
    sources = {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.py")}
    order = reading_order(sources)
    assert set(order) == set(sources)
    assert order.index("board") < order.index("play_area") < order.index("state") < order.index("rules")


@pytest.mark.parametrize(
    "hidden",
    [
        f"if TYPE_CHECKING:\n    from {PACKAGE}.board import Board",
        f"def late():\n    from {PACKAGE} import board",
        f"import {PACKAGE}.board",
        "from . import board",
        "from .board import Board",
    ],
)
def test_a_cycle_is_found_however_it_is_hidden(hidden):
    with pytest.raises(CycleError):
        reading_order({"board": f"from {PACKAGE}.play_area import PlayArea", "play_area": hidden})

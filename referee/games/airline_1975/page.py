"""Tables of the board for the game's page."""

from collections.abc import Mapping, Sequence

from referee.games.airline_1975.board import Board
from referee.games.airline_1975.state import Settings
from referee.games.airline_1975.text import effect, space_name


def tables(board: Board) -> Mapping[str, str]:
    """And a few numbers that are counted or set, not printed."""
    return {
        "cities": _cities(board),
        "aircraft": _aircraft(board),
        "track": _track(board),
        "spaces": str(len(board.track)),
        "number": str(len(board.cities)),
        "rounds": str(Settings().rounds),
    }


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cities(board: Board) -> str:
    """Fares and routes, the dearest cities first."""
    cities = sorted(board.cities, key=lambda city: (-sum(city.fares.values()), city.name))
    names = [plane.name for plane in board.aircraft]
    rows = [
        [
            city.name,
            *map(str, city.fares.values()),
            ", ".join(sorted(board.city[other].name for other in board.neighbours[city.id])),
        ]
        for city in cities
    ]
    return _table(["city", *names, "routes to"], rows)


def _aircraft(board: Board) -> str:
    rows = [[plane.name, str(plane.subsidy), str(plane.maintenance)] for plane in board.aircraft]
    return _table(["aircraft", "SUBSIDY pays", "MAINTENANCE costs"], rows)


def _track(board: Board) -> str:
    """The spaces in their order, those that are no city with what they do."""
    spaces = [
        space_name(board, place) if space.city else f"**{space_name(board, place)}** ({effect(board, place)})"
        for place, space in enumerate(board.track)
    ]
    return " → ".join(spaces)

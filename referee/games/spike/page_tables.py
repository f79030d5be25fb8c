"""Numbers and tables of the board for the game's page."""

from collections.abc import Iterator, Mapping

from referee.contract import and_list
from referee.games.spike.board import PARTS, Board
from referee.games.spike.rules import idle_turns

NAMES = {"speed": "locomotive", "power": "tender", "cargo": "freight cars"}
DOES = {"speed": "spaces a movement", "power": "cards a draw", "cargo": "cargo tokens it carries"}


def tables(board: Board) -> Mapping[str, str]:
    costs = [f"${cost} for the {number}" for cost, number in zip(board.train.upgrade_costs, ORDER, strict=False)]
    return {
        "cities": str(len(board.cities)),
        "junctions": str(len(board.junctions)),
        "spaces": str(len(board.segments)),
        "idle": str(idle_turns(board)),
        "costs": f"{and_list(costs)} upgrade of a part",
        "train": "\n".join(_train(board)),
        "goods": "\n".join(_goods(board)),
    }


ORDER = ("first", "second", "third", "fourth")


def _train(board: Board) -> Iterator[str]:
    yield "| part | what it does | at first | after upgrades |"
    yield "| --- | --- | --- | --- |"
    for part in PARTS:
        first, *more = board.levels(part)
        yield f"| {part} ({NAMES[part]}) | {DOES[part]} | {first} | {', '.join(map(str, more))} |"


def _goods(board: Board) -> Iterator[str]:
    yield "| commodity | supplied by |"
    yield "| --- | --- |"
    for commodity in board.commodities:
        cities = [city.name for city in board.cities if city.commodity == commodity.id]
        yield f"| {commodity.name} | {', '.join(cities)} |"

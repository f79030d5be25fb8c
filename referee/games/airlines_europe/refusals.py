"""Why shares cannot be used, in words with numbers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.state import Position, Shares


def why_not_market(board: Board, position: Position, share: str, rule: str) -> IllegalOrder:
    """Why a share that is not in the market cannot be taken."""
    there = and_list(list(dict.fromkeys(position.market)))
    message = f"There is no {board.share_name(share)} share in the market; there are: {there}."
    return IllegalOrder("not_in_the_market", message, field="share", rule=rule)


def why_not_missing(
    board: Board,
    field: str,
    wanted: Sequence[str],
    shares: Shares,
    place: str,
    rule: str,
    elsewhere: Mapping[str, int] = MappingProxyType({}),
    written: str = "",
) -> IllegalOrder | None:
    """Why shares that are not there cannot be used; where the player has them `elsewhere`, how that is `written`."""
    for airline in dict.fromkeys(wanted):
        needed, there = wanted.count(airline), shares.get(airline, 0)
        if needed > there:
            name, hint = board.share_name(airline), ""
            if elsewhere.get(airline, 0) >= needed:
                hint = f" Write “{needed} {name} {written}” if you mean those."
            return IllegalOrder(
                "no_such_share",
                f"{needed} {name} named, but {there or 'none'} {place}.{hint}",
                field=field,
                rule=rule,
                numbers={"named": needed, "there": there},
            )
    return None


def of_airlines(shares: Sequence[str]) -> str:
    """["red", "red", "blue"] -> "3 shares of 2 airlines"."""
    number, airlines = len(shares), len(set(shares))
    return f"{number} share{'s' * (number != 1)} of {airlines} airline{'s' * (airlines != 1)}"

"""Positions of Mail Run in a line or two."""

from collections.abc import Sequence
from typing import Any

from referee.games import all_games, shipped_board
from referee.games.mail_run.board import Board
from referee.table import Table
from tests.positions import change, copy_of, put, table

KEY = "mail-run"
BOARD: Board = shipped_board(all_games()[KEY])


def at(
    players: int = 2,
    *,
    hands: Sequence[Sequence[str]] = ((), ()),
    places: Sequence[str] = (),
    settings: Any = None,
    **fields: Any,
) -> Table:
    """A table in the middle of a round with player 0 to fly, everybody in Avon, unless told otherwise."""
    fresh = table(KEY, players, settings, phase="flight", order=list(range(players)))
    position = copy_of(fresh)
    for seat, player in enumerate(position.players):
        player.hand = list(hands[seat]) if seat < len(hands) else []
        player.at = places[seat] if seat < len(places) else "avon"
    change(position, **fields)
    return put(fresh, position)

"""Positions of Airlines Europe in a line or two."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.contract import canonical
from referee.errors import IllegalOrder
from referee.games import all_games, load_board, shipped_board
from referee.games.airlines_europe.board import Board
from referee.table import Outcome, Table
from tests import positions
from tests.positions import change, copy_of, put, start

GAME = all_games()["airlines-europe"]
BOARD: Board = shipped_board(GAME)
TINY: Board = load_board(GAME, (Path(__file__).parents[3] / "boards/airlines-europe-tiny.yaml").read_text("utf-8"))
MARKET = ["black", "brown", "green", "orange", "red"]
PILE = ["white", "grey", "red", "black", "brown", "green", "orange", "white", "grey", "red", "black", "brown"]


def at(
    players: int = 3,
    *,
    cash: Sequence[int] | None = None,
    vp: Sequence[int] | None = None,
    hands: Sequence[Mapping[str, int]] | None = None,
    holdings: Sequence[Mapping[str, int]] | None = None,
    markers: Mapping[str, int] | None = None,
    planes: Mapping[str, int] | None = None,
    licences: Mapping[str, Sequence[str]] | None = None,
    pile: Sequence[str] = PILE,
    board: Board | None = None,
    settings: Any = None,
    **fields: Any,
) -> Table:
    """A table after the opening: player 0 to move, hands and holdings empty, unless given otherwise.

    `pile` begins with its top card. The bank has what the players do not have, unless it is given.
    """
    table, _ = start("airlines-europe", players, settings, board)
    position = copy_of(table)
    total = position.bank + sum(player.cash for player in position.players)
    for seat, player in enumerate(position.players):
        player.cash = cash[seat] if cash else player.cash
        player.vp = vp[seat] if vp else player.vp
        player.hand = dict(hands[seat]) if hands else {}
        player.holdings = dict(holdings[seat]) if holdings else {}
    position.phase = "turn"
    position.bank = total - sum(player.cash for player in position.players)
    position.deck = list(reversed(pile))
    position.market = list(MARKET)
    for name, marker in (markers or {}).items():
        position.airlines[name].marker = marker
    for name, left in (planes or {}).items():
        position.airlines[name].planes = left
    for route, owners in (licences or {}).items():
        position.licences[table.game.board.number[route]] = list(owners)
    change(position, **fields)
    return put(table, position)


def sold(table: Table) -> dict[str, tuple[str, ...]]:
    """The licences that airlines own, by route."""
    return dict(table.view().table.licences)


def buy(airline: str, route: str) -> dict[str, str]:
    return {"type": "buy", "airline": airline, "route": route}


def text_of(thing: Any) -> str:
    return canonical(thing).decode()


def sentences(table: Table, outcome: Outcome, seat: int | None) -> str:
    """What a seat or a spectator reads of an outcome."""
    return "\n".join(positions.sentences(table, outcome, seat))


def refused(table: Table, *orders: str | dict[str, Any], seat: int | None = None) -> IllegalOrder:
    """The refusal of orders; in this game each names a rule and a legal way out."""
    error = positions.refused(table, *orders, seat=seat)
    assert error.rule
    assert error.nearest is not None
    return error

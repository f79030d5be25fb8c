"""Positions of Airline (1975) in a line or two, and the dice that a test wants."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from referee.chance import Chance, game_key
from referee.errors import IllegalOrder
from referee.games import all_games, shipped_board
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.state import Debt
from referee.table import Outcome, Table
from tests import positions
from tests.positions import change, copy_of, play, put, start

KEY = "airline-1975"
GAME = all_games()[KEY]
BOARD: Board = shipped_board(GAME)
CONSTANTS = BOARD.constants
SPACES = {space.city or space.kind: place for place, space in enumerate(BOARD.track)}
BASES = ("tokyo", "london", "new_york", "sydney")
STRICT = {"collection": "strict"}
SHORT = {"short": True}
BANK = -1
SPARE = "johannesburg"


def at(
    players: int = 3,
    *,
    cash: Sequence[int] = (100, 100, 100, 100),
    bases: Sequence[str] = BASES,
    cities: Mapping[int, Sequence[str]] | None = None,
    aircraft: Mapping[int, str] | None = None,
    place: Mapping[int, str] | None = None,
    phase: str = "departure",
    debts: Sequence[tuple[int, int, int]] = (),
    claims: Sequence[tuple[int, int, int]] = (),
    settings: Any = None,
    board: Board | None = None,
    **fields: Any,
) -> Table:
    """A table in the first turn of player 0, everybody with a base and a PROP on SUBSIDY, unless given otherwise.

    `cities` are those besides the base; where none are given the last player has one to deal in, so that the referee
    throws for nobody (A75-R64). `debts` and `claims` are (who owes, to whom, how much).
    """
    cities = {players - 1: [SPARE]} if cities is None else cities
    table, _ = start(KEY, players, settings, board)
    position = copy_of(table)
    for seat, player in enumerate(position.players):
        player.cash = cash[seat]
        player.base = bases[seat]
        player.cities = [player.base, *cities.get(seat, ())]
        player.aircraft = (aircraft or {}).get(seat, "prop")
        player.place = SPACES[(place or {}).get(seat, "subsidy")]
    position.bank = -sum(player.cash for player in position.players)
    position.phase, position.active = phase, 0
    position.turns = position.round = 1
    position.debts = [Debt(seat, to, amount, "a debt") for seat, to, amount in debts]
    position.claims = [Debt(seat, to, amount, "a fare") for seat, to, amount in claims]
    if phase == "raising":
        position.resume = "landing"
    change(position, **fields)
    return put(table, position)


def dice(table: Table, **throws: int | tuple[int, int]) -> Table:
    """The same table with a seed that gives these throws in the next row: `dice(table, move=9, hijack=(4, 4))`."""
    for number in count():
        seed = number.to_bytes(8)
        chance = Chance(game_key(seed, table.header.entropy), table.sequence + 1)
        faces = {label: chance.roll(label) for label in throws}
        if all(throw in (faces[label], sum(faces[label])) for label, throw in throws.items()):
            place = table.position_json, table.sequence, table.head
            return Table(table.game, table.header, seed, *place, names=table.names)
    raise AssertionError


def throw(table: Table, move: int, **others: int | tuple[int, int]) -> tuple[Table, Outcome]:
    """Throws for the player in turn, with the dice that a test wants."""
    table = dice(table, move=move, **others)
    return table, play(table, "throw", seat=table.position.active)


def cash(table: Table) -> list[int]:
    return [player.cash for player in table.position.players]


def asked(table: Table) -> tuple[int, str]:
    """Whom the game waits for, and in which phase."""
    (decision,) = [decision for decision in table.decisions() if decision.required]
    return decision.seat, decision.phase


def space(table: Table, seat: int = 0) -> str:
    there = BOARD.track[table.position.players[seat].place]
    return there.city or there.kind


def offer(give: Sequence[str] = (), pay: int = 0, to: str = "green", want: Sequence[str] = (), price: int = 0) -> Any:
    return {"type": "offer", "to": to, "give": list(give), "pay": pay, "want": list(want), "price": price}


def refused(table: Table, *orders: str | dict[str, Any], seat: int | None = None) -> IllegalOrder:
    """The refusal of orders; nobody is told to resign instead."""
    error = positions.refused(table, *orders, seat=seat)
    assert error.nearest is None or error.nearest["type"] != "resign"
    return error

"""Puts any game into any position: what a rules test begins with."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.contract import Board, canonical
from referee.games import open_game
from referee.log import Entry
from referee.options import sample
from referee.record import Record, close
from referee.table import Outcome, Table, open_table

PLAYERS = ("Anna", "Ben", "Cora", "Dirk", "Eva", "Finn", "Gus")
SEED = b"a seed for the tests"


def start(
    key: str, seats: int, settings: Any = None, board: Board | None = None, seed: bytes = SEED
) -> tuple[Table, Entry]:
    """A game after its setup."""
    data = msgspec.to_builtins(board) if board else None
    return open_table(open_game(key, seats, settings, board), PLAYERS[:seats], seed, board_data=data)


def put(table: Table, position: Any) -> Table:
    """The same table in another position."""
    return Table(table.game, table.header, table.seed, canonical(position), table.sequence, table.head)


def play(table: Table, *orders: str | dict[str, Any], seat: int | None = None) -> Outcome:
    """Plays orders for the seat that is asked first, or for another one."""
    return table.submit(table.decisions()[0].seat if seat is None else seat, list(orders))


def random_game(table: Table, entry: Entry, rng: Any, most_rows: int = 10_000) -> Record:
    """Plays a table with random legal moves, to the end or for a number of rows, and returns its record."""
    entries = [entry]
    while not table.is_over and table.sequence < most_rows:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))])
            entries.append(table.reveal())
        else:
            seat = table.decisions()[0].seat
            entries += table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))]).entries
    return close(table, tuple(entries))


def types(events: Sequence[Any]) -> list[str]:
    """The names of events, to see what happened in which order."""
    return [type(event).__name__ for event in events]

"""Any game in any position, and what an order does there: what a rules test begins with."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from referee.conformance.pictures import HOSTILE as HOSTILE
from referee.contract import Board, Event, canonical
from referee.errors import IllegalOrder
from referee.games import open_game
from referee.log import Entry
from referee.options import Move, sample
from referee.record import Record, close, redacted
from referee.table import Outcome, Table, decode_position, open_table

PLAYERS = ("Anna", "Ben", "Cora", "Dirk", "Eva", "Finn", "Gus")
SEED = b"a seed for the tests"

AnyOrder = str | dict[str, Any] | Move


def start(
    key: str,
    seats: int,
    settings: Any = None,
    board: Board | None = None,
    seed: bytes = SEED,
    names: Sequence[str] = PLAYERS,
) -> tuple[Table, Entry]:
    """A game after its setup."""
    data = msgspec.to_builtins(board) if board else None
    return open_table(open_game(key, seats, settings, board), names[:seats], seed, board_data=data)


def table(
    key: str, seats: int, settings: Any = None, board: Board | None = None, seed: bytes = SEED, **fields: Any
) -> Table:
    """A game after its setup, with some fields of its position changed: `table("spike", 3, phase="turn")`."""
    return edit(start(key, seats, settings, board, seed)[0], **fields)


def put(table: Table, position: Any) -> Table:
    """The same table in another position."""
    return Table(
        table.game, table.header, table.seed, canonical(position), table.sequence, table.head, names=table.names
    )


def copy_of(table: Table) -> Any:
    """The position of a table, to change and `put` again."""
    return decode_position(table.game, table.position_json)


def change(thing: Any, **fields: Any) -> None:
    """Sets fields of a position or of a part of it; a field that is not there is a mistake in the test."""
    for name, value in fields.items():
        assert name in type(thing).__struct_fields__, name
        setattr(thing, name, value)


def edit(table: Table, seat: int | None = None, **fields: Any) -> Table:
    """The same table with fields of the position changed, or with fields of a player."""
    position = copy_of(table)
    change(position if seat is None else position.players[seat], **fields)
    return put(table, position)


def named(table: Table, names: Sequence[str]) -> Table:
    """The same table with other players."""
    return Table(
        table.game,
        table.header,
        table.seed,
        table.position_json,
        table.sequence,
        table.head,
        table.sealed,
        names[: table.game.seats],
    )


def play(table: Table, *orders: AnyOrder, seat: int | None = None) -> Outcome:
    """Plays orders for the seat that the game waits for first, or for another."""
    return table.submit(asked(table)[0] if seat is None else seat, [msgspec.to_builtins(order) for order in orders])


def seal(table: Table, *orders: AnyOrder) -> Entry:
    """Sealed moves of all seats that are asked, in seat order, and their reveal."""
    for seat, order in zip(asked(table), orders, strict=True):
        play(table, order, seat=seat)
    return table.reveal()


def asked(table: Table) -> list[int]:
    """The seats that the game waits for."""
    return [decision.seat for decision in table.decisions() if decision.required]


def offered(table: Table, seat: int | None = None) -> set[str]:
    """The types of move on offer, to the seat that is asked first or to another."""
    return {offer.move.__name__ for offer in table.offers(asked(table)[0] if seat is None else seat)}


def choices(table: Table, move: str, field: str, seat: int | None = None) -> set[Any]:
    """What may be said in a field of a move now."""
    offers = table.offers(asked(table)[0] if seat is None else seat)
    return {value for offer in offers if offer.move.__name__ == move for value in offer.domains[field].values()}


def happened(outcome: Outcome | Entry, kind: type[Any] = Event) -> list[Any]:
    """The events of a move or of a reveal, or those of one type."""
    entries = outcome.entries if isinstance(outcome, Outcome) else (outcome,)
    return [event for entry in entries for event in entry.row.events if isinstance(event, kind)]


def sentences(table: Table, outcome: Outcome | Entry, seat: int | None = None) -> list[str]:
    """What a seat, or a spectator, reads of a move or of a reveal."""
    entries = outcome.entries if isinstance(outcome, Outcome) else (outcome,)
    rows = [redacted(table.game, entry, table.viewer(seat), table.words) for entry in entries]
    return [sentence for row in rows for sentence in row.sentences]


def types(events: Sequence[Any]) -> list[str]:
    """The names of events, to see what happened in which order."""
    return [type(event).__name__ for event in events]


def refused(table: Table, *orders: AnyOrder, seat: int | None = None) -> IllegalOrder:
    """The refusal of orders, after making sure that it changed nothing, says its numbers, and offers a legal way out to
    somebody who must move."""
    before = table.position_json, table.sequence, table.head, dict(table.sealed)
    mover = asked(table)[0] if seat is None else seat
    with pytest.raises(IllegalOrder) as caught:
        play(table, *orders, seat=mover)
    error = caught.value
    assert (table.position_json, table.sequence, table.head, dict(table.sealed)) == before
    assert error.message.endswith(".")
    assert all(str(number) in error.message or number == 0 for number in error.numbers.values()), error.message
    if error.index == 0 and mover in asked(table):
        phase = next(phase for phase in table.game.open_phases(table.position) if phase.required)
        is_harmful = not phase.suggests(table.position, mover, table.default(mover))
        assert error.nearest is not None or error.nothing_near or is_harmful
    if error.index == 0 and error.nearest is not None:
        play(put(table, table.position), dict(error.nearest), seat=mover)
    return error


def random_table(
    key: str, seats: int, moves: int, names: Sequence[str] = PLAYERS, settings: Any = None, seed: int = 1
) -> Table:
    """A game after some random moves, sealed ones counted, or at its end."""
    table, _ = start(key, seats, settings, seed=bytes([seed]) * 32, names=names)
    rng = Random(seed)
    while moves > 0 and not table.is_over:
        for decision in table.decisions():
            if moves > 0:
                table.submit(decision.seat, [sample(table.offers(decision.seat), rng)])
                moves -= 1
        if table.sealed and not table.missing():
            table.reveal()
    return table


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

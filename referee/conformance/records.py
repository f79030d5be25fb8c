"""The record of a game: replay equals live play, and every change is found."""

from itertools import groupby
from typing import Any

import msgspec

from referee.conformance.playing import Broken, again, copy_of, difference_of_texts, moments, one_of, where, who
from referee.contract import Viewer, canonical
from referee.errors import IllegalOrder, RecordError
from referee.games import game_of
from referee.log import Entry, enter, first_link
from referee.options import Rng
from referee.record import Record, close, export, load, redacted, replay, transcript, verify
from referee.table import MOST_ORDERS, AnyGame, Table, deal

FLIPPED_BYTES = 6  # tried in each record


def check_records(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Replay equals live at every row; export and import are inverse; verify finds every change."""
    entries, texts, views = [], [], {}
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        entries.append(moment.entry)
        texts.append(table.position_json)
        if close_look:
            views[table.sequence] = _views(table)
            if _views(copy_of(table)) != views[table.sequence]:
                raise Broken(
                    f"{where(table)}: a view, or the order of things in it, differs when the text is read anew"
                )
    record = close(table, tuple(entries))
    data = export(record)
    loaded = load(data)
    if export(loaded) != data:
        raise Broken(f"{where(table)}: the record read from a file differs from what was exported")
    if transcript(game, loaded) != transcript(game, record):
        raise Broken(f"{where(table)}: the transcript differs when the record is read from a file")
    for live, stored in zip(record.entries, loaded.entries, strict=True):
        for seat in (None, *range(game.seats)):
            ours, theirs = (canonical(redacted(game, entry, Viewer(seat), table.words)) for entry in (live, stored))
            if ours != theirs:
                raise Broken(
                    f"{where(table)}: row {live.row.number}: {who(seat)} is shown something else when the "
                    f"row is read from a file: {difference_of_texts(ours, theirs)}"
                )
    for other, entry in replay(game_of(loaded.header), loaded, table.names):
        row = entry.row.number
        if other.position_json != texts[row]:
            raise Broken(f"{where(other)}: replay differs: {difference_of_texts(texts[row], other.position_json)}")
        if row in views and _views(other) != views[row]:
            raise Broken(f"{where(other)}: the position is the same in the replay, but a view of it is not")
    try:
        verify(game, loaded)
    except RecordError as error:
        raise Broken(f"{where(table)}: the record of a good game does not hold: {error}") from error
    check_turns(game, record)
    for _ in range(FLIPPED_BYTES):
        check_flipped_byte(game, data, rng)
    check_forged_row(game, record, rng)


def _views(table: Table) -> list[bytes]:
    """What everybody sees, to the order of things: boards in text and pictures are drawn in it."""
    return [msgspec.json.encode(table.view(seat)) for seat in (None, *range(table.game.seats))]


def check_turns(game: AnyGame, record: Record) -> None:
    """Orders of one seat that follow each other lead to the same rows when they come in one submission."""
    table, _ = deal(game, record.header, record.seed)
    for seat, rows in groupby(record.entries[1:], _open_mover):
        entries = list(rows)
        if seat is None:
            for entry in entries:
                again(table, entry.row.orders)
        else:
            _submit_together(table, seat, [entry.row.orders[0].move for entry in entries])
        if table.head != entries[-1].hash:
            moves = [order.move for entry in entries for order in entry.row.orders]
            raise Broken(f"{where(table)}: in one submission {moves} lead elsewhere than one by one")


def _open_mover(entry: Entry) -> int | None:
    """The seat that made a row with an open move."""
    first = entry.row.orders[0]
    return None if first.commitment else first.seat


def _submit_together(table: Table, seat: int, moves: list[Any]) -> None:
    """Plays moves in as few submissions as may be: a move that shows something new ends one."""
    while moves:
        last = min(len(moves), MOST_ORDERS)
        try:
            table.submit(seat, moves[:last])
        except IllegalOrder as error:
            if error.code != "reveals":
                raise
            last = error.index + 1
            table.submit(seat, moves[:last])
        moves = moves[last:]


def check_flipped_byte(game: AnyGame, data: bytes, rng: Rng) -> None:
    place = rng.randrange(len(data))
    changed = data[:place] + bytes([data[place] ^ (1 + rng.randrange(255))]) + data[place + 1 :]
    try:
        verify(game, load(changed))
    except RecordError:
        return
    except Exception as error:
        raise Broken(f"{game.name}: a record with byte {place} changed crashes verify: {error!r}") from error
    raise Broken(f"{game.name}: a record with byte {place} changed still verifies")


def check_forged_row(game: AnyGame, record: Record, rng: Rng) -> None:
    """A row without its events is found out, even when all hashes are made anew."""
    eventful_rows = [number for number, entry in enumerate(record.entries) if entry.row.events]
    forged = one_of(eventful_rows, rng)
    entries: list[Entry] = []
    for number, entry in enumerate(record.entries):
        row = msgspec.structs.replace(entry.row, events=()) if number == forged else entry.row
        entries.append(enter(row, entries[-1].hash if entries else first_link(record.header)))
    assert record.end is not None
    end = msgspec.structs.replace(record.end, head=entries[-1].hash)
    try:
        verify(game, load(export(Record(record.header, tuple(entries), end))))
    except RecordError as error:
        if error.row != forged:
            raise Broken(f"{game.name}: row {forged} was forged; verify names row {error.row}") from error
    else:
        raise Broken(f"{game.name}: row {forged} was forged and the record still verifies")

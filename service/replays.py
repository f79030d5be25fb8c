"""The past of a game: its log, any earlier position, its record."""

from collections.abc import Iterator

from referee import record
from referee.errors import RecordError
from referee.log import Entry
from referee.table import Table
from service.errors import NotFound
from service.positions import load, rules_of
from store import positions
from store.carry_over import version_at
from store.database import Database, Session
from store.positions import READ_AT_ONCE


def entries(db: Database, game_id: str, after: int = -1, limit: int = READ_AT_ONCE) -> list[Entry]:
    """Rows of the log that follow the one with this number."""
    with db.session() as session:
        return positions.entries(session, game_id, after, limit)


def all_entries(session: Session, game_id: str, after: int = -1) -> Iterator[Entry]:
    """All rows of the log that follow the one with this number, read some at a time."""
    while some := positions.entries(session, game_id, after):
        yield from some
        after = some[-1].row.number


def at(db: Database, game_id: str, table: Table, sequence: int) -> Table:
    """The table as it was after a row, from the snapshot before it and the few rows in between; `table` is the game as
    it is now."""
    if sequence == table.sequence:
        return table
    if not 0 <= sequence < table.sequence:
        raise NotFound(f"The game has the sequence numbers 0 to {table.sequence}, and not {sequence}.")
    with db.session() as session:
        return at_in(session, game_id, table, sequence)


def at_in(session: Session, game_id: str, table: Table, sequence: int) -> Table:
    """The same for a row before the last, by somebody who has a session. Where a game was carried over or has gone back
    there is a snapshot, so the rows in between are moves and reveals alone."""
    snapshot = positions.snapshot_before(session, game_id, sequence)
    rows = sequence - snapshot.sequence
    between = positions.entries(session, game_id, snapshot.sequence, rows) if rows else []
    game = table.game
    if game.version != table.header.version:  # it has been carried over, perhaps after that row
        game = rules_of(table.header, version_at(session, game_id, snapshot.sequence))
    place = snapshot.position.encode(), snapshot.sequence, snapshot.head
    past = Table(game, table.header, table.seed, *place, names=table.names)
    past.is_revealed = table.is_over
    for entry in between:
        record.play_again(past, entry.row)
    return past


def record_of(db: Database, game_id: str) -> record.Record:
    """The record: with the seed, and so complete, once the game is over."""
    table, _ = load(db, game_id)
    with db.session() as session:
        rows = tuple(entry for entry in all_entries(session, game_id) if entry.row.number <= table.sequence)
    return record.close(table, rows)


def rebuild(db: Database, game_id: str) -> Table:
    """Replays the whole log and compares: every row's JSON and hash, the position and the head must come out the same.

    Raises RecordError with the first row that differs.
    """
    now, _ = load(db, game_id)
    with db.session() as session:
        rows = [entry for entry in all_entries(session, game_id) if entry.row.number <= now.sequence]
    replayed = record.replay_log(rules_of(now.header), now.header, now.seed, rows)
    for old, (again, entry) in zip(rows, replayed, strict=True):  # noqa: B007 - the table outlives the loop
        if (entry.row_json, entry.hash) != (old.row_json, old.hash):
            raise RecordError(f"Row {old.row.number} is not what the moves and the seed give.", old.row.number)
    if (again.sequence, again.head, again.position_json) != (now.sequence, now.head, now.position_json):
        raise RecordError(f"The stored position is not what the log of {len(rows)} rows leads to.")
    return again

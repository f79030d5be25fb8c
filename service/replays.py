"""The past of a game: its log, any earlier position, its record."""

from collections.abc import Iterator

from referee import news, record
from referee.errors import RecordError
from referee.log import Entry
from referee.table import Table
from service.errors import NotFound
from service.positions import load, rules_of
from store import games, positions
from store.carry_over import version_at
from store.database import Database, Session
from store.positions import READ_AT_ONCE

READ_BACKWARDS = 64  # rows at a time: mostly more than have come since somebody's last move


def entries(db: Database, game_id: str, after: int = -1, limit: int = READ_AT_ONCE) -> list[Entry]:
    """Rows of the log that follow the one with this number."""
    with db.session() as session:
        return positions.entries(session, game_id, after, limit)


def all_entries(session: Session, game_id: str, after: int = -1) -> Iterator[Entry]:
    """All rows of the log that follow the one with this number, read some at a time."""
    while some := positions.entries(session, game_id, after):
        yield from some
        after = some[-1].row.number


def news_for(db: Database, game_id: str, table: Table, seat: int) -> str:
    """What has happened since a seat's last move, in words, up to where the table is; read from the end backwards."""
    entries: list[Entry] = []
    start = table.sequence + 1
    with db.session() as session:
        while start > 0 and not news.has_moved(entries, seat):
            until, start = start, max(0, start - READ_BACKWARDS)
            entries = [*positions.entries(session, game_id, start - 1, until - start), *entries]
    return news.news(table.game, news.unseen(entries, seat), table.viewer(seat), table.words)


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


def course(db: Database, game_id: str, table: Table, after: int, limit: int) -> Iterator[Table]:
    """The table after each of some rows: from the snapshot before them each row is played once. `table` is the game as
    it is now. The same table may come several times, one row further on."""
    last = min(after + limit, table.sequence)
    past: Table | None = None
    with db.session() as session:
        rows = positions.entries(session, game_id, after, last - after) if last > after else []
        for entry in (entry for entry in rows if entry.row.number < table.sequence):
            is_move = not (entry.row.is_carry_over or entry.row.is_undo)
            if past is not None and is_move:
                record.play_again(past, entry.row)
            else:
                past = at_in(session, game_id, table, entry.row.number)
            yield past
    if after < table.sequence == last:
        yield table


def finished(db: Database, ruleset: str, after: int, limit: int) -> list[tuple[int, str]]:
    """Public games of a ruleset that were played to their end, in the order in which they ended: number and id."""
    with db.session() as session:
        return games.finished(session, ruleset, after, limit)


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

"""The past of a game: its log, any earlier position, its record."""

from collections.abc import Iterator

from referee import news, record
from referee.errors import RecordError
from referee.log import Entry
from referee.table import Table
from service.errors import NotFound
from service.games import may_see
from service.positions import Seen, is_known_to_run, load, look_for, rules_of
from store import games, positions
from store.carry_over import version_at
from store.database import Database, Session
from store.games import GameRow
from store.positions import READ_AT_ONCE
from store.standby import from_standby, read_past

READ_BACKWARDS = 64  # rows at a time: mostly more than have come since somebody's last move


def if_over(db: Database, game_id: str, player_id: int | None) -> tuple[GameRow, Seen] | None:
    """A game that is over, as the standby has it and the player may see it. None where that cannot be said: it may
    still run, be over since a moment ago, or be none of theirs. Of one known to run here the standby is not asked."""
    if is_known_to_run(game_id):
        return None

    def ask(session: Session) -> tuple[GameRow, Seen] | None:
        game = games.find(session, game_id)
        if game is None or game.status != "over" or not may_see(session, game, player_id):
            return None
        return game, look_for(session, game_id, player_id)

    return from_standby(db, ask)


def entries(
    db: Database, game_id: str, after: int = -1, limit: int = READ_AT_ONCE, last: int | None = None
) -> list[Entry]:
    """Rows of the log that follow the one with this number. `last` is the last row that there is known to be: with it a
    standby will do that has all of them up to there."""
    if last is None:
        with db.session() as session:
            return positions.entries(session, game_id, after, limit)

    def ask(session: Session) -> list[Entry] | None:
        found = positions.entries(session, game_id, after, limit)
        return found if len(found) >= min(limit, last - after) else None

    return read_past(db, ask)


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
    return read_past(db, lambda session: _at(session, game_id, table, sequence))


def at_in(session: Session, game_id: str, table: Table, sequence: int) -> Table:
    """The same for a row before the last, by somebody who has a session."""
    past = _at(session, game_id, table, sequence)
    assert past is not None
    return past


def _at(session: Session, game_id: str, table: Table, sequence: int) -> Table | None:
    """None if this database, a standby, does not have the row yet. Where a game was carried over or has gone back there
    is a snapshot, so the rows in between are moves and reveals alone."""
    snapshot = positions.snapshot_before(session, game_id, sequence)
    if snapshot is None:
        return None
    rows = sequence - snapshot.sequence
    between = positions.entries(session, game_id, snapshot.sequence, rows) if rows else []
    if len(between) < rows:
        return None
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
    rows = entries(db, game_id, after, last - after, last) if last > after else []
    for entry in (entry for entry in rows if entry.row.number < table.sequence):
        is_move = not (entry.row.is_carry_over or entry.row.is_undo)
        if past is not None and is_move:
            record.play_again(past, entry.row)
        else:
            past = at(db, game_id, table, entry.row.number)
        yield past
    if after < table.sequence == last:
        yield table


def finished(db: Database, ruleset: str, after: int, limit: int) -> list[tuple[int, str]]:
    """Public games of a ruleset that were played to their end, in the order in which they ended: number and id."""

    def ask(session: Session) -> list[tuple[int, str]] | None:
        found = games.finished(session, ruleset, after, limit)
        return found if len(found) == limit else None

    found = from_standby(db, ask)
    if found is None:
        with db.session() as session:
            found = games.finished(session, ruleset, after, limit)
    return found


def record_of(db: Database, game_id: str, table: Table | None = None) -> record.Record:
    """The record: with the seed, and so complete, once the game is over. `table` is the game as it is now."""
    if table is None:
        over = if_over(db, game_id, None)
        table = over[1].table if over else load(db, game_id)[0]
    last = table.sequence

    def ask(session: Session) -> tuple[Entry, ...] | None:
        rows = tuple(entry for entry in all_entries(session, game_id) if entry.row.number <= last)
        return rows if len(rows) == last + 1 else None

    return record.close(table, read_past(db, ask))


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

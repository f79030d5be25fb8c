"""Positions, now and along the way, the sealed moves that wait beside them, and the log."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from referee.log import Entry, Row
from referee.table import Sealed
from store.database import Session
from store.games import Status

READ_AT_ONCE = 500  # rows of the log
NAMES = "array(select s.name from seats s where s.game_id = g.id order by s.seat)"
PEOPLE = NAMES.replace("s.name", "s.player_id")


class PositionRow(msgspec.Struct, frozen=True):
    """A game as it is now, secrets included. The header is empty before the start."""

    header: str | None
    version: str  # of the rules that it is played under
    seed: bytes
    sequence: int
    head: str
    position: str
    status: Status
    names: list[str]  # of the players, by seat
    people: list[int | None]  # the players themselves; None for a bot
    to_act: list[int]
    clock: int | None
    timing: str | None
    terms: int
    bank: list[int] | None
    absences: str
    asked_at: datetime | None
    due_at: datetime | None
    reveal_at: datetime | None
    told: int
    bots: list[int]
    standing: list[int]  # seats with standing orders


class Mark(msgspec.Struct, frozen=True):
    """Where a game is, without its position, who its players are, and how they are called."""

    sequence: int
    head: str
    status: Status
    names: list[str]
    people: list[int | None]


class Snapshot(msgspec.Struct, frozen=True):
    sequence: int
    position: str
    head: str


def read_locked(transaction: Session, game_id: str) -> PositionRow | None:
    """A game, held until the transaction ends."""
    # The lock comes first, and by itself: only what is asked after it sees what it has waited for.
    transaction.run("select from games where id = %s for update", game_id)
    return read(transaction, game_id)


def read(session: Session, game_id: str) -> PositionRow | None:
    return session.one(
        PositionRow,
        f"select header, version, seed, sequence, head, position, status, {NAMES}, {PEOPLE}, to_act,"
        " clock, timing, terms, bank, absences, asked_at, due_at, reveal_at, told, bots, standing"
        " from games g where id = %s",
        game_id,
    )


def mark(session: Session, game_id: str) -> tuple[Mark | None, dict[int, Sealed]]:
    """Where a game is, and the sealed moves for its next row."""
    rows = session.rows(
        f"select g.sequence, g.head, g.status, {NAMES}, {PEOPLE}, e.payload from games g"
        " left join sealed e on e.game_id = g.id and e.sequence = g.sequence + 1 where g.id = %s",
        game_id,
    )
    return (Mark(*rows[0][:5]) if rows else None), _sealed_moves(row[5] for row in rows if row[5])


def sealed_moves(session: Session, game_id: str, sequence: int) -> dict[int, Sealed]:
    """The sealed moves that will be opened in a row, by seat."""
    rows = session.rows("select payload from sealed where game_id = %s and sequence = %s", game_id, sequence)
    return _sealed_moves(payload for (payload,) in rows)


def sealed_at(session: Session, game_id: str) -> dict[int, datetime]:
    """When each seat has sealed what waits for the reveal."""
    return dict(session.rows("select seat, sealed_at from sealed where game_id = %s", game_id))


def _sealed_moves(payloads: Iterable[str]) -> dict[int, Sealed]:
    envelopes = [msgspec.json.decode(payload, type=Sealed) for payload in payloads]
    return {envelope.order.seat: envelope for envelope in envelopes}


def entries(session: Session, game_id: str, after: int = -1, limit: int = READ_AT_ONCE) -> list[Entry]:
    """Rows of the log that follow the one with this number."""
    rows = session.rows(
        "select payload, hash from log where game_id = %s and sequence > %s order by sequence limit %s",
        game_id,
        after,
        limit,
    )
    return [Entry(msgspec.json.decode(payload, type=Row), payload.encode(), hash) for payload, hash in rows]


def written_at(session: Session, game_id: str, sequence: int) -> datetime:
    """When a row of the log was written."""
    moment: datetime = session.value(
        "select created_at from log where game_id = %s and sequence = %s", game_id, sequence
    )
    return moment


def snapshot_before(session: Session, game_id: str, sequence: int) -> Snapshot | None:
    """The last position kept at a row or before it; None where a standby does not know the game yet."""
    return session.one(
        Snapshot,
        "select s.sequence, s.position, l.hash from snapshots s join log l using (game_id, sequence)"
        " where s.game_id = %s and s.sequence <= %s order by s.sequence desc limit 1",
        game_id,
        sequence,
    )

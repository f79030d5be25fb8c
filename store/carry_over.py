"""Games that are played under older rules than the newest, and the row that takes one over."""

import json
from collections.abc import Mapping
from datetime import datetime

import msgspec

from referee.log import CARRY_OVER, Entry
from referee.table import Table
from store.database import Session, columns
from store.deadlines import set_wake
from store.writing import Times


class OldGame(msgspec.Struct, frozen=True):
    """A game in play whose rules are not the newest."""

    id: str
    ruleset: str
    version: str


class Stored(msgspec.Struct, frozen=True):
    """A game in play as the database has it, and whether sealed moves wait in it."""

    header: str
    seed: bytes
    version: str
    sequence: int
    head: str
    position: str
    status: str
    clock: int | None
    timing: str | None
    terms: int
    bank: list[int] | None
    absences: str
    asked_at: datetime | None
    has_sealed: bool


def in_play_under_other_rules(session: Session, newest: Mapping[str, str]) -> list[OldGame]:
    """The games in play, oldest first, that are not under the newest version of their rules."""
    return session.all(
        OldGame,
        f"select {columns(OldGame)} from games where status in ('running', 'paused')"
        " and version is distinct from (%s::jsonb ->> ruleset) order by created_at, id",
        json.dumps(dict(newest)),
    )


def in_play(session: Session, game_id: str) -> Stored | None:
    return session.one(
        Stored,
        "select header, seed, version, sequence, head, position, status, clock, timing, terms, bank,"
        " absences, asked_at,"
        " exists(select from sealed s where s.game_id = g.id and s.sequence = g.sequence + 1)"
        " from games g where id = %s and status in ('running', 'paused')",
        game_id,
    )


def write(
    transaction: Session, game_id: str, expected: int, head: str, entry: Entry, table: Table, times: Times
) -> bool:
    """Appends the row of a carry-over, unless the game has moved on or a sealed move has come in meanwhile.

    Nobody has moved, so a deadline stays where it is, unless the newer rules ask somebody else. With a snapshot at this
    row, every row that is played again on the way to an earlier position is of one version.
    """
    # The lock comes first, and by itself: only what is asked after it sees the sealed move that it has waited for.
    here = transaction.row(
        "select from games where id = %s and sequence = %s and head = %s"
        " and status in ('running', 'paused') for update",
        game_id,
        expected,
        head,
    )
    if here is None or transaction.value(
        "select exists(select from sealed where game_id = %s and sequence = %s)", game_id, expected + 1
    ):
        return False
    position, to_act = table.position_json.decode(), sorted(table.awaited())
    transaction.run(
        "update games set version = %s, sequence = %s, head = %s, position = %s,"
        " asked_at = case when to_act = %s::smallint[] then asked_at else %s end,"
        " due_at = case when to_act = %s::smallint[] or due_at is null then due_at else %s end,"
        " alarm_at = case when to_act = %s::smallint[] or due_at is null then alarm_at else %s end,"
        " remaining = case when to_act = %s::smallint[] or remaining is null then remaining else %s - %s end,"
        " to_act = %s::smallint[] where id = %s",
        table.game.version,
        entry.row.number,
        entry.hash,
        position,
        *(to_act, times.now, to_act, times.due, to_act, times.alarm, to_act, times.due, times.now, to_act),
        game_id,
    )
    set_wake(transaction, game_id, times.now)
    transaction.run(
        "insert into log (game_id, sequence, payload, previous, hash) values (%s, %s, %s, %s, %s)",
        game_id,
        entry.row.number,
        entry.row_json.decode(),
        head,
        entry.hash,
    )
    transaction.run(
        "insert into snapshots (game_id, sequence, position) values (%s, %s, %s)", game_id, entry.row.number, position
    )
    transaction.run("insert into outbox (game_id, kind, sequence) values (%s, 'moved', %s)", game_id, entry.row.number)
    return True


def version_at(session: Session, game_id: str, sequence: int) -> str | None:
    """The rules that a game was carried over to at a row or before it; None where it still was under its first."""
    version: str | None = session.value(
        "select payload::json -> 'events' -> 0 ->> 'to' from log"
        " where game_id = %s and sequence <= %s and payload like %s order by sequence desc limit 1",
        game_id,
        sequence,
        f'%"phase":"{CARRY_OVER}"%',
    )
    return version

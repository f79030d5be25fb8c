"""What has happened and is still to be passed on: written in the transaction of what happened, delivered by workers."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from store.database import Session, columns

PASSED_ON_AT_ONCE = 1000


class OutboxRow(msgspec.Struct, frozen=True):
    """Something happened in a game: rows up to `sequence` were "moved", a move was "sealed", the game "ended".

    `seat` is whom it happened to, if it was one seat; `detail` is what else there is to tell, as canonical JSON.
    """

    id: int
    game_id: str
    kind: str
    sequence: int
    seat: int | None
    detail: str | None
    created_at: datetime


def waiting(session: Session, limit: int = PASSED_ON_AT_ONCE) -> list[OutboxRow]:
    """The oldest rows. Those of moves in one game come in their order, and without gaps: each holds the game's lock."""
    return session.all(OutboxRow, f"select {columns(OutboxRow)} from outbox order by id limit %s", limit)


def of_game(session: Session, game_id: str, limit: int = PASSED_ON_AT_ONCE) -> list[OutboxRow]:
    """The same for one game; what waits is seldom much, so it has no index that every move would pay for."""
    return session.all(
        OutboxRow, f"select {columns(OutboxRow)} from outbox where game_id = %s order by id limit %s", game_id, limit
    )


def hold(transaction: Session, game_id: str) -> bool:
    """Whether the caller alone passes on what happened in a game, until the transaction ends.

    The commit need not wait for the disk: what a crash takes back is taken back whole, and passed on again. Nothing is
    delivered before a later commit has waited for it, for the disk gets them in their order.
    """
    row = transaction.row(
        "select pg_try_advisory_xact_lock(hashtext('outbox'), hashtext(%s)),"
        " set_config('synchronous_commit', 'off', true)",
        game_id,
    )
    return bool(row and row[0])


def take(transaction: Session, rows: Sequence[OutboxRow]) -> list[OutboxRow]:
    """Takes rows of one game out: those that nobody else has taken before."""
    taken = transaction.rows(
        "delete from outbox where game_id = %s and id = any(%s) returning id",
        rows[0].game_id if rows else "",
        [row.id for row in rows],
    )
    ids = {row_id for (row_id,) in taken}
    return [row for row in rows if row.id in ids]


def add(
    transaction: Session, game_id: str, kind: str, sequence: int, seat: int | None = None, detail: str | None = None
) -> None:
    """Writes what happened, in the transaction in which it happens."""
    transaction.run(
        "insert into outbox (game_id, kind, sequence, seat, detail) values (%s, %s, %s, %s, %s)",
        game_id,
        kind,
        sequence,
        seat,
        detail,
    )

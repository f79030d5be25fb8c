"""What has happened and is still to be passed on: written in the transaction of what happened, delivered by workers."""

import msgspec

from store.database import Session, columns

DELIVERED_AT_ONCE = 1000


class OutboxRow(msgspec.Struct, frozen=True):
    """Something happened in a game: rows up to `sequence` were "moved", a move was "sealed", the game "ended"."""

    id: int
    game_id: str
    kind: str
    sequence: int


def waiting(transaction: Session, limit: int = DELIVERED_AT_ONCE) -> list[OutboxRow]:
    """The oldest rows that nobody else is delivering; they stay locked until the transaction ends."""
    return transaction.all(
        OutboxRow,
        f"select {columns(OutboxRow)} from outbox order by id limit %s for update skip locked",
        limit,
    )


def drop(transaction: Session, rows: list[OutboxRow]) -> None:
    """Drops what has been delivered."""
    transaction.run("delete from outbox where id = any(%s)", [row.id for row in rows])


def add(transaction: Session, game_id: str, kind: str, sequence: int) -> None:
    transaction.run("insert into outbox (game_id, kind, sequence) values (%s, %s, %s)", game_id, kind, sequence)

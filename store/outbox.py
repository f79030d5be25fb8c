"""What has happened and is still to be passed on: written in the transaction of what happened, delivered by workers."""

import msgspec

from store.database import Session, columns

DELIVERED_AT_ONCE = 1000


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

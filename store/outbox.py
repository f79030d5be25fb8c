"""What is still to be told: written in the transaction of what happened, delivered by workers after it."""

import msgspec

from store.database import Session, columns


class Notice(msgspec.Struct, frozen=True):
    """Something happened in a game: rows up to `sequence` were "moved", a move was "sealed", the game "ended"."""

    id: int
    game_id: str
    kind: str
    sequence: int


def waiting(transaction: Session, limit: int = 100) -> list[Notice]:
    """The oldest notices that nobody else is delivering; they stay locked until the transaction ends."""
    return transaction.all(
        Notice,
        f"select {columns(Notice)} from outbox order by id limit %s for update skip locked",
        limit,
    )


def done(transaction: Session, notices: list[Notice]) -> None:
    """Drops what has been delivered."""
    transaction.run("delete from outbox where id = any(%s)", [notice.id for notice in notices])


def tell(transaction: Session, game_id: str, kind: str, sequence: int) -> None:
    transaction.run("insert into outbox (game_id, kind, sequence) values (%s, %s, %s)", game_id, kind, sequence)

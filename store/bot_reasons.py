"""Why bots made their moves."""

import msgspec

from store.database import Session, columns


class Reason(msgspec.Struct, frozen=True, rename={"sequence": "row"}):
    """What a bot says of its move, which is in this row of the log."""

    sequence: int
    seat: int
    reason: str


def add(transaction: Session, game_id: str, sequence: int, seat: int, reason: str) -> None:
    """A move that was made again, before a sealed phase was opened, has the reason of the last."""
    transaction.run(
        """
        insert into bot_reasons (game_id, sequence, seat, reason) values (%s, %s, %s, %s)
        on conflict (game_id, sequence, seat) do update set reason = excluded.reason
        """,
        game_id,
        sequence,
        seat,
        reason,
    )


def of_game(session: Session, game_id: str, after: int, limit: int) -> list[Reason]:
    """By row and seat; a row comes whole, though it goes beyond the limit."""
    rows = session.rows(
        f"select {columns(Reason)} from bot_reasons where game_id = %s and sequence > %s"
        " order by sequence fetch first %s rows with ties",
        game_id,
        after,
        limit,
    )
    return sorted((Reason(*row) for row in rows), key=lambda one: (one.sequence, one.seat))

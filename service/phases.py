"""What ends a phase without a player's move: the reveal of sealed moves, and a deadline."""

import msgspec

from service.positions import lock, remember
from service.work import Work, work_after
from store import games
from store.database import Database
from store.writing import append


class Done(msgspec.Struct, frozen=True):
    """A phase was ended; `work` is what a worker has to do next, if anything."""

    work: Work | None


def resolve(db: Database, game_id: str, sequence: int | None = None) -> Done | None:
    """Reveals a complete sealed phase; `sequence` is the number that its row will have.

    None if that has been done already, or if a move is missing. The game is locked from the first look on, so a move
    that is replaced at the last moment counts or comes too late, but is never lost.
    """
    with db.transaction() as transaction:
        table = lock(transaction, game_id)
        if table is None or (sequence is not None and table.sequence + 1 != sequence):
            return None
        if table.sealed_phase() is None or table.missing():
            return None
        expected, head = table.sequence, table.head
        verdict = append(transaction, game_id, expected, head, (table.reveal(),), table)
    remember(game_id, table)
    return Done(work_after(game_id, table, verdict))


def time_out(db: Database, game_id: str) -> Done | None:
    """Plays for whoever has let the deadline pass; None if nobody has."""
    with db.transaction() as transaction:
        table = lock(transaction, game_id)
        if table is None or not games.is_overdue(transaction, game_id):
            return None
        expected, head = table.sequence, table.head
        verdict = append(transaction, game_id, expected, head, table.time_out(), table)
    remember(game_id, table)
    return Done(work_after(game_id, table, verdict))

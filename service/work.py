"""What workers have to do in a game: open a complete sealed phase, try standing orders, play for a bot, or act on a
deadline.

Postgres knows it; whoever finds out hands it to a worker as a hint, and the sweep finds again what got lost.
"""

from referee.table import Table
from runtime.wall_clock import now
from service.bots import is_put_to
from store import deadlines
from store.database import Database, Session
from store.games import Work as Work
from store.writing import Verdict

SWEPT_AT_ONCE = 200  # games
LEASE_SECONDS = 10  # until a game that was swept and has not moved is swept again


def work_after(game_id: str, table: Table, verdict: Verdict) -> Work | None:
    """What a write has left to do."""
    match verdict.next_work:
        case "resolve" | "bot" | "standing" as kind:
            return Work(game_id, table.sequence, kind)
    if any(is_put_to(table, seat) for seat in range(table.game.seats)):
        return Work(game_id, table.sequence, "bot")  # perhaps to a bot: nobody waits for its answer but who has asked
    return None


def pending(session: Session, game_id: str) -> Work | None:
    """What is to be done at once in a game that was opened, joined, left, started or resumed."""
    return deadlines.pending_work(session, game_id, now())


def sweep(db: Database) -> list[Work]:
    """What the queue has lost, and what has come due."""
    with db.transaction() as transaction:
        return deadlines.due_work(transaction, now(), LEASE_SECONDS, SWEPT_AT_ONCE)

"""Playing for the bots of a game."""

from collections.abc import Mapping
from contextlib import suppress

from referee.bots import answers_beside
from referee.situation import Choice
from referee.table import Table
from service.bots import choose_and_say, is_put_to
from service.errors import NoSeat, Stale, WrongStatus
from service.games import end
from service.moves import submit
from service.positions import load
from service.work import Work, pending
from store import bot_reasons, games
from store.bot_reasons import Reason as Reason
from store.database import Database, Session

MOVES_AT_ONCE = 50  # before others in the queue get their turn
ROWS_OF_BOTS = 2000  # without a person's move, after which a game is given up: by then they would go on for ever


def play(db: Database, game_id: str) -> Work | None:
    """Plays for the bots of a game until it is someone else's turn; what is to be done next."""
    with db.session() as session:
        bots = games.bots(session, game_id)
    for _ in range(MOVES_AT_ONCE):
        table, status = load(db, game_id)
        found = next_choice(table, bots) if status == "running" else None
        if found is None:
            break
        seat, choice, by = found
        try:
            done = submit(db, game_id, seat, [choice.move], expected=table.sequence, by=by, holder=None)
        except (Stale, WrongStatus, NoSeat):
            # Someone else, perhaps the same task delivered twice, has moved meanwhile, or has taken the seat over.
            break
        if choice.reason:
            with db.transaction() as transaction:
                bot_reasons.add(transaction, game_id, table.sequence + 1, seat, choice.reason)
        if done.work and done.work.kind == "standing":
            return done.work  # before the bots go on
    else:
        _stop_if_alone(db, game_id)
    with db.session() as session:
        return pending(session, game_id)


def next_choice(table: Table, bots: Mapping[int, str]) -> tuple[int, Choice, str] | None:
    """The next move of a bot: what is due to it, what it answers to somebody, what the game waits for."""
    put = [seat for seat in bots if is_put_to(table, seat)]
    for seat in dict.fromkeys((*answers_beside(table), *put, *table.acting())):
        if seat in bots:
            choice, by = choose_and_say(bots[seat], table, seat)
            if choice is not None:
                return seat, choice, by
    return None


def reasons(session: Session, game_id: str, after: int, limit: int) -> list[Reason]:
    """Why bots moved as they did, for a game that is over."""
    return bot_reasons.of_game(session, game_id, after, limit)


def _stop_if_alone(db: Database, game_id: str) -> None:
    """Where everybody else is out of the game, or nobody was ever in it."""
    with db.transaction() as transaction, suppress(WrongStatus):
        if games.are_bots_alone(transaction, game_id, ROWS_OF_BOTS):
            end(transaction, game_id)

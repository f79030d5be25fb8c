"""Playing for the bots of a game."""

from contextlib import suppress

from referee.bots import answers_beside
from service.bots import choose
from service.errors import Stale, WrongStatus
from service.games import end
from service.moves import submit
from service.positions import load
from service.work import Work, pending
from store import games
from store.database import Database

MOVES_AT_ONCE = 50  # before others in the queue get their turn
ROWS_OF_BOTS = 2000  # without a person's move, after which a game is given up: by then they would go on for ever


def play(db: Database, game_id: str) -> Work | None:
    """Plays for the bots of a game until it is someone else's turn; what is to be done next."""
    with db.session() as session:
        bots = games.bots(session, game_id)
    for _ in range(MOVES_AT_ONCE):
        table, status = load(db, game_id)
        asked = [seat for seat in (*answers_beside(table), *table.acting()) if seat in bots]
        if status != "running" or not asked:
            break
        move, by = choose(bots[asked[0]], table, asked[0])
        try:
            submit(db, game_id, asked[0], [move], expected=table.sequence, by=by)
        except (Stale, WrongStatus):
            # Someone else, perhaps the same task delivered twice, has moved meanwhile.
            break
    else:
        _stop_if_alone(db, game_id)
    with db.session() as session:
        return pending(session, game_id)


def _stop_if_alone(db: Database, game_id: str) -> None:
    """Where everybody else is out of the game, or nobody was ever in it."""
    with db.transaction() as transaction, suppress(WrongStatus):
        if games.are_bots_alone(transaction, game_id, ROWS_OF_BOTS):
            end(transaction, game_id)

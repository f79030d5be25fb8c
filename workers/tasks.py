"""The tasks. Postgres knows what is due; a task is a hint to look. Whatever gets lost, the sweep says again."""

from contextlib import suppress

from store import games, idempotency, moves, outbox, writing
from store.errors import Stale, WrongStatus
from workers.app import app, say
from workers.bots import choose

SWEEP_AT_ONCE = 200  # games
LEASE_SECONDS = 10  # until a game that was swept and has not moved is swept again
BOT_MOVES_AT_ONCE = 50  # before others in the queue get their turn
ROWS_OF_BOTS = 2000  # without a person's move, after which a game is given up: by then they would go on for ever


@app.task
def resolve(game_id: str, row: int) -> None:
    """Reveals a sealed phase whose moves are all in."""
    if moves.resolve(app.database, game_id, row):
        look(game_id)


@app.task
def play_bot(game_id: str) -> None:
    """Plays for the bots of a game until it is someone else's turn."""
    with app.database.session() as session:
        bots = games.bots(session, game_id)
    for _ in range(BOT_MOVES_AT_ONCE):
        table, status = moves.load(app.database, game_id)
        asked = [seat for seat in writing.acting(table) if seat in bots]
        if status != "running" or not asked:
            break
        seat = asked[0]
        move, by = choose(bots[seat], table, seat)
        try:
            moves.submit(app.database, game_id, seat, [move], expected=table.sequence, by=by)
        except (Stale, WrongStatus):
            # Someone else, perhaps this task delivered twice, has moved meanwhile.
            break
    else:
        _stop_bots(game_id)
    look(game_id)


def _stop_bots(game_id: str) -> None:
    """Where everybody else is out of the game, or nobody was ever in it."""
    with app.database.transaction() as transaction, suppress(WrongStatus):
        if games.are_bots_alone(transaction, game_id, ROWS_OF_BOTS):
            games.end(transaction, game_id)


@app.task
def time_out(game_id: str) -> None:
    """Plays the defaults of a seat whose time is up."""
    if moves.time_out(app.database, game_id):
        look(game_id)


@app.task
def sweep() -> None:
    """Says again what the queue has lost, and says what has come due."""
    with app.database.transaction() as transaction:
        found = games.due(transaction, LEASE_SECONDS, SWEEP_AT_ONCE)
    for one in found:
        wake(one.game_id, one.work, one.sequence + 1)


@app.task
def deliver() -> None:
    """Empties the outbox. As yet there is neither mail nor webhook to tell anybody by, so they are dropped."""
    more = True
    while more:
        with app.database.transaction() as transaction:
            notices = outbox.waiting(transaction)
            outbox.done(transaction, notices)
        more = len(notices) == outbox.AT_ONCE


@app.task
def tidy() -> None:
    """Forgets what is of no use any more."""
    with app.database.session() as session:
        while idempotency.forget(session, app.config.keep_keys_hours) == idempotency.AT_ONCE:
            pass


def wake(game_id: str, work: str, row: int) -> None:
    """Queues what a game needs, after the commit: `work` as the store names it, `row` the next one of the log."""
    if work == "resolve":
        say(resolve, game_id, row)
    elif work == "bot":
        say(play_bot, game_id)
    elif work == "clock":
        say(time_out, game_id)


def look(game_id: str) -> None:
    """Queues whatever a game needs at once: for a game that was started, joined, left or resumed."""
    with app.database.session() as session:
        found = games.work_in(session, game_id)
    if found:
        wake(game_id, found.work, found.sequence + 1)

"""The tasks. Postgres knows what is due; a task is a hint to look. Whatever gets lost, the sweep finds again."""

import time

from service import (
    bot_turns,
    deliveries,
    guests,
    heartbeat,
    idempotency,
    mail_in,
    notices,
    phases,
    records,
    seats,
    standing,
    work,
)
from service.work import Work
from workers.alone import alone
from workers.app import app, begin_queued, enqueue, enqueue_unless_queued

DELIVER_ALONE_SECONDS = 5.0  # longer than it takes, unless something is wrong


@app.task
def resolve(game_id: str, sequence: int) -> None:
    """Reveals a sealed phase whose moves are all in."""
    done = phases.resolve(app.database, game_id, sequence, _sweeps())
    if done:
        app.hints.changed(game_id)
        enqueue_work(done.work)


@app.task
def play_bot(game_id: str) -> None:
    """Plays for the bots of a game until it is someone else's turn."""
    enqueue_work(bot_turns.play(app.database, game_id))
    app.hints.changed(game_id)


@app.task
def try_standing(game_id: str) -> None:
    """Tries the standing orders of a game."""
    done = standing.act(app.database, game_id)
    if done:
        if done.answers:
            app.hints.changed(game_id)
        enqueue_work(done.work)


@app.task
def time_out(game_id: str) -> None:
    """Reminds whoever is asked, and plays for a seat whose time is up. After an outage the next sweep comes first."""
    done = phases.time_out(app.database, game_id, _sweeps())
    if done:
        app.hints.changed(game_id)
        enqueue_work(done.work)


@app.task
def sweep() -> None:
    """Notices an outage, queues what the queue has lost and what has come due, and seats substitutes."""
    heartbeat.beat(app.database, _sweeps())
    seats.seat_substitutes(app.database)
    for due in work.sweep(app.database):
        enqueue_work(due)


@app.task
def deliver() -> None:
    """Makes notices of what has happened, and delivers those that are due, unless another worker is at it."""
    with alone(app.client, "deliver", DELIVER_ALONE_SECONDS) as is_alone:
        if is_alone:
            notices.pass_on(app.database, app.channels)
            deliveries.deliver_due(app.database, app.channels, app.looking)


@app.task
def post(waiting_for: float = 0.0) -> None:
    """Reads mail that has come in, does what it says, and sends the answers; then the invitations. The sweep's leaves
    to the door what has just come to it, for that has nothing else to do."""
    begin_queued(post)
    begun = time.monotonic()
    house = mail_in.House(app.config.mail_domain, app.config.mail_server, app.config.url)
    for due in mail_in.serve(app.database, house, app.transport, waiting_for=waiting_for):
        app.hints.changed(due.game_id)
        enqueue_work(due)
    if time.monotonic() - begun >= mail_in.BUSY_SECONDS:
        enqueue_post()  # others may want this process, and there may be more to read
    if guests.write_letters(app.database, house.host, house.url):
        mail_in.send_answers(app.database, app.transport, house.host)


def enqueue_post() -> bool:
    """Has mail read, unless a task that will do so waits already: each reads all that has come."""
    return enqueue_unless_queued(post)


@app.task
def tidy() -> None:
    """Forgets what is of no use any more, and counts how players keep their turns."""
    idempotency.forget_old_keys(app.database, app.config.keep_keys_hours)
    notices.tidy(app.database, app.config.keep_notices_days)
    mail_in.tidy(app.database)
    records.tally_all(app.database)


def _sweeps() -> float:
    seconds: float = app.config.sweep_seconds
    return seconds


def enqueue_work(due: Work | None) -> bool:
    """Queues what a game needs, after the commit."""
    match due:
        case Work(game_id, sequence, "resolve"):
            return enqueue(resolve, game_id, sequence + 1)
        case Work(game_id, _, "bot"):
            return enqueue(play_bot, game_id)
        case Work(game_id, _, "standing"):
            return enqueue(try_standing, game_id)
        case Work(game_id, _, "clock"):
            return enqueue(time_out, game_id)
    return False

"""Workers give signs of life, and beat has them tidy up at the start."""

from collections.abc import Callable

import redis

from store.database import Database
from tests.waiting import wait_until
from workers import presence


def test_worker_is_there_while_it_runs_and_sweeps_are_noted(
    queue: redis.Redis, start_worker: Callable, start_beat: Callable[[], object]
) -> None:
    assert presence.read(queue) == presence.Presence(0, 0, {"celery": 0, "bots": 0}, None)
    worker = start_worker()
    wait_until(lambda: presence.read(queue).workers == 1, what="a sign of life")
    assert presence.read(queue).processes == 1
    start_beat()
    first = wait_until(lambda: presence.read(queue).swept, what="a sweep")
    wait_until(lambda: presence.read(queue).swept > first, what="the next sweep")
    worker.stop()
    wait_until(lambda: presence.read(queue).workers == 0, what="the goodbye")


def test_old_keys_are_forgotten_at_the_start_and_not_an_hour_later(
    db: Database, start_worker: Callable, start_beat: Callable[[], object]
) -> None:
    with db.session() as session:
        session.run(
            "insert into idempotency (scope, key, fingerprint, created_at)"
            " values ('player:0', 'old', 'x', now() - interval '1 year')"
        )
    start_worker()
    start_beat()

    def is_forgotten() -> bool:
        with db.session() as session:
            return not session.value("select count(*) from idempotency where scope = 'player:0' and key = 'old'")

    wait_until(is_forgotten, what="tidying up")


def test_a_worker_that_takes_nothing_though_tasks_wait_is_lost() -> None:
    hearing = presence.Hearing(now=0)
    assert not hearing.is_lost(waiting=3, now=presence.DEAF)
    assert hearing.is_lost(waiting=3, now=presence.DEAF + 1)
    hearing.note(now=presence.DEAF)  # it took one
    assert not hearing.is_lost(waiting=3, now=presence.DEAF + 1)
    assert not hearing.is_lost(waiting=0, now=1000)  # there was nothing to take
    assert not hearing.is_lost(waiting=1, now=1000 + presence.DEAF)

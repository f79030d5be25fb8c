"""Tasks that read mail: at most one waits, whatever comes."""

import redis

from runtime.config import Config
from workers import tasks
from workers.app import begin_queued, configure


def test_however_many_mails_come_one_task_waits_until_it_begins(config: Config, queue: redis.Redis) -> None:
    configure(config)
    begin_queued(tasks.post)
    before = queue.llen("celery")
    assert [tasks.enqueue_post() for _ in range(5)] == [True] * 5
    assert queue.llen("celery") == before + 1
    begin_queued(tasks.post)  # it reads now; what comes from here on needs another
    assert tasks.enqueue_post()
    assert queue.llen("celery") == before + 2


def test_a_task_that_was_lost_is_queued_anew(config: Config, queue: redis.Redis) -> None:
    configure(config)
    begin_queued(tasks.post)
    assert tasks.enqueue_post()
    key = next(iter(queue.scan_iter("waybill:queued:*")))
    assert 0 < queue.pttl(key) <= 5000

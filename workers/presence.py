"""Which workers there are, how long their queue is, and when the last sweep was: kept in Redis for /metrics. A worker
that takes no more tasks though some wait ends itself, and whoever supervises it starts another."""

import os
import signal
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec
import redis
import structlog
from celery import Task, signals

from runtime.redis_client import connect
from workers.app import app

WORKERS = "waybill:workers"  # a sorted set: who was last there when, by the clock of Redis
SWEPT = "waybill:swept"
EVERY = 5.0  # seconds from one sign of life to the next
GONE = 20.0  # seconds without one after which a worker counts no more
DEAF = 60.0  # seconds in which tasks wait and a worker takes none of them
# Kombu keeps a list for each of its four priorities.
PRIORITIES = ("", "\x06\x163", "\x06\x166", "\x06\x169")

_stopping = threading.Event()
log = structlog.get_logger(__name__)


class Presence(msgspec.Struct, frozen=True):
    workers: int
    processes: int
    queues: dict[str, int]  # tasks that wait, by queue
    swept: float | None  # when the last sweep ended, in seconds since 1970


def read(client: redis.Redis) -> Presence:
    """What is known in Redis; raises redis.RedisError if it does not answer."""
    names = list(app.amqp.queues)
    pipe = client.pipeline(transaction=False)
    pipe.zrangebyscore(WORKERS, _now(client) - GONE, "+inf")
    pipe.get(SWEPT)
    for key in _lists(names):
        pipe.llen(key)
    workers, swept, *lengths = pipe.execute()
    step = len(PRIORITIES)
    return Presence(
        workers=len(workers),
        processes=sum(int(worker.rpartition(b"/")[2]) for worker in workers),
        queues={name: sum(lengths[place * step : (place + 1) * step]) for place, name in enumerate(names)},
        swept=float(swept) if swept else None,
    )


class Hearing:
    """Whether a worker still takes what waits for it. One whose Redis went away while it acknowledged a task may come
    back to the queue and take nothing from it ever again: it counts that task as one that it still has."""

    def __init__(self, now: float) -> None:
        self._last = now  # that it took a task, or that there was none

    def note(self, now: float) -> None:
        self._last = now

    def is_lost(self, waiting: int, now: float) -> bool:
        if not waiting:
            self._last = now
        return now - self._last > DEAF


def announce() -> None:
    """From now on the workers of this program give signs of life."""
    signals.worker_ready.connect(_begin)
    signals.worker_shutdown.connect(_end)
    signals.task_postrun.connect(_note_sweep)


def _begin(sender: Any, **_: Any) -> None:
    name = f"{sender.hostname}/{os.getpid()}/{sender.controller.concurrency}"
    hearing = Hearing(time.monotonic())
    signals.task_received.connect(lambda **_: hearing.note(time.monotonic()), weak=False)
    queues = list(app.amqp.queues.consume_from)
    threading.Thread(target=_live, args=(name, queues, hearing), name="presence", daemon=True).start()


def _end(**_: Any) -> None:
    _stopping.set()


def _live(name: str, queues: Iterable[str], hearing: Hearing) -> None:
    client = _client()
    is_over = False
    while not is_over:
        with suppress(redis.RedisError):  # the queue's own connection tells of a Redis that is away
            now = _now(client)
            client.zadd(WORKERS, {name: now})
            client.zremrangebyscore(WORKERS, "-inf", now - 10 * GONE)
            if hearing.is_lost(sum(client.llen(key) for key in _lists(queues)), time.monotonic()):  # type: ignore[misc]
                log.error("tasks wait and none is taken: this worker ends", worker=name)
                os.kill(os.getpid(), signal.SIGTERM)
                hearing.note(time.monotonic())
        is_over = _stopping.wait(EVERY)
    with suppress(redis.RedisError):
        client.zrem(WORKERS, name)


def _lists(queues: Iterable[str]) -> list[str]:
    """The lists of some queues, one for each priority."""
    return [queue + priority for queue in queues for priority in PRIORITIES]


def _note_sweep(task: Task, state: str, **_: Any) -> None:
    if task.name == "workers.tasks.sweep" and state == "SUCCESS":
        with suppress(redis.RedisError):
            client = _client()
            client.set(SWEPT, _now(client))


_clients: dict[int, redis.Redis] = {}


def _client() -> redis.Redis:
    """A client of this process's own."""
    if os.getpid() not in _clients:
        _clients[os.getpid()] = connect(app.config.redis_url, socket_timeout=3, socket_connect_timeout=1)
    return _clients[os.getpid()]


def _now(client: redis.Redis) -> float:
    time: Any = client.time()  # its type allows for the asynchronous client too
    seconds, microseconds = time
    return int(seconds) + int(microseconds) / 1e6

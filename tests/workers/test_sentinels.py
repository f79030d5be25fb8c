"""Redis behind sentinels: everything that uses it finds the server that has taken over."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from app import create_app
from runtime.config import Config, ConfigError, read_config
from runtime.redis_client import connect, connect_async
from runtime.redis_server import ping_redis
from service.hints import CHANNEL, Hints
from tests.sentinel import PASSWORD, Watched, watched_redis
from tests.waiting import wait_until
from tests.workers.conftest import Worker
from workers import presence, tasks
from workers.app import configure, enqueue


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with watched_redis(tmp_path) as found:
        yield found


def test_queue_limits_hints_and_readiness_follow_redis_to_the_server_that_takes_over(
    config: Config, watched: Watched, tmp_path: Path
) -> None:
    with pytest.raises(redis.AuthenticationError):
        connect(watched.url.replace(PASSWORD, "guess"), socket_timeout=5).ping()
    behind = config.replace(redis_url=watched.url, log_level="error")
    app = create_app(behind)
    options = ("--concurrency", "1", "--loglevel", "info", "--without-mingle")
    worker = Worker(behind, tmp_path / "worker.log", "worker", *options)
    client = connect(watched.url, socket_timeout=5)
    heard: list[bytes] = []
    listening, stopping = threading.Event(), threading.Event()
    listener = threading.Thread(target=lambda: asyncio.run(listen(watched.url, heard, listening, stopping)))
    listener.start()
    try:
        wait_until(worker.is_ready, what="the worker's start")
        listening.wait(30)
        hints = Hints(watched.url)
        for change in ("before", "after"):
            wait_until(lambda: app.test_client().get("/readyz").json["checks"]["redis"], what="the API's finding it")
            assert ping_redis(watched.url)
            assert connect(watched.url, socket_timeout=5).incr(change) == 1
            swept = presence.read(client).swept

            def is_swept(before: object = swept) -> bool:
                enqueue(tasks.sweep)
                return presence.read(client).swept not in (None, before)

            wait_until(is_swept, what=f"a task {change} the failover")

            def is_heard(change: str = change) -> bool:
                hints.changed(change)
                return change.encode() in b"\n".join(heard).split(b"\n")

            wait_until(is_heard, what=f"a hint {change} the failover")
            if change == "before":
                watched.kill_first()
    finally:
        stopping.set()
        listener.join()
        worker.stop()
        configure(config)  # the others' queue is back


async def listen(url: str, heard: list[bytes], listening: threading.Event, stopping: threading.Event) -> None:
    """As the stream does: subscribes again when the connection is lost."""
    client = connect_async(url, socket_connect_timeout=1, socket_keepalive=True)
    while not stopping.is_set():
        try:
            async with client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                listening.set()
                while not stopping.is_set():
                    message = await channel.get_message(ignore_subscribe_messages=True, timeout=0.1)
                    if message:
                        heard.append(message["data"])
        except (redis.RedisError, OSError):
            await asyncio.sleep(0.1)
    await client.aclose()


@pytest.mark.parametrize("address", ["sentinel://", "sentinel://:secret@a,,b/waybill", "sentinel://a/waybill/first"])
def test_address_that_is_none_is_refused_with_one_that_is_and_without_its_password(address: str) -> None:
    with pytest.raises(ConfigError, match="REDIS_URL must be an address like sentinel://") as refused:
        read_config({"REDIS_URL": address})
    assert "secret" not in str(refused.value)

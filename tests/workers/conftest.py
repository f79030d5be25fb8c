"""Real workers on the run's Redis."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from runtime.config import Config
from store.database import Database
from tests.waiting import wait_until
from workers.app import configure

ROOT = Path(__file__).resolve().parent.parent.parent


class Worker:
    """A Celery process of its own, in a process group of its own so that all of it can be killed."""

    def __init__(self, config: Config, log: Path, *arguments: str) -> None:
        self.log = log
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": config.database_url,
            "REDIS_URL": config.redis_url,
            "WAYBILL_SWEEP_SECONDS": "1",
            "WAYBILL_FOLDER": str(config.folder),
        }
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "celery", "--app", "workers.main", *arguments],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def is_ready(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return "ready." in self.log.read_text()

    def kill(self) -> None:
        """As by a power cut."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture(autouse=True)
def _nothing_left(db: Database) -> None:
    """Real workers do whatever is due: nothing of what other tests have left is."""
    with db.session() as session:
        session.run("update games set wake_at = null where wake_at is not null")
        session.run("update deliveries set state = 'dropped' where state = 'waiting'")


@pytest.fixture
def queue(config: Config) -> Iterator[redis.Redis]:
    """An empty queue."""
    client = redis.Redis.from_url(config.redis_url)
    client.flushdb()
    configure(config)
    yield client
    client.flushdb()
    client.close()


@pytest.fixture
def start_worker(config: Config, queue: redis.Redis, tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Starts a worker and returns when it takes tasks; all of them are stopped at the end of the test."""
    workers: list[Worker] = []

    def start(*options: str, wait: bool = True) -> Worker:
        log = tmp_path / f"worker{len(workers)}.log"
        options = ("--concurrency", "1", "--loglevel", "info", "--without-mingle", *options)
        worker = Worker(config, log, "worker", *options)
        workers.append(worker)
        if wait:
            wait_until(worker.is_ready, what="the worker's start")
        return worker

    yield start
    for worker in workers:
        worker.stop()


@pytest.fixture
def start_beat(config: Config, queue: redis.Redis, tmp_path: Path) -> Iterator[Callable[[], Worker]]:
    beats: list[Worker] = []

    def start() -> Worker:
        beats.append(Worker(config, tmp_path / "beat.log", "beat", "--loglevel", "info"))
        return beats[-1]

    yield start
    for beat in beats:
        beat.stop()

"""A private Postgres and a private Redis, for machines that have none configured."""

import fcntl
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

import msgspec
import psycopg2
import redis

from runtime import postgres, redis_server
from runtime.errors import ServerError
from runtime.folders import make_folder, unusable
from runtime.postgres import Postgres
from runtime.processes import stop
from runtime.programs import OLDEST_POSTGRES, OLDEST_REDIS
from runtime.redis_server import ping_redis, start_redis

GOODBYES = {"postgres": postgres.GOODBYE, "redis": redis_server.GOODBYE}
LOCK_SECONDS = 3


class Addresses(msgspec.Struct, frozen=True):
    database_url: str
    redis_url: str
    superuser_url: str = ""  # of the private Postgres


class Servers:
    """The private servers of one folder. Use as a context: they run inside it and are gone after it.

    A lock in the folder is held by us and by Postgres itself, so that whoever gets it knows that no server is left.
    """

    def __init__(
        self,
        folder: Path,
        *,
        postgres: bool = True,
        redis: bool = True,
        durable: bool = True,
        namespaces: bool = True,
    ) -> None:
        self.folder = folder
        self.wants = (postgres, redis)
        self.durable = durable
        self.namespaces = namespaces
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        self.addresses = Addresses("", "")
        self._lock: IO[str] | None = None
        self._postgres: Postgres | None = None

    def __enter__(self) -> Addresses:
        make_folder(self.folder)
        self._take_lock()
        try:
            database, superuser = self._start_postgres() if self.wants[0] else ("", "")
            cache = self._start_redis() if self.wants[1] else ""
        except BaseException:
            self.stop()
            raise
        self.addresses = Addresses(database, cache, superuser)
        return self.addresses

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops what was started, last first, and waits for it."""
        while self.parts:
            name, child = self.parts.popitem()
            stop(child, GOODBYES[name])
        if self._postgres:
            self._postgres.forget_sockets()
        if self._lock:
            self._lock.close()
            self._lock = None

    def restart_postgres(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops Postgres and starts it again, as an operator would; SIGKILL or SIGQUIT is a crash."""
        stop(self.parts.pop("postgres"), how)
        self._start_postgres()

    def start_again(self, name: str) -> subprocess.Popen[bytes]:
        """After it has ended by itself: a new one at the same address."""
        if name == "redis":
            self.parts[name], _ = start_redis(self.folder, self.addresses.redis_url)
        else:
            # Its processes hold the lock too, and some may outlive the first of them for a moment. To start a second
            # Postgres on the data beside them would ruin these: so the lock has to be had anew.
            if self._lock:
                self._lock.close()
                self._lock = None
            self._take_lock()
            self._start_postgres()
        return self.parts[name]

    def _take_lock(self) -> None:
        try:
            self._lock = open(self.folder / "lock", "a+")  # noqa: SIM115 - held until stop()
        except PermissionError:
            raise unusable(self.folder / "lock") from None
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                # The servers of someone who was killed need a moment to notice.
                if time.monotonic() > end:
                    self._lock.close()
                    self._lock = None
                    raise ServerError(f"Another waybill is using the servers in {self.folder}.") from None
                time.sleep(0.05)

    def _start_postgres(self) -> tuple[str, str]:
        assert self._lock is not None
        self._postgres = Postgres(self.folder, durable=self.durable, namespaces=self.namespaces)
        self.parts["postgres"] = child = self._postgres.start(self._lock.fileno())
        self._postgres.wait(child)
        return self._postgres.database_url, self._postgres.superuser_url

    def _start_redis(self) -> str:
        self.parts["redis"], url = start_redis(self.folder)
        return url


def check_configured(database_url: str, redis_url: str) -> None:
    """A configured address that does not answer, or is too old, is an error, and no reason to fall back."""
    if database_url:
        try:
            raw = psycopg2.connect(database_url, connect_timeout=3)
            version = raw.server_version // 10000
            raw.close()
        except psycopg2.Error as error:
            raise ServerError(f"DATABASE_URL is set, but does not answer: {str(error).strip()}") from None
        if version < OLDEST_POSTGRES:
            raise ServerError(f"DATABASE_URL is Postgres {version}; {OLDEST_POSTGRES} or newer is needed.")
    if redis_url:
        try:
            answer = ping_redis(redis_url)
        except redis.RedisError as error:
            raise ServerError(f"REDIS_URL is set, but does not answer: {error}") from None
        if tuple(map(int, answer.split(".")[:2])) < OLDEST_REDIS:
            raise ServerError(f"REDIS_URL is Redis {answer}; 6.2 or newer is needed.")

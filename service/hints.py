"""Hints that a game has changed, by Redis, for those who stream. One that is lost costs a second and nothing else."""

import threading
import time

import redis

from runtime.redis_client import connect

CHANNEL = "waybill:changed"
MOST_WAITING = 10_000  # games; more are left to be found without hints
SILENT_SECONDS = 2.0  # when nobody has heard a hint, until the next one


class Hints:
    """Publishes from a thread of its own: whoever moves does not wait for Redis.

    While nobody streams nobody listens, and a move pays nothing: a hint for each cost 4 % of it. Who begins to stream
    gets hints after two seconds, and looks for themselves until then.
    """

    def __init__(self, redis_url: str, silent_seconds: float = SILENT_SECONDS) -> None:
        self._url = redis_url
        self._silent_seconds = silent_seconds
        self._silent_until = 0.0
        self._waiting: dict[str, None] = {}
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None

    def changed(self, game_id: str) -> None:
        """Something has happened in a game, and is committed."""
        if self.is_silent:
            return
        with self._news:
            if len(self._waiting) < MOST_WAITING:
                self._waiting[game_id] = None
            if self._thread is None or not self._thread.is_alive():  # also in a process that was forked
                self._thread = threading.Thread(target=self._publish, name="hints", daemon=True)
                self._thread.start()
            self._news.notify()

    @property
    def is_silent(self) -> bool:
        """Whether the last hint was heard by nobody, a moment ago."""
        return time.monotonic() < self._silent_until

    def _publish(self) -> None:
        client = connect(self._url, socket_timeout=1, socket_connect_timeout=1)
        while True:
            with self._news:
                while not self._waiting:
                    self._news.wait()
                games, self._waiting = self._waiting, {}
            try:
                heard_by = client.publish(CHANNEL, "\n".join(games))
            except redis.RedisError:
                heard_by = 0
            if not heard_by:
                self._silent_until = time.monotonic() + self._silent_seconds

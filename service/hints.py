"""Hints that a game has changed, by Redis, for those who stream. One that is lost costs a second and nothing else."""

import threading
from contextlib import suppress

import redis

CHANNEL = "waybill:changed"
MOST_WAITING = 10_000  # games; more are left to be found without hints
STOP = ""


class Hints:
    """Publishes from a thread of its own: whoever moves does not wait for Redis."""

    def __init__(self, redis_url: str) -> None:
        self._url = redis_url
        self._waiting: dict[str, None] = {}
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None

    def changed(self, game_id: str) -> None:
        """Something has happened in a game, and is committed."""
        with self._news:
            if len(self._waiting) < MOST_WAITING:
                self._waiting[game_id] = None
            if self._thread is None or not self._thread.is_alive():  # also in a process that was forked
                self._thread = threading.Thread(target=self._publish, name="hints", daemon=True)
                self._thread.start()
            self._news.notify()

    def _publish(self) -> None:
        client = redis.Redis.from_url(self._url, socket_timeout=1, socket_connect_timeout=1)
        while True:
            with self._news:
                while not self._waiting:
                    self._news.wait()
                games, self._waiting = self._waiting, {}
            with suppress(redis.RedisError):
                client.publish(CHANNEL, "\n".join(games))

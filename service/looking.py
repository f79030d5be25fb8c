"""Who is looking at which game. Redis keeps it for a minute, as a hint: without it, people are told once too often."""

import time
from collections import OrderedDict
from threading import Lock

import redis

SECONDS = 60  # for which somebody who asked for a game is taken to look at it
SAID_AGAIN_AFTER = 20.0  # seconds
AWAY_SECONDS = 5.0  # until a Redis that did not answer is asked again
REMEMBERED = 10_000  # looks of which this process knows that Redis knows them


class Looking:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._said: OrderedDict[tuple[int, str], float] = OrderedDict()
        self._away_until = 0.0
        self._lock = Lock()

    def note(self, player_id: int, game_id: str) -> None:
        """A player has asked for a game."""
        now, key = time.monotonic(), (player_id, game_id)
        with self._lock:
            if now < self._said.get(key, 0.0) or now < self._away_until:
                return
            self._said[key] = now + SAID_AGAIN_AFTER
            self._said.move_to_end(key)
            if len(self._said) > REMEMBERED:
                self._said.popitem(last=False)
        try:
            self._client.set(_name(player_id, game_id), 1, ex=SECONDS)
        except redis.RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS

    def is_looking(self, player_id: int, game_id: str) -> bool:
        try:
            return bool(self._client.exists(_name(player_id, game_id)))
        except redis.RedisError:
            return False


def _name(player_id: int, game_id: str) -> str:
    return f"waybill:looking:{player_id}:{game_id}"

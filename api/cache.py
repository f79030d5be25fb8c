"""A small cache in memory."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

V = TypeVar("V")

SECONDS = 5.0  # how long a revoked token may still work in another process
SIZE = 10_000


class TTLCache:
    """Answers of the database that may be a few seconds old: tokens and seats, which hardly ever change."""

    def __init__(self, seconds: float = SECONDS, size: int = SIZE) -> None:
        self._seconds = seconds
        self._size = size
        self._values: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        with self._lock:
            until, value = self._values.get(key, (0.0, None))
        if until > time.monotonic():
            known: V = value
            return known
        made = make()
        if made is not None:  # what is not there may be there in a moment
            with self._lock:
                self._values[key] = (time.monotonic() + self._seconds, made)
                self._values.move_to_end(key)
                if len(self._values) > self._size:
                    self._values.popitem(last=False)
        return made

    def clear(self) -> None:
        with self._lock:
            self._values.clear()

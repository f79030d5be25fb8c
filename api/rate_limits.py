"""So many requests a minute for a token, or for an address without one.

Redis counts for all processes. Each takes a few permits at a time and gives them out, so that most requests need no
round trip. Nobody gets more than the limit; what a process has left over at the end of the minute is forgotten.
Without Redis each process counts alone.
"""

import hashlib
import time
from http import HTTPStatus
from threading import Lock

import msgspec
import redis
from flask import Flask, Request

from api.context import current_request
from api.headers import add_headers
from api.problems import refuse

HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
NOT_LIMITED = frozenset({"healthz", "readyz", "metrics"})  # views
MINUTE = 60
MOST_PERMITS = 32  # taken at a time
SHARE = 20  # and at most this part of the limit, so that a process with some left over keeps little from the others
AWAY_SECONDS = 5.0  # until a Redis that did not answer is asked again


class Count(msgspec.Struct):
    """What a process knows of someone's requests in this minute."""

    taken: int = 0  # permits, by all processes
    left: int = 0  # of those that this process has taken


class RateLimiter:
    def __init__(self, limit: int, client: redis.Redis) -> None:
        self.limit = limit
        self._client = client
        self._batch = max(1, min(MOST_PERMITS, limit // SHARE))
        self._minute = 0
        self._counts: dict[str, Count] = {}
        self._away_until = 0.0
        self._lock = Lock()

    def take(self, who: str, minute: int) -> int | None:
        """Uses a permit: how many remain in this minute, or None if there was none."""
        with self._lock:
            if minute != self._minute:
                self._minute, self._counts = minute, {}
            count = self._counts.setdefault(who, Count())
            if count.left:
                count.left -= 1
                return self._remaining(count)
            if count.taken >= self.limit:
                return None
        taken = self._taken_from_redis(f"waybill:limit:{hash_of(who)}:{minute}")
        with self._lock:
            if taken is None:
                taken = count.taken + self._batch
            count.taken = max(count.taken, taken)
            granted = min(self._batch, self.limit - taken + self._batch)
            if granted <= 0:
                return None
            count.left += granted - 1
            return self._remaining(count)

    def _remaining(self, count: Count) -> int:
        return max(0, self.limit - count.taken) + count.left

    def _taken_from_redis(self, key: str) -> int | None:
        if time.monotonic() < self._away_until:
            return None
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                pipeline.incrby(key, self._batch)
                pipeline.expire(key, 2 * MINUTE)
                taken, _ = pipeline.execute()
            return int(taken)
        except redis.RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS
            return None


def limit_requests(app: Flask, requests_per_minute: int, redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url, socket_connect_timeout=0.25, socket_timeout=0.25)
    limiter = RateLimiter(requests_per_minute, client)

    def check() -> None:
        request = current_request()
        if request.method == "OPTIONS" or (request.endpoint or "").rpartition(".")[2] in NOT_LIMITED:
            return
        now = int(time.time())
        minute = now // MINUTE
        remaining = limiter.take(rate_limit_key(request), minute)
        reset = (minute + 1) * MINUTE
        add_headers(request, *zip(HEADERS, (str(limiter.limit), str(remaining or 0), str(reset)), strict=True))
        if remaining is None:
            detail = f"You have made {limiter.limit} requests in this minute, which is as many as one may."
            refuse(HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests", detail, {"Retry-After": str(reset - now)})

    app.before_request(check)


def rate_limit_key(request: Request) -> str:
    """Tokens are counted before they are looked up: a wrong one is counted too."""
    return request.environ.get("HTTP_AUTHORIZATION") or f"address {request.remote_addr}"


def hash_of(text: str) -> str:
    """What Redis gets to know of a token."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]

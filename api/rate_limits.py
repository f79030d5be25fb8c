"""So many requests a minute for a player, or for an address that has not shown a good token; so many sign-ups an hour.

A request costs what its answer costs: a picture more than a look. An address is counted until a token turns out to be
good, then its player, whichever of their tokens they use.

Redis counts for all processes. Each takes a few permits at a time and gives them out, so that most requests need no
round trip. Nobody gets more than the limit; what a process has left over at the end of the window is forgotten.
Without Redis each process counts alone.
"""

import hashlib
import ipaddress
import time
from collections import OrderedDict
from functools import lru_cache
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple, NoReturn

import msgspec
import redis
from flask import Flask, Request, Response

from api.context import current_g, current_request
from api.headers import add_headers
from api.problems import Problem, refuse
from runtime.redis_client import connect

HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Cost")
NOT_LIMITED = frozenset({"healthz", "readyz", "metrics", "page", "page_file", "root_file", "favicon"})  # views
COSTS = {
    "board_png": 10,
    "board_svg": 5,
    "records": 10,
    "game_record": 5,
    "scores": 5,
    "transcript": 5,
    "open_game": 5,
    "sign_up": 5,
    "ask_to_sign_in": 5,
    "test_webhook": 5,
    "redeliver_webhook": 5,
    "options": 2,
    "options_after": 2,
    "board_txt": 2,
}
MINUTE, HOUR = 60, 60 * 60
MOST_PERMITS = 32  # taken at a time
SHARE = 20  # and at most this part of the limit, so that a process with some left over keeps little from the others
MOST_COUNTS = 10_000  # of those who ask, in memory; whoever has not asked for longest is forgotten first
AWAY_SECONDS = 5.0  # until a Redis that did not answer is asked again
SIGN_UPS = (
    10  # and letters, an hour for an address, at least; else a tenth of the requests that one may make in a minute
)
SIGN_UPS_SHARE = 10


class Count(msgspec.Struct):
    """What a process knows of someone's permits in this window of time."""

    taken: int = 0  # by all processes
    left: int = 0  # of those that this process has taken


class RateLimiter:
    """So many permits for a key in each window of so many seconds. `name` tells apart what is limited."""

    def __init__(self, limit: int, client: redis.Redis, seconds: int = MINUTE, name: str = "requests") -> None:
        self.limit = limit
        self.seconds = seconds
        self._client = client
        self._name = f"waybill:limit:{name}:{limit}"  # processes under another limit count apart
        self._batch = max(1, min(MOST_PERMITS, limit // SHARE))
        self._window = 0
        self._counts: OrderedDict[str, Count] = OrderedDict()
        self._away_until = 0.0
        self._lock = Lock()

    def take(self, key: str, cost: int = 1, now: float | None = None) -> int | None:
        """Uses permits: how many remain in this window, or None if there were too few."""
        window = int(time.time() if now is None else now) // self.seconds
        with self._lock:
            count = self._count(key, window)
            if count.left >= cost:
                count.left -= cost
                return self._remaining(count)
            if count.taken >= self.limit:
                return None
            wanted = max(self._batch, cost - count.left)
        taken = self._taken_from_redis(f"{self._name}:{digest(key)}:{window}", wanted)
        with self._lock:
            if taken is None:
                taken = count.taken + wanted
            count.taken = max(count.taken, taken)
            count.left += max(0, min(wanted, self.limit - taken + wanted))
            if count.left < cost:
                return None
            count.left -= cost
            return self._remaining(count)

    def give_back(self, key: str, permits: int) -> None:
        """For what turned out to cost less, or to be somebody else's."""
        with self._lock:
            if key in self._counts:
                self._counts[key].left += permits

    def resets_at(self, now: float) -> int:
        """When the next window begins, in seconds since 1970."""
        return (int(now) // self.seconds + 1) * self.seconds

    def __len__(self) -> int:
        """How many keys are in memory."""
        return len(self._counts)

    def _count(self, key: str, window: int) -> Count:
        if window != self._window:
            self._window, self._counts = window, OrderedDict()
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = Count()
            if len(self._counts) > MOST_COUNTS:
                self._counts.popitem(last=False)
        else:
            self._counts.move_to_end(key)
        return count

    def _remaining(self, count: Count) -> int:
        return max(0, self.limit - count.taken) + count.left

    def _taken_from_redis(self, key: str, permits: int) -> int | None:
        if time.monotonic() < self._away_until:
            return None
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                pipeline.incrby(key, permits)
                pipeline.expire(key, 2 * self.seconds)
                taken, _ = pipeline.execute()
            return int(taken)
        except redis.RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS
            return None


class KnownTokens:
    """Which player a token was last seen to be of, for counting alone: who may do what is looked up elsewhere."""

    def __init__(self) -> None:
        self._players: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def player_of(self, token: str) -> int | None:
        return self._players.get(digest(token))

    def add(self, token: str, player_id: int) -> None:
        with self._lock:
            self._players[digest(token)] = player_id
            if len(self._players) > MOST_COUNTS:
                self._players.popitem(last=False)


class Charge(NamedTuple):
    """What a request has been counted as."""

    key: str
    cost: int
    token: str | None  # that is not known to be good


def counting_client(redis_url: str) -> redis.Redis:
    """A connection to count on: nobody waits for it."""
    return connect(redis_url, socket_connect_timeout=0.25, socket_timeout=0.25)


def limit_requests(app: Flask, requests_per_minute: int, redis_url: str) -> None:
    client = counting_client(redis_url)
    limiter = RateLimiter(requests_per_minute, client)
    most_sign_ups = max(SIGN_UPS, requests_per_minute // SIGN_UPS_SHARE)
    sign_ups = RateLimiter(most_sign_ups, client, HOUR, "sign-ups")
    letters = RateLimiter(most_sign_ups, client, HOUR, "letters")
    hourly = {
        "sign_up": (sign_ups, f"From an address {sign_ups.limit} may sign up in an hour."),
        "ask_to_sign_in": (letters, f"From an address {letters.limit} letters may be asked for in an hour."),
    }
    known = KnownTokens()

    def check() -> None:
        request, g = current_request(), current_g()
        view = (request.endpoint or "").rpartition(".")[2]
        if request.method == "OPTIONS" or view in NOT_LIMITED:
            return
        now = time.time()
        charge = g.charge = _charge(request, view)
        remaining = limiter.take(charge.key, charge.cost, now)
        reset = limiter.resets_at(now)
        values = (str(limiter.limit), str(remaining or 0), str(reset), str(charge.cost))
        add_headers(request, *zip(HEADERS, values, strict=True))
        if remaining is None:
            g.charge = None
            detail = (
                f"In a minute you may make requests that cost {limiter.limit} together; this one costs {charge.cost}."
            )
            _refuse(limiter, detail, now)
        if view in hourly:
            try:
                use_permit(hourly[view][0], address_of(request), hourly[view][1])
            except Problem:
                g.charge = None
                raise

    def _charge(request: Request, view: str) -> Charge:
        cost = min(COSTS.get(view, 1), limiter.limit)
        token = bearer_token(request)
        player_id = known.player_of(token) if token else None
        if player_id is not None:
            return Charge(f"player {player_id}", cost, None)
        return Charge(address_of(request), cost, token)

    def settle(response: Response) -> Response:
        """When it is known whose the token is, and what there was to do."""
        request, g = current_request(), current_g()
        charge: Charge | None = g.get("charge")
        if charge is None:
            return response
        who = g.get("caller")
        if charge.token and who:
            known.add(charge.token, who.id)
            limiter.give_back(charge.key, charge.cost)
            limiter.take(f"player {who.id}", charge.cost)
            charge = Charge(f"player {who.id}", charge.cost, None)
        if charge.cost > 1 and response.status_code == HTTPStatus.NOT_MODIFIED:
            limiter.give_back(charge.key, charge.cost - 1)
        if response.status_code >= HTTPStatus.BAD_REQUEST and (request.endpoint or "").endswith(".sign_up"):
            sign_ups.give_back(address_of(request), 1)
        return response

    app.before_request(check)
    app.after_request(settle)


def use_permit(limiter: RateLimiter, key: str, detail: str, cost: int = 1) -> None:
    """Takes permits, or refuses the request with a sentence and the time until there will be some."""
    now = time.time()
    if limiter.take(key, cost, now) is None:
        _refuse(limiter, detail, now)


def _refuse(limiter: RateLimiter, detail: str, now: float) -> NoReturn:
    wait = limiter.resets_at(now) - int(now)
    refuse(HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests", detail, {"Retry-After": str(wait)})


def bearer_token(request: Request) -> str | None:
    scheme, _, token = (request.environ.get("HTTP_AUTHORIZATION") or "").partition(" ")
    return token if token and scheme.lower() == "bearer" else None


def address_of(request: Request) -> str:
    """The key of whoever asks without a token that is known."""
    return f"address {network(request.remote_addr or '')}"


@lru_cache(maxsize=1024)
def network(address: str) -> str:
    """An address as it is counted: of IPv6 the half that is not the caller's to choose."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return digest(address)
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))


def digest(text: str) -> str:
    """What the memory and Redis get to know of a token or an address."""
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:32]

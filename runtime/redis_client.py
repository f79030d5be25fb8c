"""Clients of Redis by its address: of a server, or of a service that sentinels lead to."""

from typing import Any
from urllib.parse import urlsplit

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from runtime.sentinels import SCHEME, Service, is_sentinel, read_service


def connect(url: str, **options: Any) -> redis.Redis:
    """A client of the server, whichever is the one now; `options` as of redis.Redis."""
    if not is_sentinel(url):
        return redis.Redis.from_url(url, **options)
    service = read_service(url)
    sentinel = Sentinel(service.sentinels, sentinel_kwargs=_of_sentinels(service, options))  # type: ignore[no-untyped-call]
    client: redis.Redis = sentinel.master_for(  # type: ignore[no-untyped-call]
        service.name, db=service.database, **service.login, **options
    )
    return client


def connect_async(url: str, **options: Any) -> "redis.asyncio.Redis":
    """The same for asyncio."""
    if not is_sentinel(url):
        return redis.asyncio.Redis.from_url(url, **options)
    service = read_service(url)
    sentinel = AsyncSentinel(  # type: ignore[no-untyped-call]
        list(service.sentinels),
        sentinel_kwargs={**_of_sentinels(service, options), "retry": AsyncRetry(NoBackoff(), 0)},
    )
    client: redis.asyncio.Redis = sentinel.master_for(service.name, db=service.database, **service.login, **options)
    return client


def _of_sentinels(service: Service, options: dict[str, Any]) -> dict[str, Any]:
    """A sentinel that does not answer is not waited for any longer than a server, nor asked again: the next one is.
    Left to itself the client would ask it three more times, with seconds in between."""
    times = {name: value for name, value in options.items() if name.startswith("socket_")}
    return {**times, **service.sentinel_login, "retry": Retry(NoBackoff(), 0)}


def broker(url: str, patience: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The address and the options for Celery's queue."""
    if not is_sentinel(url):
        return url, patience
    service = read_service(url)
    login = urlsplit(url).netloc.rpartition("@")[0]
    places = [f"{login}@{host}:{port}" if login else f"{host}:{port}" for host, port in service.sentinels]
    return ";".join(f"{SCHEME}://{place}/{service.database}" for place in places), {
        **patience,
        "master_name": service.name,
        "sentinel_kwargs": _of_sentinels(service, patience),
    }

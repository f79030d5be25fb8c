"""Tickets for streams: a browser's EventSource can send no token. A ticket stands for one, for a minute, in Redis."""

import msgspec
import redis
import redis.asyncio

from service.errors import Unavailable
from service.tokens import make_secret
from service.watching import Person

SECONDS = 60
PREFIX = "wt_"


def issue(client: redis.Redis, who: Person) -> str:
    """A ticket for who asks; the stream takes it as often as it is shown within its minute."""
    ticket = make_secret(PREFIX)
    try:
        client.set(_name(ticket), msgspec.json.encode(who), ex=SECONDS)
    except redis.RedisError as error:
        raise Unavailable("Redis does not answer") from error
    return ticket


async def redeem(client: "redis.asyncio.Redis", ticket: str) -> Person | None:
    try:
        kept = await client.get(_name(ticket[:100]))
    except redis.RedisError as error:
        raise Unavailable("Redis does not answer") from error
    return msgspec.json.decode(kept, type=Person) if kept else None


def _name(ticket: str) -> str:
    return f"waybill:ticket:{ticket}"

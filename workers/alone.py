"""One worker at a time is enough for some tasks: the others have games to look after. A hint in Redis, and no lock: if
it is lost, two do the same, which does no harm."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import redis


@contextmanager
def alone(client: redis.Redis, name: str, seconds: float) -> Iterator[bool]:
    """Whether nobody else is at it; whoever vanishes in the middle is forgotten after so many seconds."""
    key, mine = f"waybill:alone:{name}", secrets.token_hex(8)
    try:
        is_alone = bool(client.set(key, mine, nx=True, px=int(seconds * 1000)))
    except redis.RedisError:
        yield True
        return
    try:
        yield is_alone
    finally:
        if is_alone:
            with suppress(redis.RedisError):
                if client.get(key) == mine.encode():
                    client.delete(key)

"""Addresses of a Redis that sentinels look after and lead to.

    sentinel://:password@host:26379,host:26379,host:26379/service/0?sentinel_password=...

The password is that of the servers; the service is `mymaster` where none is named.
"""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

SCHEME = "sentinel"
SENTINEL_PORT = 26379
SERVICE = "mymaster"
FORM = "sentinel://:password@host:26379,host:26379/service/0"


class Service(msgspec.Struct, frozen=True):
    """What a sentinel:// address says."""

    sentinels: tuple[tuple[str, int], ...]
    name: str
    database: int
    login: dict[str, Any]  # to the servers
    sentinel_login: dict[str, Any]


def read_service(url: str) -> Service:
    """What the address says; ValueError if it is none."""
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    name, _, database = parts.path.removeprefix("/").partition("/")
    query = parse_qs(parts.query)
    if parts.scheme != SCHEME or not all(hosts.split(",")) or not (database or "0").isdecimal():
        raise ValueError(FORM)
    return Service(
        tuple(_place(host) for host in hosts.split(",")),
        name or SERVICE,
        int(database or 0),
        _login(user, password),
        _login(*(query.get(key, [""])[0] for key in ("sentinel_username", "sentinel_password"))),
    )


def _place(host: str) -> tuple[str, int]:
    found = urlsplit(f"//{host}")
    if not found.hostname:
        raise ValueError(FORM)
    return found.hostname, found.port or SENTINEL_PORT


def _login(user: str, password: str) -> dict[str, Any]:
    given = {"username": unquote(user), "password": unquote(password)}
    return {name: value for name, value in given.items() if value}


def is_sentinel(url: str) -> bool:
    return url.startswith(f"{SCHEME}://")

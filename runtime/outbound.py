"""Requests to addresses that strangers have given us: to public machines alone, bounded in time and size.

A name is resolved once, everything it resolves to is checked, and the connection goes to the address that was checked:
what the name means a moment later changes nothing. Redirects are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

import msgspec

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST_URL = 500
LIMIT = 10.0  # seconds, for all of it
CONNECT_SECONDS = 5.0
MOST_ANSWER = 1024  # bytes of an answer that are read
# `is_global` says yes to these. They lead to IPv4 addresses in disguise, to everybody, or to a cloud's own services.
REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",
        "2002::/16",  # 6to4
        "192.88.99.0/24",
        "2001::/23",  # Teredo, ORCHID and others
        "::ffff:0:0/96",  # IPv4-mapped
        "::/96",  # IPv4-compatible
        "224.0.0.0/4",  # multicast
        "ff00::/8",
        "fec0::/10",  # site-local
        "192.0.0.0/24",
        "168.63.129.16/32",  # Azure's services for its own machines
        "100.100.100.200/32",
        "169.254.0.0/16",
        "fd00:ec2::/32",
    )
)


class Refused(Exception):
    """We do not send there; the message says why."""


class NoAnswer(Exception):
    """It was sent, or could not be; there is no answer in time."""


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: str  # its beginning
    milliseconds: int


class Target(msgspec.Struct, frozen=True):
    """Where a URL leads, as far as it can be told without asking anybody."""

    is_tls: bool
    host: str
    port: int
    path: str


def target(url: str, allow_loopback: bool = False) -> Target:
    """A URL that we may send to, or Refused. Its name may still lead to where we do not."""
    if len(url) > LONGEST_URL or not url.isascii() or any(not "!" <= letter <= "~" for letter in url):
        raise Refused(f"An address has at most {LONGEST_URL} letters, all of them visible ASCII.")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise Refused("This is no address; one is https://bot.example.org/waybill.") from None
    if parts.scheme not in ("https", "http") or not host or port == 0:
        raise Refused("An address begins with https:// and the name of a machine.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise Refused("An address holds neither a user name nor a fragment.")
    if f".{host}".endswith((".localhost", ".local", ".internal")) and not allow_loopback:
        raise Refused(f"{host} is not a public machine.")
    literal = _literal(host)
    if literal is not None:
        check(literal, allow_loopback)
    if parts.scheme == "http" and not (allow_loopback and (host == "localhost" or (literal and literal.is_loopback))):
        raise Refused("An address begins with https://: others would read what you are told.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port or (443 if parts.scheme == "https" else 80), path)


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def check(address: Address, allow_loopback: bool = False) -> None:
    """Refused, unless the address is a public machine's."""
    if allow_loopback and address.is_loopback:
        return
    is_scoped = isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None
    is_refused = any(address in network for network in REFUSED if network.version == address.version)
    if is_scoped or is_refused or not address.is_global or address.is_multicast:
        raise Refused(f"{address} is not a public machine's address.")


def resolve(host: str, port: int, allow_loopback: bool = False) -> Address:
    """The address to connect to. If one of those that a name has is refused, all of them are."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAnswer(f"The name {host} is not known.") from None
    addresses = [ipaddress.ip_address(place[4][0]) for place in found]
    for address in addresses:
        check(address, allow_loopback)
    return next((address for address in addresses if address.version == 4), addresses[0])


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class Connection(http.client.HTTPConnection):
    """To an address that was checked, in the name of the machine that was asked for: for Host and for TLS."""

    def __init__(self, target: Target, address: Address) -> None:
        super().__init__(target.host, target.port, timeout=CONNECT_SECONDS)
        # http.client leaves the port out of `Host` where it is the scheme's own.
        self.default_port = 443 if target.is_tls else 80
        self.target, self.address = target, address

    def connect(self) -> None:
        self.sock = socket.create_connection((str(self.address), self.port), CONNECT_SECONDS)
        if self.target.is_tls:
            # Held before the handshake: who drips that is cut off as well.
            self.sock = _tls().wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()


def post(
    url: str, body: bytes, headers: Mapping[str, str], allow_loopback: bool = False, limit: float = LIMIT
) -> Answer:
    """Sends, and waits for the beginning of the answer. Raises Refused or NoAnswer, within the limit."""
    began, done = time.monotonic(), threading.Event()
    outcome: list[Answer | Exception] = []
    held: list[Connection] = []

    def work() -> None:
        try:
            outcome.append(_post(url, body, headers, allow_loopback, began, held))
        except Exception as error:
            outcome.append(error)
        done.set()

    # A thread of its own: neither resolving a name nor an answer that drips has a limit for the whole of it.
    threading.Thread(target=work, name="outbound", daemon=True).start()
    if not done.wait(limit):
        for connection in held:
            _cut(connection)
        raise NoAnswer(f"There was no whole answer within {limit:g} seconds.")
    match outcome[0]:
        case Answer() as answer:
            return answer
        case Refused() | NoAnswer() as error:
            raise error
        case ssl.SSLError() as error:
            raise NoAnswer(f"TLS failed: {error.reason or error}.")
        case OSError() | http.client.HTTPException() as error:
            raise NoAnswer(f"The connection failed: {str(error) or type(error).__name__}.")
        case error:
            raise error


def _post(
    url: str, body: bytes, headers: Mapping[str, str], allow_loopback: bool, began: float, held: list[Connection]
) -> Answer:
    place = target(url, allow_loopback)
    connection = Connection(place, resolve(place.host, place.port, allow_loopback))
    held.append(connection)
    try:
        connection.request("POST", place.path, body, {**headers, "Connection": "close"})
        answer = connection.getresponse()
        text = answer.read(MOST_ANSWER).decode("utf-8", "replace").replace("\0", "")
        return Answer(answer.status, text, round((time.monotonic() - began) * 1000))
    finally:
        connection.close()


def _cut(connection: Connection) -> None:
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)

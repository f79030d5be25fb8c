"""What comes in by the socket, byte for byte: whatever it is, the answer is no failure of ours."""

import json
import os
import random
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest

from api.application import LARGEST_REQUEST
from runtime.config import Config
from runtime.processes import free_port
from tests.api.test_outage import is_up
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("FUZZ_SEED", "13"))
REQUESTS = 150  # of each kind
SECONDS = 30  # for an answer; none takes as long
IMPATIENCE = 0.05  # seconds, with what may be no whole request


class Server:
    """The API in a process of its own, and its log."""

    def __init__(self, port: int, log: Path) -> None:
        self.port = port
        self.log = log
        self.token = json.loads(self.ask("POST", "/v1/players", b'{"name": "raw socket"}').partition(b"\r\n\r\n")[2])[
            "token"
        ]

    def send(self, data: bytes, patience: float = SECONDS) -> bytes:
        """The whole answer to some bytes; nothing if there is none.

        The server waits for the rest of what is no whole request, and who has lost patience goes.
        """
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as connection:
            received = b""
            try:
                connection.sendall(data)
                if not select.select([connection], [], [], patience)[0]:
                    connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    received += part
            except (ConnectionResetError, BrokenPipeError):
                pass  # the server has seen enough
            return received

    def ask(self, method: str, path: str, body: bytes = b"", *headers: str) -> bytes:
        return self.send(request(method, path, [*headers, f"Content-Length: {len(body)}"], body))

    def problems(self) -> list[str]:
        """What the server has told its operator of failures."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if "unhandled error" in line or "Traceback" in line]


@pytest.fixture(scope="module")
def server(config: Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port, log = free_port(), tmp_path_factory.mktemp("raw") / "api.log"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": config.database_url,
        "REDIS_URL": config.redis_url,
        "WAYBILL_PORT": str(port),
        "WAYBILL_API_PROCESSES": "1",
        "WAYBILL_CONNECTIONS_PER_ADDRESS": "4096",
        "WAYBILL_REQUESTS_PER_MINUTE": "1000000000",
    }
    command = ["runtime.serve", "app:create_app"]
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", *command], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    try:
        wait_until(lambda: is_up(port), what="the API")
        yield Server(port, log)
    finally:
        process.terminate()
        process.wait(30)


def request(method: str, path: str, headers: list[str], body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", "Content-Type: application/json"]
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def chunked(path: str, body: bytes, *headers: str) -> bytes:
    return request("POST", path, [*headers, "Transfer-Encoding: chunked"], body)


def chunks(body: bytes, size: int = 8000) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def status(answer: bytes) -> int:
    """Of an answer; 0 where the server has closed the connection without one."""
    return int(answer.split(b" ", 2)[1]) if answer else 0


def problem(answer: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


@pytest.mark.parametrize("path", ["/v1/games/%00", "/v1/games/a%00b/board.png", "/%00", "/v1/rulesets/x%00"])
def test_a_zero_byte_in_a_path_leads_nowhere(server: Server, path: str) -> None:
    answer = server.ask("GET", path)
    assert (status(answer), problem(answer)["type"]) == (404, "urn:waybill:problem:not-found")


def test_a_body_in_chunks_is_read(server: Server) -> None:
    assert status(server.send(chunked("/v1/players", chunks(b'{"name": "in chunks"}', 5)))) == 201


def test_a_body_in_chunks_that_is_too_large_is_called_so(server: Server) -> None:
    answer = server.send(chunked("/v1/players", chunks(b" " * (LARGEST_REQUEST + 1))))
    assert (status(answer), problem(answer)["type"]) == (413, "urn:waybill:problem:too-large")


@pytest.mark.parametrize(
    "body",
    [
        b"zz\r\n{}\r\n0\r\n\r\n",
        b"-2\r\n{}\r\n0\r\n\r\n",
        b"2;\x00\r\n{}x0\r\n\r\n",
        b"fffffffffffffffff\r\n{}",
        b"2\r\n{",
        b"",
    ],
    ids=["word", "negative", "no end", "enormous", "cut short", "nothing"],
)
def test_chunks_that_are_none_are_the_callers_fault(server: Server, body: bytes) -> None:
    """The server takes a wrong chunk for the end of the body: what came before it is read, and is wrong by itself."""
    assert status(server.send(chunked("/v1/players", body), IMPATIENCE)) in (0, 400, 422)
    assert server.problems() == []


def shuffled_bytes(rng: random.Random, most: int) -> bytes:
    """Bytes of which some mean something to somebody."""
    known = [
        b"\0",
        b"/",
        b"..",
        b"%",
        b"?",
        b"\xff\xfe",
        b"\xc3\xa4",
        b"\xed\xa0\x80",
        b"'",
        b'"',
        b"\r",
        b"\n",
        b" ",
        b";",
        b"{",
        b"[",
    ]
    return b"".join(rng.choice([*known, rng.randbytes(rng.randint(1, 4))]) for _ in range(rng.randint(0, most)))


PATHS = (
    "/v1/games", "/v1/games/{}", "/v1/games/{}/position", "/v1/games/{}/log", "/v1/games/{}/board.svg",
    "/v1/games/{}/options", "/v1/games/{}/moves", "/v1/games/{}/seats", "/v1/rulesets/{}", "/v1/me/tokens/{}", "/{}",
)  # fmt: skip
QUERIES = ("at", "after", "limit", "width", "mine", "status", "ruleset", "dry_run", "to_act")
HEADERS = (
    "Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Content-Type", "Accept-Encoding", "X-Request-ID",
    "X-Forwarded-For", "Range", "Expect", "Cookie", "Content-Encoding", "Origin", "Accept", "If-Modified-Since",
)  # fmt: skip
WRITES: dict[str, dict[str, Any]] = {
    "/v1/players": {"name": "x", "email": "x@example.org"},
    "/v1/me": {"name": "y"},
    "/v1/me/tokens": {"label": "z"},
    "/v1/games": {"ruleset": "spike", "seats": [{"kind": "me"}, {"kind": "bot"}], "settings": {}, "board": "a: 1"},
    "/v1/games/none/moves": {"orders": "pass", "moves": [{"type": "pass"}]},
    "/v1/games/none/seats": {"token": "wi_x", "seat": 1, "entropy": "e"},
}  # fmt: skip


def mutated(thing: Any, rng: random.Random) -> Any:
    """The same in part, and something else in part."""
    if rng.random() < 0.15:
        odd = [
            None,
            True,
            -1,
            2**63,
            10**400,
            1.5,
            1e308,
            "",
            "\0",
            "\ud800",
            "x" * 5000,
            [],
            {},
            [[]] * 50,
            {"\0": "\0"},
        ]
        return rng.choice(odd)
    if isinstance(thing, dict):
        return {(name if rng.random() < 0.95 else name + "\0"): mutated(value, rng) for name, value in thing.items()}
    return [mutated(item, rng) for item in thing] if isinstance(thing, list) else thing


def fuzzed_path(rng: random.Random, _: str) -> bytes:
    target = rng.choice(PATHS).format(quote_from_bytes(shuffled_bytes(rng, 12), safe=""))
    query = "&".join(
        f"{rng.choice(QUERIES)}={quote_from_bytes(shuffled_bytes(rng, 4))}" for _ in range(rng.randint(0, 3))
    )
    return request(rng.choice(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]), f"{target}?{query}", [])


def fuzzed_header(rng: random.Random, token: str) -> bytes:
    head = request(rng.choice(["GET", "POST"]), rng.choice(PATHS).format("x"), [f"Authorization: Bearer {token}"])[:-2]
    for _ in range(rng.randint(1, 4)):
        head += rng.choice(HEADERS).encode() + b": " + shuffled_bytes(rng, 6) + b"\r\n"
    return head + b"\r\n"


def fuzzed_chunks(rng: random.Random, token: str) -> bytes:
    body = bytearray(chunks(json.dumps(WRITES["/v1/players"]).encode(), rng.randint(1, 9)))
    for _ in range(rng.randint(0, 3)):
        body[rng.randrange(len(body))] = rng.randrange(256)
    return chunked(rng.choice(list(WRITES)), bytes(body[: rng.randint(1, len(body))]), f"Authorization: Bearer {token}")


def fuzzed_body(rng: random.Random, token: str) -> bytes:
    path, body = rng.choice(list(WRITES.items()))
    data = bytearray(json.dumps(mutated(body, rng)).encode())
    for _ in range(rng.choice([0, 0, 1, 3])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    headers = [f"Authorization: Bearer {token}", f"Content-Length: {max(0, len(data) + rng.choice([0, 0, 0, -1, 5]))}"]
    return request("PATCH" if path == "/v1/me" else "POST", path, headers, bytes(data))


def fuzzed_bytes(rng: random.Random, _: str) -> bytes:
    start = rng.choice(
        [b"", b"GET / HTTP/1.1\r\n", b"GET /v1/games HTTP/1.1\r\nHost: x\r\n", b"PRI * HTTP/2.0\r\n\r\n"]
    )
    return start + shuffled_bytes(rng, 40) + rng.choice([b"", b"\r\n\r\n"])


@pytest.mark.parametrize("fuzzed", [fuzzed_path, fuzzed_header, fuzzed_chunks, fuzzed_body, fuzzed_bytes])
def test_nothing_that_comes_in_is_answered_with_a_failure_of_ours(server: Server, fuzzed: Any) -> None:
    print(f"FUZZ_SEED={SEED}")
    rng = random.Random(f"{SEED} {fuzzed.__name__}")
    for _ in range(REQUESTS):
        sent = fuzzed(rng, server.token)
        answer = server.send(sent, IMPATIENCE)
        # 501 is the server's word for a coding of bodies that it does not know.
        assert status(answer) < 500 or status(answer) == 501, (sent, answer)
    assert server.problems() == []
    assert status(server.ask("GET", "/v1/games")) == 200

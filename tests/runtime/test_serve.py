"""The server as it is started, against clients that mean it no good."""

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bench._slow_clients import SlowClients, half_of, kinds
from runtime import doors
from runtime.config import Config
from runtime.processes import free_port
from tests.test_operations import is_alive
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
LARGE = "/v1/rulesets/spike"


class Api:
    def __init__(self, config: Config, log: Path, **settings: str) -> None:
        self.port, self.log = free_port(), log
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("WAYBILL_")},
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": config.database_url,
            "REDIS_URL": config.redis_url,
            "WAYBILL_REQUESTS_PER_MINUTE": "1000000000",
            "WAYBILL_PORT": str(self.port),
            **settings,
        }
        command = [sys.executable, "-P", "-m", "runtime.serve", "app:create_app"]
        with open(log, "wb") as output:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        wait_until(self.answers, 60, what="the API")

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """On a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def say(self, *pieces: bytes) -> bytes:
        """All that is answered to these bytes until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            for piece in pieces:
                connection.sendall(piece)
            answer = b""
            while more := connection.recv(1 << 16):
                answer += more
            return answer

    def processes(self) -> list[int]:
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in found]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@pytest.fixture(scope="module")
def api(config: Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """One process with two places, so that little is enough to hold it up."""
    folder = tmp_path_factory.mktemp("serve")
    started = Api(config, folder / "api.log", WAYBILL_API_PROCESSES="1", WAYBILL_API_THREADS="2")
    yield started
    started.stop()


def addresses(third: int) -> list[str]:
    """More of this machine's own addresses than there are connections: no limit for each of them helps."""
    return [f"127.0.{third}.{last}" for last in range(1, 201)]


@pytest.mark.parametrize("kind", kinds(LARGE), ids=lambda kind: kind.name)
def test_two_hundred_slow_connections_hold_nobody_up(api: Api, kind: Any) -> None:
    with SlowClients(api.port, kind, addresses(2)) as slow:
        for number in range(20):
            assert api.ask("GET", "/v1/rulesets")[0] == 200
            assert api.ask("POST", "/v1/players", {"name": f"{kind.name} {os.getpid()} {number}"})[0] == 201
        assert len(slow.open) == 200


def test_all_kinds_of_slow_connections_together_hold_nobody_up(api: Api) -> None:
    with ExitStack() as stack:
        for third, kind in enumerate(kinds(LARGE), 2):
            stack.enter_context(SlowClients(api.port, kind, addresses(third), 60))
        for _ in range(20):
            assert api.ask("GET", "/v1/rulesets")[0] == 200


def test_body_that_does_not_come_is_given_up_and_says_so(api: Api) -> None:
    said = api.say(half_of("POST", "/v1/players", b"Content-Length: 100\r\n\r\n{"))
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"content-type: application/problem+json" in head.lower()
    assert json.loads(body)["type"] == "urn:waybill:problem:too-slow"
    # Nor is a thread left behind that waits for the rest of it.
    wait_until(lambda: api.ask("GET", "/healthz")[0] == 200)


def test_an_address_has_so_many_connections_and_those_silent_longest_are_closed(api: Api) -> None:
    with SlowClients(api.port, kinds(LARGE)[0], ["127.0.0.9"]) as slow:
        wait_until(lambda: slow.closed >= 200 - 64, what="the end of the surplus")
        assert "too many connections" in api.log.read_text()
        assert api.ask("GET", "/v1/rulesets")[0] == 200


def test_chunked_body_is_read_whole_and_limited(api: Api) -> None:
    head = half_of("POST", "/v1/players", b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    body = json.dumps({"name": f"chunked {os.getpid()}"}).encode()
    halves = [b"%x\r\n%s\r\n" % (len(half), half) for half in (body[:7], body[7:])]
    assert api.say(head, *halves, b"0\r\n\r\n").startswith(b"HTTP/1.1 201 ")
    chunk = b"%x\r\n%s\r\n" % (1 << 16, b" " * (1 << 16))
    assert api.say(head, *[chunk] * (doors.LARGEST_BODY // (1 << 16) + 1)).startswith(b"HTTP/1.1 413 ")


def test_processes_end_with_the_one_that_started_them(config: Config, tmp_path: Path) -> None:
    api = Api(config, tmp_path / "api.log", WAYBILL_API_PROCESSES="2")
    processes = api.processes()
    assert len(processes) == 2
    api.process.kill()
    api.process.wait()
    wait_until(lambda: not any(is_alive(pid) for pid in processes), what="the end of its processes")


class Proxy(threading.Thread):
    """Sends requests on, one after another, on a connection that it keeps.

    What nginx does with `proxy_next_upstream error non_idempotent`: a request that cannot be sent, or whose connection
    ends before the first byte of an answer, is sent again on a new connection. Writes carry an Idempotency-Key, so that
    this is safe. An answer of any kind is passed on as it is.
    """

    def __init__(self, port: int, name: str, end: threading.Event) -> None:
        super().__init__()
        self.port, self.name, self.end = port, name, end
        self.statuses: Counter[int] = Counter()
        self.failure: BaseException | None = None
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def run(self) -> None:
        try:
            for number in itertools.count():
                if self.end.wait(0.01) and number >= 500:
                    return
                self.statuses[self.pass_on("GET", "/v1/rulesets") if number % 2 else self.sign_up(number)] += 1
        except BaseException as error:
            self.failure = error
        finally:
            self.connection.close()

    def sign_up(self, number: int) -> int:
        body = json.dumps({"name": f"{self.name}-{number}"})
        return self.pass_on("POST", "/v1/players", body, {"Idempotency-Key": str(uuid.uuid4())})

    def pass_on(self, method: str, path: str, body: str | None = None, headers: Any = None) -> int:
        end = time.monotonic() + 60
        while True:
            try:
                self.connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
                answer = self.connection.getresponse()
            except ConnectionError:
                self.connection.close()  # and it is opened again with the next request
                if time.monotonic() > end:
                    raise
                continue
            answer.read()
            return answer.status


def test_no_request_is_lost_behind_a_proxy_while_processes_are_restarted(config: Config, tmp_path: Path) -> None:
    """More than a thousand requests, and ten processes that are replaced by new ones: two of them, five times."""
    api = Api(config, tmp_path / "api.log", WAYBILL_API_PROCESSES="2")
    end = threading.Event()
    proxies = [Proxy(api.port, f"r{os.getpid()}-{number}", end) for number in range(2)]
    seen = set(wait_until(lambda: len(api.processes()) == 2 and api.processes()))
    try:
        for proxy in proxies:
            proxy.start()
        for _ in range(5):
            api.process.send_signal(signal.SIGHUP)
            new = wait_until(lambda: set(api.processes()).isdisjoint(seen) and api.processes(), 120, "new processes")
            seen.update(new)
    finally:
        end.set()
        for proxy in proxies:
            proxy.join()
        assert api.stop() == 0, api.log.read_text()
    assert len(seen) == 12
    assert [proxy.failure for proxy in proxies] == [None, None]
    statuses = sum((proxy.statuses for proxy in proxies), Counter())
    assert statuses.keys() == {200, 201}
    assert statuses.total() >= 1000

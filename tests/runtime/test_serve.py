"""The server as it is started, against clients that mean it no good."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
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

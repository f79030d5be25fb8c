"""What operators read."""

import json
import os
import re
import select
import socket
import subprocess
import sys

import pytest
import structlog

from runtime.logs import SOON, log_as_json, say_with_every_line, tell_soon
from tests.waiting import wait_until


def test_the_short_way_to_tell_makes_the_same_line(capfd: pytest.CaptureFixture[str]) -> None:
    log_as_json("info")
    say_with_every_line(request_id="a request", game="a game")
    words = {"route": "/v1/“x”", "ms": 0.25, "player": None}
    structlog.get_logger().info("request", **words)
    tell_soon("request", **words)
    SOON.write()
    one, other = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    said = one.pop("timestamp"), other.pop("timestamp")
    assert one == other
    assert one["game"] == "a game"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z", time) for time in said)
    log_as_json("error")
    say_with_every_line()


def test_what_is_told_soon_is_written_by_itself_in_every_process(capfd: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []

    def is_told(what: str) -> bool:
        said.append(capfd.readouterr().err)
        return what in "".join(said)

    tell_soon("the parent")
    child = os.fork()
    if child == 0:
        try:
            tell_soon("the child")
            wait_until(lambda: not SOON.waiting, what="the line to be written")
            SOON.write()  # returns when the thread is through
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    wait_until(lambda: is_told("the parent"), what="a line of the log")
    wait_until(lambda: is_told("the child"), what="a line of a forked process")
    assert "".join(said).count("the parent") == 1


def test_lines_are_written_together_but_whole() -> None:
    """A pipe takes PIPE_BUF at once without letting other processes in between. Here each write is a message."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = "from runtime.logs import tell_soon\nfor n in range(100): tell_soon('líne', n=n)"
    with ours, theirs:
        subprocess.run([sys.executable, "-c", program], stderr=theirs.fileno(), check=True)
        theirs.close()
        written = list(iter(lambda: ours.recv(1 << 16), b""))
    assert 1 < len(written) < 20
    assert all(len(one) <= select.PIPE_BUF for one in written)
    assert [json.loads(line)["n"] for one in written for line in one.splitlines()] == list(range(100))

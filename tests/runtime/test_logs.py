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

from runtime.logs import REQUEST_LOG, bind_log_context, log_as_json, log_request
from tests.waiting import wait_until


def test_line_of_a_request_is_the_one_that_structlog_makes(capfd: pytest.CaptureFixture[str]) -> None:
    log_as_json("info")
    bind_log_context(request_id="a request", game="a game")
    words = {"route": "/v1/“x”", "ms": 0.25, "player": None}
    structlog.get_logger().info("request", **words)
    log_request(**words)
    REQUEST_LOG.write()
    full, short = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    times = full.pop("timestamp"), short.pop("timestamp")
    assert full == short
    assert full["game"] == "a game"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z", time) for time in times)
    log_as_json("error")
    bind_log_context()


def test_line_of_a_request_is_written_a_moment_later_in_every_process(capfd: pytest.CaptureFixture[str]) -> None:
    written: list[str] = []

    def is_written(what: str) -> bool:
        written.append(capfd.readouterr().err)
        return what in "".join(written)

    log_request(process="the parent")
    child = os.fork()
    if child == 0:
        try:
            log_request(process="the child")
            wait_until(lambda: not REQUEST_LOG.waiting, what="the line to be written")
            REQUEST_LOG.write()  # returns when the thread is through
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    wait_until(lambda: is_written("the parent"), what="a line of the log")
    wait_until(lambda: is_written("the child"), what="a line of a forked process")
    assert "".join(written).count("the parent") == 1


def test_lines_are_written_together_but_whole() -> None:
    """A pipe takes PIPE_BUF at once without letting other processes in between. Here each write is a message."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = "from runtime.logs import log_request\nfor n in range(100): log_request(route='líne', n=n)"
    with ours, theirs:
        subprocess.run([sys.executable, "-c", program], stderr=theirs.fileno(), check=True)
        theirs.close()
        written = list(iter(lambda: ours.recv(1 << 16), b""))
    assert 1 < len(written) < 20
    assert all(len(message) <= select.PIPE_BUF for message in written)
    assert [json.loads(line)["n"] for message in written for line in message.splitlines()] == list(range(100))

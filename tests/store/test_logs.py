"""What operators read."""

import json
import re

import pytest
import structlog

from store.logs import log_as_json, say_with_every_line, tell_at_once


def test_the_short_way_to_tell_makes_the_same_line(capfd: pytest.CaptureFixture[str]) -> None:
    log_as_json("info")
    say_with_every_line(request_id="a request", game="a game")
    words = {"route": "/v1/“x”", "ms": 0.25, "player": None}
    structlog.get_logger().info("request", **words)
    tell_at_once("request", **words)
    one, other = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    said = one.pop("timestamp"), other.pop("timestamp")
    assert one == other
    assert one["game"] == "a game"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z", time) for time in said)
    log_as_json("error")
    say_with_every_line()

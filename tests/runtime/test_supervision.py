"""Parts that end, with a clock that the test moves."""

import subprocess
import sys

import pytest

from runtime.errors import ServerError
from runtime.supervision import FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS, Part, Process


def ended() -> Process:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait()
    return process


def running() -> Process:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def test_pauses_grow_while_a_part_goes_on_ending_and_begin_anew_when_it_was_well() -> None:
    part = Part("worker", ended(), ended)
    pauses = []
    now = part.started
    for _ in range(10):
        assert part.check(now)
        assert part.due
        pauses.append(part.due - now)
        assert not part.check(part.due - 0.01), "it is not started before its time"
        now = part.due
        assert part.check(now)
        part.started = now
    assert pauses[:3] == pytest.approx([FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE])
    assert max(pauses) == pytest.approx(LONGEST_PAUSE)
    assert part.story().count == 10
    part.check(part.started + STEADY_SECONDS + 1)
    assert part.due == part.started + STEADY_SECONDS + 1 + FIRST_PAUSE


def test_part_that_cannot_be_started_is_tried_again_and_says_why() -> None:
    def fail() -> Process:
        raise ServerError("There is no room.")

    part = Part("redis", ended(), fail)
    assert part.check(part.started)
    assert part.story().reason == "it ended with 3"
    assert part.due
    assert part.check(part.due)
    assert (part.story().count, part.story().reason, part.story().is_waiting) == (0, "There is no room.", True)


def test_part_that_runs_is_left_alone() -> None:
    process = running()
    part = Part("beat", process, running)
    try:
        assert not part.check(part.started + 1)
        assert part.process is process
    finally:
        process.communicate()

"""Keeping the parts of a service running: one that ends is started again, after a pause that grows if it ends again."""

import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from runtime.errors import ServerError

FIRST_PAUSE = 0.5  # seconds; each further one is twice as long
LONGEST_PAUSE = 60.0
STEADY_SECONDS = 60.0  # a part that has run for so long is well again: its next pause is the first

Process = subprocess.Popen[bytes]


class Restarts(msgspec.Struct):
    """What a part has gone through, to be told."""

    count: int
    last: str  # when it ended the last time, in UTC
    reason: str  # how it ended, or why it could not be started
    is_waiting: bool  # for its next start


class Part:
    """A process, how to start it again, and what became of it."""

    def __init__(self, name: str, process: Process, start_again: Callable[[], Process]) -> None:
        self.name = name
        self.process = process
        self.start_again = start_again
        self.restarts = 0
        self.last = ""
        self.reason = ""
        self.pause = FIRST_PAUSE
        self.started = time.monotonic()
        self.due: float | None = None  # when to start it again, if it has ended

    def story(self) -> Restarts:
        return Restarts(self.restarts, self.last, self.reason, self.due is not None)

    def check(self, now: float) -> bool:
        """Does what is to be done; whether there is something new to tell."""
        if self.due is None:
            if self.process.poll() is None:
                return False
            if now - self.started > STEADY_SECONDS:
                self.pause = FIRST_PAUSE
            self.put_off(now, f"it ended with {self.process.returncode}")
            return True
        if now < self.due:
            return False
        try:
            self.process = self.start_again()
        except (ServerError, OSError) as error:
            self.put_off(time.monotonic(), str(error))
            return True
        self.restarts += 1
        self.started, self.due = time.monotonic(), None
        return True

    def put_off(self, now: float, reason: str) -> None:
        self.last = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        self.reason = reason
        self.due = now + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE)

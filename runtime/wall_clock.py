"""The time: everything that decides by it asks here, so that it can be shifted in tests, and in whole processes.

A process whose environment names a file in `TIME_SHIFT_FILE` is so many seconds ahead as stand in the file, read each
time: that is how a fault test lets the clocks of all parts jump. It is no setting of the service.
"""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

SHIFT_FILE = os.environ.get("TIME_SHIFT_FILE")

_shift = timedelta(0)


def now() -> datetime:
    """This moment, in UTC."""
    moment = datetime.now(UTC)
    if SHIFT_FILE or _shift:
        return moment + _shift + _shift_of_all()
    return moment


def monotonic() -> float:
    """Seconds that really passed, of this machine since it started: whatever the clock is set to."""
    return time.monotonic()


def shift(seconds: float) -> None:
    """From now on the clock of this process is so many seconds ahead, or behind."""
    global _shift
    _shift = timedelta(seconds=seconds)


def _shift_of_all() -> timedelta:
    try:
        return timedelta(seconds=float(Path(SHIFT_FILE).read_text())) if SHIFT_FILE else timedelta(0)
    except (OSError, ValueError):
        return timedelta(0)

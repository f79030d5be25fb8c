"""Waiting for something that another process does."""

import time
from collections.abc import Callable
from typing import Any


def wait_until(happened: Callable[[], Any], seconds: float = 30, what: str = "") -> Any:
    """Asks again and again until the answer is true, and returns it."""
    end = time.monotonic() + seconds
    while not (answer := happened()):
        assert time.monotonic() < end, f"{what or happened} did not happen within {seconds} seconds"
        time.sleep(0.02)
    return answer

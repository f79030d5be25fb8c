"""Stop the service that runs in this folder, and wait until all of it has ended.

Running requests are answered and running tasks finished first. The exit status is 3 if nothing runs here.

examples:
  ./waybill stop
"""

import argparse
import os
import signal
import time

from commands._service import plain_errors, running
from runtime.config import read_config
from runtime.errors import ServerError

NOT_RUNNING = 3
STOP_SECONDS = 120  # more than all parts together may take
CHECK_EVERY = 0.1  # seconds


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    with plain_errors():
        up = running(read_config())
        if up is None:
            print("Waybill does not run in this folder.")
            return NOT_RUNNING
        try:
            os.kill(up.pid, signal.SIGTERM)
        except PermissionError:
            raise ServerError(f"Process {up.pid} is somebody else's; you may not stop it.") from None
        wait_for_end(up.pid)
    print("stopped.")
    return 0


def wait_for_end(pid: int) -> None:
    end = time.monotonic() + STOP_SECONDS
    while is_alive(pid):
        if time.monotonic() > end:
            raise ServerError(f"Process {pid} was told to stop and is still there after {STOP_SECONDS} seconds.")
        time.sleep(CHECK_EVERY)


def is_alive(pid: int) -> bool:
    """Whether the process is at work; one that has ended and that nobody has asked after is not."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False

"""Child processes and ports: children that die with us, that are waited for, that are stopped; ports that are free."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runtime.errors import ServerError

START_SECONDS = 30
STOP_SECONDS = 20
PORTS = range(20000, 32768)  # below the range that outgoing connections take theirs from
PR_SET_PDEATHSIG = 1


def die_with_parent(goodbye: signal.Signals) -> Callable[[], None]:
    """For a child to call before exec: the kernel signals it when we are gone. "We" are the thread that starts it."""
    parent = os.getpid()

    def arrange() -> None:
        if sys.platform == "linux":
            libc().prctl(PR_SET_PDEATHSIG, int(goodbye))
            if os.getppid() != parent and not os.path.exists(f"/proc/{parent}"):
                os._exit(1)

    return arrange


def libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def wait_for_answer(
    child: subprocess.Popen[bytes], ask: Callable[[], Any], not_yet: type[Exception], name: str, folder: Path
) -> None:
    """Waits until a server answers, or has ended, or takes too long."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            ask()
            return
        except not_yet:
            if child.poll() is not None or time.monotonic() > end:
                log = folder / f"{name.lower()}.log"
                last = "".join(log.read_text(errors="replace").splitlines(keepends=True)[-5:])
                raise ServerError(f"{name} does not start; the end of {log}:\n{last}") from None
            time.sleep(0.02)


def stop(child: subprocess.Popen[bytes], goodbye: signal.Signals) -> None:
    child.send_signal(goodbye)
    wait_or_kill(child)


def wait_or_kill(child: subprocess.Popen[bytes]) -> None:
    """Waits for a process that was told to end, though not for ever."""
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def free_port() -> int:
    for port in random.sample(PORTS, 200):
        if not any(is_busy("127.0.0.1", port + more) for more in range(3)):  # stream and mail take the next ones
            return port
    raise ServerError(f"There is no free port from {PORTS[0]} to {PORTS[-1]}.")


def is_busy(host: str, port: int) -> bool:
    """Whether someone listens there, so that we cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False

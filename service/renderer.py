"""Pictures for letters, drawn outside of the worker's process: to draw one takes 0.2 s, and whatever else the process
does stands still for as long, because the library lets no other thread run meanwhile.

Run as a program it is the renderer: it reads drawings from its input and writes pictures, each with its length before
it, and ends with whoever has started it.
"""

import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import IO

SECONDS = 20.0  # for a picture; on a busy machine a renderer gets little of it
NICE = 10
LENGTH = struct.Struct(">I")
ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-P", "-m", "service.renderer")


class Renderer:
    """One process at low priority, begun with the first picture; pictures are drawn one after another. Where it fails
    there is none: a letter says the same in words.

    A worker's processes may have no children by `multiprocessing`, so it is a program of its own.
    """

    def __init__(self, seconds: float = SECONDS, command: Sequence[str] = COMMAND) -> None:
        self._seconds = seconds
        self._command = command
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def __call__(self, svg: str) -> bytes:
        with self._lock:
            process = self._begun()
            end = Timer(self._seconds, process.kill)
            end.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                send(process.stdin, svg.encode())
                return receive(process.stdout)
            except (OSError, EOFError):
                process.kill()
                with suppress(OSError):
                    process.communicate()
                self._process = None
                return b""
            finally:
                end.cancel()

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._owner != os.getpid():  # also in a process that was forked
            self._owner = os.getpid()
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        return self._process


def send(stream: IO[bytes], data: bytes) -> None:
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    data = stream.read(LENGTH.unpack(head)[0])
    if len(data) < LENGTH.unpack(head)[0]:
        raise EOFError
    return data


def main() -> None:
    from service.mail_out import small  # here, for it is the worker that imports this module

    os.nice(NICE)
    while True:
        try:
            svg = receive(sys.stdin.buffer)
        except EOFError:
            return
        send(sys.stdout.buffer, small(svg.decode()))


if __name__ == "__main__":
    main()

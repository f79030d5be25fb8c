"""Files that logs go to: added to, and begun anew when they get large, with the last ones kept."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LARGEST = 50_000_000  # bytes
KEPT = 5  # older files: api.log.1 is the newest of them
CHECK_EVERY = 10.0  # seconds


def open_log(path: Path) -> IO[bytes]:
    """The file to add to. Whoever writes to it goes on at its end, also after it was begun anew."""
    return open(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab")


@contextmanager
def kept_small(folder: Path, largest: int = LARGEST, every: float = CHECK_EVERY) -> Iterator[None]:
    """Looks after the logs in a folder as long as this lasts."""
    done = threading.Event()

    def look() -> None:
        while True:
            rotate(folder, largest)
            if done.wait(every):
                return

    thread = threading.Thread(target=look, name="logs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def rotate(folder: Path, largest: int = LARGEST) -> None:
    """Moves what is in too large a log into a file of its own. A disk that is full is no reason to stop the service."""
    for log in sorted(folder.glob("*.log")):
        try:
            if log.stat().st_size > largest:
                _move(log)
        except OSError:
            continue


def _move(log: Path) -> None:
    """By copying, since those who write to the file hold it open and know no other."""
    for number in range(KEPT - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.rename(log.with_name(f"{log.name}.{number + 1}"))
    copy = log.with_name(f"{log.name}.1")
    with open(log, "rb") as source, open_log(copy) as target:
        while source.tell() < os.fstat(source.fileno()).st_size:  # again for what was added meanwhile
            shutil.copyfileobj(source, target)
        target.flush()
        os.truncate(log, 0)

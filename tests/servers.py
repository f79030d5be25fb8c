"""Real servers for the tests: one private Postgres and Redis a run, shared by its processes.

Run as a program it keeps the servers of a folder alive as long as any process holds the folder's `users` lock. The
kernel lets go of a lock when its holder dies, so nothing is left over however a run ends.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

import msgspec

from runtime.servers import Addresses, Servers

ROOT = Path(__file__).resolve().parent.parent


def join(run: str) -> tuple[Addresses, IO[str]]:
    """The servers of a run, started by whoever comes first, and the lock to hold on to while using them."""
    folder = Path(tempfile.gettempdir()) / f"waybill-test-{run}"
    folder.mkdir(mode=0o700, exist_ok=True)
    users = open(folder / "users", "w")  # noqa: SIM115 - the caller's to close
    fcntl.flock(users, fcntl.LOCK_SH)
    ready, log = folder / "addresses.json", folder / "log"
    with open(folder / "start", "w") as start:
        fcntl.flock(start, fcntl.LOCK_EX)
        if not ready.exists():
            with open(log, "wb") as output:
                keeper = subprocess.Popen(
                    [sys.executable, "-P", "-m", "tests.servers", str(folder)],
                    cwd=ROOT,
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            while not ready.exists():
                if keeper.poll() is not None:
                    raise RuntimeError(f"the test servers do not start:\n{log.read_text()}")
                time.sleep(0.02)
    return msgspec.json.decode(ready.read_bytes(), type=Addresses), users


def keep(folder: Path) -> None:
    with Servers(folder / "servers", durable=False) as addresses:
        draft = folder / "addresses.new"
        draft.write_bytes(msgspec.json.encode(addresses))
        draft.rename(folder / "addresses.json")
        with open(folder / "users", "a") as users:
            while True:
                try:
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.1)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))

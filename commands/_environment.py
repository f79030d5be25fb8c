"""Makes .venv from requirements.lock. Run by the waybill script with a bare Python, before anything is installed."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "waybill-stamp"
LOG = ROOT / ".venv.log"


def main(stamp: str) -> int:
    try:
        # The kernel lets go of this lock when its holders die, so it is never stale.
        with open(ROOT / ".venv.lock", "a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another waybill is preparing the Python environment; waiting for it ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            if is_ready(stamp):
                return 0
            return prepare(stamp, lock.fileno())
    except OSError as problem:
        say(f"cannot prepare the Python environment in {ROOT}: {problem}")
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next run starts the Python environment afresh.")
        return 130


def is_ready(stamp: str) -> bool:
    return os.access(VENV / "bin" / "python", os.X_OK) and STAMP.exists() and STAMP.read_text().strip() == stamp


def prepare(stamp: str, lock: int) -> int:
    say("preparing the Python environment in .venv; this takes a minute or so ...")
    started = time.monotonic()
    STAMP.unlink(missing_ok=True)
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    pip = [str(VENV / "bin" / "python"), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    steps = [
        [sys.executable, "-I", "-m", "venv", str(VENV)],
        [*pip, "install", "--no-deps", "--require-hashes", "--requirement", str(ROOT / "requirements.lock")],
        [*pip, "check"],
    ]
    with open(LOG, "w") as log:
        for step in steps:
            # A child that outlives us goes on holding the lock, so that nobody builds on top of it.
            if subprocess.run(step, stdout=log, stderr=subprocess.STDOUT, pass_fds=[lock]).returncode != 0:
                log.flush()
                sys.stderr.writelines(LOG.read_text(errors="replace").splitlines(keepends=True)[-20:])
                say(f"the Python environment could not be made; the whole story is in {LOG}")
                return 1
    finished = VENV / "waybill-stamp.new"
    finished.write_text(stamp + "\n")
    finished.rename(STAMP)
    LOG.unlink()
    say(f"ready after {time.monotonic() - started:.0f} s.")
    return 0


def say(message: str) -> None:
    print(f"waybill: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

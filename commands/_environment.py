"""Makes .venv from the lock files. Run by the waybill script with a bare Python, before anything is installed.

requirements.lock is what every command needs. Developers' tools, requirements-dev.lock, are added by the first command
that wants them.
"""

import errno
import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "waybill-stamp"
DEV_STAMP = VENV / "waybill-dev-stamp"
LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"
LOG = ROOT / ".venv.log"
CHECK_EVERY = 0.1  # seconds, at how far pip is
PLAIN_STEP = 20  # packages from one line to the next where there is no terminal
# What says in pip's output that it could not reach the index, rather than that the index lacks something.
NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|SSLError|RemoteDisconnected"
    r"|name resolution|Connection refused|Network is unreachable|timed out"
)

PIP_OPTIONS = ["--disable-pip-version-check", "--no-input"]
# pip would try for minutes where there is no network. Who knows his network better may say so.
PIP_OPTIONS += [] if "PIP_RETRIES" in os.environ else ["--retries", "2"]
PIP_OPTIONS += [] if "PIP_DEFAULT_TIMEOUT" in os.environ or "PIP_TIMEOUT" in os.environ else ["--timeout", "10"]


class Failed(Exception):
    """The environment could not be made; the message says why."""


def main(stamp: str, dev_stamp: str = "") -> int:
    """Brings .venv up to date with the locks that the stamps stand for."""
    return alone(lambda lock: prepare(stamp, dev_stamp, lock))


def prepare(stamp: str, dev_stamp: str, lock: int) -> None:
    if not is_stamped(STAMP, stamp):
        make(stamp, lock)
    if dev_stamp and not is_stamped(DEV_STAMP, dev_stamp):
        add_tools(dev_stamp, lock)


def alone(work: Callable[[int], None]) -> int:
    """Does the work while no other waybill prepares the environment; the exit code."""
    try:
        # The kernel lets go of this lock when its holders die, so it is never stale.
        with open(ROOT / ".venv.lock", "a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another waybill is preparing the Python environment; waiting for it ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            work(lock.fileno())
    except OSError as problem:
        say(f"cannot prepare the Python environment in {ROOT}: {problem}{remedy(problem)}")
        return 1
    except Failed as problem:
        say(f"cannot prepare the Python environment in {ROOT}: {problem}")
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next run prepares the Python environment again.")
        return 130
    return 0


def remedy(problem: OSError) -> str:
    """What to do about it, where that is known."""
    if problem.errno == errno.EROFS:
        return ". The folder is read-only: prepare .venv where it can be written, with ./waybill --help."
    if isinstance(problem, PermissionError):
        return (
            ". Some of it belongs to somebody else: take a clone of your own, or make it yours:"
            f" sudo chown -R {os.geteuid()} {shlex.quote(str(ROOT))}"
        )
    return ""


def is_stamped(file: Path, stamp: str) -> bool:
    return os.access(VENV / "bin" / "python", os.X_OK) and file.exists() and file.read_text().strip() == stamp


def make(stamp: str, lock: int) -> None:
    say("preparing the Python environment in .venv ...")
    started = time.monotonic()
    STAMP.unlink(missing_ok=True)
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    with open(LOG, "w") as log:
        run([sys.executable, "-I", "-m", "venv", str(VENV)], log, lock)
        install(LOCK, log, lock)
    finish(STAMP, stamp, started)


def add_tools(stamp: str, lock: int) -> None:
    say("adding the developers' tools to .venv ...")
    started = time.monotonic()
    with open(LOG, "w") as log:
        install(DEV_LOCK, log, lock)
    finish(DEV_STAMP, stamp, started)


def finish(file: Path, stamp: str, started: float) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(stamp + "\n")
    draft.rename(file)
    LOG.unlink()
    say(f"ready after {time.monotonic() - started:.0f} s.")


def install(requirements: Path, log: IO[str], lock: int) -> None:
    pip = [str(VENV / "bin" / "python"), "-I", "-u", "-m", "pip", *PIP_OPTIONS]  # -u: progress is read off the log
    exactly = ["--no-deps", "--require-hashes", "--progress-bar", "off", "--requirement", str(requirements)]
    progress = Progress(requirements)
    try:
        run([*pip, "install", *exactly], log, lock, progress.update)
    finally:
        progress.clear()
    run([*pip, "check"], log, lock)


def run(command: list[str], log: IO[str], lock: int, update: Callable[[str], None] = lambda story: None) -> None:
    # A child that outlives us goes on holding the lock, so that nobody builds on top of it.
    child = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, pass_fds=[lock])
    try:
        while child.poll() is None:
            time.sleep(CHECK_EVERY)
            update(LOG.read_text(errors="replace"))
    except KeyboardInterrupt:
        child.wait()  # it has been interrupted as well
        raise
    if child.returncode == 0:
        return
    story = LOG.read_text(errors="replace")
    if NO_NETWORK.search(story):
        raise Failed(f"the package index cannot be reached; is there a network? The whole story is in {LOG}")
    sys.stderr.writelines(story.splitlines(keepends=True)[-20:])
    raise Failed(f"the whole story is in {LOG}")


class Progress:
    """How far an installation is: one line that changes on a terminal, a few lines elsewhere.

    pip names each package as it fetches it; while it installs them it is silent, and their folders tell.
    """

    def __init__(self, requirements: Path) -> None:
        self.locked = sum("==" in line for line in requirements.read_text(encoding="utf-8").splitlines())
        self.before = installed()
        self.done: list[str] = []  # names of what is installed, in order
        self.is_terminal = sys.stderr.isatty()
        self.last = ("", 0)

    def update(self, story: str) -> None:
        total = self.locked - len(re.findall(r"^Ignoring ", story, re.MULTILINE))  # those for other platforms
        if "\nInstalling collected packages" in story:
            self.done += sorted(installed() - self.before - set(self.done))
            self.show("installing", self.done, total)
        else:
            self.show("fetching", re.findall(r"^Collecting ([^\s=;]+)", story, re.MULTILINE), total)

    def show(self, verb: str, names: list[str], total: int) -> None:
        if not names or (verb, len(names)) == self.last:
            return
        if self.is_terminal:
            self.clear()
            print(f"waybill: {verb} {len(names)} of {total}: {names[-1]}", end="", file=sys.stderr, flush=True)
        elif verb != self.last[0] or len(names) >= self.last[1] + PLAIN_STEP or len(names) == total:
            say(f"{verb} {len(names)} of {total} packages ...")
        else:
            return
        self.last = (verb, len(names))

    def clear(self) -> None:
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def installed() -> set[str]:
    folders = VENV.glob("lib/python*/site-packages/*.dist-info")
    return {folder.name.partition("-")[0].replace("_", "-").lower() for folder in folders}


def say(message: str) -> None:
    print(f"waybill: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""A private service to be treated badly: its parts, what can be done to each of them, and who starts them again."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

from commands import ROOT
from commands.up import commands
from runtime import wall_clock
from runtime.config import Config, read_config
from runtime.processes import die_with_parent, free_port, wait_or_kill
from runtime.servers import Servers
from runtime.supervision import FIRST_PAUSE, Part
from store.database import Database
from store.migrate import migrate
from workers import tasks
from workers.app import configure, enqueue

CHECK_EVERY = 0.1  # seconds, at whether all parts are alive
START_SECONDS = 60.0
LONGEST_FREEZE = 6.0
REQUESTS_PER_MINUTE = 10**9


class House:
    """Use as a context; FAULTS are what can be done to it."""

    def __init__(self, folder: Path, rng: random.Random, longest_freeze: float = LONGEST_FREEZE) -> None:
        self.folder = folder
        self.rng = rng
        self.longest_freeze = longest_freeze
        self.servers = Servers(folder / "servers")
        self.post = folder / "post"
        self.shift = folder / "shift"
        self.ahead = 0.0  # seconds, of the clocks of all parts
        self.parts: list[Part] = []
        self.held: set[str] = set()  # parts that nobody starts again for now
        self.restarts = 0
        self._stopping = threading.Event()
        self._watching: threading.Thread | None = None

    def __enter__(self) -> "House":
        self.settings = {
            **self._start_servers(),
            "WAYBILL_FOLDER": str(self.folder),
            "WAYBILL_PORT": str(free_port()),
            "WAYBILL_REQUESTS_PER_MINUTE": str(REQUESTS_PER_MINUTE),
            "WAYBILL_SWEEP_SECONDS": "1",
        }
        self.config: Config = read_config(self.settings)
        self.url = f"http://127.0.0.1:{self.config.port}"
        self.db = Database.of(self.config)
        configure(self.config)
        migrate(self.db)
        try:
            for name, command in self._commands().items():
                self.parts.append(Part(name, self._start(name, command), lambda n=name, c=command: self._start(n, c)))  # type: ignore[misc]  # the defaults are not arguments
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        self.parts += self._server_parts()
        self._watching = threading.Thread(target=self._watch, name="supervision", daemon=True)
        self._watching.start()
        return self

    def _start_servers(self) -> dict[str, str]:
        """The settings that say where they are."""
        addresses = self.servers.__enter__()
        return {"DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}

    def _server_parts(self) -> list[Part]:
        return [
            Part(name, process, lambda n=name: self.servers.start_again(n))  # type: ignore[misc]
            for name, process in self.servers.parts.items()
        ]

    def _stop_servers(self) -> None:
        self.servers.stop()

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._watching:
            self._watching.join()
        ours = [part for part in self.parts if part.name in self._commands()]
        for part in ours:
            if part.process.poll() is None:
                part.process.terminate()
        for part in ours:
            wait_or_kill(part.process)
        self.db.close()
        self._stop_servers()
        wall_clock.shift(0.0)

    def _commands(self) -> dict[str, list[str]]:
        found = commands(self.config)
        found["worker"] = ["commands._chaos_worker" if word == "workers.main" else word for word in found["worker"]]
        return found

    def _start(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("WAYBILL_")},
            **self.settings,
            "PYTHONPATH": str(ROOT),
            "CHAOS_POST_FILE": str(self.post),
            "TIME_SHIFT_FILE": str(self.shift),
        }
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", *command],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > end:
                raise RuntimeError(f"The API does not answer; see {self.folder / 'api.log'}.")
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def _watch(self) -> None:
        while not self._stopping.wait(CHECK_EVERY):
            for part in [part for part in self.parts if part.name not in self.held]:
                if part.check(time.monotonic()) and part.due is None:
                    self.restarts += 1
                    part.pause = FIRST_PAUSE  # it was our doing: it need not be spared

    def stop_beat(self) -> None:
        """For good: from now on nothing is swept."""
        beat = self.part("beat")
        self.parts.remove(beat)
        if beat.process.poll() is None:
            beat.process.terminate()
        wait_or_kill(beat.process)

    # What can be done to it

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def kill(self, name: str) -> None:
        """All processes of a part, as by a power cut."""
        with suppress(ProcessLookupError):
            os.killpg(self.part(name).process.pid, signal.SIGKILL)

    def signal(self, name: str, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self.part(name).process.send_signal(number)

    def freeze(self, name: str) -> None:
        """For some seconds: it is there, and does not answer."""
        with frozen(family(self.part(name).process.pid)):
            time.sleep(self.rng.uniform(self.longest_freeze / 6, self.longest_freeze))

    def flush(self) -> None:
        with suppress(redis.RedisError):
            redis.Redis.from_url(self.config.redis_url, socket_timeout=2).flushall()

    def double_tasks(self) -> None:
        """Every routine task thrice, at the same time."""
        for task in (tasks.sweep, tasks.deliver) * 3:
            enqueue(task)

    def jump(self, hours: float) -> None:
        """The clocks of all parts together, and our own, for good."""
        self.ahead += hours * 3600.0
        draft = self.shift.with_suffix(".new")
        draft.write_text(str(self.ahead))
        draft.rename(self.shift)
        wall_clock.shift(self.ahead)

    def moody(self, mood: str) -> None:
        self.post.write_text(mood)
        time.sleep(self.rng.uniform(self.longest_freeze / 3, self.longest_freeze))
        self.post.write_text("")


# By name: each does something bad, and undoes what does not mend itself.
FAULTS: dict[str, Callable[[House], None]] = {
    "worker killed": lambda house: house.kill("worker"),
    "beat killed": lambda house: house.kill("beat"),
    "API killed": lambda house: house.kill("api"),
    "stream killed": lambda house: house.kill("stream"),
    "worker frozen": lambda house: house.freeze("worker"),
    "Postgres stopped": lambda house: house.signal("postgres", signal.SIGINT),
    "Postgres crashed": lambda house: house.signal("postgres", signal.SIGQUIT),
    "Postgres frozen": lambda house: house.freeze("postgres"),
    "Redis flushed": House.flush,
    "Redis stopped": lambda house: house.signal("redis", signal.SIGKILL),
    "Redis frozen": lambda house: house.freeze("redis"),
    "tasks doubled": House.double_tasks,
    "clock set forward": lambda house: house.jump(house.rng.randint(1, 5)),
    "clock set back": lambda house: house.jump(-house.rng.randint(1, 5)),
    "post hangs": lambda house: house.moody("hangs"),
    "post refuses": lambda house: house.moody("refuses"),
    "post talks nonsense": lambda house: house.moody("talks nonsense"),
}


@contextmanager
def frozen(pids: Iterable[int]) -> Iterator[None]:
    """Processes that are there and do nothing, as long as this lasts."""
    stopped = list(pids)
    signal_all(stopped, signal.SIGSTOP)
    try:
        yield
    finally:
        signal_all(stopped, signal.SIGCONT)


def signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def family(pid: int) -> list[int]:
    """A process and all that it has started; only Linux tells."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(file.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found

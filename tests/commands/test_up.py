"""`./waybill up` as a person uses it: a process of its own, in a folder of its own."""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands._service import Running, running
from runtime.config import read_config
from runtime.processes import free_port
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent.parent


class Up:
    def __init__(
        self,
        folder: Path,
        *arguments: str,
        root: Path = ROOT,
        preexec_fn: Callable[[], None] | None = None,
        **settings: str,
    ) -> None:
        self.folder = folder
        self.output = folder.with_suffix(".out")
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "commands", "up", *arguments],
                cwd=root,
                env={**environment(folder, root), **settings},
                stdout=output,
                stderr=output,
                preexec_fn=preexec_fn,
            )

    def text(self) -> str:
        return self.output.read_text()

    def running(self) -> Running | None:
        assert self.process.poll() is None, self.text()
        return running(read_config(environment(self.folder)))

    def wait(self) -> Running:
        return wait_until(self.running, what="the start")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


def environment(folder: Path, root: Path = ROOT) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYBILL_", "DATABASE", "REDIS"))}
    return {**kept, "PYTHONPATH": str(root), "WAYBILL_FOLDER": str(folder), "WAYBILL_API_PROCESSES": "1"}


def left_over(folder: Path) -> list[str]:
    """Processes that have to do with the folder: by their command line or their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            traces = command + (entry / "environ").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in traces and int(entry.name) != os.getpid():
            found.append(f"{entry.name} {command!r}")
    return found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Up]]:
    ups: list[Up] = []

    def begin(*arguments: str) -> Up:
        ups.append(Up(tmp_path / "home", *(arguments or ("--port", str(free_port())))))
        return ups[-1]

    yield begin
    for up in ups:
        if up.process.poll() is None:
            up.stop()


def command(folder: Path, *arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "commands", *arguments],
        cwd=root,
        env=environment(folder, root),
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stops_cleanly_without_orphans(start: Callable[..., Up], how: signal.Signals) -> None:
    up = start()
    state = up.wait()
    assert len(left_over(up.folder)) > 5
    with urllib.request.urlopen(f"{state.url}/healthz") as answer:
        assert answer.status == 200
    assert command(up.folder, "status").returncode == 0
    assert up.stop(how) == 0, up.text()
    assert "stopped." in up.text()
    assert left_over(up.folder) == []
    assert command(up.folder, "status").returncode == 3


def test_killed_leaves_no_orphans_and_its_data_is_found_again(start: Callable[..., Up]) -> None:
    up = start()
    up.wait()
    assert "wb_" in command(up.folder, "admin", "player", "Ann").stdout
    up.stop(signal.SIGKILL)
    wait_until(lambda: not left_over(up.folder), what="the end of all parts")
    again = start()
    again.wait()
    assert "valid" in command(up.folder, "admin", "tokens", "Ann").stdout


@pytest.mark.parametrize("part", ["api", "worker", "beat", "redis", "postgres"])
def test_part_that_dies_is_started_again_and_status_tells(start: Callable[..., Up], part: str) -> None:
    up = start()
    state = up.wait()
    assert "wb_" in command(up.folder, "admin", "player", "Ann").stdout
    os.kill(process_of(up, part), signal.SIGKILL)

    def restarted() -> bool:
        now = up.running()
        return bool(now and part in now.restarts and now.restarts[part].count and not now.restarts[part].is_waiting)

    wait_until(restarted, 60, what=f"the restart of {part}")
    wait_until(lambda: command(up.folder, "status").returncode == 0, 60, what="all to be well")
    assert "started again once, last at " in command(up.folder, "status").stdout
    assert f"{part} runs again" in up.text()
    assert "valid" in command(up.folder, "admin", "tokens", "Ann").stdout
    again = up.running()
    assert again
    assert (again.url, again.database_url, again.redis_url) == (state.url, state.database_url, state.redis_url)
    assert up.stop() == 0, up.text()
    wait_until(lambda: not left_over(up.folder), what="the end of all parts")


def process_of(up: Up, part: str) -> int:
    """A part, or a private server: those are children of `up` too."""
    state = up.running()
    assert state
    if part in state.parts:
        return state.parts[part]
    found = Path(f"/proc/{state.pid}/task/{state.pid}/children").read_text().split()
    names = {Path(f"/proc/{pid}/comm").read_text().strip(): int(pid) for pid in found}
    return next(
        pid for name, pid in names.items() if name.startswith({"redis": ("redis", "valkey")}.get(part, (part,)))
    )


def test_second_one_says_what_is_in_the_way(start: Callable[..., Up], tmp_path: Path) -> None:
    port = str(free_port())
    state = start("--port", port).wait()
    same_folder = command(tmp_path / "home", "up", "--port", str(free_port()))
    assert same_folder.returncode == 1
    assert f"running here already, at {state.url}" in same_folder.stderr
    same_port = command(tmp_path / "other", "up", "--port", port)
    assert same_port.returncode == 1
    assert f"Port {port} on 127.0.0.1 is in use" in same_port.stderr


def test_demo_game_waits_for_its_player_against_bots(start: Callable[..., Up]) -> None:
    up = start("--port", str(free_port()), "--demo")
    state = up.wait()
    lines = wait_until(lambda: "token" in up.text() and up.text().splitlines(), what="the demo's address")
    words = {line.split()[0]: line.split()[1] for line in lines if line.startswith("  ")}
    assert words["address"].startswith(f"{state.url}/v1/games/")
    assert words["token"].startswith("wb_")


@pytest.mark.parametrize(
    ("name", "address"),
    [("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none"), ("REDIS_URL", "redis://127.0.0.1:1/0")],
)
def test_configured_address_that_does_not_answer_is_an_error(tmp_path: Path, name: str, address: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "commands", "up", "--port", str(free_port())],
        cwd=ROOT,
        env={**environment(tmp_path / "home"), name: address},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{name} is set, but does not answer" in done.stderr
    assert not (tmp_path / "home").exists()

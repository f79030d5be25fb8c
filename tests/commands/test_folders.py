"""Folders as people have them: odd names, somebody else's, read-only."""

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from runtime.processes import free_port, libc
from tests.commands.test_up import ROOT, Up, command, environment, left_over

FOLDERS = [*(file.parent.name for file in ROOT.glob("*/__init__.py")), "web"]
NOBODY = 65534
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


def copy_project(to: Path) -> Path:
    """The project in another folder, as a clone has it, with the environment that is here."""
    to.mkdir()
    for name in FOLDERS:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copy(file, to)
    return to


def give_away(folder: Path, mode: int) -> None:
    """Makes a folder somebody else's, or, where we may not, at least closed to us."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    folder.chmod(mode)


def without_power() -> None:
    """For a child to call before exec: root may not do more with others' files than anybody else."""
    if os.geteuid() == 0:
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            libc().prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def refused(folder: Path, *arguments: str, **settings: str) -> str:
    """What a command that cannot do its work says: sentences, and no traceback."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "commands", *arguments],
        cwd=folder,
        env={**environment(folder), "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **settings},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=without_power,
    )
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("name", ["my games", "50% off & more"])
def test_service_runs_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    project = copy_project(tmp_path / name)
    up = Up(project / ".waybill", "--port", str(free_port()), root=project)
    try:
        state = up.wait()
        with urllib.request.urlopen(f"{state.url}/readyz") as answer:
            assert answer.status == 200
        assert "wb_" in command(up.folder, "admin", "player", "Ann", root=project).stdout
    finally:
        assert up.stop() == 0, up.text()


def test_folder_that_somebody_else_has_used_is_named_with_what_to_do(tmp_path: Path) -> None:
    used = tmp_path / "waybill"
    used.mkdir()
    (used / "up.json").touch()
    give_away(used, 0o700 if os.geteuid() == 0 else 0o000)
    for arguments in (["up", "--port", str(free_port())], ["status"], ["admin", "tokens", "Ann"]):
        said = refused(ROOT, *arguments, WAYBILL_FOLDER=str(used))
        assert str(used) in said
        assert "WAYBILL_FOLDER" in said
    used.chmod(0o700)


def test_read_only_project_says_where_to_put_its_data_and_works_from_there(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    for folder in (project, *project.rglob("*")):
        give_away(folder, 0o555)
    said = refused(project, "up", "--port", str(free_port()), WAYBILL_FOLDER=str(project / ".waybill"))
    assert f"{project / '.waybill'} cannot be made: Permission denied. Set WAYBILL_FOLDER" in said
    up = Up(tmp_path / "data", "--port", str(free_port()), root=project, preexec_fn=without_power)
    try:
        up.wait()
    finally:
        assert up.stop() == 0, up.text()
    for folder in (project, *project.rglob("*")):
        folder.chmod(0o755)


def script(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(folder / "waybill"), *arguments],
        env={"PATH": os.environ["PATH"], "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


@pytest.mark.parametrize("name", ["my games", "50% off & more", "$HOME `x`", "it's"])
def test_script_finds_its_environment_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    project = copy_project(tmp_path / name)
    binaries = project / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").symlink_to(sys.executable)
    stamp = subprocess.run("cksum < requirements.lock", shell=True, cwd=project, capture_output=True, text=True).stdout
    (project / ".venv" / "waybill-stamp").write_text(stamp)
    (project / "commands" / "__main__.py").write_text("import sys; print(__file__, *sys.argv[1:], sep='\\n')")
    done = script(project, "play", "a b")
    assert (done.stderr, done.stdout) == ("", f"{project / 'commands' / '__main__.py'}\nplay\na b\n")


def test_script_says_that_a_path_may_have_no_colon(tmp_path: Path) -> None:
    done = script(copy_project(tmp_path / "10:30"), "status")
    assert done.returncode == 1
    assert "has a colon" in done.stderr


def test_environment_of_somebody_else_that_is_out_of_date_is_named_with_what_to_do(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    (project / ".venv").mkdir()
    give_away(project, 0o555)
    done = script(project, "status", preexec_fn=without_power)
    project.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "take a clone of your own, or make it yours: sudo chown -R" in done.stderr


def test_starts_again_at_once_after_everything_was_killed(tmp_path: Path) -> None:
    port = str(free_port())
    up = Up(tmp_path / "home", "--port", port)
    up.wait()
    for process in left_over(up.folder):
        with suppress(ProcessLookupError):
            os.kill(int(process.split()[0]), signal.SIGKILL)
    assert up.process.wait(30) == -9
    again = Up(tmp_path / "home", "--port", port)
    try:
        again.wait()
    finally:
        assert again.stop() == 0, again.text()

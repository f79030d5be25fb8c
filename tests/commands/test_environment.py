"""How .venv is made, without making one: what is shown meanwhile, and which commands do without developers' tools."""

import os
import shutil
import socket
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from commands import ROOT, _environment
from commands.__main__ import command_files
from commands._environment import DEV_LOCK, NO_NETWORK, Failed, Progress, run
from commands.lock import pins, version

STORY = "Ignoring tzdata: markers 'sys_platform == \"win32\"' don't match your environment\n"


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_environment, "VENV", tmp_path)
    monkeypatch.setattr(_environment, "LOG", tmp_path / "log")
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    (packages / "pip-24.0.dist-info").mkdir(parents=True)
    return packages


@pytest.fixture
def progress(venv: Path, tmp_path: Path) -> Progress:
    lock = tmp_path / "requirements.lock"
    lock.write_text("".join(f"{name}==1 \\\n    --hash=sha256:aa\n" for name in ("flask", "flask-smorest", "tzdata")))
    return Progress(lock)


def test_terminal_shows_which_package_of_how_many(
    progress: Progress, venv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    progress.is_terminal = True
    progress.update(STORY + "Collecting flask==1 (from -r x (line 1))\n")
    progress.update(STORY + "Collecting flask==1 (from -r x (line 1))\n")
    (venv / "flask_smorest-1.dist-info").mkdir()
    progress.update(STORY + "Installing collected packages: flask, flask-smorest\n")
    shown = capsys.readouterr().err.split("\r\033[K")
    assert shown == ["", "waybill: fetching 1 of 2: flask", "waybill: installing 1 of 2: flask-smorest"]


def test_without_a_terminal_lines_are_few(
    progress: Progress, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    progress.is_terminal = False
    progress.locked = 61
    for number in range(1, 61):
        progress.update(STORY + "".join(f"Collecting p{count}==1\n" for count in range(number)))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"waybill: fetching {count} of 60 packages ..." for count in (1, 21, 41, 60)]


@pytest.mark.parametrize(
    "complaint",
    [
        "NewConnectionError('<...>: Failed to establish a new connection: [Errno 111] Connection refused')",
        "NewConnectionError('<...>: [Errno -3] Temporary failure in name resolution')",
        "ConnectTimeoutError(<...>, 'Connection to index.example timed out. (connect timeout=10.0)')",
        "ProxyError('Cannot connect to proxy.', NewConnectionError('<...>'))",
    ],
)
def test_missing_network_is_said_in_a_sentence(venv: Path, complaint: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert NO_NETWORK.search(complaint)
    with open(_environment.LOG, "w") as log, pytest.raises(Failed, match="cannot be reached; is there a network"):
        run([sys.executable, "-c", f"import sys; print({complaint!r}); sys.exit(1)"], log, log.fileno())
    assert capfd.readouterr() == ("", "")


def test_other_failures_show_the_end_of_the_story(venv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open(_environment.LOG, "w") as log, pytest.raises(Failed, match="the whole story is in"):
        run([sys.executable, "-c", "import sys; print('no space left'); sys.exit(1)"], log, log.fileno())
    assert "no space left" in capsys.readouterr().err


def test_commands_do_without_developers_tools_unless_they_say_otherwise() -> None:
    tools = {version(requirement)[0] for requirement in pins(DEV_LOCK.read_text("utf-8"))}
    modules = [
        module
        for module, owners in packages_distributions().items()
        if {owner.lower().replace("_", "-") for owner in owners} <= tools
    ]
    assert {"jsonschema", "pytest", "mypy"} <= set(modules)
    frugal = [
        f"commands.{file.stem}"
        for file in command_files().values()
        if "\nNEEDS_DEVELOPER_TOOLS = True" not in file.read_text("utf-8")
    ]
    program = (
        f"import importlib, sys\nsys.modules.update(dict.fromkeys({modules!r}))\n"
        f"for name in [*{frugal!r}, 'app', 'workers.main', 'bench.engine']: importlib.import_module(name)\n"
    )
    environment = {
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": "postgresql://nowhere.invalid/none",
        "REDIS_URL": "redis://nowhere.invalid",
    }
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_network_is_said_in_a_sentence_by_the_real_installer(tmp_path: Path) -> None:
    (tmp_path / "commands").mkdir()
    for name in ("waybill", "requirements.lock", "requirements-dev.lock", "commands/_environment.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHON": sys.executable,
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "PIP_INDEX_URL": f"http://127.0.0.1:{port}/",
    }
    done = subprocess.run(["sh", tmp_path / "waybill", "status"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    beginning, end = done.stderr.splitlines()
    assert beginning == "waybill: preparing the Python environment in .venv ..."
    assert "the package index cannot be reached; is there a network?" in end

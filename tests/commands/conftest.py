import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Waybill = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def waybill() -> Waybill:
    """Runs a command as the script does: `waybill("verify", file)`."""

    def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "commands", *map(str, arguments)],
            env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return run


@pytest.fixture(scope="session")
def game(waybill: Waybill, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A whole game, always the first line of the menu: its record, and what the player saw."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    done = waybill("play", "airlines-europe", "--seed", "0011", "--record", path, stdin="1\n" * 2000)
    assert done.returncode == 0, done.stderr
    return path, done.stdout

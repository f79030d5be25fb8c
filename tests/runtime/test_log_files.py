"""Logs are added to, and begun anew when they get large."""

import subprocess
import sys
from pathlib import Path

from runtime.log_files import KEPT, kept_small, open_log, rotate
from tests.waiting import wait_until


def test_log_is_added_to_and_not_begun_anew(tmp_path: Path) -> None:
    for line in (b"first\n", b"second\n"):
        with open_log(tmp_path / "api.log") as log:
            log.write(line)
    assert (tmp_path / "api.log").read_bytes() == b"first\nsecond\n"
    assert (tmp_path / "api.log").stat().st_mode & 0o077 == 0


def test_large_log_moves_on_and_its_writer_goes_on_writing(tmp_path: Path) -> None:
    log = tmp_path / "api.log"
    with open_log(log) as output:
        writer = subprocess.Popen(
            [sys.executable, "-c", "for line in open(0): print(line, end='', flush=True)"],
            stdin=subprocess.PIPE,
            stdout=output,
            text=True,
        )
    assert writer.stdin is not None
    for number in range(KEPT + 3):
        writer.stdin.write(f"{number} " + "x" * 100 + "\n")
        writer.stdin.flush()
        wait_until(lambda: log.stat().st_size > 100, what="the line")
        rotate(tmp_path, largest=100)
        assert log.stat().st_size == 0
        assert (tmp_path / "api.log.1").read_text().startswith(f"{number} x")
    writer.stdin.close()
    assert writer.wait(10) == 0
    kept = {file.name: file.read_text()[0] for file in tmp_path.iterdir() if file != log}
    assert kept == {f"api.log.{number}": str(KEPT + 3 - number) for number in range(1, KEPT + 1)}


def test_logs_are_looked_after_as_long_as_the_service_runs(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with kept_small(tmp_path, largest=10, every=0.01):
        log.write_text("more than ten letters\n")
        wait_until(lambda: log.stat().st_size == 0, what="the new beginning")
    assert (tmp_path / "worker.log.1").read_text() == "more than ten letters\n"
    log.write_text("more than ten letters\n")
    assert log.stat().st_size == 22

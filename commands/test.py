"""Check everything: style, types, imports and tests.

Without arguments all checks run: first those that only read the code, side by side, then the tests. The end says
which of them failed and how long each took.
With arguments only pytest runs, in the project's directory, and gets them as they are.

examples:
  ./waybill test                               all checks
  ./waybill test tests/referee -k sealed       some tests
  ./waybill test --lf -x                       last time's failures, stopping at the first
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from commands import ROOT

PASSES_ARGUMENTS_ON = True
NEEDS_DEVELOPER_TOOLS = True

READING = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports", "--no-logo"),
)
TESTS = ("pytest", "-n", "3", "--dist", "worksteal")  # on two cores: many tests wait for other processes


class Result(msgspec.Struct, frozen=True):
    check: tuple[str, ...]
    passed: bool
    seconds: float


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "./waybill test [PYTEST ARGUMENTS]"


def run(args: argparse.Namespace) -> int:
    if args.rest:
        os.chdir(ROOT)
        os.execv(sys.executable, invocation("pytest", *args.rest))
    results = [*side_by_side(READING), in_sight(TESTS)]
    print(report(results), flush=True)
    return 0 if all(result.passed for result in results) else 1


def invocation(tool: str, *options: str) -> list[str]:
    if tool == "lint-imports":
        # It cannot be run with -m, and its script names the folder that .venv was made in.
        return [sys.executable, str(Path(sys.executable).parent / tool), *options]
    return [sys.executable, "-m", tool, *options]


def side_by_side(checks: tuple[tuple[str, ...], ...]) -> Iterator[Result]:
    """Runs checks together, and shows what each of them wrote when it has ended, so that nothing is mixed up."""
    started = time.monotonic()
    running: dict[tuple[str, ...], tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
    for check in checks:
        output = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it has been shown
        child = subprocess.Popen(invocation(*check), cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        running[check] = child, output
    while running:
        for check, (child, written) in list(running.items()):
            if child.poll() is not None:
                del running[check]
                with written:
                    written.seek(0)
                    print(f"\n== {' '.join(check)}\n{written.read().decode(errors='replace').strip()}", flush=True)
                yield Result(check, child.returncode == 0, time.monotonic() - started)
        time.sleep(0.05)


def in_sight(check: tuple[str, ...]) -> Result:
    """Runs a check whose output is seen as it comes."""
    print(f"\n== {' '.join(check)}", flush=True)
    started = time.monotonic()
    child = subprocess.Popen(invocation(*check), cwd=ROOT)
    try:
        status = child.wait()
    except KeyboardInterrupt:
        # pytest got the interrupt too; it needs a moment to stop the servers that its fixtures started.
        child.wait()
        raise
    return Result(check, status == 0, time.monotonic() - started)


def report(results: list[Result]) -> str:
    width = max(len(" ".join(result.check)) for result in results)
    lines = [
        f"  {'passed' if result.passed else 'FAILED'}  {' '.join(result.check):<{width}}  {result.seconds:5.0f} s"
        for result in results
    ]
    failed = [" ".join(result.check) for result in results if not result.passed]
    return "\n".join(["", *lines, f"failed: {', '.join(failed)}" if failed else "all checks passed"])

"""Check everything: style, types, imports and tests.

Without arguments all checks run, one after the other, and the end says which of them failed.
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
import time
import tomllib
from pathlib import Path

from commands import ROOT

PASSES_ARGUMENTS_ON = True
NEEDS_DEVELOPER_TOOLS = True

CHECKS = (
    ("ruff", "check", "."),
    ("mypy", "--strict", "referee"),
    ("lint-imports", "--no-logo"),
    ("pytest", "-n", "auto", "--dist", "worksteal"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "./waybill test [PYTEST ARGUMENTS]"


def run(args: argparse.Namespace) -> int:
    if args.rest:
        os.chdir(ROOT)
        os.execv(sys.executable, invocation("pytest", *args.rest))
    started = time.monotonic()
    failed = [check[0] for check in CHECKS if not passes(check)]
    unchecked = packages_without_import_check()
    if unchecked:
        print(f"\nAdd {', '.join(unchecked)} to root_packages in pyproject.toml, or nobody checks what they import.")
        failed.append("root_packages")
    verdict = f"failed: {', '.join(failed)}" if failed else "all checks passed"
    print(f"\n{verdict} ({time.monotonic() - started:.0f} s)", flush=True)
    return 1 if failed else 0


def invocation(tool: str, *options: str) -> list[str]:
    if tool == "lint-imports":
        # It cannot be run with -m, and its script names the folder that .venv was made in.
        return [sys.executable, str(Path(sys.executable).parent / tool), *options]
    return [sys.executable, "-m", tool, *options]


def passes(check: tuple[str, ...]) -> bool:
    print(f"\n== {' '.join(check)}", flush=True)
    child = subprocess.Popen(invocation(*check), cwd=ROOT)
    try:
        return child.wait() == 0
    except KeyboardInterrupt:
        # pytest got the interrupt too; it needs a moment to stop the servers that its fixtures started.
        child.wait()
        raise


def packages_without_import_check() -> list[str]:
    """Packages that the layers name and that exist, but that import-linter has not been told to read."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in settings["contracts"] if contract["type"] == "layers")
    named = [name.strip(" ()") for layer in layers for name in layer.split("|")]
    return [name for name in named if (ROOT / name).is_dir() and name not in settings["root_packages"]]

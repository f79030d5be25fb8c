"""Write requirements.lock anew from pyproject.toml.

Versions already in the lock stay as long as they fit. The lock holds names, versions, markers and hashes for every
platform, and no address. The next ./waybill command makes the environment again if the lock has changed.

examples:
  ./waybill lock                   after a change of the dependencies in pyproject.toml
  ./waybill lock --upgrade         move everything to its newest version
  ./waybill lock --upgrade flask   move one package
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import ROOT

LOCK = ROOT / "requirements.lock"

# Settings of one machine that would bring packages into the lock which other machines cannot find.
LOCAL_SOURCES = ("UV_FIND_LINKS", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_NO_INDEX")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--upgrade", nargs="*", metavar="PACKAGE", help="packages to move to their newest version; all if none is named"
    )


def run(args: argparse.Namespace) -> int:
    python = sys.executable
    if importlib.util.find_spec("uv") is None:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / LOCK.name
        if LOCK.exists():
            shutil.copy(LOCK, draft)
        sources = ["--no-config", "--python", python, "--group", "dev", "pyproject.toml"]
        content = ["--universal", "--python-version", "3.11", "--generate-hashes", *upgrades(args.upgrade)]
        layout = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--output-file", str(draft)]
        compiling = subprocess.run(
            [python, "-m", "uv", "pip", "compile", *sources, *content, *layout],
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if name not in LOCAL_SOURCES},
        )
        if compiling.returncode != 0:
            return compiling.returncode
        text = draft.read_text(encoding="utf-8")
    strays = [line for line in text.splitlines() if "://" in line or line.startswith("-")]
    if strays:
        print("waybill: the lock may hold no address and no option, but would:", *strays, sep="\n  ", file=sys.stderr)
        return 1
    changed = not LOCK.exists() or LOCK.read_text(encoding="utf-8") != text
    if changed:
        LOCK.write_text(text, encoding="utf-8")
    pins = sum("==" in line for line in text.splitlines())
    print(f"requirements.lock {'now holds' if changed else 'is up to date with'} {pins} packages.")
    return 0


def upgrades(packages: list[str] | None) -> list[str]:
    if packages is None:
        return []
    return [option for package in packages for option in ("--upgrade-package", package)] or ["--upgrade"]

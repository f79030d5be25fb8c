"""Write the lock files anew from pyproject.toml.

requirements.lock is what the service needs, private servers included; requirements-dev.lock is what developers need on
top, without what the first one holds. Versions already locked stay as long as they fit, and developers' tools bend to
what the service needs. The files hold names, versions, markers and hashes for every platform, and no address. The next
./waybill command brings the environment up to date.

examples:
  ./waybill lock                   after a change of the dependencies in pyproject.toml
  ./waybill lock --upgrade         move everything to its newest version
  ./waybill lock --upgrade flask   move one package
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import ROOT
from commands._environment import DEV_LOCK, LOCK, PIP_OPTIONS

# Settings of one machine that would bring packages into the lock which other machines cannot find.
LOCAL_SOURCES = ("UV_FIND_LINKS", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_NO_INDEX")


class LockError(Exception):
    """The locks cannot be written; the message says why, unless uv has said so already."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--upgrade", nargs="*", metavar="PACKAGE", help="packages to move to their newest version; all if none is named"
    )


def run(args: argparse.Namespace) -> int:
    if importlib.util.find_spec("uv") is None:
        subprocess.run([sys.executable, "-m", "pip", *PIP_OPTIONS, "install", "--quiet", "uv"], check=True)
    locked = "".join(lock.read_text(encoding="utf-8") for lock in (LOCK, DEV_LOCK) if lock.exists())
    try:
        service = compile_lock(["servers"], locked, upgrades(args.upgrade))
        everything = compile_lock(["servers", "dev"], locked, upgrades(args.upgrade), constraints=service)
        tools = additions(everything, service)
    except LockError as error:
        print(*(f"waybill: {line}" for line in str(error).splitlines()), sep="\n", file=sys.stderr)
        return 1
    write(LOCK, service)
    write(DEV_LOCK, tools)
    return 0


def compile_lock(groups: list[str], locked: str, options: list[str], constraints: str = "") -> str:
    """What uv finds for the project and some groups, at the versions that are locked already."""
    with tempfile.TemporaryDirectory() as folder:
        draft, bounds = Path(folder) / "lock", Path(folder) / "constraints"
        draft.write_text(locked, encoding="utf-8")
        bounds.write_text("\n".join(pins(constraints)), encoding="utf-8")
        sources = ["--no-config", "--python", sys.executable, "pyproject.toml", "--constraint", str(bounds)]
        chosen = [option for group in groups for option in ("--group", group)]
        content = ["--universal", "--python-version", "3.11", "--generate-hashes", *options]
        layout = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--output-file", str(draft)]
        compiling = subprocess.run(
            [sys.executable, "-m", "uv", "pip", "compile", *sources, *chosen, *content, *layout],
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if name not in LOCAL_SOURCES},
        )
        if compiling.returncode != 0:
            raise LockError("uv has found no versions that fit together; it says above why.")
        text = draft.read_text(encoding="utf-8")
    strays = [line for line in text.splitlines() if "://" in line or line.startswith("-")]
    if strays:
        raise LockError("\n  ".join(["a lock may hold no address and no option, but would:", *strays]))
    return text


def pins(lock: str) -> dict[str, str]:
    """The packages of a lock, `flask==3.1.2 ; marker`, each with its whole text."""
    blocks = re.findall(r"^\S.*\n(?:\s+.*\n)*", lock, re.MULTILINE)
    return {block.partition("\n")[0].removesuffix("\\").strip(): block for block in blocks}


def additions(everything: str, service: str) -> str:
    """What everything holds and the service does not. A package may be in both for different platforms."""
    ours = pins(service)
    added = {requirement: block for requirement, block in pins(everything).items() if requirement not in ours}
    versions = {version(requirement)[0]: version(requirement) for requirement in ours}
    for requirement in added:
        name, _ = version(requirement)
        if name in versions and versions[name] != version(requirement):
            raise LockError(f"{requirement} is not what the service has: {'=='.join(versions[name])}.")
    return "".join(added.values())


def version(requirement: str) -> tuple[str, str]:
    name, _, rest = requirement.partition("==")
    return name, rest.split()[0]


def write(lock: Path, text: str) -> None:
    changed = not lock.exists() or lock.read_text(encoding="utf-8") != text
    if changed:
        lock.write_text(text, encoding="utf-8")
    print(f"{lock.name} {'now holds' if changed else 'is up to date with'} {len(pins(text))} packages.")


def upgrades(packages: list[str] | None) -> list[str]:
    if packages is None:
        return []
    return [option for package in packages for option in ("--upgrade-package", package)] or ["--upgrade"]

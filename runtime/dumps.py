"""Postgres' own pg_dump and pg_restore, of a version that fits the server."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psycopg2.extensions import parse_dsn

from runtime.errors import ServerError
from runtime.programs import postgres_tool

# Grants name roles and compression a library, which need not be there where the dump is restored:
# `store.backups.secure` puts both in place again.
PORTABLE = ("--no-owner", "--no-privileges")


def dump(url: str, server_major: int, file: Path) -> None:
    """Writes the whole database into a file, as it is at one moment, while others go on using it."""
    tool = postgres_tool("pg_dump", server_major)
    draft = file.with_name(f"{file.name}.new")
    draft.unlink(missing_ok=True)
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))  # it holds everybody's secrets
        with connection(url) as (address, environment):
            options = ("--format=custom", "--no-toast-compression", *PORTABLE)
            _run([tool, *options, f"--file={draft}", f"--dbname={address}"], environment)
        os.link(draft, file)  # unlike a rename it replaces nothing
    except OSError as error:
        raise ServerError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)


def dumped_from(file: Path) -> int:
    """The major version of the server that a dump was made from."""
    if not file.is_file():
        raise ServerError(f"There is no file {file}.")
    listed = _run([postgres_tool("pg_restore"), "--list", str(file)], dict(os.environ))
    found = re.search(r"Dumped from database version: (\d+)", listed)
    if found is None:
        raise ServerError(f"{file} is no backup of a Postgres database.")
    return int(found[1])


def restore(url: str, server_major: int, file: Path) -> None:
    """Brings the contents of a dump into an empty database: all, or nothing."""
    made_by = dumped_from(file)
    if made_by > server_major:
        raise ServerError(
            f"{file} was made from Postgres {made_by}; here is Postgres {server_major}, which may not read it."
            f" Restore it into Postgres {made_by} or newer."
        )
    tool = postgres_tool("pg_restore", server_major)
    with connection(url) as (address, environment):
        _run([tool, "--single-transaction", *PORTABLE, f"--dbname={address}", str(file)], environment)


@contextmanager
def connection(url: str) -> Iterator[tuple[str, dict[str, str]]]:
    """How a tool is told where to connect: everybody can read a command line, and an address may hold a password."""
    with tempfile.NamedTemporaryFile("w", prefix="waybill-", suffix=".conf") as file:
        file.write("[waybill]\n" + "".join(f"{name}={value}\n" for name, value in parse_dsn(url).items()))
        file.flush()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        yield "service=waybill", {**kept, "PGSERVICEFILE": file.name, "LC_ALL": "C"}


def _run(command: list[str | Path], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise ServerError(f"{Path(command[0]).name} failed: {done.stderr.strip()}")
    return done.stdout

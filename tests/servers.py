"""Real servers for the tests: one private Postgres and Redis a run, shared by its processes.

Run as a program it keeps the servers of a folder alive as long as any process holds the folder's `users` lock. The
kernel lets go of a lock when its holder dies, so nothing is left over however a run ends.

With THROUGH_PGBOUNCER=1 all but the superuser go through a PgBouncer in transaction mode, which must be installed.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.parse import parse_qs, quote, urlsplit

import msgspec
import psycopg2

from runtime.servers import Addresses, Servers

ROOT = Path(__file__).resolve().parent.parent


def join(run: str) -> tuple[Addresses, IO[str]]:
    """The servers of a run, started by whoever comes first, and the lock to hold on to while using them."""
    folder = Path(tempfile.gettempdir()) / f"waybill-test-{run}"
    folder.mkdir(mode=0o700, exist_ok=True)
    users = open(folder / "users", "w")  # noqa: SIM115 - the caller's to close
    fcntl.flock(users, fcntl.LOCK_SH)
    ready, log = folder / "addresses.json", folder / "log"
    with open(folder / "start", "w") as start:
        fcntl.flock(start, fcntl.LOCK_EX)
        if not ready.exists():
            with open(log, "wb") as output:
                keeper = subprocess.Popen(
                    [sys.executable, "-P", "-m", "tests.servers", str(folder)],
                    cwd=ROOT,
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            while not ready.exists():
                if keeper.poll() is not None:
                    raise RuntimeError(f"the test servers do not start:\n{log.read_text()}")
                time.sleep(0.02)
    return msgspec.json.decode(ready.read_bytes(), type=Addresses), users


PGBOUNCER = """
[databases]
* = host={sockets} pool_size=40
[pgbouncer]
listen_addr =
unix_socket_dir = {folder}
listen_port = 6432
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = transaction
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options
"""


@contextlib.contextmanager
def pooled(folder: Path, addresses: Addresses) -> Iterator[Addresses]:
    """The same servers, with a pooler before Postgres; the role has the settings that it drops."""
    sockets = parse_qs(urlsplit(addresses.database_url).query)["host"][0]
    with contextlib.closing(psycopg2.connect(addresses.superuser_url)) as raw, raw, raw.cursor() as cursor:
        for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
            cursor.execute(f"alter role waybill set {setting} = '10s'")
        cursor.execute("alter role waybill set timezone = 'UTC'")
    (folder / "pgbouncer.ini").write_text(PGBOUNCER.format(sockets=sockets, folder=folder))
    (folder / "users.txt").write_text('"waybill" ""\n"postgres" ""\n')
    # It does not run as root; in a name space of users nobody is.
    as_nobody = ["unshare", "--user"] if os.geteuid() == 0 else []
    pooler = subprocess.Popen([*as_nobody, "pgbouncer", "-q", folder / "pgbouncer.ini"])
    try:
        yield msgspec.structs.replace(
            addresses, database_url=f"postgresql://waybill@/waybill?host={quote(str(folder))}&port=6432"
        )
    finally:
        pooler.terminate()
        pooler.wait()


def keep(folder: Path) -> None:
    with contextlib.ExitStack() as stack:
        addresses = stack.enter_context(Servers(folder / "servers", durable=False))
        if os.environ.get("THROUGH_PGBOUNCER"):
            addresses = stack.enter_context(pooled(folder, addresses))
        draft = folder / "addresses.new"
        draft.write_bytes(msgspec.json.encode(addresses))
        draft.rename(folder / "addresses.json")
        with open(folder / "users", "a") as users:
            while True:
                try:
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.1)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))

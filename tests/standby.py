"""A primary and a standby that streams from it, with the private Postgres's own binaries."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg2

from runtime.postgres import GOODBYE, NOBODY, Postgres
from runtime.processes import stop
from runtime.servers import Addresses, Servers
from tests.waiting import wait_until

NOT_COPIED = shutil.ignore_patterns("postmaster.*", "pg_replslot")


class Pair:
    def __init__(self, addresses: Addresses, standby: Postgres) -> None:
        self.primary_url, self.primary_superuser = addresses.database_url, addresses.superuser_url
        self.standby_url, self.standby_superuser = standby.database_url, standby.superuser_url

    def pause(self) -> None:
        """From now on the standby shows what it has, and nothing newer."""
        ask(self.standby_superuser, "select pg_wal_replay_pause()")
        wait_until(lambda: ask(self.standby_superuser, "select pg_get_wal_replay_pause_state()") == "paused")

    def resume(self) -> None:
        ask(self.standby_superuser, "select pg_wal_replay_resume()")

    def wait(self) -> None:
        """Until the standby shows all that the primary has."""
        place = ask(self.primary_superuser, "select pg_current_wal_insert_lsn()")
        wait_until(
            lambda: ask(self.standby_superuser, f"select pg_last_wal_replay_lsn() >= '{place}'"), what="the standby"
        )

    def wait_for_standby(self, name: str) -> None:
        """From a moment on no commit of the primary is answered before this standby has it; empty: none is needed."""
        with contextlib.closing(psycopg2.connect(self.primary_superuser)) as raw, raw.cursor() as cursor:
            raw.autocommit = True
            cursor.execute("alter role waybill set synchronous_commit = 'on'")  # of new connections
            cursor.execute(f"alter system set synchronous_standby_names = '{name}'")
            cursor.execute("select pg_reload_conf()")


def ask(url: str, sql: str) -> object:
    with contextlib.closing(psycopg2.connect(url)) as raw:
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchone()[0]


@contextlib.contextmanager
def streaming_pair(folder: Path) -> Iterator[Pair]:
    (folder / "standby").mkdir()
    with Servers(folder / "primary", redis=False, durable=False) as addresses, open(folder / "lock", "w") as lock:
        first, second = Postgres(folder / "primary", durable=False), Postgres(folder / "standby", durable=False)
        copy(addresses, first, second)
        child = second.start(lock.fileno())
        try:
            second.wait(child)
            yield Pair(addresses, second)
        finally:
            stop_standby(child, second)


def stop_standby(child: subprocess.Popen[bytes], standby: Postgres) -> None:
    stop(child, GOODBYE)
    standby.forget_sockets()


def copy(addresses: Addresses, primary: Postgres, standby: Postgres) -> None:
    """A base backup as the manual has it; pg_basebackup is not everywhere."""
    data = standby.home.data
    with contextlib.closing(psycopg2.connect(addresses.superuser_url)) as raw, raw.cursor() as cursor:
        raw.autocommit = True
        cursor.execute("select pg_backup_start('standby', true)")
        shutil.copytree(primary.home.data, data, ignore=NOT_COPIED, symlinks=True)
        cursor.execute("select labelfile from pg_backup_stop(false)")
        (data / "backup_label").write_text(cursor.fetchone()[0])
    (data / "pg_replslot").mkdir()
    (data / "standby.signal").touch()
    with open(data / "postgresql.auto.conf", "a") as settings:
        settings.write(f"primary_conninfo = 'host={primary.sockets} user=postgres'\n")
    if not standby.home.same_user:
        for path in (data, *data.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    data.chmod(0o700)

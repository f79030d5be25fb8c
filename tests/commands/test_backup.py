"""A backup and its way back, with Postgres' own tools."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from runtime import dumps, programs
from runtime.errors import ServerError
from runtime.servers import Addresses, Servers
from service import players
from store.database import Database
from store.migrate import migrate
from tests.commands.test_up import ROOT, environment
from tests.conftest import make_database
from tests.factories import make_game, make_player, play_some
from tests.store.test_log import CHANGES

# What keeps the tables as they are.
DEFENCES = {
    "triggers": "select tgrelid::regclass::text, tgname, tgenabled from pg_trigger"
    " where not tgisinternal order by 1, 2",
    "grants": "select c.oid::regclass::text, privilege, has_table_privilege(c.oid, privilege) from pg_class c,"
    " unnest(array['select', 'insert', 'update', 'delete', 'truncate']) privilege"
    " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1, 2",
    "public": "select count(*) from pg_class, aclexplode(relacl) where grantee = 0 and relname like 'log%'",
    "constraints": "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint"
    " where connamespace = 'public'::regnamespace order by 1, 2",
    "indexes": "select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1",
    "functions": "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2",
    "compression": "select attrelid::regclass::text, attname, attcompression from pg_attribute"
    " where attcompression <> '' order by 1, 2",
    "storage": "select relname, reloptions from pg_class where reloptions is not null order by 1",
}


def command(url: str, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "commands", *map(str, arguments)],
        cwd=ROOT,
        env={**environment(Path("/nonexistent")), "DATABASE_URL": url, **settings},
        capture_output=True,
        text=True,
        timeout=120,
    )


def contents(db: Database) -> dict[str, list[Any]]:
    """Every row of every table, and what keeps them as they are."""
    with db.session() as session:
        tables = session.rows("select tablename from pg_tables where schemaname = 'public' order by 1")
        rows = {name: session.rows(f"select t::text from {name} t order by 1") for (name,) in tables}
        return rows | {name: session.rows(sql) for name, sql in DEFENCES.items()}


@pytest.fixture
def full(run_servers: Addresses) -> Iterator[Database]:
    """A database with a game in play, a sealed phase, and players."""
    db = Database(make_database(run_servers, f"full_{os.getpid()}"))
    migrate(db)
    with db.transaction() as transaction:
        players.issue_token(transaction, make_player(db, "Ann").id, "laptop")
    game_id, _ = make_game(db)
    play_some(db, game_id, 30)
    make_game(db, bots=1)
    yield db
    db.close()
    drop(run_servers, f"full_{os.getpid()}")


def drop(addresses: Addresses, name: str) -> None:
    raw = psycopg2.connect(addresses.superuser_url)
    raw.autocommit = True
    with raw.cursor() as cursor:
        cursor.execute(f"drop database {name} with (force)")
    raw.close()


@pytest.fixture
def backup(full: Database, tmp_path: Path) -> Path:
    file = tmp_path / "my backup.dump"
    done = command(full.url, "backup", file)
    assert done.returncode == 0, done.stderr
    assert "my backup.dump" in done.stdout
    return file


def test_backup_comes_back_as_it_was_with_its_defences(full: Database, empty_database: Database, backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0
    done = command(empty_database.url, "restore", backup)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Everything is back.\nChecked: 2 of 2 games hold.\n"
    assert contents(empty_database) == contents(full)
    with empty_database.session() as session:
        game_id = session.value("select id from games order by sequence desc limit 1")
    for role in ("waybill", "postgres"):
        raw = psycopg2.connect(empty_database.url.replace("waybill@", f"{role}@"))
        for change in CHANGES:
            with pytest.raises(psycopg2.errors.InsufficientPrivilege), raw.cursor() as cursor:
                cursor.execute(change, {"game": game_id})
            raw.rollback()
        raw.close()
    assert play_some(empty_database, game_id, 35) >= 35
    make_game(empty_database)  # numbers go on where they were


def test_role_of_another_name_gets_the_same_rights(run_servers: Addresses, full: Database, backup: Path) -> None:
    name = f"elsewhere_{os.getpid()}"
    raw = psycopg2.connect(run_servers.superuser_url)
    raw.autocommit = True
    with raw.cursor() as cursor:
        cursor.execute(f"create role {name} login")
        cursor.execute(f"create database {name} owner {name}")
    db = Database(run_servers.database_url.replace("waybill@/waybill?", f"{name}@/{name}?"))
    done = command(db.url, "restore", backup, "--sample", 1)
    assert (done.returncode, done.stdout) == (0, "Everything is back.\nChecked: 1 of 1 games hold.\n"), done.stderr
    assert contents(db) == contents(full)
    db.close()
    with raw.cursor() as cursor:
        cursor.execute(f"drop database {name} with (force)")
        cursor.execute(f"drop role {name}")
    raw.close()


def test_database_that_is_not_empty_is_left_alone(full: Database, backup: Path) -> None:
    before = contents(full)
    done = command(full.url, "restore", backup)
    assert done.returncode == 1
    assert re.search(r"The database is not empty: it has the table \w+\. Restore into a new one", done.stderr)
    assert contents(full) == before


def test_nothing_is_overwritten(full: Database, backup: Path) -> None:
    size = backup.stat().st_size
    done = command(full.url, "backup", backup)
    assert done.returncode == 1
    assert "is there already; choose another name." in done.stderr
    assert backup.stat().st_size == size


def test_file_that_is_no_backup_is_refused_before_anything_happens(empty_database: Database, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    for file, reason in (("letter.txt", "pg_restore failed: "), ("none.dump", "There is no file ")):
        done = command(empty_database.url, "restore", tmp_path / file)
        assert done.returncode == 1
        assert reason in done.stderr
        assert "Traceback" not in done.stderr


def test_damaged_backup_brings_nothing_back(full: Database, empty_database: Database, backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[: backup.stat().st_size * 2 // 3])
    assert command(empty_database.url, "restore", backup).returncode == 1
    with empty_database.session() as session:
        assert session.value("select count(*) from pg_tables where schemaname = 'public'") == 0


def test_log_that_was_tampered_with_is_found(full: Database, empty_database: Database, tmp_path: Path) -> None:
    raw = psycopg2.connect(full.url.replace("waybill@", "postgres@"))
    with raw, raw.cursor() as cursor:
        cursor.execute("update games set position = replace(position, '\"cash\":', '\"cash\":1') where sequence > 5")
    raw.close()
    assert command(full.url, "backup", tmp_path / "tampered.dump").returncode == 0
    done = command(empty_database.url, "restore", tmp_path / "tampered.dump")
    assert done.returncode == 1
    assert "does not hold" in done.stderr
    assert "Checked: 1 of 2 games hold." in done.stdout


def test_password_is_on_no_command_line(full: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(dumps, "_run", lambda command, environment: seen.append([*map(str, command)]) or "")
    dumps.dump("postgresql://ann:hunter2@127.0.0.1/games", 15, tmp_path / "x.dump")
    assert "hunter2" not in str(seen)
    with dumps.connection("postgresql://ann:hunter2@127.0.0.1/games") as (_, environment):
        file = Path(environment["PGSERVICEFILE"])
        assert "password=hunter2" in file.read_text()
        assert file.stat().st_mode & 0o077 == 0


def test_wheels_own_server_is_kept_and_brought_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a folder with an odd name; and what an older server kept, a newer one takes, but not the other way."""
    monkeypatch.setattr(programs, "newest_postgres", programs.wheel_postgres)
    with Servers(tmp_path / "50% & more", redis=False, durable=False) as addresses:
        db = Database(addresses.database_url)
        migrate(db)
        make_game(db)
        dumps.dump(db.url, 18, tmp_path / "18.dump")
        assert dumps.dumped_from(tmp_path / "18.dump") == 18
        raw = psycopg2.connect(addresses.superuser_url)
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute("create database again owner waybill")
        raw.close()
        again = Database(db.url.replace("/waybill?", "/again?"))
        dumps.restore(again.url, 18, tmp_path / "18.dump")
        with again.session() as session:
            assert session.value("select count(*) from log") == 1
        with pytest.raises(ServerError, match="was made from Postgres 18; here is Postgres 15"):
            dumps.restore(again.url, 15, tmp_path / "18.dump")
        db.close()
        again.close()

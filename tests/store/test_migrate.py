"""The migrations' runner."""

import threading
from pathlib import Path

import pytest

from store.database import Database
from store.migrate import MigrationError, migrate, migrations, pending


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_one.sql").write_text("create table one (a int);")
    (tmp_path / "0002_two.sql").write_text("create table two (a int); insert into two values (1);")
    return tmp_path


def test_each_file_is_applied_once_and_in_order(empty_database: Database, folder: Path) -> None:
    assert [one.number for one in migrate(empty_database, folder)] == [1, 2]
    assert migrate(empty_database, folder) == []
    (folder / "0003_three.sql").write_text("insert into two values (2);")
    assert [one.name for one in pending(empty_database, folder)] == ["0003_three"]
    assert [one.name for one in migrate(empty_database, folder)] == ["0003_three"]
    with empty_database.session() as session:
        assert session.rows("select a from two order by a") == [(1,), (2,)]


def test_changed_file_is_refused(empty_database: Database, folder: Path) -> None:
    migrate(empty_database, folder)
    (folder / "0001_one.sql").write_text("create table other (a int);")
    with pytest.raises(MigrationError, match=r"0001_one\.sql was changed"):
        migrate(empty_database, folder)


def test_database_of_a_newer_version_is_refused(empty_database: Database, folder: Path) -> None:
    migrate(empty_database, folder)
    (folder / "0002_two.sql").unlink()
    with pytest.raises(MigrationError, match="has migration 2; this version, an older one, knows 1"):
        migrate(empty_database, folder)


def test_failing_file_leaves_nothing_of_it_behind(empty_database: Database, folder: Path) -> None:
    (folder / "0003_three.sql").write_text("create table three (a int); select 1 / 0;")
    with pytest.raises(Exception, match="division by zero"):
        migrate(empty_database, folder)
    assert [one.number for one in pending(empty_database, folder)] == [3]
    (folder / "0003_three.sql").write_text("create table three (a int);")
    assert [one.number for one in migrate(empty_database, folder)] == [3]


def test_several_at_once_apply_each_file_once(empty_database: Database) -> None:
    applied: list[int] = []
    start = threading.Barrier(6)

    def run() -> None:
        start.wait()
        applied.extend(one.number for one in migrate(empty_database))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(applied) == [one.number for one in migrations()]


def test_number_that_is_given_twice_is_refused(empty_database: Database, folder: Path) -> None:
    (folder / "0002_too.sql").write_text("select 1;")
    with pytest.raises(MigrationError, match="Two migrations have the number 2"):
        migrate(empty_database, folder)

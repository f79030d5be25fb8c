"""The private servers."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg2
import pytest

from runtime import postgres, processes, programs
from runtime.errors import ServerError
from runtime.redis_server import ping_redis
from runtime.servers import Servers
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of the test's own in place of the machine's."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)
        monkeypatch.setattr(postgres, "SHARED", Path(folder))
        yield


def version(url: str) -> int:
    raw = psycopg2.connect(url)
    number = raw.server_version // 10000
    raw.close()
    return number


@pytest.mark.parametrize("namespaces", [True, False], ids=["namespace", "nobody"])
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_servers_of_the_wheels_start_for_any_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, namespaces: bool, closed: bool
) -> None:
    """Also for root with or without user namespaces, and below a folder that nobody else may enter."""
    monkeypatch.setattr(programs, "newest_postgres", programs.wheel_postgres)
    monkeypatch.setattr(programs, "newest_redis", programs.wheel_redis)
    top = tmp_path / "top"
    top.mkdir(mode=0o700 if closed else 0o755)
    mode, mine = top.stat().st_mode, Servers(top / "home", namespaces=namespaces, durable=False)
    with mine as addresses:
        assert version(addresses.database_url) == 18
        assert ping_redis(addresses.redis_url)
    assert top.stat().st_mode == mode
    with mine as addresses:
        assert version(addresses.database_url) == 18


def test_data_is_found_again(tmp_path: Path) -> None:
    for seen in ([], [(1,)]):
        with Servers(tmp_path, redis=False, durable=False) as addresses:
            raw = psycopg2.connect(addresses.database_url)
            with raw, raw.cursor() as cursor:
                cursor.execute("create table if not exists kept (a int)")
                cursor.execute("select a from kept")
                assert cursor.fetchall() == seen
                cursor.execute("insert into kept values (1)")
            raw.close()


def test_second_user_of_a_folder_is_told(tmp_path: Path) -> None:
    with Servers(tmp_path, postgres=False), pytest.raises(ServerError, match="Another waybill is using"):
        Servers(tmp_path, postgres=False).__enter__()


def test_servers_die_with_a_killed_parent_and_start_again_after_it(tmp_path: Path) -> None:
    program = (
        "import sys, time, pathlib\nfrom runtime.servers import Servers\n"
        "with Servers(pathlib.Path(sys.argv[1]), durable=False):\n print('up', flush=True)\n time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    pid = int((tmp_path / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), what="the end of Postgres")
    with Servers(tmp_path, durable=False) as addresses:
        assert version(addresses.database_url)


def test_leftover_pid_file_of_another_process_is_no_obstacle(tmp_path: Path) -> None:
    """As after a power cut, when the number belongs to somebody else by now."""
    with Servers(tmp_path, redis=False, durable=False):
        pass
    data = tmp_path / "postgres" / "data"
    socket = tmp_path / "postgres" / "run"
    (data / "postmaster.pid").write_text(f"{os.getppid()}\n{data}\n{int(time.time())}\n5432\n{socket}\n\n\n")
    with Servers(tmp_path, redis=False, durable=False) as addresses:
        assert version(addresses.database_url)


def test_long_path_still_gives_a_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    with Servers(deep, redis=False, durable=False) as addresses:
        assert version(addresses.database_url)


@pytest.mark.parametrize("name", ["with space", "50% off", "you & me", 'a "b" c', "it's, so", "back\\slash", "schön"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    with Servers(tmp_path / name, durable=False) as addresses:
        assert version(addresses.database_url)
        assert version(addresses.superuser_url)
        assert ping_redis(addresses.redis_url)


def test_leftover_socket_lock_of_another_process_is_no_obstacle(tmp_path: Path) -> None:
    """As right after a kill -9 of everything, while the number still belongs to somebody."""
    with Servers(tmp_path, redis=False, durable=False):
        pass
    data, sockets = tmp_path / "postgres" / "data", tmp_path / "postgres" / "run"
    (sockets / ".s.PGSQL.5432").touch()
    (sockets / ".s.PGSQL.5432.lock").write_text(f"{os.getppid()}\n{data}\n{int(time.time())}\n5432\n{sockets}\n\n\n")
    with Servers(tmp_path, redis=False, durable=False) as addresses:
        assert version(addresses.database_url)


def test_redis_that_does_not_start_is_told_with_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho no memory left\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(programs, "newest_redis", lambda: broken)
    with pytest.raises(ServerError, match=r"Redis does not start; .*\n.*no memory left"):
        Servers(tmp_path, postgres=False).__enter__()


def test_ports_are_below_those_of_outgoing_connections() -> None:
    assert all(processes.free_port() < 32768 for _ in range(20))


def test_the_log_of_postgres_holds_nothing_that_a_statement_was_about(tmp_path: Path) -> None:
    with Servers(tmp_path, redis=False, durable=False) as addresses:
        raw = psycopg2.connect(addresses.database_url)
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute("create table people (name text unique)")
            for _ in range(2):
                with suppress(psycopg2.Error):
                    cursor.execute("insert into people values (%s)", ("ann@example.org",))
            with suppress(psycopg2.Error):
                cursor.execute("select 1 / 0 from people where name = %s", ("ann@example.org",))
        raw.close()
    log = (tmp_path / "postgres.log").read_text()
    assert "duplicate key value violates unique constraint" in log
    assert "ann@example.org" not in log

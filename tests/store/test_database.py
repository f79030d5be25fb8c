"""The pool: blocking, fork-safe, self-healing."""

import os
import threading

import pytest

from runtime.config import Config
from service.errors import Unavailable
from store.database import Database
from tests.waiting import wait_until


@pytest.fixture
def pool(config: Config) -> Database:
    pool = Database(config.database_url, size=2, timeout=0.3)
    yield pool
    pool.close()


own_connections = pytest.mark.skipif(
    "THROUGH_PGBOUNCER" in os.environ, reason="a pooler deals its connections out as it likes"
)


def backend(pool: Database) -> int:
    with pool.session() as session:
        return session.value("select pg_backend_pid()")


def test_connections_are_used_again(pool: Database) -> None:
    assert backend(pool) == backend(pool)


def test_empty_pool_blocks_and_then_says_so(pool: Database) -> None:
    busy = pytest.raises(Unavailable, match="All 2 database connections were busy")
    with pool.session(), pool.session(), busy, pool.session():
        pass
    assert backend(pool)


def test_waiting_caller_gets_the_connection_that_is_given_back(config: Config) -> None:
    pool = Database(config.database_url, size=1, timeout=30)
    got: list[int] = []
    with pool.session() as session:
        mine = session.value("select pg_backend_pid()")
        waiter = threading.Thread(target=lambda: got.append(backend(pool)))
        waiter.start()
        assert not got
    waiter.join()
    assert got == [mine]
    pool.close()


@own_connections
def test_killed_idle_connection_is_replaced_unnoticed(pool: Database, db: Database) -> None:
    victim = backend(pool)
    with db.session() as session:
        session.value("select pg_terminate_backend(%s, 5000)", victim)
    assert backend(pool) != victim


def test_connection_killed_in_use_is_unavailable_once(pool: Database, db: Database) -> None:
    def kill_and_ask() -> None:
        with pool.session() as mine, db.session() as session:
            session.value("select pg_terminate_backend(%s, 5000)", mine.value("select pg_backend_pid()"))
            mine.value("select 1")

    with pytest.raises(Unavailable):
        kill_and_ask()
    for _ in range(3):
        assert backend(pool)


def test_failed_block_is_rolled_back(pool: Database) -> None:
    def fail() -> None:
        with pool.transaction() as transaction:
            transaction.run("create table never (a int)")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with pool.session() as session:
        assert session.value("select to_regclass('never')") is None


def test_statement_that_takes_too_long_is_unavailable(config: Config) -> None:
    pool = Database(config.database_url, size=1, statement_timeout=0.05)
    with pytest.raises(Unavailable, match="statement timeout"), pool.session() as session:
        session.run("select pg_sleep(20)")
    assert backend(pool)
    pool.close()


@own_connections
def test_forked_child_makes_its_own_connections_and_leaves_the_parents_alone(pool: Database) -> None:
    mine = backend(pool)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer = b"?"
        try:
            answer = str(backend(pool)).encode()
            pool.close()
        finally:
            os.write(writing, answer)
            os._exit(0)
    os.waitpid(child, 0)
    theirs = int(os.read(reading, 100))
    os.close(reading)
    os.close(writing)
    assert theirs != mine
    assert backend(pool) == mine


def test_transaction_of_a_process_that_has_stopped_does_not_hold_a_game_for_ever(config: Config, db: Database) -> None:
    pool = Database(config.database_url, size=1, statement_timeout=0.2)

    def ask_too_late() -> None:
        with pool.transaction() as transaction:
            mine = transaction.value("select pg_backend_pid()")
            wait_until(lambda: not is_connected(db, mine), what="the end of the transaction")
            transaction.value("select 1")

    with pytest.raises(Unavailable):
        ask_too_late()
    assert backend(pool)
    pool.close()


def is_connected(db: Database, pid: int) -> bool:
    with db.session() as session:
        return session.value("select exists(select from pg_stat_activity where pid = %s)", pid)

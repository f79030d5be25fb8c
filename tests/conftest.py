"""Fixtures that tests of the store, the workers and the API share."""

import os
from collections.abc import Iterator

import psycopg2
import pytest
from hypothesis import settings

from api.application import ApiApp
from runtime.config import Config, read_config
from runtime.servers import Addresses
from service import notices
from store.database import Database
from store.migrate import migrate
from tests import servers
from tests.contract import CheckedClient

# A busy machine is no failure, nor is what other tests have left in the outbox.
settings.register_profile("waybill", deadline=None)
settings.load_profile("waybill")
notices.BUSY_SECONDS = 60.0

ApiApp.test_client_class = CheckedClient  # whatever a test asks the API for is held against the document


@pytest.fixture(scope="session")
def run_servers() -> Iterator[Addresses]:
    """The servers of this test run: started once, whichever test asks first, and gone with the last process."""
    addresses, users = servers.join(os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid())))
    with users:
        yield addresses


@pytest.fixture(scope="session")
def config(run_servers: Addresses, tmp_path_factory: pytest.TempPathFactory) -> Config:
    """The configuration of this process's own database (migrated) and Redis database.

    With AGAINST_DATABASE_URL=1 the database is that of DATABASE_URL, whatever it is made of; its games are the tests'.
    """
    name = os.environ.get("PYTEST_XDIST_WORKER", "main")
    number = 1 + int(name.removeprefix("gw")) if name != "main" else 0
    if os.environ.get("AGAINST_DATABASE_URL"):
        database_url = os.environ["DATABASE_URL"]
    else:
        database_url = make_database(run_servers, f"test_{name}")
    migrate(Database(database_url))
    redis_url = run_servers.redis_url.rpartition("/")[0] + f"/{number}"
    folder = str(tmp_path_factory.mktemp("folder"))
    return read_config({"DATABASE_URL": database_url, "REDIS_URL": redis_url, "WAYBILL_FOLDER": folder})


@pytest.fixture(scope="session")
def db(config: Config) -> Iterator[Database]:
    """The pool of this process. Tests share the database, so each makes its own players and games."""
    pool = Database.of(config)
    yield pool
    pool.close()


@pytest.fixture(autouse=True)
def _empty_outbox(request: pytest.FixtureRequest) -> None:
    """What other tests have left to tell is nobody's any more: whoever passes on would be busy with that."""
    if "db" in request.fixturenames:
        with request.getfixturevalue("db").session() as session:
            session.run("delete from outbox")


@pytest.fixture
def empty_database(run_servers: Addresses, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database of the test's own without any table."""
    name = f"empty_{os.getpid()}_{abs(hash(request.node.nodeid)) % 10**8}"
    pool = Database(make_database(run_servers, name))
    yield pool
    pool.close()


def make_database(addresses: Addresses, name: str) -> str:
    """A new database that belongs to the same owner as the real one: its address."""
    raw = psycopg2.connect(addresses.superuser_url)
    raw.autocommit = True
    with raw.cursor() as cursor:
        cursor.execute(f"create database {name} owner waybill")
    raw.close()
    return addresses.database_url.replace("@/waybill?", f"@/{name}?")

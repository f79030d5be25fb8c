"""A database that is there and says nothing, and one whose link was cut: whoever asks is told in time."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from ctypes import addressof, create_string_buffer

import psycopg2
import pytest

from runtime.config import Config
from store import watchdog
from store.database import SILENCE, Database
from store.errors import Unavailable
from store.migrate import LOCK, migrate
from tests.waiting import wait_until

SO_ATTACH_FILTER = 26
DROP_ALL = create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # a filter of one instruction: nothing passes


class Link:
    """A way to the database over TCP that can fall silent in two ways."""

    def __init__(self, config: Config) -> None:
        likes = psycopg2.extensions.parse_dsn(config.database_url)
        self.target = f"{likes['host']}/.s.PGSQL.{likes.get('port', '5432')}"
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://{likes['user']}@127.0.0.1:{self.door.getsockname()[1]}/{likes['dbname']}"
        self.ends: list[socket.socket] = []
        self.is_frozen = False
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.target)
                self.ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=ends, daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self.is_frozen:
                    target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """The kernel drops what arrives, unacknowledged: as if the cable had been pulled."""
        program = struct.pack("HP", 1, addressof(DROP_ALL))
        for end in self.ends:
            if end.family == socket.AF_INET:
                end.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)

    def close(self) -> None:
        self.door.close()
        for end in self.ends:
            end.close()


@pytest.fixture
def link(config: Config) -> Iterator[Link]:
    made = Link(config)
    yield made
    made.close()


def seconds_until_unavailable(pool: Database) -> float:
    began = time.monotonic()
    with pytest.raises(Unavailable), pool.session() as session:
        session.value("select 1")
    return time.monotonic() - began


def test_cut_link_is_noticed_by_the_kernel_long_before_anybody_gives_up(link: Link) -> None:
    """Nothing of ours ends the wait here: the statement timeout is a minute."""
    pool = Database(link.url, size=1, statement_timeout=60)
    with pool.session() as session:
        assert session.value("select 1") == 1
    link.cut()
    assert seconds_until_unavailable(pool) < 4 * SILENCE["tcp_user_timeout"] / 1000
    pool.close()


def test_link_that_is_acknowledged_and_not_answered_is_given_up(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a server or a proxy that is frozen, or a commit that waits for a standby: TCP finds nothing wrong."""
    monkeypatch.setattr(watchdog, "GRACE", 0.2)
    monkeypatch.setattr(watchdog, "CHECK_EVERY", 0.1)
    pool = Database(link.url, size=1, statement_timeout=0.3)
    with pool.session() as session:
        assert session.value("select 1") == 1
    link.is_frozen = True
    assert seconds_until_unavailable(pool) < 10
    link.is_frozen = False
    with pool.session() as session:  # a new connection
        assert session.value("select 1") == 1
    pool.close()


def test_migration_may_wait_for_another_one(
    config: Config, empty_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "GRACE", 0.0)
    impatient = Database(empty_database.url, statement_timeout=0.2)
    applied: list[object] = []
    waiter = threading.Thread(target=lambda: applied.extend(migrate(impatient)))
    with empty_database.transaction() as transaction:
        transaction.run("select pg_advisory_xact_lock(%s)", LOCK)
        waiter.start()

        def is_silent_for_too_long() -> bool:
            asked = [session.asked_at for session in impatient.sessions if session.asked_at]
            return bool(asked) and time.monotonic() - asked[0] > 0.5

        wait_until(is_silent_for_too_long, what="the migration's waiting")
        watchdog.hang_up_on_silence(impatient, time.monotonic())
    waiter.join()
    assert applied
    impatient.close()

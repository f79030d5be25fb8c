"""The pool of connections and how queries are made on one of them."""

import os
import select
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec
import psycopg2
from psycopg2 import errorcodes
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, connection

from runtime.config import Config
from runtime.metrics import POOL_TIMEOUTS, POOL_WAIT
from store import watchdog
from store.batches import Batches
from store.errors import Unavailable

T = TypeVar("T", bound=msgspec.Struct)
Role = Literal["primary", "standby"]

CONNECT_SECONDS = 3
# A server that is cut off does not say goodbye. Silence is asked about, and what is not acknowledged in this time is
# given up: without it a request waited for half a minute and more.
SILENCE: dict[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}

# Raised by a server that is going down, coming up, or has become a standby; none says that the query was wrong.
PASSING = (
    psycopg2.OperationalError,
    psycopg2.InterfaceError,
    psycopg2.errors.ReadOnlySqlTransaction,
    psycopg2.errors.IdleInTransactionSessionTimeout,
)


class Session:
    """A connection in use. Rows come as structs whose fields are the columns, in order."""

    def __init__(self, raw: connection) -> None:
        self.raw = raw
        self.asked_at = 0.0  # for the watchdog: when the statement was sent that has no answer yet
        self.may_take_long = False

    def run(self, sql: str, *values: Any) -> int:
        """Runs a statement and tells how many rows it touched."""
        with self.raw.cursor() as cursor:
            self._execute(cursor, sql, values or None)
            return int(cursor.rowcount)

    def rows(self, sql: str, *values: Any, **named: Any) -> list[tuple[Any, ...]]:
        with self.raw.cursor() as cursor:
            self._execute(cursor, sql, named or values or None)
            return cursor.fetchall()

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        with self.raw.cursor() as cursor:
            self._execute(cursor, sql, values or None)
            return cursor.fetchone()

    def _execute(self, cursor: Any, sql: str, values: Any) -> None:
        self.asked_at = time.monotonic()
        try:
            cursor.execute(sql, values)
        finally:
            self.asked_at = 0.0

    def value(self, sql: str, *values: Any) -> Any:
        row = self.row(sql, *values)
        return row[0] if row else None

    def all(self, kind: type[T], sql: str, *values: Any, **named: Any) -> list[T]:
        return [kind(*row) for row in self.rows(sql, *values, **named)]

    def one(self, kind: type[T], sql: str, *values: Any) -> T | None:
        row = self.row(sql, *values)
        return kind(*row) if row else None


def columns(kind: type[msgspec.Struct], alias: str = "") -> str:
    """The select list that fits a struct."""
    return ", ".join(f"{alias}.{name}" if alias else name for name in kind.__struct_fields__)


class Database:
    """A pool that blocks when it is empty, replaces broken connections, and starts afresh in a forked child."""

    def __init__(self, url: str, size: int = 8, timeout: float = 5, statement_timeout: float = 10) -> None:
        self.url = url
        self.size = size
        self.timeout = timeout
        self.statement_timeout = statement_timeout
        self.standby: Database | None = None  # see store.standby
        self.avoided_until = 0.0
        self._inherited: list[connection] = []
        self._reset()

    @classmethod
    def of(cls, config: Config) -> "Database":
        limits = config.pool_size, config.pool_timeout, config.statement_timeout
        made = cls(config.database_url, *limits)
        if config.read_url:
            made.standby = cls(config.read_url, *limits)
        return made

    def session(self) -> "Lease":
        """A connection on which every statement is its own transaction: one round trip each."""
        return Lease(self, is_transaction=False)

    def transaction(self) -> "Lease":
        """A transaction: committed at the end of the block, rolled back if the block raises."""
        return Lease(self, is_transaction=True)

    def write(self, game_id: str, call: str, values: Sequence[Any]) -> list[str]:
        """Calls a function that changes one game, perhaps in one transaction with others that do (`batches`)."""
        if self._owner != os.getpid():
            self._reset()
        return self._batches.write(self, game_id, call, values)

    def close(self) -> None:
        """Closes the idle connections."""
        if self.standby:
            self.standby.close()
        with self._free:
            while self._idle:
                self._idle.pop().close()

    def lend(self) -> connection:
        """A connection that is alive; it must be given back."""
        if self._owner != os.getpid():
            self._reset()
        self._enter()
        try:
            return self._take()
        except BaseException:
            self.give_back(None)
            raise

    def _reset(self) -> None:
        # A connection that came through a fork belongs to the parent. Closing it here would end the parent's session,
        # so it is kept, unused.
        self._inherited += getattr(self, "_idle", [])
        self._owner = os.getpid()
        self._free = threading.Condition()
        self._idle: list[connection] = []
        self._in_use = 0
        self.sessions: set[Session] = set()  # in use
        self._is_watched = False
        self._batches = Batches()

    def _enter(self) -> None:
        with self._free:
            if self._in_use >= self.size:
                self._wait()
            self._in_use += 1

    def _wait(self) -> None:
        """Until a connection is free."""
        began = time.monotonic()
        end = began + self.timeout
        while self._in_use >= self.size:
            if not self._free.wait(end - time.monotonic()) and time.monotonic() >= end:
                POOL_TIMEOUTS.inc()
                raise Unavailable(f"All {self.size} database connections were busy for {self.timeout:g} seconds.")
        POOL_WAIT.observe(time.monotonic() - began)

    def _take(self) -> connection:
        while True:
            with self._free:
                raw = self._idle.pop() if self._idle else None
            if raw is None:
                return self._connect()
            if _is_quiet(raw):
                return raw
            _close(raw)

    def _connect(self) -> connection:
        limit = int(self.statement_timeout * 1000)
        raw: connection = psycopg2.connect(
            self.url,
            connect_timeout=CONNECT_SECONDS,
            application_name="waybill",
            # Also a process that stops in the middle of a transaction must not hold a game for longer. Where a pooler
            # drops these, the role has them (docs/scale.md).
            options=f"-c statement_timeout={limit} -c idle_in_transaction_session_timeout={limit} -c timezone=UTC",
            **SILENCE,
        )
        raw.autocommit = True
        if not self._is_watched:
            self._is_watched = True
            watchdog.start(self)
        return raw

    def give_back(self, raw: connection | None) -> None:
        if raw is not None and not raw.closed and raw.get_transaction_status() != TRANSACTION_STATUS_IDLE:
            try:
                with raw.cursor() as cursor:
                    cursor.execute("rollback")
            except psycopg2.Error:
                _close(raw)
        with self._free:
            self._in_use -= 1
            if raw is not None and not raw.closed:
                self._idle.append(raw)
            self._free.notify()


def role(db: Database) -> Role | None:
    """What the database is: a standby can be read and takes no moves. None if it does not answer."""
    try:
        with db.session() as session:
            return "standby" if session.value("select pg_is_in_recovery()") else "primary"
    except Unavailable:
        return None


def server_version(session: Session) -> str:
    return str(session.value("show server_version"))


class Lease:
    """A block with a connection of the pool."""

    def __init__(self, pool: Database, is_transaction: bool) -> None:
        self.pool = pool
        self.is_transaction = is_transaction

    def __enter__(self) -> Session:
        try:
            self.raw = self.pool.lend()
        except psycopg2.Error as error:
            raise _translated(error) from error
        self.session = session = Session(self.raw)
        self.pool.sessions.add(session)
        if self.is_transaction:
            try:
                session.run("begin")
            except psycopg2.Error as error:
                self._give_back()
                raise _translated(error) from error
        return session

    def _give_back(self) -> None:
        self.session.asked_at = time.monotonic()  # what was begun may have to be rolled back
        self.pool.give_back(self.raw)
        self.pool.sessions.discard(self.session)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        try:
            if self.is_transaction and error is None:
                self.session.run("commit")
        except psycopg2.Error as failure:
            raise _translated(failure) from failure
        finally:
            self._give_back()
        if isinstance(error, psycopg2.Error):
            translated = _translated(error)
            if translated is not error:
                raise translated from error


def _translated(error: psycopg2.Error) -> Exception:
    """What the service says of an error: nothing of its own, unless the database is away for a while."""
    # A connection that is lost in the middle of an answer raises the base class itself.
    if isinstance(error, PASSING) or type(error) is psycopg2.DatabaseError:
        return Unavailable(f"The database does not answer: {_first_line(error)}")
    return error


def _is_quiet(raw: connection) -> bool:
    """Whether an idle connection is alive. A server never speaks first but to say goodbye, so this needs no query."""
    if raw.closed:
        return False
    poll = select.poll()
    poll.register(raw.fileno(), select.POLLIN | select.POLLHUP | select.POLLERR)
    return not poll.poll(0)


def _close(raw: connection) -> None:
    with suppress(psycopg2.Error):
        raw.close()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def is_unique_violation(error: Exception) -> str:
    """The name of the constraint that an insert broke, or nothing."""
    if isinstance(error, psycopg2.IntegrityError) and error.pgcode == errorcodes.UNIQUE_VIOLATION:
        return error.diag.constraint_name or ""
    return ""

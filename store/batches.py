"""Writes of different games that come at the same moment, in one call: each with its own verdict.

Whoever finds nobody at work writes at once, so one who comes alone waits for nothing. Those who come meanwhile write
together after that, in one statement and one commit. No game may hurt another: what fails together is done again by
each alone, and nobody waits long for others.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import psycopg2

from store.errors import Unavailable

if TYPE_CHECKING:
    from store.database import Database

AT_WORK = 2  # writes of a process on their way at a time; more of them are smaller, and so dearer
LONGEST_WAIT = 0.05  # seconds: for a game that somebody else holds, and for the writes before one's own
# The statement was taken back whole, so that each can be done again. Of a connection that broke nobody knows.
TOGETHER_ONLY = (psycopg2.errors.LockNotAvailable, psycopg2.errors.DeadlockDetected)


class Write:
    """A call of a function of the database that changes one game."""

    def __init__(self, game_id: str, call: str, values: Sequence[Any]) -> None:
        self.game_id, self.call, self.values = game_id, call, values
        self.batch: list[Write] = []  # that it has to write, itself among them
        self.turn = threading.Lock()  # let go of when it has its answer, or its batch to write
        self.turn.acquire()
        self.answer: list[str] | None = None
        self.error: Exception | None = None
        self.is_alone = False  # has to be written again by itself


class Batches:
    """The writes of a process that wait for each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Write] = []
        self._at_work = 0

    def write(self, db: "Database", game_id: str, call: str, values: Sequence[Any]) -> list[str]:
        """Calls a function, alone or with others; in a transaction of its own to all that it can tell."""
        write = Write(game_id, call, values)
        self._enter(write)
        if not write.batch and not write.turn.acquire(timeout=LONGEST_WAIT):
            self._go_ahead(write)
        if write.batch:
            try:
                _write(db, write.batch)
            finally:
                self._leave(write)
        if write.is_alone:
            _write_alone(db, write)
        if write.error:
            raise write.error
        if write.answer is None:
            raise Unavailable("The write was broken off together with another.")
        return write.answer

    def _enter(self, write: Write) -> None:
        with self._lock:
            if self._at_work < AT_WORK:
                self._at_work += 1
                write.batch = [write]
            else:
                self._waiting.append(write)

    def _go_ahead(self, write: Write) -> None:
        """Those at work are held up: writes what waits beside them, unless somebody has begun to."""
        with self._lock:
            if write in self._waiting:
                self._at_work += 1
                write.batch, self._waiting = self._waiting, []
                return
        write.turn.acquire()

    def _leave(self, write: Write) -> None:
        with self._lock:
            if self._waiting:
                batch, self._waiting = self._waiting, []
                batch[0].batch = batch
                batch[0].turn.release()
            else:
                self._at_work -= 1
        for other in write.batch:
            if other is not write:
                other.turn.release()


def _write(db: "Database", batch: list[Write]) -> None:
    if len(batch) == 1:
        _write_alone(db, batch[0])
        return
    batch.sort(key=lambda write: write.game_id)  # so that no two processes wait for each other
    calls = ", ".join([write.call for write in batch])
    limit = f"set_config('lock_timeout', '{LONGEST_WAIT * 1000:.0f}ms', true)"
    try:
        with db.session() as session:
            try:
                row = session.row(f"select {limit}, {calls}", *[value for write in batch for value in write.values])
            except psycopg2.Error as error:
                if isinstance(error, TOGETHER_ONLY) or not isinstance(error, psycopg2.OperationalError):
                    row = None
                else:
                    raise
    except Exception as error:
        for write in batch:
            write.error = error
        return
    for place, write in enumerate(batch, 1):
        write.is_alone = row is None
        write.answer = row[place] if row else None


def _write_alone(db: "Database", write: Write) -> None:
    write.is_alone = False
    try:
        with db.session() as session:
            write.answer = session.value(f"select {write.call}", *write.values)
    except Exception as error:
        write.error = error

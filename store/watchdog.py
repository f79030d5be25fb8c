"""Gives up on a database that is there and says nothing.

Neither keepalives nor the database's own limits end that: a frozen server still acknowledges what it gets, a proxy or a
pooler in between is alive, and a commit that waits for standbys waits for as long as it takes. So each process looks,
once a second, for statements that should have been answered by now, and hangs up: whoever waits is answered 503 and
may ask again. What became of the statement is as open as after any other lost connection.
"""

import os
import socket
import threading
import time
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg2

if TYPE_CHECKING:
    from store.database import Database, Session

CHECK_EVERY = 1.0  # seconds
GRACE = 2.0  # beyond the statement timeout, by which the server itself would have answered


def start(pool: "Database") -> None:
    threading.Thread(target=_watch, args=(weakref.ref(pool),), name="database watchdog", daemon=True).start()


def _watch(reference: "weakref.ref[Database]") -> None:
    owner = os.getpid()
    while (pool := reference()) is not None and os.getpid() == owner:
        hang_up_on_silence(pool, time.monotonic())
        del pool  # one that nobody uses any more may go
        time.sleep(CHECK_EVERY)


def hang_up_on_silence(pool: "Database", now: float) -> None:
    limit = pool.statement_timeout + GRACE
    for session in tuple(pool.sessions):
        asked_at = session.asked_at
        if asked_at and now - asked_at > limit and not session.may_take_long:
            _hang_up(session)


def _hang_up(session: "Session") -> None:
    """The thread that waits for the answer wakes up with an error; the connection itself is its to close."""
    with suppress(OSError, psycopg2.Error), socket.socket(fileno=os.dup(session.raw.fileno())) as link:
        link.shutdown(socket.SHUT_RDWR)

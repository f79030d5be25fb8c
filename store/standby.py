"""Reading elsewhere: what cannot change any more may be read from a standby, which may be behind.

A row of the log never changes, nor does a game that is over but for its players' names. So whoever asks says how to
tell that the standby has all of it; where it has not, or does not answer, the primary is asked.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from runtime.metrics import STANDBY_READS
from store.database import Database, Session
from store.errors import Unavailable

T = TypeVar("T")

AVOIDED_SECONDS = 5.0  # that a standby is left alone which did not answer: to try it again may take as long


def from_standby(db: Database, ask: Callable[[Session], T | None]) -> T | None:
    """What `ask` finds on the standby; None if it finds nothing, or there is no standby that answers."""
    standby = db.standby
    if standby is None or time.monotonic() < standby.avoided_until:
        return None
    try:
        with standby.session() as session:
            found = ask(session)
    except Unavailable:
        standby.avoided_until = time.monotonic() + AVOIDED_SECONDS
        STANDBY_READS.labels("away").inc()
        return None
    STANDBY_READS.labels("behind" if found is None else "answered").inc()
    return found


def read_past(db: Database, ask: Callable[[Session], T | None]) -> T:
    """What `ask` finds on the standby, or else on the primary, where it must be."""
    found = from_standby(db, ask)
    if found is None:
        with db.session() as session:
            found = ask(session)
    assert found is not None
    return found

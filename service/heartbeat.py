"""The heartbeat: every sweep leaves a sign of life, and the next one sees whether the service was away in between, or
whether somebody has set the clock. Then the deadlines move, so that nobody is late by it."""

import uuid
from datetime import timedelta
from functools import cache
from pathlib import Path

import structlog

from referee.contract import canonical
from runtime.wall_clock import monotonic, now
from store import deliveries, heartbeat
from store.database import Database, Session
from store.heartbeat import Beat

SWEEPS = 5  # that may be missed
SHORTEST_OUTAGE = 10.0  # seconds
MOST_ON_TOP = timedelta(minutes=15)  # that who would have had to answer in an outage gets after it
TOLD_FROM = timedelta(minutes=1)  # deadlines that move by less move without a word

log = structlog.get_logger("waybill.worker")


def shift_between(last: Beat, here: Beat, longest: float) -> timedelta:
    """By how much deadlines have to move, so that who had an hour left at the last sign of life has an hour left now,
    less what has really passed while the service was there. `longest` is how long, in seconds, no sign may be.

    On one machine the time that really passed is known: if the clock says something else, it was set, forwards or
    back. Of two machines only the clocks can be compared.
    """
    elapsed = here.beat_at - last.beat_at
    same = last.boot == here.boot and here.monotonic >= last.monotonic
    passed = here.monotonic - last.monotonic if same else abs(elapsed.total_seconds())
    if passed > longest:
        return elapsed
    jump = elapsed - timedelta(seconds=passed) if same else timedelta(0)
    return jump if abs(jump.total_seconds()) > longest else timedelta(0)


def jump_between(last: Beat, here: Beat, longest: float) -> timedelta:
    """By how much the clock was set, whether somebody was there or not. Of two machines it is known to have been set
    only where it has gone back."""
    elapsed = here.beat_at - last.beat_at
    same = last.boot == here.boot and here.monotonic >= last.monotonic
    jump = elapsed - timedelta(seconds=here.monotonic - last.monotonic) if same else min(elapsed, timedelta(0))
    return jump if abs(jump.total_seconds()) > longest else timedelta(0)


def beat(db: Database, every: float) -> timedelta:
    """Leaves a sign of life, as is done `every` so many seconds; by how much it had to move the deadlines."""
    with db.transaction() as transaction:
        last = heartbeat.lock(transaction)
        here = Beat(now(), monotonic(), boot())
        shift = shift_between(last, here, longest(every)) if last else timedelta(0)
        heartbeat.write(transaction, here)
        if last is None or not shift:
            return timedelta(0)
        same = last.boot == here.boot
        passed = timedelta(seconds=here.monotonic - last.monotonic if same else 0)
        was_away = passed.total_seconds() > longest(every) or not same
        most = MOST_ON_TOP if was_away else timedelta(0)
        if jump := jump_between(last, here, longest(every)):
            deliveries.shift(transaction, jump)
            heartbeat.look_again(transaction, here.beat_at, jump, passed)
        moved = heartbeat.move_deadlines(transaction, here.beat_at, shift, passed, most)
        heartbeat.add_outage(transaction, last.beat_at, here.beat_at, shift, len(moved))
        if abs(shift) >= TOLD_FROM:
            details = [canonical({"due_at": due.isoformat(), "why": "outage"}).decode() for _, _, due in moved]
            heartbeat.tell(transaction, moved, details)
    log.warning("deadlines moved", seconds=shift.total_seconds(), games=len(moved), away=was_away)
    return shift


def is_steady(session: Session, every: float) -> bool:
    """Whether the last sign of life is fresh: then the clock can be trusted, and deadlines may be acted on."""
    last = heartbeat.read(session)
    return last is not None and abs((now() - last.beat_at).total_seconds()) <= longest(every)


def longest(every: float) -> float:
    return max(SHORTEST_OUTAGE, SWEEPS * every)


@cache
def boot() -> str:
    """What tells a machine, since it was started, from any other: of processes with the same one the time that has
    passed can be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return uuid.uuid4().hex

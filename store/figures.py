"""Numbers that tell how the service is doing."""

import msgspec

from store import deliveries
from store.database import Session
from store.games import count_by_status


class Figures(msgspec.Struct, frozen=True):
    games: dict[str, int]  # by status
    overdue_phases: int  # games whose time is up and for whom nobody has played yet
    sweep_lag: float  # seconds that the work which waits longest has been due
    outbox: int  # what has happened and was not passed on yet
    outbox_oldest: float  # seconds that the oldest of it has waited
    deliveries: int  # notices that wait for their delivery
    deliveries_oldest: float  # seconds that the one which waits longest has been due


def read(session: Session, lease: int) -> Figures:
    """What a sweep has taken comes due again after the lease, in seconds, unless it is done by then."""
    overdue, lag = session.rows(
        "select count(*) filter (where coalesce(alarm_at, due_at) <= now()),"
        " coalesce(extract(epoch from now() - min(wake_at)), 0)::float8"
        " from games where wake_at <= now() + %s * interval '1 second' and status = 'running' and not sandbox",
        lease,
    )[0]
    outbox, oldest = session.rows(
        "select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from outbox"
    )[0]
    waiting = deliveries.backlog(session)
    return Figures(
        games={"open": 0, "running": 0, "paused": 0, "over": 0} | count_by_status(session),
        overdue_phases=overdue,
        sweep_lag=max(lag, 0.0),
        outbox=outbox,
        outbox_oldest=max(oldest, 0.0),
        deliveries=waiting.waiting,
        deliveries_oldest=waiting.oldest,
    )

"""Numbers that tell how the service is doing."""

import msgspec

from store.database import Session
from store.games import count_by_status


class Figures(msgspec.Struct, frozen=True):
    games: dict[str, int]  # by status
    overdue_phases: int  # games whose time is up and for whom nobody has played yet
    sweep_lag: float  # seconds that the work which waits longest has been due
    outbox: int  # what has happened and was not passed on yet


def read(session: Session, lease: int) -> Figures:
    """What a sweep has taken comes due again after the lease, in seconds, unless it is done by then."""
    overdue, lag = session.rows(
        "select count(*) filter (where coalesce(alarm_at, due_at) <= now()),"
        " coalesce(extract(epoch from now() - min(wake_at)), 0)::float8"
        " from games where wake_at <= now() + %s * interval '1 second' and status = 'running'",
        lease,
    )[0]
    return Figures(
        games={"open": 0, "running": 0, "paused": 0, "over": 0} | count_by_status(session),
        overdue_phases=overdue,
        sweep_lag=max(lag, 0.0),
        outbox=session.value("select count(*) from outbox"),
    )

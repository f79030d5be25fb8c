"""What an audit asks: the log with its times, what waits, and what each player was told."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from referee.log import Entry, Row
from store.database import Session


class TimedEntry(msgspec.Struct, frozen=True):
    entry: Entry
    written_at: datetime


class Waiting(msgspec.Struct, frozen=True):
    """What workers have still to do."""

    outbox: int
    deliveries: int
    resolvable: int  # running games with a complete sealed phase, or a bot in turn
    overdue: int  # whose time was up some seconds ago

    @property
    def is_nothing(self) -> bool:
        return not (self.outbox or self.deliveries or self.resolvable or self.overdue)


class NoticeAsKept(msgspec.Struct, frozen=True):
    id: int
    player_id: int
    cause: str
    kind: str
    sequence: int
    is_read: bool
    channels: list[str]  # by which it was delivered


def rows(session: Session, game_id: str) -> list[TimedEntry]:
    found = session.rows(
        "select payload, hash, created_at from log where game_id = %s order by sequence",
        game_id,
    )
    return [
        TimedEntry(Entry(msgspec.json.decode(payload, type=Row), payload.encode(), digest), written_at)
        for payload, digest, written_at in found
    ]


def waiting(session: Session, before: datetime) -> Waiting:
    """Deadlines count that passed before this moment."""
    found = session.one(
        Waiting,
        "select (select count(*) from outbox), (select count(*) from deliveries where state = 'waiting'),"
        " count(*) filter (where to_act = '{}' or to_act && bots),"
        " count(*) filter (where due_at < %s)"
        " from games where status = 'running'",
        before,
    )
    assert found is not None
    return found


def stalled(session: Session, before: datetime) -> list[str]:
    """Running games in which something should have happened by this moment."""
    found = session.rows(
        "select id from games where status = 'running'"
        " and (to_act = '{}' or to_act && bots or due_at < %s) order by id",
        before,
    )
    return [game_id for (game_id,) in found]


def notices(session: Session, game_id: str) -> list[NoticeAsKept]:
    return session.all(
        NoticeAsKept,
        "select n.id, n.player_id, n.cause, n.kind, n.sequence, n.read_at is not null,"
        " array(select channel from deliveries d where d.notice_id = n.id and d.state = 'delivered' order by channel)"
        " from notices n where n.game_id = %s order by n.id",
        game_id,
    )


def next_try(session: Session) -> datetime | None:
    """When the next delivery that waits for nothing but its time is tried."""
    moment: datetime | None = session.value(
        "select min(due_at) from deliveries d where state = 'waiting' and not exists("
        " select from deliveries e where e.state = 'waiting' and e.player_id = d.player_id"
        " and e.channel = d.channel and e.lane = d.lane and e.notice_id < d.notice_id)"
    )
    return moment


def longest_waits(session: Session, limit: int) -> list[tuple[str, str, int, datetime, str]]:
    """Deliveries that are tried last: player and game, channel, how often they were tried, when they are, and why."""
    rows = session.rows(
        "select player_id || ' ' || lane, channel, attempts, due_at, reason from deliveries where state = 'waiting'"
        " order by due_at desc limit %s",
        limit,
    )
    return [(lane, channel, attempts, due, reason) for lane, channel, attempts, due, reason in rows]


def rows_by_game(session: Session, player_id: int) -> dict[str, int]:
    """The games that a player sits in and that have begun, each with its last row."""
    return dict(
        session.rows(
            "select id, sequence from games where status <> 'open'"
            " and id in (select game_id from seats where player_id = %s)",
            player_id,
        )
    )


def feed(session: Session, player_id: int) -> list[int]:
    """The numbers of a player's notices, in their order."""
    rows = session.rows("select id from notices where player_id = %s and in_feed order by id", player_id)
    return [number for (number,) in rows]


def given_up(session: Session, game_ids: Collection[str]) -> list[int]:
    """Notices that a channel has not taken for two days."""
    found = session.rows(
        "select d.notice_id from deliveries d join notices n on n.id = d.notice_id"
        " where d.state = 'given_up' and n.game_id = any(%s) order by d.notice_id",
        list(game_ids),
    )
    return [notice_id for (notice_id,) in found]

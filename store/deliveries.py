"""Notices on their way: who tries which next, and what came of it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from store.database import Session, columns

State = Literal["waiting", "delivered", "dropped", "given_up"]


class NewDelivery(msgspec.Struct, frozen=True):
    """Of a notice that is made with it."""

    channel: str
    lane: str
    due_at: datetime
    state: State = "waiting"


class DeliveryRow(msgspec.Struct, frozen=True):
    """`due_at` is when it will be tried next; `reason` why it was dropped, given up, or did not succeed last time."""

    notice_id: int
    channel: str
    state: State
    attempts: int
    due_at: datetime
    first_tried_at: datetime | None
    done_at: datetime | None
    reason: str


class Lane(msgspec.Struct, frozen=True):
    """What is delivered in order: a player's notices of one game by one channel, or their digest."""

    player_id: int
    channel: str
    lane: str


class Held(msgspec.Struct, frozen=True):
    """A delivery that the caller has a lease on."""

    notice_id: int
    attempts: int
    first_tried_at: datetime


def due(session: Session, channels: Sequence[str], now: datetime, limit: int) -> list[Lane]:
    """Lanes whose first delivery has come due, the longest due first."""
    return session.all(
        Lane,
        "select player_id, channel, lane from deliveries d"
        " where state = 'waiting' and due_at <= %s and split_part(channel, ':', 1) = any(%s) and not exists("
        "  select from deliveries e where e.state = 'waiting' and e.player_id = d.player_id"
        "  and e.channel = d.channel and e.lane = d.lane and e.notice_id < d.notice_id)"
        " order by due_at limit %s",
        now,
        list(channels),
        limit,
    )


def hold(transaction: Session, lane: Lane, now: datetime, limit: int) -> list[DeliveryRow]:
    """The deliveries of a lane that are due, in order, for the caller alone until the transaction ends; none if another
    has the lane, or has taken it before."""
    key = f"{lane.player_id} {lane.channel} {lane.lane}"
    if not transaction.value("select pg_try_advisory_xact_lock(hashtext('delivery'), hashtext(%s))", key):
        return []
    waiting = transaction.all(
        DeliveryRow,
        f"select {columns(DeliveryRow)} from deliveries where state = 'waiting'"
        " and player_id = %s and channel = %s and lane = %s order by notice_id limit %s",
        lane.player_id,
        lane.channel,
        lane.lane,
        limit,
    )
    ready = []
    for delivery in waiting:  # one that is not due yet holds up those after it
        if delivery.due_at > now:
            break
        ready.append(delivery)
    return ready


def lease(transaction: Session, channel: str, notice_ids: Sequence[int], now: datetime, until: datetime) -> list[Held]:
    """Counts a try. Until then nobody else makes another; after that somebody does, whatever became of this one."""
    rows = transaction.rows(
        "update deliveries set attempts = attempts + 1, due_at = %s, first_tried_at = coalesce(first_tried_at, %s),"
        " reason = 'The last try has not come to an end.'"
        " where notice_id = any(%s) and channel = %s and state = 'waiting'"
        " returning notice_id, attempts, first_tried_at",
        until,
        now,
        list(notice_ids),
        channel,
    )
    return [Held(*row) for row in sorted(rows)]


def finish(session: Session, channel: str, notice_ids: Sequence[int], state: State, reason: str = "") -> None:
    """A delivery has come to its end: delivered, dropped or given up."""
    session.run(
        "update deliveries set state = %s, done_at = now(), reason = %s"
        " where notice_id = any(%s) and channel = %s and (state = 'waiting' or %s = 'delivered')",
        state,
        reason,
        list(notice_ids),
        channel,
        state,
    )


def put_off(session: Session, channel: str, notice_ids: Sequence[int], until: datetime, reason: str) -> None:
    session.run(
        "update deliveries set due_at = %s, reason = %s where notice_id = any(%s) and channel = %s"
        " and state = 'waiting'",
        until,
        reason,
        list(notice_ids),
        channel,
    )


def shift(transaction: Session, by: timedelta) -> None:
    """After the clock has jumped: what waits, waits as long as it would have."""
    transaction.run("update deliveries set due_at = due_at + %s where state = 'waiting'", by)


def of_notice(session: Session, notice_id: int) -> list[DeliveryRow]:
    return session.all(
        DeliveryRow, f"select {columns(DeliveryRow)} from deliveries where notice_id = %s order by channel", notice_id
    )


def has_got(session: Session, channel: str, player_id: int, game_id: str, before: int) -> bool:
    """Whether a player at the table has been told of a game by a channel, before a notice."""
    found = session.value(
        "select exists(select from deliveries d join notices n on n.id = d.notice_id"
        " where d.channel = %s and d.state = 'delivered' and n.player_id = %s and n.game_id = %s"
        " and n.seat is not null and n.id < %s)",
        channel,
        player_id,
        game_id,
        before,
    )
    return bool(found)


class Backlog(msgspec.Struct, frozen=True):
    waiting: int
    oldest: float  # seconds that the delivery which waits longest has been due


def backlog(session: Session) -> Backlog:
    waiting, oldest = session.rows(
        "select count(*), coalesce(extract(epoch from now() - min(due_at)), 0)::float8"
        " from deliveries where state = 'waiting'"
    )[0]
    return Backlog(waiting, max(oldest, 0.0))

"""Handing notices to their channels: at least once, in order for each game, player and channel, again after a failure.

Everything is looked at anew before a try: whether the notice has been read or answered, whether the player still wants
it, is looking at the game, or sleeps. A try is counted before it is made, with a lease as long as the time that
the channel has and the pause that would follow a failure: whatever becomes of the one who tries, the next try comes.
"""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache

import msgspec
import structlog

from referee.structs import preload_decoders
from runtime.metrics import DELIVERIES
from runtime.wall_clock import now as now_utc
from service.channels import FIRST_PAUSE as FIRST_PAUSE
from service.channels import Channel, Channels, NotDelivered, family, is_program, pause_after
from service.errors import Unavailable
from service.feed import NO_GAME, Told, in_words
from service.looking import Looking
from service.notices import ASKING
from service.preferences import Preferences, of_players
from service.push import PushChannel
from service.webhooks import TEST, Endpoint, WebhookChannel, note_failure
from store import deliveries, notices, players, webhooks
from store.database import Database, Session
from store.deliveries import DeliveryRow, Held, Lane
from store.notices import GameAsTold, NoticeRow
from store.players import Player

log = structlog.get_logger("waybill.deliveries")

LANES_AT_ONCE = 100
NOTICES_AT_ONCE = 50  # of one lane, in one delivery
GIVEN_UP_AFTER = timedelta(days=2)
MARGIN = timedelta(seconds=5)  # of a lease, for what has to be done beside the delivery
BUSY_SECONDS = 2.0  # for one lane, before others get its thread
PATIENCE = 0.2  # seconds that a worker waits for its channels before it does something else


class Parcel(msgspec.Struct, frozen=True):
    """What is handed to a channel at once, and the lease on it."""

    lane: Lane
    player: Player
    told: list[Told]
    held: list[Held]


def deliver_due(
    db: Database,
    channels: Channels,
    looking: Looking,
    clock: Callable[[], datetime] = now_utc,
    patience: float = PATIENCE,
) -> int:
    """Delivers what is due: how many parcels have been on their way. Channels that take longer than the patience go on
    in their own threads, so that one that hangs holds up nobody else."""
    _prepare()
    end, begun = time.monotonic() + patience, set[Lane]()
    while time.monotonic() < end:
        with db.session() as session:
            due = deliveries.due(session, channels.with_room(), clock(), LANES_AT_ONCE + len(begun))
        new = [lane for lane in due if lane not in begun]
        for lane in new:
            if channels.begin(lane):
                begun.add(lane)
                work = db, channels, looking, lane, clock
                threading.Thread(target=_work, args=work, name=f"deliver-{lane.channel}", daemon=True).start()
        if not channels.wait_for_an_end(begun, end - time.monotonic()) and not new:
            break
    return len(begun)


@cache
def _prepare() -> None:
    preload_decoders()


def _work(db: Database, channels: Channels, looking: Looking, lane: Lane, clock: Callable[[], datetime]) -> None:
    end = time.monotonic() + BUSY_SECONDS
    try:
        while parcel := take(db, channel := channel_of(channels, lane), looking, lane, clock()):
            if not hand_over(db, channel, parcel, clock, channels) or time.monotonic() >= end:
                break
    except Unavailable as error:
        log.warning("deliveries wait for the database", reason=error.message)
    except Exception:
        log.exception("delivery failed", channel=lane.channel)
    finally:
        channels.end(lane)


def channel_of(channels: Channels, lane: Lane) -> Channel:
    """The channel of a lane; of webhooks and browsers the one that is meant."""
    channel = channels.by_name[family(lane.channel)]
    return channel.one(lane.channel) if isinstance(channel, WebhookChannel | PushChannel) else channel


def take(db: Database, channel: Channel, looking: Looking, lane: Lane, now: datetime) -> Parcel | None:
    """What of a lane is to be delivered now, with a lease on it; the rest is dropped or put off."""
    with db.transaction() as transaction:
        ready = deliveries.hold(transaction, lane, now, NOTICES_AT_ONCE)
        if not ready:
            return None
        rows = notices.some(transaction, [delivery.notice_id for delivery in ready])
        player = players.some(transaction, [lane.player_id]).get(lane.player_id)
        rows = _without_the_given_up(transaction, lane, ready, rows, now)
        wanted = _still_wanted(transaction, channel, looking, lane, rows, player)
        if not wanted or player is None:
            return None
        if is_program(channel.name):
            wanted = wanted[:1]
        preferences = of_players(transaction, [lane.player_id])[lane.player_id]
        quiet_until = preferences.after_quiet_hours(now)
        ids = [row.id for row in wanted]
        if isinstance(channel, Endpoint):
            if (paused_until := channel.paused_until(now)) > now:
                deliveries.put_off(transaction, lane.channel, ids, paused_until, "The address failed just before.")
                return None
        elif lane.lane and quiet_until > now:
            deliveries.put_off(transaction, lane.channel, ids, quiet_until, "It waits for the end of your quiet hours.")
            return None
        attempts = 1 + max(delivery.attempts for delivery in ready if delivery.notice_id in ids)
        until = now + timedelta(seconds=channel.limit) + MARGIN + pause_after(attempts)
        held = deliveries.lease(transaction, lane.channel, ids, now, until)
        return Parcel(lane, player, in_words(transaction, wanted), held)


def _without_the_given_up(
    transaction: Session, lane: Lane, ready: Sequence[DeliveryRow], rows: Sequence[NoticeRow], now: datetime
) -> list[NoticeRow]:
    old = {
        delivery.notice_id: delivery.reason
        for delivery in ready
        if delivery.first_tried_at and now - delivery.first_tried_at >= GIVEN_UP_AFTER
    }
    for notice_id, reason in old.items():
        deliveries.finish(transaction, lane.channel, [notice_id], "given_up", reason)
        DELIVERIES.labels(family(lane.channel), "given_up").inc()
    return [row for row in rows if row.id not in old]


def _still_wanted(
    transaction: Session,
    channel: Channel,
    looking: Looking,
    lane: Lane,
    rows: Sequence[NoticeRow],
    player: Player | None,
) -> list[NoticeRow]:
    """Notices without those that need no delivery any more; these are dropped, with the reason."""
    is_asked_for = webhooks.is_again(transaction, lane.channel, [row.id for row in rows])
    preferences = of_players(transaction, [lane.player_id])[lane.player_id]
    games = notices.games_as_told(transaction, {row.game_id for row in rows})
    dropped: dict[str, list[int]] = {}
    wanted = []
    for row in rows:
        game = games.get(row.game_id, NO_GAME)
        if is_program(channel.name):
            reason = _superfluous_to_a_program(row, game, channel, player, row.id in is_asked_for)
        else:
            reason = _superfluous(row, game, channel, player, preferences)
            if not reason and not preferences.while_looking and looking.is_looking(lane.player_id, row.game_id):
                reason = "You were looking at the game."
        if reason:
            dropped.setdefault(reason, []).append(row.id)
        else:
            wanted.append(row)
    for reason, ids in dropped.items():
        deliveries.finish(transaction, lane.channel, ids, "dropped", reason)
        DELIVERIES.labels(family(lane.channel), "dropped").inc(len(ids))
    return wanted


def _superfluous(
    row: NoticeRow, game: GameAsTold, channel: Channel, player: Player | None, preferences: Preferences
) -> str:
    """Why a notice need not be delivered; nothing if it must."""
    if player is None or not channel.reaches(player):
        return "You cannot be reached by this channel any more."
    if row.read_at is not None:
        return "You have read it, or answered."
    if row.kind in ASKING and (row.seat is None or game.people[row.seat] != row.player_id):
        return "The seat is another's now."
    if row.kind in ASKING and row.kind != "offered" and (game.status != "running" or row.seat not in game.to_act):
        return "You have answered."
    if family(channel.name) not in preferences.choice(row.kind).channels:
        return "You do not want it by this channel any more."
    return ""


def _superfluous_to_a_program(
    row: NoticeRow, game: GameAsTold, channel: Channel, player: Player | None, is_asked_for: bool
) -> str:
    """A program is told of everything that it wants, but asked only what is still to be answered."""
    if player is None or not channel.reaches(player):
        return "The webhook is switched off."
    if is_asked_for or row.kind == TEST:
        return ""
    if row.kind in ASKING and row.kind != "offered" and (game.status != "running" or row.seat not in game.to_act):
        return "You have answered."
    return ""


def hand_over(
    db: Database,
    channel: Channel,
    parcel: Parcel,
    clock: Callable[[], datetime] = now_utc,
    channels: Channels | None = None,
) -> bool:
    """Lets the channel deliver, and notes what came of it: whether it was delivered."""
    ids = [held.notice_id for held in parcel.held]
    try:
        channel.deliver(parcel.player, parcel.told)
    except NotDelivered as error:
        _failed(db, parcel, error.reason, error.for_good, clock())
        if isinstance(channel, Endpoint):
            note_failure(db, channels or Channels(), channel, error.reason, error.for_good, clock())
    except Exception as error:
        log.exception("channel failed", channel=channel.name)
        _failed(db, parcel, f"The channel failed ({type(error).__name__}).", False, clock())
    else:
        with db.session() as session:
            deliveries.finish(session, channel.name, ids, "delivered")
        DELIVERIES.labels(family(channel.name), "delivered").inc(len(ids))
        return True
    return False


def _failed(db: Database, parcel: Parcel, reason: str, for_good: bool, now: datetime) -> None:
    """Given up at once if to try again would not help, else when the two days are over: see `take`."""
    channel, ids = parcel.lane.channel, [held.notice_id for held in parcel.held]
    attempts = max(held.attempts for held in parcel.held)
    last = min(held.first_tried_at for held in parcel.held) + GIVEN_UP_AFTER
    with db.session() as session:
        if for_good:
            deliveries.finish(session, channel, ids, "given_up", reason)
        else:
            until = now + pause_after(attempts)
            deliveries.put_off(session, channel, ids, min(until, last) if now < last else until, reason)
    DELIVERIES.labels(family(channel), "given_up" if for_good else "failed").inc(len(ids))

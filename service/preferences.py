"""What players want to be told, by which channel and when. Everybody has preferences: where none were set, these."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from service import invitations
from service.errors import Invalid
from store import notices, players
from store.database import Session
from store.players import Player

FEED, MAIL, PUSH = "feed", "mail", "push"
CHANNELS = (FEED, MAIL, PUSH)

# Everything that a player can be told of.
KINDS = (
    "your_turn",
    "phase_opened",
    "revealed",
    "offered",
    "reminder",
    "late",
    "standing_dropped",
    "press",
    "invited",
    "declined",
    "joined",
    "left",
    "replaced",
    "returned",
    "substitute_wanted",
    "paused",
    "resumed",
    "absence",
    "deadline_moved",
    "host_changed",
    "undo_asked",
    "undone",
    "game_over",
    "bounced",
    "webhook_off",
)
# What can wait until somebody looks, unless they say otherwise.
FEED_ALONE = frozenset(
    {"joined", "left", "returned", "substitute_wanted", "absence", "host_changed", "undone", "bounced"}
)


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to be told of one kind of thing; without a channel one is not told at all."""

    channels: tuple[str, ...] = CHANNELS
    when: Literal["at_once", "digest"] = "at_once"


class QuietHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """From one full hour until another, in the player's zone, perhaps over midnight."""

    since: int
    until: int

    def hold(self, hour: int) -> bool:
        if self.since < self.until:
            return self.since <= hour < self.until
        return hour >= self.since or hour < self.until


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    zone: str = "UTC"
    digest_hour: int = 8
    quiet_hours: QuietHours | None = None
    while_looking: bool = False  # also be told of a game that one is looking at
    kinds: dict[str, Choice] = {}  # those that were chosen; `choice` knows all

    def choice(self, kind: str) -> Choice:
        return self.kinds.get(kind) or Choice((FEED,) if kind in FEED_ALONE else CHANNELS)

    def due(self, kind: str, now: datetime) -> datetime:
        """When a notice of this kind goes out."""
        if self.choice(kind).when == "digest":
            return self.next_digest(now)
        return self.after_quiet_hours(now)

    def next_digest(self, now: datetime) -> datetime:
        local = now.astimezone(ZoneInfo(self.zone))
        for days in (0, 1):
            day = local + timedelta(days=days)
            moment = day.replace(hour=self.digest_hour, minute=0, second=0, microsecond=0, fold=0).astimezone(UTC)
            if moment > now:
                break
        return moment

    def after_quiet_hours(self, now: datetime) -> datetime:
        """Now, or the end of the quiet hours that it falls into."""
        if self.quiet_hours is None or not self.quiet_hours.hold(now.astimezone(ZoneInfo(self.zone)).hour):
            return now
        local = now.astimezone(ZoneInfo(self.zone))
        for days in (0, 1):
            day = local + timedelta(days=days)
            moment = day.replace(hour=self.quiet_hours.until, minute=0, second=0, microsecond=0).astimezone(UTC)
            if moment > now:
                break
        return moment

    def all_kinds(self) -> dict[str, Choice]:
        return {kind: self.choice(kind) for kind in KINDS}


DEFAULT = Preferences()


def read(session: Session, player_id: int) -> Preferences:
    return of_players(session, [player_id])[player_id]


def of_players(session: Session, player_ids: Sequence[int]) -> dict[int, Preferences]:
    chosen = notices.choices(session, player_ids)
    return {player_id: _decoded(chosen.get(player_id)) for player_id in player_ids}


def players_with_preferences(session: Session, player_ids: Sequence[int]) -> list[tuple[Player, Preferences]]:
    """Players, without those who were forgotten, and what they want."""
    return [(player, _decoded(text)) for player, text in notices.players_with_choices(session, player_ids)]


def _decoded(text: str | None) -> Preferences:
    return msgspec.json.decode(text, type=Preferences) if text else DEFAULT


def change(transaction: Session, player_id: int, changes: Mapping[str, Any]) -> Preferences:
    """Changes what is named, and of the kinds those that are named."""
    before = read(transaction, player_id)
    plain: dict[str, Any] = msgspec.to_builtins(before)
    plain |= {name: value for name, value in changes.items() if name != "kinds"}
    kinds: dict[str, Any] = dict(plain.get("kinds", {}))
    for kind, choice in changes.get("kinds", {}).items():
        kinds[kind] = msgspec.to_builtins(before.choice(kind)) | choice
    after = msgspec.convert(plain | {"kinds": kinds}, Preferences)
    check(after)
    notices.set_choices(transaction, player_id, msgspec.json.encode(after).decode())
    return after


def stop_mail(transaction: Session, player_id: int) -> None:
    """No more mail of anything; the other channels stay."""
    before = read(transaction, player_id)
    player = players.by_id(transaction, player_id)
    if player is not None and player.email is not None:
        invitations.refuse_mail(transaction, player.email, "stopped")
    without = {kind: [channel for channel in before.choice(kind).channels if channel != MAIL] for kind in KINDS}
    change(transaction, player_id, {"kinds": {kind: {"channels": left} for kind, left in without.items()}})


def check(preferences: Preferences) -> None:
    try:
        ZoneInfo(preferences.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid("zone", f"There is no zone {preferences.zone!r}; one is called Europe/Berlin.") from None
    quiet = preferences.quiet_hours
    if quiet and quiet.since == quiet.until:
        raise Invalid("quiet_hours", "Quiet hours from an hour to the same one would be none, or all of them.")

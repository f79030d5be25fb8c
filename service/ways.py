"""By which ways a notice reaches a player: channels that they chose, their webhooks, their browsers."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from service.channels import Channels
from service.preferences import FEED, PUSH, Preferences
from store import push, webhooks
from store.database import Session
from store.deliveries import NewDelivery
from store.players import Player


class Places(msgspec.Struct, frozen=True):
    """What a player has several of: webhooks with the kinds that each wants, and browsers, by their channels."""

    webhooks: list[tuple[str, list[str]]]
    browsers: list[str]


def places(session: Session, channels: Channels, player_ids: Collection[int]) -> dict[int, Places]:
    found = {player_id: Places([], []) for player_id in player_ids}
    for player_id, webhook_id, events in webhooks.wanted(session, player_ids):
        found[player_id].webhooks.append((webhooks.channel(webhook_id), events))
    if PUSH in channels.by_name:
        for player_id, channel in push.wanted(session, player_ids):
            found[player_id].browsers.append(channel)
    return found


def ways(
    channels: Channels,
    player: Player,
    preferences: Preferences,
    theirs: Places,
    kind: str,
    game_id: str,
    now: datetime,
) -> list[NewDelivery]:
    """How a notice reaches a player; not at all if there is none."""
    choice = preferences.choice(kind)
    lane, due_at = game_id if choice.when == "at_once" else "", preferences.due(kind, now)
    names = [channel.name for channel in channels if channel.name in choice.channels and channel.reaches(player)]
    if PUSH in choice.channels:
        names += theirs.browsers
    found = [NewDelivery(name, lane, due_at) for name in names]
    found += [NewDelivery(name, game_id, now) for name, events in theirs.webhooks if kind in events]
    if FEED in choice.channels:
        found.append(NewDelivery(FEED, lane, now, "delivered"))
    return found

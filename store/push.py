"""Browsers that players want to be told in."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from store.database import Session, columns


class SubscriptionRow(msgspec.Struct, frozen=True):
    """`device` is sealed."""

    id: int
    player_id: int
    label: str
    device: bytes
    created_at: datetime


def channel(subscription_id: int) -> str:
    return f"push:{subscription_id}"


def next_id(transaction: Session) -> int:
    """The number of a subscription to be: its device is sealed for it."""
    return int(transaction.value("select nextval(pg_get_serial_sequence('push_subscriptions', 'id'))"))


def insert(
    transaction: Session, subscription_id: int, player_id: int, label: str, device: bytes, digest: bytes
) -> SubscriptionRow:
    """In place of what the same browser had before, whoever it told."""
    transaction.run("delete from push_subscriptions where endpoint_digest = %s", digest)
    (found,) = transaction.all(
        SubscriptionRow,
        "insert into push_subscriptions (id, player_id, label, device, endpoint_digest) overriding system value"
        f" values (%s, %s, %s, %s, %s) returning {columns(SubscriptionRow)}",
        subscription_id,
        player_id,
        label,
        device,
        digest,
    )
    return found


def others(transaction: Session, player_id: int, digest: bytes) -> int:
    """How many other browsers the player has."""
    return int(
        transaction.value(
            "select count(*) from push_subscriptions where player_id = %s and endpoint_digest <> %s", player_id, digest
        )
    )


def of_player(session: Session, player_id: int) -> list[SubscriptionRow]:
    return session.all(
        SubscriptionRow,
        f"select {columns(SubscriptionRow)} from push_subscriptions where player_id = %s order by id",
        player_id,
    )


def find(session: Session, subscription_id: int) -> SubscriptionRow | None:
    return session.one(
        SubscriptionRow, f"select {columns(SubscriptionRow)} from push_subscriptions where id = %s", subscription_id
    )


def wanted(session: Session, player_ids: Iterable[int]) -> list[tuple[int, str]]:
    """(player, channel) of all browsers of these players."""
    rows = session.rows(
        "select player_id, id from push_subscriptions where player_id = any(%s) order by id", list(player_ids)
    )
    return [(player_id, channel(number)) for player_id, number in rows]


def delete(transaction: Session, subscription_id: int, player_id: int) -> bool:
    """Whether there was such a one. What is on its way there is dropped when its turn comes."""
    return bool(
        transaction.run("delete from push_subscriptions where id = %s and player_id = %s", subscription_id, player_id)
    )


def forget_player(transaction: Session, player_id: int) -> None:
    transaction.run("delete from push_subscriptions where player_id = %s", player_id)


def games_waiting(session: Session, player_id: int) -> int:
    """How many games wait for a player: the number on the app's icon."""
    return int(
        session.value(
            "select count(*) from seats s join games g on g.id = s.game_id"
            " where s.player_id = %s and not s.is_over and g.status = 'running' and s.seat = any(g.to_act)",
            player_id,
        )
    )

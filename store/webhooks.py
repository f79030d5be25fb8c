"""Webhooks: where programs of players are told, and what they answered."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from store.database import Session, columns
from store.deliveries import State

MOST_TRIES_SHOWN = 10  # of one delivery, the newest


class WebhookRow(msgspec.Struct, frozen=True):
    """`secret` and `former_secret` are sealed."""

    id: int
    player_id: int
    url: str
    label: str
    events: list[str]
    secret: bytes
    former_secret: bytes | None
    former_until: datetime | None
    created_at: datetime
    failing_since: datetime | None
    failures: int
    paused_until: datetime | None
    off_at: datetime | None
    off_why: str


class NewTry(msgspec.Struct, frozen=True):
    webhook_id: int
    notice_id: int
    milliseconds: int
    status: int | None
    answer: str
    reason: str


class Try(msgspec.Struct, frozen=True):
    notice_id: int
    tried_at: datetime
    milliseconds: int
    status: int | None
    answer: str
    reason: str


class Sent(msgspec.Struct, frozen=True):
    """A notice on its way to a webhook, or there."""

    notice_id: int
    kind: str
    game_id: str
    state: State
    attempts: int
    due_at: datetime
    done_at: datetime | None
    reason: str


def channel(webhook_id: int) -> str:
    return f"webhook:{webhook_id}"


def next_id(transaction: Session) -> int:
    """The number of a webhook to be: its secret is sealed for it."""
    return int(transaction.value("select nextval(pg_get_serial_sequence('webhooks', 'id'))"))


def insert(
    transaction: Session, webhook_id: int, player_id: int, url: str, label: str, events: Sequence[str], secret: bytes
) -> WebhookRow:
    (found,) = transaction.all(
        WebhookRow,
        "insert into webhooks (id, player_id, url, label, events, secret) overriding system value"
        f" values (%s, %s, %s, %s, %s, %s) returning {columns(WebhookRow)}",
        webhook_id,
        player_id,
        url,
        label,
        list(events),
        secret,
    )
    return found


def count(transaction: Session, player_id: int) -> int:
    return int(transaction.value("select count(*) from webhooks where player_id = %s", player_id))


def of_player(session: Session, player_id: int) -> list[WebhookRow]:
    return session.all(
        WebhookRow, f"select {columns(WebhookRow)} from webhooks where player_id = %s order by id", player_id
    )


def find(session: Session, webhook_id: int, player_id: int | None = None) -> WebhookRow | None:
    return session.one(
        WebhookRow,
        f"select {columns(WebhookRow)} from webhooks where id = %s and (%s is null or player_id = %s)",
        webhook_id,
        player_id,
        player_id,
    )


def locked(transaction: Session, player_id: int, webhook_id: int) -> WebhookRow | None:
    return transaction.one(
        WebhookRow,
        f"select {columns(WebhookRow)} from webhooks where id = %s and player_id = %s for update",
        webhook_id,
        player_id,
    )


def wanted(session: Session, player_ids: Iterable[int]) -> list[tuple[int, int, list[str]]]:
    """(player, webhook, events) of those that are on."""
    return [
        (player_id, webhook_id, events)
        for player_id, webhook_id, events in session.rows(
            "select player_id, id, events from webhooks where player_id = any(%s) and off_at is null order by id",
            list(player_ids),
        )
    ]


def change(transaction: Session, webhook_id: int, url: str, label: str, events: Sequence[str]) -> None:
    transaction.run(
        "update webhooks set url = %s, label = %s, events = %s where id = %s", url, label, list(events), webhook_id
    )


def switch_on(transaction: Session, webhook_id: int) -> None:
    transaction.run(
        "update webhooks set off_at = null, off_why = '', failing_since = null, failures = 0, paused_until = null"
        " where id = %s",
        webhook_id,
    )


def switch_off(transaction: Session, webhook_id: int, why: str) -> bool:
    """Whether it was on. What is on its way is dropped."""
    transaction.run(
        "update deliveries set state = 'dropped', done_at = now(), reason = 'The webhook is switched off.'"
        " where channel = %s and state = 'waiting'",
        channel(webhook_id),
    )
    return bool(
        transaction.run(
            "update webhooks set off_at = now(), off_why = %s where id = %s and off_at is null", why, webhook_id
        )
    )


def rotate(transaction: Session, webhook_id: int, secret: bytes, former_until: datetime) -> None:
    transaction.run(
        "update webhooks set former_secret = secret, former_until = %s, secret = %s where id = %s",
        former_until,
        secret,
        webhook_id,
    )


def delete(transaction: Session, player_id: int, webhook_id: int) -> bool:
    """Whether there was such a webhook. What is on its way to it has nowhere to go."""
    if not transaction.run("delete from webhooks where id = %s and player_id = %s", webhook_id, player_id):
        return False
    transaction.run("delete from deliveries where channel = %s", channel(webhook_id))
    return True


def forget_player(transaction: Session, player_id: int) -> None:
    transaction.run("delete from webhooks where player_id = %s", player_id)


def succeeded(session: Session, webhook_id: int) -> None:
    session.run(
        "update webhooks set failing_since = null, failures = 0, paused_until = null"
        " where id = %s and failing_since is not null",
        webhook_id,
    )


def failed(transaction: Session, webhook_id: int, now: datetime) -> WebhookRow | None:
    """Notes a failure: the webhook as it is then, or None if it is gone. Failures at the same time count once."""
    return transaction.one(
        WebhookRow,
        "update webhooks set failing_since = coalesce(failing_since, %s),"
        " failures = failures + (coalesce(paused_until, %s) <= %s)::int"
        f" where id = %s returning {columns(WebhookRow)}",
        now,
        now,
        now,
        webhook_id,
    )


def pause(transaction: Session, webhook_id: int, until: datetime) -> None:
    transaction.run("update webhooks set paused_until = greatest(paused_until, %s) where id = %s", until, webhook_id)


def add_try(session: Session, done: NewTry) -> None:
    values = msgspec.structs.astuple(done)
    session.run(
        f"insert into webhook_tries ({columns(NewTry)}) select {', '.join(['%s'] * len(values))}"
        " where exists(select from webhooks where id = %s) and exists(select from notices where id = %s)",
        *values,
        done.webhook_id,
        done.notice_id,
    )


def sent(session: Session, webhook_id: int, before: int | None, limit: int) -> list[Sent]:
    """The deliveries of a webhook, newest notice first."""
    return session.all(
        Sent,
        "select d.notice_id, n.kind, n.game_id, d.state, d.attempts, d.due_at, d.done_at, d.reason"
        " from deliveries d join notices n on n.id = d.notice_id"
        " where d.channel like 'webhook:%%' and d.channel = %s and d.notice_id < %s"
        " order by d.notice_id desc limit %s",
        channel(webhook_id),
        2**62 if before is None else before,
        limit,
    )


def tries(session: Session, webhook_id: int, notice_ids: Sequence[int]) -> dict[int, list[Try]]:
    """The last tries of deliveries, oldest first."""
    found: dict[int, list[Try]] = {number: [] for number in notice_ids}
    for one in session.all(
        Try,
        f"select {columns(Try)} from (select *, row_number() over (partition by notice_id order by id desc) as place"
        " from webhook_tries where webhook_id = %s and notice_id = any(%s)) numbered where place <= %s order by id",
        webhook_id,
        list(notice_ids),
        MOST_TRIES_SHOWN,
    ):
        found[one.notice_id].append(one)
    return found


def again(transaction: Session, webhook_id: int, notice_id: int, now: datetime) -> bool:
    """Puts a delivery back to its beginning; whether there is such a one."""
    return bool(
        transaction.run(
            "update deliveries set state = 'waiting', attempts = 0, due_at = %s, first_tried_at = null, done_at = null,"
            " reason = '', again = true where notice_id = %s and channel = %s",
            now,
            notice_id,
            channel(webhook_id),
        )
    )


def is_again(session: Session, channel: str, notice_ids: Sequence[int]) -> set[int]:
    """Those that the player has asked for again."""
    rows = session.rows(
        "select notice_id from deliveries where channel = %s and notice_id = any(%s) and again",
        channel,
        list(notice_ids),
    )
    return {number for (number,) in rows}

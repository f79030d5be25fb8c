"""Webhooks, by the convention of Standard Webhooks: programs of players are told by a signed request.

A webhook is one more channel of the notices, `webhook:<id>`, with its own choice of events. An address that fails is
left alone for a while that grows, and switched off after days of it; its player is told.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from runtime import outbound
from runtime.vault import Broken, NoKey, Vault
from runtime.wall_clock import now as now_utc
from service.channels import WEBHOOK, Channels, NotDelivered, pause_after
from service.errors import Conflict, Invalid, NotFound, Unavailable
from service.feed import Told
from service.idempotency import IdempotencyKey, Once, once
from service.notices import tell_player
from service.players import present
from service.preferences import KINDS
from service.telling import Content
from store import notices, webhooks
from store.database import Database, Session
from store.deliveries import NewDelivery
from store.notices import NewNotice
from store.players import Player
from store.webhooks import NewTry, Sent, Try, WebhookRow

MOST_OF_A_PLAYER = 10
SECRET_PREFIX, SECRET_BYTES = "whsec_", 32
FORMER_HOURS = 24  # that the former secret is signed with beside a new one
OFF_AFTER, OFF_AFTER_FAILURES = timedelta(days=3), 10
GONE = 410  # the receiver wants no more
TEST = "test"
EVENTS = KINDS
NO_SUCH_WEBHOOK = "You have no such webhook."


class Shown(msgspec.Struct, frozen=True):
    """A webhook as its player sees it, with the secret when it has just been made."""

    id: int
    url: str
    label: str
    events: list[str]
    created_at: datetime
    failing_since: datetime | None
    paused_until: datetime | None
    off_at: datetime | None
    off_why: str
    former_until: datetime | None
    secret: str | None = None


class Delivered(msgspec.Struct, frozen=True):
    """A delivery with the answers to its last tries."""

    sent: Sent
    tries: list[Try]


# What players do with them


class Desk:
    """What a player does with webhooks; the keeper of their secrets is the process's."""

    def __init__(self, db: Database, vault: Vault, allow_loopback: bool = False) -> None:
        self.db, self.vault, self.allow_loopback = db, vault, allow_loopback

    def create(
        self, player_id: int, url: str, label: str, events: Sequence[str], key: IdempotencyKey | None = None
    ) -> Once[Shown]:
        self._check(url)

        def make(transaction: Session) -> Shown:
            present(transaction, player_id)
            if webhooks.count(transaction, player_id) >= MOST_OF_A_PLAYER:
                raise Conflict(f"You have {MOST_OF_A_PLAYER} webhooks, and more are not allowed. Delete one first.")
            number, secret = webhooks.next_id(transaction), secrets.token_bytes(SECRET_BYTES)
            sealed = self._seal(secret, number)
            row = webhooks.insert(transaction, number, player_id, url, label, in_order(events), sealed)
            return shown(row, secret)

        return once(self.db, key, make, _reference, lambda transaction, found: self._again(transaction, found))

    def rotate(
        self, player_id: int, webhook_id: int, key: IdempotencyKey | None = None, now: datetime | None = None
    ) -> Once[Shown]:
        """A new secret; for a day everything is signed with the former one too."""

        def make(transaction: Session) -> Shown:
            known(transaction, player_id, webhook_id)
            secret, until = secrets.token_bytes(SECRET_BYTES), (now or now_utc()) + timedelta(hours=FORMER_HOURS)
            webhooks.rotate(transaction, webhook_id, self._seal(secret, webhook_id), until)
            return shown(known(transaction, player_id, webhook_id), secret)

        return once(self.db, key, make, _reference, lambda transaction, found: self._again(transaction, found))

    def change(self, player_id: int, webhook_id: int, changes: Mapping[str, Any]) -> Shown:
        if "url" in changes:
            self._check(changes["url"])
        with self.db.transaction() as transaction:
            row = webhooks.locked(transaction, player_id, webhook_id)
            if row is None:
                raise NotFound(NO_SUCH_WEBHOOK)
            events = in_order(changes.get("events", row.events))
            webhooks.change(
                transaction, webhook_id, changes.get("url", row.url), changes.get("label", row.label), events
            )
            if changes.get("on") is True:
                webhooks.switch_on(transaction, webhook_id)
            elif changes.get("on") is False:
                webhooks.switch_off(transaction, webhook_id, "You have switched it off.")
            return shown(known(transaction, player_id, webhook_id))

    def send_test(self, player_id: int, webhook_id: int, key: IdempotencyKey | None = None) -> Once[int]:
        return once(
            self.db,
            key,
            lambda transaction: send_test(transaction, player_id, webhook_id),
            str,
            lambda _, made: int(made),
        )

    def redeliver(
        self, player_id: int, webhook_id: int, notice_id: int, key: IdempotencyKey | None = None
    ) -> Once[int]:
        def again(transaction: Session) -> int:
            redeliver(transaction, player_id, webhook_id, notice_id)
            return notice_id

        return once(self.db, key, again, str, lambda _, made: int(made))

    def _check(self, url: str) -> None:
        try:
            outbound.target(url, self.allow_loopback)
        except outbound.Refused as error:
            raise Invalid("url", str(error)) from None

    def _seal(self, secret: bytes, webhook_id: int) -> bytes:
        try:
            return self.vault.seal(secret, _about(webhook_id))
        except NoKey as error:
            raise Unavailable(str(error)) from error

    def _again(self, transaction: Session, reference: str) -> Shown:
        """The same request came again: its answer did not arrive, so it holds the secret once more."""
        number, _, mark = reference.partition(" ")
        row = webhooks.find(transaction, int(number))
        if row is None or _mark(row) != mark:
            raise Conflict("This request was answered, and the webhook or its secret is another by now.")
        try:
            return shown(row, self.vault.open(row.secret, _about(row.id)))
        except (Broken, NoKey) as error:
            raise Unavailable(str(error)) from error


def _reference(made: Shown) -> str:
    """What is kept under an idempotency key: nothing that is secret."""
    assert made.secret is not None
    return f"{made.id} {made.created_at.timestamp()} {made.former_until and made.former_until.timestamp()}"


def _mark(row: WebhookRow) -> str:
    return f"{row.created_at.timestamp()} {row.former_until and row.former_until.timestamp()}"


def _about(webhook_id: int) -> str:
    return f"webhook {webhook_id}"


def in_order(events: Sequence[str]) -> list[str]:
    return [kind for kind in EVENTS if kind in events]


def shown(row: WebhookRow, secret: bytes | None = None) -> Shown:
    told = SECRET_PREFIX + base64.b64encode(secret).decode() if secret else None
    return Shown(
        id=row.id,
        url=row.url,
        label=row.label,
        events=row.events,
        created_at=row.created_at,
        failing_since=row.failing_since,
        paused_until=row.paused_until,
        off_at=row.off_at,
        off_why=row.off_why,
        former_until=row.former_until,
        secret=told,
    )


def known(session: Session, player_id: int, webhook_id: int) -> WebhookRow:
    row = webhooks.find(session, webhook_id, player_id)
    if row is None:
        raise NotFound(NO_SUCH_WEBHOOK)
    return row


def of_player(session: Session, player_id: int) -> list[Shown]:
    return [shown(row) for row in webhooks.of_player(session, player_id)]


def forget(transaction: Session, player_id: int) -> None:
    webhooks.forget_player(transaction, player_id)


def delete(transaction: Session, player_id: int, webhook_id: int) -> None:
    if not webhooks.delete(transaction, player_id, webhook_id):
        raise NotFound(NO_SUCH_WEBHOOK)


def deliveries(session: Session, player_id: int, webhook_id: int, before: int | None, limit: int) -> list[Delivered]:
    known(session, player_id, webhook_id)
    sent = webhooks.sent(session, webhook_id, before, limit)
    tries = webhooks.tries(session, webhook_id, [one.notice_id for one in sent])
    return [Delivered(one, tries[one.notice_id]) for one in sent]


def redeliver(transaction: Session, player_id: int, webhook_id: int, notice_id: int) -> None:
    _on(transaction, player_id, webhook_id)
    if not webhooks.again(transaction, webhook_id, notice_id, now_utc()):
        raise NotFound("This webhook has no such delivery, or not any more.")


def send_test(transaction: Session, player_id: int, webhook_id: int) -> int:
    """A delivery that tells of nothing: its number."""
    row = _on(transaction, player_id, webhook_id)
    now, cause = now_utc(), f"test:{row.id}:{secrets.token_hex(8)}"
    content = Content()
    notice = NewNotice(
        player_id=player_id,
        game_id="",
        cause=cause,
        kind=TEST,
        seat=None,
        about=None,
        sequence=-1,
        told_up_to=-1,
        content=msgspec.json.encode(content).decode(),
        in_feed=False,
        happened_at=now,
    )
    notices.insert(transaction, notice, [NewDelivery(webhooks.channel(row.id), "", now)])
    return notices.by_cause(transaction, player_id, "", cause)


def _on(transaction: Session, player_id: int, webhook_id: int) -> WebhookRow:
    row = known(transaction, player_id, webhook_id)
    if row.off_at is not None:
        raise Conflict('This webhook is switched off. Switch it on first: PATCH it with {"on": true}.')
    return row


# What is sent


def payload(told: Told) -> bytes:
    """The notice as `GET /notices` gives it, in the envelope of the convention."""
    return msgspec.json.encode({"type": told.kind, "timestamp": told.created_at, "data": told})


def signature(secrets_: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    signed = f"{message_id}.{timestamp}.".encode() + body
    digests = (hmac.digest(secret, signed, hashlib.sha256) for secret in secrets_)
    return " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)


class WebhookChannel:
    """All webhooks; `one` is that of one of them."""

    name = WEBHOOK
    limit = outbound.LIMIT + 2

    def __init__(
        self,
        db: Database,
        vault: Vault,
        allow_loopback: bool = False,
        clock: Callable[[], datetime] = now_utc,
        limit: float = outbound.LIMIT,
    ) -> None:
        self.db, self.vault, self.allow_loopback, self.clock = db, vault, allow_loopback, clock
        self.seconds, self.limit = limit, limit + 2

    def reaches(self, player: Player) -> bool:
        return False  # only by one of them

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        raise NotDelivered("This is no webhook.", for_good=True)

    def one(self, name: str) -> "Endpoint":
        with self.db.session() as session:
            return Endpoint(self, name, webhooks.find(session, int(name.removeprefix(f"{WEBHOOK}:"))))


class Endpoint:
    """One webhook as a channel, as it was when a delivery began."""

    def __init__(self, parent: WebhookChannel, name: str, row: WebhookRow | None) -> None:
        self.parent, self.name, self.row, self.limit = parent, name, row, parent.limit

    def reaches(self, player: Player) -> bool:
        return self.row is not None and self.row.off_at is None and self.row.player_id == player.id

    def paused_until(self, now: datetime) -> datetime:
        return max(now, self.row.paused_until) if self.row and self.row.paused_until else now

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        """One request for each notice. Raises NotDelivered."""
        assert self.row is not None
        secrets_ = self._secrets(self.row)
        for one in told:
            self._send(self.row, secrets_, one)

    def _secrets(self, row: WebhookRow) -> list[bytes]:
        sealed = [row.secret]
        if row.former_secret and row.former_until and self.parent.clock() < row.former_until:
            sealed.append(row.former_secret)
        try:
            return [self.parent.vault.open(one, _about(row.id)) for one in sealed]
        except (Broken, NoKey) as error:
            raise NotDelivered("The service has another key now: ask for a new secret for this webhook.") from error

    def _send(self, row: WebhookRow, secrets_: Sequence[bytes], told: Told) -> None:
        body, message_id, timestamp = payload(told), f"notice-{told.id}", int(self.parent.clock().timestamp())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Waybill-Webhook",
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secrets_, message_id, timestamp, body),
        }
        answer, reason = None, ""
        try:
            answer = outbound.post(row.url, body, headers, self.parent.allow_loopback, self.parent.seconds)
            if not 200 <= answer.status < 300:
                reason = f"Your program answered {answer.status}."
                if 300 <= answer.status < 400:
                    reason = f"Your program answered {answer.status}; redirects are not followed."
        except (outbound.Refused, outbound.NoAnswer) as error:
            reason = str(error)
        status, said, took = (answer.status, answer.body, answer.milliseconds) if answer else (None, "", 0)
        with self.parent.db.session() as session:
            webhooks.add_try(session, NewTry(row.id, told.id, took, status, said, reason))
            if not reason:
                webhooks.succeeded(session, row.id)
        if reason:
            raise NotDelivered(reason, for_good=status == GONE)


def note_failure(
    db: Database, channels: Channels, endpoint: Endpoint, reason: str, is_gone: bool, now: datetime
) -> None:
    """Leaves an address that fails alone for a while, or for good after days of it, which its player is told."""
    if endpoint.row is None:
        return
    with db.transaction() as transaction:
        row = webhooks.failed(transaction, endpoint.row.id, now)
        if row is None:
            return
        webhooks.pause(transaction, row.id, now + pause_after(row.failures))
        is_long = row.failing_since and now - row.failing_since >= OFF_AFTER and row.failures >= OFF_AFTER_FAILURES
        if not (is_gone or is_long):
            return
        why = (
            reason
            if is_gone
            else f"It has failed since {row.failing_since:%Y-%m-%d %H:%M} UTC; the last time: {reason}"
        )
        if webhooks.switch_off(transaction, row.id, why):
            detail = {"webhook": row.id, "url": row.url, "reason": why}
            content = Content(sentences=(f"Nothing goes to {row.url} any more. {why}",), detail=detail)
            tell_player(
                transaction, channels, row.player_id, "webhook_off", f"webhook_off:{row.id}:{now}", content, now
            )

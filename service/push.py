"""Web push: a player's browsers are told, also while the page is closed.

A browser is one more channel of the notices, `push:<id>`. The player's preferences for `push` say what it is told and
when, as for mail. Only where a service has a VAPID key: see runtime/web_push.py.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from runtime import outbound
from runtime.vault import Broken, NoKey, Vault
from runtime.wall_clock import now as now_utc
from runtime.web_push import AUTH_BYTES, Device, Vapid, encrypted, from_base64url, is_point
from service.channels import NotDelivered
from service.errors import Conflict, Invalid, NotFound, Unavailable
from service.feed import Told
from service.idempotency import IdempotencyKey, Once, once
from service.players import present
from service.preferences import PUSH
from store import push
from store.database import Database, Session
from store.players import Player
from store.push import SubscriptionRow

MOST_OF_A_PLAYER = 10
KEPT_FOR = timedelta(days=1)  # by the push service, for a browser that is not there
GONE = (404, 410)  # the browser wants no more
URGENT = frozenset({"your_turn", "phase_opened", "offered", "reminder", "late", "undo_asked"})
MOST_SENTENCES, MOST_LETTERS = 3, 300  # of what is shown; a phone shows less
NO_SUCH_SUBSCRIPTION = "You have no such subscription."


class Shown(msgspec.Struct, frozen=True):
    """A browser as its player sees it."""

    id: int
    label: str
    created_at: datetime


class Message(msgspec.Struct, frozen=True):
    """What a browser gets: the page's service worker shows it. `waiting` is how many games wait for the player."""

    title: str
    body: str
    url: str
    tag: str
    waiting: int


class Desk:
    """What a player does with browsers that are to be told."""

    def __init__(self, db: Database, vault: Vault, vapid: Vapid | None, allow_loopback: bool = False) -> None:
        self.db, self.vault, self.vapid, self.allow_loopback = db, vault, vapid, allow_loopback

    def subscribe(
        self, player_id: int, endpoint: str, p256dh: str, auth: str, label: str, key: IdempotencyKey | None = None
    ) -> Once[Shown]:
        """Tells a browser from now on. One that told somebody else, or this player before, does so no more."""
        if self.vapid is None:
            raise Conflict("This service tells no browsers: whoever runs it has set no WAYBILL_VAPID_KEY.")
        device = self._device(endpoint, p256dh, auth)
        digest = hashlib.sha256(endpoint.encode()).digest()

        def make(transaction: Session) -> Shown:
            present(transaction, player_id)
            if push.others(transaction, player_id, digest) >= MOST_OF_A_PLAYER:
                raise Conflict(f"{MOST_OF_A_PLAYER} browsers are told already, and more are not allowed. Remove one.")
            number = push.next_id(transaction)
            try:
                sealed = self.vault.seal(msgspec.json.encode(device), _about(number))
            except NoKey as error:
                raise Unavailable(str(error)) from error
            return shown(push.insert(transaction, number, player_id, label, sealed, digest))

        return once(self.db, key, make, lambda made: str(made.id), _again)

    def _device(self, endpoint: str, p256dh: str, auth: str) -> Device:
        try:
            outbound.target(endpoint, self.allow_loopback)
        except outbound.Refused as error:
            raise Invalid("endpoint", str(error)) from None
        point, secret = _bytes("p256dh", p256dh), _bytes("auth", auth)
        if not is_point(point):
            raise Invalid("p256dh", "It must be a public key of the curve P-256, uncompressed.")
        if len(secret) != AUTH_BYTES:
            raise Invalid("auth", f"It must have {AUTH_BYTES} bytes, not {len(secret)}.")
        return Device(endpoint, point, secret)


def _bytes(field: str, text: str) -> bytes:
    try:
        return from_base64url(text)
    except ValueError:
        raise Invalid(field, "It must be base64 in its form for addresses, as the browser gives it.") from None


def _about(subscription_id: int) -> str:
    return f"push {subscription_id}"


def _again(transaction: Session, reference: str) -> Shown:
    row = push.find(transaction, int(reference))
    if row is None:
        raise Conflict("This request was answered, and the subscription is gone or another by now.")
    return shown(row)


def shown(row: SubscriptionRow) -> Shown:
    return Shown(row.id, row.label, row.created_at)


def of_player(session: Session, player_id: int) -> list[Shown]:
    return [shown(row) for row in push.of_player(session, player_id)]


def unsubscribe(transaction: Session, player_id: int, subscription_id: int) -> None:
    if not push.delete(transaction, subscription_id, player_id):
        raise NotFound(NO_SUCH_SUBSCRIPTION)


def forget(transaction: Session, player_id: int) -> None:
    push.forget_player(transaction, player_id)


# What is sent


def message(told: Sequence[Told], waiting: int) -> Message:
    """What was told together, of one game or of several: the last of it in words. Nothing but what the feed says."""
    last = told[-1]
    games = {one.game_id for one in told}
    is_one_game = len(games) == 1 and last.game_id != ""
    title = (last.title or last.game) if is_one_game else "Waybill"
    sentences = [*last.sentences[-MOST_SENTENCES:], last.summary] if last.summary else list(last.sentences)
    body = " ".join([*sentences, *([last.prompt] if last.prompt else [])])
    if not is_one_game and len(told) > 1:
        body = "\n".join(f"{one.title or one.game}: {one.summary}" for one in told[-MOST_SENTENCES:])
    if len(body) > MOST_LETTERS:
        body = body[: MOST_LETTERS - 1] + "…"
    tag = last.game_id if is_one_game else "games"
    return Message(title, body, f"/games/{last.game_id}" if is_one_game else "/games", tag, waiting)


class PushChannel:
    """All browsers; `one` is that of one of them."""

    name = PUSH
    limit = outbound.LIMIT + 2

    def __init__(
        self,
        db: Database,
        vault: Vault,
        vapid: Vapid,
        allow_loopback: bool = False,
        clock: Callable[[], datetime] = now_utc,
    ) -> None:
        self.db, self.vault, self.vapid, self.allow_loopback, self.clock = db, vault, vapid, allow_loopback, clock

    def reaches(self, player: Player) -> bool:
        return False  # only by one of them

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        raise NotDelivered("This is no browser.", for_good=True)

    def one(self, name: str) -> "Browser":
        with self.db.session() as session:
            return Browser(self, name, push.find(session, int(name.removeprefix(f"{PUSH}:"))))


class Browser:
    """One browser as a channel, as it was when a delivery began."""

    limit = PushChannel.limit

    def __init__(self, parent: PushChannel, name: str, row: SubscriptionRow | None) -> None:
        self.parent, self.name, self.row = parent, name, row

    def reaches(self, player: Player) -> bool:
        return self.row is not None and self.row.player_id == player.id

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        """One message for all of it. Raises NotDelivered; a browser that is gone is forgotten."""
        assert self.row is not None
        device = self._device(self.row)
        with self.parent.db.session() as session:
            said = message(told, push.games_waiting(session, player.id))
        headers = {
            "Authorization": self.parent.vapid.authorization(device.endpoint, self.parent.clock()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(KEPT_FOR.total_seconds())),
            "Topic": _topic(said.tag),
            "Urgency": "high" if any(one.kind in URGENT for one in told) else "normal",
        }
        body = encrypted(msgspec.json.encode(said), device)
        try:
            answer = outbound.post(device.endpoint, body, headers, self.parent.allow_loopback)
        except (outbound.Refused, outbound.NoAnswer) as error:
            raise NotDelivered(str(error)) from None
        if answer.status in GONE:
            with self.parent.db.session() as session:
                push.delete(session, self.row.id, self.row.player_id)
            raise NotDelivered("This browser wants no more messages.", for_good=True)
        if not 200 <= answer.status < 300:
            raise NotDelivered(f"The push service answered {answer.status}.")

    def _device(self, row: SubscriptionRow) -> Device:
        try:
            return msgspec.json.decode(self.parent.vault.open(row.device, _about(row.id)), type=Device)
        except (Broken, NoKey) as error:
            raise NotDelivered("The service has another key now: switch messages in this browser on again.") from error


def _topic(tag: str) -> str:
    """A later message of a game takes the place of one that has not been fetched yet: 32 letters that tell nothing."""
    return base64.urlsafe_b64encode(hashlib.sha256(tag.encode()).digest()[:24]).decode()

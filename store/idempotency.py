"""Writes that may come again, by the caller's own key, and what is kept of their answers."""

import msgspec

from store.database import Session, columns
from store.errors import Unavailable

FORGOTTEN_AT_ONCE = 10_000  # keys, in one call, which must not take too long


class IdempotencyKey(msgspec.Struct, frozen=True):
    """A write that may come again: who sends it, under which key, and a digest of what it asks for."""

    scope: str  # "player:12", or for someone without a token the network address
    key: str
    fingerprint: str


class Answer(msgspec.Struct, frozen=True):
    """An answer as it was sent."""

    status: int
    body: str
    headers: dict[str, str] = {}


class Claim(msgspec.Struct, frozen=True):
    """What is known of a key: the request it belongs to, and the answer, or what was made (`reference`)."""

    fingerprint: str
    status: int | None
    body: str | None
    headers: str
    reference: str | None

    @property
    def answer(self) -> Answer:
        assert self.status is not None
        assert self.body is not None
        return Answer(self.status, self.body, msgspec.json.decode(self.headers))


def find(session: Session, key: IdempotencyKey, game_id: str = "") -> Claim | None:
    """The key of a move counts within its game."""
    return session.one(
        Claim,
        f"select {columns(Claim)} from idempotency where scope = %s and key = %s and game_id = %s",
        key.scope,
        key.key,
        game_id,
    )


def claim(transaction: Session, key: IdempotencyKey) -> Claim | None:
    """Takes a key for the rest of the transaction; an equal request waits here until this one is through.

    None if the key was free. Then the work is done and `keep` says what came of it, in the same transaction.
    """
    is_taken = transaction.run(
        "insert into idempotency (scope, key, fingerprint) values (%s, %s, %s) on conflict do nothing",
        key.scope,
        key.key,
        key.fingerprint,
    )
    if is_taken:
        return None
    settle(transaction)
    return find(transaction, key)


def settle(session: Session) -> None:
    """Waits, at the end of the transaction, until standbys that must have every commit have all of them so far.

    What was committed by someone whose connection was then lost can be seen although no standby has it, and would be
    lost with the primary. Before it is told a second time it must be safe; a commit comes after all earlier ones.
    """
    if not session.run("select pg_logical_emit_message(true, 'waybill', '') where not pg_is_in_recovery()"):
        raise Unavailable("The database has become a standby.")  # the function itself would not say so


def keep(transaction: Session, key: IdempotencyKey, reference: str) -> None:
    """Notes what the write under a claimed key has made."""
    transaction.run(
        "update idempotency set reference = %s where scope = %s and key = %s and game_id = ''",
        reference,
        key.scope,
        key.key,
    )


def forget(session: Session, hours: int) -> int:
    """Drops the oldest keys, if they are older than this: how many. At least as many as there are of one moment."""
    oldest = session.value(
        "select max(created_at) from (select created_at from idempotency"
        " where created_at < now() - %s * interval '1 hour' order by created_at limit %s) as oldest",
        hours,
        FORGOTTEN_AT_ONCE,
    )
    return session.run("delete from idempotency where created_at <= %s", oldest) if oldest else 0

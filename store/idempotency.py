"""Answers that were given already, by the caller's own key: a request that comes twice is done once."""

import msgspec

from store.database import Session, columns
from store.errors import KeyReused

AT_ONCE = 10_000  # keys forgotten in one call, which must not take too long


class Request(msgspec.Struct, frozen=True):
    """A write that may come again: who sends it, under which key, and a digest of what it asks for."""

    scope: str  # "player:12", or for someone without a token the network address
    key: str
    fingerprint: str


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: str
    headers: dict[str, str] = {}


class _Kept(msgspec.Struct, frozen=True):
    fingerprint: str
    status: int | None
    body: str | None
    headers: str


def find(session: Session, request: Request) -> Answer | None:
    """The answer that this request got before; KeyReused if the key belongs to another request."""
    kept = session.one(
        _Kept,
        f"select {columns(_Kept)} from idempotency where scope = %s and key = %s",
        request.scope,
        request.key,
    )
    if kept is None:
        return None
    if kept.fingerprint != request.fingerprint:
        raise key_reused()
    assert kept.status is not None
    assert kept.body is not None
    return Answer(kept.status, kept.body, msgspec.json.decode(kept.headers))


def begin(transaction: Session, request: Request) -> Answer | None:
    """Takes the key for the rest of the transaction; an equal request waits here until this one is through.

    The answer that was given before, if there is one; else do the work and end with `keep` in the same transaction.
    """
    taken = transaction.run(
        "insert into idempotency (scope, key, fingerprint) values (%s, %s, %s) on conflict do nothing",
        request.scope,
        request.key,
        request.fingerprint,
    )
    return None if taken else find(transaction, request)


def keep(transaction: Session, request: Request, answer: Answer) -> None:
    transaction.run(
        "update idempotency set status = %s, body = %s, headers = %s where scope = %s and key = %s",
        answer.status,
        answer.body,
        headers_text(answer),
        request.scope,
        request.key,
    )


def forget(session: Session, hours: int) -> int:
    """Drops some keys older than this: how many."""
    return session.run(
        "delete from idempotency where ctid = any(array("
        "select ctid from idempotency where created_at < now() - %s * interval '1 hour' limit %s))",
        hours,
        AT_ONCE,
    )


def headers_text(answer: Answer) -> str:
    return msgspec.json.encode(answer.headers).decode()


def key_reused() -> KeyReused:
    return KeyReused("This Idempotency-Key was used for another request; take a new one for each request.")

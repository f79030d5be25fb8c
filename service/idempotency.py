"""One protocol for every write that may come again: claim the key, do the work, keep what came of it.

A move keeps its answer (see `service.moves`, which does all of it in one call). Other writes keep a reference to
what they made; who repeats one is answered with that thing as it is now. A secret is never kept: one that nobody has
used is replaced by a fresh one, so that no copy of the database gives a token away, whatever the key was.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from service.errors import KeyReused
from store import idempotency
from store.database import Database, Session
from store.idempotency import Answer as Answer
from store.idempotency import Claim
from store.idempotency import IdempotencyKey as IdempotencyKey

T = TypeVar("T")


class Once(msgspec.Struct, Generic[T], frozen=True):
    """What a write has made, now or when the same request came first."""

    made: T
    is_repeated: bool = False


def once(
    db: Database,
    key: IdempotencyKey | None,
    work: Callable[[Session], T],
    refer: Callable[[T], str],
    again: Callable[[Session, str], T],
) -> Once[T]:
    """Does the work in a transaction. Under a key it is done once: `refer` names what it made, and `again` finds that
    when the request is repeated."""
    with db.transaction() as transaction:
        if key is None:
            return Once(work(transaction))
        claim = idempotency.claim(transaction, key)
        if claim is not None:
            check_same_request(claim, key)
            return Once(again(transaction, claim.reference or ""), is_repeated=True)
        made = work(transaction)
        idempotency.keep(transaction, key, refer(made))
        return Once(made)


def kept_answer(db: Database, game_id: str, key: IdempotencyKey) -> Answer | None:
    """The answer that a move got before; KeyReused if the key belongs to another request."""
    with db.session() as session:
        # Moves from before keys counted within a game have theirs without one.
        claim = idempotency.find(session, key, game_id) or idempotency.find(session, key)
        if claim is None:
            return None
        check_same_request(claim, key)
        idempotency.settle(session)
    return claim.answer


def check_same_request(claim: Claim, key: IdempotencyKey) -> None:
    if claim.fingerprint != key.fingerprint:
        raise KeyReused


def forget_old_keys(db: Database, hours: int) -> None:
    with db.session() as session:
        while idempotency.forget(session, hours):
            pass

"""What was sent to e-mail addresses to be sent back: a hash each, good once and for a while."""

from datetime import timedelta
from typing import Literal

import msgspec

from store.database import Session

Kind = Literal["prove", "sign-in"]

KEPT_HOURS = 24  # after that nothing of a link is left, used or not


class Link(msgspec.Struct, frozen=True):
    """Whose link it is, and to which address it went. Nobody's if no player has proved the address."""

    player_id: int | None
    email: str


def insert(
    transaction: Session, digest: bytes, kind: Kind, player_id: int | None, email: str, key: str, lasts: timedelta
) -> None:
    transaction.run("delete from links where created_at < now() - %s * interval '1 hour'", KEPT_HOURS)
    transaction.run(
        "insert into links (hash, kind, player_id, email, email_key, expires_at)"
        " values (%s, %s, %s, %s, %s, now() + %s)",
        digest,
        kind,
        player_id,
        email,
        key,
        lasts,
    )


def sent(session: Session, key: str) -> int:
    """How many went to an address in the last hour."""
    return int(
        session.value("select count(*) from links where email_key = %s and created_at > now() - interval '1 hour'", key)
    )


def use(transaction: Session, digest: bytes, kind: Kind) -> Link | None:
    """The link of a hash, which is used up with this; None if it is not known, was used, or is too old."""
    return transaction.one(
        Link,
        "update links set used_at = now()"
        " where hash = %s and kind = %s and used_at is null and expires_at > now() returning player_id, email",
        digest,
        kind,
    )

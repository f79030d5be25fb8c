"""Players and their tokens."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from store.database import Session, columns


class Player(msgspec.Struct, frozen=True):
    """A player. Their address is one that they have proved to be theirs; others are `unproved_email`."""

    id: int
    name: str
    email: str | None
    unproved_email: str | None
    created_at: datetime


class Token(msgspec.Struct, frozen=True):
    """A token as it is kept: its hash alone. `hint` is how its owner recognises it."""

    id: int
    player_id: int
    hint: str
    label: str
    scopes: list[str]
    created_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


class NameHeld(msgspec.Struct, frozen=True):
    """A name that a player has, or has given up less than a year ago, by its key."""

    key: str
    given_up_at: datetime | None


def insert(transaction: Session, name: str, key: str) -> Player:
    player = transaction.one(
        Player, f"insert into players (name, name_key) values (%s, %s) returning {columns(Player)}", name, key
    )
    assert player is not None
    return player


def claim_name(transaction: Session, player_id: int, key: str) -> bool:
    """Takes a name for a player: one that nobody has or had of late, or that was their own. False if it is taken."""
    transaction.run("delete from names where given_up_at < now() - interval '1 year'")
    return bool(
        transaction.run(
            "insert into names (key, player_id) values (%s, %s)"
            " on conflict (key) do update set given_up_at = null where names.player_id = excluded.player_id",
            key,
            player_id,
        )
    )


def give_up_name(transaction: Session, player_id: int, key: str) -> None:
    transaction.run("update names set given_up_at = now() where key = %s and player_id = %s", key, player_id)


def names_held(session: Session, player_id: int) -> list[NameHeld]:
    return session.all(NameHeld, f"select {columns(NameHeld)} from names where player_id = %s order by key", player_id)


def without_key(transaction: Session, limit: int) -> list[Player]:
    """Players from before there were keys."""
    return transaction.all(
        Player,
        f"select {columns(Player)} from players where name_key is null order by id limit %s for update skip locked",
        limit,
    )


def set_name_key(transaction: Session, player_id: int, key: str) -> None:
    transaction.run("update players set name_key = %s where id = %s", key, player_id)


def rename(transaction: Session, player_id: int, name: str, key: str) -> None:
    """Another name, here and on every seat that the player has or had."""
    transaction.run("update players set name = %s, name_key = %s where id = %s", name, key, player_id)
    transaction.run("update seats set name = %s where player_id = %s or left_by = %s", name, player_id, player_id)


def set_unproved_email(transaction: Session, player_id: int, email: str | None) -> None:
    transaction.run("update players set unproved_email = %s where id = %s", email, player_id)


def drop_email(transaction: Session, player_id: int) -> None:
    """The player has no address any more, nor what came to it."""
    transaction.run("update players set email = null, email_key = null where id = %s", player_id)
    transaction.run(
        "update seats set invited_player = null where invited_player = %s and invited_email_key is not null", player_id
    )


def lock_address(transaction: Session, key: str) -> None:
    """Until the transaction ends nobody else proves this address."""
    transaction.run("select pg_advisory_xact_lock(hashtext(%s))", f"address {key}")


def set_email(transaction: Session, player_id: int, email: str, key: str) -> None:
    """Gives a proved address to a player, from whoever had it, with the invitations that were sent to it."""
    lock_address(transaction, key)
    transaction.run(
        "update players set email = null, email_key = null where email_key = %s and id <> %s", key, player_id
    )
    transaction.run(
        "update players set email = %s, email_key = %s, unproved_email = null where id = %s", email, key, player_id
    )
    transaction.run(
        "update seats set invited_player = %s where invited_email_key = %s and invitation is not null", player_id, key
    )


def by_id(session: Session, player_id: int) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where id = %s", player_id)


def some(session: Session, player_ids: Sequence[int]) -> dict[int, Player]:
    """Players by number, without those who were forgotten."""
    found = session.all(
        Player,
        f"select {columns(Player)} from players where id = any(%s) and forgotten_at is null",
        list(player_ids),
    )
    return {player.id: player for player in found}


def locked(transaction: Session, player_id: int) -> Player | None:
    """A player, held until the transaction ends; None for one who was forgotten."""
    return transaction.one(
        Player, f"select {columns(Player)} from players where id = %s and forgotten_at is null for update", player_id
    )


def shared(transaction: Session, player_id: int) -> Player | None:
    """The same for several at a time: until the transaction ends the player is neither renamed nor forgotten."""
    return transaction.one(
        Player, f"select {columns(Player)} from players where id = %s and forgotten_at is null for share", player_id
    )


def by_name_key(session: Session, key: str) -> list[Player]:
    """The player with this key; from before there were keys there may be several."""
    return session.all(Player, f"select {columns(Player)} from players where name_key = %s order by id", key)


def by_email_key(session: Session, key: str) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where email_key = %s", key)


def by_token(session: Session, digest: bytes) -> tuple[Player, Token] | None:
    """The player of a token that is known and not revoked, and that token."""
    row = session.row(
        f"select {columns(Player, 'p')}, {columns(Token, 't')} from tokens t join players p on p.id = t.player_id"
        " where t.hash = %s and t.revoked_at is null",
        digest,
    )
    width = len(Player.__struct_fields__)
    return (Player(*row[:width]), Token(*row[width:])) if row else None


def insert_token(
    transaction: Session, player_id: int, digest: bytes, hint: str, label: str, scopes: Sequence[str]
) -> Token:
    token = transaction.one(
        Token,
        "insert into tokens (player_id, hash, hint, label, scopes) values (%s, %s, %s, %s, %s)"
        f" returning {columns(Token)}",
        player_id,
        digest,
        hint,
        label,
        list(scopes),
    )
    assert token is not None
    return token


def replace_unused_token(transaction: Session, token_id: int, digest: bytes, hint: str) -> Token | None:
    """Gives a token that nobody has used another secret; None if it was used or revoked."""
    return transaction.one(
        Token,
        "update tokens set hash = %s, hint = %s where id = %s and used_at is null and revoked_at is null"
        f" returning {columns(Token)}",
        digest,
        hint,
        token_id,
    )


def note_use(session: Session, token_id: int, digest: bytes) -> bool:
    """Marks a token as used; False if it has another secret by now."""
    return bool(
        session.run(
            "update tokens set used_at = coalesce(used_at, now()) where id = %s and hash = %s", token_id, digest
        )
    )


def tokens(session: Session, player_id: int) -> list[Token]:
    return session.all(Token, f"select {columns(Token)} from tokens where player_id = %s order by id", player_id)


def revoke_token(session: Session, player_id: int, token_id: int) -> bool:
    """Whether there was such a token to revoke."""
    return bool(
        session.run(
            "update tokens set revoked_at = now() where player_id = %s and id = %s and revoked_at is null",
            player_id,
            token_id,
        )
    )


def forget(transaction: Session, player_id: int) -> None:
    """Takes away all that tells who a player was. The number stays: rows of others name it."""
    transaction.run("update names set player_id = null, given_up_at = now() where player_id = %s", player_id)
    transaction.run(
        "update tokens set label = '', revoked_at = coalesce(revoked_at, now()) where player_id = %s", player_id
    )
    transaction.run("delete from links where player_id = %s", player_id)
    transaction.run("delete from bounces where player_id = %s", player_id)
    transaction.run("delete from invitations where player_id = %s", player_id)
    transaction.run("delete from idempotency where scope = %s", f"player:{player_id}")
    transaction.run(
        "update players set name = '', name_key = '', email = null, email_key = null, unproved_email = null,"
        " forgotten_at = now() where id = %s",
        player_id,
    )

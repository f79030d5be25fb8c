"""Players and their tokens."""

from datetime import datetime

import msgspec
import psycopg2

from store.database import Session, columns, is_unique_violation
from store.errors import Taken


class Player(msgspec.Struct, frozen=True):
    id: int
    name: str
    email: str | None
    created_at: datetime


class Token(msgspec.Struct, frozen=True):
    """A token as it is kept: its hash alone. `hint` is how its owner recognises it."""

    id: int
    player_id: int
    hint: str
    label: str
    created_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


def insert(transaction: Session, name: str, email: str | None) -> Player:
    """A new player. Raises Taken where the name or the address is somebody's, whatever its case."""
    return _unique(
        transaction, f"insert into players (name, email) values (%s, %s) returning {columns(Player)}", name, email
    )


def update(transaction: Session, player_id: int, **changes: str | None) -> Player:
    """Changes the name, the address, or both; what is not named stays as it is in the database."""
    assert changes.keys() <= {"name", "email"}
    assignments = ", ".join(["created_at = created_at", *(f"{column} = %s" for column in changes)])
    return _unique(
        transaction,
        f"update players set {assignments} where id = %s returning {columns(Player)}",
        *changes.values(),
        player_id,
    )


def _unique(transaction: Session, sql: str, *values: object) -> Player:
    try:
        player = transaction.one(Player, sql, *values)
    except psycopg2.IntegrityError as error:
        constraint = is_unique_violation(error)
        if not constraint:
            raise
        raise Taken(constraint) from None
    assert player is not None
    return player


def rename_in_open_games(transaction: Session, player_id: int, name: str) -> int:
    """Puts the name on the player's seats in games that have not begun: how many."""
    return transaction.run(
        "update seats s set name = %s from games g where g.id = s.game_id and g.status = 'open' and s.player_id = %s",
        name,
        player_id,
    )


def count_begun_games(session: Session, player_id: int) -> int:
    return int(
        session.value(
            "select count(*) from seats s join games g on g.id = s.game_id"
            " where s.player_id = %s and g.header is not null",
            player_id,
        )
    )


def by_id(session: Session, player_id: int) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where id = %s", player_id)


def by_name(session: Session, name: str) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where lower(name) = lower(%s)", name)


def by_email(session: Session, email: str) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where lower(email) = lower(%s)", email)


def by_token(session: Session, digest: bytes) -> tuple[Player, Token] | None:
    """The player of a token that is known and not revoked, and that token."""
    row = session.row(
        f"select {columns(Player, 'p')}, {columns(Token, 't')} from tokens t join players p on p.id = t.player_id"
        " where t.hash = %s and t.revoked_at is null",
        digest,
    )
    width = len(Player.__struct_fields__)
    return (Player(*row[:width]), Token(*row[width:])) if row else None


def insert_token(transaction: Session, player_id: int, digest: bytes, hint: str, label: str) -> Token:
    token = transaction.one(
        Token,
        f"insert into tokens (player_id, hash, hint, label) values (%s, %s, %s, %s) returning {columns(Token)}",
        player_id,
        digest,
        hint,
        label,
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

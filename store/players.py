"""Players and their tokens."""

import hashlib
import secrets
import string
import zlib
from datetime import datetime

import msgspec
import psycopg2

from store.database import Session, columns, is_unique_violation
from store.errors import Conflict

ALPHABET = string.digits + string.ascii_letters
TOKEN_PREFIX = "wb_"  # so that tokens are found where they do not belong
INVITATION_PREFIX = "wi_"
RANDOM = 32  # letters: 190 bits
CHECK = 6


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
    revoked_at: datetime | None


def make_secret(prefix: str = TOKEN_PREFIX) -> str:
    """A new token or invitation: prefix, random letters, and a checksum of both."""
    text = prefix + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM))
    return text + _check(text)


def is_well_formed(token: str, prefix: str = TOKEN_PREFIX) -> bool:
    """Whether this can be one of ours; a slip of the pen is seen without asking the database."""
    text, check = token[:-CHECK], token[-CHECK:]
    return len(text) == len(prefix) + RANDOM and text.startswith(prefix) and text.isascii() and _check(text) == check


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _check(text: str) -> str:
    number, letters = zlib.crc32(text.encode()), ""
    for _ in range(CHECK):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return letters


def create(transaction: Session, name: str, email: str | None = None) -> Player:
    """A new player. Names and addresses are unique, whatever their case."""
    return _unique(
        transaction, f"insert into players (name, email) values (%s, %s) returning {columns(Player)}", name, email
    )


def change(transaction: Session, player_id: int, **changes: str | None) -> Player:
    """Changes the name, the address, or both; what is not named stays as it is in the database."""
    assert changes.keys() <= {"name", "email"}
    wishes = ", ".join(["created_at = created_at", *(f"{column} = %s" for column in changes)])
    return _unique(
        transaction,
        f"update players set {wishes} where id = %s returning {columns(Player)}",
        *changes.values(),
        player_id,
    )


def _unique(transaction: Session, sql: str, *values: object) -> Player:
    try:
        player = transaction.one(Player, sql, *values)
    except psycopg2.IntegrityError as error:
        what = {"players_name": "name", "players_email": "e-mail address"}.get(is_unique_violation(error))
        if what is None:
            raise
        raise Conflict(f"There is a player with this {what} already.") from None
    assert player is not None
    return player


def by_id(session: Session, player_id: int) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where id = %s", player_id)


def by_name(session: Session, name: str) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where lower(name) = lower(%s)", name)


def by_email(session: Session, email: str) -> Player | None:
    return session.one(Player, f"select {columns(Player)} from players where lower(email) = lower(%s)", email)


def by_token(session: Session, token: str) -> Player | None:
    """The player of a token that is well formed, known and not revoked."""
    if not is_well_formed(token):
        return None
    return session.one(
        Player,
        f"select {columns(Player, 'p')} from tokens t join players p on p.id = t.player_id"
        " where t.hash = %s and t.revoked_at is null",
        digest(token),
    )


def issue_token(transaction: Session, player_id: int, label: str = "") -> tuple[str, Token]:
    """A new token: the text, which is told once and not kept, and its row."""
    text = make_secret()
    token = transaction.one(
        Token,
        "insert into tokens (player_id, hash, hint, label) values (%s, %s, %s, %s) returning " + columns(Token),
        player_id,
        digest(text),
        text[: len(TOKEN_PREFIX) + 4],
        label,
    )
    assert token is not None
    return text, token


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

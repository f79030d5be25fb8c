"""Players and their tokens."""

import msgspec

from service.errors import Banned, Conflict
from service.idempotency import IdempotencyKey, Once, once
from service.tokens import HINT, digest, is_well_formed, make_secret
from store import bans, players
from store.database import Database, Session
from store.errors import Taken
from store.players import Player as Player
from store.players import Token as Token

UNIQUE = {"players_name": "name", "players_email": "e-mail address"}


class IssuedToken(msgspec.Struct, frozen=True):
    """A token with its secret, which is shown once and not kept."""

    secret: str
    token: Token


class SignedUp(msgspec.Struct, frozen=True):
    player: Player
    issued: IssuedToken


def sign_up(db: Database, name: str, email: str | None = None, key: IdempotencyKey | None = None) -> Once[SignedUp]:
    """A new player with a token. Names and addresses are unique, whatever their case."""

    def work(transaction: Session) -> SignedUp:
        player = create(transaction, name, email)
        return SignedUp(player, issue_token(transaction, player.id, "sign-up"))

    def again(transaction: Session, reference: str) -> SignedUp:
        issued = reissue_token(transaction, int(reference))
        player = players.by_id(transaction, issued.token.player_id)
        assert player is not None
        return SignedUp(player, issued)

    return once(db, key, work, lambda made: str(made.issued.token.id), again)


def create(transaction: Session, name: str, email: str | None = None) -> Player:
    try:
        return players.insert(transaction, name, email)
    except Taken as error:
        raise _taken(error) from None


def change(transaction: Session, player_id: int, **changes: str | None) -> Player:
    """Changes the name, the address, or both."""
    try:
        return players.update(transaction, player_id, **changes)
    except Taken as error:
        raise _taken(error) from None


def _taken(error: Taken) -> Conflict:
    return Conflict(f"There is a player with this {UNIQUE[error.constraint]} already.")


def by_name(session: Session, name: str) -> Player | None:
    return players.by_name(session, name)


def by_email(session: Session, email: str) -> Player | None:
    return players.by_email(session, email)


def by_token(session: Session, secret: str) -> Player | None:
    """The player of a token that is well formed, known and not revoked. From now on the token is in use.

    Raises Banned for a player who is shut out.
    """
    if not is_well_formed(secret):
        return None
    found = players.by_token(session, digest(secret))
    if found is None:
        return None
    player, token = found
    if token.used_at is None and not players.note_use(session, token.id, digest(secret)):
        return None  # a repeated request has replaced it at this very moment
    if (reason := bans.reason(session, player.id)) is not None:
        raise Banned(reason)
    return player


def issue_token_once(
    db: Database, player_id: int, label: str = "", key: IdempotencyKey | None = None
) -> Once[IssuedToken]:
    """A further token for a player."""
    return once(
        db,
        key,
        lambda transaction: issue_token(transaction, player_id, label),
        lambda made: str(made.token.id),
        lambda transaction, reference: reissue_token(transaction, int(reference)),
    )


def issue_token(transaction: Session, player_id: int, label: str = "") -> IssuedToken:
    secret = make_secret()
    return IssuedToken(secret, players.insert_token(transaction, player_id, digest(secret), secret[:HINT], label))


def reissue_token(transaction: Session, token_id: int) -> IssuedToken:
    """The same token with a fresh secret: whoever asks again has not got the first one."""
    secret = make_secret()
    token = players.replace_unused_token(transaction, token_id, digest(secret), secret[:HINT])
    if token is None:
        raise Conflict(
            "This request was answered, and the token in that answer has been used."
            " A token is shown once; send the request under a new Idempotency-Key for another one."
        )
    return IssuedToken(secret, token)


class Renamed(msgspec.Struct, frozen=True):
    """What a new name changes, and where the old one stays."""

    player: Player
    open_games: int  # in which the seat shows the new name
    begun_games: int  # whose header, and so every hash of their log, holds the old one


def rename(transaction: Session, player: Player, name: str) -> Renamed:
    renamed = change(transaction, player.id, name=name)
    return Renamed(
        renamed,
        players.rename_in_open_games(transaction, player.id, name),
        players.count_begun_games(transaction, player.id),
    )


def ban(transaction: Session, player: Player, reason: str = "") -> None:
    """From now on no token of the player is good for anything. His seats stay his; where there is a clock, it runs."""
    bans.insert(transaction, player.id, reason)


def lift_ban(transaction: Session, player: Player) -> None:
    if not bans.delete(transaction, player.id):
        raise Conflict(f"{player.name} is not banned.")


def tokens(session: Session, player_id: int) -> list[Token]:
    return players.tokens(session, player_id)


def revoke_token(session: Session, player_id: int, token_id: int) -> bool:
    """Whether there was such a token to revoke."""
    return players.revoke_token(session, player_id, token_id)

"""Players and their tokens."""

from collections.abc import Sequence

import msgspec

from service.addresses import email_key
from service.errors import Banned, Conflict, NotFound
from service.idempotency import IdempotencyKey, Once, once
from service.names import check_name, folded, name_key
from service.tokens import HINT, digest, is_well_formed, make_secret
from store import bans, players
from store.database import Database, Session
from store.players import Player as Player
from store.players import Token as Token

ALL_SCOPES = ("read", "play", "host", "account")
FOR_PROGRAMS = ("read", "play", "host")  # what a token is for, unless its owner says otherwise
KEYS_AT_ONCE = 500


class IssuedToken(msgspec.Struct, frozen=True):
    """A token with its secret, which is shown once and not kept."""

    secret: str
    token: Token


class SignedIn(msgspec.Struct, frozen=True):
    """Whose token it is, and what may be done with it."""

    player: Player
    scopes: frozenset[str]


def create(transaction: Session, name: str, email: str | None = None) -> Player:
    """A new player. An address that comes along is taken as proved: who calls this vouches for it."""
    check_name(name)
    _work_out_keys(transaction)
    player = players.insert(transaction, name, name_key(name))
    _claim(transaction, player.id, name)
    if email is not None:
        players.set_email(transaction, player.id, email, email_key(email))
    return known(transaction, player.id)


def rename(transaction: Session, player_id: int, name: str) -> Player:
    """Gives a player another name, in every game too. The old one stays theirs to take back for a year."""
    check_name(name)
    _work_out_keys(transaction)
    player = players.locked(transaction, player_id)
    if player is None:
        raise NotFound("There is no such player any more.")
    if name_key(name) != name_key(player.name):
        _claim(transaction, player_id, name)
        players.give_up_name(transaction, player_id, name_key(player.name))
    players.rename(transaction, player_id, name, name_key(name))
    return known(transaction, player_id)


def _claim(transaction: Session, player_id: int, name: str) -> None:
    if not players.claim_name(transaction, player_id, name_key(name)):
        raise Conflict("There is a player with this name already, or with one that looks like it, or was of late.")


def _work_out_keys(transaction: Session) -> None:
    """Gives keys to the names of players from before there were any. Of those that look alike the first has the key."""
    while old := players.without_key(transaction, KEYS_AT_ONCE):
        for player in old:
            players.claim_name(transaction, player.id, name_key(player.name))
            players.set_name_key(transaction, player.id, name_key(player.name))


def present(transaction: Session, player_id: int) -> Player:
    """A player as they are now, who stays so until the transaction ends: neither renamed nor forgotten meanwhile."""
    player = players.shared(transaction, player_id)
    if player is None:
        raise NotFound("There is no such player any more.")
    return player


def known(session: Session, player_id: int) -> Player:
    """A player who is there."""
    player = players.by_id(session, player_id)
    if player is None:
        raise NotFound("There is no such player.")
    return player


def by_name(transaction: Session, name: str) -> Player | None:
    """The player of this name, whatever its case; not one whose name only looks like it."""
    _work_out_keys(transaction)
    alike = players.by_name_key(transaction, name_key(name))
    return next((player for player in alike if folded(player.name) == folded(name)), None)


def by_token(session: Session, secret: str) -> Player | None:
    """The player of a token."""
    found = signed_in(session, secret)
    return found.player if found else None


def signed_in(session: Session, secret: str) -> SignedIn | None:
    """Who signs in with a token that is well formed, known and not revoked. From now on the token is in use.

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
    return SignedIn(player, frozenset(token.scopes))


def issue_token_once(
    db: Database,
    player_id: int,
    label: str = "",
    scopes: Sequence[str] = FOR_PROGRAMS,
    key: IdempotencyKey | None = None,
) -> Once[IssuedToken]:
    """A further token for a player."""
    return once(
        db,
        key,
        lambda transaction: issue_token(transaction, player_id, label, scopes),
        lambda made: str(made.token.id),
        lambda transaction, reference: reissue_token(transaction, int(reference)),
    )


def issue_token(
    transaction: Session, player_id: int, label: str = "", scopes: Sequence[str] = ALL_SCOPES
) -> IssuedToken:
    """A token for some of what a player may do. All of them may read."""
    present(transaction, player_id)
    secret = make_secret()
    held = [scope for scope in ALL_SCOPES if scope == "read" or scope in scopes]
    return IssuedToken(secret, players.insert_token(transaction, player_id, digest(secret), secret[:HINT], label, held))


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

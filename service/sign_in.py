"""Signing up, and signing in again by a proved address when the token is lost."""

from datetime import timedelta

import msgspec

from mail.letters import Notice
from service import addresses
from service.errors import Banned, NotFound
from service.idempotency import IdempotencyKey, Once, once
from service.mailbox import Letter
from service.players import ALL_SCOPES, IssuedToken, Player, create, issue_token, known, reissue_token
from store import bans, players
from store.database import Database, Session

LASTS = timedelta(minutes=30)


class SignedUp(msgspec.Struct, frozen=True):
    """A player with a new token, and the letter that asks for a proof of the address, to be sent now."""

    player: Player
    issued: IssuedToken
    letter: Letter | None = None


def sign_up(db: Database, name: str, email: str | None = None, key: IdempotencyKey | None = None) -> Once[SignedUp]:
    """A new player with a token."""

    def work(transaction: Session) -> SignedUp:
        player = create(transaction, name)
        letter = addresses.name_address(transaction, player.id, email) if email else None
        issued = issue_token(transaction, player.id, "sign-up", ALL_SCOPES)
        return SignedUp(known(transaction, player.id), issued, letter)

    def again(transaction: Session, reference: str) -> SignedUp:
        issued = reissue_token(transaction, int(reference))
        return SignedUp(known(transaction, issued.token.player_id), issued)

    return once(db, key, work, lambda made: str(made.issued.token.id), again)


def ask(transaction: Session, email: str) -> Letter | None:
    """The letter for someone who has lost their token; another one if no player has proved this address."""
    player = addresses.by_email(transaction, email)
    secret = addresses.make_link(transaction, "sign-in", player.id if player else None, email, LASTS)
    if secret is None:
        return None
    if player is None:
        return Letter(email, "nobody", Notice(), secret)
    return Letter(player.email or email, "sign_in", Notice(name=player.name, secret=secret), secret)


def sign_in(transaction: Session, secret: str) -> SignedUp:
    """A new token for the player who has proved the address that a letter went to."""
    link = addresses.use_link(transaction, secret, "sign-in")
    player = players.locked(transaction, link.player_id) if link.player_id is not None else None
    if player is None or player.email is None or addresses.email_key(player.email) != addresses.email_key(link.email):
        raise NotFound(addresses.NOT_GOOD)
    if (reason := bans.reason(transaction, player.id)) is not None:
        raise Banned(reason)
    return SignedUp(player, issue_token(transaction, player.id, "sign-in", ALL_SCOPES))

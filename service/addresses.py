"""E-mail addresses: one counts when its owner has proved it.

To prove an address takes two things: being signed in as the player, and what was sent to the address. A stranger who
names somebody's address has only the first, the owner who gets that letter only the second. Nothing that is answered
depends on whether an address is known here, and neither does the work: a letter goes out in any case.
"""

from datetime import timedelta

from mail.letters import Notice
from service.errors import Conflict, NotFound
from service.mailbox import Letter
from service.tokens import LINK_PREFIX, digest, is_well_formed, make_secret
from store import bounces, links, players
from store.database import Session
from store.links import Kind, Link
from store.players import Player

PROVE_LASTS = timedelta(hours=24)
MOST_LETTERS = 5  # to an address in an hour; then nothing is sent, and nobody is told so

NOT_GOOD = "This is not good, or not any more: it works once, and not for long. Ask for another one."


def email_key(email: str) -> str:
    """What spellings of an address have in common: plain letters in either case. To fold others too would be a hole:
    addresses that differ in them are different mailboxes."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in email)


def name_address(transaction: Session, player_id: int, email: str) -> Letter | None:
    """A player says that an address is theirs: the letter that asks for the proof."""
    player = players.locked(transaction, player_id)
    if player is None:
        raise NotFound("There is no such player any more.")
    players.set_unproved_email(transaction, player.id, email)
    secret = make_link(transaction, "prove", player.id, email, PROVE_LASTS)
    if secret is None:
        return None
    return Letter(email, "proof", Notice(name=player.name, secret=secret), secret)


def prove(transaction: Session, player_id: int, secret: str) -> None:
    """The address that a letter went to is the player's from now on, whoever had it before."""
    link = use_link(transaction, secret, "prove")
    if link.player_id != player_id:
        raise Conflict("This was sent for another player: sign in as the one that the letter names.")
    players.set_email(transaction, player_id, link.email, email_key(link.email))
    bounces.forget(transaction, player_id)


def drop(transaction: Session, player_id: int) -> None:
    """The player has no address from now on, proved or not."""
    players.set_unproved_email(transaction, player_id, None)
    players.drop_email(transaction, player_id)


def by_email(session: Session, email: str) -> Player | None:
    """The player who has proved an address."""
    return players.by_email_key(session, email_key(email))


def make_link(transaction: Session, kind: Kind, player_id: int | None, email: str, lasts: timedelta) -> str | None:
    """The secret to be sent to an address; None if the address has got enough letters for now."""
    key = email_key(email)
    if links.sent(transaction, key) >= MOST_LETTERS:
        return None
    secret = make_secret(LINK_PREFIX)
    links.insert(transaction, digest(secret), kind, player_id, email, key, lasts)
    return secret


def use_link(transaction: Session, secret: str, kind: Kind) -> Link:
    """What a letter has asked to be sent back: for whom it was, and where it went. It is good once."""
    link = links.use(transaction, digest(secret), kind) if is_well_formed(secret, LINK_PREFIX) else None
    if link is None:
        raise NotFound(NOT_GOOD)
    return link

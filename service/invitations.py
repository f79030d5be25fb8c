"""Seats that are kept for an address: counted alike whether the address is known here or not, for nobody is told that.

Who is a player and has proved the address is told by a notice, as anybody is who is invited by name. To others a mail
goes out, see `guests`.
"""

from mail.reply import address_mark
from service.addresses import email_key
from service.errors import TooMany
from store import invitations, mail
from store.database import Session
from store.invitations import Why

DAY = 86400
MOST_OF_HOST = 20  # addresses that somebody may invite in a day


def check_host(session: Session, host: int, addresses: int) -> None:
    """Refuses more invitations than a host may send."""
    if not addresses:
        return
    sent, first_ago = invitations.of_host(session, host)
    if sent + addresses > MOST_OF_HOST:
        have = f"You may invite {MOST_OF_HOST} addresses in a day, and have invited {sent}"
        raise TooMany(f"{have}; this would be {addresses} more.", max(1, int(DAY - first_ago)))


def keep_for(transaction: Session, game_id: str, seat: int, host: int, email: str, is_known: bool) -> None:
    """Notes that a seat is kept for an address."""
    address = mark(transaction, email)
    invitations.insert(transaction, game_id, seat, host, address, "known" if is_known else "waiting")


def mark(session: Session, email: str) -> bytes:
    return address_mark(mail.secret(session, "reply"), email_key(email))


def refuse_mail(transaction: Session, email: str, why: Why) -> None:
    """Nobody can be invited by this address from now on, whoever it belongs to later."""
    invitations.refuse_mail(transaction, mark(transaction, email), why)


def allow_mail(transaction: Session, email: str) -> None:
    invitations.allow_mail(transaction, mark(transaction, email))

"""Mail to players that comes back: after one that says that the address is dead, or some that say otherwise, no more is
sent there, and the player finds a notice in the feed. A mail from the address, or a new proof of it, lifts that."""

from mail.bounces import Report, read_report
from mail.reply import BounceTo, read_bounce_address
from referee.contract import canonical
from service import guests
from service.addresses import email_key
from store import bounces, games, mail, outbox, players
from store.database import Database, Session

MOST = 3  # mails that came back from an address that may be good, in a row


def take(db: Database, recipient: str, raw: bytes) -> str:
    """What became of a mail to an address for what comes back."""
    found, report = read_bounce_address(recipient), read_report(raw)
    if report is None:
        return "automatic"
    with db.transaction() as transaction:
        if found is None:
            return "bounce" if guests.note_bounce(transaction, recipient, report.is_dead) else "automatic"
        return "bounce" if _note(transaction, found, report) else "bounce of another address"


def _note(transaction: Session, found: BounceTo, report: Report) -> bool:
    player = players.locked(transaction, found.player_id)
    if player is None or player.email is None:
        return False
    if not found.proves(mail.secret(transaction, "reply"), email_key(player.email)):
        return False
    note(transaction, player.id, player.email, found.game_id, report)
    return True


def note(transaction: Session, player_id: int, email: str, game_id: str, report: Report) -> None:
    """A mail to a player could not be delivered."""
    is_stopped = bounces.note(transaction, player_id, email_key(email), report.reason, report.is_dead, MOST)
    game = games.find(transaction, game_id) if is_stopped else None
    if game is not None:
        detail = canonical({"player": player_id, "reason": report.reason}).decode()
        seat = games.seat_of(transaction, game.id, player_id)
        outbox.add(transaction, game.id, "bounced", game.sequence, seat, detail)


def stopped(session: Session, player_id: int, email: str) -> str | None:
    """Why no mail is sent to an address; None if it is."""
    return bounces.stopped(session, player_id, email_key(email))


lift = bounces.forget

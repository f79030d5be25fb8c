"""DECLINE: turns an invitation down. Who is no player gets no mail from here again."""

from collections.abc import Sequence

from service import guests, seats
from service.errors import Conflict
from service.mail_commands import Did, Guest, Sender, Speaker, name_of
from store.database import Database

WORD, PATTERN, SUMMARY = "DECLINE", "DECLINE", "turn down the invitation that you answer"
TAKES_MORE, TAKES_LINES, CHANGES = False, False, True
NEEDS_SEAT, FOR_GUESTS = False, True


def run(db: Database, sender: Sender | Guest, rest: str, lines: Sequence[str]) -> Did:
    if isinstance(sender, Guest):
        with db.transaction() as transaction:
            guests.decline(transaction, sender.invitation)
        said = "You will not play, and get no mail from here again but this answer."
        return Did([f"{WORD}: {said}"], is_changed=True)
    if not isinstance(sender, Speaker) or not sender.is_invited:
        raise Conflict("this mail is no answer to an invitation that still stands. RESIGN gives up a seat.")
    with db.transaction() as transaction:
        seats.decline(transaction, sender.game.id, sender.seat)
    said = f"you have turned down the seat in {name_of(sender.game)} {sender.game.id}, and the host is told."
    return Did([f"{WORD}: {said}"], is_changed=True)

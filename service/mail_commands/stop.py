"""STOP: no more mail of its own accord; answers to what the player writes still come."""

from collections.abc import Sequence

from service import preferences
from service.mail_commands import Did, Guest, Sender, decline, written
from store.database import Database

WORD, PATTERN, SUMMARY = "STOP", "STOP", "no more mail from here, of any game, but answers to yours"
TAKES_MORE, TAKES_LINES, CHANGES = False, False, True
NEEDS_SEAT, FOR_GUESTS = False, True


def run(db: Database, sender: Sender | Guest, rest: str, lines: Sequence[str]) -> Did:
    if isinstance(sender, Guest):
        return decline.run(db, sender, rest, lines)
    with db.transaction() as transaction:
        preferences.stop_mail(transaction, sender.player.id)
    again = written(sender.ruleset, "CANCEL STOP")
    said = (
        "STOP: no more mail comes from here but answers to yours, also not when a game waits for you: the clocks of"
        f" your games go on. {again} brings it back; keep this mail to answer it."
    )
    return Did([said], is_changed=True)

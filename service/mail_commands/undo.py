"""UNDO [row]: takes back, as the game allows it."""

from collections.abc import Sequence

from service import undo
from service.errors import Invalid
from service.mail_commands import Did, Speaker, written
from store.database import Database

WORD, PATTERN = "UNDO", "UNDO [row]"
SUMMARY = "take back your last move, or go back to a row, as the game allows: alone, or when all ask for it"
TAKES_MORE, TAKES_LINES, CHANGES, ALONE = True, False, True, True


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    if rest and not (rest.isascii() and rest.isdecimal() and len(rest) < 10):
        raise Invalid("to", f"after it comes the number of a row, or nothing; {rest[:40]!r} is neither.")
    to = int(rest) if rest else None
    done = undo.undo(db, speaker.game.id, speaker.player.id, to, key=speaker.key(WORD, rest)).made
    if done.is_done:
        said = "UNDO: taken back. BOARD shows the table as it is now, OPTIONS what you may order."
    else:
        takes_back = written(speaker.game.ruleset, "CANCEL UNDO")
        said = f"UNDO: asked for. It is done when all at the table ask for the same; {takes_back} ends the asking."
    return Did([said], is_changed=True, work=done.work)

"""HISTORY [n]: what happened in the last n rows."""

from collections.abc import Sequence

from service import positions, replays
from service.mail_commands import Speaker, sentences
from store.database import Database

WORD, PATTERN, SUMMARY = "HISTORY", "HISTORY [n]", "what happened in the last n rows, 10 if you name no number"
TAKES_MORE, TAKES_LINES = True, False
USUAL, MOST = 10, 200


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    number = min(MOST, int(rest)) if rest.isdecimal() and len(rest) < 5 else USUAL
    table, _ = positions.load(db, speaker.game.id)
    entries = replays.entries(db, speaker.game.id, max(-1, table.sequence - number), number)
    return ["\n".join(sentence for entry in entries for sentence in sentences(table, entry, speaker.seat))]

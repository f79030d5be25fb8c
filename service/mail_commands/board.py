"""BOARD: the whole table in words."""

from collections.abc import Sequence

from service import positions
from service.mail_commands import Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "BOARD", "BOARD", "the whole table in words"
TAKES_MORE, TAKES_LINES = False, False


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    table, _ = positions.load(db, speaker.game.id)
    return [table.game.text(table.view(speaker.seat), "full").strip()]

"""HELP: what can be written in a mail."""

from collections.abc import Sequence

from referee.orders.notation import pattern_of
from service import mail_commands, positions
from service.mail_commands import Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "HELP", "HELP", "this page"
TAKES_MORE, TAKES_LINES = False, False

HOW = (
    "Write your orders at the top of your answer, one a line, as plain text. All of them are played, or none; the first"
    " line of the answer says which. CHECK before them tries them only. Case does not matter, and names may be cut"
    " short."
)


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    table, _ = positions.load(db, speaker.game.id)
    orders = [f"  {pattern_of(kind)}" for kind in table.game.move_types]
    commands = [f"  {summary}" for summary in mail_commands.summaries(speaker.game.ruleset)]
    return [HOW, "\n".join([f"ORDERS of {table.game.name}", *orders]), "\n".join(["BESIDES", *commands])]

"""OPTIONS: everything that may be ordered now."""

from collections.abc import Sequence

from service import positions
from service.mail_commands import Did, Speaker
from service.mail_out import orders
from store.database import Database

WORD, PATTERN, SUMMARY = "OPTIONS", "OPTIONS", "everything that you may order now, with what it costs"
TAKES_MORE, TAKES_LINES = False, False
MOST = 300


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    table, status = positions.load(db, speaker.game.id)
    menu, is_cut = orders(table, speaker.seat, MOST) if status == "running" else ([], False)
    if not menu:
        why = "" if status == "running" else f", for the game is {status}"
        return Did([f"OPTIONS: nothing is asked of you now{why}."])
    prompts = [decision.prompt for decision in table.decisions(speaker.seat)]
    said = "Where a line has capitals, fill them in; HELP says how. There are more than these." if is_cut else ""
    return Did([*prompts, said], menu=menu)

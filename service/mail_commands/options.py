"""OPTIONS: everything that may be ordered now."""

from collections.abc import Sequence

from referee.orders.menu import legend, pattern
from service import positions
from service.mail_commands import Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "OPTIONS", "OPTIONS", "everything that you may order now"
TAKES_MORE, TAKES_LINES = False, False
MOST = 200


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    table, status = positions.load(db, speaker.game.id)
    offers = table.offers(speaker.seat) if status == "running" else []
    if not offers:
        return ["Nothing is asked of you now."]
    said = []
    for offer in offers[:MOST]:
        said.append(pattern(table.game, [offer]))
        if values := legend(table.game, [offer]):
            said.append(f"    {values}")
    if len(offers) > MOST:
        said.append(f"... and {len(offers) - MOST} more")
    return ["\n".join(said)]

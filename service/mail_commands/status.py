"""STATUS: where the game stands and for whom it waits."""

from collections.abc import Sequence

from mail.letters import when
from referee.contract import and_list
from service import positions
from service.mail_commands import Speaker, name_of
from store import games
from store.database import Database

WORD, PATTERN, SUMMARY = "STATUS", "STATUS", "where the game stands, and for whom it waits"
TAKES_MORE, TAKES_LINES = False, False


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    table, status = positions.load(db, speaker.game.id)
    with db.session() as session:
        game = games.find(session, speaker.game.id)
    said = [f"{name_of(speaker.game)} {speaker.game.id} is {status}, after row {table.sequence}."]
    if status == "running":
        waiting = and_list([table.names[seat] for seat in table.acting()]) or "the referee"
        due = f", until {when(game.due_at, speaker.zone)}" if game and game.due_at else ""
        said.append(f"It waits for {waiting}{due}.")
    return [" ".join(said)]

"""PRESS [TO name, name]: the lines up to END are written to the table, or to some of it."""

from collections.abc import Sequence

from referee.contract import and_list
from service import games as service_games
from service import press
from service.mail_commands import Did, Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "PRESS", "PRESS [TO name, name] … END", "write to all, or to some, up to a line END"
TAKES_MORE, TAKES_LINES, CHANGES = True, True, True


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    text = "\n".join(lines).strip()
    if not text:
        return Did(["PRESS: there are no lines between PRESS and END, so nothing was sent."], is_refused=True)
    with db.session() as session:
        names = {seat.name.casefold(): seat.seat for seat in service_games.seats(session, speaker.game.id)}
    wanted = [name.strip() for name in rest.removeprefix("TO").removeprefix("to").split(",") if name.strip()]
    if wanted and [name.casefold() for name in wanted] == ["all"]:
        wanted = []
    unknown = [name for name in wanted if name.casefold() not in names]
    if unknown:
        sentence = f"PRESS: nobody here is called {and_list(unknown)}, so nothing was sent."
        return Did([f"{sentence} Here are {and_list(list(names))}."], is_refused=True)
    to = [names[name.casefold()] for name in wanted] or None
    press.send_once(db, speaker.game.id, speaker.player.id, text, to, key=speaker.key(WORD, f"{rest}\n{text}"))
    return Did([f"PRESS: sent to {and_list(wanted) if wanted else 'all'}."], is_changed=True)

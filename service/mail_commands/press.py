"""PRESS [TO name, name]: the lines up to END are written to the table, or to some of it."""

from collections.abc import Sequence

from referee.contract import and_list
from service import games as service_games
from service import press
from service.errors import ServiceError
from service.mail_commands import Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "PRESS", "PRESS [TO name, name] … END", "write to all, or to some, up to a line END"
TAKES_MORE, TAKES_LINES = True, True


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines).strip()
    if not text:
        return ["PRESS: there are no lines between PRESS and END, so nothing was sent."]
    with db.session() as session:
        names = {seat.name.casefold(): seat.seat for seat in service_games.seats(session, speaker.game.id)}
    wanted = [name.strip() for name in rest.removeprefix("TO").removeprefix("to").split(",") if name.strip()]
    if wanted and [name.casefold() for name in wanted] == ["all"]:
        wanted = []
    unknown = [name for name in wanted if name.casefold() not in names]
    if unknown:
        return [
            f"PRESS: nobody here is called {and_list(unknown)}, so nothing was sent. Here are {and_list(list(names))}."
        ]
    try:
        with db.transaction() as transaction:
            to = [names[name.casefold()] for name in wanted] or None
            press.send(transaction, speaker.game.id, speaker.player.id, text, to)
    except ServiceError as error:
        return [f"PRESS: {error}"]
    return [f"PRESS: sent to {and_list(wanted) if wanted else 'all'}."]

"""ORDERS: what stands now: the sealed envelope, a wait, what was asked for."""

from collections.abc import Sequence

from mail.letters import when
from referee.moves import read_move
from referee.orders.notation import format_move
from service import consent, positions
from service.mail_commands import Speaker
from store import deadlines, games
from store.database import Database

WORD, PATTERN, SUMMARY = "ORDERS", "ORDERS", "what stands now: your envelope, and what you have asked for"
TAKES_MORE, TAKES_LINES = False, False


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    table, status = positions.load(db, speaker.game.id)
    with db.session() as session:
        game = games.find(session, speaker.game.id)
        waits = speaker.seat in deadlines.waits(session, speaker.game.id)
        asked = [given.kind for given in consent.of_game(session, speaker.game.id) if given.seat == speaker.seat]
    sealed = table.sealed.get(speaker.seat)
    if sealed:
        said = ["ORDERS: in your envelope is", f"  {format_move(table.game, read_move(table.game, sealed.order.move))}"]
    elif status == "running" and speaker.seat in table.acting():
        said = ["ORDERS: none of yours stands, and the game waits for you."]
    else:
        said = ["ORDERS: none of yours waits; what you have ordered was played at once."]
    if waits:
        due = f", {when(game.due_at, speaker.zone)}" if game and game.due_at else ""
        said.append(f"The envelopes are opened at the deadline{due} and no sooner: you have asked for that.")
    said += [f"You have asked all at the table for this: {kind}." for kind in asked]
    return ["\n".join(said)]

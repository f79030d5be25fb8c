"""SUBSTITUTE [game [seat]]: which seats want a player, taking one over, and returning to one's own."""

from collections.abc import Sequence

from mail.letters import when
from referee.contract import and_list
from service import seats
from service.errors import Invalid
from service.games import act_once
from service.mail_commands import Did, Sender, Speaker, written
from store import games
from store.database import Database, Session

WORD, PATTERN = "SUBSTITUTE", "SUBSTITUTE game [seat]"
SUMMARY = "take over a seat that is offered, or return to one that you gave up; alone: what is offered in this game"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True
NEEDS_SEAT = False


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> Did:
    if not rest:
        if not isinstance(sender, Speaker):
            raise Invalid("game", f"name the game: {PATTERN}.")
        return Did([_offered(db, sender)])
    game_id, _, place = rest.partition(" ")
    number = place.lower().removeprefix("seat").strip()
    if place and not (number.isascii() and number.isdecimal() and len(number) < 3):
        raise Invalid("seat", f"write it as {PATTERN}: a game by its letters, a seat by its number.")
    seat = int(number) if number else None
    game_id = game_id.lower()

    def ask(transaction: Session, game_id: str) -> None:
        if any(one.left_by == sender.player.id and one.bot for one in games.seats(transaction, game_id)):
            seats.come_back(transaction, game_id, sender.player)
        else:
            seats.ask_to_substitute(transaction, game_id, sender.player, seat)

    act_once(db, game_id, ask, sender.key(WORD, rest))
    return Did([_taken(db, sender, game_id)], is_changed=True)


def _taken(db: Database, sender: Sender, game_id: str) -> str:
    with db.session() as session:
        mine = [one for one in games.seats(session, game_id) if one.substitute == sender.player.id]
    if mine and mine[0].takes_over_at:
        at = when(mine[0].takes_over_at, sender.zone)
        return f"SUBSTITUTE: seat {mine[0].seat} of {game_id} is yours from {at}, unless who left it returns before."
    return f"SUBSTITUTE: you have a seat in {game_id} now. A mail comes when it waits for you."


def _offered(db: Database, speaker: Speaker) -> str:
    with db.session() as session:
        offered = [str(one.seat) for one in games.seats(session, speaker.game.id) if one.offered]
    resign = written(speaker.ruleset, "RESIGN")
    gives_up = f"You have a seat here; {resign} gives it up, and others may take it over."
    if not offered:
        return f"SUBSTITUTE: no seat of this game is offered. {gives_up}"
    return f"SUBSTITUTE: offered in this game: seat {and_list(offered)}. {gives_up}"

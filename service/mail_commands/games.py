"""GAMES: the games of the player, which of them wait, and where to write to play in them."""

from collections.abc import Sequence

from mail.letters import when
from service.games import listing
from service.mail_commands import Sender, name_of
from service.mail_out import reply_address
from service.watching import games_of
from store import games
from store.database import Database, Session
from store.games import GameRow

WORD, PATTERN, SUMMARY = "GAMES", "GAMES", "your games, which of them wait for you, and where to write to play in them"
TAKES_MORE, TAKES_LINES = False, False
NEEDS_SEAT = False


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> list[str]:
    with db.session() as session:
        mine = [game for game_id in games_of(session, sender.player.id) if (game := games.find(session, game_id))]
        said = [part for game in mine if (part := _told(session, sender, game))]
        said += [
            part for game in listing(session, sender.player.id, status="open") if (part := _open(session, sender, game))
        ]
    return said or ["You have no games that are going on. JOIN lists those with a free seat, NEW opens one."]


def _told(session: Session, sender: Sender, game: GameRow) -> str:
    seat = games.seat_of(session, game.id, sender.player.id)
    if seat is None:
        return ""
    due = f" until {when(game.due_at, sender.zone)}" if game.due_at else ""
    waits = f"waits for you{due}" if seat in game.to_act else f"is {game.status}"
    waits = "waits for others" if game.status == "running" and seat not in game.to_act else waits
    address = reply_address(session, sender.host, game.id, seat, sender.player.id)
    return f"{_title(game)} {waits}. To play, write to\n  {address}"


def _open(session: Session, sender: Sender, game: GameRow) -> str:
    for seat in games.seats(session, game.id):
        if seat.player_id == sender.player.id:
            return f"{_title(game)} has not begun: seats are free."
        if seat.invited_player == sender.player.id and not seat.is_taken:
            return f"{_title(game)}: you are invited. JOIN {game.id} takes the seat."
    return ""


def _title(game: GameRow) -> str:
    return f"{name_of(game)} {game.id}{f' ({game.title})' if game.title else ''}"

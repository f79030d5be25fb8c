"""GAMES: the games of the player, and which of them wait."""

from collections.abc import Sequence

from service.mail_commands import Speaker, name_of
from service.watching import games_of
from store import games
from store.database import Database

WORD, PATTERN, SUMMARY = "GAMES", "GAMES", "your games, and which of them wait for you"
TAKES_MORE, TAKES_LINES = False, False


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    said = []
    with db.session() as session:
        mine = [game for game_id in games_of(session, speaker.player.id) if (game := games.find(session, game_id))]
        for game in mine:
            seat = games.seat_of(session, game.id, speaker.player.id)
            waits = "waits for you" if seat in game.to_act else "waits for others"
            said.append(f"{name_of(game)} {game.id}{f' ({game.title})' if game.title else ''}: {waits}")
    return ["\n".join(said) or "You have no games that are going on."]

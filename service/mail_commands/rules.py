"""RULES [game]: the page from which a game can be learnt."""

from collections.abc import Sequence

from referee.contract import and_list
from referee.games import all_games
from referee.page import page_of
from service.mail_commands import Did, Writer, ruleset_of
from store.database import Database

WORD, PATTERN, SUMMARY = "RULES", "RULES [game]", "the page from which your game, or another, can be learnt"
TAKES_MORE, TAKES_LINES = True, False
NEEDS_SEAT, FOR_GUESTS = False, True


def run(db: Database, sender: Writer, rest: str, lines: Sequence[str]) -> Did:
    if not rest and sender.ruleset not in all_games():
        return Did([f"RULES: name a game. There are {and_list([game.name for game in all_games().values()])}."])
    page = page_of(all_games()[ruleset_of(rest) if rest else sender.ruleset], "")
    return Did([], page=page.markdown) if page else Did(["This game has no page yet."])

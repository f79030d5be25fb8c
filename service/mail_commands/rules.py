"""RULES: the game's page."""

from collections.abc import Sequence

from referee.games import all_games
from referee.page import page_of
from service.mail_commands import Speaker
from store.database import Database

WORD, PATTERN, SUMMARY = "RULES", "RULES", "the page from which the game can be learnt"
TAKES_MORE, TAKES_LINES = False, False


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> list[str]:
    page = page_of(all_games()[speaker.game.ruleset], "")
    return page.markdown.split("\n\n") if page else ["This game has no page yet."]

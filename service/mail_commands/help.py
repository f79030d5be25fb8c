"""HELP [game]: the page for players, and how the orders of a game are written."""

from collections.abc import Sequence
from functools import cache

from referee.games import all_games, open_game
from referee.orders.notation import pattern_of
from runtime.config import ROOT
from service.mail_commands import Did, Writer, ruleset_of, verbs, words, written
from store.database import Database

WORD, PATTERN, SUMMARY = "HELP", "HELP [game]", "how to play by mail, and the orders of your game or of another"
TAKES_MORE, TAKES_LINES = True, False
NEEDS_SEAT, FOR_GUESTS = False, True


def run(db: Database, sender: Writer, rest: str, lines: Sequence[str]) -> Did:
    ruleset = ruleset_of(rest) if rest else sender.ruleset
    orders = _orders(ruleset) if ruleset in all_games() else ""
    return Did([], page="\n\n".join(filter(None, (_for(ruleset, _page()), orders))))


@cache
def _page() -> str:
    return (ROOT / "docs" / "mail.md").read_text("utf-8")


def _for(ruleset: str, page: str) -> str:
    """The page with each command as it is written in a game."""
    for word in words() & verbs(ruleset):
        page = page.replace(f"| `{word}", f"| `{written(ruleset, word)}")
    return page


def _orders(ruleset: str) -> str:
    game = open_game(ruleset, min(all_games()[ruleset].seat_counts))
    return "\n".join([f"## Orders of {game.name}\n", *(f"- `{pattern_of(kind)}`" for kind in game.move_types)])

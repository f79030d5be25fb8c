"""What has happened since a seat moved last: the first thing that somebody wants to know who comes back to a game."""

from collections.abc import Sequence

from referee.contract import Viewer, Words
from referee.log import Entry
from referee.pictures.wording import folded
from referee.record import redacted
from referee.table import AnyGame

MOST_LINES = 30
HEADING = "SINCE YOUR LAST MOVE"
PLAYER = "player"  # who has given an order: what the clock played for a seat is news to it


def unseen(entries: Sequence[Entry], seat: int) -> Sequence[Entry]:
    """The rows after the last move that the seat made itself. What was in its envelope it knows, but not what came of
    it: the row of a reveal is news."""
    for place in range(len(entries) - 1, -1, -1):
        row = entries[place].row
        if any(order.seat == seat and order.by == PLAYER for order in row.orders):
            return entries[place if row.is_reveal else place + 1 :]
    return entries


def has_moved(entries: Sequence[Entry], seat: int) -> bool:
    """Whether some of these rows hold a move that the seat made itself."""
    return any(order.seat == seat and order.by == PLAYER for entry in entries for order in entry.row.orders)


def news(game: AnyGame, entries: Sequence[Entry], viewer: Viewer, words: Words) -> str:
    """The rows in words, as a viewer may know them, to be put before a text board: the last lines, and how many lines
    there were before them. Empty if nothing has happened."""
    sentences = (sentence for entry in entries for sentence in redacted(game, entry, viewer, words).sentences)
    lines = [line for sentence in sentences for line in folded(sentence)]
    if not lines:
        return ""
    more = len(lines) - MOST_LINES
    before = [f"({more} more {'line' if more == 1 else 'lines'} before these; the log has them.)"] if more > 0 else []
    return "\n".join([HEADING, *before, *lines[-MOST_LINES:]]) + "\n\n"

"""What a notice says of a game: sentences from the log as the player may know it, the question, the deadline.

Players stand in it as marks. Their names are put in when it is shown, so that whoever is renamed or forgotten is so in
what others were told before, too.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from referee.contract import EVERYTHING, Viewer, Words
from referee.log import Entry, Row
from referee.options import type_name
from referee.record import redacted
from referee.table import AnyGame, Table
from store import positions
from store.database import Session

MOST_ROWS = 100  # of the log that one notice looks back on
MOST_SENTENCES = 40
CALLED = re.compile(r"\{seat (\d+)\}")  # as `referee.contract.called` writes it
MARK = re.compile("\ue000(\\d+)\ue001")


class Content(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a notice beside its cause. `detail` depends on its kind."""

    sentences: tuple[str, ...] = ()
    omitted: int = 0  # sentences before these
    prompt: str = ""
    due_at: datetime | None = None
    detail: dict[str, Any] = {}


def marked(seats: int) -> tuple[str, ...]:
    """Marks in place of names."""
    return tuple(f"\ue000{seat}\ue001" for seat in range(seats))


def with_marks(prompt: str) -> str:
    """A question of the rules, which know seats only, with marks in place of names."""
    return CALLED.sub(lambda seat: f"\ue000{seat[1]}\ue001", prompt)


class MarkedWords(Words):
    """Words with marks in place of names, also where the rules mean a player by the seat."""

    def named(self, sentence: str) -> str:
        return with_marks(sentence)


def named(text: str, names: Sequence[str]) -> str:
    """A text with the names of the players in place of their marks."""
    return MARK.sub(lambda mark: names[int(mark[1])], text)


class Story:
    """The rows of a game since a row, as each seat may know them: each row is read once, whoever it is told to."""

    def __init__(self, session: Session, game_id: str, table: Table, after: int) -> None:
        self.table = table
        self.words = Words(table.game, marked(table.game.seats))
        after = max(after, table.sequence - MOST_ROWS, -1)
        rows = positions.entries(session, game_id, after, MOST_ROWS)
        self.entries = {entry.row.number: entry for entry in rows if entry.row.number <= table.sequence}
        self._with_secrets = _with_secrets(table.game)
        self._told: dict[tuple[int, int | None], tuple[str, ...]] = {}

    def is_reveal(self, number: int) -> bool:
        return number in self.entries and self.entries[number].row.is_reveal

    def last_move(self, seat: int) -> int:
        """The last of these rows with an order of a seat; -1 if there is none."""
        return self._last(lambda row: any(order.seat == seat for order in row.orders))

    def _last_seen(self, seat: int) -> int:
        """The last of these rows whose outcome a player got as the answer to their move. What a reveal brings, they did
        not, nor what the clock has played for them."""
        return self._last(
            lambda row: not row.is_reveal and any((order.seat, order.by) == (seat, "player") for order in row.orders)
        )

    def _last(self, fits: Callable[[Row], bool]) -> int:
        return next((number for number in sorted(self.entries, reverse=True) if fits(self.entries[number].row)), -1)

    def since(self, seat: int, after: int, up_to: int) -> tuple[tuple[str, ...], int]:
        """The sentences that a player has not been told of, without those up to their own last move; and how many more
        there were before them."""
        first = max(after, self._last_seen(seat))
        told = [
            sentence
            for number in sorted(self.entries)
            if first < number <= up_to
            for sentence in self._sentences(self.entries[number], seat)
        ]
        return tuple(told[-MOST_SENTENCES:]), max(0, len(told) - MOST_SENTENCES)

    def _sentences(self, entry: Entry, seat: int) -> tuple[str, ...]:
        is_last = entry.row.number == self.table.sequence
        viewer = self.table.viewer(seat) if is_last else Viewer(seat)
        has_secrets = any(event["type"] in self._with_secrets for event in entry.row.events)
        key = entry.row.number, seat if has_secrets and viewer != EVERYTHING else None
        if key not in self._told:
            self._told[key] = redacted(self.table.game, entry, viewer, self.words).sentences
        return self._told[key]


def _with_secrets(game: AnyGame) -> frozenset[str]:
    """The events that do not tell everybody the same."""
    return frozenset(type_name(kind) for kind in game.event_types if kind.hidden)

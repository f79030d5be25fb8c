"""What a bot is asked, and what it answers. It gets what its seat may see and what it may do: no table, no position."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from referee.options import Move, Offer, Rng

B = TypeVar("B")
V = TypeVar("V")

Offering = Callable[..., Iterator[Offer]]  # of some move types, or of all: `offers(Buy)`, `offers()`


class Choice(NamedTuple):
    """A move, and why: one sentence that can be told to anybody after the game."""

    move: Move
    reason: str


class Situation(Generic[B, V]):
    """A question to a seat, as its player sees it.

    `offers` are the legal answers to the question, and `beside` what the seat may do besides: offer a deal, leave the
    game. `draw` is a random answer, `imagine` a position that may be the true one for all that the seat sees. Where an
    answer is not `required` a bot may let the question be. The view is good for this question only: nothing of it may
    be kept.
    """

    __slots__ = (
        "_look",
        "_view",
        "beside",
        "board",
        "draw",
        "imagine",
        "offers",
        "phase",
        "required",
        "rng",
        "seat",
        "settings",
    )

    def __init__(
        self,
        *,
        board: B,
        settings: Any,
        seat: int,
        phase: str,
        required: bool,
        look: Callable[[], V],
        offers: Offering,
        beside: Offering,
        draw: Callable[[], Move],
        imagine: Callable[[], Any],
        rng: Rng,
    ) -> None:
        self.board = board
        self.settings = settings
        self.seat = seat
        self.phase = phase  # that asks
        self.required = required
        self.offers = offers
        self.beside = beside
        self.draw = draw
        self.imagine = imagine
        self.rng = rng
        self._look = look
        self._view: V | None = None

    @property
    def view(self) -> V:
        """The table as the seat sees it: what `Game.view` makes for it."""
        if self._view is None:
            self._view = self._look()
        return self._view


Bot = Callable[[Situation[Any, Any]], Choice | None]  # None: lets be what need not be answered

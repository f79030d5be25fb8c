"""What a game lets a standing order speak of: the facts that a seat decides by, the phases and events by their names,
and presets for what everybody wants. Facts of the board, which the rulebook fixes, are `contract.Fact`s."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Value = int | str | bool | tuple[str, ...] | None  # None: the fact has no value now
Kind = Literal["number", "word", "flag", "list"]


class Look:
    """What a seat sees when it decides: the view, and the printed board."""

    __slots__ = ("board", "me", "seat", "table", "view")

    def __init__(self, view: Any, board: Any, seat: int) -> None:
        self.view = view
        self.board: Any = board
        self.seat = seat
        self.table = view.table
        self.me: Any = view.table.players[seat] if hasattr(view.table, "players") else None


class SeatFact(NamedTuple):
    """A number, a word, a flag or a list of words that a seat can see and that people decide by."""

    name: str  # as people write it: "cash after"
    says: str  # what it is, in a sentence
    value: Callable[[Any], Value]  # of a Look, made from the view and the board alone
    kind: Kind = "number"
    words: str | Sequence[str] = ()  # what a word can be: these, or the values of a field of the vocabulary
    also: tuple[str, ...] = ()  # other names, which are read and never shown
    price: str = ""  # the fact that `for at most 30` after this one compares


class NamedPhase(NamedTuple):
    """One or several phases of the sequence of play by the name that people give them."""

    name: str
    says: str
    phases: tuple[str, ...]
    also: tuple[str, ...] = ()


class NamedEvent(NamedTuple):
    """Something that happens to a seat, after which a standing order can stop."""

    name: str
    says: str
    happens: Callable[[Any, int], bool]  # whether an event, as the seat may see it, is this for the seat


class Preset(NamedTuple):
    """Standing orders that many want, in words and as text."""

    key: str
    says: str
    text: str


class StandingWords(NamedTuple):
    """All that standing orders of a game can speak of, beside its orders."""

    facts: tuple[SeatFact, ...] = ()
    phases: tuple[NamedPhase, ...] = ()
    events: tuple[NamedEvent, ...] = ()
    presets: tuple[Preset, ...] = ()
    # Fields that have the value of a fact where an order leaves them open: `accept` takes the deal that facts speak of.
    fills: Mapping[str, str] = {}

    def fact(self, name: str) -> SeatFact:
        return next(fact for fact in self.facts if fact.name == name)

    @property
    def by_name(self) -> Mapping[str, SeatFact]:
        return {fact.name: fact for fact in self.facts}

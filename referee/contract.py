"""What a game is. A game answers the questions asked here; the table, the record and the service do everything else."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

import msgspec

from referee.chance import Chance
from referee.errors import BoardError, IllegalOrder
from referee.options import NO_HINTS, Hints, Move, Offer, Rng, snake, type_name
from referee.seat_facts import StandingWords
from referee.situation import Choice, Situation
from referee.validation import validation_problems

P = TypeVar("P", bound="Position")
B = TypeVar("B", bound="Board")
S = TypeVar("S", bound="Settings")
R = TypeVar("R")

Methods = dict[type[Move], Callable[..., R]]  # of a phase, by the type of the move that they are for


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a seat, a spectator (no seat), or everybody after the game, from whom nothing is hidden."""

    seat: int | None = None
    everything: bool = False

    def sees(self, *seats: int) -> bool:
        """Whether what these seats keep secret is open to this viewer; no seats: what nobody may see."""
        return self.everything or self.seat in seats


SPECTATOR = Viewer()
EVERYTHING = Viewer(everything=True)


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The printed data of a game, read from YAML. `fidelity` says how far it is the published board."""

    game: str
    name: str
    fidelity: str  # "rulebook", "reconstructed-v1", or the owner's word for a board of their own

    # How far a board of one's own may go, by place ("setup.hand", "cards.copies"): the length of a list, or a number.
    # Well beyond what is printed, and little enough that nobody waits for a list of options.
    most: ClassVar[Mapping[str, int]] = {}

    def problems(self) -> Iterator[str]:
        """Everything that is wrong with the board beyond the shape of its data."""
        return iter(())


class Fact(NamedTuple):
    """A number or a name on the board that the rulebook fixes. A board that says otherwise can be played on, perhaps,
    but it is not a board of this game."""

    id: str  # in rulings.yaml
    says: str  # "Every player begins with $12"
    holds: Callable[[Any], bool]  # of a board


class About(NamedTuple):
    """What somebody wants to know of a game before they choose it."""

    summary: str = ""  # in one sentence: what one does
    special: str = ""  # what other games do not have
    minutes: tuple[int, ...] = ()  # at a table: the shortest, the longest
    weight: Literal["light", "medium", "heavy"] = "medium"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The variants a game may be opened with. Every field has a default: the game as printed."""


class Position(msgspec.Struct, kw_only=True):
    """All there is to know of a game at one moment: ints, strings, lists and structs of them."""

    phase: str
    ending: str = ""  # the key of the end condition that was met; empty while the game lasts


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """Something that happened, in one plain sentence. The fields named in `hidden` are None for those not to know."""

    hidden: ClassVar[tuple[str, ...]] = ()

    def knowers(self) -> tuple[int, ...]:
        """The seats that see the hidden fields."""
        seat = getattr(self, "seat", None)
        return () if seat is None else (seat,)

    def seen_by(self, viewer: Viewer) -> Self:
        if not self.hidden or viewer.sees(*self.knowers()):
            return self
        return msgspec.structs.replace(self, **dict.fromkeys(self.hidden))

    def sentence(self, words: "Words") -> str:
        raise NotImplementedError


LONGEST_NAME = 24  # of a player within a sentence
_CALLED = re.compile(r"\{seat (\d+)\}")


def called(seat: int) -> str:
    """A player in a prompt or in a refusal, where rules know seats only: the table puts the name there."""
    return f"{{seat {seat}}}"


class Words:
    """How a game and its players are spoken of."""

    def __init__(self, game: "Game[Any, Any, Any]", players: Sequence[str]) -> None:
        self.game = game
        self.players = tuple(players)

    def player(self, seat: int) -> str:
        return self.players[seat]

    def named(self, sentence: str) -> str:
        """A sentence with the names of the players whom it means (`called`), each in one short piece of a line."""
        return _CALLED.sub(lambda seat: self._in_line(int(seat[1])), sentence) if "{seat " in sentence else sentence

    def _in_line(self, seat: int) -> str:
        name = " ".join("".join(c if c.isprintable() else " " for c in self.players[seat]).split())
        return (name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…") or f"player {seat + 1}"

    def __call__(self, field: str, value: str) -> str:
        """The name of a value: `words("airline", "white")`."""
        return self.game.vocabulary.get(field, {}).get(value, (value,))[0]

    def several(self, field: str, values: Sequence[str]) -> str:
        """Values with their counts: `2 red, 1 blue` reads "2 red and blue"."""
        counts = {value: values.count(value) for value in dict.fromkeys(values)}
        return and_list([f"{n} {self(field, v)}" if n > 1 else self(field, v) for v, n in counts.items()])


class Decision(msgspec.Struct, frozen=True):
    """Something a seat is asked. The prompt is public: it must not tell a secret. It says `called(seat)` where it means
    another player."""

    seat: int
    phase: str
    kind: Literal["open", "sealed"]
    prompt: str
    required: bool  # False: the game goes on without an answer


class Standing(msgspec.Struct, frozen=True):
    """A seat's place and score as far as the viewer may know; None is unknown. Ties share a place."""

    seat: int
    place: int | None
    score: int | None
    note: str = ""


class Play(Generic[P]):
    """A move being played: a private copy of the position, the chance of this row, and the events so far."""

    def __init__(self, position: P, chance: Chance) -> None:
        self.position = position
        self.chance = chance
        self.events: list[Event] = []
        self.reveals = False  # set where something new has come up: no order may follow in the same submission

    def emit(self, event: Event) -> None:
        self.events.append(event)


class Phase(Generic[P, B]):
    """One step of the sequence of play: whom it asks, what may be answered, what an answer does.

    For each move type in `moves`, say Buy, a phase has

    - `offer_buy(position, seat)`, an iterator of offers;
    - `apply_buy(play, seat, move)`, what the move does; a sealed phase has `reveal` in its place;
    - where a reason can be better than "not on offer", `why_not_buy(position, seat, move)`, which returns the
      IllegalOrder to raise, or None;
    - where the offers are many, `find_buy(position, seat, move)`, only those offers that the move could be of.
    """

    kind: ClassVar[Literal["open", "sealed"]] = "open"
    asks: ClassVar[str] = "your move"  # what it wants, in the few letters that a mail's subject has: "your bid"
    required: ClassVar[bool] = True
    takes_its_time: ClassVar[bool] = False  # others may want to do something first: it has a deadline of its own
    moves: ClassVar[tuple[type[Move], ...]] = ()
    name: ClassVar[str]
    version: str  # of the rules, given by the game: a rule that has changed asks for it

    def __init_subclass__(cls) -> None:
        cls.name = snake(cls.__name__)

    def __init__(self, board: B, settings: Any) -> None:
        self.board = board
        self.settings = settings  # of the game's settings_type
        self._offering: Methods[Iterator[Offer]] = self._methods("offer_")
        self._finding: Methods[Iterator[Offer]] = self._methods("find_")
        self._applying: Methods[None] = self._methods("apply_")

    def _methods(self, word: str) -> "Methods[Any]":
        named = {kind: getattr(self, word + snake(kind.__name__), None) for kind in self.moves}
        return {kind: method for kind, method in named.items() if method}

    def seats(self, position: P) -> tuple[int, ...]:
        """Who has a decision in this phase now."""
        raise NotImplementedError

    def prompt(self, position: P, seat: int) -> str:
        """The question in plain words; public."""
        raise NotImplementedError

    def default(self, position: P, seat: int) -> Move:
        """What the referee plays for someone who has run out of time."""
        raise NotImplementedError

    def reveal(self, play: Play[P], moves: Mapping[int, Any]) -> None:
        """Sealed phases: play the moves of all seats together."""
        raise NotImplementedError

    def is_put_to(self, position: P, seat: int) -> bool:
        """Where no answer is required: whether somebody has put the question to this seat, by an offer perhaps, so that
        its player is told. Else it has been open to them all along."""
        return False

    def possible(self, position: P, seat: int) -> Sequence[type[Move]]:
        """The move types of which there may be offers now: all of `moves`, but where something goes before."""
        return self.moves

    def offers(self, position: P, seat: int, *kinds: type[Move]) -> Iterator[Offer]:
        """The offers of some move types, or of all, lazily."""
        for kind in self.possible(position, seat):
            if not kinds or kind in kinds:
                yield from self._offering[kind](position, seat)

    def offers_like(self, position: P, seat: int, move: Move) -> Iterator[Offer]:
        """The offers that a move of this phase has to be checked against."""
        kind = type(move)
        if kind not in self.possible(position, seat):
            return iter(())
        find = self._finding.get(kind)
        return find(position, seat, move) if find else self._offering[kind](position, seat)

    def draw(self, position: P, seat: int, rng: Rng) -> Move:
        """A random legal move, the same that `sample` draws from all offers with the same random numbers. Of the types
        that are not drawn only one offer is looked for."""
        begun = []
        for kind in self.possible(position, seat):
            offers = self._offering[kind](position, seat)
            for first in offers:
                begun.append((first, offers))
                break
        first, rest = begun[rng.randrange(len(begun))]
        of_type = [first, *rest]
        return of_type[rng.randrange(len(of_type))].sample(rng)

    def why_not(self, position: P, seat: int, move: Move) -> IllegalOrder | None:
        """The game's own reason why a move is not on offer."""
        why_not = getattr(self, "why_not_" + snake(type(move).__name__), None)
        return why_not(position, seat, move) if why_not else None

    def suggests(self, position: P, seat: int, move: Move) -> bool:
        """Whether a player who was refused something may be shown this instead: nothing that gives anything away."""
        return True

    def apply(self, play: Play[P], seat: int, move: Move) -> None:
        self._applying[type(move)](play, seat, move)


# What a table has, in every game under the same name: the parts of its picture and of its text board.
PARTS = ("map", "track", "market", "players")


class Game(ABC, Generic[P, B, S]):
    """A game on one board, for a number of seats, with settings: immutable, shared by all tables that play it."""

    key: ClassVar[str]  # "airlines-europe"
    name: ClassVar[str]
    about: ClassVar[About] = About()
    versions: ClassVar[tuple[str, ...]] = ("1",)  # of the rules, oldest first; all of them stay playable
    version: str = "1"  # that this game is played under; of the class, the newest
    seat_counts: ClassVar[range]
    board_type: ClassVar[type[Any]]
    settings_type: ClassVar[type[Any]]
    position_type: ClassVar[type[Any]]
    phase_types: ClassVar[tuple[type[Phase[Any, Any]], ...]]  # the sequence of play, as printed
    event_types: ClassVar[tuple[type[Event], ...]]
    endings: ClassVar[Mapping[str, str]]  # every end condition, with a sentence for it
    variants: ClassVar[tuple[Any, ...]]  # settings that between them use every rule; the tests play them all
    rows_ahead: ClassVar[int] = 6  # for each seat, that a thinking bot plays on before it compares prospects
    facts: ClassVar[tuple[Fact, ...]] = ()  # what the rulebook fixes about the board
    standing: ClassVar[StandingWords] = StandingWords()  # what standing orders can speak of
    parts: ClassVar[tuple[str, ...]] = ()  # out of PARTS, that the picture and the text board can be asked for
    # Fields whose values have a place in the picture, marked with `mark`, and those of their values that have none.
    marked: ClassVar[Mapping[str, frozenset[str]]] = {}
    # Places of the view that are hidden: `deck` from all, `players.*.hand` from all but the player. The tests hold the
    # view to it, for worlds are made of views and could not show that a view tells too much.
    secrets: tuple[str, ...] = ()
    vocabulary: Mapping[str, Mapping[str, tuple[str, ...]]]  # field -> value -> how it is written, other spellings
    seat_values: Mapping[str, Sequence[str]] = {}  # fields that name a seat -> the value of each seat, in order

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "versions" in vars(cls):
            cls.version = cls.versions[-1]
        if cls.version != cls.versions[-1]:
            raise TypeError(f"{cls.__name__} is of version {cls.version}, which must be the last of its versions")

    def __init__(self, board: B, seats: int, settings: S | None = None) -> None:
        if seats not in self.seat_counts:
            least, most = self.seat_counts[0], self.seat_counts[-1]
            raise ValueError(f"{self.name} is for {least} to {most} players, not {seats}")
        self.board = board
        self.seats = seats
        self.settings: S = settings if settings is not None else self.settings_type()
        self.phases: dict[str, Phase[P, B]] = {phase.name: phase(board, self.settings) for phase in self.phase_types}
        for phase in self.phases.values():
            phase.version = self.version
        self.position_decoder = msgspec.json.Decoder(self.position_type)
        self.move_types = tuple(dict.fromkeys(move for phase in self.phase_types for move in phase.moves))
        self.moves_by_name = {type_name(move): move for move in self.move_types}

    @classmethod
    def of_version(cls, version: str, board: B, seats: int, settings: S | None = None) -> Self:
        """The game under one of its versions, which is known before `__init__` runs."""
        if version not in cls.versions:
            raise ValueError(f"{cls.name} has no rules {version}; it has rules {and_list(cls.versions)}")
        game = cls.__new__(cls)
        game.version = version
        cls.__init__(game, board, seats, settings)
        return game

    def under(self, version: str) -> Self:
        """The same game, on the same board, under another version of its rules."""
        return self.of_version(version, self.board, self.seats, self.settings)

    @abstractmethod
    def setup(self, chance: Chance) -> Play[P]:
        """The position before the first decision, and what happened on the way there."""

    @abstractmethod
    def view(self, position: P, viewer: Viewer) -> msgspec.Struct:
        """What lies on the table, as the viewer may see it. The only way out of the engine."""

    @abstractmethod
    def standings(self, position: P, viewer: Viewer) -> list[Standing]:
        """Best first. While the game lasts, what the viewer may know; afterwards the final ranking."""

    @abstractmethod
    def conserved(self, position: P) -> Mapping[str, int]:
        """Sums that no move may change."""

    @abstractmethod
    def imagine(self, view: "View", rng: Rng) -> P:
        """A position that may be the true one for all that a viewer sees, made of the view alone: what it does not show
        is dealt anew, with the odds of the rules where they fix them, and by a guess that is told where they do not."""

    @abstractmethod
    def picture(self, view: "View", part: str = "") -> str:
        """The table, or a part of it, as SVG, 1200 wide, made from a view and the board alone."""

    @abstractmethod
    def text(self, view: "View", part: str = "") -> str:
        """The table as plain text for terminals and screen readers, made from a view and the board alone: what the
        decision needs, a part, or all of it (`full`)."""

    def hints(self, view: "View", offer: Offer) -> Hints:
        """What an offer to the viewer means: prices, payments, effects, made from a view and the board alone."""
        return NO_HINTS

    def advice(self, situation: Situation[B, Any]) -> Iterator[Choice]:
        """What a steady player would do, the best first, each move with its reason; all of them are legal. Nothing
        for a question that may be let be: it is let be. A game's principles are in its `steady.py`."""
        if situation.required:
            yield Choice(situation.draw(), "Nothing speaks for one move more than for another.")

    def prospects(self, position: P) -> Sequence[float]:
        """What each seat may expect to score in the end, roughly: for bots that think some rows ahead. It looks at an
        imagined position, where nothing is hidden. Without better knowledge, what each has scored so far."""
        standings = sorted(self.standings(position, EVERYTHING), key=lambda standing: standing.seat)
        return [float(standing.score or 0) for standing in standings]

    def page_tables(self) -> Mapping[str, str]:
        """Markdown tables made from the board for the game's page, where it says `{tables[name]}`."""
        return {}

    def open_phases(self, position: P) -> tuple[Phase[P, B], ...]:
        """The phases with decisions now. Most games have one at a time; a sealed phase must be open alone."""
        return () if position.ending else (self.phases[position.phase],)

    def decisions(self, position: P) -> tuple[Decision, ...]:
        return tuple(
            Decision(seat, phase.name, phase.kind, phase.prompt(position, seat), phase.required)
            for phase in self.open_phases(position)
            for seat in phase.seats(position)
        )


class BoardName(msgspec.Struct, frozen=True):
    """Which board a game is played on, as every record and view says."""

    name: str
    fidelity: str
    digest: str


class View(msgspec.Struct, frozen=True, rename={"sequence": "row"}):
    """A game as one viewer may see it: what every channel shows is made from this."""

    game: str
    version: str
    board: BoardName
    settings: Any
    players: tuple[str, ...]
    you: int | None
    sequence: int  # the number of the log's last row
    phase: str
    decisions: tuple[Decision, ...]
    sealed: tuple[int, ...]  # seats whose sealed move has come in
    standings: tuple[Standing, ...]
    ending: str
    table: Any


# The one JSON spelling of a thing: UTF-8, keys sorted, no white space. What is stored and hashed.
canonical: Callable[[Any], bytes] = msgspec.json.Encoder(order="sorted").encode


def digest(thing: Any) -> str:
    return hashlib.sha256(canonical(thing)).hexdigest()


def board_name(board: Board) -> BoardName:
    return BoardName(board.name, board.fidelity, digest(board))


LARGEST_NUMBER = 9999  # on a board: what it counts is laid out and shuffled piece by piece
MOST_PROBLEMS = 200  # of a board that are told at once


def read_board(board_type: type[B], data: Any) -> B:
    """A board from plain data, or a BoardError with what is wrong with it."""
    _refuse_board(_absurd_numbers(data))
    try:
        board = msgspec.convert(data, board_type)
    except msgspec.ValidationError as error:
        _refuse_board(validation_problems(data, board_type))
        raise BoardError([str(error)]) from None
    _refuse_board(board.problems())
    _refuse_board(_beyond(board, board.most))
    return board


def contradictions(game_type: type[Game[Any, Any, Any]], board: Board) -> Iterator[str]:
    """What a board has otherwise than the rulebook."""
    for fact in game_type.facts:
        if not fact.holds(board):
            yield f"{fact.says} ({fact.id})"


def _refuse_board(problems: Iterator[str]) -> None:
    if found := list(islice(problems, MOST_PROBLEMS)):
        raise BoardError(found) from None


def _absurd_numbers(data: Any, place: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _absurd_numbers(value, f"{place}.{name}" if place else str(name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _absurd_numbers(value, f"{place}[{index}]")
    elif isinstance(data, int) and abs(data) > LARGEST_NUMBER:
        yield f"{place}: {data} is beyond {LARGEST_NUMBER}"


def _beyond(part: Any, most: Mapping[str, int], kind: str = "", place: str = "") -> Iterator[str]:
    """What is larger than a board may be. `kind` is the place without the names and numbers of a list's items."""
    limit = most.get(kind)
    size = part if isinstance(part, int) else len(part) if isinstance(part, tuple | dict) else 0
    if limit is not None and size > limit:
        yield f"{place}: at most {limit}, not {size}"
    elif isinstance(part, float) and not abs(part) <= LARGEST_NUMBER:  # perhaps no number at all
        yield f"{place}: {part} is beyond {LARGEST_NUMBER}"
    elif isinstance(part, msgspec.Struct):
        for name in part.__struct_fields__:
            value = getattr(part, name)
            yield from _beyond(value, most, f"{kind}.{name}" if kind else name, f"{place}.{name}" if place else name)
    elif isinstance(part, tuple):
        for number, item in enumerate(part):
            yield from _beyond(item, most, kind, f"{place}[{number}]")
    elif isinstance(part, dict):
        for name, item in part.items():
            yield from _beyond(item, most, kind, f"{place}.{name}")


def and_list(items: Sequence[str]) -> str:
    """["a", "b", "c"] -> "a, b and c"."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def ranked(scores: Sequence[tuple[Any, ...]]) -> list[int]:
    """Places for sort keys, best highest: equal keys share the better place, the next counts on (1, 1, 3)."""
    return [1 + sum(other > mine for other in scores) for mine in scores]


def standings(
    scores: Sequence[int | None], keys: Sequence[tuple[Any, ...]] | None = None, notes: Sequence[str] = ()
) -> list[Standing]:
    """Every seat with its score and perhaps a note; with sort keys also with its place, best first.

    Seats whose keys are equal share a place and stand in the order of seats. Without keys nobody has a place yet.
    """
    places: list[int] = ranked(keys) if keys is not None else []
    noted = notes or [""] * len(scores)
    found = [Standing(seat, places[seat] if places else None, score, noted[seat]) for seat, score in enumerate(scores)]
    return sorted(found, key=lambda standing: (standing.place or 0, standing.seat))


def copied(position: P) -> P:
    """The same position once more, to be changed without changing the first."""
    return msgspec.json.decode(msgspec.json.encode(position), type=type(position))


def counted(number: int, thing: str, many: str = "") -> str:
    """`1 card`, `5 cards`, `2 cities`."""
    return f"{number} {thing if number == 1 else many or thing + 's'}"

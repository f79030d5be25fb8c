"""Orders that are read for positions still to come: with `any`, `all`, `up to 12` in place of what is chosen later.

They go through the one parser for all games. What is open is put into the text as a word or a number that means nothing
else, and taken out of the move again.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_origin

from referee.errors import AmbiguousOrder, InvalidOrder, OrderError
from referee.options import Bag, Domain, Move, Offer, OneOf, Range, fields_of, type_name
from referee.orders.conditions import Reader, StandingError
from referee.orders.notation import parse, patterns
from referee.orders.standing import (
    DEFAULT,
    OWN_ORDERS,
    WAIT,
    Action,
    Amount,
    Anything,
    Bound,
    Choice,
    Everything,
    Ranked,
)
from referee.orders.templates import tokens
from referee.table import AnyGame

MOST_UNREADABLE = 24  # readings of a text that come to nothing, before it is given up
ANY_NUMBER, ALL_NUMBER, BOUND_NUMBER = 987_654_321, 987_654_322, 987_654_323  # stand for what is chosen later
ANY_WORD, ALL_WORD, RANKED_WORD = "zzany", "zzall", "zzfirst"
WAITING = frozenset({("wait",), ("wait", "for", "me"), ("ask", "me"), ("ask",), ("leave", "it", "to", "me")})
ALL = re.compile(r"\b(?:all|everything)\b", re.IGNORECASE)
ANY = re.compile(r"\bany\b", re.IGNORECASE)
ANY_OF = re.compile(r"\b(?:any|first|best)\s+of\b\s*:?", re.IGNORECASE)
BOUNDS = re.compile(
    r"\b(?:(?:the\s+)?(?P<pick>least|most)|(?P<more>one\s+more)|(?P<limit>up\s+to|at\s+most|at\s+least))\b",
    re.IGNORECASE,
)
LIMIT = re.compile(r"\s*(?P<limit>up\s+to|at\s+most|at\s+least)\b", re.IGNORECASE)


class Segment(NamedTuple):
    """A piece of a line, and where it begins."""

    text: str
    start: int

    def strip(self) -> "Segment":
        left = len(self.text) - len(self.text.lstrip())
        return Segment(self.text.strip(), self.start + left)

    def after(self, place: int) -> "Segment":
        return Segment(self.text[place:], self.start + place)

    def before(self, place: int) -> "Segment":
        return Segment(self.text[:place], self.start)

    def error(self, message: str) -> StandingError:
        found = self.strip()
        return StandingError(message, found.start, found.start + len(found.text))


class OpenOrders:
    """Reads the orders of one line. `budget` collects what could not be read: there is an end to trying."""

    def __init__(self, game: AnyGame, whole: Segment, players: Sequence[str], budget: list[str]) -> None:
        self.game, self.whole, self.players, self.budget = game, whole, players, budget
        self.reader = Reader(game)
        self.kinds: tuple[type[Move], ...] = game.move_types
        self._found: dict[str, tuple[Action, ...] | OrderError] = {}

    def unreadable(self, piece: Segment, error: OrderError) -> StandingError:
        """The parser's reason, pointing at the word that it could not read."""
        message = re.sub("zz(any|all)", r"\1", error.message.replace(RANKED_WORD, "any of"))
        for number in (ANY_NUMBER, ALL_NUMBER, BOUND_NUMBER):
            message = message.replace(str(number), "…")
        named = re.match(r"“(\S+)[^”]*” is no ", message)
        place = piece.text.lower().find(named[1].lower()) if named else -1
        piece = piece.after(place) if place > 0 else piece
        return StandingError(message, piece.start, piece.start + len(piece.text), readings=_readings(error))

    def actions(self, piece: Segment, verb: str) -> tuple[Action, ...] | OrderError:
        """The order, or the alternatives, that a piece of text means; or why it cannot be read."""
        key = f"{verb}\n{piece.text}"
        if key not in self._found:
            self._found[key] = self._actions(piece, verb)
        return self._found[key]

    def _actions(self, piece: Segment, verb: str) -> tuple[Action, ...] | OrderError:
        if tokens(piece.text) in WAITING:
            return (Action(WAIT),)
        if tokens(piece.text) == (DEFAULT,):
            return (Action(DEFAULT),)
        if any_of := ANY_OF.search(piece.text):
            return self.any_of(piece, any_of)
        text, bound = self.bound(piece)
        found = self.order(text, bound)
        if (
            isinstance(found, OrderError)
            and verb
            and not isinstance(with_verb := self.order(f"{verb} {text}", bound), OrderError)
        ):
            return (with_verb,)
        return found if isinstance(found, OrderError) else (found,)

    def any_of(self, piece: Segment, match: re.Match[str]) -> tuple[Action, ...] | OrderError:
        """`take any of grey, red`: one after another; for a field that takes several, as many as may be."""
        whole = self.order(ANY_OF.sub(f" {RANKED_WORD} ", piece.text), None)
        if not isinstance(whole, OrderError):
            return (whole,)
        head, tail = piece.text[: match.start()], piece.text[match.end() :]
        found: list[Action] = []
        for item in re.split(r",|\bor\b", tail):
            action = self.order(head + item, None)
            if isinstance(action, OrderError):
                return action
            found.append(action)
        return tuple(found)

    def bound(self, piece: Segment) -> tuple[str, Bound | None]:
        """`one more up to 12`, `up to cash - 5`, `at least 3`, `the most` in place of a number."""
        match = BOUNDS.search(piece.text)
        if not match:
            return piece.text, None
        end, pick = match.end(), "least" if match["more"] else (match["pick"] or "").lower()
        limits: dict[str, Amount] = {}
        limit = match if match["limit"] else LIMIT.match(piece.text, end)
        while limit:
            name = "at_least" if limit["limit"].lower().startswith("at l") else "up_to"
            limits[name], end = self.reader.amount_within(piece.text, limit.end(), piece.start)
            limit = LIMIT.match(piece.text, end)
        pick = pick or ("most" if "up_to" in limits else "least")
        bound = Bound("most" if pick == "most" else "least", limits.get("at_least"), limits.get("up_to"))
        return f"{piece.text[: match.start()]} {BOUND_NUMBER} {piece.text[end:]}", bound

    def order(self, text: str, bound: Bound | None) -> Action | OrderError:
        """An order that is read for any position, with what is chosen later."""
        if bound is None and (found := self.any_order(text)):
            return found
        chosen = [text]
        if re.search(ALL, text):
            chosen = [re.sub(ALL, ALL_WORD, text), re.sub(ALL, str(ALL_NUMBER), text), text]
        readings = [re.sub(ANY, word, one) for one in chosen for word in (ANY_WORD, str(ANY_NUMBER))]
        error: OrderError | None = None
        for reading in dict.fromkeys(readings):
            try:
                move = parse(self.game, offers_of(self.kinds), reading, self.players)
            except (InvalidOrder, AmbiguousOrder) as refused:
                error = error or refused
                self.budget.append(reading)
                if len(self.budget) > MOST_UNREADABLE:
                    raise self.whole.error("Too much of this cannot be read; give fewer orders at once.") from None
                continue
            if type(move) not in self.kinds:
                written = patterns(offers_of(self.kinds))
                message = f"“{text.strip()}” is no order of this phase. You can write: {written}."
                error = error or InvalidOrder("not_in_phase", message)
                continue
            if move.leaves_the_game:
                return InvalidOrder("leaves_the_game", "Leaving the game is not left to a standing order.")
            action = _action(move, bound)
            if action is not None:
                return action
        return error or InvalidOrder("unreadable", f"“{text.strip()}” takes no such number.")

    def any_order(self, text: str) -> Action | None:
        """`ship`, or `ship any`: the verb alone, for whatever is offered of it."""
        said = tuple(word for word in tokens(text) if word != "any")
        for kind in self.kinds:
            required = [field.name for field in fields_of(kind) if field.required]
            if said and required and said == tokens(leading(kind.notation)) and not kind.leaves_the_game:
                return Action(type_name(kind), dict.fromkeys(required, Anything()))
        return None


def _readings(error: OrderError) -> tuple[str, ...]:
    return tuple(reading for reading in error.readings if "zz" not in reading)


def _action(move: Move, bound: Bound | None) -> Action | None:
    """A move with what stands for a choice in its fields; None if a bound is nowhere in it."""
    fields: dict[str, Choice] = {}
    for field in fields_of(type(move)):
        value = getattr(move, field.name)
        choice: Choice = value
        if value in (ANY_NUMBER, ANY_WORD) or (isinstance(value, tuple) and ANY_WORD in value):
            choice = Anything()
        elif isinstance(value, tuple) and not {ALL_WORD, RANKED_WORD}.isdisjoint(value):
            rest = tuple(dict.fromkeys(str(item) for item in value if item not in (ALL_WORD, RANKED_WORD)))
            choice = Ranked(rest) if rest else Everything()  # all red ones, or all
        elif value in (ALL_NUMBER, ALL_WORD):
            choice = Everything()
        elif value == BOUND_NUMBER and bound:
            choice = bound
        if choice != field.default:
            fields[field.name] = choice
    if bound and bound not in fields.values():
        return None
    return Action(type_name(type(move)), fields)


class AnyName(OneOf):
    """Whatever a field may hold: orders are read for positions that are still to come."""

    def __init__(self) -> None:
        super().__init__(ANY_WORD, ALL_WORD)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)

    def values(self) -> Iterator[Any]:
        yield ANY_WORD


class AnyNumber(Range):
    def __init__(self) -> None:
        super().__init__(ANY_NUMBER, ANY_NUMBER)

    def accepts(self, value: Any) -> bool:
        return type(value) is int


class AnyList(Bag):
    def __init__(self) -> None:
        super().__init__({ANY_WORD: 1, ALL_WORD: 1, RANKED_WORD: 1}, 0, 1)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, tuple)

    def values(self) -> Iterator[Any]:
        yield (ANY_WORD,)

    def canonical(self, value: Any) -> Any:
        return value


@lru_cache(maxsize=64)
def offers_of(kinds: tuple[type[Move], ...]) -> tuple[Offer, ...]:
    """An offer of every order of some types, whatever its fields are."""
    return tuple(Offer(kind, **{field.name: _anything(field.type) for field in fields_of(kind)}) for kind in kinds)


def _anything(kind: Any) -> Domain:
    if get_origin(kind) is tuple:
        return AnyNumber() if get_args(kind)[0] is int else AnyList()
    return AnyNumber() if kind is int else AnyName()


@lru_cache(maxsize=64)
def verbs(game: AnyGame) -> frozenset[str]:
    """The words with which orders begin."""
    written = [way for kind in game.move_types for way in (kind.notation, *kind.also)]
    return frozenset(word for way in written for word in tokens(leading(way))[:1])


def verb_of(game: AnyGame, action: Action) -> str:
    """The words with which orders of a type begin."""
    return "" if action.order in OWN_ORDERS else leading(game.moves_by_name[action.order].notation)


def leading(notation: str) -> str:
    return re.split(r"[\[{]", notation)[0].strip()

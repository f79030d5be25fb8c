"""Standing orders as text, one a line, and back.

    next: buy Paris-Rome for red, take grey else take red else pile; otherwise take money
    in auction: bid one more up to 12 if size is M or L; else pass; until round 5
    if deal gives Rome for at most 30: accept

Before the colon stands when: `next`, `once` or `always`, the phases, a condition. Then clauses, each closed by a
semicolon: steps with commas between them, alternatives with `else`, and a condition. Limits are clauses, too. Orders
are read by the one parser for all games; here are the words around them.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_origin

import msgspec

from referee.errors import AmbiguousOrder, InvalidOrder, OrderError
from referee.options import Bag, Domain, Move, Offer, OneOf, Range, fields_of, type_name
from referee.orders.conditions import (
    PASSED,
    Reader,
    StandingError,
    Word,
    format_amount,
    format_condition,
    word_list,
    words_of,
)
from referee.orders.deciding import phase_names
from referee.orders.notation import parse, patterns, say
from referee.orders.standing import (
    DEFAULT,
    LONGEST_PAUSE,
    MOMENT,
    MOST_ALTERNATIVES,
    MOST_CLAUSES,
    MOST_CONDITIONS,
    MOST_ORDERS,
    MOST_STEPS,
    OWN_ORDERS,
    WAIT,
    Action,
    AllOf,
    Amount,
    Anything,
    Bound,
    Choice,
    Clause,
    Condition,
    Everything,
    Not,
    Ranked,
    StandingOrder,
    conditions_of,
)
from referee.orders.templates import tokens
from referee.table import AnyGame

LONGEST_LINE = 1000
MOST_JOINED = 40  # pieces between commas that one order can be made of
MOST_UNREADABLE = 24  # readings of a text that come to nothing, before it is given up
ANY_NUMBER, ALL_NUMBER, BOUND_NUMBER = 987_654_321, 987_654_322, 987_654_323  # stand for what is chosen later
ANY_WORD, ALL_WORD, RANKED_WORD = "zzany", "zzall", "zzfirst"
WAITING = frozenset({("wait",), ("wait", "for", "me"), ("ask", "me"), ("ask",), ("leave", "it", "to", "me")})
OPENING = re.compile(r"\s*(?:or\s+else|else|otherwise|then)\b\s*,?", re.IGNORECASE)
CONDITION = re.compile(r"\b(if|unless)\b", re.IGNORECASE)
ALL = re.compile(r"\b(?:all|everything)\b", re.IGNORECASE)
ANY = re.compile(r"\bany\b", re.IGNORECASE)
STEP = re.compile(r"(,|;|\bthen\b|\belse\b)", re.IGNORECASE)
ANY_OF = re.compile(r"\b(?:any|first|best)\s+of\b\s*:?", re.IGNORECASE)
BOUNDS = re.compile(
    r"\b(?:(?:the\s+)?(?P<pick>least|most)|(?P<more>one\s+more)|(?P<limit>up\s+to|at\s+most|at\s+least))\b",
    re.IGNORECASE,
)
LIMIT = re.compile(r"\s*(?P<limit>up\s+to|at\s+most|at\s+least)\b", re.IGNORECASE)
DURATION = re.compile(
    r"(?P<number>\d{1,6})\s*(?P<unit>d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)\b", re.IGNORECASE
)
DAY = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?: ?(?:Z|UTC))?",
    re.IGNORECASE,
)
SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


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


def parse_orders(game: AnyGame, text: str, players: Sequence[str] = ()) -> list[tuple[str, StandingOrder]]:
    """Lines of text with the standing order that each means; empty lines and comments are passed. Raises StandingError
    with the line and the word."""
    found: list[tuple[str, StandingOrder]] = []
    budget: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append((line.strip(), parse_order(game, line, players, budget)))
        except StandingError as error:
            error.line = number
            raise
        if len(found) > MOST_ORDERS:
            raise StandingError(f"At most {MOST_ORDERS} standing orders; this is one more.", 0, len(line), number)
    return found


def parse_order(
    game: AnyGame, line: str, players: Sequence[str] = (), budget: list[str] | None = None
) -> StandingOrder:
    """The standing order that a line means. `budget` collects what could not be read: there is an end to trying."""
    if len(line) > LONGEST_LINE:
        message = f"A standing order has at most {LONGEST_LINE} characters; this line has {len(line)}."
        raise StandingError(message, LONGEST_LINE, len(line))
    return _Line(game, line, players, [] if budget is None else budget).read()


class _Line:
    """Reads a line."""

    def __init__(self, game: AnyGame, line: str, players: Sequence[str], budget: list[str]) -> None:
        self.game = game
        self.budget = budget
        self.players = players
        self.reader = Reader(game)
        self.whole = Segment(line, 0)
        self.parts: dict[str, Any] = {}
        self.kinds: tuple[type[Move], ...] = game.move_types
        self._orders: dict[str, tuple[Action, ...] | OrderError] = {}

    def read(self) -> StandingOrder:
        rest = self.whole
        if ":" in rest.text and (colon := _colon(rest.text)) is not None:
            self.scope(rest.before(colon).strip())
            rest = rest.after(colon + 1)
        clauses: list[Clause] = []
        for part in _split(rest, ";"):
            if part.text and not self.limit(part):
                clauses.append(self.clause(part))
        if not clauses:
            raise rest.error("Nothing is said to be done: write orders after the colon.")
        if len(clauses) > MOST_CLAUSES:
            raise rest.error(f"At most {MOST_CLAUSES} clauses, not {len(clauses)}.")
        order = StandingOrder(do=tuple(clauses), **self.parts)
        if sum(1 for _ in conditions_of(order)) > MOST_CONDITIONS:
            raise rest.error(f"At most {MOST_CONDITIONS} comparisons in one standing order.")
        return order

    def scope(self, scope: Segment) -> None:
        """`once in auction or strike if size is L`"""
        found = CONDITION.search(scope.text)
        if found:
            condition = self.condition(scope.after(found.start()))
            self.parts["condition"] = condition
            scope = scope.before(found.start()).strip()
        said = words_of(scope.text, scope.start)
        if said and said[0].plain in ("next", "once", "always"):
            self.parts["when"] = said[0].plain
            said = said[1:]
            said = said[1:] if said and said[0].plain == "turn" else said
        if not said:
            return
        if said[0].plain not in ("in", "at", "on", "during", "when", "while"):
            raise StandingError(
                f"“{said[0].text}” is none of: next, once, always, in PHASE, if CONDITION.", said[0].start, said[-1].end
            )
        self.parts["phases"] = tuple(dict.fromkeys(self.phases(said[1:] or said)))
        names = phase_names(self.game, self.parts["phases"])
        some = [kind for name, phase in self.game.phases.items() if name in names for kind in phase.moves]
        if self.parts.get("when") != "next" and some:
            self.kinds = tuple(dict.fromkeys(some))

    def phases(self, said: list[Word]) -> Iterator[str]:
        known = phases_by_words(self.game)
        while said:
            size = next((n for n in range(min(5, len(said)), 0, -1) if _key(said[:n]) in known), 0)
            if not size:
                names = sorted(dict.fromkeys(known.values()))
                near = difflib.get_close_matches(said[0].plain, names, n=1, cutoff=0.6)
                hint = f" Do you mean {near[0]}?" if near else f" The phases are: {word_list(names)}."
                raise StandingError(f"“{said[0].text}” is no phase of this game.{hint}", said[0].start, said[0].end)
            yield known[_key(said[:size])]
            said = said[size:]
            if said and said[0].plain in ("or", "and", ","):
                said = said[1:]

    def condition(self, segment: Segment) -> Condition:
        """One or several of `if …` and `unless …`, which all have to hold."""
        found: list[Condition] = []
        places = list(CONDITION.finditer(segment.text))
        for match, after in zip(places, [*places[1:], None], strict=True):
            end = after.start() if after else len(segment.text)
            some = self.reader.condition(segment.text[match.end() : end], segment.start + match.end())
            found.append(Not(some) if match[1].lower() == "unless" else some)
        return found[0] if len(found) == 1 else AllOf(tuple(found))

    def limit(self, part: Segment) -> bool:
        """Whether a clause is a limit, which is noted then."""
        said = words_of(part.text, part.start)
        match [word.plain for word in said]:
            case ["until", "row", number] if number.isdigit():
                self.parts["until_row"] = int(number[:9])
            case ["until", "round", number] if number.isdigit():
                if "round" not in self.game.standing.by_name:
                    raise part.error("This game has no rounds; write “until row N” or a date.")
                self.parts["until_round"] = int(number[:9])
            case ["until", *_]:
                self.parts["until"] = _moment(part.after(len("until")))
            case ["while", *_] | ["only", "while", *_]:
                place = part.text.lower().index("while") + len("while")
                self.parts["only_while"] = self.reader.condition(part.text[place:], part.start + place)
            case ["stop", "when", *_]:
                self.parts["stop_when"] = tuple(self.events(said[2:], part))
            case ["at", "most", number, "times" | "time"] if number.isdigit() and 1 <= int(number[:9]) <= 1000:
                self.parts["times"] = int(number)
            case ["at", "most", "once"]:
                self.parts["times"] = 1
            case ["after", *_]:
                self.parts["after"] = _duration(part.after(len("after")))
            case ["keep", "if", "impossible"] | ["if", "impossible", "keep"] | ["keep"]:
                self.parts["if_impossible"] = "keep"
            case ["drop", "if", "impossible"] | ["if", "impossible", "drop"] | ["drop"]:
                self.parts["if_impossible"] = "drop"
            case _:
                return False
        return True

    def events(self, said: list[Word], part: Segment) -> Iterator[str]:
        known = {tokens(event.name): event.name for event in self.game.standing.events}
        some: list[list[Word]] = [[]]
        for word in said:
            if word.plain in ("or", ",", "and"):
                some.append([])
            else:
                some[-1].append(word)
        for words in some:
            name = known.get(tuple(word.plain for word in words if word.plain not in PASSED | {"am"}))
            if name is None:
                names = word_list([event.name for event in self.game.standing.events]) or "none"
                raise part.error(f"After “stop when” comes an event of this game: {names}.")
            yield name

    def clause(self, part: Segment) -> Clause:
        if opening := OPENING.match(part.text):
            part = part.after(opening.end()).strip()
        condition = None
        found = CONDITION.match(part.text)
        if found:  # the condition first: `if cash >= 5 then pass`
            then = re.search(r"\bthen\b|:", part.text)
            if not then:
                raise part.error("After a condition comes “then” and what is to be done.")
            condition, part = self.condition(part.before(then.start())), part.after(then.end()).strip()
        elif found := CONDITION.search(part.text):
            condition, part = self.condition(part.after(found.start())), part.before(found.start()).strip()
        steps = tuple(self.steps(part))
        if len(steps) > MOST_STEPS:
            raise part.error(f"At most {MOST_STEPS} orders one after another, not {len(steps)}.")
        return Clause(steps, condition)

    def steps(self, part: Segment) -> Iterator[tuple[Action, ...]]:
        """Steps with commas between them, each with alternatives. A comma may also stand within an order: the longest
        piece that can be read is one."""
        pieces = list(_pieces(part))
        step: list[Action] = []
        verb = ""
        while pieces:
            separator, first = pieces[0]
            if separator != "else" and step:
                yield tuple(step)
                step = []
            joined = 1
            while joined < min(len(pieces), MOST_JOINED) and self.goes_on(*pieces[joined]):
                joined += 1
            for size in range(joined, 0, -1):
                last = pieces[size - 1][1]
                piece = part.after(first.start - part.start).before(last.start + len(last.text) - first.start).strip()
                found = self.actions(piece, verb if separator == "else" else "")
                if not isinstance(found, OrderError):
                    break
            if isinstance(found, OrderError):
                raise self.unreadable(first.strip(), found)
            step += found
            verb = _verb(self.game, found[-1])
            pieces = pieces[size:]
            if len(step) > MOST_ALTERNATIVES:
                raise piece.error(f"At most {MOST_ALTERNATIVES} alternatives.")
        if not step:
            raise part.error("Here an order is missing.")
        yield tuple(step)

    def goes_on(self, separator: str, piece: Segment) -> bool:
        """Whether a piece may belong to the order before it: a comma stands between, and no other order begins."""
        said = tokens(piece.text)
        return separator == "," and bool(said) and said[0] not in verbs(self.game)

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
        if key not in self._orders:
            self._orders[key] = self._actions(piece, verb)
        return self._orders[key]

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
            if said and required and said == tokens(_leading(kind.notation)) and not kind.leaves_the_game:
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


@lru_cache(maxsize=64)
def verbs(game: AnyGame) -> frozenset[str]:
    """The words with which orders begin."""
    written = [way for kind in game.move_types for way in (kind.notation, *kind.also)]
    return frozenset(word for way in written for word in tokens(_leading(way))[:1])


def _verb(game: AnyGame, action: Action) -> str:
    """The words with which orders of a type begin."""
    return "" if action.order in OWN_ORDERS else _leading(game.moves_by_name[action.order].notation)


def _leading(notation: str) -> str:
    return re.split(r"[\[{]", notation)[0].strip()


@lru_cache(maxsize=64)
def phases_by_words(game: AnyGame) -> Mapping[tuple[str, ...], str]:
    """The names of phases, by their words."""
    found: dict[tuple[str, ...], str] = {}
    covered = {name for phase in game.standing.phases for name in phase.phases}
    for name in game.phases:
        if name not in covered:
            found[tuple(name.split("_"))] = name.replace("_", " ")
    for phase in game.standing.phases:
        for spelling in (phase.name, *phase.also):
            found[tokens(spelling)] = phase.name
    return found


def _key(said: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.plain for word in said)


def _colon(text: str) -> int | None:
    """The colon after the scope; one within a time of day is none."""
    found = re.search(r":(?!\d)", text)
    return found.start() if found else None


def _split(segment: Segment, separator: str) -> list[Segment]:
    found, place = [], 0
    for piece in segment.text.split(separator):
        found.append(Segment(piece, segment.start + place).strip())
        place += len(piece) + len(separator)
    return found


def _pieces(part: Segment) -> Iterator[tuple[str, Segment]]:
    """The pieces of a clause, each with what stands before it: a comma, `then` or `else`."""
    separator, place = ",", 0
    for match in STEP.finditer(part.text):
        piece = Segment(part.text[place : match.start()], part.start + place)
        if piece.text.strip():
            yield separator, piece
            separator = ""
        separator = match[0].lower() if match[0].lower() == "else" or not separator else separator
        place = match.end()
    piece = Segment(part.text[place:], part.start + place)
    if piece.text.strip():
        yield separator, piece


def _moment(part: Segment) -> str:
    """A day, or a time of it, in UTC."""
    text = part.text.strip()
    found = DAY.fullmatch(text)
    moment = (
        f"{found['day']}T{found['hour'] or '00'}:{found['minute'] or '00'}:{found['second'] or '00'}Z" if found else ""
    )
    if not re.match(MOMENT, moment):
        raise part.error(f"“{text}” is no row, round or date; write “until row 40” or “until 2026-12-31”.")
    return moment


def _duration(part: Segment) -> int:
    text = part.text.strip()
    found = DURATION.fullmatch(text)
    if not found:
        raise part.error(f"“{text}” is no time to wait; write “after 2h”, “after 30 minutes” or “after 1 day”.")
    seconds = int(found["number"]) * SECONDS[found["unit"][0].lower()]
    if seconds > LONGEST_PAUSE:
        raise part.error(f"At most {LONGEST_PAUSE // 86400} days; “{text}” is longer.")
    return seconds


# The other way: from the model to text


def format_order(game: AnyGame, order: StandingOrder) -> str:
    """A standing order as a player would write it."""
    scope: list[str] = [] if order.when == "always" else [order.when]
    if order.phases:
        scope.append("in " + " or ".join(order.phases))
    if order.condition:
        scope.append(f"if {format_condition(game, order.condition)}")
    parts = [format_clause(game, clause) for clause in order.do] + list(_limits(game, order))
    return f"{' '.join(scope) or 'always'}: {'; '.join(parts)}"


def format_clause(game: AnyGame, clause: Clause) -> str:
    steps = ", then ".join(" else ".join(format_action(game, action) for action in step) for step in clause.do)
    return f"{steps} if {format_condition(game, clause.condition)}" if clause.condition else steps


def format_action(game: AnyGame, action: Action) -> str:
    """An order with its choices, as it is written."""
    if action.order == WAIT:
        return "wait for me"
    if action.order == DEFAULT:
        return DEFAULT
    kind = game.moves_by_name[action.order]
    required = {field.name: Anything() for field in fields_of(kind) if field.required}
    if len(required) > 1 and action.fields == required:
        return f"{_leading(kind.notation)} any"
    if required and action.fields == required and (verb := _leading(kind.notation)) in kind.also:
        return verb
    defaults = {field.name: field.default for field in fields_of(kind)}
    said: list[str] = []
    for piece in re.split(r"(\[[^\]]*\])", kind.notation):
        is_optional = piece.startswith("[")
        names = re.findall(r"\{(\w+)\}", piece)
        if is_optional and all(name not in action.fields for name in names):
            continue
        said.append(
            re.sub(
                r"\{(\w+)\}",
                lambda match: _choice(game, match[1], action.fields.get(match[1], defaults[match[1]])),
                piece.strip("[]"),
            )
        )
    return " ".join(" ".join(said).split())


def _choice(game: AnyGame, field: str, choice: Any) -> str:
    match choice:
        case Anything():
            return "any"
        case Everything():
            return "all"
        case Ranked(values):
            return "any of " + ", ".join(say(game, field, value) for value in values)
        case Bound(pick, at_least, up_to):
            said = [] if (up_to and pick == "most") or (at_least and not up_to and pick == "least") else [f"the {pick}"]
            said += [f"at least {format_amount(at_least)}"] if at_least else []
            said += [f"up to {format_amount(up_to)}"] if up_to else []
            return " ".join(said)
    return say(game, field, choice)


def _limits(game: AnyGame, order: StandingOrder) -> Iterator[str]:
    if order.only_while:
        yield f"while {format_condition(game, order.only_while)}"
    if order.until_row is not None:
        yield f"until row {order.until_row}"
    if order.until_round is not None:
        yield f"until round {order.until_round}"
    if order.until is not None:
        yield f"until {order.until}"
    if order.times is not None:
        yield f"at most {order.times} times"
    if order.after:
        unit = next(unit for unit, seconds in SECONDS.items() if order.after % seconds == 0)
        yield f"after {order.after // SECONDS[unit]}{unit}"
    if order.stop_when:
        yield f"stop when {' or '.join(order.stop_when)}"
    if order.if_impossible:
        yield f"{order.if_impossible} if impossible"


def as_data(order: StandingOrder) -> dict[str, Any]:
    """The order as JSON has it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(order))
    return found

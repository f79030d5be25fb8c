"""Standing orders as text, one a line.

    next: buy Paris-Rome for red, take grey else take red else pile; otherwise take money
    in auction: bid one more up to 12 if size is M or L; else pass; until round 5
    if deal gives Rome for at most 30: accept

Before the colon stands when: `next`, `once` or `always`, the phases, a condition. Then clauses, each closed by a
semicolon: steps with commas between them, alternatives with `else`, and a condition. Limits are clauses, too. Here
are the words around the orders; `open_orders` reads these, and `standing_format` is the way back.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.errors import OrderError
from referee.orders.conditions import PASSED, StandingError, Word, word_list, words_of
from referee.orders.deciding import phase_names
from referee.orders.open_orders import OpenOrders, Segment, verb_of, verbs
from referee.orders.standing import (
    LONGEST_PAUSE,
    MOMENT,
    MOST_ALTERNATIVES,
    MOST_CLAUSES,
    MOST_CONDITIONS,
    MOST_ORDERS,
    MOST_STEPS,
    SECONDS,
    Action,
    AllOf,
    Clause,
    Condition,
    Not,
    StandingOrder,
    conditions_of,
)
from referee.orders.templates import tokens
from referee.table import AnyGame

LONGEST_LINE = 1000
MOST_JOINED = 40  # pieces between commas that one order can be made of
OPENING = re.compile(r"\s*(?:or\s+else|else|otherwise|then)\b\s*,?", re.IGNORECASE)
CONDITION = re.compile(r"\b(if|unless)\b", re.IGNORECASE)
STEP = re.compile(r"(,|;|\bthen\b|\belse\b)", re.IGNORECASE)
DURATION = re.compile(
    r"(?P<number>\d{1,6})\s*(?P<unit>d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)\b", re.IGNORECASE
)
DAY = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?: ?(?:Z|UTC))?",
    re.IGNORECASE,
)


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
        self.whole = Segment(line, 0)
        self.orders = OpenOrders(game, self.whole, players, budget)
        self.reader = self.orders.reader
        self.parts: dict[str, Any] = {}

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
            self.orders.kinds = tuple(dict.fromkeys(some))

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
                found = self.orders.actions(piece, verb if separator == "else" else "")
                if not isinstance(found, OrderError):
                    break
            if isinstance(found, OrderError):
                raise self.orders.unreadable(first.strip(), found)
            step += found
            verb = verb_of(self.game, found[-1])
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

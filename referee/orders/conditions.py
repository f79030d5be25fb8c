"""Conditions of standing orders as text, and back: facts compared with numbers, words and each other.

size is M or L and price + 2 <= cash
not (an offer is open) or I can change aircraft
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.orders.standing import (
    LARGEST,
    AllOf,
    Amount,
    AnyOf,
    Can,
    Compare,
    Comparison,
    Condition,
    Holds,
    Is,
    Not,
)
from referee.orders.templates import AnyGame, tokens
from referee.seat_facts import SeatFact

PASSED = frozenset({"a", "an", "the", "my", "i"})  # words that nobody means
# Comparisons as they are said, longest first.
SAID: tuple[tuple[tuple[str, ...], Comparison], ...] = (
    (("is", "not", "more", "than"), "<="),
    (("is", "not", "less", "than"), ">="),
    (("is", "at", "least"), ">="),
    (("is", "at", "most"), "<="),
    (("is", "more", "than"), ">"),
    (("is", "less", "than"), "<"),
    (("is", "over"), ">"),
    (("is", "under"), "<"),
    (("is", "not"), "!="),
    (("at", "least"), ">="),
    (("at", "most"), "<="),
    (("more", "than"), ">"),
    (("less", "than"), "<"),
    (("over",), ">"),
    (("under",), "<"),
    ((">=",), ">="),
    (("<=",), "<="),
    (("!=",), "!="),
    (("=",), "="),
    ((">",), ">"),
    (("<",), "<"),
    (("is",), "="),
    (("are",), "="),
)
WRITTEN: Mapping[Comparison, str] = {"<": "<", "<=": "<=", "=": "is", "!=": "is not", ">=": ">=", ">": ">"}
LONGEST_NAME = 6  # words
DEEPEST = 12  # conditions within each other


class StandingError(Exception):
    """A standing order that cannot be read: what is wrong, and with which characters of which line."""

    def __init__(self, message: str, start: int = 0, end: int = 0, line: int = 1, readings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.start = start
        self.end = end
        self.readings = tuple(readings)


class Word(NamedTuple):
    """A word or a sign: as it is compared, as it is written, and where."""

    plain: str
    text: str
    start: int
    end: int


SIGNS = {"==": "=", "≥": ">=", "≤": "<=", "≠": "!=", "−": "-"}
SIGN = re.compile(r"[<>=!≥≤≠−+\-(),]+")


def words_of(text: str, start: int = 0) -> list[Word]:
    """Words and signs. `Paris-Rome` is two words, so that names with and without a hyphen are the same."""
    found = []
    for match in re.finditer(r">=|<=|!=|==|[<>=(),+\-−≥≤≠]|[^\s<>=(),+!≥≤≠;:]+", text):
        signs = [SIGNS.get(match[0], match[0])] if SIGN.fullmatch(match[0]) else tokens(match[0]) or _filler(match[0])
        found += [Word(plain, match[0], start + match.start(), start + match.end()) for plain in signs]
    return found


def _filler(text: str) -> Sequence[str]:
    """A word that nobody means, as it is written; signs that are no words are nothing."""
    return [text.casefold()] if text.isalnum() else []


def word_list(names: Sequence[str]) -> str:
    return ", ".join(names)


@lru_cache(maxsize=64)
def facts_by_words(game: AnyGame) -> Mapping[tuple[str, ...], SeatFact]:
    return {plain(spelling): fact for fact in game.standing.facts for spelling in (fact.name, *fact.also)}


@lru_cache(maxsize=64)
def verbs_by_words(game: AnyGame) -> Mapping[tuple[str, ...], str]:
    """The words with which an order of a type begins, and other ways to say it that need no field."""
    found: dict[tuple[str, ...], str] = {}
    for name, kind in game.moves_by_name.items():
        found |= {tokens(written): name for written in kind.also if not re.search(r"[\[{]", written)}
    for name, kind in reversed(game.moves_by_name.items()):
        found[tokens(re.split(r"[\[{]", kind.notation)[0])] = name
    found.pop((), None)
    return found


@lru_cache(maxsize=512)
def values_by_words(game: AnyGame, fact: SeatFact) -> Mapping[tuple[str, ...], str]:
    if isinstance(fact.words, str):
        vocabulary = game.vocabulary.get(fact.words, {})
        return {
            tokens(spelling): str(value)
            for value, spellings in reversed(list(vocabulary.items()))
            for spelling in (*spellings[::-1], str(value))
        }
    return {tokens(word): word for word in fact.words}


def value_in_words(game: AnyGame, fact: SeatFact, value: str) -> str:
    if isinstance(fact.words, str):
        return game.vocabulary.get(fact.words, {}).get(value, (value,))[0]
    return value


def plain(text: str) -> tuple[str, ...]:
    """The words of a name that are compared."""
    return tuple(word for word in tokens(text) if word not in PASSED)


class Reader:
    """Reads conditions and amounts of a game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.facts = facts_by_words(game)
        self.said: list[Word] = []
        self.place = 0
        self.depth = 0
        self.end = 0

    def condition(self, text: str, start: int = 0) -> Condition:
        self.begin(text, start)
        found = self.either()
        if self.place < len(self.said):
            raise self.error(f"“{self.said[self.place].text}” is not expected here.")
        return found

    def amount_within(self, text: str, place: int, start: int) -> tuple[Amount, int]:
        """An amount that stands at a place of a text, and where it ends."""
        self.begin(text[place:], start + place)
        amount = self.amount()
        end = self.said[self.place - 1].end - start
        return amount, end

    def begin(self, text: str, start: int) -> None:
        self.said = [word for word in words_of(text, start) if word.plain not in PASSED]
        self.place, self.depth, self.end = 0, 0, start + len(text)

    def next(self, *plain: str) -> bool:
        """Whether these words come next; then they are passed."""
        size = len(plain)
        if tuple(word.plain for word in self.said[self.place : self.place + size]) != plain:
            return False
        self.place += size
        return True

    def error(self, message: str) -> StandingError:
        """At the word that comes next, or else at the last one."""
        if not self.said:
            return StandingError(message, max(0, self.end - 1), self.end)
        word = self.said[min(self.place, len(self.said) - 1)]
        return StandingError(message, word.start, word.end)

    def either(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"Conditions stand within each other at most {DEEPEST} deep.")
        found = [self.both()]
        while self.next("or"):
            found.append(self.both())
        self.depth -= 1
        return found[0] if len(found) == 1 else AnyOf(tuple(found))

    def both(self) -> Condition:
        found = [self.single()]
        while self.next("and") or self.next("but"):
            found.append(self.single())
        flat = [part for one in found for part in (one.conditions if isinstance(one, _Priced) else (one,))]
        return flat[0] if len(flat) == 1 else AllOf(tuple(flat))

    def single(self) -> "Condition | _Priced":
        if self.next("not"):
            self.depth += 1
            if self.depth > DEEPEST:
                raise self.error(f"Conditions stand within each other at most {DEEPEST} deep.")
            inner = self.single()
            self.depth -= 1
            return Not(AllOf(inner.conditions) if isinstance(inner, _Priced) else inner)
        if self.next("("):
            found = self.either()
            if not self.next(")"):
                raise self.error("A closing parenthesis is missing.")
            return found
        if self.next("can"):
            return self.possible()
        fact = self.peek_fact()
        if fact is None or fact[0].kind == "number":
            return self.compared()
        self.place += fact[1]
        if fact[0].kind == "flag":
            return Holds(fact[0].name)
        return self.worded(fact[0])

    def possible(self) -> Condition:
        known = verbs_by_words(self.game)
        for size in range(LONGEST_NAME, 0, -1):
            words = tuple(word.plain for word in self.said[self.place : self.place + size])
            if len(words) == size and words in known:
                self.place += size
                return Can(known[words])
        verbs = sorted({re.split(r"[\[{]", kind.notation)[0].strip() for kind in self.game.move_types})
        raise self.error(f"After “can” comes an order: {word_list(verbs)}.")

    def peek_fact(self) -> tuple[SeatFact, int] | None:
        for size in range(LONGEST_NAME, 0, -1):
            words = tuple(word.plain for word in self.said[self.place : self.place + size])
            if len(words) == size and words in self.facts:
                return self.facts[words], size
        return None

    def worded(self, fact: SeatFact) -> "Condition | _Priced":
        """`size is M or L`, `deal gives Rome for at most 30`"""
        is_not = False
        if self.next("is", "not") or self.next("!=") or self.next("are", "not"):
            is_not = True
        elif not (self.next("is") or self.next("=") or self.next("are") or self.next("has") or self.next("in")):
            if fact.kind == "word":
                raise self.error(f"After “{fact.name}” comes “is” and a word.")
        self.next("one", "of")
        other = self.peek_fact()
        if other and other[0].kind in ("word", "list") and other[0] is not fact:
            self.place += other[1]
            found: Condition = Is(fact.name, same_as=other[0].name)
        else:
            found = Is(fact.name, self.values(fact))
        if is_not:
            found = Not(found)
        if fact.price and self.next("for"):
            priced = Compare(Amount((fact.price,)), self.comparison(), self.amount())
            return _Priced((found, priced))
        return found

    def values(self, fact: SeatFact) -> tuple[str, ...]:
        known = values_by_words(self.game, fact)
        found = [self.value(fact, known)]
        while self.place < len(self.said) and self.said[self.place].plain in ("or", ","):
            after = self.place + 1
            if not self.size_of_value(known, after) or self.is_fact(after):
                break
            self.place = after
            found.append(self.value(fact, known))
        return tuple(dict.fromkeys(found))

    def is_fact(self, place: int) -> bool:
        here, self.place = self.place, place
        found = self.peek_fact()
        self.place = here
        return found is not None

    def size_of_value(self, known: Mapping[tuple[str, ...], str], place: int) -> int:
        words = [word.plain for word in self.said[place : place + LONGEST_NAME]]
        return next((size for size in range(len(words), 0, -1) if tuple(words[:size]) in known), 0)

    def value(self, fact: SeatFact, known: Mapping[tuple[str, ...], str]) -> str:
        size = self.size_of_value(known, self.place)
        if size:
            words = tuple(word.plain for word in self.said[self.place : self.place + size])
            self.place += size
            return known[words]
        said = self.said[self.place].plain if self.place < len(self.said) else ""
        names = sorted({value_in_words(self.game, fact, value) for value in known.values()})
        near = difflib.get_close_matches(said, [name.casefold() for name in names], n=1, cutoff=0.7)
        hint = f" Do you mean {near[0]}?" if near else f" It can be: {word_list(names[:24])}."
        what = f"“{self.said[self.place].text}” is nothing that “{fact.name}” can be." if said else f"“{fact.name}” is?"
        raise self.error(what + hint)

    def compared(self) -> Condition:
        left = self.amount()
        return Compare(left, self.comparison(), self.amount())

    def comparison(self) -> Comparison:
        for said, op in SAID:
            if self.next(*said):
                return op
        raise self.error("Here a comparison is missing: >=, <=, >, <, is, is not.")

    def amount(self) -> Amount:
        plus: list[str] = []
        minus: list[str] = []
        number, sign = 0, 1
        if self.next("-"):
            sign = -1
        while True:
            fact = self.peek_fact()
            word = self.said[self.place] if self.place < len(self.said) else None
            if fact and fact[0].kind == "number":
                (plus if sign > 0 else minus).append(fact[0].name)
                self.place += fact[1]
            elif word and re.fullmatch(r"\$?\d{1,9}m?", word.plain):
                number += sign * int(word.plain.strip("$m"))
                self.place += 1
                for unit in ("million", "millions", "dollars"):
                    self.next(unit)
            else:
                raise self.unknown(word)
            if self.next("+") or self.next("plus"):
                sign = 1
            elif self.next("-") or self.next("minus"):
                sign = -1
            else:
                break
        if len(plus) > 4 or len(minus) > 4 or abs(number) > LARGEST:
            raise self.error("A sum has at most four facts, and no number beyond a thousand million.")
        return Amount(tuple(plus), tuple(minus), number)

    def unknown(self, word: Word | None) -> StandingError:
        names = [fact.name for fact in self.game.standing.facts]
        if word is None:
            return self.error("Here a fact or a number is missing.")
        rest = " ".join(one.plain for one in self.said[self.place : self.place + 3])
        near = difflib.get_close_matches(rest, names, n=1, cutoff=0.5)
        near = near or difflib.get_close_matches(word.plain, names, n=1, cutoff=0.6)
        hint = f" Do you mean “{near[0]}”?" if near else f" The facts are: {word_list(names)}."
        return self.error(f"“{word.text}” is no fact of this game.{hint}")


class _Priced(NamedTuple):
    """A list and its price, which belong together until it is known what stands around them."""

    conditions: tuple[Condition, ...]


def format_condition(game: AnyGame, condition: Condition) -> str:
    match condition:
        case Compare(left, op, right):
            return f"{format_amount(left)} {WRITTEN[op]} {format_amount(right)}"
        case Is():
            return _is(game, condition, "")
        case Not(Is() as inner):
            return _is(game, inner, " not")
        case Holds(fact):
            return fact
        case Can(order):
            kind = game.moves_by_name[order]
            return "can " + re.split(r"[\[{]", kind.notation)[0].strip()
        case Not(inner):
            return f"not ({format_condition(game, inner)})"
        case AllOf(conditions):
            return " and ".join(_within(game, part) for part in conditions)
        case AnyOf(conditions):
            return " or ".join(_within(game, part) for part in conditions)


def _within(game: AnyGame, condition: Condition) -> str:
    """A condition beside others; in parentheses where it would be read otherwise."""
    said = format_condition(game, condition)
    is_open = isinstance(condition, AllOf | AnyOf) or (isinstance(condition, Is) and len(condition.any_of) > 1)
    is_open = is_open or (isinstance(condition, Not) and isinstance(condition.condition, Is))
    return f"({said})" if is_open else said


def _is(game: AnyGame, condition: Is, negation: str) -> str:
    fact = game.standing.by_name[condition.fact]
    verb = " is" if fact.kind == "word" or negation or condition.same_as else ""
    if condition.same_as:
        return f"{fact.name}{verb}{negation} {condition.same_as}"
    return f"{fact.name}{verb}{negation} {' or '.join(value_in_words(game, fact, v) for v in condition.any_of)}"


def format_amount(amount: Amount) -> str:
    said = [*(("+", name) for name in amount.plus), *(("-", name) for name in amount.minus)]
    if amount.number or not said:
        said.append(("+" if amount.number >= 0 else "-", str(abs(amount.number))))
    first = said[0]
    text = first[1] if first[0] == "+" else f"- {first[1]}"
    return " ".join([text, *(f"{sign} {name}" for sign, name in said[1:])])

"""Orders as text. One parser for all games, lenient towards people and exact in what it means.

A move type's `notation` is a template: `buy {route} for {airline}`, with `[optional parts]`; `also` has more of them.
Case, accents and punctuation do not matter; a word may be a unique beginning of a name or a near miss, and a name of
several words may be called by some of them where it is on offer. Every way to read a line has a penalty for each
liberty taken; the best reading is played, two equally good ones are an AmbiguousOrder. A word that fits exactly always
wins, even where it makes the order illegal: better a refusal than a move nobody meant. What is left of an order without
its verb is read where that can be one legal order only.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby, islice, product
from typing import Any, NamedTuple, get_args, get_origin

from referee.contract import Game
from referee.errors import AmbiguousOrder, InvalidOrder
from referee.options import Bag, Domain, Move, Offer, OneOf, Pick, Range, Way, fields_of

AnyGame = Game[Any, Any, Any]
Tokens = tuple[str, ...]
Reading = tuple[int, dict[str, Any], int]  # penalty, fields, tokens used

LONGEST_LINE = 400
EMPTY = "nothing"  # how an empty list is written
EMPTY_WORDS = frozenset({EMPTY, "none"})
ALL_WORDS = frozenset({"all", "everything"})
AND = "and"  # between the items of a list
NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
MONEY = frozenset({"million", "millions", "mio", "dollars"})  # that a number may count
FILLERS = frozenset({"a", "an", "the", "please", "my"})
OPENINGS = frozenset({("i",), ("i", "will"), ("ill",)})  # of a sentence, before the verb

_SIGNS = {ord(sign): "-" for sign in "‐‒–—―−"} | {ord(sign): "" for sign in "'‘’"}

PREFIX, SOME_WORDS, NEAR = 2, 4, 5  # penalties; one less where the value is on offer now
SKIPPED_WORD = 1
MOST_COMPLETIONS = 8  # of an order that does not say all of its fields
MOST_READINGS = 64  # of one list: a line of single letters must not take for ever


class Field(str):
    """A `{field}` of a template."""


class Group(tuple[Any, ...]):
    """An `[optional part]` of a template."""


Part = str | Field | Group


class All(NamedTuple):
    """`all`, or `all` of a value, until it is known what else is said."""

    value: Any = None


@cache
def template(notation: str) -> tuple[Part, ...]:
    """`buy {route} [for {airline}]` as parts: words, fields and groups."""
    parts: list[Part] = []
    for group, field, word in re.findall(r"\[([^\]]*)\]|\{(\w+)\}|([^\s{\[]+)", notation):
        if group:
            parts.append(Group(template(group)))
        elif field:
            parts.append(Field(field))
        else:
            parts.extend(tokens(word))
    return tuple(parts)


@lru_cache(maxsize=4096)
def tokens(text: str) -> Tokens:
    """Lower-case words and numbers, without accents and punctuation. A minus before a number stays."""
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_SIGNS)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(word for word in re.findall(r"(?<![^\W_])-\d+|[^\W_]+", plain) if word not in FILLERS)


@cache
def pattern_of(kind: type[Move]) -> str:
    """How orders of a type are written, for people: `buy ROUTE for AIRLINE`."""
    return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), kind.notation)


def patterns(offers: Iterable[Offer]) -> str:
    """How what is on offer is written: `buy ROUTE for AIRLINE; take money`."""
    return "; ".join(pattern_of(kind) for kind in dict.fromkeys(offer.move for offer in offers))


def format_move(game: AnyGame, move: Move) -> str:
    """The order as a player would write it."""
    said = ""
    for is_optional, first, rest in _written(move.notation):
        if is_optional and all(getattr(move, field) == _default(type(move), field) for field, _ in rest):
            continue
        said += first
        for field, literal in rest:
            said += say(game, field, getattr(move, field)) + literal
    return " ".join(said.split())


def say(game: AnyGame, field: str, value: Any) -> str:
    """A value of a field as a player would write it."""
    if isinstance(value, tuple):
        if any(isinstance(item, int) for item in value) or is_numbered(game, field):
            return ", ".join(say(game, field, item) for item in value) or EMPTY
        runs = [(say(game, field, item), len(list(run))) for item, run in groupby(value)]
        return ", ".join(f"{n} {name}" if n > 1 else name for name, n in runs) or EMPTY
    return game.vocabulary.get(field, {}).get(value, (str(value),))[0]


@cache
def _written(notation: str) -> tuple[tuple[bool, str, tuple[tuple[str, str], ...]], ...]:
    """The parts of a notation: whether it is optional, how it begins, and each field with the text behind it."""
    parts = [re.split(r"\{(\w+)\}", part) for part in re.split(r"\[([^\]]*)\]", notation)]
    return tuple(
        (number % 2 == 1, first, tuple(zip(rest[::2], rest[1::2], strict=True)))
        for number, (first, *rest) in enumerate(parts)
    )


@cache
def _default(move_type: type[Move], field: str) -> Any:
    return next(found.default for found in fields_of(move_type) if found.name == field)


def parse(game: AnyGame, offers: Iterable[Offer], line: str, players: Sequence[str] = ()) -> Move:
    """The move a line means. It may still be illegal: that is for the offers to say. `players` are the names of the
    seats, which are read where a field names a seat."""
    if len(line) > LONGEST_LINE:
        raise InvalidOrder("too_long", f"An order has at most {LONGEST_LINE} characters; this line has {len(line)}.")
    said = tokens(line)
    offers = list(offers)
    readers = _readers(game, offers, said, players)
    best = _best(found for reader in readers for found in reader.moves())
    if not best and (opening := max((o for o in OPENINGS if said[: len(o)] == o), key=len, default=None)):
        readers = _readers(game, offers, said[len(opening) :], players)
        best = _best(found for reader in readers for found in reader.moves())
    if len(best) > 1:
        best = _meant(game, offers, said, best)
    if not best:
        best = _best(found for reader in readers for found in reader.moves_without_verb())
        if len(best) != 1:
            raise _unreadable(game, offers, line, players)
    if len(best) > 1:
        readings = tuple(format_move(game, move) for move in best)
        raise AmbiguousOrder("ambiguous", f"“{line.strip()}” can mean: {'; '.join(readings[:8])}.", readings=readings)
    return best[0]


def _readers(game: AnyGame, offers: list[Offer], said: Tokens, players: Sequence[str]) -> "list[_Reader]":
    return [
        _Reader(game, kind, said, [offer for offer in offers if offer.move is kind], players)
        for kind in game.move_types
    ]


def _best(found: Iterable[tuple[int, Move]]) -> list[Move]:
    """The moves with the least penalty, each once."""
    best: list[Move] = []
    least = None
    for penalty, move in found:
        if least is None or penalty < least:
            least, best = penalty, []
        if penalty == least and move not in best:
            best.append(move)
    return best


def _meant(game: AnyGame, offers: list[Offer], said: Tokens, moves: list[Move]) -> list[Move]:
    """Of moves that a line can mean equally well those that are legal. Where none is, the first of a kind that is
    possible now, or that is written just so: who is refused hears a reason, and is not asked which refusal it shall be.
    """
    if legal := [move for move in moves if any(offer.accepts(move) for offer in offers)]:
        return legal
    kinds = {offer.move for offer in offers}
    possible = [move for move in moves if type(move) in kinds]
    return (possible or [move for move in moves if tokens(format_move(game, move)) == said] or moves)[:1]


class _Reader:
    """Reads a line as one move type."""

    def __init__(
        self, game: AnyGame, move_type: type[Move], said: Tokens, offers: list[Offer], players: Sequence[str] = ()
    ) -> None:
        self.game = game
        self.move_type = move_type
        self.said = said
        self.fields = {field.name: field for field in fields_of(move_type)}
        self.offers = offers
        self.players = players
        self._names: dict[str, list[tuple[Tokens, Any, bool]]] = {}
        self._values: dict[tuple[str, int], list[tuple[str, int, int]]] = {}

    def names(self, field: str) -> list[tuple[Tokens, Any, bool]]:
        """What the values of a field are called; made when a line gets as far as this field."""
        if field not in self._names:
            legal = {value for offer in self.offers for value in _values(offer, field)}
            legal |= {offer.beside[field] for offer in self.offers if field in offer.beside}
            self._names[field] = _names(self.game.vocabulary.get(field, {}), legal)
            seats = zip(self.game.seat_values.get(field, ()), self.players, strict=False)
            self._names[field] += [(tokens(name), value, value in legal) for value, name in seats if tokens(name)]
        return self._names[field]

    def moves(self) -> Iterator[tuple[int, Move]]:
        for written in (self.move_type.notation, *self.move_type.also):
            for penalty, values, used in self.match(template(written), 0, True):
                if used == len(self.said):
                    found = list(self.completed(values))
                    yield from ((penalty, move) for move in found)
                    if not found and (refused := self.to_refuse(values)):
                        yield penalty + NEAR, refused

    def moves_without_verb(self) -> Iterator[tuple[int, Move]]:
        """Legal moves of which the words after the verb are said: no slip of the pen, no part of a name."""
        parts = template(self.move_type.notation)
        verb = next((place for place, part in enumerate(parts) if not _is_word(part)), 0)
        if not verb or not self.said or not self.offers:
            return
        for penalty, values, used in self.match(parts[verb:], 0, False):
            if used == len(self.said) and penalty < SOME_WORDS - 1:
                for move in self.completed(values):
                    if any(offer.accepts(move) for offer in self.offers):
                        yield penalty, move

    def completed(self, values: dict[str, Any]) -> Iterator[Move]:
        """The move of these fields. One that is not said has its default, or whatever is on offer with the others."""
        if any(_says_all(value) for value in values.values()):
            yield from self.with_all(values)
            return
        if all(name in values or not field.required for name, field in self.fields.items()):
            yield self.move_type(**values)
            return
        for offer in self.offers:
            if all(offer.domains[name].accepts(value) for name, value in values.items()):
                unsaid = {
                    name: list(islice(offer.domains[name].values(), MOST_COMPLETIONS))
                    for name, field in self.fields.items()
                    if name not in values and field.required
                }
                yield from (self.move_type(**values, **rest) for rest in _each(unsaid))

    def to_refuse(self, values: dict[str, Any]) -> Move | None:
        """An order that no offer allows with what it says, whatever the rest is: completed with what is on offer, so
        that the rules can say what is wrong with it."""
        unsaid = {
            name: next((value for offer in self.offers for value in offer.domains[name].values()), None)
            for name, field in self.fields.items()
            if name not in values and field.required
        }
        is_vague = not values or any(map(_says_all, values.values())) or None in unsaid.values()
        return None if is_vague else self.move_type(**values, **unsaid)

    def with_all(self, values: dict[str, Any]) -> Iterator[Move]:
        """`all` is as much as is on offer with whatever else is said; if that is on offer at all, else as ever."""
        said = {name: value for name, value in values.items() if not _says_all(value)}
        fitting = [offer for offer in self.offers if all(offer.domains[n].accepts(v) for n, v in said.items())]
        found: dict[Move, int] = {}
        for offer in fitting or self.offers:
            if any(isinstance(value, All) and self.leaves_some(offer, name) for name, value in values.items()):
                continue
            most = {name: _most(offer.domains[name], value) for name, value in values.items() if name not in said}
            if None not in most.values():
                size = sum(amount if isinstance(amount, int) else len(amount) for amount in most.values())
                found |= dict.fromkeys(self.completed(values | most), size)
        largest = max(found.values(), default=0)
        yield from (move for move, size in found.items() if size == largest)

    def leaves_some(self, offer: Offer, name: str) -> bool:
        """Whether there is more to be had, though not together with what is in this offer: then it is not all."""
        domain = offer.domains[name]
        beside = [other.domains[name] for other in self.offers if _is_beside(offer, other, name)]
        return isinstance(domain, Bag) and any(
            isinstance(other, Bag) and not other.limits.keys() <= domain.limits.keys() for other in beside
        )

    def match(self, parts: tuple[Part, ...], start: int, leading: bool) -> Iterator[Reading]:
        """Every way to read the parts from a token on. The leading words of a template, its verb, must be there."""
        if not parts:
            yield 0, {}, start
            return
        first, rest = parts[0], parts[1:]
        heads: Iterable[Reading]
        if isinstance(first, Group):
            heads = [*self.match(tuple(first), start, False), (0, self.defaults(first), start)]
        elif isinstance(first, Field):
            heads = self.read(first, start)
        else:
            heads = self.word(first, start, leading)
        for penalty, values, here in heads:
            for more, others, end in self.match(rest, here, leading and not isinstance(first, Field | Group)):
                yield penalty + more, values | others, end

    def word(self, word: str, start: int, leading: bool) -> Iterator[Reading]:
        said = self.said[start : start + 1]
        penalty = _likeness(said, (word,)) if said else None
        if penalty is not None:
            yield penalty, {}, start + 1
        if not leading:
            yield SKIPPED_WORD, {}, start

    def defaults(self, group: Group) -> dict[str, Any]:
        return {part: self.fields[part].default for part in group if isinstance(part, Field)}

    def read(self, name: str, start: int) -> Iterator[Reading]:
        if name not in self.fields:
            so = {offer.beside.get(name) for offer in self.offers}
            yield from ((penalty, {}, end) for value, penalty, end in self.value(name, start) if value in so)
            return
        kind = self.fields[name].type
        if get_origin(kind) is tuple:
            yield from self.read_list(name, start, get_args(kind)[0] is int)
        elif kind is int:
            yield from self.number(name, start)
            if EMPTY_WORDS.intersection(self.said[start : start + 1]):  # `bid nothing`
                yield 0, {name: 0}, start + 1
            if "".join(self.said[start : start + 1]) in ALL_WORDS:
                yield 0, {name: All()}, start + 1
        else:
            for value, penalty, end in self.value(name, start):
                yield penalty, {name: value}, end

    def number(self, name: str, start: int) -> Iterator[Reading]:
        start += self.said[start : start + 1] == (AND,)  # `Rome and 15 million`
        if start < len(self.said) and (found := re.fullmatch(r"(-?\d{1,18})m?", self.said[start])):
            yield 0, {name: int(found[1])}, self.after_money(start + 1)
        elif start < len(self.said) and self.said[start] in NUMBERS:
            yield 0, {name: NUMBERS[self.said[start]]}, self.after_money(start + 1)

    def after_money(self, start: int) -> int:
        """The next place, past what a number may count: `15 million`."""
        return start + bool(MONEY.intersection(self.said[start : start + 1]))

    def read_list(self, name: str, start: int, of_numbers: bool) -> Iterator[Reading]:
        """As many items as there are, and every shorter list: `2 red, blue`."""
        said = "".join(self.said[start : start + 1])
        if said in EMPTY_WORDS:
            yield 0, {name: ()}, start + 1
        if said in ALL_WORDS:
            yield 0, {name: All()}, start + 1
        if self.fields[name].default == () and name in template(self.move_type.notation):  # an optional part says it
            yield SKIPPED_WORD, {name: ()}, start
        found: list[tuple[int, tuple[Any, ...], int]] = [(0, (), start)]
        for penalty, items, here in found:
            if items:
                yield penalty, {name: items}, here
                here += self.said[here : here + 1] == (AND,)
            more = self.one_number(name, here) if of_numbers else self.counted(name, here)
            if len(found) < MOST_READINGS:
                found.extend((penalty + extra, items + new, end) for new, extra, end in more)

    def one_number(self, name: str, start: int) -> Iterator[tuple[tuple[Any, ...], int, int]]:
        for penalty, values, end in self.number(name, start):
            yield (values[name],), penalty, end

    def counted(self, name: str, start: int) -> Iterator[tuple[tuple[Any, ...], int, int]]:
        count, here = 1, start
        if "".join(self.said[start : start + 1]) in ALL_WORDS:
            for value, penalty, end in self.value(name, start + 1):
                yield (All(value),), penalty, end
        if (
            start < len(self.said)
            and not is_numbered(self.game, name)
            and (found := re.fullmatch(r"(\d{1,2})x?", self.said[start]) or NUMBERS.get(self.said[start]))
        ):
            count, here = found if isinstance(found, int) else int(found[1]), start + 1
        for value, penalty, end in self.value(name, here):
            yield (value,) * count, penalty, end

    def value(self, name: str, start: int) -> list[tuple[str, int, int]]:
        """The values whose names are said here: for each length, the best matches only. Worked out once for a place,
        where several ways to write an order come to it."""
        if (name, start) not in self._values:
            self._values[name, start] = list(self.matching(name, start))
        return self._values[name, start]

    def matching(self, name: str, start: int) -> Iterator[tuple[str, int, int]]:
        names = self.names(name)
        for end in range(start + 1, min(len(self.said), start + 6) + 1):
            span = self.said[start:end]
            scores: dict[str, int] = {}
            for spelling, value, legal in names:
                penalty = _likeness(span, spelling)
                if legal and (penalty is None or penalty > SOME_WORDS) and _is_some_of(span, spelling):
                    penalty = SOME_WORDS
                if penalty is not None and penalty > 0 and legal:
                    penalty -= 1
                if penalty is not None and penalty < scores.get(value, 99):
                    scores[value] = penalty
            if scores:
                best = min(scores.values())
                yield from ((value, penalty, end) for value, penalty in scores.items() if penalty == best)


def _says_all(value: Any) -> bool:
    return isinstance(value, All) or (isinstance(value, tuple) and any(isinstance(item, All) for item in value))


def _most(domain: Domain, said: Any) -> Any:
    """What `all`, or a list with `all` of some value in it, is in an offer; None where that cannot be said."""
    match domain:
        case Range():
            return domain.high
        case OneOf() if isinstance(said, All) and all(isinstance(choice, int) for choice in domain.choices):
            return max(domain.choices)
        case Pick() if isinstance(said, All):
            return domain.choices if len(domain.choices) <= domain.high else None
        case Bag() if isinstance(said, All):
            is_clear = sum(domain.limits.values()) <= domain.high or len(domain.limits) == 1
            return next(Bag(domain.limits, domain.high, domain.high).values()) if is_clear else None
        case Bag():
            counts = [
                min(domain.limits.get(item.value, 0), domain.high) if isinstance(item, All) else 1 for item in said
            ]
            items = [item.value if isinstance(item, All) else item for item in said]
            return tuple(item for item, count in zip(items, counts, strict=True) for _ in range(count)) or None
    return None


@lru_cache(maxsize=1024)
def is_numbered(game: AnyGame, field: str) -> bool:
    """Whether values of a field are called by numbers: then no number before them is a count."""
    return any(name.isdigit() for spellings in game.vocabulary.get(field, {}).values() for name in spellings)


def _names(vocabulary: Mapping[Any, tuple[str, ...]], legal: set[Any]) -> list[tuple[Tokens, Any, bool]]:
    """Every spelling of every value a field can have, and whether the value is on offer now."""
    values = dict.fromkeys([*vocabulary, *sorted(map(str, legal - set(vocabulary)))])
    return [
        (tokens(spelling), value, value in legal)
        for value in values
        for spelling in {str(value), *vocabulary.get(value, ())}
    ]


def _values(offer: Offer, name: str) -> Iterable[Any]:
    domain = offer.domains.get(name)
    if isinstance(domain, OneOf | Pick):
        return domain.choices if all(isinstance(choice, str) for choice in domain.choices) else ()
    if isinstance(domain, Bag):
        return domain.limits
    return domain.steps if isinstance(domain, Way) else ()


def _is_beside(offer: Offer, other: Offer, name: str) -> bool:
    """Whether two offers differ in this field only: so what one of them has is left out in the other."""
    return other is not offer and all(
        domain.listing() == other.domains[field].listing() for field, domain in offer.domains.items() if field != name
    )


def _likeness(said: Tokens, name: Tokens) -> int | None:
    """0 for the same words, PREFIX when each word begins its counterpart, NEAR for a slip of the pen, else None."""
    if said == name:
        return 0
    if len(said) == len(name) and all(full.startswith(word) for word, full in zip(said, name, strict=True)):
        return PREFIX
    written, meant = "".join(said), "".join(name)
    slips = 2 if len(meant) >= 8 else 1 if len(meant) >= 4 else 0
    if not slips or abs(len(written) - len(meant)) > slips or len(set(written) ^ set(meant)) > 2 * slips:
        return None  # a slip changes two letters at most: hardly any of thousands of names has to be looked at further
    return NEAR if _distance(written, meant, slips) <= slips else None


def _is_some_of(said: Tokens, name: Tokens) -> bool:
    """Whether the words are some of a name's, in its order: `stinson chicago` for Stinson of Chicago, say."""
    if len(said) >= len(name):
        return False
    words = iter(name)
    return all(any(word == said_word or (len(said_word) > 3 and word.startswith(said_word)) for word in words)
               for said_word in said)  # fmt: skip


@lru_cache(maxsize=4096)
def _distance(first: str, other: str, most: int) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours between two words; `most` is far enough to stop."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(first, 1):
        before, last, row = row, before, [i]
        if min(before) > most:
            break
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and first[i - 2] == b:
                row[j] = min(row[j], last[j - 2] + 1)
    else:
        return row[-1]
    return most + 1


def _is_word(part: Part) -> bool:
    return not isinstance(part, Field | Group)


def _each(choices: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Every choice of a value for each name."""
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _unreadable(game: AnyGame, offers: list[Offer], line: str, players: Sequence[str]) -> InvalidOrder:
    """Says which word was not understood, as far as that can be told, and what on offer it could have been."""
    said, shown = tokens(line), line.strip()[:80]
    known = [kind for kind in game.move_types if said and _likeness(said[:1], tokens(kind.notation)[:1]) is not None]
    meant = [offer for offer in offers if offer.move in known]
    kinds = list(dict.fromkeys(offer.move for offer in meant))
    if not kinds:
        not_now = f"“{shown}” cannot be read, and “{pattern_of(known[0])}” is not possible now." if known else ""
        message = not_now or f"“{shown}” is no order here."
        return InvalidOrder("unknown_order", f"{message} You can write: {patterns(offers)}.")
    written = f"It is written: {patterns(meant)}."
    if len(kinds) > 1:
        return InvalidOrder("unreadable", f"“{shown}” cannot be read. {written}")
    (kind,) = kinds
    parts = template(kind.notation)
    reader = _Reader(game, kind, said, meant, players)
    read = max(k for k in range(len(parts) + 1) if any(True for _ in reader.match(parts[:k], 0, True)))
    if read == len(parts) or not isinstance(parts[read], Field):
        return InvalidOrder("unreadable", f"“{shown}” cannot be read. {written}")
    field = str(parts[read])
    rest = " ".join(said[max(end for _, _, end in reader.match(parts[:read], 0, True)) :])
    names = sorted({say(game, field, value) for _, value, is_legal in reader.names(field) if is_legal})
    spelled = {" ".join(tokens(name)): name for name in names}
    alike = difflib.get_close_matches(rest, spelled, n=3, cutoff=0.4)
    hint = f" Near it: {', '.join(spelled[value] for value in alike)}." if alike else ""
    fault = f"“{rest}” is no {field.upper()} here." if rest else f"“{shown}” says no {field.upper()}."
    return InvalidOrder("unreadable", f"{fault}{hint} {written}", field=field)

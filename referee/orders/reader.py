"""Reads a line as orders of one move type: every way there is, each with a penalty for the liberties taken.

A word may be a unique beginning of a name or a near miss, and a name of several words may be called by some of them
where it is on offer. What is left out is completed from the offers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, islice, product
from typing import Any, NamedTuple, get_args, get_origin

from referee.options import Bag, Domain, Move, Offer, OneOf, Pick, Range, Way, fields_of
from referee.orders.likeness import NEAR, SKIPPED_WORD, SOME_WORDS, is_some_of, likeness
from referee.orders.templates import AnyGame, Field, Group, Part, Tokens, is_numbered, is_word, template, tokens

Reading = tuple[int, dict[str, Any], int]  # penalty, fields, tokens used

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

MOST_COMPLETIONS = 8  # of an order that does not say all of its fields
MOST_READINGS = 64  # of one list: a line of single letters must not take for ever


class All(NamedTuple):
    """`all`, or `all` of a value, until it is known what else is said."""

    value: Any = None


class Reader:
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
        self.skipped_word = SKIPPED_WORD
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

    def moves(self) -> Iterator[tuple[int, bool, Move]]:
        """Every way to read the line: its penalty, whether it has a verb, and the move."""
        for written in (self.move_type.notation, *self.move_type.also):
            parts = template(written)
            for penalty, values, used in self.match(parts, 0, True):
                if used == len(self.said):
                    found = list(self.completed(values))
                    yield from ((penalty, is_word(parts[0]), move) for move in found)
                    if not found and (refused := self.to_refuse(values)):
                        yield penalty + NEAR, is_word(parts[0]), refused

    def moves_as_written(self) -> Iterator[Move]:
        """Legal moves that are said just as they are shown: no other way to read the line could be better."""
        for penalty, values, used in self.match(template(self.move_type.notation), 0, True):
            if not penalty and used == len(self.said):
                for move in self.completed(values):
                    if any(offer.accepts(move) for offer in self.offers):
                        yield move

    def moves_without_verb(self) -> Iterator[tuple[int, Move]]:
        """Legal moves of which the words after the verb are said, or only the nouns among them: no slip of the pen, no
        part of a name. What else their templates have is no measure of which of them is meant."""
        if not self.said or not self.offers or self.move_type.needs_its_verb:
            return
        self.skipped_word = 0
        also = (parts for parts in map(template, self.move_type.also) if not is_word(parts[0]))
        for parts in (_without_verb(template(self.move_type.notation)), *also):
            for penalty, values, used in self.match(parts, 0, False):
                if used == len(self.said) and penalty < SOME_WORDS - 1:
                    for move in self.completed(values):
                        if any(offer.accepts(move) for offer in self.offers):
                            yield penalty, move
        self.skipped_word = SKIPPED_WORD

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
        penalty = likeness(said, (word,)) if said else None
        if penalty is not None:
            yield penalty, {}, start + 1
        if not leading:
            yield self.skipped_word, {}, start

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
        exact: dict[Tokens, dict[Any, None]] = {}
        for spelling, value, _ in names:
            exact.setdefault(spelling, {})[value] = None
        for end in range(start + 1, min(len(self.said), start + 6) + 1):
            span = self.said[start:end]
            if span in exact:
                yield from ((value, 0, end) for value in exact[span])
                continue
            scores: dict[str, int] = {}
            for spelling, value, legal in names:
                penalty = likeness(span, spelling)
                if legal and (penalty is None or penalty > SOME_WORDS) and is_some_of(span, spelling):
                    penalty = SOME_WORDS
                if penalty is not None and penalty > 0 and legal:
                    penalty -= 1
                if penalty is not None and penalty < scores.get(value, 99):
                    scores[value] = penalty
            if scores:
                best = min(scores.values())
                yield from ((value, penalty, end) for value, penalty in scores.items() if penalty == best)


def _without_verb(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """What stands behind the leading words of a template; nothing where it is a verb and no more."""
    return tuple(dropwhile(is_word, parts))


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


def _each(choices: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Every choice of a value for each name."""
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))

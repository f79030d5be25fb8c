"""What may be moved. An offer is a move type with a domain for each field; the domains are the one source of legality.

Whatever is drawn from an offered domain is accepted, and nothing else is. Listings, checks, samples, menus, notation
and the JSON Schema of a position are all read off the same offers.
"""

import difflib
import itertools
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Protocol, Self, TypeVar

import msgspec

T = TypeVar("T")

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Rng(Protocol):
    """What sampling needs of a random source; `random.Random` fits."""

    def randrange(self, stop: int, /) -> int: ...


def shuffled(things: Iterable[T], rng: Rng) -> list[T]:
    """The same things in a random order, for samples and imagined positions; a game itself shuffles with `Chance`."""
    left = list(things)
    return [left.pop(rng.randrange(len(left))) for _ in range(len(left))]


class Domain:
    """The values a field may take now. Values are as a decoded move holds them: ints, strings, tuples. No ABC: every
    offer asks of each field whether it has one, and of an ABC that takes three times as long."""

    @abstractmethod
    def accepts(self, value: Any) -> bool: ...

    @abstractmethod
    def sample(self, rng: Rng) -> Any: ...

    @abstractmethod
    def values(self) -> Iterator[Any]:
        """The values one by one; lazily, for there may be very many."""

    @abstractmethod
    def nearest(self, value: Any) -> Any:
        """An accepted value close to a refused one."""

    @abstractmethod
    def listing(self) -> dict[str, Any]:
        """The domain for a person or a program to read."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The domain as JSON Schema."""

    def canonical(self, value: Any) -> Any:
        """The one spelling of an accepted value that goes into the log."""
        return value

    def items(self) -> Iterable[str]:
        """The names that values are made of: each of them can be said in words."""
        return ()


class OneOf(Domain):
    """Exactly one of these strings or integers."""

    def __init__(self, *values: Any) -> None:
        self.choices = values

    def accepts(self, value: Any) -> bool:
        return any(choice == value and type(choice) is type(value) for choice in self.choices)

    def sample(self, rng: Rng) -> Any:
        return self.choices[rng.randrange(len(self.choices))]

    def values(self) -> Iterator[Any]:
        return iter(self.choices)

    def nearest(self, value: Any) -> Any:
        return closest(value, self.choices)

    def items(self) -> Iterable[str]:
        return (choice for choice in self.choices if isinstance(choice, str))

    def listing(self) -> dict[str, Any]:
        return {"kind": "one_of", "one_of": list(self.choices)}

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


class Range(Domain):
    """A whole number from low to high, both included."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def accepts(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def sample(self, rng: Rng) -> int:
        return self.low + rng.randrange(self.high - self.low + 1)

    def values(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def nearest(self, value: Any) -> int:
        return min(max(value, self.low), self.high) if type(value) is int else self.low

    def listing(self) -> dict[str, Any]:
        return {"kind": "range", "from": self.low, "to": self.high}

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Pick(Domain):
    """Some of these, each at most once, in the order given."""

    def __init__(self, values: Iterable[Any], low: int, high: int) -> None:
        self.choices = tuple(values)
        self.low = low
        self.high = min(high, len(self.choices))

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and self.low <= len(value) <= self.high
            and len(set(value)) == len(value)
            and all(item in self.choices for item in value)
        )

    def sample(self, rng: Rng) -> tuple[Any, ...]:
        left = list(self.choices)
        return tuple(left.pop(rng.randrange(len(left))) for _ in range(_between(rng, self.low, self.high)))

    def values(self) -> Iterator[tuple[Any, ...]]:
        for size in range(self.low, self.high + 1):
            yield from itertools.permutations(self.choices, size)

    def nearest(self, value: Any) -> tuple[Any, ...]:
        wanted = dict.fromkeys(item for item in _items(value) if item in self.choices)
        fill = (item for item in self.choices if item not in wanted)
        return tuple([*wanted, *itertools.islice(fill, max(0, self.low - len(wanted)))][: self.high])

    def items(self) -> Iterable[str]:
        return (choice for choice in self.choices if isinstance(choice, str))

    def listing(self) -> dict[str, Any]:
        size = {"at_least": self.low, "at_most": self.high}
        return {"kind": "pick", "pick_from": list(self.choices), **size, "ordered": True}

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {"enum": list(self.choices)} if self.choices else False,
            "uniqueItems": True,
            "minItems": self.low,
            "maxItems": self.high,
        }


class Bag(Domain):
    """Some of these, each at most as often as its limit, in any order; the log keeps them sorted."""

    def __init__(self, limits: Mapping[str, int], low: int, high: int) -> None:
        self.limits = {item: limit for item, limit in limits.items() if limit > 0}
        self.low = low
        self.high = min(high, sum(self.limits.values()))

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and self.low <= len(value) <= self.high
            and all(count <= self.limits.get(item, 0) for item, count in Counter(value).items())
        )

    def sample(self, rng: Rng) -> tuple[str, ...]:
        left = self._all()
        size = _between(rng, self.low, self.high)
        return tuple(sorted(left.pop(rng.randrange(len(left))) for _ in range(size)))

    def values(self) -> Iterator[tuple[str, ...]]:
        for size in range(self.low, self.high + 1):
            yield from self._of_size(size, sorted(self.limits))

    def _of_size(self, size: int, items: list[str]) -> Iterator[tuple[str, ...]]:
        if not items:
            if size == 0:
                yield ()
            return
        first, *rest = items
        for count in range(min(size, self.limits[first]), -1, -1):
            for tail in self._of_size(size - count, rest):
                yield (first,) * count + tail

    def nearest(self, value: Any) -> tuple[str, ...]:
        left = self._all()
        wanted: list[str] = []
        for item in _items(value):
            if item in left and len(wanted) < self.high:
                left.remove(item)
                wanted.append(item)
        return self.canonical((*wanted, *left[: max(0, self.low - len(wanted))]))

    def canonical(self, value: Any) -> tuple[str, ...]:
        return tuple(sorted(value))

    def items(self) -> Iterable[str]:
        return self.limits

    def listing(self) -> dict[str, Any]:
        return {"kind": "bag", "bag_of": self.limits, "at_least": self.low, "at_most": self.high}

    def schema(self) -> dict[str, Any]:
        scarce = [
            {"contains": {"const": item}, "minContains": 0, "maxContains": limit}
            for item, limit in self.limits.items()
            if limit < self.high
        ]
        return {
            "type": "array",
            "items": {"enum": list(self.limits)} if self.limits else False,
            **({"allOf": scarce} if scarce else {}),
            "minItems": self.low,
            "maxItems": self.high,
        }

    def _all(self) -> list[str]:
        return [item for item, limit in self.limits.items() for _ in range(limit)]


class Way(Domain):
    """A way through a graph, given step by step.

    There can be too many ways to list, so the listing names the ends with a best way to each, the schema describes the
    steps, `is_legal` decides and `walk` draws one. `ends` is called only when somebody wants the list.
    """

    def __init__(
        self,
        steps: Iterable[str],
        longest: int,
        is_legal: Callable[[tuple[str, ...]], bool],
        walk: Callable[[Rng], tuple[str, ...]],
        ends: Callable[[], Mapping[str, tuple[str, ...]]],
    ) -> None:
        self.steps = tuple(steps)
        self.longest = longest
        self.is_legal = is_legal
        self.walk = walk
        self.ends = ends

    def accepts(self, value: Any) -> bool:
        return isinstance(value, tuple) and len(value) <= self.longest and self.is_legal(value)

    def sample(self, rng: Rng) -> tuple[str, ...]:
        return self.walk(rng)

    def values(self) -> Iterator[tuple[str, ...]]:
        return iter(self.ends().values())

    def nearest(self, value: Any) -> tuple[str, ...]:
        wanted = set(_items(value))
        return max(self.ends().values(), key=lambda way: (len(wanted.intersection(way)), -len(way)))

    def items(self) -> Iterable[str]:
        return self.steps

    def listing(self) -> dict[str, Any]:
        ways = {end: list(way) for end, way in self.ends().items()}
        return {"kind": "way", "way_to": ways, "at_most": self.longest}

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {"enum": list(self.steps)} if self.steps else False,
            "maxItems": self.longest,
            "$comment": "The steps are described here; whether they make a legal way is checked by the referee.",
        }


@cache
def snake(name: str) -> str:
    """TakeMoney -> take_money: how a type is called in JSON."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """Base of every move type. A subclass has plain fields: int, str, or tuples of them.

    `notation` is the order as a player writes it: words, `{field}`s, and `[optional parts]` that are left out when
    their fields have their defaults. `also` has other ways to write it, which are read and never shown; a field that
    such a way does not name has its default, else the only value on offer. `hidden` names the fields that only the
    mover may know while the game lasts. `reveals` is set where playing the move shows its player something new, a card
    or a die: it must be the last of its submission, for if a later order were refused, the peek could not be taken
    back. Where only some moves of a type do so, the rules set `Play.reveals` while playing. `leaves_the_game` is set
    where the mover is out of the game then: no menu gives it a number, and the terminal asks back. `closes` is set
    where the move only says that the mover has finished: as the last of its submission it stands also where the turn
    has ended by itself. `needs_its_verb` is set where the mover gives something up: nouns alone are never read as it.
    """

    notation: ClassVar[str] = ""
    also: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()
    reveals: ClassVar[bool] = False
    leaves_the_game: ClassVar[bool] = False
    closes: ClassVar[bool] = False
    needs_its_verb: ClassVar[bool] = False


class Hints(msgspec.Struct, frozen=True):
    """What an offer means for the one who chooses: prices, payments, effects, in a few words each."""

    order: str = ""  # whatever the fields are
    values: Mapping[str, Mapping[Any, str]] = {}  # by field and value; of a list, by its items; of a way, by its end

    def of(self, offer: "Offer", move: "Move") -> str:
        """The hint for a complete order of the offer."""
        said = [self.order]
        for name, by_value in self.values.items():
            chosen, domain = getattr(move, name), offer.domains[name]
            if isinstance(domain, Way):
                chosen = tuple(end for end, way in domain.ends().items() if way == chosen)
            for item in chosen if isinstance(chosen, tuple) else (chosen,):
                said.append(by_value.get(item) or by_value.get(str(item), ""))  # JSON has only texts as keys
        return "; ".join(dict.fromkeys(filter(None, said)))


NO_HINTS = Hints()


class Offer:
    """One kind of move with a domain for each field. A plain value stands for the domain of just that value.

    `beside` holds what is no part of the move and may be said all the same, for it is so: in `deliver fruit to Topeka`
    the city where the train stands. A way to write the move (`Move.also`) names it like a field.
    """

    __slots__ = ("beside", "domains", "move")

    def __init__(self, move: type[Move], **domains: Any) -> None:
        self.move = move
        for field in fields_of(move):
            domain = domains.setdefault(field.name, field.default)
            if not isinstance(domain, Domain):
                domains[field.name] = OneOf(domain)
        self.domains: dict[str, Domain] = domains
        self.beside: Mapping[str, str] = {}

    def saying(self, **beside: str) -> Self:
        """The same offer, to which this may be said besides."""
        self.beside = beside
        return self

    def accepts(self, move: Move) -> bool:
        if not isinstance(move, self.move):
            return False
        for name, domain in self.domains.items():  # noqa: SIM110 (half the time of all(), for every move)
            if not domain.accepts(getattr(move, name)):
                return False
        return True

    def wrong_fields(self, move: Move) -> list[str]:
        return [name for name, domain in self.domains.items() if not domain.accepts(getattr(move, name))]

    def canonical(self, move: Move) -> Move:
        """The move as the log keeps it."""
        if not self.domains:
            return move
        return self.move(**{name: domain.canonical(getattr(move, name)) for name, domain in self.domains.items()})

    def sample(self, rng: Rng) -> Move:
        return self.move(**{name: domain.sample(rng) for name, domain in self.domains.items()})

    def moves(self) -> Iterator[Move]:
        """Every move offered, one by one."""
        return (self.move(**values) for values in _every(list(self.domains.items())))

    def nearest(self, move: Move) -> Move:
        """The offered move that keeps as much of a refused one as it can."""
        return self.move(
            **{
                name: value if domain.accepts(value) else domain.nearest(value)
                for name, domain in self.domains.items()
                for value in [getattr(move, name, None)]
            }
        )

    def listing(self, hints: Hints = NO_HINTS) -> dict[str, Any]:
        """The offer for a person or a program to read; with hints, what each value would mean."""
        fields = {name: domain.listing() for name, domain in self.domains.items()}
        for name, by_value in hints.values.items():
            if by_value:
                fields[name]["hints"] = {str(value): hint for value, hint in by_value.items()}
        listing = {
            "type": type_name(self.move),
            "notation": self.move.notation,
            "fields": fields,
            "required": self.required(),
        }
        return listing | ({"hint": hints.order} if hints.order else {})

    def required(self) -> list[str]:
        """The fields that have to be said. What is left out of the others the referee fills in as best it can."""
        optional = {
            field.name
            for field in fields_of(self.move)
            if field.default is not msgspec.NODEFAULT and self.domains[field.name].accepts(field.default)
        }
        return [name for name in self.domains if name not in optional]

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {
                "type": {"const": type_name(self.move)},
                **{name: domain.schema() for name, domain in self.domains.items()},
            },
            "required": ["type", *self.required()],
            "additionalProperties": False,
        }


def schema(offers: Iterable[Offer]) -> dict[str, Any]:
    """The exact JSON Schema of the moves on offer."""
    return {"$schema": SCHEMA_DIALECT, "anyOf": [offer.schema() for offer in offers] or [False]}


def sample(offers: Iterable[Offer], rng: Rng) -> Move:
    """A random legal move: first the type, then the offer, then the fields, so that a type with many offers does not
    crowd out the others."""
    by_type: dict[type[Move], list[Offer]] = {}
    for offer in offers:
        by_type.setdefault(offer.move, []).append(offer)
    of_type = list(by_type.values())[rng.randrange(len(by_type))]
    return of_type[rng.randrange(len(of_type))].sample(rng)


def nearest(offers: Iterable[Offer], move: Move) -> Move | None:
    """The legal move of the same type that keeps the most fields, and among those the most alike."""
    alike = [offer for offer in offers if offer.move is type(move)]
    fewest = min((len(offer.wrong_fields(move)) for offer in alike), default=0)
    legal = [offer.nearest(move) for offer in alike if len(offer.wrong_fields(move)) == fewest]
    return max(legal, key=lambda near: difflib.SequenceMatcher(None, str(move)[:400], str(near)).ratio(), default=None)


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a type, remembered: msgspec reads the annotations anew every time."""
    return msgspec.structs.fields(kind)


def type_name(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def closest(value: Any, choices: tuple[Any, ...]) -> Any:
    """The choice most like a value: the nearest number, else the most similar spelling."""
    if isinstance(value, int) and all(isinstance(choice, int) for choice in choices):
        return min(choices, key=lambda choice: abs(choice - value))
    return max(choices, key=lambda choice: difflib.SequenceMatcher(None, str(value)[:80], str(choice)).ratio())


def _every(domains: list[tuple[str, Domain]]) -> Iterator[dict[str, Any]]:
    """Every choice of a value for each field; lazily, which itertools.product is not."""
    if not domains:
        yield {}
        return
    (name, domain), *rest = domains
    for value in domain.values():
        yield from ({name: value, **others} for others in _every(rest))


def _between(rng: Rng, low: int, high: int) -> int:
    return low + rng.randrange(high - low + 1)


def _items(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else ()

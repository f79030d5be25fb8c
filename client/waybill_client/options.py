"""What may be done now, as objects that build moves. Whatever they build is legal."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from waybill_client.errors import NotAMove

Move = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of these."""

    choices: tuple[Any, ...]
    hints: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        return any(value == choice and type(value) is type(choice) for choice in self.choices)

    def sample(self, rng: random.Random) -> Any:
        return rng.choice(self.choices)

    def __str__(self) -> str:
        return "one of " + ", ".join(map(str, self.choices))


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number, both ends included."""

    low: int
    high: int
    hints: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def sample(self, rng: random.Random) -> int:
        return rng.randint(self.low, self.high)

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Pick:
    """Some of these, each once; the order counts."""

    choices: tuple[Any, ...]
    at_least: int
    at_most: int
    hints: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and self.at_least <= len(value) <= self.at_most
            and len(set(value)) == len(value)
            and all(item in self.choices for item in value)
        )

    def sample(self, rng: random.Random) -> list[Any]:
        return rng.sample(self.choices, rng.randint(self.at_least, self.at_most))

    def __str__(self) -> str:
        return f"{self.at_least} to {self.at_most} of " + ", ".join(map(str, self.choices))


@dataclass(frozen=True, slots=True)
class Bag:
    """Some of these, each up to its number, in any order."""

    limits: Mapping[str, int]
    at_least: int
    at_most: int
    hints: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and self.at_least <= len(value) <= self.at_most
            and all(list(value).count(item) <= self.limits.get(item, 0) for item in value)
        )

    def sample(self, rng: random.Random) -> list[str]:
        all_of_them = [item for item, limit in self.limits.items() for _ in range(limit)]
        return rng.sample(all_of_them, rng.randint(self.at_least, min(self.at_most, len(all_of_them))))

    def __str__(self) -> str:
        some = ", ".join(f"{limit} {item}" for item, limit in self.limits.items())
        return f"{self.at_least} to {self.at_most} out of {some}"


@dataclass(frozen=True, slots=True)
class Way:
    """A way through a graph. A best one to each end is listed; others may be legal, and the referee checks them."""

    ways: Mapping[str, tuple[str, ...]]
    at_most: int
    hints: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list | tuple) and 0 < len(value) <= self.at_most

    def sample(self, rng: random.Random) -> list[str]:
        return list(rng.choice(list(self.ways.values())))

    def __str__(self) -> str:
        return f"a way of at most {self.at_most} steps, to " + ", ".join(self.ways)


Field = OneOf | Range | Pick | Bag | Way


def field_of(data: Mapping[str, Any]) -> Field:
    """A field as the service lists it."""
    hints: Mapping[str, str] = data.get("hints") or {}
    match data:
        case {"one_of": choices}:
            return OneOf(tuple(choices), hints)
        case {"from": low, "to": high}:
            return Range(low, high, hints)
        case {"pick_from": choices, "at_least": low, "at_most": high}:
            return Pick(tuple(choices), low, min(high, len(choices)), hints)
        case {"bag_of": limits, "at_least": low, "at_most": high}:
            return Bag(limits, low, high, hints)
        case {"way_to": ways, "at_most": most}:
            return Way({end: tuple(way) for end, way in ways.items()}, most, hints)
    raise ValueError(f"This version of waybill-client does not know the field {dict(data)!r}.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of move that may be made now, with what each of its fields may be.

    A field that is not in `required` may be left out: the referee then fills in the best that it knows.
    """

    type: str
    notation: str
    fields: Mapping[str, Field]
    required: frozenset[str]
    hint: str = ""

    def build(self, **values: Any) -> Move:
        """A move of these values. Fields with one choice need not be named. Raises NotAMove."""
        for name in values:
            if name not in self.fields:
                known = ", ".join(self.fields) or "none"
                raise NotAMove(f"{self.type} has no field {name!r}; its fields: {known}.")
        move: Move = {"type": self.type}
        for name, domain in self.fields.items():
            if name in values:
                if not domain.accepts(values[name]):
                    raise NotAMove(f"{name} of {self.type} is {domain}, not {values[name]!r}.")
                move[name] = list(values[name]) if isinstance(values[name], tuple) else values[name]
            elif isinstance(domain, OneOf) and len(domain.choices) == 1:
                move[name] = domain.choices[0]
            elif name in self.required:
                raise NotAMove(f"{self.type} needs {name}: {domain}.")
        return move

    def sample(self, rng: random.Random | None = None) -> Move:
        """Any of the moves; of a way, one of those that are listed."""
        rng = rng or random.Random()
        chosen = {name: domain.sample(rng) for name, domain in self.fields.items() if name in self.required}
        return {"type": self.type, **chosen}

    def __str__(self) -> str:
        return f"{self.notation} ({self.hint})" if self.hint else self.notation


class Decision(msgspec.Struct, frozen=True):
    """Something that you are asked. Of a `sealed` one nobody sees the answer until all have given theirs."""

    seat: int
    phase: str
    kind: str
    prompt: str
    required: bool


@dataclass(frozen=True, slots=True)
class Options:
    """What your seat may do after row `sequence`."""

    sequence: int
    decisions: tuple[Decision, ...]
    offers: tuple[Offer, ...]
    schema: Mapping[str, Any]
    default: Move | None

    @property
    def prompt(self) -> str:
        return " ".join(decision.prompt for decision in self.decisions)

    @property
    def is_sealed(self) -> bool:
        return any(decision.kind == "sealed" and decision.required for decision in self.decisions)

    @property
    def types(self) -> list[str]:
        return list(dict.fromkeys(offer.type for offer in self.offers))

    def of(self, kind: str) -> list[Offer]:
        """The offers of a kind of move; there may be several, and together they are what is legal."""
        return [offer for offer in self.offers if offer.type == kind]

    def build(self, kind: str, **values: Any) -> Move:
        """A move of this kind, by the first offer that allows these values. Raises NotAMove."""
        refusals = []
        for offer in self.of(kind):
            try:
                return offer.build(**values)
            except NotAMove as refused:
                refusals.append(refused)
        if not refusals:
            raise NotAMove(f"{kind!r} cannot be played now; what can: {', '.join(self.types) or 'nothing'}.")
        raise refusals[0]

    def sample(self, rng: random.Random | None = None) -> Move:
        """Any legal move: first a kind of offer, then its values."""
        if not self.offers:
            raise NotAMove("There is nothing to choose from.")
        return (rng or random).choice(self.offers).sample(rng)

    def __iter__(self) -> Iterator[Offer]:
        return iter(self.offers)


def options_of(data: Mapping[str, Any]) -> Options:
    """Options as the service tells them."""
    needed: Sequence[Mapping[str, Any]] = data["schema"].get("anyOf", ())
    offers = tuple(
        Offer(
            offer["type"],
            offer["notation"],
            {name: field_of(listed) for name, listed in offer["fields"].items()},
            frozenset(schema.get("required", ())) - {"type"},
            offer.get("hint", ""),
        )
        for offer, schema in zip(data["offers"], needed, strict=True)
    )
    decisions = msgspec.convert(data["decisions"], tuple[Decision, ...])
    return Options(data["sequence"], decisions, offers, data["schema"], data["default"])

"""The legal moves as a menu for people: short enough to read, and leading to every move.

Few moves are listed as complete orders. Many are grouped by type, then by offer, and a group opens into a menu of its
own. Where even one offer holds too many, its fields are told with what they may be.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from referee.options import NO_HINTS, Bag, Domain, Hints, Move, Offer, OneOf, Pick, Range, Way, fields_of
from referee.orders.notation import format_move, say
from referee.orders.reader import EMPTY
from referee.orders.templates import AnyGame, is_numbered

LONGEST = 30  # lines of complete orders in a menu
FEW = 4  # orders of one type that are listed outright beside groups
COUNTED = 200
NAMED = 12  # values named in a line
TWICE = 2


class Choice(msgspec.Struct, frozen=True):
    """A line of a menu: a complete order, a group of offers to open, an order that lacks only a number, that of
    the field `missing`, or an order to write (none of these)."""

    text: str
    move: Move | None = None
    offers: tuple[Offer, ...] = ()
    note: str = ""
    missing: str = ""

    @property
    def is_numbered(self) -> bool:
        return not self.missing and bool(self.move or self.offers)

    def with_number(self, number: int) -> Move:
        """The order with the number that it lacked, which may be too much or too little."""
        return msgspec.structs.replace(next(self.offers[0].moves()), **{self.missing: number})


Hinting = Callable[[Offer], Hints]


def no_hints(offer: Offer) -> Hints:
    return NO_HINTS


def menu(game: AnyGame, offers: Iterable[Offer], hints: Hinting = no_hints) -> list[Choice]:
    """The lines of a menu, each complete order with what it means. Whatever takes its player out of the game comes last
    and has to be written."""
    offers = tuple(offers)
    leaving = [offer for offer in offers if offer.move.leaves_the_game]
    staying = tuple(offer for offer in offers if offer not in leaving)
    asking = _lacks_a_number(game, staying, hints) or _choices(game, staying, hints)
    return [*asking, *(Choice(pattern(game, [offer])) for offer in leaving)]


def _lacks_a_number(game: AnyGame, offers: tuple[Offer, ...], hints: Hinting) -> list[Choice]:
    """The menu where a bare number can be the amount: one offer with one range, and at most a way to decline."""
    others = [offer for offer in offers if not offer.domains]
    if len(others) > 1 or len(offers) != 1 + len(others):
        return []
    (offer,) = (offer for offer in offers if offer.domains)
    lacking = [name for name, domain in offer.domains.items() if len(list(islice(domain.values(), 2))) > 1]
    if len(lacking) != 1 or not isinstance(offer.domains[lacking[0]], Range):
        return []
    (missing,) = lacking
    note = "; ".join(filter(None, (legend(game, [offer]), hints(offer).order)))
    amount = Choice(pattern(game, [offer]), offers=(offer,), note=note, missing=missing)
    return [amount, *(Choice(pattern(game, [other]), note=hints(other).order) for other in others)]


def _choices(game: AnyGame, offers: tuple[Offer, ...], hints: Hinting) -> list[Choice]:
    moves = first_moves(offers, LONGEST + 1)
    if len(moves) <= LONGEST:
        return _complete(game, moves, hints)
    kinds = dict.fromkeys(offer.move for offer in offers)
    if len(kinds) > 1:
        groups = [tuple(offer for offer in offers if offer.move is kind) for kind in kinds]
    elif 1 < len(offers) <= LONGEST:
        groups = [(offer,) for offer in offers]
    else:
        return [Choice(pattern(game, offers), note=legend(game, offers))]
    few = FEW if len(kinds) > 1 else 1
    return [choice for group in groups for choice in _group(game, group, few, hints)]


def _complete(game: AnyGame, moves: Mapping[Move, Offer], hints: Hinting) -> list[Choice]:
    by_offer = {id(offer): hints(offer) for offer in moves.values()}
    return [
        Choice(format_move(game, move), move, note=by_offer[id(offer)].of(offer, move)) for move, offer in moves.items()
    ]


def _group(game: AnyGame, offers: tuple[Offer, ...], few: int, hints: Hinting) -> list[Choice]:
    moves = first_moves(offers, COUNTED + 1)
    if len(moves) <= few:
        return _complete(game, moves, hints)
    count = f"{len(moves)} orders" if len(moves) <= COUNTED else f"more than {COUNTED} orders"
    note = "; ".join(filter(None, (hints(offers[0]).order, legend(game, offers)))) if len(offers) == 1 else count
    return [Choice(pattern(game, offers), offers=offers, note=note)]


def first_moves(offers: Iterable[Offer], number: int) -> dict[Move, Offer]:
    """Some of the moves on offer, each once, with the offer it is of."""
    return dict(islice(((move, offer) for offer in offers for move in offer.moves()), number))


def pattern(game: AnyGame, offers: Sequence[Offer]) -> str:
    """How the orders of some offers of one type are written: `buy ROUTE for white`."""

    def part(found: re.Match[str]) -> str:
        """An optional part: gone where it must be left out, without brackets where it must not."""
        names = re.findall(r"\{(\w+)\}", found[1])
        defaults = {field.name: field.default for field in fields_of(offers[0].move)}
        domains = [(offer.domains[name], defaults[name]) for offer in offers for name in names]
        if all(_is_empty(domain) or _is_only(domain, default) for domain, default in domains):
            return ""
        return found[1] if not any(domain.accepts(default) for domain, default in domains) else found[0]

    def field(found: re.Match[str]) -> str:
        if all(_is_empty(offer.domains[found[1]]) for offer in offers):
            return EMPTY
        values = _values(offers, found[1])
        return say(game, found[1], values[0]) if len(values) == 1 else found[1].upper()

    shortened = re.sub(r"\[([^\]]*)\]", part, offers[0].move.notation)
    return " ".join(re.sub(r"\{(\w+)\}", field, shortened).split())


def _is_empty(domain: Domain) -> bool:
    """Whether a list must be left empty."""
    return isinstance(domain, Bag | Pick) and domain.high == 0


def _is_only(domain: Domain, value: Any) -> bool:
    return isinstance(domain, OneOf) and domain.choices == (value,)


def legend(game: AnyGame, offers: Sequence[Offer]) -> str:
    """What the capitals of a pattern may be, where that can be said in a line."""
    parts = []
    for name in offers[0].domains:
        values = _values(offers, name)
        if 1 < len(values) <= NAMED:
            parts.append(f"{name.upper()}: {', '.join(say(game, name, value) for value in values)}")
        elif len(offers) == 1 and len(values) != 1 and (said := in_words(game, name, offers[0].domains[name])):
            parts.append(f"{name.upper()}: {said}")
    return "; ".join(parts)


def _values(offers: Sequence[Offer], name: str) -> list[Any]:
    """The values of a field over some offers; none if it is not a plain choice in all of them."""
    domains = [offer.domains[name] for offer in offers]
    choices = [domain.choices for domain in domains if isinstance(domain, OneOf)]
    return list(dict.fromkeys(value for some in choices for value in some)) if len(choices) == len(domains) else []


def in_words(game: AnyGame, field: str, domain: Domain, most: int | None = None) -> str:
    """A domain as a player would say it, with at most so many names."""

    def names(values: Sequence[Any]) -> str:
        named = ", ".join(say(game, field, value) for value in values[:most])
        more = len(values) - len(values[:most])
        return f"{named} and {more} more" if more else named

    match domain:
        case OneOf():
            return names(domain.choices)
        case Range():
            return _count(domain.low, domain.high)
        case Pick():
            return f"{_count(domain.low, domain.high)} of {names(domain.choices)}, in order" if domain.high else ""
        case Bag():
            limits = [_times(game, field, item, n) for item, n in domain.limits.items()]
            return f"{_count(domain.low, domain.high)} of {', '.join(limits)}" if domain.high else ""
        case Way():
            ways = [say(game, field, way) for way in islice(domain.values(), 3)]
            example = f", for example {' or '.join(ways)}" if ways else ""
            return f"at most {domain.longest} steps{example}"
    raise TypeError(domain)


def _times(game: AnyGame, field: str, item: str, number: int) -> str:
    """`2 red`; of what is called by a number, `3 (twice)`."""
    name = say(game, field, item)
    if number == 1:
        return name
    if is_numbered(game, field):
        return f"{name} ({'twice' if number == TWICE else f'{number} times'})"
    return f"{number} {name}"


def _count(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"

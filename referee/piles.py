"""Things of a few kinds, counted: hands of cards, stocks of goods, piles of shares. No count is 0."""

from collections.abc import Iterable, Mapping

Pile = dict[str, int]


def add(pile: Pile, things: Iterable[str]) -> None:
    for thing in things:
        pile[thing] = pile.get(thing, 0) + 1


def take(pile: Pile, things: Iterable[str]) -> None:
    for thing in things:
        pile[thing] -= 1
        if not pile[thing]:
            del pile[thing]


def pile_of(things: Iterable[str]) -> Pile:
    pile: Pile = {}
    add(pile, things)
    return pile


def spread(pile: Mapping[str, int]) -> list[str]:
    """The things one by one, in an order that is always the same."""
    return [thing for thing, number in sorted(pile.items()) for _ in range(number)]

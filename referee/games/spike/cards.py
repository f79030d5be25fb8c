"""Rail cards counted by type, as hands and discards are kept."""

from collections.abc import Iterable, Sequence

from referee.errors import IllegalOrder
from referee.games.spike.state import Cards


def spread(cards: Cards) -> list[str]:
    """Counted cards one by one, in an order that is always the same."""
    return [card for card, number in sorted(cards.items()) for _ in range(number)]


def add(cards: Cards, new: Iterable[str]) -> None:
    for card in new:
        cards[card] = cards.get(card, 0) + 1


def remove(cards: Cards, old: Iterable[str]) -> None:
    for card in old:
        cards[card] -= 1
        if not cards[card]:
            del cards[card]


def why_not_in_hand(field: str, wanted: Sequence[str], hand: Cards) -> IllegalOrder | None:
    """The reason when someone names rail cards that are not in the hand."""
    for card in dict.fromkeys(wanted):
        needed, there = wanted.count(card), hand.get(card, 0)
        if needed > there:
            message = f"{needed} {card} named, but {there or 'none'} in your hand."
            return IllegalOrder("no_such_card", message, field=field, numbers={"named": needed, "there": there})
    return None

"""Shares: drawing, counting and moving them."""

from collections.abc import Iterable, Sequence

from referee.games.airlines_europe.state import Shares


def draw(deck: list[str], number: int) -> list[str]:
    """Cards off the top of a pile."""
    return [deck.pop() for _ in range(number)]


def count(cards: Iterable[str]) -> Shares:
    shares: Shares = {}
    add(shares, sorted(cards))
    return shares


def add(shares: Shares, cards: Iterable[str]) -> None:
    for card in cards:
        shares[card] = shares.get(card, 0) + 1


def shift(cards: Sequence[str], source: Shares, target: Shares) -> None:
    """Moves shares from one place to another."""
    for card in cards:
        source[card] -= 1
        if not source[card]:
            del source[card]
    add(target, cards)

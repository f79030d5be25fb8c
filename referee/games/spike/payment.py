"""Paying for track: matching cards, and sets of one type traded in for one card less of another (Rulebook B, Wild).

Cards are counted by rail type: a tuple with one number for each type of the board, in its order. A payment is the cards
that are played; how they fall into sets makes no difference, so it is enough that there is a way.
"""

from functools import lru_cache
from itertools import product

from referee.options import Rng

Counts = tuple[int, ...]

TRADE_LOSS = 1  # a set of n cards stands for n - 1


def cheapest(need: Counts, hand: Counts) -> Counts | None:
    """The fewest cards of a hand that pay for some spaces, or None if it cannot pay.

    Matching cards first: a payment that trades in a card which would match elsewhere is never the smaller one, for what
    the trade gave can come from the set that stands in for the card.
    """
    matching = tuple(map(min, need, hand))
    lacking, payment = _minus(need, matching), matching
    while any(lacking):
        step = _next_set(lacking, _minus(hand, payment))
        if step is None:
            return None
        wanted, source, size = step
        lacking, payment = _less(lacking, wanted, size - TRADE_LOSS), _less(payment, source, -size)
    return payment


def _next_set(lacking: Counts, spare: Counts) -> tuple[int, int, int] | None:
    """A set of a smallest payment: for which type, of which, and how many cards."""
    fewest = _sets(lacking, spare)
    if fewest is None:
        return None
    wanted = next(rail for rail, number in enumerate(lacking) if number)
    return next(
        (wanted, source, size)
        for source, cards in enumerate(spare)
        for size in range(1 + TRADE_LOSS, min(cards, lacking[wanted] + TRADE_LOSS) + 1)
        if _sets(_less(lacking, wanted, size - TRADE_LOSS), _less(spare, source, size)) == fewest - 1
    )


def _sets(lacking: Counts, spare: Counts) -> int | None:
    return fewest_sets(tuple(sorted(filter(None, lacking))), tuple(sorted(n for n in spare if n > TRADE_LOSS)))


@lru_cache(maxsize=1 << 16)
def fewest_sets(lacking: Counts, spare: Counts) -> int | None:
    """How many sets of spare cards it takes to stand in for the cards lacking, None if they do not suffice. Only the
    numbers matter, so both are given without types, in order; no type is both lacking and spare."""
    if not lacking:
        return 0
    if sum(lacking) + len(lacking) * TRADE_LOSS > sum(spare):
        return None
    *others, most = lacking
    found = []
    for source, cards in enumerate(spare):
        for given in range(1, min(cards - TRADE_LOSS, most) + 1):
            rest = fewest_sets(
                tuple(sorted([*others, most - given] if most > given else others)),
                tuple(sorted(n for n in _less(spare, source, given + TRADE_LOSS) if n > TRADE_LOSS)),
            )
            if rest is not None:
                found.append(rest + 1)
    return min(found, default=None)


def pays(cards: Counts, need: Counts) -> bool:
    """Whether just these cards, all of them, pay for some spaces. Sets may be too large (SP-R14), but each stands in
    for at least one space (SP-R59)."""
    if sum(cards) < sum(need):
        return False
    choices = [range(min(a, b), -1, -1) for a, b in zip(cards, need, strict=True)]
    return any(_all_stand_in(_minus(need, used), _minus(cards, used)) for used in product(*choices))


@lru_cache(maxsize=1 << 14)
def _all_stand_in(lacking: Counts, spare: Counts, begun: int = 0) -> bool:
    """Whether sets of the spare cards cover what is lacking with each spare type in use: a bit of `begun` for each type
    that has a set already; cards beyond its sets are the surplus of one of them."""
    wanted = next((rail for rail, number in enumerate(lacking) if number), None)
    if wanted is None:
        return all(not cards or begun >> source & 1 for source, cards in enumerate(spare))
    return any(
        _all_stand_in(_less(lacking, wanted, size - TRADE_LOSS), _less(spare, source, size), begun | 1 << source)
        for source, cards in enumerate(spare)
        if source != wanted
        for size in range(1 + TRADE_LOSS, min(cards, lacking[wanted] + TRADE_LOSS) + 1)
    )


def random_payment(need: Counts, hand: Counts, rng: Rng) -> Counts:
    """Cards of a hand that pay, with some of the hand held back and perhaps a set too large. Needs a hand that can."""
    least = cheapest(need, hand)
    assert least is not None
    for _ in range(3):
        spared = tuple(cards - rng.randrange(cards + 1) if rng.randrange(3) == 0 else cards for cards in hand)
        other = cheapest(need, spared)
        if other is not None:
            more = tuple(cards + rng.randrange(2) * (rng.randrange(3) == 0) for cards in other)
            return more if all(map(int.__le__, more, hand)) and pays(more, need) else other
    return least


def one_more(counts: Counts, index: int) -> Counts:
    return _less(counts, index, -1)


def _minus(counts: Counts, other: Counts) -> Counts:
    return tuple(a - b for a, b in zip(counts, other, strict=True))


def _less(counts: Counts, index: int, number: int) -> Counts:
    return (*counts[:index], counts[index] - number, *counts[index + 1 :])

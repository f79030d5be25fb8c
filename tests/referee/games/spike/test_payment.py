"""Paying with matching cards and with sets, against every way there is."""

from itertools import product
from random import Random

import pytest

from referee.games.spike.payment import cheapest, fewest_sets, pays, random_payment

WHITE, BLUE, RED, GREEN = range(4)


def counts(**cards):
    return tuple(cards.get(name, 0) for name in ("white", "blue", "red", "green"))


def can_pay(need, hand):
    return cheapest(need, hand) is not None


@pytest.mark.rule("SP-EX5", "SP-F12")
@pytest.mark.parametrize(
    ("hand", "need", "legal"),
    [
        (counts(white=2), counts(red=1), True),
        (counts(white=2), counts(green=1), True),
        (counts(blue=3), counts(red=2), True),
        (counts(blue=3), counts(red=1, green=1), False),
        (counts(blue=2, white=2), counts(red=1, green=1), True),
        (counts(blue=4), counts(red=1, green=1), True),  # two sets of the same type
        (counts(blue=1), counts(red=1), False),
        (counts(blue=1, white=1), counts(red=1), False),
    ],
)
def test_sets_stand_for_one_card_less_of_one_other_type(hand, need, legal):
    assert can_pay(need, hand) == pays(hand, need) == legal


@pytest.mark.rule("SP-R12")
def test_a_set_stands_for_cards_of_one_type_only():
    assert not pays(counts(blue=3), counts(red=1, green=1))
    assert pays(counts(blue=3), counts(red=2))


@pytest.mark.rule("SP-R13")
def test_a_set_stands_neither_for_its_own_type_nor_for_cards_to_trade_again():
    assert not pays(counts(red=3), counts(red=2))
    # Two white would be a blue, and with the blue in the hand a red.
    assert not pays(counts(white=2, blue=1), counts(red=1))


@pytest.mark.rule("SP-R14", "SP-R59")
def test_a_set_may_be_too_large_but_not_stand_for_nothing():
    assert pays(counts(blue=3), counts(red=1))
    assert pays(counts(blue=5, white=1), counts(red=1, white=1))
    assert not pays(counts(red=1, blue=2), counts(red=1))
    assert not pays(counts(red=2), counts(red=1))


def every_payment(need, hand):
    """All the cards that can be played for a need, by trying every set: slow, and sure."""
    found = set()

    def trade(lacking, spare, played):
        if not any(lacking):
            found.add(played)
        for source, wanted in product(range(4), range(4)):
            if source != wanted and lacking[wanted]:
                for size, used in product(range(2, spare[source] + 1), range(1, lacking[wanted] + 1)):
                    if used < size:
                        trade(
                            tuple(n - used * (i == wanted) for i, n in enumerate(lacking)),
                            tuple(n - size * (i == source) for i, n in enumerate(spare)),
                            tuple(n + size * (i == source) for i, n in enumerate(played)),
                        )

    for used in product(*(range(min(a, b) + 1) for a, b in zip(need, hand, strict=True))):
        left = tuple(a - b for a, b in zip(need, used, strict=True))
        trade(left, tuple(a - b for a, b in zip(hand, used, strict=True)), used)
    return found


@pytest.mark.rule("SP-F12", "SP-R12", "SP-R14", "SP-R59")
def test_payments_are_exactly_those_that_trying_everything_finds():
    rng = Random(6)
    for _ in range(60):
        hand = tuple(rng.randrange(4) for _ in range(4))
        need = tuple(rng.randrange(3) for _ in range(4))
        if not any(need):
            continue
        expected = every_payment(need, hand)
        parts = product(*(range(held + 1) for held in hand))
        assert {cards for cards in parts if pays(cards, need)} == expected, (need, hand)
        least = cheapest(need, hand)
        assert (least is None) == (not expected), (need, hand)
        if least is not None:
            assert least in expected
            assert sum(least) == min(map(sum, expected)), (need, hand)
            for _ in range(3):
                assert random_payment(need, hand, rng) in expected


def test_the_fewest_sets_do_not_depend_on_which_types_they_are_of():
    assert fewest_sets((), ()) == 0
    assert fewest_sets((1, 2), (2, 3)) == 2
    assert fewest_sets((3,), (2, 2, 2)) == 3
    assert fewest_sets((1, 1), (3,)) is None

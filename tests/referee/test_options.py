"""Domains: what is accepted, sampled, listed, near, and described by the schema is one and the same."""

import random
from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from referee.errors import OrderError
from referee.moves import read_move
from referee.options import Bag, Domain, Move, Offer, OneOf, Pick, Range, Way, closest, nearest, sample, schema
from tests.toy import GRAPH, Lots, Rank, Spend, Walk, is_way, journey, toy, ways

TOY = toy()
ITEMS = st.sampled_from(["red", "blue", "blank", "king", "reddish", "b", ""])

DOMAINS: list[tuple[Domain, type[Move], str]] = [
    (OneOf("good", "bad"), Spend, "mood"),
    (Range(-2, 5), Spend, "amount"),
    (OneOf(1, 4), Spend, "amount"),
    (Pick(["red", "blue", "blank"], 1, 2), Rank, "order"),
    (Pick(["red", "blue"], 0, 5), Rank, "order"),
    (Pick([], 0, 3), Rank, "order"),
    (Bag({"red": 2, "blue": 1, "king": 0}, 0, 3), Spend, "cards"),
    (Bag({"red": 3}, 1, 3), Spend, "cards"),
    (Bag({"red": 1, "blue": 1}, 2, 2), Spend, "cards"),
    (Bag({}, 0, 0), Spend, "cards"),
]
VALUES = st.one_of(
    ITEMS,
    st.integers(-4, 8),
    st.floats(-4, 8),
    st.booleans(),
    st.none(),
    st.sampled_from(["good", "bad", "Good"]),
    st.lists(ITEMS, max_size=4),
    st.lists(st.integers(-1, 3), max_size=3),
    st.dictionaries(ITEMS, st.integers(), max_size=2),
)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def is_valid(described: Mapping[str, Any], value: Any) -> bool:
    return Draft202012Validator(described).is_valid(value)


@pytest.mark.parametrize(("domain", "move", "field"), DOMAINS)
def test_what_is_listed_or_sampled_is_accepted_and_fits_the_schema(domain, move, field):
    Draft202012Validator.check_schema(domain.schema())
    values = list(domain.values())
    assert len(values) == len(set(values)) > 0
    for value in [*values, *(domain.sample(random.Random(n)) for n in range(60))]:
        assert domain.accepts(value)
        assert domain.canonical(value) in values
        assert is_valid(domain.schema(), plain(value))
    sampled = {domain.canonical(domain.sample(random.Random(n))) for n in range(400)}
    assert sampled == {domain.canonical(value) for value in values}


@pytest.mark.parametrize(("domain", "move", "field"), DOMAINS)
def test_the_schema_of_a_domain_is_exact_in_both_directions(domain, move, field):
    defaults = {"amount": 1} if move is Spend and field != "amount" else {}
    described = domain.schema()

    @given(VALUES)
    def check(value):
        order = {"type": msgspec.inspect.type_info(move).tag, **defaults, field: value}
        try:
            accepted = domain.accepts(getattr(read_move(TOY, order), field))
        except OrderError:
            accepted = False
        assert is_valid(described, value) == accepted

    check()


@pytest.mark.parametrize(("domain", "move", "field"), DOMAINS)
def test_the_nearest_of_anything_is_accepted_and_of_something_accepted_is_itself(domain, move, field):
    @given(VALUES)
    def check(value):
        value = tuple(value) if isinstance(value, list) else value
        assert domain.accepts(domain.nearest(value))

    check()
    for value in domain.values():
        assert domain.nearest(value) == value


def test_nearest_keeps_what_it_can():
    assert Range(2, 5).nearest(9) == 5
    assert OneOf(1, 4, 9).nearest(5) == 4
    assert OneOf("london-paris", "london-oslo").nearest("london-parsi") == "london-paris"
    assert Pick(["a", "b", "c"], 2, 2).nearest(("c", "x")) == ("c", "a")
    assert Bag({"red": 2, "blue": 1}, 1, 3).nearest(("red",) * 5) == ("red", "red")
    assert closest("a" * 10**6, ("b", "a")) == "a"


def test_a_bag_is_kept_sorted_and_has_a_limit_for_each_item():
    bag = Bag({"red": 2, "blue": 1}, 1, 3)
    assert bag.accepts(("red", "blue", "red"))
    assert bag.canonical(("red", "blue", "red")) == ("blue", "red", "red")
    assert not bag.accepts(("blue", "blue"))
    assert not bag.accepts(())
    assert bag.listing() == {"kind": "bag", "bag_of": {"red": 2, "blue": 1}, "at_least": 1, "at_most": 3}


def test_a_pick_keeps_its_order_and_takes_each_once():
    pick = Pick(["a", "b", "c"], 1, 2)
    assert pick.accepts(("b", "a"))
    assert pick.canonical(("b", "a")) == ("b", "a")
    assert not pick.accepts(("a", "a"))


def test_true_is_not_one():
    assert not Range(0, 3).accepts(True)
    assert not OneOf(1, 2).accepts(True)


def test_a_way_is_checked_step_by_step_and_lists_its_ends():
    way = ways()
    for number in range(200):
        found = way.sample(random.Random(number))
        assert way.accepts(found)
        assert is_valid(way.schema(), list(found))
    assert way.accepts(("a1", "b1", "a1", "b1"))
    for wrong in ((), ("a1",), ("b1", "a1"), ("a1", "c1"), ("a1", "b1", "a1", "b1", "a1"), ("a1", "x"), "a1"):
        assert not way.accepts(wrong)
    best = {"b1": ["a1", "b1"], "c1": ["a1", "b1", "c1"]}
    assert way.listing() == {"kind": "way", "way_to": best, "at_most": 4}
    assert way.nearest(("a1", "c1")) == ("a1", "b1", "c1")
    assert not is_valid(way.schema(), ["a1", "x"])
    assert not is_valid(way.schema(), ["a1", "b1"] * 3)


def test_the_ends_of_a_way_are_computed_only_when_somebody_wants_them():
    asked = []
    way = Way(GRAPH, 4, is_way, lambda rng: ("a1", "b1"), lambda: asked.append(1) or {"b1": ("a1", "b1")})
    way.accepts(("a1", "b1"))
    way.sample(random.Random(1))
    way.schema()
    assert asked == []
    assert list(way.values()) == [("a1", "b1")]
    assert asked == [1]


def test_an_offer_lists_every_move_and_its_schema_makes_defaults_optional():
    offer = Offer(Spend, amount=Range(0, 1), cards=Bag({"red": 1}, 0, 1), mood=OneOf("good", "bad"))
    assert len(list(offer.moves())) == 8
    described = schema([offer])
    Draft202012Validator.check_schema(described)
    assert is_valid(described, {"type": "spend", "amount": 1})
    assert is_valid(described, {"type": "spend", "amount": 1, "cards": ["red"], "mood": "bad"})
    assert not is_valid(described, {"type": "spend"})
    assert not is_valid(described, {"type": "spend", "amount": 1, "tip": 1})
    assert not is_valid(described, {"type": "walk", "amount": 1})
    needed = schema([Offer(Spend, amount=1, cards=Bag({"red": 1}, 1, 1), mood="bad")])
    assert not is_valid(needed, {"type": "spend", "amount": 1})


def test_nothing_on_offer_is_a_schema_that_nothing_fits():
    assert not is_valid(schema([]), {"type": "spend", "amount": 1})


def test_a_plain_value_stands_for_just_that_value():
    offer = Offer(Spend, amount=3)
    assert [move.amount for move in offer.moves()] == [3]
    assert offer.accepts(Spend(3))
    assert not offer.accepts(Spend(3, ("red",)))
    assert not offer.accepts(Rank(("red",)))


@given(st.randoms(use_true_random=False))
def test_every_sampled_move_is_accepted_and_fits_the_schema_of_the_position(rng):
    table = journey()
    offers = table.offers(0)
    move = sample(offers, rng)
    assert any(offer.accepts(move) for offer in offers)
    assert is_valid(schema(offers), plain(move))


ORDERS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["spend", "rank", "lots", "bid", "nothing"])},
        optional={
            "amount": VALUES,
            "cards": VALUES,
            "mood": VALUES,
            "order": VALUES,
            "numbers": VALUES,
            "path": VALUES,
        },
    ),
    VALUES,
)


@given(ORDERS)
def test_the_schema_of_a_position_says_what_the_table_does(order):
    """Both directions, but for ways: whether steps make a legal way is checked by the referee alone."""
    assume(not isinstance(order, str))  # that is an order in words
    table = journey()
    fits = is_valid(schema(table.offers(0)), order)
    try:
        table.submit(0, [order])
    except OrderError:
        assert not fits
    else:
        assert fits


def test_samples_reach_every_type_of_move():
    table = journey()
    kinds = {type(sample(table.offers(0), random.Random(n))) for n in range(100)}
    assert kinds == {Spend, Rank, Walk, Lots}


def test_the_nearest_move_has_the_same_type_and_keeps_the_most_fields():
    offers = journey().offers(0)
    assert nearest(offers, Spend(99, ("red",), "bad")) == Spend(journey().position.gold[0], ("red",), "bad")
    assert nearest(offers, Rank(("red", "red"))) == Rank(("red",))
    assert nearest([offer for offer in offers if offer.move is not Rank], Rank(("red",))) is None


def test_long_lists_of_values_are_lazy():
    bag = Bag({f"card {n}": 9 for n in range(40)}, 0, 300)
    assert len(list(islice(bag.values(), 50))) == 50

"""Orders as text: lenient towards people, exact in what they mean."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import AmbiguousOrder, InvalidOrder, OrderError
from referee.options import Bag, Offer, OneOf, Pick, Range, sample
from referee.orders import reader
from referee.orders.notation import format_move, parse
from referee.orders.templates import Field, Group, template, tokens
from tests.positions import random_game, start
from tests.toy import Bid, Lots, Rank, Spend, Walk, journey, toy, toy_table

TOY = toy()
OFFERS = journey().offers(0)


def read(line, offers=OFFERS):
    return parse(TOY, offers, line)


def test_a_template_is_words_fields_and_optional_groups():
    assert template("spend {amount} [on {cards}] now") == ("spend", Field("amount"), ("on", Field("cards")), "now")
    assert isinstance(template("spend [on {cards}]")[1], Group)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("spend 2", Spend(2)),
        ("SPEND  2 !", Spend(2)),
        ("please spend 2", Spend(2)),
        ("spend 2 on red", Spend(2, ("red",))),
        ("spend 2 on red in bad mood", Spend(2, ("red",), "bad")),
        ("spend 2 in bad mood", Spend(2, (), "bad")),
        ("spend 2 in a bad mood", Spend(2, (), "bad")),
        ("spend 2 bad", Spend(2, (), "bad")),
        ("spend 2 on 2 red, blue", Spend(2, ("red", "red", "blue"))),
        ("spend 2 on 2x red and blue", Spend(2, ("red", "red", "blue"))),
        ("spend 2 on two red and one blue", Spend(2, ("red", "red", "blue"))),
        ("spend 2 on red red blue", Spend(2, ("red", "red", "blue"))),
        ("spend 2 on red, blue, red", Spend(2, ("red", "blue", "red"))),
        ("spend 2 on king's card", Spend(2, ("king",))),
        ("spend 2 on king’s card", Spend(2, ("king",))),
        ("rank blue, red", Rank(("blue", "red"))),
        ("walk zurich sao paulo", Walk(("a1", "b1"))),
        ("walk Zürich - São Paulo - San José", Walk(("a1", "b1", "c1"))),
        ("walk Zürich–Sampa—Oslo", Walk(("a1", "b1", "d1"))),
        ("draw lots 3 3", Lots((3, 3))),
        ("draw lots 1, 2", Lots((1, 2))),
    ],
)
def test_lines_that_are_understood(line, move):
    assert read(line) == move


def test_all_is_as_much_as_is_on_offer_with_whatever_else_is_said():
    offers = [
        Offer(Spend, amount=Range(1, 3), cards=()),
        Offer(Spend, amount=Range(1, 9), cards=Bag({"red": 2, "blue": 1}, 1, 3)),
        Offer(Spend, amount=1, cards=Bag({"red": 5}, 5, 5)),
    ]
    assert read("spend all", offers) == Spend(3)
    assert read("spend all on red", offers) == Spend(9, ("red",))
    assert read("spend 2 on all", offers) == Spend(2, ("blue", "red", "red"))
    assert read("spend 2 on all red", offers) == Spend(2, ("red", "red"))
    assert read("spend 2 on all red, blue", offers) == Spend(2, ("red", "red", "blue"))


def test_counts_and_repetition_mean_the_same():
    assert read("spend 1 on 2 red") == read("spend 1 on red red") == read("spend 1 on red, red")


def test_a_unique_beginning_of_a_word_is_enough():
    assert read("sp 2") == Spend(2)
    assert read("rank kin car") == Rank(("king",))
    assert read("walk zur osl") == Walk(("a1", "d1"))


def test_a_near_miss_is_understood():
    assert read("spned 2 on bleu") == Spend(2, ("blue",))
    assert read("walk zurihc, olso") == Walk(("a1", "d1"))


def test_a_beginning_of_two_words_is_ambiguous_and_both_readings_are_named():
    with pytest.raises(AmbiguousOrder) as caught:
        read("rank bl")
    assert set(caught.value.readings) == {"rank blue", "rank blank"}


def test_where_no_reading_is_legal_one_is_refused_instead_of_asking_which():
    offers = [Offer(Rank, order=Pick(["red"], 1, 1))]
    assert read("rank bl", offers) in (Rank(("blue",)), Rank(("blank",)))


def test_all_is_everything_or_nothing_that_could_be_played_together():
    one_kind = [Offer(Spend, amount=2, cards=Bag({kind: 2}, 1, 2), mood="good") for kind in ("red", "blue")]
    assert read("spend 2 on all", one_kind[:1]) == Spend(2, ("red", "red"))
    with pytest.raises(InvalidOrder):
        read("spend 2 on all", one_kind)
    other = [Offer(Spend, amount=3, cards=Bag({"blue": 2}, 1, 2), mood="good")]
    assert read("spend 2 on all", one_kind[:1] + other) == Spend(2, ("red", "red"))


def test_of_two_words_with_the_same_beginning_the_one_on_offer_is_meant():
    offers = [Offer(Rank, order=Pick(["blank", "red"], 1, 2))]
    assert read("rank bl", offers) == Rank(("blank",))


def test_an_exact_word_wins_even_where_only_a_longer_one_is_legal():
    offers = [Offer(Rank, order=Pick(["reddish", "blue"], 1, 2))]
    assert read("rank red", offers) == Rank(("red",))  # illegal, and refused as that: nobody said reddish


@pytest.mark.parametrize("minus", ["-", "−", "–", "‐"])
def test_a_minus_before_a_number_is_never_lost(minus):
    offers = [Offer(Bid, amount=Range(0, 9))]
    assert read(f"bid {minus}3", offers) == Bid(-3)
    with pytest.raises(OrderError):
        toy_table()[0].submit(0, [f"bid {minus}3"])


@pytest.mark.parametrize(
    "amount", ["3.5", "3,5", "1½", "½", "3k", "thirteen", "three four", "1e3", "0x3", "", "3 4", "10" * 20]
)
def test_what_is_no_whole_number_is_not_read_as_one(amount):
    with pytest.raises(InvalidOrder):
        read(f"bid {amount}", [Offer(Bid, amount=Range(0, 9))])


@pytest.mark.parametrize(("words", "amount"), [("three", 3), ("Twelve", 12), ("zero", 0), ("nothing", 0), ("none", 0)])
def test_a_small_number_may_be_written_as_a_word(words, amount):
    assert read(f"bid {words}", [Offer(Bid, amount=Range(0, 12))]) == Bid(amount)
    assert read("draw lots one two") == Lots((1, 2))


def test_words_in_another_script_are_not_passed_over():
    with pytest.raises(InvalidOrder):
        read("spend 2 сейчас")
    with pytest.raises(InvalidOrder):
        read("消費 2")


@pytest.mark.parametrize("line", ["", "   ", "?", "fly 3", "spend", "spend 2 on", "walk", "2 spend", "rank red xyzzy"])
def test_what_cannot_be_read_is_invalid_and_changes_nothing(line):
    table = journey()
    before = table.position_json
    with pytest.raises(InvalidOrder) as caught:
        table.submit(0, [line])
    assert caught.value.message
    assert table.position_json == before


def test_an_unreadable_order_shows_how_it_is_written():
    with pytest.raises(InvalidOrder, match=r"“xyzzy” is no ORDER here\. It is written: rank ORDER\."):
        read("rank xyzzy")
    with pytest.raises(InvalidOrder, match=r"spend AMOUNT.*; rank ORDER; walk PATH"):
        read("juggle")


def test_a_line_has_a_greatest_length():
    with pytest.raises(InvalidOrder, match="at most 400 characters; this line has 401"):
        read("x" * 401)


@pytest.mark.parametrize(
    "line",
    [
        "spend 1 on " + "r " * 190,
        "rank " + "b " * 190,
        "rank " + "red " * 95,
        "walk " + "s " * 190,
        "walk " + "san sao " * 45,
        "draw lots " + "1 " * 180,
        "s " * 200,
        "a " * 200,
        "z" * 400,
        "spend 1 on " + "99 red " * 50,
    ],
)
def test_a_hostile_line_has_few_readings(line, monkeypatch):
    compared = 0
    likeness = reader.likeness

    def counting(said, name):
        nonlocal compared
        compared += 1
        return likeness(said, name)

    monkeypatch.setattr(reader, "likeness", counting)
    answer = ""
    try:
        read(line)
    except OrderError as error:
        answer = error.message
    assert len(answer) < 2000
    assert compared < 60_000


def test_tokens_are_words_without_case_accents_and_punctuation():
    assert tokens("Buy Łódź–Zürich, for the WHITE!") == ("buy", "łodz", "zurich", "for", "white")
    assert tokens("It's 3-4 and -5") == ("its", "3", "4", "and", "-5")


def test_formatting_leaves_out_what_is_as_usual():
    assert format_move(TOY, Spend(2)) == "spend 2"
    assert format_move(TOY, Spend(2, ("red", "red"))) == "spend 2 on 2 red"
    assert format_move(TOY, Spend(-1, (), "bad")) == "spend -1 in bad mood"
    assert format_move(TOY, Lots((3, 3))) == "draw lots 3, 3"


def test_a_way_that_comes_back_is_written_step_by_step():
    there_and_back = Walk(("a1", "b1", "a1", "b1"))
    assert format_move(TOY, there_and_back) == "walk Zürich, São Paulo, Zürich, São Paulo"
    assert read(format_move(TOY, there_and_back)) == there_and_back


@given(st.randoms(use_true_random=False))
def test_what_is_formatted_is_read_back_the_same(rng):
    move = sample(OFFERS, rng)
    assert read(format_move(TOY, move)) == move


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_offer_of_a_real_game_is_read_back_the_same(players):
    rng = random.Random(players)
    for rows in (1, 20, 40, 60, 80):
        table, entry = start("airlines-europe", players)
        random_game(table, entry, rng, most_rows=rows)
        seat = table.decisions()[0].seat
        offers = table.offers(seat)
        for _ in range(25):
            move = sample(offers, rng)
            assert parse(table.game, offers, format_move(table.game, move)) == move


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        read(text)
    except OrderError as error:
        error.message.encode()


GOOD_WORDS = [
    "spend",
    "rank",
    "walk",
    "on",
    "in",
    "mood",
    "red",
    "blue",
    "king's card",
    "2",
    "-1",
    "a1",
    "sao",
    "bad",
    "x",
]


@given(st.lists(st.sampled_from(GOOD_WORDS)))
def test_any_mixture_of_good_words_is_read_or_refused(words):
    try:
        move = read(" ".join(words))
    except OrderError:
        return
    assert isinstance(move, Spend | Rank | Walk | Lots | Bid)


def test_a_half_character_does_not_break_the_answer():
    with pytest.raises(InvalidOrder) as caught:
        read("juggle \ud800")
    caught.value.message.encode()


def test_offers_with_numbers_to_choose_from_are_read():
    offers = [Offer(Bid, amount=OneOf(2, 4)), Offer(Spend, amount=1, cards=Bag({"red": 1}, 0, 1), mood="good")]
    assert read("bid 4", offers) == Bid(4)

"""Deals between players: offered, countered, accepted, refused, withdrawn, lapsed."""

import pytest

from referee.errors import InvalidOrder
from referee.games.airline_1975.events import Accepted, Lapsed, Offered, Refused, Withdrew
from tests.positions import happened, offered, play, sentences
from tests.referee.games.airline_1975.setups import SHORT, asked, at, cash, offer, refused, throw

OWNED = {0: ["rome", "lima"], 1: ["nairobi", "moscow"], 2: ["bangkok"]}


def cities(table, seat):
    return table.position.players[seat].cities[1:]


def prompts(table, seat):
    return [decision.prompt for decision in table.decisions(seat)]


@pytest.mark.rule("A75-U03", "A75-R25", "A75-R54")
def test_an_offer_is_seen_by_all_and_exchanged_when_it_is_accepted():
    table = at(cities=OWNED)
    outcome = play(table, "offer rome + 15 to green for nairobi", seat=0)
    assert happened(outcome, Offered) == [Offered(0, 1, 1, ("rome",), 15, ("nairobi",), 0)]
    assert sentences(table, outcome) == ["Offer 1: Anna offers Ben Rome and $15 million for Nairobi."]
    assert "You may accept, refuse or counter offer 1, Anna gives Rome and $15 million for Nairobi." in prompts(
        table, 1
    )
    assert [(deal.number, deal.seat, deal.to) for deal in table.view(2).table.deals] == [(1, 0, 1)]
    assert asked(table) == (0, "departure")
    outcome = play(table, "accept 1", seat=1)
    assert happened(outcome) == [Accepted(0, 1, 1, ("rome",), 15, ("nairobi",), 0)]
    assert sentences(table, outcome) == ["Ben accepts offer 1: Anna gives Rome and $15 million for Nairobi."]
    assert cash(table) == [85, 115, 100]
    assert cities(table, 0) == ["lima", "nairobi"]
    assert cities(table, 1) == ["moscow", "rome"]
    assert table.position.deals == []


@pytest.mark.rule("A75-U03")
@pytest.mark.parametrize("maker", [0, 1])
def test_the_player_in_turn_may_make_offers_and_get_them(maker):
    table = at(cities=OWNED)
    if maker == 0:
        play(table, "offer rome to green for nothing + 30", seat=0)
        play(table, "accept 1", seat=1)
        assert cash(table) == [130, 70, 100]
    else:
        play(table, "offer 30 to yellow for rome", seat=1)
        play(table, "accept 1", seat=0)
        assert cash(table) == [130, 70, 100]
    assert "rome" in cities(table, 1)


@pytest.mark.rule("A75-T22", "A75-R23", "A75-U03")
def test_two_players_who_are_not_in_turn_cannot_deal():
    table = at(cities=OWNED, active=1)
    error = refused(table, offer(["rome"], to="black", price=25), seat=0)
    assert (error.code, error.rule, error.field) == ("not_in_turn", "A75-U03, A75-R23", "to")
    assert error.nearest["to"] == "green"


@pytest.mark.rule("A75-U03")
def test_nobody_deals_with_himself():
    error = refused(at(cities=OWNED), offer(["rome"], to="yellow", price=1))
    assert (error.code, error.field) == ("yourself", "to")


@pytest.mark.rule("A75-T20", "A75-R26", "A75-U04")
@pytest.mark.parametrize(("give", "want", "whose"), [(["tokyo"], [], "your base"), ([], ["london"], "Ben's base")])
def test_a_base_is_no_part_of_a_deal(give, want, whose):
    error = refused(at(cities=OWNED), offer(give, pay=5, want=want))
    assert (error.code, error.rule) == ("base_city", "A75-U04, A75-R26")
    assert whose in error.message


@pytest.mark.rule("A75-T21", "A75-R27", "A75-U03")
@pytest.mark.parametrize("order", ["offer rome to bank for nothing + 20", offer(["rome"], to="bank", price=20)])
def test_nothing_is_sold_to_the_bank(order):
    error = refused(at(cities=OWNED), order)
    assert (error.code, error.rule) == ("no_such_player", "A75-R27")


@pytest.mark.rule("A75-R25", "A75-M01")
def test_a_deal_has_no_place_for_promises():
    table = at(cities=OWNED)
    for order in (offer(["rome"], price=20) | {"later": 10}, "offer rome to green for 20 next turn"):
        with pytest.raises(InvalidOrder):
            play(table, order, seat=0)


@pytest.mark.rule("A75-M01")
@pytest.mark.parametrize(
    ("order", "numbers"),
    [
        (offer(["rome"], price=41), {"named": 41, "cash": 40}),
        (offer(pay=101, want=["nairobi"]), {"named": 101, "cash": 100}),
    ],
)
def test_nobody_is_asked_for_or_offers_money_he_does_not_have(order, numbers):
    error = refused(at(cities=OWNED, cash=(100, 40, 100)), order)
    assert (error.code, error.numbers) == ("no_such_cash", numbers)
    assert error.nearest[error.field] == numbers["cash"]


@pytest.mark.rule("A75-U03")
@pytest.mark.parametrize("order", [offer(["moscow"], price=1), offer(["rome"], want=["bangkok"])])
def test_one_offers_one_s_own_and_asks_for_the_other_s(order):
    error = refused(at(cities=OWNED), order)
    assert error.code == "not_owned"


@pytest.mark.rule("A75-R49")
def test_a_deal_names_a_city_and_cash_alone_is_none():
    error = refused(at(cities=OWNED), offer(pay=10))
    assert (error.code, error.rule) == ("no_city", "A75-R49")
    assert refused(at(cities=OWNED), offer(pay=10, price=5)).code == "no_city"


@pytest.mark.rule("A75-R49", "A75-R54")
def test_three_offers_in_a_turn_are_enough_and_counters_count():
    table = at(cities=OWNED)
    for price in (1, 2, 3):
        play(table, offer(["rome"], price=price), seat=0)
    error = refused(table, offer(["rome"], price=4), seat=0)
    assert (error.code, error.rule, error.numbers) == ("enough_offers", "A75-R49", {"most": 3})
    for number in (1, 2, 3):
        play(table, f"counter {number} offer 5 for lima", seat=1)
    assert refused(table, offer(pay=1, to="yellow", want=["rome"]), seat=1).code == "enough_offers"
    assert [deal.number for deal in table.position.deals] == [4, 5, 6]
    assert "Counter" not in offered(table, 0)
    assert prompts(table, 0)[1].startswith("You may accept or refuse offer 4, Ben gives $5 million for Lima; offer 5,")
    assert {"Accept", "Refuse"} <= offered(table, 0)
    play(table, "accept 5", seat=0)
    table, _ = throw(table, 5)
    play(table, "pass")
    play(table, offer(["rome"], price=4), seat=0)


@pytest.mark.rule("A75-R54", "A75-R35")
def test_an_offer_can_be_refused_by_the_one_it_is_made_to():
    table = at(cities=OWNED)
    play(table, offer(["rome"], price=10), seat=0)
    error = refused(table, "refuse 1", seat=2)
    assert error.code in ("no_such_offer", "not_your_turn")
    assert refused(table, "refuse 2", seat=1).code == "no_such_offer"
    outcome = play(table, "refuse 1", seat=1)
    assert happened(outcome, Refused) == [Refused(1, 1)]
    assert table.position.deals == []
    assert cash(table) == [100, 100, 100]


@pytest.mark.rule("A75-R54")
def test_an_offer_can_be_withdrawn_by_its_maker_only():
    table = at(cities=OWNED)
    play(table, offer(["rome"], price=10), seat=0)
    assert refused(table, "withdraw 1", seat=1).code == "no_such_offer"
    outcome = play(table, "withdraw 1", seat=0)
    assert happened(outcome, Withdrew) == [Withdrew(0, 1)]
    assert refused(table, "accept 1", seat=1).code == "no_such_offer"


@pytest.mark.rule("A75-R54")
def test_a_counter_refuses_and_offers_in_one():
    table = at(cities=OWNED)
    play(table, "offer rome to green for nairobi + 20", seat=0)
    outcome = play(table, "counter 1 offer nairobi + 5 for rome", seat=1)
    assert happened(outcome) == [Refused(1, 1), Offered(1, 0, 2, ("nairobi",), 5, ("rome",), 0)]
    assert refused(table, "accept 1", seat=1).code == "no_such_offer"
    assert refused(table, "counter 1 offer nairobi for rome", seat=1).code == "no_such_offer"
    play(table, "accept 2", seat=0)
    assert cash(table) == [105, 95, 100]


@pytest.mark.rule("A75-R54")
def test_a_turn_goes_on_without_an_answer_and_its_end_ends_the_offers():
    table = at(cities=OWNED)
    play(table, offer(["rome"], price=10), seat=0)
    play(table, offer(pay=10, to="yellow", want=["lima"]), seat=2)
    table, _ = throw(table, 5)
    assert [deal.number for deal in table.position.deals] == [1, 2]
    assert asked(table) == (0, "landing")
    outcome = play(table, "pass")
    assert happened(outcome, Lapsed) == [Lapsed((1, 2), "turn")]
    assert sentences(table, outcome)[-1] == "Offers 1 and 2 lapse with the turn."
    assert table.position.deals == []


@pytest.mark.rule("A75-R54")
def test_an_offer_whose_goods_are_gone_lapses():
    table = at(cities=OWNED)
    play(table, offer(["rome"], price=10), seat=0)
    play(table, offer(["rome"], price=12, to="black"), seat=0)
    play(table, offer(pay=90, want=["moscow"]), seat=0)
    outcome = play(table, "accept 2", seat=2)
    assert happened(outcome, Lapsed) == [Lapsed((1,), "goods")]
    assert [deal.number for deal in table.position.deals] == [3]
    outcome = play(table, "resign", seat=1)
    assert happened(outcome, Lapsed) == [Lapsed((3,), "goods")]


@pytest.mark.rule("A75-R54")
def test_an_offer_for_a_city_that_its_owner_no_longer_has_lapses():
    table = at(cities=OWNED)
    for price in (10, 20):
        play(table, offer(pay=price, want=["moscow"]), seat=0)
    outcome = play(table, "accept 2", seat=1)
    assert happened(outcome, Lapsed) == [Lapsed((1,), "goods")]


@pytest.mark.rule("A75-R54", "A75-M03")
def test_offers_that_cost_a_leaver_nothing_lapse_too():
    table = at(cities=OWNED)
    play(table, offer(to="yellow", want=["rome"]), seat=1)
    play(table, offer(["rome"]), seat=0)
    outcome = play(table, "resign", seat=1)
    assert happened(outcome, Lapsed) == [Lapsed((1, 2), "goods")]


@pytest.mark.rule("A75-R54")
def test_an_offer_of_money_that_is_spent_lapses():
    table = at(cities=OWNED, place={0: "tokyo"}, cash=(50, 100, 100))
    play(table, offer(pay=40, want=["moscow"]), seat=0)
    outcome = play(table, "fly jet", seat=0)
    assert happened(outcome, Lapsed) == [Lapsed((1,), "goods")]


@pytest.mark.rule("A75-M01", "A75-R54")
def test_who_no_longer_has_the_price_cannot_accept_but_may_raise_it():
    table = at(cities=OWNED, cash=(100, 30, 100))
    play(table, offer(["rome"], price=30), seat=0)
    play(table, offer(["moscow"], to="yellow", pay=30, want=["lima"]), seat=1)
    play(table, "accept 2", seat=0)
    error = refused(table, "accept 1", seat=1)
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 30, "cash": 0})
    play(table, offer(["lima"], to="yellow", price=30), seat=1)
    play(table, "accept 3", seat=0)
    play(table, "accept 1", seat=1)
    assert cash(table) == [130, 0, 100]


@pytest.mark.rule("A75-R09", "A75-R54")
def test_the_markers_are_counted_when_an_offer_is_accepted():
    table = at(cities=OWNED, settings={"max_cities": 3})
    play(table, offer(["rome"], price=1), seat=0)
    error = refused(table, "accept 1", seat=1)
    assert (error.code, error.rule, error.numbers) == ("no_marker", "A75-R09", {"most": 3})
    play(table, offer(["moscow"], to="yellow", want=["lima"]), seat=1)
    play(table, "accept 2", seat=0)
    play(table, offer(["nairobi"], to="yellow", price=1), seat=1)
    assert refused(table, "accept 3", seat=0).code == "no_marker"
    play(table, offer(pay=5, want=["nairobi"]), seat=0)  # here it is the maker who has no marker
    assert refused(table, "accept 4", seat=1).code == "no_marker"


@pytest.mark.rule("A75-R28")
def test_a_city_may_be_given_for_nothing():
    table = at(cities=OWNED)
    play(table, "offer rome to black for nothing", seat=0)
    play(table, "accept 1", seat=2)
    assert cities(table, 2) == ["bangkok", "rome"]
    assert cash(table) == [100, 100, 100]


@pytest.mark.rule("A75-M05", "A75-R24")
def test_cities_may_be_sold_for_any_need_before_the_dice_and_after_landing():
    table = at(cities=OWNED, cash=(5, 100, 100), place={0: "tokyo"})
    play(table, offer(["rome"], price=30), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "fly jet", seat=0)
    table = at(cities=OWNED, cash=(5, 100, 100), place={0: "vancouver"}, phase="landing")
    play(table, offer(["rome"], price=30), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "buy", seat=0)
    assert cash(table) == [15, 70, 100]


@pytest.mark.rule("A75-M04", "A75-R25")
def test_there_are_no_other_moves_than_these():
    assert [kind.__name__ for kind in at().game.move_types] == [
        "Base", "Throw", "Fly", "Buy", "Challenge", "Pass", "Bankrupt", "Offer", "Accept", "Refuse", "Counter",
        "Withdraw", "Claim", "Resign",
    ]  # fmt: skip


@pytest.mark.rule("A75-R49")
def test_where_nobody_has_anything_to_trade_nobody_is_asked():
    table = at(cities={})
    assert [decision.phase for decision in table.decisions()] == ["departure", "leaving", "leaving", "leaving"]
    table = at(cities={2: ["rome"]})
    assert [decision.seat for decision in table.decisions() if decision.phase == "deals"] == [0, 2]


@pytest.mark.rule("A75-R54")
def test_everybody_s_prompt_says_what_may_be_answered():
    table = at(cities=OWNED)
    for price in (1, 2, 3):
        play(table, offer(["rome"], price=price), seat=0)
    assert "You may withdraw an offer." in prompts(table, 0)
    assert prompts(table, 1)[0].count("Anna gives Rome for") == 3
    assert "You may offer a deal." in prompts(table, 2)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("offer rome + 15 to green for nairobi", "offer Rome + 15 to green for Nairobi"),
        ("OFFER Rome, Lima TO black FOR Bangkok + 20", "offer Lima, Rome to black for Bangkok + 20"),
        ("offer 30 to green for nairobi", "offer nothing + 30 to green for Nairobi"),
        ("offer rome to green for 30", "offer Rome to green for nothing + 30"),
        ("offer rome to green for nothing", "offer Rome to green for nothing"),
        ("offer rome to green", "offer Rome to green for nothing"),
        ("offer rome lima + 5m to g for nair moscow", "offer Lima, Rome + 5 to green for Moscow, Nairobi"),
    ],
)
def test_a_deal_is_written_as_one_would(line, read):
    table = at(cities=OWNED, settings=SHORT)
    assert table.submit(0, [line]).readings == (read,)

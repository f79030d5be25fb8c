"""Deals of those who cannot pay: held until they have paid, void if they go bankrupt; and whom they deal with."""

import pytest

from referee.games.airline_1975.events import BankPaid, Owes, Resigned, Voided, WentBankrupt
from referee.games.airline_1975.state import Accept, Bankrupt
from tests.positions import choices, happened, play, sentences
from tests.referee.games.airline_1975.setups import BANK, SHORT, SPARE, STRICT, asked, at, cash, offer, refused, throw

OWES_30 = {"cash": (10, 100, 100), "phase": "raising", "debts": [(0, 2, 30)], "place": {0: "crash"}}
STRICT_SHORT = STRICT | SHORT


def in_debt(**changes):
    """Anna owes Cora 30, has 10, and owns Lima, Rome and Nairobi."""
    cities = {0: ["lima", "rome", "nairobi"], 1: ["moscow"]}
    return at(**{**OWES_30, "cities": cities, **changes})


def cities(table, seat):
    return table.position.players[seat].cities[1:]


@pytest.mark.rule("A75-R58", "A75-R28")
def test_cities_sold_for_a_song_before_a_bankruptcy_go_back_and_win_no_short_game():
    table = in_debt(settings=SHORT, cash=(10, 100, 80))
    for city in ("lima", "rome", "nairobi"):
        play(table, offer([city], price=1), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "accept 2", seat=1)
    assert cities(table, 1) == ["moscow", "lima", "rome"]
    outcome = play(table, "declare bankruptcy", seat=0)
    assert happened(outcome, Voided) == [
        Voided(0, 1, 2, ("rome",), (), 1),
        Voided(0, 1, 1, ("lima",), (), 1),
    ]
    assert sentences(table, outcome)[0] == "Deal 2 is void: Ben gives back Rome and gets $1 million back."
    assert cities(table, 1) == ["moscow"]
    assert cash(table) == [0, 100, 110]
    assert [(standing.seat, standing.score) for standing in table.view().standings] == [(1, 140), (2, 130), (0, 0)]


@pytest.mark.rule("A75-R58")
def test_the_last_sale_that_is_not_enough_is_void_with_the_bankruptcy_it_brings():
    table = in_debt(cities={0: ["lima"], 1: ["moscow"]})
    play(table, offer(["lima"], price=5), seat=0)
    outcome = play(table, "accept 1", seat=1)
    assert happened(outcome, Voided) == [Voided(0, 1, 1, ("lima",), (), 5)]
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo", "lima"))]
    assert happened(outcome, BankPaid) == [BankPaid(2, 30, 0)]
    assert cash(table) == [0, 100, 130]


@pytest.mark.rule("A75-R58")
def test_an_exchange_under_a_debt_is_undone_on_both_sides():
    table = in_debt()
    play(table, offer(["moscow"], pay=3, to="yellow", want=["lima", "rome"]), seat=1)
    play(table, "accept 1", seat=0)
    assert (cities(table, 0), cities(table, 1)) == (["nairobi", "moscow"], ["lima", "rome"])
    outcome = play(table, "resign", seat=0)
    assert happened(outcome, Voided) == [Voided(0, 1, 1, ("lima", "rome"), ("moscow",), 3)]
    assert cities(table, 1) == ["moscow"]
    assert cash(table) == [0, 100, 130]


@pytest.mark.rule("A75-R58")
def test_what_is_dealt_in_under_a_debt_is_not_dealt_on_until_it_is_paid():
    table = in_debt(active=1)
    play(table, offer(["lima"], price=5), seat=0)
    play(table, "accept 1", seat=1)
    error = refused(table, offer(["lima"], to="black", price=9), seat=1)
    assert (error.code, error.rule, error.field) == ("held", "A75-R58", "give")
    assert "Lima" in error.message
    assert not any("lima" in offer.domains["give"].limits for offer in table.offers(1) if "give" in offer.domains)
    play(table, offer(["rome"], price=15), seat=0)
    play(table, "accept 2", seat=1)
    assert cash(table) == [0, 80, 130]
    assert table.position.held == []
    assert cities(table, 1) == ["moscow", "lima", "rome"]


@pytest.mark.rule("A75-R58")
def test_deals_of_a_debtor_who_has_paid_stand():
    table = in_debt()
    play(table, offer(["lima"], price=20), seat=0)
    play(table, "accept 1", seat=1)
    assert asked(table) == (1, "departure")
    outcome = play(table, "resign", seat=0)
    assert happened(outcome, Voided) == []
    assert cities(table, 1) == ["moscow", "lima"]


@pytest.mark.rule("A75-R58")
def test_both_are_told_before_it_bites():
    table = in_debt()
    assert table.decisions(0)[0].prompt.endswith("If you go bankrupt all the same, what you sell in debt is void.")
    play(table, offer(["lima"], price=5), seat=0)
    prompts = [decision.prompt for decision in table.decisions(1)]
    assert any(prompt.endswith("The deal is void if Anna goes bankrupt.") for prompt in prompts)


@pytest.mark.rule("A75-R58", "A75-R09", "A75-A05")
def test_a_marker_is_kept_for_a_city_that_may_come_back():
    cities = {0: ["lima", "rome"], 1: ["moscow", "bangkok", "nairobi"], 2: ["colombo"]}
    table = in_debt(settings={"max_cities": 4}, active=1, cities=cities)
    play(table, offer(["moscow", "bangkok"], pay=5, to="yellow", want=["lima"]), seat=1)
    play(table, "accept 1", seat=0)
    play(table, offer(["colombo"], price=5, to="green"), seat=2)
    assert refused(table, "accept 2", seat=1).code == "no_marker"


# A fare that may still be claimed


def landed(cash=(5, 100, 100), **changes):
    """Anna in Ben's base London, with an SST and strict collection: a fare of 9, and no subsidy."""
    fields = {"settings": STRICT, "cities": {0: ["lima"], 2: [SPARE]}, "place": {0: "moscow"}, "aircraft": {0: "sst"}}
    return throw(at(cash=cash, **{**fields, **changes}), 2)[0]


@pytest.mark.rule("A75-R59", "A75-R51")
def test_resigning_without_the_money_for_an_unclaimed_fare_is_a_bankruptcy():
    table = landed(settings=STRICT_SHORT)
    outcome = play(table, "resign", seat=0)
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo", "lima"))]
    assert happened(outcome, BankPaid) == [BankPaid(1, 9, 0)]
    assert table.position.ending == "short_game"


@pytest.mark.rule("A75-R59", "A75-R40", "A75-R50")
def test_resigning_with_the_money_for_it_is_not():
    table = landed(settings=STRICT_SHORT, cash=(9, 100, 100))
    outcome = play(table, "resign", seat=0)
    assert happened(outcome, Resigned) == [Resigned(0, ("tokyo", "lima"))]
    assert table.position.ending == ""
    assert [(claim.seat, claim.to) for claim in table.position.claims] == [(BANK, 1)]


@pytest.mark.rule("A75-R59", "A75-R58")
def test_who_lacks_an_unclaimed_fare_deals_like_a_debtor():
    table = landed()
    assert asked(table) == (1, "departure")
    assert refused(table, offer(["lima"]), seat=0).rule == "A75-R28"
    play(table, offer(["lima"], price=1), seat=0)
    play(table, "accept 1", seat=1)
    assert cities(table, 1) == ["lima"]
    outcome = play(table, "claim", seat=1)
    assert happened(outcome, Voided) == [Voided(0, 1, 1, ("lima",), (), 1)]
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo", "lima"))]


@pytest.mark.rule("A75-R59")
def test_a_fare_that_lapses_frees_what_was_held():
    table = landed()
    play(table, offer(["lima"], price=1), seat=0)
    play(table, "accept 1", seat=1)
    assert len(table.position.held) == 1
    table, _ = throw(table, 5)
    assert table.position.held == []
    assert cities(table, 1) == ["lima"]


@pytest.mark.rule("A75-R59", "A75-M01")
def test_the_money_for_a_fare_is_set_aside():
    table = landed(cash=(30, 100, 100), cities={0: ["lima"], 1: ["rome"]})
    error = refused(table, offer(pay=22, want=["rome"]), seat=0)
    assert (error.code, error.numbers) == ("no_such_cash", {"named": 22, "cash": 21})
    play(table, offer(pay=21, want=["rome"]), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "claim", seat=1)
    assert cash(table) == [0, 130, 100]


# Whom a debtor deals with, and what the clock does for him


@pytest.mark.rule("A75-R55", "A75-U03", "A75-R23")
def test_out_of_turn_a_debtor_deals_only_with_the_player_in_turn():
    table = landed(cities={0: ["lima"], 2: ["rome"]})
    play(table, "claim", seat=1)
    assert asked(table) == (0, "raising")
    assert "offer cities to Ben, who is in turn, to raise" in table.decisions(0)[0].prompt
    assert refused(table, offer(["lima"], to="black", price=10), seat=0).code == "not_in_turn"
    assert choices(table, "Offer", "to", seat=2) == {"green"}
    play(table, offer(["lima"], price=10), seat=0)
    play(table, "accept 1", seat=1)
    assert cash(table) == [6, 99, 100]


@pytest.mark.rule("A75-R62", "A75-R57")
def test_the_clock_accepts_a_bid_that_saves_a_debtor_and_the_one_that_costs_least():
    table = in_debt()
    assert table.default(0) == Bankrupt()
    play(table, offer(pay=19, to="yellow", want=["lima"]), seat=1)
    assert table.default(0) == Bankrupt()
    play(table, offer(pay=60, to="yellow", want=["lima", "rome"]), seat=2)
    assert table.default(0) == Accept(2)
    play(table, offer(pay=20, to="yellow", want=["rome"]), seat=1)
    assert table.default(0) == Accept(3)
    table.time_out()
    assert (table.position.players[0].out, cash(table)) == (0, [0, 80, 130])


@pytest.mark.rule("A75-R62")
def test_the_clock_accepts_several_bids_that_save_a_debtor_together():
    table = in_debt()
    play(table, offer(pay=12, to="yellow", want=["lima"]), seat=1)
    play(table, offer(pay=11, to="yellow", want=["rome"]), seat=2)
    table.time_out()
    assert happened(table.time_out()[0], Owes) == []
    assert cash(table) == [3, 88, 119]


@pytest.mark.rule("A75-R54", "A75-R63")
def test_who_answers_an_offer_that_is_gone_is_told_so():
    table = at(cities={0: ["rome", "lima"], 1: ["nairobi"]})
    play(table, offer(["rome"], price=10), seat=0)
    assert table.decisions(0)[0].prompt == "Your turn: throw the dice. Offer 1 lies open only until your turn ends."
    play(table, offer(["lima"], price=10), seat=0)
    play(table, "withdraw 2", seat=0)
    assert refused(table, "accept 2", seat=1).message == (
        "Offer 2 lies open no more: it was answered or withdrawn, or has lapsed."
    )
    table, _ = throw(table, 5)
    play(table, "pass", seat=0)
    assert refused(table, "accept 1", seat=1).message.startswith("Offer 1 has lapsed: its turn is over")
    assert refused(table, "accept 7", seat=1).message == "No offer 7 is made to you."

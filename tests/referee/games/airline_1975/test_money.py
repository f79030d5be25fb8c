"""Debts, raising money, bankruptcy, and strict collection."""

import pytest

from referee.games.airline_1975.events import BankPaid, ClaimLapsed, Lapsed, Owes, Paid, Received, WentBankrupt
from referee.games.airline_1975.state import Bankrupt
from tests.positions import happened, offered, play, sentences
from tests.referee.games.airline_1975.setups import BANK, SPARE, STRICT, asked, at, cash, dice, offer, refused, throw

# Anna owes the bank 30 for a crash and has 10, and cities to sell.
CRASHED = {"cash": (10, 100, 100), "cities": {0: ["lima", "rome"], 1: ["moscow"]}, "place": {0: "air_cargo"}}


def crashed(settings=None, **changes):
    return throw(at(settings=settings, **{**CRASHED, **changes}), 4)


def cities(table, seat):
    return table.position.players[seat].cities


@pytest.mark.rule("A75-R34", "A75-K01")
def test_who_has_the_money_pays_without_being_asked():
    table, outcome = crashed(cash=(30, 100, 100))
    assert cash(table) == [0, 100, 100]
    assert happened(outcome, Paid) == [Paid(0, BANK, 30, "crash")]
    assert asked(table) == (1, "departure")
    assert "Bankrupt" not in offered(at(), 0)
    assert refused(at(), "declare bankruptcy").code == "no_debt"


@pytest.mark.rule("A75-R34", "A75-M05")
def test_a_debtor_with_cities_is_asked_to_raise_the_money():
    table, outcome = crashed()
    assert happened(outcome, Owes) == [Owes(0, BANK, 30, 10)]
    assert asked(table) == (0, "raising")
    prompt = table.decisions(0)[0].prompt
    assert prompt.startswith("You owe the bank $30 million (crash) and have 10:")
    assert cash(table)[0] == 10
    assert table.default(0) == Bankrupt()
    assert "Throw" not in offered(table, 1)


@pytest.mark.rule("A75-M05", "A75-R24", "A75-R34")
def test_the_debt_is_paid_as_soon_as_sales_bring_enough():
    table, _ = crashed()
    play(table, offer(["lima"], price=15), seat=0)
    outcome = play(table, "accept 1", seat=1)
    assert happened(outcome, Paid) == []
    assert asked(table) == (0, "raising")
    assert cash(table) == [25, 85, 100]
    play(table, offer(pay=6, to="yellow", want=["rome"]), seat=2)
    outcome = play(table, "accept 2", seat=0)
    assert happened(outcome, Paid) == [Paid(0, BANK, 30, "crash")]
    assert happened(outcome, Owes) == []
    assert cash(table) == [1, 85, 94]
    assert asked(table) == (1, "departure")
    assert cities(table, 0) == ["tokyo"]


@pytest.mark.rule("A75-R34")
def test_a_debt_paid_after_landing_in_a_city_leaves_the_challenge_open():
    table = at(
        cash=(5, 100, 100), cities={0: ["lima"], 1: ["moscow", "tashkent"]}, place={0: "crash"}, aircraft={1: "sst"}
    )
    table, _ = throw(table, 2)  # to Tashkent, for 18
    assert asked(table) == (0, "raising")
    play(table, offer(["lima"], price=60), seat=0)
    play(table, "accept 1", seat=1)
    assert asked(table) == (0, "landing")
    assert cash(table) == [5 + 60 - 18, 100 - 60 + 18, 100]
    assert "Challenge" in offered(table, 0)


@pytest.mark.rule("A75-R28", "A75-M03", "A75-K02")
@pytest.mark.parametrize(
    "order",
    [
        offer(["lima"]),
        offer(["lima"], pay=5, price=20),
        offer(["lima"], want=["moscow"]),
        offer(pay=5, want=["moscow"]),
        offer(want=["moscow"]),
    ],
)
def test_a_debtor_gives_nothing_away_and_spends_nothing(order):
    table, _ = crashed()
    error = refused(table, order)
    assert (error.code, error.rule) == ("in_debt", "A75-R28")
    assert error.nearest is None or error.nearest["price"] >= 1


@pytest.mark.rule("A75-R28")
@pytest.mark.parametrize(
    "order",
    [
        offer(to="yellow", want=["lima"]),
        offer(["moscow"], to="yellow", price=5),
        offer(pay=1, to="yellow", want=["lima"], price=5),
    ],
)
def test_nobody_gets_a_gift_from_a_debtor_or_takes_his_money(order):
    table, _ = crashed()
    error = refused(table, order, seat=1)
    assert (error.code, error.rule) == ("in_debt", "A75-R28")
    assert error.nearest is None or error.nearest["pay"] >= 1


@pytest.mark.rule("A75-R28", "A75-R25")
def test_a_debtor_may_take_a_city_in_part_payment():
    table, _ = crashed()
    play(table, offer(["lima"], want=["moscow"], price=20), seat=0)
    play(table, "accept 1", seat=1)
    assert cities(table, 0) == ["tokyo", "rome", "moscow"]
    assert cash(table) == [0, 80, 100]


@pytest.mark.rule("A75-U03", "A75-R28")
@pytest.mark.parametrize("maker", [0, 1])
def test_a_debtor_may_be_given_a_city_with_money(maker):
    table, _ = crashed()
    if maker == 0:
        play(table, offer(want=["moscow"], price=20), seat=0)
    else:
        play(table, offer(["moscow"], pay=20, to="yellow"), seat=1)
    play(table, "accept 1", seat=1 - maker)
    assert cities(table, 0) == ["tokyo", "lima", "rome", "moscow"]
    assert cash(table) == [0, 80, 100]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R28", "A75-R54")
def test_offers_that_would_cost_a_debtor_money_lapse():
    table = at(**CRASHED)
    play(table, offer(["lima"]), seat=0)
    play(table, offer(pay=5, want=["moscow"]), seat=0)
    play(table, offer(["rome"], price=5), seat=0)
    play(table, offer(["moscow"], to="yellow", price=5), seat=1)
    play(table, offer(to="yellow", want=["lima"]), seat=1)
    play(table, offer(pay=5, to="yellow", want=["lima"]), seat=2)
    table = dice(table, move=4)
    outcome = play(table, "throw", seat=0)
    assert happened(outcome, Lapsed) == [Lapsed((1, 2, 4, 5), "goods")]
    assert [deal.number for deal in table.position.deals] == [3, 6]


@pytest.mark.rule("A75-R28", "A75-R54")
def test_offers_in_which_a_debtor_pays_and_is_paid_lapse_as_well():
    table = at(**CRASHED)
    play(table, offer(["lima"], pay=5, price=20), seat=0)
    play(table, offer(["moscow"], pay=20, to="yellow", price=5), seat=1)
    table = dice(table, move=4)
    outcome = play(table, "throw", seat=0)
    assert happened(outcome, Lapsed) == [Lapsed((1, 2), "goods")]


@pytest.mark.rule("A75-R28", "A75-R55")
def test_only_those_are_asked_who_could_deal_with_a_debtor():
    table, _ = crashed(cash=(10, 0, 100))
    assert [decision.seat for decision in table.decisions() if decision.phase == "deals"] == [0, 2]
    assert "Offer" not in offered(table, 1)


@pytest.mark.rule("A75-R49", "A75-R61")
def test_who_falls_into_debt_may_make_twelve_offers_and_those_who_bid_three_more():
    table = at(**CRASHED)
    for price in (1, 2, 3):
        play(table, offer(["lima"], price=price), seat=0)
        play(table, offer(to="yellow", pay=price, want=["lima"]), seat=1)
    table = dice(table, move=4)
    play(table, "throw", seat=0)
    for price in range(1, 13):
        play(table, offer(["lima"], price=price), seat=0)
    error = refused(table, offer(["lima"], price=7))
    assert (error.code, error.numbers) == ("enough_offers", {"most": 12})
    for price in (1, 2, 3):
        play(table, offer(to="yellow", pay=price, want=["lima"]), seat=1)
    assert refused(table, offer(to="yellow", pay=4, want=["lima"]), seat=1).code == "enough_offers"


@pytest.mark.rule("A75-R35")
def test_nobody_has_to_buy():
    table, _ = crashed()
    play(table, offer(["lima"], price=20), seat=0)
    play(table, "refuse 1", seat=1)
    assert asked(table) == (0, "raising")
    play(table, "declare bankruptcy", seat=0)
    assert table.position.players[0].out == 1


@pytest.mark.rule("A75-T26", "A75-K02", "A75-R36", "A75-K01")
def test_the_creditor_of_a_bankrupt_gets_all_of_it_from_the_bank():
    table = at(
        cash=(10, 100, 100), cities={0: ["lima", "rome"], 2: [SPARE]}, place={0: "london"}, phase="raising",
        debts=[(0, 1, 27)],
    )  # fmt: skip
    outcome = play(table, "declare bankruptcy")
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo", "lima", "rome"))]
    assert happened(outcome, BankPaid) == [BankPaid(1, 27, 0)]
    assert cash(table) == [0, 127, 100]
    assert table.position.bank == -227
    assert cities(table, 0) == []
    assert table.view().table.players[0].connected == ()
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R37", "A75-K02")
def test_what_is_owed_to_the_bank_lapses_with_the_bankrupt():
    table, _ = crashed()
    outcome = play(table, "declare bankruptcy")
    assert happened(outcome, BankPaid) == []
    assert cash(table) == [0, 100, 100]
    assert table.position.debts == []
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R34", "A75-U04", "A75-K01")
def test_who_has_only_a_base_has_nothing_to_sell_and_is_bankrupt_at_once():
    table, outcome = crashed(cities={2: [SPARE]})
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo",))]
    assert happened(outcome, Owes) == []
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-K02", "A75-R36", "A75-R37")
def test_a_bankrupt_with_two_creditors_and_the_bank_to_pay():
    table = at(cities={0: ["lima"], 2: [SPARE]}, cash=(5, 100, 100), phase="raising",
               debts=[(0, 1, 20), (0, BANK, 15), (0, 2, 9)])  # fmt: skip
    outcome = play(table, "declare bankruptcy")
    assert happened(outcome, BankPaid) == [BankPaid(1, 20, 0), BankPaid(2, 9, 0)]
    assert cash(table) == [0, 120, 109]


@pytest.mark.rule("A75-R34")
def test_debts_are_paid_in_the_order_in_which_they_fell_due():
    table = at(cities={0: ["lima", "rome"]}, cash=(5, 100, 100), phase="raising", debts=[(0, 1, 20), (0, 2, 9)])
    play(table, offer(["lima"], price=20), seat=0)
    outcome = play(table, "accept 1", seat=1)
    assert happened(outcome, Paid) == [Paid(0, 1, 20, "a debt")]
    assert happened(outcome, Owes) == [Owes(0, 2, 9, 5)]
    assert table.decisions(0)[0].prompt.startswith("You owe Cora $9 million")


@pytest.mark.rule("A75-R34", "A75-R55")
def test_two_debtors_are_asked_one_after_the_other():
    table = at(4, cities={0: ["lima"], 1: ["rome"], 3: [SPARE]}, cash=(5, 5, 100, 100), phase="raising",
               debts=[(0, 2, 20), (1, 2, 20)])  # fmt: skip
    outcome = play(table, "declare bankruptcy", seat=0)
    assert happened(outcome, Owes) == [Owes(1, 2, 20, 5)]
    assert asked(table) == (1, "raising")
    assert table.position.active == 1
    play(table, "declare bankruptcy", seat=1)
    assert asked(table) == (2, "departure")
    assert cash(table) == [0, 0, 140, 100]


@pytest.mark.rule("A75-R33")
def test_the_bank_pays_however_much_it_has_paid_already():
    table = at(2, bank=-10_000)
    table, _ = throw(table, 8, charter=9)
    assert (cash(table), table.position.bank) == ([109, 100], -10_009)


# Strict collection

ANYBODY = STRICT | {"debtor_deals": "with_anybody"}


def landed(**changes):
    """Anna in Ben's base London with strict collection: a fare of 9, and 20 for having passed SUBSIDY."""
    return throw(at(**{"settings": STRICT, "place": {0: "moscow"}, **changes}), 2)


@pytest.mark.rule("A75-R15", "A75-M02")
def test_money_must_be_claimed_from_players_and_from_the_bank():
    table, outcome = landed()
    assert cash(table) == [100, 100, 100]
    assert sentences(table, outcome)[1:] == [
        "Anna may claim $20 million from the bank before the next throw: subsidy.",
        "Anna lands on London.",
        "Ben may claim $9 million from Anna before the next throw: fare for London.",
    ]
    prompts = {decision.seat: decision.prompt for decision in table.decisions() if decision.phase == "claims"}
    assert prompts == {
        0: "You may claim $20 million from the bank (subsidy) until the next throw.",
        1: "You may claim $9 million from Anna (fare for London) until the next throw.",
    }
    assert refused(table, "claim", seat=2).code == "nothing_due"
    play(table, "claim", seat=1)
    outcome = play(table, "claim", seat=0)
    assert happened(outcome, Received) == [Received(0, 20, "subsidy")]
    assert cash(table) == [111, 109, 100]
    assert "Claim" not in offered(table, 1)


@pytest.mark.rule("A75-M02", "A75-R15")
def test_what_is_not_claimed_before_the_next_throw_is_lost():
    table, _ = landed()
    play(table, "pass", seat=0)
    assert asked(table) == (1, "departure")
    assert offered(table, 0) == {"Claim", "Resign"}
    table, outcome = throw(table, 5)
    assert happened(outcome, ClaimLapsed) == [ClaimLapsed(0, 20), ClaimLapsed(1, 9)]
    assert sentences(table, outcome)[:2] == [
        "Anna did not claim $20 million in time.",
        "Ben did not claim $9 million in time.",
    ]
    assert cash(table) == [100, 100, 100]
    assert table.position.claims == []


@pytest.mark.rule("A75-M02")
def test_with_automatic_collection_nothing_is_claimed():
    table, _ = throw(at(place={0: "moscow"}), 2)
    assert table.position.claims == []
    assert "Claim" not in offered(table, 1)


@pytest.mark.rule("A75-R15")
@pytest.mark.parametrize(("start", "move", "second", "amount"), [
    ("subsidy", 8, {"charter": 9}, 9), ("hijack", 4, {}, 10), ("crash", 4, {}, 20),
])  # fmt: skip
def test_every_payment_of_the_bank_is_claimed(start, move, second, amount):
    table, _ = throw(at(settings=STRICT, place={0: start}), move, **second)
    assert [(claim.seat, claim.to, claim.amount) for claim in table.position.claims] == [(BANK, 0, amount)]
    play(table, "claim", seat=0)
    assert cash(table)[0] == 100 + amount


@pytest.mark.rule("A75-R15", "A75-R56", "A75-M02")
@pytest.mark.parametrize(("start", "move", "second"), [
    ("subsidy", 8, {"charter": 9}), ("hijack", 4, {}), ("crash", 4, {}), ("moscow", 2, {}), ("tashkent", 5, {}),
])  # fmt: skip
def test_a_turn_does_not_end_before_its_player_could_claim_what_it_brought(start, move, second):
    table, _ = throw(at(settings=STRICT, place={0: start}, cities={0: ["casablanca"]}), move, **second)
    assert asked(table) == (0, "landing")
    assert table.decisions(0)[0].prompt == "Claim the money that is due to you, or pass."
    assert offered(table, 0) - {"Offer"} == {"Claim", "Pass", "Resign"}
    before = cash(table)[0]
    play(table, "claim", seat=0)
    assert cash(table)[0] > before
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R15", "A75-R56")
@pytest.mark.parametrize("order", ["buy", "challenge"])
def test_neither_a_purchase_nor_a_challenge_cuts_a_claim_short(order):
    cities = {1: ["rome"]} if order == "challenge" else {}
    table, _ = throw(at(settings=STRICT, place={0: "moscow"}, cities=cities), 3)
    table = dice(table, challenger=9, owner=8)
    play(table, order, seat=0)
    assert "rome" in table.position.players[0].cities
    assert asked(table) == (0, "landing")
    before = cash(table)[0]
    play(table, "claim", seat=0)
    assert cash(table)[0] == before + 20
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-U02", "A75-H01", "A75-U04")
@pytest.mark.parametrize(("start", "move", "buying", "challenging"), [
    ("hijack", 4, "no_city", "nobody_to_challenge"),
    ("tashkent", 5, "yours", "nobody_to_challenge"),
    ("moscow", 2, "base_city", "base_city"),
])  # fmt: skip
def test_who_is_asked_for_claims_alone_neither_buys_nor_challenges(start, move, buying, challenging):
    table, _ = throw(at(settings=STRICT, place={0: start}, cities={0: ["casablanca"]}), move)
    assert refused(table, "buy").code == buying
    assert refused(table, "challenge").code == challenging


@pytest.mark.rule("A75-R15")
def test_the_bank_itself_never_forgets():
    table, _ = throw(at(settings=STRICT), 4)
    assert cash(table)[0] == 85


@pytest.mark.rule("A75-R15", "A75-R34", "A75-R55", "A75-R23")
def test_a_claim_against_somebody_whose_turn_is_over_and_who_cannot_pay():
    table, _ = landed(cash=(5, 100, 100), aircraft={0: "sst"}, cities={0: ["lima"], 2: ["rome"]}, settings=ANYBODY)
    assert asked(table) == (1, "departure")
    outcome = play(table, "claim", seat=1)
    assert happened(outcome, Owes) == [Owes(0, 1, 9, 5)]
    assert asked(table) == (0, "raising")
    assert "Throw" not in offered(table, 1)
    play(table, offer(["lima"], to="black", price=10), seat=0)  # neither is in turn, but one is in debt
    play(table, offer(pay=3, to="yellow", want=["lima"]), seat=2)
    outcome = play(table, "accept 1", seat=2)
    assert cash(table) == [6, 109, 90]
    assert happened(outcome, Lapsed) == [Lapsed((2,), "goods")]
    assert asked(table) == (1, "departure")
    assert refused(table, offer(["rome"], to="yellow", price=1), seat=2).code == "not_in_turn"


@pytest.mark.rule("A75-R55", "A75-U03", "A75-R54")
def test_an_offer_between_two_who_are_not_in_turn_lapses_with_the_debt():
    table, _ = landed(cash=(5, 100, 100), aircraft={0: "sst"}, cities={0: ["lima", "moscow"], 2: ["rome"]},
                      settings=ANYBODY)  # fmt: skip
    play(table, "claim", seat=1)
    play(table, offer(["moscow"], to="black", price=3), seat=0)
    play(table, offer(["lima"], price=30), seat=0)
    outcome = play(table, "accept 2", seat=1)
    assert happened(outcome, Lapsed) == [Lapsed((1,), "goods")]


@pytest.mark.rule("A75-R53", "A75-R15", "A75-R34")
def test_a_debtor_s_own_claims_are_collected_before_he_is_called_bankrupt():
    table, outcome = throw(
        at(settings=STRICT, place={0: "moscow"}, cash=(5, 100, 100), cities={}), 5
    )  # SUBSIDY 20, MAINTENANCE 15
    assert happened(outcome, Received) == [Received(0, 20, "subsidy")]
    assert happened(outcome, WentBankrupt) == []
    assert cash(table)[0] == 10
    table, outcome = throw(at(settings=STRICT, place={0: "moscow"}, cash=(20, 100, 100)), 5)
    assert happened(outcome, Received) == []
    assert cash(table)[0] == 5
    assert [claim.amount for claim in table.position.claims] == [20]


@pytest.mark.rule("A75-R53", "A75-R56")
def test_money_that_can_be_claimed_counts_before_a_landing_is_called_hopeless():
    table, _ = throw(at(settings=STRICT, place={0: "moscow"}, cash=(5, 100, 100), bases=("lima", "tokyo", "sydney")), 3)
    assert asked(table) == (0, "landing")
    assert table.decisions(0)[0].prompt.endswith(
        "you have 5: claim what is due to you, raise money by a deal, or pass."
    )
    assert refused(table, "buy", seat=0).code == "too_expensive"
    play(table, "claim", seat=0)
    play(table, "buy", seat=0)
    assert cash(table)[0] == 5


@pytest.mark.rule("A75-R24", "A75-R15")
def test_a_fare_stays_owed_to_the_owner_of_the_landing_when_the_visitor_buys_the_city():
    table, _ = throw(
        at(
            settings=STRICT,
            place={0: "moscow"},
            bases=("tokyo", "rome", "lima"),
            cities={0: ["bangkok"], 1: ["london"]},
        ),
        2,
    )
    play(table, offer(pay=10, want=["london"]), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "pass", seat=0)
    assert asked(table) == (1, "departure")
    play(table, "claim", seat=1)
    assert cash(table) == [81, 119, 100]


@pytest.mark.rule("A75-K02", "A75-R36", "A75-R15")
def test_a_claim_that_bankrupts_is_paid_by_the_bank_and_the_turn_goes_on():
    table, _ = landed(cash=(5, 100, 100), aircraft={0: "sst"})
    outcome = play(table, "claim", seat=1)
    assert happened(outcome, BankPaid) == [BankPaid(1, 9, 0)]
    assert cash(table) == [0, 109, 100]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-M02", "A75-R15")
def test_who_is_in_turn_claims_before_his_own_throw_and_may_send_both_at_once():
    table, _ = landed()
    play(table, "pass", seat=0)
    outcome = play(table, "claim", "throw", seat=1)
    assert happened(outcome, Paid)[0] == Paid(0, 1, 9, "fare for London")
    assert happened(outcome, ClaimLapsed) == [ClaimLapsed(0, 20)]


# The clock


@pytest.mark.rule("A75-R57", "A75-M05")
def test_clock_that_throws_a_player_into_debt_leaves_time_to_bid_for_his_cities():
    table = dice(at(**CRASHED), move=4)
    assert [entry.row.phase for entry in table.time_out()] == ["departure"]
    assert asked(table) == (0, "raising")
    assert "Offer" in offered(table, 1)
    assert [entry.row.phase for entry in table.time_out()] == ["raising"]
    assert table.position.players[0].out


@pytest.mark.rule("A75-R57")
def test_clock_plays_a_turn_without_debts_to_its_end():
    table = dice(at(place={0: "air_cargo"}), move=5)  # into a free city
    assert [entry.row.phase for entry in table.time_out()] == ["departure", "landing"]
    assert asked(table) == (1, "departure")

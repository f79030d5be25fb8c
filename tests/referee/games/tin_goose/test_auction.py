"""Auctions, deployment and upgrades."""

import pytest

from referee.contract import canonical
from referee.errors import OrderError
from referee.games.tin_goose.auction import upgradable
from referee.games.tin_goose.events import Deployed, FleetBought, FleetDiscarded, IncomeMoved, Upgraded
from referee.games.tin_goose.state import Bidding, OwnedFleet
from referee.games.tin_goose.tracks import hazard, income
from tests.positions import happened, play, sentences
from tests.referee.games.tin_goose.setups import (
    BOARD,
    DIVIDENDS,
    GAME,
    INVESTMENTS,
    REGIONAL,
    RURAL,
    SAFETY,
    asked,
    at,
    holding,
    offered,
    own,
    refused,
)

BOEING_247 = "G12"
STRATOLINER, DC3 = "B20", "B01"
CONVAIR, CONSTELLATION = "R04", "R19"


def auction(card=BOEING_247, me=None, others=None, players=3, **fields):
    """Anna has put a fleet up for auction; Ben is asked first."""
    return at(players, "auction", me, others, card=card, **fields)


def won(card=BOEING_247, me=None, **fields):
    """Anna has won an auction and decides about the fleet."""
    return at(3, "acquisition", me, card=card, bidding=Bidding(3, 5, 0), **fields)


def buy(table, amount=1):
    """Ben and Cora pass, and Anna buys."""
    play(table, "pass")
    play(table, "pass")
    return play(table, f"bid {amount}")


@pytest.mark.rule("TG-F17")
def test_bidding_goes_once_around_from_the_left_and_the_highest_bid_wins():
    table = auction(players=4)
    asked_in_turn = []
    for order in ("bid 3", "pass", "bid 8", "pass"):
        asked_in_turn.append(asked(table)[1][0])
        outcome = play(table, order)
    assert asked_in_turn == [1, 2, 3, 0]
    assert happened(outcome, FleetBought) == [FleetBought(3, BOEING_247, 8)]
    assert [player.cash for player in table.position.players] == [40, 40, 40, 32]
    assert asked(table) == ("acquisition", (3,))
    play(table, "upgrade Ford Trimotor")
    assert asked(table) == ("actions", (0,))


@pytest.mark.rule("TG-F17", "TG-R27", "TG-R19")
def test_a_bid_is_higher_than_the_last_and_no_more_than_the_cash():
    table = auction(others={2: {"cash": 9}})
    error = refused(table, "bid 0")
    assert (error.code, error.numbers) == ("too_low", {"bid": 0, "least": 1, "cash": 40})
    assert refused(table, "bid -3").message == "A bid of -$3 is too low: bid $1 or more, or pass."
    play(table, "bid 8")
    error = refused(table, "bid 8")
    assert (error.code, error.numbers["least"], error.nearest) == ("too_low", 9, {"type": "pass"})
    error = refused(table, "bid 10")
    assert (error.code, error.numbers) == ("too_expensive", {"bid": 10, "least": 9, "cash": 9})
    play(table, "bid 9")


def test_who_has_too_little_money_to_bid_is_asked_all_the_same():
    table = auction(others={2: {"cash": 5}})
    play(table, "bid 8")
    assert asked(table) == ("auction", (2,))
    assert not offered(table, "Bid")
    assert offered(table, "Pass")


@pytest.mark.rule("TG-R28")
def test_nobody_bids_twice():
    table = auction()
    play(table, "pass")
    assert refused(table, "bid 5", seat=1).code == "not_your_turn"
    play(table, "bid 5")
    outcome = play(table, "bid 6")
    assert happened(outcome, FleetBought) == [FleetBought(0, BOEING_247, 6)]


@pytest.mark.rule("TG-F17", "TG-R29")
def test_a_fleet_without_a_bid_is_discarded_and_the_turn_goes_on():
    table = auction()
    for _ in range(3):
        outcome = play(table, "pass")
    assert happened(outcome, FleetDiscarded) == [FleetDiscarded(BOEING_247, False)]
    assert table.position.discards == [BOEING_247]
    assert asked(table) == ("actions", (0,))
    assert table.position.card == ""


@pytest.mark.rule("TG-F17")
def test_deploying_brings_two_planes_and_may_remove_a_condition():
    table = won(me={"conditions": [SAFETY, DIVIDENDS]})
    outcome = play(table, "deploy and remove irregular safety procedures")
    player = table.position.players[0]
    assert player.fleets == [OwnedFleet("ford_trimotor", 1), OwnedFleet(BOEING_247, 2)]
    assert player.conditions == [DIVIDENDS]
    assert happened(outcome, Deployed) == [Deployed(0, BOEING_247, 2, SAFETY, 0, 3 + 2)]
    assert hazard(BOARD, player) == 5


@pytest.mark.rule("TG-R35")
def test_removing_a_condition_may_be_declined_in_so_many_words_and_is_then_forfeited():
    table = won(me={"conditions": [SAFETY]})
    outcome = play(table, "deploy and remove nothing")
    assert (
        "Anna deploys Boeing 247 Washington with 2 planes, removes nothing and keeps 1 condition; hazard 9."
        in sentences(table, outcome)
    )
    player = table.position.players[0]
    assert (player.conditions, len(player.fleets), player.forgone) == ([SAFETY], 2, 1)
    assert asked(table) == ("actions", (0,))
    error = refused(won(me={"conditions": [SAFETY]}), "deploy and remove generous dividends")
    assert (error.code, error.message) == (
        "no_such_condition",
        "You cannot remove Generous Dividends; your conditions: Irregular Safety Procedures.",
    )


@pytest.mark.rule("TG-R35")
@pytest.mark.parametrize("conditions", [[SAFETY], [SAFETY, DIVIDENDS]])
@pytest.mark.parametrize("order", ["deploy", {"type": "deploy"}])
def test_a_deployment_that_does_not_say_which_condition_goes_is_refused(order, conditions):
    """Also with a single condition: nobody is to lose or keep one for good by saying too little."""
    table = won(me={"conditions": conditions})
    before = table.position_json
    with pytest.raises(OrderError) as caught:
        play(table, order)
    assert "CONDITION" in caught.value.message or caught.value.readings[-1] == "deploy and remove nothing"
    assert table.position_json == before


@pytest.mark.rule("TG-R35")
def test_version_one_writes_its_deployments_as_it_always_did():
    old = GAME.of_version("1", BOARD, 3)
    for version, kept in ((old, False), (old.under("2"), True)):
        table = won(me={"conditions": [SAFETY]})
        table.game = version
        (event,) = happened(play(table, {"type": "deploy", "condition": "none"}), Deployed)
        assert (b"kept" in canonical(event)) == kept


@pytest.mark.rule("TG-R71")
def test_a_late_winner_loses_the_condition_that_brings_money_first():
    conditions = [SAFETY, DIVIDENDS, INVESTMENTS, RURAL, REGIONAL]
    gone = []
    while conditions:
        gone.append(won(me={"conditions": list(conditions)}).default(0).condition)
        conditions.remove(gone[-1])
    assert gone == [DIVIDENDS, INVESTMENTS, SAFETY, RURAL, REGIONAL]
    assert won(me={}).default(0).condition == "none"


@pytest.mark.rule("TG-F24")
def test_fleets_and_conditions_are_six_while_conditions_are_left_and_grow_after():
    conditions = [condition.id for condition in BOARD.conditions]
    table = won(me={"conditions": list(conditions), "fleets": own("ford_trimotor")})
    for number, condition in enumerate(conditions):
        player = table.position.players[0]
        assert (len(player.fleets), len(player.conditions)) == (1 + number, 5 - number)
        play(table, {"type": "deploy", "condition": condition})
        left, fleets = table.position.players[0].conditions, table.position.players[0].fleets
        table = won(me={"conditions": left, "fleets": fleets}, card=f"G{13 + number}")
    play(table, {"type": "deploy", "condition": "none"})
    assert len(table.position.players[0].fleets) == 7


@pytest.mark.rule("TG-R66")
def test_a_winner_without_a_choice_is_not_asked():
    table = auction(me={"fleets": own("G01")})
    outcome = buy(table)
    assert [event.condition for event in happened(outcome, Deployed)] == ["none"]
    assert asked(table) == ("actions", (0,))
    for choice in ({"fleets": own("G01"), "conditions": [SAFETY]}, {"fleets": own("ford_trimotor")}):
        table = auction(me=choice)
        buy(table)
        assert asked(table) == ("acquisition", (0,))


@pytest.mark.parametrize(
    ("me", "question"),
    [
        (
            {"conditions": [SAFETY]},
            "deploy it and remove a condition (or “nothing”: this fleet removes none later), or upgrade an older "
            "fleet.",
        ),
        (
            {"conditions": [SAFETY], "fleets": own("G01")},
            "deploy it and remove a condition (or “nothing”: this fleet removes none later).",
        ),
        ({}, "deploy it, or upgrade an older fleet."),
    ],
)
def test_the_winner_is_asked_for_what_can_be_done_with_the_fleet(me, question):
    assert won(me=me).decisions()[0].prompt == f"Boeing 247 is yours: {question}"


@pytest.mark.rule("TG-F17", "TG-R33", "TG-R32")
@pytest.mark.parametrize("planes", [0, 1, 2])
def test_an_upgrade_moves_the_planes_over_and_removes_no_condition(planes):
    table = won(me={"conditions": [SAFETY], "fleets": own("ford_trimotor", planes=planes), "cities": ["reno", "boise"]})
    outcome = play(table, "upgrade ford trimotor")
    player = table.position.players[0]
    assert player.fleets == [OwnedFleet(BOEING_247, planes)]
    assert (player.conditions, player.cities) == ([SAFETY], ["reno", "boise"])
    assert happened(outcome, Upgraded) == [Upgraded(0, BOEING_247, "ford_trimotor", planes, 4 + 2)]
    assert table.position.discards == ["ford_trimotor"]


@pytest.mark.rule("TG-R31", "TG-EX10")
@pytest.mark.parametrize(
    ("new", "old", "allowed"),
    [
        (CONVAIR, STRATOLINER, True),  # M over M of an older era
        (CONVAIR, DC3, True),  # M over S of an older era
        (CONVAIR, CONSTELLATION, False),  # M over L
        (STRATOLINER, DC3, False),  # blue over blue
        (CONVAIR, "G01", True),  # red over gold
        ("R01", STRATOLINER, False),  # S over M
        *((card.id, "ford_trimotor", True) for card in BOARD.era_cards if card.kind == "fleet"),
    ],
)
def test_an_upgrade_is_at_least_as_large_and_newer(new, old, allowed):
    table = won(new, me={"fleets": own(old), "conditions": [SAFETY]})
    assert upgradable(BOARD, table.position.players[0], new) == ([old] if allowed else [])
    order = {"type": "upgrade", "fleet": old}
    if allowed:
        play(table, order)
    else:
        code = "not_newer" if BOARD.fleet[new].era <= BOARD.fleet[old].era else "too_small"
        assert refused(table, order).code == code


def test_only_an_own_fleet_can_be_upgraded():
    for fleet, name in (("G01", "Boeing 80A Portland"), ("ford_trimotor", "Ford Trimotor"), ("Zeppelin", "Zeppelin")):
        error = refused(won(me={"fleets": own("G05"), "conditions": [SAFETY]}), {"type": "upgrade", "fleet": fleet})
        assert (error.code, error.message) == ("not_your_fleet", f"You own no {name}.")


@pytest.mark.rule("TG-R34")
def test_the_winner_must_keep_the_fleet():
    table = won(me={"conditions": [SAFETY]})
    assert {offer.move.__name__ for offer in table.offers(0)} == {"Deploy", "Upgrade"}
    assert refused(table, "pass").code == "not_now"


@pytest.mark.rule("TG-F17", "TG-R30")
@pytest.mark.parametrize("owned", [("G12",), ("G12", "G13", "G14")])
@pytest.mark.parametrize("winner", [0, 1])
def test_a_fleet_of_the_same_kind_moves_its_buyer_up_two_boxes_once(owned, winner):
    fleets = {"fleets": own("ford_trimotor", *owned)}
    table = auction("G15", me=fleets if winner == 0 else None, others={1: fleets} if winner == 1 else None)
    for order in ("bid 1" if winner == 1 else "pass", "pass", "bid 1" if winner == 0 else "pass"):
        outcome = play(table, order)
    assert happened(outcome, IncomeMoved) == [IncomeMoved(winner, "same_kind", 2, 4)]
    outcome = play(table, "upgrade ford trimotor")  # whatever is done with the fleet
    assert happened(outcome, IncomeMoved) == []


@pytest.mark.rule("TG-R30")
def test_another_kind_of_the_same_maker_or_a_rivals_fleet_moves_nobody_up():
    boeing_80a = {"fleets": own("ford_trimotor", "G01")}
    outcome = buy(auction(BOEING_247, me=boeing_80a, others={1: {"fleets": own("G13")}}))
    assert happened(outcome, IncomeMoved) == []


@pytest.mark.rule("TG-R56", "TG-EX14", "TG-F24")
@pytest.mark.parametrize(
    ("round_number", "card", "money"), [(1, "G01", 30), (2, "G01", 30), (3, DC3, 20), (6, "R01", 10)]
)
def test_unproductive_investments_pay_by_the_era_of_the_round(round_number, card, money):
    table = won(card, me={"conditions": [INVESTMENTS], "cash": 0}, round=round_number)
    outcome = play(table, "deploy and remove unproductive investments")
    assert table.position.players[0].cash == money
    assert happened(outcome, Deployed)[0].money == money


@pytest.mark.rule("TG-R27", "TG-EX14", "TG-R56")
def test_unproductive_investments_do_not_pay_for_the_fleet_that_removes_them():
    table = auction(me={"conditions": [INVESTMENTS], "cash": 4})
    play(table, "pass")
    play(table, "pass")
    assert refused(table, "bid 5").numbers["cash"] == 4
    play(table, "bid 4", "deploy and remove unproductive investments")
    assert table.position.players[0].cash == 30
    kept = won(me={"conditions": [INVESTMENTS], "cash": 0})
    play(kept, "deploy and remove nothing")
    assert kept.position.players[0].cash == 0


@pytest.mark.rule("TG-R36", "TG-F24")
def test_generous_dividends_removed_in_step_one_no_longer_stop_the_income_of_the_same_turn():
    for orders, expected in (("deploy and remove generous dividends", 3), ("deploy and remove nothing", 0)):
        table = won(me={"conditions": [DIVIDENDS], "cash": 0})
        play(table, orders, "take 1 labor", "take 1 labor", "advance income")
        player = table.position.players[0]
        assert income(BOARD, player) == 3
        assert player.cash == expected


@pytest.mark.rule("TG-R37")
def test_regional_management_removed_in_step_one_leaves_the_first_action_free():
    table = won(me={"conditions": [REGIONAL]})
    play(table, "deploy and remove regional management", "take 1 labor")
    assert table.position.taken == ["labor chip"]
    table = won(me={"conditions": [REGIONAL]})
    play(table, "deploy and remove nothing")
    assert table.position.taken == ["advance income"]


@pytest.mark.rule("TG-F25", "TG-R57")
def test_in_round_seven_a_fleet_card_counts_for_its_city_and_is_discarded():
    table = at(3, "card", me={"hand": ["R04", "R05"], "cities": ["pittsburgh"]}, round=7)
    outcome = play(table, "play R04")
    assert happened(outcome, IncomeMoved) == [IncomeMoved(0, "city_match", 2, 4)]
    assert happened(outcome, FleetDiscarded) == [FleetDiscarded("R04", True)]
    assert table.position.discards == ["R04"]
    assert asked(table) == ("actions", (0,))


def test_in_round_six_there_still_is_an_auction():
    table = at(3, "card", me=holding("R04"), round=6)
    play(table, "play R04")
    assert asked(table) == ("auction", (1,))

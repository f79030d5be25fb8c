"""The three actions of a turn, extensions, international service, and the conditions that touch them."""

import pytest

from referee.games.tin_goose.events import BondIssued, Extended, IncomeMoved, InternationalServed, LaborTaken
from referee.games.tin_goose.state import OwnedFleet
from referee.games.tin_goose.tracks import hazard, income, oil
from tests.positions import happened, play
from tests.referee.games.tin_goose.setups import (
    BOARD,
    REGIONAL,
    SAFETY,
    asked,
    at,
    box,
    offered,
    own,
    reachable,
    refused,
)

HAVANA = "serve Havana from ford trimotor"
STRATOLINER = "B20"


@pytest.mark.rule("TG-F18", "TG-R62")
def test_advance_income_moves_one_box():
    table = at(3)
    outcome = play(table, "advance income")
    assert happened(outcome, IncomeMoved) == [IncomeMoved(0, "advance", 1, 3)]
    assert table.position.players[0].income_box == 2
    assert "AdjustIncome" not in {kind.__name__ for kind in table.game.move_types}


@pytest.mark.rule("TG-F13")
@pytest.mark.parametrize(
    ("order", "third"),
    [("advance income", "advance income"), ("take 1 labor", "take 2 labor"), ("issue bond", "issue bond")],
)
def test_no_action_is_taken_more_than_twice(order, third):
    table = at(3)
    play(table, order, order)
    error = refused(table, third)
    assert (error.code, error.numbers) == ("taken_already", {"most": 2})


@pytest.mark.rule("TG-F13", "TG-R52")
def test_the_turn_ends_with_the_third_action_and_not_before():
    table = at(3)
    play(table, "advance income", "issue bond")
    assert asked(table) == ("actions", (0,))
    assert not offered(table, "Pass")
    play(table, "advance income")
    assert asked(table) == ("card", (1,))


@pytest.mark.rule("TG-R52")
def test_there_is_always_a_legal_action():
    poor = {"cash": 0, "fleets": own("ford_trimotor", planes=0), "cities": list(BOARD.city)}
    for taken in (["bond"] * 2, ["labor chip"] * 2, ["advance income"] * 2, ["bond", "labor chip"]):
        table = at(3, me=poor, taken=taken)
        kinds = {offer.move.__name__ for offer in table.offers(0)}
        assert kinds == {
            kind
            for kind, action in (
                ("AdvanceIncome", "advance income"),
                ("TakeLabor", "labor chip"),
                ("IssueBond", "bond"),
            )
            if taken.count(action) < 2
        }
        play(table, table.default(0))
        assert asked(table)[0] == "card"


@pytest.mark.rule("TG-R53")
def test_advancing_at_the_end_of_the_track_is_legal_and_does_nothing():
    table = at(3, me={"income_box": box(15)})
    outcome = play(table, "advance income")
    assert happened(outcome, IncomeMoved) == [IncomeMoved(0, "advance", 0, 15)]


@pytest.mark.rule("TG-F18", "TG-EX3", "TG-R54")
def test_robin_takes_a_labor_chip_for_nothing_and_a_second_for_her_income():
    robin = {"income_box": box(7), "cash": 20, "labor_chips": 3}
    table = at(3, me=robin)
    assert happened(play(table, "take 2 labor chips"), LaborTaken) == [LaborTaken(0, 2, 7)]
    assert (table.position.players[0].cash, table.position.players[0].labor_chips) == (13, 5)
    table = at(3, me=robin)
    play(table, "take 1 labor chip")
    assert (table.position.players[0].cash, table.position.players[0].labor_chips) == (20, 4)
    error = refused(at(3, me=robin), "take 3 labor")
    assert (error.code, error.numbers) == ("wrong_number", {"chips": 3, "most": 2})


@pytest.mark.rule("TG-R54", "TG-R19")
def test_the_second_chip_costs_the_income_of_the_moment_in_cash():
    table = at(3, me={"income_box": box(8) - 1, "cash": 8})
    assert income(BOARD, table.position.players[0]) == 7
    play(table, "advance income", "take 2 labor")
    assert table.position.players[0].cash == 0
    error = refused(at(3, me={"income_box": box(8), "cash": 7}), "take 2 labor")
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 8, "cash": 7})
    table = at(3, me={"income_box": box(8), "cash": 7})
    play(table, "issue bond", "take 2 labor")
    assert table.position.players[0].cash == 7 + 40 - 8


@pytest.mark.rule("TG-R55")
def test_the_labor_action_may_be_taken_twice():
    table = at(3, me={"income_box": box(5), "cash": 10, "labor_chips": 0})
    play(table, "take 2 labor", "take 2 labor")
    assert (table.position.players[0].cash, table.position.players[0].labor_chips) == (0, 4)


@pytest.mark.rule("TG-F18")
def test_a_bond_brings_40_dollars():
    table = at(3, me={"cash": 1})
    assert happened(play(table, "issue bond"), BondIssued) == [BondIssued(0, 40)]
    assert (table.position.players[0].cash, table.position.players[0].bonds) == (41, 1)


@pytest.mark.rule("TG-F04")
def test_chips_bonds_extensions_and_planes_never_run_out():
    table = at(3, me={"labor_chips": 30, "bonds": 30, "extensions": 30, "cities": sorted(BOARD.city)[:24]})
    play(table, "take 1 labor", "issue bond", {"type": "extend", "city": sorted(offered(table, "Extend", "city"))[0]})
    player = table.position.players[0]
    assert (player.labor_chips, player.bonds, player.extensions, len(player.cities)) == (31, 31, 31, 25)


def asks(**position):
    return at(3, **position).decisions()[0].prompt


def test_the_question_names_the_actions_that_are_left_and_no_other():
    everything = (
        "Action 1: advance income, place a plane, extend, serve Havana (two actions), take labor or issue a bond."
    )
    assert asks() == everything
    assert asks(me={"cash": 0}) == everything  # whether there is money for Havana is a secret
    left = "Action 3: place a plane, extend, take labor or issue a bond."
    assert asks(taken=["advance income"] * 2) == left
    assert asks(taken=["place a plane"] * 2) == "Action 3: advance income, take labor or issue a bond."
    assert asks(taken=["international service"] * 2) == left.replace("3: ", "3: advance income, ")
    served = everything.replace("serve Havana (two actions), ", "")
    assert asks(me={"international": ["havana"]}) == served
    assert asks(me={"fleets": own("ford_trimotor", planes=0)}) == served.replace("place a plane, ", "")
    assert "Mexico City" not in asks(round=4)
    assert "serve Mexico City (two actions)" in asks(round=4, me={"fleets": own(STRATOLINER)})


# Regional Management


@pytest.mark.rule("TG-F24", "TG-R38")
def test_regional_management_makes_the_first_action_an_advance_that_counts():
    table = at(3, me={"conditions": [REGIONAL]})
    assert {offer.move.__name__ for offer in table.offers(0)} == {"AdvanceIncome"}
    assert refused(table, "issue bond").code == "regional_management"
    assert refused(table, "extend reno").code == "regional_management"
    play(table, "advance income", "advance income")
    assert refused(table, "advance income").code == "taken_already"
    play(table, "issue bond")
    assert asked(table) == ("card", (1,))


@pytest.mark.rule("TG-R39")
def test_regional_management_costs_an_action_also_at_the_end_of_the_track():
    table = at(3, me={"conditions": [REGIONAL], "income_box": box(15)})
    assert {offer.move.__name__ for offer in table.offers(0)} == {"AdvanceIncome"}
    play(table, "advance income")
    assert (table.position.taken, table.position.players[0].income_box) == (["advance income"], box(15))


@pytest.mark.rule("TG-R40", "TG-R41")
def test_the_forced_advance_and_international_service_fill_a_turn():
    table = at(3, me={"conditions": [REGIONAL]})
    play(table, "advance income", HAVANA)
    assert asked(table) == ("card", (1,))


# International service


@pytest.mark.rule("TG-F18", "TG-F22", "TG-R49", "TG-R46", "TG-EX9")
def test_international_service_costs_two_actions_a_plane_and_the_money():
    table = at(3)
    outcome = play(table, HAVANA)
    player = table.position.players[0]
    assert happened(outcome, InternationalServed) == [InternationalServed(0, "havana", "ford_trimotor", 10)]
    assert (player.cash, player.international, player.fleets[0].planes) == (30, ["havana"], 0)
    assert table.position.taken == ["international service"] * 2
    play(table, "issue bond")
    assert asked(table) == ("card", (1,))


@pytest.mark.rule("TG-R41", "TG-R48")
def test_international_service_needs_two_actions_and_comes_once_a_turn():
    table = at(3, me={"fleets": own("ford_trimotor")})
    play(table, "issue bond", "issue bond")
    error = refused(table, HAVANA)
    assert (error.code, error.numbers) == ("too_few_actions", {"needed": 2, "left": 1})
    table = at(3, me={"fleets": own("ford_trimotor")})
    play(table, HAVANA)
    assert not offered(table, "Serve")


@pytest.mark.rule("TG-R48", "TG-F22")
@pytest.mark.parametrize("round_number", [1, 2])
def test_nobody_serves_the_same_destination_twice(round_number):
    table = at(3, me={"international": ["havana"]}, round=round_number)
    assert refused(table, HAVANA).code == "served_already"
    assert not offered(table, "Serve")


@pytest.mark.rule("TG-EX9", "TG-F22")
@pytest.mark.parametrize(("round_number", "destination"), [(1, "havana"), (2, "havana"), (3, "kingston")])
def test_only_the_destination_of_the_round_can_be_served(round_number, destination):
    table = at(3, me={"fleets": own("ford_trimotor", STRATOLINER, "R19")}, round=round_number)
    assert offered(table, "Serve", "destination") == {destination}
    assert offered(table, "Serve", "fleet") == {"ford_trimotor", STRATOLINER, "R19"}  # planes of any size
    for other in BOARD.destination:
        if other != destination:
            order = {"type": "serve", "destination": other, "fleet": "R19"}
            assert refused(table, order).code == "not_this_round"


@pytest.mark.rule("TG-F22")
@pytest.mark.parametrize(
    ("round_number", "fleets"),
    [(4, {STRATOLINER, "R19"}), (5, {STRATOLINER, "R19"}), (6, {STRATOLINER, "R19"}), (7, {"R19"})],
)
def test_the_plane_is_as_large_as_the_destination_demands(round_number, fleets):
    table = at(3, me={"fleets": own("ford_trimotor", STRATOLINER, "R19")}, round=round_number)
    assert offered(table, "Serve", "fleet") == fleets
    destination = BOARD.open_destination(round_number).id
    assert refused(table, {"type": "serve", "destination": destination, "fleet": "ford_trimotor"}).code == "too_small"


@pytest.mark.rule("TG-R49", "TG-R19")
def test_international_service_needs_the_cash_which_a_bond_in_the_same_turn_may_bring():
    table = at(3, me={"cash": 9})
    error = refused(table, HAVANA)
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 10, "cash": 9})
    play(table, "issue bond", HAVANA)
    assert table.position.players[1].cash == 40
    assert table.position.players[0].international == ["havana"]


def test_international_service_needs_a_plane_on_an_own_card():
    assert refused(at(3, me={"fleets": own("ford_trimotor", planes=0)}), HAVANA).code == "no_planes"
    assert refused(at(3), "serve Havana from B20").code == "not_your_fleet"


@pytest.mark.rule("TG-R47")
def test_an_international_plane_is_no_part_of_the_network():
    table = at(3, me={"international": ["havana"], "fleets": own("ford_trimotor")}, round=3)
    assert reachable(table, "ford_trimotor") == {"medford", "reno", "los_angeles"}
    before = table.position.players[0]
    play(table, "serve kingston from ford trimotor")
    after = table.position.players[0]
    assert (after.cities, after.income_box) == (["san_francisco"], before.income_box)
    assert reachable(table, "ford_trimotor") == {"medford", "reno", "los_angeles"}


# Extensions


@pytest.mark.rule("TG-EX2", "TG-F23", "TG-R45", "TG-F21")
def test_stephen_extends_from_chicago_to_st_louis():
    stephen = {"cities": ["chicago"], "fleets": own(STRATOLINER)}
    table = at(3, me=stephen)
    before = table.position.players[0]
    outcome = play(table, "extend st. louis")
    player = table.position.players[0]
    assert player.cities == ["chicago", "st_louis"]
    assert player.fleets == [OwnedFleet(STRATOLINER, 2)]
    assert player.extensions == 1
    assert hazard(BOARD, player) == hazard(BOARD, before) + 1
    assert oil(BOARD, player) == oil(BOARD, before) + 1
    assert happened(outcome, Extended) == [Extended(0, "st_louis", hazard(BOARD, player))]
    table = at(3, me=stephen)
    assert refused(table, "extend kansas city").code == "out_of_reach"
    play(table, "place kansas city from boeing stratoliner")  # the planes on the card could have gone there


@pytest.mark.rule("TG-F23")
def test_an_extension_removes_no_condition_and_never_serves_a_destination():
    table = at(3, me={"conditions": [SAFETY], "fleets": own("ford_trimotor", planes=0)})
    play(table, "extend reno", "extend medford")
    assert table.position.players[0].conditions == [SAFETY]
    assert not offered(at(3, me={"fleets": own("ford_trimotor", planes=0)}), "Serve")


@pytest.mark.rule("TG-R42")
def test_placements_and_extensions_together_are_at_most_two_a_turn():
    table = at(3)
    play(table, "extend reno", "place medford from ford trimotor")
    assert refused(table, "extend los angeles").code == "taken_already"
    assert not offered(table, "PlacePlane")
    table = at(3, me={"fleets": own("ford_trimotor")})
    play(table, "place reno from ford trimotor", "place medford from ford trimotor")
    assert refused(table, "extend los angeles").code == "taken_already"


@pytest.mark.rule("TG-R43")
def test_extensions_have_no_overall_limit():
    table = at(3, me={"extensions": 99})
    play(table, "extend reno")
    assert table.position.players[0].extensions == 100

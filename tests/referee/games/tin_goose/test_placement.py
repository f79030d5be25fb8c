"""Where planes may go, what a new city brings, demand and airmail."""

import pytest

from referee.games.tin_goose.events import AirmailDelivered, DemandServed, IncomeMoved
from tests.positions import happened, play
from tests.referee.games.tin_goose.setups import BOARD, DIVIDENDS, at, box, demand, own, reachable, refused, start
from tests.referee.games.tin_goose.test_board import FROM_SAN_FRANCISCO

TRIMOTOR, STRATOLINER, CONSTELLATION = "ford_trimotor", "B20", "R19"


@pytest.mark.rule("TG-F19", "TG-F20", "TG-EX1")
def test_each_size_is_offered_just_its_reach():
    table = at(3, me={"fleets": own(TRIMOTOR, STRATOLINER, CONSTELLATION)})
    assert reachable(table, TRIMOTOR) == FROM_SAN_FRANCISCO["S"]
    assert reachable(table, STRATOLINER) == FROM_SAN_FRANCISCO["M"]
    assert reachable(table, CONSTELLATION) == set(BOARD.city) - {"san_francisco"}
    assert refused(table, "place boise from ford trimotor").code == "out_of_reach"
    assert refused(table, "place denver from B20").code == "out_of_reach"


@pytest.mark.rule("TG-F19")
def test_never_two_own_planes_in_a_place():
    table = at(3, me={"fleets": own(CONSTELLATION), "cities": ["san_francisco", "reno"]})
    assert reachable(table, CONSTELLATION) == set(BOARD.city) - {"san_francisco", "reno"}
    assert refused(table, "place reno from R19").code == "served_already"
    assert refused(table, "extend reno").code == "served_already"


def test_a_placement_needs_a_plane_on_an_own_card_and_a_city():
    error = refused(at(3, me={"fleets": own("G12", planes=0) + own("G13")}), "place reno from G12")
    assert (error.code, error.message) == ("no_planes", "No plane is left on Boeing 247 Washington.")
    assert refused(at(3), "place reno from B20").code == "not_your_fleet"
    assert refused(at(3), {"type": "place_plane", "city": "atlantis", "fleet": TRIMOTOR}).code == "no_such_city"


@pytest.mark.rule("TG-R51")
def test_a_far_city_reached_by_a_large_plane_extends_the_network():
    table = at(3, me={"fleets": own(CONSTELLATION, TRIMOTOR)})
    play(table, "place atlanta from R19")
    assert reachable(table, TRIMOTOR) == FROM_SAN_FRANCISCO["S"] | BOARD.small["atlanta"]


@pytest.mark.rule("TG-F19")
def test_a_placement_takes_a_plane_off_its_card_and_an_empty_city_moves_up_one_box():
    table = at(3)
    outcome = play(table, "place reno from ford trimotor")
    player = table.position.players[0]
    assert (player.cities, player.fleets[0].planes) == (["san_francisco", "reno"], 0)
    assert happened(outcome, IncomeMoved) == [IncomeMoved(0, "new_city", 1, 3)]
    assert player.cash == 40


@pytest.mark.rule("TG-F19", "TG-R05")
@pytest.mark.parametrize("rivals", [1, 2, 3])
def test_each_rival_present_moves_down_one_box_start_planes_included(rivals):
    others = {seat: {"cities": ["reno"]} for seat in range(1, rivals + 1)}  # their start planes
    table = at(4, me={"income_box": box(5)}, others=others)
    outcome = play(table, "extend reno")
    assert happened(outcome, IncomeMoved) == [
        IncomeMoved(0, "rivals", -rivals, BOARD.income_track.boxes[box(5) - rivals])
    ]


@pytest.mark.rule("TG-R10", "TG-F19")
@pytest.mark.parametrize("tokens", [(1, 0), (0, 1)])
def test_demand_moves_up_one_box_whoever_is_there(tokens):
    table = at(4, others={1: {"cities": ["reno"]}, 2: {"cities": ["reno"]}}, demand=demand(reno=tokens))
    assert happened(play(table, "extend reno"), IncomeMoved) == [IncomeMoved(0, "new_city", 1, 3)]


@pytest.mark.rule("TG-R07", "TG-R08", "TG-EX11", "TG-F19")
@pytest.mark.parametrize(("players", "left"), [(3, 0), (4, 1), (5, 1)])
def test_the_new_income_is_collected_for_each_token_before_silver_is_removed(players, left):
    table = at(players, me={"income_box": box(5) - 1, "cash": 0}, demand=demand(reno=(0, 2)))
    outcome = play(table, "extend reno")
    position = table.position
    assert position.players[0].cash == 2 * 5
    assert happened(outcome, DemandServed) == [DemandServed(0, "reno", 2, 10, 2 - left)]
    assert position.silver_spent == 2 - left
    assert position.demand == (demand(reno=(0, 1)) if left else {})


@pytest.mark.rule("TG-R09")
def test_with_three_players_a_single_silver_token_is_removed_alone():
    table = at(3, demand=demand(reno=(0, 1)))
    play(table, "extend reno")
    assert (table.position.demand, table.position.silver_spent) == ({}, 1)


@pytest.mark.rule("TG-F19")
def test_gold_is_never_removed():
    table = at(3, me={"cash": 0}, demand=demand(reno=(1, 0)))
    play(table, "extend reno")
    assert table.position.demand == demand(reno=(1, 0))
    assert table.position.players[0].cash == 3


@pytest.mark.rule("TG-F24")
def test_generous_dividends_do_not_stop_the_income_from_demand():
    table = at(3, me={"cash": 0, "conditions": [DIVIDENDS]}, demand=demand(reno=(1, 0)))
    play(table, "extend reno")
    assert table.position.players[0].cash == 3


@pytest.mark.rule("TG-R11")
def test_serving_demand_leaves_those_alone_who_are_there_already():
    table = at(3, others={1: {"cities": ["reno"], "income_box": 7}}, demand=demand(reno=(0, 2)))
    play(table, "extend reno")
    rival = table.position.players[1]
    assert (rival.income_box, rival.cash, rival.cities) == (7, 40, ["reno"])


@pytest.mark.rule("TG-R44", "TG-F24")
def test_an_extension_serves_demand_and_completes_airmail_as_any_placement():
    table = at(3, me={"airmail": "A1", "cash": 0}, demand=demand(los_angeles=(0, 1)))  # Seattle-Los Angeles
    outcome = play(table, "extend los angeles")
    player = table.position.players[0]
    assert happened(outcome, AirmailDelivered) == [AirmailDelivered(0, "A1", 40)]
    assert (player.cash, player.airmail, player.income_box) == (3 + 40, "", 2)
    assert table.position.airmail_discards[-1] == "A1"


@pytest.mark.rule("TG-F24")
def test_airmail_pays_once_and_only_the_owner():
    table = at(3, me={"airmail": "A1"}, others={1: {"cities": ["san_francisco"], "airmail": "A2"}})
    play(table, "extend los angeles")
    outcome = play(table, "extend reno")
    assert happened(outcome, AirmailDelivered) == []
    assert [player.cash for player in table.position.players] == [80, 40, 40]
    assert table.position.players[1].airmail == "A2"


@pytest.mark.rule("TG-R58")
def test_airmail_completed_in_round_seven_still_pays():
    table = at(3, me={"airmail": "A1"}, round=7)
    assert happened(play(table, "extend los angeles"), AirmailDelivered) == [AirmailDelivered(0, "A1", 40)]


@pytest.mark.rule("TG-F04")
def test_demand_tokens_are_never_more_than_in_the_box():
    for players in (3, 4, 5):
        tokens = start(players)[0].position.demand.values()
        assert sum(city.gold for city in tokens) <= 6
        assert sum(city.silver for city in tokens) <= 36

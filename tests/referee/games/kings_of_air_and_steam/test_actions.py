"""The six Actions, except shipping."""

import pytest

from referee.games.kings_of_air_and_steam.events import DepotBuilt
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import (
    Adjust,
    AdjustTo,
    Build,
    Ship,
    Solicit,
    UpgradeAirship,
    UpgradeTrain,
)
from tests.positions import happened, play, refused
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, NO_STUBS, accepts, at, can, me, turn


@pytest.mark.rule("KAS-X9", "KAS-F33", "KAS-R44", "KAS-R17")
@pytest.mark.parametrize(("crew", "first", "later"), [((), 4, 7), (("victor_blane", "isaac"), 3, 6)])
def test_the_first_depot_on_a_link_is_cheaper(crew, first, later):
    depots = [{"J3": {}}, {"K4": {}, "K10": {}}]
    table = at(characters=crew, depots=depots)
    assert refused(table, Build("K4")).code == "occupied"  # A-short has this one space
    assert happened(play(table, "build K7"), DepotBuilt)[0].cost == first
    table = at(characters=crew, depots=depots)
    assert happened(play(table, "build K9"), DepotBuilt)[0].cost == later
    table = at(characters=crew, depots=depots)
    assert happened(play(table, "build J4"), DepotBuilt)[0].cost == later  # the own Depot counts, too
    assert me(table).cash == 12 - later
    assert (me(table).supply, me(table).depots) == (8, {"J3": {}, "J4": {}})


@pytest.mark.rule("KAS-F33", "KAS-R17")
def test_depots_go_on_any_space_of_a_complete_link():
    table = at(cash=4, depots=[{"J3": {}}], settings=NO_STUBS)
    area = assemble(BOARD, table.position.layout)
    assert {move.space for move in can(table, Build)} == set(area.link_of) - {"J3", "J4"}
    assert refused(table, Build("K2")).message == "K2 is not a railway space of a Link between two Cities."  # a stub
    assert refused(at(version="1"), Build("K2")).code == "not_on_a_link"
    assert refused(table, Build("K1")).code == "not_on_a_link"  # a partial hex
    assert refused(table, Build("I4")).code == "not_on_a_link"  # a factory
    assert refused(table, Build("J4")).numbers == {"cost": 7, "cash": 4}
    assert not can(at(cash=3), Build)


@pytest.mark.rule("KAS-F33", "KAS-R17")
def test_depots_go_on_stubs_too():
    table = at(cash=11, depots=[{"J3": {}}])
    area = assemble(BOARD, table.position.layout)
    assert {move.space for move in can(table, Build)} == {*area.link_of, *area.stub_of} - {"J3"}
    assert area.stub_links["stub A-W"].spaces == ("K2",)  # K1 is a partial hex
    assert refused(table, Build("K1")).message == "K1 is not a railway space."
    outcome = play(table, "build L2")
    assert (happened(outcome, DepotBuilt)[0].link, happened(outcome, DepotBuilt)[0].cost) == ("stub A-SW", 4)
    table = at(cash=11, depots=[{"L2": {}}])
    assert happened(play(table, "build M3"), DepotBuilt)[0].cost == 7


@pytest.mark.rule("KAS-R17")
def test_spaces_to_build_on_are_listed_link_by_link_and_row_by_row():
    table = at(depots=[{"I9": {}}])
    offers = [offer for offer in table.offers(0) if offer.move is Build]
    link = next(offer for offer in offers if offer.accepts(Build("J10")))
    assert list(link.domains["space"].values()) == ["F7", "G8", "H8", "I10", "J10"]
    assert table.hints(0)(link).order == "$7, BC (Irdyo-Warsop)"
    stubs = next(offer for offer in offers if offer.accepts(Build("K2")))
    assert table.hints(0)(stubs).values["space"]["K2"] == "$4, stub A-W (Geekopolis)"


@pytest.mark.rule("KAS-F05")
def test_ten_depots_at_most():
    spaces = ["K4", "J3", "J4", "K6", "K7", "K8", "K9", "K10", "K11", "J5"]
    table = at(cash=50, depots=[{space: {} for space in spaces}])
    assert refused(table, Build("I5")).code == "no_depot_left"


@pytest.mark.rule("KAS-X10", "KAS-F22", "KAS-F24", "KAS-R24")
def test_upgrading_the_airship():
    table = at()
    play(table, "upgrade airship")
    seen = table.view(0).table.players[0]
    assert (seen.airship_level, seen.diamonds, seen.capacity, seen.cash) == (2, 1, 3, 9)
    assert refused(at(cash=2), UpgradeAirship()).numbers == {"cost": 3, "cash": 2}
    assert refused(at(airship=6, cash=99), UpgradeAirship()).code == "fully_upgraded"


@pytest.mark.rule("KAS-F25")
def test_teams_upgrade_their_own_airships():
    table = at(characters=["clint_castle", "isaac"])
    play(table, "upgrade airship")
    seen = table.view(0).table.players[0]
    assert (seen.diamonds, seen.capacity) == (3, 2)


@pytest.mark.rule("KAS-X11", "KAS-F26", "KAS-R24")
def test_upgrading_the_train():
    table = at(train=3)
    play(table, "upgrade train")
    assert (table.view(0).table.players[0].rating, me(table).cash) == (4, 8)
    assert refused(at(train=3, cash=3), UpgradeTrain()).numbers == {"cost": 4, "cash": 3}
    assert refused(at(train=6, cash=99), UpgradeTrain()).code == "fully_upgraded"


@pytest.mark.rule("KAS-F37", "KAS-R25")
def test_a_route_adjustment_goes_one_space_and_then_loads():
    table = at(space="J4")
    assert {move.direction for move in can(table, Adjust)} == {"E", "W", "NE", "NW", "SW"}  # SE is Sartainville
    play(table, "adjust NW")
    assert (me(table).at, table.position.phase) == ("I4", "cargo")
    play(table, "load chemicals")
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-F37")
def test_a_route_adjustment_enters_no_city_and_no_partial_hex():
    assert refused(at(space="K4"), Adjust("E")).code == "no_such_space"  # Sartainville
    assert refused(at(space="K2"), Adjust("W")).code == "no_such_space"  # the rim


@pytest.mark.rule("KAS-X17", "KAS-F37")
def test_a_flight_and_an_adjustment_reach_another_factory():
    table = turn(card="2", space="L6", factories={"I2": 0, "I4": 0, "J8": 2, "L11": 0, "C7": 0})
    play(table, "fly to K8")
    play(table, "adjust NE")
    play(table, "load 2 machinery")
    assert me(table).hold == ["machinery", "machinery"]


@pytest.mark.rule("KAS-F32", "KAS-R16")
def test_funds_can_always_be_solicited():
    table = at(cash=0)
    assert {offer.move for offer in table.offers(0)} <= {Adjust, AdjustTo, Solicit, Ship}
    assert accepts(table, Solicit())
    play(table, "solicit")
    assert me(table).cash == 3


@pytest.mark.rule("KAS-F32")
def test_six_actions_are_open_to_a_player_who_can_afford_them():
    table = at(cash=30, depots=[{"K4": {"machinery": 1}}])
    kinds = {offer.move for offer in table.offers(0)}
    assert kinds == {Build, UpgradeAirship, UpgradeTrain, Ship, Adjust, AdjustTo, Solicit}

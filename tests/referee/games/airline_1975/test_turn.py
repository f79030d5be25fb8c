"""A turn: aircraft, movement, landing rights, fares, and the special spaces."""

import pytest

from referee.games.airline_1975.events import Crashed, Hijacked, Landed, Received, Threw
from referee.games.airline_1975.state import Base, Pass, Throw
from tests.positions import happened, offered, play, put, sentences, start
from tests.referee.games.airline_1975.setups import (
    KEY,
    SPACES,
    STRICT,
    asked,
    at,
    cash,
    dice,
    offer,
    refused,
    space,
    throw,
)


@pytest.mark.rule("A75-U01", "A75-T28", "A75-R04", "A75-B01")
def test_nine_from_subsidy_is_new_york_and_pays_no_subsidy():
    table, outcome = throw(at(bases=("tokyo", "london", "rome")), 9)
    assert space(table) == "new_york"
    assert cash(table) == [100, 100, 100]
    assert happened(outcome, Landed) == [Landed(0, "new_york")]


@pytest.mark.rule("A75-U01")
def test_a_double_gives_no_second_turn_and_turns_go_round():
    table = dice(at(), move=(5, 5))
    play(table, "throw")
    play(table, "pass")
    assert asked(table) == (1, "departure")
    table, _ = throw(table, 3)
    play(table, "pass")
    table, _ = throw(table, 3)
    play(table, "pass")
    assert asked(table) == (0, "departure")


@pytest.mark.rule("A75-U01")
def test_a_turn_cannot_be_missed_and_another_s_cannot_be_taken():
    assert offered(at(cities={}), 0) == {"Throw", "Resign"}
    assert refused(at(), "pass").rule == "A75-U01"
    error = refused(at(), "throw", seat=1)
    assert error.code == "not_your_turn"
    assert error.nearest is None
    assert "Anna" in error.message


@pytest.mark.rule("A75-U02", "A75-R56")
def test_a_free_city_may_be_bought_for_20():
    table, _ = throw(at(), 5)
    assert asked(table) == (0, "landing")
    assert "Rio de Janeiro" in table.decisions(0)[0].prompt
    assert "$20 million" in table.decisions(0)[0].prompt
    outcome = play(table, "buy")
    assert cash(table) == [80, 100, 100]
    assert table.position.players[0].cities == ["tokyo", "rio_de_janeiro"]
    assert asked(table) == (1, "departure")
    assert sentences(table, outcome) == ["Anna buys the landing rights for Rio de Janeiro for $20 million."]


@pytest.mark.rule("A75-R07", "A75-R08")
def test_a_city_that_is_not_bought_stays_free_and_cannot_be_bought_later():
    table, _ = throw(at(), 5)
    play(table, "pass")
    assert all("rio_de_janeiro" not in player.cities for player in table.position.players)
    assert asked(table) == (1, "departure")
    assert "Buy" not in offered(table, 0) | offered(table, 1)
    error = refused(at(place={0: "rio_de_janeiro"}), "buy")
    assert (error.code, error.rule) == ("not_landed", "A75-R08")


@pytest.mark.rule("A75-U02", "A75-M01")
def test_without_20_million_nothing_is_bought():
    table = at(cash=(19, 100, 100), cities={0: ["rome"]}, place={0: "lima"}, phase="landing")
    prompt = "The landing rights for Lima cost $20 million, and you have 19: raise money by a deal, or pass."
    assert table.decisions(0)[0].prompt == prompt
    error = refused(table, "buy")
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 20, "cash": 19})
    assert error.nearest == {"type": "pass"}


@pytest.mark.rule("A75-U02", "A75-R56")
def test_only_who_has_a_way_to_the_price_of_a_free_city_is_asked():
    table, _ = throw(at(cash=(19, 100, 100)), 5)
    assert asked(table) == (1, "departure")
    table, _ = throw(at(cash=(19, 100, 100), cities={0: ["rome"]}), 5)
    assert asked(table) == (0, "landing")
    play(table, offer(["rome"], price=1), seat=0)
    play(table, "accept 1", seat=1)
    play(table, "buy", seat=0)
    assert table.position.players[0].cities == ["tokyo", "rio_de_janeiro"]


@pytest.mark.rule("A75-R09")
def test_a_player_with_as_many_cities_as_markers_buys_and_challenges_no_more():
    eleven = ["rome", "lima", "moscow", "bangkok", "baghdad", "tashkent", "colombo", "nairobi", "honolulu", "vancouver"]
    table = at(cities={0: [*eleven, "casablanca"]}, place={0: "mexico_city"}, phase="landing")
    error = refused(table, "buy")
    assert (error.code, error.rule, error.numbers) == ("no_marker", "A75-R09", {"cities": 12})
    table = at(cities={0: [*eleven, "casablanca"], 1: ["mexico_city"]}, place={0: "mexico_city"}, phase="landing")
    assert refused(table, "challenge").code == "no_marker"
    assert "no marker left" in table.decisions(0)[0].prompt
    table = at(cities={0: eleven}, place={0: "mexico_city"}, phase="landing")
    play(table, "buy")
    assert len(table.position.players[0].cities) == 12


@pytest.mark.rule("A75-R09")
def test_fewer_cities_can_be_agreed_on():
    table = at(cities={0: ["rome", "lima"]}, place={0: "mexico_city"}, phase="landing", settings={"max_cities": 3})
    assert refused(table, "buy").numbers == {"cities": 3}


@pytest.mark.rule("A75-U02", "A75-R45", "A75-R56")
def test_landing_in_one_s_own_city_does_nothing():
    table, _ = throw(at(cities={0: ["rome"]}, place={0: "moscow"}, aircraft={0: "sst"}), 3)
    assert space(table) == "rome"
    assert cash(table) == [100, 100, 100]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R46")
def test_aircraft_may_share_a_space():
    table, _ = throw(at(place={1: "rio_de_janeiro", 2: "rio_de_janeiro"}), 5)
    assert [player.place for player in table.position.players] == [5, 5, 5]
    assert asked(table) == (0, "landing")


# Aircraft


@pytest.mark.rule("A75-U05", "A75-R45", "A75-R11")
def test_one_level_up_before_the_dice_in_one_s_own_city():
    table = at(cities={0: ["rome"]}, place={0: "rome"})
    assert "JET for $30 million" in table.decisions(0)[0].prompt
    play(table, "fly jet")
    assert (cash(table)[0], table.position.players[0].aircraft) == (70, "jet")
    assert asked(table) == (0, "departure")
    error = refused(table, "fly sst")
    assert (error.code, error.rule) == ("changed_already", "A75-R11")
    assert refused(table, "fly prop").code == "changed_already"


@pytest.mark.rule("A75-R11", "A75-U05")
def test_the_next_turn_allows_the_next_level():
    table = at(2, cities={0: ["rome"], 1: ["lima"]}, place={0: "rome", 1: "tashkent"}, aircraft={0: "jet"})
    play(table, "fly sst")
    assert table.position.changed
    table, _ = throw(table, 3)
    play(table, "pass")
    assert not table.position.changed


@pytest.mark.rule("A75-T23")
def test_from_prop_to_sst_in_one_step_is_refused():
    error = refused(at(place={0: "tokyo"}), "fly sst")
    assert (error.code, error.rule) == ("one_level", "A75-R11")
    assert error.nearest == {"type": "throw"}  # nothing that costs money is proposed


@pytest.mark.rule("A75-T24", "A75-R10", "A75-R11")
def test_from_jet_down_to_prop_costs_30_too():
    table = at(cities={0: ["rome"]}, place={0: "rome"}, aircraft={0: "jet"})  # Rome is not connected to Tokyo
    play(table, "fly prop")
    assert (cash(table)[0], table.position.players[0].aircraft) == (70, "prop")


@pytest.mark.rule("A75-R10")
def test_an_aircraft_may_be_changed_in_the_base():
    table = at(place={0: "tokyo"})
    play(table, "fly jet")
    assert table.position.players[0].aircraft == "jet"


@pytest.mark.rule("A75-T25", "A75-U05")
def test_after_the_dice_no_aircraft_is_changed():
    table, _ = throw(at(cities={0: ["casablanca"]}, place={0: "tashkent"}, settings=STRICT), 5)
    assert (asked(table), space(table)) == (
        (0, "landing"),
        "casablanca",
    )  # in a city of his own, with a subsidy to claim
    error = refused(table, "fly jet")
    assert (error.code, error.rule) == ("thrown_already", "A75-U05")
    assert "Fly" not in offered(table, 0)


@pytest.mark.rule("A75-U05", "A75-R12")
@pytest.mark.parametrize("place", ["subsidy", "lima", "london", "crash"])
def test_elsewhere_no_aircraft_is_changed(place):
    error = refused(at(place={0: place}), "fly jet")
    assert (error.code, error.rule) == ("not_in_own_city", "A75-U05")
    assert error.nearest == {"type": "throw"}


@pytest.mark.rule("A75-U05", "A75-M01")
def test_the_fee_must_be_there():
    error = refused(at(place={0: "tokyo"}, cash=(29, 100, 100)), "fly jet")
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 30, "cash": 29})
    assert refused(at(place={0: "tokyo"}), {"type": "fly", "aircraft": "glider"}).code == "no_such_aircraft"
    table = at(place={0: "tokyo"}, cash=(30, 100, 100))
    play(table, "fly jet")
    assert cash(table)[0] == 0


@pytest.mark.rule("A75-U05")
def test_a_change_and_the_throw_may_be_sent_together_but_nothing_after_the_throw():
    table = at(place={0: "tokyo"})
    assert refused(table, "fly jet", "throw", "buy").code == "reveals"
    play(table, "fly jet", "throw")
    assert table.position.players[0].aircraft == "jet"


# Fares


@pytest.mark.rule("A75-U06", "A75-R13", "A75-R14")
def test_a_fare_is_due_in_a_connected_city_only():
    for cities, fare in ((["rome", "baghdad"], 0), (["rome", "moscow"], 7)):
        table, _ = throw(at(cities={0: cities}, active=1, aircraft={1: "sst"}, place={1: "moscow"}), 3)
        assert cash(table) == [100 + fare, 100 - fare, 100]


@pytest.mark.rule("A75-R14", "A75-R24")
def test_a_fare_stays_due_when_the_link_is_gone_afterwards():
    table, _ = throw(
        at(cities={0: ["rome", "moscow"]}, active=1, aircraft={1: "sst"}, place={1: "moscow"}, settings=STRICT), 3
    )
    play(table, offer(pay=1, to="yellow", want=["moscow"]), seat=1)
    play(table, "accept 1", seat=0)
    assert table.view().table.players[0].connected == ("tokyo",)
    play(table, "claim", seat=0)
    assert cash(table) == [108, 92, 100]


@pytest.mark.rule("A75-U06", "A75-U04", "A75-R56")
def test_a_base_earns_its_fare_and_leaves_nothing_to_decide():
    table, outcome = throw(at(place={0: "moscow"}, aircraft={0: "sst"}), 2)
    assert cash(table) == [91, 109, 100]
    assert asked(table) == (1, "departure")
    assert "Anna pays Ben $9 million: fare for London." in sentences(table, outcome)


# Special spaces


@pytest.mark.rule("A75-T12", "A75-P01", "A75-R06")
@pytest.mark.parametrize(("aircraft", "subsidy"), [("prop", 20), ("jet", 10), ("sst", 0)])
@pytest.mark.parametrize(("move", "landed"), [(4, "subsidy"), (6, "rome")])
def test_subsidy_is_paid_for_landing_and_for_passing(aircraft, subsidy, move, landed):
    table, outcome = throw(at(place={0: "crash"}, aircraft={0: aircraft}), move)
    assert space(table) == landed
    assert cash(table)[0] == 100 + subsidy
    assert happened(outcome, Received) == ([Received(0, subsidy, "subsidy")] if subsidy else [])


@pytest.mark.rule("A75-T30", "A75-R05")
def test_an_exact_landing_pays_once_and_leaving_pays_nothing():
    table, _ = throw(at(2, place={0: "crash"}), 4)
    assert (space(table), cash(table)) == ("subsidy", [120, 100])
    table, _ = throw(table, 5)
    play(table, "pass")
    table, _ = throw(table, 5)
    assert cash(table) == [120, 100]


@pytest.mark.rule("A75-T29", "A75-R05", "A75-R06")
def test_subsidy_comes_before_the_space_landed_on():
    table, outcome = throw(at(place={0: "moscow"}, aircraft={0: "jet"}), 5)
    assert (space(table), cash(table)[0]) == ("maintenance", 85)
    assert sentences(table, outcome)[1:] == [
        "Anna receives $10 million from the bank: subsidy.",
        "Anna lands on Maintenance.",
        "Anna pays the bank $25 million: maintenance.",
    ]
    table, _ = throw(at(place={0: "moscow"}, aircraft={0: "jet"}, cash=(15, 100, 100)), 5)
    assert cash(table)[0] == 0
    assert not table.position.players[0].out


@pytest.mark.rule("A75-P02", "A75-T02", "A75-B07")
@pytest.mark.parametrize(("aircraft", "cost"), [("prop", 15), ("jet", 25), ("sst", 35)])
def test_maintenance_goes_by_the_aircraft(aircraft, cost):
    table, _ = throw(at(aircraft={0: aircraft}), 4)
    assert (space(table), cash(table)[0]) == ("maintenance", 100 - cost)
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-P03", "A75-T03")
def test_a_charter_pays_by_a_second_throw_and_moves_nobody():
    table, outcome = throw(at(), 8, charter=9)
    assert (space(table), cash(table)[0]) == ("charter", 109)
    assert [event.purpose for event in happened(outcome, Threw)] == ["to move", "for the charter"]


@pytest.mark.rule("A75-R32")
def test_a_double_for_a_charter_is_nothing_special():
    table, outcome = throw(at(aircraft={0: "sst"}), 8, charter=(4, 4))
    assert (space(table), cash(table)[0], table.position.players[0].aircraft) == ("charter", 108, "sst")
    assert asked(table) == (1, "departure")
    assert len(happened(outcome, Threw)) == 2


@pytest.mark.rule("A75-P04", "A75-T14", "A75-R30")
def test_a_hijack_with_a_double_is_a_crash_on_the_spot():
    table, outcome = throw(at(aircraft={0: "sst"}), 12, hijack=(4, 4))
    assert (space(table), cash(table)[0], table.position.players[0].aircraft) == ("hijack", 70, "prop")
    assert happened(outcome, Crashed) == [Crashed(0)]


@pytest.mark.rule("A75-P04", "A75-T15", "A75-R29", "A75-R12")
def test_a_hijack_without_a_double_ends_on_subsidy_without_money():
    table, outcome = throw(at(2, aircraft={0: "sst"}), 12, hijack=(4, 3))
    assert (space(table), cash(table)[0], table.position.players[0].aircraft) == ("subsidy", 100, "sst")
    assert happened(outcome, Hijacked) == [Hijacked(0)]
    assert asked(table) == (1, "departure")
    table, _ = throw(table, 5)
    play(table, "pass")
    assert refused(table, "fly jet").code == "not_in_own_city"
    table, _ = throw(table, 2)
    assert (space(table), cash(table)[0]) == ("rome", 100)


@pytest.mark.rule("A75-P05", "A75-T16")
def test_air_cargo_pays_10():
    table, _ = throw(at(place={0: "hijack"}), 4)
    assert (space(table), cash(table)[0]) == ("air_cargo", 110)


@pytest.mark.rule("A75-P06", "A75-T13", "A75-R31")
@pytest.mark.parametrize("aircraft", ["prop", "jet", "sst"])
def test_a_crash_costs_30_and_leaves_a_prop(aircraft):
    table, _ = throw(at(place={0: "air_cargo"}, aircraft={0: aircraft}), 4)
    assert (space(table), cash(table)[0], table.position.players[0].aircraft) == ("crash", 70, "prop")
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-P06")
def test_a_crashed_aircraft_can_be_had_again():
    table, _ = throw(at(place={0: "air_cargo"}, aircraft={0: "jet"}, bases=("baghdad", "london", "rome")), 4)
    position = table.position
    position.active, position.players[0].place = 0, SPACES["baghdad"]
    table = put(table, position)
    play(table, "fly jet")
    assert table.position.players[0].aircraft == "jet"


@pytest.mark.rule("A75-R48")
def test_all_throws_of_a_move_are_in_its_row_of_the_log():
    _, outcome = throw(at(), 8, charter=9)
    assert [(draw.label, sum(draw.result)) for draw in outcome.entries[0].row.draws] == [("move", 8), ("charter", 9)]
    assert [event.dice for event in happened(outcome, Threw)] == [draw.result for draw in outcome.entries[0].row.draws]


@pytest.mark.rule("A75-R62")
def test_the_default_is_the_dearest_free_city_as_a_base_then_to_throw_and_to_pass():
    table, _ = start(KEY, 2)
    for city in ("new_york", "tokyo"):
        seat = table.position.active
        assert table.default(seat) == Base(city)
        table.submit(seat, [table.default(seat)])
    assert at().default(0) == Throw()
    assert at(place={0: "lima"}, phase="landing").default(0) == Pass()

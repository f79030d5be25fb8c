"""The board: what the rulebook tells of it, and what is checked in a board of one's own."""

import msgspec
import pytest

from referee.contract import read_board
from referee.errors import BoardError
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.state import Player
from tests.positions import play, start
from tests.referee.games.airline_1975.setups import BOARD, KEY, at, dice, refused, throw

NAMED = [
    "london",
    "tokyo",
    "moscow",
    "casablanca",
    "rome",
    "bangkok",
    "tashkent",
    "baghdad",
    "nairobi",
    "colombo",
    "sydney",
]
CUT_OFF = {"baghdad", "rome", "nairobi"}
EXAMPLE = ["tokyo", "bangkok", "baghdad", "rome", "nairobi"]
BRIDGES = ["colombo", "sydney", "tashkent", "moscow"]
STRONG = ["tokyo", "bangkok", "tashkent", "baghdad", "moscow", "colombo"]


def linked(*cities):
    """The cities connected to Tokyo for the owner of these."""
    return connected(BOARD, Player(0, "prop", 0, base="tokyo", cities=list(cities)))


@pytest.mark.rule("A75-B01", "A75-B02", "A75-B03")
def test_24_spaces_are_18_cities_and_six_special_ones():
    assert len(BOARD.track) == 24
    assert len(BOARD.cities) == 18
    assert sorted(space.city for space in BOARD.track if space.kind == "city") == sorted(BOARD.city)
    specials = [space.kind for space in BOARD.track if space.kind != "city"]
    assert sorted(specials) == ["air_cargo", "charter", "crash", "hijack", "maintenance", "subsidy"]


@pytest.mark.rule("A75-B04", "A75-B05", "A75-B06", "A75-B07")
def test_names_and_numbers_that_the_rulebook_prints():
    assert set(NAMED) <= set(BOARD.city)
    assert BOARD.city["london"].fares == {"prop": 9, "jet": 18, "sst": 27}
    assert all(city.fares["prop"] < city.fares["jet"] < city.fares["sst"] for city in BOARD.cities)
    assert BOARD.plane["jet"].maintenance == 25
    assert all(aircraft.maintenance > 0 for aircraft in BOARD.aircraft)


@pytest.mark.rule("A75-C01", "A75-C02")
def test_four_colours_three_aircraft_twelve_markers_two_dice():
    assert len(BOARD.colours.list) == 4
    assert [aircraft.id for aircraft in BOARD.aircraft] == ["prop", "jet", "sst"]
    assert BOARD.constants.markers == 12
    _, entry = start(KEY, 4)
    assert all(len(draw.result) == 2 and draw.size == 6 for draw in entry.row.draws)
    outcome = play(at(), "throw")
    assert all(len(draw.result) == 2 and draw.size == 6 for draw in outcome.entries[0].row.draws)


@pytest.mark.rule("A75-T01", "A75-U06", "A75-B06")
@pytest.mark.parametrize(("aircraft", "fare"), [("prop", 9), ("jet", 18), ("sst", 27)])
@pytest.mark.parametrize("visitor", ["prop", "sst"])
def test_the_fare_for_london_goes_by_the_aircraft_of_its_owner(aircraft, fare, visitor):
    table, _ = throw(at(place={0: "moscow"}, aircraft={0: visitor, 1: aircraft}), 2)
    subsidy = BOARD.plane[visitor].subsidy
    assert [player.cash for player in table.position.players] == [100 + subsidy - fare, 100 + fare, 100]


@pytest.mark.rule("A75-E0", "A75-T09", "A75-U07")
def test_moscow_is_connected_to_tokyo():
    assert "moscow" in BOARD.neighbours["tokyo"]
    assert linked("tokyo", "moscow") == {"tokyo", "moscow"}


@pytest.mark.rule("A75-E1", "A75-T04", "A75-U07")
def test_the_example_is_connected():
    assert linked(*EXAMPLE, "tashkent") == {*EXAMPLE, "tashkent"}


@pytest.mark.rule("A75-E2", "A75-T05", "A75-U07")
def test_without_tashkent_three_cities_are_cut_off():
    assert linked(*EXAMPLE) == set(EXAMPLE) - CUT_OFF


@pytest.mark.rule("A75-E3", "A75-T06", "A75-U07", "A75-R13")
def test_tashkent_in_other_hands_cuts_them_off_as_well_and_no_fare_is_due():
    table = at(2, cities={0: EXAMPLE[1:], 1: ["tashkent"]}, active=1, place={1: "moscow"})
    assert set(table.view(0).table.players[0].connected) == {"tokyo", "bangkok"}
    table, _ = throw(table, 3)  # to Rome
    assert [player.cash for player in table.position.players] == [100, 120]


@pytest.mark.rule("A75-E4", "A75-T07")
@pytest.mark.parametrize("bridge", BRIDGES)
def test_each_of_four_cities_connects_them_again(bridge):
    assert linked(*EXAMPLE, bridge) == {*EXAMPLE, bridge}


@pytest.mark.rule("A75-E5")
def test_no_other_single_city_does():
    others = set(BOARD.city) - {*EXAMPLE, *BRIDGES}
    assert len(others) == 9
    for city in others:
        assert not linked(*EXAMPLE, city) & CUT_OFF


@pytest.mark.rule("A75-E6", "A75-T08")
@pytest.mark.parametrize("lost", STRONG[1:])
def test_a_strong_network_survives_any_loss(lost):
    rest = [city for city in STRONG if city != lost]
    assert linked(*rest) == set(rest)


@pytest.mark.rule("A75-E7", "A75-X1", "A75-R47", "A75-T10", "A75-T11")
def test_moscow_links_casablanca_to_tokyo_and_rome_only_with_more():
    assert linked("tokyo", "moscow", "casablanca") == {"tokyo", "moscow", "casablanca"}
    assert linked("tokyo", "rome", "casablanca") == {"tokyo"}
    assert {"rome", "moscow"} <= set(BOARD.neighbours["casablanca"])
    assert linked("tokyo", "rome", "casablanca", "moscow") == {"tokyo", "rome", "casablanca", "moscow"}


def changed(path, value):
    """The data of the shipped board with one datum changed: `changed("routes.0.a", "rome")`."""
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("cities.1.id", "london", "cities: 'london' is there 2 times"),
        ("cities.1.name", "London", "names of cities: 'London' is there 2 times"),
        (
            "cities.0.fares",
            {"prop": 9, "jet": 9, "sst": 27},
            "cities.london.fares: a higher aircraft has a higher fare",
        ),
        ("cities.0.fares", {"prop": 9}, "cities.london.fares: one for each of prop, jet, sst, in this order"),
        ("track.1.city", "rome", "cities.rome: 2 spaces of the track, not 1"),
        ("track.1.city", "atlantis", "track: there is no city 'atlantis'"),
        ("track.0.kind", "holiday", "track: 0 spaces subsidy, not 1"),
        ("track.0.city", "rome", "track.0: subsidy is no city, but names 'rome'"),
        ("routes.0.b", "tokyo", "routes.tokyo-tokyo: both ends are the same city"),
        ("routes.0.b", "atlantis", "routes.tokyo-atlantis: there is no city 'atlantis'"),
        ("routes.1.b", "moscow", "routes: 'moscow-tokyo' is there 2 times"),
        ("cities", [], "cities: 0 are not enough for 4 players"),
        ("colours.list", ["red", "green"], "colours: 2 are not enough for 4 players"),
        ("colours.list", ["red", "green", "bank", "blue"], "colours: 'bank' has another meaning here"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(path, value, problem):
    with pytest.raises(BoardError) as caught:
        read_board(type(BOARD), changed(path, value))
    assert problem in caught.value.problems


@pytest.mark.rule("A75-P01", "A75-R05")
def test_subsidy_may_lie_anywhere_on_a_board_of_one_s_own():
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    data["track"] = data["track"][-5:] + data["track"][:-5]
    board = read_board(type(BOARD), data)
    table = at(board=board, aircraft={0: "jet"})
    position = table.position
    position.players[0].place = board.start - 1
    table.position_json = msgspec.json.encode(position)
    table = dice(table, move=5)
    play(table, "throw")
    assert table.position.players[0].cash == 100 + 10 - 25  # past SUBSIDY to MAINTENANCE


@pytest.mark.rule("A75-R09")
def test_a_board_of_one_s_own_may_have_fewer_markers():
    board = read_board(type(BOARD), changed("constants.markers", 2))
    error = refused(at(board=board, cities={0: ["rome"]}, place={0: "lima"}, phase="landing"), "buy")
    assert (error.code, error.numbers) == ("no_marker", {"cities": 2})

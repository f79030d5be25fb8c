"""Every fact that the rulebook fixes about the board, each with a board that breaks it."""

import msgspec
import pytest

from referee.contract import contradictions
from referee.games.airline_1975.facts import FACTS
from tests.referee.games.airline_1975.setups import BOARD, GAME


def board(change):
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    change(data)
    return msgspec.convert(data, type(BOARD))


def city(data, name):
    return next(city for city in data["cities"] if city["id"] == name)


def put(path, value):
    """A change of one number: `constants.start_cash`."""

    def change(data):
        *way, last = path.split(".")
        for step in way:
            data = data[int(step) if isinstance(data, list) else step]
        data[int(last) if isinstance(data, list) else last] = value

    return change


def route(a, b):
    return lambda data: data["routes"].append({"a": a, "b": b, "prov": ""})


def without(*ends):
    def change(data):
        data["routes"] = [route for route in data["routes"] if {route["a"], route["b"]} != set(ends)]

    return change


BROKEN = [
    ("A75-B01", lambda data: data["track"].append({"kind": "charter", "prov": ""})),
    ("A75-B02", lambda data: data["cities"].pop(5)),
    ("A75-B03", put("track.4.kind", "charter")),
    ("A75-B04", put("cities.10.name", "Perth")),
    ("A75-B05", put("cities.3.fares", {"prop": 7, "jet": 7, "sst": 21})),
    ("A75-B06", put("cities.0.fares", {"prop": 9, "jet": 18, "sst": 28})),
    ("A75-B07", put("aircraft.1.maintenance", 26)),
    ("A75-C01", put("constants.markers", 11)),
    ("A75-C01", put("colours.list", ["yellow", "green", "black", "blue"])),
    ("A75-C01", put("aircraft.2.name", "ZEPPELIN")),
    ("A75-S01", put("constants.start_cash", 99)),
    ("A75-U02", put("constants.landing_rights", 21)),
    ("A75-U05", put("constants.aircraft_fee", 25)),
    ("A75-H01", put("constants.challenge_fee", 10)),
    ("A75-P01", put("aircraft.2.subsidy", 5)),
    ("A75-P03", put("constants.charter_per_pip", 2)),
    ("A75-P05", put("constants.air_cargo", 20)),
    ("A75-P06", put("constants.crash_cost", 40)),
    ("A75-K04", put("constants.city_value", 25)),
    ("A75-E0", without("tokyo", "moscow")),
    ("A75-E1", without("tashkent", "bangkok")),
    ("A75-E2", route("bangkok", "baghdad")),
    ("A75-E4", without("bangkok", "colombo")),
    ("A75-E5", lambda data: (route("tokyo", "johannesburg")(data), route("johannesburg", "rome")(data))),
    ("A75-E6", without("moscow", "tashkent")),
]


def test_the_shipped_board_contradicts_nothing():
    assert list(contradictions(GAME, BOARD)) == []


@pytest.mark.parametrize(("fact", "change"), BROKEN, ids=lambda value: value if isinstance(value, str) else "")
def test_a_board_that_contradicts_the_rulebook_is_told_by_the_fact_s_id(fact, change):
    assert fact in [found.id for found in FACTS if not found.holds(board(change))]
    assert any(told.endswith(f"({fact})") for told in contradictions(GAME, board(change)))


def test_every_fact_has_a_board_that_breaks_it():
    assert {fact for fact, _ in BROKEN} == {fact.id for fact in FACTS}


def test_names_of_cities_count_and_not_what_the_file_calls_them():
    data = msgspec.json.encode(BOARD).decode().replace('"london"', '"ldn"').replace('"London"', '"LONDON"')
    assert list(contradictions(GAME, msgspec.json.decode(data, type=type(BOARD)))) == []

"""The board and the cards: what the rulebook fixes of them, and what an owner's own board is told."""

from collections import Counter

import msgspec
import pytest

from referee.contract import read_board
from referee.errors import BoardError
from referee.games.tin_goose.board import hex_distance
from referee.games.tin_goose.tracks import reach
from tests.referee.games.tin_goose.setups import BOARD

FROM_SAN_FRANCISCO = {
    "S": {"medford", "reno", "los_angeles"},
    "M": {
        "medford", "reno", "los_angeles", "portland", "boise", "salt_lake_city", "las_vegas", "phoenix", "san_diego",
    },
}  # fmt: skip


@pytest.mark.rule("TG-F01")
def test_48_cities_in_four_colours_of_twelve_with_ten_majors():
    assert len(BOARD.city) == 48
    assert Counter(city.colour for city in BOARD.cities) == dict.fromkeys(("green", "black", "magenta", "blue"), 12)
    assert sum(city.major for city in BOARD.cities) == 10


@pytest.mark.rule("TG-F02")
def test_each_era_deck_has_23_fleets_and_nine_events_and_each_city_is_on_two_cards():
    assert len(BOARD.card) == 96
    for era in ("gold", "blue", "red"):
        deck = [card for card in BOARD.era_cards if card.era == era]
        assert Counter(card.kind for card in deck) == {"fleet": 23, "strike": 3, "crash": 3, "oil": 3}
        copies = Counter(card.fleet for card in deck if card.fleet)
        assert copies == {kind.id: kind.copies for kind in BOARD.fleet_kinds if kind.era == era}
    assert set(Counter(card.city for card in BOARD.era_cards).values()) == {2}


@pytest.mark.rule("TG-F03")
def test_the_box_holds_nine_airmail_cards_twelve_demand_cards_and_42_tokens():
    assert len(BOARD.airmail) == 9
    assert len(BOARD.demand_cards) == 12
    assert (BOARD.demand.tokens.gold, BOARD.demand.tokens.silver) == (6, 36)
    assert len(BOARD.conditions) == 5


@pytest.mark.rule("TG-F05")
def test_the_demand_tokens_are_enough_and_all_used_with_five_players():
    assert len(BOARD.demand.fixed_gold) + len(BOARD.demand.colours) == 6
    needed = {players: 4 * sum(row.silver) for players, row in BOARD.demand_row.items()}
    assert needed[5] == 36
    assert max(needed.values()) == 36


@pytest.mark.rule("TG-F06", "TG-R65")
def test_the_demand_cards_name_every_city_of_every_colour_once():
    for colour in BOARD.demand.colours:
        cities = sorted(city.id for city in BOARD.cities if city.colour == colour)
        assert sorted(card.city(colour) for card in BOARD.demand_cards) == cities


@pytest.mark.rule("TG-F10", "TG-EX5")
def test_the_opening_hazard_is_that_of_a_small_trimotor_and_irregular_safety_procedures():
    assert BOARD.ford_trimotor.hazard == 3
    assert BOARD.ford_trimotor.size == "S"
    assert BOARD.ford_trimotor.hazard + BOARD.constants.irregular_safety_hazard == BOARD.hazard_track.start == 7


@pytest.mark.rule("TG-F11")
def test_the_income_track_runs_from_2_to_15_and_starts_on_the_lowest_of_several_3s():
    boxes = BOARD.income_track.boxes
    assert (boxes[0], boxes[-1], list(boxes)) == (2, 15, sorted(boxes))
    assert boxes.count(3) >= 2
    assert BOARD.income_track.start == boxes.index(3)


@pytest.mark.rule("TG-F20", "TG-EX1")
def test_what_planes_reach_from_san_francisco():
    for size, cities in FROM_SAN_FRANCISCO.items():
        assert set(reach(BOARD, ["san_francisco"], size)) == cities
    assert set(reach(BOARD, ["san_francisco"], "L")) == set(BOARD.city) - {"san_francisco"}


@pytest.mark.rule("TG-F21")
def test_chicago_has_a_line_to_st_louis_and_only_medium_reach_to_kansas_city():
    assert "st_louis" in BOARD.small["chicago"]
    assert "kansas_city" not in BOARD.small["chicago"]
    assert "kansas_city" in BOARD.medium["chicago"]
    stratoliner = BOARD.kind["boeing_stratoliner"]
    assert (stratoliner.size, stratoliner.era) == ("M", "blue")


@pytest.mark.rule("TG-F22")
def test_each_round_opens_one_destination_with_its_size():
    opened = [
        (number, BOARD.open_destination(number).id, BOARD.open_destination(number).size) for number in range(1, 8)
    ]
    assert opened == [
        (1, "havana", "S"),
        (2, "havana", "S"),
        (3, "kingston", "S"),
        (4, "mexico_city", "M"),
        (5, "panama_city", "M"),
        (6, "lima", "M"),
        (7, "rio", "L"),
    ]
    assert BOARD.destination["havana"].cost == 10


@pytest.mark.rule("TG-R50")
def test_every_thick_line_lies_within_medium_reach():
    for city in BOARD.city:
        assert BOARD.small[city] <= BOARD.medium[city]


@pytest.mark.rule("TG-EX8")
def test_the_bills_everybody_gets_make_the_start_money():
    assert BOARD.constants.bills == ((10, 3), (5, 1), (1, 5))
    assert sum(value * number for value, number in BOARD.constants.bills) == BOARD.constants.start_cash == 40


@pytest.mark.rule("TG-F16")
def test_the_prices_of_events_are_in_the_ranges_of_the_rulebook():
    assert {card.price for card in BOARD.era_cards if card.kind == "crash"} == {1, 2}
    assert {card.price for card in BOARD.era_cards if card.kind == "oil"} == {1, 2, 3}


def test_hexes_are_neighbours_in_six_directions():
    around = {(column, row) for column in range(5) for row in range(5) if hex_distance((2, 2), (column, row)) == 1}
    assert around == {(2, 1), (2, 3), (1, 1), (1, 2), (3, 1), (3, 2)}
    around = {(column, row) for column in range(5) for row in range(5) if hex_distance((1, 2), (column, row)) == 1}
    assert around == {(1, 1), (1, 3), (0, 2), (0, 3), (2, 2), (2, 3)}


def wrong(change):
    """The problems found in the shipped board after a change of its plain data."""
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    change(data)
    with pytest.raises(BoardError) as caught:
        read_board(type(BOARD), data)
    return caught.value.problems


def set_in(*path):
    *way, last, value = path

    def change(data):
        for step in way:
            data = data[step]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (set_in("cities", 0, "major", True), "11 are major"),
        (set_in("cities", 0, "colour", "black"), "11 are green"),
        (set_in("cities", 0, "colour", "mauve"), "no colour 'mauve'"),
        (set_in("cities", 1, "id", "seattle"), "'seattle' is there 2 times"),
        (set_in("cities", 0, "name", "Portland"), "cities.name: 'Portland' is there 2 times"),
        (set_in("international", 0, "name", "Rio"), "international.name: 'Rio' is there 2 times"),
        (
            set_in("airmail_routes", 0, {"id": "A1", "start": "dallas", "destination": "omaha", "prov": ""}),
            "'dallas-omaha'",
        ),
        (set_in("thick_lines", 0, "a", "atlantis"), "no city 'atlantis'"),
        (set_in("thick_lines", 0, "b", "seattle"), "both ends are the same"),
        (set_in("airmail_routes", []), "5 players are dealt 6"),
        (set_in("airmail_routes", 0, "destination", "seattle"), "both ends are the same"),
        (set_in("demand_cards", 0, "green", "portland"), "must name each green city just once"),
        (set_in("demand", "tokens", {"gold": 5, "silver": 36}), "gold: 6 are needed"),
        (set_in("demand", "chart", []), "3 players are missing"),
        (set_in("demand", "chart", 0, "silver", [9, 9, 9]), "3 players need 108 silver tokens"),
        (set_in("demand", "chart", 0, "silver", [4, 2, 0]), "3 players: each city gets at least 1 silver token"),
        (set_in("fleet_kinds", 0, "oil", -1), "fleet_kinds.boeing_80a: oil and hazard are never less than 0"),
        (set_in("ford_trimotor", "oil", -1), "ford_trimotor: oil and hazard are never less than 0"),
        (set_in("ford_trimotor", "size", "M"), "any fleet can replace it, so it is S (TG-F10), not M"),
        (set_in("international", 0, "cost", -1), "international.havana.cost: never less than 0"),
        (set_in("income_track", "boxes", 0, -1), "income_track: no income is less than 0"),
        (set_in("fleet_kinds", 0, "copies", 9), "9 copies, but 2 cards"),
        (set_in("fleet_kinds", 0, "era", "blue"), "belongs to the blue era"),
        (set_in("era_cards", 0, "fleet", "zeppelin"), "no fleet kind 'zeppelin'"),
        (set_in("era_cards", 23, "win", 0), "a strike has a win"),
        (set_in("era_cards", 26, "price", 0), "a price of at least 1"),
        (set_in("era_cards", 26, "kind", "oil"), "2 cards of kind crash, not 3"),
        (set_in("conditions", 0, "id", "bliss"), "conditions: the five are"),
        (set_in("hazard_track", "start", 8), "8 is not that of Ford Trimotor"),
        (set_in("eras", 0, "hand", 4), "eras.gold.hand"),
        (set_in("eras", 0, "rounds", [1, 3]), "without a gap"),
        (set_in("international", 0, "rounds", [1]), "each round has just one destination"),
        (set_in("income_track", "start", 99), "the start is one of them"),
        (set_in("constants", "bond", 0), "constants.bond: must be at least 1, not 0"),
    ],
)
def test_a_wrong_board_is_told_what_is_wrong(change, expected):
    assert any(expected in problem for problem in wrong(change)), wrong(change)


def changed(*changes):
    """A board that differs from the shipped one and is right."""
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    for change in changes:
        change(data)
    return read_board(type(BOARD), data)


def test_two_cards_of_a_kind_with_one_city_go_by_their_numbers():
    number = list(BOARD.card).index
    board = changed(
        set_in("era_cards", number("B01"), "city", "dallas"), set_in("era_cards", number("G25"), "city", "norfolk")
    )
    names = [board.card_name(card) for card in ("B01", "B03", "B02", "G24", "G25")]
    assert names == [
        "Douglas DC-3 Dallas B01",
        "Douglas DC-3 Dallas B03",
        "Douglas DC-3 Albuquerque",
        "gold strike Norfolk G24",
        "gold strike Norfolk G25",
    ]
    assert len({board.card_name(card) for card in board.card}) == 96


def test_two_airmail_routes_may_begin_in_one_city():
    assert changed(set_in("airmail_routes", 0, "start", "dallas")).route_name("A1") == "Dallas-Los Angeles"


def test_a_board_with_an_island_is_told_which_city_no_line_reaches():
    def change(data):
        data["thick_lines"] = [line for line in data["thick_lines"] if "miami" not in (line["a"], line["b"])]

    assert wrong(change) == ["thick_lines: no way leads to miami"]

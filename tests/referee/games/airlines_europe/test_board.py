"""What is checked in a board of one's own."""

from pathlib import Path

import msgspec
import pytest
import yaml

from referee.contract import contradictions, read_board
from referee.errors import BoardError
from referee.games import faithful_board, game_of, load_board
from referee.games.airlines_europe.facts import FACTS
from referee.record import load, verify
from tests.positions import start
from tests.referee.games.airlines_europe.setups import BOARD, GAME, TINY


def changed(path, value):
    """The data of the shipped board with one datum changed: `changed("routes.0.licences", [])`."""
    data = msgspec.to_builtins(BOARD)
    data = msgspec.json.decode(msgspec.json.encode(data))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("cities.1.id", "reykjavik", "cities: 'reykjavik' is there 2 times"),
        ("cities.1.name", "Reykjavik", "names of cities: 'Reykjavik' is there 2 times"),
        ("airlines.0.home", "atlantis", "airlines.yellow.home: there is no city 'atlantis'"),
        ("airlines.0.planes", 3, "airlines.yellow: 16 shares but 3 planes"),
        ("airlines.0.start", 81, "airlines.yellow.start: 81 is not a space of the track, 1 to 80"),
        ("airlines.0.bonus", 4, "airlines.yellow: goal and bonus come together"),
        ("airlines.0.id", "pile", "airlines.pile: this word has another meaning here"),
        ("routes.0.a", "dublin", "both ends are the same city"),
        ("routes.0.licences", [], "at least one licence"),
        ("routes.0.licences", [7, 6], "cheapest first"),
        ("routes.0.distant", True, "a distant connection has one licence, not 2"),
        ("share_track.regions.1.first", 7, "share_track.R2: should begin at 6"),
        ("share_track.regions.1.vp", [0, 1], "share_track.R2.vp: the first place comes first"),
        ("share_track.length", 90, "share_track: the regions end at 80, the track at 90"),
        ("air_abacus.vp", [[1]], "3 scorings need as many rows, not 1"),
        ("removed_airlines.0.players", 7, "5 players are missing"),
        ("removed_airlines.1.airlines", ["pink"], "there is no airline 'pink'"),
        ("removed_airlines.3.airlines", ["yellow", "blue", "violet", "red", "black"], "43 shares are too few"),
        ("constants.take_money", 0, "constants.take_money: from 1 to 999, not 0"),
        ("constants.deal", 1, "constants: a hand has 2 kinds of shares"),  # it would be dealt anew for ever
        ("constants.opening_shares", 3, "constants: a hand has 2 kinds of shares"),
        ("constants.trade_in", [[1, 1], [1, 2]], "constants.trade_in: a number of shares brings one number"),
        ("constants.trade_in", [[0, 1]], "constants.trade_in: from 1 to 999, not 0"),
        ("constants.trade_in", [[1, 9999]], "constants.trade_in: from 1 to 999, not 9999"),
        ("airlines.0.shares", -1, "airlines.yellow.shares: from 1 to 999, not -1"),
        ("airlines.0.shares", 9999, "airlines.yellow.shares: from 1 to 999, not 9999"),
        ("airlines.6.bonus", -30, "airlines.green.bonus: from 0 to 999, not -30"),
        ("air_abacus.shares", -1, "air_abacus.shares: from 0 to 999, not -1"),
        ("air_abacus.vp.0", [4, -2], "air_abacus.vp: from 0 to 999, not -2"),
        ("share_track.regions.1.vp", [1, -1], "share_track.R2.vp: from 0 to 999, not -1"),
        ("share_track.length", 9999, "share_track.length: from 1 to 999, not 9999"),
        ("routes.0.licences", [0, 7], "routes.reykjavik-dublin.licences: from 1 to 999, not 0"),
        ("cities.0.lat", float("1e300"), "cities.reykjavik.lat: from -90 to 90, not 1e+300"),
        ("cities.0.lon", -181, "cities.reykjavik.lon: from -180 to 180, not -181"),
        ("constants.money_per_player", 12, "may be left with 8 million and owe 40"),
        ("constants.start_cash", 31, "more than money_per_player, 30"),
        ("draw_pile.first_pile", [3, 4], "at most half of the cards"),
        ("draw_pile.first_pile", [1, 0], "at most half of the cards"),
        ("draw_pile.first_pile", [0, 4], "at most half of the cards"),
        ("draw_pile.jitter", 9, "too few for a draw pile with 2 players"),
        ("draw_pile.jitter", -1, "jitter is not below 0"),
        ("constants.deal", 20, "67 shares are too few for a draw pile with 2 players"),
        ("share_track.regions.1.last", 4, "share_track.R2: should begin at 6 and not end before it begins"),
        ("cities.0.lat", "north", "cities[0].lat: Expected a number"),
        ("cities.0.population", 3, "cities[0].population: this key is not known"),
    ],
)
def test_a_mistake_in_a_board_is_named(path, value, problem):
    with pytest.raises(BoardError) as caught:
        read_board(GAME.board_type, changed(path, value))
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("airlines.0.start", 80),
        ("constants.deal", 2),
        ("constants.opening_shares", 1),
        ("constants.start_cash", 30),
        ("constants.money_per_player", 28),  # two players return to 8 each, and the bank just pays 40
        ("draw_pile.jitter", 0),
        ("draw_pile.first_pile", [1, 2]),
    ],
)
def test_a_board_may_go_to_the_limit(path, value):
    read_board(GAME.board_type, changed(path, value))


def test_a_city_without_a_route_is_named():
    data = changed("cities.0.lat", 64)
    data["cities"].append({"id": "malta", "name": "Malta", "lat": 35.9, "lon": 14.5, "prov": "test"})
    with pytest.raises(BoardError, match=r"cities\.malta: no route touches it"):
        read_board(GAME.board_type, data)


def test_a_place_that_is_no_number_is_named():
    data = changed("cities.0.lat", 0)
    data["cities"][0]["lat"] = float("nan")
    with pytest.raises(BoardError, match=r"cities\.reykjavik\.lat: from -90 to 90, not nan"):
        read_board(GAME.board_type, data)


def test_an_airline_with_nearly_all_shares_is_refused_for_hands_need_two_kinds():
    data = changed("airlines.0.shares", 500)
    data["airlines"][0]["planes"] = 500
    data["removed_airlines"] = [
        {"players": n, "airlines": [a.id for a in BOARD.airlines[1:-1]], "prov": "test"} for n in (2, 3, 4, 5)
    ]
    with pytest.raises(BoardError, match="a hand needs two kinds"):
        read_board(GAME.board_type, data)


def test_a_route_in_the_other_direction_is_the_same_route():
    data = changed("routes.1.a", "dublin")
    data["routes"][1]["b"] = "reykjavik"
    with pytest.raises(BoardError, match="'dublin-reykjavik' is there 2 times"):
        read_board(GAME.board_type, data)


def test_a_board_survives_the_header_of_a_record():
    assert read_board(GAME.board_type, msgspec.json.decode(msgspec.json.encode(TINY))) == TINY


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "line 2, column 1: this is not YAML"),
        ("- 1", "A board file is a mapping"),
        ("game: chess", "a board for 'chess'"),
    ],
)
def test_a_file_that_is_no_board_of_this_game_is_refused(text, problem):
    with pytest.raises(BoardError, match=problem):
        load_board(GAME, text)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_tiny_board_can_be_set_up_for_any_number_of_players(players):
    for seed in range(20):
        start("airlines-europe", players, {"jitter": True}, TINY, seed=b"%d" % seed)


# What the rulebook fixes


def test_the_shipped_board_keeps_every_fact():
    assert list(contradictions(GAME, BOARD)) == []


BROKEN = [
    ("AE-C02", "airlines.9.shares", 8),
    ("AE-C02", "airlines.9.id", "pink"),
    ("AE-C03", "airlines.0.planes", 15),
    ("AE-C04", "air_abacus.shares", 21),
    ("AE-C08", "airlines.9.goal", None),
    ("AE-C08", "airlines.0.goal", "rome"),
    ("AE-C09", "routes.56.distant", False),
    ("AE-C09", "routes.56.licences", [10, 11]),
    ("AE-S01", "removed_airlines.1.airlines", ["blue"]),
    ("AE-S02", "constants.money_per_player", 40),
    ("AE-S03", "constants.start_cash", 10),
    ("AE-S05", "constants.market_size", 4),
    ("AE-S06", "constants.deal", 7),
    ("AE-S07", "constants.opening_shares", 1),
    ("AE-S08", "constants.final_pile", 11),
    ("AE-R03", "draw_pile.first_pile", [1, 3]),
    ("AE-A03", "constants.most_licences", 3),
    ("AE-A11", "airlines.7.home", "rome"),
    ("AE-A11", "airlines.8.goal", "rome"),
    ("AE-A12", "constants.dividend_per_share", 3),
    ("AE-A13", "constants.trade_in", [[1, 1], [3, 3]]),
    ("AE-A17", "constants.take_money", 9),
    ("AE-B01", "constants.bankrupt_cap", 10),
    ("AE-V07", "air_abacus.vp.2", [16, 8, 4, 2]),
    ("AE-V08", "share_track.regions.5.vp", [6, 4, 2, 1, 0]),
]


@pytest.mark.rule(
    "AE-C02", "AE-C03", "AE-C04", "AE-C08", "AE-C09", "AE-S01", "AE-S02", "AE-S03", "AE-S05", "AE-S06", "AE-S07",
    "AE-S08", "AE-R03", "AE-A03", "AE-A11", "AE-A12", "AE-A13", "AE-A17", "AE-B01", "AE-V07", "AE-V08",
)  # fmt: skip
@pytest.mark.parametrize(("number", "path", "value"), BROKEN)
def test_a_board_that_contradicts_the_rulebook_is_refused_with_the_number_of_the_fact(number, path, value):
    board = msgspec.convert(changed(path, value), GAME.board_type)  # whatever else may be wrong with it
    assert any(said.endswith(f"({number})") for said in contradictions(GAME, board))


def test_every_fact_has_a_board_that_breaks_it():
    assert {number for number, _, _ in BROKEN} == {fact.id for fact in FACTS}


def test_a_board_that_can_be_played_on_is_refused_for_a_new_game_and_its_records_still_verify():
    with pytest.raises(BoardError, match=r"Each player starts with 8 million \(AE-S03\)"):
        faithful_board(GAME, yaml.safe_dump(changed("constants.start_cash", 10)))
    golden = Path(__file__).parents[3] / "golden/airlines-europe/2-players-blocked-on-tiny.jsonl"
    record = load(golden.read_bytes())
    assert record.header.version == "1"
    assert "AE-C02" in " ".join(contradictions(GAME, game_of(record.header).board))
    assert verify(game_of(record.header), record).position.ending == "blocked"

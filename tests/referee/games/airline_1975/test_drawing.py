"""The picture and the words of a table of Airline (1975)."""

import itertools
import re
from functools import cache

import msgspec
import pytest

from referee.contract import read_board
from referee.games.airline_1975.chart import FRAME, LARGE, MAP, chart, label_box, trace
from referee.pictures.drawing import Box
from referee.table import Table
from tests.pictures import labels, overlaps, view_box
from tests.positions import HOSTILE, named, play
from tests.referee.games.airline_1975.setups import BOARD, SPACES, STRICT, at, offer, throw
from tests.referee.games.airline_1975.test_properties import steps

NAMES = ("Ann", "Bob", "Cid", "Dee")
START, MIDDLE, END = 0, 60, 10_000


@cache
def played(seats: int = 4, moves: int = MIDDLE, variant: int = 0, seed: int = 3) -> Table:
    """A game after some random moves, or at its end."""
    for _, _, table in steps(seats, variant, seed):
        if table.sequence >= moves:
            break
    return named(table, NAMES)


@cache
def crowded() -> Table:
    """Strict collection with offers, a claim on a player and another on the bank, two on a space, and many cities."""
    table = at(
        4,
        settings=STRICT,
        cities={
            0: ["rome", "lima", "moscow", "casablanca", "vancouver", "honolulu", "baghdad", "tashkent"],
            1: ["nairobi", "johannesburg", "colombo"],
            2: ["mexico_city", "rio_de_janeiro"],
            3: ["bangkok"],
        },
        aircraft={0: "sst", 1: "jet"},
        place={0: "moscow", 1: "nairobi", 2: "nairobi", 3: "nairobi"},
        cash=(12, 140, 33, 250),
        active=3,
    )
    table, _ = throw(table, 8)  # to Rome
    play(table, offer(["bangkok"], pay=20, to="yellow", want=["rome", "lima"]), seat=3)
    play(table, offer(pay=10, to="red", want=["bangkok"]), seat=0)
    play(table, offer(["nairobi"], to="red", price=100), seat=1)
    return named(table, NAMES)


@cache
def in_debt() -> Table:
    return named(throw(at(2, cash=(5, 100), cities={0: ["lima"]}, place={0: "air_cargo"}), 4)[0], NAMES)


def some_tables() -> list[Table]:
    """Every number of seats, every stage, names of all kinds."""
    plain = [
        played(2, START),
        played(2, END, 1),
        played(3),
        played(4, START),
        played(),
        played(4, END, 2),
        crowded(),
        in_debt(),
    ]
    return [*plain, *(named(table, HOSTILE) for table in plain)]


def words_of(table: Table, seat: int | None = None) -> list[str]:
    return [words for words, _ in labels(table.game.picture(table.view(seat)))]


@pytest.mark.parametrize("names", [NAMES, HOSTILE])
def test_offers_claims_and_debts_cover_nothing(names: tuple[str, ...]) -> None:
    for table in (named(crowded(), names), named(in_debt(), names)):
        for seat in (None, 0):
            svg = table.game.picture(table.view(seat))
            whole = view_box(svg)
            assert all(whole.holds(box) for _, box in labels(svg))
            assert list(overlaps(labels(svg))) == []


def test_city_names_cover_no_other_name_and_no_marker() -> None:
    drawn = chart(BOARD)
    boxes = {city: name.box for city, name in drawn.names.items()}
    edges = [label_box(BOARD.city[label.city].name, label) for label in drawn.labels]
    assert len(boxes) == len(BOARD.cities)
    for box, other in itertools.combinations([*boxes.values(), *edges], 2):
        assert not box.overlaps(other)
    for city, box in boxes.items():
        assert MAP.holds(box), city
        for x, y in drawn.cities.values():
            assert not box.overlaps(Box(x - LARGE * 0.7, y - LARGE * 0.7, LARGE * 1.4, LARGE * 1.4)), city


def test_no_route_runs_through_a_third_city() -> None:
    drawn = chart(BOARD)
    for (a, b), line in drawn.lines.items():
        for city, point in drawn.cities.items():
            if city not in (a, b):
                nearest = min((point[0] - x) ** 2 + (point[1] - y) ** 2 for x, y in trace(line)) ** 0.5
                assert nearest > LARGE + 2, (a, b, city)


def test_a_route_over_the_edge_of_the_map_says_where_it_leads() -> None:
    drawn = chart(BOARD)
    across = [route for route, line in drawn.lines.items() if len(line.pieces) == 2]
    assert len(across) == 4
    assert sorted(label.city for label in drawn.labels) == sorted(city for route in across for city in route)
    for a, b in across:
        (start, *_, out), (end, *_, into) = drawn.lines[a, b].pieces
        assert (start, end) == (drawn.cities[a], drawn.cities[b])
        assert out[1] == into[1]


def test_the_spaces_go_clockwise_around_the_map_without_a_gap() -> None:
    cells = chart(BOARD).cells
    assert len(cells) == 24
    assert sum(cell.box.width * cell.box.height for cell in cells) == pytest.approx(
        FRAME.width * FRAME.height - MAP.width * MAP.height
    )
    for cell, following in itertools.pairwise([*cells, cells[0]]):
        assert cell.box.grown(1).overlaps(following.box)
    for cell, other in itertools.combinations(cells, 2):
        assert cell.box.overlap(other.box) < 1e-6
    assert sorted(cell.corner for cell in cells if cell.corner) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]


@pytest.mark.parametrize("show", ["picture", "text"])
def test_offers_claims_and_debts_are_told(show: str) -> None:
    table = crowded()
    shown = " ".join(getattr(table.game, show)(table.view(None)).split())
    assert "Offer 1: Dee offers Ann Bangkok and $20 million for Lima and Rome." in shown
    assert "Offer 2: Ann offers Dee $10 million for Bangkok." in shown
    assert "Offer 3: Bob offers Dee Nairobi for $100 million." in shown
    assert "Claim: Dee may claim $20 million from the bank (subsidy)." in shown
    assert "Claim: Ann may claim $21 million from Dee (fare for Rome)." in shown
    debt = getattr(in_debt().game, show)(in_debt().view(None))
    assert "Debt: Ann owes the bank $30 million (crash)." in debt


def test_the_words_say_what_may_be_answered() -> None:
    words = " ".join(crowded().game.text(crowded().view(1), "full").split())
    assert (
        "Ann: You may accept, refuse or counter offer 1, Dee gives Bangkok and $20 million for Lima and Rome." in words
    )
    assert "Bob and Cid: You may offer a deal." in words
    assert "You are Bob, green." in words
    assert "leave the game" not in words


def test_cities_with_owner_fare_and_connection_are_told() -> None:
    words = crowded().game.text(crowded().view(None), "full")
    cities = "Cities: London (base), Nairobi (cut off), Johannesburg (cut off), Colombo (cut off)."
    assert cities in " ".join(words.split())
    assert " 2. Rome: 7, 14, 21, Ann, fare 21. Here: Dee (PROP)." in words
    assert "18. Nairobi: 5, 10, 15, Bob, no fare, cut off. Here: Bob (JET), Cid" in words
    assert " 9. New York: 10, 20, 30, Cid, base, fare 10." in words
    assert "Moscow (Ann): Casablanca, Rome, London, Tashkent, Tokyo" in words
    assert "12. HIJACK: double: crash, else to SUBSIDY." in words


def test_every_player_s_money_and_aircraft_are_shown() -> None:
    shown = words_of(crowded())
    for player in crowded().view(None).table.players:
        assert {str(player.cash), str(player.assets), player.aircraft.upper()} <= set(shown)
    assert shown.count("PROP") == 5  # two on the track, two in the panel, one among the aircraft
    assert "red, in turn" in shown


@pytest.mark.parametrize("show", ["picture", "text"])
def test_a_finished_game_names_the_winner_and_everybody_s_assets(show: str) -> None:
    table = played(4, END, 1)
    assert table.is_over
    shown = getattr(table.game, show)(table.view(None))
    best = table.view(None).standings[0]
    assert f"Game over: {NAMES[best.seat]} wins with assets of ${best.score} million." in shown
    assert all(re.search(rf"\b{standing.score}\b", shown) for standing in table.view(None).standings)
    assert "in turn" not in shown


def test_all_aircraft_may_stand_on_one_space_wherever_it_is() -> None:
    for place in SPACES:
        table = at(4, place=dict.fromkeys(range(4), place), aircraft={1: "jet", 2: "sst"})
        svg = table.game.picture(table.view(None))
        whole = view_box(svg)
        assert all(whole.holds(box) for _, box in labels(svg))
        assert list(overlaps(labels(svg))) == [], place


def test_the_words_fit_a_terminal() -> None:
    for table in some_tables():
        for seat in (None, 0):
            for part in ("", "full", *table.game.parts):
                assert max(map(len, table.game.text(table.view(seat), part).splitlines())) <= 72


def test_what_the_decision_needs_fits_a_screen_and_repeats_nothing_that_never_changes() -> None:
    for table in (played(3), played(4), in_debt(), played(4, START)):
        seat = next(decision.seat for decision in table.decisions() if decision.required)
        words = table.game.text(table.view(seat))
        assert len(words.splitlines()) <= 25
        assert "ROUTES" not in words
        assert "TRACK" not in words


def test_before_the_throw_the_words_say_where_each_throw_leads() -> None:
    table = at(cities={0: ["rome"], 1: ["moscow"]}, place={0: "baghdad"}, aircraft={1: "jet", 0: "jet"})
    words = table.game.text(table.view(0))
    assert "AHEAD of Anna, from Baghdad, with a JET" in words
    assert (
        "2 Moscow: Ben, fare 16; 3 SUBSIDY: get 10; 4 London: Ben, base, fare 18; 5 Rome: yours; "
        "6 Casablanca: free, 20 to buy; 7 MAINTENANCE: pay 25;"
    ) in " ".join(words.split())
    assert "AHEAD" not in table.game.text(table.view(1)), "who does not throw need not read it"
    assert "Your cities: Tokyo (base), Rome (cut off)." in words


@pytest.mark.parametrize("show", ["picture", "text"])
def test_the_end_says_how_players_left_and_what_assets_are_made_of(show: str) -> None:
    table = at(3, cities={2: ["rome"]}, cash=(0, 90, 70), phase="raising", debts=[(0, 1, 20)], settings={"short": True})
    play(table, "declare bankruptcy", seat=0)
    shown = getattr(table.game, show)(table.view(None))
    assert "bankrupt" in shown
    if show == "text":
        assert "Ben: cash 110 and 1 city at 20 make 130." in shown
        assert "3. Anna, $0 million, bankrupt" in shown


def test_a_board_of_one_s_own_is_drawn_with_its_own_cities_and_colours() -> None:
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    data["name"] = data["fidelity"] = "my-copy"
    for city in data["cities"]:
        city["name"], city["lat"], city["lon"] = city["name"][::-1].title(), city["lat"] * 0.9, city["lon"] * 0.95
    data["colours"]["list"][0] = "pink"
    table = at(4, board=read_board(type(BOARD), data))
    svg = table.game.picture(table.view(0))
    found = dict(labels(svg))
    assert {"Emor", "P"} <= set(found)
    whole = view_box(svg)
    assert all(whole.holds(box) for box in found.values())

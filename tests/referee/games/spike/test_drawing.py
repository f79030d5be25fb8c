"""The picture and the words of a table of Spike."""

import itertools
from functools import cache

import msgspec
import pytest

from referee.contract import read_board
from referee.games import open_game
from referee.games.spike.board import Board
from referee.games.spike.chart import CITY
from referee.games.spike.drawing import CROSSED, LIVERIES, PATTERNS, rail
from referee.pictures.drawing import PAINTS, Box
from referee.table import open_table
from tests.pictures import labels
from tests.positions import HOSTILE, PLAYERS, random_table
from tests.referee.games.spike.setups import BOARD, at, cargo, line

START, MIDDLE, END = 0, 90, 10_000


@cache
def table(seats=4, moves=MIDDLE, names=PLAYERS, advanced=False):
    return random_table("spike", seats, moves, names, {"advanced": advanced})


def some_tables():
    return [
        table(2, START),
        table(2, END, HOSTILE),
        table(3, MIDDLE, HOSTILE),
        table(4, 6, HOSTILE, advanced=True),
        table(4, MIDDLE),
        table(4, END, HOSTILE),
    ]


def picture(table, seat=None):
    return table.game.picture(table.view(seat))


def text_board(table, seat=None):
    return table.game.text(table.view(seat))


def test_city_names_cover_neither_each_other_nor_a_city():
    boxes = {city: label.box for city, label in BOARD.chart.labels.items()}
    assert len(boxes) == 36
    for (city, box), (other, other_box) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (city, other)
    for city, box in boxes.items():
        assert BOARD.chart.frame.holds(box), city
        for town in BOARD.city:
            x, y = BOARD.chart.points[town]
            assert not box.overlaps(Box(x - CITY * 0.7, y - CITY * 0.7, CITY * 1.4, CITY * 1.4)), (city, town)


def test_rail_types_differ_in_more_than_their_colour():
    drawn = {}
    for kind in BOARD.rail_types:
        svg = rail(kind.id, (0, 0), (60, 0))
        for colour in {PAINTS[kind.id].fill, PAINTS[kind.id].edge, "#ffffff", "#4a3b00"}:
            svg = svg.replace(colour, "?")
        drawn[kind.id] = svg
    patterned = {**PATTERNS, CROSSED: "crosses"}
    assert set(patterned) == set(drawn)
    assert len({drawn[kind] for kind, pattern in patterned.items() if pattern}) == 4
    assert drawn["white"] == drawn["black"]  # without a pattern, and as different as two colours can be


def test_players_have_colours_and_letters_that_no_rail_type_has():
    rails = {PAINTS[kind.id].fill for kind in BOARD.rail_types}
    assert not rails & {paint.fill for paint in LIVERIES}
    assert len({paint.letter for paint in LIVERIES}) == 4


def test_a_rail_type_of_one_s_own_is_drawn_with_its_letter():
    assert ">P</text>" in rail("pink", (0, 0), (60, 0))


def test_tracks_trains_market_and_money_are_shown():
    track = line("boston", "j34", "new_york")
    table = at(tracks=[track], trains=[track[0], "topeka"], scores=[17, 4], contracts=[{"cloth": "cloth-1b"}, {}])
    svg = picture(table)
    assert svg.count(LIVERIES[0].fill) >= 3 * len(track)
    found = [text for text, _ in labels(svg)]
    assert {"$17", "$4", "Boston", "cloth", "J34", "Cloth:"} <= set(found)
    assert found.count("O") == len(track) + 2  # each track, the train, the train beside the name
    assert {"train at Boston-J34", "train at Topeka"} <= set(found)  # on the map a train may stand a little aside
    shown = " ".join(text_board(table, 0).split())
    assert "train at Boston-J34" in shown
    assert "Tracks: Boston-J34, " in shown
    assert "J34: Albany red, Boston Anna, New York Anna." in shown


@pytest.mark.parametrize("show", [picture, text_board])
def test_who_has_begun_the_last_turns_is_told(show):
    assert "out of track and deliveries" not in show(at())
    assert show(at(out=1)).count("out of track and deliveries") == 1


def test_a_player_is_told_the_junctions_around_the_own_network_and_nobody_is_told_all():
    table = at(tracks=[line("boston", "j34", "new_york")])
    shown = text_board(table, 0)
    assert "\nJ24: " in shown
    assert "\nJ120: " not in shown
    assert "JUNCTIONS" not in text_board(table, None)


def test_the_price_in_a_city_is_that_of_the_market():
    table = at(market=[["cloth", "cows", "oil"], ["pigs", "wood", "corn"], ["steel", "coal", "wheat"],
                       ["fruit", "flour", "cotton"]])  # fmt: skip
    svg = picture(table)
    for city, price in (("boston", "3"), ("albany", "2"), ("tulsa", "1")):
        x, y = BOARD.chart.points[city]
        middle = [text for text, box in labels(svg) if box.overlaps(Box(x - 2, y - 2, 4, 4))]
        assert price in middle, city


@pytest.mark.parametrize("show", [picture, text_board])
def test_a_finished_game_names_the_winner_and_shows_every_hand(show):
    game_table = table(4, END)
    best = game_table.view(None).standings[0]
    shown = show(game_table)
    assert f"Game over: {PLAYERS[best.seat]} wins with ${best.score}." in shown
    assert shown.count("Route") >= 4


@pytest.mark.parametrize("show", [picture, text_board])
def test_hands_and_routes_are_shown_to_their_player_alone(show):
    game_table = table()
    assert "Route" not in show(game_table, None)
    assert show(game_table, 1).count("Route") == 1


def test_cargo_aboard_and_delivered_is_told():
    table = at(contracts=[{"cloth": "cloth-1b", "cows": "cows-1a"}, {}])
    table = cargo(table, "cloth", delivered={"cows": "atlanta"})
    for shown in (picture(table), text_board(table)):
        assert "Cloth (aboard)" in shown
        assert "delivered to Atlanta" in shown


def test_the_text_board_fits_a_terminal():
    for shown in some_tables():
        for seat in (None, 0):
            assert max(map(len, text_board(shown, seat).splitlines())) <= 100


def test_a_board_of_one_s_own_is_drawn_with_its_own_places():
    data = msgspec.to_builtins(BOARD)
    data["name"] = data["fidelity"] = "my-copy"
    for city in data["cities"]:
        city["name"], city["x"] = city["name"][::-1].title(), 1400 - city["x"]
    for junction in data["junctions"]:
        junction["x"] = 1400 - junction["x"]
    game = open_game("spike", 2, board=read_board(Board, data))
    own, _ = open_table(game, PLAYERS[:2], bytes(32))
    found = dict(labels(game.picture(own.view(0))))
    assert "Notsob" in found
    assert game.board.chart.labels.keys() == BOARD.city.keys()

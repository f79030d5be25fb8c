"""The picture and the words of a table of Spike."""

import itertools
import random
import re
import xml.etree.ElementTree as ET
from functools import cache

import msgspec
import pytest

from referee.contract import Viewer, canonical, read_board
from referee.games import open_game
from referee.games.spike.board import Board
from referee.games.spike.chart import CITY
from referee.games.spike.drawing import CROSSED, LIVERIES, PATTERNS, rail
from referee.options import sample
from referee.pictures.drawing import PAINTS, Box, png
from referee.table import Table, open_table
from tests.pictures import SVG, labels, view_box
from tests.referee.games.spike.setups import BOARD, at, cargo, line

NAMES = ("Ann", "Bob", "Cid", "Dee")
HOSTILE = ("<b>&\"'</b><script>x</script>&amp;", "W" * 32, "日本鉄道 Łódź Ωνάσης", "a\x1b[31m\nb")
START, MIDDLE, END = 0, 90, 10_000


@cache
def table(seats=4, moves=MIDDLE, names=NAMES, seed=1, advanced=False):
    """A game after some random moves."""
    table, _ = open_table(open_game("spike", seats, {"advanced": advanced}), names[:seats], bytes([seed]) * 32)
    rng = random.Random(seed)
    while moves > 0 and not table.is_over:
        for decision in table.decisions():
            if moves > 0:
                table.submit(decision.seat, [sample(table.offers(decision.seat), rng)])
                moves -= 1
        if table.sealed and not table.missing():
            table.reveal()
    return table


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


def words(table, seat=None):
    return table.game.text(table.view(seat))


@pytest.mark.parametrize("seat", [None, 0])
def test_every_word_of_the_picture_is_inside_it_and_below_the_map_none_covers_another(seat):
    for one in some_tables():
        svg = picture(one, seat)
        whole = view_box(svg)
        assert whole.width == 1200
        found = labels(svg)
        assert [text for text, box in found if not whole.holds(box)] == []
        bottom = BOARD.chart.frame.y + BOARD.chart.frame.height
        outside = [(text, box) for text, box in found if box.y > bottom or box.y < BOARD.chart.frame.y]
        pairs = itertools.combinations(outside, 2)
        assert [(a, b) for (a, box), (b, other) in pairs if box.overlaps(other)] == []


def test_city_names_cover_neither_each_other_nor_a_city():
    boxes = {city: label.box for city, label in BOARD.chart.labels.items()}
    assert len(boxes) == 36
    for (one, box), (other, other_box) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (one, other)
    for one, box in boxes.items():
        assert BOARD.chart.frame.holds(box), one
        for city in BOARD.city:
            x, y = BOARD.chart.points[city]
            assert not box.overlaps(Box(x - CITY * 0.7, y - CITY * 0.7, CITY * 1.4, CITY * 1.4)), (one, city)


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
    told = " ".join(words(table, 0).split())
    assert "train at Boston-J34" in told
    assert "Tracks: Boston-J34, " in told
    assert "J34: Albany red, Boston Anna, New York Anna." in told


@pytest.mark.parametrize("show", [picture, words])
def test_who_has_begun_the_last_turns_is_told(show):
    assert "out of track and deliveries" not in show(at())
    assert show(at(out=1)).count("out of track and deliveries") == 1


def test_a_player_is_told_the_junctions_around_the_own_network_and_nobody_is_told_all():
    table = at(tracks=[line("boston", "j34", "new_york")])
    told = words(table, 0)
    assert "\nJ24: " in told
    assert "\nJ120: " not in told
    assert "JUNCTIONS" not in words(table, None)


def test_the_price_in_a_city_is_that_of_the_market():
    table = at(market=[["cloth", "cows", "oil"], ["pigs", "wood", "corn"], ["steel", "coal", "wheat"],
                       ["fruit", "flour", "cotton"]])  # fmt: skip
    svg = picture(table)
    for city, price in (("boston", "3"), ("albany", "2"), ("tulsa", "1")):
        x, y = BOARD.chart.points[city]
        middle = [text for text, box in labels(svg) if box.overlaps(Box(x - 2, y - 2, 4, 4))]
        assert price in middle, city


@pytest.mark.parametrize("show", [picture, words])
def test_what_is_asked_and_of_whom_is_said(show):
    one = table()
    decision = one.decisions()[0]
    assert f"{NAMES[decision.seat]}: {decision.prompt}" in " ".join(show(one).split())


@pytest.mark.parametrize("show", [picture, words])
def test_a_finished_game_names_the_winner_and_shows_every_hand(show):
    one = table(4, END)
    best = one.view(None).standings[0]
    shown = show(one)
    assert f"Game over: {NAMES[best.seat]} wins with ${best.score}." in shown
    assert shown.count("Route") >= 4


@pytest.mark.parametrize("show", [picture, words])
def test_hands_and_routes_are_shown_to_their_player_alone(show):
    one = table()
    assert "Route" not in show(one, None)
    assert show(one, 1).count("Route") == 1


@pytest.mark.parametrize("seat", [None, 0])
def test_two_worlds_that_a_viewer_cannot_tell_apart_look_and_read_the_same(seat):
    one = table()
    for seed in range(3):
        other = one.game.imagine(one.position, Viewer(seat), random.Random(seed))
        assert canonical(other) != one.position_json
        twin = Table(one.game, one.header, one.seed, canonical(other), one.sequence, one.head, one.sealed)
        assert picture(twin, seat) == picture(one, seat)
        assert words(twin, seat) == words(one, seat)


def test_cargo_aboard_and_delivered_is_told():
    table = at(contracts=[{"cloth": "cloth-1b", "cows": "cows-1a"}, {}])
    table = cargo(table, "cloth", delivered={"cows": "atlanta"})
    for shown in (picture(table), words(table)):
        assert "Cloth (aboard)" in shown
        assert "delivered to Atlanta" in shown


@pytest.mark.parametrize("show", [picture, words])
def test_the_board_is_called_what_it_is(show):
    assert "Board reconstructed-v1: not the published board." in show(table(2, START))


def test_the_words_fit_a_terminal():
    for one in some_tables():
        for seat in (None, 0):
            told = words(one, seat)
            assert max(map(len, told.splitlines())) <= 100
            assert all(c == "\n" or c.isprintable() for c in told)
            assert not re.search("[\u2500-\u259f]", told)


def test_a_hostile_name_stays_a_name():
    root = ET.fromstring(picture(table(3, MIDDLE, HOSTILE)))
    tags = {part.tag.removeprefix(SVG) for part in root.iter()}
    assert tags == {"svg", "title", "desc", "g", "rect", "path", "circle", "line", "text"}


@pytest.mark.parametrize("width", [600, 1200])
def test_the_picture_renders(width):
    assert png(picture(table(4, END, HOSTILE)), width).startswith(b"\x89PNG")


def test_a_board_of_one_s_own_is_drawn_with_its_own_places():
    data = msgspec.to_builtins(BOARD)
    data["name"] = data["fidelity"] = "my-copy"
    for city in data["cities"]:
        city["name"], city["x"] = city["name"][::-1].title(), 1400 - city["x"]
    for junction in data["junctions"]:
        junction["x"] = 1400 - junction["x"]
    game = open_game("spike", 2, board=read_board(Board, data))
    own, _ = open_table(game, NAMES[:2], bytes(32))
    found = dict(labels(game.picture(own.view(0))))
    assert "Notsob" in found
    assert game.board.chart.labels.keys() == BOARD.city.keys()

"""The picture and the words of a table of Kings of Air & Steam."""

import random
import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest

from referee.games import open_game
from referee.games.kings_of_air_and_steam.chart import GOODS as PAINTED
from referee.games.kings_of_air_and_steam.chart import ICONS
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import City
from referee.pictures.drawing import png
from referee.table import open_table
from tests.pictures import SVG, labels, view_box
from tests.positions import put
from tests.referee.games.kings_of_air_and_steam.merchant import merchant
from tests.referee.games.kings_of_air_and_steam.setups import GOODS, KEY, at, seal

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gil")
HOSTILE = (
    "<b>&\"'</b><script>x</script>&amp;",
    "W" * 32,
    "Ἀλέξανδρος Παπαδόπουλος Ωνάσης",
    "日本航空 ✈ Łódź",
    "a\x1b[31m\nb",
    "",
    "x" * 200,
)


@cache
def table(players, rows, names=NAMES, game="normal"):
    one, _ = open_table(open_game(KEY, players, {"game": game}), names[:players], bytes([players]) * 32)
    rng = random.Random(players)
    while not one.is_over and one.sequence < rows:
        if one.sealed_phase():
            for seat in one.missing():
                one.submit(seat, [merchant(one, seat, rng)])
            one.reveal()
        else:
            seat = one.decisions()[0].seat
            one.submit(seat, [merchant(one, seat, rng)])
    return one


def some_tables():
    return [
        table(2, 0),
        table(2, 9_999, HOSTILE),
        table(3, 60, game="basic"),
        table(5, 100, HOSTILE),
        table(7, 0, HOSTILE),
        table(7, 200),
        table(7, 9_999, HOSTILE),
    ]


@pytest.mark.parametrize("seat", [None, 0])
def test_every_word_of_the_picture_is_inside_it(seat):
    for one in some_tables():
        svg = one.game.picture(one.view(seat))
        whole = view_box(svg)
        assert whole.width == 1200
        assert [words for words, box in labels(svg) if not whole.holds(box)] == []


def test_hostile_names_stay_names():
    one = table(7, 200, HOSTILE)
    root = ET.fromstring(one.game.picture(one.view(None)))
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= {
        "svg", "title", "desc", "g", "rect", "path", "circle", "ellipse", "text",
    }  # fmt: skip
    assert "\x1b" not in one.game.text(one.view(None))


def test_the_picture_names_every_city_good_player_and_space():
    one = table(7, 200)
    words = [label for label, _ in labels(one.game.picture(one.view(None)))]
    area = assemble(one.game.board, one.position.layout)
    assert {one.game.board.city[city].name for city in area.city_at.values()} <= set(words)
    assert {good.capitalize() for good in GOODS} <= set(words)
    assert set(NAMES) <= set(words)
    assert area.landing <= set(words)


def test_every_good_has_a_colour_and_an_icon_of_its_own():
    assert set(PAINTED) == set(GOODS)
    assert len({paint.fill for paint in PAINTED.values()}) == 5
    assert set(ICONS) | {"machinery"} == set(GOODS)


def test_a_plan_is_drawn_face_down_for_the_others():
    one = at(2, "planning", agenda=["cycle", "planning"])
    seal(one, "plan 1 4 3d 2", "plan 0 1 1 2")
    mine, others = one.game.picture(one.view(0)), one.game.picture(one.view(1))
    assert [label for label, _ in labels(mine)].count("3d") == 1
    assert "3d" not in [label for label, _ in labels(others)]
    assert "planned 4d 3d 2" in one.game.text(one.view(0))
    assert "3 face down" in one.game.text(one.view(1))


def test_the_picture_tells_what_is_stored_and_where():
    one = at(2, depots=[{"K4": {"food": 13}}], cities={"raposa": ("food", 3, 2)})
    assert "13" in [label for label, _ in labels(one.game.picture(one.view(None)))]
    words = one.game.text(one.view(None))
    assert "K4 (13 food)" in words
    assert "Raposa L8: wants food, 2 of 3 slots filled." in words


def test_text_lines_are_short_and_nothing_is_empty():
    for one in some_tables():
        words = one.game.text(one.view(None))
        assert max(map(len, words.splitlines())) <= 220
        assert not re.search(r"[{}]|None", words)


def test_the_picture_becomes_a_png_of_any_width():
    one = table(3, 60, game="basic")
    for width in (600, 1200):
        data = png(one.game.picture(one.view(None)), width)
        assert data.startswith(b"\x89PNG")
        assert int.from_bytes(data[16:20]) == width


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"phase": "placement", "round": 0, "order": [0]}, "The table is being set up."),
        ({"phase": "planning"}, "Round 1 of 5, planning."),
        ({"phase": "action", "cycle": 3}, "Round 1 of 5, cycle 3 of 4."),
        ({"phase": "upkeep", "cycle": 4, "hold": ["food"]}, "Round 1 of 5, Upkeep."),
        ({"phase": "clearance", "round": 5, "cycle": 4}, "The Clearance, after 5 rounds."),
        ({"ending": "five_rounds", "round": 5, "cycle": 4}, "All 5 rounds are played."),
    ],
)
def test_picture_and_text_say_where_the_game_is(fields, line):
    one = at(2, **fields)
    assert line in [label for label, _ in labels(one.game.picture(one.view(None)))]
    assert any(words.startswith(line) for words in one.game.text(one.view(None)).splitlines())


def test_whoever_has_a_turn_to_come_is_named_also_when_asked_for_a_demand_tile():
    crew = {"characters": ["isaac", "flora_kingston"], "fulfilled": "raposa", "offered": ["food", "luxuries"]}
    one = at(2, "market_sense", order=[1], **crew)
    assert [decision.seat for decision in one.decisions()] == [1]
    assert "Then: Ben." in one.game.text(one.view(None))
    placing = at(2, "placement", order=[0, 1], round=0)
    assert "Then: Ben." in placing.game.text(placing.view(None))


def test_a_city_that_waits_is_told_from_a_closed_one():
    one = at(2)
    position = one.position
    position.cities["irdyo"], position.cities["raposa"] = City("", 0, {}, True), City("", 0)
    words = one.game.text(put(one, position).view(None))
    assert "Irdyo J11: takes no more deliveries." in words
    assert "Raposa L8: waits for a Demand tile." in words


def test_no_two_players_or_cities_share_a_sign_on_the_text_map():
    spaces = ["K4", "K7", "K10", "J5", "J10", "J3", "H8"]
    one = at(7, depots=[{space: {}} for space in spaces])
    drawn = one.game.text(one.view(None)).partition("\nMAP\n")[2]
    assert set(re.findall(r"\bd[a-z]\b", drawn)) == {"dg", "db", "dy", "dr", "do", "dv", "dk"}
    assert "k black" in drawn
    flower = at(7, boards="ABCDEFG")
    cities = re.findall(r"\b[A-Z]{2}\b", flower.game.text(flower.view(None)).partition("\nMAP\n")[2])
    assert len(cities) == len(set(cities)) == 15


def test_cards_teams_and_numbers_are_told_in_words():
    one = at(2, characters=["isaac", "flora_kingston"])
    position = one.position
    position.players[0].tokens, position.players[1].shown = 1, ["rose_and_thorn"]
    words = one.game.text(put(one, position).view(None))
    assert "The DaVinci (priority 2), I.S.A.A.C., 1 token.\n" in words
    assert "shown Rose & Thorn." in words

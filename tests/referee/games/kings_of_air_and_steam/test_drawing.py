"""The picture and the words of a table of Kings of Air & Steam."""

import random
import re
from functools import cache

import pytest

from referee.games.kings_of_air_and_steam.chart import GOODS as PAINTED
from referee.games.kings_of_air_and_steam.chart import ICONS
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import City
from tests.pictures import labels, overlaps, view_box
from tests.positions import HOSTILE, PLAYERS, put, seal, start
from tests.referee.games.kings_of_air_and_steam.merchant import merchants_move
from tests.referee.games.kings_of_air_and_steam.setups import GOODS, KEY, at


def words_of(table, seat=None, part="full"):
    """The text board in one line, however it is folded."""
    return " ".join(table.game.text(table.view(seat), part).split())


@cache
def after(players, rows, names=PLAYERS, game="normal"):
    """A game of merchants after some rows of its log, or at its end."""
    table, _ = start(KEY, players, {"game": game}, seed=bytes([players]) * 32, names=names)
    rng = random.Random(players)
    while not table.is_over and table.sequence < rows:
        merchants_move(table, rng)
    return table


def some_tables():
    return [
        after(2, 0),
        after(2, 9_999, HOSTILE),
        after(3, 60, game="basic"),
        after(5, 100, HOSTILE),
        after(7, 0, HOSTILE),
        after(7, 200),
        after(7, 9_999, HOSTILE),
    ]


def test_labels_stay_inside_and_apart_on_tables_fuller_than_those_of_random_games():
    for table in some_tables():
        svg = table.game.picture(table.view(0))
        found, whole = labels(svg), view_box(svg)
        assert [words for words, box in found if not whole.holds(box)] == []
        assert list(overlaps(found)) == []


def test_the_picture_names_every_city_good_player_and_space():
    table = after(7, 200)
    words = [label for label, _ in labels(table.game.picture(table.view(None)))]
    area = assemble(table.game.board, table.position.layout)
    assert {table.game.board.city[city].name for city in area.city_at.values()} <= set(words)
    assert {good.capitalize() for good in GOODS} <= set(words)
    assert set(PLAYERS) <= set(words)
    assert area.landing <= set(words)


def test_every_good_has_a_colour_and_an_icon_of_its_own():
    assert set(PAINTED) == set(GOODS)
    assert len({paint.fill for paint in PAINTED.values()}) == 5
    assert set(ICONS) | {"machinery"} == set(GOODS)


def test_a_plan_is_drawn_face_down_for_the_others():
    table = at(2, "planning", agenda=["cycle", "planning"])
    seal(table, "plan 1 4 3d 2", "plan 0 1 1 2")
    mine, others = table.game.picture(table.view(0)), table.game.picture(table.view(1))
    assert [label for label, _ in labels(mine)].count("3d D") == 2  # one planned, one in the deck
    assert [label for label, _ in labels(others)].count("3d D  ×2") == 1  # those of the other's own deck
    assert "3d D" not in [label for label, _ in labels(others)]
    assert "planned 4d (E), 3d (D), 2 (C)" in words_of(table, 0)
    assert "3 face down" in words_of(table, 1)


def test_the_picture_tells_what_is_stored_and_where():
    table = at(2, depots=[{"K4": {"food": 13}}], cities={"raposa": ("food", 3, 2)})
    assert "13" in [label for label, _ in labels(table.game.picture(table.view(None)))]
    words = words_of(table)
    assert "K4 (13 food)" in words
    assert "Raposa L8: wants food, 2 of 3 slots filled." in words


def test_marks_and_parts_say_where_what_is_on_offer_lies():
    table = at(2, depots=[{"K4": {"food": 1}}, {"K7": {}}], hold=["luxuries"], phase="upkeep")
    whole, alone = table.game.picture(table.view(0)), table.game.picture(table.view(0), "map")
    for mark in ("space K5", "lots K4 food", "via AB", "start K4", "destination raposa"):
        assert f'data-mark="{mark}"' in whole
        assert f'data-mark="{mark}"' in alone
    assert 'data-mark="lots hold luxuries"' in table.game.picture(table.view(0), "players")
    assert 'data-mark="good food"' in table.game.picture(table.view(0), "market")
    assert 'data-mark="cards 4d"' not in table.game.picture(table.view(None))  # a spectator has no cards


def test_a_closed_city_is_crossed_out_and_a_waiting_one_says_so():
    table = at(2)
    position = table.position
    position.cities["irdyo"], position.cities["raposa"] = City("", 0, {}, True), City("", 0)
    words = [label for label, _ in labels(table.game.picture(put(table, position).view(None)))]
    assert words.count("closed") == words.count("waits") == 1


def test_small_maps_use_the_room():
    for players in (2, 3, 7):
        table = after(players, 0)
        box = view_box(table.game.picture(table.view(None), "map"))
        spaces = [box for label, box in labels(table.game.picture(table.view(None), "map"))]
        used = max(box.x + box.width for box in spaces) - min(box.x for box in spaces)
        assert used > 0.85 * box.width


def test_letters_of_cards_and_costs_are_in_picture_and_text():
    table = at(2, "planning", agenda=["cycle"], cash=9)
    words = [label for label, _ in labels(table.game.picture(table.view(0)))]
    assert {"0 A", "1 B  ×2", "4d E  ×2"} <= set(words)
    assert "Next: Airship $3: room for 3; Train $2: rating 2" in words
    short = words_of(table, 0, "")
    assert "B: 1 (x2); C: 2 (x3); D: 3, 3d (x2); E: 4d (x2); F: 5dd." in short
    action = words_of(at(2, depots=[{"K4": {"machinery": 2}}]), 0, "")
    assert "Depot: $4 as the first on its Link, $7 otherwise." in action
    assert "Airship: $3: level 2, room for 3." in action
    assert "2 machinery from K4 to Sartainville: $4 a Good, 1 stop." in action


def test_the_short_text_fits_a_phone_and_has_nothing_that_the_decision_does_not_need():
    for players in (2, 5):
        table, _ = start(KEY, players, {"game": "normal"}, seed=b"short")
        rng = random.Random(players)
        while not table.is_over and table.position.round < 3:
            for decision in table.decisions():
                words = table.game.text(table.view(decision.seat))
                assert len(words.splitlines()) <= (33 if decision.phase == "placement" else 26)
                assert "MAP" not in words
            merchants_move(table, rng)


def test_the_parts_of_the_score_are_told_at_the_end():
    table = after(2, 9_999)
    for seat, player in enumerate(table.view(None).table.players):
        parts = [f"cash {player.cash}"] * bool(player.cash) + [f"Depots {10 * len(player.depots)}"]
        said = next(
            line for line in table.game.text(table.view(None)).splitlines() if PLAYERS[seat] in line and "$" in line
        )
        assert all(part in said for part in parts)
        words = [label for label, _ in labels(table.game.picture(table.view(None)))]
        assert any(label.startswith(" + ".join(parts)) for label in words)


def test_text_lines_are_short_and_nothing_is_empty():
    for table in some_tables():
        words = table.game.text(table.view(None), "full")
        assert max(map(len, words.splitlines())) <= 72
        assert not re.search(r"[{}]|None", words)


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
    table = at(2, **fields)
    assert line in [label for label, _ in labels(table.game.picture(table.view(None)))]
    assert any(words.startswith(line) for words in table.game.text(table.view(None)).splitlines())


def test_whoever_has_a_turn_to_come_is_named_also_when_asked_for_a_demand_tile():
    crew = {"characters": ["isaac", "flora_kingston"], "fulfilled": "raposa", "offered": ["food", "luxuries"]}
    table = at(2, "market_sense", order=[1], **crew)
    assert [decision.seat for decision in table.decisions()] == [1]
    assert "Then: Ben." in words_of(table)
    placing = at(2, "placement", order=[0, 1], round=0)
    assert "Then: Ben." in words_of(placing)


def test_a_city_that_waits_is_told_from_a_closed_one():
    table = at(2)
    position = table.position
    position.cities["irdyo"], position.cities["raposa"] = City("", 0, {}, True), City("", 0)
    words = table.game.text(put(table, position).view(None), "map")
    assert "Irdyo J11: takes no more deliveries." in words
    assert "Raposa L8: waits for a Demand tile." in words


def test_no_two_players_or_cities_share_a_sign_on_the_text_map():
    spaces = ["K4", "K7", "K10", "J5", "J10", "J3", "H8"]
    table = at(7, depots=[{space: {}} for space in spaces])
    drawn = table.game.text(table.view(None), "map").partition("\nMAP\n")[2]
    assert set(re.findall(r"\bd[a-z]\b", drawn)) == {"dg", "db", "dy", "dr", "do", "dv", "dk"}
    assert "k black" in drawn
    flower = at(7, boards="ABCDEFG")
    cities = re.findall(r"\b[A-Z]{2}\b", flower.game.text(flower.view(None), "map").partition("\nMAP\n")[2])
    assert len(cities) == len(set(cities)) == 15


def test_cards_teams_and_numbers_are_told_in_words():
    table = at(2, characters=["isaac", "flora_kingston"])
    position = table.position
    position.players[0].tokens, position.players[1].shown = 1, ["rose_and_thorn"]
    words = table.game.text(put(table, position).view(None), "players")
    assert "The DaVinci (priority 2), I.S.A.A.C., 1 token.\n" in words
    assert "shown Rose & Thorn (C)." in words

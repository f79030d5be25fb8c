"""The picture and the words of a table of Spike."""

import itertools
from functools import cache
from math import hypot

import msgspec
import pytest

from referee.contract import read_board
from referee.games import open_game
from referee.games.spike.board import Board
from referee.games.spike.chart import LETTER
from referee.games.spike.pieces import CROSSED, LIVERIES, PATTERNS, rail
from referee.pictures.drawing import INK, PAINTS, PANEL, Box
from referee.table import open_table
from tests.pictures import labels
from tests.positions import HOSTILE, PLAYERS, play, random_table, start
from tests.referee.games.spike.setups import BOARD, at, cargo, line

START, MIDDLE, END = 0, 90, 10_000
MARKET = [["cloth", "cows", "oil"], ["pigs", "wood", "corn"], ["steel", "coal", "wheat"], ["fruit", "flour", "cotton"]]


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


def text_board(table, seat=None, part=""):
    return table.game.text(table.view(seat), part)


def test_city_names_cover_neither_each_other_nor_a_city():
    boxes = {city: label.box for city, label in BOARD.chart.labels.items()}
    assert len(boxes) == 36
    for (city, box), (other, other_box) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (city, other)
    for city, box in boxes.items():
        assert BOARD.chart.frame.holds(box), city
        for thing in (BOARD.chart.plates, BOARD.chart.tags, BOARD.chart.strips):
            for place, drawn in thing.items():
                assert not box.overlaps(drawn), (city, place)


def test_letters_of_tracks_are_covered_by_no_name_and_hardly_by_a_plate():
    names = [label.box for label in BOARD.chart.labels.values()]
    for segment, spot in BOARD.chart.letters.items():
        letter = Box.around(*spot, LETTER)
        assert sum(letter.overlap(name) for name in names) < 0.2 * letter.width * letter.height, segment


def test_a_space_is_seen_for_at_least_a_fifth_of_its_way():
    chart = BOARD.chart
    for segment in BOARD.segments:
        (x1, y1), (x2, y2) = chart.spaces[segment.id]
        steps = [(x1 + (x2 - x1) * part / 40, y1 + (y2 - y1) * part / 40) for part in range(41)]
        names = [label.box for label in chart.labels.values()]
        free = [step for step in steps if not any(name.overlaps(Box.around(*step, 0.5)) for name in names)]
        seen = hypot(x2 - x1, y2 - y1) * len(free) / len(steps)
        whole = hypot(*(a - b for a, b in zip(chart.points[segment.a], chart.points[segment.b], strict=True)))
        assert seen >= whole / 5, segment.id


def test_the_viewer_sees_where_to_load_where_to_deliver_and_which_cities_are_on_the_route():
    contracts = [{"fruit": "fruit-3a", "cows": "cows-2a"}, {"oil": "oil-1a"}]
    table = at(contracts=contracts, routes=["r28", "r01"])
    svg = picture(table, 0)
    assert svg.count("#e8c77a") == 6 + 1  # three cities supply each of fruit and cows, and one crate is in the legend
    assert svg.count(f'fill="{INK}" stroke="{PANEL}" stroke-width="1.2"') == 5 + 1  # the start and four cities
    found = [words for words, _ in labels(svg)]
    assert {"11", "9"} <= set(found)  # Topeka pays 11 for cows
    assert picture(table, None).count("#e8c77a") == 0
    loaded = cargo(table, "fruit")
    assert picture(loaded, 0).count("#e8c77a") == 3 + 1


def test_parts_are_cut_out_of_the_whole():
    game_table = table(3, MIDDLE)
    view = game_table.view(0)
    whole = game_table.game.picture(view)
    for part in game_table.game.parts:
        words = {words for words, _ in labels(game_table.game.picture(view, part))}
        assert words <= {words for words, _ in labels(whole)}
        assert words
    assert "MARKET" in {words for words, _ in labels(game_table.game.picture(view, "market"))}
    assert "Boston" in {words for words, _ in labels(game_table.game.picture(view, "map"))}


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
    assert found.count("J34") == 1
    assert found.count("O") == len(track) + 2  # each track, the train, the train beside the name
    assert {"train at Boston-J34", "train at Topeka"} <= set(found)  # on the map a train may stand a little aside
    shown = " ".join(text_board(table, 0, "full").split())
    assert "train at Boston-J34" in shown
    assert "Tracks: Boston-J34, " in shown
    assert "J34: Albany red, Boston Anna, New York Anna." in shown


@pytest.mark.parametrize("show", [picture, text_board])
def test_who_has_begun_the_last_turns_is_told(show):
    assert "out of track and deliveries" not in show(at())
    assert show(at(out=1)).count("out of track and deliveries") == 1


def test_a_player_is_told_the_junctions_around_the_own_network_and_nobody_is_told_all():
    table = at(tracks=[line("boston", "j34", "new_york")])
    shown = text_board(table, 0, "map")
    assert "\nJ24: " in shown
    assert "\nJ120: " not in shown
    assert "JUNCTIONS" not in text_board(table, None, "map")
    assert "JUNCTIONS" not in text_board(table, 0)


def test_the_short_board_tells_what_is_near_with_its_pay_and_a_way():
    table = at(tracks=[line("boston", "albany")], market=MARKET, contracts=[{"fruit": "fruit-3a"}, {}])
    shown = " ".join(text_board(table, 0).split())
    assert "New York, cloth $3: from Albany black." in shown
    assert "Buffalo, cows $2: from Albany yellow to J24, blue to J23, green." in shown
    assert "Fruit from" in shown
    assert "Topeka 9" in shown


def test_the_short_board_is_short_and_no_line_is_the_same_every_turn():
    lines = set()
    for shown in some_tables():
        for seat in range(shown.game.seats):
            text = text_board(shown, seat)
            assert len(text.splitlines()) <= 28
            lines.add(text.splitlines()[-1])
    assert len(lines) > 5
    assert not any("published" in line for line in lines)


def test_both_sides_of_the_own_contracts_are_shown_where_they_are_chosen():
    table, _ = start("spike", 3, {"advanced": True})
    for commodity, contract in table.position.players[1].contracts.items():
        card = BOARD.contract[contract.card]
        for side in (card.a, card.b):
            city, value = max(side.items(), key=lambda item: item[1])
            for shown in (text_board(table, 1), picture(table, 1)):
                assert f"{BOARD.city[city].name} {value}" in " ".join(shown.split()), commodity
        other = card.b if contract.side == "a" else card.a
        hint = table.hints(1)(table.offers(1)[0]).values["contracts"][commodity]
        assert all(f"{BOARD.city[city].name} {value}" in hint for city, value in other.items())


@pytest.mark.rule("SP-F16")
@pytest.mark.parametrize("show", [picture, text_board])
def test_at_the_end_the_points_of_routes_and_what_the_money_comes_from_are_told(show):
    table = last_turn(routes=["r28", "r01"], scores=[20, 0], levels={"speed": 1})
    play(table, "draw deck")
    shown = " ".join(show(table, 1).split())
    assert "worth $9" in shown
    assert "new cities $23, deliveries $0, upgrades -$3, route $9" in shown


def last_turn(**fields):
    """Player 0 may draw the third Time card with the whole route from Indianapolis connected."""
    cities = ("indianapolis", "raleigh", "columbia", "jacksonville", "tampa")
    tracks = [next(iter(BOARD.exits[city].values())).id for city in cities]
    return at(round=3, time_cards=2, deck=["time"], lower=1, contracts=[{}], tracks=[tracks], **fields)


def test_the_price_in_a_city_is_that_of_the_market():
    table = at(market=[["cloth", "cows", "oil"], ["pigs", "wood", "corn"], ["steel", "coal", "wheat"],
                       ["fruit", "flour", "cotton"]])  # fmt: skip
    svg = picture(table)
    for city, price in (("boston", "3"), ("albany", "2"), ("tulsa", "1")):
        x, y = BOARD.chart.points[city]
        middle = [text for text, box in labels(svg) if box.overlaps(Box(x - 2, y - 2, 4, 4))]
        assert f"${price}" in middle, city


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
    for shown in (picture(table), text_board(table, None, "full")):
        assert "Cloth (aboard)" in shown
        assert "delivered to Atlanta" in shown
    assert "Delivered: cows to Atlanta." in text_board(table, 0)
    assert "Cloth aboard: Cleveland 5" in text_board(table, 0)


def test_the_text_board_fits_a_terminal():
    for shown in some_tables():
        for seat in (None, 0):
            for part in ("", "full", *shown.game.parts):
                assert max(map(len, text_board(shown, seat, part).splitlines())) <= 72


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

"""The picture and the words of a table of Tin Goose."""

import itertools
import math
import re
from functools import cache

import msgspec
import pytest

from referee.games import load_board, open_game
from referee.games.tin_goose.chart import CITY, FRAME, GOAL, ROOM, Lens, chart, is_inside, nearest_point
from referee.games.tin_goose.events import dollars
from referee.games.tin_goose.hints import condition_effect
from referee.games.tin_goose.map_drawing import CITIES, SEATS
from referee.games.tin_goose.panels import amounts
from referee.games.tin_goose.text import card_label
from referee.pictures.drawing import PAINTS, Box
from referee.table import Table, open_table
from tests.pictures import labels, overlaps, view_box
from tests.positions import HOSTILE, PLAYERS, random_table
from tests.referee.games.tin_goose.setups import BOARD, GAME, at, demand, own

START, MIDDLE, END = 0, 150, 10_000


@cache
def table(seats: int = 5, moves: int = MIDDLE, names: tuple[str, ...] = PLAYERS) -> Table:
    return random_table("tin-goose", seats, moves, names)


def crowded() -> Table:
    """Everybody nearly everywhere, with as much in front of them as there can be."""
    cities = list(BOARD.city)
    players = {
        seat: {
            "cities": cities[seat:],
            "international": list(BOARD.destination),
            "fleets": own("G12", "B17", "B20", "R19", "R17", "R04", "R12", "R22", "G01"),
            "extensions": 40,
            "conditions": list(BOARD.condition),
            "cash": 1234,
            "bonds": 17,
        }
        for seat in range(5)
    }
    tokens = demand(**{city: (1, 0) if index % 2 else (0, 4) for index, city in enumerate(cities)})
    return at(5, me=players[0], others=players, demand=tokens)


def some_tables() -> list[Table]:
    """Every number of seats, every stage, names of all kinds."""
    return [
        table(3, START),
        table(3, END, HOSTILE),
        table(4, MIDDLE, HOSTILE),
        table(5, 7),
        table(5, START, HOSTILE),
        table(5, MIDDLE),
        table(5, END, HOSTILE),
        crowded(),
    ]


def test_a_crowded_picture_has_room_for_every_word():
    full = crowded()
    for seat in (None, 0):
        svg = full.game.picture(full.view(seat))
        assert list(overlaps(labels(svg))) == []
        assert all(view_box(svg).holds(box) for _, box in labels(svg))


def test_city_names_cover_no_other_name_and_no_city():
    drawn = chart(BOARD)
    boxes = {city: name.box for city, name in drawn.names.items()}
    assert set(boxes) == set(BOARD.city)
    for (city, box), (other, other_box) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (city, other)
    for city, box in boxes.items():
        assert FRAME.holds(box), city
        for town, (x, y) in drawn.cities.items():
            assert not box.overlaps(Box(x - CITY, y - CITY, 2 * CITY, 2 * CITY).grown(-2)), (city, town)


def test_cities_stand_apart_and_in_their_hexes():
    drawn = chart(BOARD)
    for (ax, ay), (bx, by) in itertools.combinations(drawn.cities.values(), 2):
        assert (ax - bx) ** 2 + (ay - by) ** 2 >= (ROOM - 2) ** 2
    grid = BOARD.drawing.hexes
    for city in BOARD.cities:
        column, row = city.hex
        dx = abs(city.x - grid.x - grid.column * column)
        dy = abs(city.y - grid.y - grid.row * (row + column % 2 / 2))
        assert dy <= grid.row / 2, city.id
        assert dx / (grid.column / 1.5) + dy / grid.row <= 1, city.id


def test_majors_are_square_and_cities_have_their_colours():
    table_shown = table(5, START)
    svg = table_shown.game.picture(table_shown.view(None))
    for colour, paint in CITIES.items():
        of_colour = [city for city in BOARD.cities if city.colour == colour]
        squares = len(re.findall(rf'<rect [^>]*stroke="{paint}" stroke-width="4.4"', svg))
        circles = len(re.findall(rf'<circle [^>]*stroke="{paint}" stroke-width="4.4"', svg))
        in_legend = {"green": (0, 1), "blue": (1, 0), "magenta": (0, 2), "black": (0, 0)}[colour]
        assert squares - in_legend[0] == sum(city.major for city in of_colour)
        assert circles - in_legend[1] == sum(not city.major for city in of_colour)


def test_demand_is_shown_as_a_number_in_the_city():
    table_shown = at(3, demand=demand(reno=(0, 3), chicago=(1, 0)))
    found = labels(table_shown.game.picture(table_shown.view(None)))
    drawn = chart(BOARD)
    for city, number in (("reno", "3"), ("chicago", "1")):
        x, y = drawn.cities[city]
        assert [words for words, box in found if box.x < x < box.x + box.width and box.y < y < box.y + box.height] == [
            number
        ]
    for part in ("map", "full"):
        assert "Gold: Chicago." in table_shown.game.text(table_shown.view(None), part)
        assert "Silver: Reno 3." in table_shown.game.text(table_shown.view(None), part)


def test_each_plane_stands_below_its_city_in_its_players_colour():
    table_shown = at(3, others={1: {"cities": ["reno"]}})
    view = table_shown.view(None)
    letters = [
        words for words, box in labels(table_shown.game.picture(view)) if FRAME.holds(box) and words in ("R", "Y", "W")
    ]
    assert sorted(letters) == ["R", "W", "Y"]
    assert [PAINTS[seat].letter for seat in SEATS[:3]] == ["R", "Y", "W"]
    assert not {PAINTS[seat].fill for seat in SEATS} & set(CITIES.values())


def test_a_spectator_sees_no_money_and_no_card_but_a_player_sees_both():
    table_shown = table()
    game, hand = table_shown.game, table_shown.position.players[1].hand
    pictures = [game.picture(table_shown.view(seat)) for seat in (None, 1)]
    texts = [" ".join(game.text(table_shown.view(seat), "full").split()) for seat in (None, 1)]
    for spectator, owner in (pictures, texts):
        assert spectator.count("labor chips secret") == 5
        assert owner.count("labor chips secret") == 4
    assert not any(f'data-mark="card {card}"' in pictures[0] for card in hand)
    assert all(f'data-mark="card {card}"' in pictures[1] for card in hand)
    assert not any(card_label(BOARD, card) in texts[0] for card in hand)
    assert all(card_label(BOARD, card) in texts[1] for card in hand)


@pytest.mark.parametrize("show", ["picture", "text"])
def test_a_sealed_move_that_has_come_in_is_said_without_what_it_is(show):
    two_in = table(5, 2)
    assert two_in.sealed
    shown = " ".join(getattr(two_in.game, show)(two_in.view(None)).split())
    assert "Sealed: 2 of 5 have come in." in shown
    assert "Cora, Dirk and Eva: Bid" in shown


@pytest.mark.parametrize("show", ["picture", "text"])
def test_the_airmail_routes_to_choose_from_are_shown(show):
    table_shown = table(5, 7)
    assert table_shown.position.phase == "airmail_choice"
    shown = getattr(table_shown.game, show)(table_shown.view(None))
    for route in table_shown.position.airmail:
        assert table_shown.game.vocabulary["airmail"][route][0] in shown


@pytest.mark.parametrize("show", ["picture", "text"])
def test_the_auction_and_the_payments_are_told(show):
    table_shown = at(3, "auction", card="G12", bidding={"answered": 1, "amount": 9, "seat": 1})
    shown = " ".join(getattr(table_shown.game, show)(table_shown.view(None)).split())
    assert "The highest bid is $9, by Ben." in shown  # under the first rules, which keep no other bid
    table_shown = at(4, "auction", card="G12", bidding={"answered": 2, "amount": 9, "seat": 1, "bids": [9, 0]})
    shown = " ".join(getattr(table_shown.game, show)(table_shown.view(None)).split())
    assert "Ben bids $9 and Cora passes." in shown
    assert "Still to answer: Dirk, Anna." in shown
    paid = at(3, payments=[{"seat": 2, "amount": 30, "bonds": 2}])
    shown = " ".join(getattr(paid.game, show)(paid.view(None)).split())
    assert "Paid: Cora $30 with 2 emergency bonds." in shown


@pytest.mark.parametrize("show", ["picture", "text"])
def test_international_service_is_told_once_though_it_counts_twice(show):
    for action, listed in (("international service", "international service (two actions)"), ("bond", "bond, bond")):
        table_shown = at(3, taken=[action] * 2)
        shown = " ".join(getattr(table_shown.game, show)(table_shown.view(None)).split())
        assert f"Actions taken: {listed}." in shown


@pytest.mark.parametrize("show", ["picture", "text"])
def test_a_finished_game_names_the_winner_and_everybodys_score(show):
    table_shown = table(5, END)
    shown = " ".join(getattr(table_shown.game, show)(table_shown.view(None)).split())
    best = table_shown.view(None).standings[0]
    assert f"Game over: {PLAYERS[best.seat]} wins with" in shown
    assert all(f"${abs(standing.score)}" in shown for standing in table_shown.view(None).standings)
    assert "secret" not in shown


def test_the_words_tell_what_planes_of_each_size_on_the_cards_reach():
    def last_lines(*fleets):
        table_shown = at(3, me={"fleets": [*own("B20", "R19", planes=0), *own(*fleets)]})
        networks = table_shown.game.text(table_shown.view(None), "map").partition("NETWORKS")[2]
        return networks.partition("Ben")[0].splitlines()

    small = "  Thick lines lead to: Medford, Reno, Los Angeles."
    medium = [
        "  Medium planes reach: Portland, Medford, Boise, Reno, Los Angeles,",
        "    San Diego, Las Vegas, Phoenix, Salt Lake City.",
    ]
    assert last_lines("G01")[-1:] == [small]
    assert last_lines("G01", "B21")[-3:] == [small, *medium]
    assert last_lines("R20")[-2:] == [small, "  Large planes reach every city."]


@pytest.mark.parametrize("show", ["picture", "text"])
def test_who_begins_each_round_is_told_from_the_choice_of_routes_to_the_end(show):
    for table_shown, times in ((table(5, START), 0), (table(), 1), (table(5, END), 0)):
        part = ("full",) if show == "text" else ()
        shown = " ".join(getattr(table_shown.game, show)(table_shown.view(None), *part).split())
        assert shown.count("begins each round") == times


def test_the_text_board_fits_a_phone():
    for shown in some_tables():
        for seat, part in itertools.product((None, 0), ("", "full", *GAME.parts)):
            assert max(map(len, shown.game.text(shown.view(seat), part).splitlines())) <= 72


def test_the_short_text_board_is_short():
    """About 25 lines: a little more only for somebody with planes of all sizes and far to fly."""
    lengths = []
    for moves in range(0, 260, 6):
        shown = table(5, moves)
        lengths += [len(shown.game.text(shown.view(seat)).splitlines()) for seat in (None, 0, 3)]
    assert max(lengths) <= 30
    assert sum(lengths) / len(lengths) <= 22


@pytest.mark.rule("TG-F24")
def test_the_words_tell_what_conditions_do_and_what_airmail_pays():
    bidder = at(3, "auction", card="G12", active=2, me={"conditions": list(BOARD.condition)})
    short, full = (" ".join(bidder.game.text(bidder.view(0), part).split()) for part in ("", "full"))
    for words in ("4 flames less", "$30 now", "income again", "barrels $1 cheaper", "the first action is free"):
        assert words in short
    for condition in BOARD.condition:
        assert f"{BOARD.condition[condition].name}: {condition_effect(BOARD, condition)}." in full
    actor = at(3, me={"airmail": "A1"})
    for part in ("", "full", "players"):
        assert "Airmail: Seattle-Los Angeles, pays $40." in actor.game.text(actor.view(0), part)


@pytest.mark.rule("TG-F19")
def test_no_city_touches_the_border_of_its_hex():
    """What a medium plane reaches is read off the hexes."""
    drawn = chart(BOARD)
    lens = Lens(BOARD.cities)
    by_place = dict(zip(sorted({city.hex for city in BOARD.cities}), drawn.hexes, strict=True))
    for city in BOARD.cities:
        place, border = drawn.cities[city.id], by_place[city.hex]
        assert is_inside(lens(city.x, city.y), border), city.id
        assert is_inside(place, border), city.id
        assert math.dist(place, nearest_point(place, border)) > CITY + 2, city.id


@pytest.mark.rule("TG-F24")
def test_the_goal_of_each_airmail_route_has_an_envelope_on_the_map_until_it_is_reached():
    def letters(**me):
        shown = at(3, me=me)
        goal = Box(*chart(BOARD).goals["los_angeles"], GOAL.width, GOAL.height)
        return [words for words, box in labels(shown.game.picture(shown.view(None), "map")) if goal.overlaps(box)]

    assert letters(airmail="A1") == ["R"]
    assert letters(airmail="") == []
    for city, (x, y) in chart(BOARD).goals.items():
        box = Box(x, y, GOAL.width, GOAL.height)
        assert not any(box.overlap(name.box) > 20 for name in chart(BOARD).names.values()), city


@pytest.mark.rule("TG-F25")
def test_the_end_picture_has_the_parts_of_every_score():
    shown = table(5, END)
    view = shown.view(None)
    found = [words for words, _ in labels(shown.game.picture(view, "players"))]
    for score in view.table.scores:
        assert all(amount in found for amount in amounts(score))
        assert f"money {dollars(score.cash)}" in shown.game.text(view)


def test_the_own_conditions_say_what_they_do_and_no_room_is_left_for_none():
    def height(conditions):
        shown = at(3, me={"conditions": conditions, "hand": []})
        svg = shown.game.picture(shown.view(0), "players")
        return view_box(svg).height, [words for words, _ in labels(svg)]

    few, none = height(list(BOARD.condition)), height([])
    assert "4 flames more" in few[1]
    assert "first action: advance" in few[1]
    assert none[0] < few[0] - 100


def test_rounds_are_told_in_the_plural_where_there_are_two():
    shown = table(5, START)
    svg = shown.game.picture(shown.view(None), "track")
    assert "rounds 1 and 2, now" in svg
    assert "round 1 and 2" not in svg


def test_a_board_of_ones_own_is_drawn_with_its_own_cities():
    data = msgspec.to_builtins(BOARD)
    data["name"] = data["fidelity"] = "my-copy"
    for city in data["cities"]:
        city["name"], city["x"], city["y"] = city["name"][::-1].title(), city["x"] // 2, city["y"] + 90
    game = open_game("tin-goose", 5, board=load_board(GAME, msgspec.yaml.encode(data).decode()))
    mine, _ = open_table(game, PLAYERS[:5], bytes(32))
    svg = game.picture(mine.view(0))
    found = dict(labels(svg))
    assert {"Elttaes", "Ogacihc"} <= set(found)
    assert all(view_box(svg).holds(box) for box in found.values())
    assert "Board my-copy: not the published board." in svg

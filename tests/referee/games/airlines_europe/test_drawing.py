"""The picture and the words of a table of Airlines Europe."""

import itertools
import re
from functools import cache
from typing import Any

import msgspec
import pytest

from referee.contract import Game, View, read_board
from referee.games import all_games, open_game, shipped_board
from referee.games.airlines_europe.chart import FRAME, LICENCE, chart, radius_of
from referee.pictures.drawing import Box
from referee.pictures.wording import NO_BREAK
from referee.table import Table, open_table
from tests.pictures import labels, overlaps, view_box
from tests.positions import HOSTILE, random_table
from tests.referee.games.airlines_europe.setups import at

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve")
BOARD = shipped_board(all_games()["airlines-europe"])
START, MIDDLE, END = 0, 150, 10_000


@cache
def played(seats: int = 5, moves: int = MIDDLE, names: tuple[str, ...] = NAMES, seed: int = 1) -> Table:
    """A game after some random moves."""
    return random_table("airlines-europe", seats, moves, names, seed=seed)


def some_tables() -> list[Table]:
    """Every number of seats, every stage, names of all kinds."""
    return [
        played(2, START),
        played(2, END, HOSTILE),
        played(3, MIDDLE, HOSTILE),
        played(4, END),
        played(5, START, HOSTILE),
        played(5, MIDDLE),
        played(5, MIDDLE, HOSTILE),
        played(5, END, HOSTILE),
    ]


def test_city_names_cover_no_other_name_no_licence_and_no_city() -> None:
    drawn = chart(BOARD)
    boxes = {city: name.box for city, name in drawn.names.items()}
    assert len(boxes) == len(BOARD.cities)
    for (city, box), (other, other_box) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (city, other)
    for city, box in boxes.items():
        assert FRAME.holds(box), city
        for line in drawn.lines.values():
            for x, y, _ in line.spots:
                assert not box.overlaps(Box.around(x, y, LICENCE)), (city, x, y)
        for town, (x, y) in drawn.cities.items():
            assert not box.overlaps(Box.around(x, y, radius_of(BOARD, town) * 0.8)), (city, town)


def test_no_two_licences_touch_and_none_lies_on_a_city() -> None:
    drawn = chart(BOARD)
    spots = [(x, y, LICENCE) for line in drawn.lines.values() for x, y, _ in line.spots]
    assert len(spots) == sum(len(route.licences) for route in BOARD.routes)
    towns = [(x, y, radius_of(BOARD, city)) for city, (x, y) in drawn.cities.items()]
    for (x, y, radius), (x2, y2, other) in itertools.combinations([*spots, *towns], 2):
        assert (x - x2) ** 2 + (y - y2) ** 2 >= (radius + other) ** 2, ((x, y), (x2, y2))


def test_each_licence_shows_its_cost_until_it_is_sold() -> None:
    table = played()
    view = table.view(None)
    drawn = chart(table.game.board)
    shown = {(round(box.x + box.width / 2), round(box.y)): words for words, box in labels(table.game.picture(view))}
    sold = 0
    for route in table.game.board.routes:
        owners = view.table.licences.get(route.id, ())
        for index, (x, _, _) in enumerate(drawn.lines[route.id].spots):
            there = [words for (left, _), words in shown.items() if left == round(x)]
            assert (
                any(len(words) == 1 and words.isalpha() for words in there)
                if index < len(owners)
                else (str(route.licences[index]) in there)
            )
            sold += index < len(owners)
    assert sold > 20


def test_a_spectator_sees_no_points_and_no_hand_but_a_player_sees_both() -> None:
    table = played()
    spectator, player = (table.game.picture(table.view(seat)) for seat in (None, 1))
    assert [words for words, _ in labels(spectator)].count("secret") == 5
    assert [words for words, _ in labels(player)].count("secret") == 4
    assert "in hand" not in spectator
    assert "in hand" in player
    assert "Hand: " not in table.game.text(table.view(None))
    assert table.game.text(table.view(1)).count("Hand: ") == 1


@pytest.mark.parametrize("show", ["picture", "text"])
def test_a_sealed_move_that_has_come_in_is_said_without_what_it_is(show: str) -> None:
    two_in = played(5, 2)
    assert two_in.sealed
    shown = " ".join(getattr(two_in.game, show)(two_in.view(None)).split())
    assert "Sealed: 2 of 5 have come in." in shown
    assert "Cid, Dee and Eve: Choose" in shown
    assert shown.count("sealed move is in" if show == "text" else ">sealed<") == 2


@pytest.mark.parametrize("show", ["picture", "text"])
def test_a_finished_game_names_the_winner_and_everybody_s_points(show: str) -> None:
    table = played(5, END)
    shown = getattr(table.game, show)(table.view(None))
    best = table.view(None).standings[0]
    assert f"Game over: {NAMES[best.seat]} wins with {best.score} points." in shown
    assert all(re.search(rf"\b{standing.score}\b", shown) for standing in table.view(None).standings)
    assert "secret" not in shown


def test_the_final_standings_are_told_best_first_with_what_breaks_a_tie() -> None:
    table = at(2, vp=[7, 9], holdings=[{}, {"air_abacus": 2}], ending="third_scoring", scorings=3)
    words = table.game.text(table.view(None))
    assert "\n\nFINAL STANDINGS\n1. Ben, 9 points, 2 Air ABACUS\n2. Anna, 7 points, 0 Air ABACUS\n\nAIRLINES\n" in words


def with_airline(view: View, airline: str, **changes: object) -> View:
    airlines = view.table.airlines | {airline: msgspec.structs.replace(view.table.airlines[airline], **changes)}
    return msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, airlines=airlines))


def test_a_bonus_is_shown_until_it_is_won() -> None:
    table = played(5, START)
    view = table.view(None)
    assert "G +8" in [words for words, _ in labels(table.game.picture(view))]
    assert "8 at Athens" in table.game.text(view)
    won = with_airline(view, "green", bonus=False)
    assert "G +8" not in [words for words, _ in labels(table.game.picture(won))]
    assert "8 at Athens" not in table.game.text(won)


def test_a_blocked_airline_is_called_so() -> None:
    table = played(5, START)
    blocked = with_airline(table.view(None), "red", routes=())
    assert "blocked" not in table.game.picture(table.view(None))
    assert "blocked" in table.game.picture(blocked)
    assert "13, blocked" in table.game.text(blocked)


def test_all_markers_may_stand_on_one_space() -> None:
    table = played(5, START)
    view = table.view(None)
    for airline in view.table.airlines:
        view = with_airline(view, airline, marker=80)
    svg = table.game.picture(view)
    assert all(view_box(svg).holds(box) for _, box in labels(svg))
    assert list(overlaps(labels(svg))) == []


def test_an_empty_market_is_drawn_and_told() -> None:
    table = played(2, START)
    view = table.view(None)
    bare = msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, market=(), deck_size=0))
    assert "empty" in [words for words, _ in labels(table.game.picture(bare))]
    assert "On offer: none." in table.game.text(bare)


def test_the_words_fit_a_terminal() -> None:
    for table in some_tables():
        for seat in (None, 0):
            assert max(map(len, table.game.text(table.view(seat)).splitlines())) <= 100


def test_every_licence_that_is_offered_is_told_with_its_cost() -> None:
    table = played(5, MIDDLE)
    words = " ".join(table.game.text(table.view(None)).split())
    (decision,) = table.decisions()
    offers = [offer for offer in table.offers(decision.seat) if offer.move.__name__ == "Buy"]
    assert offers
    for offer in offers:
        part = words.partition(f"{next(offer.domains['airline'].values())}, home ")[2].partition(", home ")[0]
        for route in offer.domains["route"].values():
            name = table.game.vocabulary["route"][route][0]
            cost = table.game.board.route[route].licences[len(table.view(None).table.licences.get(route, ()))]
            assert f"{name} {cost}" in part


def test_the_words_tell_market_piles_money_hands_and_holdings() -> None:
    table = at(
        2, hands=[{"red": 1, "air_abacus": 2}, {"grey": 1}], holdings=[{"air_abacus": 1, "white": 2}, {}],
        licences={"london-paris": ["grey", "red"]}, planes={"grey": 7}, discards={"black": 3}, vp=[5, 9], scorings=1,
    )  # fmt: skip
    words = table.game.text(table.view(0))
    assert words.splitlines()[2:5] == ["The 2nd scoring comes next. You are Anna.", "", "AIRLINES"]
    assert "\ngrey    Flying Is Simply Fun        9  2, 1, 0                   7  10 at Ankara\n" in words
    assert """
MARKET
On offer: 1 red, 1 black, 1 brown, 1 green, 1 orange.
Draw pile: 12 cards. Discarded: 3. Air ABACUS left: 20. Bank: 44 million.
Air ABACUS points by rank: 1st scoring 4, 2, 1, 0; 2nd scoring (next) 8, 4, 2, 1, 0;
    3rd scoring 16, 8, 4, 2, 1.

PLAYERS
Anna (you, to move): 8 million, 5 points, 3 cards in hand, 2 of them Air ABACUS.
  Holdings: 2 white, 1 Air ABACUS.
  Hand: 1 red, 2 Air ABACUS.
Ben: 8 million, points secret, 1 card in hand.
  Holdings: none.
""" in words.replace(NO_BREAK, " ")
    assert "\ngrey, home London, has: London-Paris.\n  Next: Amsterdam-Paris 3, Dublin-London 3" in words
    assert "\nblack, home Budapest, has: none.\n" in words


@pytest.mark.parametrize(
    ("fields", "line", "following"),
    [
        ({"scorings": 0}, "The 1st scoring comes next.", "1st"),
        ({"scorings": 2}, "The 3rd scoring comes next.", "3rd"),
        ({"scorings": 2, "phase": "clearing"}, "The 2nd scoring begins.", "2nd"),
        ({"scorings": 3, "ending": "third_scoring"}, "All 3 scorings are done.", None),
        ({"scorings": 1, "ending": "blocked"}, "The last scoring came early.", None),
    ],
)
def test_the_scoring_that_comes_next_is_said(fields: dict[str, Any], line: str, following: str | None) -> None:
    table = at(3, **fields)
    words = table.game.text(table.view(None)).replace(NO_BREAK, " ")
    assert f"\n{line}\n" in words
    assert re.findall(r"(\w+) scoring \(next\)", words) == ([following] if following else [])
    assert line in [words for words, _ in labels(table.game.picture(table.view(None)))]


def own_game(data: dict[str, Any]) -> Game[Any, Any, Any]:
    data["name"] = data["fidelity"] = "my-copy"
    return open_game("airlines-europe", 5, board=read_board(type(BOARD), data))


def test_a_board_of_one_s_own_is_drawn_with_its_own_cities_and_airlines() -> None:
    data = msgspec.to_builtins(BOARD)
    for city in data["cities"]:
        city["name"], city["lat"], city["lon"] = city["name"][::-1].title(), city["lat"] * 0.9, city["lon"] + 3
    for airline in data["airlines"]:
        airline["id"] = airline["id"].replace("white", "pink")
    game = own_game(data)
    own, _ = open_table(game, NAMES, bytes(32))
    svg = game.picture(own.view(0))
    found = dict(labels(svg))
    assert {"Sirap", "Emor", "P"} <= set(found)
    assert all(view_box(svg).holds(box) for box in found.values())


def test_long_city_names_make_way_for_each_other() -> None:
    data = msgspec.to_builtins(BOARD)
    for city in data["cities"]:
        city["name"] += " Airport"
    boxes = [name.box for name in chart(own_game(data).board).names.values()]
    assert not any(box.overlaps(other) for box, other in itertools.combinations(boxes, 2))

"""The picture and the words of a table of Airlines Europe."""

import itertools
import re
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from referee.contract import Game, View, read_board
from referee.games import all_games, open_game, shipped_board
from referee.games.airlines_europe.chart import FRAME, LICENCE, chart, radius_of
from referee.games.airlines_europe.events import Scored
from referee.log import Entry
from referee.options import sample
from referee.pictures.drawing import Box
from referee.pictures.wording import NO_BREAK
from referee.table import Table, open_table
from tests.pictures import labels, overlaps, view_box
from tests.positions import HOSTILE, random_table, start
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
    game, view = two_in.game, two_in.view(None)
    shown = " ".join((game.picture(view) if show == "picture" else game.text(view, "full")).split())
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
    assert "\n\nFINAL STANDINGS\n1. Ben, 9 points, 2 Air ABACUS\n2. Anna, 7 points, 0 Air ABACUS\n\n" in words
    one = at(2, vp=[0, 1], ending="third_scoring", scorings=3)
    assert "Ben wins with 1 point." in one.game.text(one.view(None))


def with_airline(view: View, airline: str, **changes: object) -> View:
    airlines = view.table.airlines | {airline: msgspec.structs.replace(view.table.airlines[airline], **changes)}
    return msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, airlines=airlines))


def test_a_bonus_is_shown_until_it_is_won() -> None:
    table = played(5, START)
    view = table.view(None)
    assert "G +8" in [words for words, _ in labels(table.game.picture(view))]
    assert "green moves 8 more when it links Stockholm with Athens." in table.game.text(view, "track")
    won = with_airline(view, "green", bonus=False)
    assert "G +8" not in [words for words, _ in labels(table.game.picture(won))]
    assert "green moves 8 more" not in table.game.text(won, "track")


def test_the_name_of_a_goal_city_stands_next_to_it() -> None:
    table = played(5, START)
    drawn, found = chart(BOARD), dict(labels(table.game.picture(table.view(None))))
    for airline in BOARD.airlines:
        if airline.goal:
            (x, y), box = drawn.cities[airline.goal], found[BOARD.city[airline.goal].name]
            across = max(box.x - x, x - box.x - box.width, 0)
            down = max(box.y - y, y - box.y - box.height, 0)
            assert max(across, down) < radius_of(BOARD, airline.goal) + 20, airline.goal


def test_a_blocked_airline_is_called_so_and_its_planes_are_counted() -> None:
    table = played(5, START)
    blocked = with_airline(table.view(None), "red", routes=())
    counts = [words for words, _ in labels(table.game.picture(blocked))].count
    assert counts("13") == [words for words, _ in labels(table.game.picture(table.view(None)))].count("13")
    assert "blocked" not in table.game.picture(table.view(None))
    assert "blocked" in table.game.picture(blocked)
    assert re.search(r"\nred .* 13  blocked ", table.game.text(blocked, "track"))


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
    assert "MARKET: none." in table.game.text(bare)


def test_every_licence_that_is_offered_is_told_with_its_cost_and_how_many_are_left() -> None:
    table = played(5, MIDDLE)
    words = " ".join(table.game.text(table.view(None), "map").split())
    (decision,) = table.decisions()
    offers = [offer for offer in table.offers(decision.seat) if offer.move.__name__ == "Buy"]
    assert offers
    for offer in offers:
        part = words.partition(f"{next(offer.domains['airline'].values())} (")[2].partition(", home ")[2]
        for route in offer.domains["route"].values():
            name = table.game.vocabulary["route"][route][0]
            sold = len(table.view(None).table.licences.get(route, ()))
            costs = table.game.board.route[route].licences
            assert f"{name} {costs[sold]} ({len(costs) - sold} left)" in part.partition(", home ")[0]


def full(table: Table, seat: int | None = None, part: str = "full") -> str:
    return table.game.text(table.view(seat), part).replace(NO_BREAK, " ")


def holdings_table() -> Table:
    return at(
        2, hands=[{"red": 1, "air_abacus": 2}, {"grey": 1}], holdings=[{"air_abacus": 1, "white": 2}, {}],
        licences={"london-paris": ["grey", "red"]}, planes={"grey": 7}, discards={"black": 3}, vp=[1, 9], scorings=1,
    )  # fmt: skip


def test_the_short_board_tells_what_a_turn_needs() -> None:
    assert (
        full(holdings_table(), 0, "")
        == """\
AIRLINES EUROPE, after move 0
Anna: One action: buy a licence, play shares, trade shares for Air
    ABACUS, or take 8 million.
The 2nd scoring comes next. You are Anna.

YOU have 8 million and 1 point.
  Hand: 1 red, 2 Air ABACUS.
  Holdings: 2 white, 1 Air ABACUS.
MARKET: 1 red, 1 black, 1 brown, 1 green, 1 orange.
Draw pile: 12 cards. Air ABACUS left: 20. Bank: 44 million.

Colour  At  Pays   More     Planes  Routes    Bonus  A  B
red      4  1-0    2 at 6       13  8 from 3  -      -  -
black    6  2-1-0  3 at 11      11  4 from 3  -      -  -
brown    7  2-1-0  3 at 11      10  4 from 3  -      -  -
green    8  2-1-0  3 at 11       9  4 from 3  +8     -  -
orange   8  2-1-0  3 at 11       9  6 from 3  +8     -  -
grey     9  2-1-0  3 at 11       7  8 from 3  +10    -  -
white   10  2-1-0  3 at 11       7  4 from 4  +10    2  -

Ben: 8 million, 1 card.
"""
    )


def test_columns_of_players_whose_names_begin_alike_have_numbers() -> None:
    table = holdings_table()
    words = table.game.text(msgspec.structs.replace(table.view(0), players=("Ben", "bob")))
    assert "Bonus  1  2\n" in words
    assert "2, bob: 8 million, 1 card.\n" in words


def test_no_short_board_is_longer_than_a_phone_can_show() -> None:
    for seats, moves in itertools.product((2, 3, 4, 5), (START, MIDDLE, END)):
        table = played(seats, moves)
        for seat in (None, 0):
            at_most = 33 if table.is_over else 27 if seats < 5 else 30  # at the end it tells the whole last scoring
            assert len(table.game.text(table.view(seat)).splitlines()) <= at_most


def test_the_parts_tell_track_market_and_players() -> None:
    table = holdings_table()
    assert """
SHARE TRACK
1 to 5: 1-0; red 4.
6 to 10: 2-1-0; black 6, brown 7, green 8, orange 8, grey 9, white 10.
11 to 16: 3-2-1-0.
17 to 22: 4-2-1-0.
""" in full(table, 0, "track")
    assert "\ngrey moves 10 more when it links London with Ankara.\n" in full(table, 0, "track")
    assert (
        full(table, 0, "market")
        == """\
MARKET: 1 red, 1 black, 1 brown, 1 green, 1 orange.
Draw pile: 12 cards. Air ABACUS left: 20. Bank: 44 million.

Air ABACUS pays: 1st scoring 4-2-1-0; 2nd scoring (next) 8-4-2-1-0;
    3rd scoring 16-8-4-2-1.
Discarded so far: 3 shares.
"""
    )
    assert (
        full(table, 0, "players")
        == """\
PLAYERS
Anna (you, to move): 8 million, 1 point, 3 cards in hand, 2 of them Air
    ABACUS.
  Holdings: 2 white, 1 Air ABACUS.
  Hand: 1 red, 2 Air ABACUS.
Ben: 8 million, points secret, 1 card in hand.
  Holdings: none.
The third player (imagined at the last scoring, AE-P02) has the market,
    the draw pile, 20 Air ABACUS and 3 discards.
"""
    )
    assert "\ngrey (Flying Is Simply Fun), home London, has: London-Paris.\n  Next: " in full(table, 0, "map")
    for part in table.game.parts:
        for line in full(table, 0, part).splitlines():
            assert line in full(table, 0).splitlines()


def test_before_the_last_scoring_is_said_that_the_market_is_not_cleared() -> None:
    assert "(AE-R18)" in full(at(2, scorings=2), 0, "")
    assert "(AE-R18)" not in full(at(2, scorings=1), 0, "")


@pytest.mark.rule("AE-P02", "AE-R38")
@pytest.mark.parametrize("seats", [2, 3])
def test_the_last_scoring_can_be_checked_from_the_words_of_a_finished_game(seats: int) -> None:
    """Shares of all, the third player's included, points of all; what they had before makes up the rest."""
    table = played(seats, END)
    words = " ".join(full(table, None, "").split())
    rows = [event for event in scored_last(seats) if isinstance(event, Scored)]
    assert any(row.third_player for row in rows) == (seats == 2)
    for row in rows:
        name = "Air ABACUS" if row.airline == "air_abacus" else row.airline
        said = words.partition(f"{name} pays {'-'.join(map(str, row.vp))}. Shares: ")[2].partition(".")[0]
        for seat, held in enumerate(row.holdings):
            assert (f"{NAMES[seat]} {held}" in said.partition(";")[0]) == bool(held)
            assert (f"{NAMES[seat]} {row.points[seat]}" in said.partition("points")[2]) == bool(row.points[seat])
        assert (f"the third player {row.third_player}" in said) == bool(row.third_player)
    for seat, player in enumerate(table.position.players):
        before = player.vp - sum(row.points[seat] or 0 for row in rows)
        assert f"{NAMES[seat]} {before}" in words.partition("Points before it: ")[2]


def scored_last(seats: int) -> list[Any]:
    """The events of the last row of the same game."""
    table, rng = start("airlines-europe", seats, seed=bytes([1]) * 32, names=NAMES)[0], Random(1)
    entries: list[Entry] = []
    while not table.is_over:
        for decision in table.decisions():
            entries += table.submit(decision.seat, [sample(table.offers(decision.seat), rng)]).entries
        if table.sealed and not table.missing():
            table.reveal()
    return list(entries[-1].row.events)


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
    words = full(table)
    assert f"\n{line}" in words
    assert re.findall(r"(\w+) scoring \(next\)", words) == ([following] if following else [])
    assert line in [words for words, _ in labels(table.game.picture(table.view(None)))]


def test_the_third_player_of_a_finished_game_for_two_is_drawn_with_the_shares() -> None:
    two, three = played(2, END), played(3, END)
    assert "Third player" in two.game.picture(two.view(None))
    assert "Third player" not in three.game.picture(three.view(None))
    running = played(2, MIDDLE // 2)
    assert "Third player" not in running.game.picture(running.view(0))


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

"""The end of the game, and what is different for two."""

import random

import pytest

from referee.games import game_of
from referee.games.airlines_europe import licences, scoring
from referee.games.airlines_europe.events import GameOver, Scored
from referee.record import export, load, redacted, verify
from tests.positions import happened, play, random_game, start, types
from tests.referee.games.airlines_europe.setups import BOARD, TINY, at, buy, sentences


@pytest.mark.rule("AE-E01")
def test_the_game_ends_with_the_third_scoring_and_most_points_win():
    table = at(3, vp=[10, 20, 5], scorings=2, pile=["scoring"], phase="share")
    outcome = play(table, "take red")
    assert table.position.ending == "third_scoring"
    assert happened(outcome)[-1] == GameOver((10, 20, 5), (1,))
    assert [(standing.seat, standing.place, standing.score) for standing in table.view(None).standings] == [
        (1, 1, 20),
        (0, 2, 10),
        (2, 3, 5),
    ]
    assert sentences(table, outcome, None).endswith("Victory points: Anna 10, Ben 20 and Cora 5. Ben wins.")
    assert table.decisions() == ()


@pytest.mark.rule("AE-E01", "AE-R36")
def test_a_tie_goes_to_the_most_air_abacus_in_the_holdings_not_in_the_hand():
    holdings = [{"air_abacus": number} for number in (1, 2, 5)]
    table = at(3, vp=[9, 9, 3], hands=[{"air_abacus": 9}, {}, {}], holdings=holdings, ending="third_scoring")
    assert [(standing.seat, standing.place) for standing in table.view(None).standings] == [(1, 1), (0, 2), (2, 3)]
    assert [standing.note for standing in table.view(None).standings] == [
        "2 Air ABACUS",
        "1 Air ABACUS",
        "5 Air ABACUS",
    ]
    table = at(3, vp=[17, 1, 3], scorings=2, pile=["scoring"], phase="share", holdings=[{}, {"air_abacus": 1}, {}])
    (over,) = happened(play(table, "take red"), GameOver)
    assert over == GameOver((17, 17, 3), (1,))  # Air ABACUS brings 16 to Ben


@pytest.mark.rule("AE-E01")
def test_players_equal_in_both_share_the_victory():
    table = at(3, vp=[17, 17, 3], scorings=2, pile=["scoring"], phase="share")
    outcome = play(table, "take red")
    assert happened(outcome, GameOver) == [GameOver((17, 17, 3), (0, 1))]
    assert [(standing.place, standing.note) for standing in table.view(None).standings] == [
        (place, "0 Air ABACUS") for place in (1, 1, 3)
    ]
    assert sentences(table, outcome, None).endswith("Anna and Ben share the victory.")


ALMOST = {"london-paris": ["red", "grey"], "paris-madrid": ["yellow", "red"]}


@pytest.mark.rule("AE-E02", "AE-R34", "AE-R33")
def test_when_the_last_licence_is_sold_the_game_is_scored_and_over_at_once():
    table = at(
        3, board=TINY, cash=[20, 8, 8], licences=ALMOST, vp=[0, 0, 0], holdings=[{"air_abacus": 1}, {"red": 1}, {}]
    )
    outcome = play(table, buy("blue", "london-madrid"))
    assert types(happened(outcome)) == ["Bought", "AllBlocked", *["Scored"] * 6, "GameOver"]
    position = table.position
    assert position.ending == "blocked"
    assert position.players[0].hand == {}  # no share, no second licence
    (abacus,) = [event for event in happened(outcome, Scored) if event.airline == "air_abacus"]
    assert abacus.vp == (16, 8, 4, 2, 1)
    assert [player.vp for player in position.players] == [16, 2, 0]
    assert table.decisions() == ()
    assert "No airline can buy another licence: the game ends with a scoring at once." in sentences(table, outcome, 1)


@pytest.mark.rule("AE-R33")
def test_airlines_without_planes_count_as_blocked_and_money_does_not_matter():
    without = dict.fromkeys(("yellow", "blue", "violet", "grey"), 0)
    table = at(3, board=TINY, planes=without | {"red": 1}, cash=[3, 0, 0], bank=87)
    play(table, buy("red", "london-paris"))
    assert table.position.ending == "blocked"
    table = at(3, board=TINY, planes=without | {"red": 2}, cash=[3, 0, 0], bank=87)
    play(table, buy("red", "london-paris"))  # red could still buy, though nobody has the money
    assert table.position.ending == ""
    sold = {"london-paris": ["red", "grey"], "paris-madrid": ["yellow"]}
    table = at(3, board=TINY, licences=sold, cash=[4, 4, 4])
    play(table, buy("blue", "paris-madrid"))  # only the distant connection is left, for 10
    assert table.position.ending == ""


@pytest.mark.rule("AE-R41")
def test_a_blocked_airline_stays_blocked():
    table = at(
        3, board=TINY, cash=[20, 8, 8], licences={"london-paris": ["red", "violet"], "london-madrid": ["yellow"]}
    )
    assert licences.is_blocked(TINY, table.position, "grey")
    assert not table.view(0).table.airlines["grey"].routes
    play(table, buy("red", "paris-madrid"), {"type": "take_share", "share": "pile"})
    assert not table.view(0).table.airlines["grey"].routes
    assert table.view(0).table.airlines["yellow"].routes


@pytest.mark.rule("AE-E02", "AE-R34")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_real_game_on_a_tiny_board_ends_blocked_and_verifies(players):
    table, entry = start("airlines-europe", players, board=TINY)
    record = random_game(table, entry, random.Random(players))
    assert table.position.ending == "blocked"
    again = load(export(record))
    assert verify(game_of(again.header), again).position.ending == "blocked"


@pytest.mark.rule("AE-R35")
def test_an_early_end_for_two_includes_the_third_player():
    table = at(2, board=TINY, cash=[20, 8], licences=ALMOST, discards={"red": 7}, pile=["red"], market=["red"] * 5)
    outcome = play(table, buy("blue", "london-madrid"))
    scored = {event.airline: event for event in happened(outcome, Scored)}
    assert scored["red"].third_player == 13
    assert scored["air_abacus"].third_player == 20


@pytest.mark.rule("AE-P01", "AE-A15")
def test_discards_of_trades_clearing_and_bankruptcies_are_kept_face_down():
    table = at(2, hands=[{"grey": 1}, {}], holdings=[{"white": 2}, {}])
    play(table, "trade grey from hand, 2 white from holdings")
    assert table.position.discards == {"grey": 1, "white": 2}
    table = at(2, phase="clearing", scorings=1, cleared=1)
    play(table, "take red")
    assert sum(table.position.discards.values()) == 4
    view = table.view(None).table
    assert (view.discards, view.discards_size) == (None, 4)


@pytest.mark.rule("AE-P02", "AE-R37", "AE-R40")
def test_the_third_player_holds_supply_market_pile_and_discards_and_nothing_else():
    table = at(
        2,
        scorings=2,
        phase="share",
        air_abacus=7,
        market=["red", "red", "grey", "black", "brown"],
        pile=["scoring", "red", "white"],
        discards={"red": 2, "air_abacus": 1},
        hands=[{"red": 3, "air_abacus": 2}, {"grey": 1}],
        holdings=[{"red": 1}, {"red": 9, "grey": 1}],
    )
    outcome = play(table, "take black")  # into the hand; the market gets red, the pile keeps white
    third = {event.airline: event.third_player for event in happened(outcome, Scored)}
    assert third == {"red": 5, "grey": 1, "brown": 1, "white": 1, "black": 0, "green": 0, "orange": 0, "air_abacus": 8}
    red = next(event for event in happened(outcome, Scored) if event.airline == "red")
    assert red.points == (0, 1)  # 1-0: Ben first, the third player second
    assert "the third player holds 5" in sentences(table, outcome, 0)


@pytest.mark.rule("AE-R38", "AE-T18", "AE-P02")
def test_a_tie_with_the_third_player_halves_the_points():
    assert scoring.award((8, 4, 2, 1, 0), [3, 1, 3])[:2] == [6, 2]
    table = at(
        2, scorings=2, phase="share", pile=["scoring", "white", "white"], markers={"white": 45}, discards={"white": 1},
        market=["red", "red", "black", "black", "grey"], holdings=[{"white": 3}, {"white": 1}], vp=[0, 0],
    )  # fmt: skip
    white = next(event for event in happened(play(table, "take red"), Scored) if event.airline == "white")
    assert (white.vp, white.holdings, white.third_player) == ((8, 4, 2, 1, 0), (3, 1), 3)
    assert white.points == (6, 2)


@pytest.mark.rule("AE-R39")
@pytest.mark.parametrize("number", [1, 2])
def test_the_third_player_takes_no_part_in_the_first_two_scorings(number):
    table = at(2, phase="clearing", scorings=number, cleared=1, discards={"red": 9}, holdings=[{"red": 1}, {}])
    scored = {event.airline: event for event in happened(play(table, "take black"), Scored)}
    assert scored["red"].third_player == 0
    assert scored["red"].points == (1, 0)


@pytest.mark.rule("AE-P02")
def test_with_three_players_nobody_is_imagined():
    table = at(3, scorings=2, phase="share", pile=["scoring"], discards={"red": 9}, holdings=[{"red": 1}, {}, {}])
    scored = {event.airline: event for event in happened(play(table, "take black"), Scored)}
    assert {event.third_player for event in scored.values()} == {0}
    assert scored["red"].sentence(table.words) == "red is worth 1-0: Anna holds 1; points: Anna 1."
    assert scored["grey"].sentence(table.words) == "grey is worth 2-1-0: nobody holds any."
    assert scored["red"].points[0] == BOARD.region(4).vp[0]


@pytest.mark.rule("AE-R18", "AE-R33", "AE-P02")
@pytest.mark.parametrize("players", [2, 3])
def test_two_players_are_told_what_is_ruled_for_them_when_their_game_opens(players):
    table, entry = start("airlines-europe", players)
    opened = redacted(table.game, entry, table.viewer(0), table.words).sentences[0]
    for number in ("AE-P02", "AE-R18", "AE-R33"):
        assert (number in opened) == (players == 2)

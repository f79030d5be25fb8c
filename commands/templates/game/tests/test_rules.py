"""The rules of Mail Run, one test a rule. Ids are those of rulings.yaml."""

import pytest

from referee.errors import BoardError
from referee.games import load_board
from referee.games.mail_run import GAME
from referee.games.mail_run.events import BidsRevealed, Collected, Flew
from tests.positions import choices, edit, happened, offered, play, refused, seal, sentences, table
from tests.referee.games.mail_run.setups import BOARD, KEY, at


@pytest.mark.rule("MR-01")
def test_everybody_begins_in_the_first_city_with_six_coins_and_three_letters():
    position = table(KEY, 3).position
    assert [(player.at, player.coins, len(player.hand)) for player in position.players] == [("avon", 6, 3)] * 3
    assert len(position.deck) == 5 * BOARD.letters - 9


@pytest.mark.rule("MR-02")
def test_the_highest_bid_pays_and_flies_first():
    current = table(KEY, 3)
    entry = seal(current, "bid 1", "bid 4", "bid 0")
    assert happened(entry) == [BidsRevealed(1, (1, 4, 0))]
    assert [player.coins for player in current.position.players] == [6, 2, 6]
    assert current.position.order == [1, 2, 0]


@pytest.mark.rule("MR-02")
def test_of_equal_bids_that_of_the_lower_seat_counts():
    current = table(KEY, 2)
    seal(current, "bid 3", "bid 3")
    assert current.position.order == [0, 1]
    assert [player.coins for player in current.position.players] == [3, 6]


@pytest.mark.rule("MR-02")
def test_nobody_bids_more_than_they_have():
    error = refused(table(KEY, 2), "bid 7")
    assert (error.code, error.message) == ("not_your_coins", "A bid is from 0 to the 6 coins that you have.")


@pytest.mark.rule("MR-03")
def test_a_flight_goes_along_a_route_and_delivers_all_letters_for_its_end():
    current = at(hands=[["dover", "brill", "dover"], []])
    outcome = play(current, "fly to Dover")
    assert happened(outcome) == [Flew(0, "dover", 2)]
    player = current.position.players[0]
    assert (player.at, player.hand, player.delivered) == ("dover", ["brill"], 2)


@pytest.mark.rule("MR-03")
def test_a_city_without_a_route_is_refused_with_those_in_reach():
    error = refused(at(), "fly to Colby")
    assert error.message == "Colby is too far from Avon; you can fly to Brill and Dover."
    assert (error.code, error.field, error.rule) == ("too_far", "city", "MR-03")
    assert refused(at(), "fly to Avon").code == "there_already"


@pytest.mark.rule("MR-04")
def test_long_flights_go_over_two_routes():
    current = at(settings={"long_flights": True}, hands=[["brill", "colby"], []])
    assert choices(current, "Fly", "city") == {"brill", "colby", "dover", "east_end"}
    play(current, "fly to Colby")
    assert current.position.players[0].hand == ["brill"]


@pytest.mark.rule("MR-05")
def test_a_letter_is_collected_from_the_top_of_the_deck_while_there_is_one():
    current = at(deck=["dover", "colby"])
    assert happened(play(current, "collect")) == [Collected(0, "colby")]
    assert current.position.deck == ["dover"]
    empty = at(deck=[])
    assert offered(empty) == {"Fly"}
    assert refused(empty, "collect").code == "no_letters"


@pytest.mark.rule("MR-06")
def test_the_last_round_ends_the_game_and_coins_break_ties():
    current = edit(edit(at(round=BOARD.rounds, order=[1]), 0, delivered=2, coins=1), 1, delivered=2, coins=4)
    play(current, "collect")
    assert current.position.ending == "last_round"
    assert [(standing.seat, standing.place) for standing in current.view().standings] == [(1, 1), (0, 2)]
    shared = edit(edit(current, 0, coins=4), 1, coins=4)
    assert [standing.place for standing in shared.view().standings] == [1, 1]


@pytest.mark.rule("MR-07")
def test_a_hand_is_known_to_its_player_alone_and_its_size_to_all():
    current = at(hands=[["dover"], ["colby", "colby"]], deck=["brill"])
    assert current.view(0).table.players[0].hand == ("dover",)
    assert [player.hand_size for player in current.view(0).table.players] == [1, 2]
    assert current.view(0).table.players[1].hand is None
    assert current.view(0).table.deck is None
    outcome = play(current, "collect")
    assert sentences(current, outcome, 0) == ["Anna collects a letter for Brill."]
    assert sentences(current, outcome, 1) == ["Anna collects a letter."]


def test_a_board_with_mistakes_is_refused_with_all_of_them():
    text = "game: mail-run\nname: x\nfidelity: x\nrounds: 0\ncoins: 1\nhand: 9\nletters: 1\n"
    text += "cities: [{id: a, name: A, x: 0, y: 0}]\nroutes: [{a: b, b: b}]\n"
    with pytest.raises(BoardError) as caught:
        load_board(GAME, text)
    assert len(caught.value.problems) == 5

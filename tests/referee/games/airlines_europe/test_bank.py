"""Special situation: the bank is bankrupt."""

import random

import msgspec
import pytest

from referee.games.airlines_europe.events import BankBankrupt, PlayedShares, ScoringCardUp, TookMoney
from tests.positions import happened, play, random_game, start, types
from tests.referee.games.airlines_europe.setups import BOARD, MARKET, at, sentences

NEW = ["white", "grey", "white", "grey", "red"]


@pytest.mark.rule("AE-B01", "AE-T09")
def test_everybody_returns_what_exceeds_eight_the_market_is_replaced_and_the_payout_made():
    table = at(3, cash=[50, 30, 4], bank=6, active=2, pile=[*NEW, "black"])
    outcome = play(table, "take money")
    position = table.position
    assert [player.cash for player in position.players] == [8, 8, 12]
    assert position.bank == 62
    assert position.market == NEW
    assert position.deck == ["black"]
    assert position.discards == dict.fromkeys(MARKET, 1)
    assert happened(outcome) == [BankBankrupt(2, 8, 6, (42, 22, 0), tuple(MARKET), tuple(NEW)), TookMoney(2, 8)]
    assert sentences(table, outcome, None) == (
        "The bank has 6 million and owes Cora 8: it is bankrupt. Returned to it, in million: Anna 42 and Ben 22."
        " The market (black, brown, green, orange and red) is replaced by 2 white, 2 grey and red.\n"
        "Cora takes 8 million from the bank."
    )


@pytest.mark.rule("AE-B01", "AE-R30")
def test_a_dividend_can_bankrupt_the_bank_and_its_receiver_returns_money_too():
    table = at(3, cash=[50, 30, 9], bank=1, active=2, hands=[{}, {}, {"red": 3}], pile=NEW)
    outcome = play(table, "play 3 red")
    assert types(happened(outcome)) == ["BankBankrupt", "PlayedShares"]
    assert happened(outcome, PlayedShares) == [PlayedShares(2, ("red",) * 3, 6)]
    assert [player.cash for player in table.position.players] == [8, 8, 14]
    assert table.position.bank == 60
    assert table.position.players[2].holdings == {"red": 3}


@pytest.mark.rule("AE-R29", "AE-T10")
def test_a_bank_that_can_just_pay_is_not_bankrupt():
    table = at(3, cash=[50, 26, 6], bank=8)
    outcome = play(table, "take money")
    assert types(happened(outcome)) == ["TookMoney"]
    assert table.position.bank == 0
    assert table.position.market == MARKET


@pytest.mark.rule("AE-A02", "AE-B01")
def test_money_can_be_taken_from_an_empty_bank():
    table = at(3, cash=[40, 30, 20], bank=0)
    play(table, "take money")
    assert [player.cash for player in table.position.players] == [16, 8, 8]


@pytest.mark.rule("AE-R31")
def test_after_a_bankruptcy_the_bank_can_pay_the_largest_dividend():
    dividend = BOARD.constants.dividend_per_share * max(BOARD.air_abacus.shares, *(a.shares for a in BOARD.airlines))
    for players in (2, 3, 4, 5):
        assert (BOARD.constants.money_per_player - BOARD.constants.bankrupt_cap) * players >= dividend
    table = at(2, cash=[30, 30], bank=0, hands=[{"air_abacus": 20}, {}], pile=NEW)
    play(table, "play 20 Air ABACUS")
    assert [player.cash for player in table.position.players] == [48, 8]
    assert table.position.bank == 4


@pytest.mark.rule("AE-R21")
def test_a_scoring_card_among_the_new_shares_waits_until_the_market_is_full_and_the_payout_made():
    table = at(
        3, cash=[50, 30, 4], bank=6, active=2, pile=["white", "scoring", "grey", "white", "grey", "red", "black"]
    )
    outcome = play(table, "take money")
    assert types(happened(outcome)) == ["BankBankrupt", "TookMoney", "ScoringCardUp"]
    assert table.position.market == NEW
    assert table.position.players[2].cash == 12
    assert happened(outcome, ScoringCardUp) == [ScoringCardUp(0, 1)]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "clearing")]


@pytest.mark.rule("AE-R21", "AE-E01", "AE-R23")
def test_the_last_scoring_card_in_a_bankruptcy_ends_the_game_with_a_short_market():
    table = at(3, cash=[50, 30, 4], bank=6, active=2, scorings=2, pile=["white", "scoring"])
    outcome = play(table, "take money")
    assert table.position.ending == "third_scoring"
    assert table.position.market == ["white"]
    assert table.position.players[2].cash == 12
    assert types(happened(outcome))[:3] == ["BankBankrupt", "TookMoney", "ScoringCardUp"]
    table = at(3, cash=[50, 30, 4], bank=6, active=2, scorings=2, pile=["scoring"])
    assert "is replaced by nothing: the pile is empty.\n" in sentences(table, play(table, "take money"), None)
    assert table.position.market == []


@pytest.mark.rule("AE-P01", "AE-A15")
def test_the_market_of_a_bankruptcy_goes_to_the_discards_of_two_players():
    table = at(2, cash=[30, 26], bank=4, pile=NEW, discards={"white": 1})
    play(table, "take money")
    assert table.position.discards == dict.fromkeys(MARKET, 1) | {"white": 1}
    assert table.view(0).table.discards is None
    assert table.view(0).table.discards_size == 6


@pytest.mark.rule("AE-R43")
@pytest.mark.parametrize("players", [2, 5])
def test_a_game_in_which_everybody_only_takes_money_ends(players):
    table, entry = start("airlines-europe", players)
    random_game(table, entry, random.Random(1), most_rows=1)
    while not table.is_over:
        seat = table.decisions()[0].seat
        table.submit(seat, [msgspec.to_builtins(table.default(seat))])  # by default one takes money
        assert table.sequence < 300
    assert table.position.ending == "third_scoring"

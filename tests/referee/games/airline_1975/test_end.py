"""Leaving the game, the last player, and the short game."""

import pytest

from referee.games.airline_1975.events import BankPaid, GameOver, Lapsed, Owes, Resigned, WentBankrupt
from tests.positions import happened, offered, play, sentences
from tests.referee.games.airline_1975.setups import (
    BANK,
    SHORT,
    SPARE,
    STRICT,
    asked,
    at,
    cash,
    dice,
    offer,
    refused,
    throw,
)


def places(table):
    return [(standing.seat, standing.place) for standing in table.view().standings]


@pytest.mark.rule("A75-M03", "A75-R39")
def test_who_leaves_gives_everything_to_the_bank():
    table = at(cities={1: ["rome"]})
    outcome = play(table, "resign", seat=1)
    assert happened(outcome, Resigned) == [Resigned(1, ("london", "rome"))]
    assert cash(table) == [100, 0, 100]
    assert table.position.bank == -200
    assert table.position.players[1].cities == []
    assert asked(table) == (0, "departure")
    assert table.decisions(1) == ()
    assert refused(table, "resign", seat=1).code == "not_your_turn"


@pytest.mark.rule("A75-R39", "A75-R44")
@pytest.mark.parametrize("phase", ["departure", "landing"])
def test_who_resigns_in_his_turn_ends_it(phase):
    table = at(place={0: "lima"}, phase=phase, cities={0: ["rome"], 2: [SPARE]})
    play(table, offer(["rome"], price=1), seat=0)
    outcome = play(table, "resign", seat=0)
    assert asked(table) == (1, "departure")
    assert happened(outcome, Lapsed) == [Lapsed((1,), "turn")]


@pytest.mark.rule("A75-R44")
def test_the_next_one_to_the_left_follows():
    table = at(4, active=2, cities={1: [SPARE]})
    for seat in (3, 0):
        play(table, "resign", seat=seat)
    table, _ = throw(table, 5)
    play(table, "pass")
    assert asked(table) == (1, "departure")
    table, _ = throw(table, 6)
    play(table, "pass")
    assert asked(table) == (2, "departure")


@pytest.mark.rule("A75-R22")
def test_the_base_of_somebody_who_left_can_be_bought_and_challenged():
    table = at(place={0: "moscow", 2: "moscow"})
    play(table, "resign", seat=1)
    table, _ = throw(table, 2)
    play(table, "buy")
    assert "london" in table.position.players[0].cities
    table, _ = throw(table, 2)
    assert asked(table) == (2, "landing")
    assert "Challenge" in offered(table, 2)


@pytest.mark.rule("A75-R51", "A75-K02")
def test_who_resigns_in_debt_is_bankrupt():
    table = at(cities={0: ["lima"], 2: [SPARE]}, cash=(5, 100, 100), phase="raising", debts=[(0, 1, 20)])
    outcome = play(table, "resign", seat=0)
    assert happened(outcome, WentBankrupt) == [WentBankrupt(0, ("tokyo", "lima"))]
    assert happened(outcome, BankPaid) == [BankPaid(1, 20, 0)]
    assert happened(outcome, Resigned) == []
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R51", "A75-K04", "A75-R40")
def test_resigning_in_debt_ends_the_short_game():
    table = at(cities={0: ["lima"]}, cash=(5, 100, 100), phase="raising", debts=[(0, 1, 20)], settings=SHORT)
    play(table, "resign", seat=0)
    assert table.position.ending == "short_game"
    assert places(table)[0] == (1, 1)


@pytest.mark.rule("A75-R52", "A75-M03")
def test_a_debt_to_somebody_who_leaves_is_owed_to_the_bank():
    table = at(cities={0: ["lima"]}, cash=(5, 100, 100), phase="raising", debts=[(0, 1, 20)])
    outcome = play(table, "resign", seat=1)
    assert happened(outcome, Owes) == []
    assert asked(table) == (0, "raising")
    assert table.decisions(0)[0].prompt.startswith("You owe the bank $20 million")
    play(table, offer(["lima"], to="black", price=30), seat=0)
    play(table, "accept 1", seat=2)
    assert cash(table) == [15, 0, 70]
    assert asked(table) == (2, "departure")


@pytest.mark.rule("A75-R50", "A75-R39")
def test_fares_that_a_leaver_owes_are_claimed_from_the_bank():
    table, _ = throw(at(settings=STRICT, place={0: "moscow"}), 2)
    play(table, "resign", seat=0)
    assert [(claim.seat, claim.to, claim.amount) for claim in table.position.claims] == [(BANK, 1, 9)]
    play(table, "claim", seat=1)
    assert cash(table) == [0, 109, 100]


@pytest.mark.rule("A75-R52", "A75-R15")
def test_what_a_leaver_could_have_claimed_lapses():
    table, _ = throw(at(settings=STRICT, place={0: "moscow"}), 2)
    play(table, "resign", seat=1)
    assert [(claim.seat, claim.to) for claim in table.position.claims] == [(BANK, 0)]
    assert asked(table) == (0, "landing")


@pytest.mark.rule("A75-R40", "A75-R51")
def test_a_bystander_who_resigns_while_another_is_in_debt_is_not_bankrupt():
    table = at(cities={0: ["lima"]}, cash=(5, 100, 100), phase="raising", debts=[(0, 1, 20)], settings=SHORT)
    outcome = play(table, "resign", seat=2)
    assert happened(outcome, Resigned) == [Resigned(2, ("new_york",))]
    assert table.position.ending == ""
    assert asked(table) == (0, "raising")


@pytest.mark.rule("A75-R39", "A75-R44")
def test_a_bystander_and_the_player_in_turn_may_leave_while_another_raises_money():
    table = at(4, cities={0: ["lima"]}, cash=(5, 100, 100, 100), phase="raising", debts=[(0, 1, 20)], active=2)
    play(table, "resign", seat=3)
    assert asked(table) == (0, "raising")
    play(table, "resign", seat=2)
    assert asked(table) == (0, "raising")
    play(table, offer(["lima"], price=20), seat=0)
    play(table, "accept 1", seat=1)
    assert asked(table) == (0, "departure")
    assert cash(table) == [5, 100, 0, 0]


@pytest.mark.rule("A75-R24", "A75-R39")
def test_when_the_owner_leaves_the_city_landed_in_is_free():
    table, _ = throw(at(place={0: "moscow"}, cities={1: ["rome"]}), 3)
    assert "Challenge" in offered(table, 0)
    play(table, "resign", seat=1)
    assert asked(table) == (0, "landing")
    play(table, "buy")
    assert "rome" in table.position.players[0].cities


@pytest.mark.rule("A75-U02", "A75-R39")
def test_after_a_lost_challenge_the_city_of_an_owner_who_leaves_may_be_bought():
    table, _ = throw(at(place={0: "moscow"}, cities={1: ["rome"]}), 3)
    table = dice(table, challenger=5, owner=8)
    play(table, "challenge")
    play(table, "resign", seat=1)
    assert table.decisions(0)[0].prompt == "Buy the landing rights for Rome for $20 million, or pass."
    play(table, "buy")
    assert "rome" in table.position.players[0].cities


@pytest.mark.rule("A75-K03")
def test_the_last_player_wins_and_those_who_stayed_longer_stand_higher():
    table = at(4)
    for seat in (2, 0):
        play(table, "resign", seat=seat)
    outcome = play(table, "resign", seat=3)
    assert table.position.ending == "last_player"
    assert happened(outcome, GameOver) == [GameOver((1,))]
    assert places(table) == [(1, 1), (3, 2), (0, 3), (2, 4)]
    assert table.decisions() == ()
    assert sentences(table, outcome)[-1] == "Ben wins."


@pytest.mark.rule("A75-K03", "A75-K02")
def test_with_two_players_a_bankruptcy_ends_the_game():
    table = at(2, cash=(10, 100), place={0: "air_cargo"})
    table, outcome = throw(table, 4)
    assert table.position.ending == "last_player"
    assert happened(outcome, GameOver) == [GameOver((1,))]
    assert refused_when_over(table)


def refused_when_over(table):
    with pytest.raises(Exception, match="The game is over"):
        play(table, "throw", seat=1)
    return True


@pytest.mark.rule("A75-T27", "A75-K04", "A75-R42")
def test_the_short_game_counts_cash_and_20_for_each_city():
    six = ["rome", "lima", "moscow", "bangkok", "baghdad"]
    table = at(cash=(55, 90, 5), cities={0: six, 1: ["nairobi", "colombo", "vancouver"]}, settings=SHORT, active=2,
               phase="raising", debts=[(2, BANK, 30)], aircraft={1: "sst"})  # fmt: skip
    outcome = play(table, "declare bankruptcy", seat=2)
    assert table.position.ending == "short_game"
    assert [(standing.seat, standing.place, standing.score) for standing in table.view().standings] == [
        (0, 1, 175),
        (1, 2, 170),
        (2, 3, 0),
    ]
    assert happened(outcome, GameOver) == [GameOver((0,))]


@pytest.mark.rule("A75-R41", "A75-R36")
def test_what_the_bank_pays_for_the_bankrupt_counts_in_the_short_game():
    table = at(cash=(100, 90, 5), settings=SHORT, active=2, phase="raising", debts=[(2, 1, 11)], cities={2: ["rome"]})
    play(table, "declare bankruptcy", seat=2)
    assert places(table) == [(1, 1), (0, 2), (2, 3)]


@pytest.mark.rule("A75-R43")
def test_equal_assets_share_the_victory():
    table = at(cash=(100, 80, 5), settings=SHORT, active=2, phase="raising", debts=[(2, BANK, 11)],
               cities={1: ["lima"], 2: ["rome"]})  # fmt: skip
    outcome = play(table, "declare bankruptcy", seat=2)
    assert places(table) == [(0, 1), (1, 1), (2, 3)]
    assert sentences(table, outcome)[-1] == "Anna and Ben share the victory."


@pytest.mark.rule("A75-R40")
def test_resigning_does_not_end_the_short_game_until_one_is_left():
    table = at(settings=SHORT)
    play(table, "resign", seat=2)
    assert table.position.ending == ""
    play(table, "resign", seat=0)
    assert table.position.ending == "last_player"
    assert places(table) == [(1, 1), (0, 2), (2, 3)]


@pytest.mark.rule("A75-K04")
def test_the_short_game_of_two_ends_with_the_first_bankruptcy():
    table, _ = throw(at(2, cash=(10, 0), place={0: "air_cargo"}, settings=SHORT), 4)
    assert table.position.ending == "short_game"
    assert places(table) == [(1, 1), (0, 2)]


@pytest.mark.rule("A75-K04", "A75-K03")
def test_without_the_setting_the_game_goes_on_after_a_bankruptcy():
    table, _ = throw(at(cash=(10, 100, 100), place={0: "air_cargo"}), 4)
    assert table.position.ending == ""
    assert asked(table) == (1, "departure")

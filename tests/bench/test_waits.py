"""What is counted as a letter is what the referee would take as one submission."""

import pytest

from bench.waits import PRESETS, Letter, is_forced, run, waits
from referee.bots import random_move
from referee.games import all_games, open_game
from referee.options import Offer, OneOf, Range
from tests import toy


def test_orders_of_one_seat_go_into_one_letter_until_something_is_shown_or_the_turn_ends() -> None:
    table = toy.journey()
    letter = Letter(table, 0, toy.Spend(1))
    assert not letter.holds(1, toy.Spend(1)), "another seat"
    assert letter.holds(0, toy.Lots((1, 2))), "what shows something new may be the last"
    assert not letter.holds(0, toy.Spend(1)), "and nothing may follow it"
    assert not Letter(table, 0, toy.Spend(1), toy.Spend(1)).holds(0, toy.Spend(1)), "the turn is over after two"
    assert table.sequence == 1, "nothing was played on the table itself"


@pytest.mark.parametrize("key", sorted(all_games()))
def test_there_are_no_more_letters_than_decisions_and_no_more_hand_offs_than_letters(key: str) -> None:
    found = waits(open_game(key, all_games()[key].seat_counts[0]), 1, random_move)
    assert found.decisions >= found.submissions >= found.blind > 0
    assert found.submissions >= found.hand_offs > 0


def test_the_toy_is_counted_by_hand() -> None:
    """An auction of two, then four moves, two by each; nothing is shown but what the last move of a letter may show."""
    found = waits(toy.toy(), 1, lambda table, seat, rng: table.default(seat))
    assert (found.decisions, found.submissions, found.blind, found.hand_offs) == (6, 4, 4, 3)


def test_decisions_without_a_choice_are_counted_by_phase() -> None:
    found = waits(open_game("airline-1975", 2), 1, random_move)
    assert found.forced["departure"] > 0, "nothing but to throw"
    assert found.forced["bases"] == 0
    assert found.phases["bases"] == 2
    assert found.phases.total() == found.decisions


def test_what_is_forced_has_one_answer() -> None:
    assert is_forced([Offer(toy.Spend, amount=1)])
    assert not is_forced([Offer(toy.Spend, amount=Range(1, 2))])
    assert not is_forced([Offer(toy.Spend, amount=1), Offer(toy.Lots, numbers=OneOf((1,)))])


def test_every_version_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["airlines-europe", "--versions", "--games", "1"]) == 0
    game_type = all_games()["airlines-europe"]
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| airlines-europe")]
    assert len(lines) == len(game_type.seat_counts) * len(game_type.versions)


def test_a_game_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chess"]) == 2
    assert run(["tin-goose", "--careful"]) == 2
    assert "There is no careful player for 'tin-goose'." in capsys.readouterr().err


def test_random_players_are_the_same_every_time() -> None:
    game = open_game("airlines-europe", 2)
    assert waits(game, 7, random_move) == waits(game, 7, random_move)


def test_standing_orders_save_letters_and_nothing_is_counted_twice() -> None:
    game = open_game("tin-goose", 3)
    by_hand, presets = waits(game, 1, random_move), waits(game, 1, random_move, PRESETS["tin-goose"])
    assert presets.hand_offs < by_hand.hand_offs / 2
    assert presets.decisions < by_hand.decisions
    ahead = waits(open_game("airlines-europe", 2), 1, random_move, PRESETS["airlines-europe"], 1)
    assert ahead.submissions < 0.7 * waits(open_game("airlines-europe", 2), 1, random_move).submissions
    assert {key: set(keys) <= {p.key for p in all_games()[key].standing.presets} for key, keys in PRESETS.items()} == (
        dict.fromkeys(all_games(), True)
    )

"""The thinker: what it chooses follows from what its seat sees, it keeps to its budget, and it plays better than it
was advised."""

from itertools import islice
from random import Random

import pytest

from referee.arena import steady_bot
from referee.contract import copied
from referee.games import all_games, open_game
from referee.playout import Playout, ask, questions, seen
from referee.situation import Choice
from referee.thinker import LEAST_TRIES, TRIES, Budget, Thinker, Trial

KEYS = sorted(all_games())


def moments(key, seats, rows, every):
    """Positions of a steady game in which a seat has a choice, with the phase and the seat."""
    game = open_game(key, seats)
    playout = Playout.of_new_game(game, Random(4))
    while not playout.position.ending and playout.rows < rows:
        if playout.rows % every == 0:
            for phase, seat in questions(game, playout.position):
                if len(list(islice(game.advice(ask(game, playout.position, phase, seat, Random(1))), 2))) > 1:
                    yield game, copied(playout.position), phase, seat
        playout.play_row([steady_bot(game)] * seats)


@pytest.mark.parametrize("key", KEYS)
def test_a_thinker_chooses_the_same_in_worlds_that_its_seat_cannot_tell_apart(key):
    seats = all_games()[key].seat_counts[0]
    looked = list(islice(moments(key, seats, rows=200, every=11), 3))
    for number, (game, position, phase, seat) in enumerate(looked):
        other = game.imagine(seen(game, position, seat), Random(number))
        thinker = Thinker(game, Random, iterations=TRIES + 4)
        first, second = (thinker(ask(game, world, phase, seat, Random(number))) for world in (position, other))
        assert first == second
    assert len(looked) == 3


def test_a_thinker_leaves_the_steady_move_only_for_one_that_did_better():
    followed, left = 0, 0
    for game, position, phase, seat in moments("tin-goose", 3, rows=200, every=4):
        choice = Thinker(game, Random, iterations=3 * TRIES)(ask(game, position, phase, seat, Random(2)))
        advised = next(game.advice(ask(game, position, phase, seat, Random(2))))
        assert ("turned out best" in choice.reason) == (choice != advised)
        followed, left = followed + (choice == advised), left + (choice.move != advised.move)
        if followed and left:
            return
    pytest.fail("it always did the same")


def test_a_thinker_stops_when_its_time_is_up():
    now, playouts = [0.0], [0]

    class Watched(Thinker):
        def outcome(self, *args):
            now[0] += 0.01
            playouts[0] += 1
            return super().outcome(*args)

    game, position, phase, seat = next(moments("airlines-europe", 2, rows=30, every=7))
    Watched(game, Random, clock=lambda: now[0], seconds=0.2)(ask(game, position, phase, seat, Random(3)))
    assert 1 < playouts[0] <= 30


def test_a_budget_is_so_many_playouts_or_so_much_time():
    counted = Budget(5, None, 0)
    assert [counted.take(2) for _ in range(4)] == [True, True, False, False]
    now = 0.0
    timed = Budget(1000, lambda: now, 0.5)
    assert timed.take(1)
    now = 0.01
    assert timed.whole == 50
    now = 0.5
    assert not timed.take(1)


def test_a_candidate_is_given_up_when_it_is_behind_and_preferred_when_it_is_ahead_by_more_than_chance():
    ahead, behind, level, shaky = (Trial(Choice(None, "")) for _ in range(4))
    for number in range(LEAST_TRIES):
        ahead.add(3.0 + number % 2)
        behind.add(-3.0 + number % 2)
        level.add(0.0)
        shaky.add(10.0 if number == 0 else -1.0)
    assert [trial.is_better for trial in (ahead, behind, level, shaky)] == [True, False, False, False]
    assert [trial.is_hopeless for trial in (ahead, behind, level, shaky)] == [False, True, True, False]

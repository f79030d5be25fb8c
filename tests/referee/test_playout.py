"""Playouts: what is drawn is legal, and everything legal can be drawn."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from referee.contract import copied
from referee.games import all_games, open_game
from referee.options import sample
from referee.playout import AnyGame, Playout, questions

KEYS = sorted(all_games())


def moments(game: AnyGame, seed: int, rows: int) -> Iterator[Any]:
    """Positions of a random game."""
    playout = Playout.of_new_game(game, Random(seed))
    while not playout.position.ending and playout.rows < rows:
        yield copied(playout.position)
        playout.play_at_random(1)


@pytest.mark.parametrize("key", KEYS)
def test_a_phase_draws_what_would_be_drawn_from_all_its_offers(key):
    """So what is drawn is on offer, and whatever is on offer can be drawn."""
    game = open_game(key, 3)
    for number, position in enumerate(moments(game, 5, rows=250)):
        for phase, seat in questions(game, position):
            first, second = Random(number), Random(number)
            move = phase.draw(position, seat, first)
            assert move == sample(phase.offers(position, seat), second)
            assert first.random() == second.random()
            assert any(offer.accepts(move) for offer in phase.offers_like(position, seat, move))


@pytest.mark.parametrize("key", KEYS)
def test_every_move_of_a_phase_is_drawn_sooner_or_later(key):
    game, looked = open_game(key, 3), 0
    for number, position in enumerate(moments(game, 6, rows=60)):
        for phase, seat in questions(game, position):
            rng = Random(number)
            legal = {move for offer in phase.offers(position, seat) for move in islice(offer.moves(), 13)}
            if number % 5 == 0 and len(legal) < 13:
                drawn = {phase.draw(position, seat, rng) for _ in range(600)}
                assert legal <= drawn
                looked += 1
    assert looked

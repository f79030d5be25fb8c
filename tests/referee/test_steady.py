"""The steady player of every game: its advice is legal, is made of what its seat may see, and beats random players."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from referee.arena import random_bot, steady_bot, tournament
from referee.contract import Game, copied
from referee.games import all_games, open_game
from referee.playout import AnyGame, Playout, ask, questions, seen
from referee.situation import Choice

ADVISED = [key for key, game in all_games().items() if game.advice is not Game.advice]
SENTENCE = re.compile(r"[A-Z][^\n]{8,118}\.")
FEW = 5  # pieces of advice that are looked at


def moments(game: AnyGame, seed: int, rows: int) -> Iterator[Any]:
    """Positions of a game of steady and random players."""
    playout = Playout.of_new_game(game, Random(seed), checked=True)
    bots = [steady_bot(game) if seat % 2 else random_bot for seat in range(game.seats)]
    while not playout.position.ending and playout.rows < rows:
        yield copied(playout.position)
        playout.play_row(bots)


def advised(game: AnyGame, position: Any, seed: int) -> list[list[Choice]]:
    return [
        list(islice(game.advice(ask(game, position, phase, seat, Random(seed))), FEW))
        for phase, seat in questions(game, position)
    ]


@pytest.mark.parametrize("key", ADVISED)
def test_every_piece_of_advice_is_legal_and_says_why_in_a_sentence(key):
    game = open_game(key, 3)
    for number, position in enumerate(moments(game, 1, rows=400)):
        for (phase, seat), choices in zip(questions(game, position), advised(game, position, number), strict=True):
            assert choices or not phase.required
            for move, reason in choices:
                asking = [other for other in game.open_phases(position) if seat in other.seats(position)]
                offers = (offer for other in asking for offer in other.offers(position, seat, type(move)))
                assert any(offer.accepts(move) for offer in offers), f"{move} is not legal in {phase.name}"
                assert SENTENCE.fullmatch(reason), reason


@pytest.mark.parametrize("key", ADVISED)
def test_advice_is_the_same_in_worlds_that_the_seat_cannot_tell_apart(key):
    game = open_game(key, 3)
    for number, position in enumerate(moments(game, 2, rows=300)):
        for phase, seat in questions(game, position):
            if number % 3 == 0:
                other = game.imagine(seen(game, position, seat), Random(number))
                first, second = (
                    list(islice(game.advice(ask(game, world, phase, seat, Random(number))), FEW))
                    for world in (position, other)
                )
                assert first == second


@pytest.mark.parametrize("key", ADVISED)
def test_steady_beats_random_players(key):
    game, games = open_game(key, 3), 20
    bots = {"steady": steady_bot(game), "first": random_bot, "second": random_bot}
    wins = tournament(game, bots, list(bots), games, Random)
    assert sum(wins.values()) == games
    assert wins["steady"] >= 0.7 * games  # it wins nine games of ten; with as few as this, chance has its say

"""What every game must keep. A game gets all of this by being there: a folder under referee/games is enough.

The checks are in referee/conformance, one file for each part, and run here for every game, number of players
and variant (`Game.variants`), each part on random games of its own:

    course    the game ends, always asks somebody, has a legal default, conserves what `Game.conserved` counts
    imagining  worlds are made of a view alone, look like the true one, can be played on from, and have the odds of the
              setup
    marks     what a move can name is marked in the picture of whoever may choose it; the parts of a picture hold what
              the whole holds
    options   whatever is offered is accepted and nothing else is, as the JSON Schema says; a refusal changes nothing
    pictures  all words of a picture are inside it, large enough, in contrast to what is behind them, and none covers
              another; picture and text board say what is asked in words for people, and a hostile name stays a name
    records   replay equals live play, export and import are inverse, every changed byte is found
    secrets   two worlds that a viewer cannot tell apart look the same on every channel; no row tells a viewer
              more than its views before and after it show (how such worlds are made: referee/conformance/worlds.py)
    words     every move can be written as text and read back, every event is a sentence

`./waybill soak GAME` runs the same on as many games as you like; a failure here prints the command that repeats it.
Golden games are in test_golden_games.py, made by `./waybill golden GAME`; test_the_kit.py and
test_the_kit_finds_leaks.py show that the checks can fail.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands.soak import examine
from referee.conformance import PARTS
from referee.games import all_games

ROOT = Path(__file__).resolve().parents[2]
SEED = 1
# How many positions to a close look.
EVERY = {
    "course": 3,
    "imagining": 8,
    "marks": 60,
    "options": 15,
    "pictures": 60,
    "records": 6,
    "secrets": 12,
    "words": 40,
}

CASES = [
    pytest.param(key, seats, variant, id=f"{key}-{seats}-variant{variant}")
    for key, game_type in all_games().items()
    for seats in game_type.seat_counts
    for variant in range(1, len(game_type.variants) + 1)
]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(("key", "seats", "variant"), CASES)
def test_every_game_keeps_the_contract(key: str, seats: int, variant: int, part: str) -> None:
    failure = examine(key, seats, variant, part, SEED, EVERY[part])
    if failure:
        pytest.fail(failure, pytrace=False)


FINGERPRINT = """
import sys
from random import Random
from referee.conformance import fingerprint
from referee.games import all_games, open_game
key, seats = sys.argv[1], int(sys.argv[2])
print(fingerprint(open_game(key, seats, all_games()[key].variants[-1]), Random(seats)))
"""


@pytest.mark.parametrize(
    ("key", "seats"), [(key, seats) for key, game_type in all_games().items() for seats in game_type.seat_counts]
)
def test_same_seed_and_moves_give_the_same_bytes_in_other_processes(key: str, seats: int) -> None:
    prints = [
        subprocess.run(
            [sys.executable, "-c", FINGERPRINT, key, str(seats)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert prints[0] == prints[1], f"{key} for {seats} depends on the order of a set or of a hash"

"""What a bot that thinks can do in a second: rows of bare positions, at random and by the steady player's choices.

  random   every question answered by lot (`Phase.draw`); the goal is beside it
  steady   every question answered by the game's advice, from a view
  worlds   positions imagined from a view of the middle of a game
  table    random rows through a table, with its log and its hashes, to compare

usage: ./waybill bench playouts [GAME ...]
"""

import random
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table as Grid

from referee.arena import steady_bot
from referee.bots import random_game
from referee.games import all_games, open_game
from referee.playout import AnyGame, Playout, seen

SECONDS = 2.0  # of CPU, for each figure
MOST_ROWS = 600  # of a game
GOALS = {
    "airline-1975": 127_000,
    "tin-goose": 66_000,
    "airlines-europe": 25_000,
    "kings-of-air-and-steam": 15_000,
    "spike": 8_000,
}


def run(arguments: list[str]) -> int:
    keys = arguments or sorted(all_games())
    unknown = [key for key in keys if key not in all_games()]
    if unknown:
        print(f"There is no game {unknown[0]!r}; there are: {', '.join(sorted(all_games()))}.", file=sys.stderr)
        return 2
    grid = Grid(title="rows a second of CPU, three players")
    grid.add_column("game", no_wrap=True)
    for name in ("random", "goal", "steady", "worlds", "table"):
        grid.add_column(name, justify="right")
    missed = []
    for key in keys:
        game = open_game(key, 3)
        figures = [rate(game, part) for part in PARTS]
        goal = GOALS.get(key, 0)
        missed += [key] * (figures[0] < goal)
        shown = [f"{figure:,.0f}" for figure in figures]
        grid.add_row(key, shown[0], f"{goal:,}", *shown[1:])
    Console(width=100).print(grid)
    print(f"goal missed: {', '.join(missed)}" if missed else "all goals met")
    return 1 if missed else 0


def rate(game: AnyGame, play: Callable[[AnyGame, int], int]) -> float:
    """What is done in a second: `play` does a share of it and says how much."""
    done, number, start = 0, 0, time.process_time()
    while time.process_time() - start < SECONDS:
        done += play(game, number)
        number += 1
    return done / (time.process_time() - start)


def random_rows(game: AnyGame, number: int) -> int:
    playout = Playout.of_new_game(game, random.Random(number))
    playout.play_at_random(MOST_ROWS)
    return playout.rows


def steady_rows(game: AnyGame, number: int) -> int:
    playout = Playout.of_new_game(game, random.Random(number))
    playout.play([steady_bot(game)] * game.seats, MOST_ROWS)
    return playout.rows


def worlds(game: AnyGame, number: int) -> int:
    rng = random.Random(number)
    playout = Playout.of_new_game(game, rng)
    playout.play_at_random(40)
    view = seen(game, playout.position, 0)
    for _ in range(200):
        game.imagine(view, rng)
    return 200


def table_rows(game: AnyGame, number: int) -> int:
    return len(random_game(game, number.to_bytes(32), random.Random(number))[1])


PARTS = (random_rows, steady_rows, worlds, table_rows)

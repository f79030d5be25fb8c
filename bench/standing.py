"""What deciding by standing orders costs: ten rules of a seat, in every decision of random games.

  decide    microseconds of CPU for one decision with ten rules of which none applies, so that all of them are tried:
            the view of the seat, and three facts that each of them compares
  most      the slowest decision
  read      milliseconds to read the ten rules from text

usage: ./waybill bench standing [GAME ...] [--games N]
"""

import argparse
import random
import statistics
import sys
import time

from referee.bots import answers_beside, random_move, take_turn, waiting_for
from referee.games import all_games, open_game
from referee.orders.deciding import decide
from referee.orders.standing import Kept
from referee.orders.standing_text import parse_order
from referee.table import AnyGame, open_table

RULES = 10


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench standing", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", dest="number", type=int, default=3, metavar="N", help="for each line")
    args = parser.parse_args(arguments)
    unknown = [key for key in args.games if key not in all_games()]
    if unknown:
        print(f"There is no game {unknown[0]!r}.", file=sys.stderr)
        return 2
    print("| game | decisions | decide (µs) | most (µs) | read (ms) |\n| --- | --: | --: | --: | --: |")
    for key in args.games or sorted(all_games()):
        game = open_game(key, all_games()[key].seat_counts[-1])
        began = time.thread_time()
        orders = ten_rules(game)
        read = time.thread_time() - began
        took = [one for number in range(args.number) for one in decisions(game, orders, number)]
        cells = [key, len(took), f"{statistics.fmean(took) * 1e6:.0f}", f"{max(took) * 1e6:.0f}", f"{read * 1e3:.1f}"]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return 0


def ten_rules(game: AnyGame) -> tuple[Kept, ...]:
    """The presets, over and over, each with conditions on three facts that never hold together."""
    numbers = [fact.name for fact in game.standing.facts if fact.kind == "number"]
    texts = []
    for number in range(RULES):
        preset = game.standing.presets[number % len(game.standing.presets)].text
        one, other, third = (numbers[(number + step) % len(numbers)] for step in (0, 1, 2))
        texts.append(f"{preset}; while {one} > -1000 and {other} > -1000 and {third} > 100000")
    return tuple(Kept(number, text, parse_order(game, text)) for number, text in enumerate(texts, 1))


def decisions(game: AnyGame, orders: tuple[Kept, ...], number: int) -> list[float]:
    """Seconds for every decision of a random game."""
    table, _ = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], number.to_bytes(32))
    rng, took = random.Random(number), []
    while not table.is_over:
        seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
        assert table.position
        began = time.thread_time()
        decide(table, seat, orders, 0)
        took.append(time.thread_time() - began)
        take_turn(table, seat, [random_move(table, seat, rng)])
    return took


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

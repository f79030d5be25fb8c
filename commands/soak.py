"""Play random games and check on every position that the rules keep what every game must.

The number of players, the variant and the part of the checks go round; every game has a seed of its own, counted up
from --seed. A failure is printed with the command that repeats it. See tests/conformance for the parts.

examples:
  ./waybill soak airlines-europe --games 200
  ./waybill soak airlines-europe --players 3 --part secrets
  ./waybill soak airlines-europe --players 2 --variant 1 --part options --seed 17 --games 1
  ./waybill soak airlines-europe --endings --games 1000    so many games under every setting: does each end?
"""

import argparse
import itertools
import sys
import traceback
from collections.abc import Iterator
from random import Random

from rich.progress import track

from commands._endings import MOST_ROWS, check_endings
from referee.conformance import PARTS
from referee.conformance.playing import Broken
from referee.games import all_games, open_game

NEEDS_DEVELOPER_TOOLS = True  # for what the conformance kit checks with


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=sorted(all_games()), metavar="GAME", help=", ".join(sorted(all_games())))
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many games to play (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the seed of the first game (1)")
    parser.add_argument("--players", type=int, metavar="K", help="only games for so many players")
    parser.add_argument("--variant", type=int, metavar="V", help="only this variant, counted from 1")
    parser.add_argument("--part", choices=PARTS, help="only this part of the checks")
    parser.add_argument("--endings", action="store_true", help="check nothing but that games end, under every setting")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes for --endings (1)")
    parser.add_argument("--cap", type=int, default=MOST_ROWS, metavar="N", help=f"rows of a game, for it ({MOST_ROWS})")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look closely at one in N positions (1)")


def run(args: argparse.Namespace) -> int:
    game_type = all_games()[args.game]
    if args.endings:
        return 1 if check_endings(args.game, args.games, args.seed, args.jobs, args.cap) else 0
    cases = [
        (seats, variant, part)
        for seats in game_type.seat_counts
        for variant in range(1, len(game_type.variants) + 1)
        for part in PARTS
        if args.players in (None, seats) and args.variant in (None, variant) and args.part in (None, part)
    ]
    if not cases:
        least, most, variants = game_type.seat_counts[0], game_type.seat_counts[-1], len(game_type.variants)
        scope = f"{game_type.name} is for {least} to {most} players and has {variants} variants, counted from 1."
        print(f"waybill: {scope}", file=sys.stderr)
        return 2
    failures = 0
    for number, (seats, variant, part) in zip(steps(args.games), itertools.cycle(cases), strict=False):
        failure = examine(args.game, seats, variant, part, args.seed + number, args.every)
        if failure:
            failures += 1
            print(failure, flush=True)
    print(f"{args.games} games, {failures or 'no'} failure{'s' * (failures != 1)}.")
    return 1 if failures else 0


def steps(games: int) -> Iterator[int]:
    """Counts the games, with a bar on a terminal and a line now and then elsewhere."""
    if sys.stdout.isatty():
        yield from track(range(games), description="games")
        return
    for number in range(games):
        yield number
        if (number + 1) % 50 == 0:
            print(f"{number + 1} of {games} games", flush=True)


def examine(key: str, seats: int, variant: int, part: str, seed: int, every: int) -> str:
    """One part of the checks on one random game: what is broken and how to see it again, or nothing."""
    game = open_game(key, seats, all_games()[key].variants[variant - 1])
    try:
        PARTS[part](game, random_source(key, seats, variant, part, seed), every)
    except Broken as broken:
        problem = str(broken)
    except Exception:
        problem = traceback.format_exc()
    else:
        return ""
    case = f"--players {seats} --variant {variant} --part {part} --every {every} --seed {seed} --games 1"
    return f"{problem}\n  to repeat it: ./waybill soak {key} {case}"


def random_source(*parts: object) -> Random:
    return Random("/".join(map(str, parts)))

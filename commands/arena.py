"""Let bots play many games against each other, and report who wins and what the board is like.

The first bot has one seat, the others fill the rest in turn, and the seats go round from game to game. Games that are
kept in a file (--keep) are not played again: a run that was stopped goes on, and a larger --games adds to it.

bots:
  random            any legal move
  easy              steady's move half of the time, any legal one else
  steady            the game's own advice to a beginner
  thinker           looks for something better than steady's move for --time seconds, or in --iterations playouts
  command:PROGRAM   a program that reads questions and writes moves, a line of JSON each (docs/bots.md); with --bot

examples:
  ./waybill arena airlines-europe --bots steady,random --games 200 --seats 4
  ./waybill arena tin-goose --bots thinker,steady --games 40 --seats 3 --time 0.5 --jobs 2 --keep tin-goose.jsonl
  ./waybill arena spike --bots steady --games 1500 --seats 4 --html spike.html
  ./waybill arena airlines-europe --bot "command:node my-bot.js" --bots steady --games 20 --seats 2
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from commands._arena_figures import Played
from commands._arena_report import html, report
from commands._command_bot import BotError, CommandBot
from referee.arena import MOST_ROWS, easy_bot, play_game, random_bot, seated, steady_bot
from referee.errors import IllegalOrder
from referee.games import all_games, open_game
from referee.playout import AnyGame
from referee.situation import Bot
from referee.thinker import Thinker

BOTS = ("random", "easy", "steady", "thinker")
COMMAND = "command:"
MOST_ITERATIONS = 1_000_000


class Plan(msgspec.Struct, frozen=True):
    """What is played: a kept file goes on only with the same."""

    game: str
    version: str
    seats: int
    settings: dict[str, Any]
    bots: tuple[str, ...]
    seconds: float
    iterations: int
    cap: int
    seed: int


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=sorted(all_games()), metavar="GAME", help=", ".join(sorted(all_games())))
    parser.add_argument("--bots", default="", metavar="A,B", help="who plays; the first has one seat")
    parser.add_argument("--bot", action="append", default=[], metavar="BOT", help="one more, before those of --bots")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many games to play (100)")
    parser.add_argument("--seats", type=int, metavar="K", help="players in a game (as many as bots, or the fewest)")
    parser.add_argument(
        "--time", type=float, default=0.2, metavar="S", help="seconds of CPU a thinker has for a move (0.2)"
    )
    parser.add_argument(
        "--iterations", type=int, metavar="N", help="playouts of a thinker for a move, in place of --time: repeatable"
    )
    parser.add_argument("--settings", default="{}", metavar="JSON", help="the variant to play")
    parser.add_argument("--cap", type=int, default=MOST_ROWS, metavar="N", help=f"rows of a game at most ({MOST_ROWS})")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all games (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (one a core)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep every game, and go on from what is kept")
    parser.add_argument(
        "--with", type=Path, action="append", default=[], dest="rated_with", metavar="FILE",
        help="kept games of the same game with other bots or seats, which the ratings take into account too",
    )  # fmt: skip
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page with charts")


def run(args: argparse.Namespace) -> int:
    try:
        plan = plan_of(args)
        kept = read(args.keep, plan)
        others = [game for path in args.rated_with for game in games_of_the_same(path, plan.game)]
    except ValueError as error:
        print(f"waybill: {error}", file=sys.stderr)
        return 2
    try:
        games = [*kept, *play(plan, args.games, {game.number for game in kept}, args.jobs, args.keep)]
    except BotError as error:
        print(f"waybill: {error}", file=sys.stderr)
        return 1
    games = sorted((game for game in games if game.number < args.games), key=lambda game: game.number)
    report(plan.game, plan.seats, games, others)
    if args.html:
        page = html(plan.game, plan.seats, msgspec.to_builtins(plan), games, others)
        args.html.write_text(page, encoding="utf-8")
        print(f"The report is in {args.html}.")
    return 0


def plan_of(args: argparse.Namespace) -> Plan:
    bots = (*args.bot, *filter(None, args.bots.split(",")))
    if not bots:
        raise ValueError("name at least one bot: --bots steady,random")
    for bot in bots:
        if bot not in BOTS and not bot.startswith(COMMAND):
            raise ValueError(f"there is no bot {bot!r}; there are {', '.join(BOTS)} and {COMMAND}PROGRAM")
    game_type = all_games()[args.game]
    seats = args.seats or max(len(bots), game_type.seat_counts[0])
    if len(bots) > seats:
        raise ValueError(f"{len(bots)} bots do not fit on {seats} seats")
    try:
        settings = json.loads(args.settings)
        game = open_game(args.game, seats, settings)
    except (ValueError, msgspec.ValidationError) as error:
        raise ValueError(f"this game cannot be opened: {error}") from None
    return Plan(
        game=args.game,
        version=game.version,
        seats=seats,
        settings=settings,
        bots=bots,
        seconds=0.0 if args.iterations else args.time,
        iterations=args.iterations or MOST_ITERATIONS,
        cap=args.cap,
        seed=args.seed,
    )


def read(path: Path | None, plan: Plan) -> list[Played]:
    """The games that a file has kept; one of another plan is refused."""
    if path is None or not path.exists():
        return []
    text = path.read_bytes()
    first, *lines = text.splitlines() or [b"{}"]
    if msgspec.json.decode(first) != msgspec.json.decode(msgspec.json.encode(plan)):
        raise ValueError(f"{path} keeps games of another kind: {first.decode()}")
    if lines and not text.endswith(b"\n"):  # a run that was killed while it wrote
        path.write_bytes(text[: -len(lines.pop())])
    return [msgspec.json.decode(line, type=Played) for line in lines]


def games_of_the_same(path: Path, game: str) -> list[Played]:
    """The games that another tournament has kept."""
    try:
        first, *lines = path.read_bytes().splitlines()
    except (OSError, ValueError):
        raise ValueError(f"{path} keeps no games") from None
    if msgspec.json.decode(first)["game"] != game:
        raise ValueError(f"{path} keeps games of another kind: {first.decode()}")
    return [msgspec.json.decode(line, type=Played) for line in lines]


def play(plan: Plan, games: int, have: set[int], jobs: int, keep: Path | None) -> Iterator[Played]:
    """Plays what is missing, some games at once, and keeps each as soon as it is over."""
    todo = iter([number for number in range(games) if number not in have])
    if keep and not keep.exists():
        keep.write_bytes(msgspec.json.encode(plan) + b"\n")
    with ProcessPoolExecutor(max_workers=max(1, jobs)) as pool, bar() as progress:
        task = progress.add_task(plan.game, total=games, completed=len(have))
        running: set[Future[Played]] = {pool.submit(one, plan, number) for number in islice(todo, 2 * max(1, jobs))}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                played = future.result()
                if keep:
                    with keep.open("ab") as file:
                        file.write(msgspec.json.encode(played) + b"\n")
                progress.advance(task)
                yield played
                running |= {pool.submit(one, plan, number) for number in islice(todo, 1)}


def bar() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, disable=not sys.stderr.isatty())


def one(plan: Plan, number: int) -> Played:
    """A game of the plan; in a process of its own."""
    game = open_game(plan.game, plan.seats, plan.settings)
    names = seated(plan.bots, plan.seats, number)
    bots = {name: bot_of(name, game, plan) for name in plan.bots}
    try:
        rng = Random(f"{plan.game}/{plan.seats}/{plan.seed}/{number}")
        result = play_game(game, [bots[name] for name in names], rng, plan.cap)
    except IllegalOrder as error:
        raise BotError(f"{error.message} The game was number {number}.") from None
    finally:
        for bot in bots.values():
            if isinstance(bot, CommandBot):
                bot.close()
    return Played(number, tuple(names), result)


def bot_of(name: str, game: AnyGame, plan: Plan) -> Bot:
    if name.startswith(COMMAND):
        return CommandBot(name.removeprefix(COMMAND), game)
    if name == "thinker":
        clock = time.process_time if plan.seconds else None  # the same on a busy machine
        return Thinker(game, Random, iterations=plan.iterations, clock=clock, seconds=plan.seconds)
    return {"random": lambda _: random_bot, "easy": easy_bot, "steady": steady_bot}[name](game)

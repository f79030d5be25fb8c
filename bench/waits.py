"""How often people wait for a letter: decisions, submissions and hand-offs per game, for every number of players.

Random players play whole games; what a person would have had to send is counted, not timed.

  decisions    answers that the game waits for
  submissions  letters: orders of one player in a row that `Table.submit` takes together count as one
  blind        the same, if the player goes on without looking wherever something new is shown
  hand-offs    how often the game begins to wait for somebody it was not waiting for

usage: ./waybill bench waits [GAME ...] [--versions] [--careful] [--games N]
  --versions   under every version of the rules, so that before and after stand in one table
  --careful    by players who know what a game is about, where the tests have one
  --games N    so many games for each line (10)
"""

import argparse
import importlib
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.bots import random_move, waiting_for
from referee.errors import OrderError
from referee.games import all_games, open_game
from referee.options import Move
from referee.table import AnyGame, Table, open_table

GAMES = 10
MOST_DECISIONS = 20_000  # in a game; none should come near
# Where the tests have a player who knows what the game is about; the tests are no package to import from.
CAREFUL = {"kings-of-air-and-steam": ("tests.referee.games.kings_of_air_and_steam.merchant", "merchant")}

Player = Callable[[Table, int, random.Random], Move]


class Waits(msgspec.Struct):
    """What one game took."""

    decisions: int = 0
    submissions: int = 0
    blind: int = 0
    hand_offs: int = 0


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench waits", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--versions", action="store_true", help="under every version of the rules")
    parser.add_argument("--careful", action="store_true", help="by players who know what the game is about")
    parser.add_argument("--games", dest="number", type=int, default=GAMES, metavar="N", help="for each line")
    args = parser.parse_args(arguments)
    keys = args.games or sorted(CAREFUL if args.careful else all_games())
    unknown = [key for key in keys if key not in (CAREFUL if args.careful else all_games())]
    if unknown:
        what = "careful player for" if args.careful else "game"
        print(f"There is no {what} {unknown[0]!r}.", file=sys.stderr)
        return 2
    print("| game | rules | players | decisions | submissions | blind | hand-offs | submissions a player |")
    print("| --- | --- | --: | --: | --: | --: | --: | --: |")
    for key in keys:
        game_type = all_games()[key]
        player = careful(key) if args.careful else random_move
        for seats in game_type.seat_counts:
            for version in game_type.versions if args.versions else (game_type.version,):
                game = open_game(key, seats, version=version)
                print(line(game, [waits(game, number, player) for number in range(args.number)]), flush=True)
    return 0


def careful(key: str) -> Player:
    module, name = CAREFUL[key]
    player: Player = getattr(importlib.import_module(module), name)
    return player


def line(game: AnyGame, played: Sequence[Waits]) -> str:
    """Means, as a row of a Markdown table."""
    means = {name: mean([getattr(waits, name) for waits in played]) for name in Waits.__struct_fields__}
    cells = [game.key, game.version, game.seats, *(f"{value:.0f}" for value in means.values())]
    return "| " + " | ".join(map(str, [*cells, f"{means['submissions'] / game.seats:.1f}"])) + " |"


def waits(game: AnyGame, number: int, player: Player) -> Waits:
    """A whole game, counted."""
    rng, counted = random.Random(number), Waits()
    table, _ = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], number.to_bytes(32))
    letter = Letter(table)
    awaited: set[int] = set()
    while not table.is_over and counted.decisions < MOST_DECISIONS:
        now = {decision.seat for decision in waiting_for(table)}
        counted.hand_offs += bool(now - awaited)
        awaited = now
        seat = waiting_for(table)[0].seat
        move = player(table, seat, rng)
        counted.decisions += 1
        is_sealed = table.sealed_phase() is not None
        counted.blind += is_sealed or letter.seat != seat
        if is_sealed or not letter.holds(seat, move):
            counted.submissions += 1
            letter = Letter(table, None if is_sealed else seat, move)
        table.submit(seat, [move])
        if is_sealed and not table.missing():
            table.reveal()
    return counted


class Letter:
    """The orders that a seat could have sent together."""

    def __init__(self, table: Table, seat: int | None = None, *moves: Move) -> None:
        self.seat = seat
        self.before = copy_of(table)
        self.moves = list(moves)

    def holds(self, seat: int, move: Move) -> bool:
        """Puts one more order into the letter, if the referee would take it there."""
        if seat != self.seat:
            return False
        try:
            copy_of(self.before).submit(seat, [*self.moves, move])
        except OrderError:
            return False
        self.moves.append(move)
        return True


def copy_of(table: Table) -> Table:
    return Table(table.game, table.header, table.seed, table.position_json, table.sequence, table.head, table.sealed)


def mean(values: Sequence[Any]) -> float:
    return statistics.fmean(values)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

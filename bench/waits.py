"""How often people wait for a letter: decisions, submissions and hand-offs per game, for every number of players.

Random players play whole games; what a person would have had to send is counted, not timed.

  decisions    answers that the game waits for
  submissions  letters: orders of one player in a row that `Table.submit` takes together count as one
  blind        the same, if the player goes on without looking wherever something new is shown
  hand-offs    how often the game begins to wait for somebody it was not waiting for

usage: ./waybill bench waits [GAME ...] [--versions] [--forced | --standing] [--careful] [--games N] [--set NAME=VALUE]
  --versions   under every version of the rules, so that before and after stand in one table
  --forced     instead, by phases: decisions, and those among them that leave no choice
  --standing   letters and hand-offs also where everybody has standing orders: some presets of the game, and then also
               with each letter the next turn, as the player would choose it if all others played their defaults; a step
               that has become impossible falls back to any order of its type. `score` is the mean of all players'
  --careful    by players who know what a game is about, where the tests have one
  --games N    so many games for each line (10); ± is the standard error of their mean
  --set        a setting, for one game
"""

import argparse
import importlib
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
import yaml

from referee.bots import random_move, waiting_for
from referee.contract import canonical
from referee.errors import OrderError
from referee.games import all_games, open_game
from referee.options import Move, Offer, fields_of, type_name
from referee.orders.deciding import answer_all
from referee.orders.standing import Action, Anything, Clause, Kept, StandingOrder
from referee.orders.standing_text import parse_order
from referee.table import AnyGame, Table, open_table

GAMES = 10
MOST_DECISIONS = 20_000  # in a game; none should come near
# Where the tests have a player who knows what the game is about; the tests are no package to import from.
CAREFUL = {
    "kings-of-air-and-steam": ("tests.referee.games.kings_of_air_and_steam.merchant", "merchant"),
    "spike": ("tests.referee.games.spike.careful", "careful_move"),
}

# Presets that a player would have all through a game, and how many turns ahead are queued: in Kings of Air & Steam the
# cards of a round are fixed.
PRESETS = {
    "airline-1975": ("throw", "claim", "land"),
    "airlines-europe": ("open", "clear"),
    "kings-of-air-and-steam": ("keep", "cargo", "clear", "theft"),
    "spike": ("keep", "deliver", "draw"),
    "tin-goose": ("cheap", "deploy", "strike"),
}
TURNS_AHEAD = {"kings-of-air-and-steam": 3}
MOST_AHEAD = 60  # moves of others that are thought of, until it is one's turn again

Player = Callable[[Table, int, random.Random], Move]


class Waits(msgspec.Struct):
    """What one game took."""

    decisions: int = 0
    submissions: int = 0
    blind: int = 0
    hand_offs: int = 0
    score: float = 0.0
    phases: Counter[str] = msgspec.field(default_factory=Counter)  # decisions by phase
    forced: Counter[str] = msgspec.field(default_factory=Counter)  # those with one legal answer


COUNTED = ("decisions", "submissions", "blind", "hand_offs")


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench waits", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--versions", action="store_true", help="under every version of the rules")
    parser.add_argument("--forced", action="store_true", help="decisions without a choice, by phases")
    parser.add_argument("--careful", action="store_true", help="by players who know what the game is about")
    parser.add_argument("--standing", action="store_true", help="also with standing orders")
    parser.add_argument("--games", dest="number", type=int, default=GAMES, metavar="N", help="for each line")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    args = parser.parse_args(arguments)
    settings = {name: yaml.safe_load(value) for name, _, value in (pair.partition("=") for pair in args.set)}
    keys = args.games or sorted(CAREFUL if args.careful else all_games())
    unknown = [key for key in keys if key not in (CAREFUL if args.careful else all_games())]
    if unknown:
        what = "careful player for" if args.careful else "game"
        print(f"There is no {what} {unknown[0]!r}.", file=sys.stderr)
        return 2
    heads = ["game", "rules", "players", "decisions", "submissions", "blind", "hand-offs", "submissions a player"]
    if args.standing:
        saved = ("letters", "hand-offs", "score")
        heads += ["score", *(f"{what}, {how}" for how in ("presets", "queued") for what in saved)]
    if args.forced:
        print(
            "| game | rules | players | phase | decisions | without a choice |\n| --- | --- | --: | --- | --: | --: |"
        )
    else:
        print(f"| {' | '.join(heads)} |\n| --- | --- |{' --: |' * (len(heads) - 2)}")
    for key in keys:
        game_type = all_games()[key]
        player = careful(key) if args.careful else random_move
        for seats in game_type.seat_counts:
            for version in game_type.versions if args.versions else (game_type.version,):
                game = open_game(key, seats, settings, version=version)
                played = [waits(game, number, player) for number in range(args.number)]
                for row in forced(game, played) if args.forced else [line(game, played)]:
                    print(row, end="", flush=True)
                    print(standing_cells(game, played, player) if args.standing else "", flush=True)
    return 0


def careful(key: str) -> Player:
    module, name = CAREFUL[key]
    player: Player = getattr(importlib.import_module(module), name)
    return player


def line(game: AnyGame, played: Sequence[Waits]) -> str:
    """Means, as a row of a Markdown table."""
    means = {name: mean([getattr(waits, name) for waits in played]) for name in COUNTED}
    cells = [game.key, game.version, game.seats, *(f"{value:.0f}" for value in means.values())]
    cells[4] = f"{cells[4]} ± {standard_error([waits.submissions for waits in played]):.0f}"
    return "| " + " | ".join(map(str, [*cells, f"{means['submissions'] / game.seats:.1f}"])) + " |"


def forced(game: AnyGame, played: Sequence[Waits]) -> Iterator[str]:
    """A row for each phase in which somebody is asked without a choice, and one for them all."""
    decisions = sum((waits.phases for waits in played), Counter[str]())
    without = sum((waits.forced for waits in played), Counter[str]())  # which drops what is nothing
    for name, asked, alone in [
        *((phase, decisions[phase], number) for phase, number in without.items()),
        ("all", decisions.total(), without.total()),
    ]:
        cells = [game.key, game.version, game.seats, name, f"{asked / len(played):.1f}", f"{alone / len(played):.1f}"]
        yield "| " + " | ".join(map(str, cells)) + " |"


def standing_cells(game: AnyGame, before: Sequence[Waits], player: Player) -> str:
    """What standing orders save: letters and hand-offs in % of those without, and what becomes of the scores."""
    worlds = [
        [waits(game, number, player, PRESETS[game.key], ahead) for number in range(len(before))]
        for ahead in (0, TURNS_AHEAD.get(game.key, 1))
    ]
    cells = [f"{mean([one.score for one in before]):.0f}"]
    for world in worlds:
        for name in ("submissions", "hand_offs"):
            now = mean([getattr(one, name) for one in world])
            cells.append(f"{now:.0f} ({100 * now / mean([getattr(one, name) for one in before]):.0f} %)")
        cells.append(f"{mean([one.score for one in world]):.0f}")
    return f" {' | '.join(cells)} |"


def waits(game: AnyGame, number: int, player: Player, presets: Sequence[str] = (), ahead: int = 0) -> Waits:
    """A whole game, counted; with some presets as standing orders on all seats, and so many turns queued ahead."""
    rng, counted = random.Random(number), Waits()
    table, _ = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], number.to_bytes(32))
    texts = [preset.text for preset in game.standing.presets if preset.key in presets]
    kept = tuple(Kept(n, text, parse_order(game, text)) for n, text in enumerate(texts, 1))
    orders = dict.fromkeys(range(game.seats), kept)
    letter = Letter(table)
    awaited: set[int] = set()
    last: int | None = None  # who has answered, and can think of the next turn in the same letter
    while not table.is_over and counted.decisions < MOST_DECISIONS:
        if last is not None and ahead and last not in table.awaited() and not table.sealed_phase():
            if all(one.order.when != "next" for one in orders[last]):
                orders[last] = (*orders[last], *queued(table, last, player, rng, ahead))
            last = None
        if orders[0] or ahead:
            done = answer_all(table, orders, 0)
            orders = dict(done.orders)
            if done.answers:
                letter = Letter(table)
                if table.sealed_phase() and not table.missing():
                    table.reveal()
                continue
        now = {decision.seat for decision in waiting_for(table)}
        counted.hand_offs += bool(now - awaited)
        awaited = now
        decision = waiting_for(table)[0]
        seat = decision.seat
        counted.phases[decision.phase] += 1
        counted.forced[decision.phase] += is_forced(game.phases[decision.phase].offers(table.position, seat))
        move = player(table, seat, rng)
        counted.decisions += 1
        is_sealed = table.sealed_phase() is not None
        counted.blind += is_sealed or letter.seat != seat
        if is_sealed or not letter.holds(seat, move):
            counted.submissions += 1
            letter = Letter(table, None if is_sealed else seat, move)
        table.submit(seat, [move])
        last = None if is_sealed else seat
        if is_sealed and not table.missing():
            table.reveal()
    counted.score = mean([standing.score or 0 for standing in game.standings(table.position, table.viewer(None))])
    return counted


def queued(table: Table, seat: int, player: Player, rng: random.Random, turns: int) -> list[Kept]:
    """The next turns of a player, as they would choose them if the others played their defaults, in a world that they
    cannot tell from this one."""
    other = canonical(table.game.imagine(table.view(seat), rng))
    world = Table(table.game, table.header, table.seed, other, table.sequence, table.head, table.sealed, table.names)
    found: list[Kept] = []
    for number in range(turns):
        for _ in range(MOST_AHEAD):
            if world.is_over or world.sealed_phase() or seat in world.awaited():
                break
            late = min(world.awaited())
            world.submit(late, [world.default(late)])
        steps: list[tuple[Action, ...]] = []
        while not world.is_over and not world.sealed_phase() and seat in world.awaited() and len(steps) < 8:
            move = player(world, seat, rng)
            steps.append(tuple(dict.fromkeys((exactly(move), any_like(move)))))
            world.submit(seat, [move])
        if not steps:
            break
        order = StandingOrder(do=(Clause(tuple(steps)),), when="next")
        found.append(Kept(100 + number, "a turn ahead", order))
    return found


def exactly(move: Move) -> Action:
    fields = {field.name: getattr(move, field.name) for field in fields_of(type(move))}
    defaults = {field.name: field.default for field in fields_of(type(move))}
    return Action(type_name(type(move)), {name: value for name, value in fields.items() if value != defaults[name]})


def any_like(move: Move) -> Action:
    required = [field.name for field in fields_of(type(move)) if field.required]
    return Action(type_name(type(move)), dict.fromkeys(required, Anything()))


def is_forced(offers: Iterable[Offer]) -> bool:
    """Whether there is one legal answer only."""
    return len(list(islice((move for offer in offers for move in offer.moves()), 2))) == 1


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


def standard_error(values: Sequence[int]) -> float:
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

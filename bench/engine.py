"""The engine alone: moves per second, the cost of one move, replay, and the size of a position.

A row of the table per game. The machine is never quiet, so everything that is compared is measured in turns, at the
same positions, and the figures are medians.

  play          one move of plain JSON: decode the position, check the move, play it, encode the position
  bare          decoding the same position and encoding it again, which no way of playing a move can do without
  submit        what a table does: the same, and the row of the log is salted, encoded and chained
  last : tenth  what the last moves of a game cost, against those around the tenth. Like is held against like: for each
                late move the median of the early moves of its kind, since another kind may have more to do
  in bare       the same, each move in units of bare at its own position: what is left when a fuller board is not
                counted as a longer game
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from referee.bots import random_game, random_move, take_turn, waiting_for
from referee.chance import Chance
from referee.contract import Play, canonical
from referee.games import all_games, open_game
from referee.legality import check
from referee.log import Header
from referee.record import close, verify
from referee.table import AnyGame, Table, open_table

MOST_PLAY = 4.0  # times bare
MOST_LAST = 1.2  # times the tenth
GAMES = 6
WINDOW = 20
AROUND_TENTH = slice(0, WINDOW)
REPEATS = 9


class Moment(msgspec.Struct):
    """A position of a game and the move that was played in it."""

    header: Header
    position_json: bytes
    row: int
    head: str
    seat: int
    move: dict[str, Any]
    is_open: bool


class Times(msgspec.Struct, frozen=True):
    """Seconds for one move."""

    play: float
    bare: float
    submit: float


def run(arguments: list[str]) -> int:
    keys = arguments or sorted(all_games())
    unknown = [key for key in keys if key not in all_games()]
    if unknown:
        print(f"There is no game {unknown[0]!r}; there are: {', '.join(sorted(all_games()))}.", file=sys.stderr)
        return 2
    grid = Grid(title=f"goals: play : bare at most {MOST_PLAY:g}, last : tenth at most {MOST_LAST:g}")
    grid.add_column("game", no_wrap=True)
    times = ("moves/s", "replay", "play", "bare", "play : bare", "last : tenth", "in bare", "submit", "submit : bare")
    for name in (*times, "moves", "bytes", "memory"):
        grid.add_column(name, justify="right")
    missed = []
    for key in keys:
        figures = measure(key)
        grid.add_row(key, *figures.cells())
        missed += [key] * figures.misses_goal
    Console(width=130).print(grid)
    print(f"goal missed: {', '.join(missed)}" if missed else "all goals met")
    return 1 if missed else 0


class Figures(msgspec.Struct):
    moves_per_second: float
    replayed_per_second: float
    play: float
    bare: float
    ratio: float
    last_to_tenth: float
    last_to_tenth_in_bare: float
    submit: float
    submit_ratio: float
    moves: float
    size: float
    memory: float

    @property
    def misses_goal(self) -> bool:
        return self.ratio > MOST_PLAY or self.last_to_tenth > MOST_LAST

    def cells(self) -> list[str]:
        return [
            f"{self.moves_per_second:.0f}",
            f"{self.replayed_per_second:.0f}",
            f"{self.play * 1e6:.0f} µs",
            f"{self.bare * 1e6:.0f} µs",
            f"{self.ratio:.2f}",
            f"{self.last_to_tenth:.2f}",
            f"{self.last_to_tenth_in_bare:.2f}",
            f"{self.submit * 1e6:.0f} µs",
            f"{self.submit_ratio:.2f}",
            f"{self.moves:.0f}",
            f"{self.size:.0f}",
            f"{self.memory:.0f}",
        ]


def measure(key: str) -> Figures:
    game = open_game(key, all_games()[key].seat_counts[-1])
    played = [moments_of_a_game(game, number) for number in range(GAMES)]
    costs = [cost(game, moment) for moments in played for moment in moments]
    opened = [[moment for moment in moments if moment.is_open] for moments in played]
    pairs = [pair for moments in opened for pair in zip(moments[AROUND_TENTH], moments[-WINDOW:], strict=False)]
    turns = [[(moment.move["type"], timed(game, moment)) for moment in pair] for _ in range(REPEATS) for pair in pairs]
    early, late = [first for first, _ in turns], [last for _, last in turns]
    rates = [whole_game(game, number) for number in range(GAMES)]
    positions = [moment.position_json for moments in played for moment in moments]
    return Figures(
        moves_per_second=median(rate for rate, _ in rates),
        replayed_per_second=median(rate for _, rate in rates),
        play=median(times.play for times in costs),
        bare=median(times.bare for times in costs),
        ratio=median(times.play / times.bare for times in costs),
        last_to_tenth=like_with_like(early, late, lambda times: times.submit),
        last_to_tenth_in_bare=like_with_like(early, late, lambda times: times.submit / times.bare),
        submit=median(times.submit for times in costs),
        submit_ratio=median(times.submit / times.bare for times in costs),
        moves=median(map(len, played)),
        size=median(map(len, positions)),
        memory=median(memory(game.position_decoder.decode(text)) for text in positions),
    )


def like_with_like(
    early: list[tuple[str, Times]], late: list[tuple[str, Times]], figure: Callable[[Times], float]
) -> float:
    """What late moves cost against early ones: the medians of each kind, weighed by how often it comes late."""
    before, after = by_kind(early, figure), by_kind(late, figure)
    both = [kind for kind in after if kind in before]
    weighed = [(len(after[kind]) * median(after[kind]), len(after[kind]) * median(before[kind])) for kind in both]
    return sum(last for last, _ in weighed) / sum(first for _, first in weighed)


def by_kind(times: list[tuple[str, Times]], figure: Callable[[Times], float]) -> dict[str, list[float]]:
    kinds: dict[str, list[float]] = {}
    for kind, of_move in times:
        kinds.setdefault(kind, []).append(figure(of_move))
    return kinds


def moments_of_a_game(game: AnyGame, number: int) -> list[Moment]:
    """A random game, remembered move by move."""
    rng, moments = random.Random(number), []
    table, _ = open_table(game, ["player"] * game.seats, seed_of(number))
    while not table.is_over:
        seat = waiting_for(table)[0].seat
        move = random_move(table, seat, rng)
        plain, is_open = msgspec.to_builtins(move), table.sealed_phase() is None
        moments.append(Moment(table.header, table.position_json, table.sequence, table.head, seat, plain, is_open))
        take_turn(table, seat, [move])
    return moments


def cost(game: AnyGame, moment: Moment) -> Times:
    """The median of each figure."""
    times = [timed(game, moment) for _ in range(REPEATS)]
    return Times(*(median(getattr(repeat, name) for repeat in times) for name in Times.__struct_fields__))


def timed(game: AnyGame, moment: Moment) -> Times:
    table = Table(game, moment.header, b"seed", moment.position_json, moment.row, moment.head)
    return Times(
        play=seconds(lambda: play(table, moment)),
        bare=seconds(lambda: canonical(game.position_decoder.decode(moment.position_json))),
        submit=seconds(lambda: table.submit(moment.seat, [moment.move])),
    )


def play(table: Table, moment: Moment) -> None:
    """A sealed move is checked, and played only when all are in."""
    position = table.game.position_decoder.decode(moment.position_json)
    phase, move = check(table.words, position, moment.seat, moment.move)
    if phase.kind == "open":
        phase.apply(Play(position, Chance(table._key, moment.row + 1)), moment.seat, move)
    canonical(position)


def whole_game(game: AnyGame, number: int) -> tuple[float, float]:
    """Moves per second of playing a random game and of verifying its record."""
    started = time.perf_counter()
    table, entries = random_game(game, seed_of(number), random.Random(number))
    playing = time.perf_counter() - started
    record = close(table, tuple(entries))
    moves = sum(len(entry.row.orders) for entry in entries)
    return moves / playing, moves / seconds(lambda: verify(game, record))


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def memory(thing: Any) -> int:
    """Bytes of a position and of everything in it; what is in it twice counts twice."""
    size = sys.getsizeof(thing)
    if isinstance(thing, dict):
        return size + sum(memory(key) + memory(value) for key, value in thing.items())
    if isinstance(thing, list | tuple):
        return size + sum(map(memory, thing))
    if isinstance(thing, msgspec.Struct):
        return size + sum(memory(getattr(thing, name)) for name in thing.__struct_fields__)
    return size


def seed_of(number: int) -> bytes:
    return number.to_bytes(32)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

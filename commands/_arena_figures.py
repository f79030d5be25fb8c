"""What many games between bots say: rates with their intervals, ratings, seats, and what was used."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from referee.arena import Result

Z = 1.96  # of a 95 % interval
ANCHOR, ANCHORED_AT = "random", 1000
ROUNDS = 60  # of the fit of ratings
RESAMPLED = 60  # times, for how uncertain they are


class Played(msgspec.Struct, frozen=True):
    """A game of a tournament."""

    number: int
    bots: tuple[str, ...]  # by seat
    result: Result


class Interval(NamedTuple):
    value: float
    low: float
    high: float

    def percent(self) -> str:
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"


class Standing(NamedTuple):
    """How one bot did."""

    bot: str
    games: int  # seats that it had in them
    wins: float
    rate: Interval
    share: float  # of the victories that would be its due by number of seats
    score: float
    rating: Interval


def wilson(wins: float, games: int) -> Interval:
    """The rate of wins with its 95 % interval, as Wilson has it: never beyond 0 and 1."""
    if not games:
        return Interval(0.0, 0.0, 1.0)
    rate, spread = wins / games, Z * Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * math.sqrt(max(0.0, rate * (1 - rate)) / games + spread / games / 4) / (1 + spread)
    return Interval(rate, max(0.0, middle - half), min(1.0, middle + half))


def standings(games: Sequence[Played], others: Sequence[Played] = ()) -> list[Standing]:
    """Every bot, the best first. Other games count for the ratings only."""
    seats: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    scores: defaultdict[str, list[int]] = defaultdict(list)
    for game in games:
        for bot, won, score in zip(game.bots, game.result.wins, game.result.scores, strict=True):
            seats[bot] += 1
            wins[bot] += won  # type: ignore[assignment]  # shared victories are fractions
            scores[bot].append(score)
    rating = ratings([*games, *others])
    found = [
        Standing(
            bot,
            seats[bot],
            wins[bot],
            wilson(wins[bot], seats[bot]),
            len(games) / sum(seats.values()),
            sum(scores[bot]) / seats[bot],
            rating[bot],
        )
        for bot in seats
    ]
    return sorted(found, key=lambda standing: -standing.rate.value)


def ratings(games: Sequence[Played]) -> dict[str, Interval]:
    """Elo, from who came in before whom in each game: 400 points are ten to one. A draw is added to every pair, so that
    one who always wins stays finite. The interval is that of tournaments drawn from the same games."""
    values = fit(games)
    rng = Random(1)
    drawn: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(RESAMPLED if len(values) > 1 else 0):
        for bot, value in fit([games[rng.randrange(len(games))] for _ in games]).items():
            drawn[bot].append(value)
    found = {}
    for bot, value in values.items():
        spread = Z * _deviation(drawn[bot])
        found[bot] = Interval(value, value - spread, value + spread)
    return found


def fit(games: Sequence[Played]) -> dict[str, float]:
    """Ratings by the method of Bradley and Terry."""
    beaten: defaultdict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        for seat, bot in enumerate(game.bots):
            for other, rival in enumerate(game.bots):
                if bot != rival:
                    mine, theirs = game.result.places[seat], game.result.places[other]
                    beaten[bot, rival] += 1.0 if mine < theirs else 0.5 * (mine == theirs)
    bots = sorted({bot for game in games for bot in game.bots})
    for bot, rival in list(beaten):
        beaten[bot, rival] += 0.5
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        strength = {
            bot: sum(beaten[bot, rival] for rival in bots if rival != bot)
            / max(
                1e-9,
                sum(
                    (beaten[bot, rival] + beaten[rival, bot]) / (strength[bot] + strength[rival])
                    for rival in bots
                    if rival != bot
                ),
            )
            for bot in bots
        }
    elo = {bot: 400 * math.log10(max(value, 1e-9)) for bot, value in strength.items()}
    base = elo.get(ANCHOR, sum(elo.values()) / len(elo))
    return {bot: ANCHORED_AT + value - base for bot, value in elo.items()}


def by_seat(games: Sequence[Played], seats: int) -> list[Interval]:
    """The rate of wins of each seat, whoever sat there."""
    return [wilson(sum(game.result.wins[seat] for game in games), len(games)) for seat in range(seats)]


class Use(NamedTuple):
    """How often a move or a part of the board was used, and how often those won who used it."""

    name: str
    a_game: float
    seats: int  # that used it
    rate: Interval  # of their victories


def uses(games: Sequence[Played], of: str, names: Iterable[str] = ()) -> list[Use]:
    """Of `moves` or of `parts`, those that are named and never used too; most used first."""
    total: Counter[str] = Counter(dict.fromkeys(names, 0))
    seats: Counter[str] = Counter()
    won: defaultdict[str, float] = defaultdict(float)
    for game in games:
        for seat, used in enumerate(getattr(game.result, of)):
            total.update(used)
            for name in used:
                seats[name] += 1
                won[name] += game.result.wins[seat]
    number = max(1, len(games))
    found = [Use(name, total[name] / number, seats[name], wilson(won[name], seats[name])) for name in total]
    return sorted(found, key=lambda use: -use.a_game)


def middle(values: Sequence[float]) -> str:
    """A mean with the range of the middle nine tenths."""
    if not values:
        return "none"
    ordered = sorted(values)
    low, high = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    return f"{sum(ordered) / len(ordered):.0f} ({low:.0f} to {high:.0f})"


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))

"""One search for all games: what would come of each candidate in worlds that may be true, if all then played steadily?

A candidate is tried in every world against the steady player's move, with the same random numbers for both, so that
what differs is the move. It is played instead only if it is better by more than the noise.
"""

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from referee.arena import steady_bot
from referee.contract import EVERYTHING, copied
from referee.options import Move, Rng
from referee.playout import AnyGame, Playout
from referee.situation import Bot, Choice, Situation

CANDIDATES = 6  # the advice that is tried
DRAWN = 2  # random moves that are tried besides
TRIES = 12  # of each candidate that must be possible: in a slow game fewer of them are tried, and better
LEAST_TRIES = 6  # before a candidate may be given up, or preferred
SURE = 1.3  # standard errors by which a move must be better than the steady one to be played
HOPELESS = 1.0  # standard errors by which a move must be worse to be given up

Clock = Callable[[], float]  # seconds


class Thinker:
    """A bot that thinks until so many playouts are done, or its time is up. `rng_of` makes random numbers of a seed:
    with the same seed and number of iterations it chooses the same."""

    def __init__(
        self,
        game: AnyGame,
        rng_of: Callable[[int], Rng],
        *,
        iterations: int = 1000,
        clock: Clock | None = None,
        seconds: float = 0.5,
    ) -> None:
        self.game = game
        self.rng_of = rng_of
        self.iterations = iterations
        self.clock = clock
        self.seconds = seconds
        self.steady = steady_bot(game)

    def __call__(self, situation: Situation[Any, Any]) -> Choice | None:
        choices = list(candidates(self.game, situation))
        if len(choices) < 2:
            return choices[0] if choices else None
        budget = Budget(self.iterations, self.clock, self.seconds)
        first, trials = choices[0], list[Trial]()
        while budget.take(1 + len(trials)):
            world, seed = situation.imagine(), situation.rng.randrange(2**31)
            steady = self.outcome(world, situation.seat, first, seed)
            if not trials:  # by now it is known what a playout takes
                trials = [Trial(choice) for choice in choices[1 : 1 + budget.whole // TRIES]]
            for trial in trials:
                trial.add(self.outcome(world, situation.seat, trial.choice, seed) - steady)
            trials = [trial for trial in trials if not trial.is_hopeless]
            if not trials:
                break
        best = max(trials, key=lambda trial: trial.mean, default=None)
        if best is None or not best.is_better:
            return first
        return Choice(best.choice.move, f"{best.choice.reason[:-1]}, which turned out best in {best.tries} tries.")

    def outcome(self, world: Any, seat: int, choice: Choice, seed: int) -> float:
        """What a choice leads to in a world."""
        playout = Playout(self.game, copied(world), self.rng_of(seed))
        bots: list[Bot] = [self.steady] * self.game.seats
        bots[seat] = lambda _: choice
        playout.play_row(bots)
        bots[seat] = self.steady
        playout.play(bots, self.game.rows_ahead * self.game.seats)
        return lead(self.game, playout.position, seat)


def candidates(game: AnyGame, situation: Situation[Any, Any]) -> list[Choice]:
    """The steady player's moves, the best first, and a few by chance."""
    found: dict[Move, Choice] = {}
    for choice in islice(game.advice(situation), CANDIDATES):
        found.setdefault(choice.move, choice)
    if situation.required:
        for _ in range(DRAWN):
            move = situation.draw()
            found.setdefault(move, Choice(move, "I try something else."))
    return list(found.values())


def lead(game: AnyGame, position: Any, seat: int) -> float:
    """How far a seat is ahead of the others: of the best of them, and of all."""
    scores = prospects(game, position)
    others = [score for other, score in enumerate(scores) if other != seat]
    return scores[seat] - (max(others) + sum(others) / len(others)) / 2


def prospects(game: AnyGame, position: Any) -> Sequence[float]:
    if not position.ending:
        return game.prospects(position)
    standings = sorted(game.standings(position, EVERYTHING), key=lambda standing: standing.seat)
    scores = [standing.score or 0 for standing in standings]
    bonus = max(map(abs, scores)) / 5  # to be first is worth more than points
    return [score + bonus * (standing.place == 1) for score, standing in zip(scores, standings, strict=True)]


class Budget:
    """How many playouts there are: so many, or as many as the time allows."""

    def __init__(self, playouts: int, clock: Clock | None, seconds: float) -> None:
        self.limit = playouts
        self.done = 0
        self.clock = clock
        self.seconds = seconds
        self.began = clock() if clock else 0.0

    def take(self, playouts: int) -> bool:
        """Whether there is room for some more, which are done then."""
        self.done += playouts
        return self.done <= self.limit and not (self.clock and self.clock() - self.began >= self.seconds)

    @property
    def whole(self) -> int:
        """All there will have been, by what they took so far."""
        if not self.clock:
            return self.limit
        return min(self.limit, int(self.done * self.seconds / max(1e-6, self.clock() - self.began)))


class Trial:
    """A candidate, and how much better than the steady move it did: mean and error of the differences."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.tries = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, difference: float) -> None:
        self.tries += 1
        self.total += difference
        self.squares += difference * difference

    @property
    def mean(self) -> float:
        return self.total / self.tries if self.tries else -math.inf

    @property
    def error(self) -> float:
        variance = max(0.0, self.squares / self.tries - self.mean**2)
        return math.sqrt(variance / (self.tries - 1))

    @property
    def is_hopeless(self) -> bool:
        """Worse beyond doubt; after some tries, not ahead: to be played it would have to be so by far."""
        return self.tries >= LEAST_TRIES and self.mean <= (-HOPELESS * self.error if self.tries < TRIES else 0)

    @property
    def is_better(self) -> bool:
        return self.tries >= LEAST_TRIES and self.mean > SURE * self.error

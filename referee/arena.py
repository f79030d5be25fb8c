"""Bots against bots: whole games, who wins them, and what was used on the way."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from referee.contract import EVERYTHING
from referee.options import Move, Rng, type_name
from referee.playout import AnyGame, Playout
from referee.situation import Bot, Choice, Situation

MOST_ROWS = 4000  # of a game in the arena; one that is longer is counted as such, by what everybody has then

EASY = 2  # one in so many moves of an easy bot is any legal one


def random_bot(situation: Situation[Any, Any]) -> Choice | None:
    """Any legal answer. What it need not answer it lets be."""
    return Choice(situation.draw(), "Any move will do.") if situation.required else None


def steady_bot(game: AnyGame) -> Bot:
    """What the game's advice puts first."""
    return lambda situation: next(game.advice(situation), None)


def easy_bot(game: AnyGame) -> Bot:
    """The advice half of the time, and any legal answer else."""
    steady = steady_bot(game)
    return lambda situation: steady(situation) if situation.rng.randrange(EASY) else random_bot(situation)


class Result(msgspec.Struct, frozen=True):
    """A game that was played: the share of the victory, the place and the score of each seat, its length, and how often
    each seat used which moves (`buy`) and in how many rows which parts of the board (`route london-paris`)."""

    wins: tuple[float, ...]  # 1 for the winner; those who share the first place share it
    places: tuple[int, ...]
    scores: tuple[int, ...]
    rows: int
    hand_offs: int  # how often the game waited for somebody else than before
    ended: bool  # and was not stopped by the cap
    moves: tuple[dict[str, int], ...]
    parts: tuple[dict[str, int], ...]


def play_game(game: AnyGame, bots: Sequence[Bot], rng: Rng, most_rows: int = MOST_ROWS) -> Result:
    """A whole game, every move checked."""
    playout = Playout.of_new_game(game, rng, checked=True)
    moves: list[Counter[str]] = [Counter() for _ in bots]
    parts: list[Counter[str]] = [Counter() for _ in bots]
    asked: list[int] = []
    row: list[tuple[int, Move]] = []

    def watch(seat: int, choice: Choice) -> None:
        asked.append(seat)
        moves[seat][type_name(type(choice.move))] += 1
        row.append((seat, choice.move))

    while not playout.position.ending and playout.rows < most_rows:
        row.clear()
        playout.play_row(bots, watch)
        named: Iterable[tuple[int, msgspec.Struct]] = [
            *row,
            *((seat, event) for event in playout.events if (seat := getattr(event, "seat", None)) is not None),
        ]
        for seat, part in {(seat, part) for seat, thing in named for part in parts_of(game, thing)}:
            parts[seat][part] += 1
    standings = sorted(game.standings(playout.position, EVERYTHING), key=lambda standing: standing.seat)
    scores = tuple(standing.score or 0 for standing in standings)
    places = tuple(
        standing.place or 1 + sum(other > score for other in scores)
        for standing, score in zip(standings, scores, strict=True)
    )
    winners = places.count(1)
    return Result(
        wins=tuple((place == 1) / winners for place in places),
        places=places,
        scores=scores,
        rows=playout.rows,
        hand_offs=sum(before != after for before, after in pairwise(asked)),
        ended=bool(playout.position.ending),
        moves=tuple(map(dict, moves)),
        parts=tuple(map(dict, parts)),
    )


def parts_of(game: AnyGame, thing: msgspec.Struct) -> Iterator[str]:
    """What of the board a move or an event names: those fields whose values have names."""
    for field in thing.__struct_fields__:
        if field in game.vocabulary:
            value = getattr(thing, field)
            for item in value if isinstance(value, tuple) else (value,):
                if item in game.vocabulary[field]:
                    yield f"{field} {item}"


def seated(names: Sequence[str], seats: int, number: int) -> list[str]:
    """Who sits where in a game of a tournament: each once, then all but the first in turn; the seats go round."""
    rest = names[1:] or names
    table = [*names[:seats], *(rest[place % len(rest)] for place in range(seats - len(names)))]
    return [table[(seat + number) % seats] for seat in range(seats)]


def tournament(
    game: AnyGame, bots: Mapping[str, Bot], names: Sequence[str], games: int, rng_of: Callable[[int], Rng]
) -> dict[str, float]:
    """Games of these bots; the wins of each name."""
    wins = dict.fromkeys(names, 0.0)
    for number in range(games):
        players = seated(names, game.seats, number)
        result = play_game(game, [bots[name] for name in players], rng_of(number))
        for name, won in zip(players, result.wins, strict=True):
            wins[name] += won
    return wins

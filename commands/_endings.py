"""Whether games end: many quick games under every setting, without any check but a cap on their length."""

import itertools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

import msgspec

from referee.chance import Chance
from referee.contract import Phase, Play, canonical
from referee.games import GameType, all_games, open_game
from referee.options import Move, sample
from referee.table import AnyGame

MOST_ROWS = 5000  # a game that has lasted so long is taken to last for ever
MANY = 16  # values of a number, all of which are tried; of more, the ends
# Who plays: all by lot, all by the defaults of the referee, or each time one of both, and then also what need not be
# answered, deals for instance, is answered now and then.
PLAYERS = ("random", "default", "mixed")
SELDOM = 8


class Longest(msgspec.Struct, order=True):
    """The longest game under a setting, and how to find it again."""

    rows: int = 0
    seats: int = 0
    players: str = ""
    seed: int = 0


class Found(msgspec.Struct):
    """What the games under a setting came to."""

    settings: str
    games: int
    longest: Longest
    endless: int

    def __str__(self) -> str:
        longest = self.longest
        how = f"{longest.seats} players, {longest.players}, seed {longest.seed}"
        endless = f"{self.endless or 'none'} met the cap"
        return f"{self.settings}: {self.games} games, the longest {longest.rows} rows ({how}), {endless}"


def check_endings(key: str, games: int, seed: int, jobs: int, cap: int) -> int:
    """Plays so many games under each setting, and prints what they came to: how many did not end."""
    settings = list(every_setting(all_games()[key]))
    tasks = [(key, msgspec.to_builtins(setting), games, seed, cap) for setting in settings]
    endless = 0
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(play_setting, *zip(*tasks, strict=True)):
            print(found, flush=True)
            endless += found.endless
    print(f"{len(settings)} settings, {games} games each, a cap of {cap} rows: {endless or 'none'} met it.")
    return endless


def every_setting(game_type: GameType) -> Iterator[Any]:
    """The variants, and each value of each setting alone; of a number with many values the least and the most."""
    seen: list[Any] = []
    _, found = msgspec.json.schema_components([game_type.settings_type])
    fields = found[game_type.settings_type.__name__].get("properties", {})
    alone = ({name: value} for name, field in fields.items() for value in values(field))
    single = (msgspec.convert(setting, game_type.settings_type) for setting in alone)
    for setting in itertools.chain(game_type.variants, single):
        if setting not in seen:
            seen.append(setting)
            yield setting


def values(field: dict[str, Any]) -> list[Any]:
    """Of a setting, from its JSON Schema."""
    if "enum" in field:
        return list(field["enum"])
    if field.get("type") == "boolean":
        return [False, True]
    least, most = field.get("minimum"), field.get("maximum")
    if least is None or most is None:
        raise ValueError(f"a setting without bounds: {field}; who opens a game could set anything")
    return list(range(least, most + 1)) if most - least < MANY else [least, most]


def play_setting(key: str, settings: dict[str, Any], games: int, seed: int, cap: int) -> Found:
    """So many games under one setting; numbers of players and kinds of players go round."""
    longest, endless = Longest(), 0
    cases = itertools.cycle(itertools.product(PLAYERS, all_games()[key].seat_counts))
    tables = {seats: open_game(key, seats, settings) for seats in all_games()[key].seat_counts}
    for number, (players, seats) in zip(range(seed, seed + games), cases, strict=False):
        rows = play(tables[seats], players, number, cap)
        longest = max(longest, Longest(rows, seats, players, number))
        endless += rows >= cap
    plain = msgspec.to_builtins(all_games()[key].settings_type())
    named = ", ".join(f"{name} {value}" for name, value in settings.items() if value != plain[name])
    return Found(named or "as printed", games, longest, endless)


def play(game: AnyGame, players: str, seed: int, cap: int) -> int:
    """A game to its end or to the cap: how many rows it took. Without a table, its log and its hashes."""
    rng, key = Random(f"{players}/{seed}"), seed.to_bytes(32)
    position = game.setup(Chance(key, 0)).position
    for row in range(1, cap + 1):
        position = game.position_decoder.decode(canonical(position))  # as a table does before every move
        if position.ending:
            return row - 1
        step = Play(position, Chance(key, row))
        phase, asked = _asked(game, position, players, rng)
        moves = {seat: _answer(phase, position, seat, players, rng) for seat in asked}
        if phase.kind == "sealed":
            phase.reveal(step, moves)
        else:
            for seat, move in moves.items():
                phase.apply(step, seat, move)
        position = step.position
    return cap


def _asked(game: AnyGame, position: Any, players: str, rng: Random) -> tuple[Phase[Any, Any], tuple[int, ...]]:
    """Who answers next in which phase: one seat, or all of a sealed phase."""
    phases = game.open_phases(position)
    asked = [(phase, seat) for phase in phases for seat in phase.seats(position)]
    if phases[0].kind == "sealed":
        return phases[0], tuple(seat for _, seat in asked)
    optional = [(phase, seat) for phase, seat in asked if not phase.required]
    if players == "mixed" and optional and not rng.randrange(SELDOM):
        phase, seat = optional[rng.randrange(len(optional))]
        if not any(move.leaves_the_game for move in phase.moves):
            return phase, (seat,)
    phase, seat = next((phase, seat) for phase, seat in asked if phase.required)
    return phase, (seat,)


def _answer(phase: Phase[Any, Any], position: Any, seat: int, players: str, rng: Random) -> Move:
    by_default = players == "default" or (players == "mixed" and bool(rng.randrange(2)))
    if by_default and phase.required:
        return phase.default(position, seat)
    return sample(phase.offers(position, seat), rng)

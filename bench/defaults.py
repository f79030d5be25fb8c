"""Whether what the referee plays for those who are late does not hurt them: defaults against passing wherever one may.

The same game is played twice, with the same seed and the same opponents, who move by lot: once a seat is played by
defaults alone, once it passes wherever there is a way to pass or to do nothing, and takes the default elsewhere.

  defaults, passing   the mean final score of that seat, with its standard error
  difference          of the two in the same game: above nothing, defaults are better
  place               the mean final place of that seat: lower is better

The exit code is 1 if defaults are worse in some game, by score, beyond two standard errors.

usage: ./waybill bench defaults [GAME ...] [--games N] [--rules VERSION]
"""

import argparse
import random
import statistics
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee.bots import random_move, waiting_for
from referee.games import all_games, open_game
from referee.options import Move, Offer, type_name
from referee.table import AnyGame, Table, open_table

GAMES = 200
MOST_DECISIONS = 20_000
BEYOND = 2  # standard errors

# What doing nothing, or as little as there is, means in each game: the first of these that is on offer.
PASSING: Mapping[str, Sequence[tuple[str, dict[str, Any]]]] = {
    "airline-1975": (("pass", {}),),
    "airlines-europe": (("take_money", {}),),
    "kings-of-air-and-steam": (("done", {}), ("solicit", {})),
    "spike": (("pass", {}), ("done", {}), ("turn_over", {"contracts": ()})),
    "tin-goose": (("pass", {}), ("bid", {"amount": 0}), ("deploy", {"condition": "none"}), ("take_labor", {})),
}


class Result(msgspec.Struct):
    """How a seat came out of a game."""

    score: int
    place: int


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench defaults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("keys", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"for each game ({GAMES})")
    parser.add_argument("--rules", metavar="VERSION", help="of the rules; without it, the newest")
    args = parser.parse_args(arguments)
    keys = args.keys or sorted(PASSING)
    unknown = [key for key in keys if key not in PASSING]
    if unknown:
        print(f"What passing means in {unknown[0]!r} is not told in bench/defaults.py.", file=sys.stderr)
        return 2
    print("| game | rules | games | defaults | passing | difference | place with defaults, passing | defaults are |")
    print("| --- | --- | --: | --: | --: | --: | --: | --- |")
    is_worse = [compare(key, args.games, args.rules or all_games()[key].version) for key in keys]
    return 1 if any(is_worse) else 0


def compare(key: str, games: int, version: str) -> bool:
    """Prints a line of the table: whether defaults are worse."""
    counts = all_games()[key].seat_counts
    pairs = []
    for number in range(games):
        game = open_game(key, counts[number % len(counts)], version=version)
        seat = number // len(counts) % game.seats
        pairs.append([played(game, number, seat, passes=passes) for passes in (False, True)])
    with_defaults, passing = ([float(pair[which].score) for pair in pairs] for which in (0, 1))
    differences = [first.score - other.score for first, other in pairs]
    mean, error = statistics.fmean(differences), standard_error(differences)
    places = [statistics.fmean(pair[which].place for pair in pairs) for which in (0, 1)]
    is_worse = mean < -BEYOND * error
    verdict = "worse" if is_worse else "better" if mean > BEYOND * error else "not worse"
    cells = [
        key,
        version,
        games,
        *(f"{statistics.fmean(scores):.1f} ± {standard_error(scores):.1f}" for scores in (with_defaults, passing)),
        f"{mean:+.1f} ± {error:.1f}",
        f"{places[0]:.2f}, {places[1]:.2f}",
        verdict,
    ]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return is_worse


def played(game: AnyGame, number: int, subject: int, passes: bool) -> Result:
    """A game to its end: what the subject has then. Each opponent's lots depend on nothing but the game's number and
    how often that seat has moved, so that two games stay as alike as they can."""
    table, _ = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], number.to_bytes(32))
    moved = [0] * game.seats
    while not table.is_over:
        if sum(moved) > MOST_DECISIONS:
            raise RuntimeError(f"{game.name}: game {number} has not ended after {MOST_DECISIONS} decisions")
        seat = waiting_for(table)[0].seat
        lots = random.Random(f"{number}/{seat}/{moved[seat]}")
        moved[seat] += 1
        if seat == subject:
            move = (passing_move(table, seat) if passes else None) or table.default(seat)
        else:
            move = random_move(table, seat, lots)
        table.submit(seat, [move])
        if table.sealed_phase() and not table.missing():
            table.reveal()
    standing = next(standing for standing in table.view().standings if standing.seat == subject)
    return Result(standing.score or 0, standing.place or 0)


def passing_move(table: Table, seat: int) -> Move | None:
    """How a seat does as little as it may now; None where everything on offer does something."""
    offers = table.offers(seat)
    for name, fields in PASSING[table.game.key]:
        for offer in offers:
            if type_name(offer.move) == name and (move := _with(offer, fields)):
                return move
    return None


def _with(offer: Offer, fields: Mapping[str, Any]) -> Move | None:
    """The first move of an offer that has these values."""
    chosen = {
        field: fields[field] if field in fields else next(domain.values()) for field, domain in offer.domains.items()
    }
    if not fields.keys() <= chosen.keys():
        return None
    move = offer.move(**chosen)
    return move if offer.accepts(move) else None


def standard_error(values: Sequence[float]) -> float:
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

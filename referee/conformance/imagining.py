"""Imagined positions are made of a view alone, and may be the true one with the odds of the rules."""

import math
from collections import Counter
from itertools import islice
from typing import Any

import msgspec

from referee.chance import Draws
from referee.conformance.playing import (
    PLAYERS,
    Broken,
    copy_of,
    difference_of_texts,
    differences,
    moments,
    one_of,
    plain,
    play_on,
    where,
    who,
)
from referee.contract import EVERYTHING, Viewer, canonical
from referee.forks import fork
from referee.log import Row
from referee.options import Rng
from referee.record import replay_log
from referee.table import AnyGame, Table, open_table

SETUPS = 150  # whose hidden things are counted
FORKED = 10  # one in so many worlds is played on
FORKED_ROWS = 20  # as far as that
FAR = 6  # standard deviations that two counts may lie apart: there are thousands of them


def check_imagining(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Equal views give equal worlds, each of which looks the same as the true one, and can be played on; who sees
    everything sees the true one. After the setup, where the rules fix all odds, worlds are what the setup makes."""
    for moment, close_look in moments(game, rng, every):
        if close_look:
            table, seat = moment.table, one_of((None, *range(game.seats)), rng)
            check_world(table, seat, rng)
            if not table.is_over and not rng.randrange(FORKED):
                check_fork(table, seat, rng)
    check_odds(game, rng)


def check_world(table: Table, seat: int | None, rng: Rng) -> None:
    game, view, viewer = table.game, table.view(seat), table.viewer(seat)
    key = bytes(rng.randrange(256) for _ in range(16))
    before = table.position_json
    other = copy_of(table, canonical(game.imagine(view, Draws(key, 0))))
    if canonical(table.position) != before:
        raise Broken(f"{where(table)}: imagine changes the position that it is shown")
    if canonical(other.view_of(viewer, seat)) != canonical(view):
        found = difference_of_texts(canonical(view), canonical(other.view_of(viewer, seat)))
        raise Broken(f"{where(table)}: {who(seat)} can tell an imagined position from the true one: {found}")
    again = [canonical(game.imagine(world.view_of(viewer, seat), Draws(key, 1))) for world in (table, other)]
    if again[0] != again[1]:
        found = difference_of_texts(*again)
        raise Broken(f"{where(table)}: equal views of {who(seat)} and equal numbers give unequal worlds: {found}")
    whole = game.imagine(table.view_of(EVERYTHING, None), Draws(key, 2))
    if unordered(plain(whole)) != unordered(plain(table.position)):
        found = difference_of_texts(*(canonical(unordered(plain(one))) for one in (table.position, whole)))
        raise Broken(f"{where(table)}: a view of everything is not enough for the position: {found}")


def check_fork(table: Table, seat: int | None, rng: Rng) -> None:
    """A game that goes on from an imagined position is one like any other: played on, and played again from its log."""
    seed = bytes(rng.randrange(256) for _ in range(32))
    made, entry = fork(table, seat, "another game", seed, table.names)
    if canonical(made.game.view(made.position, Viewer(seat))) != canonical(
        table.game.view(table.position, Viewer(seat))
    ):
        raise Broken(f"{where(table)}: a game that goes on from here shows {who(seat)} something else")
    try:
        entries = [entry, *(moment.entry for moment in islice(play_on(made, rng), FORKED_ROWS))]
    except Exception as error:
        raise Broken(f"{where(table)}: what {who(seat)} may imagine cannot be played on: {error!r}") from error
    stored = [msgspec.structs.replace(entry, row=msgspec.json.decode(entry.row_json, type=Row)) for entry in entries]
    for old, (again, new) in zip(entries, replay_log(made.game, made.header, seed, stored), strict=True):
        if old.row_json != new.row_json:
            found = difference_of_texts(old.row_json, new.row_json)
            raise Broken(f"{where(again)}: a game that went on from row {table.sequence} of another differs: {found}")


def unordered(thing: Any) -> Any:
    """A position in which the order of lists does not count: of a hand or a pool a view shows what is in it."""
    if isinstance(thing, dict):
        return {name: unordered(value) for name, value in thing.items()}
    return sorted(map(unordered, thing), key=canonical) if isinstance(thing, list) else thing


def check_odds(game: AnyGame, rng: Rng) -> None:
    """What a seat does not see after the setup has the same frequencies in worlds as in new games."""
    true: Counter[str] = Counter()
    imagined: Counter[str] = Counter()
    for _ in range(SETUPS):
        seed = bytes(rng.randrange(256) for _ in range(32))
        table, _ = open_table(game, PLAYERS[: game.seats], seed)
        seat = rng.randrange(game.seats)
        world = copy_of(table, canonical(game.imagine(table.view(seat), Draws(seed, 0))))
        for counts, shown in ((true, table), (imagined, world)):
            counts.update(hidden_things(shown, seat))
    for thing in sorted(true.keys() | imagined.keys()):
        apart = abs(true[thing] - imagined[thing])
        if apart > FAR * math.sqrt(true[thing] + imagined[thing]):
            raise Broken(
                f"after the setup, {thing} is true in {true[thing]} of {SETUPS} games and in {imagined[thing]} worlds"
            )


def hidden_things(table: Table, seat: int) -> list[str]:
    """All that a seat's view keeps from it, place by place: `deck.0=red`."""
    everything = plain(table.game.view(table.position, EVERYTHING))
    seen = plain(table.game.view(table.position, Viewer(seat)))
    return [
        f"{path}.{part}"
        for path, value, _ in differences(everything, seen)
        for part in (f"{index}={item}" for index, item in _parts(value))
    ]


def _parts(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return sorted(value.items())
    return list(enumerate(value)) if isinstance(value, list) else [("", value)]

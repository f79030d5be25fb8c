"""The course of a game: it ends, always asks somebody, and loses nothing that it must keep."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.conformance.playing import Broken, accept, asking, moments, plain, where
from referee.conformance.words import check_sentence
from referee.options import Rng
from referee.table import AnyGame, Table


def check_course(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """The game comes to an end, always asks somebody, and loses nothing that it must keep."""
    sums: dict[str, int] = {}
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        check_decisions(table)
        sums = sums or dict(game.conserved(table.position))
        now = dict(game.conserved(table.position))
        changed = {name: (was, now.get(name)) for name, was in sums.items() if now.get(name) != was}
        if changed or now.keys() != sums.keys():
            orders = [order.move for order in moment.entry.row.orders]
            raise Broken(f"{where(table)}: {orders} did not conserve (before, after): {changed or now.keys()}")
        if close_look:
            check_position_data(table)
            check_standings(table)


def check_decisions(table: Table) -> None:
    """While a game lasts somebody is asked, can answer, and has a default; when it is over nobody is."""
    decisions, ending = table.decisions(), table.position.ending
    if ending and ending not in table.game.endings:
        raise Broken(f"{where(table)}: the game ended with {ending!r}, which is not among its endings")
    if ending and decisions:
        raise Broken(f"{where(table)}: the game is over and still asks {decisions}")
    if len(table.game.open_phases(table.position)) > 1 and table.sealed_phase():
        raise Broken(f"{where(table)}: a sealed phase must be open alone, or a move beside it would lose its envelopes")
    if not ending and not any(decision.required for decision in decisions):
        raise Broken(f"{where(table)}: the game is not over and waits for nobody; open decisions: {decisions}")
    repeated = [key for key, n in Counter((decision.seat, decision.phase) for decision in decisions).items() if n > 1]
    if repeated:
        raise Broken(f"{where(table)}: asked twice (seat, phase): {repeated}")
    for decision in decisions:
        if decision.seat not in range(table.game.seats):
            raise Broken(f"{where(table)}: there is no seat {decision.seat} to ask")
        check_sentence(table, f"the prompt for seat {decision.seat}", decision.prompt)
        if not table.offers(decision.seat):
            raise Broken(f"{where(table)}: seat {decision.seat} is asked “{decision.prompt}” and is offered nothing")
        if decision.required:
            check_default(table, decision.seat)


def check_default(table: Table, seat: int) -> None:
    """What the clock plays is legal."""
    for phase in asking(table, seat):
        if phase.required:
            move = phase.default(table.position, seat)
            accept(table, seat, plain(move), "has as its default")


def check_position_data(table: Table) -> None:
    """A position is ints, strings and lists of them."""
    for path, value in leaves(msgspec.json.decode(table.position_json)):
        if isinstance(value, float):
            raise Broken(f"{where(table)}: position.{path} is {value}: a position holds no floats")


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else None
    if items is None:
        yield path, tree
    for key, value in items or ():
        yield from leaves(value, f"{path}.{key}" if path else str(key))


def check_standings(table: Table) -> None:
    """Every seat is there once; at the end with a place, best first, and a score."""
    for seat in (None, *range(table.game.seats)):
        standings = table.view(seat).standings
        if sorted(standing.seat for standing in standings) != list(range(table.game.seats)):
            raise Broken(f"{where(table)}: the standings do not hold every seat once: {standings}")
    if table.is_over:
        places = [standing.place for standing in standings]
        expected = [None if place is None else 1 + sum(other < place for other in places if other) for place in places]
        if None in places or places != sorted(expected, key=lambda place: place or 0):
            raise Broken(f"{where(table)}: final places {places}: best first; ties share a place, the next counts on")

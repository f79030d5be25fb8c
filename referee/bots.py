"""Whom a table waits for, and players that need no person."""

from collections.abc import Sequence
from typing import Any

from referee.contract import Decision, Phase
from referee.log import Entry
from referee.options import Move, Rng, sample
from referee.table import AnyGame, Outcome, Table, open_table


def waiting_for(table: Table) -> list[Decision]:
    """The decisions without which the game does not go on; sealed ones only until their envelope is in."""
    return [
        decision
        for decision in table.decisions()
        if decision.required and not (decision.kind == "sealed" and decision.seat in table.sealed)
    ]


def answers_beside(table: Table) -> dict[int, Move]:
    """What the game does not wait for and everybody does nevertheless, such as to claim money that is due, by seat: an
    optional phase that has a default says so."""
    return {
        decision.seat: table.game.phases[decision.phase].default(table.position, decision.seat)
        for decision in table.decisions()
        if not decision.required and type(table.game.phases[decision.phase]).default is not Phase.default
    }


def take_turn(
    table: Table, seat: int, orders: Sequence[dict[str, Any] | str | Move], by: str = "player"
) -> tuple[Outcome, list[Entry]]:
    """Submits orders, and opens the envelopes if one of them was the last: the outcome, and all rows played."""
    outcome = table.submit(seat, orders, by)
    entries = list(outcome.entries)
    if outcome.receipt and not table.missing():
        entries.append(table.reveal())
    return outcome, entries


def random_move(table: Table, seat: int, rng: Rng) -> Move:
    """A legal answer to what the seat must answer. What it need not answer, a deal or leaving the game, it lets be, but
    not what everybody does."""
    if seat in (beside := answers_beside(table)):
        return beside[seat]
    asked = next(decision for decision in waiting_for(table) if decision.seat == seat)
    return sample(table.game.phases[asked.phase].offers(table.position, seat), rng)


def random_game(game: AnyGame, seed: bytes, rng: Rng) -> tuple[Table, list[Entry]]:
    """A whole game of legal moves drawn by lot."""
    table, first = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], seed)
    entries = [first]
    while not table.is_over:
        seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
        entries += take_turn(table, seat, [random_move(table, seat, rng)], by="bot")[1]
    return table, entries

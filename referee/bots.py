"""Whom a table waits for, and players that need no person."""

from collections.abc import Sequence
from typing import Any

from referee.contract import Decision
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
    """A legal answer to what the seat must answer. What it need not answer, a deal or leaving the game, it lets be."""
    asked = next(decision for decision in waiting_for(table) if decision.seat == seat)
    return sample(table.game.phases[asked.phase].offers(table.position, seat), rng)


def random_game(game: AnyGame, seed: bytes, rng: Rng) -> tuple[Table, list[Entry]]:
    """A whole game of legal moves drawn by lot."""
    table, first = open_table(game, [f"Player {seat + 1}" for seat in range(game.seats)], seed)
    entries = [first]
    while not table.is_over:
        seat = waiting_for(table)[0].seat
        entries += take_turn(table, seat, [random_move(table, seat, rng)], by="bot")[1]
    return table, entries

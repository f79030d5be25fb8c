"""Players and games in a line: what many tests begin with."""

import itertools
import os
import random
from typing import Any

from referee.options import sample
from service import games, moves, phases, players, positions, seats
from service.games import NewGame, NewSeat
from service.players import Player
from store.database import Database

_numbers = itertools.count()

RULESET = "airlines-europe"


def make_player(db: Database, name: str = "") -> Player:
    with db.transaction() as transaction:
        return players.create(transaction, name or f"player {os.getpid()}-{next(_numbers)}")


def make_game(
    db: Database, people: int = 2, bots: int = 0, ruleset: str = RULESET, **options: Any
) -> tuple[str, list[Player]]:
    """A game that has started: its id, and the players in the order of their seats; bots sit after them."""
    at_table = [make_player(db) for _ in range(people)]
    new_seats = [NewSeat("me" if number == 0 else "open") for number in range(people)]
    new_seats += [NewSeat("bot", bot="random")] * bots
    with db.transaction() as transaction:
        game_id = games.create(transaction, at_table[0], NewGame(ruleset, tuple(new_seats), **options)).game.id
        for player in at_table[1:]:
            seats.join(transaction, game_id, player)
    return game_id, at_table


def play_some(db: Database, game_id: str, rows: int, seed: int = 1) -> int:
    """Plays random legal moves until the game has so many rows or is over; its sequence number then."""
    rng = random.Random(seed)
    while True:
        table, status = positions.load(db, game_id)
        if table.sequence >= rows or status != "running":
            return table.sequence
        if table.sealed_phase() and not table.missing():
            assert phases.resolve(db, game_id, table.sequence + 1)
            continue
        seat = table.acting()[0]
        moves.submit(db, game_id, seat, [sample(table.offers(seat), rng)])

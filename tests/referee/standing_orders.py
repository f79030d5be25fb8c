"""Random standing orders, made of what a game offers on the way and of the facts that it names."""

import random
from typing import Any

from referee.bots import answers_beside, random_move, take_turn, waiting_for
from referee.games import open_game
from referee.log import Entry
from referee.options import fields_of, type_name
from referee.orders.conditions import values_by_words
from referee.orders.deciding import answer_all, decide
from referee.orders.standing import (
    WAIT,
    Action,
    AllOf,
    Amount,
    AnyOf,
    Anything,
    Bound,
    Can,
    Clause,
    Compare,
    Condition,
    Everything,
    Holds,
    Is,
    Kept,
    Not,
    Ranked,
    StandingOrder,
)
from referee.table import AnyGame, Table, canonical, open_table


class Maker:
    """Makes standing orders of a game by lot."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.game = game
        self.rng = random.Random(seed)
        self.moves = dict(self._moves(seed))
        self.phases = {name: phase for phase in game.standing.phases for name in phase.phases}

    def _moves(self, seed: int) -> Any:
        """Moves that were legal somewhere in random games, by phase."""
        found: dict[str, list[Any]] = {}
        table, _ = open_table(self.game, [f"P{seat}" for seat in range(self.game.seats)], seed.to_bytes(32))
        for _ in range(150):
            if table.is_over:
                break
            seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
            move = random_move(table, seat, self.rng)
            asked = [phase for phase in self.game.open_phases(table.position) if seat in phase.seats(table.position)]
            phase = next(phase for phase in asked if type(move) in phase.moves)
            if not move.leaves_the_game:
                found.setdefault(phase.name, []).append(move)
            take_turn(table, seat, [move])
        return found

    def order(self) -> StandingOrder:
        rng = self.rng
        name = rng.choice(sorted(self.moves))
        when = rng.choice(["always", "always", "once", "next"])
        clauses = [
            Clause(self._steps(name, rng.randrange(1, 3) if when == "next" else 1), self._perhaps(0.6))
            for _ in range(rng.randrange(1, 4))
        ]
        return StandingOrder(
            do=tuple(clauses),
            when=when,
            phases=(self.phases[name].name,) if name in self.phases and when != "next" else (),
            condition=self._perhaps(0.2),
            only_while=self._perhaps(0.1),
            until_row=rng.randrange(400) if rng.random() < 0.2 else None,
            times=rng.randrange(1, 9) if when == "always" and rng.random() < 0.2 else None,
            until="2031-02-03T04:05:06Z" if rng.random() < 0.1 else None,
            after=rng.choice([0, 0, 0, 60, 7200, 86400]),
            stop_when=tuple(event.name for event in self.game.standing.events[:1]) if rng.random() < 0.1 else (),
            if_impossible=rng.choice([None, None, "drop", "keep"]),
        )

    def _perhaps(self, chance: float) -> Condition | None:
        return self.condition() if self.rng.random() < chance else None

    def _steps(self, name: str, number: int) -> Any:
        return tuple(tuple(self.action(name) for _ in range(self.rng.randrange(1, 3))) for _ in range(number))

    def action(self, name: str) -> Action:
        rng = self.rng
        move = rng.choice(self.moves[name])
        if rng.random() < 0.05:
            return Action(WAIT)
        fields: dict[str, Any] = {}
        for field in fields_of(type(move)):
            value = getattr(move, field.name)
            if rng.random() < 0.4:
                value = self._choice(value)
            if value != field.default:
                fields[field.name] = value
        return Action(type_name(type(move)), fields)

    def _choice(self, value: Any) -> Any:
        rng = self.rng
        if isinstance(value, int):
            bounds = {"at_least": Amount(number=rng.randrange(5)), "up_to": Amount(number=5 + rng.randrange(20))}
            some = {name: bound for name, bound in bounds.items() if rng.random() < 0.6}
            return Bound(rng.choice(["least", "most"]), **some)
        if isinstance(value, tuple) and value and all(isinstance(item, str) for item in value):
            return rng.choice([Anything(), Everything(), Ranked(tuple(dict.fromkeys(value)))])
        return Anything() if isinstance(value, str) else value

    def condition(self, depth: int = 0) -> Condition:
        rng, facts = self.rng, self.game.standing.facts
        if depth < 2 and rng.random() < 0.4:
            inner = tuple(self.condition(depth + 1) for _ in range(2))
            return rng.choice([AllOf(inner), AnyOf(inner), Not(inner[0])])
        if rng.random() < 0.1:
            return Can(rng.choice(sorted(type_name(kind) for kind in self.game.move_types)))
        fact = rng.choice(facts)
        if fact.kind == "flag":
            return Holds(fact.name)
        if fact.kind in ("word", "list"):
            values = sorted(set(values_by_words(self.game, fact).values()))
            return Is(fact.name, tuple(dict.fromkeys(rng.choice(values) for _ in range(rng.randrange(1, 3)))))
        numbers = [one.name for one in facts if one.kind == "number"]
        right = Amount((rng.choice(numbers),), (), rng.randrange(-3, 4))
        right = right if rng.random() < 0.3 else Amount(number=rng.randrange(30))
        return Compare(Amount((fact.name,)), rng.choice(["<", "<=", "=", "!=", ">=", ">"]), right)

    def orders(self, number: int) -> tuple[Kept, ...]:
        return tuple(Kept(n, f"order {n}", self.order()) for n in range(1, number + 1))


def play(game: AnyGame, seed: int, number: int = 6, check_worlds: bool = False) -> tuple[Table, list[Entry], int]:
    """A whole game by random players with random standing orders on all seats: the table, its rows, and how many of the
    answers were standing orders'."""
    maker, rng = Maker(game, seed), random.Random(seed)
    table, first = open_table(game, [f"P{seat}" for seat in range(game.seats)], seed.to_bytes(32))
    orders = {seat: maker.orders(number) for seat in range(game.seats)}
    entries, answered, now = [first], 0, 0
    while not table.is_over:
        now += 600
        if check_worlds:
            check_other_worlds(table, orders, now, rng)
        done = answer_all(table, orders, now)
        orders = done.orders
        answered += len(done.answers)
        entries += [entry for answer in done.answers for entry in answer.entries]
        if table.is_over:
            break
        if table.sealed_phase() and not table.missing():
            entries.append(table.reveal())
            continue
        seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
        entries += take_turn(table, seat, [random_move(table, seat, rng)])[1]
    return table, entries, answered


def check_other_worlds(table: Table, orders: dict[int, tuple[Kept, ...]], now: int, rng: random.Random) -> None:
    """What a seat's standing orders decide depends on nothing that the seat cannot see."""
    for seat, some in orders.items():
        other = canonical(table.game.imagine(table.view(seat), rng))
        place = other, table.sequence, table.head, table.sealed, table.names
        world = Table(table.game, table.header, table.seed, *place)
        assert decide(world, seat, some, now) == decide(table, seat, some, now)


def game_of(key: str, seats: int) -> AnyGame:
    return open_game(key, seats)

"""The examples of docs/standing-orders.md do what is written behind them, wherever they apply."""

import random
import re
from pathlib import Path

import pytest

from referee.bots import answers_beside, random_move, take_turn, waiting_for
from referee.games import all_games, open_game
from referee.options import sample
from referee.orders.conditions import Reader
from referee.orders.deciding import Outlook, decide, phase_names
from referee.orders.standing import Kept
from referee.orders.standing_text import parse_order
from referee.table import Table, open_table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "standing-orders.md"
EXAMPLES = re.findall(r"^```standing (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
GAMES = 60  # at most, until every line has been seen
SEEN = 3  # positions for a line, that are enough


class Line:
    """What an example says of its order: a condition, or none, and what is played."""

    def __init__(self, game, line: str) -> None:
        kind, _, rest = line.partition(" ")
        said, _, played = rest.rpartition(": ")
        self.line = line
        self.condition = Reader(game).condition(said) if kind == "when" else None
        self.steps = () if played == "nothing" else parse_order(game, f"next: {played}").do[0].do
        self.seen = 0


def plays(table: Table, seat: int, kept: tuple[Kept, ...], steps) -> bool:
    """Whether an order begins with these steps, or plays nothing; the table is a copy."""
    if not steps:
        return decide(table, seat, kept).move is None
    for number, (action, *_) in enumerate(steps):
        outlook = Outlook(table, seat)
        found = decide(table, seat, kept)
        if found.move is None or found.move != outlook.move(action, outlook.phases):
            return False
        if number + 1 < len(steps):
            kept = (Kept(1, "", kept[0].order, found.progress),)
            table.submit(seat, [found.move])
    return True


def copy_of(table: Table) -> Table:
    return Table(table.game, table.header, table.seed, table.position_json, table.sequence, table.head, table.sealed)


@pytest.mark.parametrize(("key", "text"), EXAMPLES, ids=[f"{key} {n}" for n, (key, _) in enumerate(EXAMPLES, 1)])
def test_every_example_does_what_is_written_behind_it(key: str, text: str) -> None:
    game = open_game(key, all_games()[key].seat_counts[-1])
    order_text, *rest = text.strip().splitlines()
    order = parse_order(game, order_text)
    lines = [Line(game, line) for line in rest]
    kept = (Kept(1, order_text, order),)
    names = phase_names(game, order.phases)
    for seed in range(GAMES):
        if all(line.seen >= SEEN for line in lines):
            break
        rng = random.Random(seed)
        table, _ = open_table(game, [f"P{seat}" for seat in range(game.seats)], seed.to_bytes(32))
        while not table.is_over:
            for seat in range(game.seats):
                outlook = Outlook(table, seat)
                is_asked = outlook.is_awaited or "deal" in order_text
                if not is_asked or seat in table.sealed or (names and not {p.name for p in outlook.phases} & names):
                    continue
                for line in lines:
                    if line.seen < 10 * SEEN and outlook.holds(line.condition):
                        fits = (
                            plays(copy_of(table), seat, kept, line.steps)
                            if line.steps
                            else not decide(table, seat, kept).move
                        )
                        assert fits or line.condition is None, f"{line.line} {outlook.facts()}"
                        line.seen += fits * (SEEN if line.condition is None else 1)
            beside = [d.seat for d in table.decisions() if d.phase == "deals"] if "deal" in order_text else []
            if beside and rng.random() < 0.5:
                seat = rng.choice(beside)
                move = sample(game.phases["deals"].offers(table.position, seat), rng)
            else:
                seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
                move = random_move(table, seat, rng)
            take_turn(table, seat, [move])
    assert [line.line for line in lines if not line.seen] == []


def test_there_are_ten_examples_of_all_games() -> None:
    assert len(EXAMPLES) >= 10
    assert {key for key, _ in EXAMPLES} == set(all_games())

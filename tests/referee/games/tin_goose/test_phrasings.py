"""Everything that a player writes naturally is read, and nothing is read as something else."""

from pathlib import Path

import msgspec
import pytest
import yaml

from referee.errors import OrderError
from referee.games.tin_goose.state import Bidding
from referee.orders.notation import format_move
from tests.referee.games.tin_goose.setups import BOARD, DIVIDENDS, RURAL, SAFETY, at, own, start

WON = {"card": "G12", "bidding": Bidding(3, 8, 0)}
POSITIONS = {
    "airmail": lambda: start(3)[0],
    "airmail choice": lambda: at(3, "airmail_choice", airmail=["A1", "A7", "A9"], choosers=[0, 1, 2]),
    "card": lambda: at(3, "card", me={"hand": ["G17", "G06", "G07", "G24", "B26"]}),
    "auction": lambda: at(3, "auction", card="G12", bidding=Bidding(2, 8, 2)),
    "acquisition": lambda: at(3, "acquisition", me={"conditions": [SAFETY, DIVIDENDS, RURAL]}, **WON),
    "acquisition without conditions": lambda: at(3, "acquisition", **WON),
    "strike": lambda: at(3, "strike", card="G24"),
    "actions": lambda: at(3),
    "actions with a Stinson and a Stratoliner": lambda: at(
        3, me={"fleets": own("ford_trimotor", planes=1) + own("G06", "B20")}
    ),
}
PHRASINGS = yaml.safe_load((Path(__file__).parent / "phrasings.yaml").read_text("utf-8"))
CASES = [(name, case) for name, cases in PHRASINGS.items() for case in cases]


IDS = [f"{name}: {case['say']}" for name, case in CASES]


@pytest.mark.parametrize(("name", "case"), CASES, ids=IDS)
def test_a_line_means_what_its_writer_meant(name, case):
    table = POSITIONS[name]()
    if "means" in case:
        assert format_move(table.game, table.check(0, case["say"])) == case["means"]
        return
    with pytest.raises(OrderError) as caught:
        table.check(0, case["say"])
    assert case["refused"] in caught.value.message
    assert "_" not in caught.value.message  # no name that only programs use
    if caught.value.nearest:
        assert caught.value.nearest == msgspec.to_builtins(table.default(0)) or is_harmless(caught.value.nearest)


def is_harmless(order):
    """What may be proposed to somebody whose order was refused: nothing that costs money, chips, flames or debts."""
    return (
        order["type"] in ("place_plane", "advance_income", "pass")
        or order.get("chips") == 1
        or (order["type"] == "play_card" and BOARD.card[order["card"]].kind == "fleet")
        or order["type"] == "choose"
    )


def test_there_are_at_least_sixty_phrasings():
    assert len({case["say"] for _, case in CASES if "means" in case}) >= 60

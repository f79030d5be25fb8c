"""What players write naturally, as data: each line is read as what it must mean, or refused for the reason it must."""

from pathlib import Path

import pytest
import yaml

from referee.errors import AmbiguousOrder, IllegalOrder, InvalidOrder, OrderError
from referee.games.spike.state import Contract
from referee.orders.notation import format_move
from tests.positions import copy_of, play, put, start
from tests.referee.games.spike.setups import at, cargo, line

PHRASINGS = yaml.safe_load((Path(__file__).parent / "phrasings.yaml").read_text("utf-8"))
CONTRACTS = {"cows": "cows-1a", "wheat": "wheat-1a", "cloth": "cloth-1b"}
HOME = [*line("boston", "albany"), *line("albany", "new_york")]


def setup_phase(phase, **fields):
    table, _ = start("spike", 3, {"advanced": True})
    position = copy_of(table)
    anna = position.players[0]
    anna.contracts = {goods: Contract(card[:-1], card[-1]) for goods, card in CONTRACTS.items()}
    anna.hand = {"red": 2, "white": 1, "blue": 1, "yellow": 1}
    anna.routes = ["r28", "r01"]
    position.phase = phase
    return put(table, position)


def turn(**fields):
    hand = {"white": 1, "black": 2, "blue": 3, "red": 1}
    fields = {"hands": [hand, {}, {}], "tracks": [HOME], "scores": [3, 0, 0], **fields}
    return at(3, contracts=fields.pop("contracts", [CONTRACTS, {}, {}]), **fields)


def drawing():
    table = turn()
    play(table, "draw red")
    return table


def on_track():
    trains = [HOME[0], "topeka", "miami"]
    return cargo(turn(trains=trains, contracts=[{"steel": "steel-2a", "cloth": "cloth-1b"}, {}, {}]), "steel")


def arrival():
    table = on_track()
    play(table, "boost Boston")
    return table


POSITIONS = {
    "sides": lambda: setup_phase("sides"),
    "gift": lambda: setup_phase("gift"),
    "routes": lambda: setup_phase("routes"),
    "placement": lambda: setup_phase("placement"),
    "turn": turn,
    "drawing": drawing,
    "on_track": on_track,
    "arrival": arrival,
}


@pytest.mark.parametrize("phrasing", PHRASINGS, ids=lambda phrasing: f"{phrasing['at']}: {phrasing['line']}")
def test_a_line_means_what_it_must(phrasing):
    table = POSITIONS[phrasing["at"]]()
    if "asks" in phrasing:
        with pytest.raises(AmbiguousOrder) as asked:
            table.check(0, phrasing["line"])
        assert list(asked.value.readings) == phrasing["asks"]
        return
    if "refused" not in phrasing:
        assert format_move(table.game, table.check(0, phrasing["line"])) == phrasing["means"]
        return
    with pytest.raises(OrderError) as caught:
        table.check(0, phrasing["line"])
    assert isinstance(caught.value, IllegalOrder | InvalidOrder)
    assert not isinstance(caught.value, AmbiguousOrder)
    assert phrasing["refused"] in caught.value.message


def test_there_are_enough_of_them():
    assert len(PHRASINGS) >= 60
    assert len({(phrasing["at"], phrasing["line"]) for phrasing in PHRASINGS}) == len(PHRASINGS)

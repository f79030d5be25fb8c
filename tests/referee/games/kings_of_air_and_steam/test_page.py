"""The page of the game tells players how to write orders, and every ruling."""

import re
from pathlib import Path

import pytest
import yaml

from referee.errors import AmbiguousOrder
from referee.games import open_game
from referee.orders.notation import parse
from tests.referee.games.kings_of_air_and_steam.setups import KEY

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "games" / f"{KEY}.md").read_text("utf-8")
RULINGS = yaml.safe_load((ROOT / "referee" / "games" / KEY.replace("-", "_") / "rulings.yaml").read_text("utf-8"))
ORDERS = re.findall(r"^\|[^|`]+\| `([^`]+)` \|", PAGE, re.MULTILINE)


def test_the_page_tells_every_ruling_and_no_other():
    assert set(re.findall(r"KAS-R\d+", PAGE)) == {rule for rule in RULINGS if rule.startswith("KAS-R")}


GAME = open_game(KEY, 7, {"game": "normal"})


def kind_of(order):
    """The move type whose own notation an example has; another may be read in the same way elsewhere."""
    try:
        return type(parse(GAME, [], order))
    except AmbiguousOrder:
        return next(kind for kind in GAME.move_types if kind.notation.split()[0] == order.split()[0])


@pytest.mark.parametrize("order", ORDERS)
def test_the_examples_of_orders_can_be_read(order):
    assert kind_of(order)


def test_every_kind_of_order_has_an_example():
    assert {kind_of(order) for order in ORDERS} == set(GAME.move_types)

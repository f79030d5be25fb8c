"""What people write naturally is read as they mean it, and never as something else (phrasings.yaml)."""

from pathlib import Path

import pytest
import yaml

from referee.errors import OrderError
from referee.orders.notation import format_move
from tests.referee.games.kings_of_air_and_steam.setups import at, turn

GROUPS = yaml.safe_load(Path(__file__).with_name("phrasings.yaml").read_text("utf-8"))
PHRASINGS = [
    pytest.param(group, str(line), means, id=f"{group.get('at', group.get('turn')).get('phase', 'turn')}-{line}")
    for group in GROUPS
    for line, means in group["orders"].items()
]


def table_of(group):
    return turn(**group["turn"]) if "turn" in group else at(**group["at"])


def test_there_are_at_least_sixty():
    assert len(PHRASINGS) >= 60


@pytest.mark.parametrize(("group", "line", "means"), PHRASINGS)
def test_an_order_is_read_as_it_is_meant(group, line, means):
    table = table_of(group)
    if isinstance(means, dict):
        with pytest.raises(OrderError) as caught:
            table.check(0, line)
        assert str(means["refused"]).lower() in caught.value.message.lower()
    else:
        assert format_move(table.game, table.check(0, line)) == str(means)

"""Face-down plans are the only secret on the table."""

import random

import pytest

from referee.contract import EVERYTHING, Viewer, canonical
from referee.games.kings_of_air_and_steam.state import Plan
from referee.record import redacted
from tests.positions import put, seal, start
from tests.referee.games.kings_of_air_and_steam.setups import KEY, at, me


def after_planning():
    table = at(3, "planning", agenda=["cycle", "planning"])
    entry = seal(table, "plan 1 4 3 2", "plan 2 1 0 1", "plan 2 0 1 1")
    return table, entry


@pytest.mark.rule("KAS-R11")
def test_a_plan_is_seen_by_its_owner_alone_until_its_cycle():
    table, entry = after_planning()
    assert table.view(0).table.players[0].plan == ("4d", "3", "2")
    assert table.view(1).table.players[0].plan is None
    assert table.view(None).table.players[0].planned == 3
    assert me(table).plan == ["4d", "3", "2"]
    row = redacted(table.game, entry, Viewer(1), table.words)
    assert "4d" not in canonical(row.orders[0]).decode()
    assert "4d" in canonical(redacted(table.game, entry, Viewer(0), table.words).orders[0]).decode()


def test_imagined_plans_vary_but_keep_what_is_known():
    table, _ = after_planning()
    rng = random.Random(1)
    worlds = [table.game.imagine(table.view(1), rng) for _ in range(20)]
    assert len({tuple(world.players[0].plan) for world in worlds}) > 10
    for world in worlds:
        assert world.players[1].plan == me(table, 1).plan
        assert sorted(world.players[0].plan + world.players[0].deck) == sorted(me(table).plan + me(table).deck)
        assert world.players[0].card == me(table).card
    assert table.game.imagine(table.view_of(EVERYTHING, None), rng).players[0].plan == me(table).plan


def test_an_imagined_plan_never_holds_a_card_that_was_skipped():
    table, _ = after_planning()
    position = table.position
    position.players[0].deck.remove("5dd")
    position.players[0].deck.append("5dd")
    position.players[0].returned = ["5dd"]
    for seed in range(50):
        world = table.game.imagine(put(table, position).view(1), random.Random(seed))
        assert "5dd" not in world.players[0].plan


def test_everything_else_is_open():
    table, _ = start(KEY, 4)
    views = [table.view(seat) for seat in (None, 0, 1, 2, 3)]
    for view in views:
        assert [player.cash for player in view.table.players] == [12] * 4
        assert view.table.cities == views[0].table.cities
    assert Plan.hidden == ("cards",)

"""New Market, Upkeep, Production, and a whole game of five rounds."""

import random
from collections import Counter

import msgspec
import pytest

from referee.games.kings_of_air_and_steam.events import MarkerPassed, NewMarket, Produced, UpkeepPaid
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.rules import sequence
from referee.games.kings_of_air_and_steam.state import Return, Settings
from tests.positions import put, random_game, refused, seal, start
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GOODS, KEY, at, me, step


def market(tiles, drawers=None, **fields):
    """What a draw does when just these tiles are left to draw."""
    drawers = dict.fromkeys(GOODS, 0) | (drawers or {})
    table, _ = step(at(agenda=["new_market", "planning"], tiles=sorted(tiles), drawers=drawers, **fields))
    return table


@pytest.mark.rule("KAS-X1", "KAS-F15")
def test_each_tile_moves_its_good_one_drawer_on():
    table = market(["luxuries", "machinery", "luxuries"])
    prices = dict.fromkeys(GOODS, 4) | {"machinery": 5, "luxuries": 6}
    assert table.view(None).table.prices == prices
    assert sorted(table.position.bins) == ["luxuries", "luxuries", "machinery"]


@pytest.mark.rule("KAS-F15", "KAS-F16", "KAS-R29")
def test_a_fourth_tile_leaves_the_price_at_eight_but_speeds_production_and_becomes_demand():
    table = market(["food", "food", "food"], {"food": 1})
    assert table.view(None).table.prices["food"] == 8
    position = table.position
    position.agenda = ["produce", "planning"]
    after, events = step(put(table, position))
    assert dict(next(event for event in events if isinstance(event, Produced)).made)["food"] == 4
    assert after.position.demand == ["food", "food", "food"]


@pytest.mark.rule("KAS-X15", "KAS-F39")
def test_factories_produce_one_and_one_more_for_each_matching_tile():
    before = at(agenda=["produce", "planning"], bins=["luxuries", "machinery", "luxuries"], demand=["food"])
    table, events = step(before)
    area = assemble(BOARD, table.position.layout)
    made = {area.factory_at[space]: number - 1 for space, number in table.position.factories.items()}
    assert made == {"chemicals": 1, "food": 1, "textiles": 1, "machinery": 2, "luxuries": 3}
    assert table.position.demand == ["food", "luxuries", "luxuries", "machinery"]
    assert table.position.bins == []
    assert happened_of(events, Produced)


def happened_of(events, kind):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.rule("KAS-R33", "KAS-F07")
def test_stockpiles_never_run_out():
    stock = dict.fromkeys(GOODS, 0)
    table, _ = step(at(agenda=["produce", "planning"], bins=["food"] * 3, stock=stock))
    assert table.position.factories["I2"] == 1 + 4
    assert table.position.stock["food"] == -4


@pytest.mark.rule("KAS-X14", "KAS-F38", "KAS-R30")
def test_each_good_kept_costs_a_dollar():
    depots = [{"K4": {"food": 3, "luxuries": 2}}]
    table = at(2, "upkeep", cash=[10, 5], hold=["textiles", "chemicals"], depots=depots)
    stock = table.position.stock["textiles"]
    entry = seal(table, "return hold textiles")
    assert happened_of(entry.row.events, UpkeepPaid)[0].paid == 6
    assert (me(table).cash, me(table).hold) == (4, ["chemicals"])
    assert table.position.stock["textiles"] == stock + 1


@pytest.mark.rule("KAS-R30", "KAS-F38")
def test_upkeep_is_free_choice_without_debt():
    depots = [{"K4": {"food": 2}}]
    table = at(2, "upkeep", cash=[2, 5], hold=["textiles"], depots=depots)
    error = refused(table, Return(()))
    assert error.numbers == {"cash": 2, "least": 1, "returned": 0}
    assert refused(table, Return(("hold food",))).code == "no_such_good"
    entry = seal(table, "return 2 K4 food, hold textiles")  # even what could be paid for
    assert happened_of(entry.row.events, UpkeepPaid)[0].paid == 0
    assert (me(table).cash, me(table).hold, me(table).depots) == (2, [], {"K4": {}})


@pytest.mark.rule("KAS-R30")
def test_for_the_absent_the_last_loaded_goods_go_first():
    table = at(2, "upkeep", cash=[2, 5], hold=["textiles", "food", "chemicals"], depots=[{"K4": {"luxuries": 1}}])
    assert table.default(0) == Return(("hold chemicals", "hold food"))
    table = at(2, "upkeep", cash=[9, 5], hold=["textiles"])
    assert table.default(0) == Return(())


@pytest.mark.rule("KAS-R30", "KAS-R61")
def test_in_the_last_round_the_absent_keep_only_what_the_clearance_pays_for():
    goods = {"K4": {"machinery": 2, "luxuries": 1}, "K9": {"machinery": 1}}
    fields = {"hold": ["textiles"], "depots": [goods, {"K7": {}}], "round": 5}
    table = at(2, "upkeep", cash=[9, 5], **fields)
    kept_by_others = ("K4 luxuries", "K9 machinery", "hold textiles")  # too far, too far, worth nothing
    assert table.default(0) == Return(kept_by_others)
    further = at(2, "upkeep", cash=[9, 5], train=2, **fields)  # by K7 with a toll of $1: $2 after the upkeep
    assert further.default(0) == Return(("K4 luxuries", "hold textiles"))
    poor = at(2, "upkeep", cash=[2, 5], train=2, **fields)
    assert poor.default(0) == Return(("K4 luxuries", "K9 machinery", "hold textiles"))  # the best is kept
    assert at(2, "upkeep", cash=[9, 5], version="1", **fields).default(0) == Return(())
    assert at(2, "upkeep", cash=[9, 5], **(fields | {"round": 4})).default(0) == Return(())


@pytest.mark.rule("KAS-R30", "KAS-F38")
def test_who_has_no_money_keeps_nothing_and_is_not_asked():
    table, events = step(at(2, agenda=["upkeep", "planning"], cash=[0, 5], hold=["food"]))
    assert table.position.phase == "planning"
    assert me(table).hold == []
    assert happened_of(events, UpkeepPaid)[0].returned == ("hold food",)


@pytest.mark.rule("KAS-R30")
def test_upkeep_is_sealed_and_asks_all_with_goods_at_once():
    table, _ = step(at(3, agenda=["upkeep", "planning"], hold=["food"], depots=[{}, {"K7": {"food": 1}}, {"K10": {}}]))
    assert [(decision.seat, decision.kind) for decision in table.decisions()] == [(0, "sealed"), (1, "sealed")]
    assert table.decisions()[0].prompt == "You have 1 Good: pay $1 for each or return it; name what you return."


@pytest.mark.rule("KAS-F38", "KAS-R32", "KAS-R37")
def test_cards_return_and_the_marker_passes_clockwise():
    table = at(3, agenda=["cards_and_marker", "planning"], first=2)
    position = table.position
    position.players[0].deck = position.players[0].deck[4:]
    position.players[0].shown, position.players[0].returned = ["0", "1", "1", "2"], ["3d"]
    table, events = step(put(table, position))
    assert sorted(me(table).deck) == sorted(BOARD.deck())
    assert (me(table).shown, me(table).returned) == ([], [])
    assert table.position.first == 0
    assert happened_of(events, MarkerPassed)
    _, events = step(at(2, agenda=["cards_and_marker", "planning"], characters=["isaac", "eva_blane"]))
    assert not happened_of(events, MarkerPassed)


def whole_game(players, seed, **settings):
    table, entry = start(KEY, players, settings, seed=bytes([seed]))
    return table, random_game(table, entry, random.Random(seed))


@pytest.mark.rule("KAS-F10", "KAS-R31")
@pytest.mark.parametrize("game", ["basic", "normal"])
def test_every_round_has_all_phases_and_the_clearance_comes_last(game):
    for version, last in (("1", ["production"]), ("2", ["produce", "deferred_demand"])):
        steps = sequence(BOARD, Settings(game=game), version)
        a_round = ["new_market", "planning", *["cycle"] * 4, "upkeep", "cards_and_marker", *last]
        assert steps[steps.index("starting_depots") + 1 :] == [*a_round * 5, "final_clearance", "scoring"]


@pytest.mark.rule("KAS-F10", "KAS-F13", "KAS-R31")
@pytest.mark.parametrize(("players", "settings"), [(2, {}), (3, {"uncertainty": True}), (7, {"game": "normal"})])
def test_a_game_has_five_rounds_of_four_cycles(players, settings):
    table, record = whole_game(players, 3, **settings)
    counts = Counter(type(event).__name__ for entry in record.entries for event in entry.row.events)
    assert (counts["NewMarket"], counts["CycleBegan"], counts["Produced"], counts["GameOver"]) == (5, 20, 5, 1)
    assert len(table.position.tiles) == (5 if settings.get("uncertainty") else 0)
    drawn = [
        tile
        for entry in record.entries
        for event in entry.row.events
        if isinstance(event, NewMarket)
        for tile in event.tiles
    ]
    most = 4 if settings.get("uncertainty") else 3
    assert len(drawn) == 15
    assert max(Counter(drawn).values()) <= most


@pytest.mark.rule("KAS-F13")
def test_uncertainty_draws_other_mixtures_than_three_of_each():
    mixtures = set()
    for seed in range(8):
        _, record = whole_game(2, seed, uncertainty=True)
        drawn = Counter(
            tile
            for entry in record.entries
            for event in entry.row.events
            if isinstance(event, NewMarket)
            for tile in event.tiles
        )
        mixtures.add(tuple(sorted(drawn.values())))
    assert mixtures != {(3, 3, 3, 3, 3)}


def test_a_default_player_can_finish_a_game():
    table, _ = start(KEY, 3, {"game": "normal"})
    while not table.is_over:
        for decision in table.decisions():
            table.submit(decision.seat, [msgspec.to_builtins(table.default(decision.seat))], "clock")
            if decision.kind == "open":
                break
        else:
            table.reveal()
    assert table.position.round == 5

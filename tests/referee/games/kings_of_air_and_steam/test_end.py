"""Clearance and scoring."""

import pytest

from referee.games.kings_of_air_and_steam.events import Cleared, GameOver, TollPaid
from referee.games.kings_of_air_and_steam.play_area import Link
from referee.games.kings_of_air_and_steam.scoring import score
from referee.games.kings_of_air_and_steam.state import Clear, Done
from tests.positions import happened, play, put, refused
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, accepts, at, can, me, step


def clearing(players=2, **fields):
    return step(at(players, agenda=["final_clearance", "scoring"], **fields))[0]


@pytest.mark.rule("KAS-X16", "KAS-F40", "KAS-R34")
def test_goods_that_could_be_shipped_are_cleared_for_four_dollars_less_tolls():
    """Two Food reach Raposa at no cost, three Machinery Sartainville past another's Depot; the others reach nothing."""
    own = {"K10": {"food": 2, "textiles": 1}, "I9": {"machinery": 3, "chemicals": 1}}
    table = clearing(depots=[own, {"I5": {}}], train=2, cash=0, cities={"irdyo": ("", 0, 0)})
    lots = {lot for move in can(table, Clear) for lot in move.lots}
    assert lots == {"K10 food", "I9 machinery"}
    outcome = play(table, "clear 2 K10 food, 3 I9 machinery")
    assert me(table).cash == 17
    assert happened(outcome, Cleared)[0].income == 20
    assert sum(paid.amount for paid in happened(outcome, TollPaid)) == 3
    assert me(table, 1).cash == 3
    assert me(table).depots == {"K10": {"textiles": 1}, "I9": {"chemicals": 1}}


@pytest.mark.rule("KAS-R34")
def test_one_empty_slot_serves_any_number_and_nothing_is_placed():
    table = clearing(depots=[{"K4": {"machinery": 3}}], cities={"sartainville": ("machinery", 5, 4)})
    play(table, "clear 3 K4 machinery")
    assert me(table).cash == 24
    assert table.position.cities["sartainville"].goods == {"machinery": 4}


@pytest.mark.rule("KAS-R34", "KAS-F40")
def test_clearing_is_optional_and_goes_in_the_order_of_ties():
    own = {"K4": {"machinery": 1}}
    table = clearing(3, depots=[own, {"K7": {"machinery": 1}}, {"K10": {"food": 1}}], first=1)
    assert table.decisions()[0].seat == 1
    assert accepts(table, Done(), 1)
    play(table, "done", seat=1)
    assert table.decisions()[0].seat == 2
    play(table, "clear K10 food", seat=2)
    assert table.decisions()[0].seat == 0
    normal = clearing(2, depots=[own, {"K7": {"machinery": 1}}], characters=["thaddeus_birch", "isaac"])
    assert normal.decisions()[0].seat == 1


@pytest.mark.rule("KAS-F40")
def test_goods_in_the_hold_are_worth_nothing_and_who_has_none_is_not_asked():
    table, events = step(at(agenda=["final_clearance", "scoring"], hold=["machinery"], depots=[{"K4": {}}]))
    assert table.is_over
    assert [type(event) for event in events] == [GameOver]


@pytest.mark.rule("KAS-R34")
def test_the_default_clears_whatever_brings_money():
    table = clearing(depots=[{"K4": {"machinery": 2, "food": 1}}])
    assert table.default(0) == Clear(("K4 machinery", "K4 machinery"))


@pytest.mark.rule("KAS-R55", "KAS-R34")
def test_intimidate_holds_at_the_clearance():
    fields = {"depots": [{"K4": {"food": 2}}, {"K7": {}}], "train": 2}
    table = clearing(characters=["thaddeus_birch", "isaac"], **fields)
    play(table, "clear 2 K4 food")
    assert me(table).cash == 20
    table = clearing(characters=["clint_castle", "isaac"], **fields)
    play(table, "clear 2 K4 food")
    assert me(table).cash == 18


def chain(tolls, number=1, **fields):
    """Luxuries with so many tolls between their Depot and Warsop."""
    ends = [*["geekopolis", "sartainville", "irdyo", "bown_town", "aldenville"][:tolls], "warsop"]
    spaces = ["L6", "L7", "M7", "J6", "J7"][:tolls]
    links = [Link(f"t{n}", (ends[n], ends[n + 1]), (space,)) for n, space in enumerate(spaces)]
    start = Link("s", ("raposa", "geekopolis"), ("M6",))
    depots = [{"M6": {"luxuries": number}}, {space: {} for space in spaces}]
    return clearing(boards="ABCDE", built=[start, *links], depots=depots, train=6, **fields)


@pytest.mark.rule("KAS-R34")
def test_the_default_leaves_goods_that_bring_nothing():
    assert chain(3).default(0) == Clear(("M6 luxuries",))
    assert chain(4).default(0) == Done()
    assert accepts(chain(4), Clear(("M6 luxuries",)))
    assert chain(5).default(0) == Done()


@pytest.mark.rule("KAS-R34", "KAS-R56")
def test_goods_may_be_cleared_at_a_loss_that_can_be_paid():
    table = chain(5, number=3, cash=[2, 0])
    assert refused(table, Clear(("M6 luxuries",) * 3)).numbers == {"tolls": 15, "cash": 2}
    play(table, "clear 2 M6 luxuries")
    assert [player.cash for player in table.position.players] == [0, 10]
    assert table.is_over  # the third cannot be paid for
    assert chain(5, cash=0).is_over
    mixed = chain(5)
    mixed.position.players[0].depots["M6"]["textiles"] = 1
    mixed = put(mixed, mixed.position)
    assert refused(mixed, Clear(("M6 luxuries", "M6 textiles"))).code == "one_lot"
    play(mixed, "clear M6 textiles", "clear M6 luxuries")
    assert me(mixed).cash == 12 + 4 - 1


@pytest.mark.rule("KAS-R56", "KAS-F40")
def test_each_good_cleared_may_pay_another_owner():
    """Three Machinery pass a Link of two opponents, as in the rulebook's example."""
    table = clearing(3, depots=[{"I9": {"machinery": 3}}, {"I5": {}}, {"H5": {}}], train=2, cash=0)
    play(table, "clear 2 I9 machinery pay yellow")
    assert [decision.seat for decision in table.decisions()] == [0]
    assert not accepts(table, Clear(("I9 machinery",) * 2))
    play(table, "clear I9 machinery pay blue")
    assert [player.cash for player in table.position.players] == [9, 1, 2]
    assert table.is_over


@pytest.mark.rule("KAS-R56", "KAS-R20")
def test_each_good_cleared_may_take_another_route():
    depots = [{"K4": {"luxuries": 2, "food": 1}}, {"I5": {}, "K10": {}, "I9": {}}, {"K7": {}}]
    table = clearing(3, depots=depots, train=4, cash=0)
    assert accepts(table, Clear(("K4 food", "K4 luxuries")))
    assert refused(table, Clear(("K4 food", "K4 luxuries"), ("AC",))).code == "no_route"  # of the Food
    assert refused(table, Clear(("K4 food", "K4 luxuries"), ("AC", "BC", "B-trunk"))).code == "no_route"
    assert refused(table, Clear(("K4 luxuries",), ("AB", "BC"))).code == "no_route"
    outcome = play(table, "clear K4 luxuries via AB B-trunk BC")
    assert {paid.to: paid.amount for paid in happened(outcome, TollPaid)} == {2: 1, 1: 2}
    play(table, "clear K4 luxuries", "done")
    assert [player.cash for player in table.position.players] == [1 + 3, 3, 1]
    assert me(table).depots["K4"] == {"food": 1}


@pytest.mark.rule("KAS-F40", "KAS-R34")
def test_what_cannot_be_cleared_is_refused_with_the_reason():
    table = clearing(depots=[{"K4": {"machinery": 1, "luxuries": 1}}])
    assert refused(table, Clear(("K4 luxuries",))).code == "no_route"
    assert refused(table, Clear(("K4 machinery",) * 2)).code == "no_such_good"
    assert refused(table, Clear(("hold machinery",))).code == "no_such_good"


def finished(**fields):
    table, events = step(at(agenda=["scoring"], **fields))
    return table, events[-1]


@pytest.mark.rule("KAS-F41", "KAS-F24", "KAS-F26")
def test_money_depots_and_upgrades_score():
    for train, airship, points in [(1, 1, 0), (3, 5, 0), (4, 1, 5), (5, 1, 15), (6, 1, 30), (1, 6, 15), (6, 6, 45)]:
        table, _ = finished(cash=7, depots=[{"K4": {}, "K7": {}}], train=train, airship=airship)
        assert score(BOARD, me(table)) == 7 + 20 + points


@pytest.mark.rule("KAS-F41", "KAS-R35")
def test_ties_go_to_the_cash_and_are_then_shared():
    table, over = finished(cash=[12, 22], depots=[{"K4": {}}])
    assert over.scores == (22, 22)
    assert over.winners == (1,)
    standings = table.game.standings(table.position, None)
    assert [(standing.seat, standing.place) for standing in standings] == [(1, 1), (0, 2)]
    table, over = finished(cash=9)
    assert over.winners == (0, 1)
    assert [standing.place for standing in table.game.standings(table.position, None)] == [1, 1]


@pytest.mark.rule("KAS-R35", "KAS-R43")
def test_free_depots_score_like_others():
    table = at(characters=["eva_blane", "isaac"])
    before = score(BOARD, me(table))
    offer = next(offer for offer in table.offers(0) if offer.move.__name__ == "Construct")
    move = next(offer.moves())
    play(table, {"type": "construct", "start": move.start, "track": move.track, "end": move.end, "depot": 1})
    assert score(BOARD, me(table)) == before + 10 - len(move.track)

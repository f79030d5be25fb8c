"""Shipments: stops, tolls, deliveries, fulfilled cities."""

import msgspec
import pytest

from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.events import (
    CityFulfilled,
    Delivered,
    DemandPlaced,
    NoDemandTile,
    Shipped,
    TollPaid,
)
from referee.games.kings_of_air_and_steam.play_area import Link
from referee.games.kings_of_air_and_steam.state import Ship
from tests.positions import happened, play, refused
from tests.referee.games.kings_of_air_and_steam.setups import accepts, at, can, me, step, turn

BLUE, YELLOW, GREEN = 0, 1, 2
COLOURS = {BLUE: "green", YELLOW: "blue", GREEN: "yellow"}  # of the seats


def example(train=3, **fields):
    """The rulebook's shipping example: its Links laid over the spaces of five boards that have no track."""
    links = [
        Link("S", ("brasswick", "bown_town"), ("L6",)),
        Link("A", ("bown_town", "wiesbaden"), ("L7",)),
        Link("B", ("wiesbaden", "warsop"), ("M7",)),
        Link("C", ("wiesbaden", "aldenville"), ("H7", "I7")),
        Link("D", ("aldenville", "new_belfort"), ("J6",)),
        Link("E", ("wiesbaden", "new_belfort"), ("J7",)),
    ]
    goods = {"machinery": 1, "textiles": 1, "luxuries": 3, "food": 3}
    depots = [{"L6": goods, "L7": {}, "J6": {}}, {"M7": {}, "H7": {}}, {"I7": {}}]
    cities = {"warsop": ("luxuries", 5, 4), "aldenville": ("food", 5, 2)}
    fields = {"cash": 12, "cities": cities, "space": "L6"} | fields
    return at(3, boards="ABCDE", depots=depots, built=links, train=train, **fields)


def send(table, move):
    return play(table, msgspec.to_builtins(move))


def sent(table, order):
    return happened(play(table, order), Shipped)[0]


def line(number, good, start, destination, via=(), pay=(), **extra):
    return Ship(number, good, start, destination, via, pay, **extra)


@pytest.mark.rule("KAS-X12", "KAS-F34", "KAS-R18", "KAS-R20")
def test_stops_on_the_way_to_four_cities():
    assert sent(example(train=1), "ship 1 machinery from L6 to Bown Town").stops == 1
    assert refused(example(train=1), line(1, "textiles", "L6", "wiesbaden")).code == "no_route"
    shipped = sent(example(train=2), "ship 1 textiles from L6 to Wiesbaden")
    assert (shipped.stops, shipped.via) == (2, ("A",))
    table = example()
    outcome = play(table, "ship 1 luxuries from L6 to Warsop")
    assert happened(outcome, Shipped)[0].stops == 3
    assert [(paid.to, paid.amount) for paid in happened(outcome, TollPaid)] == [(YELLOW, 1)]
    assert refused(example(), line(2, "luxuries", "L6", "warsop")).numbers == {"empty": 1, "shipped": 2}
    table = example()
    outcome = play(table, "ship 3 food from L6 to Aldenville")
    assert happened(outcome, Shipped)[0].stops == 3
    assert happened(outcome, TollPaid)[0].amount == 3


@pytest.mark.rule("KAS-X12", "KAS-R19", "KAS-F34")
def test_new_belfort_is_a_stop_too_far_but_the_own_depot_before_it_is_not():
    assert refused(example(), line(3, "luxuries", "L6", "new_belfort")).code == "no_route"
    table = example()
    shipped = sent(table, "ship 3 luxuries from L6 to J6")
    assert (shipped.stops, shipped.via) == (3, ("A", "C"))
    assert me(table).depots["J6"] == {"luxuries": 3}
    assert sent(example(train=4), "ship 3 luxuries from L6 to New Belfort").stops == 4


@pytest.mark.rule("KAS-X12", "KAS-R21")
def test_the_shipper_names_the_one_to_be_paid():
    outcome = play(example(), "ship 3 food from L6 to Aldenville pay yellow")
    assert [(paid.to, paid.amount) for paid in happened(outcome, TollPaid)] == [(GREEN, 3)]
    outcome = send(example(), line(3, "food", "L6", "aldenville", ("A", "C"), ("blue",)))
    assert [paid.to for paid in happened(outcome, TollPaid)] == [YELLOW]
    outcome = send(example(), line(3, "food", "L6", "aldenville", ("A", "I7")))  # by the Depot itself
    assert [paid.to for paid in happened(outcome, TollPaid)] == [GREEN]
    outcome = play(example(cash=[12, 9, 3]), "ship 3 food from L6 to Aldenville")
    assert [paid.to for paid in happened(outcome, TollPaid)] == [GREEN]  # the poorest
    outcome = play(example(cash=[12, 3, 3]), "ship 3 food from L6 to Aldenville")
    assert [paid.to for paid in happened(outcome, TollPaid)] == [YELLOW]  # the first seat of equals
    outcome = play(example(cash=[12, 3, 3], first=2), "ship 3 food from L6 to Aldenville")
    assert [paid.to for paid in happened(outcome, TollPaid)] == [YELLOW]  # whoever holds the marker
    crew = ["isaac", "clint_castle", "flora_kingston"]  # priorities 2, 6, 4
    outcome = play(example(cash=[12, 3, 3], characters=crew), "ship 3 food from L6 to Aldenville")
    assert [paid.to for paid in happened(outcome, TollPaid)] == [GREEN]  # the lower priority number


@pytest.mark.rule("KAS-X13", "KAS-F35", "KAS-F36", "KAS-R27", "KAS-F08")
def test_delivery_tolls_and_then_the_new_demand():
    drawers = {"chemicals": 0, "machinery": 0, "food": 1, "textiles": 0, "luxuries": 0}
    table = example(demand=["textiles"], drawers=drawers)
    stock = table.position.stock["food"]
    outcome = play(table, "ship 3 food from L6 to Aldenville")
    order = [type(event) for event in outcome.entries[0].row.events]
    assert order[:5] == [Shipped, Delivered, TollPaid, CityFulfilled, DemandPlaced]
    assert happened(outcome, Delivered)[0].income == 15
    assert me(table).cash == 12 + 15 - 3
    assert table.position.stock["food"] == stock + 5
    city = table.position.cities["aldenville"]
    assert (city.good, city.slots, city.goods, city.tile) == ("textiles", 3, {}, True)
    assert table.position.demand == []


@pytest.mark.rule("KAS-F36")
def test_only_a_tile_that_nobody_could_foresee_ends_a_submission():
    full = {"cities": {"sartainville": ("machinery", 5, 4)}, "depots": [{"K4": {"machinery": 1}}]}
    orders = ["ship 1 machinery from K4 to sartainville", "solicit"]
    with pytest.raises(IllegalOrder) as caught:
        play(at(demand=["food", "luxuries"], agenda=["action", "planning"], **full), *orders)
    assert caught.value.code == "reveals"
    table = at(demand=["food", "food"], agenda=["action", "planning"], **full)
    play(table, *orders)
    assert table.position.cities["sartainville"].good == "food"


@pytest.mark.rule("KAS-F08", "KAS-F36")
def test_a_fulfilled_demand_tile_closes_its_city_for_good():
    table = at(cities={"sartainville": ("food", 3, 1)}, depots=[{"K4": {"food": 2}}], demand=["food"])
    outcome = play(table, "ship 2 food from K4 to Sartainville")
    assert happened(outcome, CityFulfilled)[0].closed
    city = table.position.cities["sartainville"]
    assert (city.good, city.empty, city.tile) == ("", 0, True)
    assert table.position.demand == ["food"]
    closed = at(cities={"sartainville": ("", 0, 0)}, depots=[{"K4": {"food": 1}}])
    error = refused(closed, line(1, "food", "K4", "sartainville"))
    assert (error.code, error.message) == ("wrong_good", "Sartainville takes no deliveries now.")


@pytest.mark.rule("KAS-R26")
def test_a_city_fulfilled_without_a_tile_waits_for_the_next_production():
    waiting_cities(["action", "production", "planning"], version="1")
    waiting_cities(["action", "produce", "deferred_demand", "planning"])


def waiting_cities(agenda, **fields):
    table = at(
        cities={"sartainville": ("machinery", 5, 4), "geekopolis": ("textiles", 5, 4)},
        depots=[{"K4": {"machinery": 2, "textiles": 1}}],
        agenda=agenda,
        bins=["food"],
        **fields,
    )
    outcome = play(table, "ship 1 machinery from K4 to Sartainville")
    assert happened(outcome, NoDemandTile)
    assert table.position.cities["sartainville"].good == ""
    assert refused(table, line(1, "machinery", "K4", "sartainville")).code == "wrong_good"
    play(table, "ship 1 textiles from K4 to Geekopolis")
    assert table.position.cities["sartainville"].good == "food"  # the earliest first
    assert table.position.cities["geekopolis"].good == ""
    assert table.position.waiting == ["geekopolis"]


@pytest.mark.rule("KAS-R17", "KAS-R18", "KAS-R19")
def test_a_stub_leads_to_its_city_and_is_not_passed():
    goods = {"textiles": 1, "machinery": 1, "food": 1}
    table = at(train=6, depots=[{"L2": goods, "M3": {}, "K2": {}, "J4": {}}, {"I3": {}}])
    shipped = {(move.good, move.destination) for move in can(table, Ship)}
    assert ("textiles", "geekopolis") in shipped  # its City, one stop
    assert {(good, depot) for good in goods for depot in ("M3", "K2", "J4")} <= shipped
    assert sent(table, "ship 1 textiles from L2 to Geekopolis").stops == 1
    table = at(train=2, depots=[{"L2": goods, "K2": {}, "J4": {}}])
    assert sent(table, "ship 1 machinery from L2 to K2").stops == 1  # the one stop on the stub of K2
    table = at(train=2, depots=[{"L2": goods, "K2": {}, "J4": {}}])
    assert sent(table, "ship 1 machinery from L2 to Sartainville").via == ("A-long",)
    table = at(train=6, depots=[{"L2": goods, "K2": {}, "J4": {}}])
    assert refused(table, line(1, "machinery", "L2", "sartainville", ("stub A-W", "A-long"))).code == "no_route"


@pytest.mark.rule("KAS-R17", "KAS-R20")
def test_a_stub_costs_no_toll():
    table = at(train=3, depots=[{"L2": {"textiles": 1}, "K2": {}}, {"M3": {}}])
    outcome = play(table, "ship 1 textiles from L2 to K2")
    assert not happened(outcome, TollPaid)


@pytest.mark.rule("KAS-R18", "KAS-R19")
def test_the_start_link_has_no_stop_and_may_be_left_by_either_end():
    table = at(depots=[{"J3": {"machinery": 1, "textiles": 1}, "J4": {}}])
    ends = {(move.good, move.destination) for move in can(table, Ship)}
    assert ends == {
        ("machinery", "sartainville"),
        ("textiles", "geekopolis"),
        ("machinery", "J4"),
        ("textiles", "J4"),
    }
    assert sent(table, "ship 1 machinery from J3 to J4").stops == 1


@pytest.mark.rule("KAS-F34")
def test_every_link_needs_a_depot_and_the_good_must_match():
    table = at(train=6, depots=[{"K4": {"luxuries": 2, "food": 1}}])
    assert refused(table, line(1, "luxuries", "K4", "warsop")).code == "no_route"
    assert refused(table, line(1, "luxuries", "K4", "sartainville")).code == "wrong_good"
    for number in (3, 0, -1, 10**18):
        assert refused(table, line(number, "luxuries", "K4", "warsop")).code == "no_such_good"
    assert refused(table, line(1, "luxuries", "K7", "warsop")).code == "not_your_depot"
    assert refused(table, line(1, "luxuries", "K4", "K4")).code == "no_destination"
    linked = at(train=6, depots=[{"K4": {"luxuries": 2}, "I5": {}}])
    assert sent(linked, "ship 2 luxuries from K4 to warsop").via == ("AC",)


@pytest.mark.rule("KAS-R20")
def test_an_own_depot_on_a_link_saves_the_toll_whatever_else_stands_there():
    own = {"K4": {"food": 1}, "K6": {}}
    table = at(train=2, cities={"raposa": ("food", 5, 0)}, depots=[own, {"K7": {}}])
    assert not happened(play(table, "ship 1 food from K4 to Raposa"), TollPaid)
    table = at(train=2, cities={"raposa": ("food", 5, 0)}, depots=[own, {"K7": {}}])
    assert not accepts(table, line(1, "food", "K4", "raposa", ("K7",)))
    assert accepts(table, line(1, "food", "K4", "raposa", ("K6",)))


@pytest.mark.rule("KAS-R20", "KAS-R23")
def test_no_route_is_forced_but_no_link_is_used_twice():
    own = {"K4": {"luxuries": 1}, "I5": {}}
    others = {"K7": {}, "K10": {}, "I9": {}}
    table = at(train=4, depots=[own, others])
    assert accepts(table, line(1, "luxuries", "K4", "warsop"))
    assert accepts(table, line(1, "luxuries", "K4", "warsop", ("AC",)))
    assert accepts(table, line(1, "luxuries", "K4", "warsop", ("AB", "B-trunk", "BC")))  # with tolls, by choice
    assert not accepts(table, line(1, "luxuries", "K4", "warsop", ("AB", "BC")))
    slow = at(train=3, depots=[own, others])
    assert refused(slow, line(1, "luxuries", "K4", "warsop", ("AB", "B-trunk", "BC"))).code == "no_route"
    assert not accepts(table, line(1, "luxuries", "K4", "warsop", ("AC", "AC", "AC")))
    assert not accepts(table, line(1, "luxuries", "K4", "warsop", ("A-short", "AC")))
    outcome = play(table, "ship 1 luxuries from K4 to Warsop via AB B-trunk BC")
    assert sum(paid.amount for paid in happened(outcome, TollPaid)) == 3


@pytest.mark.rule("KAS-R23")
def test_closed_cities_may_be_passed():
    own = {"K4": {"luxuries": 1}, "I5": {}}
    table = at(train=2, depots=[own], cities={"sartainville": ("", 0, 0)})
    assert sent(table, "ship 1 luxuries from K4 to Warsop").stops == 2


@pytest.mark.rule("KAS-F35", "KAS-R22")
def test_tolls_may_be_paid_from_the_income_but_must_be_paid():
    others = {"K7": {}, "I5": {}}
    food = {"K4": {"food": 3}, "K10": {}}
    poor = at(train=6, cash=0, cities={"raposa": ("food", 5, 0)}, depots=[food, others])
    play(poor, "ship 3 food from K4 to Raposa")
    assert me(poor).cash == 3 * 4 - 3
    between = at(train=6, cash=2, depots=[food, others])
    error = refused(between, line(3, "food", "K4", "K10"))
    assert (error.code, error.numbers) == ("tolls_not_payable", {"tolls": 3, "cash": 2})
    play(between, "ship 2 food from K4 to K10")
    assert me(between).cash == 0


@pytest.mark.rule("KAS-R22")
def test_more_tolls_than_the_price_limit_the_number_by_the_cash():
    """Six stops, five of them with a toll of $1, at a price of $4: each Good costs a dollar net."""
    tracks = [
        ("geekopolis", "sartainville", "L2"),
        ("sartainville", "geekopolis", "L4"),
        ("geekopolis", "sartainville", "L6"),
        ("sartainville", "geekopolis", "L7"),
        ("geekopolis", "warsop", "L10"),
    ]
    links = [Link(f"t{n}", (a, b), (space,)) for n, (a, b, space) in enumerate(tracks)]
    start = Link("s", ("raposa", "geekopolis"), ("M4",))
    others = {link.spaces[0]: {} for link in links}
    table = at(train=6, cash=2, built=[start, *links], depots=[{"M4": {"luxuries": 3}}, others])
    five_tolls = ("t0", "t1", "t2", "t3", "t4")
    assert accepts(table, line(3, "luxuries", "M4", "warsop", ("t4",)))
    assert accepts(table, line(3, "luxuries", "M4", "warsop", ("t0", "t1", "t4")))
    assert accepts(table, line(2, "luxuries", "M4", "warsop", five_tolls))
    assert refused(table, line(3, "luxuries", "M4", "warsop", five_tolls)).numbers == {"tolls": 15, "cash": 2}
    send(table, line(2, "luxuries", "M4", "warsop", five_tolls))
    assert me(table).cash == 0


@pytest.mark.rule("KAS-R28")
def test_prices_are_those_of_the_moment():
    drawers = {"machinery": 3, "food": 0, "textiles": 0, "luxuries": 0, "chemicals": 0}
    table = at(depots=[{"K4": {"machinery": 2}}], drawers=drawers)
    assert happened(play(table, "ship 2 machinery from K4 to sartainville"), Delivered)[0].income == 16


@pytest.mark.rule("KAS-R45")
def test_the_sphinx_card_ships_one_good_before_the_action():
    own = {"K4": {"machinery": 3}}
    crew = {"characters": ["eva_blane", "isaac"], "flying": "sphinx"}
    table, _ = step(at(agenda=["sphinx_shipment", "action", "planning"], depots=[own], **crew))
    assert table.position.phase == "sphinx_shipment"
    assert refused(table, line(2, "machinery", "K4", "sartainville")).numbers == {"most": 1}
    play(table, "ship 1 machinery from K4 to sartainville")
    assert table.position.phase == "action"
    play(table, "ship 2 machinery from K4 to sartainville")
    assert table.position.cities["sartainville"].goods == {"machinery": 3}


@pytest.mark.rule("KAS-R45")
def test_the_sphinx_shipment_is_optional_and_comes_after_loading():
    crew = {"characters": ["eva_blane", "isaac"]}
    table = turn(card="sphinx", space="K4", depots=[{"K4": {"machinery": 1}}], **crew)
    assert table.position.agenda[:3] == ["cargo", "sphinx_shipment", "action"]
    play(table, "fly to K6")
    assert table.position.phase == "sphinx_shipment"
    play(table, "done")
    assert table.position.phase == "action"

"""The board that ships with the game, and what is said of a wrong one."""

from collections import Counter, deque
from itertools import pairwise

import msgspec
import pytest

from referee.contract import read_board
from referee.errors import BoardError
from referee.games.spike.board import Board
from tests.referee.games.spike.setups import BOARD


def distances(start):
    """The number of spaces to each place."""
    found, queue = {start: 0}, deque([start])
    while queue:
        place = queue.popleft()
        for other in BOARD.exits[place]:
            if other not in found:
                found[other] = found[place] + 1
                queue.append(other)
    return found


@pytest.mark.rule("SP-F08")
def test_every_city_supplies_one_commodity_and_every_commodity_comes_from_three():
    assert Counter(city.commodity for city in BOARD.cities) == {commodity.id: 3 for commodity in BOARD.commodities}
    assert BOARD.city["norfolk"].commodity == "pigs"


def test_the_lattice_is_connected_and_balanced():
    assert set(distances("topeka")) == set(BOARD.place)
    assert all(len(exits) >= 3 for exits in BOARD.exits.values())
    rails = Counter(segment.rail for segment in BOARD.segments)
    assert max(rails.values()) - min(rails.values()) <= 1
    assert len(rails) == 6


@pytest.mark.rule("SP-F04")
def test_each_commodity_has_three_cards_with_two_different_sides():
    assert Counter(card.commodity for card in BOARD.contracts) == {commodity.id: 3 for commodity in BOARD.commodities}
    faces = {(card.commodity, *sorted(card.side(side))) for card in BOARD.contracts for side in ("a", "b")}
    assert len(faces) == 72


@pytest.mark.rule("SP-F09")
def test_contracts_pay_what_the_rulebook_quotes_and_otherwise_the_way_from_the_nearest_supplier():
    for card in BOARD.contracts:
        for side in ("a", "b"):
            for city, value in card.side(side).items():
                assert city not in BOARD.suppliers[card.commodity]
                assert value == 1 + min(distances(supplier)[city] for supplier in BOARD.suppliers[card.commodity])
    to_topeka = {
        card.commodity: card.side(side)["topeka"]
        for card in BOARD.contracts
        for side in ("a", "b")
        if "topeka" in card.side(side)
    }
    assert (to_topeka["fruit"], to_topeka["cows"]) == (9, 11)


@pytest.mark.rule("SP-F16")
def test_the_indianapolis_route_is_the_one_of_the_rulebook():
    assert {route.start for route in BOARD.routes} == set(BOARD.city)
    (route,) = [route for route in BOARD.routes if route.start == "indianapolis"]
    assert set(route.cities) == {"raleigh", "columbia", "jacksonville", "tampa"}
    assert max(route.cities, key=lambda city: route.cities[city]) == "tampa"
    assert route.cities["tampa"] == 6


def test_every_datum_says_where_it_comes_from():
    data = msgspec.to_builtins(BOARD)
    for kind in ("rail_types", "commodities", "cities", "junctions", "segments", "contracts", "routes"):
        for printed in data[kind]:
            assert any(key.endswith("prov") and value for key, value in printed.items()), (kind, printed)
    assert all(part["prov"] for part in (data["components"], data["setup"], data["market"], data["train"]))


def test_places_of_the_grid_are_the_places_of_the_board():
    grid = BOARD.grid
    assert len(set(grid.number.values())) == len(BOARD.place)
    shifts = {shift for steps in grid.steps for shift in steps}
    assert len(shifts) <= 8, "few differences between neighbours keep the search fast"
    assert grid.names(grid.mask({"boston": None, "j34": None})) == ["boston", "j34"]
    assert all(a < b for a, b in pairwise(map(grid.number.get, grid.names(grid.mask(BOARD.city)))))


def changed(**changes):
    return {**msgspec.to_builtins(BOARD), **changes}


def with_first(kind, **changes):
    data = msgspec.to_builtins(BOARD)
    data[kind] = [{**data[kind][0], **changes}, *data[kind][1:]]
    return data


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (with_first("cities", commodity="gold"), "cities.boston: there is no commodity 'gold'"),
        (with_first("cities", id="albany"), "cities and junctions: 'albany' is there 2 times"),
        (with_first("segments", rail="pink"), "segments.j01-j02: there is no rail type 'pink'"),
        (with_first("segments", b="j999"), "segments.j01-j999: there is no place 'j999'"),
        (with_first("segments", b="j01"), "segments.j01-j01: both ends are the same place"),
        (with_first("junctions", x=245), "two places lie at x 245, y 0"),
        (with_first("contracts", commodity="gold"), "contracts: there is no commodity 'gold'"),
        (with_first("contracts", a={"atlantis": 5, "boston": 1}), "contracts.cows-1.a: there is no city 'atlantis'"),
        (with_first("routes", start="atlantis"), "routes.r01: there is no city 'atlantis'"),
        (with_first("routes", cities={"boston": 3, "albany": 2}), "routes.r01: its start city 'boston' is listed"),
        (with_first("rail_types", cards=0), None),
        (changed(removed_cards=[]), "removed_cards: 2 players are missing"),
        (changed(routes=[]), "routes: 0 cards are too few for 2 players"),
        (changed(contracts=[]), "contracts: there is none for cows"),
        (changed(segments=[]), "cities.boston: no segment touches it"),
        (changed(market={**msgspec.to_builtins(BOARD.market), "columns": 3}), "market: 9 boxes for 12 commodities"),
        (changed(market={**msgspec.to_builtins(BOARD.market), "rows": [1, 2, 3]}), "market.rows: the row that pays"),
        (changed(setup={**msgspec.to_builtins(BOARD.setup), "hand": 0}), "hand: must be at least 1, not 0"),
        (changed(setup={**msgspec.to_builtins(BOARD.setup), "hand": 30}), "rail_types: 42 cards for 2 players"),
        (changed(train={**msgspec.to_builtins(BOARD.train), "upgrade_costs": [3]}), "train.speed: one level to begin"),
        (changed(components={**msgspec.to_builtins(BOARD.components), "cargo_tokens": 3}), "components.cargo_tokens"),
    ],
)
def test_a_wrong_board_is_refused_with_the_place_of_the_error(data, problem):
    if problem is None:
        assert read_board(Board, data)
        return
    with pytest.raises(BoardError) as caught:
        read_board(Board, data)
    assert any(problem in found for found in caught.value.problems), caught.value.problems

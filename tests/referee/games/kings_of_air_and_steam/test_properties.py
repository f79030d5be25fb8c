"""What is true after every move of every game."""

import random

import pytest

from referee.games.kings_of_air_and_steam.links import Network, Rails
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import Ship
from tests.positions import put, start
from tests.referee.games.kings_of_air_and_steam.merchant import merchants_move
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, KEY

TURN = ("flight", "cargo", "loading", "sphinx_shipment", "theft", "action", "perpetual_motion", "market_sense")
SETTINGS = [
    {},
    {"game": "normal", "teams": "random"},
    {"game": "normal", "teams": "random", "uncertainty": True, "cutthroat": True},
]


def positions(players, settings, seed):
    """The table after every move of a game of merchants."""
    table, _ = start(KEY, players, settings, seed=b"%d" % seed)
    rng = random.Random(seed)
    yield table
    while not table.is_over:
        merchants_move(table, rng, seed % 2)
        yield table


@pytest.mark.rule("KAS-F05", "KAS-F13", "KAS-F06", "KAS-R17", "KAS-R03")
@pytest.mark.parametrize("players", [2, 3, 5, 7])
@pytest.mark.parametrize("settings", SETTINGS)
def test_pieces_are_neither_lost_nor_made_and_lie_where_they_may(players, settings):
    conserved = None
    for table in positions(players, settings, players):
        position = table.position
        conserved = conserved or table.game.conserved(position)
        assert table.game.conserved(position) == conserved
        area, rails = assemble(BOARD, position.layout), Rails(BOARD, position)
        spaces = [space for player in position.players for space in player.depots]
        assert len(spaces) == len(set(spaces))
        assert set(spaces) <= set(rails.link_of)
        seen = table.view(None).table.players
        for player, shown in zip(position.players, seen, strict=True):
            assert player.cash >= 0
            assert len(player.hold) <= shown.capacity
            flying = player is position.players[position.active] and position.phase in TURN
            assert not player.at or player.at in (area.stopover if flying else area.landing)
            assert shown.exposed <= shown.diamonds
        for city in position.cities.values():
            assert 0 <= sum(city.goods.values()) <= city.slots
            assert 0 not in city.goods.values()
        assert min(position.factories.values()) >= 0


@pytest.mark.rule("KAS-F34", "KAS-R23", "KAS-R20")
def test_the_cheapest_route_is_the_cheapest_of_all_routes():
    compared = 0
    for seed, players in ((1, 3), (2, 5), (3, 7)):
        for table in positions(players, {}, seed):
            position = table.position
            if position.phase != "action" or position.round < 4:
                continue
            seat, rails = position.active, Rails(BOARD, position)
            for space in position.players[seat].depots:
                network = Network(BOARD, position, rails, seat, space)
                cheapest = network.cheapest()
                for destination in [*position.cities, *network.own]:
                    routes = list(network.routes(destination, 9))
                    assert bool(routes) == (destination in cheapest)
                    if routes:
                        best = min(routes)
                        assert (best.tolls, best.stops) == (cheapest[destination].tolls, cheapest[destination].stops)
                        assert all(network.route(destination, route.via) == route for route in routes)
                        compared += 1
    assert compared > 500


@pytest.mark.rule("KAS-R22", "KAS-F35")
def test_every_offered_shipment_can_be_paid():
    shipped = 0
    rng = random.Random(4)
    for table in positions(7, {"game": "normal", "teams": "random"}, 4):
        if table.position.phase not in ("action", "perpetual_motion", "sphinx_shipment"):
            continue
        seat = table.position.active
        for offer in table.offers(seat):
            if offer.move is Ship:
                trial = put(table, table.position)
                trial.submit(seat, [offer.sample(rng)])
                assert min(player.cash for player in trial.position.players) >= 0
                shipped += 1
    assert shipped > 50

"""What menus and listings say behind an order: prices, payments, effects."""

import pytest

from referee.games.spike.state import Boost, Build, Deliver, Draw, DrawDeck, Load, Place, SetInMotion, Upgrade
from referee.orders.menu import menu
from tests.positions import edit
from tests.referee.games.spike.setups import BOARD, at, cargo, line

MARKET = [["cloth", "cows", "oil"], ["pigs", "wood", "corn"], ["steel", "coal", "wheat"], ["fruit", "flour", "cotton"]]


def hints(table, kind, field, seat=0):
    (offer,) = [offer for offer in table.offers(seat) if offer.move is kind]
    return dict(table.hints(seat)(offer).values[field])


def test_a_build_says_what_the_city_pays_and_what_it_is_good_for():
    contracts = [{"cloth": "cloth-1b", "oil": "oil-1a"}, {}]  # oil: New York 5 ...
    table = at(hands=[{"white": 2, "black": 2}, {}], market=MARKET, contracts=contracts, routes=["r22", "r01"])
    said = hints(table, Build, "city")
    assert said["albany"] == "pays $2 for cows; on your route, 6"  # R22 from Knoxville lists Albany
    assert said["new_york"] == "pays $3 for cloth; supplies your cloth; your oil pays $5"
    shown = {choice.text: choice.note for choice in menu(table.game, table.offers(0), table.hints(0))}
    assert shown["build Albany via Boston with white"] == said["albany"]


def test_draws_upgrades_loads_and_deliveries_say_what_they_bring():
    contracts = [{"cloth": "cloth-1b", "steel": "steel-2a"}, {}]
    table = cargo(
        at(hands=[{"white": 2}, {}], scores=[9], contracts=contracts, levels={"speed": 1, "cargo": 1}), "steel"
    )
    assert hints(table, Draw, "card") == {
        "white": "you have 2", "blue": "you have none", "red": "you have none", "yellow": "you have none",
    }  # fmt: skip
    assert hints(table, Upgrade, "part") == {
        "speed": "$5, from 2 to 3", "power": "$3, from 2 to 3", "cargo": "$5, from 2 to 3",
    }  # fmt: skip
    assert hints(table, Load, "commodity") == {"cloth": "for Cleveland 5, Tampa 7, Mobile 8, Des Moines 11"}
    assert hints(table, Deliver, "commodity") == {"steel": "pays $4"}
    (deck,) = [offer for offer in table.offers(0) if offer.move is DrawDeck]
    assert table.hints(0)(deck).order == "unseen; 8 cards in the deck"


@pytest.mark.parametrize("kind", [SetInMotion, Boost])
def test_a_movement_says_what_can_be_done_where_it_ends(kind):
    track = line("boston", "albany")
    contracts = [{"steel": "steel-2a", "cloth": "cloth-1b", "cows": "cows-1a"}, {}]
    table = cargo(at(tracks=[track], contracts=contracts, levels={"speed": 1}), "steel")
    if kind is Boost:
        said = hints(edit(table, 0, at=track[0]), kind, "space")
        assert said == {"boston": "stops there: deliver steel for $4, load cloth", "albany": "stops there: load cows"}
    else:
        assert hints(table, kind, "space") == {"albany": "stops there: load cows"}


def test_placing_says_what_a_city_supplies_and_is_good_for():
    table = at(homes=["", ""], trains=["", ""], contracts=[{"cloth": "cloth-1b"}, {}], phase="placement")
    said = hints(table, Place, "city")
    assert said["boston"] == "cloth; supplies your cloth; start of your route"
    assert said["tampa"] == "cows; your cloth pays $7"
    assert set(said) == set(BOARD.city)


def test_a_listing_holds_the_hints_by_value():
    table = at(hands=[{"white": 1}, {}], market=MARKET, contracts=[{}, {}], routes=["r30", "r30"])
    (offer,) = [offer for offer in table.offers(0) if offer.move is Build]
    listed = offer.listing(table.hints(0)(offer))["fields"]["city"]
    assert listed == {"kind": "one_of", "one_of": ["albany"], "hints": {"albany": "pays $2 for cows"}}

"""What an order costs and brings is said behind it, and nothing that costs is proposed after a slip."""

import pytest

from referee.errors import OrderError
from referee.games.kings_of_air_and_steam.hints import ABILITIES, ability_words
from referee.games.kings_of_air_and_steam.state import (
    Adjust,
    ChooseTeam,
    Clear,
    FlyTo,
    Plan,
    Return,
    Ship,
    Solicit,
    UpgradeAirship,
    UpgradeTrain,
)
from referee.orders.menu import menu
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, at, turn


def hints_for(table, kind, accepting=None):
    """The hints of the first offer of a type, or of that which accepts a move."""
    offers = [offer for offer in table.offers(0) if offer.move is kind]
    offer = next(offer for offer in offers if accepting is None or offer.accepts(accepting))
    return table.hints(0)(offer)


def test_upgrades_tell_price_and_effect():
    assert hints_for(at(), UpgradeAirship).order == "$3: level 2, room for 3"
    assert hints_for(at(airship=3), UpgradeAirship).order == "$5: level 4, 3 diamonds"
    assert hints_for(at(airship=5), UpgradeAirship).order == "$7: level 6, 4 diamonds, 15 points"
    assert hints_for(at(train=3), UpgradeTrain).order == "$4: level 4, rating 4, 5 points"
    assert hints_for(at(), Solicit).order == "+$3"


def test_cards_tell_their_letter():
    found = hints_for(at(2, "planning", agenda=["cycle"], characters=["isaac", "eva_blane"]), Plan).values["cards"]
    assert found["4d"] == "flies 4, letter E, 1 diamond"
    assert found["davinci"] == "flies 7 straight on, letter G, 2 diamonds"


def test_shipments_tell_income_stops_and_tolls():
    table = at(train=3, depots=[{"K4": {"food": 3}}, {"K7": {}}])
    found = hints_for(table, Ship, Ship(2, "food", "K4", "raposa"))
    assert found.order == "$4 a Good, 2 stops, toll $1 to Ben a Good"
    assert found.values["number"] == {1: "$3", 2: "$6", 3: "$9"}
    full = at(cities={"sartainville": ("machinery", 5, 4)}, depots=[{"K4": {"machinery": 1}}])
    assert hints_for(full, Ship).values["number"] == {1: "$4, fulfils the City"}


@pytest.mark.rule("KAS-R49")
def test_a_wager_tells_that_it_is_paid_before_the_delivery():
    table = at(cash=5, characters=["sebastian_king", "isaac"], depots=[{"K4": {"machinery": 1}}])
    wagered = hints_for(table, Ship, Ship(1, "machinery", "K4", "sartainville", wager=2))
    assert wagered.values["wager"] == {
        2: "$2 out of your $5 before the delivery is paid; 2 of 5 tokens to win $2 a Good"
    }


@pytest.mark.rule("KAS-R03")
def test_ends_of_flights_tell_what_is_there():
    table = turn(card="1", space="K4", depots=[{"J4": {}}, {"J3": {}}], others_at=["K4", "L3"])
    found = hints_for(table, FlyTo).values["space"]
    assert found == {
        "J3": "Ben's Depot",
        "J4": "your Depot",
        "K3": "Geekopolis, where no turn may end",
        "K5": "Sartainville, where no turn may end",
        "L3": "Ben's Airship",
    }
    assert hints_for(at(space="J4"), Adjust).values["direction"]["NE"] == "to I4, chemicals Factory, 1 Good"


@pytest.mark.rule("KAS-R30")
def test_upkeep_and_clearance_tell_what_goods_bring():
    depots = [{"K4": {"machinery": 2, "luxuries": 1}}, {"K7": {}}]
    table = at(2, "upkeep", hold=["food"], depots=depots, round=5)
    assert hints_for(table, Return).values["lots"] == {
        "K4 machinery": "$4 at the Clearance",
        "K4 luxuries": "cannot be cleared",
        "hold food": "worth nothing at the Clearance",
    }
    assert hints_for(at(2, "upkeep", hold=["food"]), Return).order == "what you keep costs $1 a Good"
    table = at(2, "clearance", train=3, depots=[{"K4": {"food": 1}}, {"K7": {}}])
    assert hints_for(table, Clear).values["lots"] == {"K4 food": "$3 a Good after tolls"}


def test_every_ability_has_a_word():
    assert {who.ability for who in BOARD.character.values()} == set(ABILITIES)
    assert ability_words(BOARD, BOARD.character["reginald_kain"]) == "begins with $20"
    table = at(2, "teams", order=[0])
    found = hints_for(table, ChooseTeam).values["team"]["sphinx"]
    assert found.startswith("priority 3; Airship 1 diamond, room for 2; card flies 2, then ships a Good, letter C")


def test_menus_show_no_empty_parts_and_tell_prices():
    table = at(train=3, cash=30, depots=[{"K4": {"food": 1}}, {"K7": {}}])
    lines = {choice.text: choice.note for choice in menu(table.game, table.offers(0), table.hints(0))}
    assert not [text for text in lines if "()" in text or "wager" in text or "sparing" in text]
    assert lines["upgrade train"] == "$4: level 4, rating 4, 5 points"


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("build J4", {"cash": 4, "depots": [{"J3": {}}]}),
        ("build AB", {}),
        ("upgrade train", {"cash": 1}),
        (
            "transmogrify food into food in K4",
            {"characters": ["aurelia_bayley", "isaac"], "depots": [{"K4": {"food": 1}}]},
        ),
        ("card 9", {"characters": ["eli_diamond", "isaac"]}),
        ("load 2 chemicals", {"phase": "cargo", "space": "I4", "hold": ["food"], "factories": {"I4": 3}}),
    ],
)
def test_what_is_proposed_after_a_refusal_costs_nothing(line, fields):
    table = at(**fields)
    with pytest.raises(OrderError) as caught:
        table.check(0, line)
    near = caught.value.nearest
    if near:
        assert near["type"] in ("solicit", "adjust", "adjust_to", "done", "load")
        assert not near.get("jettison")
        table.check(0, dict(near))

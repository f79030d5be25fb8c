"""Orders of Tin Goose as a player may write them."""

import pytest

from referee.errors import AmbiguousOrder, InvalidOrder
from referee.games.tin_goose.state import (
    AdvanceIncome,
    Bid,
    Deploy,
    Extend,
    IssueBond,
    Pass,
    PlacePlane,
    PlayCard,
    Serve,
    TakeLabor,
    Upgrade,
)
from referee.orders.notation import format_move
from tests.positions import play
from tests.referee.games.tin_goose.setups import DIVIDENDS, SAFETY, at, own

HAND = {"hand": ["G12", "G13", "G24", "B26"]}


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("advance income", AdvanceIncome()),
        ("ADVANCE INCOME", AdvanceIncome()),
        ("place Reno from Ford Trimotor", PlacePlane("reno", "ford_trimotor")),
        ("place reno from trimotor", PlacePlane("reno", "ford_trimotor")),
        ("place Los Ang from Ford Tri", PlacePlane("los_angeles", "ford_trimotor")),
        ("place boise from boeing stratoliner", PlacePlane("boise", "B20")),
        ("place boise from B20", PlacePlane("boise", "B20")),
        ("extend Medford", Extend("medford")),
        ("extend to Medfrod", Extend("medford")),
        ("serve Havana from Ford Trimotor", Serve("havana", "ford_trimotor")),
        ("take 1 labor", TakeLabor(1)),
        ("take 2 labor chips", TakeLabor(2)),
        ("take a labor chip", TakeLabor(1)),
        ("take labor", TakeLabor(1)),
        ("place a plane in Reno from the Trimotor", PlacePlane("reno", "ford_trimotor")),
        ("issue a bond", IssueBond()),
    ],
)
def test_actions_are_understood(line, move):
    table = at(3, me={"fleets": own("ford_trimotor", "B20")})
    assert table.check(0, line) == move


def test_an_order_that_cannot_be_read_names_the_word_and_what_is_near_it():
    with pytest.raises(InvalidOrder) as caught:
        play(at(3), "extend to Medwick")
    assert caught.value.field == "city"
    assert "Medford" in caught.value.message


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("play Boeing 247 Washington", "G12"),
        ("play G12", "G12"),
        ("play Washington", "G12"),
        ("play gold strike Norfolk", "G24"),
        ("play strike Norfolk", "G24"),
        ("play strike", "G24"),
    ],
)
def test_a_card_goes_by_its_kind_and_city_or_by_what_is_enough_to_tell(line, card):
    assert at(3, "card", me=HAND).check(0, line) == PlayCard(card)


def test_two_cards_of_a_kind_must_be_told_apart():
    with pytest.raises(AmbiguousOrder) as caught:
        play(at(3, "card", me=HAND), "play Boeing 247")
    assert caught.value.readings == ("play Boeing 247 Washington", "play Boeing 247 Salt Lake City")


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("deploy and remove nothing", Deploy("none")),
        ("deploy and remove Irregular Safety Procedures", Deploy(SAFETY)),
        ("deploy and remove irregular safety", Deploy(SAFETY)),
        ("deploy and remove generous", Deploy(DIVIDENDS)),
        ("upgrade Ford Trimotor", Upgrade("ford_trimotor")),
    ],
)
def test_what_becomes_of_a_fleet_is_understood(line, move):
    bidding = {"answered": 3, "amount": 5, "seat": 0}
    table = at(3, "acquisition", me={"conditions": [SAFETY, DIVIDENDS]}, card="G12", bidding=bidding)
    assert table.check(0, line) == move


def test_bids_and_passes_are_understood():
    table = at(3, "auction", card="G12")
    for line, move in (("bid $7", Bid(7)), ("bid 7", Bid(7)), ("pass", Pass())):
        assert table.check(1, line) == move
        assert format_move(table.game, move) == line.replace("$", "")

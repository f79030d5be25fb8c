"""What menus and lists of options say that an order brings or costs."""

import random
import re

import pytest

from referee.games.tin_goose.events import AirmailDelivered, DemandServed, Extended, LaborTaken, Paid
from referee.games.tin_goose.tracks import income
from referee.options import sample
from referee.orders.menu import menu
from referee.orders.notation import format_move
from tests.positions import happened, play, put, random_table
from tests.referee.games.tin_goose.setups import (
    BOARD,
    DIVIDENDS,
    INVESTMENTS,
    RURAL,
    SAFETY,
    at,
    box,
    demand,
    holding,
    own,
)


def told(table, seat=0):
    """What stands behind each order."""
    hints = table.hints(seat)
    return {
        format_move(table.game, move): hints(offer).of(offer, move)
        for offer in table.offers(seat)
        for move in offer.moves()
    }


def test_actions_tell_where_the_income_goes_and_what_is_paid():
    me = {"income_box": box(4), "airmail": "A1", "conditions": [DIVIDENDS]}
    tokens = demand(reno=(0, 2), medford=(1, 0))
    shown = told(at(3, me=me, others={1: {"cities": ["los_angeles"]}, 2: {"cities": ["reno"]}}, demand=tokens))
    assert shown["advance income"] == "up 1 box, income still 4"
    assert shown["place Reno from Ford Trimotor"] == "up 1 box, income still 4, $8 for 2 tokens"
    assert shown["place Los Angeles from Ford Trimotor"] == "down 1 box, income 3, airmail $40, major"
    assert shown["extend Medford"] == ("1 barrel and 1 flame more for good; up 1 box, income still 4, $4 for 1 token")
    assert shown["take labor"] == "for nothing"
    assert shown["take 2 labor"] == "$4"
    assert shown["issue bond"] == "$40 now, $40 less in the end"
    assert shown["serve Havana from Ford Trimotor"] == (
        "2 actions and $10; in the end $40 and $10 for each player with fewer"
    )


def test_cards_tell_what_they_start_and_what_their_player_would_pay():
    me = {"hand": ["G12", "G24", "G27", "G30"], "conditions": [SAFETY, RURAL], "cities": ["minneapolis"]}
    shown = told(at(3, "card", me=me))
    assert shown["play Boeing 247 Washington"] == "auction, S, oil 3, hazard 2"
    assert shown["play gold strike Norfolk"] == "the highest bid of labor chips wins $10, all others pay $10"
    assert shown["play gold crash San Antonio"] == "$1 a flame: you pay $7"
    assert shown["play gold oil Minneapolis"] == (
        "$1 a barrel: you pay $8; you are in Minneapolis: up 2 boxes, income 4"
    )
    last = told(at(3, "card", me=holding("R04"), round=7))
    assert last["play Convair 240 Pittsburgh"] == "discarded without an auction, M, oil 1, hazard 1"


def test_a_won_fleet_tells_what_each_condition_and_each_upgrade_means():
    won = {"card": "G13", "bidding": {"answered": 3, "amount": 5, "seat": 0}}
    table = at(3, "acquisition", me={"conditions": [SAFETY, INVESTMENTS]}, round=3, **won)
    shown = told(table)
    assert shown["deploy and remove Irregular Safety Procedures"].endswith("; 4 flames less")
    assert shown["deploy and remove Unproductive Investments"].endswith("; $20 now")
    assert "all conditions stay, and none goes later for this fleet" in shown["deploy and remove nothing"]
    assert shown["upgrade Ford Trimotor"] == (
        "S to S, oil 4 to 3, hazard 3 to 2; 1 plane moved over; no condition goes"
    )


def test_bids_tell_the_means_and_the_fleet():
    table = at(3, "auction", card="G13", active=2, me={"fleets": own("G12")})
    (bid, *_) = menu(table.game, table.offers(0), table.hints(0))
    assert bid.note == "AMOUNT: 1 to 40; 2 planes, S, oil 3, hazard 2; a kind that you own: up 2 boxes, income 4"
    strike = at(3, "strike", card="G24")
    assert strike.hints(0)(strike.offers(0)[0]).order == "wins $10 or pays $10; all chips bid are gone"


@pytest.mark.parametrize("seed", range(6))
def test_what_a_hint_says_of_money_and_income_happens(seed):
    """Every action on offer in positions of random games is played, and compared with its hint."""
    compared = 0
    for moves in range(30, 150, 8):
        table = random_table("tin-goose", 3 + seed % 3, moves, seed=seed + 1)
        if table.is_over or table.position.phase not in ("actions", "card"):
            continue
        seat = table.decisions()[0].seat
        for offer in table.offers(seat):
            move, hints = sample([offer], random.Random(seed)), table.hints(seat)(offer)
            said, after = hints.of(offer, move), put(table, table.position)
            outcome = play(after, move)
            player = after.position.players[seat]
            events = happened(outcome)
            mine = [event for event in events if getattr(event, "seat", None) == seat]
            if table.position.phase == "card":
                paid = [event.amount for event in mine if isinstance(event, Paid)]
                expected = re.findall(r"you pay \$(\d+)", said)
                if expected:
                    assert sum(paid) == int(expected[0])
                continue
            if found := re.search(r"income (?:still |stays )?(\d+)", said):
                assert income(BOARD, player) == int(found[1])
            money = [event.money for event in mine if isinstance(event, DemandServed)]
            assert money == [int(amount) for amount in re.findall(r"\$(\d+) for \d+ token", said)]
            assert ("airmail $40" in said) == any(isinstance(event, AirmailDelivered) for event in mine)
            assert ("for good" in said) == any(isinstance(event, Extended) for event in mine)
            cost = [event.cost for event in mine if isinstance(event, LaborTaken) and event.cost]
            assert cost == ([int(said.removeprefix("$"))] if offer.move.__name__ == "TakeLabor" and "$" in said else [])
            compared += 1
    assert compared > 20

"""What the referee plays because there is no choice, and when somebody is asked all the same."""

import random

import pytest

from referee.games.tin_goose.events import Deployed, IncomeMoved, PassedOver, StrikeResolved
from referee.games.tin_goose.scoring import score
from referee.games.tin_goose.state import AdvanceIncome, Bid, OwnedFleet, Pass, TakeLabor
from referee.options import sample
from tests.positions import copy_of, happened, play, put, sentences, types
from tests.referee.games.tin_goose.setups import (
    BOARD,
    GAME,
    REGIONAL,
    SAFETY,
    asked,
    at,
    bid_all,
    box,
    holding,
    own,
    refused,
    start,
)

MANAGED = {"conditions": [REGIONAL]}


def opened(table):
    """The same table with open screens."""
    position, game = copy_of(table), GAME(BOARD, table.game.seats, GAME.settings_type(open_screens=True))
    other = put(table, position)
    other.game = game
    return other


@pytest.mark.rule("TG-R67", "TG-R38")
@pytest.mark.parametrize("card", ["G27", "G30"])
def test_the_advance_that_regional_management_forces_follows_an_event_by_itself(card):
    table = at(3, "card", me={**holding(card), **MANAGED})
    outcome = play(table, f"play {card}")
    assert happened(outcome, IncomeMoved)[-1] == IncomeMoved(0, "managed", 1, 3)
    assert sentences(table, outcome)[-1] == (
        "Anna's income marker moves up 1 box to 3: Regional Management takes the first action."
    )
    assert (asked(table), table.position.taken) == (("actions", (0,)), ["advance income"])
    play(table, "advance income")
    assert refused(table, "advance income").code == "taken_already"


@pytest.mark.rule("TG-R67")
def test_the_forced_advance_follows_a_strike_an_auction_and_a_fleet_of_the_last_round():
    table = at(3, "card", me={**holding("G24"), **MANAGED})
    play(table, "play G24")
    assert table.position.taken == []
    bid_all(table, [0, 1, 0])
    assert table.position.taken == ["advance income"]
    table = at(3, "auction", me=MANAGED, card="G12")
    for _ in range(3):
        assert table.position.taken == []
        play(table, "pass")
    assert table.position.taken == ["advance income"]
    table = at(3, "auction", me=MANAGED, others={1: {"conditions": [SAFETY]}}, card="G12")
    for order in ("bid 4", "pass", "pass"):
        play(table, order)
    assert (asked(table), table.position.taken) == (("acquisition", (1,)), [])
    play(table, "upgrade ford trimotor")
    assert (asked(table), table.position.taken) == (("actions", (0,)), ["advance income"])
    table = at(3, "card", me={**holding("R04"), **MANAGED}, round=7)
    play(table, "play R04")
    assert table.position.taken == ["advance income"]


@pytest.mark.rule("TG-R67", "TG-R37")
def test_nothing_is_forced_on_who_removes_regional_management_or_on_another():
    table = at(3, "auction", me={**MANAGED, "cash": 9}, card="G12")
    for order in ("pass", "pass", "bid 3"):
        play(table, order)
    play(table, "deploy and remove regional management")
    assert table.position.taken == []
    table = at(3, "card", me=holding("G27"), others={1: MANAGED, 2: MANAGED})
    outcome = play(table, "play G27")
    assert (happened(outcome, IncomeMoved), table.position.taken) == ([], [])


@pytest.mark.rule("TG-R67", "TG-R39")
def test_the_forced_advance_is_spent_at_the_end_of_the_track_too():
    table = at(3, "card", me={**holding("G30"), **MANAGED, "income_box": box(15)})
    outcome = play(table, "play G30")
    assert happened(outcome, IncomeMoved) == [IncomeMoved(0, "managed", 0, 15)]
    assert table.position.taken == ["advance income"]


@pytest.mark.rule("TG-R67")
def test_under_the_first_version_the_forced_advance_is_still_an_order():
    table = at(3, "card", me={**holding("G30"), **MANAGED})
    table.game = table.game.under("1")
    play(table, "play G30")
    assert table.position.taken == []
    assert {offer.move.__name__ for offer in table.offers(0)} == {"AdvanceIncome"}


@pytest.mark.rule("TG-R68")
def test_behind_screens_who_cannot_bid_is_asked_all_the_same():
    table = at(3, "auction", card="G12", others={1: {"cash": 0}})
    assert asked(table) == ("auction", (1,))
    table = at(3, "card", me=holding("G24", labor_chips=0), others={1: {"labor_chips": 0}})
    play(table, "play G24")
    assert asked(table) == ("strike", (0, 1, 2))


@pytest.mark.rule("TG-R70")
def test_with_open_screens_who_cannot_bid_is_passed_over():
    table = opened(at(4, "card", me=holding("G12"), others={1: {"cash": 0}, 2: {"cash": 7}, 3: {"cash": 7}}))
    outcome = play(table, "play G12")
    assert happened(outcome, PassedOver) == [PassedOver(1, 0, 1)]
    assert asked(table) == ("auction", (2,))
    outcome = play(table, "bid 7")
    assert sentences(table, outcome) == ["Cora bids $7.", "Dirk has $7 and cannot bid $8."]
    assert asked(table) == ("auction", (0,))


@pytest.mark.rule("TG-R70", "TG-R29", "TG-R66")
def test_with_open_screens_an_auction_may_end_without_a_question():
    poor = {"cash": 0}
    table = opened(at(3, "card", me=holding("G12", **poor), others={1: poor, 2: poor}))
    outcome = play(table, "play G12")
    assert types(happened(outcome)) == ["CardPlayed", "PassedOver", "PassedOver", "PassedOver", "FleetDiscarded"]
    assert asked(table) == ("actions", (0,))
    rich = {"cash": 9, "fleets": own("G01")}
    table = opened(at(3, "auction", me=poor, others={1: rich, 2: {"cash": 1}}, card="G12"))
    outcome = play(table, "bid 9")
    assert len(happened(outcome, Deployed)) == 1
    assert table.position.players[1].fleets[-1] == OwnedFleet("G12", 2)


@pytest.mark.rule("TG-R70")
def test_with_open_screens_only_those_with_labor_chips_bid_in_a_strike():
    table = opened(at(3, "card", me=holding("G24", labor_chips=0), others={1: {"labor_chips": 3}}))
    play(table, "play G24")
    assert asked(table) == ("strike", (1, 2))
    play(table, "bid 3", seat=1)
    play(table, "bid 1", seat=2)
    assert happened(table.reveal(), StrikeResolved) == [StrikeResolved((0, 3, 1), (1,), 10)]
    none = {"labor_chips": 0}
    table = opened(at(3, "card", me=holding("G24", **none), others={1: none, 2: none}))
    outcome = play(table, "play G24")
    assert happened(outcome, StrikeResolved) == [StrikeResolved((0, 0, 0), (), 10)]
    assert [player.cash for player in table.position.players] == [30, 30, 30]


@pytest.mark.rule("TG-R70")
def test_with_open_screens_everybody_sees_money_bonds_chips_and_scores_but_no_hand():
    table, _ = start(3, {"open_screens": True})
    for viewer in (None, 1):
        shown = table.view(viewer).table.players[0]
        assert (shown.cash, shown.bonds, shown.labor_chips, shown.hand) == (40, 0, 2, None)
        assert {standing.score for standing in table.view(viewer).standings} == {70}


@pytest.mark.rule("TG-R71")
def test_a_late_player_plays_a_fleet_before_an_event_and_a_city_match_first():
    hand = ["G24", "G27", "G12", "G13"]
    assert at(3, "card", me={"hand": hand}).default(0).card == "G12"
    assert at(3, "card", me={"hand": hand, "cities": ["salt_lake_city", "norfolk"]}).default(0).card == "G13"
    assert at(3, "card", me={"hand": ["G24", "G27"], "cities": ["san_antonio"]}).default(0).card == "G27"


@pytest.mark.rule("TG-R71")
def test_what_the_referee_plays_for_the_late_costs_them_nothing_that_they_could_keep():
    """Whole games of the clock alone: no bid, no bond but for an event, no extension, no chip bought."""
    for players in GAME.seat_counts:
        table, _ = start(players)
        told = []
        while not table.is_over:
            told += [event for entry in table.time_out() for event in entry.row.events]
        kinds = set(types(told))
        assert not kinds & {"BidMade", "FleetBought", "BondIssued", "Extended", "InternationalServed"}
        assert {(event.chips, event.cost) for event in told if type(event).__name__ == "LaborTaken"} == {(1, 0)}


def final_score(seed, answer):
    """What the first seat scores with one way to answer, all others playing at random."""
    players = 3 + seed % 3
    table, _ = start(players, seed=b"late %d" % seed)
    rng = random.Random(seed)
    while not table.is_over:
        asked_seats = table.missing() or (table.decisions()[0].seat,)
        for seat in asked_seats:
            table.submit(seat, [answer(table, seat) if seat == 0 else sample(table.offers(seat), rng)])
        if table.sealed and not table.missing():
            table.reveal()
    return score(BOARD, table.position, 0).total


def passing(table, seat):
    """Bids nothing, passes, takes what is free, and otherwise the first thing on offer."""
    moves = [move for offer in table.offers(seat) for move in offer.moves()]
    idle = (Pass(), Bid(0), TakeLabor(1), AdvanceIncome())
    return next((move for move in idle if move in moves), moves[0])


@pytest.mark.rule("TG-R71")
def test_who_is_played_by_the_referee_is_not_worse_off_than_who_passes():
    late = [final_score(seed, lambda table, seat: table.default(seat)) for seed in range(12)]
    idle = [final_score(seed, passing) for seed in range(12)]
    assert sum(late) > sum(idle)
    assert sum(a >= b for a, b in zip(late, idle, strict=True)) >= 11

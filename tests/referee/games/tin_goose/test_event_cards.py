"""Strike, crash and oil."""

import msgspec
import pytest

from referee.contract import read_board
from referee.games.tin_goose.events import HazardCompared, IncomeMoved, Paid, StrikeResolved
from referee.games.tin_goose.state import OwnedFleet
from referee.games.tin_goose.tracks import hazard, oil
from referee.table import decode_position
from tests import positions
from tests.positions import play
from tests.referee.games.tin_goose.setups import (
    BOARD,
    RURAL,
    SAFETY,
    asked,
    at,
    bid_all,
    box,
    holding,
    only,
    own,
    play_event,
    refused,
)

STRIKE, CRASH, OIL = "G24", "G27", "G30"  # gold: $10 won or lost, $1 a flame, $1 a barrel
EMPTY_HANDED = {"cash": 0}


def cash(table):
    return [player.cash for player in table.position.players]


def bonds(table):
    return [player.bonds for player in table.position.players]


def chips(table):
    return [player.labor_chips for player in table.position.players]


def with_hazards(*levels: int, **more):
    """A table whose players have just these hazards, by extensions beside the Trimotor's 3 flames."""
    extra = [{"extensions": level - 3, "income_box": box(5)} for level in levels]
    return at(len(levels), "card", me=holding(CRASH, **extra[0]), others=dict(enumerate(extra)), **more)


@pytest.mark.rule("TG-F15", "TG-R23")
def test_the_highest_bid_of_labor_chips_wins_and_all_chips_bid_are_lost():
    table = at(3, "card", me=holding(STRIKE), others={1: {"labor_chips": 5}})
    events = play_event(table, STRIKE, [1, 3, 0])
    (resolved,) = only(events, StrikeResolved)
    assert resolved == StrikeResolved((1, 3, 0), (1,), 10)
    assert resolved.sentence(table.words) == (
        "Labor chips bid, all gone to the supply: Anna 1, Ben 3 and Cora 0; Ben wins $10."
    )
    assert cash(table) == [30, 50, 30]
    assert chips(table) == [1, 2, 2]
    assert asked(table) == ("actions", (0,))


@pytest.mark.rule("TG-F15")
def test_a_strike_may_cost_more_or_less_than_it_wins():
    """On the shipped board all amounts are equal, on the printed one they need not be."""
    data = msgspec.to_builtins(BOARD)
    next(card for card in data["era_cards"] if card["id"] == STRIKE).update(win=12, lose=7)
    table, _ = positions.start("tin-goose", 3, board=read_board(type(BOARD), data))
    position = decode_position(table.game, table.position_json)
    position.phase, position.card = "strike", STRIKE
    table = positions.put(table, position)
    assert "wins $12, ties all do; everybody else pays $7" in table.decisions()[0].prompt
    bid_all(table, [1, 2, 0])
    assert cash(table) == [33, 52, 33]


@pytest.mark.rule("TG-R21", "TG-EX12")
def test_when_all_bid_zero_all_pay():
    table = at(3, "card", me=holding(STRIKE))
    events = play_event(table, STRIKE, [0, 0, 0])
    assert only(events, StrikeResolved)[0].winners == ()
    assert cash(table) == [30, 30, 30]


@pytest.mark.rule("TG-R22", "TG-EX12")
def test_every_tied_highest_bidder_wins_the_whole_amount():
    table = at(3, "card", me=holding(STRIKE))
    events = play_event(table, STRIKE, [2, 2, 1])
    assert only(events, StrikeResolved)[0].winners == (0, 1)
    assert cash(table) == [50, 50, 30]
    assert chips(table) == [0, 0, 1]


@pytest.mark.rule("TG-F15")
def test_everybody_is_asked_for_a_strike_bid_also_who_has_no_chip():
    table = at(4, "card", me=holding(STRIKE), others={1: {"labor_chips": 0}})
    play(table, f"play {STRIKE}")
    assert asked(table) == ("strike", (0, 1, 2, 3))
    assert {decision.prompt for decision in table.decisions()} == {
        "A strike: bid labor chips, 0 or more. The highest bid wins $10, ties all do; everybody else pays $10, and a"
        " bid of 0 never wins."
    }
    error = refused(table, "bid 1", seat=1)
    assert (error.code, error.numbers) == ("too_few_chips", {"bid": 1, "chips": 0})
    assert len(bid_all(table, [0, 0, 1, 2])) == 4


@pytest.mark.rule("TG-F14", "TG-R17")
def test_events_are_paid_clockwise_with_the_active_player_last():
    table = at(4, "card", others={2: holding(CRASH)}, active=2)
    events = only(play_event(table, CRASH), Paid)
    assert [event.seat for event in events] == [3, 0, 1, 2]
    table = at(4, "card", others={1: holding(STRIKE)}, active=1)
    assert [event.seat for event in only(play_event(table, STRIKE, [0, 0, 2, 0]), Paid)] == [3, 0, 1]


@pytest.mark.rule("TG-F14", "TG-R18", "TG-EX15")
def test_who_cannot_pay_issues_just_enough_emergency_bonds_and_keeps_the_change():
    flames = [OwnedFleet("ford_trimotor", 0)] * 10
    table = at(3, "card", me=holding(CRASH, cash=5, fleets=flames), others={1: {"cash": 3}, 2: {"cash": 2}})
    events = only(play_event(table, CRASH), Paid)
    assert events == [Paid(1, "crash", 3, 0), Paid(2, "crash", 3, 1), Paid(0, "crash", 30, 2)]
    assert cash(table) == [15, 0, 19]
    assert bonds(table) == [2, 0, 1]


@pytest.mark.rule("TG-R18")
@pytest.mark.parametrize(("money", "issued", "left"), [(30, 0, 0), (29, 1, 19), (15, 1, 5), (10, 1, 0), (9, 2, 19)])
def test_emergency_bonds_are_for_what_the_cash_lacks_and_not_one_more(money, issued, left):
    table = at(3, "card", me=holding(CRASH, cash=money, extensions=27))
    assert only(play_event(table, CRASH), Paid)[-1] == Paid(0, "crash", 30, issued)
    assert (cash(table)[0], bonds(table)[0]) == (left, issued)


@pytest.mark.rule("TG-R18")
def test_who_can_pay_issues_no_emergency_bond_and_a_strike_is_paid_in_the_same_way():
    table = at(3, "card", me=holding(STRIKE, cash=10), others={1: EMPTY_HANDED, 2: {"cash": 9}})
    play_event(table, STRIKE, [0, 0, 0])
    assert cash(table) == [0, 10, 19]
    assert bonds(table) == [0, 1, 1]


@pytest.mark.rule("TG-F16", "TG-F24")
def test_a_crash_costs_its_price_for_each_flame():
    table = at(3, "card", me=holding("B28", hand=["B28", "B01"]), others={1: {"conditions": [SAFETY]}}, round=3)
    play_event(table, "B28")
    assert cash(table) == [40 - 2 * 3, 40 - 2 * 7, 40 - 2 * 3]


@pytest.mark.rule("TG-F16", "TG-R25", "TG-EX13")
@pytest.mark.parametrize(
    ("levels", "moves"),
    [
        ((7, 7, 7), (0, 0, 0)),
        ((9, 7, 4), (-2, 0, 2)),
        ((7, 7, 4), (-2, -2, 2)),
        ((9, 4, 4), (-2, 2, 2)),
        ((9, 9, 4, 4), (-2, -2, 2, 2)),
    ],
)
def test_a_crash_moves_the_most_hazardous_down_and_the_least_up(levels, moves):
    table = with_hazards(*levels)
    events = play_event(table, CRASH)
    assert only(events, HazardCompared) == [HazardCompared(levels)]
    assert tuple(player.income_box - box(5) for player in table.position.players) == moves


@pytest.mark.rule("TG-R24")
def test_a_crash_is_paid_before_the_markers_move():
    events = play_event(with_hazards(9, 7, 4), CRASH)
    kinds = [type(event) for event in events if isinstance(event, Paid | IncomeMoved)]
    assert kinds == [Paid, Paid, Paid, IncomeMoved, IncomeMoved]


@pytest.mark.rule("TG-R26", "TG-F11")
def test_a_marker_stops_at_the_ends_of_the_track():
    last = len(BOARD.income_track.boxes) - 1
    boxes = [{"extensions": 6, "income_box": 1}, {"extensions": 4}, {"extensions": 1, "income_box": last}]
    table = at(3, "card", me=holding(CRASH, **boxes[0]), others=dict(enumerate(boxes)))
    assert only(play_event(table, CRASH), IncomeMoved) == [
        IncomeMoved(0, "most_hazard", -1, 2),
        IncomeMoved(2, "least_hazard", 0, 15),
    ]
    assert [player.income_box for player in table.position.players] == [0, 1, last]


@pytest.mark.rule("TG-F16")
def test_oil_costs_its_price_for_each_barrel_of_fleets_and_extensions():
    table = at(3, "card", me=holding(OIL, extensions=3), others={1: {"fleets": own("ford_trimotor", "G01")}})
    play_event(table, OIL)
    assert cash(table) == [40 - (4 + 3), 40 - (4 + 4), 40 - 4]


@pytest.mark.rule("TG-EX6", "TG-F24")
def test_rural_stops_along_routes_make_each_barrel_a_dollar_dearer():
    table = at(3, "card", me={"hand": ["B30", "B01"], "conditions": [RURAL]}, round=3)
    play_event(table, "B30")
    assert cash(table) == [40 - 3 * 4, 40 - 2 * 4, 40 - 2 * 4]


@pytest.mark.rule("TG-R63")
def test_fleets_without_planes_still_burn_oil_and_are_hazardous():
    table = at(3, me={"fleets": own("ford_trimotor", "G01", planes=0)})
    player = table.position.players[0]
    assert (oil(BOARD, player), hazard(BOARD, player)) == (4 + 4, 3 + 3)


@pytest.mark.rule("TG-R64")
def test_hazard_counts_on_beyond_the_printed_track():
    table = at(3, "card", me=holding(CRASH, extensions=40))
    assert hazard(BOARD, table.position.players[0]) == 43 > BOARD.hazard_track.printed
    assert only(play_event(table, CRASH), Paid)[-1] == Paid(0, "crash", 43, 1)

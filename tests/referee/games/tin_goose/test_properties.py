"""What is true after every move of every game, and what the golden games show."""

import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from referee.contract import SPECTATOR
from referee.games.tin_goose.events import (
    AirmailBids,
    AirmailDelivered,
    BondIssued,
    DemandServed,
    Deployed,
    FleetBought,
    IncomeCollected,
    InternationalServed,
    LaborTaken,
    Paid,
    StrikeResolved,
)
from referee.games.tin_goose.tracks import hazard
from referee.options import sample
from referee.record import load
from tests.positions import random_game
from tests.referee.games.tin_goose.setups import BOARD, GAME, start

ROOT = Path(__file__).parents[4]
GOLDEN = ROOT / "tests/golden/tin-goose"


def steps(players, seed, settings=None):
    """The table after every move of a random game."""
    table, _ = start(players, settings, seed=b"%d" % seed)
    rng = random.Random(seed)
    yield table
    while not table.is_over:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))])
            table.reveal()
        else:
            seat = table.decisions()[0].seat
            table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))])
        yield table


@pytest.mark.rule("TG-F02", "TG-F24", "TG-R12", "TG-F13")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("even_events", [False, True])
def test_nothing_is_ever_lost_made_or_negative(players, even_events):
    first, _ = start(players)
    for table in steps(players, players, {"even_events": even_events}):
        position = table.position
        cards = [card for player in position.players for card in player.hand + player.face_down]
        cards += [fleet.card for player in position.players for fleet in player.fleets]
        cards += position.discards + position.removed + [position.card] * bool(position.card)
        assert sorted(card for card in cards if card != "ford_trimotor") == sorted(BOARD.card)
        for player in position.players:
            assert min(player.cash, player.bonds, player.labor_chips) >= 0
            assert 0 <= player.income_box < len(BOARD.income_track.boxes)
            assert len(set(player.cities)) == len(player.cities)
            assert len(set(player.international)) == len(player.international)
            assert all(0 <= fleet.planes <= 2 for fleet in player.fleets)
            placed = len(player.cities) + len(player.international) + sum(fleet.planes for fleet in player.fleets)
            assert placed == 2 * len(player.fleets) + player.extensions
            assert len(player.fleets) + len(player.conditions) == 6 + player.forgone
        for tokens in position.demand.values():
            assert (tokens.gold, tokens.silver > 0) in ((1, False), (0, True))
        assert len(position.taken) < 3
        assert table.game.conserved(position).keys() == first.game.conserved(first.position).keys()


@pytest.mark.rule("TG-R63")
def test_the_hazard_track_is_always_the_sum_of_what_lies_in_front_of_a_player():
    for table in steps(4, 11):
        for shown, player in zip(table.view(None).table.players, table.position.players, strict=True):
            flames = sum(fleet.hazard for fleet in shown.fleets) + shown.extensions
            assert (
                shown.hazard
                == hazard(BOARD, player)
                == flames + 4 * ("irregular_safety_procedures" in shown.conditions)
            )


MOST_ROWS_OF_A_TURN = 5  # a card, what becomes of the fleet, three actions; and an answer of everybody


@pytest.mark.rule("TG-F13", "TG-F25", "TG-R52")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_turn_and_no_game_is_longer_than_its_printed_steps(players):
    """Nothing can be done for ever: the airmail bid and choices, then seven rounds of turns of so many rows."""
    most = 1 + players + BOARD.last_round * players * (MOST_ROWS_OF_A_TURN + players)
    for variant in GAME.variants:
        turns = Counter()
        for table in steps(players, 21, variant):
            turns[table.position.round, table.position.active] += 1
        del turns[1, table.position.first]  # with the airmail routes
        assert max(turns.values()) <= MOST_ROWS_OF_A_TURN + players
        assert table.sequence <= most


def ledger(players, events):
    """Money, bonds and labor chips of everybody, from what the table saw change hands."""
    money, bonds, chips = [40] * players, [0] * players, [2] * players
    for event in events:
        match event:
            case AirmailBids(bids=bids):
                money = [before - paid for before, paid in zip(money, bids, strict=True)]
            case StrikeResolved(bids=bids, winners=winners, win=win):
                chips = [before - bid for before, bid in zip(chips, bids, strict=True)]
                money = [before + win * (seat in winners) for seat, before in enumerate(money)]
            case Paid(seat=seat, amount=amount, bonds=issued):
                money[seat] += 20 * issued - amount
                bonds[seat] += issued
            case FleetBought(seat=seat, amount=amount):
                money[seat] -= amount
            case Deployed(seat=seat, money=gained) | DemandServed(seat=seat, money=gained):
                money[seat] += gained
            case AirmailDelivered(seat=seat, money=gained):
                money[seat] += gained
            case InternationalServed(seat=seat, cost=cost):
                money[seat] -= cost
            case LaborTaken(seat=seat, chips=taken, cost=cost):
                chips[seat] += taken
                money[seat] -= cost
            case BondIssued(seat=seat, money=gained):
                money[seat] += gained
                bonds[seat] += 1
            case IncomeCollected(seat=seat, amount=amount):
                money[seat] += amount
    return list(zip(money, bonds, chips, strict=True))


@pytest.mark.rule("TG-F14", "TG-F18", "TG-R02")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_that_goes_behind_a_screen_or_comes_from_it_is_told_to_a_spectator(players):
    for seed in range(6):
        table, entry = start(players, seed=b"ledger %d" % seed)
        record = random_game(table, entry, random.Random(seed))
        events = [event.seen_by(SPECTATOR) for entry in record.entries for event in entry.row.events]
        screens = [(player.cash, player.bonds, player.labor_chips) for player in table.position.players]
        assert ledger(players, events) == screens


@pytest.mark.rule("TG-R60", "TG-R61", "TG-F26")
def test_the_golden_games_show_a_clear_win_a_shared_victory_negative_money_and_the_variant():
    records = [load(file.read_bytes()) for file in sorted(GOLDEN.glob("*.jsonl"))]
    assert {len(record.header.players) for record in records} == set(GAME.seat_counts)
    assert {record.header.settings["even_events"] for record in records} == {False, True}
    assert {record.end.ending for record in records} == {"clear_win", "shared_victory"}
    for record in records:
        best = [standing for standing in record.end.standings if standing["place"] == 1]
        assert (len(best) > 1) == (record.end.ending == "shared_victory")
    assert any(standing["score"] < 0 for record in records for standing in record.end.standings)

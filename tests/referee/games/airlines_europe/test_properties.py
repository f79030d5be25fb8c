"""What is true after every move of every game."""

import random

import msgspec
import pytest

from referee.games.airlines_europe.events import ScoringCardUp
from referee.options import sample
from tests.positions import start
from tests.referee.games.airlines_europe.setups import BOARD, TINY


def steps(players, seed, settings=None, board=None):
    """The table after every move of a random game, with the events of that move."""
    table, entry = start("airlines-europe", players, settings, board, seed=b"%d" % seed)
    rng = random.Random(seed)
    yield table, entry.row.events
    while not table.is_over:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))])
            yield table, table.reveal().row.events
        else:
            seat = table.decisions()[0].seat
            (entry,) = table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))]).entries
            yield table, entry.row.events


@pytest.mark.rule("AE-K01", "AE-K02", "AE-K03", "AE-K05", "AE-S02", "AE-C03", "AE-A06", "AE-A07")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("jitter", [False, True])
def test_nothing_is_ever_lost_or_made(players, jitter):
    settings = {"jitter": jitter, "start_player": "random"}
    first, _ = start("airlines-europe", players)
    conserved = first.game.conserved(first.position)
    in_play = [airline for airline in BOARD.airlines if airline.id in first.position.airlines]
    assert conserved == {"money": 30 * players, "Air ABACUS shares": 20, "scoring cards": 3} | {
        f"{airline.id} {what}": airline.shares for airline in in_play for what in ("planes", "shares")
    }
    for table, _ in steps(players, players, settings):
        position = table.position
        assert position.bank + sum(player.cash for player in position.players) == 30 * players
        assert min(position.bank, *(player.cash for player in position.players)) >= 0
        piles = [position.discards, *(p.hand for p in position.players), *(p.holdings for p in position.players)]
        loose = position.market + position.deck
        for name, airline in position.airlines.items():
            printed = BOARD.airline[name]
            owned = [owners for owners in position.licences if name in owners]
            assert airline.planes + len(owned) == printed.planes
            assert all(owners.count(name) == 1 for owners in owned)
            assert loose.count(name) + sum(pile.get(name, 0) for pile in piles) == printed.shares
        assert position.air_abacus + sum(pile.get("air_abacus", 0) for pile in piles) == 20
        for route, owners in zip(BOARD.routes, position.licences, strict=True):
            assert len(owners) <= len(route.licences)
        assert not any(0 in pile.values() for pile in piles)
        assert table.game.conserved(position) == conserved


@pytest.mark.rule("AE-K05", "AE-A06")
def test_markers_have_moved_by_the_cheapest_licences_and_bonuses():
    for table, _ in steps(3, 8):
        position = table.position
        moved = sum(airline.marker - BOARD.airline[name].start for name, airline in position.airlines.items())
        pairs = zip(BOARD.routes, position.licences, strict=True)
        sold = sum(sum(route.licences[: len(owners)]) for route, owners in pairs)
        bonus = sum(BOARD.airline[name].bonus for name, airline in position.airlines.items() if not airline.bonus)
        if max(airline.marker for airline in position.airlines.values()) < BOARD.share_track.length:
            assert moved == sold + bonus


@pytest.mark.rule("AE-K04")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_scoring_happens_once_and_in_order(players):
    for seed in range(3):
        played = list(steps(players, seed, {"jitter": bool(seed % 2)}))
        assert [event.number for _, events in played for event in events if isinstance(event, ScoringCardUp)] == [
            1,
            2,
            3,
        ]
        assert played[-1][0].position.ending == "third_scoring"


@pytest.mark.rule("AE-K04")
def test_an_early_end_leaves_scorings_out():
    played = list(steps(3, 1, board=TINY))
    table = played[-1][0]
    assert not any(isinstance(event, ScoringCardUp) for _, events in played for event in events)
    assert (table.position.ending, table.position.scorings) == ("blocked", 0)

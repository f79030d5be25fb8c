"""What is true after every move of every game."""

import random

import msgspec
import pytest

from referee.conformance.playing import random_answer
from referee.games.airline_1975.events import Hijacked, Landed, Threw
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.state import Player
from tests.positions import put, start
from tests.referee.games.airline_1975.setups import BOARD, GAME, KEY

CASES = [(players, variant) for players in (2, 3, 4) for variant in range(len(GAME.variants))]
RARELY = {"deals": 12, "claims": 4, "leaving": 900}  # one in so many moves, where it is possible


def steps(players, variant, seed):
    """The table after every move of a random game in which hardly anybody leaves, with the row and the table before."""
    table, entry = start(KEY, players, GAME.variants[variant], seed=b"%d" % seed)
    rng = random.Random(f"{players} {variant} {seed}")
    yield None, entry, table
    while not table.is_over:
        assert table.sequence < 5000
        decisions = [
            decision for decision in table.decisions() if decision.required or not rng.randrange(RARELY[decision.phase])
        ]
        decision = rng.choice([decision for decision in decisions if not decision.required] or decisions)
        before = put(table, table.position)
        yield (
            before,
            table.submit(decision.seat, [msgspec.to_builtins(random_answer(table, decision, rng))]).entries[0],
            table,
        )


def games(players, variant, number=3):
    return [steps(players, variant, seed) for seed in range(number)]


@pytest.mark.rule("A75-A01", "A75-A02", "A75-A05", "A75-U04", "A75-R38", "A75-K01", "A75-R09", "A75-M01")
@pytest.mark.parametrize(("players", "variant"), CASES)
def test_owners_bases_cash_and_markers_are_always_in_order(players, variant):
    most = GAME.variants[variant].max_cities
    for moments in games(players, variant):
        bases = {}
        for _, _, table in moments:
            position = table.position
            owned = [city for player in position.players for city in player.cities]
            assert len(owned) == len(set(owned))
            for seat, player in enumerate(position.players):
                assert player.cash >= 0
                assert len(player.cities) <= most
                if player.base and not player.out:
                    assert player.base in player.cities
                    assert bases.setdefault(seat, player.base) == player.base
                assert player.aircraft in BOARD.plane
                assert not (player.out and (player.cities or player.cash))


@pytest.mark.rule("A75-A04", "A75-U01", "A75-B01", "A75-R29")
@pytest.mark.parametrize("players", [2, 4])
def test_aircraft_move_by_the_throw_except_in_a_hijack(players):
    moved = 0
    for moments in games(players, 0):
        for before, entry, table in moments:
            if before is None:
                continue
            events, players_now = entry.row.events, table.position.players
            throws = [event for event in events if isinstance(event, Threw) and event.purpose == "to move"]
            for seat, (old, new) in enumerate(zip(before.position.players, players_now, strict=True)):
                expected = old.place
                landings = [event for event in events if isinstance(event, Landed) and event.seat == seat]
                for throw, landed in zip([throw for throw in throws if throw.seat == seat], landings, strict=True):
                    expected = (expected + sum(throw.dice)) % len(BOARD.track)
                    there = BOARD.track[expected]
                    assert landed == Landed(seat, there.city or there.kind)
                    moved += 1
                    after = events[events.index(landed) :]
                    if there.kind == "hijack" and Hijacked(seat) in after:
                        expected = BOARD.start
                assert new.place == expected
    assert moved > 50


@pytest.mark.rule("A75-A03", "A75-U07")
def test_the_base_is_connected_and_one_more_city_never_disconnects_another():
    rng = random.Random(1)
    for _ in range(300):
        cities = rng.sample(list(BOARD.city), rng.randrange(1, 12))
        player = Player(0, "prop", 0, base=cities[0], cities=cities)
        found = connected(BOARD, player)
        assert cities[0] in found
        assert found <= set(cities)
        for city in BOARD.city:
            more = msgspec.structs.replace(player, cities=[*cities, city])
            assert found <= connected(BOARD, more)


@pytest.mark.rule("A75-K03", "A75-K04")
@pytest.mark.parametrize(("players", "variant"), CASES)
def test_a_game_ends_with_a_winner_who_is_still_in_it(players, variant):
    for moments in games(players, variant):
        *_, (_, _, table) = moments
        position = table.position
        first = [standing.seat for standing in table.view().standings if standing.place == 1]
        assert not any(position.players[seat].out for seat in first)
        if position.ending == "last_player":
            assert [seat for seat, player in enumerate(position.players) if not player.out] == first
        assert (position.deals, position.claims, position.debts) == ([], [], [])

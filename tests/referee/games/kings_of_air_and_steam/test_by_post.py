"""What people far apart rely on: no turn goes on for ever, and the clock does not hurt whom it plays for."""

import random
from collections import Counter

import pytest

from referee.games.kings_of_air_and_steam.state import Done, Return, Solicit
from referee.options import Move, sample
from referee.table import Table
from tests.positions import start
from tests.referee.games.kings_of_air_and_steam.merchant import merchant
from tests.referee.games.kings_of_air_and_steam.setups import KEY

MOST_DECISIONS = 9  # in a turn: Rose & Thorn fly, unload and load twice, adjust the route, unload and load
TURN = ("flight", "cargo", "loading", "sphinx_shipment", "theft", "action", "perpetual_motion")
SETTINGS = [
    {},
    {"game": "normal", "teams": "random"},
    {"game": "normal", "teams": "random", "uncertainty": True, "flights_end": "flight", "stub_depots": False},
]


def play_out(table: Table, choose) -> Table:
    """A whole game; `choose` says what a seat plays."""
    while not table.is_over:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [choose(table, seat)])
            table.reveal()
        else:
            seat = table.decisions()[0].seat
            table.submit(seat, [choose(table, seat)])
    return table


@pytest.mark.rule("KAS-R62")
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("careful", [True, False])
def test_a_turn_has_a_bound_and_a_game_ends(settings, careful):
    for players in (2, 3, 7):
        rng, asked = random.Random(players), Counter()

        def choose(table: Table, seat: int, rng=rng, asked=asked) -> Move:
            position = table.position
            if position.phase in TURN:
                asked[position.round, position.cycle, seat] += 1
            return merchant(table, seat, rng) if careful else sample(table.offers(seat), rng)

        table = play_out(start(KEY, players, settings, seed=b"%d" % players)[0], choose)
        assert len(asked) <= 5 * 4 * players
        assert max(asked.values()) <= MOST_DECISIONS
        assert table.position.ending == "five_rounds"


def passing(table: Table, seat: int) -> Move:
    """What does as little as may be done: nothing is returned that need not be, funds are solicited."""
    kinds = {offer.move: offer for offer in table.offers(seat)}
    if Return in kinds:
        return min(kinds[Return].moves(), key=lambda move: len(move.lots))
    return next((kind() for kind in (Done, Solicit) if kind in kinds), table.default(seat))


def final_score(seed: int, last, careful_rounds: int) -> int:
    """What seat 0 has in the end if it plays well for some rounds and then as `last` says."""
    settings = {"game": "normal", "teams": "random"} if seed % 2 else {}
    table, _ = start(KEY, 2 + seed % 4, settings, seed=b"%d" % seed)
    others, own = random.Random(seed), random.Random(-seed)

    def choose(table: Table, seat: int) -> Move:
        if seat:
            return merchant(table, seat, others)
        return merchant(table, seat, own) if table.position.round <= careful_rounds else last(table, seat)

    play_out(table, choose)
    return table.view(None).table.players[0].score


def compared(seeds) -> list[int]:
    """How much better the clock does than one who passes, in each of some games."""
    return [
        final_score(seed, lambda table, seat: table.default(seat), rounds) - final_score(seed, passing, rounds)
        for seed in seeds
        for rounds in [seed % 5]
    ]


@pytest.mark.rule("KAS-R61", "KAS-R30")
def test_who_is_played_by_the_clock_is_not_worse_off_than_who_passes():
    gains = compared(range(4, 40, 5)) + compared(range(3, 20, 5))  # away in the last round, or in the last two
    assert min(gains) >= 0
    assert max(gains) > 0

"""Rules 1 stay as they were: what is played under them is played as ever, whatever the settings of rules 2 say."""

import random

import msgspec
import pytest

from referee.games import open_game
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import AdjustTo
from referee.record import verify
from referee.table import open_table
from tests.positions import PLAYERS
from tests.referee.games.kings_of_air_and_steam.merchant import merchants_move, play_out
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, KEY, at


@pytest.mark.rule("KAS-R03", "KAS-R17")
@pytest.mark.parametrize("settings", [{}, {"game": "normal", "teams": "random"}])
def test_under_rules_1_every_flight_ends_well_and_no_depot_goes_on_a_stub(settings):
    game = open_game(KEY, 3, settings, version="1")
    table, _ = open_table(game, PLAYERS[:3], b"rules 1")
    rng = random.Random(1)
    area = assemble(BOARD, table.position.layout)
    while not table.is_over:
        for offer in table.offers(table.decisions()[0].seat):
            assert offer.move is not AdjustTo
        merchants_move(table, rng)
        for player in table.position.players:
            assert not player.at or player.at in area.landing
            assert not area.stub_of.keys() & player.depots.keys()


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_game_verifies_under_its_own_rules(version):
    game = open_game(KEY, 4, {"game": "normal", "teams": "random"}, version=version)
    table, entry = open_table(game, PLAYERS[:4], b"verified")
    verify(game, play_out(table, entry, random.Random(2)))


def test_positions_of_rules_1_have_no_new_field():
    position = at(version="1").position
    assert "fulfilled_by" not in msgspec.to_builtins(position)

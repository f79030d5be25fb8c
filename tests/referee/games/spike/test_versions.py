"""Rules 1 stay playable as they were, and what rules 2 do otherwise."""

import itertools
from pathlib import Path

import pytest
from msgspec import UNSET

from referee.games import game_of, open_game
from referee.record import carry_over, load, replay
from referee.table import open_table
from tests.positions import copy_of, happened, play, put, types
from tests.referee.games.spike.setups import BOARD, GAME, line, marked

GOLDEN = Path(__file__).parents[3] / "golden" / "spike"
TRACKS = line("boston", "j34", "new_york")


def under(version, **fields):
    table, _ = open_table(open_game("spike", 2, version=version), ["Anna", "Ben"], bytes(32))
    position = copy_of(table)
    for seat, player in enumerate(position.players):
        player.home = player.at = ("boston", "topeka")[seat]
    position.phase, position.tracks = "turn", marked(BOARD, [TRACKS])
    for name, value in fields.items():
        setattr(position, name, value)
    return put(table, position)


def test_new_games_are_opened_under_rules_2():
    assert GAME.versions == ("1", "2")
    assert open_game("spike", 2).version == "2"


@pytest.mark.rule("SP-R30", "SP-R62", "SP-R63", "SP-R64")
def test_a_position_of_rules_1_holds_nothing_that_it_did_not_hold():
    assert b"idle" not in under("1").position_json
    assert b"dumped" not in under("1").position_json
    assert b'"idle":0' in under("2").position_json


@pytest.mark.rule("SP-R30")
def test_under_rules_1_a_train_may_stop_short_of_its_speed():
    for version, spaces in (("1", set(TRACKS)), ("2", set(TRACKS[1:]))):
        table = under(version)
        position = copy_of(table)
        position.players[0].speed = 1
        table = put(table, position)
        found = [offer for offer in table.offers(0) if offer.move.__name__ == "SetInMotion"]
        assert set(found[0].domains["space"].values()) == spaces


@pytest.mark.rule("SP-R23")
def test_under_rules_1_time_cards_are_told_last():
    told = {}
    for version in ("1", "2"):
        table = under(version, round=3, deck=["black", "red", "green", "time"], display=["white"] * 4, lower=4)
        outcome = play(table, "draw white", "done")
        told[version] = types(happened(outcome))
    assert told == {
        "1": ["TookCard", "DisplayRefilled", "TimeCardUp"],
        "2": ["TookCard", "TimeCardUp", "DisplayRefilled"],
    }


@pytest.mark.rule("SP-R62", "SP-R63", "SP-R64")
def test_under_rules_1_there_is_no_gift_by_lot_and_no_standstill():
    table, _ = open_table(open_game("spike", 2, version="1"), ["Anna", "Ben"], bytes(32))
    (offer,) = table.offers(0)
    assert "any" not in set(offer.domains["card"].values())
    assert table.default(0).card == min(table.position.players[0].hand)
    assert "SP-R63" not in under("1").decisions()[0].prompt


def test_a_game_of_rules_1_in_which_nothing_went_otherwise_is_carried_over():
    record = load((GOLDEN / "2-players-third-time-card.jsonl").read_bytes())
    assert record.header.version == "1"
    rows = list(itertools.islice(replay(game_of(record.header), record), 13))
    table = rows[-1][0]
    entry = carry_over(table, [entry for _, entry in rows], "2")
    assert entry.row.phase == "carry_over"
    assert (table.game.version, table.position.idle is UNSET) == ("2", False)

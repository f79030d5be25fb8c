"""The golden games show the whole game: every player count, team, character and variant, and nearly every event."""

from commands.golden import GOLDEN
from referee.games import game_of
from referee.record import load
from referee.table import read_event, read_move
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GAME, KEY

RECORDS = {file.stem: load(file.read_bytes()) for file in sorted((GOLDEN / KEY).glob("*.jsonl"))}
SELDOM = {"NoFlight", "NoDemandTile"}  # rows of the rules tests show them
HINT = "make them anew: python -m tests.referee.games.kings_of_air_and_steam.merchant"


def events():
    return [
        read_event(game_of(record.header), event) if isinstance(event, dict) else event
        for record in RECORDS.values()
        for entry in record.entries
        for event in entry.row.events
    ]


def test_every_number_of_players_plays_the_basic_game():
    basic = {len(one.header.players) for one in RECORDS.values() if one.header.settings["game"] == "basic"}
    assert basic == set(GAME.seat_counts), HINT


def test_uncertainty_and_cutthroat_are_played():
    assert any(one.header.settings["uncertainty"] for one in RECORDS.values()), HINT
    cutthroat = [one for one in RECORDS.values() if one.header.settings["cutthroat"]]
    assert {len(one.header.players) for one in cutthroat} == {3}, HINT


def test_every_team_and_every_character_plays():
    told = events()
    assert {one.team for one in told if type(one).__name__ == "TeamTaken"} == set(BOARD.team), HINT
    assert {one.character for one in told if type(one).__name__ == "CharacterChosen"} == set(BOARD.character), HINT


def test_nearly_every_event_happens():
    assert {kind.__name__ for kind in GAME.event_types} - {type(one).__name__ for one in events()} <= SELDOM, HINT


def test_every_move_is_made():
    made = {
        type(read_move(game_of(record.header), order.move)).__name__
        for record in RECORDS.values()
        for entry in record.entries
        for order in entry.row.orders
    }
    game = game_of(next(iter(RECORDS.values())).header)
    assert {kind.__name__ for kind in game.move_types} - made == set(), HINT

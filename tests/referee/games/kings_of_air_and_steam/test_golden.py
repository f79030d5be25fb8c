"""The golden games show the whole game: every player count, team, character and variant, and nearly every event."""

from commands.golden import GOLDEN
from referee.games import game_of
from referee.games.kings_of_air_and_steam.events import CharacterChosen, TeamTaken
from referee.moves import read_event, read_move
from referee.record import load
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GAME, KEY

ALL = {file.stem: load(file.read_bytes()) for file in sorted((GOLDEN / KEY).glob("*.jsonl"))}
RECORDS = {name: record for name, record in ALL.items() if record.header.version == GAME.version}
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
    basic = {len(record.header.players) for record in RECORDS.values() if record.header.settings["game"] == "basic"}
    assert basic == set(GAME.seat_counts), HINT


def test_uncertainty_and_cutthroat_are_played():
    assert any(record.header.settings["uncertainty"] for record in RECORDS.values()), HINT
    cutthroat = [record for record in RECORDS.values() if record.header.settings["cutthroat"]]
    assert {len(record.header.players) for record in cutthroat} == {3}, HINT


def test_every_team_and_every_character_plays():
    happened = events()
    assert {event.team for event in happened if isinstance(event, TeamTaken)} == set(BOARD.team), HINT
    assert {event.character for event in happened if isinstance(event, CharacterChosen)} == set(BOARD.character), HINT


def test_nearly_every_event_happens():
    assert {kind.__name__ for kind in GAME.event_types} - {type(event).__name__ for event in events()} <= SELDOM, HINT


def test_every_move_is_made():
    made = {
        type(read_move(game_of(record.header), order.move)).__name__
        for record in RECORDS.values()
        for entry in record.entries
        for order in entry.row.orders
    }
    game = game_of(next(iter(RECORDS.values())).header)
    assert {kind.__name__ for kind in game.move_types} - made == set(), HINT

"""The way of a move through the store."""

from referee.record import export, load, verify
from store import games, replays
from store.database import Database
from tests.factories import make_game, play_some


def test_whole_game_is_kept_and_verifies(db: Database) -> None:
    game_id, _ = make_game(db, people=3)
    last = play_some(db, game_id, 10**6)
    record = replays.record_of(db, game_id)
    assert record.end is not None
    assert len(record.entries) == last + 1
    again = load(export(record))
    assert verify(games.rules_of(again.header), again).row == last
    assert replays.rebuild(db, game_id).row == last

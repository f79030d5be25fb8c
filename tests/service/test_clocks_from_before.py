"""Games, and processes, from before clocks were objects."""

from pathlib import Path

from service import moves, phases, positions
from store import migrate
from store.database import Database
from tests.factories import make_game, play_some

OLD_APPEND = "select append(%s, %s, %s, %s, %s, %s, %s, %s::smallint[], %s::smallint, %s, %s)"
FOLDER = Path(migrate.__file__).parent / "migrations"


def test_a_process_of_the_version_before_still_moves_and_ours_goes_on_from_there(db: Database) -> None:
    """For the minute in which both run."""
    game_id, _ = make_game(db, clock=3600)
    play_some(db, game_id, 1)
    table, _ = positions.load(db, game_id)
    expected, head, seat = table.sequence, table.head, table.acting()[0]
    (entry,) = table.submit(seat, ["take money"]).entries
    line, position = entry.row_json.decode(), table.position_json.decode()
    with db.session() as session:
        values = (game_id, expected, head, line, entry.hash, position, "", table.acting(), seat, False, 16)
        assert session.value(OLD_APPEND, *values) == ["done", ""]
        assert session.value("select due_at > now() + interval '59 minutes' from games where id = %s", game_id)
    moves.submit(db, game_id, 1 - seat, ["take money"])
    with db.session() as session:
        session.run("update games set due_at = now() - interval '1 second' where id = %s", game_id)
    assert phases.time_out(db, game_id)


def test_games_that_run_keep_their_clock_and_their_deadline(empty_database: Database, tmp_path: Path) -> None:
    files = sorted(FOLDER.glob("*.sql"))
    for file in files:
        if file.name < "0010":
            (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    migrate.migrate(empty_database, tmp_path)
    with empty_database.session() as session:
        session.run(
            "insert into games (id, ruleset, version, settings, private, status, seed, commitment, clock, due_at,"
            " moved_at) values ('old', 'spike', '1', '{}', false, 'running', '', '', 3600,"
            " now() + interval '5 minutes', now() - interval '55 minutes')"
        )
        before = session.row("select clock, due_at, moved_at from games")
    migrate.migrate(empty_database)
    with empty_database.session() as session:
        assert session.row("select clock, due_at, asked_at from games") == before
        assert session.row("select timing, bank, absences, terms, undo from games") == (None, None, "[]", 0, "never")

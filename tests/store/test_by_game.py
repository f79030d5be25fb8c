"""What a move touches is found by its game: the schema fits a cluster that deals games out (deploy/citus)."""

import re
from pathlib import Path

import pytest

from referee.table import Outcome, Table
from service import moves, positions
from service.games import NewGame, NewSeat, create
from service.idempotency import Answer, IdempotencyKey
from service.seats import join
from store import deadlines, migrate, outbox
from store.database import Database
from tests.factories import make_game, make_player, play_some

BY_GAME = "0025"
ROOT = Path(migrate.__file__).parents[1]
DISTRIBUTION = (ROOT / "deploy" / "citus" / "distribute.sql").read_text("utf-8")
DEALT_OUT = {"games": "id"} | dict.fromkeys(
    re.findall(r"'(\w+)'", DISTRIBUTION.partition("create temp table dealt_out")[2].partition("]")[0]), "game_id"
)


def make_answer(table: Table, outcome: Outcome) -> Answer:
    return Answer(201, f"row {table.sequence}")


@pytest.fixture
def former(empty_database: Database, tmp_path: Path) -> Database:
    """A database of the version before."""
    for file in sorted(migrate.FOLDER.glob("*.sql")):
        if file.name < BY_GAME:
            (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    migrate.migrate(empty_database, tmp_path)
    return empty_database


def test_database_of_before_goes_on(former: Database) -> None:
    game_id, _ = make_game(former, people=3)
    play_some(former, game_id, 10)
    table, _ = positions.load(former, game_id)
    seat, key = table.acting()[0], IdempotencyKey("player:1", "k", "f")
    order = [table.default(seat)]
    first = moves.submit(former, game_id, seat, order, key=key, answer=make_answer)
    host = make_player(former)
    with former.transaction() as transaction:
        opened = create(transaction, host, NewGame("airlines-europe", (NewSeat("me"), NewSeat("invite"))))

    assert migrate.migrate(former)

    # Who got no answer because of the change sends the same again.
    again = moves.submit(former, game_id, seat, order, key=key, answer=make_answer)
    assert (again.is_repeated, again.answer) == (True, first.answer)
    rows = positions.load(former, game_id)[0].sequence
    assert rows == table.sequence + 1
    assert play_some(former, game_id, rows + 20) == rows + 20
    with former.transaction() as transaction:
        (invitation,) = opened.invitations.values()
        assert join(transaction, opened.game.id, make_player(former), invitation=invitation) == 1
        waiting = outbox.of_game(transaction, game_id)
        assert len(outbox.take(transaction, waiting)) == len(waiting) > 20


def test_key_of_a_move_counts_within_its_game(db: Database) -> None:
    key = IdempotencyKey("player:1", "one key for two games", "f")
    for game_id in (make_game(db, people=3)[0] for _ in range(2)):
        play_some(db, game_id, 1)
        table, _ = positions.load(db, game_id)
        seat = table.acting()[0]
        order = [table.default(seat)]
        assert not moves.submit(db, game_id, seat, order, key=key, answer=make_answer).is_repeated
        assert moves.submit(db, game_id, seat, order, key=key, answer=make_answer).is_repeated


def test_invitation_is_good_in_its_own_game_alone(db: Database) -> None:
    host, guest = make_player(db), make_player(db)
    seats = (NewSeat("me"), NewSeat("invite"))
    with db.transaction() as transaction:
        mine, other = (create(transaction, host, NewGame("airlines-europe", seats)) for _ in range(2))
    (secret,) = mine.invitations.values()
    with pytest.raises(Exception, match="not good for a seat here"), db.transaction() as transaction:
        join(transaction, other.game.id, guest, invitation=secret)
    with db.transaction() as transaction:
        assert join(transaction, mine.game.id, guest, invitation=secret) == 1


def test_sweep_passes_over_a_game_that_somebody_is_at_work_on(db: Database) -> None:
    held, free = (make_game(db, people=2)[0] for _ in range(2))
    with db.transaction() as transaction:
        transaction.run("update games set wake_at = 'epoch' where id = any(%s)", [held, free])
        moment = transaction.value("select now()")
    with db.transaction() as holder, db.transaction() as sweep:
        holder.run("select from games where id = %s for update", held)
        found = [work.game_id for work in deadlines.due_work(sweep, moment, 10, 10**4)]
        assert free in found
        assert held not in found
    with db.transaction() as sweep:
        again = [work.game_id for work in deadlines.due_work(sweep, moment, 10, 10**4)]
        assert held in again
        assert free not in again


def test_what_is_unique_is_unique_within_a_game(db: Database) -> None:
    """Or a cluster would have to ask all its machines for each row."""
    with db.session() as session:
        rows = session.rows(
            "select i.indrelid::regclass::text, i.indexrelid::regclass::text,"
            " array(select attname::text from pg_attribute where attrelid = i.indrelid and attnum = any(i.indkey))"
            " from pg_index i where i.indisunique and i.indrelid::regclass::text = any(%s)",
            list(DEALT_OUT),
        )
    assert {table for table, _, _ in rows} == set(DEALT_OUT)
    assert [index for table, index, columns in rows if DEALT_OUT[table] not in columns] == []


def test_what_is_dealt_out_refers_to_its_own_game_or_to_players_and_nothing_else_refers_to_it(db: Database) -> None:
    with db.session() as session:
        rows = session.rows(
            "select conrelid::regclass::text, confrelid::regclass::text,"
            " (select attname::text from pg_attribute where attrelid = conrelid and attnum = conkey[1])"
            " from pg_constraint where contype = 'f' and conparentid = 0"
        )
    assert {table for table, target, _ in rows if target in DEALT_OUT} <= set(DEALT_OUT)
    assert {target for table, target, _ in rows if table in DEALT_OUT} == {"games", "players"}
    assert {column for table, target, column in rows if target == "games"} == {"game_id"}


def test_functions_that_run_beside_a_game_are_immutable(db: Database) -> None:
    names = re.findall(r"'(\w+)'", DISTRIBUTION.rpartition("proname in (")[2].partition(")")[0])
    assert "next_wake" in names
    with db.session() as session:
        found = dict(
            session.rows(
                "select proname::text, bool_or(provolatile = 'i') from pg_proc where proname = any(%s) group by 1",
                names,
            )
        )
    assert found == dict.fromkeys(names, True)

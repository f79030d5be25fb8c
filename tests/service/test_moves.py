"""The way of a move through the store."""

import random
import threading
from collections import Counter
from datetime import datetime, timedelta

import msgspec
import pytest

from referee.errors import IllegalOrder, OrderError
from referee.options import Move, sample
from referee.record import export, load, verify
from referee.table import Outcome, Table
from service import games, moves, phases, positions, replays
from service.errors import KeyReused, NotFound, Stale, WrongStatus
from service.games import NewGame, NewSeat
from service.idempotency import Answer, IdempotencyKey
from store import writing
from store.database import Database, Session
from tests.factories import make_game, make_player, play_some


@pytest.fixture
def game_id(db: Database) -> str:
    """A game of three after its sealed opening: one seat is to move."""
    game_id, _ = make_game(db, people=3)
    play_some(db, game_id, 1)
    return game_id


def legal(db: Database, game_id: str, seed: int = 1) -> tuple[int, Move]:
    """Whose turn it is, and something to play."""
    table, _ = positions.load(db, game_id)
    seat = table.acting()[0]
    return seat, sample(table.offers(seat), random.Random(seed))


def make_answer(table: Table, outcome: Outcome) -> Answer:
    return Answer(201, f"row {table.sequence}", {"ETag": str(table.sequence)})


def count(db: Database, what: str, game_id: str) -> int:
    with db.session() as session:
        return session.value(f"select count(*) from {what} where game_id = %s", game_id)


def test_whole_game_is_kept_and_verifies(db: Database) -> None:
    game_id, _ = make_game(db, people=3)
    last = play_some(db, game_id, 10**6)
    record = replays.record_of(db, game_id)
    assert record.end is not None
    assert len(record.entries) == last + 1
    again = load(export(record))
    assert verify(positions.rules_of(again.header), again).sequence == last
    assert replays.rebuild(db, game_id).sequence == last
    with pytest.raises(WrongStatus, match="The game is over"):
        moves.submit(db, game_id, 0, ["pass"])


def test_accepted_move_is_one_round_trip(db: Database, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, move = legal(db, game_id)
    asked = []
    row = Session.row
    monkeypatch.setattr(Session, "row", lambda self, sql, *values: asked.append(sql) or row(self, sql, *values))
    moves.submit(db, game_id, seat, [move], key=IdempotencyKey("t", game_id, "f"), answer=make_answer)
    assert len(asked) == 1


def test_refused_move_changes_nothing(db: Database, game_id: str) -> None:
    seat, _ = legal(db, game_id)
    before, rows = positions.load(db, game_id)[0], count(db, "log", game_id)
    with pytest.raises(IllegalOrder) as error:
        moves.submit(db, game_id, (seat + 1) % 3, ["pass"])
    assert error.value.code == "not_your_turn"
    after, _ = positions.load(db, game_id)
    assert (after.sequence, after.head, after.position_json) == (before.sequence, before.head, before.position_json)
    assert count(db, "log", game_id) == rows


def test_submission_is_all_or_nothing(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    rows = count(db, "log", game_id)
    with pytest.raises(OrderError):
        moves.submit(db, game_id, seat, [move, {"type": "nonsense"}])
    assert count(db, "log", game_id) == rows


def test_dry_run_checks_and_writes_nothing(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    rows, notices = count(db, "log", game_id), count(db, "outbox", game_id)
    checked = moves.submit(db, game_id, seat, [move], dry_run=True)
    assert checked.outcome.entries
    assert (count(db, "log", game_id), count(db, "outbox", game_id)) == (rows, notices)
    played = moves.submit(db, game_id, seat, [move])
    assert played.outcome.entries == checked.outcome.entries


def test_expected_sequence_number_must_be_the_games(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    now = positions.load(db, game_id)[0].sequence
    for wrong in (now - 1, now + 1):
        with pytest.raises(Stale) as error:
            moves.submit(db, game_id, seat, [move], expected=wrong)
        assert error.value.sequence == now
    assert moves.submit(db, game_id, seat, [move], expected=now).table.sequence == now + 1


def test_stale_memory_is_found_out_by_the_write(db: Database, game_id: str) -> None:
    old = positions.CACHE.get(game_id)
    seat, move = legal(db, game_id)
    moves.submit(db, game_id, seat, [move])
    positions.CACHE.put(game_id, old)
    with pytest.raises(OrderError):
        moves.submit(db, game_id, seat, [{"type": "nonsense"}])
    positions.CACHE.put(game_id, old)
    seat, move = legal(db, game_id, seed=2)
    positions.CACHE.put(game_id, old)
    played = moves.submit(db, game_id, seat, [move])
    assert played.table.sequence == old.sequence + 2
    assert replays.rebuild(db, game_id).sequence == old.sequence + 2


def test_what_a_restored_database_does_not_know_is_forgotten(db: Database, game_id: str) -> None:
    """The backup ended before a row that this process remembers; another one has been played in its place since."""
    seat, move = legal(db, game_id)
    moves.submit(db, game_id, seat, [move])
    kept = positions.CACHE.get(game_id)
    positions.CACHE.put(game_id, msgspec.structs.replace(kept, head="0" * 64))
    assert positions.load(db, game_id)[0].head == kept.head


def test_same_request_again_gets_the_same_answer_and_moves_once(db: Database, game_id: str) -> None:
    request = IdempotencyKey("player:1", f"key {game_id}", "body")
    seat, move = legal(db, game_id)
    first = moves.submit(db, game_id, seat, [move], key=request, answer=make_answer)
    rows = count(db, "log", game_id)
    second = moves.submit(db, game_id, seat, [move], key=request, answer=make_answer)
    assert not first.is_repeated
    assert second.is_repeated
    assert second.answer == first.answer
    assert count(db, "log", game_id) == rows


def test_same_request_again_moves_once_even_where_it_would_be_legal_again(db: Database, game_id: str) -> None:
    request = IdempotencyKey("player:1", f"key {game_id}", "body")
    seat, move = legal(db, game_id)
    first = moves.submit(db, game_id, seat, [move], key=request, answer=make_answer)
    seat, move = legal(db, game_id)
    again = moves.submit(db, game_id, seat, [move], key=request, answer=make_answer)
    assert again.is_repeated
    assert again.answer == first.answer


def test_key_with_another_body_is_refused(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    request = IdempotencyKey("player:1", f"key {game_id}", "body")
    moves.submit(db, game_id, seat, [move], key=request, answer=make_answer)
    seat, move = legal(db, game_id)
    other = IdempotencyKey("player:1", f"key {game_id}", "another body")
    with pytest.raises(KeyReused):
        moves.submit(db, game_id, seat, [move], key=other, answer=make_answer)


def test_refused_request_may_be_mended_under_the_same_key(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    wrong = IdempotencyKey("player:1", game_id, "wrong")
    with pytest.raises(OrderError):
        moves.submit(db, game_id, seat, ["nonsense"], key=wrong, answer=make_answer)
    mended = IdempotencyKey("player:1", game_id, "right")
    assert moves.submit(db, game_id, seat, [move], key=mended, answer=make_answer).outcome.entries


def in_threads(number: int, act: object) -> list[object]:
    """What so many threads get when they do the same at once: a result or an exception each."""
    results: list[object] = []
    start = threading.Barrier(number)

    def run(index: int) -> None:
        start.wait()
        try:
            results.append(act(index))
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_sixteen_at_once_make_one_move_a_sequence_number(db: Database, game_id: str) -> None:
    now = positions.load(db, game_id)[0].sequence
    for _ in range(5):
        seat, move = legal(db, game_id)
        positions.CACHE.forget(game_id)
        results = in_threads(
            16, lambda index, seat=seat, move=move, now=now: moves.submit(db, game_id, seat, [move], expected=now)
        )
        kinds = Counter(type(result).__name__ for result in results)
        assert kinds == {"Submission": 1, "Stale": 15}
        now += 1
        assert positions.load(db, game_id)[0].sequence == now
    assert replays.rebuild(db, game_id).sequence == now


def test_sixteen_at_once_without_an_expectation_are_told_why_not(db: Database, game_id: str) -> None:
    before = positions.load(db, game_id)[0].sequence
    seat, move = legal(db, game_id)
    results = in_threads(16, lambda index: moves.submit(db, game_id, seat, [move]))
    played = [one for one in results if isinstance(one, moves.Submission)]
    assert all(isinstance(one, moves.Submission | OrderError | Stale) for one in results)
    after = positions.load(db, game_id)[0].sequence
    assert sorted(one.table.sequence for one in played) == list(range(before + 1, after + 1))
    assert replays.rebuild(db, game_id).sequence == after


def test_sixteen_equal_requests_at_once_move_once(db: Database, game_id: str) -> None:
    before = positions.load(db, game_id)[0].sequence
    seat, move = legal(db, game_id)
    request = IdempotencyKey("player:1", f"all {game_id}", "body")
    results = in_threads(16, lambda index: moves.submit(db, game_id, seat, [move], key=request, answer=make_answer))
    assert all(isinstance(one, moves.Submission) for one in results), results
    assert [one.is_repeated for one in results].count(False) == 1
    assert len({one.answer.body for one in results}) == 1
    assert positions.load(db, game_id)[0].sequence == before + 1


def test_sealed_move_is_apart_from_the_position_and_seen_by_nobody(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    before, _ = positions.load(db, game_id)
    submission = moves.submit(db, game_id, 0, [sample(before.offers(0), random.Random(1))])
    after, _ = positions.load(db, game_id)
    assert submission.outcome.receipt is not None
    assert (after.position_json, after.sequence) == (before.position_json, before.sequence)
    assert list(after.sealed) == [0]
    with db.session() as session:
        assert games.find(session, game_id).to_act == [1]
    assert count(db, "log", game_id) == 1


def test_paused_game_takes_no_moves(db: Database, game_id: str) -> None:
    seat, move = legal(db, game_id)
    with db.transaction() as transaction:
        games.pause(transaction, game_id)
    with pytest.raises(WrongStatus, match="The game is paused"):
        moves.submit(db, game_id, seat, [move])
    with db.transaction() as transaction:
        games.resume(transaction, game_id)
    assert moves.submit(db, game_id, seat, [move]).outcome.entries


def test_no_such_game(db: Database) -> None:
    with pytest.raises(NotFound):
        moves.submit(db, "nothing", 0, ["pass"])
    with pytest.raises(NotFound):
        positions.load(db, "nothing")


def test_game_that_has_not_started_takes_no_moves(db: Database) -> None:
    with db.transaction() as transaction:
        new = NewGame("airlines-europe", (NewSeat("me"), NewSeat("open")))
        game_id = games.create(transaction, make_player(db), new).game.id
    with pytest.raises(WrongStatus, match="has not started"):
        moves.submit(db, game_id, 0, ["pass"])


def test_deadline_plays_the_default_by_the_clock(db: Database) -> None:
    game_id, _ = make_game(db, people=2, clock=3600)
    assert not phases.time_out(db, game_id)
    for row in (1, 2):
        with db.session() as session:
            session.run("update games set due_at = now() - interval '1 second' where id = %s", game_id)
        assert phases.time_out(db, game_id)
        assert not phases.time_out(db, game_id)
        entry = replays.entries(db, game_id, row - 1)[0]
        assert {order.by for order in entry.row.orders} == {"clock"}
    assert replays.rebuild(db, game_id)


def test_deadline_keeps_a_sealed_move_that_came_in_time(db: Database) -> None:
    game_id, _ = make_game(db, people=2, clock=3600)
    table, _ = positions.load(db, game_id)
    receipt = moves.submit(db, game_id, 1, [sample(table.offers(1), random.Random(1))]).outcome.receipt
    with db.session() as session:
        session.run("update games set due_at = now() - interval '1 second' where id = %s", game_id)
    assert phases.time_out(db, game_id)
    orders = replays.entries(db, game_id, 0)[0].row.orders
    assert [(order.seat, order.by) for order in orders] == [(0, "clock"), (1, "player")]
    assert orders[1].commitment == receipt.commitment


def test_what_is_done_beside_the_turn_does_not_put_the_deadline_off(db: Database) -> None:
    """In Airline (1975) anybody may resign or deal in anybody's turn."""
    game_id, _ = make_game(db, ruleset="airline-1975", people=4, clock=3600)

    def due() -> datetime:
        with db.session() as session:
            session.run("update games set due_at = due_at - interval '10 minutes' where id = %s", game_id)
            return session.value("select due_at from games where id = %s", game_id)

    first, late = due(), positions.load(db, game_id)[0].awaited().pop()
    moves.submit(db, game_id, (late + 2) % 4, ["resign"])
    with db.session() as session:
        assert session.value("select due_at = wake_at and due_at = %s from games where id = %s", first, game_id)
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, late, [table.default(late)])
    with db.session() as session:
        assert session.value("select due_at > %s from games where id = %s", first + timedelta(minutes=9), game_id)


def test_any_earlier_position_is_found_by_a_few_rows(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    known = {}
    for row in range(60):
        play_some(db, game_id, row, seed=row)
        table, _ = positions.load(db, game_id)
        known[table.sequence] = table.position_json, table.head
    for row, kept in known.items():
        past = replays.at(db, game_id, table, row)
        assert (past.position_json, past.head) == kept
    with pytest.raises(NotFound):
        replays.at(db, game_id, table, max(known) + 1)
    with db.session() as session:
        farthest = session.value(
            "select max(l.sequence - (select max(sequence) from snapshots s where s.game_id = l.game_id"
            " and s.sequence <= l.sequence)) from log l where game_id = %s",
            game_id,
        )
    assert farthest < writing.SNAPSHOT_EVERY


def test_answer_to_a_move_does_not_go_on_with_an_old_name(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has the game in memory is not told of a new name: it asks for it after a while."""
    game_id, _ = make_game(db)
    play_some(db, game_id, 3)
    with db.session() as session:
        session.run("update seats set name = 'Renamed Elsewhere ' || seat where game_id = %s", game_id)
    monkeypatch.setattr(positions, "NAMES_SECONDS", 0)
    cached = positions.CACHE.get(game_id)
    assert cached is not None
    assert "Renamed Elsewhere 0" not in cached.names
    seat = cached.table().acting()[0]
    table = moves.submit(db, game_id, seat, [cached.table().default(seat)]).table
    assert table is not None
    assert table.names == ("Renamed Elsewhere 0", "Renamed Elsewhere 1")

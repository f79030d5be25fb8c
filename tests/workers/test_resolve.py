"""A sealed phase is resolved once, whatever happens to queue and workers."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
import redis

from referee.log import Entry
from referee.options import sample
from service import moves, phases, positions, replays, work
from service.idempotency import Answer, IdempotencyKey
from service.work import Work
from store.database import Database
from tests.factories import make_game
from tests.waiting import wait_until
from workers import tasks


@pytest.fixture
def sealed(db: Database) -> tuple[str, Entry]:
    """A game whose sealed phase is complete, and the one row that must come of it."""
    game_id, _ = make_game(db, people=3)
    for seat in range(3):
        table, _ = positions.load(db, game_id)
        submission = moves.submit(db, game_id, seat, [sample(table.offers(seat), Random(table.sequence))])
        assert submission.work == (Work(game_id, 0, "resolve") if seat == 2 else None)
    table, _ = positions.load(db, game_id)
    return game_id, table.reveal()


def rows(db: Database, game_id: str) -> list[Entry]:
    return replays.entries(db, game_id)


def wait_for(db: Database, game_id: str, expected: Entry) -> None:
    """Waits for the reveal; the log must then be the setup and just that row, and stand up to a replay."""
    wait_until(lambda: len(rows(db, game_id)) > 1, what="the reveal")
    found = rows(db, game_id)
    assert [entry.hash for entry in found[1:]] == [expected.hash]
    assert replays.rebuild(db, game_id).sequence == 1


def blocked(db: Database, count: int = 1) -> bool:
    """Whether so many workers wait for a lock, in the middle of their task."""
    with db.session() as session:
        waiting = session.value(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        )
    return waiting >= count


def test_worker_resolves_a_complete_sealed_phase(
    db: Database, sealed: tuple[str, Entry], start_worker: Callable[..., object]
) -> None:
    game_id, expected = sealed
    start_worker()
    tasks.enqueue_work(Work(game_id, 0, "resolve"))
    wait_for(db, game_id, expected)


def test_task_delivered_twice_reveals_once(
    db: Database, sealed: tuple[str, Entry], start_worker: Callable[..., object], queue: redis.Redis
) -> None:
    game_id, expected = sealed
    for _ in range(2):
        tasks.enqueue_work(Work(game_id, 0, "resolve"))
    start_worker()
    wait_until(lambda: not queue.llen("celery") and not queue.hlen("unacked"), what="an empty queue")
    wait_for(db, game_id, expected)


def test_two_workers_at_once_reveal_once(
    db: Database, sealed: tuple[str, Entry], start_worker: Callable[..., object], queue: redis.Redis
) -> None:
    game_id, expected = sealed
    start_worker()
    start_worker()
    with db.transaction() as transaction:
        positions.lock(transaction, game_id)
        for _ in range(2):
            tasks.enqueue_work(Work(game_id, 0, "resolve"))
        wait_until(lambda: blocked(db, 2), what="both workers at the same game")
    wait_until(lambda: not queue.hlen("unacked"), what="an empty queue")
    wait_for(db, game_id, expected)


def test_worker_killed_in_the_middle_loses_nothing(
    db: Database, sealed: tuple[str, Entry], start_worker: Callable, start_beat: Callable[[], object]
) -> None:
    game_id, expected = sealed
    worker = start_worker()
    with db.transaction() as transaction:
        positions.lock(transaction, game_id)
        tasks.enqueue_work(Work(game_id, 0, "resolve"))
        wait_until(lambda: blocked(db), what="the worker in the middle of its task")
        worker.kill()
    assert len(rows(db, game_id)) == 1
    start_worker()
    start_beat()
    wait_for(db, game_id, expected)


def test_flushed_redis_loses_nothing(
    db: Database,
    sealed: tuple[str, Entry],
    start_worker: Callable,
    start_beat: Callable[[], object],
    queue: redis.Redis,
) -> None:
    game_id, expected = sealed
    tasks.enqueue_work(Work(game_id, 0, "resolve"))
    assert queue.llen("celery") == 1
    queue.flushdb()
    start_worker()
    start_beat()
    wait_for(db, game_id, expected)


def test_missing_sealed_move_is_waited_for(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, 0, [sample(table.offers(0), Random(0))])
    assert not phases.resolve(db, game_id, 1)
    assert not phases.resolve(db, game_id)
    with db.session() as session:
        assert work.pending(session, game_id) is None


def test_sealed_move_can_be_replaced_until_the_reveal(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    table, _ = positions.load(db, game_id)
    options = list(dict.fromkeys(move for offer in table.offers(0) for move in offer.moves()))[:2]
    for move in options:
        receipt = moves.submit(db, game_id, 0, [move]).outcome.receipt
    moves.submit(db, game_id, 1, [sample(table.offers(1), Random(1))])
    assert phases.resolve(db, game_id, 1)
    order = next(order for order in rows(db, game_id)[1].row.orders if order.seat == 0)
    assert order.commitment == receipt.commitment


def test_move_replaced_at_the_last_moment_counts(db: Database) -> None:
    """Whoever has a receipt finds its commitment in the log."""
    game_id, _ = make_game(db, people=2)
    table, _ = positions.load(db, game_id)
    first, second = list(dict.fromkeys(move for offer in table.offers(0) for move in offer.moves()))[:2]
    moves.submit(db, game_id, 0, [first])
    moves.submit(db, game_id, 1, [sample(table.offers(1), Random(1))])
    with ThreadPoolExecutor() as threads:
        with db.transaction() as transaction:
            positions.lock(transaction, game_id)
            replacing = threads.submit(moves.submit, db, game_id, 0, [second])
            wait_until(lambda: blocked(db, 1), what="the replacement waiting")
            resolving = threads.submit(phases.resolve, db, game_id, 1)
            wait_until(lambda: blocked(db, 2), what="the worker waiting behind it")
        receipt = replacing.result().outcome.receipt
        assert resolving.result()
    orders = rows(db, game_id)[1].row.orders
    assert receipt.commitment in [order.commitment for order in orders]


def test_equal_requests_for_a_sealed_move_at_once_get_the_same_answer(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    table, _ = positions.load(db, game_id)
    move = sample(table.offers(0), Random(0))
    keyed = {"key": IdempotencyKey("player:1", game_id, "body"), "answer": lambda *_: Answer(202, "sealed")}
    with ThreadPoolExecutor() as threads:
        with db.transaction() as transaction:
            positions.lock(transaction, game_id)
            both = [threads.submit(moves.submit, db, game_id, 0, [move], **keyed) for _ in range(2)]
            wait_until(lambda: blocked(db, 2), what="both requests waiting")
        answers = [submission.result() for submission in both]
    assert sorted(answer.is_repeated for answer in answers) == [False, True]
    assert [answer.answer for answer in answers] == [Answer(202, "sealed")] * 2

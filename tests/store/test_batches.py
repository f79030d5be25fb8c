"""Moves of different games in one call."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import msgspec
import psycopg2
import pytest

from service import moves, positions
from service.errors import Stale
from store import batches
from store.batches import Write
from store.database import Database
from tests.factories import make_game, play_some
from tests.waiting import wait_until

SEAL = "seal(%s, %s, %s, %s::smallint, %s, now(), 0)"


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as threads:
        yield threads


def sealing(db: Database, game_id: str, expected: int | None = None) -> Write:
    """A sealed move of the first seat: the smallest write there is."""
    table, _ = positions.load(db, game_id)
    table.submit(0, [table.default(0)])
    payload, terms = msgspec.json.encode(table.sealed[0]).decode(), of_game(db, game_id, "terms")
    return Write(game_id, SEAL, (game_id, table.sequence if expected is None else expected, terms, 0, payload))


def of_game(db: Database, game_id: str, column: str) -> int:
    with db.session() as session:
        return session.value(f"select {column} from games where id = %s", game_id)


def sealed_in(db: Database, game_id: str) -> str | None:
    """The transaction in which a game's sealed move was written."""
    with db.session() as session:
        return session.value("select xmin::text from sealed where game_id = %s and seat = 0", game_id)


def holding(db: Database, game_ids: list[str]) -> tuple[Callable[[], None], Callable[[], int]]:
    """Holds games as a worker does in the middle of its work; how to let go, and how many wait for them."""
    holder, watcher = psycopg2.connect(db.url), psycopg2.connect(db.url)
    watcher.autocommit = True
    with holder.cursor() as cursor:
        cursor.execute("select from games where id = any(%s) for update", (game_ids,))

    def waiting() -> int:
        with watcher.cursor() as cursor:
            cursor.execute(
                "select count(*) from pg_stat_activity where %s = any(pg_blocking_pids(pid))",
                (holder.info.backend_pid,),
            )
            return cursor.fetchone()[0]

    def let_go() -> None:
        holder.rollback()
        holder.close()
        watcher.close()

    return let_go, waiting


def test_writes_of_a_batch_are_one_transaction_and_each_has_its_own_verdict(db: Database) -> None:
    ids = [make_game(db, people=3)[0] for _ in range(3)]
    batch = [sealing(db, ids[0]), sealing(db, ids[1], expected=7), sealing(db, ids[2])]
    batches._write(db, batch)
    verdicts = {write.game_id: write.answer for write in batch}
    assert verdicts == {ids[0]: ["done", ""], ids[1]: ["stale"], ids[2]: ["done", ""]}
    assert sealed_in(db, ids[0]) == sealed_in(db, ids[2])
    assert sealed_in(db, ids[1]) is None


def test_write_that_fails_does_not_take_others_along(db: Database) -> None:
    good, bad = make_game(db, people=3)[0], make_game(db, people=3)[0]
    wrong = sealing(db, bad)
    wrong.values = (*wrong.values[:3], 10**6, "{}")  # no smallint
    batch = [sealing(db, good), wrong]
    batches._write(db, batch)
    assert [write.is_alone for write in batch] == [True, True]
    assert sealed_in(db, good) is None
    for write in batch:
        batches._write_alone(db, write)
    assert sealed_in(db, good)
    assert isinstance(wrong.error, psycopg2.errors.NumericValueOutOfRange)


def test_games_that_are_held_do_not_hold_up_others(db: Database, pool: ThreadPoolExecutor) -> None:
    held = [make_game(db, people=3)[0] for _ in range(batches.AT_WORK + 1)]
    free = [make_game(db, people=3)[0] for _ in range(6)]
    let_go, waiting = holding(db, held)

    def write(game_id: str) -> Future[list[str]]:
        made = sealing(db, game_id)
        return pool.submit(db.write, game_id, made.call, made.values)

    try:
        stuck = [write(game_id) for game_id in held]
        wait_until(lambda: waiting() == len(held))
        assert [future.result(timeout=20) for future in [write(game_id) for game_id in free]] == [["done", ""]] * 6
        assert not any(future.done() for future in stuck)
    finally:
        let_go()
    assert [future.result(timeout=20) for future in stuck] == [["done", ""]] * len(held)


def test_batch_with_a_game_that_is_held_gives_up_soon_and_each_goes_alone(db: Database) -> None:
    held, free = (make_game(db, people=3)[0] for _ in range(2))
    batch = [sealing(db, held), sealing(db, free)]
    let_go, _ = holding(db, [held])
    try:
        batches._write(db, batch)
    finally:
        let_go()
    assert [write.is_alone for write in batch] == [True, True]
    assert sealed_in(db, free) is None


def test_broken_connection_leaves_it_open_for_all_of_a_batch_and_is_not_tried_again(db: Database) -> None:
    """What was committed is not known: done again, a move might be made twice."""
    ids = [make_game(db, people=3)[0] for _ in range(2)]
    batch = [sealing(db, game_id) for game_id in ids]
    batch[1].call = "pg_terminate_backend(pg_backend_pid())::text || " + batch[1].call + "::text"
    batches._write(db, batch)
    assert all(isinstance(write.error, batches.Unavailable) for write in batch)
    assert not any(write.is_alone for write in batch)


def test_many_games_at_once_lose_and_double_nothing(db: Database, pool: ThreadPoolExecutor) -> None:
    ids = [make_game(db, people=3)[0] for _ in range(6)]
    start = threading.Barrier(len(ids))

    def play(game_id: str) -> int:
        start.wait()
        return play_some(db, game_id, 25)

    last = list(pool.map(play, ids))
    for game_id, rows in zip(ids, last, strict=True):
        table, _ = positions.load(db, game_id)
        assert table.sequence == rows
        with db.session() as session:
            numbers = session.rows("select sequence from log where game_id = %s order by sequence", game_id)
        assert [number for (number,) in numbers] == list(range(rows + 1))


def test_of_two_moves_of_one_game_in_a_batch_one_is_stale(db: Database, pool: ThreadPoolExecutor) -> None:
    game_id = make_game(db, people=3)[0]
    play_some(db, game_id, 1)
    table, _ = positions.load(db, game_id)
    seat = table.acting()[0]
    order = table.default(seat)
    start = threading.Barrier(4)

    def move(_: int) -> bool:
        start.wait()
        try:
            moves.submit(db, game_id, seat, [order], expected=table.sequence)
        except Stale:
            return False
        return True

    assert sorted(pool.map(move, range(4))) == [False, False, False, True]

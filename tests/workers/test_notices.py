"""Notices whatever happens to queue and workers: each once, in order, none for what was rolled back, all delivered.

The timing is drawn from a seed, which a failure prints: `WAYBILL_SEED=… ./waybill test tests/workers/test_notices.py`.
"""

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from referee.options import sample
from runtime.config import Config
from runtime.post import LocalBox
from service import feed, moves, phases, players, positions
from service.feed import Told
from service.players import Player
from store import deliveries, outbox
from store.database import Database
from tests.factories import make_game
from tests.waiting import wait_until
from workers import tasks
from workers.alone import alone
from workers.app import app, enqueue

SEED = int(os.environ.get("WAYBILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    print(f"WAYBILL_SEED={SEED}")
    return random.Random(f"{SEED} {request.node.name}")


@pytest.fixture
def mailbox(config: Config) -> LocalBox:
    return LocalBox(config.folder / "mail")


@pytest.fixture
def table(db: Database, queue: redis.Redis) -> tuple[str, list[Player]]:
    """A game of three whose players have addresses; nothing else is to be told."""
    with db.session() as session:
        session.run("delete from outbox")
        session.run("delete from deliveries where state = 'waiting'")
    game_id, at_table = make_game(db, people=3)
    with db.transaction() as transaction:
        for player in at_table:
            address = f"{player.id}@example.org"
            players.players.set_email(transaction, player.id, address, address)
    return game_id, at_table


def play(db: Database, game_id: str, rows: int, rng: random.Random) -> None:
    """Plays so many more rows, with a pause here and there in which something may happen."""
    last = positions.load(db, game_id)[0].sequence + rows
    while (table := positions.load(db, game_id)[0]).sequence < last and not table.is_over:
        if table.sealed_phase() and not table.missing():
            phases.resolve(db, game_id)
            continue
        seat = table.acting()[0]
        moves.submit(db, game_id, seat, [sample(table.offers(seat), rng)])
        time.sleep(rng.choice([0, 0, 0.01, 0.05]))


def told(db: Database, player: Player) -> list[Told]:
    with db.session() as session:
        page = feed.page(session, player.id, limit=500)
    return sorted((one for one in page if one.kind != "joined"), key=lambda one: one.id)


def check_books(db: Database, game_id: str, at_table: list[Player], mailbox: LocalBox) -> None:
    """When all is quiet: nothing waits, each cause was told once and in order, every letter has arrived."""

    def is_quiet() -> bool:
        enqueue(tasks.deliver)  # as the beat does: one run delivers no more than fits into a second
        with db.session() as session:
            waiting = session.value(
                "select count(*) from deliveries where state = 'waiting' and player_id = any(%s)",
                [player.id for player in at_table],
            )
            return not outbox.of_game(session, game_id) and not waiting

    wait_until(is_quiet, seconds=180, what=f"WAYBILL_SEED={SEED}: the end of the backlog")
    game = positions.load(db, game_id)[0]
    letters = mailbox.letters()
    for seat, player in enumerate(at_table):
        mine = told(db, player)
        assert len({(one.kind, one.sequence) for one in mine}) == len(mine)
        assert [one.sequence for one in mine] == sorted(one.sequence for one in mine)
        assert all(one.sequence <= game.sequence for one in mine)
        if seat in game.acting():
            assert any(one.kind in ("your_turn", "phase_opened") and not one.read_at for one in mine)
        with db.session() as session:
            states = {one.id: deliveries.of_notice(session, one.id) for one in mine}
        sent = {
            number for number, rows in states.items() if ("mail", "delivered") in {(r.channel, r.state) for r in rows}
        }
        mine = [letter["X-Waybill-Notices"].split() for letter in letters if letter["To"] == f"{player.id}@example.org"]
        assert sent == {int(number) for numbers in mine for number in numbers}, f"WAYBILL_SEED={SEED}"


def test_everything_is_told_and_delivered_while_nothing_goes_wrong(
    db: Database, table: tuple, rng: random.Random, mailbox: LocalBox, start_worker: Callable, start_beat: Callable
) -> None:
    start_worker()
    start_beat()
    play(db, table[0], 12, rng)
    check_books(db, *table, mailbox)
    parts = [part.get_content_type() for letter in mailbox.letters() for part in letter.walk()]
    assert "image/png" in parts, "the worker's renderer draws"


def test_worker_killed_in_the_middle_of_a_fan_out_loses_and_doubles_nothing(
    db: Database, table: tuple, rng: random.Random, mailbox: LocalBox, start_worker: Callable, start_beat: Callable
) -> None:
    game_id, at_table = table
    worker = start_worker()
    play(db, game_id, 3, rng)
    with db.transaction() as transaction:
        transaction.run("lock table notices in share mode")  # whoever tells stops before its first word
        enqueue(tasks.deliver)
        wait_until(lambda: _is_stuck(db), what="the worker in the middle of a fan-out")
        worker.kill()
    assert [told(db, player) for player in at_table] == [[], [], []]
    start_worker()
    start_beat()
    check_books(db, game_id, at_table, mailbox)


def _is_stuck(db: Database) -> bool:
    with db.session() as session:
        return bool(
            session.value(
                "select count(*) from pg_stat_activity where datname = current_database()"
                " and wait_event_type = 'Lock' and query like '%%insert into notices%%' and pid <> pg_backend_pid()"
            )
        )


def test_same_task_thrice_on_two_workers_tells_once(
    db: Database, table: tuple, rng: random.Random, mailbox: LocalBox, start_worker: Callable, queue: redis.Redis
) -> None:
    game_id, at_table = table
    start_worker()
    start_worker()
    for _ in range(6):
        play(db, game_id, 2, rng)
        for _ in range(3):
            enqueue(tasks.deliver)
    wait_until(lambda: not queue.llen("celery") and not queue.hlen("unacked"), what="an empty queue")
    enqueue(tasks.deliver)
    check_books(db, game_id, at_table, mailbox)
    count = {letter["Message-ID"] for letter in mailbox.letters()}
    mine = {f"{player.id}@example.org" for player in at_table}
    letters = [letter for letter in mailbox.letters() if letter["To"] in mine]
    assert len({letter["Message-ID"] for letter in letters} & count) == len(letters), (
        "with nothing lost, no letter twice"
    )


def test_flushed_redis_and_killed_workers_lose_no_notice(
    db: Database,
    table: tuple,
    rng: random.Random,
    mailbox: LocalBox,
    start_worker: Callable,
    start_beat: Callable,
    queue: redis.Redis,
) -> None:
    game_id, at_table = table
    worker = start_worker()
    start_beat()
    for _ in range(3):
        play(db, game_id, rng.randrange(2, 5), rng)
        if rng.random() < 0.5:
            queue.flushdb()
        else:
            worker.kill()
            worker = start_worker()
        play(db, game_id, 1, rng)
    queue.flushdb()
    check_books(db, game_id, at_table, mailbox)


def test_tidy_forgets_old_notices(db: Database, table: tuple, queue: redis.Redis) -> None:
    game_id, (player, *_) = table
    tasks.deliver()
    with db.session() as session:
        days = app.config.keep_notices_days
        session.run(
            "update notices set created_at = now() - %s * interval '1 day' where game_id = %s", days + 1, game_id
        )
    tasks.tidy()
    assert told(db, player) == []
    assert isinstance(app.config.folder, Path)


def test_one_worker_tells_while_the_others_look_after_games(db: Database, table: tuple, queue: redis.Redis) -> None:
    game_id, (player, *_) = table
    with alone(queue, "deliver", 5) as is_alone:
        assert is_alone
        tasks.deliver()
        assert told(db, player) == []
    tasks.deliver()
    assert [one.kind for one in told(db, player)] == ["phase_opened"]
    assert game_id


def test_worker_that_vanished_while_it_told_is_forgotten(queue: redis.Redis) -> None:
    with alone(queue, "something", 0.05) as first:
        wait_until(lambda: not queue.exists("waybill:alone:something"), what="the end of the hint")
        with alone(queue, "something", 5) as second:
            assert (first, second) == (True, True)
    assert not queue.exists("waybill:alone:something")
    nowhere = redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.1)
    with alone(nowhere, "something", 5) as without_redis:
        assert without_redis

"""Standing orders by real workers: killed in between, and told twice."""

from collections.abc import Callable
from typing import Any

import redis

from service import moves, positions, replays, standing, work
from store.database import Database
from tests.factories import make_game, play_some
from tests.waiting import wait_until
from workers import tasks


def given(db: Database, text: str = "in turn: take money; at most 3 times") -> tuple[str, int]:
    """A game in which the one who is not in turn has a standing order, and whose turn it is."""
    game_id, players = make_game(db)
    play_some(db, game_id, 1)
    first = positions.load(db, game_id)[0].acting()[0]
    standing.put(db, game_id, 1 - first, players[1 - first].id, text)
    assert standing.act(db, game_id).answers == 0
    return game_id, first


def by(db: Database, game_id: str) -> list[str]:
    return [order.by for entry in replays.entries(db, game_id, 1) for order in entry.row.orders]


def test_a_worker_answers_a_move(db: Database, start_worker: Callable[..., Any]) -> None:
    game_id, first = given(db)
    start_worker()
    assert tasks.enqueue_work(moves.submit(db, game_id, first, ["take money"]).work)
    wait_until(lambda: by(db, game_id) == ["player", "standing"], what="the standing order")


def test_who_is_killed_between_the_move_and_the_answer_leaves_it_to_the_next(
    db: Database, start_worker: Callable[..., Any], start_beat: Callable[[], Any]
) -> None:
    game_id, first = given(db)
    start_worker().kill()
    tasks.enqueue_work(moves.submit(db, game_id, first, ["take money"]).work)  # nobody takes it
    assert by(db, game_id) == ["player"]
    start_worker()
    start_beat()
    wait_until(lambda: by(db, game_id) == ["player", "standing"], what="the standing order")
    replays.rebuild(db, game_id)


def test_a_task_that_is_delivered_many_times_acts_once(
    db: Database, queue: redis.Redis, start_worker: Callable[..., Any]
) -> None:
    game_id, first = given(db)
    due = moves.submit(db, game_id, first, ["take money"]).work
    for _ in range(5):
        assert tasks.enqueue_work(due)
    start_worker()
    start_worker()
    wait_until(lambda: not queue.llen("celery") and len(by(db, game_id)) > 1, what="all tasks")
    moves.submit(db, game_id, first, ["take money"])
    tasks.try_standing(game_id)
    assert by(db, game_id) == ["player", "standing"] * 2
    with db.session() as session:
        assert work.pending(session, game_id) is None

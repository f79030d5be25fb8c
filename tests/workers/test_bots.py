"""Bots, deadlines and the sweep, by a real worker."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.options import sample
from service import bot_turns, bots, games, moves, positions, replays, seats, work
from service.bots import choose
from service.games import NewGame, NewSeat
from store import outbox
from store.database import Database
from store.games import are_bots_alone
from tests.factories import RULESET, make_game, make_player, play_some
from tests.waiting import wait_until
from workers import tasks
from workers.app import app, enqueue

ROOT = Path(__file__).resolve().parent.parent.parent


def test_bots_play_a_whole_game_between_them(db: Database, start_worker: Callable[..., object]) -> None:
    with db.transaction() as transaction:
        new = NewGame(RULESET, (NewSeat("bot", bot="random"),) * 3)
        game_id = games.create(transaction, make_player(db), new).game.id
    start_worker()
    with db.session() as session:
        tasks.enqueue_work(work.pending(session, game_id))
    wait_until(lambda: positions.load(db, game_id)[1] == "over", what="the end of the game")
    table = replays.rebuild(db, game_id)
    with db.session() as session:
        rows = list(replays.all_entries(session, game_id))
    assert {order.by for entry in rows for order in entry.row.orders} == {"bot"}
    assert table.is_over


def test_bots_that_would_go_on_for_ever_are_stopped(
    db: Database, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Airline (1975) has no end as long as nobody buys anything, and the referee does not."""
    monkeypatch.setattr(bot_turns, "ROWS_OF_BOTS", 120)
    with db.transaction() as transaction:
        new = NewGame("airline-1975", (NewSeat("bot", bot="default"),) * 2)
        game_id = games.create(transaction, make_player(db), new).game.id
    for _ in range(3):
        assert positions.load(db, game_id)[1] == "running"
        tasks.play_bot(game_id)
    assert positions.load(db, game_id)[1] == "over"
    assert replays.rebuild(db, game_id).sequence == 150


@pytest.mark.parametrize("bot", ["random", "default"])
def test_bots_claim_what_is_due_to_them_before_the_next_one_throws(db: Database, queue: redis.Redis, bot: str) -> None:
    """In strict Airline (1975) nobody waits for a claim, and what is not claimed is lost."""
    with db.transaction() as transaction:
        new = NewGame("airline-1975", (NewSeat("bot", bot=bot),) * 4, settings={"collection": "strict", "rounds": 20})
        game_id = games.create(transaction, make_player(db), new).game.id
    while positions.load(db, game_id)[1] == "running":
        tasks.play_bot(game_id)
    with db.session() as session:
        events = [event for entry in replays.all_entries(session, game_id) for event in entry.row.events]
    types = {event["type"] for event in events}
    assert "received" in types
    assert "claim_lapsed" not in types


def test_bots_are_not_alone_where_a_person_moves(db: Database) -> None:
    game_id, _ = make_game(db)
    play_some(db, game_id, 40)
    with db.session() as session:
        assert not are_bots_alone(session, game_id, 10)


def test_bot_plays_the_same_again_in_the_same_position(db: Database) -> None:
    game_id, _ = make_game(db, people=2, bots=1)
    table, _ = positions.load(db, game_id)
    assert choose("random", table, 2) == choose("random", table, 2)


@pytest.mark.parametrize("bot", ["easy", "steady", "strong"])
def test_a_bot_of_each_strength_plays_and_says_why_after_the_game(
    bot: str, db: Database, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "MOST_ITERATIONS", 40)
    monkeypatch.setattr(bots, "THINKING_SECONDS", 0.02)
    with db.transaction() as transaction:
        new = NewGame(RULESET, (NewSeat("bot", bot=bot), NewSeat("bot", bot="random")))
        game_id = games.create(transaction, make_player(db), new).game.id
    while positions.load(db, game_id)[1] == "running":
        tasks.enqueue_work(bot_turns.play(db, game_id))
        tasks.resolve(game_id, positions.load(db, game_id)[0].sequence + 1)
    with db.session() as session:
        said = bot_turns.reasons(session, game_id, -1, 10_000)
        rows = list(replays.all_entries(session, game_id))
    moved = {(entry.row.number, order.seat) for entry in rows for order in entry.row.orders}
    assert {(reason.sequence, reason.seat) for reason in said} == moved
    assert all(reason.reason.endswith(".") for reason in said)


def test_people_do_not_wait_for_bots(db: Database, start_worker: Callable[..., object], queue: redis.Redis) -> None:
    """Nobody plays for the bots, and many of them wait: what people have sent is done all the same."""
    for _ in range(30):
        assert enqueue(tasks.play_bot, "some other game")
    game_id, _ = make_game(db, people=2)
    start_worker("--queues", "celery")
    table, _ = positions.load(db, game_id)
    for seat in (0, 1):
        made = moves.submit(db, game_id, seat, [sample(table.offers(seat), random.Random(seat))])
    tasks.enqueue_work(made.work)
    wait_until(lambda: positions.load(db, game_id)[0].sequence == 1, what="the reveal")
    assert queue.llen("bots") == 30


def test_people_do_not_wait_while_strong_bots_think(
    db: Database, start_worker: Callable[..., Any], queue: redis.Redis
) -> None:
    """Their worker has work for minutes; what people seal in many games is opened meanwhile."""
    thinking = []
    for _ in range(3):
        with db.transaction() as transaction:
            new = NewGame("tin-goose", (NewSeat("bot", bot="strong"),) * 3)
            thinking.append(games.create(transaction, make_player(db), new).game.id)
    bots_worker = start_worker("--queues", "bots", "--concurrency", "1")
    start_worker("--queues", "celery")
    for game_id in thinking:
        assert enqueue(tasks.play_bot, game_id)
    wait_until(lambda: any(positions.load(db, game_id)[0].sealed for game_id in thinking), what="a bot's first move")
    for _ in range(6):
        game_id, _ = make_game(db, people=2)
        table, _ = positions.load(db, game_id)
        for seat in (0, 1):
            made = moves.submit(db, game_id, seat, [sample(table.offers(seat), random.Random(seat))])
        tasks.enqueue_work(made.work)
        wait_until(lambda: positions.load(db, game_id)[0].sequence == 1, what="the reveal")  # noqa: B023 (at once)
    assert [positions.load(db, game_id)[1] for game_id in thinking] == ["running"] * 3
    assert queue.llen("bots")
    bots_worker.kill()


def test_a_deal_that_a_person_offers_to_a_bot_is_answered(db: Database, queue: redis.Redis) -> None:
    with db.transaction() as transaction:
        new = NewGame("airline-1975", (NewSeat("me"), NewSeat("bot", bot="steady")))
        game_id = games.create(transaction, make_player(db), new).game.id
    for _ in range(400):
        tasks.play_bot(game_id)
        table, _ = positions.load(db, game_id)
        offers = [offer for offer in table.offers(0) if offer.move.__name__ == "Offer" and offer.domains["want"].high]
        if offers and table.position.players[0].cash > 20:
            city = next(iter(offers[0].domains["want"].limits))
            deal = {"type": "offer", "to": table.game.seat_values["to"][1], "want": [city], "pay": 1}
            made = moves.submit(db, game_id, 0, [deal])
            assert made.work is not None
            assert made.work.kind == "bot"
            break
        moves.submit(db, game_id, 0, [table.default(0)])
    tasks.play_bot(game_id)
    table, _ = positions.load(db, game_id)
    assert all(deal.to != 1 for deal in table.position.deals)
    assert table.position.players[1].cities.count(city) == 1  # a city is worth more than that


def test_bots_wait_for_people(db: Database, start_worker: Callable[..., object], start_beat: Callable) -> None:
    game_id, _ = make_game(db, people=1, bots=2)
    start_worker()
    start_beat()
    wait_until(lambda: sorted(positions.load(db, game_id)[0].sealed) == [1, 2], what="the bots' sealed moves")
    with db.session() as session:
        assert games.find(session, game_id).to_act == [0]
    table, _ = positions.load(db, game_id)
    made = moves.submit(db, game_id, 0, [sample(table.offers(0), random.Random(1))])
    tasks.enqueue_work(made.work)
    wait_until(lambda: positions.load(db, game_id)[0].sequence >= 1, what="the reveal")


def test_deadline_that_passed_is_swept(
    db: Database, start_worker: Callable[..., object], start_beat: Callable[[], object]
) -> None:
    game_id, _ = make_game(db, people=2, clock=1)
    start_worker()
    start_beat()
    wait_until(lambda: positions.load(db, game_id)[0].sequence >= 2, what="two defaults")
    played = replays.entries(db, game_id, 0)
    assert {order.by for entry in played for order in entry.row.orders} == {"clock"}


def test_outbox_is_emptied(db: Database, start_worker: Callable[..., object], queue: redis.Redis) -> None:
    game_id, _ = make_game(db)
    start_worker()

    def waiting() -> list[outbox.OutboxRow]:
        with db.session() as session:
            return outbox.of_game(session, game_id)

    wait_until(lambda: enqueue(tasks.deliver) and not waiting(), what="the delivery")


def test_outbox_is_emptied_however_much_is_in_it(db: Database, queue: redis.Redis) -> None:
    game_id, _ = make_game(db)
    with db.transaction() as transaction:
        for number in range(3 * outbox.PASSED_ON_AT_ONCE):
            outbox.add(transaction, game_id, "moved", number)
    tasks.deliver()
    with db.session() as session:
        assert session.value("select count(*) from outbox where game_id = %s", game_id) == 0


def test_sweep_that_comes_late_is_a_sweep(queue: redis.Redis) -> None:
    """Where the queue is long, or the clocks of two machines differ, each may come after the next is due."""
    for name in ("sweep", "deliver"):
        assert app.conf.beat_schedule[name]["options"]["expires"] >= 60


REDIS_GOES_AWAY = """
import pathlib, sys
import redis
from runtime.config import read_config
from runtime.servers import Servers
from workers import tasks
from workers.app import app, configure, enqueue

servers = Servers(pathlib.Path(sys.argv[1]), postgres=False)
with servers as addresses:
    configure(read_config({"DATABASE_URL": "postgresql://none", "REDIS_URL": addresses.redis_url}))
    print(enqueue(tasks.play_bot, "a game"))
    redis.Redis.from_url(addresses.redis_url).config_set("maxmemory", 1)
    print(enqueue(tasks.play_bot, "a game"))
print(enqueue(tasks.play_bot, "a game"))
"""


def test_without_redis_or_room_in_it_nothing_is_queued_and_nothing_fails(tmp_path: Path) -> None:
    """The sweep says it again when Redis is back."""
    said = subprocess.run(
        [sys.executable, "-c", REDIS_GOES_AWAY, str(tmp_path / "redis")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert said.stdout.split() == ["True", "False", "False"], said.stderr


def test_a_substitute_is_seated_by_the_sweep(db: Database, queue: redis.Redis) -> None:
    game_id, players = make_game(db, people=3, clock={"time": 3600, "late": {"cool_off": 60}})
    new = make_player(db)
    with db.transaction() as transaction:
        seats.leave(transaction, game_id, players[2].id)
        seats.ask_to_substitute(transaction, game_id, new)
    tasks.sweep()
    with db.session() as session:
        assert seats.seat_in_play(session, game_id, new.id) is None
        session.run("update seats set takes_over_at = now() where substitute = %s", new.id)
    tasks.sweep()
    with db.session() as session:
        assert seats.seat_in_play(session, game_id, new.id) == 2


def test_a_deadline_is_not_acted_on_before_the_first_sweep_after_an_outage(db: Database, queue: redis.Redis) -> None:
    game_id, _ = make_game(db, people=2, clock=3600)
    tasks.sweep()
    with db.session() as session:
        session.run("update games set due_at = now() - interval '1 hour', asked_at = now() - interval '2 hours'"
                    " where id = %s", game_id)  # fmt: skip
        session.run("update heartbeat set beat_at = beat_at - interval '90 minutes', monotonic = monotonic - 5400")
    tasks.time_out(game_id)
    assert positions.load(db, game_id)[0].sequence == 0
    tasks.sweep()
    tasks.time_out(game_id)
    assert positions.load(db, game_id)[0].sequence == 0  # the deadline has moved
    with db.session() as session:
        assert session.value("select due_at > now() + interval '14 minutes' from games where id = %s", game_id)

"""How the service is doing, as Prometheus sees it."""

import re
from datetime import timedelta

import pytest
from flask import Flask
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from api.metrics import ServiceMetrics
from runtime.config import Config
from store.database import Database
from store.errors import Unavailable
from tests.factories import make_game
from tests.test_docs import DOCS
from workers import presence
from workers.presence import Presence

PRESENT = Presence(workers=2, processes=4, queues={"celery": 3}, swept=1e9)


def samples(text: str) -> dict[str, float]:
    """By name and labels: `waybill_games{status="open"}`."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def measured(db: Database) -> dict[str, float]:
    return samples(ServiceMetrics(db, lambda: PRESENT).text().decode())


def test_games_are_counted_by_status(db: Database) -> None:
    before = measured(db)
    make_game(db)
    after = measured(db)
    assert after['waybill_games{status="running"}'] == before['waybill_games{status="running"}'] + 1
    assert {f'waybill_games{{status="{status}"}}' for status in ("open", "running", "paused", "over")} <= after.keys()


def test_what_is_overdue_and_how_long_it_waits_is_seen_also_while_a_worker_has_it(db: Database) -> None:
    game_id, _ = make_game(db, clock=3600)
    before = measured(db)["waybill_overdue_phases"]
    with db.session() as session:
        late = timedelta(hours=3)
        session.run("update games set due_at = now() - %s, wake_at = now() - %s where id = %s", late, late, game_id)
    assert measured(db)["waybill_overdue_phases"] == before + 1
    assert measured(db)["waybill_sweep_lag_seconds"] >= 3 * 3600
    with db.session() as session:
        session.run("update games set wake_at = now() + interval '9 seconds' where id = %s", game_id)
    assert measured(db)["waybill_overdue_phases"] == before + 1
    assert measured(db)["waybill_sweep_lag_seconds"] < 3 * 3600
    with db.session() as session:
        session.run("update games set due_at = null, wake_at = null, status = 'paused' where id = %s", game_id)


def test_workers_queue_and_last_sweep_are_told(db: Database) -> None:
    found = measured(db)
    assert (found["waybill_workers"], found["waybill_worker_processes"]) == (2, 4)
    assert found['waybill_queue_length{queue="celery"}'] == 3
    assert found["waybill_last_sweep_timestamp_seconds"] == 1e9


def test_missing_servers_are_told_and_nothing_else_of_them() -> None:
    nowhere = Database("postgresql://nobody@127.0.0.1:1/none")
    found = samples(ServiceMetrics(nowhere, lambda: None).text().decode())
    assert found == {"waybill_database_up": 0, "waybill_redis_up": 0}


def test_servers_are_not_asked_again_within_a_moment(db: Database) -> None:
    asked: list[None] = []
    metrics = ServiceMetrics(db, lambda: asked.append(None), seconds=3600)
    assert metrics.text() == metrics.text()
    assert len(asked) == 1


def test_redis_knows_the_queue_and_who_was_there_lately(app: Flask, config: Config) -> None:
    client = presence.redis.Redis.from_url(config.redis_url)
    lists = [queue + priority for queue in ("celery", "bots") for priority in presence.PRIORITIES]
    client.delete(*lists, presence.WORKERS, presence.SWEPT)
    client.rpush("celery", "a", "b")
    client.rpush("celery\x06\x163", "c")
    now = client.time()[0]
    client.zadd(presence.WORKERS, {"celery@here/1/2": now, "celery@there/2/8": now, "celery@gone/3/2": now - 60})
    assert presence.read(client) == Presence(2, 10, {"celery": 3, "bots": 0}, None)
    client.delete("celery", "celery\x06\x163", presence.WORKERS)
    client.close()


def test_waits_for_a_connection_are_counted(config: Config) -> None:
    def counted(name: str) -> float:
        return REGISTRY.get_sample_value(name) or 0.0

    timeouts = counted("waybill_pool_timeouts_total")
    small = Database(config.database_url, size=1, timeout=0.05)
    with small.session(), pytest.raises(Unavailable):
        small.lend()
    assert counted("waybill_pool_timeouts_total") == timeouts + 1
    small.close()


def test_every_metric_is_documented_and_every_documented_one_is_there(app: Flask, db: Database) -> None:
    page = (DOCS / "operate.md").read_text("utf-8")
    table = "\n".join(re.findall(r"^\| `waybill_.*", page, re.M))
    assert set(re.findall(r"`(waybill_\w+)`", table)) == known_metrics(app, db)


def known_metrics(app: Flask, db: Database) -> set[str]:
    """All that /metrics can tell, by the names that are asked for: counters end in _total."""
    text = app.test_client().get("/metrics").text + ServiceMetrics(db, lambda: PRESENT).text().decode()
    types = dict(re.findall(r"^# TYPE (waybill_\w+) (\w+)$", text, re.M))
    return {name for name in types if not name.endswith("_created")}

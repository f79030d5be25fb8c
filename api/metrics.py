"""How the whole service is doing, for Prometheus: asked of Postgres and Redis when somebody looks, and not more often
than every few seconds."""

import time
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Protocol

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service import Database, figures
from service.errors import Unavailable

SECONDS = 5.0  # that an answer is kept


class Presence(Protocol):
    """What Redis knows of the workers."""

    @property
    def workers(self) -> int: ...
    @property
    def processes(self) -> int: ...
    @property
    def queues(self) -> dict[str, int]: ...
    @property
    def swept(self) -> float | None: ...


class ServiceCollector(Collector):
    def __init__(self, db: Database, presence: Callable[[], Presence | None]) -> None:
        self.db = db
        self.presence = presence

    def collect(self) -> Iterator[Metric]:
        yield from self._of_database()
        yield from self._of_redis()

    def _of_database(self) -> Iterator[Metric]:
        try:
            found = figures.read(self.db)
        except Unavailable:
            yield GaugeMetricFamily("waybill_database_up", "Whether Postgres answers", 0)
            return
        yield GaugeMetricFamily("waybill_database_up", "Whether Postgres answers", 1)
        games = GaugeMetricFamily("waybill_games", "Games by status", labels=["status"])
        for status, number in found.games.items():
            games.add_metric([status], number)
        yield games
        yield GaugeMetricFamily(
            "waybill_overdue_phases", "Games whose time is up and nobody has acted yet", found.overdue_phases
        )
        yield GaugeMetricFamily(
            "waybill_sweep_lag_seconds", "How long the oldest work that is due has been due", found.sweep_lag
        )
        yield GaugeMetricFamily("waybill_outbox_rows", "What has happened and was not passed on yet", found.outbox)
        yield GaugeMetricFamily(
            "waybill_outbox_oldest_seconds", "How long the oldest of it has waited", found.outbox_oldest
        )
        yield GaugeMetricFamily("waybill_deliveries_waiting", "Notices that wait for a channel", found.deliveries)
        yield GaugeMetricFamily(
            "waybill_deliveries_oldest_seconds",
            "How long the delivery that waits longest has been due",
            found.deliveries_oldest,
        )

    def _of_redis(self) -> Iterator[Metric]:
        found = self.presence()
        yield GaugeMetricFamily("waybill_redis_up", "Whether Redis answers", 0 if found is None else 1)
        if found is None:
            return
        yield GaugeMetricFamily("waybill_workers", "Workers that are there", found.workers)
        yield GaugeMetricFamily("waybill_worker_processes", "Processes of all workers together", found.processes)
        queues = GaugeMetricFamily("waybill_queue_length", "Tasks that wait for a worker", labels=["queue"])
        for name, length in found.queues.items():
            queues.add_metric([name], length)
        yield queues
        if found.swept is not None:
            yield GaugeMetricFamily(
                "waybill_last_sweep_timestamp_seconds", "When the last sweep ended, since 1970", found.swept
            )


class ServiceMetrics:
    """The text of a ServiceCollector, kept for a moment: anybody may ask for it."""

    def __init__(self, db: Database, presence: Callable[[], Presence | None], seconds: float = SECONDS) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(ServiceCollector(db, presence))
        self.seconds = seconds
        self._lock = Lock()
        self._until = 0.0
        self._text = b""

    def text(self) -> bytes:
        with self._lock:
            if time.monotonic() >= self._until:
                self._text = generate_latest(self.registry)
                self._until = time.monotonic() + self.seconds
            return self._text

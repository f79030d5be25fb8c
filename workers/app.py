"""The Celery application. The API configures it to queue tasks, and `workers.main` to run them."""

import logging
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import redis
from celery import Celery, Task
from kombu.exceptions import OperationalError

from runtime.config import Config
from runtime.logs import log_context
from runtime.post import Transport, transport
from runtime.redis_client import broker, connect
from runtime.vault import Vault
from runtime.web_push import Vapid
from service import Database
from service.channels import Channel, Channels
from service.hints import Hints
from service.looking import Looking
from service.mail_out import MailChannel
from service.push import PushChannel
from service.renderer import Renderer
from service.webhooks import WebhookChannel

VISIBILITY_SECONDS = 60  # after which a task whose worker has vanished is given to another
REDIS_SECONDS = 5  # to wait for an answer of Redis; longer than its own blocking reads
# Sweeps that nobody comes to do not pile up. But one that comes late, because the queue is long or the clocks of two
# machines differ, must still be done: all the others come as late.
EXPIRES_SECONDS = 120
CONNECT_SECONDS = 1  # to wait for a connection before doing without it: the sweep says again what was not said

# Moves do not hint that there is something to tell: that would cost each of them more than this costs in all.
DELIVER_SECONDS = 0.5
QUEUED_SECONDS = 5.0  # after which a task that was lost on its way is queued anew
LEFT_SECONDS = 3.0  # after which a mail that the door has not come to is read by a worker
LAST = 9  # of Redis' priorities: games that can go on come before what is told of them

BOTS_QUEUE = "bots"

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

log = logging.getLogger(__name__)


class WorkerApp(Celery):  # type: ignore[misc]  # Celery has no types
    """The application, with the process's pool of database connections."""

    config: Config
    database: Database
    channels: Channels
    transport: Transport  # of answers
    looking: Looking
    client: redis.Redis  # for what may get lost
    hints: Hints


app = WorkerApp("waybill", include=["workers.tasks"])


def configure(config: Config) -> WorkerApp:
    """Points the application at the Redis and the Postgres of a configuration."""
    app.config = config
    app.database = Database.of(config)
    # Two connections to the relay: an answer to a player's orders does not wait for letters with pictures to others.
    app.transport, letters = (transport(config.smtp_url, config.folder / "mail") for _ in range(2))
    vault, vapid = Vault(config), vapid_of(config)
    channels: list[Channel] = [
        MailChannel(app.database, letters, config.mail_domain, config.url, Renderer()),
        WebhookChannel(app.database, vault, config.webhook_loopback),
    ]
    if vapid:
        channels.append(PushChannel(app.database, vault, vapid, config.webhook_loopback))
    app.channels = Channels(*channels)
    app.client = connect(config.redis_url, socket_timeout=0.25, socket_connect_timeout=0.25)
    app.looking = Looking(app.client)
    app.hints = Hints(config.redis_url)
    app._after_fork()  # connections to the queue of an earlier configuration are of no use any more
    patience = {"socket_timeout": REDIS_SECONDS, "socket_connect_timeout": CONNECT_SECONDS, "retry_on_timeout": False}
    broker_url, transport_options = broker(config.redis_url, patience)
    app.conf.update(
        broker_url=broker_url,
        broker_transport_options={
            **transport_options,
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "max_retries": 1,
            "interval_start": 0,  # a request must not wait while Redis is away
        },
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        # Bots may think: they have a queue of their own, so that nobody waits for them. A worker that is not told which
        # queues it serves serves both.
        task_queues={"celery": {"exchange": "celery"}, BOTS_QUEUE: {"exchange": BOTS_QUEUE}},
        task_default_queue="celery",
        task_routes={"workers.tasks.play_bot": {"queue": BOTS_QUEUE}},
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_publish_retry=False,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        beat_scheduler="celery.beat:Scheduler",
        beat_schedule={
            "sweep": {
                "task": "workers.tasks.sweep",
                "schedule": config.sweep_seconds,
                "options": {"expires": EXPIRES_SECONDS},
            },
            "post": {
                "task": "workers.tasks.post",
                "schedule": config.sweep_seconds,
                "kwargs": {"waiting_for": LEFT_SECONDS},
                "options": {"expires": EXPIRES_SECONDS},
            },
            "deliver": {
                "task": "workers.tasks.deliver",
                "schedule": DELIVER_SECONDS,
                "options": {"expires": EXPIRES_SECONDS, "priority": LAST},
            },
            "tidy": {
                "task": "workers.tasks.tidy",
                "schedule": 3600,
                "options": {"expires": 3600},
                "last_run_at": LONG_AGO,  # so that it is due at the start too
            },
        },
    )
    return app


def vapid_of(config: Config) -> Vapid | None:
    """Who this service is to push services; None where it sends no messages to browsers."""
    return Vapid(config.vapid_key, config.vapid_contact) if config.vapid_key else None


def enqueue_unless_queued(task: Task) -> bool:
    """Puts a task without arguments into the queue that says `begin_queued` when it begins, if none waits there."""
    try:
        if not app.client.set(_queued(task), 1, nx=True, px=int(QUEUED_SECONDS * 1000)):
            return True
    except redis.RedisError:
        pass  # one too many does no harm
    return enqueue(task)


def begin_queued(task: Task) -> None:
    """From now on the task does not see what comes in: that needs another one."""
    with suppress(redis.RedisError):
        app.client.delete(_queued(task))


def _queued(task: Task) -> str:
    return f"waybill:queued:{task.name}"


def enqueue(task: Task, *arguments: Any) -> bool:
    """Puts a task into the queue, after the commit of what it is about. Without Redis it is left to the sweep."""
    context = log_context()
    # The request that led to it, for the log of whoever does it.
    headers = {"request_id": context["request_id"]} if "request_id" in context else {}
    try:
        task.apply_async(arguments, retry=False, headers=headers)
    except (OperationalError, OSError) as error:
        log.warning("not queued: %s%r: %s", task.name, arguments, error)
        return False
    return True

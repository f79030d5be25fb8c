"""What operators see of the workers: a line of JSON for each task, with its game and the request that led to it, and
counters."""

import logging.config
import time
from typing import Any

import structlog
from celery import Task, signals
from celery.apps import worker

from runtime.logs import bind_log_context, library_logging, log_as_json
from runtime.metrics import TASK_SECONDS, TASKS
from workers.app import app

ROUTINE = frozenset({"sweep", "deliver", "post", "tidy"})  # of interest when something is wrong

log = structlog.get_logger("waybill.worker")


@signals.setup_logging.connect
def log_our_way(**_: Any) -> None:
    """Celery asks for this a little late: what it has to say before would go out in its own way."""
    log_as_json(app.config.log_level)
    logging.config.dictConfig(library_logging(app.config.log_level))
    logging.captureWarnings(True)
    worker.safe_say = lambda message, *_: log.info(message)  # what Celery says at its end


@signals.task_prerun.connect
def begin(task: Task, task_id: str, args: tuple[Any, ...], **_: Any) -> None:
    task.request.began = time.perf_counter()
    known = {
        "task": task.name.rpartition(".")[2],
        "task_id": task_id,
        "game": args[0] if args else None,
        "request_id": task.request.get("request_id"),
    }
    bind_log_context(**{name: value for name, value in known.items() if value})


@signals.task_postrun.connect
def end(task: Task, state: str, **_: Any) -> None:
    name, seconds = task.name.rpartition(".")[2], time.perf_counter() - task.request.began
    TASKS.labels(name, state).inc()
    TASK_SECONDS.labels(name).observe(seconds)
    write = log.debug if name in ROUTINE and state == "SUCCESS" else log.info
    write("task", state=state, ms=round(seconds * 1000, 2))
    bind_log_context()

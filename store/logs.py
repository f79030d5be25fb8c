"""What operators read: one line of JSON on standard error for each thing worth telling, whoever tells it."""

import logging
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

# Celery tells of every task three times; workers.observing tells it once, with the game.
TALKATIVE = ("celery.app.trace", "celery.beat", "celery.worker.strategy")

_known: ContextVar[dict[str, Any]] = ContextVar("known")


def say_with_every_line(**known: Any) -> None:
    """From now on, in this request or task: these words, and none of those before."""
    _known.set(known)


def said_with_every_line() -> dict[str, Any]:
    return _known.get({})


def _add_known(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {**said_with_every_line(), **line}


def _to_json(line: Any, **_: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()


MARKS: tuple[Any, ...] = (
    _add_known,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper("iso", utc=True),
)
RENDER: tuple[Any, ...] = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_to_json))


class StandardError:
    """Where lines of the log go."""

    def msg(self, line: str) -> None:
        sys.stderr.write(line + "\n")

    debug = info = warning = error = msg


def tell_at_once(event: str, **words: Any) -> None:
    """The line that `log.info` of structlog makes, with a third of the work: for what is told with every request."""
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    line = {**said_with_every_line(), **words, "event": event, "level": "info", "timestamp": now}
    sys.stderr.write(_to_json(line) + "\n")


def log_as_json(level: str) -> None:
    """For what we tell ourselves."""
    structlog.configure(
        processors=[*MARKS, *RENDER],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: StandardError(),
    )


class Formatter(structlog.stdlib.ProcessorFormatter):
    """For what libraries tell: the same line, with the name of the logger."""

    def __init__(self) -> None:
        super().__init__(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *RENDER],
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *MARKS],
        )


def library_logging(level: str) -> dict[str, Any]:
    """The configuration of the standard library's logging, under which gunicorn and Celery log as we do."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": Formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {
            "gunicorn.error": {"level": level.upper(), "handlers": [], "propagate": True},
            **{name: {"level": "DEBUG" if level == "debug" else "WARNING"} for name in TALKATIVE},
        },
    }

"""What operators read: one line of JSON on standard error for each thing worth telling, whoever tells it."""

import atexit
import logging
import os
import select
import sys
import time
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import Any

import msgspec
import structlog

# Celery tells of every task three times; workers.observing tells it once, with the game.
TALKATIVE = ("celery.app.trace", "celery.beat", "celery.worker.strategy")


def bind_log_context(**context: Any) -> None:
    """From now on, in this request or task, every line carries this, and nothing of what was bound before."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**context)


def log_context() -> dict[str, Any]:
    return structlog.contextvars.get_contextvars()


def _to_json(line: Any, **_: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()


MARKS: tuple[Any, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper("iso", utc=True),
)
RENDER: tuple[Any, ...] = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_to_json))


class StandardError:
    """Where lines of the log go."""

    def msg(self, line: str) -> None:
        with suppress(OSError):  # a full disk: whoever tells of an error has an answer to give all the same
            sys.stderr.write(line + "\n")

    debug = info = warning = error = msg


class BufferedLog:
    """Lines that a thread of its own writes, those of a moment together.

    To write is to let go of the interpreter, and a busy process gives it to another thread meanwhile: who writes a line
    with every request spends more time waiting for a turn than writing. Measured as CPU of an accepted move in one
    process: with structlog's own line 1.6 to 3.8 % more, with the standard library's QueueHandler 11.6 %.
    """

    MOMENT = 0.05  # seconds

    def __init__(self) -> None:
        self._begin()
        atexit.register(self.write)
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """With nothing: lines that wait when a process is forked are its parent's to write."""
        self.waiting: deque[str] = deque()
        self._there_are_some = Event()
        self._writer: Thread | None = None
        self._lock = Lock()

    def add(self, line: str) -> None:
        self.waiting.append(line)
        if self._writer is None:
            self._start()
        if not self._there_are_some.is_set():
            self._there_are_some.set()

    def _start(self) -> None:
        with self._lock:
            if self._writer is None:
                self._writer = Thread(target=self._write_for_ever, name="log", daemon=True)
                self._writer.start()

    def _write_for_ever(self) -> None:
        while self._there_are_some.wait():
            time.sleep(self.MOMENT)
            self._there_are_some.clear()
            self.write()

    def write(self) -> None:
        """Writes what is waiting, whole lines at once: so they stay whole where several processes write."""
        with self._lock, suppress(OSError):  # a log that cannot be written must not fill the memory instead
            together = ""
            while self.waiting:
                line = self.waiting.popleft() + "\n"
                if together and len((together + line).encode()) > select.PIPE_BUF:
                    sys.stderr.write(together)
                    together = ""
                together += line
            sys.stderr.write(together)


REQUEST_LOG = BufferedLog()


def log_request(**words: Any) -> None:
    """The line that structlog's `log.info("request", ...)` makes, with a fraction of the work: it is written with every
    request."""
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    REQUEST_LOG.add(_to_json({**log_context(), **words, "event": "request", "level": "info", "timestamp": now}))


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
    """The configuration of the standard library's logging, under which granian and Celery log as we do."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": Formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {name: {"level": "DEBUG" if level == "debug" else "WARNING"} for name in TALKATIVE},
    }

"""Serves the API: `python -m runtime.serve app:create_app`. SIGTERM ends it, SIGHUP restarts its processes in turn."""

import logging
import multiprocessing
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import mp as granian_processes
from granian.wsgi import _callback_wrapper as granian_handler

from runtime.config import Config, ConfigError, service_config
from runtime.doors import Connections, Doors, keep_checking, whole_answers
from runtime.logs import library_logging

# A connection costs a file and a few kilobytes; only a request that is being read or answered has a thread.
CONNECTIONS = 4096  # of a process; granian calls it backpressure, and accepts no more
READERS = 512  # threads of a process that may wait for bodies; they come and go with the need for them
STACK_BYTES = 8 << 20  # what Python's threads have elsewhere; Rust's have 2 MB
# For a head, and for the next one: a connection that says nothing for so long is closed. A proxy that keeps connections
# has to close its idle ones earlier, or it sends a request into a closing one.
HEAD_SECONDS = 30
LONGEST_HEAD = 64 * 1024  # bytes
STOP_SECONDS = 15  # for running requests at the end; less than `./waybill up` and compose.yaml wait
START_SECONDS = 60  # for a process that takes the place of another to be ready
OVERLAP_SECONDS = 0.5  # from then to the end of the old one
SPARE_FILES = 256  # of a process, beside its connections

FORK = multiprocessing.get_context("fork")
READY = FORK.Event()  # set by a process that is about to accept connections


def main(target: str) -> None:
    try:
        config = service_config()
    except ConfigError as error:
        sys.exit(str(error))
    multiprocessing.set_start_method("fork")  # what is said here has to hold in the processes
    allow_files(CONNECTIONS + SPARE_FILES)
    os.environ.setdefault("RUST_MIN_STACK", str(STACK_BYTES))
    # Granian has no limit in time for bodies and no hook before its handler; by this name it makes the handler, in each
    # process. tests/runtime/test_serve.py shows that the doors are there.
    setattr(granian_processes, "_wsgi_call_wrap", partial(handler, config, os.getpid()))  # noqa: B010 - mypy knows it is private
    server = Server(
        target,
        factory=True,
        interface=Interfaces.WSGI,
        address=config.host,
        port=config.port,
        http=HTTPModes.http1,  # with "auto" a connection that says nothing has no limit in time
        websockets=False,
        workers=config.api_processes,
        blocking_threads=max(READERS, config.api_threads),
        backpressure=CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=LONGEST_HEAD),
        respawn_failed_workers=True,
        respawn_interval=OVERLAP_SECONDS,
        workers_kill_timeout=STOP_SECONDS,
        log_level=LogLevels(config.log_level),
        log_dictconfig=library_logging(config.log_level),
    )
    # It would warn that there are many threads; most of them only ever wait for bodies.
    logging.getLogger("_granian").addFilter(lambda record: "Python threads" not in record.getMessage())
    server.serve()


class Server(granian_processes.MPServer):
    """Granian, but a process ends only when the one that takes its place is ready: granian waits for a fixed time."""

    def _spawn_worker(self, idx: int, *args: Any, **options: Any) -> Any:
        READY.clear()
        worker: Any = super()._spawn_worker(idx, *args, **options)
        if idx in self.respawned_wrks:
            worker.start = partial(start_and_wait, worker)
        return worker


def start_and_wait(worker: Any) -> None:
    type(worker).start(worker)
    end = time.monotonic() + START_SECONDS
    while worker.is_alive() and time.monotonic() < end and not READY.wait(0.1):
        pass


def handler(config: Config, parent: int, application: Any, *options: Any) -> Doors:
    """Granian's handler behind the doors; called in each process when the application is made."""
    doors = Doors(granian_handler(whole_answers(application), *options), config.api_threads)
    # Behind a proxy all connections come from its address, and to count them is its work.
    most = 0 if config.proxies else config.connections_per_address
    keep_checking(Connections(doors, config.port, most).check, partial(end_without, parent))
    READY.set()
    return doors


def end_without(parent: int) -> None:
    """A process that nobody could stop any more ends by itself."""
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def allow_files(wanted: int) -> None:
    """As many open files as connections need, if the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


if __name__ == "__main__":
    main(*sys.argv[1:])

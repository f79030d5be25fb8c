"""SVG to PNG outside of the process that answers: the renderer would hold up every other request."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from http import HTTPStatus
from threading import Lock, Thread

from api.problems import refuse
from referee.pictures import drawing

SECONDS = 20
KEPT = 64  # pictures in memory

_lock = Lock()
_pool: ProcessPoolExecutor | None = None


@lru_cache(maxsize=KEPT)
def png(svg: str, width: int) -> bytes:
    try:
        return _renderer().submit(drawing.png, svg, width).result(SECONDS)
    except (BrokenProcessPool, TimeoutError):
        _forget()
        detail = "The picture could not be drawn in time."
        refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail, {"Retry-After": "5"})


def _renderer() -> ProcessPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            # Spawned, not forked: this process has threads and database connections.
            _pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_end_with_parent)
        return _pool


def _end_with_parent() -> None:
    """Without this a renderer whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    Thread(target=watch, daemon=True).start()


def _forget() -> None:
    global _pool
    with _lock:
        if _pool is not None:
            _pool.shutdown(wait=False, cancel_futures=True)
        _pool = None

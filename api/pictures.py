"""Pictures, drawn outside of the process that answers: to draw one takes longer than to answer fifty players.

One renderer at low priority for each process, few requests that may wait for it, and what was drawn is kept a while.
"""

import multiprocessing
import os
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from http import HTTPStatus
from threading import BoundedSemaphore, Lock, Thread
from typing import NamedTuple, NoReturn

import msgspec

from api.problems import refuse
from referee.contract import View, canonical
from referee.games import game_of
from referee.log import Header
from referee.pictures import drawing
from referee.table import AnyGame, Table

SECONDS = 20  # for a picture; on a busy machine a renderer gets little of it
MOST_WAITING = 3  # requests of a process; its other threads are for players
KEPT_BYTES = 32 * 1024 * 1024
NICE = 10
KNOWN_GAMES = 64  # of which a renderer keeps the rules

Key = tuple[Hashable, ...]


class Drawn(NamedTuple):
    svg: bytes
    png: bytes | None


class PictureCache:
    """Pictures by what they show, as many as fit; the one not asked for longest goes first."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pictures: OrderedDict[Key, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> bytes | None:
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def put(self, key: Key, picture: bytes) -> None:
        with self._lock:
            self._bytes += len(picture) - len(self._pictures.pop(key, b""))
            self._pictures[key] = picture
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._pictures.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._pictures.clear()
            self._bytes = 0


CACHE = PictureCache()

_places = BoundedSemaphore(MOST_WAITING)
_lock = Lock()
_pool: ProcessPoolExecutor | None = None
_underway: dict[Key, "Future[Drawn]"] = {}


class Cut(NamedTuple):
    """What of a picture is wanted: a part or all of it, and perhaps a quarter of that, larger."""

    part: str = ""
    look: str = ""


def picture(key: Key, table: Table, view: View, cut: Cut, width: int | None = None) -> bytes:
    """The picture of a view, or some of it, as SVG, or with a width as PNG. `key` is all that it depends on."""
    key = (*key, cut)
    found = CACHE.get((*key, width))
    if found is not None:
        return found
    if not _places.acquire(blocking=False):
        _come_again("Many pictures are being drawn now: ask again in a moment.")
    pool = _renderer()
    try:
        drawn = _drawn(pool, key, table, view, cut, width).result(SECONDS)
    except (BrokenProcessPool, CancelledError, TimeoutError):
        _forget(pool)
        _come_again("The picture could not be drawn in time.")
    finally:
        _places.release()
    CACHE.put((*key, None), drawn.svg)
    if drawn.png is None:
        return drawn.svg
    CACHE.put((*key, width), drawn.png)
    return drawn.png


def _come_again(detail: str) -> NoReturn:
    refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail, {"Retry-After": "1"})


def _renderer() -> ProcessPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            # Spawned, not forked: this process has threads and database connections.
            _pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begin)
        return _pool


def _drawn(
    pool: ProcessPoolExecutor, key: Key, table: Table, view: View, cut: Cut, width: int | None
) -> "Future[Drawn]":
    """Who asks for what is being drawn already waits for that."""
    whole = (*key, width)
    with _lock:
        if whole in _underway:
            return _underway[whole]
        svg = CACHE.get((*key, None))
        asked = canonical(table.header), table.game.version, view, cut, svg, width
        try:
            future = _underway[whole] = pool.submit(draw, *asked)
        except RuntimeError as error:  # it has been given up since it was looked for
            raise CancelledError from error
    future.add_done_callback(lambda _: _underway.pop(whole, None))
    return future


def draw(header: bytes, version: str, view: View, cut: Cut, svg: bytes | None, width: int | None) -> Drawn:
    """In the renderer."""
    if svg is None:
        drawn = _rules(header, version).picture(view, cut.part)
        svg = (drawing.closer(drawn, cut.look) if cut.look else drawn).encode()
    return Drawn(svg, drawing.png(svg.decode(), width) if width else None)


@lru_cache(maxsize=KNOWN_GAMES)
def _rules(header: bytes, version: str) -> AnyGame:
    return game_of(msgspec.json.decode(header, type=Header), version)


def _begin() -> None:
    """A renderer gives way to whoever answers, and ends when its parent is gone: nobody else would end it."""
    os.nice(NICE)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    Thread(target=watch, daemon=True).start()


def _forget(pool: ProcessPoolExecutor) -> None:
    """The next picture is drawn by another renderer. One that hangs does not end by itself."""
    global _pool
    with _lock:
        if _pool is not pool:
            return
        _pool = None
        _underway.clear()
        renderers = multiprocessing.active_children()
    pool.shutdown(wait=False, cancel_futures=True)
    for renderer in renderers:
        renderer.kill()

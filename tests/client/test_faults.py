"""Whoever follows a game gets every row once, and whoever plays it plays on, whatever dies meanwhile."""

import contextlib
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from waybill_client import Client, Event, GameState, Move, Options, Row, verify

from runtime.processes import free_port
from tests.commands.test_up import Up, left_over
from tests.waiting import wait_until


def processes(folder: Path, *words: str) -> list[int]:
    """Of the service in this folder, those whose command has all the words."""
    found = (line.partition(" ") for line in left_over(folder))
    return [int(number) for number, _, command in found if all(word in command for word in words)]


def kill(folder: Path, how: signal.Signals, *words: str) -> None:
    (first, *_) = sorted(processes(folder, *words))
    os.kill(first, how)


FAULTS: list[Callable[[Path], None]] = [
    lambda folder: kill(folder, signal.SIGKILL, "runtime.serve_stream"),
    lambda folder: os.kill(int((folder / "postgres/data/postmaster.pid").read_text().split()[0]), signal.SIGINT),
    lambda folder: os.kill(redis_of(folder), signal.SIGKILL),
]


def redis_of(folder: Path) -> int:
    """It is the one that works in the folder and is not ours."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            name = (entry / "comm").read_text()
            if (entry / "cwd").resolve() == folder.resolve() and ("redis" in name or "valkey" in name):
                return int(entry.name)
        except OSError:
            continue
    raise AssertionError("there is no Redis")


def test_every_row_comes_once_while_stream_database_and_redis_die(tmp_path: Path) -> None:
    folder = tmp_path / "waybill"
    up = Up(folder, "--port", str(free_port()), WAYBILL_REQUESTS_PER_MINUTE="1000000")
    try:
        url = up.wait().url
        play_through(url, folder)
    finally:
        up.stop()


def play_through(url: str, folder: Path) -> None:
    faults, rng = iter(FAULTS), random.Random(7)
    with contextlib.ExitStack() as stack:
        me, *watchers = (stack.enter_context(Client(url, tries=12, pause=0.2)) for _ in range(3))
        watchers[1].token = me.sign_up("unlucky").token
        game = me.open_game("airlines-europe", ["me", "bot"]).game
        followed: list[tuple[list[Event], Iterator[Event]]] = [
            ([], watchers[0].follow(game.id, after=-1)),  # a spectator of one game
            ([], watchers[1].follow_all()),
        ]
        threads = [threading.Thread(target=watch, args=one, daemon=True) for one in followed]
        for thread in threads:
            thread.start()
        wait_until(lambda: all(seen for seen, _ in followed), what="the first events")

        def choose(options: Options) -> Move:
            if options.sequence >= 6 and options.sequence % 4 == 0 and (fault := next(faults, None)):
                fault(folder)
            return options.sample(rng)

        over = me.play(game.id, choose)
        assert next(faults, None) is None, "all of them have come"
        for thread, (seen, _) in zip(threads, followed, strict=True):
            thread.join(60)
            assert not thread.is_alive()
            rows = [event.data.number for event in seen if isinstance(event.data, Row)]
            assert rows == list(range(rows[0], over.sequence + 1))
            assert rows[0] <= 1
        assert verify(me.record(game.id)).rows == over.sequence + 1


def watch(seen: list[Event], events: Iterator[Event]) -> None:
    for event in events:
        seen.append(event)
        if isinstance(event.data, GameState) and event.data.status == "over":
            return

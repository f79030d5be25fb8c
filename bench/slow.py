"""Slow clients: how long other people wait while 200 connections say nothing, or half of something, or do not listen.

A real server as `./waybill up` starts it. Other people open a connection for each request: they look at the rulesets,
and one in four signs up. The slow ones come from one address, which a limit holds down, and then from 200, which none
does. What is compared is the p99 with that of the quiet times just before and after, because the machine has other
things to do as well.

  ./waybill bench slow                  about six minutes
  ./waybill bench slow --seconds 5      how long each kind lasts (default 30)
  ./waybill bench slow --only body      one kind
"""

import argparse
import contextlib
import http.client
import itertools
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from bench._slow_clients import CONNECTIONS, SlowClients, kinds
from commands import up
from runtime.config import read_config
from runtime.processes import free_port, wait_or_kill
from runtime.servers import Servers
from store.database import Database
from store.migrate import migrate

LARGE = "/v1/rulesets/spike"
PAUSE_SECONDS = 0.02  # between two requests: people do not keep the machine busy
SETTLE_SECONDS, MOST_SETTLE_SECONDS = 3, 60
QUIET_SHARE = 3  # a quiet time is this part of a slow one
MOST_TIMES = 2.0
ONE_ADDRESS = ["127.0.0.2"]
MANY_ADDRESSES = [f"127.0.1.{last}" for last in range(1, 201)]
NAMES = itertools.count()


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench slow", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seconds", type=float, default=30, help="for each kind of slow client")
    parser.add_argument("--only", default="", help="a kind of slow client, or a part of its name")
    args = parser.parse_args(arguments)
    console = Console()
    grid = Grid("", title=f"p99 of other people's requests beside {CONNECTIONS} slow connections")
    for column in ("from", "requests", "quiet ms", "slow ms", "times"):
        grid.add_column(column, justify="right")
    worst = 0.0
    with api() as port:
        chosen = [kind for kind in kinds(LARGE) if args.only in kind.name]
        cases = list(itertools.product(chosen, (ONE_ADDRESS, MANY_ADDRESSES)))
        list(ask(port, 3))  # until every process is warm
        for kind, addresses in track(cases, description="measuring", console=console):
            quiet = list(ask(port, args.seconds / QUIET_SHARE))
            with SlowClients(port, kind, addresses):
                settle(port, statistics.median(quiet))
                slow = list(ask(port, args.seconds))
            quiet += ask(port, args.seconds / QUIET_SHARE)
            times = p99(slow) / p99(quiet)
            worst = max(worst, times)
            whence = "1 address" if len(addresses) == 1 else f"{len(addresses)} addresses"
            figures = (f"{len(slow):,}", f"{p99(quiet):.1f}", f"{p99(slow):.1f}", f"{times:.2f}")
            grid.add_row(kind.name, whence, *figures)
    console.print(grid)
    console.print(f"at worst {worst:.2f} times the quiet p99 (goal: at most {MOST_TIMES})", highlight=False)
    return 0 if worst <= MOST_TIMES else 1


@contextlib.contextmanager
def api() -> Iterator[int]:
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        migrate(Database(addresses.database_url))
        os.environ["WAYBILL_REQUESTS_PER_MINUTE"] = str(10**9)  # the settings are for the child as well
        found = {**os.environ, "DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
        config = read_config(found).replace(port=free_port(), folder=Path(folder))
        up.forget_metrics(config)
        process = up.start("api", up.commands(config)["api"], config)
        try:
            up.wait_for(f"http://127.0.0.1:{config.port}", {"api": process}, config)
            yield config.port
        finally:
            process.terminate()
            wait_or_kill(process)


def ask(port: int, seconds: float) -> Iterator[float]:
    """One request after another, each on a connection of its own: the milliseconds that each took."""
    end = time.perf_counter() + seconds
    while (started := time.perf_counter()) < end:
        number = next(NAMES)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        if number % 4:
            connection.request("GET", "/v1/rulesets")
        else:
            body = json.dumps({"name": f"player {number}"})
            connection.request("POST", "/v1/players", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status not in (200, 201):
            raise RuntimeError(f"a request was answered {answer.status}")
        yield (time.perf_counter() - started) * 1000
        time.sleep(PAUSE_SECONDS)


def settle(port: int, quiet: float) -> None:
    """Until the first rush is over: that 200 connections come at once, with requests that cost something, is for the
    rate limits, which are off here; what counts is what the connections hold from then on."""
    end = time.perf_counter() + MOST_SETTLE_SECONDS
    while statistics.median(ask(port, SETTLE_SECONDS)) > MOST_TIMES * quiet and time.perf_counter() < end:
        pass


def p99(latencies: list[float]) -> float:
    return statistics.quantiles(latencies, n=100)[98]

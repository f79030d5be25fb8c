"""Many games at once over HTTP, with clocks and notices on: what is played, how soon it is told, and what grows.

A service as `./waybill up` starts it, with fsync on, and players who look, think of any legal move and send it, all on
this machine: so they take their share of it. The five games go round; some turns are left to the clock, some messages
are written, and one player in three has an address, to which letters go.

  ./waybill bench load                       three minutes
  ./waybill bench load --minutes 10
  ./waybill bench load --games 50            so many games at once (default 200)
"""

import argparse
import contextlib
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import redis
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from bench.service import quantile
from commands import up
from commands._chaos_house import family
from commands._chaos_players import Driver, Ledger
from referee.games import all_games
from referee.structs import preload_decoders
from runtime.config import Config, read_config
from runtime.processes import free_port, wait_or_kill
from runtime.servers import Servers
from store.database import Database
from store.migrate import migrate
from workers import presence
from workers.app import configure

DRIVERS = 10
WARM_UP_SECONDS = 15.0  # until every game is open and every process has read every board
SHOWN = ("p50", "p99")
MOST_NOTICE_SECONDS = 5.0  # p99 from commit to notice
MOST_GROWTH = 1.5  # of a process's memory, from the end of the warm-up to the end

NOTICES = (
    "select extract(epoch from created_at - happened_at)::float8 from notices"
    " where created_at > to_timestamp(%s) order by id"
)
REVEALS = (
    "select game_id, sequence, extract(epoch from created_at)::float8, payload from log"
    ' where created_at > to_timestamp(%s) and payload like \'%%"commitment":"_%%\''
)


class Sample(msgspec.Struct, frozen=True):
    """What waits at one moment."""

    outbox: int
    deliveries: int
    queue: int


class Parts:
    """The service, and what its processes are."""

    def __init__(self, config: Config, servers: Servers) -> None:
        self.config = config
        self.db = Database.of(config)
        migrate(self.db)
        configure(config)
        up.forget_metrics(config)
        os.environ["WAYBILL_FOLDER"] = str(config.folder)
        os.environ["WAYBILL_REQUESTS_PER_MINUTE"] = str(10**9)
        self.processes = {name: up.start(name, command, config) for name, command in up.commands(config).items()}
        self.roots = {name: process.pid for name, process in (*self.processes.items(), *servers.parts.items())}
        up.wait_for(f"http://127.0.0.1:{config.port}", self.processes, config)
        self.redis = redis.Redis.from_url(config.redis_url)

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            wait_or_kill(process)
        self.db.close()

    def sample(self) -> Sample:
        with self.db.session() as session:
            outbox, deliveries = session.rows(
                "select (select count(*) from outbox), (select count(*) from deliveries where state = 'waiting')"
            )[0]
        return Sample(outbox, deliveries, presence.read(self.redis).queues["celery"])

    def memory(self) -> dict[str, float]:
        """Megabytes by part: what the processes of each have for themselves, of what they share their part."""
        return {name: sum(map(proportional, family(pid))) for name, pid in self.roots.items()}


def proportional(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench load", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--minutes", type=float, default=3.0, help="after the warm-up")
    parser.add_argument("--games", type=int, default=200, help="at the same time")
    args = parser.parse_args(arguments)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="waybill-load-") as folder, contextlib.ExitStack() as stack:
        servers = Servers(Path(folder) / "servers")
        addresses = stack.enter_context(servers)
        config = read_config({"DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url})
        parts = Parts(config.replace(port=free_port(), folder=Path(folder)), servers)
        stack.callback(parts.stop)
        preload_decoders()
        ledger = Ledger()
        drivers = list(players(parts, ledger, args.games))
        for driver in drivers:
            driver.start()
        wait_for_games(ledger, args.games)
        time.sleep(WARM_UP_SECONDS)
        began, moves, memory, samples = time.time(), len(ledger.accepted), parts.memory(), []
        for _ in track(range(int(args.minutes * 60)), description="playing", console=console):
            samples.append(parts.sample())
            time.sleep(1)
        seconds, moves, at_the_end = time.time() - began, len(ledger.accepted) - moves, parts.memory()
        for driver in drivers:
            driver.stopping.set()
        for driver in drivers:
            driver.join(60)
        failed = [str(driver.failure) for driver in drivers if driver.failure]
        return report(console, parts, ledger, began, seconds, moves, samples, memory, at_the_end, failed)


def players(parts: Parts, ledger: Ledger, number: int) -> Iterator[Driver]:
    rulesets = sorted(all_games())
    url = f"http://127.0.0.1:{parts.config.port}"
    for driver in range(DRIVERS):
        mine = range(driver, number, DRIVERS)
        games = [rulesets[game // DRIVERS % len(rulesets)] for game in mine]
        yield Driver(driver, 1, url, parts.db, ledger, games, addresses=1)


def wait_for_games(ledger: Ledger, number: int) -> None:
    while len(ledger.clocks) < number and threading.active_count() > 1:
        time.sleep(0.1)


def report(
    console: Console,
    parts: Parts,
    ledger: Ledger,
    began: float,
    seconds: float,
    moves: int,
    samples: list[Sample],
    memory: dict[str, float],
    at_the_end: dict[str, float],
    failed: list[str],
) -> int:
    with parts.db.session() as session:
        told = [waited for (waited,) in session.rows(NOTICES, began)]
        rows = session.rows(REVEALS, began)
    revealed = [
        max(0.0, written_at - ledger.sealed_at[game_id, sequence])
        for game_id, sequence, written_at, payload in rows
        if (game_id, sequence) in ledger.sealed_at and '"by":"clock"' not in payload and '"by":"bot"' not in payload
    ]
    grid = Grid("", title=f"{len(ledger.clocks):,} games in {seconds:.0f} s")
    for column in ("number", "a second", "p50 s", "p99 s"):
        grid.add_column(column, justify="right")
    grid.add_row("orders accepted", f"{moves:,}", f"{moves / seconds:,.0f}", "", "")
    for name, waits in (("last sealed order to reveal", revealed), ("commit to notice", told)):
        figures = [f"{quantile(waits, share) / 1000:.2f}" for share in (50, 99)] if len(waits) > 1 else ["", ""]
        grid.add_row(name, f"{len(waits):,}", f"{len(waits) / seconds:,.1f}", *figures)
    console.print(grid)
    backlog = Grid("what waits", title="")
    for column in ("median", "most", "at the end"):
        backlog.add_column(column, justify="right")
    for name in Sample.__struct_fields__:
        values = [getattr(sample, name) for sample in samples]
        backlog.add_row(name, f"{statistics.median(values):,.0f}", f"{max(values):,}", f"{values[-1]:,}")
    console.print(backlog)
    used = Grid("memory, MB", title="")
    for column in ("at the start", "at the end"):
        used.add_column(column, justify="right")
    for name, before in memory.items():
        used.add_row(name, f"{before:,.0f}", f"{at_the_end[name]:,.0f}")
    console.print(used)
    for sentence in failed:
        console.print(sentence, highlight=False, markup=False)
    late = bool(told) and quantile(told, 99) / 1000 > MOST_NOTICE_SECONDS
    grown = [name for name, before in memory.items() if at_the_end[name] > before * MOST_GROWTH and name != "postgres"]
    console.print("all goals met" if not (late or grown or failed) else f"not all goals met: {late=}, {grown=}")
    return 1 if late or grown or failed else 0

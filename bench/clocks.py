"""What a clock costs: CPU of an accepted move without one, with a number of seconds, and with a clock of many parts.

The application in this process, a private Postgres and Redis. Games of each kind take turns, a few moves each, so that
what else the machine does falls on all alike. Counted is the CPU of this process, all its threads, and of its
connection's process in Postgres.

  ./waybill bench clocks                 a minute or so
  ./waybill bench clocks --rounds 300    longer (default 100)
"""

import argparse
import io
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from app import create_app
from referee.options import sample
from runtime.config import read_config
from runtime.servers import Servers
from service import phases, positions
from store.database import Database
from store.migrate import migrate

RULESET = "airlines-europe"
SEATS = 3
GAMES = 4  # of each kind, at a time
MOVES = 5  # in a row, in one game
LONGEST = 120  # rows, then another game is begun: games of each kind are about as far
MOST = 1.03  # times the CPU of a move without a clock
CLOCKS: dict[str, Any] = {
    "none": None,
    "86400 (a number)": 86400,
    "daily": "daily",
    "live (a bank)": "live",
    "hours, a zone, grace": {"time": 86400, "hours": ["09:00", "22:00"], "zone": "Europe/Vienna", "grace": 3600},
}


class Spent(msgspec.Struct, frozen=True):
    """Seconds of CPU."""

    python: float
    postgres: float

    @property
    def total(self) -> float:
        return self.python + self.postgres


class Bench:
    """The application, called as a server would call it."""

    def __init__(self, app: Flask, db: Database, backend: int) -> None:
        self.app, self.db, self.backend = app, db, backend
        self.rng = random.Random(1)
        self.people = [self.ask("POST", "/v1/players", body={"name": f"bench {n}"})["token"] for n in range(SEATS)]

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        found: list[str] = []
        environ = self.environ(method, path, token, json.dumps(body or {}).encode(), "")
        answer = b"".join(self.app.wsgi_app(environ, lambda status, headers, *_: found.append(status)))  # type: ignore[arg-type]
        if not found[0].startswith("2"):
            raise RuntimeError(f"{method} {path}: {found[0]} {answer!r}")
        return json.loads(answer)

    def environ(self, method: str, path: str, token: str, body: bytes, key: str) -> dict[str, Any]:
        found = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "bench",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_AUTHORIZATION": f"Bearer {token}",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            "wsgi.version": (1, 0),
        }
        if not token:
            del found["HTTP_AUTHORIZATION"]
        if key:
            found["HTTP_IDEMPOTENCY_KEY"] = key
        return found

    def open(self, clock: Any) -> str:
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        body = {"ruleset": RULESET, "seats": seats, **({} if clock is None else {"clock": clock})}
        game_id: str = self.ask("POST", "/v1/games", self.people[0], body)["game"]["id"]
        for token in self.people[1:]:
            self.ask("POST", f"/v1/games/{game_id}/seats", token)
        return game_id

    def play(self, game_id: str, number: int) -> Iterator[Spent]:
        """Plays some moves: what each has cost. None are left when the game is over, or long enough."""
        for _ in range(number):
            table, status = positions.load(self.db, game_id)
            if table.sealed_phase() and not table.missing():
                phases.resolve(self.db, game_id, table.sequence + 1)
                table, status = positions.load(self.db, game_id)
            if status != "running" or table.sequence >= LONGEST:
                return
            seat = table.acting()[0]
            is_sealed = table.sealed_phase() is not None
            move = msgspec.to_builtins(sample(table.offers(seat), self.rng))
            body = json.dumps({"moves": [move]}).encode()
            path = f"/v1/games/{game_id}/moves"
            environ = self.environ("POST", path, self.people[seat], body, os.urandom(8).hex())
            statuses: list[str] = []
            python, postgres = time.process_time(), used(self.backend)
            b"".join(self.app.wsgi_app(environ, lambda status, headers, *_, said=statuses: said.append(status)))
            spent = Spent(time.process_time() - python, used(self.backend) - postgres)
            if not statuses[0].startswith("20"):
                raise RuntimeError(f"a move was answered {statuses[0]}")
            if not is_sealed:
                yield spent


def used(pid: int) -> float:
    """Seconds of CPU of a process."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench clocks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=100, help="in which games of each kind take their turns")
    parser.add_argument("--only", action="append", help="this clock alone; may be given again")
    args = parser.parse_args(arguments)
    console = Console()
    os.environ |= {"WAYBILL_REQUESTS_PER_MINUTE": str(10**9), "WAYBILL_LOG_LEVEL": "warning"}
    clocks = {name: clock for name, clock in CLOCKS.items() if not args.only or name in args.only}
    spent: dict[str, list[Spent]] = {name: [] for name in clocks}
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        settings = {**os.environ, "DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
        config = read_config(settings).replace(folder=Path(folder), pool_size=1)
        migrate(Database(addresses.database_url))
        app = create_app(config)
        db: Database = app.extensions["database"]
        with db.session() as session:
            backend = session.raw.get_backend_pid()
        bench = Bench(app, db, backend)
        games = {name: [bench.open(clock) for _ in range(GAMES)] for name, clock in clocks.items()}
        for _ in track(range(args.rounds), description="moves", console=console):
            for name, clock in clocks.items():
                for place, game_id in enumerate(games[name]):
                    costs = list(bench.play(game_id, MOVES))
                    spent[name] += costs
                    if not costs:
                        games[name][place] = bench.open(clock)
    return report(console, spent)


def report(console: Console, spent: dict[str, list[Spent]]) -> int:
    # Without the dearest tenth: what else has fallen upon a move is not the clock's doing.
    grid = Grid("clock", title="CPU of an accepted move")
    for column in ("moves", "here, µs", "Postgres, µs", "together, µs", "against none"):
        grid.add_column(column, justify="right")
    totals = {name: mean([each.total for each in costs]) for name, costs in spent.items()}
    base = totals.get("none", next(iter(totals.values())))
    for name, costs in spent.items():
        parts = [mean([each.python for each in costs]), mean([each.postgres for each in costs]), totals[name]]
        figures = [f"{part * 1e6:,.0f}" for part in parts]
        grid.add_row(name, f"{len(costs):,}", *figures, f"{totals[name] / base:.3f}")
    console.print(grid)
    worst = max(total / base for total in totals.values())
    console.print("goal met" if worst <= MOST else f"goal missed: {worst:.3f} times, {MOST} is the most")
    return 0 if worst <= MOST else 1


def mean(values: list[float]) -> float:
    return statistics.fmean(sorted(values)[: max(1, len(values) * 9 // 10)])

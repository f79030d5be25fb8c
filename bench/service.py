"""The service: accepted moves a second over HTTP, beside bare routes of the same server.

A real gunicorn, a real Postgres with fsync on, 16 connections on independent games, everything on this machine. The
parts of a run are measured in turns, several times over, because the machine has other things to do as well.

  ./waybill bench service                  about two minutes
  ./waybill bench service --games 100000   with so many games in the database for the comparison (default 100,000)
  ./waybill bench service --seconds 3      how long each part runs each time
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table as Printed

from bench._server import BARE_TABLES, PAYLOAD
from referee.options import Move, sample
from referee.table import Table
from store import games, moves, players
from store.config import read_config
from store.database import Database
from store.migrate import migrate
from store.servers import Servers, free_port

ROOT = Path(__file__).resolve().parent.parent
CONNECTIONS = 16
ROUNDS = 4
FEW_GAMES = 100
ENDS = 20  # moves at the beginning and at the end of a game that are compared

Request = bytes


class Result:
    """Latencies in seconds, and how long it all took."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.seconds = 0.0

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds if self.seconds else 0.0

    def percentile(self, share: int) -> float:
        return statistics.quantiles(self.latencies, n=100)[share - 1] * 1000


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench service", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        db = Database(addresses.database_url, size=4)
        migrate(db)
        with db.session() as session:
            session.run(BARE_TABLES)
            for number in range(CONNECTIONS):
                session.run("insert into bare_games values (%s, 0, %s)", number, PAYLOAD)
        port = free_port()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
            "WAYBILL_REQUESTS_PER_MINUTE": "1000000000",
            "WAYBILL_LOG_LEVEL": "warning",
        }
        config = read_config(environment)
        command = ["gunicorn", "bench._server:create_app()", "--worker-class", "gthread", "--bind", f"127.0.0.1:{port}"]
        command += ["--workers", str(config.api_processes), "--threads", str(config.api_threads)]
        command += ["--log-level", "warning", "--no-control-socket", "--keep-alive", "30"]
        server = subprocess.Popen([sys.executable, "-P", "-m", *command], cwd=ROOT, env=environment)
        try:
            wait_for(port)
            return compare(db, port, args)
        finally:
            server.terminate()
            server.wait(30)
            db.close()


def wait_for(port: int) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1)
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server does not start")


def compare(db: Database, port: int, args: argparse.Namespace) -> int:
    console = Console()
    player_tokens = make_players(db)
    fill(db, FEW_GAMES, player_tokens)
    names = ("empty route", "separate statements", "one call", "a move", "a turn of five moves")
    few: dict[str, Result] = {name: Result() for name in names}
    first, last = Result(), Result()
    for _ in track(range(ROUNDS), description=f"with {FEW_GAMES} games", console=console):
        measure_all(db, port, args.seconds, player_tokens, few, first, last)
    spent = where_time_goes(port)
    fill(db, args.games, player_tokens)
    many: dict[str, Result] = {name: Result() for name in names}
    for _ in track(range(ROUNDS), description=f"with {args.games:,} games", console=console):
        measure_all(db, port, args.seconds, player_tokens, many, Result(), Result())
    return report(console, few, many, first, last, spent, args.games)


def measure_all(
    db: Database,
    port: int,
    seconds: float,
    tokens: list[str],
    results: dict[str, Result],
    first: Result,
    last: Result,
) -> None:
    def bare(method: str, path: str) -> list[Iterator[Request]]:
        return [itertools.repeat(request(method, path.format(number), "", b"")) for number in range(CONNECTIONS)]

    load(port, bare("GET", "/bench/empty"), seconds, results["empty route"])
    load(port, bare("POST", "/bench/separate/{}"), seconds, results["separate statements"])
    load(port, bare("POST", "/bench/function/{}"), seconds, results["one call"])
    scripts = [script_of_game(db, tokens) for _ in range(CONNECTIONS * 4)]
    shortest = min(map(len, scripts))
    start, end = Result(), Result()
    load(port, [iter(one[:ENDS]) for one in scripts[:CONNECTIONS]], 60, start)
    middle = chained(scripts, lambda one, place: one[(ENDS if place == 0 else 0) : shortest - ENDS])
    load(port, middle, 60, results["a move"])
    load(port, [iter(one[shortest - ENDS : shortest]) for one in scripts[:CONNECTIONS]], 60, end)
    first.latencies += start.latencies
    first.seconds += start.seconds
    last.latencies += end.latencies
    last.seconds += end.seconds
    turns = [script_of_turns(db, tokens) for _ in range(CONNECTIONS)]
    load(port, [iter(one) for one in turns], 60, results["a turn of five moves"])


def chained(
    scripts: list[list[Request]], part: Callable[[list[Request], int], list[Request]]
) -> list[Iterator[Request]]:
    """Each connection plays its games one after another."""
    columns = [scripts[number::CONNECTIONS] for number in range(CONNECTIONS)]
    return [itertools.chain.from_iterable(part(one, place) for place, one in enumerate(column)) for column in columns]


def request(method: str, path: str, token: str, body: bytes) -> Request:
    head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nContent-Length: {len(body)}\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n" if token else ""
    return head.encode() + b"\r\n" + body


def load(port: int, scripts: list[Iterator[Request]], seconds: float, result: Result) -> None:
    """Sends each connection's requests one after another until they end or the time is over."""
    started = time.perf_counter()
    asyncio.run(_load(port, scripts, started + seconds, result))
    result.seconds += time.perf_counter() - started


async def _load(port: int, scripts: list[Iterator[Request]], end: float, result: Result) -> None:
    await asyncio.gather(*(_connection(port, script, end, result) for script in scripts))


async def _connection(port: int, script: Iterator[Request], end: float, result: Result) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for one in script:
        sent = time.perf_counter()
        if sent > end:
            break
        writer.write(one)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        body = await reader.readexactly(length)
        if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise RuntimeError(f"{one!r} was answered by {head!r}{body!r}")
        result.latencies.append(time.perf_counter() - sent)
    writer.close()


def make_players(db: Database) -> list[str]:
    tokens = []
    with db.transaction() as transaction:
        for number in range(4):
            player = players.create(transaction, f"bench {number}")
            tokens.append(players.issue_token(transaction, player.id)[0])
    return tokens


def open_game(db: Database, tokens: list[str], ruleset: str, people: int) -> tuple[str, Table]:
    with db.transaction() as transaction:
        at_table = [players.by_token(transaction, token) for token in tokens[:people]]
        host = at_table[0]
        assert host
        seats = [games.NewSeat("me"), *[games.NewSeat("open")] * (people - 1)]
        game_id = games.create(transaction, host, ruleset, seats).game.id
        for player in at_table[1:]:
            assert player
            games.join(transaction, game_id, player)
    table, _ = moves.load(db, game_id)
    while table.sealed_phase():
        for seat in table.missing():
            moves.submit(db, game_id, seat, [table.default(seat)])
        moves.resolve(db, game_id)
        table, _ = moves.load(db, game_id)
    return game_id, table


def script_of_game(db: Database, tokens: list[str]) -> list[Request]:
    """A whole game as requests: what random players would send, found out beforehand on a table of our own."""
    game_id, table = open_game(db, tokens, "airlines-europe", 4)
    rng, requests = random.Random(game_id), list[Request]()
    while not table.is_over:
        seat = table.decisions()[0].seat
        order = table.submit(seat, [sample(table.offers(seat), rng)]).readings[0]
        body = json.dumps({"orders": order}).encode()
        requests.append(request("POST", f"/v1/games/{game_id}/moves", tokens[seat], body))
    return requests


def script_of_turns(db: Database, tokens: list[str], turns: int = 40) -> list[Request]:
    """Turns of five moves in one submission: Airline (1975) has them, two offers made and withdrawn, and the throw."""
    game_id, table = open_game(db, tokens, "airline-1975", 2)
    requests = list[Request]()
    while not table.is_over and len(requests) < turns:
        seat = table.decisions()[0].seat
        orders = turn_of_five(table, seat)
        if orders:
            body = json.dumps({"moves": orders}).encode()
            requests.append(request("POST", f"/v1/games/{game_id}/moves", tokens[seat], body))
            table.submit(seat, orders)
        elif requests:
            return requests
        else:
            order = buying(table, seat)
            table.submit(seat, [order])
            moves.submit(db, game_id, seat, [order])
    return requests


def buying(table: Table, seat: int) -> Move:
    """Until somebody has a city to deal in."""
    return next((next(one.moves()) for one in table.offers(seat) if one.move.__name__ == "Buy"), table.default(seat))


def turn_of_five(table: Table, seat: int) -> list[dict[str, object]]:
    offers = [one for one in table.offers(seat) if one.move.__name__ == "Offer"]
    if not offers or table.position.phase != "departure":
        return []
    offer = msgspec.to_builtins(next(offers[0].moves()))
    number = table.position.deals_made
    return [
        offer,
        {"type": "withdraw", "deal": number + 1},
        offer,
        {"type": "withdraw", "deal": number + 2},
        {"type": "throw"},
    ]


def fill(db: Database, number: int, tokens: list[str]) -> None:
    """So many games in the database, copies of one, with their seats and the first rows of their logs."""
    game_id, _ = open_game(db, tokens, "airlines-europe", 4)
    with db.session() as session:
        there = session.value("select count(*) from games")
        columns = session.value(
            "select string_agg(quote_ident(column_name), ', ') from information_schema.columns"
            " where table_name = 'games' and column_name <> 'id'"
        )
        session.run("set statement_timeout = 0")
        for table, key, rest in (
            ("games", "id", columns),
            ("seats", "game_id", "seat, player_id, name"),
            ("log", "game_id", "sequence, payload, previous, hash"),
        ):
            session.run(
                f"insert into {table} ({key}, {rest}) select 'copy' || n, {rest}"
                f" from {table}, generate_series({there}, {number}) as n where {key} = %s",
                game_id,
            )
        session.run("update games set wake_at = null, due_at = null where id like 'copy%%'")
        session.run("analyze")


def where_time_goes(port: int) -> dict[str, float]:
    """Asked of every process of the server, by asking often; a process answers for itself."""
    seen: dict[float, dict[str, float]] = {}
    for _ in range(40):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/bench/spent") as answer:
            one = json.load(answer)
        seen[one["requests"]] = one
    return {part: sum(one[part] for one in seen.values()) for part in next(iter(seen.values()))}


def report(
    console: Console,
    few: dict[str, Result],
    many: dict[str, Result],
    first: Result,
    last: Result,
    spent: dict[str, float],
    number: int,
) -> int:
    printed = Printed(title=f"{CONNECTIONS} connections, fsync on")
    printed.add_column("")
    for games_there in (FEW_GAMES, number):
        for column in (f"a second, {games_there:,} games", "p50 ms", "p99 ms"):
            printed.add_column(column, justify="right")
    for name, one in few.items():
        cells = []
        for result in (one, many[name]):
            cells += [f"{result.rate:,.0f}", f"{result.percentile(50):,.2f}", f"{result.percentile(99):,.2f}"]
        printed.add_row(name, *cells)
    console.print(printed)
    five = 5 * few["a turn of five moves"].rate
    goals = (
        ("a move against one call", few["a move"].rate / few["one call"].rate, 0.6, "at least"),
        ("moves a second in turns of five", five, 2500, "at least"),
        (f"{FEW_GAMES} games against {number:,}", few["a move"].rate / many["a move"].rate, 1.2, "at most"),
        ("the last moves of a game against the first", last.percentile(50) / first.percentile(50), 1.2, "at most"),
    )
    missed = 0
    for name, figure, goal, sense in goals:
        met = figure >= goal if sense == "at least" else figure <= goal
        missed += not met
        console.print(f"{name}: {figure:,.2f} (goal: {sense} {goal:,}){'' if met else '  missed'}")
    whole = spent["whole"]
    parts = {part: spent[part] for part in ("Postgres", "engine", "marshmallow")}
    parts["the rest of the view"] = max(0.0, whole - sum(parts.values()))
    shares = ", ".join(f"{part} {seconds / whole:.0%}" for part, seconds in parts.items())
    console.print(f"time in the view of a move: {whole / spent['requests'] * 1000:.2f} ms each; {shares}")
    return 1 if missed else 0

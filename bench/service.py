"""The service: accepted moves a second over HTTP, beside bare routes of the same server.

A real granian as `./waybill up` starts it, a real Postgres with fsync on, 16 connections on independent games, as many
with each process of the API, all on this machine. The parts are measured in turns, in several rounds, because the
machine has other things to do as well: what is compared is compared within a round, and the median of rounds counts.

  ./waybill bench service                  about two minutes
  ./waybill bench service --games 10000    so many games in the larger database (default 100,000)
  ./waybill bench service --seconds 1      how long each part of a round takes (default 1.5)
"""

import argparse
import contextlib
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from bench._load import Connection, Request, drive, request
from bench._server import BARE_TABLES, PARTS
from commands import up
from referee.options import sample
from referee.table import Table
from runtime.config import Config, read_config
from runtime.processes import free_port, wait_or_kill
from runtime.servers import Addresses, Servers
from service import games, moves, phases, players, positions
from service.games import NewGame, NewSeat
from service.seats import join
from store.database import Database
from store.migrate import migrate

CONNECTIONS = 16
ROUNDS = 6
WARM_UP_SECONDS = 1.5  # until every process has read the boards and every connection has planned its queries
FEW_GAMES = 100
LATE_GAMES, TURN_GAMES = 2000, 20000  # enough for the connections never to run out of them; a row of turns is short
ENDS = 20  # moves at the beginning and at the end of a game that are compared
LEAST_SHARE_OF_ONE_CALL = 0.6
LEAST_MOVES_IN_TURNS = 2500
MOST_RATIO = 1.2
IDLE_SECONDS = 15  # less than the server keeps a silent connection, with room for a part of a round
SEALED_GAMES = 100  # revealed one after another, and as many by four clients at a time
REVEAL_SECONDS = 30
POLL_SECONDS = 0.0005

Script = list[tuple[int, Any]]  # seats and what each submits
EMPTY, SEPARATE, ONE_CALL = "empty route", "separate statements", "one call"
MOVE, TURN, FEW, FIRST, LAST = "a move", "a turn of five moves", "a move, few games", "first moves", "last moves"


class Result(msgspec.Struct):
    """One part: the rate in each round, all latencies, and the CPU seconds of the API and of Postgres."""

    rates: list[float] = []
    latencies: list[float] = []
    api: float = 0.0
    postgres: float = 0.0

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    def percentile(self, share: int) -> float:
        """Milliseconds."""
        return quantile(self.latencies, share)

    def each(self, seconds: float) -> float:
        """Milliseconds."""
        return seconds / len(self.latencies) * 1000

    def against(self, other: "Result") -> float:
        """How many times as fast."""
        return statistics.median(mine / theirs for mine, theirs in zip(self.rates, other.rates, strict=True))

    def cheaper_than(self, other: "Result") -> float:
        """How many times as little CPU time it takes: what a machine that does nothing else would come to."""
        return other.each(other.api + other.postgres) / self.each(self.api + self.postgres)


def quantile(latencies: list[float], share: int) -> float:
    """Milliseconds."""
    return statistics.quantiles(latencies, n=100)[share - 1] * 1000


class Server:
    """A granian on a database of its own, and a worker."""

    def __init__(self, config: Config) -> None:
        self.port, self.processes = config.port, config.api_processes
        self.log = config.folder / "api.log"
        self._connections: list[Connection] = []
        self._used = 0.0
        up.forget_metrics(config)
        commands = up.commands(config)
        command = [part.replace("app:", "bench._server:") for part in commands["api"]]
        self.process = up.start("api", command, config)
        self.worker = up.start("worker", commands["worker"], config)
        up.wait_for(f"http://127.0.0.1:{self.port}", {"api": self.process, "worker": self.worker}, config)

    @property
    def connections(self) -> list[Connection]:
        """The same as before, unless they have been idle for so long that the server may have closed them."""
        now = time.monotonic()
        if now - self._used > IDLE_SECONDS:
            self._connections = spread(self.port, self.processes)
        self._used = now
        return self._connections

    def complaints(self) -> str:
        """The end of its log, without the requests."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join([line for line in lines if '"event":"request"' not in line][-20:])

    def stop(self) -> None:
        for process in (self.worker, self.process):
            process.terminate()
        for process in (self.worker, self.process):
            wait_or_kill(process)


def spread(port: int, processes: int) -> list[Connection]:
    """As many connections with each process as with the others.

    Which process takes a connection is chance, and one that is still starting takes none: left to that, one process may
    well have to do the work of all, and what is measured is how the connections happened to fall.
    """
    by_process: dict[bytes, list[Connection]] = {}
    for _ in range(100 * CONNECTIONS):
        connection = Connection(port)
        drive([connection], [iter([request("GET", "/bench/process")])], 0)
        by_process.setdefault(connection.body, []).append(connection)
        if len(by_process) == processes and min(map(len, by_process.values())) >= CONNECTIONS / processes:
            rows = itertools.zip_longest(*by_process.values())
            return [connection for row in rows for connection in row if connection][:CONNECTIONS]
    raise RuntimeError(f"the connections do not spread over {processes} processes")


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench service", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=100_000, help="in the larger database")
    parser.add_argument("--seconds", type=float, default=1.5, help="for each part of a round")
    args = parser.parse_args(arguments)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, contextlib.ExitStack() as stack:
        servers = Servers(Path(folder))
        addresses = stack.enter_context(servers)
        stages = []
        for name, number in (("few", FEW_GAMES), ("many", args.games)):
            console.print(f"making a database of {number:,} games")
            stage = Stage(addresses, name)
            stage.fill(number)
            server = Server(stage.config(addresses, Path(folder)))
            stack.callback(server.stop)
            stages.append((stage, server))
        postmaster = servers.parts["postgres"].pid
        try:
            few, many = stages
            results = measure(console, few, many, postmaster, args)
            for clients in (1, 4):
                seconds = reveals(*many, clients)
                shown = ", ".join(f"p{share} {quantile(seconds, share):.1f} ms" for share in (50, 99))
                console.print(f"sealed: last order to reveal, clients at a time: {clients}: {shown}", highlight=False)
        except (OSError, RuntimeError) as error:
            complaints = "\n".join(server.complaints() for _, server in stages)
            print(f"The measurement was cut short: {error}\nThe servers logged:\n{complaints}", file=sys.stderr)
            return 1
        return report(console, results, args.games)


class Stage:
    """A database full of games that are all alike: copies of one, so that one script can be played in each of them."""

    def __init__(self, addresses: Addresses, name: str) -> None:
        self.name = name
        self.url = addresses.database_url.replace("/waybill?", f"/{name}?")
        with contextlib.closing(Database(addresses.superuser_url)) as cluster, cluster.session() as session:
            session.run(f"create database {name} owner waybill")
        self.db = Database(self.url)
        self.superuser = Database(addresses.superuser_url.replace("/postgres?", f"/{name}?"), statement_timeout=600)
        migrate(self.db)
        with self.db.session() as session:
            session.run(BARE_TABLES)
        self.tokens = self.make_players()

    def config(self, addresses: Addresses, folder: Path) -> Config:
        # The settings are for the child as well.
        os.environ["WAYBILL_REQUESTS_PER_MINUTE"] = str(10**9)
        # A queue for each: the worker of one must not take what is meant for the other's.
        redis_url = addresses.redis_url.rpartition("/")[0] + ("/1" if self.name == "many" else "/0")
        config = read_config({**os.environ, "DATABASE_URL": self.url, "REDIS_URL": redis_url})
        return config.replace(port=free_port(), folder=folder / self.name)

    def make_players(self) -> list[str]:
        with self.db.transaction() as transaction:
            made = [players.create(transaction, f"bench {number}") for number in range(4)]
            return [players.issue_token(transaction, player.id).secret for player in made]

    def open_game(self, ruleset: str, seats: int) -> tuple[str, Table]:
        """A game after its sealed opening."""
        game_id = self.new_game(ruleset, seats)
        table, _ = positions.load(self.db, game_id)
        while table.sealed_phase():
            for seat in table.missing():
                moves.submit(self.db, game_id, seat, [table.default(seat)])
            phases.resolve(self.db, game_id)
            table, _ = positions.load(self.db, game_id)
        return game_id, table

    def nearly_revealed(self) -> tuple[str, Request]:
        """A game in which one sealed order is missing, and this order."""
        game_id = self.new_game("airlines-europe", 4)
        table, _ = positions.load(self.db, game_id)
        *others, last = table.missing()
        for seat in others:
            moves.submit(self.db, game_id, seat, [table.default(seat)])
        body = msgspec.json.encode({"moves": [table.default(last)]})
        return game_id, request("POST", f"/v1/games/{game_id}/moves", self.tokens[last], body)

    def new_game(self, ruleset: str, seats: int) -> str:
        with self.db.transaction() as transaction:
            at_table = [players.by_token(transaction, token) for token in self.tokens[:seats]]
            assert at_table[0]
            new = NewGame(ruleset, (NewSeat("me"), *[NewSeat("open")] * (seats - 1)))
            game_id = games.create(transaction, at_table[0], new).game.id
            for player in at_table[1:]:
                assert player
                join(transaction, game_id, player)
        return game_id

    def fill(self, number: int) -> None:
        """So many games at their first move; some more near their end and some at turns of five moves."""
        game_id, table = self.open_game("airlines-europe", 4)
        self.copy(game_id, "start", number)
        self.script = whole_game(table)
        for seat, orders in self.script[:-ENDS]:
            moves.submit(self.db, game_id, seat, orders)
        self.copy(game_id, "late", min(LATE_GAMES, number))
        game_id, table = self.open_game("airline-1975", 2)
        before, self.turns = turns_of_five(table)
        for seat, orders in before:
            moves.submit(self.db, game_id, seat, orders)
        self.copy(game_id, "turn", min(TURN_GAMES, number))
        with self.superuser.session() as session:
            session.run("vacuum analyze")
            session.run("checkpoint")

    def copy(self, game_id: str, name: str, number: int) -> None:
        with self.superuser.session() as session:
            session.run(
                "set session_replication_role = replica"
            )  # the copies are as sound as what they are copied from
            for table, key in (("games", "id"), ("seats", "game_id"), ("log", "game_id"), ("snapshots", "game_id")):
                rest = session.value(
                    "select string_agg(quote_ident(column_name), ', ') from information_schema.columns"
                    " where table_name = %s and column_name not in (%s, 'invitation')",
                    table,
                    key,
                )
                session.run(
                    f"insert into {table} ({key}, {rest}) select %s || n, {rest} from {table},"
                    f" generate_series(0, %s) as n where {key} = %s",
                    name,
                    number - 1,
                    game_id,
                )
            session.run("set session_replication_role = origin")

    def requests(self, script: Script, name: str, copies: Sequence[int]) -> list[Iterator[Request]]:
        """The script in one copy after another, for each connection in its own."""
        bodies = [(self.tokens[seat], msgspec.json.encode({"moves": orders})) for seat, orders in script]

        def play(first: int) -> Iterator[Request]:
            for copy in copies[first::CONNECTIONS]:
                for token, body in bodies:
                    yield request("POST", f"/v1/games/{name}{copy}/moves", token, body)

        return [play(connection) for connection in range(CONNECTIONS)]


def whole_game(table: Table) -> Script:
    """What random players send from here to the end."""
    rng, script = random.Random(1), Script()
    while not table.is_over:
        seat = table.decisions()[0].seat
        move = msgspec.to_builtins(sample(table.offers(seat), rng))
        table.submit(seat, [move])
        script.append((seat, [move]))
    return script


def turns_of_five(table: Table, wanted: int = 200) -> tuple[Script, Script]:
    """A way to the longest row of turns of five moves, and these turns.

    Airline (1975) has them: at the airport a player may make offers, take them back, and then throws the dice.
    """
    script = Script()
    while not table.is_over and len(script) < wanted:
        seat = table.decisions()[0].seat
        orders = turn_of_five(table, seat) or [buying(table, seat)]
        table.submit(seat, orders)
        script.append((seat, orders))
    runs = [
        list(run)
        for is_five, run in itertools.groupby(range(len(script)), lambda at: len(script[at][1]) == 5)
        if is_five
    ]
    longest = max(runs, key=len)
    return script[: longest[0]], script[longest[0] : longest[-1] + 1]


def buying(table: Table, seat: int) -> Any:
    """Until there is something to deal in."""
    buys = (next(offer.moves()) for offer in table.offers(seat) if offer.move.__name__ == "Buy")
    return msgspec.to_builtins(next(buys, None) or table.default(seat))


def turn_of_five(table: Table, seat: int) -> list[Any]:
    offers = [offer for offer in table.offers(seat) if offer.move.__name__ == "Offer"]
    if not offers or table.position.phase != "departure":
        return []
    offer = msgspec.to_builtins(next(offers[0].moves()))
    number = table.position.deals_made
    withdrawals = [{"type": "withdraw", "deal": number + 1}, {"type": "withdraw", "deal": number + 2}]
    return [offer, withdrawals[0], offer, withdrawals[1], {"type": "throw"}]


def measure(
    console: Console,
    small: tuple[Stage, Server],
    large: tuple[Stage, Server],
    postmaster: int,
    args: argparse.Namespace,
) -> dict[str, Result]:
    (few, few_server), (many, many_server) = small, large
    copies = random.Random(1).sample(range(args.games), args.games)
    parts = {
        EMPTY: (many_server, bare("GET", "/bench/empty")),
        SEPARATE: (many_server, bare("POST", "/bench/separate/{}")),
        ONE_CALL: (many_server, bare("POST", "/bench/function/{}")),
        MOVE: (many_server, many.requests(many.script, "start", copies[0::3])),
        FEW: (few_server, few.requests(few.script, "start", range(FEW_GAMES))),
        TURN: (many_server, many.requests(many.turns, "turn", range(TURN_GAMES))),
        FIRST: (many_server, many.requests(many.script[:ENDS], "start", copies[1::3])),
        LAST: (many_server, many.requests(many.script[-ENDS:], "late", range(LATE_GAMES))),
    }
    for server, scripts in parts.values():
        drive(server.connections, scripts, WARM_UP_SECONDS)
    results = {name: Result() for name in parts}
    for name, (server, scripts) in track(list(parts.items()) * ROUNDS, description="measuring", console=console):
        cpu = cpu_of_children(server.process.pid), cpu_of_children(postmaster)
        started = time.perf_counter()
        latencies = drive(server.connections, scripts, args.seconds)
        results[name].rates.append(len(latencies) / (time.perf_counter() - started))
        results[name].latencies += latencies
        results[name].api += cpu_of_children(server.process.pid) - cpu[0]
        results[name].postgres += cpu_of_children(postmaster) - cpu[1]
    where_time_goes(console, many_server, many.requests(many.script, "start", copies[2::3])[0], args.seconds * 2)
    return results


def reveals(stage: Stage, server: Server, clients: int) -> list[float]:
    """The seconds from the last sealed order to the row of its reveal, with so many clients at a time."""
    waiting = iter([stage.nearly_revealed() for _ in range(SEALED_GAMES)])
    lock = Lock()

    def play(connection: Connection) -> Iterator[float]:
        while True:
            with lock:
                game_id, order = next(waiting, ("", b""))
            if not game_id:
                return
            with stage.db.session() as session:
                before = session.value("select sequence from games where id = %s", game_id)
                connection.send(order)
                while session.value("select sequence from games where id = %s", game_id) == before:
                    if time.perf_counter() - connection.sent > REVEAL_SECONDS:
                        raise RuntimeError(f"{game_id} is not revealed; is there a worker?")
                    time.sleep(POLL_SECONDS)
                yield time.perf_counter() - connection.sent
            while not connection.receive():
                pass

    with ThreadPoolExecutor(clients) as pool:
        played = pool.map(lambda connection: list(play(connection)), server.connections[:clients])
        return [seconds for part in played for seconds in part]


def bare(method: str, path: str) -> list[Iterator[Request]]:
    return [itertools.repeat(request(method, path.format(number))) for number in range(CONNECTIONS)]


def cpu_of_children(process: int) -> float:
    """Seconds of CPU that the children of a process have used; only Linux tells."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12]) if int(fields[1]) == process else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def where_time_goes(console: Console, server: Server, script: Iterator[Request], seconds: float) -> None:
    """Of one connection's moves while nobody else asks: so no part waits for another."""
    connection = server.connections[0]
    drive([connection], [script], seconds / 10)
    ask = request("GET", "/bench/spent")
    drive([connection], [iter([ask])], 0)
    latencies = drive([connection], [script], seconds)
    drive([connection], [iter([ask])], 0)
    spent = msgspec.json.decode(connection.body, type=dict[str, float])
    shares = {part: spent[part] for part in PARTS}
    shares["the rest of the application"] = spent["application"] - sum(shares.values())
    shares["HTTP"] = sum(latencies) - spent["application"]
    in_words = ", ".join(f"{part} {seconds / sum(latencies):.0%}" for part, seconds in shares.items())
    console.print(f"time of a move, one connection: {statistics.mean(latencies) * 1000:.2f} ms; {in_words}")


def report(console: Console, results: dict[str, Result], number: int) -> int:
    grid = Grid("", title=f"{CONNECTIONS} connections, {number:,} games, fsync on")
    for column in ("a second", "p50 ms", "p99 ms", "CPU ms: API", "Postgres"):
        grid.add_column(column, justify="right")
    for name, result in results.items():
        cpu = result.each(result.api), result.each(result.postgres)
        figures = (result.percentile(50), result.percentile(99), *cpu)
        grid.add_row(name, f"{result.rate:,.0f}", *(f"{figure:,.2f}" for figure in figures))
    console.print(grid)
    ratios = (
        ("a move against one call", MOVE, ONE_CALL, f"at least {LEAST_SHARE_OF_ONE_CALL}"),
        (f"{FEW_GAMES} games against {number:,}", FEW, MOVE, f"at most {MOST_RATIO}"),
        ("first moves of a game against last", FIRST, LAST, f"at most {MOST_RATIO}"),
    )
    in_turns = 5 * results[TURN].rate
    met = [in_turns >= LEAST_MOVES_IN_TURNS]
    console.print(f"moves a second in turns of five: {in_turns:,.0f} (goal: at least {LEAST_MOVES_IN_TURNS:,})")
    for name, part, other, goal in ratios:
        ratio, by_cpu = results[part].against(results[other]), results[part].cheaper_than(results[other])
        met.append(ratio >= LEAST_SHARE_OF_ONE_CALL if part == MOVE else ratio <= MOST_RATIO)
        console.print(f"{name}: {ratio:.2f} by rate, {by_cpu:.2f} by CPU time (goal: {goal})", highlight=False)
    console.print("all goals met" if all(met) else "not all goals met")
    return 0 if all(met) else 1

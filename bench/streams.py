"""Open streams while moves flow: how soon a row is told, what a stream costs, and what is left of the rate of moves.

A service as `./waybill up` starts it, with fsync on, without workers. Two players of each game move in turn, as fast as
they are answered, first alone, then beside the streams, then alone again. Those who read the streams and those who move
are on this machine, too, and take their share of it; those who read give way to the others. Times are from the
beginning of the transaction that wrote a row to when its event was read, so they are a little too long.

  ./waybill bench streams                     500 streams, about a minute
  ./waybill bench streams --streams 2000
  ./waybill bench streams --seconds 30        of each of the three times (default 10)
"""

import argparse
import asyncio
import contextlib
import http.client
import itertools
import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from bench.load import proportional
from bench.service import quantile
from commands import up
from commands._chaos_house import family
from referee.options import sample
from referee.structs import preload_decoders
from referee.table import Table
from runtime.config import Config, read_config
from runtime.processes import free_port, wait_or_kill
from runtime.serve import SPARE_FILES, allow_files
from runtime.servers import Servers
from service import games, moves, phases, players, positions, seats
from service.games import NewGame, NewSeat
from store.database import Database
from store.migrate import migrate

GAMES_A_SECOND = 40  # of one of the times: enough that they do not run out of moves
LEAST_GAMES = 100
MOVERS = 4
STREAMS = 500
SETTLE_SECONDS = 3.0  # for what is on its way
LEAST_SHARE = 0.9  # of the rate of moves without streams
CONNECT_AT_ONCE = 50
RULESET = "airlines-europe"


class Playing(msgspec.Struct):
    """A game of two, and the moves that are left of it, by seat, the next one last."""

    id: str
    tokens: list[str]
    script: list[tuple[int, bytes]]


class Heard(msgspec.Struct):
    """What one stream has told: rows, and when each was read."""

    game_id: str
    rows: list[tuple[int, float]] = []


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench streams", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--streams", type=int, default=STREAMS, help="open at the same time")
    parser.add_argument("--seconds", type=float, default=10.0, help="without, with, and without streams")
    args = parser.parse_args(arguments)
    console = Console()
    with service() as (config, db, stream):
        preload_decoders()
        number_of_games = max(LEAST_GAMES, int(args.seconds * GAMES_A_SECOND))
        playing = [open_game(db, number) for number in range(number_of_games)]
        move_for(config.port, playing, 3)  # until every process is warm
        alone = move_for(config.port, playing, args.seconds)
        before = memory(stream)
        targets = list(itertools.islice(itertools.cycle(watchers(playing)), args.streams))
        with readers(config.port_of_stream, targets) as ours:
            between = memory(stream)
            began, worked = time.time(), cpu_seconds(stream)
            beside = move_for(config.port, playing, args.seconds)
            time.sleep(SETTLE_SECONDS)
            worked = cpu_seconds(stream) - worked
            after = memory(stream)
            heard = collect(ours)
        alone_again = move_for(config.port, playing, args.seconds)
        written = rows_since(db, began)
    cpu = worked / (beside * args.seconds)
    return report(console, heard, written, (alone + alone_again) / 2, beside, (before, between, after), cpu)


@contextlib.contextmanager
def service() -> Iterator[tuple[Config, Database, int]]:
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        db = Database(addresses.database_url)
        migrate(db)
        os.environ["WAYBILL_REQUESTS_PER_MINUTE"] = str(10**9)  # the settings are for the children as well
        port = free_port()
        os.environ["WAYBILL_STREAM_PORT"] = str(free_port())
        found = {**os.environ, "DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
        config = read_config(found).replace(port=port, folder=Path(folder))
        up.forget_metrics(config)
        processes = {name: up.start(name, up.commands(config)[name], config) for name in ("api", "stream")}
        try:
            up.wait_for(f"http://127.0.0.1:{config.port}", processes, config)
            up.wait_for(f"http://127.0.0.1:{config.port_of_stream}", processes, config, "stream")
            yield config, db, processes["stream"].pid
        finally:
            for process in processes.values():
                process.terminate()
            for process in processes.values():
                wait_or_kill(process)
            db.close()


def open_game(db: Database, number: int) -> Playing:
    with db.transaction() as transaction:
        both = [players.create(transaction, f"player {number}-{seat}") for seat in range(2)]
        tokens = [players.issue_token(transaction, player.id, "bench").secret for player in both]
        game_id = games.create(transaction, both[0], NewGame(RULESET, (NewSeat("me"), NewSeat("open")))).game.id
        seats.join(transaction, game_id, both[1])
    table, _ = positions.load(db, game_id)
    for seat in range(2):
        moves.submit(db, game_id, seat, [sample(table.offers(seat), random.Random(number))])
    phases.resolve(db, game_id, table.sequence + 1)
    table, _ = positions.load(db, game_id)
    return Playing(game_id, tokens, whole_game(table, random.Random(number)))


def whole_game(table: Table, rng: random.Random) -> list[tuple[int, bytes]]:
    """A game to its end. The referee draws the same when it is played again."""
    script = []
    while not table.is_over:
        seat = table.decisions()[0].seat
        chosen = sample(table.offers(seat), rng)
        table.submit(seat, [chosen])
        script.append((seat, b'{"moves":[%b]}' % msgspec.json.encode(chosen)))
    return script[::-1]


def move_for(port: int, playing: Sequence[Playing], seconds: float) -> float:
    """Lets everybody move: the moves a second."""
    end = time.perf_counter() + seconds
    done: list[int] = []
    threads = [
        threading.Thread(target=lambda mine=mine: done.append(move(port, mine, end)))
        for mine in (playing[first::MOVERS] for first in range(MOVERS))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(done) < MOVERS:
        raise RuntimeError("a player could not move")
    return sum(done) / seconds


def move(port: int, playing: Sequence[Playing], end: float) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    done = 0
    for game in itertools.cycle(playing):
        if time.perf_counter() >= end:
            break
        if not game.script:
            continue
        seat, body = game.script.pop()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {game.tokens[seat]}"}
        connection.request("POST", f"/v1/games/{game.id}/moves", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"a move was answered {answer.status}: {said.decode()}")
        done += 1
    connection.close()
    if not any(game.script for game in playing):
        raise RuntimeError("all games are over")
    return done


def watchers(playing: Sequence[Playing]) -> Iterator[tuple[str, str]]:
    """Games and tokens of those who watch."""
    for seat in range(2):
        for game in playing:
            yield game.id, game.tokens[seat]


# Those who read, in a process of their own


@contextlib.contextmanager
def readers(port: int, targets: Sequence[tuple[str, str]]) -> Iterator[Connection]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=read_all, args=(port, targets, theirs), daemon=True)
    process.start()
    try:
        if not ours.poll(120) or ours.recv() != "connected":
            raise RuntimeError("the streams could not be opened")
        yield ours
    finally:
        process.terminate()
        process.join()


def collect(ours: Connection) -> list[Heard]:
    ours.send("enough")
    return msgspec.msgpack.decode(ours.recv_bytes(), type=list[Heard])


def read_all(port: int, targets: Sequence[tuple[str, str]], pipe: Connection) -> None:
    allow_files(len(targets) + SPARE_FILES)
    os.nice(10)  # these stand for other machines

    async def read() -> list[Heard]:
        gate = asyncio.Semaphore(CONNECT_AT_ONCE)
        ready = [asyncio.Event() for _ in targets]
        heard = [Heard(game_id) for game_id, _ in targets]
        tasks = [
            asyncio.create_task(follow(port, token, one, gate, event))
            for (_, token), one, event in zip(targets, heard, ready, strict=True)
        ]
        for event in ready:
            await event.wait()
        pipe.send("connected")
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        for task in tasks:
            task.cancel()
        return heard

    pipe.send_bytes(msgspec.msgpack.encode(asyncio.run(read())))


async def follow(port: int, token: str, heard: Heard, gate: asyncio.Semaphore, ready: asyncio.Event) -> None:
    async with gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /v1/games/{heard.game_id}/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"event: game")
    ready.set()
    number = 0
    while line := await reader.readline():
        if line.startswith(b"id: "):
            number = int(line[4:])
        elif line.startswith(b"event: row"):
            heard.rows.append((number, time.time()))


# What came of it


def memory(pid: int) -> float:
    """Megabytes of a process and those that it started."""
    return sum(map(proportional, family(pid)))


def cpu_seconds(pid: int) -> float:
    """Of a process and those that it started."""
    ticks = 0
    for member in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def rows_since(db: Database, began: float) -> dict[str, dict[int, float]]:
    """By game and number, when rows were written."""
    found: dict[str, dict[int, float]] = {}
    query = (
        "select game_id, sequence, extract(epoch from created_at)::float8 from log where created_at > to_timestamp(%s)"
    )
    with db.session() as session:
        for game_id, number, at in session.rows(query, began):
            found.setdefault(game_id, {})[number] = at
    return found


def report(
    console: Console,
    heard: Sequence[Heard],
    written: dict[str, dict[int, float]],
    alone: float,
    beside: float,
    megabytes: tuple[float, float, float],
    cpu: float,
) -> int:
    waits, wrong = [], 0
    for one in heard:
        numbers = [number for number, _ in one.rows]
        wrong += numbers != list(range(numbers[0], numbers[0] + len(numbers))) if numbers else 1
        waits += [at - written[one.game_id][number] for number, at in one.rows if number in written[one.game_id]]
    before, between, after = megabytes
    grid = Grid("", title=f"{len(heard):,} streams of {len(written)} games")
    grid.add_column("", justify="right")
    grid.add_row("events read", f"{len(waits):,}")
    grid.add_row("commit to event, p50", f"{quantile(waits, 50):,.0f} ms")
    grid.add_row("commit to event, p99", f"{quantile(waits, 99):,.0f} ms")
    grid.add_row("memory of the stream without connections", f"{before:,.0f} MB")
    grid.add_row(
        "memory for each connection, before the first row", f"{(between - before) * 1024 / len(heard):,.1f} KB"
    )
    grid.add_row("memory for each connection, after the last", f"{(after - before) * 1024 / len(heard):,.1f} KB")
    grid.add_row("CPU of the stream for each move", f"{cpu * 1000:.2f} ms")
    grid.add_row("load of the machine", f"{os.getloadavg()[0]:.1f}")
    grid.add_row("moves a second without streams", f"{alone:,.0f}")
    grid.add_row("moves a second beside them", f"{beside:,.0f}")
    grid.add_row(f"share (goal: at least {LEAST_SHARE})", f"{beside / alone:.2f}")
    grid.add_row("streams with a gap or a repeat, or silent", f"{wrong:,}")
    console.print(grid)
    return 0 if beside >= LEAST_SHARE * alone and not wrong else 1

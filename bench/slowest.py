"""The slowest requests: CPU of each kind of request, in games of every kind that have gone on for a while.

The application in this process, a private Postgres and Redis. What counts is the CPU time of the process that answers:
nobody else is served meanwhile. A picture is drawn in a renderer of its own, so its CPU is told apart.

  ./waybill bench slowest                a minute or two
  ./waybill bench slowest --rows 400     games that have gone on for longer (default 120)
  ./waybill bench slowest --top 40       more lines
"""

import argparse
import os
import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml
from flask.testing import FlaskClient
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from app import create_app
from referee.games import all_games, board_text
from referee.options import sample
from runtime.config import read_config
from runtime.servers import Servers
from service import phases, positions
from store.database import Database
from store.migrate import migrate

MOST_SECONDS = 1.0
LOOKS = ("", "/options", "/position", "/log?limit=500", "/record", "/board.txt", "/board.svg", "/board.png?width=1200")
MANY_ORDERS = 100


class Asked(msgspec.Struct, frozen=True):
    what: str
    status: int
    answering: float  # seconds of CPU of the process that answers
    waiting: float  # seconds until the answer


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench slowest", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rows", type=int, default=120, help="that each game has at the most")
    parser.add_argument("--top", type=int, default=15, help="lines of the table")
    args = parser.parse_args(arguments)
    console = Console()
    os.environ |= {"WAYBILL_REQUESTS_PER_MINUTE": str(10**9), "WAYBILL_LOG_LEVEL": "warning"}
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        settings = {**os.environ, "DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
        config = read_config(settings).replace(folder=Path(folder))
        db = Database(addresses.database_url)
        migrate(db)
        client = create_app(config).test_client()
        asked = list(everywhere(client))
        cases = [
            (key, seats)
            for key, game in all_games().items()
            for seats in {min(game.seat_counts), max(game.seat_counts)}
        ]
        for key, seats in track(cases, description="asking", console=console):
            asked += in_a_game(client, db, key, seats, args.rows)
    return report(console, asked, args.top)


def everywhere(client: FlaskClient) -> Iterator[Asked]:
    """What is asked for outside of a game; a game is opened on a board of one's own."""
    for path in ("/", "/v1/openapi.json", "/v1/rulesets", *(f"/v1/rulesets/{key}" for key in all_games())):
        yield ask(client, "", "GET", path)
    headers = sign_up(client)
    for key, game in all_games().items():
        board = yaml.safe_load(board_text(game)) | {"name": "mine"}
        seats = [{"kind": "me"}, *[{"kind": "bot"}] * (min(game.seat_counts) - 1)]
        body = {"ruleset": key, "seats": seats, "board": yaml.safe_dump(board)}
        yield ask(client, f", {key} on a board of one's own", "POST", "/v1/games", headers, body)


def in_a_game(client: FlaskClient, db: Database, key: str, seats: int, rows: int) -> Iterator[Asked]:
    """A random game by as many people, move by move, and all looks at it in the end."""
    people = [sign_up(client) for _ in range(seats)]
    opened = {"ruleset": key, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
    game_id = answered(client.post("/v1/games", json=opened, headers=people[0]))["game"]["id"]
    for person in people[1:]:
        client.post(f"/v1/games/{game_id}/seats", json={}, headers=person)
    rng, path, note = random.Random(seats), f"/v1/games/{game_id}", f", {key}, {seats} players"
    while True:
        table, status = positions.load(db, game_id)
        if status != "running" or table.sequence >= rows:
            break
        if table.sealed_phase() and not table.missing():
            phases.resolve(db, game_id, table.sequence + 1)
            continue
        seat = table.acting()[0]
        if table.sequence % 10 == 0:
            yield ask(client, note, "GET", f"{path}/options", people[seat])
        move = msgspec.to_builtins(sample(table.offers(seat), rng))
        yield ask(client, f", {move['type']}{note}", "POST", f"{path}/moves", people[seat], {"moves": [move]})
    if status == "running":
        seat = table.acting()[0]
        for wrong in ({"orders": "do what you will\n" * MANY_ORDERS}, {"moves": [{"type": "pass"}] * MANY_ORDERS}):
            yield ask(client, f", {MANY_ORDERS} wrong orders{note}", "POST", f"{path}/moves", people[seat], wrong)
    for look in LOOKS:
        yield ask(client, note, "GET", path + look, people[0])


def sign_up(client: FlaskClient) -> dict[str, str]:
    answer = client.post("/v1/players", json={"name": f"bench {os.urandom(6).hex()}"})
    return {"Authorization": f"Bearer {answered(answer)['token']}"}


def answered(answer: Any) -> dict[str, Any]:
    if answer.status_code != 201:
        raise RuntimeError(answer.text)
    found: dict[str, Any] = answer.json
    return found


def ask(
    client: FlaskClient, note: str, method: str, path: str, headers: dict[str, str] | None = None, body: Any = None
) -> Asked:
    before, began = own_cpu(), time.perf_counter()
    answer = client.open(path, method=method, headers=headers, json=body)
    answer.get_data()
    shown = re.sub(r"/games/[^/?]{6,}", "/games/…", path)
    return Asked(f"{method} {shown}{note}", answer.status_code, own_cpu() - before, time.perf_counter() - began)


def own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def report(console: Console, asked: list[Asked], top: int) -> int:
    grid = Grid("request", title=f"the slowest of {len(asked):,} requests")
    for column in ("answer", "CPU ms", "waited ms"):
        grid.add_column(column, justify="right")
    slowest: dict[str, Asked] = {}
    for request in sorted(asked, key=lambda request: -request.answering):
        slowest.setdefault(request.what, request)
    for request in list(slowest.values())[:top]:
        grid.add_row(
            request.what, str(request.status), f"{request.answering * 1000:.0f}", f"{request.waiting * 1000:.0f}"
        )
    console.print(grid)
    worst = max(request.answering for request in asked)
    console.print(f"at worst {worst:.2f} s of CPU (goal: under {MOST_SECONDS:g})", highlight=False)
    return 0 if worst < MOST_SECONDS else 1

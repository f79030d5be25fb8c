"""Run the service: API, worker, beat, and a private Postgres and Redis where none is configured.

The configuration comes from the environment; docs/operate.md has the table. Data of the private Postgres is kept in
.waybill/ and found again the next time. Ctrl-C stops everything.

examples:
  ./waybill up                    on port 8000, or WAYBILL_PORT
  ./waybill up --port 8080
  ./waybill up --demo             also open a game against bots, and print a token to play it with
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from commands import ROOT
from commands._service import Running, announced, place, plain_errors, running, servers
from runtime.config import Config, read_config
from runtime.errors import ServerError
from runtime.processes import die_with_parent, is_busy, wait_or_kill
from service import games, players
from service.games import NewGame, NewSeat
from store.database import Database
from store.migrate import migrate

START_SECONDS = 30
CHECK_EVERY = 0.2  # seconds, at whether all parts are alive
DEMO_RULESET = "airlines-europe"
DEMO_PLAYER = "demo"
DEMO_BOTS = 2

Parts = dict[str, subprocess.Popen[bytes]]


class Stop(Exception):
    """Someone wants us to end."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the port of the API (default: WAYBILL_PORT, or 8000)")
    parser.add_argument("--demo", action="store_true", help="open a game against bots and print how to play it")


def run(args: argparse.Namespace) -> int:
    with plain_errors():
        config = read_config({**os.environ, **({"WAYBILL_PORT": args.port} if args.port else {})})
        check_free(config)
        try:
            with stopped_by_signals(), servers(config) as (found, private):
                db = Database.of(found)
                for migration in migrate(db):
                    print(f"migrated: {migration.name}")
                serve(found, db, private.parts, args.demo)
        except Stop:
            print("stopped.")
    return 0


def check_free(config: Config) -> None:
    up = running(config)
    if up:
        raise ServerError(f"Waybill is running here already, at {up.url} (process {up.pid}).")
    if is_busy(config.host, config.port):
        raise ServerError(
            f"Port {config.port} on {config.host} is in use. Stop what uses it, or choose another port:"
            f" ./waybill up --port {config.port + 1}"
        )


def serve(config: Config, db: Database, private: Parts, demo: bool) -> None:
    """Starts the parts, watches over them, and stops them in the end, first those that others do not need."""
    url = f"http://{f'[{config.host}]' if ':' in config.host else config.host}:{config.port}"
    parts: Parts = {}
    try:
        config.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, command in commands(config).items():
            parts[name] = start(name, command, config)
        wait_for(url, parts, config)
        pids = {name: part.pid for name, part in parts.items()}
        with announced(config, Running(os.getpid(), url, config.database_url, config.redis_url, pids)):
            print(report(url, config), flush=True)
            if demo:
                print(open_demo(db, url), flush=True)
            watch(parts | private, config)
    finally:
        for part in parts.values():
            part.terminate()
        for part in parts.values():
            wait_or_kill(part)


def commands(config: Config) -> dict[str, list[str]]:
    """The parts and how each is started; the same as in compose.yaml."""
    celery = ["celery", "--quiet", "--app", "workers.main"]
    return {
        "api": ["runtime.serve", "app:create_app"],
        "worker": [
            *(*celery, "worker", "--concurrency", str(config.worker_processes)),
            *("--without-mingle", "--without-gossip", "--without-heartbeat"),
        ],
        "beat": [*celery, "beat", "--pidfile="],
    }


def start(name: str, command: list[str], config: Config) -> subprocess.Popen[bytes]:
    metrics = config.folder / "metrics"
    if name == "api":
        # What processes of an earlier run have counted would be counted again.
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir(parents=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": config.database_url,
        "REDIS_URL": config.redis_url,
        "WAYBILL_PORT": str(config.port),
        "PROMETHEUS_MULTIPROC_DIR": str(metrics),
    }
    with open(config.folder / f"{name}.log", "wb") as log:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", *command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # Ctrl-C is for us: we stop the parts in their order.
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )


def wait_for(url: str, parts: Parts, config: Config) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        check_alive(parts, config)
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=2):
                return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > end:
                raise ServerError(
                    f"The API does not answer ({error}); see {place(config.folder / 'api.log')}."
                ) from None
            time.sleep(0.05)


def watch(parts: Parts, config: Config) -> None:
    while True:
        check_alive(parts, config)
        time.sleep(CHECK_EVERY)


def check_alive(parts: Parts, config: Config) -> None:
    for name, part in parts.items():
        if part.poll() is not None:
            log = config.folder / f"{name}.log"
            last = "\n".join(log.read_text(errors="replace").splitlines()[-10:])
            raise ServerError(f"{name} has ended ({part.returncode}); the end of {place(log)}:\n{last}")


def report(url: str, config: Config) -> str:
    configured = read_config()
    database = "DATABASE_URL" if configured.database_url else f"private, in {place(config.folder / 'postgres')}"
    cache = "REDIS_URL" if configured.redis_url else "private"
    return "\n".join(
        [
            f"Waybill is at {url}",
            f"  description  {url}/v1/docs",
            f"  Postgres     {database}",
            f"  Redis        {cache}",
            f"  processes    {config.api_processes} api, {config.worker_processes} worker, 1 beat",
            f"  logs         {place(config.folder)}/*.log",
            "Ctrl-C stops it.",
        ]
    )


def open_demo(db: Database, url: str) -> str:
    """A game of one person against bots, and how to play it."""
    with db.transaction() as transaction:
        player = players.by_name(transaction, DEMO_PLAYER) or players.create(transaction, DEMO_PLAYER)
        token = players.issue_token(transaction, player.id, "demo").secret
        seats = (NewSeat("me"), *[NewSeat("bot", bot="random")] * DEMO_BOTS)
        game = games.create(transaction, player, NewGame(DEMO_RULESET, seats, title="Demo")).game
    return "\n".join(
        [
            "",
            f"A game of {DEMO_RULESET} against {DEMO_BOTS} bots waits for you:",
            f"  address  {url}/v1/games/{game.id}",
            f"  token    {token}",
            f"  try      curl -H 'Authorization: Bearer {token}' {url}/v1/games/{game.id}/options",
        ]
    )


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    def on_signal(number: int, frame: FrameType | None) -> None:
        # The first signal is enough: the next must not interrupt the stopping.
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, signal.SIG_IGN)
        raise Stop

    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, on_signal)
    yield

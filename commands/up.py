"""Run the service: API, stream, worker, beat, and a private Postgres and Redis where none is configured.

The configuration comes from the environment; docs/operate.md has the table. Data of the private Postgres is kept in
.waybill/ and found again the next time. A part that ends is started again. Ctrl-C stops everything.

examples:
  ./waybill up                    on port 8000, or WAYBILL_PORT
  ./waybill up --port 8080
  ./waybill up --detach           in the background; ./waybill stop stops it
  ./waybill up --demo             also open a game against bots, and print a token to play it with
"""

import argparse
import functools
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

import msgspec

from commands import ROOT
from commands._detached import start_detached
from commands._service import Announcement, Running, place, plain_errors, running, servers
from runtime.config import Config, read_config
from runtime.errors import ServerError
from runtime.log_files import kept_small, open_log
from runtime.processes import die_with_parent, is_busy, wait_or_kill
from runtime.servers import Servers
from runtime.supervision import Part
from service import games, players
from service.games import NewGame, NewSeat
from store.database import Database
from store.migrate import migrate

START_SECONDS = 60  # until every process of the API has read every board, on a busy machine
METRICS = "metrics"  # a folder below ours, for what the API counts
CHECK_EVERY = 0.2  # seconds, at whether all parts are alive
DEMO_RULESET = "airlines-europe"
DEMO_PLAYER = "demo"
DEMO_BOTS = 2

Processes = dict[str, subprocess.Popen[bytes]]


class Stop(Exception):
    """Someone wants us to end."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the port of the API (default: WAYBILL_PORT, or 8000)")
    # A demo prints a token, which does not belong into a log.
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--detach", action="store_true", help="go on in the background as soon as it is ready")
    ways.add_argument("--demo", action="store_true", help="open a game against bots and print how to play it")


def run(args: argparse.Namespace) -> int:
    with plain_errors():
        config = read_config({**os.environ, **({"WAYBILL_PORT": args.port} if args.port else {})})
        check_free(config)
        if args.detach:
            return start_detached(config)
        try:
            with stopped_by_signals(), servers(config) as (found, private):
                db = Database.of(found)
                for migration in migrate(db):
                    print(f"migrated: {migration.name}")
                serve(found, db, private, args.demo)
        except Stop:
            print("stopped.")
    return 0


def check_free(config: Config) -> None:
    up = running(config)
    if up:
        raise ServerError(f"Waybill is running here already, at {up.url} (process {up.pid}).")
    for port in (config.port, config.port_of_stream, config.port_of_mail):
        if is_busy(config.host, port):
            raise ServerError(
                f"Port {port} on {config.host} is in use. Stop what uses it, or choose another port:"
                f" ./waybill up --port {config.port + 3}"
            )


def serve(config: Config, db: Database, private: Servers, demo: bool) -> None:
    """Starts the parts, watches over them, and stops them in the end, first those that others do not need."""
    url = f"http://{f'[{config.host}]' if ':' in config.host else config.host}:{config.port}"
    started: Processes = {}
    parts: list[Part] = []
    try:
        config.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        forget_metrics(config)
        for name, command in commands(config).items():
            started[name] = start(name, command, config)
        wait_for(url, started, config)
        wait_for(url.removesuffix(str(config.port)) + str(config.port_of_stream), started, config, "stream")
        parts += [
            Part(name, started[name], functools.partial(start, name, command, config))
            for name, command in commands(config).items()
        ]
        theirs = [
            Part(name, process, functools.partial(private.start_again, name)) for name, process in private.parts.items()
        ]
        state = Running(os.getpid(), url, config.database_url, config.redis_url)
        with Announcement(config, with_parts(state, parts, theirs)) as announcement, kept_small(config.folder):
            print(report(url, config), flush=True)
            if demo:
                print(open_demo(db, url), flush=True)
            while True:
                # Servers first: the others need them.
                for part in (*theirs, *parts):
                    if part.check(time.monotonic()):
                        print(news(part, config), flush=True)
                        announcement.update(with_parts(state, parts, theirs))
                time.sleep(CHECK_EVERY)
    finally:
        ours = [part.process for part in parts] or list(started.values())
        for process in ours:
            process.terminate()
        for process in ours:
            wait_or_kill(process)


def with_parts(state: Running, ours: list[Part], theirs: list[Part]) -> Running:
    pids = {part.name: part.process.pid for part in ours}
    restarts = {part.name: part.story() for part in (*ours, *theirs) if part.last}
    return msgspec.structs.replace(state, parts=pids, restarts=restarts)


def news(part: Part, config: Config) -> str:
    if part.due is None:
        return f"{part.name} runs again, as process {part.process.pid}."
    log = place(config.folder / f"{part.name}.log")
    pause = max(0.0, part.due - time.monotonic())
    return f"{part.name} does not run: {part.reason}. It is started again in {pause:.1f} s; {log} may say why it ended."


def commands(config: Config) -> dict[str, list[str]]:
    """The parts and how each is started; the same as in compose.yaml."""
    celery = ["celery", "--quiet", "--app", "workers.main"]
    return {
        "api": ["runtime.serve", "app:create_app"],
        "stream": ["runtime.serve_stream", "api.stream:app"],
        "mail": ["workers.mail_door"],
        "worker": [
            *(*celery, "worker", "--queues", "celery", "--concurrency", str(config.worker_processes)),
            *("--without-mingle", "--without-gossip", "--without-heartbeat"),
        ],
        "bots": ["workers.bots"],
        "beat": [*celery, "beat", "--pidfile="],
    }


def forget_metrics(config: Config) -> None:
    """What processes of an earlier run have counted would be counted again."""
    metrics = config.folder / METRICS
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir(parents=True)


def start(name: str, command: list[str], config: Config) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": config.database_url,
        "REDIS_URL": config.redis_url,
        "WAYBILL_PORT": str(config.port),
        "PROMETHEUS_MULTIPROC_DIR": str(config.folder / METRICS),
    }
    with open_log(config.folder / f"{name}.log") as log:
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


def wait_for(url: str, parts: Processes, config: Config, name: str = "api") -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        check_alive(parts, config)
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=2):
                return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > end:
                raise ServerError(
                    f"The {name} does not answer ({error}); see {place(config.folder / f'{name}.log')}."
                ) from None
            time.sleep(0.05)


def check_alive(parts: Processes, config: Config) -> None:
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
            f"  processes    {config.api_processes} api, 1 stream, {config.worker_processes} worker, 1 beat",
            f"  mail         {'to the relay' if config.smtp_url else f'{url}/dev/mail'}",
            f"  logs         {place(config.folder)}/*.log",
            "Ctrl-C stops it.",
        ]
    )


def open_demo(db: Database, url: str) -> str:
    """A game of one person against bots, and how to play it."""
    with db.transaction() as transaction:
        player = players.by_name(transaction, DEMO_PLAYER) or players.create(transaction, DEMO_PLAYER)
        token = players.issue_token(transaction, player.id, "demo").secret
        seats = (NewSeat("me"), *[NewSeat("bot", bot="steady")] * DEMO_BOTS)
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

"""Postgres going away and coming back under a server that people are playing on."""

import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.processes import free_port
from runtime.servers import Servers
from service import phases, replays
from store.database import Database
from store.migrate import migrate
from tests.test_service import Client, open_game
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
GAMES = 3


class Player(threading.Thread):
    """Plays a game for both seats and sends each request again until it is answered."""

    def __init__(self, clients: list[Client], game_id: str, end: threading.Event) -> None:
        super().__init__()
        self.clients, self.path, self.game_id, self.end = clients, f"/v1/games/{game_id}", game_id, end
        self.played: list[int] = []
        self.statuses: set[int] = set()
        self.without_hint = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.end.is_set():
                self.step()
        except BaseException as error:
            self.failure = error

    def step(self) -> None:
        game = self.until_answered(self.clients[0], "GET", self.path)
        if game["status"] == "over":
            self.end.wait()
            return
        client = self.clients[game["to_act"][0]]
        default = self.until_answered(client, "GET", f"{self.path}/options")["default"]
        key = f"{self.game_id}-{game['sequence']}"
        made = self.until_answered(client, "POST", f"{self.path}/moves", {"moves": [default]}, Idempotency_Key=key)
        self.played.append(made["sequence"])

    def until_answered(self, client: Client, *request: Any, **headers: str) -> Any:
        while True:
            status, answer = client.ask(*request, **headers)
            self.statuses.add(status)
            if status != 503:
                assert status in (200, 201), answer
                return answer
            self.without_hint += "Retry-After" not in client.headers


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Servers]]:
    """The API alone, on a Postgres that keeps what it has promised."""
    servers = Servers(tmp_path / "servers")
    with servers as addresses:
        migrate(Database(addresses.database_url))
        port = free_port()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
            "WAYBILL_REQUESTS_PER_MINUTE": "1000000000",
            "WAYBILL_API_PROCESSES": "1",
            "WAYBILL_PORT": str(port),
        }
        command = [sys.executable, "-P", "-m", "runtime.serve", "app:create_app"]
        with open(tmp_path / "api.log", "wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            wait_until(lambda: is_up(port), what="the API")
            yield f"http://127.0.0.1:{port}", servers
        finally:
            process.terminate()
            process.wait(30)


def is_up(port: int) -> bool:
    try:
        return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2))
    except OSError:
        return False


def test_a_restart_gives_clean_503s_and_loses_and_doubles_no_move(server: tuple[str, Servers]) -> None:
    url, servers = server
    db = Database(servers.addresses.database_url)
    end = threading.Event()
    players = []
    for number in range(GAMES):
        clients = [Client(url, f"player {number}-{seat}") for seat in range(2)]
        game_id = open_game(clients)
        for client in clients:
            default = client.ask("GET", f"/v1/games/{game_id}/options")[1]["default"]
            assert client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [default]})[0] == 202
        assert phases.resolve(db, game_id)
        players.append(Player(clients, game_id, end))
    for player in players:
        player.start()
    for how in (signal.SIGINT, signal.SIGQUIT):
        reached = [len(player.played) for player in players]
        wait_until(lambda reached=reached: all(len(p.played) > n + 2 for p, n in zip(players, reached, strict=True)))
        servers.restart_postgres(how)
    end.set()
    for player in players:
        player.join()
    assert [player.failure for player in players] == [None] * GAMES
    assert {status for player in players for status in player.statuses} == {200, 201, 503}
    assert sum(player.without_hint for player in players) == 0
    for player in players:
        last = replays.rebuild(db, player.game_id).sequence
        assert player.played == list(range(2, last + 1)), "every answered move is in the log once, and none beside them"

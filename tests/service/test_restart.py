"""Postgres going away and coming back under load."""

import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.options import sample
from runtime.servers import Servers
from service import moves, phases, positions, replays
from service.errors import Unavailable
from service.idempotency import Answer, IdempotencyKey
from store.database import Database
from store.migrate import migrate
from tests.factories import make_game

GAMES = 4
RESTARTS = 3


class Client(threading.Thread):
    """Plays a game alone, every request under a key of its own, and sends a request again until it is answered."""

    def __init__(self, db: Database, game_id: str, end: threading.Event) -> None:
        super().__init__()
        self.db, self.game_id, self.end = db, game_id, end
        self.answers: list[str] = []
        self.unavailable = 0
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.end.is_set() and self.step():
                pass
        except Exception as error:
            self.failure = error

    def step(self) -> bool:
        table, status = self.until_answered(lambda: positions.load(self.db, self.game_id))
        if status != "running":
            return False
        if table.sealed_phase() and not table.missing():
            self.until_answered(lambda: phases.resolve(self.db, self.game_id, table.sequence + 1))
            return True
        seat = table.acting()[0]
        move = sample(table.offers(seat), random.Random(table.sequence))
        request = IdempotencyKey(self.game_id, f"{table.sequence} {seat}", "body")
        made = self.until_answered(
            lambda: moves.submit(
                self.db,
                self.game_id,
                seat,
                [move],
                key=request,
                answer=lambda table, outcome: Answer(201, str(table.sequence) if outcome.entries else ""),
            )
        )
        if made.answer.body:
            self.answers.append(made.answer.body)
        return True

    def until_answered(self, act: object) -> object:
        while True:
            try:
                return act()
            except Unavailable as error:
                self.unavailable += 1
                time.sleep(error.retry_after / 20)


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Servers]:
    servers = Servers(tmp_path / "servers", redis=False)
    with servers:
        yield servers


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_restart_under_load_loses_and_doubles_no_move(private: Servers, how: signal.Signals) -> None:
    db = Database(private.addresses.database_url, timeout=5)
    migrate(db)
    end = threading.Event()
    clients = [Client(db, make_game(db, people=3)[0], end) for _ in range(GAMES)]
    for client in clients:
        client.start()
    for _ in range(RESTARTS):
        reached = [len(client.answers) for client in clients]
        while any(
            client.is_alive() and len(client.answers) < n + 5 for client, n in zip(clients, reached, strict=True)
        ):
            time.sleep(0.01)
        private.restart_postgres(how)
    end.set()
    for client in clients:
        client.join()
    assert [client.failure for client in clients] == [None] * GAMES
    assert sum(client.unavailable for client in clients) > 0
    for client in clients:
        last = replays.rebuild(db, client.game_id).sequence
        # Row 1 is the reveal of the sealed opening. Every answered move is in the log, and no row is nobody's.
        assert client.answers == [str(row) for row in range(2, last + 1)]
    db.close()

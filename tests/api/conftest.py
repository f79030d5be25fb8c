"""The API on the real database and the real Redis of the test run."""

import itertools
import os
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from runtime.config import Config
from service import phases, positions
from store.database import Database

_numbers = itertools.count()


class Person:
    """A signed-up player who sends requests; None of them knows anything that the API has not told."""

    def __init__(self, client: FlaskClient, name: str, token: str, player_id: int) -> None:
        self.client = client
        self.name = name
        self.token = token
        self.id = player_id

    def send(self, method: str, path: str, **options: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return self.client.open(path, method=method, headers=headers, **options)

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.send("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        return self.send("POST", path, json=body, **options)


class Service:
    """The API as its users meet it, and the workers' work on demand."""

    def __init__(self, app: Flask, db: Database) -> None:
        self.app = app
        self.db = db
        self.client = app.test_client()

    def sign_up(self, name: str = "") -> Person:
        name = name or f"person {os.getpid()}-{next(_numbers)}"
        answer = self.client.post("/v1/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        return Person(self.client, name, answer.json["token"], answer.json["player"]["id"])

    def open_game(self, people: int = 2, bots: int = 0, **options: Any) -> tuple[str, list[Person]]:
        """A started game: its id, and its people in the order of their seats."""
        persons = [self.sign_up() for _ in range(people)]
        seats = [{"kind": "me"}] + [{"kind": "open"}] * (people - 1) + [{"kind": "bot"}] * bots
        invited = options.get("private")
        if invited:
            seats = [{"kind": "me"}] + [{"kind": "invite", "name": one.name} for one in persons[1:]] + seats[people:]
        answer = persons[0].post("/v1/games", {"ruleset": "airlines-europe", "seats": seats, **options})
        assert answer.status_code == 201, answer.text
        game_id = answer.json["game"]["id"]
        for person in persons[1:]:
            joined = person.post(f"/v1/games/{game_id}/seats", {})
            assert joined.status_code == 201, joined.text
        return game_id, persons

    def play_opening(self, game_id: str, persons: list[Person]) -> None:
        """Everybody's sealed opening, and the reveal that a worker would do."""
        for person in persons:
            default = person.get(f"/v1/games/{game_id}/options").json["default"]
            assert person.post(f"/v1/games/{game_id}/moves", {"moves": [default]}).status_code == 202
        assert phases.resolve(self.db, game_id)

    def in_turn(self, game_id: str, persons: list[Person]) -> Person:
        table, _ = positions.load(self.db, game_id)
        return persons[table.acting()[0]]


@pytest.fixture(scope="session")
def app(config: Config) -> Flask:
    return create_app(config.replace(requests_per_minute=10**9, log_level="error", webhook_loopback=True))


@pytest.fixture(scope="session")
def service(app: Flask, db: Database) -> Service:
    return Service(app, db)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def running(service: Service) -> tuple[str, list[Person]]:
    """A game of two past its opening."""
    game_id, persons = service.open_game()
    service.play_opening(game_id, persons)
    return game_id, persons

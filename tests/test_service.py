"""The service as the world meets it: `./waybill up`, with its own Postgres, Redis, API, worker and beat."""

import http.client
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee import record
from referee.games import game_of
from referee.log import numbered_seats
from runtime.processes import free_port
from tests.commands.test_up import Up
from tests.contract import contract_at
from tests.waiting import wait_until


class Client:
    """A player's program: it knows an address, a token, and HTTP."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.place = url, urlsplit(url)
        self.token = ""
        self.headers: Mapping[str, str] = {}  # of the last answer
        self.token = self.ask("POST", "/v1/players", {"name": name})[1]["token"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self.place.hostname or "", self.place.port, timeout=30)
        sent = {"Content-Type": "application/json"} | {name.replace("_", "-"): one for name, one in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        self.headers = answer.headers
        contract_at(self.url).check(method, urlsplit(path).path, answer.status, answer.headers, data)
        is_json = answer.headers["Content-Type"] in ("application/json", "application/problem+json")
        return answer.status, json.loads(data) if is_json else data


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    up = Up(tmp_path_factory.mktemp("service") / "waybill", "--port", str(free_port()))
    try:
        yield up.wait().url
    finally:
        up.stop()


def open_game(clients: list[Client]) -> str:
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(clients) - 1)]
    game_id = clients[0].ask("POST", "/v1/games", {"ruleset": "airlines-europe", "seats": seats})[1]["game"]["id"]
    for client in clients[1:]:
        assert client.ask("POST", f"/v1/games/{game_id}/seats", {})[0] == 201
    return str(game_id)


def draw(schema: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A move that fits the exact schema of a position, found by a program that knows JSON Schema and no rules."""
    option = rng.choice(schema["anyOf"])
    return {name: draw_value(one, rng) for name, one in option["properties"].items() if name in option["required"]}


def draw_value(one: dict[str, Any], rng: random.Random) -> Any:
    if "const" in one:
        return one["const"]
    if "enum" in one:
        return rng.choice(one["enum"])
    limits = {part["contains"]["const"]: part["maxContains"] for part in one.get("allOf", [])}
    size = rng.randint(one["minItems"], one["maxItems"])
    left = [item for item in one["items"]["enum"] for _ in range(limits.get(item, size))] if size else []
    return rng.sample(left, size)


def test_four_programs_play_a_whole_game_and_its_record_verifies_offline(url: str, tmp_path: Path) -> None:
    clients = [Client(url, f"client {number}") for number in range(4)]
    game_id = open_game(clients)
    rng = random.Random(4)
    for client in clients:
        move = draw(client.ask("GET", f"/v1/games/{game_id}/options")[1]["schema"], rng)
        assert client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [move]})[0] == 202
    wait_until(lambda: clients[0].ask("GET", f"/v1/games/{game_id}")[1]["sequence"] == 1, what="the worker's reveal")
    while (game := clients[0].ask("GET", f"/v1/games/{game_id}")[1])["status"] == "running":
        client = clients[game["to_act"][0]]
        move = draw(client.ask("GET", f"/v1/games/{game_id}/options")[1]["schema"], rng)
        status, answer = client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [move]})
        assert status == 201, (move, answer)
    status, data = clients[0].ask("GET", f"/v1/games/{game_id}/record")
    loaded = record.load(data)
    assert record.verify(game_of(loaded.header), loaded).is_over
    assert loaded.header.players == numbered_seats(4)


def test_sixteen_clients_at_once_make_one_move_for_each_sequence_number(url: str) -> None:
    clients = [Client(url, f"racer {number}") for number in range(2)]
    game_id = open_game(clients)
    for client in clients:
        default = client.ask("GET", f"/v1/games/{game_id}/options")[1]["default"]
        client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [default]})
    wait_until(lambda: clients[0].ask("GET", f"/v1/games/{game_id}")[1]["sequence"] == 1, what="the reveal")

    def race(number: int) -> tuple[int, str]:
        client = clients[number % 2]
        status, answer = client.ask("POST", f"/v1/games/{game_id}/moves", {"orders": "take money"}, If_Match='"1"')
        return status, answer.get("type", "played")

    with ThreadPoolExecutor(16) as pool:
        outcomes = Counter(pool.map(race, range(16)))
    assert sum(count for (status, _), count in outcomes.items() if status == 201) == 1
    refusals = {kind for (status, kind) in outcomes if status != 201}
    assert refusals <= {"urn:waybill:problem:stale", "urn:waybill:problem:illegal-order"}
    assert clients[0].ask("GET", f"/v1/games/{game_id}")[1]["sequence"] == 2
    rows = clients[0].ask("GET", f"/v1/games/{game_id}/log")[1]["rows"]
    assert [row["row"] for row in rows] == [0, 1, 2]


def test_bots_play_on_without_being_asked(url: str) -> None:
    client = Client(url, "alone")
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]}
    game_id = client.ask("POST", "/v1/games", body)[1]["game"]["id"]
    default = client.ask("GET", f"/v1/games/{game_id}/options")[1]["default"]
    assert client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [default]})[0] == 202

    def my_turn() -> bool:
        game = client.ask("GET", f"/v1/games/{game_id}")[1]
        return bool(game["sequence"] > 0 and game["to_act"] == [0])

    wait_until(my_turn, what="my turn")
    assert client.ask("POST", f"/v1/games/{game_id}/moves", {"orders": "take money"})[0] == 201
    wait_until(my_turn, what="my next turn")

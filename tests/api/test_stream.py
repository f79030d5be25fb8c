"""The stream as it is started: every row once and in order, only what the viewer may see, whatever is lost between."""

import http.client
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import redis
from flask import Flask

from api import stream as stream_module
from api.hub import RECENT_ROWS, Topic
from runtime.config import Config
from runtime.processes import free_port
from runtime.serve_stream import STOP_SECONDS
from service import bot_turns, players, positions, watching
from service.watching import GameState, Rows
from store.errors import Unavailable
from tests.api.conftest import Person, Service
from tests.contract import Contract, contract_of
from tests.factories import play_some
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 20
HELD_AGAINST: list[Contract] = []  # the document of this run


class Server:
    def __init__(self, config: Config, log: Path, **settings: str) -> None:
        self.config, self.log, self.settings = config, log, settings
        self.port = free_port()
        self.start()

    def start(self) -> None:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("WAYBILL_")},
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": self.config.database_url,
            "REDIS_URL": self.config.redis_url,
            "WAYBILL_STREAM_PORT": str(self.port),
            **self.settings,
        }
        command = [sys.executable, "-P", "-m", "runtime.serve_stream", "api.stream:app"]
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True
            )
        wait_until(self.answers, 60, what="the stream")

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    def get(self, path: str, token: str | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.request("GET", path, headers=bearer(token))
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        HELD_AGAINST[0].check("GET", urlsplit(path).path, answer.status, answer.headers, body)
        return answer.status, json.loads(body)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


class Events:
    """A client of server-sent events, which holds each of them against the document."""

    def __init__(self, port: int, path: str, token: str | None = None, last: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        self.connection.request("GET", path, headers=bearer(token) | ({"Last-Event-ID": last} if last else {}))
        self.answer = self.connection.getresponse()
        self.path, self.last = urlsplit(path).path, last
        if self.answer.status == 200:
            HELD_AGAINST[0].check("GET", self.path, 200, self.answer.headers, b"")

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        kind = ""
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "id":
                self.last = value
            elif name == "event":
                kind = value
            elif name == "data":
                data = json.loads(value)
                HELD_AGAINST[0].check_event(self.path, kind, data)
                yield kind, data

    def until(self, wanted: str) -> Any:
        return next(data for kind, data in self if kind == wanted)

    def rows(self, number: int) -> list[int]:
        return [data["row"] for data in itertools.islice((data for kind, data in self if kind == "row"), number)]

    def close(self) -> None:
        self.connection.close()


@pytest.fixture(scope="module", autouse=True)
def held_against(app: Flask) -> None:
    HELD_AGAINST[:] = [contract_of(app)]


@pytest.fixture(scope="module")
def server(config: Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(config, tmp_path_factory.mktemp("stream") / "stream.log")
    yield started
    started.process.terminate()
    started.process.wait(30)


def take_money(service: Service, game_id: str, persons: list[Person]) -> int:
    answer = service.in_turn(game_id, persons).post(f"/v1/games/{game_id}/moves", {"orders": "take money"})
    assert answer.status_code == 201, answer.text
    return int(answer.json["sequence"])


def test_first_comes_the_position_then_every_row_as_it_happens(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    position = events.until("position")
    assert (position["row"], position["you"]) == (1, 0)
    assert len(events.until("game")["to_act"]) == 1
    for _ in range(3):
        row = take_money(service, game_id, persons)
        assert events.until("row")["row"] == row
    events.close()


def test_silence_is_broken_by_comments_and_nothing_is_lost_between_them(service, config, running, tmp_path):
    game_id, persons = running
    server = Server(config, tmp_path / "stream.log", WAYBILL_STREAM_HEARTBEAT="1")
    try:
        events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
        events.until("game")
        lines = iter(events.answer.readline, b"")
        begun = time.monotonic()
        assert [line for line in itertools.islice(lines, 5) if line != b"\n"] == [b": \n", b": \n"]
        assert time.monotonic() - begun > 1.9, "one a second"
        row = take_money(service, game_id, persons)
        assert events.until("row")["row"] == row
        events.close()
    finally:
        server.process.terminate()
        server.process.wait(30)


def test_a_client_that_comes_back_gets_every_row_once(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    events.until("position")
    first = take_money(service, game_id, persons)
    assert events.rows(1) == [first]
    events.close()
    missed = [take_money(service, game_id, persons) for _ in range(3)]
    again = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token, last=events.last)
    assert again.rows(3) == missed
    later = take_money(service, game_id, persons)
    assert again.rows(1) == [later]
    again.close()


def test_nothing_is_told_through_the_eyes_of_a_seat_that_has_changed_hands(service, server, running):
    """Not even in the moment until the connection is ended: what its bot draws is no longer theirs to see."""
    game_id, persons = running
    leaver = service.in_turn(*running)
    events = Events(server.port, f"/v1/games/{game_id}/events", leaver.token)
    assert events.until("position")["you"] == persons.index(leaver)
    leaver.send("DELETE", f"/v1/games/{game_id}/seats/me")
    bot_turns.play(service.db, game_id)
    told = [kind for kind, _ in events]
    assert ("row" in told, told[-1]) == (False, "bye")
    events.close()


def test_rows_are_what_the_log_tells_each_viewer(service, server, running):
    game_id, persons = running
    for _ in range(2):
        take_money(service, game_id, persons)
    for viewer in (*persons, None):
        token = viewer.token if viewer else None
        status, told = server.get(f"/v1/games/{game_id}/events?after=-1&wait=0", token)
        headers = bearer(token)
        log = service.client.get(f"/v1/games/{game_id}/log?limit=500", headers=headers).json
        assert (status, told["rows"]) == (200, log["rows"])


def test_a_long_poll_waits_for_the_next_row_and_no_longer(service, server, running):
    game_id, persons = running
    status, told = server.get(f"/v1/games/{game_id}/events?after=1&wait=0", persons[0].token)
    assert (status, told["rows"]) == (200, [])
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    connection.request("GET", f"/v1/games/{game_id}/events?after=1&wait=15", headers=bearer(persons[0].token))
    row = take_money(service, game_id, persons)
    rows = json.loads(connection.getresponse().read())["rows"]
    assert [row["row"] for row in rows] == [row]


def test_a_private_game_is_not_there_for_strangers_and_a_wrong_token_is_refused(service, server):
    game_id, persons = service.open_game(private=True)
    service.play_opening(game_id, persons)
    stranger = service.sign_up()
    for token in (stranger.token, None):
        status, problem = server.get(f"/v1/games/{game_id}/events?wait=0", token)
        assert (status, problem["type"]) == (404, "urn:waybill:problem:not-found")
    assert server.get(f"/v1/games/{game_id}/events", "wb_" + "x" * 30)[0] == 401
    assert server.get("/v1/events")[0] == 401
    assert server.get("/v1/games/nothing/events")[0] == 404
    assert server.get(f"/v1/games/{game_id}/events?after=x", persons[0].token)[0] == 422


def test_a_revoked_token_is_cut_off(service, server, running, db):
    game_id, persons = running
    with db.transaction() as transaction:
        secret = players.issue_token(transaction, persons[0].id, "short").secret
    events = Events(server.port, f"/v1/games/{game_id}/events", secret)
    events.until("position")
    listed = persons[0].get("/v1/me/tokens").json
    number = next(token["id"] for token in listed if token["label"] == "short")
    with db.session() as session:
        assert players.revoke_token(session, persons[0].id, number)
    assert events.until("bye")["why"] == "revoked"
    assert list(events) == []


def test_who_leaves_the_game_is_cut_off_and_sees_what_spectators_see(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    assert events.until("position")["you"] == 0
    assert persons[0].send("DELETE", f"/v1/games/{game_id}/seats/me").status_code in (200, 204)
    assert events.until("bye")["why"] == "seat"
    assert list(events) == []
    again = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    assert again.until("position")["you"] is None
    again.close()


def test_the_api_leads_to_the_stream_with_a_ticket(service, server, running, app, monkeypatch):
    game_id, persons = running
    monkeypatch.setitem(app.extensions, "stream", server.port)
    answer = persons[0].get(f"/v1/games/{game_id}/events?after=0", headers={"Host": "127.0.0.1:8000"})
    assert answer.status_code == 307
    place = urlsplit(answer.headers["Location"])
    assert (place.hostname, place.port) == ("127.0.0.1", server.port)
    events = Events(server.port, f"{place.path}?{place.query}")
    assert events.rows(1) == [1]
    assert events.until("game")["id"] == game_id
    events.close()
    for path, wanted in ((f"/v1/games/{game_id}/events", "-1"), ("/v1/events", f"notices:0,{game_id}:1")):
        answer = persons[0].get(path, query_string={"after": wanted})
        assert parse_qs(urlsplit(answer.headers["Location"]).query)["after"] == [wanted]
    assert persons[0].get(f"/v1/games/{game_id}/events?after=-2").status_code == 422
    made = persons[0].post("/v1/events/tickets")
    assert made.status_code == 201
    status, _ = server.get(f"/v1/games/{game_id}/events?wait=0&ticket={made.json['ticket']}")
    assert status == 200
    assert server.get(f"/v1/games/{game_id}/events?wait=0&ticket=wt_none")[0] == 401


def test_all_games_of_a_player_come_by_one_stream_and_it_goes_on_where_it_was(service, server):
    games = [service.open_game() for _ in range(2)]
    for game_id, persons in games:
        service.play_opening(game_id, persons)
    person = games[0][1][0]
    first, people = games[0]
    events = Events(server.port, "/v1/events", person.token)
    assert events.until("game")["game_id"] == first
    row = take_money(service, first, people)
    told = events.until("row")
    assert (told["game_id"], told["row"]["row"]) == (first, row)
    events.close()
    missed = take_money(service, first, people)
    again = Events(server.port, "/v1/events", person.token, last=events.last)
    told = again.until("row")
    assert (told["game_id"], told["row"]["row"]) == (first, missed)
    again.close()


def test_without_hints_rows_come_a_second_later(service, server, running, monkeypatch, config):
    game_id, persons = running
    monkeypatch.setattr(service.app.extensions["hints"], "changed", lambda game_id: None)
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    events.until("position")
    row = take_money(service, game_id, persons)
    assert events.rows(1) == [row]
    redis.Redis.from_url(config.redis_url).flushall()
    row = take_money(service, game_id, persons)
    assert events.rows(1) == [row]
    events.close()


def test_a_killed_stream_loses_nothing(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    events.until("position")
    row = take_money(service, game_id, persons)
    assert events.rows(1) == [row]
    server.kill()
    missed = [take_money(service, game_id, persons) for _ in range(2)]
    server.start()
    again = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token, last=events.last)
    assert again.rows(2) == missed
    again.close()


def test_the_first_event_is_the_position_that_the_api_gives(service, server, running):
    game_id, persons = running
    for person in (*persons, None):
        token = person.token if person else None
        events = Events(server.port, f"/v1/games/{game_id}/events", token)
        position = service.client.get(f"/v1/games/{game_id}/position", headers=bearer(token)).json
        assert events.until("position") == position
        events.close()


@pytest.mark.parametrize("text", ["", "x", "a:1,b", "a:x", "a b:1", "a:1:2", "a:--1", "notices:" + "9" * 30])
def test_a_cursor_that_is_none_begins_anew(text):
    assert stream_module.cursor_of(text) is None


def test_a_cursor_names_every_game_and_the_feed():
    assert stream_module.cursor_of("notices:-1,abc123:7") == {"notices": -1, "abc123": 7}


def kept(*numbers: int) -> Any:
    entries = [SimpleNamespace(row=SimpleNamespace(number=number)) for number in numbers]
    return Rows(SimpleNamespace(sequence=numbers[-1]), entries)  # type: ignore[arg-type]  # numbers are all that counts


def test_rows_from_memory_have_no_gap_and_come_in_order():
    topic = Topic("game")
    topic.keep(kept(1, 2, 3))
    topic.keep(kept(9))
    topic.keep(kept(7, 8, 9))
    assert [[entry.row.number for entry in topic.after(after)] for after in (1, 3, 6, 8, 9)] == [
        [2, 3],
        [],
        [7, 8, 9],
        [9],
        [],
    ]
    topic.keep(kept(*range(10, 400)))
    assert len(topic.recent) == RECENT_ROWS
    assert [entry.row.number for entry in topic.after(397)] == [398, 399]


def test_an_answer_that_was_overtaken_does_not_take_a_game_back():
    topic = Topic("game")
    newer, older = (GameState("game", "running", number, [], None, "") for number in (5, 4))
    topic.note(newer)
    topic.note(older)
    assert topic.state == newer


def test_the_host_of_a_private_game_watches_it_without_a_seat(service, server, db):
    host, *guests = (service.sign_up() for _ in range(3))
    seats = [{"kind": "invite", "name": guest.name} for guest in guests]
    made = host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats, "private": True})
    assert made.status_code == 201, made.text
    game_id = made.json["game"]["id"]
    waiting = Events(server.port, f"/v1/games/{game_id}/events", host.token)
    assert waiting.until("game")["status"] == "open"
    for guest in guests:
        assert guest.post(f"/v1/games/{game_id}/seats", {}).status_code == 201
    assert waiting.rows(1) == [0]
    with db.session() as session:
        you = watching.Person(host.id)
        watched = {
            (you, game_id, None),
            (watching.Person(), game_id, None),
            (watching.Person(guests[0].id), game_id, 1),
        }
        assert watching.lost(session, watched) == watched - {(you, game_id, None)}
    service.play_opening(game_id, guests)
    assert waiting.rows(1) == [1]
    waiting.close()


def test_a_game_that_ended_while_one_was_away_is_told_to_its_end(service, server):
    game_id, persons = service.open_game()
    service.play_opening(game_id, persons)
    events = Events(server.port, "/v1/events", persons[0].token)
    events.until("game")
    events.close()
    play_some(service.db, game_id, 10_000)
    table, _ = positions.load(service.db, game_id)
    assert table.is_over
    again = Events(server.port, "/v1/events", persons[0].token, last=events.last)
    told = []
    for kind, data in again:
        if kind == "row":
            told.append(data["row"]["row"])
        elif kind == "game":
            assert data["game"]["status"] == "over"
            break
    assert told == list(range(2, table.sequence + 1))
    again.close()


def test_a_ticket_is_worth_no_more_than_its_token(service, server, running, db):
    game_id, persons = running
    ticket = persons[0].post("/v1/events/tickets").json["ticket"]
    path = f"/v1/games/{game_id}/events?wait=0&ticket={ticket}"
    assert server.get(path)[0] == 200
    with db.session() as session:
        session.run("update tokens set revoked_at = now() where player_id = %s", persons[0].id)
    assert server.get(path)[0] == 401


def test_connections_that_are_gone_are_counted_no_more_and_too_many_are_refused(service, server, running):
    game_id, persons = running
    path = f"/v1/games/{game_id}/events"
    before = server.get("/healthz")[1]["connections"]
    waiting = []
    for _ in range(stream_module.MOST_OF_A_PLAYER):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
        connection.request("GET", f"{path}?after=1&wait=55", headers=bearer(persons[0].token))
        waiting.append(connection)
    full = before + len(waiting)
    wait_until(lambda: server.get("/healthz")[1]["connections"] == full, 20, what="all to be connected")
    status, problem = server.get(path, persons[0].token)
    assert (status, problem["type"]) == (429, "urn:waybill:problem:too-many-requests")
    assert server.get(f"{path}?wait=0", persons[1].token)[0] == 200
    for connection in waiting:
        connection.close()
    wait_until(lambda: server.get("/healthz")[1]["connections"] <= before, 20, what="all to be gone")


def test_a_row_that_is_not_there_yet_is_none_to_go_on_from(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token, last="999")
    assert events.until("position")["row"] == 1
    events.close()


def test_who_is_connected_when_the_stream_is_stopped_is_told_so_at_once(service, server, running):
    game_id, persons = running
    events = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token)
    events.until("game")
    began = time.monotonic()
    server.process.terminate()
    assert events.until("bye")["why"] == "restart"
    assert list(events) == []
    server.process.wait(30)
    assert time.monotonic() - began < STOP_SECONDS
    missed = take_money(service, game_id, persons)
    server.start()
    again = Events(server.port, f"/v1/games/{game_id}/events", persons[0].token, last=events.last)
    assert again.rows(1) == [missed]
    again.close()


def test_connections_outlive_the_database(service, server, running, db):
    game_id, persons = running
    streams = [Events(server.port, path, persons[0].token) for path in (f"/v1/games/{game_id}/events", "/v1/events")]
    for events in streams:
        events.until("game")
    with db.session() as session:
        session.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
            " and usename = current_user and pid <> pg_backend_pid()"
        )
    # Connections of the API's own pool were cut, too: a few requests are answered 503.
    wait_until(lambda: may_read(persons[0]) and can_move(service, game_id, persons), 20, what="the database")
    row = 2
    assert streams[0].rows(1) == [row]
    assert streams[1].until("row")["row"]["row"] == row
    for events in streams:
        events.close()


def may_read(person: Person) -> bool:
    return person.get("/v1/games").status_code == 200


def can_move(service: Service, game_id: str, persons: list[Person]) -> bool:
    try:
        person = service.in_turn(game_id, persons)
    except Unavailable:
        return False
    return person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}).status_code == 201

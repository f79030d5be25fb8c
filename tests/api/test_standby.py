"""Reading elsewhere: what is over and what is past comes from a standby, and never anything older than was seen."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client import REGISTRY
from werkzeug.test import TestResponse

from app import create_app
from runtime.config import Config
from store import watchdog
from store.database import Database
from store.migrate import migrate
from tests.api.conftest import Person, Service
from tests.factories import play_some
from tests.standby import Pair, streaming_pair
from tests.waiting import wait_until
from workers.app import configure

NOWHERE = "postgresql://127.0.0.1:1/none"
OF_A_GAME = (
    "position",
    "position?at=1",
    "position?at=1&seen_by=0",
    "log",
    "log?after=0&limit=1",
    "board.txt",
    "board.txt?at=1",
    "record",
    "scores",
    "transcript",
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with streaming_pair(tmp_path_factory.mktemp("pair")) as made:
        yield made


@pytest.fixture(scope="module")
def near(pair: Pair, config: Config) -> Iterator[Service]:
    """The service on a primary with a standby to read from."""
    migrate(Database(pair.primary_url))
    likes = config.replace(requests_per_minute=10**9, log_level="error")
    app = create_app(likes.replace(database_url=pair.primary_url, read_url=pair.standby_url))
    yield Service(app, Database(pair.primary_url))
    configure(config)  # the workers' database is back


@pytest.fixture(autouse=True)
def _in_step(pair: Pair) -> Iterator[None]:
    yield
    pair.resume()


@contextmanager
def on(service: Service, database_url: str, read_url: str = "", patience: float = 10) -> Iterator[FlaskClient]:
    """The same service on other databases, as long as this lasts."""
    own = service.app.extensions["database"]
    other = Database(database_url, statement_timeout=patience)
    other.standby = Database(read_url) if read_url else None
    service.app.extensions["database"] = other
    try:
        yield service.client
    finally:
        service.app.extensions["database"] = own
        other.close()


def finished_game(service: Service, **options: Any) -> tuple[str, list[Person]]:
    game_id, persons = service.open_game(**options)
    play_some(service.db, game_id, 10_000)
    return game_id, persons


def reads(outcome: str) -> float:
    return REGISTRY.get_sample_value("waybill_standby_reads_total", {"outcome": outcome}) or 0.0


def test_finished_game_needs_no_primary_and_is_the_same(near: Service, pair: Pair) -> None:
    game_id, _ = finished_game(near)
    pair.wait()
    paths = [f"/v1/games/{game_id}/{thing}" for thing in OF_A_GAME]
    with on(near, pair.primary_url) as client:
        expected = [answer_of(client, path) for path in paths]
    with on(near, NOWHERE, pair.standby_url) as client:
        assert [answer_of(client, path) for path in paths] == expected
    before = reads("answered"), reads("behind")
    assert [answer_of(near.client, path) for path in paths] == expected
    assert (reads("answered") > before[0], reads("behind")) == (True, before[1])


def answer_of(client: FlaskClient, path: str) -> tuple[int, str, bytes]:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.status_code, answer.headers.get("ETag", ""), answer.data


def sequence_of(answer: TestResponse) -> int:
    return int(answer.get_etag()[0].partition("-")[0])


def test_whoever_has_seen_a_row_is_never_shown_less_by_a_standby_that_is_behind(near: Service, pair: Pair) -> None:
    game_id, persons = near.open_game()
    near.play_opening(game_id, persons)
    pair.wait()
    pair.pause()
    path = f"/v1/games/{game_id}"
    for _ in range(3):
        person = near.in_turn(game_id, persons)
        moved = person.post(f"{path}/moves", {"orders": "take money"})
        assert moved.status_code == 201, moved.text
        seen = moved.json["sequence"]
        assert sequence_of(person.get(f"{path}/position")) == seen
        assert sequence_of(person.get(f"{path}/position?at={seen}")) == seen
        assert sequence_of(person.get(f"{path}/position?at={seen - 1}")) == seen - 1
        assert [row["row"] for row in person.get(f"{path}/log").json["rows"]] == list(range(seen + 1))
        assert person.get(f"{path}/log?after={seen - 1}").json["rows"][0]["row"] == seen
        assert [row["row"] for row in person.get(f"{path}/scores").json["scores"]] == list(range(seen + 1))
        assert len(person.get(f"{path}/record").text.splitlines()) == seen + 2  # with the header
    behind = reads("behind")
    play_some(near.db, game_id, 10_000)
    lines = near.client.get(f"{path}/record").text
    assert '"seed"' in lines  # it is over, though the standby knows of a game that runs
    assert reads("behind") > behind
    pair.resume()
    pair.wait()
    answered = reads("answered")
    assert near.client.get(f"{path}/record").text == lines
    assert reads("answered") > answered


def test_past_rows_of_a_running_game_come_from_the_standby_if_it_has_them(near: Service, pair: Pair) -> None:
    game_id, persons = near.open_game()
    near.play_opening(game_id, persons)
    pair.wait()
    pair.pause()
    person = near.in_turn(game_id, persons)
    assert person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}).status_code == 201
    before = reads("answered"), reads("behind")
    assert sequence_of(person.get(f"/v1/games/{game_id}/position?at=0")) == 0
    assert len(person.get(f"/v1/games/{game_id}/log?limit=1").json["rows"]) == 1
    assert (reads("answered") - before[0], reads("behind") - before[1]) == (2, 0)


def test_who_may_not_see_a_private_game_is_not_shown_it_by_the_standby(near: Service, pair: Pair) -> None:
    game_id, persons = finished_game(near, private=True)
    pair.wait()
    stranger = near.sign_up()
    assert persons[1].get(f"/v1/games/{game_id}/record").status_code == 200
    assert stranger.get(f"/v1/games/{game_id}/record").status_code == 404
    assert near.client.get(f"/v1/games/{game_id}/record").status_code == 404


def test_standby_that_is_away_is_left_alone_for_a_while(near: Service, pair: Pair) -> None:
    game_id, _ = finished_game(near)
    away = reads("away")
    with on(near, pair.primary_url, NOWHERE) as client:
        assert [client.get(f"/v1/games/{game_id}/log").status_code for _ in range(3)] == [200] * 3
    assert reads("away") == away + 1


def test_bulk_records_come_whole_however_far_the_standby_is(near: Service, pair: Pair) -> None:
    pair.wait()
    pair.pause()
    game_id, _ = finished_game(near)
    lines = near.client.get("/v1/rulesets/airlines-europe/records?limit=50").text.splitlines()
    assert game_id in lines[-1]


def test_process_on_a_standby_is_ready_to_be_read_and_takes_no_moves(near: Service, pair: Pair) -> None:
    game_id, persons = near.open_game()
    near.play_opening(game_id, persons)
    pair.wait()
    person, key = near.in_turn(game_id, persons), {"Idempotency-Key": "before"}
    orders = {"orders": "take money"}
    assert person.post(f"/v1/games/{game_id}/moves", orders, headers=key).status_code == 201
    pair.wait()
    with on(near, pair.standby_url) as client:
        ready, for_reads = client.get("/readyz"), client.get("/readyz?for=reads")
        assert (ready.status_code, ready.json["status"], ready.json["checks"]["role"]) == (503, "read-only", "standby")
        assert (for_reads.status_code, for_reads.json["status"]) == (200, "ok")
        # What is told again must be safe first, and a standby cannot say whether it is.
        for who, headers in ((person, key), (near.in_turn(game_id, persons), {})):
            moved = who.post(f"/v1/games/{game_id}/moves", orders, headers=headers)
            assert (moved.status_code, moved.headers["Retry-After"]) == (503, "1")
        assert person.get(f"/v1/games/{game_id}/position").status_code == 200
    primary = near.client.get("/readyz")
    assert (primary.status_code, primary.json["checks"]["role"]) == (200, "primary")


def test_kept_answer_is_told_again_only_when_the_standby_that_must_have_it_has_it(
    near: Service, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move may be committed on the primary alone, when whoever waited for the standby was cut off."""
    monkeypatch.setattr(watchdog, "GRACE", 0.5)
    game_id, persons = near.open_game()
    near.play_opening(game_id, persons)
    person, key = near.in_turn(game_id, persons), {"Idempotency-Key": "once"}
    first = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=key)
    assert first.status_code == 201

    def again() -> TestResponse:
        return person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=key)

    pair.wait_for_standby("missing")
    with on(near, pair.primary_url, patience=0.5):
        wait_until(lambda: again().status_code == HTTPStatus.SERVICE_UNAVAILABLE, what="the primary's waiting")
        assert again().headers["Retry-After"] == "1"
        pair.wait_for_standby("")
        wait_until(lambda: again().status_code == HTTPStatus.CREATED, what="the primary's waiting no longer")
        assert (again().json, again().headers["Idempotent-Replayed"]) == (first.json, "true")

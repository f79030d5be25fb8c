"""RateLimiter, browsers, health, metrics, the document."""

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from types import SimpleNamespace
from typing import Any

import openapi_spec_validator
import psycopg2
import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api import rate_limits
from api.rate_limits import MOST_PERMITS, SIGN_UPS, KnownTokens, RateLimiter, network
from app import create_app
from runtime.config import Config
from runtime.logs import REQUEST_LOG, log_as_json
from runtime.servers import Addresses
from service import games
from store.database import Database, Session
from store.migrate import migrate
from tests.api.conftest import Service
from tests.conftest import make_database
from workers.app import app as worker_app


def test_the_document_is_openapi_3_1(client: FlaskClient) -> None:
    document = client.get("/v1/openapi.json").json
    assert document["openapi"] == "3.1.0"
    openapi_spec_validator.validate(document)


def test_the_moves_of_each_game_are_a_discriminated_union(client: FlaskClient) -> None:
    schemas = client.get("/v1/openapi.json").json["components"]["schemas"]
    union = schemas["AirlinesEuropeMove"]
    assert union["discriminator"]["propertyName"] == "type"
    for tag, ref in union["discriminator"]["mapping"].items():
        assert schemas[ref.rpartition("/")[2]]["properties"]["type"]["const"] == tag
    assert {"$ref": "#/components/schemas/AirlinesEuropeMove"} in schemas["Move"]["anyOf"]
    item = schemas["NewMoves"]["properties"]["moves"]["items"]
    assert item["$ref"] == "#/components/schemas/Move"


def test_every_operation_documents_its_problems_and_says_what_it_does(client: FlaskClient) -> None:
    document = client.get("/v1/openapi.json").json
    assert "application/problem+json" in document["components"]["responses"]["DEFAULT_ERROR"]["content"]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "patch", "delete"):
                assert operation["summary"], path
                assert operation["responses"]["default"] == {"$ref": "#/components/responses/DEFAULT_ERROR"}, path


def test_a_ruleset_tells_a_programmer_what_is_needed(client: FlaskClient) -> None:
    ruleset = client.get("/v1/rulesets/airlines-europe").json
    assert ruleset["seats"] == [2, 3, 4, 5]
    assert ruleset["fidelity"] == "reconstructed-v1"
    assert ruleset["settings"]["properties"]["jitter"]["default"] is True
    assert {move["type"]: move["notation"] for move in ruleset["moves"]}["buy"] == "buy {route} for {airline}"
    assert ruleset["board_data"]["cities"]
    bots = {listed["bot"]: listed for listed in ruleset["bots"]}
    assert (bots["random"]["rating"], bots["random"]["uncertainty"]) == (1000, 0)
    listed = client.get("/v1/rulesets").json["rulesets"]
    assert "airlines-europe" in [one["key"] for one in listed]


@pytest.fixture(autouse=True)
def minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """No minute ends in the middle of a test."""
    now = time.time()
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: now, monotonic=time.monotonic))


@pytest.fixture
def strict(config: Config) -> Flask:
    return create_app(config.replace(requests_per_minute=3, log_level="error"))


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def asking_from(app: Flask, address: str) -> Callable[..., int]:
    """Asks for something from an address of its own, and tells the status."""
    client = app.test_client()
    return lambda path, **options: client.get(path, environ_base={"REMOTE_ADDR": address}, **options).status_code


def test_a_player_may_ask_so_often_and_is_told_when_they_may_again(strict: Flask, service: Service) -> None:
    person = service.sign_up()
    client = strict.test_client()
    there = {"REMOTE_ADDR": "192.0.2.10"}
    answers = [client.get("/v1/me", headers=bearer(person.token), environ_base=there) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers[:3]] == ["2", "1", "0"]
    assert {answer.headers["X-RateLimit-Cost"] for answer in answers} == {"1"}
    assert 1 <= int(answers[3].headers["Retry-After"]) <= 60
    assert answers[3].json["type"] == "urn:waybill:problem:too-many-requests"
    assert "Retry-After" not in answers[0].headers
    other = service.sign_up()
    assert client.get("/v1/me", headers=bearer(other.token), environ_base=there).status_code == 200


def test_all_tokens_of_a_player_are_counted_together(strict: Flask, service: Service) -> None:
    person = service.sign_up()
    tokens = [person.token, *(person.post("/v1/me/tokens", {}).json["token"] for _ in range(3))]
    ask = asking_from(strict, "192.0.2.11")
    assert [ask("/v1/me", headers=bearer(token)) for token in tokens] == [200, 200, 200, 200], "each is new to it"
    assert [ask("/v1/me", headers=bearer(token)) for token in tokens] == [429, 429, 429, 429]


def test_whoever_makes_tokens_up_is_counted_by_address(strict: Flask, service: Service) -> None:
    """Other spellings of the header, and tokens that are none, were counted one by one."""
    person = service.sign_up()
    ask = asking_from(strict, "192.0.2.12")
    headers = ("Bearer made up", "bearer made-up", "BEARER  made up", "Basic eDp5", f"Bearer  {person.token}", "wb_x")
    answers = [ask("/v1/me", headers={"Authorization": header}) for header in headers]
    assert answers == [401, 401, 401, 429, 429, 429]


def test_a_token_that_was_good_is_not_held_up_by_those_who_make_tokens_up(strict: Flask, service: Service) -> None:
    person = service.sign_up()
    ask = asking_from(strict, "192.0.2.13")
    assert ask("/v1/me", headers=bearer(person.token)) == 200
    assert [ask("/v1/me", headers=bearer(f"wb_{number}")) for number in range(4)] == [401, 401, 401, 429]
    assert ask("/v1/me", headers=bearer(person.token)) == 200


def test_a_picture_costs_more_than_a_look_and_one_that_is_not_drawn_does_not(config: Config, service: Service) -> None:
    game_id, (person, _) = service.open_game()
    client = create_app(config.replace(requests_per_minute=12, log_level="error")).test_client()
    headers = bearer(person.token)
    look = client.get(f"/v1/games/{game_id}/position", headers=headers)
    drawn = client.get(f"/v1/games/{game_id}/board.svg", headers=headers)
    assert [answer.headers["X-RateLimit-Cost"] for answer in (look, drawn)] == ["1", "5"]
    assert drawn.headers["X-RateLimit-Remaining"] == "6"
    unchanged = {**headers, "If-None-Match": drawn.headers["ETag"]}
    answers = [client.get(f"/v1/games/{game_id}/board.svg", headers=unchanged) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [304, 304, 429]
    assert answers[1].headers["X-RateLimit-Remaining"] == "0"
    assert [client.get("/v1/me", headers=headers).status_code for _ in range(5)] == [200, 200, 200, 200, 429]


def test_so_many_may_sign_up_from_an_address_in_an_hour(config: Config) -> None:
    app = create_app(config.replace(requests_per_minute=100, log_level="error"))
    client, there = app.test_client(), {"REMOTE_ADDR": "192.0.2.14"}

    def sign_up(name: str) -> TestResponse:
        return client.post("/v1/players", json={"name": name}, environ_base=there)

    names = [f"one of many {os.getpid()} {number}" for number in range(SIGN_UPS)]
    assert {sign_up(name).status_code for name in ["", *names[:-1]]} == {422, 201}, "what is refused does not count"
    assert sign_up(names[-1]).status_code == 201
    late = sign_up("one too many")
    assert (late.status_code, late.json["type"]) == (429, "urn:waybill:problem:too-many-requests")
    assert "10 may sign up in an hour" in late.json["detail"]
    assert 1 <= int(late.headers["Retry-After"]) <= 3600
    assert client.get("/v1/games", environ_base=there).status_code == 200


def test_so_many_letters_may_be_asked_for_from_an_address_in_an_hour(config: Config) -> None:
    app = create_app(config.replace(requests_per_minute=100, log_level="error"))
    client, there = app.test_client(), {"REMOTE_ADDR": "192.0.2.15"}
    answers = [
        client.post("/v1/sign-in", json={"email": f"{number}@example.org"}, environ_base=there)
        for number in range(SIGN_UPS + 1)
    ]
    assert [answer.status_code for answer in answers] == [202] * SIGN_UPS + [429]
    assert "10 letters may be asked for in an hour" in answers[-1].json["detail"]


@pytest.mark.parametrize(("proxies", "answer"), [(1, 200), (0, 429)])
def test_people_behind_a_proxy_are_told_apart_if_it_is_ours(config: Config, proxies: int, answer: int) -> None:
    app = create_app(config.replace(requests_per_minute=3, log_level="error", proxies=proxies))
    proxy = {"REMOTE_ADDR": f"10.0.0.{proxies}"}

    def ask(address: str) -> int:
        headers = {"X-Forwarded-For": f"made up, {address}"}
        return app.test_client().get("/v1/games", headers=headers, environ_base=proxy).status_code

    assert [ask("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
    assert ask("192.0.2.2") == answer


def test_an_address_is_counted_by_what_its_owner_cannot_choose() -> None:
    assert network("192.0.2.1") == network("::ffff:192.0.2.1") == "192.0.2.1"
    assert network("2001:db8::1") == network("2001:db8::ffff:2") != network("2001:db8:0:1::1")
    assert network("made up") != network("made up too")


def counters(config: Config, limit: int) -> tuple[RateLimiter, RateLimiter]:
    """Two processes of the API."""
    client = redis.Redis.from_url(config.redis_url)
    return RateLimiter(limit, client), RateLimiter(limit, client)


def test_all_processes_together_give_no_more_than_the_limit_and_hardly_less(config: Config) -> None:
    first, second = counters(config, 800)
    answers = [limiter.take("both", now=60) for _ in range(800) for limiter in (first, second)]
    given = [left for left in answers if left is not None]
    assert 800 - MOST_PERMITS <= len(given) <= 800
    assert given[0] == 799
    assert [limiter.take("both", now=120) for limiter in (first, second)] == [799, 799 - MOST_PERMITS]


def test_what_costs_more_uses_more_of_the_limit(config: Config) -> None:
    first, second = counters(config, 100)
    assert [first.take("dear", 30, now=60) for _ in range(4)] == [70, 40, 10, None]
    assert first.take("dear", 10, now=60) == 0
    assert second.take("dear", 1, now=60) is None
    first.give_back("dear", 9)
    assert [first.take("dear", 5, now=60) for _ in range(2)] == [4, None]


def test_a_single_process_gives_all_of_the_limit_one_by_one(config: Config) -> None:
    first, _ = counters(config, 500)
    assert [first.take("one", now=60) for _ in range(501)] == [*reversed(range(500)), None]


def test_without_redis_a_process_counts_alone() -> None:
    limiter = RateLimiter(5, redis.Redis.from_url("redis://127.0.0.1:1/0"))
    assert [limiter.take("alone", now=60) for _ in range(6)] == [4, 3, 2, 1, 0, None]
    assert limiter.take("other", now=60) == 4


def test_threads_of_a_process_share_the_limit(config: Config) -> None:
    first, _ = counters(config, 100)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: first.take("threads", now=60), range(300)))
    # Permits that came last may have found nobody left to ask for them.
    answers += [first.take("threads", now=60) for _ in range(100)]
    assert sum(left is not None for left in answers) == 100


def test_memory_for_those_who_ask_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_COUNTS", 50)
    limiter = RateLimiter(5, redis.Redis.from_url("redis://127.0.0.1:1/0"))
    known = KnownTokens()
    for number in range(200):
        limiter.take("the one who asks all the time", 0, now=60)
        limiter.take(f"address {number}", now=60)
        known.add(f"token {number}", number)
    assert len(limiter) == 50
    assert limiter.take("address 199", now=60) == 3, "it is remembered that they have asked"
    assert [known.player_of(f"token {number}") for number in (199, 150, 149)] == [199, 150, None]


def test_no_token_is_kept_for_counting(strict: Flask, service: Service) -> None:
    person = service.sign_up()
    known = KnownTokens()
    known.add(person.token, person.id)
    assert person.token not in repr(vars(known))
    assert known.player_of(person.token) == person.id


def test_health_and_preflights_are_not_limited(strict: Flask) -> None:
    client, there = strict.test_client(), {"REMOTE_ADDR": "192.0.2.15"}
    for _ in range(5):
        assert client.get("/healthz", environ_base=there).status_code == 200
        assert client.get("/v1/healthz", environ_base=there).status_code == 200
        assert client.options("/v1/games", environ_base=there).status_code == 200
    ask = asking_from(strict, "192.0.2.15")
    answers = [ask("/v1/games/healthz", headers=bearer("a game that is called so")) for _ in range(4)]
    assert answers == [401, 401, 401, 429]


def test_without_redis_moves_are_still_taken(config: Config, service: Service) -> None:
    game_id, persons = service.open_game()
    service.play_opening(game_id, persons)
    app = create_app(config.replace(redis_url="redis://127.0.0.1:1/0", log_level="error"))
    person = service.in_turn(game_id, persons)
    headers = {"Authorization": f"Bearer {person.token}"}
    answer = app.test_client().post(f"/v1/games/{game_id}/moves", json={"orders": "take money"}, headers=headers)
    assert answer.status_code == 201
    ready = app.test_client().get("/readyz")
    assert (ready.status_code, ready.json["checks"]) == (200, {"database": True, "role": "primary", "redis": False})
    create_app(config.replace(requests_per_minute=10**9, log_level="error"))  # the workers' queue is back


def test_what_is_done_is_not_called_in_question_where_the_workers_cannot_be_told(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may go away just after the commit: the sweep finds what is to be done."""
    monkeypatch.setattr(worker_app, "database", Database("postgresql://127.0.0.1:1/none"))
    person = service.sign_up()
    seats = [{"kind": "me"}, {"kind": "bot"}]
    opened = person.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats})
    assert (opened.status_code, opened.json["game"]["status"]) == (201, "running")


@pytest.mark.skipif("THROUGH_PGBOUNCER" in os.environ, reason="a pooler deals its connections out as it likes")
def test_a_process_has_no_more_connections_than_its_pool(config: Config, db: Database, run_servers: Addresses) -> None:
    """docs/operate.md has operators count on it. On a database of its own: there are no connections but these."""
    url = make_database(run_servers, f"counted_{os.getpid()}")
    migrate(Database(url))
    service = Service(create_app(config.replace(database_url=url, log_level="error", pool_size=1)), db)
    with db.session() as session:
        find = "select pid from pg_stat_activity where datname = %s"
        before = {row[0] for row in session.rows(find, f"counted_{os.getpid()}")}
        person, seats = service.sign_up(), [{"kind": "me"}, {"kind": "bot"}]
        person.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats})
        after = {row[0] for row in session.rows(find, f"counted_{os.getpid()}")}
    assert len(after - before) == 1
    create_app(config.replace(requests_per_minute=10**9, log_level="error"))  # the workers' database is back


def test_without_the_database_the_answer_is_to_come_again(config: Config) -> None:
    app = create_app(config.replace(database_url="postgresql://127.0.0.1:1/none", log_level="error"))
    answer = app.test_client().get("/v1/games")
    assert (answer.status_code, answer.json["type"]) == (503, "urn:waybill:problem:unavailable")
    assert answer.headers["Retry-After"] == "1"
    assert "127.0.0.1" not in answer.text
    assert app.test_client().get("/readyz").status_code == 503
    assert app.test_client().get("/healthz").status_code == 200
    create_app(config.replace(requests_per_minute=10**9, log_level="error"))


class FullDisk(StringIO):
    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def without_log(config: Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """The API where a line of the log cannot be written."""
    app = create_app(config.replace(requests_per_minute=10**9, log_level="warning"))
    monkeypatch.setattr(sys, "stderr", FullDisk())
    yield app.test_client()
    log_as_json("error")


def test_a_full_disk_is_an_answer_to_come_again(without_log: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise psycopg2.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr(Session, "row", fail)
    answer = without_log.post("/v1/players", json={"name": "no room"})
    assert (answer.status_code, answer.json["type"]) == (503, "urn:waybill:problem:unavailable")
    assert answer.headers["Retry-After"] == "1"


def test_a_bug_is_answered_where_the_log_cannot_be_written(
    without_log: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(games, "listing", fail)
    answer = without_log.get("/v1/games")
    assert (answer.status_code, answer.json["type"]) == (500, "urn:waybill:problem:internal-error")


def test_a_page_elsewhere_may_use_the_api(client: FlaskClient) -> None:
    answer = client.options(
        "/v1/games",
        headers={
            "Origin": "https://client.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, idempotency-key, if-match",
        },
    )
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("authorization", "idempotency-key", "if-match"))
    assert "ETag" in client.get("/v1/rulesets").headers["Access-Control-Expose-Headers"]


def test_answers_keep_browsers_from_being_clever(client: FlaskClient) -> None:
    for path in ("/v1/docs", "/v1/games", "/nowhere"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_a_body_that_is_not_called_json_is_told_how_to_be(client: FlaskClient) -> None:
    answer = client.post("/v1/players", data='{"name": "Ann"}')
    assert (answer.status_code, answer.json["type"]) == (415, "urn:waybill:problem:unsupported-media-type")
    assert "Content-Type: application/json" in answer.json["detail"]


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("{}", "name: Missing data for required field."),
        ('{"name": "", "mail": "x"}', "name: Length must be between 1 and 32. mail: Unknown field."),
        ("[]", "The body of this request is a JSON object."),
        ('{"name": ', "The body is not JSON: Input data was truncated."),
        ("", "The body is not JSON: Input data was truncated."),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(body: str, detail: str, client: FlaskClient) -> None:
    answer = client.post("/v1/players", data=body, content_type="application/json")
    assert answer.json["type"] == "urn:waybill:problem:invalid-request"
    assert detail in answer.json["detail"]


def test_a_list_of_mistakes_is_told_up_to_a_point(service: Service) -> None:
    game_id, (person, _) = service.open_game()
    answer = person.post(f"/v1/games/{game_id}/moves", {"moves": ["take money"] * 50})
    assert answer.json["detail"].startswith("moves.0: A move is an object with a type; text goes into `orders`. moves")
    assert answer.json["detail"].endswith("And 45 more.")
    assert len(answer.json["errors"]["json"]["moves"]) == 50


def test_what_people_wrote_comes_back_as_they_wrote_it(service: Service) -> None:
    game_id, (person, _) = service.open_game()
    answer = person.post(f"/v1/games/{game_id}/moves", {"orders": "fliege nach Zürich"})
    assert "“fliege nach Zürich” is no order here." in answer.text


def test_an_address_that_is_not_there_leads_to_those_that_are(client: FlaskClient) -> None:
    assert "/v1/docs" in client.get("/v2").json["detail"]


def test_a_body_that_is_too_large_is_refused_under_a_name_that_stays(client: FlaskClient) -> None:
    answer = client.post("/v1/players", data="x" * 600_000, content_type="application/json")
    assert (answer.status_code, answer.json["type"]) == (413, "urn:waybill:problem:too-large")


def test_a_method_that_does_not_exist_names_those_that_do(client: FlaskClient) -> None:
    answer = client.delete("/v1/games")
    assert (answer.status_code, answer.content_type) == (405, "application/problem+json")
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))


def test_requests_are_counted_by_route_and_not_by_address(client: FlaskClient) -> None:
    client.get("/v1/games/someid")
    client.get("/nowhere/at/all")
    metrics = client.get("/metrics").text
    assert 'route="/v1/games/<game_id>"' in metrics
    assert 'route="none"' in metrics
    assert "someid" not in metrics


def test_a_request_is_known_by_its_number_in_answer_and_log(config: Config, capfd: pytest.CaptureFixture[str]) -> None:
    app = create_app(config.replace(requests_per_minute=10**9, log_level="info"))
    answer = app.test_client().get("/v1/games/none", headers={"X-Request-ID": "from-the-proxy-1"})
    assert answer.headers["X-Request-ID"] == "from-the-proxy-1"
    REQUEST_LOG.write()
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    line = next(one for one in lines if one.get("request_id") == "from-the-proxy-1")
    assert (line["route"], line["status"], line["game"]) == ("/v1/games/<game_id>", 404, "none")
    assert app.test_client().get("/healthz", headers={"X-Request-ID": "bad\tid"}).headers["X-Request-ID"] != "bad\tid"
    log_as_json("error")

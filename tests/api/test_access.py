"""For every endpoint: no token, someone else's game, no such thing."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from runtime.config import Config
from service.seats import NO_SUCH_GAME
from tests.api.conftest import Person, Service

NOBODY = 401  # answers for: without a token, a stranger to a private game, a thing that is not there
ANYBODY = 200
HIDDEN = 404

# (method, rule): what someone without a token gets for a public game; None where no game is in the path
ENDPOINTS = {
    ("POST", "/v1/players"): None,
    ("POST", "/v1/sign-in"): None,
    ("POST", "/v1/sign-in/confirm"): None,
    ("GET", "/v1/me"): NOBODY,
    ("PATCH", "/v1/me"): NOBODY,
    ("DELETE", "/v1/me"): NOBODY,
    ("GET", "/v1/me/export"): NOBODY,
    ("POST", "/v1/me/email"): NOBODY,
    ("POST", "/v1/me/email/confirm"): NOBODY,
    ("GET", "/v1/me/tokens"): NOBODY,
    ("POST", "/v1/me/tokens"): NOBODY,
    ("DELETE", "/v1/me/tokens/<int:token_id>"): NOBODY,
    ("GET", "/v1/rulesets"): ANYBODY,
    ("GET", "/v1/rulesets/<key>"): ANYBODY,
    ("GET", "/v1/rulesets/<key>/rules"): ANYBODY,
    ("GET", "/v1/rulesets/<key>/schema"): ANYBODY,
    ("GET", "/v1/rulesets/<key>/rules/<picture>.svg"): None,  # tests/api/test_rules.py
    ("POST", "/v1/games"): NOBODY,
    ("GET", "/v1/games"): ANYBODY,
    ("GET", "/v1/games/<game_id>"): ANYBODY,
    ("POST", "/v1/games/<game_id>/seats"): NOBODY,
    ("DELETE", "/v1/games/<game_id>/seats/me"): NOBODY,
    ("POST", "/v1/games/<game_id>/start"): NOBODY,
    ("POST", "/v1/games/<game_id>/pause"): NOBODY,
    ("POST", "/v1/games/<game_id>/resume"): NOBODY,
    ("POST", "/v1/games/<game_id>/absence"): NOBODY,
    ("POST", "/v1/games/<game_id>/wait"): NOBODY,
    ("POST", "/v1/games/<game_id>/undo"): NOBODY,
    ("GET", "/v1/games/<game_id>/standing-orders"): NOBODY,
    ("PUT", "/v1/games/<game_id>/standing-orders"): NOBODY,
    ("DELETE", "/v1/games/<game_id>/standing-orders"): NOBODY,
    ("GET", "/v1/games/<game_id>/facts"): NOBODY,
    ("POST", "/v1/games/<game_id>/substitute"): NOBODY,
    ("POST", "/v1/games/<game_id>/return"): NOBODY,
    ("POST", "/v1/games/<game_id>/offer"): NOBODY,
    ("POST", "/v1/games/<game_id>/host"): NOBODY,
    ("POST", "/v1/games/<game_id>/end"): NOBODY,
    ("POST", "/v1/games/<game_id>/advance"): NOBODY,
    ("POST", "/v1/games/<game_id>/fork"): NOBODY,
    ("GET", "/v1/games/<game_id>/options"): NOBODY,
    ("POST", "/v1/games/<game_id>/options"): NOBODY,
    ("POST", "/v1/games/<game_id>/moves"): NOBODY,
    ("GET", "/v1/games/<game_id>/position"): ANYBODY,
    ("GET", "/v1/games/<game_id>/log"): ANYBODY,
    ("GET", "/v1/games/<game_id>/reasons"): None,  # tests/api/test_replays.py
    ("GET", "/v1/games/<game_id>/board.svg"): ANYBODY,
    ("GET", "/v1/games/<game_id>/board.png"): ANYBODY,
    ("GET", "/v1/games/<game_id>/board.txt"): ANYBODY,
    ("GET", "/v1/games/<game_id>/record"): ANYBODY,
    ("GET", "/v1/games/<game_id>/scores"): ANYBODY,
    ("GET", "/v1/games/<game_id>/transcript"): ANYBODY,
    ("GET", "/v1/rulesets/<key>/records"): ANYBODY,
    ("POST", "/v1/games/<game_id>/press"): NOBODY,
    ("GET", "/v1/games/<game_id>/press"): ANYBODY,
    ("DELETE", "/v1/games/<game_id>/press/<message_id>"): NOBODY,
    ("GET", "/v1/notices"): NOBODY,
    ("POST", "/v1/notices/read"): NOBODY,
    ("GET", "/v1/notices/<int:notice_id>/deliveries"): NOBODY,
    ("GET", "/v1/me/preferences"): NOBODY,
    ("PATCH", "/v1/me/preferences"): NOBODY,
    ("GET", "/v1/me/blocks"): NOBODY,
    ("PUT", "/v1/me/blocks/<int:player_id>"): NOBODY,
    ("DELETE", "/v1/me/blocks/<int:player_id>"): NOBODY,
    ("POST", "/v1/webhooks"): NOBODY,
    ("GET", "/v1/webhooks"): NOBODY,
    ("GET", "/v1/webhooks/<int:webhook_id>"): NOBODY,
    ("PATCH", "/v1/webhooks/<int:webhook_id>"): NOBODY,
    ("DELETE", "/v1/webhooks/<int:webhook_id>"): NOBODY,
    ("POST", "/v1/webhooks/<int:webhook_id>/secret"): NOBODY,
    ("POST", "/v1/webhooks/<int:webhook_id>/test"): NOBODY,
    ("GET", "/v1/webhooks/<int:webhook_id>/deliveries"): NOBODY,
    ("POST", "/v1/webhooks/<int:webhook_id>/deliveries/<int:notice_id>"): NOBODY,
    ("POST", "/v1/push-subscriptions"): NOBODY,
    ("GET", "/v1/push-subscriptions"): NOBODY,
    ("DELETE", "/v1/push-subscriptions/<int:subscription_id>"): NOBODY,
    ("POST", "/v1/events/tickets"): NOBODY,
    ("GET", "/v1/events"): NOBODY,
    ("GET", "/v1/games/<game_id>/events"): None,  # tests/api/test_stream.py
    ("POST", "/v1/mail/inbound"): None,  # tests/api/test_mail.py
    ("GET", "/v1/mail/invitation"): None,  # tests/api/test_mail.py: for whoever has the token of the link
    ("POST", "/v1/mail/invitation"): None,
    ("GET", "/v1/mail/unsubscribe"): ANYBODY,
    ("POST", "/v1/mail/unsubscribe"): None,  # tests/api/test_mail.py
    ("GET", "/v1/mail/confirm"): ANYBODY,
    ("POST", "/v1/mail/confirm"): None,  # tests/api/test_mail.py
    ("GET", "/dev/mail"): None,  # tests/api/test_mail.py
    ("GET", "/dev/mail/<key>"): None,
    ("GET", "/dev/mail/<key>/html"): None,
    ("GET", "/v1/openapi.json"): ANYBODY,
    ("GET", "/v1/docs"): ANYBODY,
    ("GET", "/v1/docs/redoc.js"): ANYBODY,
    ("GET", "/v1/docs/<name>.md"): None,  # tests/api/test_docs_page.py
    **{("GET", "/dev/mail" + path): None for path in ("", "/<key>", "/<key>/html")},  # tests/api/test_mail.py
    **{("GET", prefix + path): ANYBODY for prefix in ("", "/v1") for path in ("/healthz", "/readyz", "/metrics")},
}
IN_A_GAME = [endpoint for endpoint in ENDPOINTS if "<game_id>" in endpoint[1]]

# What must be in a request for it to get as far as the game.
BODIES = {
    "/v1/games/<game_id>/seats": {},
    "/v1/games/<game_id>/moves": {"orders": "take money"},
    "/v1/games/<game_id>/options": {"orders": "take money"},
    "/v1/games/<game_id>/press": {"text": "hello"},
    "/v1/games/<game_id>/standing-orders": {"text": "next: take money"},
    "/v1/games/<game_id>/absence": {"from": "2030-12-24T00:00:00Z", "until": "2030-12-27T00:00:00Z"},
    "/v1/games/<game_id>/offer": {"seat": 1},
    "/v1/games/<game_id>/host": {"player": 1},
    "/v1/me": {"name": "new"},
    "/v1/me/tokens": {},
    "/v1/games": {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}]},
}


def test_the_table_above_names_every_endpoint(app: Flask) -> None:
    rules = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.endpoint != "static" and not rule.endpoint.startswith("page.")  # tests/web/test_serving.py
    }
    assert rules == set(ENDPOINTS)


def path_to(rule: str, game_id: str) -> str:
    known = rule.replace("<game_id>", game_id)
    for number in (
        "<int:token_id>",
        "<int:notice_id>",
        "<int:player_id>",
        "<int:webhook_id>",
        "<int:subscription_id>",
        "<message_id>",
    ):
        known = known.replace(number, "1")
    return known.replace("<key>", "airlines-europe")


@pytest.mark.parametrize(("method", "rule"), [one for one in ENDPOINTS if ENDPOINTS[one]])
def test_without_a_token(method: str, rule: str, service: Service, running: tuple) -> None:
    game_id, _ = running
    answer = service.client.open(path_to(rule, game_id), method=method, json=BODIES.get(rule))
    assert answer.status_code == ENDPOINTS[method, rule], answer.text
    if answer.status_code == NOBODY:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize(("method", "rule"), IN_A_GAME)
def test_a_private_game_does_not_exist_for_strangers(method: str, rule: str, service: Service) -> None:
    game_id, _ = service.open_game(private=True)
    stranger = service.sign_up()
    answer = stranger.send(method, path_to(rule, game_id), json=BODIES.get(rule))
    assert answer.status_code == HIDDEN, answer.text
    not_there = stranger.send(method, path_to(rule, "zzzzzzzzzzzz"), json=BODIES.get(rule))
    assert answer.json == not_there.json


@pytest.mark.parametrize(("method", "rule"), IN_A_GAME)
def test_a_game_that_is_not_there(method: str, rule: str, service: Service) -> None:
    person = service.sign_up()
    answer = person.send(method, path_to(rule, "nosuchgame00"), json=BODIES.get(rule))
    assert answer.status_code == HIDDEN
    assert answer.json["detail"] == NO_SUCH_GAME


@pytest.mark.parametrize("rule", ["options", "moves", "pause", "resume", "absence", "wait", "undo"])
def test_someone_elses_seat(rule: str, service: Service, running: tuple) -> None:
    stranger = service.sign_up()
    path, body = f"/v1/games/{running[0]}/{rule}", BODIES.get(f"/v1/games/<game_id>/{rule}")
    answer = stranger.post(path, body)
    if rule == "options":
        assert stranger.get(path).json == answer.json
    assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:no-seat")


@pytest.mark.parametrize("word", ["start", "end", "host", "offer", "advance"])
def test_only_the_host_has_the_say(word: str, service: Service, running: tuple) -> None:
    game_id, (_, guest) = running
    answer = guest.post(f"/v1/games/{game_id}/{word}", BODIES.get(f"/v1/games/<game_id>/{word}"))
    assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:not-the-host")


def test_a_wrong_token_is_refused_even_where_none_is_needed(service: Service) -> None:
    for header in ("Bearer wb_nonsense", "Bearer", "Basic abc", "Bearer wb_" + "x" * 38, "Bearer \xe9"):
        answer = service.client.get("/v1/games", headers={"Authorization": header})
        assert answer.status_code == 401, header


def test_a_revoked_token_is_refused(service: Service) -> None:
    person = service.sign_up()
    issued = person.post("/v1/me/tokens", {"label": "bot"})
    assert issued.status_code == 201
    headers = {"Authorization": f"Bearer {issued.json['token']}"}
    assert service.client.get("/v1/me", headers=headers).json["name"] == person.name
    assert person.send("DELETE", f"/v1/me/tokens/{issued.json['id']}").status_code == 204
    assert service.client.get("/v1/me", headers=headers).status_code == 401
    assert person.send("DELETE", f"/v1/me/tokens/{issued.json['id']}").status_code == 404
    assert [one["label"] for one in person.get("/v1/me/tokens").json] == ["sign-up", "bot"]


def test_a_token_cannot_be_read_from_the_database(service: Service) -> None:
    key = {"Idempotency-Key": "to-be-kept-secret"}
    person = service.client.post("/v1/players", json={"name": "Kept Secret"}, headers=key)
    token = person.json["token"]
    with service.db.session() as session:
        tables = [row[0] for row in session.rows("select tablename from pg_tables where schemaname = 'public'")]
        for table in tables:
            assert not session.value(f"select count(*) from {table} t where t::text like %s", f"%{token[3:]}%"), table


@pytest.fixture
def elsewhere(config: Config) -> FlaskClient:
    """Another process of the API, which remembers for itself."""
    return create_app(config.replace(log_level="error")).test_client()


def test_who_left_a_game_before_it_began_does_not_see_what_their_successor_sees(
    service: Service, elsewhere: FlaskClient
) -> None:
    host, left, came = (service.sign_up() for _ in range(3))
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    game = host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"]
    left.post(f"/v1/games/{game}/seats", {})
    same = Person(elsewhere, left.name, left.token, left.id)
    assert same.get(f"/v1/games/{game}/options").status_code == 409
    assert left.send("DELETE", f"/v1/games/{game}/seats/me").status_code == 200
    for person in (came, service.sign_up()):
        assert person.post(f"/v1/games/{game}/seats", {}).status_code == 201
    assert same.get(f"/v1/games/{game}/options").status_code == 403
    assert same.get(f"/v1/games/{game}/position").json["you"] is None


def test_a_change_does_not_undo_one_made_elsewhere(service: Service, elsewhere: FlaskClient) -> None:
    person = service.sign_up()
    same = Person(elsewhere, person.name, person.token, person.id)
    assert same.get("/v1/me").json["name"] == person.name
    new = f"new {person.name}"
    person.send("PATCH", "/v1/me", json={"name": new})
    same.send("PATCH", "/v1/me", json={"email": f"p{person.id}@example.org"})
    assert person.get("/v1/me").json["name"] == new
    assert same.send("PATCH", "/v1/me", json={"email": None}).json["email"] is None
    assert same.send("PATCH", "/v1/me", json={}).json["name"] == new


def test_an_unknown_token_signs_nobody_up(service: Service) -> None:
    """It would be counted for itself, and so everybody could sign up without a limit."""
    answer = service.client.post("/v1/players", json={"name": "x"}, headers={"Authorization": "Bearer wb_1"})
    assert answer.status_code == 401

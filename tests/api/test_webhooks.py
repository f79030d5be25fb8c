"""Webhooks as their player meets them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from runtime.config import Config
from runtime.vault import Vault
from service import deliveries
from service.channels import Channels
from service.looking import Looking
from service.webhooks import MOST_OF_A_PLAYER, WebhookChannel
from tests.api.conftest import Person, Service
from tests.receiver import Receiver, receiver

ELSEWHERE = "https://bot.example.org/waybill"


@pytest.fixture
def program() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def person(service: Service) -> Person:
    return service.sign_up()


@pytest.fixture
def deliver(service: Service, config: Config) -> Callable[[], None]:
    """Delivers as a worker does, with a channel of its own: the workers' belongs to whichever app was made last."""
    with service.db.session() as session:  # what other tests have left on its way would come first
        session.run("update deliveries set state = 'dropped' where state = 'waiting'")
    channels = Channels(WebhookChannel(service.db, Vault(config), allow_loopback=True))
    looking = Looking(redis.Redis.from_url(config.redis_url))

    def deliver() -> None:
        deliveries.deliver_due(service.db, channels, looking, patience=20)

    return deliver


def make(person: Person, url: str = ELSEWHERE, **more: Any) -> dict[str, Any]:
    answer = person.post("/v1/webhooks", {"url": url, **more})
    assert answer.status_code == 201, answer.text
    return answer.json


def test_secret_is_shown_once_and_the_webhook_can_be_read_changed_and_deleted(person: Person) -> None:
    made = make(person, events=["game_over", "your_turn"], label="my bot")
    assert made["secret"].startswith("whsec_")
    del made["secret"]
    assert made["events"] == ["your_turn", "game_over"]
    assert person.get("/v1/webhooks").json == [made]
    place = f"/v1/webhooks/{made['id']}"
    assert person.get(place).json == made
    changed = person.send("PATCH", place, json={"label": "", "on": False}).json
    assert (changed["label"], changed["off_why"]) == ("", "You have switched it off.")
    assert person.post(f"{place}/test").status_code == 409
    assert person.send("PATCH", place, json={"on": True, "events": ["press"]}).json["off_at"] is None
    assert person.get("/v1/me/export").json["webhooks"][0]["events"] == ["press"]
    assert person.send("DELETE", place).status_code == 204
    assert person.send("DELETE", place).status_code == 404
    assert person.get("/v1/webhooks").json == []


def test_repeated_request_makes_one_webhook_and_tells_the_same_secret(person: Person) -> None:
    key = {"Idempotency-Key": "webhook-1"}
    first, again = (person.post("/v1/webhooks", {"url": ELSEWHERE}, headers=key) for _ in range(2))
    assert first.json == again.json
    assert again.headers["Idempotent-Replayed"] == "true"
    place = f"/v1/webhooks/{first.json['id']}/secret"
    key = {"Idempotency-Key": "rotate-1"}
    new, repeated = (person.post(place, headers=key) for _ in range(2))
    assert new.json == repeated.json
    assert new.json["secret"] != first.json["secret"]
    assert new.json["former_until"]
    late = person.post("/v1/webhooks", {"url": ELSEWHERE}, headers={"Idempotency-Key": "webhook-1"})
    assert late.status_code == 409, "the secret of then is not the secret any more"
    person.post(place)
    assert person.post(place, headers=key).status_code == 409


def test_test_is_delivered_and_its_answer_can_be_read(
    deliver: Callable[[], None], person: Person, program: Receiver
) -> None:
    made = make(person, program.url)
    program.secret, program.status, program.body = made["secret"], 200, b"thank you"
    key = {"Idempotency-Key": "test-1"}
    number, same = (person.post(f"/v1/webhooks/{made['id']}/test", headers=key).json["notice"] for _ in range(2))
    assert number == same
    deliver()
    (told,) = program.got
    assert (told["type"], told["data"]["id"], told["data"]["game_id"]) == ("test", number, "")
    (one,) = person.get(f"/v1/webhooks/{made['id']}/deliveries").json
    assert (one["notice"], one["type"], one["state"]) == (number, "test", "delivered")
    assert (one["tries"][0]["status"], one["tries"][0]["answer"]) == (200, "thank you")
    for _ in range(2):
        answer = person.post(f"/v1/webhooks/{made['id']}/deliveries/{number}", headers={"Idempotency-Key": "again-1"})
        assert (answer.status_code, answer.json) == (202, {"notice": number})
        deliver()
    assert program.ids() == [number] * 2
    assert person.get("/v1/notices").json["notices"] == []


def test_deliveries_come_in_pages(service: Service, person: Person, program: Receiver) -> None:
    made = make(person, program.url)
    numbers = [person.post(f"/v1/webhooks/{made['id']}/test").json["notice"] for _ in range(5)]
    seen, path = [], f"/v1/webhooks/{made['id']}/deliveries?limit=2"
    while path:
        answer = person.get(path)
        seen += [one["notice"] for one in answer.json]
        link = answer.headers.get("Link")
        path = link.partition(">")[0].removeprefix("<") if link else ""
    assert seen == numbers[::-1]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "http://bot.example.org"}, "url"),
        ({"url": "https://192.168.0.1/"}, "url"),
        ({"url": "https://[fe80::1]/"}, "url"),
        ({"url": "https://169.254.169.254/latest/meta-data"}, "url"),
        ({"url": "https://a:b@bot.example.org"}, "url"),
        ({"url": ""}, "url"),
        ({"url": 5}, "url"),
        ({"url": ELSEWHERE, "events": []}, "events"),
        ({"url": ELSEWHERE, "events": ["gossip"]}, "events"),
        ({"url": ELSEWHERE, "events": ["press", "press"]}, "events"),
        ({"url": ELSEWHERE, "label": "x" * 65}, "label"),
        ({"url": ELSEWHERE, "surprise": 1}, "surprise"),
    ],
)
def test_what_cannot_be_is_refused_and_named(body: dict[str, Any], field: str, person: Person) -> None:
    answer = person.post("/v1/webhooks", body)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
    assert field in answer.json["errors"].get("json", answer.json["errors"])
    assert person.get("/v1/webhooks").json == []


def test_number_of_webhooks_is_limited(person: Person) -> None:
    for _ in range(MOST_OF_A_PLAYER):
        make(person)
    answer = person.post("/v1/webhooks", {"url": ELSEWHERE})
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:conflict")


REQUESTS = [
    ("GET", "", None),
    ("PATCH", "", {"label": "mine"}),
    ("DELETE", "", None),
    ("POST", "/secret", None),
    ("POST", "/test", None),
    ("GET", "/deliveries", None),
    ("POST", "/deliveries/1", None),
]


@pytest.mark.parametrize(("method", "rest", "body"), REQUESTS)
def test_webhook_of_another_or_none_is_not_there(
    method: str, rest: str, body: Any, service: Service, person: Person
) -> None:
    made = make(service.sign_up())
    for number in (made["id"], 10**9, 2**70):
        answer = person.send(method, f"/v1/webhooks/{number}{rest}", json=body)
        assert (answer.status_code, answer.json["type"]) == (404, "urn:waybill:problem:not-found")


@pytest.mark.parametrize(
    ("method", "rest", "body"), [("POST", None, {"url": ELSEWHERE}), ("GET", None, None), *REQUESTS]
)
def test_token_for_programs_leaves_webhooks_alone(method: str, rest: str | None, body: Any, person: Person) -> None:
    """Who has got hold of it could go on being told when it has long been revoked."""
    made = make(person)
    narrow = Person(person.client, person.name, person.post("/v1/me/tokens", {}).json["token"], person.id)
    path = "/v1/webhooks" if rest is None else f"/v1/webhooks/{made['id']}{rest}"
    answer = narrow.send(method, path, json=body)
    assert (answer.status_code, answer.json["scope"]) == (403, "account")


def test_delivery_that_is_not_there_cannot_be_repeated(person: Person) -> None:
    made = make(person)
    assert person.post(f"/v1/webhooks/{made['id']}/deliveries/1").status_code == 404

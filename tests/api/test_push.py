"""Web push as players and their browsers meet it."""

from typing import Any

import pytest

from runtime.config import Config
from runtime.vault import Vault
from runtime.web_push import Vapid
from service.push import MOST_OF_A_PLAYER, Desk
from tests.api.conftest import Person, Service
from tests.push import CONTACT, VAPID_KEY, Browser

ENDPOINT = "https://push.example.org/send/3f9c2a"
VAPID = Vapid(VAPID_KEY, CONTACT)
PLACE = "/v1/push-subscriptions"


@pytest.fixture
def person(service: Service, config: Config, monkeypatch: pytest.MonkeyPatch) -> Person:
    """At a service that has a key."""
    monkeypatch.setitem(service.app.extensions, "push", Desk(service.db, Vault(config), VAPID))
    return service.sign_up()


def subscription(endpoint: str = ENDPOINT, **more: Any) -> dict[str, Any]:
    return {**Browser(endpoint).subscription(), **more}


def test_browser_is_added_listed_and_removed(person: Person, service: Service) -> None:
    assert person.get(PLACE).json == {"key": VAPID.public_key, "subscriptions": []}
    made = person.post(PLACE, subscription(f"{ENDPOINT}/{person.id}", label="Firefox on my phone"))
    assert made.status_code == 201, made.text
    assert made.json["label"] == "Firefox on my phone"
    assert person.get(PLACE).json["subscriptions"] == [made.json]
    assert person.get("/v1/me/export").json["push_subscriptions"] == [made.json]
    place = f"{PLACE}/{made.json['id']}"
    assert service.sign_up().send("DELETE", place).status_code == 404
    assert person.send("DELETE", place).status_code == 204
    assert person.send("DELETE", place).status_code == 404
    assert person.send("DELETE", f"{PLACE}/{2**63}").status_code == 404


def test_same_browser_again_is_told_once(person: Person) -> None:
    body, key = subscription(f"{ENDPOINT}/{person.id}"), {"Idempotency-Key": "push-1"}
    first, same = (person.post(PLACE, body, headers=key) for _ in range(2))
    assert first.json == same.json
    assert same.headers["Idempotent-Replayed"] == "true"
    anew = person.post(PLACE, body)
    assert person.get(PLACE).json["subscriptions"] == [anew.json]
    assert person.post(PLACE, body, headers=key).status_code == 409, "what it made then is not there any more"


def test_so_many_browsers_and_no_more(person: Person) -> None:
    for number in range(MOST_OF_A_PLAYER):
        assert person.post(PLACE, subscription(f"{ENDPOINT}/{person.id}/{number}")).status_code == 201
    assert person.post(PLACE, subscription(f"{ENDPOINT}/{person.id}/more")).status_code == 409
    assert person.post(PLACE, subscription(f"{ENDPOINT}/{person.id}/3")).status_code == 201


POINT = Browser(ENDPOINT).subscription()["keys"]["p256dh"]
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"keys": {"p256dh": POINT, "auth": AUTH}}, "endpoint"),
        (subscription("http://push.example.org/send"), "endpoint"),
        (subscription("https://127.0.0.1/send"), "endpoint"),
        (subscription("https://169.254.169.254/latest"), "endpoint"),
        (subscription("https://a:b@push.example.org/"), "endpoint"),
        ({"endpoint": ENDPOINT}, "keys"),
        ({"endpoint": ENDPOINT, "keys": {"p256dh": POINT, "auth": "AAAA"}}, "auth"),
        ({"endpoint": ENDPOINT, "keys": {"p256dh": "AAAA", "auth": AUTH}}, "p256dh"),
        ({"endpoint": ENDPOINT, "keys": {"p256dh": "not base64!", "auth": AUTH}}, "p256dh"),
        (subscription(label="x" * 65), "label"),
        (subscription(surprise=1), "surprise"),
    ],
)
def test_what_cannot_be_is_refused_and_named(body: dict[str, Any], field: str, person: Person) -> None:
    answer = person.post(PLACE, body)
    assert answer.status_code == 422
    assert field in repr(answer.json["errors"]), answer.text
    assert person.get(PLACE).json["subscriptions"] == []


def test_service_without_a_key_says_so(service: Service) -> None:
    person = service.sign_up()
    assert person.get(PLACE).json == {"key": None, "subscriptions": []}
    answer = person.post(PLACE, subscription())
    assert answer.status_code == 409
    assert "WAYBILL_VAPID_KEY" in answer.json["detail"]


def test_stranger_and_a_token_that_may_only_play_are_refused(service: Service, person: Person) -> None:
    assert service.client.get(PLACE).status_code == 401
    assert service.client.post(PLACE, json=subscription()).status_code == 401
    token = person.post("/v1/me/tokens", {"scopes": ["play"]}).json["token"]
    program = Person(service.client, person.name, token, person.id)
    assert program.get(PLACE).status_code == program.post(PLACE, subscription()).status_code == 403
    assert program.send("DELETE", f"{PLACE}/1").status_code == 403

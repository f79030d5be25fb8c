"""The feed, what is read, deliveries and preferences, as their player meets them."""

from typing import Any

import pytest

from service.channels import Channels
from service.notices import pass_on
from store import outbox
from tests.api.conftest import Person, Service
from tests.factories import play_some

PATCHES: list[tuple[dict[str, Any], str]] = [
    ({"digest_hour": 24}, "digest_hour"),
    ({"zone": "Mars/Olympus"}, "zone"),
    ({"zone": ""}, "zone"),
    ({"quiet_hours": {"from": 7, "until": 7}}, "quiet_hours"),
    ({"quiet_hours": {"until": 7}}, "quiet_hours"),
    ({"kinds": {"gossip": {"when": "at_once"}}}, "kinds"),
    ({"kinds": {"press": {"channels": ["pigeon"]}}}, "kinds"),
    ({"kinds": {"press": {"channels": ["mail", "mail"]}}}, "kinds"),
    ({"kinds": {"press": {"when": "never"}}}, "kinds"),
    ({"while_looking": "yes"}, "while_looking"),
    ({"surprise": 1}, "surprise"),
]


@pytest.fixture
def told(service: Service, running: tuple[str, list[Person]]) -> tuple[str, list[Person]]:
    """A game of two past its opening, of which both have been told."""
    while pass_on(service.db, Channels()):  # others have left something in the outbox too
        pass
    return running


def feed(person: Person, query: str = "") -> list[dict[str, Any]]:
    answer = person.get(f"/v1/notices{query}")
    assert answer.status_code == 200, answer.text
    return answer.json["notices"]


def test_the_feed_tells_whose_turn_it_is_and_what_has_happened(service: Service, told: tuple) -> None:
    game_id, persons = told
    asked = service.in_turn(game_id, persons)
    answer = asked.get("/v1/notices")
    newest = answer.json["notices"][0]
    assert (newest["kind"], newest["game_id"], newest["sequence"]) == ("your_turn", game_id, 1)
    assert newest["prompt"]
    assert newest["summary"] == "It is your turn."
    revealed = next(one for one in answer.json["notices"] if one["kind"] == "revealed")
    assert revealed["sentences"]
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_unread_ones_come_first_and_pages_lead_on_without_gap_or_repeat(service: Service, told: tuple) -> None:
    game_id, (person, _) = told
    with service.db.transaction() as transaction:
        for _ in range(7):
            outbox.add(transaction, game_id, "deadline_moved", 1)
    pass_on(service.db, Channels())
    all_of_them = feed(person, "?limit=200")
    some = [one["id"] for one in all_of_them][2:5]
    person.post("/v1/notices/read", {"ids": some})
    seen, path = [], "/v1/notices?limit=3"
    while path:
        answer = person.get(path)
        seen += answer.json["notices"]
        link = answer.headers.get("Link")
        path = link.partition(">")[0].removeprefix("<") if link else ""
    assert sorted(one["id"] for one in seen) == sorted(one["id"] for one in all_of_them)
    is_read = [one["read_at"] is not None for one in seen]
    assert is_read == sorted(is_read)
    for part in (False, True):
        ids = [one["id"] for one in seen if (one["read_at"] is not None) == part]
        assert ids == sorted(ids, reverse=True)


def test_reading_by_number_by_game_up_to_one_and_all(service: Service, told: tuple) -> None:
    game_id, (person, other) = told
    with service.db.transaction() as transaction:
        for _ in range(4):
            outbox.add(transaction, game_id, "deadline_moved", 1)
    pass_on(service.db, Channels())
    theirs = other.get("/v1/notices").json["unread"]
    unread = person.get("/v1/notices").json["unread"]
    ids = sorted(one["id"] for one in feed(person, "?unread=1"))
    assert person.post("/v1/notices/read", {"ids": ids[:1]}).json == {"unread": unread - 1}
    assert person.post("/v1/notices/read", {"ids": ids[:1]}).json == {"unread": unread - 1}, "twice does no harm"
    assert person.post("/v1/notices/read", {"up_to": ids[1]}).json == {"unread": unread - 2}
    assert person.post("/v1/notices/read", {"game": "nosuchgame00"}).json == {"unread": unread - 2}
    assert person.post("/v1/notices/read", {"game": game_id}).json == {"unread": 0}
    assert feed(person, "?unread=1") == []
    assert len(feed(person, f"?game={game_id}")) >= unread
    assert other.post("/v1/notices/read", {"ids": ids}).json == {"unread": theirs}, "of another they stay unread"
    assert other.post("/v1/notices/read", {}).json == {"unread": 0}


@pytest.mark.parametrize("after", ["x", "MCA", "MiA1", "MSAtMQ==", "é", "MCA5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk="])
def test_a_made_up_cursor_is_refused(after: str, service: Service) -> None:
    answer = service.sign_up().get("/v1/notices", query_string={"after": after})
    assert (answer.status_code, answer.json["field"]) == (422, "after")


def test_deliveries_are_told_to_whose_notice_it_is(service: Service, told: tuple) -> None:
    _, (person, other) = told
    number = feed(person)[0]["id"]
    answer = person.get(f"/v1/notices/{number}/deliveries")
    assert [(one["channel"], one["state"]) for one in answer.json] == [("feed", "delivered")]
    for who, which in ((other, number), (person, 10**9), (person, 2**70)):
        refused = who.get(f"/v1/notices/{which}/deliveries")
        assert (refused.status_code, refused.json["type"]) == (404, "urn:waybill:problem:not-found")


def test_preferences_are_complete_from_the_start_and_change_one_by_one(service: Service) -> None:
    person = service.sign_up()
    first = person.get("/v1/me/preferences").json
    assert (first["zone"], first["quiet_hours"], first["while_looking"]) == ("UTC", None, False)
    assert first["kinds"]["your_turn"] == {"channels": ["feed", "mail", "push"], "when": "at_once"}
    assert first["kinds"]["joined"] == {"channels": ["feed"], "when": "at_once"}
    body = {
        "zone": "Europe/Berlin",
        "quiet_hours": {"from": 22, "until": 7},
        "kinds": {"press": {"when": "digest"}, "joined": {"channels": []}},
    }
    changed = person.send("PATCH", "/v1/me/preferences", json=body).json
    assert changed["kinds"]["press"] == {"channels": ["feed", "mail", "push"], "when": "digest"}
    assert changed["kinds"]["joined"]["channels"] == []
    person.send("PATCH", "/v1/me/preferences", json={"kinds": {"press": {"channels": ["mail"]}}})
    last = person.send("PATCH", "/v1/me/preferences", json={"digest_hour": 6}).json
    assert last == person.get("/v1/me/preferences").json
    assert last["kinds"]["press"] == {"channels": ["mail"], "when": "digest"}
    assert last["quiet_hours"] == {"from": 22, "until": 7}
    assert person.send("PATCH", "/v1/me/preferences", json={"quiet_hours": None}).json["quiet_hours"] is None


@pytest.mark.parametrize(("body", "field"), PATCHES)
def test_preferences_that_cannot_be_are_refused(body: dict[str, Any], field: str, service: Service) -> None:
    person = service.sign_up()
    before = person.get("/v1/me/preferences").json
    answer = person.send("PATCH", "/v1/me/preferences", json=body)
    assert answer.status_code == 422
    assert field in str(answer.json["errors"])
    assert person.get("/v1/me/preferences").json == before


def test_a_token_that_leaves_the_account_alone_changes_no_preferences(service: Service) -> None:
    person = service.sign_up()
    program = person.post("/v1/me/tokens", {}).json["token"]
    headers = {"Authorization": f"Bearer {program}"}
    answer = service.client.patch("/v1/me/preferences", json={"digest_hour": 6}, headers=headers)
    assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:missing-scope")
    assert service.client.get("/v1/notices", headers=headers).status_code == 200


def test_what_is_kept_is_exported_and_gone_when_its_player_is(service: Service, told: tuple) -> None:
    game_id, (person, other) = told
    person.send("PATCH", "/v1/me/preferences", json={"digest_hour": 6})
    person.send("PUT", f"/v1/me/blocks/{other.id}")
    person.post(f"/v1/games/{game_id}/press", {"text": "a word to all"})
    exported = person.get("/v1/me/export").json
    assert exported["preferences"]["digest_hour"] == 6
    assert exported["notices"][0]["game_id"] == game_id
    assert exported["press"][0]["message"]["text"] == "a word to all"
    assert exported["blocks"][0]["player"] == other.id
    assert person.send("DELETE", "/v1/me").status_code == 204
    with service.db.session() as session:
        for table in ("notices", "preferences", "blocks"):
            assert session.value(f"select count(*) from {table} where player_id = %s", person.id) == 0
    (left,) = other.get(f"/v1/games/{game_id}/press").json
    assert (left["text"], left["removed"]) == (None, True)


def test_who_asks_for_a_game_is_known_to_look_at_it(service: Service, told: tuple) -> None:
    game_id, (person, _) = told
    looking = service.app.extensions["looking"]
    person.get(f"/v1/games/{game_id}")
    stranger = service.sign_up()
    stranger.get("/v1/games/nosuchgame00")
    assert looking.is_looking(person.id, game_id)
    assert not looking.is_looking(person.id, "nosuchgame00")
    assert not looking.is_looking(stranger.id, "nosuchgame00")


def test_a_game_that_is_over_is_told_with_its_result(service: Service, told: tuple) -> None:
    game_id, (person, _) = told
    play_some(service.db, game_id, 10**6)
    pass_on(service.db, Channels())
    last = feed(person, "?unread=1")[0]
    assert last["kind"] == "game_over"
    assert {one["seat"] for one in last["detail"]["standings"]} == {0, 1}

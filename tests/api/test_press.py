"""Press: who writes, who reads, what is removed, and what the chain proves."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from service import games, press
from service.channels import Channels
from service.notices import pass_on
from service.positions import CACHE
from tests.api.conftest import Person, Service
from tests.api.test_secrets import seen


def write(person: Person, game_id: str, text: str, **more: Any) -> dict[str, Any]:
    answer = person.post(f"/v1/games/{game_id}/press", {"text": text, **more})
    assert answer.status_code == 201, answer.text
    return answer.json


def texts(person: Person | None, service: Service, game_id: str) -> list[str]:
    ask = person.get if person else service.client.get
    return [one["text"] for one in ask(f"/v1/games/{game_id}/press").json]


def finish(service: Service, game_id: str) -> None:
    with service.db.transaction() as transaction:
        games.end(transaction, game_id)
    CACHE.forget(game_id)


def lines(person: Person, game_id: str) -> list[dict[str, Any]]:
    answer = person.get(f"/v1/games/{game_id}/press?format=jsonl")
    assert answer.content_type == "application/jsonl"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_messages_reach_whom_they_are_for_and_nobody_else(service: Service) -> None:
    game_id, (ann, bob, cid) = service.open_game(people=3)
    write(ann, game_id, "to all")
    write(ann, game_id, "to Bob", to=[1])
    write(bob, game_id, "to myself", note=True)
    assert texts(ann, service, game_id) == ["to all", "to Bob"]
    assert texts(bob, service, game_id) == ["to all", "to Bob", "to myself"]
    assert texts(cid, service, game_id) == texts(None, service, game_id) == ["to all"]
    pass_on(service.db, Channels())
    told = {
        person.name: [one["press"]["text"] for one in person.get("/v1/notices").json["notices"] if one["press"]]
        for person in (ann, bob, cid)
    }
    assert told == {ann.name: [], bob.name: ["to Bob", "to all"], cid.name: ["to all"]}


def test_nobody_can_tell_whether_others_write_to_one_another(service: Service) -> None:
    game_id, (ann, bob, cid) = service.open_game(people=3)
    write(cid, game_id, "first")
    write(bob, game_id, "mine")
    pass_on(service.db, Channels())
    before = seen(cid, service, game_id, 2), seen(None, service, game_id, None)
    assert b"mine" in before[0]["/v1/notices"]
    write(ann, game_id, "attack Cid", to=[1])
    write(bob, game_id, "gladly", to=[0])
    write(bob, game_id, "a note", note=True)
    pass_on(service.db, Channels())
    assert seen(cid, service, game_id, 2) == before[0]
    assert seen(None, service, game_id, None) == before[1]


@pytest.mark.parametrize(("allowed", "to", "status"), [
    ("all", None, 201), ("all", [1], 201), ("public", None, 201), ("public", [1], 409), ("none", None, 409),
    ("none", [1], 409),
])  # fmt: skip
def test_the_game_says_what_is_allowed(allowed: str, to: Any, status: int, service: Service) -> None:
    game_id, (ann, _) = service.open_game(press=allowed)
    assert ann.get(f"/v1/games/{game_id}").json["press"] == allowed
    assert ann.post(f"/v1/games/{game_id}/press", {"text": "hello", "to": to}).status_code == status


def test_where_senders_are_not_named_nobody_learns_them_even_by_blocking(service: Service) -> None:
    game_id, (ann, bob) = service.open_game(press_named=False)
    mine = write(ann, game_id, "guess who")
    assert mine["seat"] == 0
    assert bob.get(f"/v1/games/{game_id}/press").json[0]["seat"] is None
    bob.send("PUT", f"/v1/me/blocks/{ann.id}")
    assert texts(bob, service, game_id) == ["guess who"]
    pass_on(service.db, Channels())
    (notice,) = [one for one in bob.get("/v1/notices").json["notices"] if one["kind"] == "press"]
    assert (notice["about"], notice["press"]["seat"], notice["summary"]) == (None, None, "Somebody has written.")


def test_a_blocked_player_is_neither_read_nor_told_of_until_the_block_is_lifted(service: Service) -> None:
    game_id, (ann, bob) = service.open_game()
    assert ann.send("PUT", f"/v1/me/blocks/{bob.id}").json[0]["name"] == bob.name
    assert len(ann.send("PUT", f"/v1/me/blocks/{bob.id}").json) == 1
    assert [one["player"] for one in ann.get("/v1/me/blocks").json] == [bob.id]
    write(bob, game_id, "rude", to=[0])
    pass_on(service.db, Channels())
    assert texts(ann, service, game_id) == []
    assert not [one for one in ann.get("/v1/notices").json["notices"] if one["kind"] == "press"]
    assert bob.get("/v1/me/blocks").json == [], "who is blocked is not told"
    assert ann.send("DELETE", f"/v1/me/blocks/{bob.id}").status_code == 204
    assert texts(ann, service, game_id) == ["rude"]
    assert ann.send("PUT", f"/v1/me/blocks/{ann.id}").status_code == 422
    assert ann.send("PUT", f"/v1/me/blocks/{10**9}").status_code == 404
    assert ann.send("PUT", f"/v1/me/blocks/{2**70}").status_code == 404


def test_the_chain_holds_and_shows_what_was_changed(service: Service) -> None:
    game_id, (ann, bob, cid) = service.open_game(people=3)
    for number in range(4):
        write((ann, bob)[number % 2], game_id, f"message {number}", **({"to": [1 - number % 2]} if number > 1 else {}))
    write(cid, game_id, "note", note=True)
    assert all(one["place"] is None for one in lines(ann, game_id))
    finish(service, game_id)
    for person, readable in ((ann, 4), (cid, 3)):
        found = lines(person, game_id)
        assert len(found) == 5
        assert sum("text" in line for line in found) == readable
        assert list(press.problems(game_id, found)) == []
    found = lines(ann, game_id)
    found[1]["text"] = "something else"
    assert list(press.problems(game_id, found)) == ["Line 2 is not what was committed to."]
    assert list(press.problems(game_id, found[:1] + found[2:]))


def test_a_removed_text_leaves_its_hash_and_the_chain_whole(service: Service) -> None:
    game_id, (host, guest, third) = service.open_game(people=3)
    write(guest, game_id, "first")
    rude = write(guest, game_id, "rude")
    write(third, game_id, "last")
    pass_on(service.db, Channels())
    path = f"/v1/games/{game_id}/press/{rude['id']}"
    assert third.send("DELETE", path).status_code == 404, "neither host nor author"
    assert host.send("DELETE", path).status_code == 204
    assert host.send("DELETE", path).status_code == 204
    assert texts(third, service, game_id) == ["first", None, "last"]
    told = [one["press"]["text"] for one in third.get("/v1/notices").json["notices"] if one["press"]]
    assert told == [None, "first"]
    finish(service, game_id)
    found = lines(third, game_id)
    assert (found[1]["text"], found[1]["removed"], found[1]["place"]["nonce"]) == (None, True, None)
    assert found[1]["hash"] == rude["hash"]
    assert list(press.problems(game_id, found)) == []


def test_an_author_may_take_back_a_message_and_the_host_no_note(service: Service) -> None:
    game_id, (host, guest) = service.open_game()
    note = write(guest, game_id, "my plan", note=True)
    mine = write(guest, game_id, "oops")
    assert host.send("DELETE", f"/v1/games/{game_id}/press/{note['id']}").status_code == 404
    assert guest.send("DELETE", f"/v1/games/{game_id}/press/{mine['id']}").status_code == 204
    assert guest.send("DELETE", f"/v1/games/{game_id}/press/{note['id']}").status_code == 204


@pytest.mark.parametrize("opens", [True, False])
def test_after_the_end_private_press_is_for_all_only_if_the_game_says_so(opens: bool, service: Service) -> None:
    game_id, (ann, bob, cid) = service.open_game(people=3, press_opens=opens)
    write(ann, game_id, "between us", to=[1])
    write(ann, game_id, "my own", note=True)
    assert texts(cid, service, game_id) == []
    finish(service, game_id)
    assert texts(cid, service, game_id) == texts(None, service, game_id) == (["between us"] if opens else [])
    assert texts(bob, service, game_id) == ["between us"]
    assert texts(ann, service, game_id) == ["between us", "my own"]
    assert ann.post(f"/v1/games/{game_id}/press", {"text": "again", "to": [1]}).status_code == 409
    assert ann.post(f"/v1/games/{game_id}/press", {"text": "well played"}).status_code == 201


def test_pages_lead_on_without_gap_or_repeat(service: Service) -> None:
    game_id, (ann, bob) = service.open_game()
    for number in range(7):
        write((ann, bob)[number % 2], game_id, f"{number}", **({"to": [0]} if number % 2 else {}))
    found, path = [], f"/v1/games/{game_id}/press?limit=2"
    while path:
        answer = ann.get(path)
        found += [one["text"] for one in answer.json]
        link = answer.headers.get("Link")
        path = link.partition(">")[0].removeprefix("<") if link else ""
    assert found == [str(number) for number in range(7)]
    assert ann.get(f"/v1/games/{game_id}/press?after=nosuchmessage").status_code == 422


def test_a_message_sent_twice_under_one_key_is_there_once(service: Service) -> None:
    game_id, (ann, _) = service.open_game()
    headers = {"Idempotency-Key": "press-1"}
    first = ann.post(f"/v1/games/{game_id}/press", {"text": "once"}, headers=headers)
    again = ann.post(f"/v1/games/{game_id}/press", {"text": "once"}, headers=headers)
    assert (first.json, again.headers["Idempotent-Replayed"]) == (again.json, "true")
    assert texts(ann, service, game_id) == ["once"]
    other = ann.post(f"/v1/games/{game_id}/press", {"text": "other"}, headers=headers)
    assert (other.status_code, other.json["type"]) == (422, "urn:waybill:problem:key-reused")


@pytest.mark.parametrize("body", [
    {}, {"text": ""}, {"text": "   \n"}, {"text": "x" * 4001}, {"text": "a\x00b"}, {"text": "\x1b[2J"},
    {"text": "hi", "to": []}, {"text": "hi", "to": [0]}, {"text": "hi", "to": [9]}, {"text": "hi", "to": "all"},
    {"text": "hi", "to": [1], "note": True}, {"text": "hi", "cc": [1]},
])  # fmt: skip
def test_messages_that_cannot_be_are_refused(body: dict[str, Any], service: Service, running: tuple) -> None:
    game_id, (ann, _) = running
    answer = ann.post(f"/v1/games/{game_id}/press", body)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")


def test_who_is_not_at_the_table_does_not_write(service: Service, running: tuple) -> None:
    answer = service.sign_up().post(f"/v1/games/{running[0]}/press", {"text": "hello"})
    assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:no-seat")


def test_so_many_messages_an_hour_and_not_more(service: Service) -> None:
    game_id, (ann, bob) = service.open_game()
    with service.db.transaction() as transaction:
        for number in range(press.MOST_AN_HOUR):
            press.send(transaction, game_id, ann.id, str(number), now=datetime.now(UTC))
    answer = ann.post(f"/v1/games/{game_id}/press", {"text": "one too many"})
    assert (answer.status_code, answer.json["type"]) == (429, "urn:waybill:problem:too-many-requests")
    assert 3500 < int(answer.headers["Retry-After"]) <= 3601
    assert bob.post(f"/v1/games/{game_id}/press", {"text": "others may"}).status_code == 201


def test_before_the_start_one_writes_to_all_alone(service: Service) -> None:
    ann = service.sign_up()
    seats = [{"kind": "me"}, {"kind": "open"}]
    game_id = ann.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"]
    assert ann.post(f"/v1/games/{game_id}/press", {"text": "who joins?"}).status_code == 201
    answer = ann.post(f"/v1/games/{game_id}/press", {"text": "psst", "to": [1]})
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:wrong-status")

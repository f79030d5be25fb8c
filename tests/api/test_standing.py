"""Standing orders over HTTP: given, shown and tried out by their owner, and unknown to everybody else."""

import re
from typing import Any

import pytest

from referee.games import all_games
from runtime.config import Config
from service import moves, positions, standing
from service.channels import Channels
from service.notices import pass_on
from tests.api.conftest import Person, Service
from tests.api.test_secrets import seen
from tests.api.test_stream_secrets import everything
from tests.factories import play_some


def put(person: Person, game_id: str, body: Any, query: str = "", **options: Any) -> Any:
    return person.send("PUT", f"/v1/games/{game_id}/standing-orders{query}", json=body, **options)


def waiting(service: Service, game_id: str, persons: list[Person]) -> tuple[Person, Person]:
    """Who is in turn, and who is not."""
    acting = positions.load(service.db, game_id)[0].acting()[0]
    return persons[acting], persons[1 - acting]


def test_orders_are_kept_shown_as_they_were_read_and_taken_back(service: Service, running: tuple) -> None:
    game_id, persons = running
    _, other = waiting(service, game_id, persons)
    answer = put(other, game_id, {"text": "in share: pile\nnext: take 8 million"})
    assert answer.status_code == 200, answer.text
    assert [one["reading"] for one in answer.json["orders"]] == ["in share: take pile", "next: take money"]
    assert answer.json["orders"][1]["order"] == {"do": [{"do": [[{"order": "take_money"}]]}], "when": "next"}
    assert answer.json["now"] == {"sequence": 1, "asked": False}
    assert other.get(f"/v1/games/{game_id}/standing-orders").json == answer.json
    again = put(other, game_id, {"orders": [one["order"] for one in answer.json["orders"]]})
    assert [one["order"] for one in again.json["orders"]] == [one["order"] for one in answer.json["orders"]]
    left = other.send("DELETE", f"/v1/games/{game_id}/standing-orders?number=1").json
    assert [one["reading"] for one in left["orders"]] == ["next: take money"]
    assert other.send("DELETE", f"/v1/games/{game_id}/standing-orders").json["orders"] == []


def test_a_dry_run_tells_what_would_happen_now_and_at_any_earlier_row(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 12)
    person, _ = waiting(service, game_id, persons)
    body = {"text": "in turn: take money if cash < 100\nin share: take pile\nin opening: choose any"}
    trial = put(person, game_id, body, "?dry_run=1").json
    assert (trial["now"]["sequence"], trial["now"]["asked"]) == (12, True)
    assert (trial["now"]["number"], trial["now"]["plays"]) in ((1, "take money"), (2, "take pile"))
    past = put(person, game_id, body, "?dry_run=1&at=0").json["now"]
    assert (past["sequence"], past["number"]) == (0, 3)
    assert past["plays"].startswith("choose ")
    assert person.get(f"/v1/games/{game_id}/standing-orders").json["orders"] == [], "nothing was kept"
    assert put(person, game_id, body, "?dry_run=1&at=99").status_code == 404
    assert put(person, game_id, body, "?at=3").status_code == 422


@pytest.mark.parametrize(
    ("text", "word", "says"),
    [
        ("in turm: take money", "turm", "Do you mean turn?"),
        ("in turn: take mony if cahs < 4", "cahs", "Do you mean “cash”?"),
        ("in turn: fly to the moon", "fly to the moon", ""),
        ("next: buy Paris-Rome for red", "Paris-Rome for red", "is no ROUTE here"),
        ("in turn: take money if market has pink", "pink", "It can be:"),
        ("in turn: take money if cash", "cash", "a comparison is missing"),
        ("in turn: take money; stop when bored", "stop when bored", "a scoring"),
        ("in turn: take money; until tomorrow", "tomorrow", "until row 40"),
        ("in turn:", "", "Nothing is said to be done"),
    ],
)
def test_problems_point_at_the_word(text: str, word: str, says: str, running: tuple) -> None:
    game_id, (person, _) = running
    answer = put(person, game_id, {"text": f"# a comment\n{text}"})
    assert answer.status_code == 422
    assert answer.json["type"] == "urn:waybill:problem:standing-orders"
    (error,) = answer.json["errors"]
    assert error["line"] == 2
    assert text[error["start"] : error["end"]] == word == error["word"]
    assert says in error["message"]


@pytest.mark.parametrize(
    "order",
    [
        {"do": []},
        {"do": [{"do": [[{"order": "fly"}]]}]},
        {"do": [{"do": [[{"order": "buy", "fields": {"route": 3, "airline": "red"}}]]}]},
        {"do": [{"do": [[{"order": "buy", "fields": {"route": "london-paris"}}]]}]},
        {"do": [{"do": [[{"order": "take_money", "fields": {"x": 1}}]]}]},
        {"do": [{"do": [[{"order": "take_money"}]], "if": {"test": "holds", "fact": "cash"}}]},
        {"do": [{"do": [[{"order": "take_money"}]], "if": {"test": "is", "fact": "nothing", "any_of": ["x"]}}]},
        {"do": [{"do": [[{"order": "take_money"}]]}], "phases": ["lunch"]},
        {"do": [{"do": [[{"order": "take_money"}]]}], "until": "2026-13-01T00:00:00Z"},
        {"do": [{"do": [[{"order": "take_money"}]]}], "until_round": 3},
    ],
)
def test_objects_that_the_game_does_not_have_are_refused(order: Any, running: tuple) -> None:
    game_id, (person, _) = running
    answer = put(person, game_id, {"orders": [order]})
    assert answer.status_code == 422, answer.text
    assert answer.json["errors"][0]["message"]


def test_a_request_that_comes_twice_is_done_once(service: Service, running: tuple) -> None:
    game_id, persons = running
    _, other = waiting(service, game_id, persons)
    key = {"Idempotency-Key": "standing-0001"}
    first = put(other, game_id, {"text": "next: take money"}, headers=key)
    put(other, game_id, {"text": ""})
    again = put(other, game_id, {"text": "next: take money"}, headers=key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json["orders"] == []
    assert first.status_code == again.status_code == 200
    assert put(other, game_id, {"text": "next: pass"}, headers=key).status_code == 422


def test_facts_have_their_values_now_and_before(running: tuple) -> None:
    game_id, (person, _) = running
    found = {one["name"]: one for one in person.get(f"/v1/games/{game_id}/facts").json["facts"]}
    assert found["cash"]["value"] == 8
    assert found["cash"]["says"]
    assert found["in hand"]["kind"] == "list"
    before = {one["name"]: one["value"] for one in person.get(f"/v1/games/{game_id}/facts?at=0").json["facts"]}
    assert before["holdings"] == 0


@pytest.mark.parametrize("key", sorted(all_games()))
def test_a_ruleset_lists_what_standing_orders_can_speak_of(key: str, service: Service) -> None:
    words = service.client.get(f"/v1/rulesets/{key}").json["standing"]
    assert len(words["facts"]) >= 12
    assert all(one["says"].endswith(".") for part in ("facts", "phases", "events", "presets") for one in words[part])
    covered = {phase for one in words["phases"] for phase in one["phases"]}
    assert covered >= {phase.name for phase in all_games()[key].phase_types} - {"leaving"}
    assert words["presets"]


def test_nobody_can_tell_that_others_have_standing_orders(service: Service, config: Config) -> None:
    """Two worlds: the same game with and without standing orders that have not acted; at every address, in the feed and
    on the stream. The owner is asked in all of them, so that notices that were held back would show."""
    worlds = []
    game_id, persons = service.open_game(people=3)
    play_some(service.db, game_id, 1)
    acting = positions.load(service.db, game_id)[0].acting()[0]
    owner = persons[acting]
    others = [None, *(person for person in persons if person is not owner)]
    for text in ("", "in turn: take money if cash > 900", "next: play all red; after 2h\nin clearing: take any"):
        assert put(owner, game_id, {"text": text}).status_code == 200
        standing.act(service.db, game_id)
        pass_on(service.db, Channels())
        found = [seen(who, service, game_id, None if who is None else persons.index(who)) for who in others]
        stream = [everything(service, config, game_id, who.token if who else None) for who in others]
        worlds.append((found, stream))
    assert worlds[0] == worlds[1] == worlds[2]


def test_what_happens_is_told_to_others_as_if_it_were_done_by_hand(service: Service) -> None:
    """But for `by`, which the log tells once a standing order has acted."""
    told = []
    for by_hand in (True, False):
        game_id, persons = service.open_game()
        service.play_opening(game_id, persons)
        mover, owner = waiting(service, game_id, persons)
        if not by_hand:
            put(owner, game_id, {"text": "in turn: take money"})
        seat = persons.index(owner)
        moves.submit(service.db, game_id, 1 - seat, ["take money"])
        if by_hand:
            moves.submit(service.db, game_id, seat, ["take money"])
        else:
            assert standing.act(service.db, game_id).answers == 1
        pass_on(service.db, Channels())
        notices = mover.get("/v1/notices").json["notices"]
        told.append([(one["kind"], one["sentences"][-1:]) for one in notices if one["kind"] != "revealed"])
        rows = mover.get(f"/v1/games/{game_id}/log?limit=10").json["rows"]
        assert rows[-1]["orders"][0]["by"] == ("player" if by_hand else "standing")
    by_hand, by_order = (
        [(kind, [re.sub(r"person \S+", "", sentence) for sentence in some]) for kind, some in world] for world in told
    )
    assert by_hand == by_order

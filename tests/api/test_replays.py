"""Positions, logs, pictures and records, now and at any earlier row."""

import json
from typing import Any

import pytest

from app import create_app
from referee import record
from referee.games import game_of
from runtime.config import Config
from service import positions
from store.database import Database
from tests.api.conftest import Person, Service
from tests.factories import play_some

PLACES = ("position", "board.svg", "board.txt")


@pytest.fixture(scope="module")
def finished(service: Service) -> tuple[str, list[Person]]:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 10_000)
    return game_id, persons


def test_any_earlier_position_is_the_one_that_was(service: Service) -> None:
    game_id, persons = service.open_game()
    seen: dict[int, Any] = {}
    for rows in (0, 5, 15, 16, 17, 40):
        row = play_some(service.db, game_id, rows)
        seen[row] = [persons[0].get(f"/v1/games/{game_id}/{place}").data for place in PLACES]
    play_some(service.db, game_id, 60)
    for row, then in seen.items():
        assert [persons[0].get(f"/v1/games/{game_id}/{place}?at={row}").data for place in PLACES] == then


@pytest.mark.parametrize("at", ["100000", "-1", "x", "1.5", "999999999999999999"])
def test_a_row_that_never_was(at: str, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    for place in PLACES:
        answer = persons[0].get(f"/v1/games/{game_id}/{place}?at={at}")
        assert answer.status_code in (404, 422)
        assert answer.content_type == "application/problem+json"


def test_a_game_that_has_not_started_has_no_position(service: Service) -> None:
    person = service.sign_up()
    wish = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "open"}]}
    game_id = person.post("/v1/games", wish).json["game"]["id"]
    for place in (*PLACES, "log", "record", "options", "board.png"):
        answer = person.get(f"/v1/games/{game_id}/{place}")
        assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:wrong-status")


def test_the_log_comes_in_pages_and_in_words(service: Service) -> None:
    game_id, persons = service.open_game()
    last = play_some(service.db, game_id, 20)
    rows, path = [], f"/v1/games/{game_id}/log?limit=6"
    while path:
        page = persons[0].get(path)
        rows += page.json["rows"]
        path = page.headers["Link"].partition(">")[0].lstrip("<") if "Link" in page.headers else ""
    assert [row["row"] for row in rows] == list(range(last + 1))
    assert all(row["sentences"] for row in rows)
    assert persons[0].get(f"/v1/games/{game_id}/log?after={last}").json == {"rows": []}


def test_nobody_sees_what_was_hidden_from_them_at_any_row(service: Service) -> None:
    game_id, persons = service.open_game()
    last = play_some(service.db, game_id, 30)
    for row in range(0, last + 1, 7):
        for seat, person in enumerate(persons):
            players = person.get(f"/v1/games/{game_id}/position?at={row}").json["table"]["players"]
            assert [one["hand"] is not None for one in players] == [seat == other for other in range(2)]
        players = service.client.get(f"/v1/games/{game_id}/position?at={row}").json["table"]["players"]
        assert all(one["hand"] is None and one["vp"] is None for one in players)


def test_once_the_game_is_over_everybody_sees_everything(service: Service, finished: tuple[str, list[Person]]) -> None:
    game_id, _ = finished
    players = service.client.get(f"/v1/games/{game_id}/position?at=3").json["table"]["players"]
    assert all(one["hand"] is not None and one["vp"] is not None for one in players)
    rows = service.client.get(f"/v1/games/{game_id}/log?limit=500").json["rows"]
    assert all(event["shares"] for event in rows[0]["events"] if event["type"] == "dealt")


def test_the_record_of_a_finished_game_verifies_offline(service: Service, finished: tuple[str, list[Person]]) -> None:
    game_id, persons = finished
    loaded = record.load(service.client.get(f"/v1/games/{game_id}/record").data)
    table = record.verify(game_of(loaded.header), loaded)
    final = persons[0].get(f"/v1/games/{game_id}/position").json
    assert [one["score"] for one in final["standings"]] == [one.score for one in table.view(0).standings]


def test_the_record_of_a_running_game_tells_what_the_caller_may_know(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 10)
    lines = [json.loads(line) for line in persons[0].get(f"/v1/games/{game_id}/record").text.splitlines()]
    assert "header" in lines[0]
    hands = [event["shares"] for event in lines[1]["told"]["events"] if event["type"] == "dealt"]
    assert [hand is not None for hand in hands] == [True, False]
    assert not any("end" in line or "seed" in json.dumps(line) for line in lines)


def test_whoever_reads_a_record_slowly_keeps_nobody_from_the_database(
    config: Config, running: tuple[str, list[Person]]
) -> None:
    game_id, _ = running
    client = create_app(config.replace(log_level="error", pool_size=1, pool_timeout=1)).test_client()
    slow = client.get(f"/v1/games/{game_id}/record", buffered=False)
    lines = slow.iter_encoded()
    assert [next(lines)[:9], next(lines)[:7]] == [b'{"header"', b'{"told"']
    assert client.get(f"/v1/games/{game_id}").status_code == 200
    slow.close()


def test_a_game_under_other_rules_says_so(service: Service) -> None:
    """After an upgrade."""
    game_id, (person, _) = service.open_game()
    with service.db.session() as session:
        old = 'replace(header, \'"version":"1"\', \'"version":"0"\')'
        session.run(f"update games set header = {old} where id = %s", game_id)
    positions.CACHE.forget(game_id)
    answers = [person.get(f"/v1/games/{game_id}/{place}") for place in (*PLACES, "options", "log", "record")]
    answers.append(person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}))
    for answer in answers:
        assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:other-rules")
        assert "Played under rules 0; here are rules 1." in answer.json["detail"]


def test_what_cannot_change_is_cached_for_ever_and_the_rest_is_asked_for_again(
    service: Service, finished: tuple[str, list[Person]], running: tuple[str, list[Person]]
) -> None:
    for place in (*PLACES, "record"):
        over = service.client.get(f"/v1/games/{finished[0]}/{place}")
        assert "max-age=300" in over.headers["Cache-Control"]
        assert over.headers["Cache-Control"].startswith("public")
        live = running[1][0].get(f"/v1/games/{running[0]}/{place}")
        assert live.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in live.headers["Vary"]
    tag = running[1][0].get(f"/v1/games/{running[0]}/position").headers["ETag"]
    again = running[1][0].get(f"/v1/games/{running[0]}/position", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_a_finished_private_game_is_cached_privately(service: Service) -> None:
    game_id, persons = service.open_game(private=True)
    play_some(service.db, game_id, 10_000)
    for place in PLACES:
        assert persons[0].get(f"/v1/games/{game_id}/{place}").headers["Cache-Control"].startswith("private")


def test_pictures_come_in_the_width_that_is_asked_for(running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    for width in (600, 1200):
        picture = persons[0].get(f"/v1/games/{game_id}/board.png?width={width}")
        assert picture.content_type == "image/png"
        assert int.from_bytes(picture.data[16:20]) == width
    assert persons[0].get(f"/v1/games/{game_id}/board.png?width=100000").status_code == 422


def test_the_snapshots_bound_what_is_replayed(db: Database, finished: tuple[str, list[Person]]) -> None:
    with db.session() as session:
        last = session.value("select sequence from games where id = %s", finished[0])
        at = [row[0] for row in session.rows("select sequence from snapshots where game_id = %s", finished[0])]
    assert max(after - before for before, after in zip(sorted(at), [*sorted(at)[1:], last], strict=True)) <= 32

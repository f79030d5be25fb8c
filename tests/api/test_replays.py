"""Positions, logs, pictures and records, now and at any earlier row."""

import gzip
import json
import multiprocessing
import os
from threading import BoundedSemaphore
from typing import Any

import pytest

from api import pictures
from api.pictures import PictureCache
from app import create_app
from referee import record
from referee.games import all_games, game_of
from runtime.config import Config
from schemas.replays import WIDTHS
from service import bot_turns, positions
from store.database import Database
from tests.api.conftest import Person, Service
from tests.factories import play_some

PLACES = ("position", "board.svg", "board.txt?news=0")


def at(place: str, row: int) -> str:
    return f"{place}{'&' if '?' in place else '?'}at={row}"


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
        assert [persons[0].get(f"/v1/games/{game_id}/{at(place, row)}").data for place in PLACES] == then


@pytest.mark.parametrize("at", ["100000", "-1", "x", "1.5", "999999999999999999"])
def test_a_row_that_never_was(at: str, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    for place in PLACES:
        answer = persons[0].get(f"/v1/games/{game_id}/{place.partition('?')[0]}?at={at}")
        assert answer.status_code in (404, 422)
        assert answer.content_type == "application/problem+json"


def test_a_game_that_has_not_started_has_no_position(service: Service) -> None:
    person = service.sign_up()
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "open"}]}
    game_id = person.post("/v1/games", body).json["game"]["id"]
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
        old = 'replace(header, \'"version":"2"\', \'"version":"0"\')'
        session.run(f"update games set header = {old} where id = %s", game_id)
    positions.CACHE.forget(game_id)
    answers = [person.get(f"/v1/games/{game_id}/{place}") for place in (*PLACES, "options", "log", "record")]
    answers.append(person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}))
    for answer in answers:
        assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:other-rules")
        assert "Played under rules 0; here are rules 1 and 2." in answer.json["detail"]


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


def test_pictures_come_in_a_few_widths_and_say_which(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    for width in (390, 600, 800, 1200, 1600):
        picture = persons[0].get(f"/v1/games/{game_id}/board.png?width={width}")
        assert picture.content_type == "image/png"
        assert int.from_bytes(picture.data[16:20]) == width
    for width in (389, 601, 100_000):
        refused = persons[0].get(f"/v1/games/{game_id}/board.png?width={width}")
        assert refused.status_code == 422
        assert "The widths that there are: 390, 600, 800, 1200, 1600." in refused.json["detail"]
    operation = service.client.get("/v1/openapi.json").json["paths"]["/v1/games/{game_id}/board.png"]["get"]
    width = next(parameter for parameter in operation["parameters"] if parameter.get("name") == "width")
    assert width["schema"]["enum"] == list(WIDTHS)


@pytest.mark.parametrize("ruleset", all_games())
def test_everybody_gets_the_picture_of_what_they_may_see(service: Service, ruleset: str) -> None:
    """Drawn elsewhere, and kept: from the view of whoever asks, not of whoever asked before."""
    seats = all_games()[ruleset].seat_counts[0]
    game_id, persons = service.open_game(people=seats, ruleset=ruleset)
    table, _ = positions.load(service.db, game_id)
    for _ in range(2):
        for seat, person in enumerate(persons):
            assert person.get(f"/v1/games/{game_id}/board.svg").text == table.game.picture(table.view(seat))
        assert service.client.get(f"/v1/games/{game_id}/board.svg").text == table.game.picture(table.view(None))


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> BoundedSemaphore:
    """As many wait for pictures as may."""
    places = BoundedSemaphore(1)
    places.acquire()
    monkeypatch.setattr(pictures, "_places", places)
    return places


def test_few_may_wait_for_a_picture_and_others_are_not_held_up(
    running: tuple[str, list[Person]], busy: BoundedSemaphore
) -> None:
    game_id, (person, _) = running
    pictures.CACHE.clear()
    for name in ("board.png", "board.svg"):
        answer = person.get(f"/v1/games/{game_id}/{name}")
        assert (answer.status_code, answer.json["type"]) == (503, "urn:waybill:problem:unavailable")
        assert answer.headers["Retry-After"] == "1"
    assert person.get(f"/v1/games/{game_id}/position").status_code == 200
    busy.release()
    assert person.get(f"/v1/games/{game_id}/board.png").status_code == 200
    busy.acquire()
    for name in ("board.png", "board.svg"):
        assert person.get(f"/v1/games/{game_id}/{name}").status_code == 200, "it is there: the drawing of one is both"
    assert person.get(f"/v1/games/{game_id}/board.png?width=390").status_code == 503


def test_a_renderer_gives_way_and_one_that_is_gone_is_replaced(running: tuple[str, list[Person]]) -> None:
    game_id, (person, _) = running
    pictures.CACHE.clear()
    assert person.get(f"/v1/games/{game_id}/board.svg").status_code == 200
    renderer = multiprocessing.active_children()[0]
    assert os.getpriority(os.PRIO_PROCESS, renderer.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + pictures.NICE)
    renderer.kill()
    pictures.CACHE.clear()
    assert [person.get(f"/v1/games/{game_id}/board.svg").status_code for _ in range(2)] == [503, 200]


def test_kept_pictures_have_a_limit_in_bytes() -> None:
    cache = PictureCache(100)
    for number in range(6):
        cache.put((number,), b"x" * 30)
        cache.get((0,))
    assert [cache.get((number,)) is not None for number in range(6)] == [True, False, False, False, True, True]
    cache.put((7,), b"x" * 101)
    assert cache.get((7,)) is None


GZIP = {"Accept-Encoding": "br;q=1.0, gzip;q=0.8"}


@pytest.mark.parametrize("place", ["position", "board.svg", "log"])
def test_large_answers_are_gzipped_for_those_who_understand_it(place: str, service: Service) -> None:
    game_id, (person, _) = service.open_game()
    play_some(service.db, game_id, 8)
    path = f"/v1/games/{game_id}/{place}"
    plain, gzipped = person.get(path), person.get(path, headers=GZIP)
    assert gzipped.headers["Content-Encoding"] == "gzip"
    assert int(gzipped.headers["Content-Length"]) == len(gzipped.data) < len(plain.data)
    assert gzip.decompress(gzipped.data) == plain.data
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in person.get(path, headers={"Accept-Encoding": "gzip;q=0"}).headers
    assert {"Authorization", "Accept-Encoding"} <= set(plain.headers["Vary"].split(", "))
    # Other bytes have another tag, and each is known again.
    assert plain.headers["ETag"] != gzipped.headers["ETag"]
    assert person.get(path, headers={"If-None-Match": plain.headers["ETag"]}).status_code == 304
    again = person.get(path, headers={**GZIP, "If-None-Match": gzipped.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_gzipped_position_is_good_for_if_match(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    tag = person.get(f"/v1/games/{game_id}/position", headers=GZIP).headers["ETag"]
    played = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers={**GZIP, "If-Match": tag})
    assert played.status_code == 201
    assert "Content-Encoding" not in played.headers, "nobody waits for a move to be packed"


def test_lists_and_documents_are_gzipped_too_and_small_answers_are_not(service: Service) -> None:
    document = service.client.get("/v1/openapi.json", headers=GZIP)
    assert json.loads(gzip.decompress(document.data))["openapi"] == "3.1.0"
    assert "Content-Encoding" not in service.client.get("/healthz", headers=GZIP).headers


def test_the_snapshots_bound_what_is_replayed(db: Database, finished: tuple[str, list[Person]]) -> None:
    with db.session() as session:
        last = session.value("select sequence from games where id = %s", finished[0])
        at = [row[0] for row in session.rows("select sequence from snapshots where game_id = %s", finished[0])]
    assert max(after - before for before, after in zip(sorted(at), [*sorted(at)[1:], last], strict=True)) <= 32


OPENING = "I begin with airlines of which I hold several shares."


def test_bots_say_why_when_the_game_is_over_and_not_before(service: Service) -> None:
    game_id, (person, *_) = service.open_game(people=1, bots=1)
    answer = person.get(f"/v1/games/{game_id}/reasons")
    assert answer.status_code == 409
    assert "when the game is over" in answer.json["detail"]
    while positions.load(service.db, game_id)[1] == "running":
        bot_turns.play(service.db, game_id)
        play_some(service.db, game_id, positions.load(service.db, game_id)[0].sequence + 1)
    found = person.get(f"/v1/games/{game_id}/reasons?limit=3").json["reasons"]
    assert [(reason["row"], reason["seat"], reason["reason"]) for reason in found[:1]] == [(1, 1, OPENING)]
    assert len(found) == 3
    more = person.get(f"/v1/games/{game_id}/reasons?after={found[-1]['row']}").json["reasons"]
    assert more[0]["row"] > found[-1]["row"]

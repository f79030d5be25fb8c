"""How games went: scores row by row, transcripts, and records of many games."""

import json

import pytest

from referee import record
from referee.games import all_games, game_of
from service import games, positions
from tests.api.conftest import Person, Service
from tests.factories import play_some


def scores(ask: Person | Service, game_id: str, page: int) -> list[dict]:
    """All of them, some at a time."""
    get = ask.get if isinstance(ask, Person) else ask.client.get
    found, path = [], f"/v1/games/{game_id}/scores?limit={page}"
    while path:
        answer = get(path)
        found += answer.json["scores"]
        path = answer.headers["Link"].partition(">")[0].lstrip("<") if "Link" in answer.headers else ""
    return found


@pytest.mark.parametrize("ruleset", all_games())
def test_scores_are_those_of_every_position(ruleset: str, service: Service) -> None:
    """As a seat, as a spectator, and as everybody after the game: what /position tells of the same row."""
    seats = all_games()[ruleset].seat_counts[0]
    game_id, persons = service.open_game(people=seats, ruleset=ruleset)
    for rows in (38, 10_000):
        last = play_some(service.db, game_id, rows)
        for who, ask in ((persons[1], persons[1].get), (service, service.client.get)):
            found = scores(who, game_id, page=23)
            assert [one["row"] for one in found] == list(range(last + 1))
            for one in found[:: max(1, last // 11)] + found[-1:]:
                standings = ask(f"/v1/games/{game_id}/position?at={one['row']}").json["standings"]
                assert one["scores"] == [entry["score"] for entry in sorted(standings, key=lambda x: x["seat"])]
    assert persons[0].get(f"/v1/games/{game_id}/scores?after={last}").json == {"seats": seats, "scores": []}


def test_scores_go_back_where_a_move_was_taken_back(service: Service) -> None:
    game_id, persons = service.open_game(undo="consent")
    service.play_opening(game_id, persons)
    last = play_some(service.db, game_id, 21)
    for person in persons:
        answer = person.post(f"/v1/games/{game_id}/undo", {"to": 18})
        assert answer.status_code == 200, answer.text
    play_some(service.db, game_id, last + 4)
    found = {one["row"]: one["scores"] for one in scores(persons[0], game_id, page=7)}
    for row in range(17, last + 5):
        view = persons[0].get(f"/v1/games/{game_id}/position?at={row}").json
        assert found[row] == [entry["score"] for entry in sorted(view["standings"], key=lambda x: x["seat"])]
    assert found[last + 1] == found[18]


def test_a_transcript_tells_what_the_log_tells_the_same_viewer(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 60)
    for ask in (persons[0].get, service.client.get):
        text = ask(f"/v1/games/{game_id}/transcript").text
        told = [line.strip() for line in text.splitlines()]
        rows = ask(f"/v1/games/{game_id}/log?limit=500").json["rows"]
        sentences = [sentence for row in rows for sentence in row["sentences"]]
        assert [line for line in told if line in set(sentences)] == sentences
        assert text.startswith(f"Airlines Europe: {persons[0].name}, {persons[1].name}\n")
    hidden = [row["row"] for row in rows for order in row["orders"] if order["text"] is None]
    assert hidden == [int(line.split()[0]) for line in told if line.endswith("…")]
    assert hidden, "or nothing was hidden in this game"


def test_the_transcript_of_a_finished_game_is_that_of_its_record(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 10_000)
    loaded = record.load(service.client.get(f"/v1/games/{game_id}/record").data)
    answer = service.client.get(f"/v1/games/{game_id}/transcript")
    assert answer.text == record.transcript(game_of(loaded.header), loaded, [person.name for person in persons])
    assert answer.headers["Cache-Control"].startswith("public")
    again = service.client.get(f"/v1/games/{game_id}/transcript", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def collected(service: Service, path: str) -> tuple[list[dict], str]:
    answer = service.client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "application/jsonl"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    return lines, answer.headers["Link"].partition(">")[0].lstrip("<") if "Link" in answer.headers else ""


def test_records_of_finished_public_games_can_be_collected_without_gap_or_repeat(service: Service) -> None:
    path = "/v1/rulesets/airlines-europe/records"
    last = 0
    while True:  # what other tests have left
        before, _ = collected(service, f"{path}?after={last}&limit=50")
        if not before:
            break
        last = before[-1]["number"]
    finished = []
    for options in ({}, {"private": True}, {}, {}):
        game_id, _ = service.open_game(**options)
        play_some(service.db, game_id, 10_000)
        finished += [] if options else [game_id]
    given_up, _ = service.open_game()
    play_some(service.db, given_up, 5)
    with service.db.transaction() as transaction:
        games.end(transaction, given_up)
    positions.CACHE.forget(given_up)

    lines, following = collected(service, f"{path}?after={last}&limit=2")
    assert [line["game"] for line in lines] == finished[:2]
    more, end = collected(service, following)
    assert ([line["game"] for line in more], end) == (finished[2:], "")
    assert [line["number"] for line in lines + more] == sorted({line["number"] for line in lines + more})
    assert collected(service, f"{path}?after={more[-1]['number']}") == ([], "")

    raw = service.client.get(f"{path}?after={last}&limit=1").data
    assert raw.startswith(b'{"number":')
    for line in lines + more:
        spelled = "".join(
            json.dumps(one, separators=(",", ":"), ensure_ascii=False, sort_keys=True) + "\n" for one in line["record"]
        )
        loaded = record.load(spelled.encode())
        record.verify(game_of(loaded.header), loaded)


def test_records_of_a_game_that_is_not_there(service: Service) -> None:
    answer = service.client.get("/v1/rulesets/chess/records")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:waybill:problem:not-found")
    answer = service.client.get("/v1/rulesets/spike/records?limit=51")
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")

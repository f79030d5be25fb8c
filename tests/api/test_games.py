"""Opening games, filling seats, starting, pausing, finding them."""

from pathlib import Path
from typing import Any

import pytest

from referee.chance import commitment
from referee.games import all_games, board_text
from tests.api.conftest import Person, Service

THREE = [{"kind": "me"}, {"kind": "open"}, {"kind": "invite"}]


def opened(person: Person, **changes: Any) -> dict[str, Any]:
    answer = person.post("/v1/games", {"ruleset": "airlines-europe", "seats": THREE, **changes})
    assert answer.status_code == 201, answer.text
    return answer.json


def test_a_game_starts_when_its_last_seat_is_filled(service: Service) -> None:
    host, guest, invited = (service.sign_up() for _ in range(3))
    answer = opened(host, title="Friday", clock=86400)
    game_id = answer["game"]["id"]
    assert [seat["kind"] for seat in answer["game"]["seats"]] == ["player", "open", "invitation"]
    assert guest.post(f"/v1/games/{game_id}/seats", {"entropy": "dice"}).json["status"] == "open"
    (invitation,) = answer["invitations"]
    joined = invited.post(f"/v1/games/{game_id}/seats", {"token": invitation["token"]}).json
    assert (joined["status"], joined["sequence"], joined["you"]) == ("running", 0, 2)
    assert joined["to_act"] == [0, 1, 2]
    assert joined["due_at"]
    late = service.sign_up().post(f"/v1/games/{game_id}/seats", {})
    assert (late.status_code, late.json["type"]) == (409, "urn:waybill:problem:wrong-status")


def test_an_invitation_is_for_one_seat_and_one_use(service: Service) -> None:
    host, guest, other = (service.sign_up() for _ in range(3))
    answer = opened(host, private=True, seats=[{"kind": "me"}, {"kind": "invite"}, {"kind": "invite"}])
    game_id, (one, _) = answer["game"]["id"], answer["invitations"]
    assert other.get(f"/v1/games/{game_id}").status_code == 404
    assert guest.post(f"/v1/games/{game_id}/seats", {"token": one["token"]}).status_code == 201
    assert guest.get(f"/v1/games/{game_id}").status_code == 200
    assert other.post(f"/v1/games/{game_id}/seats", {"token": one["token"]}).status_code == 404
    assert other.post(f"/v1/games/{game_id}/seats", {"token": one["token"][:-1] + "x"}).status_code == 404


def test_the_seat_of_someone_invited_by_name_is_kept_for_them(service: Service) -> None:
    host, guest, stranger = (service.sign_up() for _ in range(3))
    answer = opened(host, seats=[{"kind": "me"}, {"kind": "invite", "name": guest.name}])
    game_id = answer["game"]["id"]
    assert stranger.post(f"/v1/games/{game_id}/seats", {}).status_code == 409
    assert guest.post(f"/v1/games/{game_id}/seats", {}).json["you"] == 1


def test_nobody_sits_twice(service: Service) -> None:
    host = service.sign_up()
    game_id = opened(host)["game"]["id"]
    answer = host.post(f"/v1/games/{game_id}/seats", {})
    assert (answer.status_code, answer.json["detail"]) == (409, "You have a seat in this game already.")


def test_the_host_can_start_without_waiting(service: Service) -> None:
    host = service.sign_up()
    game_id = opened(host)["game"]["id"]
    game = host.post(f"/v1/games/{game_id}/start").json
    assert game["status"] == "running"
    assert [seat["kind"] for seat in game["seats"]] == ["player", "bot", "bot"]


def test_a_paused_game_takes_no_moves(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    assert persons[0].post(f"/v1/games/{game_id}/pause").json["status"] == "paused"
    refused = service.in_turn(game_id, persons).post(f"/v1/games/{game_id}/moves", {"orders": "take money"})
    assert (refused.status_code, refused.json["type"]) == (409, "urn:waybill:problem:wrong-status")
    assert persons[0].post(f"/v1/games/{game_id}/resume").json["status"] == "running"
    played = service.in_turn(game_id, persons).post(f"/v1/games/{game_id}/moves", {"orders": "take money"})
    assert played.status_code == 201


def test_who_leaves_an_open_game_frees_the_seat(service: Service) -> None:
    host, guest = service.sign_up(), service.sign_up()
    game_id = opened(host)["game"]["id"]
    guest.post(f"/v1/games/{game_id}/seats", {})
    left = guest.send("DELETE", f"/v1/games/{game_id}/seats/me").json
    assert (left["you"], left["seats"][1]["kind"]) == (None, "open")
    assert guest.send("DELETE", f"/v1/games/{game_id}/seats/me").status_code == 404


def test_who_leaves_a_running_game_is_replaced_and_the_game_goes_on(
    service: Service, running: tuple[str, list[Person]]
) -> None:
    game_id, persons = running
    left = persons[1].send("DELETE", f"/v1/games/{game_id}/seats/me").json
    assert (left["status"], left["seats"][1]["kind"]) == ("running", "bot")
    assert persons[1].get(f"/v1/games/{game_id}/options").status_code == 403


def test_a_game_that_the_last_person_leaves_is_over(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    assert persons[0].send("DELETE", f"/v1/games/{game_id}/seats/me").json["status"] == "running"
    left = persons[1].send("DELETE", f"/v1/games/{game_id}/seats/me").json
    assert (left["status"], left["ending"], left["to_act"]) == ("over", "abandoned", [])


def test_the_seed_is_committed_to_before_anybody_moves_and_everybody_adds_to_it(service: Service) -> None:
    host = service.sign_up()
    changes = [{"kind": "me", "entropy": "mine"}, {"kind": "bot"}]
    game = opened(host, seats=changes)["game"]
    record = host.get(f"/v1/games/{game['id']}/record").text
    assert f'"commitment":"{game["commitment"]}"' in record
    assert '"entropy":["mine",""]' in record
    with service.db.session() as session:
        seed = bytes(session.value("select seed from games where id = %s", game["id"]))
    assert commitment(seed) == game["commitment"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"ruleset": "chess"}, "ruleset"),
        ({"seats": [{"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "me"}] * 6}, "seats"),
        ({"seats": [{"kind": "me"}] * 2}, "seats"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "deep blue"}]}, "seats"),
        ({"seats": [{"kind": "me"}, {"kind": "invite", "name": "Nobody At All"}]}, "seats.1.name"),
        ({"settings": {"jitter": "yes"}}, "settings"),
        ({"settings": {"colour": 1}}, "settings"),
        ({"board": "game: chess"}, "board"),
        ({"board": "[1,"}, "board"),
    ],
)
def test_a_game_that_cannot_be_opened(changes: dict[str, Any], field: str, service: Service) -> None:
    person = service.sign_up()
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}], **changes}
    answer = person.post("/v1/games", body)
    assert (answer.status_code, answer.json["field"]) == (422, field), answer.text
    assert person.get("/v1/games?mine=1").json == []


def test_a_board_whose_cards_would_fill_the_memory_is_refused(service: Service) -> None:
    text = board_text(all_games()["airlines-europe"])
    text = text.replace("shares: 16, planes: 16", "shares: 10000, planes: 999999999")
    seats = [{"kind": "me"}, {"kind": "open"}]
    answer = service.sign_up().post("/v1/games", {"ruleset": "airlines-europe", "seats": seats, "board": text})
    assert answer.status_code == 422
    assert answer.json["errors"]["board"] == [
        "line 40: airlines[0].shares: 10000 is beyond 9999",
        "line 40: airlines[0].planes: 999999999 is beyond 9999",
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"clock": 1},
        {"clock": 3600.5},
        {"clock": "3600"},
        {"clock": True},
        {"seats": [{"kind": "me", "name": "x"}, {"kind": "bot"}]},
        {"seats": [{"kind": "invite", "name": "x", "email": "x@example.org"}, {"kind": "bot"}]},
        {"seats": "all"},
        {"private": "yes"},
        {"private": 0},
        {"title": "x" * 81},
        {"title": "two\nlines"},
        {"surprise": 1},
    ],
)
def test_a_request_that_is_no_game(changes: dict[str, Any], service: Service) -> None:
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}], **changes}
    answer = service.sign_up().post("/v1/games", body)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
    assert set(changes) & set(answer.json["errors"]["json"])


def test_a_game_on_a_board_of_ones_own_is_told_apart_everywhere(service: Service) -> None:
    shipped = (Path(__file__).parents[2] / "referee/games/airlines_europe/board.yaml").read_text()
    mine = shipped.replace("name: reconstructed-v1", "name: my copy", 1)
    mine = mine.replace("fidelity: reconstructed-v1", "fidelity: printed", 1)
    person = service.sign_up()
    game = opened(person, seats=[{"kind": "me"}, {"kind": "bot"}], board=mine)["game"]
    board = person.get(f"/v1/games/{game['id']}/position").json["board"]
    assert (board["name"], board["fidelity"]) == ("my copy", "printed")
    assert '"fidelity":"printed"' in person.get(f"/v1/games/{game['id']}/record").text


def test_games_are_listed_page_by_page_without_gaps_or_repeats(service: Service) -> None:
    person = service.sign_up()
    mine = [opened(person, seats=[{"kind": "me"}, {"kind": "open"}])["game"]["id"] for _ in range(7)]
    found, path = [], "/v1/games?mine=1&limit=3"
    while path:
        page = person.get(path)
        found += [one["id"] for one in page.json]
        path = page.headers["Link"].partition(">")[0].lstrip("<") if "Link" in page.headers else ""
    assert found == mine[::-1]


def test_games_are_found_by_what_they_wait_for(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    other = next(one for one in persons if one is not person)
    assert [one["id"] for one in person.get("/v1/games?to_act=1").json] == [game_id]
    assert other.get("/v1/games?to_act=1").json == []
    assert [one["id"] for one in other.get("/v1/games?mine=1&status=running").json] == [game_id]
    assert other.get("/v1/games?mine=1&status=over").json == []


@pytest.mark.parametrize("query", ["after=nonsense", "after=%00", "limit=0", "limit=x", "status=lost", "mine=perhaps"])
def test_a_query_that_cannot_be_read(query: str, service: Service) -> None:
    answer = service.sign_up().get(f"/v1/games?{query}")
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")


def test_private_games_are_not_listed_for_strangers(service: Service) -> None:
    game_id, persons = service.open_game(private=True)
    stranger = service.sign_up()
    assert game_id in [one["id"] for one in persons[1].get("/v1/games?mine=1").json]
    assert game_id not in [one["id"] for one in stranger.get("/v1/games?limit=200").json]
    assert game_id not in [one["id"] for one in service.client.get("/v1/games?limit=200").json]


def test_names_are_unique_whatever_their_case(service: Service) -> None:
    service.sign_up("Beatrice")
    answer = service.client.post("/v1/players", json={"name": "BEATRICE"})
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:conflict")


def test_a_player_changes_name_and_address(service: Service) -> None:
    person = service.sign_up()
    assert person.send("PATCH", "/v1/me", json={"name": person.name + " II"}).json["name"] == person.name + " II"
    assert person.get("/v1/me").json["name"] == person.name + " II"
    assert person.send("PATCH", "/v1/me", json={"name": ""}).status_code == 422

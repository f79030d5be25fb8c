"""Requests that come again, come late, come together, or are wrong."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from referee.games import GameType, all_games, board_text, faithful_board
from service import games
from tests.api.conftest import Person, Service

Running = tuple[str, list[Person]]


def test_the_same_key_and_body_get_the_same_answer_and_are_done_once(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    key = {"Idempotency-Key": "my-turn-1"}
    first = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=key)
    again = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=key)
    assert first.status_code == again.status_code == 201
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"
    assert person.get(f"/v1/games/{game_id}").json["sequence"] == first.json["sequence"]


def test_a_dry_run_minds_what_a_key_is_though_it_keeps_none(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    for method, path, body in (("POST", "moves", {"orders": "take money"}), ("PUT", "standing-orders", {"text": ""})):
        place = f"/v1/games/{game_id}/{path}?dry_run=1"
        answer = person.send(method, place, json=body, headers={"Idempotency-Key": "two words"})
        assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
        assert person.send(method, place, json=body, headers={"Idempotency-Key": "tried"}).status_code == 200
    played = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers={"Idempotency-Key": "tried"})
    assert played.status_code == 201


def test_the_same_key_with_another_body_is_refused(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    key = {"Idempotency-Key": "my-turn-2"}
    assert person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=key).status_code == 201
    other = person.post(f"/v1/games/{game_id}/moves", {"orders": "take the money"}, headers=key)
    assert (other.status_code, other.json["type"]) == (422, "urn:waybill:problem:key-reused")


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me/tokens"])
def test_other_writes_are_done_once_too(path: str, service: Service) -> None:
    person = service.sign_up()
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "invite"}]} if "games" in path else {}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: person.post(path, body, headers={"Idempotency-Key": "k"}), range(4)))
    assert {answer.status_code for answer in answers} == {201}
    made = [answer.json["game"]["id"] if "games" in path else answer.json["id"] for answer in answers]
    assert len(set(made)) == 1
    assert sorted("Idempotent-Replayed" in answer.headers for answer in answers) == [False, True, True, True]
    other = person.post(path, {**body, "label": "x"} if "tokens" in path else {**body, "title": "x"},
                        headers={"Idempotency-Key": "k"})  # fmt: skip
    assert other.status_code == 422


def test_a_key_belongs_to_its_player(service: Service) -> None:
    one, other = service.sign_up(), service.sign_up()
    key = {"Idempotency-Key": "same-word"}
    first = one.post("/v1/me/tokens", {}, headers=key)
    second = other.post("/v1/me/tokens", {}, headers=key)
    assert first.status_code == second.status_code == 201
    assert first.json["token"] != second.json["token"]


@pytest.mark.parametrize("key", ["", "with space", "x" * 256, "\x7f"])
def test_a_key_that_is_none(key: str, service: Service) -> None:
    person = service.sign_up()
    answer = person.post("/v1/me/tokens", {}, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")


def test_if_match_refuses_a_move_made_for_an_older_position(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    tag = person.get(f"/v1/games/{game_id}/position").headers["ETag"]
    sequence = person.get(f"/v1/games/{game_id}").json["sequence"]
    old = {"If-Match": f'"{sequence - 1}"'}
    late = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers=old)
    assert (late.status_code, late.json["sequence"]) == (412, sequence)
    wrong = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers={"If-Match": "12"})
    assert wrong.status_code == 422
    done = person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"}, headers={"If-Match": tag})
    assert done.status_code == 201


def test_a_dry_run_says_how_orders_are_read_and_changes_nothing(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    before = person.get(f"/v1/games/{game_id}/position").data
    answer = person.post(f"/v1/games/{game_id}/moves?dry_run=1", {"orders": "buy lon-par for gray\ntake pile"})
    assert answer.status_code == 200
    assert answer.json["readings"] == ["buy London-Paris for grey", "take pile"]
    assert set(answer.json) == {"sequence", "readings"}, "a dry run must not tell what a draw would bring"
    assert answer.json["sequence"] == person.get(f"/v1/games/{game_id}").json["sequence"]
    assert person.get(f"/v1/games/{game_id}/position").data == before


def test_a_refused_order_says_why_and_what_would_be_right(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    answer = person.post(f"/v1/games/{game_id}/moves", {"orders": "buy moscow-ankara for white"})
    assert answer.status_code == 422
    problem = answer.json
    assert problem["type"] == "urn:waybill:problem:illegal-order"
    assert problem["code"] == "too_expensive"
    assert problem["numbers"] == {"cost": 10, "cash": 8}
    assert problem["rule"]
    assert person.post(f"/v1/games/{game_id}/moves?dry_run=1", {"moves": [problem["nearest"]]}).status_code == 200


def test_an_order_that_can_mean_two_things_is_asked_back(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    answer = person.post(f"/v1/games/{game_id}/moves", {"orders": "buy london-paris"})
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:ambiguous-order"), answer.text
    assert len(answer.json["readings"]) > 1
    for reading in answer.json["readings"]:
        assert person.post(f"/v1/games/{game_id}/moves?dry_run=1", {"orders": reading}).status_code == 200


def test_out_of_turn_is_a_conflict(service: Service, running: Running) -> None:
    game_id, persons = running
    waiting = next(one for one in persons if one is not service.in_turn(game_id, persons))
    answer = waiting.post(f"/v1/games/{game_id}/moves", {"orders": "take money"})
    assert (answer.status_code, answer.json["code"]) == (409, "not_your_turn")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"moves": []},
        {"moves": [], "orders": "take money"},
        {"moves": "take money"},
        {"moves": ["take money"]},
        {"moves": [{"type": "take_money", "extra": 1}]},
        {"moves": [{"type": "buy", "route": 3, "airline": "red"}]},
        {"moves": [{"type": "buy", "route": "london-paris", "airline": None}]},
        {"moves": [{"type": {}}]},
        {"moves": [{}] * 101},
        {"orders": ""},
        {"orders": "x" * 9000},
        {"orders": "take\0money"},
        {"orders": 3},
        {"nonsense": True},
        [],
        "take money",
        None,
    ],
)
def test_bodies_that_are_no_moves(body: object, service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    before = person.get(f"/v1/games/{game_id}").json
    answer = person.post(f"/v1/games/{game_id}/moves", body)
    assert answer.status_code in (400, 415, 422), answer.text
    assert answer.content_type == "application/problem+json"
    assert person.get(f"/v1/games/{game_id}").json == before


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"{", 400), (b"\xff\xfe", 400), (b"[" * 100_000, 400), (b" " * 600_000, 413), (b'{"orders": NaN}', 400)],
)
def test_bodies_that_are_no_json(data: bytes, status: int, service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    answer = person.send("POST", f"/v1/games/{game_id}/moves", data=data, content_type="application/json")
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"


def test_a_board_is_read_before_a_transaction_is_begun(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    in_use: list[int] = []

    def reading(game_type: GameType, text: str) -> Any:
        in_use.append(service.app.extensions["database"]._in_use)
        return faithful_board(game_type, text)

    monkeypatch.setattr(games, "faithful_board", reading)
    seats = [{"kind": "me"}, {"kind": "open"}]
    person, text = service.sign_up(), board_text(all_games()["airlines-europe"])
    for board, status in ((text, 201), ("a: [" + "1," * 99_000 + "1]", 422)):
        answer = person.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats, "board": board})
        assert answer.status_code == status
    assert in_use == [0, 0]
    assert answer.json["errors"]["board"] == ["line 1: this is value 15001, and no board has more than 15000"]


def test_whole_turns_are_played_or_refused_as_one(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    refused = person.post(
        f"/v1/games/{game_id}/moves", {"orders": "buy london-paris for grey\nbuy london-paris for grey\ntake pile"}
    )
    assert (refused.status_code, refused.json["index"]) == (422, 1)
    played = person.post(f"/v1/games/{game_id}/moves", {"orders": "buy london-paris for grey\ntake pile"})
    assert played.status_code == 201
    assert [row["sentences"] for row in played.json["rows"]]
    assert len(played.json["rows"]) == 2


def test_nothing_can_follow_an_order_that_shows_something_new(service: Service, running: Running) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    for query in ("", "?dry_run=1"):
        orders = {"orders": "buy london-paris for grey\ntake pile\nplay red"}
        answer = person.post(f"/v1/games/{game_id}/moves{query}", orders)
        assert (answer.status_code, answer.json["code"], answer.json["index"]) == (422, "reveals", 1)


def test_a_key_without_a_token_is_long_enough_to_be_nobody_elses(service: Service) -> None:
    """Who guesses it gets the token of whoever has signed up with it, from the same address."""
    for key, status in (("1" * 15, 422), ("1" * 16, 201)):
        answer = service.client.post(
            "/v1/players", json={"name": f"key of {len(key)}"}, headers={"Idempotency-Key": key}
        )
        assert answer.status_code == status, answer.text


def test_a_repeated_sign_up_is_answered_with_the_same_player_and_a_token_that_works(service: Service) -> None:
    """Whoever repeats it has not got the first answer; what was in that is good for nothing any more."""
    sent = {"json": {"name": "Twice"}, "headers": {"Idempotency-Key": "twice-at-the-door"}}
    first, again = (service.client.post("/v1/players", **sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json["player"] == again.json["player"]
    assert again.headers["Idempotent-Replayed"] == "true"
    tokens = [answer.json["token"] for answer in (first, again)]
    statuses = [
        service.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code for token in tokens
    ]
    assert statuses == [401, 200]
    late = service.client.post("/v1/players", **sent)
    assert (late.status_code, late.json["type"]) == (409, "urn:waybill:problem:conflict")
    assert "has been used" in late.json["detail"]


def test_a_database_dump_and_a_guessed_key_give_no_token_away(service: Service) -> None:
    """Answers were kept enciphered with the key itself: with `1` for a key it took 0.2 ms to read them."""
    person = service.sign_up()
    token = person.post("/v1/me/tokens", {}, headers={"Idempotency-Key": "1"}).json["token"]
    with service.db.session() as session:
        rows = session.rows("select * from idempotency where scope = %s", f"player:{person.id}")
        kept = session.value("select body from idempotency where scope = %s", f"player:{person.id}")
    assert len(rows) == 1
    assert kept is None, "there is no answer to decipher, under whatever key"
    assert not any(token[7:] in str(value) for value in rows[0])

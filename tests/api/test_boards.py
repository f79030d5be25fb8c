"""Boards: a part of the table, all of it, and what has happened since your last move."""

from typing import Any

import pytest

from referee.games import all_games
from referee.games.airlines_europe import AirlinesEurope
from referee.news import HEADING
from referee.options import Hints
from referee.pictures.drawing import closer
from tests.api.conftest import Person, Service

Running = tuple[str, list[Person]]
WITH_PARTS = [(key, part) for key, game_type in sorted(all_games().items()) for part in game_type.parts]


@pytest.fixture
def parted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Airlines Europe with two parts, whichever it has."""
    whole = AirlinesEurope.text
    monkeypatch.setattr(AirlinesEurope, "parts", ("map", "players"))
    monkeypatch.setattr(
        AirlinesEurope, "text", lambda self, view, part="": f"PART {part}\n" if part else whole(self, view)
    )


@pytest.mark.usefixtures("parted")
@pytest.mark.parametrize("part", ["full", "map", "players"])
def test_a_part_of_the_text_board(part: str, running: Running) -> None:
    game_id, persons = running
    answer = persons[0].get(f"/v1/games/{game_id}/board.txt?part={part}&news=0")
    assert (answer.status_code, answer.text) == (200, f"PART {part}\n")


@pytest.mark.usefixtures("parted")
@pytest.mark.parametrize(
    ("place", "known"),
    [("board.svg", "map, players"), ("board.png", "map, players"), ("board.txt", "full, map, players")],
)
def test_a_part_that_the_game_has_not_is_refused_and_those_are_named_that_it_has(
    place: str, known: str, running: Running
) -> None:
    game_id, persons = running
    answer = persons[0].get(f"/v1/games/{game_id}/{place}?part=market")
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
    assert answer.json["detail"] == f"Airlines Europe has no part 'market': the parts are {known}."
    assert list(answer.json["errors"]["query"]) == ["part"]


def test_a_game_whose_table_has_no_parts_says_so(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AirlinesEurope, "parts", ())
    game_id, persons = running
    answer = persons[0].get(f"/v1/games/{game_id}/board.svg?part=map")
    assert answer.json["detail"] == "Airlines Europe has no part 'map': its table is shown whole only."
    assert persons[0].get(f"/v1/games/{game_id}/board.svg?part={'x' * 21}").status_code == 422


@pytest.mark.parametrize(("key", "part"), WITH_PARTS)
def test_every_part_of_every_game_is_served(key: str, part: str, service: Service) -> None:
    person = service.sign_up()
    seats = [{"kind": "me"}, *[{"kind": "bot"}] * (all_games()[key].seat_counts[0] - 1)]
    opened = person.post("/v1/games", {"ruleset": key, "seats": seats})
    path = f"/v1/games/{opened.json['game']['id']}"
    whole, drawn = person.get(f"{path}/board.svg"), person.get(f"{path}/board.svg?part={part}")
    assert (drawn.status_code, drawn.content_type) == (200, "image/svg+xml")
    assert drawn.data != whole.data
    assert drawn.headers["ETag"] != whole.headers["ETag"]
    assert person.get(f"{path}/board.png?part={part}&width=390").data.startswith(b"\x89PNG")
    assert person.get(f"{path}/board.txt?part={part}").status_code == 200


def test_one_can_look_closer_at_a_part(running: Running) -> None:
    game_id, persons = running
    path = f"/v1/games/{game_id}/board"
    part, near = (persons[0].get(f"{path}.svg?part=map{more}") for more in ("", "&look=south-east"))
    assert near.text == closer(part.text, "south-east")
    assert near.headers["ETag"] != part.headers["ETag"]
    assert persons[0].get(f"{path}.png?part=map&look=south-east&width=390").data.startswith(b"\x89PNG")
    refused = persons[0].get(f"{path}.svg?part=map&look=down")
    assert refused.status_code == 422
    assert "Where one can look closer: north-west, north," in refused.json["errors"]["query"]["look"][0]


def test_a_seat_is_first_told_what_has_happened_since_its_last_move(service: Service, running: Running) -> None:
    game_id, persons = running
    path = f"/v1/games/{game_id}"
    first = service.in_turn(game_id, persons)
    second = next(person for person in persons if person is not first)
    assert first.post(f"{path}/moves", {"orders": "take money"}).status_code == 201
    news, _, board = second.get(f"{path}/board.txt").text.partition("\n\n")
    assert news.startswith(f"{HEADING}\n")
    assert f"{first.name} takes 8 million" in " ".join(news.split())
    assert "\n\n" + board == "\n\n" + second.get(f"{path}/board.txt?news=0").text
    mine = first.get(f"{path}/board.txt").text
    assert not mine.startswith(HEADING), "nothing since the last move"
    for other in (second.get(f"{path}/board.txt?at=2"), service.client.get(f"{path}/board.txt")):
        assert not other.text.startswith(HEADING), "the past, and spectators"


def test_news_and_parts_have_entity_tags_of_their_own(running: Running) -> None:
    game_id, persons = running
    texts = [persons[0].get(f"/v1/games/{game_id}/board.txt{query}") for query in ("", "?news=0", "?part=full")]
    assert len({text.headers["ETag"] for text in texts}) == 3
    again = persons[0].get(f"/v1/games/{game_id}/board.txt", headers={"If-None-Match": texts[0].headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


# Going on without looking


def deal(service: Service, running: Running) -> tuple[str, Person, Any]:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    return f"/v1/games/{game_id}/moves", person, {"orders": "buy london-paris for grey\ntake pile\ntake money"}


def test_orders_after_a_look_are_refused_unless_they_are_blind(service: Service, running: Running) -> None:
    path, person, body = deal(service, running)
    refused = person.post(path, body)
    assert (refused.status_code, refused.json["code"], refused.json["index"]) == (422, "reveals", 1)
    assert "blind" in refused.json["detail"]


@pytest.mark.parametrize("how", ["flag", "first line"])
def test_of_blind_orders_what_has_become_impossible_is_left_out_with_the_reason(
    how: str, service: Service, running: Running
) -> None:
    path, person, body = deal(service, running)
    blind = {**body, "blind": True} if how == "flag" else {"orders": f"Blind:\n{body['orders']}"}
    checked = person.post(f"{path}?dry_run=1", blind)
    assert (checked.status_code, len(checked.json["readings"])) == (200, 2), "a dry run looks at nothing"
    played = person.post(path, blind, headers={"Idempotency-Key": "blind"})
    assert played.status_code == 201, played.text
    assert [row["orders"][0]["move"]["type"] for row in played.json["rows"]] == ["buy", "take_share"]
    assert (played.json["left_out"]["index"], played.json["left_out"]["code"]) == (2, "turn_over")
    again = person.post(path, blind, headers={"Idempotency-Key": "blind"})
    assert again.json == played.json


def test_an_answer_tells_what_was_left_out_only_if_something_was(service: Service, running: Running) -> None:
    path, person, _ = deal(service, running)
    played = person.post(path, {"orders": "buy london-paris for grey\ntake pile", "blind": True})
    assert played.status_code == 201
    assert "left_out" not in played.json


@pytest.mark.parametrize("blind", ["yes", 1, None, [True]])
def test_blind_is_true_or_false(blind: Any, service: Service, running: Running) -> None:
    path, person, body = deal(service, running)
    assert person.post(path, {**body, "blind": blind}).status_code == 422
    assert person.post(path, {"blind": True}).status_code == 422, "and needs orders"


def test_options_tell_what_orders_cost_and_bring(
    service: Service, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = {"route": {"london-paris": "4 million"}}
    monkeypatch.setattr(
        AirlinesEurope, "hints", lambda self, view, offer: Hints("now", hint if "route" in offer.domains else {})
    )
    game_id, persons = running
    offers = service.in_turn(game_id, persons).get(f"/v1/games/{game_id}/options").json["offers"]
    buying = next(offer for offer in offers if offer["type"] == "buy")
    assert buying["fields"]["route"]["hints"] == {"london-paris": "4 million"}
    assert all(offer["hint"] == "now" for offer in offers)

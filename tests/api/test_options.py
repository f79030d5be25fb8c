"""What may be done, in words too; and what may be done after orders that are not yet sent."""

from typing import Any

import pytest

from referee.games import all_games
from service import positions
from tests.api.conftest import Person, Service
from tests.factories import play_some


def after(person: Person, game_id: str, **body: Any) -> Any:
    return person.post(f"/v1/games/{game_id}/options", body)


def test_values_are_told_in_words_where_they_are_written_otherwise(
    service: Service, running: tuple[str, list[Person]]
) -> None:
    game_id, persons = running
    options = service.in_turn(game_id, persons).get(f"/v1/games/{game_id}/options").json
    routes = {
        route for offer in options["offers"] if offer["type"] == "buy" for route in offer["fields"]["route"]["one_of"]
    }
    assert set(options["words"]["route"]) == routes
    assert options["words"]["route"]["london-paris"] == "London-Paris"
    assert "red" not in options["words"]["airline"]  # it is written so


def test_after_an_order_the_turn_goes_on_and_nothing_is_played(service: Service) -> None:
    game_id, persons = service.open_game(ruleset="spike")
    for _ in range(12):
        person = service.in_turn(game_id, persons)
        options = person.get(f"/v1/games/{game_id}/options").json
        found = after(person, game_id, moves=[options["default"]]).json
        assert found["moves"][0]["type"] == options["default"]["type"]
        assert len(found["readings"]) == 1
        assert found["sequence"] == options["sequence"] == person.get(f"/v1/games/{game_id}").json["sequence"]
        if found["offers"]:
            break
        assert person.post(f"/v1/games/{game_id}/moves", {"moves": [options["default"]]}).status_code == 201
    assert found["decisions"][0]["seat"] == persons.index(person)
    # What is offered then is legal then.
    both = [options["default"], found["default"]]
    assert person.post(f"/v1/games/{game_id}/moves?dry_run=1", {"moves": both}).status_code == 200


def test_what_shows_something_new_tells_nothing_before_it_stands(
    service: Service, running: tuple[str, list[Person]]
) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    assert person.post(f"/v1/games/{game_id}/moves", {"orders": "buy london-paris for red"}).status_code == 201
    found = after(person, game_id, orders="take pile").json
    assert (found["readings"], found["offers"], found["decisions"], found["default"]) == (["take pile"], [], [], None)


def test_a_sealed_move_is_read_and_leaves_nothing_behind(service: Service) -> None:
    game_id, persons = service.open_game()
    default = persons[0].get(f"/v1/games/{game_id}/options").json["default"]
    found = after(persons[0], game_id, moves=[default]).json
    assert (found["moves"], found["offers"]) == ([default], [])
    assert positions.load(service.db, game_id)[0].sealed == {}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"orders": "xyzzy"}, {}, 422),
        ({}, {}, 422),
        ({"orders": "take money"}, {"If-Match": '"0"'}, 412),
    ],
)
def test_wrong_orders_are_refused_as_a_dry_run_refuses_them(
    service: Service, running: tuple[str, list[Person]], body: Any, headers: dict[str, str], status: int
) -> None:
    game_id, persons = running
    person = service.in_turn(game_id, persons)
    answers = [
        person.post(f"/v1/games/{game_id}/{rule}", body, headers=headers) for rule in ("options", "moves?dry_run=1")
    ]
    assert [answer.status_code for answer in answers] == [status, status]
    assert answers[0].json == answers[1].json


def test_every_game_says_what_it_is_like_and_has_a_picture(service: Service) -> None:
    for ruleset in service.client.get("/v1/rulesets").json["rulesets"]:
        assert ruleset["key"] in all_games()
        assert ruleset["summary"].endswith(".")
        assert ruleset["special"].endswith(".")
        assert ruleset["weight"] in ("light", "medium", "heavy")
        assert ruleset["minutes"] == sorted(ruleset["minutes"])
        assert "map" in ruleset["parts"]
        assert service.client.get(ruleset["picture"]).content_type == "image/svg+xml"


def test_after_the_game_one_sees_what_each_could_see_then(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 30)
    then = {}
    for seat, person in enumerate(persons):
        then[seat] = person.get(f"/v1/games/{game_id}/position").json
        refused = person.get(f"/v1/games/{game_id}/position?at=10&seen_by={seat}")
        assert (refused.status_code, refused.json["type"]) == (409, "urn:waybill:problem:wrong-status")
    play_some(service.db, game_id, 10_000)
    row = then[0]["row"]
    for seat in then:
        address = f"/v1/games/{game_id}/position?at={row}&seen_by={seat}"
        assert service.client.get(address).json == then[seat]
        assert persons[1 - seat].get(address).json == then[seat]
    everything = service.client.get(f"/v1/games/{game_id}/position?at={row}").json
    assert all(player["hand"] is not None for player in everything["table"]["players"])
    assert service.client.get(f"/v1/games/{game_id}/position?seen_by=9").status_code == 422
    for rule in ("board.svg?part=players&", "board.txt?part=players&"):
        boards = {service.client.get(f"/v1/games/{game_id}/{rule}at={row}{seen}").text for seen in ("", "&seen_by=0")}
        assert len(boards) == 2

"""Clocks, pauses, absences, waiting, taking back and seats that change hands, over HTTP."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from runtime import wall_clock
from service import phases, seats
from tests.api.conftest import Person, Service

Running = tuple[str, list[Person]]
DAY = 24 * 3600


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    yield
    wall_clock.shift(0)


def started(service: Service, people: int = 2, **options: Any) -> Running:
    game_id, persons = service.open_game(people, **options)
    service.play_opening(game_id, persons)
    return game_id, persons


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def opened(service: Service, clock: Any, **changes: Any) -> Any:
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}], "clock": clock, **changes}
    return service.sign_up().post("/v1/games", body)


def test_a_clock_is_shown_with_all_its_parts_and_its_name(service: Service) -> None:
    clock = opened(service, "daily").json["game"]["clock"]
    assert (clock["name"], clock["time"], clock["days"]) == ("daily", DAY, ["mon", "tue", "wed", "thu", "fri"])
    assert clock["late"] == {
        "remind": True, "play": "default", "hand_over_after": 3, "substitute": True, "cool_off": DAY,
    }  # fmt: skip
    mine = opened(service, {"preset": "relaxed", "hours": ["09:00", "22:00"], "zone": "Europe/Vienna"}).json["game"]
    assert (mine["clock"]["time"], mine["clock"]["hours"]) == (3 * DAY, ["09:00", "22:00"])
    assert opened(service, 3600).json["game"]["clock"] == 3600
    assert opened(service, None).json["game"]["clock"] is None
    assert opened(service, "none").json["game"]["due_at"] is None


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({"time": 5}, "clock.time"),
        ({"time": DAY, "zone": "Mars/Olympus"}, "clock.zone"),
        ({"time": DAY, "hours": ["22:00", "09:00"]}, "clock.hours"),
        ({"time": DAY, "late": {"cool_off": -1}}, "clock.late.cool_off"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_by_its_field(clock: dict, field: str, service: Service) -> None:
    answer = opened(service, clock)
    assert (answer.status_code, answer.json["field"]) == (422, field)
    assert list(answer.json["errors"]) == [field]


@pytest.mark.parametrize("clock", [True, [], {"time": "long"}, {"surprise": 1}, {"days": ["someday"]}, {"late": 3}])
def test_what_is_no_clock(clock: object, service: Service) -> None:
    answer = opened(service, clock)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
    assert "clock" in answer.json["errors"]["json"]


def test_players_pause_and_resume_when_all_of_them_want_to(service: Service) -> None:
    game_id, persons = started(service, 3)
    for guest in persons[1:]:
        answer = guest.post(f"/v1/games/{game_id}/pause").json
        assert answer["status"] == "running"
    assert [(given["kind"], given["seat"]) for given in answer["consents"]] == [("pause", 1), ("pause", 2)]
    with service.db.session() as session:  # whose word alone would do
        session.run("update games set host = null where id = %s", game_id)
    paused = persons[0].post(f"/v1/games/{game_id}/pause").json
    assert (paused["status"], paused["consents"]) == ("paused", [])
    for person in persons:
        resumed = person.post(f"/v1/games/{game_id}/resume").json
    assert (resumed["status"], resumed["consents"]) == ("running", [])


def test_each_needs_the_scope_for_what_they_are(service: Service, running: Running) -> None:
    game_id, (host, guest) = running
    for person, scope, status in ((host, "play", 403), (host, "host", 200), (guest, "host", 403)):
        token = person.post("/v1/me/tokens", {"scopes": [scope]}).json["token"]
        same = Person(service.client, person.name, token, person.id)
        assert same.post(f"/v1/games/{game_id}/pause").status_code == status


def test_an_absence_is_seen_by_all_and_moves_a_deadline_that_runs(service: Service) -> None:
    game_id, persons = started(service, clock={"time": DAY})
    person = service.in_turn(game_id, persons)
    other = next(each for each in persons if each is not person)
    due = moment(other.get(f"/v1/games/{game_id}").json["due_at"])
    begin = wall_clock.now() + timedelta(hours=6)
    body = {"from": begin.isoformat(), "until": (begin + timedelta(days=3)).isoformat()}
    key = {"Idempotency-Key": "away"}
    answers = [person.post(f"/v1/games/{game_id}/absence", body, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    seen = other.get(f"/v1/games/{game_id}").json
    assert [away["seat"] for away in seen["absences"]] == [persons.index(person)]
    assert abs(moment(seen["due_at"]) - due - timedelta(days=3)) < timedelta(seconds=5)
    with service.db.session() as session:
        kinds = [kind for (kind,) in session.rows("select kind from outbox where game_id = %s order by id", game_id)]
    assert kinds[-2:] == ["absence", "deadline_moved"]


@pytest.mark.parametrize(("begin", "days"), [(-3, 2), (1, 0), (1, 29), (400, 1)])
def test_an_absence_that_cannot_be(begin: int, days: int, service: Service, running: Running) -> None:
    game_id, persons = running
    first = wall_clock.now() + timedelta(days=begin)
    body = {"from": first.isoformat(), "until": (first + timedelta(days=days)).isoformat()}
    assert persons[0].post(f"/v1/games/{game_id}/absence", body).status_code == 422
    naive = {"from": "2030-01-01T00:00:00", "until": "2030-01-02T00:00:00"}
    assert persons[0].post(f"/v1/games/{game_id}/absence", naive).status_code == 422


def test_absences_are_capped_for_each_game(service: Service, running: Running) -> None:
    game_id, persons = running
    statuses = []
    for number in range(4):
        first = wall_clock.now() + timedelta(days=1 + 20 * number)
        body = {"from": first.isoformat(), "until": (first + timedelta(days=9)).isoformat()}
        statuses.append(persons[0].post(f"/v1/games/{game_id}/absence", body).status_code)
    assert statuses == [201, 201, 201, 422]


def seal(person: Person, game_id: str) -> None:
    default = person.get(f"/v1/games/{game_id}/options").json["default"]
    assert person.post(f"/v1/games/{game_id}/moves", {"moves": [default]}).status_code == 202


def test_who_waits_has_the_orders_opened_at_the_deadline_and_no_sooner(service: Service) -> None:
    game_id, persons = service.open_game(2, clock={"time": DAY})
    assert persons[0].post(f"/v1/games/{game_id}/wait").json["waits"] == [0]
    for person in persons:
        seal(person, game_id)
    assert phases.resolve(service.db, game_id) is None
    wall_clock.shift(DAY - 60)
    assert phases.resolve(service.db, game_id) is None
    seal(persons[1], game_id)  # which may still be changed
    wall_clock.shift(DAY + 1)
    assert phases.resolve(service.db, game_id)
    assert persons[0].get(f"/v1/games/{game_id}").json["waits"] == []


def test_who_no_longer_waits_has_them_opened_at_once(service: Service) -> None:
    game_id, persons = service.open_game(2, clock={"time": DAY})
    persons[0].post(f"/v1/games/{game_id}/wait")
    for person in persons:
        seal(person, game_id)
    assert persons[0].post(f"/v1/games/{game_id}/wait", {"wait": False}).json["waits"] == []
    assert phases.resolve(service.db, game_id)
    late = persons[0].post(f"/v1/games/{game_id}/wait")
    assert (late.status_code, late.json["type"]) == (409, "urn:waybill:problem:conflict")


def test_the_reveal_waits_for_the_cool_off_and_who_changes_an_order_does_not_put_it_off(service: Service) -> None:
    game_id, persons = service.open_game(2, clock={"time": DAY, "cool_off": 3600})
    for person in persons:
        seal(person, game_id)
    assert phases.resolve(service.db, game_id) is None
    wall_clock.shift(3000)
    seal(persons[0], game_id)
    assert phases.resolve(service.db, game_id) is None
    wall_clock.shift(3601)
    assert phases.resolve(service.db, game_id)


def test_a_move_is_taken_back_and_the_log_says_so(service: Service) -> None:
    game_id, persons = started(service, undo="own")
    person = service.in_turn(game_id, persons)
    before = person.get(f"/v1/games/{game_id}/position").json
    person.post(f"/v1/games/{game_id}/moves", {"orders": "take money"})
    key = {"Idempotency-Key": "oops", "If-Match": '"2"'}
    for replayed in (False, True):
        answer = person.post(f"/v1/games/{game_id}/undo", headers=key)
        assert (answer.status_code, answer.json["sequence"]) == (200, 3)
        assert ("Idempotent-Replayed" in answer.headers) == replayed
    after = person.get(f"/v1/games/{game_id}/position").json
    assert (after["table"], after["decisions"]) == (before["table"], before["decisions"])
    row = service.client.get(f"/v1/games/{game_id}/log?after=2").json["rows"][0]
    assert (row["phase"], row["events"][0]["to"]) == ("undo", 1)
    assert "takes back" in row["sentences"][0]
    stale = person.post(f"/v1/games/{game_id}/undo", headers={"If-Match": '"2"'})
    assert (stale.status_code, stale.json["sequence"]) == (412, 3)
    for at in range(4):
        assert person.get(f"/v1/games/{game_id}/board.txt?at={at}").status_code == 200


def test_a_game_says_whether_and_how_moves_are_taken_back(service: Service, running: Running) -> None:
    game_id, persons = running
    assert persons[0].get(f"/v1/games/{game_id}").json["undo"] == "never"
    assert persons[0].post(f"/v1/games/{game_id}/undo").status_code == 409
    assert opened(service, None, undo="sometimes").status_code == 422


def test_a_seat_changes_hands_and_its_secrets_with_it(service: Service) -> None:
    game_id, persons = started(service, 3, clock={"time": DAY, "late": {"cool_off": 0}})
    left, new = persons[1], service.sign_up()
    assert left.get(f"/v1/games/{game_id}/position").json["table"]["players"][1]["hand"] is not None
    gone = left.send("DELETE", f"/v1/games/{game_id}/seats/me").json
    assert (gone["seats"][1]["kind"], gone["seats"][1]["offered"]) == ("bot", True)
    assert [(one["seat"], one["player"], one["why"]) for one in gone["departures"]] == [(1, left.id, "left")]
    key = {"Idempotency-Key": "mine"}
    for _ in range(2):
        taken = new.post(f"/v1/games/{game_id}/substitute", {}, headers=key)
        assert (taken.status_code, taken.json["you"]) == (200, 1)
    assert taken.json["seats"][1]["name"] == new.name
    assert new.get(f"/v1/games/{game_id}/position").json["table"]["players"][1]["hand"] is not None
    assert left.get(f"/v1/games/{game_id}/position").json["table"]["players"][1]["hand"] is None
    assert left.get(f"/v1/games/{game_id}/options").status_code == 403
    assert left.post(f"/v1/games/{game_id}/return").status_code == 409


def test_who_left_returns_before_the_substitute_takes_over(service: Service) -> None:
    game_id, persons = started(service, 3, clock="daily")
    persons[1].send("DELETE", f"/v1/games/{game_id}/seats/me")
    new = service.sign_up()
    asked = new.post(f"/v1/games/{game_id}/substitute", {"seat": 1}).json["seats"][1]
    assert (asked["substitute"], asked["kind"]) == (new.id, "bot")
    assert moment(asked["takes_over_at"]) > wall_clock.now() + timedelta(hours=23)
    back = persons[1].post(f"/v1/games/{game_id}/return").json
    assert (back["you"], back["seats"][1]["kind"], back["seats"][1]["substitute"]) == (1, "player", None)
    wall_clock.shift(2 * DAY)
    seats.seat_substitutes(service.db)
    assert persons[1].get(f"/v1/games/{game_id}").json["you"] == 1


def test_the_host_offers_a_bots_seat_in_a_private_game_to_a_person(service: Service) -> None:
    game_id, (host,) = service.open_game(1, bots=1, private=True)
    friend = service.sign_up()
    assert friend.post(f"/v1/games/{game_id}/substitute").status_code == 404
    nobody = host.post(f"/v1/games/{game_id}/offer", {"seat": 1, "name": "nobody of this name"})
    assert nobody.status_code == 404
    assert host.post(f"/v1/games/{game_id}/offer", {"seat": 1, "name": friend.name}).json["seats"][1]["offered"]
    assert friend.post(f"/v1/games/{game_id}/substitute").json["you"] == 1


def test_the_host_hands_the_role_on_and_ends_the_game(service: Service, running: Running) -> None:
    game_id, (host, guest) = running
    assert host.post(f"/v1/games/{game_id}/host", {"player": service.sign_up().id}).status_code == 409
    assert host.post(f"/v1/games/{game_id}/host", {"player": guest.id}).json["host"] == guest.id
    assert host.post(f"/v1/games/{game_id}/end").status_code == 403
    key = {"Idempotency-Key": "enough"}
    for _ in range(2):
        over = guest.post(f"/v1/games/{game_id}/end", headers=key)
        assert (over.status_code, over.json["status"], over.json["ending"]) == (200, "over", "abandoned")


def test_the_record_of_who_sits_there_is_shown_and_may_be_demanded(service: Service, running: Running) -> None:
    _, persons = running
    seat = persons[0].get(f"/v1/games/{running[0]}").json["seats"][0]
    assert seat["record"] == {"answered": 1, "late": 0, "left": 0, "in_time": 100, "median": 0}
    host = service.sign_up()
    body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "open"}], "demands": {"turns": 1}}
    game = host.post("/v1/games", body).json["game"]
    assert game["demands"] == {"turns": 1}
    refused = service.sign_up().post(f"/v1/games/{game['id']}/seats", {})
    assert (refused.status_code, refused.json["type"]) == (409, "urn:waybill:problem:conflict")
    assert persons[1].post(f"/v1/games/{game['id']}/seats", {}).status_code == 201

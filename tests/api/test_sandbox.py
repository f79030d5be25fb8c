"""Games to try things out in, and copies of games that are over. test_forks has those of other games."""

import pytest

from referee import record
from referee.games import all_games, game_of
from service import bot_turns, moves, phases, positions, replays
from service.records import records, tally_all
from service.work import sweep
from tests.api.conftest import Person, Service
from tests.factories import play_some

SEED = "ab" * 32


def open_sandbox(service: Service, person: Person, **options: object) -> dict:
    seats = [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]
    body = {"ruleset": "airlines-europe", "seats": seats, "sandbox": True, "seed": SEED, **options}
    answer = person.post("/v1/games", body)
    assert answer.status_code == 201, answer.text
    return answer.json["game"]


def answer_for_bots(service: Service, game_id: str) -> None:
    """What workers would do after `advance`."""
    bot_turns.play(service.db, game_id)
    phases.resolve(service.db, game_id)
    bot_turns.play(service.db, game_id)


def test_the_same_seed_gives_the_same_game_and_nobody_else_sees_it(service: Service) -> None:
    person, stranger = service.sign_up(), service.sign_up()
    first, second = open_sandbox(service, person), open_sandbox(service, person)
    assert (first["sandbox"], first["private"]) == (True, True)
    views = [person.get(f"/v1/games/{game['id']}/position").json for game in (first, second)]
    assert views[0] == views[1]
    assert stranger.get(f"/v1/games/{first['id']}").status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"sandbox": False},
        {"seed": "ab"},
        {"seed": "AB" * 32},
        {"seed": 7},
        {"seed": "ab" * 32 + "\n"},
        {"seed": "a" * 63 + "\n"},
    ],
)
def test_a_seed_is_for_sandboxes_and_has_64_digits(wrong: dict, service: Service) -> None:
    seats = [{"kind": "me"}, {"kind": "bot"}]
    body = {"ruleset": "airlines-europe", "seats": seats, "sandbox": True, "seed": SEED, **wrong}
    answer = service.sign_up().post("/v1/games", body)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request")
    assert "seed" in str(answer.json["errors"])


def test_bots_answer_when_they_are_told(service: Service) -> None:
    person = service.sign_up()
    game_id = open_sandbox(service, person)["id"]
    default = person.get(f"/v1/games/{game_id}/options").json["default"]
    assert person.post(f"/v1/games/{game_id}/moves", {"moves": [default]}).status_code == 202
    assert person.get(f"/v1/games/{game_id}").json["to_act"] == [1, 2]
    assert game_id not in [work.game_id for work in sweep(service.db)]
    told = []
    service.app.extensions["enqueue_work"], before = told.append, service.app.extensions["enqueue_work"]
    try:
        assert person.post(f"/v1/games/{game_id}/advance", {"bots": False}).status_code == 200
        assert told == []
        assert person.post(f"/v1/games/{game_id}/advance", {}).status_code == 200
    finally:
        service.app.extensions["enqueue_work"] = before
    assert [(work.game_id, work.kind) for work in told] == [(game_id, "bot")]
    answer_for_bots(service, game_id)
    assert person.get(f"/v1/games/{game_id}").json["sequence"] > 0


def test_time_passes_at_the_hosts_word_and_counts_in_no_record(service: Service) -> None:
    person = service.sign_up()
    game_id = open_sandbox(service, person, clock=86400)["id"]
    due = person.get(f"/v1/games/{game_id}").json["due_at"]
    nearer = person.post(f"/v1/games/{game_id}/advance", {"seconds": 3600, "bots": False}).json
    assert nearer["sequence"] == 0
    assert nearer["due_at"] < due
    key = {"Idempotency-Key": "a-day-and-no-more"}
    body = {"seconds": 86400, "bots": False}
    passed = person.post(f"/v1/games/{game_id}/advance", body, headers=key).json
    assert passed["sequence"] == 1, "all were late, so the clock has chosen for them"
    again = person.post(f"/v1/games/{game_id}/advance", body, headers=key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json["sequence"] == 1
    rows = person.get(f"/v1/games/{game_id}/log?after=0").json["rows"]
    assert {order["by"] for row in rows for order in row["orders"]} == {"clock"}
    later = person.post(f"/v1/games/{game_id}/advance", {"seconds": 10 * 86400, "bots": False}).json
    assert later["sequence"] >= 10, "from deadline to deadline"
    play_some(service.db, game_id, later["sequence"] + 5)
    tally_all(service.db)
    with service.db.session() as session:
        counted = records(session, [person.id])[person.id]
    assert (counted.answered, counted.late, counted.left) == (0, 0, 0)


def test_time_passes_by_itself_elsewhere(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    answer = persons[0].post(f"/v1/games/{game_id}/advance", {"seconds": 60})
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:conflict")


@pytest.mark.parametrize("ruleset", all_games())
def test_a_copy_of_a_finished_game_goes_its_own_way(ruleset: str, service: Service) -> None:
    seats = all_games()[ruleset].seat_counts[0]
    game_id, _ = service.open_game(people=seats, ruleset=ruleset)
    last = play_some(service.db, game_id, 10_000)
    analyst = service.sign_up()
    before = service.client.get(f"/v1/games/{game_id}/record").data
    for row in sorted({0, last // 2, last - 1}):
        made = analyst.post(f"/v1/games/{game_id}/fork?at={row}")
        assert made.status_code == 201, made.text
        copy = made.json["id"]
        assert made.headers["Location"].endswith(copy)
        assert (made.json["sequence"], made.json["sandbox"], made.json["status"]) == (row, True, "running")
        position = service.client.get(f"/v1/games/{game_id}/position?at={row}").json
        mine = analyst.get(f"/v1/games/{copy}/position").json
        assert (mine["phase"], mine["row"]) == (position["phase"], row)
        assert mine["you"] == made.json["you"] == made.json["to_act"][0]
        play_some(service.db, copy, 10_000, seed=5)
        replays.rebuild(service.db, copy)
        loaded = record.load(analyst.get(f"/v1/games/{copy}/record").data)
        record.verify(game_of(loaded.header), loaded)
        assert service.client.get(f"/v1/games/{copy}").status_code == 404
    assert service.client.get(f"/v1/games/{game_id}/record").data == before


def test_the_same_moves_in_a_copy_give_the_same_game(service: Service) -> None:
    game_id, persons = service.open_game()
    last = play_some(service.db, game_id, 10_000, seed=3)
    copy = persons[1].post(f"/v1/games/{game_id}/fork?at=1").json
    assert copy["you"] == 1, "their own seat"
    other = persons[1].post(f"/v1/games/{game_id}/fork?at=1&seat=0").json
    assert other["you"] == 0
    positions.CACHE.forget(copy["id"])
    rows = service.client.get(f"/v1/games/{game_id}/log?limit=500&after=1").json["rows"]
    for row in rows[:10]:
        [order] = row["orders"]
        moves.submit(service.db, copy["id"], order["seat"], [order["move"]])
    same = persons[1].get(f"/v1/games/{copy['id']}/position").json["standings"]
    then = service.client.get(f"/v1/games/{game_id}/position?at=11").json["standings"]
    assert last > 11
    assert [one["seat"] for one in same] == [one["seat"] for one in then]
    hashes = [row["hash"] for row in persons[1].get(f"/v1/games/{copy['id']}/log?after=1").json["rows"]]
    assert hashes == [row["hash"] for row in rows[:10]]


def test_what_cannot_be_copied(service: Service, running: tuple[str, list[Person]]) -> None:
    game_id, persons = running
    last = play_some(service.db, game_id, 10_000)
    for row in (last, last + 1, 999_999):
        answer = persons[0].post(f"/v1/games/{game_id}/fork?at={row}")
        assert (answer.status_code, answer.json["type"]) == (404, "urn:waybill:problem:not-found")
    assert persons[0].post(f"/v1/games/{game_id}/fork?seat=5").status_code == 422
    key = {"Idempotency-Key": "one-copy"}
    made = [persons[0].post(f"/v1/games/{game_id}/fork?at=3", headers=key).json["id"] for _ in range(2)]
    assert made[0] == made[1]

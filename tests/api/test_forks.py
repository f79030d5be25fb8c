"""Copies of games that are not over: a sandbox made of what its player may know, and of nothing else."""

import random
import re
from typing import Any

import pytest

from referee import record
from referee.contract import canonical
from referee.games import all_games, game_of
from service import moves, phases, positions, replays
from service.bots import choose
from store.writing import SNAPSHOT_EVERY
from tests.api.conftest import Person, Service
from tests.api.test_sandbox import answer_for_bots
from tests.api.test_secrets import READS, put
from tests.factories import play_some

SEED = "cd" * 32
ROWS = SNAPSHOT_EVERY + 6
CHANNELS = [rule for rule in READS if "<game_id>" in rule and "?" not in rule]


def in_progress(service: Service, people: int = 2, **options: Any) -> tuple[str, list[Person]]:
    """A game that has ROWS rows and goes on: random players might have resigned by then."""
    game_id, persons = service.open_game(people, **options)
    while (table := positions.load(service.db, game_id)[0]).sequence < ROWS:
        if table.sealed_phase() and not table.missing():
            phases.resolve(service.db, game_id)
        else:
            seat = table.acting()[0]
            moves.submit(service.db, game_id, seat, [choose("steady", table, seat)[0]])
    return game_id, persons


def fork(who: Person, game_id: str, **query: Any) -> dict:
    answer = who.post(f"/v1/games/{game_id}/fork", query_string={"seed": SEED, **query})
    assert answer.status_code == 201, answer.text
    return answer.json


def shown(who: Person, service: Service, game_id: str, **query: Any) -> dict[str, bytes]:
    """All that a fork shows its player at every address when it is new, and then some rows later. That the whole games
    are the same to their ends is cheaper to see without a service: tests/referee/test_forks.py."""
    copy = fork(who, game_id, **query)["id"]
    found = {rule: answer_of(who, rule.replace("<game_id>", copy)) for rule in CHANNELS}
    play_some(service.db, copy, 8, seed=3)
    found |= {f"later {part}": who.get(f"/v1/games/{copy}/{part}").data for part in ("position", "options", "record")}
    times = rb'"(created|started|moved)_at": ?"[^"]*"'
    return {name: re.sub(times, b"", body.replace(copy.encode(), b"copy")) for name, body in found.items()}


def answer_of(who: Person, path: str) -> bytes:
    """On a busy machine a picture may not be drawn in time; what is drawn is kept for the next who asks."""
    for _ in range(10):
        answer = who.get(path)
        if answer.status_code != 503:
            break
    return answer.data


def other_world(table: Any, seat: int | None) -> str:
    return canonical(table.game.imagine(table.view(seat), random.Random(7))).decode()


@pytest.mark.parametrize("ruleset", all_games())
def test_two_worlds_that_a_viewer_cannot_tell_apart_give_the_same_fork(ruleset: str, service: Service) -> None:
    game_id, persons = in_progress(service, all_games()[ruleset].seat_counts[0], ruleset=ruleset)
    table, _ = positions.load(service.db, game_id)
    before = shown(persons[1], service, game_id)
    put(service, game_id, other_world(table, 1))
    assert shown(persons[1], service, game_id) == before


def test_a_fork_of_the_past_is_made_of_what_was_known_then(service: Service) -> None:
    game_id, persons = in_progress(service, 3)
    table, _ = positions.load(service.db, game_id)
    past = replays.at(service.db, game_id, table, SNAPSHOT_EVERY)
    for seat, who in ((0, persons[0]), (1, persons[1]), (None, service.sign_up())):
        before = shown(who, service, game_id, at=SNAPSHOT_EVERY)
        put(service, game_id, other_world(table, None))  # whatever has become of it since
        put_back_then(service, game_id, other_world(past, seat))
        try:
            assert shown(who, service, game_id, at=SNAPSHOT_EVERY) == before
        finally:
            put(service, game_id, table.position_json.decode())
            put_back_then(service, game_id, past.position_json.decode())


def put_back_then(service: Service, game_id: str, position: str) -> None:
    statement = "update snapshots set position = %s where game_id = %s and sequence = %s"
    with service.db.session() as session:
        session.run(statement, position, game_id, SNAPSHOT_EVERY)


def test_a_sealed_move_of_somebody_else_is_in_no_fork(service: Service) -> None:
    game_id, persons = service.open_game(people=3)
    forks = [shown(persons[0], service, game_id)]
    table, _ = positions.load(service.db, game_id)
    for move in list(table.offers(1)[0].moves())[:2]:
        answer = persons[1].post(
            f"/v1/games/{game_id}/moves", {"moves": [{"type": "choose", "shares": list(move.shares)}]}
        )
        assert answer.status_code == 202
        forks.append(shown(persons[0], service, game_id))
    assert forks[0] == forks[1] == forks[2]
    service.play_opening(game_id, persons[:1] + persons[2:])


@pytest.mark.parametrize("ruleset", all_games())
def test_a_fork_of_a_running_game_is_a_game_like_any_other(ruleset: str, service: Service) -> None:
    seats = all_games()[ruleset].seat_counts[0]
    game_id, persons = in_progress(service, seats, ruleset=ruleset, clock=86400)
    me = persons[-1]
    for at in (None, 7):
        made = me.post(f"/v1/games/{game_id}/fork", query_string={} if at is None else {"at": at})
        assert made.status_code == 201, made.text
        copy, row = made.json["id"], ROWS if at is None else at
        assert made.headers["Location"].endswith(copy)
        assert (made.json["sequence"], made.json["sandbox"], made.json["private"]) == (0, True, True)
        assert (made.json["you"], made.json["clock"], made.json["due_at"]) == (seats - 1, None, None)
        assert made.json["title"].endswith(f", after row {row}")
        known = me.get(f"/v1/games/{game_id}/position", query_string={"at": row}).json
        mine = me.get(f"/v1/games/{copy}/position").json
        assert (mine["table"], mine["phase"]) == (known["table"], known["phase"])
        [event] = me.get(f"/v1/games/{copy}/log").json["rows"][0]["events"]
        assert event == {"type": "forked", "game": game_id, "row": row, "seat": seats - 1, "position": None}
        play_some(service.db, copy, 10_000, seed=5)
        replays.rebuild(service.db, copy)
        loaded = record.load(me.get(f"/v1/games/{copy}/record").data)
        record.verify(game_of(loaded.header), loaded)
        assert len(me.get(f"/v1/games/{copy}/scores?limit=100").json["scores"]) == min(100, len(loaded.entries))
        assert service.client.get(f"/v1/games/{copy}").status_code == 404
    assert me.get(f"/v1/games/{game_id}").json["sequence"] == ROWS


def test_bots_answer_in_a_fork_and_its_player_takes_back(service: Service) -> None:
    game_id, persons = service.open_game(people=2)
    copy = fork(persons[0], game_id, bot="random")["id"]
    assert [seat["name"] for seat in persons[0].get(f"/v1/games/{copy}").json["seats"]] == [persons[0].name, "random 2"]
    default = persons[0].get(f"/v1/games/{copy}/options").json["default"]
    assert persons[0].post(f"/v1/games/{copy}/moves", {"moves": [default]}).status_code == 202
    answer_for_bots(service, copy)
    while persons[0].get(f"/v1/games/{copy}").json["to_act"] != [0]:
        answer_for_bots(service, copy)
    row = persons[0].get(f"/v1/games/{copy}").json["sequence"]
    assert persons[0].post(f"/v1/games/{copy}/moves", {"orders": "take money"}).status_code == 201
    back = persons[0].post(f"/v1/games/{copy}/undo", {"to": row})
    assert back.status_code == 200, back.text
    play_some(service.db, copy, 10_000)
    replays.rebuild(service.db, copy)


def test_whose_seat_it_was_knows_no_more_than_everybody(service: Service) -> None:
    game_id, persons = in_progress(service, 3)
    assert persons[1].send("DELETE", f"/v1/games/{game_id}/seats/me").status_code in (200, 204)
    forks = [(who, fork(who, game_id, at=7, seat=1)["id"]) for who in (persons[1], service.sign_up())]
    rows = [who.get(f"/v1/games/{copy}/log").json["rows"] for who, copy in forks]
    assert rows[0] == rows[1], "hashes, and so the whole positions, are those of a stranger"
    assert rows[0][0]["events"][0]["seat"] is None


def test_a_game_that_ended_without_a_result_and_one_that_is_paused_are_forked_too(service: Service) -> None:
    for word in ("pause", "end"):
        game_id, persons = in_progress(service)
        assert persons[0].post(f"/v1/games/{game_id}/{word}").status_code == 200
        copy = fork(persons[0], game_id, at=3)["id"]
        hands = [one["hand"] for one in persons[0].get(f"/v1/games/{copy}/position").json["table"]["players"]]
        assert [hand is None for hand in hands] == [False, True]


def test_a_fork_of_a_fork(service: Service) -> None:
    game_id, persons = in_progress(service)
    first = fork(persons[0], game_id)["id"]
    play_some(service.db, first, 4)
    second = fork(persons[0], first, at=2, seat=1)
    assert (second["you"], second["sequence"]) == (1, 0)
    play_some(service.db, first, 10_000)
    exact = persons[0].post(f"/v1/games/{first}/fork?at=3").json
    assert exact["sequence"] == 3
    play_some(service.db, exact["id"], 10_000, seed=9)
    replays.rebuild(service.db, exact["id"])


def test_what_cannot_be_forked_and_how(service: Service) -> None:
    person = service.sign_up()
    seats = [{"kind": "me"}, {"kind": "open"}]
    opened = person.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"]
    answer = person.post(f"/v1/games/{opened}/fork")
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:wrong-status")
    game_id, persons = in_progress(service, private=True)
    assert person.post(f"/v1/games/{game_id}/fork").status_code == 404
    assert persons[0].post(f"/v1/games/{game_id}/fork?at={ROWS + 1}").status_code == 404
    for wrong in ("seat=2", "seat=9", "at=-1", "bot=nobody", "seed=ab", f"seed={'a' * 63}%0A", f"seed={'AB' * 32}"):
        answer = persons[0].post(f"/v1/games/{game_id}/fork?{wrong}")
        assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request"), wrong
        assert wrong.partition("=")[0] in str(answer.json["errors"])
    key = {"Idempotency-Key": "one-fork"}
    made = [persons[0].post(f"/v1/games/{game_id}/fork?at=3", headers=key).json["id"] for _ in range(2)]
    assert made[0] == made[1]
    play_some(service.db, game_id, 10_000)
    answer = persons[0].post(f"/v1/games/{game_id}/fork?at=3&seed={SEED}")
    assert (answer.status_code, answer.json["field"]) == (422, "seed")

"""Two worlds that a viewer cannot tell apart give the same bytes at every address."""

import random
import re

import pytest

from referee.contract import canonical
from referee.games import all_games
from service import games, positions
from service.positions import CACHE
from tests.api.conftest import Person, Service
from tests.api.test_access import ENDPOINTS
from tests.factories import play_some

READS = [rule for method, rule in ENDPOINTS if method == "GET" and "<game_id>" in rule]
READS += ["/v1/games", "/v1/me/export", "/v1/notices"]
READS.remove("/v1/games/<game_id>/board.png")  # made of board.svg and nothing else, and slow
PARTS = all_games()["airlines-europe"].parts
READS += [f"/v1/games/<game_id>/board.txt?part={part}" for part in ("full", *PARTS)]
READS += [f"/v1/games/<game_id>/board.svg?part={part}" for part in PARTS]
READS.append("/v1/games/<game_id>/board.svg?part=map&look=centre")


def seen(who: Person | None, service: Service, game_id: str, seat: int | None) -> dict[str, bytes]:
    """What someone gets at every address of a game, and with two kinds of wrong move."""
    ask = who.get if who else service.client.get
    found = {}
    for rule in READS:
        answer = ask(rule.replace("<game_id>", game_id))
        headers = {name: value for name, value in answer.headers if name in ("ETag", "Cache-Control", "Link")}
        found[rule] = repr((answer.status_code, headers)).encode() + answer.data
    if who:
        for orders in ("take money", "play red", "choose black", "xyzzy"):
            answer = who.post(f"/v1/games/{game_id}/moves?dry_run=1", {"orders": orders})
            found[orders] = answer.data
            found[f"after {orders}"] = who.post(f"/v1/games/{game_id}/options", {"orders": orders}).data
    return {name: re.sub(rb'"(moved|due)_at": ?"[^"]*"', b"", body) for name, body in found.items()}


@pytest.mark.parametrize("rows", [0, 1, 25, 60])
def test_what_a_viewer_cannot_know_changes_nothing_they_get(rows: int, service: Service) -> None:
    game_id, persons = service.open_game(people=3)
    play_some(service.db, game_id, rows, seed=rows)
    table, _ = positions.load(service.db, game_id)
    rng = random.Random(rows)
    for seat in (0, 1, 2, None):
        who = None if seat is None else persons[seat]
        before = seen(who, service, game_id, seat)
        other = canonical(table.game.imagine(table.view(seat), rng)).decode()
        assert other.encode() != table.position_json
        put(service, game_id, other)
        assert seen(who, service, game_id, seat) == before
        put(service, game_id, table.position_json.decode())


def put(service: Service, game_id: str, position: str) -> None:
    """Another world: the same game with other secrets."""
    with service.db.session() as session:
        session.run("update games set position = %s where id = %s", position, game_id)
    CACHE.forget(game_id)


def test_a_sealed_move_tells_others_only_that_it_is_there(service: Service) -> None:
    worlds = []
    game_id, persons = service.open_game(people=3)
    for choice in (0, 1):
        table, _ = positions.load(service.db, game_id)
        offers = list(table.offers(1)[0].moves())
        move = {"type": "choose", "shares": offers[choice].shares}
        answer = persons[1].post(f"/v1/games/{game_id}/moves", {"moves": [move]})
        assert answer.status_code == 202
        worlds.append((seen(persons[0], service, game_id, 0), seen(None, service, game_id, None)))
    assert worlds[0] == worlds[1]
    assert persons[0].get(f"/v1/games/{game_id}/position").json["sealed"] == [1]


def test_the_log_of_a_running_game_hides_what_others_drew(service: Service) -> None:
    game_id, persons = service.open_game()
    service.play_opening(game_id, persons)
    for orders in ("buy london-paris for grey\ntake pile", "buy london-paris for red\ntake pile"):
        person = service.in_turn(game_id, persons)
        assert person.post(f"/v1/games/{game_id}/moves", {"orders": orders}).status_code == 201
    for person in persons:
        hand = person.get(f"/v1/games/{game_id}/position").json["table"]["players"][persons.index(person)]["hand"]
        order = f"trade {next(iter(hand))} from hand"
        assert person.post(f"/v1/games/{game_id}/moves", {"orders": order}).status_code == 201
    rows = persons[0].get(f"/v1/games/{game_id}/log?limit=500").json["rows"]
    drawn = [event for row in rows for event in row["events"] if event["type"] == "drew_share"]
    assert [event["share"] is None for event in sorted(drawn, key=lambda one: one["seat"])] == [False, True]
    traded = [order for row in rows for order in row["orders"] if order["move"]["type"] == "trade"]
    assert [order["move"]["hand"] is None for order in traded] == [False, True]
    assert not any(row for row in rows if "draws" in row or "salt" in row)


def test_the_seed_is_nowhere_before_the_end(service: Service) -> None:
    game_id, persons = service.open_game()
    play_some(service.db, game_id, 20)
    with service.db.session() as session:
        seed = bytes(session.value("select seed from games where id = %s", game_id)).hex().encode()
    assert all(seed not in body for body in seen(persons[0], service, game_id, 0).values())
    play_some(service.db, game_id, 10_000)
    assert seed in persons[0].get(f"/v1/games/{game_id}/record").data


def test_a_game_that_was_ended_by_its_host_keeps_its_secrets(service: Service) -> None:
    game_id, (person, _) = service.open_game()
    play_some(service.db, game_id, 20)
    with service.db.transaction() as transaction:
        games.end(transaction, game_id)
    CACHE.forget(game_id)
    options = person.get(f"/v1/games/{game_id}/options").json
    assert (options["decisions"], options["offers"], options["default"]) == ([], [], None)
    players = service.client.get(f"/v1/games/{game_id}/position").json["table"]["players"]
    assert all(one["hand"] is None for one in players)

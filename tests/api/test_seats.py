"""A seat that changes hands: from that moment on nobody else acts or sees by it, in whatever process they ask."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from app import create_app
from runtime.config import Config
from service import bot_turns, moves, positions, seats
from service.errors import NoSeat
from service.positions import PositionCache
from tests.api.conftest import Person, Service


class Elsewhere:
    """Another process of the API, with what it remembers."""

    def __init__(self, config: Config) -> None:
        self.app = create_app(config.replace(requests_per_minute=10**9, log_level="error"))
        self.memory = PositionCache()

    @contextmanager
    def of(self, person: Person) -> Iterator[Person]:
        ours, positions.CACHE = positions.CACHE, self.memory
        try:
            yield Person(self.app.test_client(), person.name, person.token, person.id)
        finally:
            positions.CACHE = ours


@pytest.fixture(scope="module")
def elsewhere(config: Config) -> Elsewhere:
    return Elsewhere(config)


def no_seat(answer: Any) -> bool:
    return (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:no-seat")


def test_who_has_left_neither_moves_nor_sees_in_another_process(service: Service, running, elsewhere: Elsewhere):
    game_id, persons = running
    path, mover = f"/v1/games/{game_id}", service.in_turn(*running)
    with elsewhere.of(mover) as there:
        default = there.get(f"{path}/options").json["default"]
        assert there.get(f"{path}/position").json["you"] == persons.index(mover)
    assert mover.send("DELETE", f"{path}/seats/me").status_code == 200
    with elsewhere.of(mover) as there:
        assert no_seat(there.post(f"{path}/moves", {"moves": [default]}))
        assert no_seat(there.post(f"{path}/moves?dry_run=1", {"moves": [default]}))
        assert no_seat(there.get(f"{path}/options"))
        assert there.get(f"{path}/position").json["you"] is None
    assert positions.load(service.db, game_id)[0].sequence == 1

    assert mover.post(f"{path}/return").status_code == 200
    with elsewhere.of(mover) as there:
        assert there.post(f"{path}/moves", {"moves": [default]}).status_code == 201


def test_who_has_left_seals_nothing_in_another_process(service: Service, elsewhere: Elsewhere):
    game_id, persons = service.open_game(3)
    path, leaver = f"/v1/games/{game_id}", persons[1]
    with elsewhere.of(leaver) as there:
        default = there.get(f"{path}/options").json["default"]
        assert there.post(f"{path}/moves", {"moves": [default]}).status_code == 202
    assert leaver.send("DELETE", f"{path}/seats/me").status_code == 200
    before = positions.load(service.db, game_id)[0].sealed
    with elsewhere.of(leaver) as there:
        assert no_seat(there.post(f"{path}/moves", {"moves": [default]}))
    assert positions.load(service.db, game_id)[0].sealed == before


def test_a_bot_does_not_play_for_whoever_has_just_returned(service: Service, running, monkeypatch):
    game_id, _ = running
    mover = service.in_turn(*running)
    mover.send("DELETE", f"/v1/games/{game_id}/seats/me")
    load = bot_turns.load

    def load_and_return(db: Any, game_id: str) -> Any:
        found = load(db, game_id)
        monkeypatch.setattr(bot_turns, "load", load)
        assert mover.post(f"/v1/games/{game_id}/return").status_code == 200
        return found

    monkeypatch.setattr(bot_turns, "load", load_and_return)
    bot_turns.play(service.db, game_id)
    assert positions.load(service.db, game_id)[0].sequence == 1


def test_a_seat_that_changes_hands_while_a_move_is_written_is_found_by_the_write(service: Service, running):
    """The process knows who sat there a moment ago; nobody has asked the database in between."""
    game_id, persons = running
    mover = service.in_turn(*running)
    seat, table = persons.index(mover), positions.load(service.db, game_id)[0]
    known = positions.CACHE.get(game_id)
    with service.db.transaction() as transaction:
        seats.leave(transaction, game_id, mover.id)
    positions.CACHE.put(game_id, known)
    with pytest.raises(NoSeat):
        moves.submit(service.db, game_id, seat, [table.default(seat)], holder=mover.id)
    assert positions.load(service.db, game_id)[0].sequence == 1

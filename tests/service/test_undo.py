"""Taking back, as the policy of the game has it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from referee import record
from referee.games import game_of
from runtime import wall_clock
from service import moves, phases, positions, replays, undo
from service.errors import Conflict, Stale
from service.idempotency import IdempotencyKey
from store.database import Database
from tests.factories import make_game, play_some

MONEY = "take money"  # in Airlines Europe it ends the turn and shows nothing new
BUY = "buy london-paris for grey"  # goes on with taking a share


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    yield
    wall_clock.shift(0)


def started(db: Database, policy: str, people: int = 2, **options: Any) -> tuple[str, list]:
    game_id, players = make_game(db, people=people, undo=policy, **options)
    play_some(db, game_id, 1)
    return game_id, players


def in_turn(db: Database, game_id: str) -> int:
    return positions.load(db, game_id)[0].acting()[0]


def kinds(db: Database, game_id: str) -> list[str]:
    with db.session() as session:
        found = session.rows("select kind from outbox where game_id = %s order by id", game_id)
    return [kind for (kind,) in found if kind not in ("moved", "sealed", "joined")]


def test_nothing_is_taken_back_where_the_game_says_never(db: Database) -> None:
    game_id, players = started(db, "never")
    seat = in_turn(db, game_id)
    moves.submit(db, game_id, seat, [BUY])
    with pytest.raises(Conflict, match="nothing is taken back"):
        undo.undo(db, game_id, players[seat].id)


def test_a_player_takes_back_alone_while_nothing_has_come_of_it(db: Database) -> None:
    game_id, players = started(db, "own")
    seat, before = in_turn(db, game_id), positions.load(db, game_id)[0]
    moves.submit(db, game_id, seat, [MONEY])
    assert undo.undo(db, game_id, players[seat].id).made.is_done
    table, _ = positions.load(db, game_id)
    assert (table.position_json, table.sequence) == (before.position_json, before.sequence + 2)
    assert kinds(db, game_id) == ["undone"]
    moves.submit(db, game_id, seat, [BUY])
    assert replays.rebuild(db, game_id).sequence == before.sequence + 3


def test_what_somebody_else_has_answered_to_is_not_taken_back_alone(db: Database) -> None:
    game_id, players = started(db, "own")
    seat = in_turn(db, game_id)
    moves.submit(db, game_id, seat, [MONEY])
    moves.submit(db, game_id, 1 - seat, [MONEY])
    for to in (None, 1):
        with pytest.raises(Conflict, match="until somebody else has acted"):
            undo.undo(db, game_id, players[seat].id, to)


def test_what_has_shown_something_new_is_not_taken_back_alone(db: Database) -> None:
    game_id, players = started(db, "own")
    seat = in_turn(db, game_id)
    moves.submit(db, game_id, seat, [BUY])
    moves.submit(db, game_id, seat, ["take pile"])  # a card from the top of the pile
    with pytest.raises(Conflict, match="Row 3 has shown something new"):
        undo.undo(db, game_id, players[seat].id)
    with pytest.raises(Conflict, match="Row 3 has shown something new"):
        undo.undo(db, game_id, players[seat].id, 1)


def test_what_was_revealed_is_not_taken_back_alone(db: Database) -> None:
    game_id, players = started(db, "own")
    with pytest.raises(Conflict, match="Only your own last moves"):
        undo.undo(db, game_id, players[0].id)


def test_taking_back_alone_gains_no_time_and_is_not_without_end(db: Database) -> None:
    game_id, players = started(db, "own", clock={"time": 8 * 3600})
    seat = in_turn(db, game_id)
    with db.session() as session:
        due = session.value("select due_at from games where id = %s", game_id)
    wall_clock.shift(2 * 3600)
    for _ in range(undo.ALONE):
        moves.submit(db, game_id, seat, [MONEY])
        undo.undo(db, game_id, players[seat].id)
        with db.session() as session:
            again = session.value("select due_at from games where id = %s", game_id)
        assert abs(again - due) < timedelta(seconds=5)
    moves.submit(db, game_id, seat, [MONEY])
    with pytest.raises(Conflict, match="that is enough"):
        undo.undo(db, game_id, players[seat].id)


def test_with_consent_the_game_goes_back_when_the_last_one_agrees(db: Database) -> None:
    game_id, players = started(db, "consent", people=3)
    play_some(db, game_id, 9)
    table, _ = positions.load(db, game_id)
    wanted = replays.at(db, game_id, table, 4).position_json
    assert not undo.undo(db, game_id, players[1].id, 4).made.is_done
    assert not undo.undo(db, game_id, players[0].id, 4).made.is_done
    assert positions.load(db, game_id)[0].sequence == table.sequence
    assert undo.undo(db, game_id, players[2].id).made.is_done  # to what was asked for
    after, _ = positions.load(db, game_id)
    assert (after.position_json, after.sequence) == (wanted, table.sequence + 1)
    entry = replays.entries(db, game_id, table.sequence)[0]
    assert record.undone(entry.row).seat == 1
    assert kinds(db, game_id) == ["undo_asked", "undo_asked", "undone"]


def test_consent_is_for_one_row_and_void_when_the_game_goes_on(db: Database) -> None:
    game_id, players = started(db, "consent")
    play_some(db, game_id, 5)
    undo.undo(db, game_id, players[0].id, 2)
    assert not undo.undo(db, game_id, players[1].id, 3).made.is_done
    assert undo.undo(db, game_id, players[0].id, 3).made.is_done
    play_some(db, game_id, 9)
    undo.undo(db, game_id, players[0].id, 4)
    play_some(db, game_id, 10)
    assert not undo.undo(db, game_id, players[1].id, 4).made.is_done
    assert not undo.undo(db, game_id, players[0].id, agree=False).made.is_done
    assert not undo.undo(db, game_id, players[0].id, 4).made.is_done


def test_every_row_of_a_game_with_undos_can_be_looked_at_and_its_record_verified(db: Database) -> None:
    game_id, players = started(db, "consent", people=2)
    known = {}
    for step in range(12):
        play_some(db, game_id, positions.load(db, game_id)[0].sequence + 3, seed=step)
        table, status = positions.load(db, game_id)
        known[table.sequence] = table.position_json
        if status == "running" and step % 3 == 2 and not table.sealed:
            for player in players:
                undo.undo(db, game_id, player.id, table.sequence - 2)
            table, _ = positions.load(db, game_id)
            known[table.sequence] = table.position_json
    for row, position in known.items():
        assert replays.at(db, game_id, table, row).position_json == position
    assert replays.rebuild(db, game_id)
    play_some(db, game_id, 10_000)
    made = replays.record_of(db, game_id)
    assert any(entry.row.is_undo for entry in made.entries)
    assert record.verify(game_of(made.header), record.load(record.export(made))).is_over


def test_sealed_orders_that_wait_are_not_taken_back(db: Database) -> None:
    game_id, players = make_game(db, people=2, undo="consent")
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, 0, [table.default(0)])
    with pytest.raises(Conflict, match="can go back to the rows 0 to -1"):
        undo.undo(db, game_id, players[0].id)


def test_an_undo_is_done_once_under_a_key_and_not_on_another_row(db: Database) -> None:
    game_id, players = started(db, "own")
    seat = in_turn(db, game_id)
    moves.submit(db, game_id, seat, [MONEY])
    with pytest.raises(Stale):
        undo.undo(db, game_id, players[seat].id, expected=1)
    key = IdempotencyKey("player:1", game_id, "undo")
    first = undo.undo(db, game_id, players[seat].id, expected=2, key=key)
    again = undo.undo(db, game_id, players[seat].id, expected=2, key=key)
    assert (first.is_repeated, again.is_repeated, again.made.is_done) == (False, True, True)
    assert positions.load(db, game_id)[0].sequence == 3


def test_after_an_undo_the_clock_asks_whom_it_asked_then(db: Database) -> None:
    game_id, players = started(db, "own", clock=3600)
    seat = in_turn(db, game_id)
    moves.submit(db, game_id, seat, [MONEY])
    undo.undo(db, game_id, players[seat].id)
    wall_clock.shift(3601)
    assert phases.time_out(db, game_id)
    assert replays.entries(db, game_id, 3)[0].row.orders[0].seat == seat

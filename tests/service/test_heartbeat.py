"""Nobody is late by an outage, nor because somebody has set the clock."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime import wall_clock
from runtime.post import LocalBox
from service import heartbeat, moves, notices, phases, positions, standing
from service.channels import Channels
from service.heartbeat import Beat, shift_between
from service.mail_out import MailChannel
from store import heartbeat as store
from store.database import Database
from tests.factories import make_game
from tests.waiting import wait_until

HOUR = timedelta(hours=1)
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _beating(db: Database) -> Iterator[None]:
    """The service is up, and has been there until now."""
    heartbeat.beat(db, 2)
    yield
    wall_clock.shift(0)
    with db.session() as session:
        session.run("delete from heartbeat")


def away(db: Database, seconds: float) -> None:
    """As if nobody had been there for so long: the last sign of life is older, on the clock and in truth."""
    with db.session() as session:
        session.run(
            "update heartbeat set beat_at = beat_at - %s * interval '1 second', monotonic = monotonic - %s",
            seconds,
            seconds,
        )


def asked(db: Database, game_id: str, ago: timedelta, left: timedelta) -> datetime:
    """The game has waited for so long, and has so much time left: its deadline."""
    due = wall_clock.now() + left
    with db.session() as session:
        session.run(
            "update games set asked_at = %s, due_at = %s, wake_at = %s where id = %s",
            wall_clock.now() - ago,
            due,
            due,
            game_id,
        )
    return due


def due_at(db: Database, game_id: str) -> datetime:
    with db.session() as session:
        due, wake = session.row("select due_at, wake_at from games where id = %s", game_id)
    assert due == wake
    return due


def test_deadlines_that_were_running_move_by_an_outage(db: Database) -> None:
    game_id, _ = make_game(db, clock=24 * 3600)
    due = asked(db, game_id, 5 * HOUR, 3 * HOUR)
    away(db, 2 * 3600)
    assert heartbeat.beat(db, 2) > 2 * HOUR - timedelta(seconds=1)
    assert abs(due_at(db, game_id) - due - 2 * HOUR) < timedelta(seconds=10)
    assert heartbeat.beat(db, 2) == timedelta(0)  # two sweeps at once: the second finds nothing


def test_a_deadline_that_fell_into_an_outage_strikes_nobody(db: Database) -> None:
    game_id, _ = make_game(db, clock=24 * 3600)
    asked(db, game_id, 23 * HOUR, -HOUR)
    away(db, 2 * 3600)
    heartbeat.beat(db, 2)
    assert due_at(db, game_id) > wall_clock.now() + HOUR * 0.9
    assert phases.time_out(db, game_id) is None
    assert positions.load(db, game_id)[0].sequence == 0


def test_who_was_asked_during_an_outage_loses_nothing_and_gains_no_more(db: Database) -> None:
    game_id, _ = make_game(db, clock=24 * 3600)
    due = asked(db, game_id, HOUR, 23 * HOUR)
    away(db, 10 * 3600)
    heartbeat.beat(db, 2)
    assert abs(due_at(db, game_id) - due - HOUR) < timedelta(seconds=10)


def test_after_an_outage_not_all_deadlines_strike_together(db: Database) -> None:
    games = [make_game(db, clock=24 * 3600)[0] for _ in range(12)]
    for game_id in games:
        asked(db, game_id, 24 * HOUR, -2 * HOUR + timedelta(seconds=5))
    away(db, 2 * 3600)
    heartbeat.beat(db, 2)
    ends = sorted(due_at(db, game_id) for game_id in games)
    assert ends[0] > wall_clock.now() + timedelta(minutes=14)
    assert ends[-1] - ends[0] > timedelta(minutes=1)


def test_an_outage_is_told_to_the_players_of_every_game_that_waited(db: Database) -> None:
    game_id, _ = make_game(db, clock=24 * 3600)
    away(db, 2 * 3600)
    heartbeat.beat(db, 2)
    with db.session() as session:
        kinds = session.rows("select kind, detail from outbox where game_id = %s order by id", game_id)
        outage = session.row("select extract(epoch from shift)::int, games > 0 from outages order by id desc limit 1")
    kind, detail = kinds[-1]
    assert kind == "deadline_moved"
    assert '"why":"outage"' in detail
    assert outage is not None
    assert (outage[0] // 100, outage[1]) == (72, True)


@pytest.mark.parametrize("hours", [3, -3])
def test_a_clock_that_jumps_makes_nobody_late_and_gives_nobody_more(db: Database, hours: int) -> None:
    game_id, _ = make_game(db, clock=24 * 3600)
    due = asked(db, game_id, 5 * HOUR, HOUR)
    wall_clock.shift(hours * 3600)
    assert phases.time_out(db, game_id, sweeps=2) is None  # a task that is on its way does nothing
    heartbeat.beat(db, 2)
    assert abs(due_at(db, game_id) - due - hours * HOUR) < timedelta(seconds=10)
    assert phases.time_out(db, game_id) is None


def test_a_clock_that_jumps_opens_no_envelope_too_early(db: Database) -> None:
    game_id, players = make_game(db, clock=24 * 3600)
    with db.transaction() as transaction:
        phases.set_wait(transaction, game_id, players[0].id, wait=True)
    for seat in range(2):
        table, _ = positions.load(db, game_id)
        moves.submit(db, game_id, seat, [table.default(seat)])
    wall_clock.shift(25 * 3600)
    assert phases.resolve(db, game_id, sweeps=2) is None
    heartbeat.beat(db, 2)
    assert phases.resolve(db, game_id, sweeps=2) is None
    wall_clock.shift(49 * 3600 + 60)
    with db.session() as session:  # a day of sweeps
        session.run("update heartbeat set beat_at = %s", wall_clock.now())
    assert phases.resolve(db, game_id, sweeps=2)


@pytest.mark.parametrize("seconds", [0, 60], ids=["while it was there", "while it was away"])
def test_a_clock_that_is_set_back_puts_no_letter_off(db: Database, seconds: int) -> None:
    game_id, at_table = make_game(db)
    with db.session() as session:
        session.run("update players set email = 'a@example.org' where id = %s", at_table[0].id)
    notices.pass_on(db, Channels(MailChannel(db, LocalBox(Path("nowhere")), "waybill.test")), seconds=60)
    due = "select d.due_at from deliveries d join notices n on n.id = d.notice_id where n.game_id = %s"
    with db.session() as session:
        before = session.value(due + " and d.channel = 'mail'", game_id)
    away(db, seconds)
    wall_clock.shift(-5 * 3600)
    heartbeat.beat(db, 2)
    with db.session() as session:
        after = session.value(due + " and d.channel = 'mail'", game_id)
    assert abs(after - before + 5 * HOUR) < timedelta(seconds=10)


def test_a_game_without_a_deadline_is_looked_at_after_the_clock_was_set_back(db: Database) -> None:
    game_id, _ = make_game(db, people=1, bots=1)
    wall_clock.shift(-5 * 3600)
    heartbeat.beat(db, 2)
    with db.session() as session:
        assert session.value("select wake_at from games where id = %s", game_id) <= wall_clock.now()


@pytest.mark.parametrize("hours", [5, -5])
def test_envelopes_without_a_deadline_are_opened_after_their_cool_off_whatever_the_clock_is_set_to(
    db: Database, hours: int
) -> None:
    game_id, _ = make_game(db, clock={"cool_off": 600})
    for seat in range(2):
        table, _ = positions.load(db, game_id)
        moves.submit(db, game_id, seat, [table.default(seat)])
    wall_clock.shift(hours * 3600)
    heartbeat.beat(db, 2)
    assert phases.resolve(db, game_id, sweeps=2) is None
    wall_clock.shift(hours * 3600 + 601)
    with db.session() as session:  # ten minutes of sweeps
        session.run("update heartbeat set beat_at = %s", wall_clock.now())
    assert phases.resolve(db, game_id, sweeps=2)


def test_envelope_closed_after_the_clock_was_set_back_has_its_whole_cool_off(db: Database) -> None:
    game_id, _ = make_game(db, clock={"cool_off": 600})
    wall_clock.shift(-5 * 3600)
    for seat in range(2):
        table, _ = positions.load(db, game_id)
        moves.submit(db, game_id, seat, [table.default(seat)])
    heartbeat.beat(db, 2)
    assert phases.resolve(db, game_id, sweeps=2) is None


@pytest.mark.parametrize("clock", [None, 24 * 3600])
def test_a_clock_that_is_set_back_puts_no_standing_order_off(db: Database, clock: int | None) -> None:
    game_id, players = make_game(db, clock=clock)
    standing.put(db, game_id, 0, players[0].id, "always: default")
    wall_clock.shift(-5 * 3600)
    heartbeat.beat(db, 2)
    with db.session() as session:
        wake_at, work = session.row(
            "select wake_at, first_work(to_act, bots, reveal_at, standing_at, %s) from games where id = %s",
            wall_clock.now(),
            game_id,
        )
    assert wake_at <= wall_clock.now() + timedelta(seconds=5)
    assert work == "standing"


def test_who_is_asked_after_the_clock_was_set_back_has_just_their_time(db: Database) -> None:
    wall_clock.shift(-3 * 3600)
    game_id, _ = make_game(db, clock=24 * 3600)
    heartbeat.beat(db, 2)
    left = due_at(db, game_id) - wall_clock.now()
    assert timedelta(seconds=24 * 3600 - 30) < left <= 24 * HOUR


def test_who_is_asked_while_the_heartbeat_looks_for_games_keeps_their_time(db: Database) -> None:
    """Found by ./waybill chaos: the move came after the heartbeat had read the time, and before it saw the game."""
    game_id, _ = make_game(db, clock=60)
    due = asked(db, game_id, -timedelta(seconds=0.1), timedelta(seconds=8))
    with db.transaction() as transaction:
        store.move_deadlines(transaction, wall_clock.now(), -2 * HOUR, timedelta(seconds=1), timedelta(0))
    assert due_at(db, game_id) == due


def test_who_waits_while_the_clock_is_set_back_acts_by_the_new_one(db: Database) -> None:
    """A task has begun by the old clock, and waits until the heartbeat has moved the deadline."""
    wall_clock.shift(5 * 3600)
    heartbeat.beat(db, 2)
    game_id, _ = make_game(db, clock=24 * 3600)
    done: list[object] = []
    task = threading.Thread(target=lambda: done.append(phases.time_out(db, game_id, sweeps=2)))
    with db.transaction() as transaction:
        transaction.run("select from games where id = %s for update", game_id)
        task.start()
        waiting = "select exists(select from pg_locks where not granted)"
        wait_until(lambda: transaction.value(waiting), what="the task's wait")
        wall_clock.shift(0)
        due = wall_clock.now() + HOUR
        transaction.run("update games set due_at = %s, wake_at = %s where id = %s", due, due, game_id)
        transaction.run("update heartbeat set beat_at = %s", wall_clock.now())
    task.join(30)
    assert done == [None]


def test_a_few_sweeps_missed_are_no_outage(db: Database) -> None:
    away(db, 9)
    assert heartbeat.beat(db, 2) == timedelta(0)


@given(st.floats(0, 10**6), st.floats(-(10**6), 10**6))
def test_what_was_left_is_left_however_long_nobody_was_there(passed: float, jump: float) -> None:
    last = Beat(NOON, 1000.0, "a machine")
    here = Beat(NOON + timedelta(seconds=passed + jump), 1000.0 + passed, "a machine")
    shift = shift_between(last, here, 10).total_seconds()
    change = (here.beat_at - last.beat_at).total_seconds() - shift  # by which the time left has become less
    assert -10.001 <= change <= 10.001 + 10


@given(st.floats(-(10**6), 10**6))
def test_two_machines_whose_clocks_differ_do_not_push_deadlines_away(difference: float) -> None:
    one, other = Beat(NOON, 5.0, "one"), Beat(NOON + timedelta(seconds=difference), 7.0, "other")
    there = shift_between(one, other, 10)
    assert there + shift_between(other, one, 10) == timedelta(0)


def test_the_first_sign_of_life_ever_moves_nothing(db: Database) -> None:
    with db.session() as session:
        session.run("delete from heartbeat")
    assert heartbeat.beat(db, 2) == timedelta(0)
    with db.session() as session:
        assert store.read(session) is not None

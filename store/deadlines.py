"""Deadlines of games: stopping them, moving them, and what has come due. Moves set them themselves, in `writing`."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from store.database import Session
from store.games import Work


def pause(transaction: Session, game_id: str, remaining: timedelta | None) -> None:
    """Stops the clock; what is left of it is kept."""
    transaction.run(
        "update games set status = 'paused', remaining = %s, due_at = null, alarm_at = null, wake_at = null"
        " where id = %s",
        remaining,
        game_id,
    )


def remaining(session: Session, game_id: str) -> timedelta | None:
    """What was left of the clock of a paused game."""
    left: timedelta | None = session.value("select remaining from games where id = %s", game_id)
    return left


def resume(transaction: Session, game_id: str) -> None:
    """A paused game is running again; its deadline is still to be set."""
    transaction.run("update games set status = 'running', remaining = null where id = %s", game_id)


def set_deadline(
    transaction: Session,
    game_id: str,
    now: datetime,
    asked_at: datetime | None,
    due: datetime | None,
    alarm: datetime | None,
    told: int = 0,
) -> None:
    """Puts the deadline of a running game elsewhere. A sealed phase that is complete is opened at once, unless somebody
    wants to wait."""
    transaction.run(
        "update games set asked_at = %s, due_at = %s, alarm_at = %s, told = %s, terms = terms + 1,"
        " reveal_at = case when to_act = '{}' and waits <> '{}' then %s else least(reveal_at, %s) end where id = %s",
        asked_at,
        due,
        alarm,
        told,
        due,
        due,
        game_id,
    )
    set_wake(transaction, game_id, now)


def set_absences(transaction: Session, game_id: str, absences: str) -> None:
    transaction.run("update games set absences = %s, terms = terms + 1 where id = %s", absences, game_id)


def waits(session: Session, game_id: str) -> list[int]:
    found: list[int] = session.value("select waits from games where id = %s", game_id)
    return found


def set_waits(
    transaction: Session, game_id: str, now: datetime, waits: Sequence[int], reveal_at: datetime | None
) -> None:
    """Which seats want their sealed orders opened at the deadline, and when those that are all there are opened."""
    transaction.run(
        "update games set waits = %s::smallint[],"
        " reveal_at = case when to_act = '{}' then %s::timestamptz end where id = %s",
        list(waits),
        reveal_at,
        game_id,
    )
    set_wake(transaction, game_id, now)


def set_alarm(transaction: Session, game_id: str, now: datetime, told: int, alarm: datetime | None) -> None:
    """Notes which reminders were given, and when the clock has something to do next."""
    transaction.run("update games set told = %s, alarm_at = %s where id = %s", told, alarm, game_id)
    set_wake(transaction, game_id, now)


def set_wake(transaction: Session, game_id: str, now: datetime) -> None:
    """Has a worker look when there is something to do in a running game."""
    transaction.run(
        "update games set wake_at = least(standing_wake(standing_at, standing_pause),"
        " next_wake(to_act, bots, reveal_at, coalesce(alarm_at, due_at), %s))"
        " where id = %s and status = 'running'",
        now,
        game_id,
    )


def move_on(transaction: Session, game_id: str, by: timedelta) -> None:
    """So much time passes in a game: what was in so long is now."""
    transaction.run(
        "update games set asked_at = later(asked_at, %s), due_at = later(due_at, %s), alarm_at = later(alarm_at, %s),"
        " reveal_at = later(reveal_at, %s), terms = terms + 1 where id = %s",
        -by,
        -by,
        -by,
        -by,
        game_id,
    )


def due_work(transaction: Session, now: datetime, lease: int, limit: int) -> list[Work]:
    """What the queue has lost and what has come due. For the length of the lease, in seconds, nobody else gets it."""
    return transaction.all(
        Work,
        "select game_id, sequence, kind from lease_due(%s, %s, %s)",
        now,
        now + timedelta(seconds=lease),
        limit,
    )


def pending_work(session: Session, game_id: str, now: datetime) -> Work | None:
    """What a worker has to do in a game at once."""
    return session.one(
        Work,
        "select id, sequence, first_work(to_act, bots, reveal_at, standing_at, %s) from games"
        " where id = %s and status = 'running' and first_work(to_act, bots, reveal_at, standing_at, %s) <> ''",
        now,
        game_id,
        now,
    )

"""Absences: a player says from when until when they are away. Their clock stands still then, and all can see it."""

from datetime import datetime, timedelta

from referee.contract import canonical
from runtime.wall_clock import now
from service.consent import seat_of
from service.deadlines import Absence, deadline, read_absences, timing_of
from service.errors import Invalid
from service.games import GameRow, hold, tell
from store import deadlines, positions
from store.database import Session

MOST_AWAY = timedelta(days=28)  # of a player in one game, all absences together
MOST_ABSENCES = 8  # of a player in one game
FARTHEST = timedelta(days=366)  # that one can see ahead


def announce(transaction: Session, game_id: str, player_id: int, begin: datetime, until: datetime) -> None:
    """Announces an absence. A deadline of theirs that runs already moves, and everybody is told so."""
    game, moment = hold(transaction, game_id, "running", "paused"), now()
    seat = seat_of(transaction, game_id, player_id)
    begin = max(begin, moment)
    if until <= begin:
        raise Invalid("until", "An absence ends after it begins, and after this moment.")
    if until - moment > FARTHEST:
        raise Invalid("until", f"An absence ends within {FARTHEST.days} days from now.")
    row = positions.read(transaction, game_id)
    assert row is not None
    before = read_absences(row.absences)
    mine = [absence for absence in before if absence.seat == seat]
    if len(mine) >= MOST_ABSENCES:
        raise Invalid("from", f"You have announced {MOST_ABSENCES} absences in this game; more are not possible.")
    away = sum((absence.until - absence.begin for absence in mine), until - begin)
    if away > MOST_AWAY:
        raise Invalid(
            "until", f"You can be away for {MOST_AWAY.days} days of one game; this would make it {away.days}."
        )
    deadlines.set_absences(transaction, game_id, canonical([*before, Absence(seat, begin, until)]).decode())
    tell(transaction, game, "absence", seat, **{"from": begin.isoformat(), "until": until.isoformat()})
    if game.status == "running" and seat in game.to_act:
        _move_deadline(transaction, game, seat, moment)


def _move_deadline(transaction: Session, game: GameRow, seat: int, moment: datetime) -> None:
    """What was left of the time is left, less the absence; it never becomes less than it was."""
    row = positions.read(transaction, game.id)
    assert row is not None
    timing = timing_of(row)
    if timing.clock is None or row.due_at is None or row.asked_at is None or row.due_at <= moment:
        return
    left = timing.clock.run(moment, row.due_at, timing.away(seat)[:-1])
    found = deadline(timing, [seat], moment, left)
    if found.due is None or found.due <= row.due_at:
        return
    alarm = found.alarm(timing.clock, row.told)
    deadlines.set_deadline(transaction, game.id, moment, row.asked_at, found.due, alarm, row.told)
    tell(transaction, game, "deadline_moved", due_at=found.due.isoformat(), why="absence")

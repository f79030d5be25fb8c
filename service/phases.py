"""What ends a phase without a player's move: the reveal of sealed moves, and a deadline."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from referee.contract import canonical
from referee.log import Entry
from runtime.wall_clock import now
from service import heartbeat
from service.deadlines import TOLD, Timing, reminders, settled, times_after
from service.errors import Conflict, WrongStatus
from service.late import move_for, note_late
from service.positions import Held, lock, remember
from service.standing import ForTheLate
from service.work import Work, work_after
from store import deadlines, games, outbox, positions, sandbox, turns
from store.database import Database, Session
from store.writing import append


class Done(msgspec.Struct, frozen=True):
    """A phase was ended; `work` is what a worker has to do next, if anything."""

    work: Work | None


class Written(msgspec.Struct, frozen=True):
    """What is to be cached, and done, after the commit."""

    held: Held
    timing: Timing
    done: Done


def resolve(db: Database, game_id: str, sequence: int | None = None, sweeps: float | None = None) -> Done | None:
    """Reveals a complete sealed phase; `sequence` is the number that its row will have.

    With `sweeps`, how often there is one, in seconds, nothing is done by a clock that cannot be trusted now.

    None if that has been done already, if a move is missing, or if it is too early. The game is locked from the first
    look on, so a move that is replaced at the last moment counts or comes too late, but is never lost.
    """
    with db.transaction() as transaction:
        held = lock(transaction, game_id)
        moment = now()  # not before: see `time_out_in`
        if held is None or (sequence is not None and held.table.sequence + 1 != sequence):
            return None
        if held.table.sealed_phase() is None or held.table.missing():
            return None
        if held.reveal_at is not None and not _is_steady(transaction, sweeps):
            return None
        if held.reveal_at is not None and held.reveal_at > moment:
            deadlines.set_wake(transaction, game_id, moment)  # the sweep has put it off for its lease
            return None
        expected, head = held.table.sequence, held.table.head
        written = _write(transaction, game_id, held, expected, head, (held.table.reveal(),), moment)
    return _committed(game_id, written)


def time_out(db: Database, game_id: str, sweeps: float | None = None) -> Done | None:
    """What the clock asks for: reminders, and the move of whoever has let the deadline pass; None if nobody has.

    `sweeps` as for `resolve`.
    """
    with db.transaction() as transaction:
        written = time_out_in(transaction, game_id, sweeps)
    return _committed(game_id, written) if written else None


def time_out_in(transaction: Session, game_id: str, sweeps: float | None = None) -> Written | None:
    """The same for whoever has a transaction."""
    held = lock(transaction, game_id)
    moment = now()  # not before: who waits for the heartbeat to move deadlines back has the time of the old clock
    if held is None or not _is_steady(transaction, sweeps):
        return None
    if held.due_at is None or held.timing.clock is None:
        deadlines.set_wake(transaction, game_id, moment)  # there is no deadline to come back for
        return None
    if moment < held.timing.clock.strikes(held.due_at):
        _remind(transaction, game_id, held, held.due_at, moment)
        return None
    return _strike(transaction, game_id, held, moment)


def _is_steady(session: Session, sweeps: float | None) -> bool:
    return sweeps is None or heartbeat.is_steady(session, sweeps)


def set_wait(transaction: Session, game_id: str, player_id: int, wait: bool) -> None:
    """A player wants the sealed orders opened at the deadline and no sooner, or has changed their mind."""
    moment = now()
    held = lock(transaction, game_id)
    if held is None:
        raise WrongStatus("The game is not running.")
    seat = games.seat_of(transaction, game_id, player_id)
    phase = held.table.sealed_phase()
    if seat is None or phase is None or seat not in phase.seats(held.table.position):
        raise Conflict("There are no sealed orders of yours that the reveal could wait for.")
    if held.due_at is None:
        raise Conflict("This phase has no deadline that the reveal could wait for.")
    before = deadlines.waits(transaction, game_id)
    waits = sorted({*before, seat}) if wait else [other for other in before if other != seat]
    deadlines.set_waits(transaction, game_id, moment, waits, held.due_at if waits else None)


def _remind(transaction: Session, game_id: str, held: Held, due: datetime, moment: datetime) -> None:
    """Each reminder once; of two that have come due together the later one alone."""
    clock = held.timing.clock
    assert clock is not None
    seats = [seat for seat in held.table.acting() if seat not in held.bots]
    ahead = reminders(held.timing, held.table.acting(), due)
    reached = [which for which, at in ahead.items() if at <= moment and TOLD[which] > held.told]
    told = max([held.told, *(TOLD[which] for which in reached)])
    if reached and moment < due:
        which = max(reached, key=TOLD.__getitem__)
        detail = canonical({"due_at": due.isoformat(), "which": which}).decode()
        for seat in seats:
            outbox.add(transaction, game_id, "reminder", held.table.sequence, seat, detail)
    later = [at for which, at in ahead.items() if TOLD[which] > told]
    deadlines.set_alarm(transaction, game_id, moment, told, min(later) if later else clock.strikes(due))


def _strike(transaction: Session, game_id: str, held: Held, moment: datetime) -> Written:
    """Plays for the late: in a sealed phase for all of them, else for one, who is asked first."""
    table, clock = held.table, held.timing.clock
    assert clock is not None
    late = list(table.missing()) if table.sealed_phase() else [min(table.awaited())]
    expected, head = table.sequence, table.head
    standing = ForTheLate(transaction, game_id, held, moment)
    entries = table.time_out(lambda now_table, seat: move_for(now_table, seat, clock.late, standing))
    standing.keep(transaction, game_id)
    written = _write(transaction, game_id, held, expected, head, entries, moment, late)
    if not sandbox.is_sandbox(transaction, game_id):
        note_late(transaction, game_id, held, [seat for seat in late if seat not in held.bots], expected + 1, moment)
    return written


def _write(
    transaction: Session,
    game_id: str,
    held: Held,
    expected: int,
    head: str,
    entries: Sequence[Entry],
    moment: datetime,
    late: Sequence[int] = (),
) -> Written:
    timing, table = held.timing, held.table
    bank = None
    if entries[-1].row.is_reveal:
        turns.add_sealed_answers(transaction, game_id)
    if timing.bank:
        answered = positions.sealed_at(transaction, game_id) | dict.fromkeys(late, moment)
        bank = settled(timing, answered)
    verdict = append(transaction, game_id, expected, head, entries, table, times_after(timing, table, moment, bank))
    assert verdict.kind == "done", "the game is held"
    timing = msgspec.structs.replace(timing, asked_at=moment, bank=timing.bank if bank is None else bank)
    return Written(held, timing, Done(work_after(game_id, table, verdict)))


def _committed(game_id: str, written: Written) -> Done:
    remember(game_id, written.held.table, written.timing, written.held.people, written.held.table.acting())
    return written.done

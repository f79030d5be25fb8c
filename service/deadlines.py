"""Deadlines: what a move means for the clock of its game. `service.clocks` says when, this says for whom."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Protocol

import msgspec

from referee.table import Table
from service.clocks import REMINDERS, Clock, Interval, Reminder, plain
from store.writing import Times

TOLD: dict[Reminder, int] = {"half": 1, "last": 2}  # as the database counts what was told


class Absence(msgspec.Struct, frozen=True, rename={"begin": "from"}):
    """A player is away, and has said so: from, until."""

    seat: int
    begin: datetime
    until: datetime


class Timing(msgspec.Struct, frozen=True):
    """What the clock of a game needs to know, as of one row of its log and of these `terms`."""

    clock: Clock | None = None
    is_plain: bool = True  # seconds for each decision, and nothing else
    terms: int = 0
    asked_at: datetime | None = None
    bank: tuple[int, ...] = ()  # by seat; empty without one
    absences: tuple[Absence, ...] = ()

    def away(self, seat: int) -> list[Interval]:
        return [(absence.begin, absence.until) for absence in self.absences if absence.seat == seat]

    def bank_of(self, seat: int) -> int:
        return self.bank[seat] if self.bank else 0


class TimingRow(Protocol):
    """Any row of the store that tells the timing of its game."""

    @property
    def clock(self) -> int | None: ...
    @property
    def timing(self) -> str | None: ...
    @property
    def terms(self) -> int: ...
    @property
    def asked_at(self) -> datetime | None: ...
    @property
    def bank(self) -> list[int] | None: ...
    @property
    def absences(self) -> str: ...


def timing_of(row: TimingRow) -> Timing:
    return Timing(
        stored_clock(row.clock, row.timing),
        row.timing is None,
        row.terms,
        row.asked_at,
        tuple(row.bank or ()),
        read_absences(row.absences),
    )


@lru_cache(maxsize=1024)
def stored_clock(seconds: int | None, timing: str | None) -> Clock | None:
    """The clock of a game as it is stored."""
    if timing is not None:
        return msgspec.json.decode(timing, type=Clock)
    return None if seconds is None else plain(seconds)


def read_absences(text: str) -> tuple[Absence, ...]:
    return () if text == "[]" else msgspec.json.decode(text, type=tuple[Absence, ...])


class Deadline(msgspec.Struct, frozen=True):
    """Until when some seats have time: so many seconds on the clock, for someone who is away in these times."""

    due: datetime | None = None
    asked_at: datetime | None = None
    seconds: float = 0.0
    away: Sequence[Interval] = ()

    def alarm(self, clock: Clock, told: int = 0) -> datetime | None:
        """When the clock has something to do next: a reminder that was not given, or the end of grace."""
        if self.due is None or self.asked_at is None:
            return None
        for which in REMINDERS:
            if TOLD[which] > told:
                moment = clock.reminder(which, self.asked_at, self.seconds, self.away)
                if moment is not None:
                    return moment
        return clock.strikes(self.due)


def deadline(timing: Timing, seats: Iterable[int], asked_at: datetime, seconds: float | None = None) -> Deadline:
    """The deadline of seats that are asked together: whoever has most time, by bank or absence, sets it for all.

    With `seconds` these are left, whatever the clock gives.
    """
    clock = timing.clock
    best = Deadline()
    if clock is None or clock.time is None:
        return best
    if not timing.absences:  # then whoever has most in the bank has most time
        seats = sorted(seats, key=timing.bank_of)[-1:]
    for seat in seats:
        away = timing.away(seat) if timing.absences else ()
        mine = clock.time + timing.bank_of(seat) if seconds is None else seconds
        due = clock.after(asked_at, mine, away)
        if best.due is None or due > best.due:
            best = Deadline(due, asked_at, mine, away)
    return best


def reminders(timing: Timing, seats: Iterable[int], due: datetime) -> dict[Reminder, datetime]:
    """When some seats are to be reminded of a deadline that is set."""
    clock, asked_at = timing.clock, timing.asked_at
    if clock is None or asked_at is None:
        return {}
    return next((clock.reminders(asked_at, due, timing.away(seat)) for seat in seats), {})


def left(timing: Timing, seats: Iterable[int], due: datetime | None, now: datetime) -> timedelta | None:
    """How long the clock has still to run until a deadline, if there is one."""
    clock = timing.clock
    if clock is None or due is None:
        return None
    return timedelta(seconds=max([clock.run(now, due, timing.away(seat)) for seat in seats if due > now], default=0.0))


def times_after(timing: Timing, table: Table, now: datetime, bank: tuple[int, ...] | None = None) -> Times:
    """What the clock makes of a move after which the table is so."""
    clock, to_act = timing.clock, table.acting()
    if clock is None or clock.time is None or table.is_over:
        return Times(now, to_act, terms=timing.terms, bank=_list(bank))
    if timing.is_plain and not timing.absences:
        return Times(now, to_act, now + timedelta(seconds=clock.time), terms=timing.terms)
    if bank is not None:
        timing = msgspec.structs.replace(timing, bank=bank)
    found = deadline(timing, to_act, now)
    alarm = found.alarm(clock)
    return Times(now, to_act, found.due, None if alarm == found.due else alarm, _list(bank), timing.terms)


def _list(bank: tuple[int, ...] | None) -> list[int] | None:
    return None if bank is None else list(bank)


def banks_after(timing: Timing, to_act: Sequence[int], seat: int, moment: datetime) -> tuple[int, ...] | None:
    """The banks after a move of one seat; None where they are as they were: mostly nobody has used theirs. What is done
    beside the turn leaves them."""
    clock, asked_at = timing.clock, timing.asked_at
    if clock is None or asked_at is None or seat not in to_act:
        return None
    left = clock.bank_after(timing.bank[seat], asked_at, moment, timing.away(seat))
    return None if left == timing.bank[seat] else (*timing.bank[:seat], left, *timing.bank[seat + 1 :])


def settled(timing: Timing, answered: Mapping[int, datetime]) -> tuple[int, ...] | None:
    """The banks after some have answered, each at its moment; None where there are none."""
    clock, asked_at = timing.clock, timing.asked_at
    if clock is None or not timing.bank or asked_at is None:
        return None
    return tuple(
        clock.bank_after(bank, asked_at, answered[seat], timing.away(seat)) if seat in answered else bank
        for seat, bank in enumerate(timing.bank)
    )

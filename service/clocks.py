"""Clocks: when a decision is due. Pure: what is worked out here depends on nothing but what is given.

The time of a clock runs on some days and hours of a zone. `Clock.due` walks along it; everything else is made of that.
Times in between are instants: in which zone they are told makes no difference.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHORTEST_TIME, LONGEST_TIME = MINUTE, 60 * DAY
LATEST = timedelta(days=400)  # that a decision may be due after it was asked, weekends and nights included
SHORTEST_OPEN = HOUR  # of the hours on which a clock runs
REMINDED_FROM = HOUR  # who has less time than this is at the table anyway
LAST_REMINDER, LONGEST_LAST_REMINDER = 8, 12 * HOUR  # an eighth of the time before its end, at most twelve hours

Interval = tuple[datetime, datetime]
Reminder = Literal["half", "last"]
REMINDERS: tuple[Reminder, ...] = ("half", "last")  # in their order
FOREVER = datetime.max.replace(tzinfo=UTC)

# By days, hours, zone and a time on the clock: for whoever is asked from one moment until another, how much later it is
# up.
MOST_KNOWN = 1024
_known: dict[tuple[object, ...], tuple[datetime, datetime, timedelta]] = {}


class ClockError(ValueError):
    """A clock that cannot be; `field` is the part of it to change."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to who lets a deadline pass."""

    remind: bool = True  # at half time, and before the end
    play: Literal["default", "bot"] = "default"  # in their place, once grace is over
    hand_over_after: int | None = 3  # late turns in a row; then a bot has the seat. None: never
    substitute: bool = True  # the seat is offered to whoever wants to play on
    cool_off: int = DAY  # seconds in which the one who left may return although a substitute has come


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a decision may take. All lengths are in seconds."""

    time: int | None = None  # for a decision; in a sealed phase, for all who are asked in it
    bank: int = 0  # beside it, for each player and the whole game
    increment: int = 0  # that is put into the bank after each decision
    days: tuple[str, ...] = DAYS
    hours: tuple[str, str] | None = None  # from, until: "09:00", "22:00"; None: all of the day
    zone: str = "UTC"
    grace: int = 0  # after the deadline
    cool_off: int = 0  # after the last sealed order, in which it may still be changed
    late: Late = Late()
    name: str = ""  # of the preset that it is made from

    @property
    def runs_always(self) -> bool:
        return self.hours is None and len(self.days) == len(DAYS)

    def due(self, asked_at: datetime, bank: int = 0, absences: Iterable[Interval] = ()) -> datetime | None:
        """When a decision is due that is asked now; None without a deadline."""
        return None if self.time is None else self.after(asked_at, self.time + bank, absences)

    def after(self, start: datetime, seconds: float, absences: Iterable[Interval] = ()) -> datetime:
        """The moment at which the clock has run so long, since `start`, for someone who is away in these times."""
        left = timedelta(seconds=seconds)
        if not absences and self.runs_always:  # what most clocks are: a move has three of these to work out
            return start.astimezone(UTC) + left
        if not absences:
            return self._after(start.astimezone(UTC), left)
        for opens, closes in self._runs(start.astimezone(UTC), merged(absences)):
            if left <= closes - opens:
                return opens + left
            left -= closes - opens
        raise AssertionError("a clock runs on for ever")

    def _after(self, start: datetime, left: timedelta) -> datetime:
        """For all who are asked in one stretch and are due in another it is as much later. Moves come in crowds, and to
        walk along a calendar took a hundredth of one."""
        key = self.days, self.hours, self.zone, left
        since, until, later = _known.get(key, (FOREVER, FOREVER, left))
        if since <= start < until:
            return start + later
        first: Interval | None = None
        for opens, closes in self._opens(start):
            first = first or (opens, closes)
            if left <= closes - opens:
                due = opens + left
                break
            left -= closes - opens
        assert first is not None, "a clock runs on for ever"
        if first[0] == start:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            _known[key] = start, min(first[1], start + (closes - due)), due - start
        return due

    def run(self, start: datetime, end: datetime, absences: Iterable[Interval] = ()) -> float:
        """How many seconds the clock has run from one moment to another."""
        total = timedelta(0)
        if not absences and self.runs_always:
            return max(total, end - start).total_seconds()
        for opens, closes in self._runs(start.astimezone(UTC), merged(absences)):
            if opens >= end:
                break
            total += min(closes, end) - opens
        return total.total_seconds()

    def reminders(
        self, asked_at: datetime, due: datetime, absences: Sequence[Interval] = ()
    ) -> dict[Reminder, datetime]:
        """When who has time from one moment until another is reminded: at half time, and before the end."""
        total = self.run(asked_at, due, absences) if self.late.remind else 0.0
        moments = {which: self.reminder(which, asked_at, total, absences) for which in REMINDERS}
        return {which: moment for which, moment in moments.items() if moment is not None}

    def reminder(
        self, which: Reminder, asked_at: datetime, seconds: float, absences: Sequence[Interval] = ()
    ) -> datetime | None:
        """The same for one reminder, and so many seconds on the clock; None if there is none."""
        if not self.late.remind or seconds < REMINDED_FROM:
            return None
        if which == "half":
            return self.after(asked_at, seconds / 2, absences)
        before = min(seconds / LAST_REMINDER, LONGEST_LAST_REMINDER)
        return self.after(asked_at, seconds - before, absences)

    def strikes(self, due: datetime) -> datetime:
        """When grace is over."""
        return due + timedelta(seconds=self.grace)

    def bank_after(
        self, bank: int, asked_at: datetime, answered_at: datetime, absences: Iterable[Interval] = ()
    ) -> int:
        """What is left in the bank of someone who has answered: what they took beyond the time is gone."""
        if self.time is None:
            return bank
        beyond = max(0.0, self.run(asked_at, answered_at, absences) - self.time)
        return max(0, bank - int(beyond)) + self.increment

    def _runs(self, start: datetime, absences: Sequence[Interval]) -> Iterator[Interval]:
        """The stretches on which the clock runs, from a moment on."""
        if not absences:
            return self._opens(start)
        return (rest for stretch in self._opens(start) for rest in without(stretch, absences))

    def _opens(self, start: datetime) -> Iterator[Interval]:
        if self.runs_always:
            yield start, FOREVER
            return
        week = start.astimezone(zone_of(self.zone)).toordinal() // 7
        for number in itertools.count(week):
            for opens, closes in _week(number, self.days, self.hours, self.zone):
                if closes > start:
                    yield (opens if opens > start else start), closes


@lru_cache(maxsize=8192)
def _week(number: int, days: tuple[str, ...], hours: tuple[str, str] | None, zone: str) -> tuple[Interval, ...]:
    """The stretches of a week, from Sunday to Saturday. On a day on which the clocks are put back the night is longer,
    and so is the stretch.

    Kept, for moves ask for the same two weeks again and again, and an instant of a zone takes long to work out.
    """
    first, last = hours or ("00:00", "24:00")
    its_days = [date.fromordinal(number * 7 + day) for day in range(7)]
    stretches = [
        (_instant(day, first, zone_of(zone)), _instant(day, last, zone_of(zone)))
        for day in its_days
        if DAYS[day.weekday()] in days
    ]
    return tuple(stretch for stretch in stretches if stretch[0] < stretch[1])


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same times in order, without overlaps."""
    found: list[Interval] = []
    for begin, end in sorted((begin.astimezone(UTC), end.astimezone(UTC)) for begin, end in intervals):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found


def without(stretch: Interval, absences: Sequence[Interval]) -> Iterator[Interval]:
    """What is left of a stretch."""
    begin, end = stretch
    for away, back in absences:
        if back <= begin or away >= end:
            continue
        if away > begin:
            yield begin, away
        begin = back
    if begin < end:
        yield begin, end


def _instant(day: date, text: str, zone: ZoneInfo) -> datetime:
    if text == "24:00":
        return datetime.combine(day + timedelta(days=1), time(0), zone).astimezone(UTC)
    return datetime.combine(day, time.fromisoformat(text), zone).astimezone(UTC)


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ClockError("zone", f"There is no zone {name!r}; zones are called as in Europe/Vienna or UTC.") from None


WEEKDAYS = DAYS[:5]
PRESETS = {
    "live": Clock(time=3 * MINUTE, bank=30 * MINUTE, late=Late(hand_over_after=2, cool_off=0), name="live"),
    "daily": Clock(time=DAY, days=WEEKDAYS, grace=2 * HOUR, name="daily"),
    "relaxed": Clock(time=3 * DAY, grace=6 * HOUR, name="relaxed"),
    "weekly": Clock(time=7 * DAY, grace=12 * HOUR, name="weekly"),
    "none": Clock(late=Late(remind=False, hand_over_after=None), name="none"),
}


def clock_of(data: int | str | dict[str, Any] | None) -> Clock | None:
    """A clock as it was asked for: seconds alone, the name of a preset, or its parts, perhaps on top of a preset's.

    A number means what it always meant: then the referee plays the default, and nothing else happens.
    """
    match data:
        case None:
            return None
        case str():
            return _checked(_preset(data))
        case int():
            return plain(data)
    parts = dict(data)
    base = msgspec.to_builtins(_preset(parts.pop("preset"))) if "preset" in parts else {}
    if "late" in parts:
        parts["late"] = {**base.get("late", {}), **(parts["late"] or {})}
    return _checked(_converted({**base, **parts}))


def plain(seconds: int) -> Clock:
    return Clock(time=seconds, late=Late(remind=False, hand_over_after=None, substitute=True))


def _preset(name: str) -> Clock:
    if name not in PRESETS:
        raise ClockError("", f"There is no clock of the name {name!r}; there are: {', '.join(PRESETS)}.")
    return PRESETS[name]


def _converted(parts: dict[str, Any]) -> Clock:
    try:
        return msgspec.convert(parts, Clock)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        raise ClockError(place.rstrip("`"), f"{message}.") from None


def _checked(clock: Clock) -> Clock:
    """A clock by which every decision is due some day."""
    for field, least, most in (
        ("time", SHORTEST_TIME, LONGEST_TIME),
        ("bank", 0, LONGEST_TIME),
        ("increment", 0, DAY),
        ("grace", 0, 7 * DAY),
        ("cool_off", 0, 7 * DAY),
    ):
        value = getattr(clock, field)
        if value is not None and not least <= value <= most:
            raise ClockError(field, f"The {field} of a clock is from {least} to {most} seconds, not {value}.")
    if clock.late.hand_over_after is not None and not 1 <= clock.late.hand_over_after <= 100:
        raise ClockError("late.hand_over_after", "A seat is handed over after 1 to 100 late turns in a row, or never.")
    if not 0 <= clock.late.cool_off <= 30 * DAY:
        raise ClockError("late.cool_off", "Who left may return for at most 30 days after a substitute has come.")
    if clock.time is None and (clock.bank or clock.increment or clock.grace):
        raise ClockError("time", "Without a time there is no deadline, and nothing for a bank or grace to add to.")
    if not clock.days or len(set(clock.days)) < len(clock.days) or not set(clock.days) <= set(DAYS):
        raise ClockError("days", f"The days of a clock are some of {', '.join(DAYS)}, each once.")
    _check_hours(clock)
    zone_of(clock.zone)
    monday = datetime(2026, 1, 5, tzinfo=UTC)
    if clock.time is not None and clock.after(monday, clock.time + clock.bank) - monday > LATEST:
        raise ClockError("time", f"On these days and hours so much time takes more than {LATEST.days} days.")
    return clock


def _check_hours(clock: Clock) -> None:
    if clock.hours is None:
        return
    try:
        first, last = (24 * HOUR if text == "24:00" else _seconds(text) for text in clock.hours)
    except ValueError:
        raise ClockError("hours", 'The hours of a clock are from and until, as in ["09:00", "22:00"].') from None
    if last - first < SHORTEST_OPEN:
        raise ClockError("hours", "The hours of a clock end an hour after they begin at least, on the same day.")


def _seconds(text: str) -> int:
    if len(text) != 5:
        raise ValueError(text)
    moment = time.fromisoformat(text)
    return moment.hour * HOUR + moment.minute * MINUTE

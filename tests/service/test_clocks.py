"""When a decision is due: never sooner than the time that was given, whatever calendars and clocks do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

import service.clocks
from schemas.clocks import NAMES
from service.clocks import DAY, DAYS, HOUR, MINUTE, PRESETS, Clock, ClockError, Late, clock_of, plain

ZONES = ("UTC", "Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia")
VIENNA = ZoneInfo("Europe/Vienna")

moments = st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))
lengths = st.integers(MINUTE, 10 * DAY)
hours = st.none() | st.tuples(st.integers(0, 22), st.integers(1, 24)).filter(lambda pair: pair[0] < pair[1]).map(
    lambda pair: (f"{pair[0]:02}:00", f"{pair[1]:02}:00")
)
clocks = st.builds(
    Clock,
    time=lengths,
    bank=st.integers(0, DAY),
    increment=st.integers(0, HOUR),
    days=st.sets(st.sampled_from(DAYS), min_size=1).map(lambda some: tuple(day for day in DAYS if day in some)),
    hours=hours,
    zone=st.sampled_from(ZONES),
)
absences = st.lists(
    st.tuples(moments, st.integers(1, 20 * DAY)).map(lambda pair: (pair[0], pair[0] + timedelta(seconds=pair[1]))),
    max_size=3,
)


def due(clock: Clock, asked_at: datetime, **more: object) -> datetime:
    found = clock.due(asked_at, **more)
    assert found is not None
    return found


@given(clocks, moments, absences)
def test_nothing_is_due_before_the_time_given_has_passed(clock: Clock, asked_at: datetime, away: list) -> None:
    assert due(clock, asked_at, absences=away) >= asked_at + timedelta(seconds=clock.time)


@given(clocks, moments, st.integers(0, 5 * DAY), absences)
def test_who_is_asked_later_is_due_no_sooner(clock: Clock, asked_at: datetime, later: int, away: list) -> None:
    after = asked_at + timedelta(seconds=later)
    assert due(clock, after, absences=away) >= due(clock, asked_at, absences=away)
    assert due(clock, asked_at, bank=later, absences=away) >= due(clock, asked_at, absences=away)


@given(clocks, moments, st.integers(0, 3 * DAY))
def test_what_is_known_of_a_stretch_holds_for_all_who_are_asked_in_it(
    clock: Clock, asked_at: datetime, later: int
) -> None:
    service.clocks._known.clear()
    due(clock, asked_at)
    told = due(clock, asked_at + timedelta(seconds=later))
    service.clocks._known.clear()
    assert told == due(clock, asked_at + timedelta(seconds=later))


@given(clocks, moments, absences, absences)
def test_an_absence_shortens_nobodys_time(clock: Clock, asked_at: datetime, some: list, more: list) -> None:
    assert due(clock, asked_at, absences=[*some, *more]) >= due(clock, asked_at, absences=some)


@given(clocks, moments, absences, st.sampled_from(ZONES))
def test_the_same_instant_is_due_in_whatever_zone_it_is_asked(
    clock: Clock, asked_at: datetime, away: list, zone: str
) -> None:
    elsewhere = ZoneInfo(zone)
    told = [(begin.astimezone(elsewhere), end.astimezone(elsewhere)) for begin, end in away]
    assert due(clock, asked_at.astimezone(elsewhere), absences=told) == due(clock, asked_at, absences=away)


@given(clocks, moments, absences)
def test_the_clock_has_run_just_so_long_when_it_is_due(clock: Clock, asked_at: datetime, away: list) -> None:
    assert clock.run(asked_at, due(clock, asked_at, absences=away), away) == clock.time


@given(clocks, moments, absences)
def test_reminders_come_in_order_before_the_deadline(clock: Clock, asked_at: datetime, away: list) -> None:
    end = due(clock, asked_at, absences=away)
    moments = [asked_at, *clock.reminders(asked_at, end, away).values(), end]
    assert moments == sorted(moments)


@given(clocks, moments, st.integers(0, 12 * DAY), st.integers(0, DAY))
def test_the_bank_pays_for_what_is_beyond_the_time_and_is_never_below_nothing(
    clock: Clock, asked_at: datetime, later: int, bank: int
) -> None:
    left = clock.bank_after(bank, asked_at, asked_at + timedelta(seconds=later))
    assert clock.increment <= left <= bank + clock.increment
    if later <= clock.time:
        assert left == bank + clock.increment


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=VIENNA)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        # On 29 March 2026 the night has no hour from two to three: 24 hours of the clock end an hour later by the wall.
        ("2026-03-28T12:00", "2026-03-29T13:00"),
        # On 25 October that hour comes twice.
        ("2026-10-24T12:00", "2026-10-25T11:00"),
        ("2026-06-01T12:00", "2026-06-02T12:00"),
    ],
)
def test_a_day_is_24_hours_also_when_the_clocks_change(asked: str, expected: str) -> None:
    assert due(Clock(time=DAY, zone="Europe/Vienna"), at(asked)) == at(expected)
    whole_days = Clock(time=DAY, zone="Europe/Vienna", hours=("00:00", "24:00"))
    assert due(whole_days, at(asked)) == at(expected)


@pytest.mark.parametrize("sunday", ["2026-03-29", "2026-10-25"])
def test_hours_of_a_day_are_those_of_its_wall_clock_on_both_sides_of_a_change(sunday: str) -> None:
    clock = Clock(time=26 * HOUR, hours=("09:00", "22:00"), zone="Europe/Vienna")
    before = at(f"{sunday}T09:00") - timedelta(days=1)
    assert due(clock, before) == at(f"{sunday}T22:00")


def test_weekends_do_not_count_where_the_clock_runs_on_weekdays() -> None:
    friday = datetime(2026, 11, 20, 18, tzinfo=UTC)
    assert due(PRESETS["daily"], friday) == datetime(2026, 11, 23, 18, tzinfo=UTC)


def test_a_number_is_seconds_and_nothing_else_happens_to_the_late() -> None:
    assert clock_of(3600) == plain(3600)
    assert plain(3600).late == Late(remind=False, hand_over_after=None)
    assert plain(3600).grace == 0


def test_presets_are_shown_with_all_their_parts_and_may_be_changed() -> None:
    assert set(PRESETS) == set(NAMES)
    assert all(clock_of(name) == clock and clock.name == name for name, clock in PRESETS.items())
    changed = clock_of({"preset": "daily", "zone": "Europe/Vienna", "late": {"play": "bot"}})
    assert changed is not None
    assert (changed.time, changed.name, changed.zone) == (DAY, "daily", "Europe/Vienna")
    assert (changed.late.play, changed.late.hand_over_after) == ("bot", 3)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"time": 5}, "time"),
        ({"time": "long"}, "time"),
        ({"time": DAY, "bank": -1}, "bank"),
        ({"time": DAY, "zone": "Europe/Nowhere"}, "zone"),
        ({"time": DAY, "zone": "Europe"}, "zone"),
        ({"time": DAY, "zone": "../../etc/passwd"}, "zone"),
        ({"time": DAY, "days": []}, "days"),
        ({"time": DAY, "days": ["mon", "mon"]}, "days"),
        ({"time": DAY, "hours": ["22:00", "09:00"]}, "hours"),
        ({"time": DAY, "hours": ["09:00", "09:30"]}, "hours"),
        ({"time": DAY, "hours": ["nine", "ten"]}, "hours"),
        ({"time": 60 * DAY, "days": ["mon"], "hours": ["09:00", "10:00"]}, "time"),
        ({"time": DAY, "late": {"play": "dead"}}, "late.play"),
        ({"time": DAY, "late": {"hand_over_after": 0}}, "late.hand_over_after"),
        ({"bank": 60}, "time"),
        ("hourly", ""),
    ],
)
def test_a_clock_that_cannot_be_is_refused_by_the_name_of_its_part(parts: object, field: str) -> None:
    with pytest.raises(ClockError) as refused:
        clock_of(parts)
    assert refused.value.field == field

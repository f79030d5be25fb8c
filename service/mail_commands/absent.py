"""ABSENT [FROM day] UNTIL day: one's clock stands still meanwhile."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from mail.letters import when
from runtime.wall_clock import now
from service import absences
from service.deadlines import read_absences
from service.errors import Invalid
from service.games import act_once
from service.mail_commands import Did, Speaker
from store import games
from store.database import Database

WORD, PATTERN = "ABSENT", "ABSENT [FROM day] UNTIL day"
SUMMARY = "your clock stands still meanwhile; a day is 2026-12-24, 24.12.2026 or 24 Dec, with 18:00 if you like"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True

HOW = (
    "Write ABSENT UNTIL 2026-12-27, or ABSENT FROM 2026-12-24 18:00 UNTIL 2026-12-27. A day is 2026-12-24, 24.12.2026"
    " or 24 Dec, in your own zone."
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SAID = re.compile(r"(?:from\s+(?P<begin>.+?)\s+)?(?:until|till|to)\s+(?P<until>.+?)[.!]?", re.IGNORECASE)
_DAY = re.compile(
    r"(?:(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"
    r"|(?P<d2>\d\d?)\.\s?(?P<m2>\d\d?)\.\s?(?P<y2>\d{4})"
    r"|(?P<d3>\d\d?)\.?\s+(?P<m3>[a-z]{3,9})\.?(?:\s+(?P<y3>\d{4}))?)"
    r"(?:(?:\s+|t)(?P<clock>\d\d?:\d\d))?",
    re.IGNORECASE,
)


def run(db: Database, speaker: Speaker, rest: str, lines: Sequence[str]) -> Did:
    if not rest:
        return Did([_told(db, speaker), HOW])
    found = _SAID.fullmatch(rest)
    if found is None:
        raise Invalid("until", f"it is not clear from when until when. {HOW}")
    moment = now()
    begin = read_moment(found["begin"], speaker.zone, moment) if found["begin"] else moment
    until = read_moment(found["until"], speaker.zone, max(moment, begin), is_end=True)
    act_once(
        db,
        speaker.game.id,
        lambda transaction, game_id: absences.announce(transaction, game_id, speaker.player.id, begin, until),
        speaker.key(WORD, rest),
    )
    return Did([_told(db, speaker)], is_changed=True)


def _told(db: Database, speaker: Speaker) -> str:
    with db.session() as session:
        game = games.find(session, speaker.game.id)
    mine = [absence for absence in read_absences(game.absences) if absence.seat == speaker.seat] if game else []
    if not mine:
        return "ABSENT: you have announced no absence in this game."
    away = [f"  from {when(one.begin, speaker.zone)} until {when(one.until, speaker.zone)}" for one in mine]
    return "\n".join(["ABSENT: the others know that you are away, and your clock stands still,", *away])


def read_moment(text: str, zone: str, after: datetime, is_end: bool = False) -> datetime:
    """A day, or a minute of it. A day alone is meant from its beginning, or to its end; without a year it is the next
    such day."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        raise Invalid("until", f"{text[:40]!r} is not a day that can be read. {HOW}")
    year = found["y"] or found["y2"] or found["y3"]
    month = int(found["m"] or found["m2"] or _month(found["m3"]))
    day = int(found["d"] or found["d2"] or found["d3"])
    local = after.astimezone(ZoneInfo(zone))
    try:
        named = date(int(year) if year else local.year, month, day)
        if not year and named < local.date():
            named = date(local.year + 1, month, day)
        if found["clock"]:
            clock = time.fromisoformat(found["clock"].rjust(5, "0"))
            return datetime.combine(named, clock, ZoneInfo(zone)).astimezone(UTC)
        return datetime.combine(named + timedelta(days=is_end), time(0), ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid("until", f"There is no such day or time as {text[:40]!r}. {HOW}") from None


def _month(name: str) -> int:
    if name[:3].lower() not in MONTHS:
        raise Invalid("until", f"{name!r} is not a month that can be read. {HOW}")
    return MONTHS.index(name[:3].lower()) + 1

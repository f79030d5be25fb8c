"""ZONE [name]: in which zone times are told to the player."""

from collections.abc import Sequence
from functools import cache
from zoneinfo import available_timezones

from service import preferences
from service.errors import Invalid
from service.mail_commands import Did, Sender
from store.database import Database

WORD, PATTERN = "ZONE", "ZONE [zone]"
SUMMARY = "the zone in which times are told to you: Europe/Berlin, or Berlin; alone: which it is"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True
NEEDS_SEAT = False


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> Did:
    if not rest:
        return Did([f"ZONE: times are told to you in {sender.zone}. ZONE Europe/Berlin, for instance, sets another."])
    zone = zone_of(rest)
    with db.transaction() as transaction:
        preferences.change(transaction, sender.player.id, {"zone": zone})
    return Did([f"ZONE: times are told to you in {zone} from now on."], is_changed=True)


def zone_of(text: str) -> str:
    """The zone of a name, or of a city that no other zone is called by."""
    wanted = text.casefold().rstrip(".!").replace(" ", "_")
    found = _zones().get(wanted, ())
    if len(found) != 1:
        which = f"can be {' or '.join(found)}" if found else "is no zone; one is called Europe/Berlin"
        raise Invalid("zone", f"“{text[:40]}” {which}.")
    return found[0]


@cache
def _zones() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for zone in sorted(available_timezones()):
        city = zone.rpartition("/")[2].casefold()
        if zone.startswith(("posix/", "right/")):
            continue
        found[zone.casefold()] = (zone,)
        if "/" in zone:
            found[city] = (*found.get(city, ()), zone)
    return found

"""DIGEST [hour]: what asks nothing of the player comes once a day."""

from collections.abc import Sequence

from service import preferences
from service.errors import Invalid
from service.mail_commands import Did, Sender, written
from service.preferences import KINDS
from store.database import Database

WORD, PATTERN = "DIGEST", "DIGEST [hour]"
SUMMARY = "news that ask nothing of you once a day, at an hour of yours, 0 to 23; your turns still come at once"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True
NEEDS_SEAT = False

# A digest may tell of several games, and then cannot be answered: what is to be answered comes by itself.
ASKS_NOTHING = tuple(
    kind for kind in KINDS if kind not in ("your_turn", "phase_opened", "offered", "reminder", "invited", "undo_asked")
)


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> Did:
    hour = rest.lower().removeprefix("at ").removesuffix(":00")
    if hour and not (hour.isascii() and hour.isdecimal() and len(hour) < 3 and int(hour) < 24):
        raise Invalid("digest_hour", f"after it comes an hour from 0 to 23, or nothing; {rest[:40]!r} is neither.")
    changes: dict[str, object] = {"kinds": {kind: {"when": "digest"} for kind in ASKS_NOTHING}}
    if hour:
        changes["digest_hour"] = int(hour)
    with db.transaction() as transaction:
        after = preferences.change(transaction, sender.player.id, changes)
    again = written(sender.ruleset, "CANCEL DIGEST")
    said = (
        f"DIGEST: what asks nothing of you comes once a day, at {after.digest_hour}:00 ({after.zone}); your turns,"
        f" envelopes, offers and reminders still come at once. {again} ends it."
    )
    return Did([said], is_changed=True)

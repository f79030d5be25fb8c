"""CANCEL WAIT, UNDO, STOP or DIGEST: takes back what was asked for. Of orders it says how they are changed."""

from collections.abc import Sequence

from service import invitations, phases, positions, preferences, undo
from service.errors import Invalid
from service.games import act_once
from service.mail_commands import NO_GAME, Did, Sender, Speaker
from service.mail_commands.digest import ASKS_NOTHING
from service.preferences import CHANNELS, FEED_ALONE, KINDS, MAIL
from store.database import Database

WORD, PATTERN = "CANCEL", "CANCEL WAIT, UNDO, STOP or DIGEST"
SUMMARY = "take back what you have asked for"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True
NEEDS_SEAT = False


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> Did:
    what = rest.upper().rstrip(".!")
    if what in ("", "WAIT", "UNDO"):
        if not isinstance(sender, Speaker) or sender.is_invited:
            raise Invalid("cancel", NO_GAME)
        return _of_a_game(db, sender, what, rest)
    match what:
        case "STOP":
            _set(db, sender, {kind: _with_mail(db, sender, kind) for kind in KINDS if kind not in FEED_ALONE})
            _allow_mail(db, sender)
            said = "CANCEL: you get mail again."
        case "DIGEST":
            _set(db, sender, {kind: {"when": "at_once"} for kind in ASKS_NOTHING})
            said = "CANCEL: all mail comes at once again."
        case _:
            raise Invalid("cancel", f"what can be cancelled is {PATTERN.removeprefix('CANCEL ')}. Nothing was done.")
    return Did([said], is_changed=True)


def _of_a_game(db: Database, speaker: Speaker, what: str, rest: str) -> Did:
    if what == "WAIT":
        act_once(
            db,
            speaker.game.id,
            lambda transaction, game_id: phases.set_wait(transaction, game_id, speaker.player.id, False),
            speaker.key(WORD, rest),
        )
        said = "CANCEL: the envelopes are opened when all are in, if nobody else has asked to wait."
    elif what == "UNDO":
        undo.undo(db, speaker.game.id, speaker.player.id, agree=False, key=speaker.key(WORD, rest))
        said = "CANCEL: nobody asks any more for a move to be taken back."
    else:
        return Did([_orders(db, speaker)], is_refused=True)
    return Did([said], is_changed=True)


def _orders(db: Database, speaker: Speaker) -> str:
    table, _ = positions.load(db, speaker.game.id)
    if speaker.seat in table.sealed:
        return (
            "CANCEL: your envelope cannot be taken out, but until it is opened another order takes the place of what is"
            " in it. WAIT has it opened at the deadline and no sooner."
        )
    return (
        "CANCEL: none of your orders waits; what was played stays played. UNDO takes back as this game allows."
        f" What else can be taken back: {PATTERN}."
    )


def _with_mail(db: Database, sender: Sender, kind: str) -> dict[str, object]:
    with db.session() as session:
        channels = preferences.read(session, sender.player.id).choice(kind).channels
    return {"channels": [channel for channel in CHANNELS if channel in (*channels, MAIL)]}


def _allow_mail(db: Database, sender: Sender) -> None:
    with db.transaction() as transaction:
        if sender.player.email:
            invitations.allow_mail(transaction, sender.player.email)


def _set(db: Database, sender: Sender, kinds: dict[str, dict[str, object]]) -> None:
    with db.transaction() as transaction:
        preferences.change(transaction, sender.player.id, {"kinds": kinds})

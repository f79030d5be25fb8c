"""NEW game WITH players: opens a game and invites."""

import re
from collections.abc import Sequence

from marshmallow import ValidationError

from referee.contract import and_list
from referee.games import all_games
from schemas.fields import email_field
from service.clocks import PRESETS
from service.errors import Invalid
from service.games import NewGame, NewSeat, Opened, open_once
from service.mail_commands import Did, Sender, name_of, ruleset_of
from store import games
from store.database import Database

WORD, PATTERN = "NEW", "NEW game WITH player, player [CLOCK clock]"
SUMMARY = (
    "open a game with you and those whom you name: players, addresses, bot, 2 bots, anybody; the clock is live, daily,"
    " relaxed (3 days, if you name none), weekly or none"
)
TAKES_MORE, TAKES_LINES, CHANGES, ALONE = True, False, True, True
NEEDS_SEAT = False
USUAL_CLOCK = "relaxed"

_SAID = re.compile(r"(?P<game>.+?)\s+with\s+(?P<who>.+?)(?:[,;]?\s+clock\s*:?\s*(?P<clock>\w+))?[.!]?", re.IGNORECASE)
_BOTS = re.compile(r"(?:(?P<number>\d)\s+|an?\s+)?bots?", re.IGNORECASE)
HOW = "Write it as NEW Tin Goose WITH Bob, carol@example.org, 2 bots; then perhaps CLOCK daily."


def is_meant(rest: str) -> bool:
    """New York is a city of several games, and an order may begin with it."""
    found = _SAID.fullmatch(rest)
    if found is None:
        return not rest
    try:
        return bool(ruleset_of(found["game"]))
    except Invalid:
        return False


def run(db: Database, sender: Sender, rest: str, lines: Sequence[str]) -> Did:
    found = _SAID.fullmatch(rest)
    if found is None:
        there_are = and_list([game.name for game in all_games().values()])
        raise Invalid("new", f"say which game, and with whom. {HOW} There are {there_are}.")
    clock = (found["clock"] or USUAL_CLOCK).lower()
    if clock not in PRESETS:
        raise Invalid("clock", f"there is no clock {clock!r}; there are {and_list(list(PRESETS))}.")
    ruleset = ruleset_of(found["game"])
    named = re.split(r"\s*(?:,|;|\band\b)\s*", found["who"], flags=re.IGNORECASE)
    new = NewGame(
        ruleset,
        (NewSeat("me"), *(seat for name in named if name for seat in _seats(name))),
        clock=None if clock == "none" else clock,
    )
    opened = open_once(db, sender.player, new, sender.key(WORD, rest)).made
    return Did(_told(db, opened, clock), is_changed=True)


def _seats(name: str) -> list[NewSeat]:
    if bots := _BOTS.fullmatch(name):
        return [NewSeat("bot")] * int(bots["number"] or 1)
    if name.casefold() in ("anybody", "anyone", "open"):
        return [NewSeat("open")]
    if "@" in name:
        return [NewSeat("invite", email=_email(name))]
    return [NewSeat("invite", name=name)]


def _email(text: str) -> str:
    try:
        return str(email_field().deserialize(text.strip("<>")))
    except ValidationError:
        raise Invalid("seats", f"“{text[:60]}” is no address that mail can be sent to.") from None


def _told(db: Database, opened: Opened, clock: str) -> list[str]:
    game = opened.game
    with db.session() as session:
        seats = games.seats(session, game.id)
    said = [f"NEW: {name_of(game)} {game.id} is open, for {len(seats)}, with the clock {clock}."]
    if game.status != "open":
        return [f"{said[0]} All seats are taken, and it has begun. A mail comes when it waits for you."]
    said.append("Who was invited gets a mail, and takes the seat by answering it.")
    for seat, token in sorted(opened.invitations.items()):
        if seats[seat].invited_email is not None:
            said.append(f"For who plays here and did not get it, to be passed on: JOIN {game.id} {token}")
    return ["\n".join(said)]

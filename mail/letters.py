"""What a mail says, as data, and made into text and HTML: both from the same templates' folder, one folder a mail."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
import msgspec

from mail.boards import sections
from mail.pages import page_html, page_text
from mail.quoting import MARKER

LONGEST_SUBJECT = 78  # letters, as lists of mails show them and as a header has them on one line
TEMPLATES = Path(__file__).parent / "templates"
COLUMNS = 72


class MenuLine(msgspec.Struct, frozen=True):
    """An order as it would be written, and what it means."""

    order: str
    note: str = ""
    example: str = ""  # where the order has capitals to be filled in


class Place(msgspec.Struct, frozen=True):
    """A line of the table of results."""

    place: int | None
    name: str
    score: int
    note: str = ""


class GameNews(msgspec.Struct, frozen=True, kw_only=True):
    """What happened in a game and what is asked now, for one player."""

    game: str  # "Tin Goose"
    game_id: str
    title: str
    kind: str
    told_at: datetime
    summary: str
    round: int | None = None
    asks: str = ""  # what is wanted, in a few words of the game: "your bid"
    sentences: Sequence[str] = ()
    omitted: int = 0
    prompt: str = ""
    sealed: bool = False
    due_at: datetime | None = None
    zone: str = "UTC"
    board: str = ""  # the text board, as lines
    menu: Sequence[MenuLine] = ()
    more_orders: bool = False  # the menu does not hold them all
    ending: str = ""  # how the game came to its end
    standings: Sequence[Place] = ()
    advice: Sequence[str] = ()  # what to do about it
    welcome: Sequence[str] = ()  # how to play here, in the first mail of a game
    press: str = ""
    press_from: str = ""
    head: str = ""  # of the hash chain
    sequence: int = 0
    can_reply: bool = True

    @property
    def due(self) -> str:
        return when(self.due_at, self.zone) if self.due_at else ""

    @property
    def heading(self) -> str:
        """What it is about, in the few letters that a list of mails shows. Where it is too long the round goes first:
        what is asked, and until when, matters more."""
        said = SUBJECTS.get(self.kind, "") or self.summary.rstrip(".")
        if self.kind == "press":
            said = f"press from {self.press_from}"
        if self.asks and self.kind in ASKS:
            said = f"reminder: {self.asks}" if self.kind == "reminder" else self.asks
        turn = f"round {self.round} · " if self.round else ""
        due = when_soon(self.due_at, self.zone, self.told_at) if self.due_at else ""
        ways = [f"{turn}{said}, due {due}", f"{said}, due {due}", f"{said}, {due}"] if due else [f"{turn}{said}", said]
        room = LONGEST_SUBJECT - len(f"[Waybill] {self.game} {self.game_id[:4]} · ")
        return next((way for way in ways if len(way) <= room), ways[-1])


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a mail: the first line says what became of it."""

    game: str = ""
    game_id: str = ""
    verdict: str
    parts: Sequence[str] = ()  # paragraphs, each of some lines
    page: str = ""  # in Markdown
    link: str = ""  # that does what is asked for
    board: str = ""
    menu: Sequence[MenuLine] = ()
    due_at: datetime | None = None
    zone: str = "UTC"
    head: str = ""
    sequence: int = 0
    can_reply: bool = True

    @property
    def due(self) -> str:
        return when(self.due_at, self.zone) if self.due_at else ""

    @property
    def heading(self) -> str:
        word = self.verdict.partition(":")[0]
        return f"{word}, turn not finished" if "not finished" in self.verdict else word


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A mail of the house that is about no seat: a proof of address, signing in, an invitation."""

    name: str = ""  # of the player that it is about
    secret: str = ""  # to be sent back
    link: str = ""  # to the page that sends it back, if it is known where that is
    game: str = ""
    game_id: str = ""
    title: str = ""
    host: str = ""  # who invites
    ruleset: str = ""
    sequence: int = 0
    head: str = ""
    can_reply: bool = False


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation to somebody who is not a player yet."""

    host: str  # who invites
    game: str
    game_id: str
    summary: str  # of the game, in a sentence
    seats: int
    time: str = ""  # for a move, in words; empty without a limit
    link: str = ""
    sequence: int = 0
    head: str = ""
    can_reply: bool = True


# What is in a list of mails, by kind; other kinds have their summary.
SUBJECTS = {
    "your_turn": "your move",
    "phase_opened": "your sealed move",
    "reminder": "reminder: your move",
    "revealed": "envelopes opened",
    "offered": "an offer to you",
    "late": "played for you",
    "standing_dropped": "a standing order is dropped",
    "declined": "an invitation was declined",
    "joined": "a seat is taken",
    "left": "somebody has left",
    "replaced": "a seat changes hands",
    "returned": "somebody is back",
    "substitute_wanted": "a substitute is wanted",
    "paused": "paused",
    "resumed": "it goes on",
    "absence": "somebody will be away",
    "deadline_moved": "another deadline",
    "host_changed": "another host",
    "undo_asked": "a move to take back?",
    "undone": "a move was taken back",
    "game_over": "game over",
    "bounced": "mail came back",
    "webhook_off": "a webhook is switched off",
}
ASKS = ("your_turn", "phase_opened", "reminder")


class Rendered(msgspec.Struct, frozen=True):
    subject: str
    text: str
    html: str


def when(moment: datetime, zone: str) -> str:
    """`Tue 3 Nov, 18:00 CET`: in the reader's zone."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%a} {local.day} {local:%b}, {local:%H:%M} {local.tzname()}"


def when_soon(moment: datetime, zone: str, told_at: datetime) -> str:
    """`Tue 18:00 CET`, where the day of the week is enough; else `3 Nov 18:00 CET`."""
    local = moment.astimezone(ZoneInfo(zone))
    day = f"{local:%a}" if moment - told_at < timedelta(days=6) else f"{local.day} {local:%b}"
    return f"{day} {local:%H:%M} {local.tzname()}"


def render(folder: str, thing: Any, picture: str = "") -> Rendered:
    """Subject, text and HTML of a mail. `picture` is the Content-ID of the board's picture, if it comes along."""
    values = {"it": thing, "marker": MARKER, "picture": picture}
    subject = " ".join(_template(folder, "subject.txt").render(values).split())
    text = _template(folder, "text.txt").render(values)
    return Rendered(subject, "\n".join(_folded(text)) + "\n", _template(folder, "page.html").render(values))


def _folded(text: str) -> list[str]:
    """Lines no wider than a mail's; what is indented stays so."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        hanging = indent + "  " if indent else ""
        is_link = "://" in line and " " not in line.strip()  # which would lead nowhere in two pieces
        if len(line) <= COLUMNS or is_link:
            lines.append(line.rstrip())
        else:
            lines += wrap(
                line.strip(),
                COLUMNS,
                initial_indent=indent,
                subsequent_indent=hanging,
                break_on_hyphens=False,
                break_long_words=False,  # a link, or an address, would be another one
            )
    return [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"sections": sections, "page_text": page_text, "page_html": page_html}
    return environment


def _template(folder: str, name: str) -> jinja2.Template:
    return _environment().get_template(f"{folder}/{name}")

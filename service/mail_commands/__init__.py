"""What can be written in a mail besides orders: one command a file. A line that begins with a command's word is one,
unless the game has an order that begins so: then it is the order, and `WAYBILL` before it makes it the command."""

import hashlib
import importlib
import pkgutil
from collections.abc import Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from typing import Any

import msgspec

from mail.letters import MenuLine
from referee.contract import Viewer, and_list
from referee.games import all_games
from referee.log import Entry
from referee.orders.templates import Field, Group, template
from referee.record import redacted
from referee.table import Table
from service.errors import Invalid, ServiceError
from service.idempotency import IdempotencyKey
from service.work import Work
from store.database import Database
from store.games import GameRow
from store.players import Player

END = "END"  # of a command that goes on over several lines
CHECK = "CHECK"  # before orders that are only tried
PREFIX = "WAYBILL"  # before a command whose word an order of the game has too

NO_GAME = (
    "this is about a game: answer a mail of it, whose reply address says for which seat you speak. GAMES lists yours."
)
NOT_SEATED = "you have not taken your seat yet. Answer JOIN to take it."
NO_PLAYER = (
    "you have not taken your seat yet. Answer JOIN AS and the name under which you want to play, such as JOIN AS Maria."
)


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes, and where."""

    zone: str = "UTC"
    mail_id: int = 0  # in which they write
    host: str = ""  # our domain

    @property
    def ruleset(self) -> str:
        """Of the game that the mail is about; empty if it is about none."""
        return ""


class Guest(Writer, frozen=True, kw_only=True):
    """Who answers an invitation and is no player yet. `void`: why there is no seat for them any more."""

    invitation: int
    game: GameRow
    seat: int
    email: str = ""  # that was invited, as long as the seat is kept for it
    void: str = ""

    @property
    def ruleset(self) -> str:
        return self.game.ruleset


class Sender(Writer, frozen=True, kw_only=True):
    """A player who writes, for no seat in particular."""

    player: Player

    def key(self, word: str, rest: str = "") -> IdempotencyKey:
        """Under which a command is done: once, however often its mail is read."""
        mark = hashlib.sha256(f"{word} {rest.casefold()}".encode()).hexdigest()
        return IdempotencyKey(f"player:{self.player.id}", f"mail-in-{self.mail_id:012d}-{mark[:32]}", mark)


class Speaker(Sender, frozen=True, kw_only=True):
    """Who writes for a seat of a game; or who is invited to it, and has not taken it yet."""

    game: GameRow
    seat: int
    row: int | None = None  # of the log, the last that they have seen, if that is known
    is_invited: bool = False

    @property
    def ruleset(self) -> str:
        return self.game.ruleset


class Did(msgspec.Struct, frozen=True):
    """What a command says in answer, in paragraphs, and what workers have to do then."""

    parts: list[str]
    page: str = ""  # in Markdown, below them
    menu: Sequence[MenuLine] = ()
    is_changed: bool = False
    is_refused: bool = False
    work: Work | None = None


class Command(msgspec.Struct, frozen=True):
    """A command as it was written: what follows its word, and the lines below it, if it takes any."""

    word: str
    rest: str = ""
    lines: Sequence[str] = ()

    @property
    def changes(self) -> bool:
        """Whether it does more than tell."""
        return getattr(_commands()[self.word], "CHANGES", False)

    @property
    def is_alone(self) -> bool:
        """Whether it cannot stand beside orders: it would matter which of them comes first."""
        return getattr(_commands()[self.word], "ALONE", False)

    @property
    def needs_seat(self) -> bool:
        """Whether it is about a game that its sender plays in."""
        return getattr(_commands()[self.word], "NEEDS_SEAT", True)

    @property
    def is_for_guests(self) -> bool:
        """Whether somebody may give it who is no player yet."""
        return getattr(_commands()[self.word], "FOR_GUESTS", False)

    def run(self, db: Database, sender: Writer) -> Did:
        if isinstance(sender, Guest) and not self.is_for_guests:
            return Did([f"{self.word}: {sender.void or NO_PLAYER}"], is_refused=True)
        if self.needs_seat and not isinstance(sender, Speaker):
            return Did([f"{self.word}: {NO_GAME}"], is_refused=True)
        if self.needs_seat and isinstance(sender, Speaker) and sender.is_invited:
            return Did([f"{self.word}: {NOT_SEATED}"], is_refused=True)
        try:
            found = _commands()[self.word].run(db, sender, self.rest, self.lines)
        except ServiceError as error:
            return Did([f"{self.word}: {error}"], is_refused=True)
        return found if isinstance(found, Did) else Did(found)


class Said(msgspec.Struct, frozen=True):
    """A mail taken apart; `is_check`: its orders are only to be tried."""

    commands: list[Command]
    orders: list[str]
    is_check: bool = False


@cache
def _commands() -> dict[str, Any]:
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.WORD: module for module in modules}


def words() -> frozenset[str]:
    """The first words of everything that is not an order."""
    return frozenset({*_commands(), CHECK})


@cache
def verbs(ruleset: str) -> frozenset[str]:
    """The words with which orders of a game can begin, in capitals."""
    found: set[str] = set()
    phases = all_games()[ruleset].phase_types if ruleset in all_games() else ()
    for notation in {way for phase in phases for kind in phase.moves for way in (kind.notation, *kind.also)}:
        found |= _beginnings(template(notation))
    return frozenset(found)


def _beginnings(parts: Sequence[Any]) -> set[str]:
    found: set[str] = set()
    for part in parts:
        if isinstance(part, Group):
            found |= _beginnings(part)
            continue
        return found if isinstance(part, Field) else {*found, str(part).upper()}
    return found


def written(ruleset: str, command: str) -> str:
    """How a command is written in a game: `RESIGN YES`, or `WAYBILL RESIGN YES` where its orders have that word."""
    return f"{PREFIX} {command}" if command.split()[0] in verbs(ruleset) else command


def summaries(ruleset: str) -> list[str]:
    return [f"{written(ruleset, module.PATTERN)}: {module.SUMMARY}" for _, module in sorted(_commands().items())]


def split(lines: Sequence[str], ruleset: str) -> Said:
    """Commands are known by their first word, in capitals or small letters, alone or with what they take."""
    commands, orders, is_check = [], [], False
    place = 0
    while place < len(lines):
        line = lines[place]
        word, rest, module = _command(line, ruleset)
        place += 1
        if word == CHECK and word not in verbs(ruleset):
            is_check = True
            if rest:
                orders.append(rest)
        elif module is None or (rest and not module.TAKES_MORE):
            orders.append(line)
        elif module.TAKES_LINES:
            end = next((there for there in range(place, len(lines)) if lines[there].strip().upper() == END), len(lines))
            commands.append(Command(word, rest, tuple(lines[place:end])))
            place = end + 1
        else:
            commands.append(Command(word, rest))
    return Said(commands, orders, is_check)


def _command(line: str, ruleset: str) -> tuple[str, str, Any]:
    """The first word of a line, the rest, and the command that it is, if it is one."""
    word, rest = _first(line)
    if word == PREFIX and PREFIX not in verbs(ruleset):
        word, rest = _first(rest)
        return word, rest, _commands().get(word)
    module = None if word in verbs(ruleset) else _commands().get(word)
    # Where a name of the game begins with the word, a command says by which words behind it it is known.
    is_meant = getattr(module, "is_meant", None)
    if ruleset and is_meant and not is_meant(rest):
        module = None
    return word, rest, module


def _first(line: str) -> tuple[str, str]:
    word, _, rest = line.strip().partition(" ")
    return word.upper().rstrip(":.!"), rest.strip()


def ruleset_of(name: str) -> str:
    """The game that somebody means by a name or a part of it; raises Invalid."""
    wanted = _letters(name)
    games = {key: {_letters(key), _letters(game.name)} for key, game in all_games().items()}
    found = [key for key, names in games.items() if wanted in names]
    found = found or [key for key, names in games.items() if wanted and any(n.startswith(wanted) for n in names)]
    if len(found) != 1:
        there_are = and_list([game.name for game in all_games().values()])
        which = "can mean several games" if found else "is no game here"
        raise Invalid("game", f"“{name[:40]}” {which}; there are {there_are}.")
    return found[0]


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def name_of(game: GameRow) -> str:
    return all_games()[game.ruleset].name if game.ruleset in all_games() else game.ruleset


def sentences(table: Table, entry: Entry, seat: int) -> tuple[str, ...]:
    """What a row tells a seat."""
    return redacted(table.game, entry, Viewer(seat), table.words).sentences


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=SMTP)
    assert isinstance(message, EmailMessage)
    return message

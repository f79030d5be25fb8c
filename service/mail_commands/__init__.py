"""What can be written in a mail besides orders: one command a file. A line that begins with a command's word is one."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from typing import Any

import msgspec

from referee.contract import Viewer
from referee.games import all_games
from referee.log import Entry
from referee.record import redacted
from referee.table import Table
from store.database import Database
from store.games import GameRow
from store.players import Player

END = "END"  # of a command that goes on over several lines


class Speaker(msgspec.Struct, frozen=True):
    """Who writes: a player, for a seat of a game."""

    player: Player
    game: GameRow
    seat: int
    zone: str = "UTC"


Run = Callable[[Database, Speaker, str, Sequence[str]], list[str]]


class Command(msgspec.Struct, frozen=True):
    """A command as it was written: what follows its word, and the lines below it, if it takes any."""

    word: str
    rest: str = ""
    lines: Sequence[str] = ()

    def run(self, db: Database, speaker: Speaker) -> list[str]:
        """What is said in answer, in paragraphs."""
        found: list[str] = _commands()[self.word].run(db, speaker, self.rest, self.lines)
        return found


class Said(msgspec.Struct, frozen=True):
    """A mail taken apart; `is_check`: its orders are only to be tried."""

    commands: list[Command]
    orders: list[str]
    is_check: bool = False


@cache
def _commands() -> dict[str, Any]:
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.WORD: module for module in modules}


def summaries() -> list[str]:
    return [f"{module.PATTERN}: {module.SUMMARY}" for _, module in sorted(_commands().items())]


def split(lines: Sequence[str]) -> Said:
    """Commands are known by their first word, in capitals or small letters, alone or with what they take."""
    commands, orders, is_check = [], [], False
    place = 0
    while place < len(lines):
        line = lines[place]
        word, _, rest = line.partition(" ")
        word = word.upper().rstrip(":")
        module = _commands().get(word)
        place += 1
        if word == "CHECK":
            is_check = True
            if rest.strip():
                orders.append(rest.strip())
        elif module is None or (rest and not module.TAKES_MORE):
            orders.append(line)
        elif module.TAKES_LINES:
            end = next((there for there in range(place, len(lines)) if lines[there].strip().upper() == END), len(lines))
            commands.append(Command(word, rest.strip(), tuple(lines[place:end])))
            place = end + 1
        else:
            commands.append(Command(word, rest.strip()))
    return Said(commands, orders, is_check)


def name_of(game: GameRow) -> str:
    return all_games()[game.ruleset].name if game.ruleset in all_games() else game.ruleset


def sentences(table: Table, entry: Entry, seat: int) -> tuple[str, ...]:
    """What a row tells a seat."""
    return redacted(table.game, entry, Viewer(seat), table.words).sentences


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=SMTP)
    assert isinstance(message, EmailMessage)
    return message

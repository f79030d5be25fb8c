"""What the service answers with. Fields that it may get later are ignored, so that older clients go on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")


class Player(msgspec.Struct, frozen=True):
    id: int
    name: str
    created_at: datetime
    email: str | None = None
    unproved_email: str | None = None


class SignedUp(msgspec.Struct, frozen=True):
    """A new player, and the token, which is shown once."""

    player: Player
    token: str


class Seat(msgspec.Struct, frozen=True):
    """`kind`: player, bot, invitation, open. `player` is the number that stays when names change."""

    seat: int
    kind: str
    name: str
    player: int | None = None


class Game(msgspec.Struct, frozen=True):
    """`sequence` is the number of the last row of the log, -1 before the start; `you` is your seat."""

    id: str
    ruleset: str
    version: str
    status: str
    ending: str
    sequence: int
    to_act: tuple[int, ...]
    commitment: str
    title: str = ""
    private: bool = False
    settings: Mapping[str, Any] = {}
    due_at: datetime | None = None
    created_at: datetime | None = None
    started_at: datetime | None = None
    host: int | None = None
    seats: tuple[Seat, ...] = ()
    you: int | None = None

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def waits_for_me(self) -> bool:
        return self.status == "running" and self.you is not None and self.you in self.to_act


class GameState(msgspec.Struct, frozen=True):
    """A game as the stream tells of it."""

    id: str
    status: str
    sequence: int
    to_act: tuple[int, ...]
    ending: str = ""
    due_at: datetime | None = None


class Invitation(msgspec.Struct, frozen=True):
    """Shown once: whoever sends the token gets the seat."""

    seat: int
    token: str


class Opened(msgspec.Struct, frozen=True):
    game: Game
    invitations: tuple[Invitation, ...] = ()


class Row(msgspec.Struct, frozen=True, rename={"number": "row"}):
    """A row of the log as you may know it, with its events in words."""

    number: int
    phase: str
    orders: tuple[Mapping[str, Any], ...]
    events: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...]
    hash: str


class Receipt(msgspec.Struct, frozen=True):
    """Of a sealed move. The log tells the same commitment, with its nonce, when all are opened: see `verify`."""

    seat: int
    phase: str
    row: int
    commitment: str


class Played(msgspec.Struct, frozen=True):
    """The orders stand. `left_out` is there if blind orders went no further."""

    sequence: int
    head: str
    readings: tuple[str, ...]
    rows: tuple[Row, ...]
    left_out: Mapping[str, Any] | None = None


class Sealed(msgspec.Struct, frozen=True):
    """The move is in its envelope."""

    sequence: int
    readings: tuple[str, ...]
    receipt: Receipt


class Checked(msgspec.Struct, frozen=True):
    """A dry run: the orders would stand."""

    sequence: int
    readings: tuple[str, ...]


Outcome = Played | Sealed | Checked


class Standing(msgspec.Struct, frozen=True):
    seat: int
    place: int | None
    score: int | None
    note: str = ""


class Position(msgspec.Struct, frozen=True, rename={"sequence": "row"}):
    """A game as you may see it; `table` depends on the game."""

    game: str
    version: str
    players: tuple[str, ...]
    you: int | None
    sequence: int
    phase: str
    standings: tuple[Standing, ...]
    ending: str
    table: Any
    sealed: tuple[int, ...] = ()


class Ruleset(msgspec.Struct, frozen=True):
    key: str
    name: str
    version: str
    seats: tuple[int, ...]
    endings: Mapping[str, str] = {}
    settings: Mapping[str, Any] = {}


class Notice(msgspec.Struct, frozen=True):
    """Something that you were told."""

    id: int
    kind: str
    game_id: str
    sequence: int
    summary: str
    seat: int | None = None
    about: int | None = None
    sentences: tuple[str, ...] = ()
    prompt: str = ""
    due_at: datetime | None = None
    detail: Mapping[str, Any] = {}
    created_at: datetime | None = None
    read_at: datetime | None = None


class Webhook(msgspec.Struct, frozen=True):
    """`secret` is there when it has just been made."""

    id: int
    url: str
    events: tuple[str, ...]
    label: str = ""
    off_at: datetime | None = None
    off_why: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Part of a list, and the path that leads on."""

    items: tuple[T, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """What a stream tells: `position`, `row`, `game`, `notice`. `data` is a Position, Row, GameState or Notice;
    `game_id` says of which game. `id` is where to go on."""

    kind: str
    data: Position | Row | GameState | Notice
    game_id: str
    id: str | None = None

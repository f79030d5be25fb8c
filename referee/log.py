"""The log: a header and rows, each hashed onto the one before."""

import hashlib
from typing import Any

import msgspec

from referee.chance import Draw
from referee.contract import BoardName, Event, Words, canonical, digest

FORMAT = 1  # of the record; a reader refuses formats it does not know
CARRY_OVER = "carry_over"  # the phase of a row from which on the game is played under newer rules
UNDO = "undo"  # the phase of a row with which the game goes back to an earlier position
FORK = "fork"  # the phase of a first row that takes the place of the setup: the game goes on from another one


def numbered_seats(seats: int) -> tuple[str, ...]:
    """What the header of a new game names in place of people, and what a player without a name is called."""
    return tuple(f"Seat {number}" for number in range(1, seats + 1))


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is fixed before the first row, and hashed. It names seats only: who sits there stands beside it, so that a
    person can be renamed or forgotten. Headers of the first games hold names in `players`."""

    format: int = FORMAT
    game: str
    version: str
    board: BoardName
    board_data: Any = None  # of a board that does not ship with the referee
    settings: dict[str, Any]
    players: tuple[str, ...]
    commitment: str  # to the seed
    entropy: tuple[str, ...]  # what each player added to the seed on joining


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move as the log keeps it: whose it is, who gave it, and for a sealed one its commitment and nonce."""

    seat: int
    by: str  # "player", "standing" by a standing order, "bot", or "clock" when the referee played the default
    move: Any
    commitment: str = ""
    nonce: str = ""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"number": "row"}):
    """One step: the setup or a fork in its place (no orders), a move (one), a reveal (all sealed ones), a change to
    newer rules or an undo (none). The salt keeps the hash of a row with secrets from being guessed; it is told with the
    seed, at the end."""

    number: int
    phase: str
    orders: tuple[Order, ...]
    draws: tuple[Draw, ...]
    events: tuple[Any, ...]
    salt: str
    position: str  # digest of the salt and the position after this row

    @property
    def is_reveal(self) -> bool:
        return any(order.commitment for order in self.orders)

    @property
    def is_carry_over(self) -> bool:
        return self.phase == CARRY_OVER

    @property
    def is_undo(self) -> bool:
        return self.phase == UNDO

    @property
    def is_fork(self) -> bool:
        return self.phase == FORK


class CarriedOver(Event, frozen=True, rename={"old": "from", "new": "to"}):
    """An event of the engine's own: the rules have a newer version from here."""

    old: str
    new: str

    def sentence(self, words: Words) -> str:
        return f"The game goes on under rules {self.new} from here."


class Undone(Event, frozen=True):
    """An event of the engine's own: the position is again that after row `to`. `seat` has asked for it."""

    to: int
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} takes back: the game is again as it was after row {self.to}."


class Forked(Event, frozen=True):
    """An event of the engine's own: the game begins where another one was after a row, as far as `seat` saw it, or a
    spectator; the rest of `position` is imagined. It does not follow from the seed, so the row holds it whole."""

    hidden = ("position",)

    game: str
    row: int
    seat: int | None
    position: dict[str, Any] | None

    def knowers(self) -> tuple[int, ...]:
        return ()

    def sentence(self, words: Words) -> str:
        return f"The game begins where game {self.game} was after row {self.row}; what was hidden is dealt anew."


ENGINE_EVENTS: tuple[type[Event], ...] = (CarriedOver, Undone, Forked)


class Entry(msgspec.Struct, frozen=True):
    """A row with its place in the chain; `row_json` is what was hashed."""

    row: Row
    row_json: bytes
    hash: str


def enter(row: Row, previous: str) -> Entry:
    row_json = canonical(row)
    return Entry(row, row_json, chain(previous, row_json))


def chain(previous: str, row_json: bytes) -> str:
    return hashlib.sha256(previous.encode() + b"\n" + row_json).hexdigest()


def first_link(header: Header) -> str:
    return digest(header)


def position_digest(salt: str, position: bytes) -> str:
    return hashlib.sha256(salt.encode() + b"\n" + position).hexdigest()


def move_commitment(nonce: str, move: bytes) -> str:
    """What a sealed move's receipt carries: the move cannot be changed behind it, nor read from it."""
    return hashlib.sha256(nonce.encode() + b"\n" + move).hexdigest()

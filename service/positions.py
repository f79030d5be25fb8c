"""Games in memory: positions that this process knows, each checked against the database by the next write."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

import msgspec

from referee.contract import canonical
from referee.errors import RecordError
from referee.games import game_of
from referee.log import Header
from referee.table import AnyGame, Sealed, Table
from service.deadlines import Timing, timing_of
from service.errors import NotFound, OtherRules, Stale, WrongStatus
from store import positions
from store.database import Database, Session
from store.games import Status
from store.positions import Mark, PositionRow

CACHED_GAMES = 2048  # in each process
NAMES_SECONDS = 30  # how long the answer to a move may still call a player by a name that was changed elsewhere
FOR_THE_OPERATOR = (
    "Whoever runs the service: start the version of it that has these rules."
    " ./waybill admin carry-over --dry-run lists the games that need it, and with that version"
    " ./waybill admin carry-over takes over those that can go on under newer rules."
)


class CachedGame(msgspec.Struct, frozen=True):
    """A game's position as a process knows it."""

    game: AnyGame
    header: Header
    seed: bytes
    sequence: int
    head: str
    position_json: bytes
    status: Status
    names: tuple[str, ...]
    people: tuple[int | None, ...]  # by seat, as of the terms of the timing
    to_act: tuple[int, ...]
    timing: Timing
    read_at: float  # when the names were read: they change without a row in the log

    def table(self, sealed: dict[int, Sealed] | None = None) -> Table:
        return Table(
            self.game, self.header, self.seed, self.position_json, self.sequence, self.head, sealed, self.names
        )

    @property
    def mark(self) -> Mark:
        return Mark(self.sequence, self.head, self.status, list(self.names), list(self.people))

    def seat_of(self, player_id: int) -> int | None:
        return self.people.index(player_id) if player_id in self.people else None


class PositionCache:
    """The last positions of the games that this process has had to do with."""

    def __init__(self, size: int = CACHED_GAMES) -> None:
        self._size = size
        self._games: OrderedDict[str, CachedGame] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, game_id: str) -> CachedGame | None:
        with self._lock:
            cached = self._games.get(game_id)
            if cached:
                self._games.move_to_end(game_id)
            return cached

    def put(self, game_id: str, cached: CachedGame, only_newer: bool = False) -> None:
        with self._lock:
            known = self._games.get(game_id) if only_newer else None
            if known and known.sequence >= cached.sequence:
                return
            self._games[game_id] = cached
            self._games.move_to_end(game_id)
            if len(self._games) > self._size:
                self._games.popitem(last=False)

    def forget(self, game_id: str) -> None:
        with self._lock:
            self._games.pop(game_id, None)


CACHE = PositionCache()


class Seen(msgspec.Struct, frozen=True):
    """A game through the eyes of somebody who has a seat in it, or has none."""

    table: Table
    status: Status
    seat: int | None


def load(db: Database, game_id: str) -> tuple[Table, Status]:
    """A started game as it is now, to look at, with its sealed moves: one query if this process knows the position."""
    with db.session() as session:
        return look(session, game_id)


def look(session: Session, game_id: str) -> tuple[Table, Status]:
    """The same for whoever has a connection already."""
    cached, sealed = _look(session, game_id)
    return cached.table(sealed), cached.status


def load_for(db: Database, game_id: str, player_id: int | None) -> Seen:
    """The same, with the seat that the player has at that very moment: whose a seat was knows nothing new of it."""
    with db.session() as session:
        return look_for(session, game_id, player_id)


def look_for(session: Session, game_id: str, player_id: int | None) -> Seen:
    """The same for whoever has a connection already."""
    cached, sealed = _look(session, game_id)
    return Seen(cached.table(sealed), cached.status, None if player_id is None else cached.seat_of(player_id))


def is_known_to_run(game_id: str) -> bool:
    """Whether this process has seen the game, and has not seen it over."""
    cached = CACHE.get(game_id)
    return cached is not None and cached.status != "over"


def _look(session: Session, game_id: str) -> tuple[CachedGame, dict[int, Sealed]]:
    cached = CACHE.get(game_id)
    mark, sealed = positions.mark(session, game_id)
    if cached is None or mark != cached.mark:
        cached = _cached(positions.read(session, game_id))
        CACHE.put(game_id, cached)
        sealed = positions.sealed_moves(session, game_id, cached.sequence + 1)
    return cached, sealed


def refresh(db: Database, game_id: str) -> CachedGame:
    """The game as the database has it, cached for the next time."""
    with db.session() as session:
        cached = _cached(positions.read(session, game_id))
    CACHE.put(game_id, cached)
    return cached


class Held(msgspec.Struct, frozen=True):
    """A running game, held until the transaction ends: with its sealed moves, its clock, and who is a bot."""

    table: Table
    timing: Timing
    due_at: datetime | None
    reveal_at: datetime | None
    told: int
    bots: frozenset[int]
    people: tuple[int | None, ...]
    standing: frozenset[int] = frozenset()  # seats with standing orders


def lock(transaction: Session, game_id: str) -> Held | None:
    """Holds a game until the transaction ends; None if it is not running."""
    row = positions.read_locked(transaction, game_id)
    cached = _cached(row)
    if row is None or cached.status != "running":
        return None
    table = cached.table(positions.sealed_moves(transaction, game_id, cached.sequence + 1))
    return Held(
        table,
        cached.timing,
        row.due_at,
        row.reveal_at,
        row.told,
        frozenset(row.bots),
        cached.people,
        frozenset(row.standing),
    )


def for_a_move(game_id: str) -> CachedGame | None:
    """A game as this process knows it, unless its names may be too old to be shown."""
    cached = CACHE.get(game_id)
    return cached if cached and cached.read_at > time.monotonic() - NAMES_SECONDS else None


def remember(game_id: str, table: Table, timing: Timing, people: tuple[int | None, ...], to_act: Sequence[int]) -> None:
    """Caches what was just written, unless another thread has written more meanwhile. Who sits where may have changed
    with it: then the terms have, and the next write finds out."""
    status: Status = "over" if table.is_over else "running"
    before = CACHE.get(game_id)
    cached = CachedGame(
        table.game,
        table.header,
        table.seed,
        table.sequence,
        table.head,
        table.position_json,
        status,
        table.names,
        people,
        tuple(to_act),
        timing,
        before.read_at if before else time.monotonic(),
    )
    CACHE.put(game_id, cached, only_newer=True)


def check_running(cached: CachedGame) -> None:
    if cached.status != "running":
        raise WrongStatus(f"The game is {cached.status}; moves can be made in a game that is running.")


def stale(expected: int, sequence: int) -> Stale:
    return Stale(f"The game is at sequence number {sequence}, not {expected}.", sequence)


def _cached(row: PositionRow | None) -> CachedGame:
    if row is None:
        raise NotFound("There is no such game.")
    if row.header is None:
        raise WrongStatus("The game has not started.")
    header = msgspec.json.decode(row.header, type=Header)
    try:
        game = rules_of(header, row.version)
    except RecordError as error:
        raise OtherRules(f"This game can be neither shown nor played here now. {error} {FOR_THE_OPERATOR}") from None
    return CachedGame(
        game,
        header,
        bytes(row.seed),
        row.sequence,
        row.head,
        row.position.encode(),
        row.status,
        tuple(row.names),
        tuple(row.people),
        tuple(row.to_act),
        timing_of(row),
        time.monotonic(),
    )


def rules_of(header: Header, version: str | None = None) -> AnyGame:
    """The rules that a header names, in the version that the game is played under now; tables that differ in their
    players and seeds alone share them."""
    shared = msgspec.structs.replace(header, players=("",) * len(header.players), commitment="", entropy=())
    return _rules_of(canonical(shared), version or header.version)


@lru_cache(maxsize=256)
def _rules_of(header: bytes, version: str) -> AnyGame:
    return game_of(msgspec.json.decode(header, type=Header), version)

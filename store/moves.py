"""The way of a move: a position from memory or the database, the referee, and one call that writes everything."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import psycopg2

from referee.errors import OrderError, RecordError
from referee.log import Header
from referee.table import AnyGame, Outcome, Sealed, Table
from store import idempotency
from store.database import Database, Session, is_unique_violation
from store.errors import NotFound, OtherRules, Stale, WrongStatus
from store.games import Status, rules_of
from store.idempotency import Answer, Request
from store.writing import append, seal

Orders = Sequence[Any] | str  # moves as objects or lines, or a whole turn as text
MakeAnswer = Callable[[Table, Outcome], Answer]

ATTEMPTS = 8  # at a game that others move in at the same time
FOR_THE_OPERATOR = (
    "Whoever runs the service: start the version of it that has these rules."
    " ./waybill admin carry-over --dry-run lists the games that need it, and with that version"
    " ./waybill admin carry-over takes over those that can go on under newer rules."
)
KEPT_GAMES = 2048  # positions in memory, in each process


class Kept(msgspec.Struct, frozen=True):
    """A game's position as a process remembers it. What is written is checked against the database by the write."""

    game: AnyGame
    header: Header
    seed: bytes
    sequence: int
    head: str
    position: bytes
    status: Status


class Submission(msgspec.Struct, frozen=True):
    """What became of a submission, and whether a worker should be woken for the game."""

    table: Table | None  # after it; None for an answer given before
    outcome: Outcome | None
    answer: Answer | None = None
    is_repeated: bool = False
    next: str = ""  # what a worker has to do now: "resolve", "bot", or nothing


class Memory:
    """The last positions of the games that this process has had to do with."""

    def __init__(self, size: int = KEPT_GAMES) -> None:
        self._size = size
        self._games: OrderedDict[str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, game_id: str) -> Kept | None:
        with self._lock:
            kept = self._games.get(game_id)
            if kept:
                self._games.move_to_end(game_id)
            return kept

    def put(self, game_id: str, kept: Kept, only_newer: bool = False) -> None:
        with self._lock:
            known = self._games.get(game_id) if only_newer else None
            if known and known.sequence >= kept.sequence:
                return
            self._games[game_id] = kept
            self._games.move_to_end(game_id)
            if len(self._games) > self._size:
                self._games.popitem(last=False)

    def forget(self, game_id: str) -> None:
        with self._lock:
            self._games.pop(game_id, None)


MEMORY = Memory()


def submit(
    db: Database,
    game_id: str,
    seat: int,
    orders: Orders,
    *,
    expected: int | None = None,
    by: str = "player",
    request: Request | None = None,
    answer: MakeAnswer | None = None,
    dry_run: bool = False,
) -> Submission:
    """Plays orders of a seat, all or none.

    With `expected` the game must be at that sequence number. With a `request` the answer that `answer` makes is kept
    in the same transaction, and a request that comes again gets it again. A dry run is checked and not written.
    Raises OrderError, Stale, WrongStatus, NotFound, KeyReused or Unavailable; then nothing has changed (after
    Unavailable, that is not known: send the same request again).
    """
    try:
        return _submit(db, game_id, seat, orders, expected, by, request, answer, dry_run)
    except (OrderError, Stale, WrongStatus):
        # A request that was done before may well be against the rules by now.
        if request is not None:
            with db.session() as session:
                before = idempotency.find(session, request)
            if before:
                return Submission(None, None, before, is_repeated=True)
        raise


def _submit(
    db: Database,
    game_id: str,
    seat: int,
    orders: Orders,
    expected: int | None,
    by: str,
    request: Request | None,
    answer: MakeAnswer | None,
    dry_run: bool,
) -> Submission:
    kept, fresh = (None if dry_run else MEMORY.get(game_id)), False
    for _ in range(ATTEMPTS):
        if kept is None or kept.status != "running" or (expected is not None and kept.sequence != expected):
            if not fresh:
                kept, fresh = recall(db, game_id), True
            assert kept is not None
            check_running(kept)
            if expected is not None and kept.sequence != expected:
                raise stale(expected, kept.sequence)
        table = table_of(kept)
        try:
            outcome = table.submit_text(seat, orders, by) if isinstance(orders, str) else table.submit(seat, orders, by)
        except OrderError:
            # The refusal must rest on the game as it is now, not as this process remembers it.
            if fresh:
                raise
            kept, fresh = recall(db, game_id), True
            continue
        if dry_run:
            return Submission(table, outcome)
        submission = _write(db, game_id, kept, seat, table, outcome, request, answer)
        if submission:
            return submission
        kept, fresh = recall(db, game_id), True
    raise stale(table.sequence, kept.sequence)


def _write(
    db: Database,
    game_id: str,
    kept: Kept,
    seat: int,
    table: Table,
    outcome: Outcome,
    request: Request | None,
    answer: MakeAnswer | None,
) -> Submission | None:
    """Writes what the table has played; None if the game has moved on meanwhile."""
    made = answer(table, outcome) if request and answer else None
    key: tuple[Any, ...] = ()
    if request and made:
        key = (*_key(request), made.status, made.body, idempotency.headers_text(made))
    try:
        with db.session() as session:
            if outcome.receipt:
                verdict = seal(session, game_id, kept.sequence, seat, table.sealed[seat], key)
            else:
                verdict = append(session, game_id, kept.sequence, kept.head, outcome.entries, table, seat, key)
    except psycopg2.IntegrityError as error:
        # The key was taken at this very moment: by an equal request, or for another one.
        if request is None or not is_unique_violation(error):
            raise
        with db.session() as session:
            before = idempotency.find(session, request)
        return Submission(None, None, before, is_repeated=True) if before else None
    match verdict:
        case ["stale"]:
            return None
        case ["reused"]:
            raise idempotency.key_reused()
        case ["repeated", status, body, headers]:
            before = Answer(int(status), body, msgspec.json.decode(headers))
            return Submission(None, None, before, is_repeated=True)
    if not outcome.receipt:
        remember(game_id, table)
    return Submission(table, outcome, made, next=verdict[1])


def _key(request: Request) -> tuple[str, str, str]:
    return request.scope, request.key, request.fingerprint


def resolve(db: Database, game_id: str, row: int | None = None) -> bool:
    """Reveals a complete sealed phase; `row` is the row it will be. Does nothing if that has been done, or if a move is
    missing. The game is locked from the first look on, so a move that is replaced at the last moment counts or comes
    too late, but is never lost."""
    with db.transaction() as transaction:
        table = locked_table(transaction, game_id)
        if table is None or (row is not None and table.sequence + 1 != row):
            return False
        if table.sealed_phase() is None or table.missing():
            return False
        expected, head = table.sequence, table.head
        entry = table.reveal()
        append(transaction, game_id, expected, head, (entry,), table)
    remember(game_id, table)
    return True


def time_out(db: Database, game_id: str) -> bool:
    """Plays for whoever has let the deadline pass."""
    with db.transaction() as transaction:
        table = locked_table(transaction, game_id)
        if table is None or not transaction.value("select due_at <= now() from games where id = %s", game_id):
            return False
        expected, head = table.sequence, table.head
        append(transaction, game_id, expected, head, table.time_out(), table)
    remember(game_id, table)
    return True


def locked_table(transaction: Session, game_id: str) -> Table | None:
    """A running game with its sealed moves, held until the transaction ends; None if it is not running."""
    kept = _read(transaction, game_id, " for update")
    if kept is None or kept.status != "running":
        return None
    return table_of(kept, sealed(transaction, game_id, kept.sequence + 1))


def load(db: Database, game_id: str) -> tuple[Table, Status]:
    """A started game as it is now, to look at, with its sealed moves: one query if this process knows the position."""
    kept = MEMORY.get(game_id)
    with db.session() as session:
        rows = session.rows(
            "select g.sequence, g.status, g.head, s.payload from games g"
            " left join sealed s on s.game_id = g.id and s.sequence = g.sequence + 1 where g.id = %s",
            game_id,
        )
        if not rows or kept is None or rows[0][:3] != (kept.sequence, kept.status, kept.head):
            kept = _read(session, game_id)
            if kept is None:
                raise NotFound("There is no such game.")
            MEMORY.put(game_id, kept)
            envelopes = sealed(session, game_id, kept.sequence + 1)
        else:
            envelopes = _envelopes(row[3] for row in rows if row[3])
    return table_of(kept, envelopes), kept.status


def recall(db: Database, game_id: str) -> Kept:
    """The game as the database has it, remembered for the next time."""
    with db.session() as session:
        kept = _read(session, game_id)
    if kept is None:
        raise NotFound("There is no such game.")
    MEMORY.put(game_id, kept)
    return kept


def _read(session: Session, game_id: str, lock: str = "") -> Kept | None:
    row = session.row(
        "select header, version, seed, sequence, head, position, status from games where id = %s" + lock,
        game_id,
    )
    if row is None:
        return None
    header, version, seed, sequence, head, position, status = row
    if header is None:
        raise WrongStatus("The game has not started.")
    names = msgspec.json.decode(header, type=Header)
    try:
        game = rules_of(names, version)
    except RecordError as error:
        raise OtherRules(f"This game can be neither shown nor played here now. {error} {FOR_THE_OPERATOR}") from None
    return Kept(game, names, bytes(seed), sequence, head, position.encode(), status)


def sealed(session: Session, game_id: str, row: int) -> dict[int, Sealed]:
    """The envelopes that will be opened in a row."""
    rows = session.rows("select payload from sealed where game_id = %s and sequence = %s", game_id, row)
    return _envelopes(payload for (payload,) in rows)


def _envelopes(payloads: Any) -> dict[int, Sealed]:
    envelopes = [msgspec.json.decode(payload, type=Sealed) for payload in payloads]
    return {one.order.seat: one for one in envelopes}


def table_of(kept: Kept, sealed_moves: dict[int, Sealed] | None = None) -> Table:
    return Table(kept.game, kept.header, kept.seed, kept.position, kept.sequence, kept.head, sealed_moves)


def remember(game_id: str, table: Table) -> None:
    """What was just written, unless another thread has written more meanwhile."""
    status: Status = "over" if table.is_over else "running"
    kept = Kept(table.game, table.header, table.seed, table.sequence, table.head, table.position_json, status)
    MEMORY.put(game_id, kept, only_newer=True)


def check_running(kept: Kept) -> None:
    if kept.status != "running":
        raise WrongStatus(f"The game is {kept.status}; moves can be made in a game that is running.")


def stale(expected: int, sequence: int) -> Stale:
    return Stale(f"The game is at sequence number {sequence}, not {expected}.", sequence)

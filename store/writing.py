"""The calls that write moves, one round trip each. The functions of the database that they call, and what these answer,
are described in its migrations: cheaper_moves.sql, one_idempotency.sql, clocks.sql, seats_by_terms.sql."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from referee.log import Entry
from referee.table import Sealed, Table
from store.database import Database, Session
from store.idempotency import Answer, IdempotencyKey

# Numbers and moments of our own making stand in the text itself: to bind each took a hundredth of a move in all.
APPEND = "append(%s, {}, %s, %s, %s, %s, %s, {})"
# The last move of a game is noted in the same statement.
LAST_APPEND = "with last as materialized (select {} as verdict) select note_end(%s, last.verdict) from last"
SEAL = "seal(%s, %s, %s, %s::smallint, %s, %s, %s)"
# The same with an idempotency key, its request and the answer to keep.
APPEND_ONCE = APPEND.replace("append", "append_once").removesuffix(")") + ", %s, %s, %s, %s, %s, %s)"
SEAL_ONCE = SEAL.replace("seal", "seal_once").removesuffix(")") + ", %s, %s, %s, %s, %s, %s)"

SNAPSHOT_EVERY = 16  # rows; any earlier position is at most so many away from a snapshot


class Times(msgspec.Struct, frozen=True):
    """What a move means for the clock: the moment of it, whom the game waits for then, when time is up for whoever is
    asked anew, and when the clock has something to do before that. `terms` is what that was worked out from."""

    now: datetime
    to_act: list[int]
    due: datetime | None = None
    alarm: datetime | None = None  # None: at the deadline
    bank: list[int] | None = None  # None: as it was
    terms: int = 0

    def sql(self, seat: int | None, reveals: bool, snapshot_every: int) -> str:
        """The part of a call that is made of numbers and moments alone."""
        bank = "null" if self.bank is None else f"array[{_numbers(self.bank)}]::int[]"
        whose = "null" if seat is None else f"{seat:d}::smallint"
        return (
            f"'{{{_numbers(self.to_act)}}}', {whose}, {'true' if reveals else 'false'}, {snapshot_every:d},"
            f" {_moment(self.now)}, {_moment(self.due)}, {_moment(self.alarm)}, {bank}, {self.terms:d}"
        )


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join([f"{number:d}" for number in numbers])


def _moment(moment: datetime | None) -> str:
    return "null" if moment is None else f"'{datetime.isoformat(moment)}'"


class Verdict(msgspec.Struct, frozen=True):
    """What became of a write.

    `done`, with the `next_work` that a worker has to do now, if any; `stale` if the game is elsewhere or not running;
    `repeated`, with the answer given then, or `reused`, for a key that is known. Only `done` has changed anything.
    """

    kind: Literal["done", "stale", "repeated", "reused"]
    next_work: str = ""
    answer: Answer | None = None

    @classmethod
    def read(cls, parts: list[str]) -> "Verdict":
        match parts:
            case ["done", next_work]:
                return cls("done", next_work)
            case ["repeated", status, body, headers]:
                return cls("repeated", answer=Answer(int(status), body, msgspec.json.decode(headers)))
            case ["stale"]:
                return cls("stale")
            case _:
                return cls("reused")


class Keyed(msgspec.Struct, frozen=True):
    """An idempotency key, and the answer to keep under it."""

    key: IdempotencyKey
    answer: Answer

    @property
    def columns(self) -> tuple[Any, ...]:
        headers = msgspec.json.encode(self.answer.headers).decode()
        return *msgspec.structs.astuple(self.key), self.answer.status, self.answer.body, headers


def append(
    where: Session | Database,
    game_id: str,
    expected: int,
    head: str,
    entries: Sequence[Entry],
    table: Table,
    times: Times,
    seat: int | None = None,
    keyed: Keyed | None = None,
    snapshot_every: int = SNAPSHOT_EVERY,
) -> Verdict:
    """Writes what a table has played. `seat` is whose move it is; nobody's if the clock or a reveal made it.

    In a transaction of the caller's, or by itself: then moves of other games may be written in the same call.
    """
    key = keyed.columns if keyed else ()
    reveals = any(entry.row.is_reveal for entry in entries)
    call = (APPEND_ONCE if key else APPEND).format(int(expected), times.sql(seat, reveals, snapshot_every))
    values = (
        game_id,
        head,
        "\n".join([entry.row_json.decode() for entry in entries]),
        "\n".join([entry.hash for entry in entries]),
        table.position_json.decode(),
        table.ending,
        *key,
    )
    if table.ending:
        return _write_last(where, game_id, call, values)
    return _write(where, game_id, call, values)


def seal(
    where: Session | Database,
    game_id: str,
    expected: int,
    terms: int,
    seat: int,
    sealed: Sealed,
    now: datetime,
    cool_off: int = 0,
    keyed: Keyed | None = None,
) -> Verdict:
    """Writes a sealed move, in place of an earlier one of its seat. After the last one the reveal waits for the
    cool-off, in seconds. `where` is as in `append`."""
    key = keyed.columns if keyed else ()
    payload = msgspec.json.encode(sealed).decode()
    values = (game_id, expected, terms, seat, payload, now, cool_off, *key)
    return _write(where, game_id, SEAL_ONCE if key else SEAL, values)


def _write(where: Session | Database, game_id: str, call: str, values: tuple[Any, ...]) -> Verdict:
    if isinstance(where, Session):
        return Verdict.read(where.value(f"select {call}", *values))
    return Verdict.read(where.write(game_id, call, values))


def _write_last(where: Session | Database, game_id: str, call: str, values: tuple[Any, ...]) -> Verdict:
    """Ends are numbered one after another: nobody else's move should have to wait for that."""
    if isinstance(where, Session):
        return Verdict.read(where.value(LAST_APPEND.format(call), *values, game_id))
    with where.session() as session:
        return _write_last(session, game_id, call, values)

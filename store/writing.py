"""The calls that write moves, one round trip each. What they answer, the verdict, is described where the functions of
the database are, in migrations/0004_cheaper_moves.sql. With a `key` they keep the answer to a request under it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.log import Entry
from referee.table import Sealed, Table
from store.database import Session

SNAPSHOT_EVERY = 16  # rows; any earlier position is at most so many away from a snapshot


def append(
    session: Session,
    game_id: str,
    expected: int,
    head: str,
    entries: Sequence[Entry],
    table: Table,
    seat: int | None = None,
    key: tuple[Any, ...] = (),
) -> list[str]:
    """Writes what a table has played. `seat` is whose move it is; nobody's if the clock or a reveal made it."""
    verdict: list[str] = session.value(
        f"select append{'_once' if key else ''}"
        f"(%s, %s, %s, %s, %s, %s, %s, %s, %s::smallint, %s, %s{', %s' * len(key)})",
        game_id,
        expected,
        head,
        "\n".join([entry.row_json.decode() for entry in entries]),
        "\n".join([entry.hash for entry in entries]),
        table.position_json.decode(),
        table.ending,
        f"{{{','.join(map(str, acting(table)))}}}",
        seat,
        any(entry.row.is_reveal for entry in entries),
        SNAPSHOT_EVERY,
        *key,
    )
    return verdict


def acting(table: Table) -> list[int]:
    """The seats that the game waits for."""
    return sorted(table.awaited().difference(table.sealed))


def seal(session: Session, game_id: str, expected: int, seat: int, sealed: Sealed, key: tuple[Any, ...]) -> list[str]:
    """Writes a sealed move, in place of an earlier one of its seat."""
    verdict: list[str] = session.value(
        f"select seal{'_once' if key else ''}(%s, %s, %s::smallint, %s{', %s' * len(key)})",
        game_id,
        expected,
        seat,
        msgspec.json.encode(sealed).decode(),
        *key,
    )
    return verdict

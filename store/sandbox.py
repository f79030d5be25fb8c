"""Copies of games: the log up to a row, and the position after it, under another id."""

from datetime import datetime

from referee.table import Table
from store.database import Session


def is_sandbox(session: Session, game_id: str) -> bool:
    return bool(session.value("select sandbox from games where id = %s", game_id))


def copy_log(transaction: Session, source: str, target: str, sequence: int) -> None:
    """The rows of a game up to one, with the snapshots on the way. Neither names the game that it is of."""
    transaction.run(
        "insert into log (game_id, sequence, payload, previous, hash)"
        " select %s, sequence, payload, previous, hash from log where game_id = %s and sequence <= %s"
        " order by sequence",
        target,
        source,
        sequence,
    )
    transaction.run(
        "insert into snapshots (game_id, sequence, position)"
        " select %s, sequence, position from snapshots where game_id = %s and sequence <= %s",
        target,
        source,
        sequence,
    )


def set_position(transaction: Session, game_id: str, table: Table, now: datetime) -> None:
    """Where a copy goes its own way."""
    transaction.run(
        "update games set sequence = %s, head = %s, position = %s, to_act = %s::smallint[], moved_at = %s,"
        " asked_at = %s, tallied = %s where id = %s",
        table.sequence,
        table.head,
        table.position_json.decode(),
        table.acting(),
        now,
        now,
        table.sequence,
        game_id,
    )

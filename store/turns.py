"""Late turns, and those who have left: what a player's record is made of."""

from datetime import datetime

import msgspec

from store.database import Session, columns


class Departure(msgspec.Struct, frozen=True):
    """Somebody has left a game that had begun, at this row; perhaps they have returned."""

    seat: int
    player_id: int | None
    sequence: int
    why: str
    left_at: datetime
    returned_at: datetime | None


def add_late(
    transaction: Session, game_id: str, seat: int, sequence: int, player_id: int | None, moment: datetime
) -> None:
    transaction.run(
        "insert into late_turns (game_id, seat, sequence, player_id, late_at) values (%s, %s, %s, %s, %s)",
        game_id,
        seat,
        sequence,
        player_id,
        moment,
    )


def last_late(session: Session, game_id: str, seat: int, limit: int) -> list[int]:
    """The rows with which the last late turns of who has this seat now began, newest first."""
    rows = session.rows(
        "select t.sequence from late_turns t join seats s using (game_id, seat)"
        " where t.game_id = %s and t.seat = %s and t.player_id = s.player_id order by t.sequence desc limit %s",
        game_id,
        seat,
        limit,
    )
    return [sequence for (sequence,) in rows]


def add_departure(
    transaction: Session, game_id: str, seat: int, player_id: int | None, sequence: int, why: str, moment: datetime
) -> None:
    transaction.run(
        "insert into departures (game_id, seat, player_id, sequence, why, left_at) values (%s, %s, %s, %s, %s, %s)",
        game_id,
        seat,
        player_id,
        sequence,
        why,
        moment,
    )


def note_return(transaction: Session, game_id: str, seat: int, player_id: int, moment: datetime) -> None:
    transaction.run(
        "update departures set returned_at = %s where id = (select max(id) from departures"
        " where game_id = %s and seat = %s and player_id = %s) and returned_at is null",
        moment,
        game_id,
        seat,
        player_id,
    )


def departures(session: Session, game_id: str) -> list[Departure]:
    return session.all(
        Departure, f"select {columns(Departure)} from departures where game_id = %s order by id", game_id
    )

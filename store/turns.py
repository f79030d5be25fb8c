"""Late turns, and those who have left: what a player's record is made of."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from store.database import Session, columns

KEPT_ANSWERS = 200  # of a player: the median is that of the last ones


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


class GameLeft(msgspec.Struct, frozen=True):
    """A game that a player has left after it had begun."""

    game_id: str
    seat: int
    why: str
    left_at: datetime
    returned_at: datetime | None


def games_left(session: Session, player_id: int) -> list[GameLeft]:
    return session.all(
        GameLeft, f"select {columns(GameLeft)} from departures where player_id = %s order by id", player_id
    )


def forget_player(transaction: Session, player_id: int) -> None:
    """What is counted stays with the games, and is nobody's any more."""
    transaction.run("update late_turns set player_id = null where player_id = %s", player_id)
    transaction.run("update departures set player_id = null where player_id = %s", player_id)
    transaction.run("delete from turn_records where player_id = %s", player_id)


class Counted(msgspec.Struct, frozen=True):
    """What is known of how a player keeps turns."""

    player_id: int
    answered: int
    recent: list[int]
    late: int
    left: int


def counted(session: Session, player_ids: Sequence[int]) -> list[Counted]:
    return session.all(
        Counted,
        "with whom as (select unnest(%s::bigint[]) as id),"
        " late as (select player_id, count(*) as times from late_turns where player_id = any(%s) group by 1),"
        " gone as (select d.player_id, count(*) as times from departures d join games g on g.id = d.game_id"
        "  where d.player_id = any(%s) and d.returned_at is null and not g.sandbox group by 1)"
        " select whom.id, coalesce(r.answered, 0), coalesce(r.recent, '{}'), coalesce(late.times, 0),"
        " coalesce(gone.times, 0) from whom left join turn_records r on r.player_id = whom.id"
        " left join late on late.player_id = whom.id left join gone on gone.player_id = whom.id",
        list(player_ids),
        list(player_ids),
        list(player_ids),
    )


class PlayedRow(msgspec.Struct, frozen=True):
    """A row of the log: its orders, and how long after the one before it came, in seconds."""

    sequence: int
    orders: list[dict[str, Any]]
    seconds: int


def untallied(session: Session, game_id: str) -> list[PlayedRow]:
    """The rows of a game that were not counted yet."""
    return session.all(
        PlayedRow,
        "select l.sequence, l.payload::json -> 'orders', extract(epoch from l.created_at - b.created_at)::int"
        " from games g join log l on l.game_id = g.id and l.sequence > g.tallied"
        " join log b on b.game_id = g.id and b.sequence = l.sequence - 1"
        " where g.id = %s and not g.sandbox order by l.sequence",
        game_id,
    )


def games_to_tally(session: Session, after: str, limit: int) -> tuple[str, list[str]]:
    """Looks through so many games, in the order of their ids: the last of them, and those with rows to count. An index
    of these would have to be written with every move."""
    row = session.row(
        "select coalesce(max(id), ''),"
        " coalesce(array_agg(id order by id) filter (where sequence > tallied and not sandbox), '{}')"
        " from (select id, sequence, tallied, sandbox from games where id > %s order by id limit %s) as looked_through",
        after,
        limit,
    )
    assert row is not None
    return row[0], row[1]


def set_tallied(transaction: Session, game_id: str, sequence: int) -> None:
    transaction.run("update games set tallied = %s where id = %s", sequence, game_id)


# In the order of their numbers, so that two who count for the same players do not wait for each other for ever.
ADD = (
    " order by player_id on conflict (player_id) do update set answered = turn_records.answered + excluded.answered,"
    f" recent = (turn_records.recent || excluded.recent)[greatest(1, cardinality(turn_records.recent ||"
    f" excluded.recent) - {KEPT_ANSWERS - 1}):]"
)


def add_answers(transaction: Session, game_id: str, answers: Mapping[int, Sequence[int]]) -> None:
    """Counts the answers of those who have these seats, in seconds each."""
    found = {
        player_id: list(answers[seat])
        for seat, player_id in transaction.rows(
            "select seat, player_id from seats where game_id = %s and player_id is not null", game_id
        )
        if seat in answers
    }
    for player_id, seconds in sorted(found.items()):
        transaction.run(
            "insert into turn_records (player_id, answered, recent) select %s as player_id, %s, %s::int[]" + ADD,
            player_id,
            len(seconds),
            seconds[-KEPT_ANSWERS:],
        )


def add_sealed_answers(transaction: Session, game_id: str) -> None:
    """Counts the sealed moves of a game that are about to be opened, each by when it was sealed."""
    transaction.run(
        "insert into turn_records (player_id, answered, recent)"
        " select s.player_id, 1, array[greatest(extract(epoch from e.sealed_at - g.asked_at), 0)::int]"
        " from games g join sealed e on e.game_id = g.id and e.sequence = g.sequence + 1"
        " join seats s on s.game_id = g.id and s.seat = e.seat"
        " where g.id = %s and s.player_id is not null and g.asked_at is not null and not g.sandbox" + ADD,
        game_id,
    )

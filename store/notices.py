"""Notices: what each player is told, once for each cause; and whom a game was last seen to ask."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from store.database import Session, columns
from store.deliveries import NewDelivery
from store.players import Player

FORGOTTEN_AT_ONCE = 5_000  # notices, in one call


class NewNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to be. `seat` is the player's own in that game, `about` the one that something happened to."""

    player_id: int
    game_id: str
    cause: str
    kind: str
    seat: int | None
    about: int | None
    sequence: int
    told_up_to: int  # the last row of the log that its sentences tell of; -1 if it has none
    content: str
    in_feed: bool
    happened_at: datetime


class NoticeRow(msgspec.Struct, frozen=True):
    id: int
    player_id: int
    game_id: str
    cause: str
    kind: str
    seat: int | None
    about: int | None
    sequence: int
    content: str
    created_at: datetime
    read_at: datetime | None


class GameAsTold(msgspec.Struct, frozen=True):
    """What every notice of a game says of it."""

    id: str
    ruleset: str
    title: str
    status: str
    host: int | None
    sequence: int
    to_act: list[int]
    due_at: datetime | None
    names: list[str]
    people: list[int | None]  # by seat; None for a bot
    held_back: list[int]  # seats whose standing orders are to be tried before their players are asked


class Situation(msgspec.Struct, frozen=True):
    """All that is known of a game before anybody is told of it. Lists go by seat."""

    game: GameAsTold
    invited: list[int | None]
    left_by: list[int | None]
    asked: str | None  # whom it was last seen to ask
    told_up_to: dict[int, int]  # by player, the last row of the log that a notice has told of


BY_SEAT = "array(select s.{} from seats s where s.game_id = g.id order by s.seat)"
TOLD = (
    "select g.id, g.ruleset, g.title, g.status, g.host, g.sequence, g.to_act, g.due_at,"
    f" {BY_SEAT.format('name')}, {BY_SEAT.format('player_id')},"
    " case when g.standing_tried < g.sequence then g.standing else '{}' end from games g where g.id = any(%s)"
)
SITUATION = TOLD.replace(
    " from games g where g.id = any(%s)",
    f", {BY_SEAT.format('invited_player')}, {BY_SEAT.format('left_by')},"
    " (select a.seats from asked a where a.game_id = g.id) from games g where g.id = %s",
)


def insert(transaction: Session, notice: NewNotice, ways: Sequence[NewDelivery]) -> bool:
    """Keeps a notice with its deliveries; False if the player has been told of this cause."""
    values = msgspec.structs.astuple(notice)
    made = transaction.run(
        f"with made as (insert into notices ({columns(NewNotice)}) values ({', '.join(['%s'] * len(values))})"
        " on conflict do nothing returning id, player_id)"
        " insert into deliveries (notice_id, channel, player_id, lane, due_at, state, done_at)"
        " select made.id, way.channel, made.player_id, way.lane, way.due_at, way.state,"
        " case when way.state <> 'waiting' then now() end"
        " from made,"
        " unnest(%s::text[], %s::text[], %s::timestamptz[], %s::text[]) as way (channel, lane, due_at, state)",
        *values,
        [way.channel for way in ways],
        [way.lane for way in ways],
        [way.due_at for way in ways],
        [way.state for way in ways],
    )
    return bool(made)


def by_cause(session: Session, player_id: int, game_id: str, cause: str) -> int:
    """The number of a notice that is there."""
    return int(
        session.value(
            "select id from notices where player_id = %s and game_id = %s and cause = %s", player_id, game_id, cause
        )
    )


def situation(session: Session, game_id: str) -> Situation:
    row = session.row(SITUATION, game_id)
    assert row is not None
    width = len(GameAsTold.__struct_fields__)
    invited, left_by, asked = row[width:]
    # Notices lie with the players, wherever the games are: so they are asked for by themselves.
    told_up_to = session.rows(
        "select player_id, max(told_up_to) from notices where game_id = %s group by player_id", game_id
    )
    return Situation(GameAsTold(*row[:width]), invited, left_by, asked, dict(told_up_to))


def hold_players(transaction: Session, player_ids: Iterable[int]) -> bool:
    """Whether the caller alone makes notices of some players, until the transaction ends.

    So the numbers of a player's notices come to light in their order, whichever games they are of: who has read up to
    one, and reads on, misses none.
    """
    return bool(
        transaction.value(
            "select coalesce(bool_and(pg_try_advisory_xact_lock(hashtext('notices'), (id %% 2147483647)::int)), true)"
            " from unnest(%s::bigint[]) as player(id)",
            list(player_ids),
        )
    )


def games_as_told(session: Session, game_ids: Iterable[str]) -> dict[str, GameAsTold]:
    return {game.id: game for game in session.all(GameAsTold, TOLD, list(game_ids))}


def set_asked(transaction: Session, game_id: str, seats: str) -> None:
    transaction.run(
        "insert into asked (game_id, seats) values (%s, %s) on conflict (game_id) do update set seats = excluded.seats",
        game_id,
        seats,
    )


def mark_answered(transaction: Session, game_id: str, seats: Sequence[int], kinds: Sequence[str]) -> None:
    """What asked a seat that has answered by now needs no more reading."""
    transaction.run(
        "update notices set read_at = now()"
        " where game_id = %s and seat = any(%s) and kind = any(%s) and read_at is null",
        game_id,
        list(seats),
        list(kinds),
    )


def feed(
    session: Session,
    player_id: int,
    *,
    unread: bool = False,
    game_id: str | None = None,
    after: tuple[bool, int] | None = None,
    limit: int = 50,
) -> list[NoticeRow]:
    """The feed: what is unread first, each newest first; beginning after the (is read, number) of the last one seen."""
    where, values = ["player_id = %s", "in_feed"], [player_id]
    if unread:
        where.append("read_at is null")
    if game_id is not None:
        where.append("game_id = %s")
    order = "order by (read_at is not null), (-id) limit %s"
    more = [game_id] if game_id is not None else []
    if after is not None:
        where.append("((read_at is not null), (-id)) > (%s, %s)")
        more += [after[0], -after[1]]  # type: ignore[list-item]  # values of a query
    sql = f"select {columns(NoticeRow)} from notices where {' and '.join(where)} {order}"
    return session.all(NoticeRow, sql, *values, *more, limit)


def find(session: Session, player_id: int, notice_id: int) -> NoticeRow | None:
    return session.one(
        NoticeRow,
        f"select {columns(NoticeRow)} from notices where id = %s and player_id = %s",
        notice_id,
        player_id,
    )


def some(session: Session, notice_ids: Sequence[int]) -> list[NoticeRow]:
    return session.all(
        NoticeRow, f"select {columns(NoticeRow)} from notices where id = any(%s) order by id", list(notice_ids)
    )


def of_player(session: Session, player_id: int) -> list[NoticeRow]:
    return session.all(
        NoticeRow, f"select {columns(NoticeRow)} from notices where player_id = %s order by id", player_id
    )


def unread(session: Session, player_id: int) -> int:
    return int(
        session.value("select count(*) from notices where player_id = %s and read_at is null and in_feed", player_id)
    )


def mark_read(
    session: Session,
    player_id: int,
    *,
    ids: Sequence[int] | None = None,
    game_id: str | None = None,
    up_to: int | None = None,
) -> int:
    """Marks unread notices as read, all of them or those that fit: how many."""
    where = ["player_id = %s", "read_at is null"]
    values: list[object] = [player_id]
    for condition, value in (("id = any(%s)", ids), ("game_id = %s", game_id), ("id <= %s", up_to)):
        if value is not None:
            where.append(condition)
            values.append(list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value)
    return session.run(f"update notices set read_at = now() where {' and '.join(where)}", *values)


def tidy(session: Session, days: int) -> int:
    """Drops some notices older than this, with their deliveries: how many."""
    return session.run(
        "delete from notices where id = any(array("
        "select id from notices where created_at < now() - %s * interval '1 day' order by created_at limit %s))",
        days,
        FORGOTTEN_AT_ONCE,
    )


def forget_player(transaction: Session, player_id: int) -> None:
    transaction.run("delete from notices where player_id = %s", player_id)
    transaction.run("delete from preferences where player_id = %s", player_id)


def choices(session: Session, player_ids: Sequence[int]) -> dict[int, str]:
    """The preferences of players who have set some, as JSON."""
    return dict(session.rows("select player_id, choices from preferences where player_id = any(%s)", list(player_ids)))


def players_with_choices(session: Session, player_ids: Sequence[int]) -> list[tuple[Player, str | None]]:
    """Players, without those who were forgotten, each with their preferences as JSON, if they have set some."""
    rows = session.rows(
        f"select {columns(Player, 'p')}, c.choices from players p left join preferences c on c.player_id = p.id"
        " where p.id = any(%s) and p.forgotten_at is null",
        list(player_ids),
    )
    return [(Player(*row[:-1]), row[-1]) for row in rows]


def set_choices(transaction: Session, player_id: int, text: str) -> None:
    transaction.run(
        "insert into preferences (player_id, choices) values (%s, %s)"
        " on conflict (player_id) do update set choices = excluded.choices",
        player_id,
        text,
    )

"""What a stream asks the database for: where watched games are, who sits in them, and which tokens still hold."""

from collections.abc import Collection, Mapping
from datetime import datetime

import msgspec

from store.database import Session, columns
from store.games import Status
from store.positions import NAMES, PEOPLE

NEWEST_NOTICES = 200  # of a player, that are told at once


class GameState(msgspec.Struct, frozen=True):
    """Where a game is, as everybody who may see it may know."""

    id: str
    status: Status
    sequence: int
    to_act: list[int]
    due_at: datetime | None
    ending: str


class Seated(msgspec.Struct, frozen=True):
    """Who may watch a game through a seat's eyes; `is_private`: others may not watch it at all."""

    game_id: str
    seat: int
    player_id: int | None
    is_private: bool


def states(session: Session, game_ids: Collection[str]) -> list[GameState]:
    return session.all(GameState, f"select {columns(GameState)} from games where id = any(%s)", list(game_ids))


class News(msgspec.Struct, frozen=True):
    """Where a game is, how its players are called, who they are, and the rows after one: all of the same moment."""

    state: GameState
    names: list[str]
    people: list[int | None]
    rows: list[tuple[str, str]]  # payload and hash


def news(session: Session, places: Mapping[str, int], limit: int) -> list[News]:
    """Of several games at once, each with the rows that follow the one named."""
    width = len(GameState.__struct_fields__)
    found = session.rows(
        f"select {columns(GameState, 'g')}, {NAMES}, {PEOPLE}, case when g.sequence > place.after then array("
        "  select array[l.payload, l.hash] from log l where l.game_id = g.id and l.sequence > place.after"
        "  order by l.sequence limit %s) end"
        " from unnest(%s::text[], %s::int[]) as place (id, after) join games g on g.id = place.id",
        limit,
        list(places),
        list(places.values()),
    )
    return [
        News(GameState(*row[:width]), row[width], row[width + 1], [tuple(one) for one in row[width + 2] or ()])
        for row in found
    ]


def seated(session: Session, game_ids: Collection[str]) -> list[Seated]:
    """The seats of games that have begun."""
    return session.all(
        Seated,
        "select s.game_id, s.seat, s.player_id, g.private from seats s join games g on g.id = s.game_id"
        " where s.game_id = any(%s) and g.status <> 'open'",
        list(game_ids),
    )


def games_of(session: Session, player_id: int, known: Collection[str] = ()) -> list[str]:
    """The games that a player sits in and that are not over, or that are known already, over or not."""
    rows = session.rows(
        "select g.id from seats s join games g on g.id = s.game_id"
        " where s.player_id = %s and not s.is_over and g.status in ('running', 'paused')"
        " union select game_id from seats where player_id = %s and game_id = any(%s) and is_over order by 1",
        player_id,
        player_id,
        list(known),
    )
    return [game_id for (game_id,) in rows]


def live_tokens(session: Session, digests: Collection[bytes]) -> set[bytes]:
    """Those tokens that are neither revoked nor a banned player's."""
    rows = session.rows(
        "select t.hash from tokens t where t.hash = any(%s) and t.revoked_at is null"
        " and not exists (select 1 from bans b where b.player_id = t.player_id)",
        list(digests),
    )
    return {bytes(digest) for (digest,) in rows}


def newest_notices(session: Session, player_ids: Collection[int]) -> dict[int, int]:
    """By player, the number of the last notice in their feed."""
    return dict(
        session.rows(
            "select p.id, (select max(n.id) from notices n where n.player_id = p.id and n.in_feed)"
            " from unnest(%s) as p(id)",
            list(player_ids),
        )
    )


def notices_after(session: Session, player_id: int, after: int) -> list[int]:
    """The numbers of a player's notices after one of them, oldest first."""
    rows = session.rows(
        "select id from notices where player_id = %s and id > %s and in_feed order by id limit %s",
        player_id,
        after,
        NEWEST_NOTICES,
    )
    return [number for (number,) in rows]

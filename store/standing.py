"""Standing orders: rows of a seat and its player, and when a game's are tried."""

from datetime import datetime

import msgspec

from store.database import Session


class StandingRow(msgspec.Struct, frozen=True):
    """The standing orders of a seat, as JSON."""

    seat: int
    orders: str


class PlayerOrders(msgspec.Struct, frozen=True):
    """The standing orders of a player in a game."""

    game_id: str
    seat: int
    orders: str
    changed_at: datetime


OF_PLAYERS = (
    " from standing_orders o join seats s using (game_id, seat)"
    " where o.game_id = %s and s.player_id = o.player_id and o.orders <> '[]'"
)


def of_game(session: Session, game_id: str) -> list[StandingRow]:
    """The standing orders of those who have their seats now."""
    return session.all(StandingRow, f"select o.seat, o.orders{OF_PLAYERS} order by o.seat", game_id)


def of_seat(session: Session, game_id: str, seat: int, player_id: int) -> str | None:
    found: str | None = session.value(
        "select orders from standing_orders where game_id = %s and seat = %s and player_id = %s",
        game_id,
        seat,
        player_id,
    )
    return found


def put(transaction: Session, game_id: str, seat: int, player_id: int, orders: str, now: datetime) -> None:
    """Keeps the standing orders of a seat in place of those before."""
    transaction.run(
        "insert into standing_orders (game_id, seat, player_id, orders, changed_at) values (%s, %s, %s, %s, %s)"
        " on conflict (game_id, seat, player_id)"
        " do update set orders = excluded.orders, changed_at = excluded.changed_at",
        game_id,
        seat,
        player_id,
        orders,
        now,
    )


def keep(transaction: Session, game_id: str, seat: int, orders: str) -> None:
    """Notes how far the standing orders of who has a seat have come."""
    transaction.run(
        "update standing_orders o set orders = %s from seats s where o.game_id = %s and o.seat = %s"
        " and s.game_id = o.game_id and s.seat = o.seat and s.player_id = o.player_id",
        orders,
        game_id,
        seat,
    )


def try_at(transaction: Session, game_id: str, at: datetime | None, tried: int | None = None) -> None:
    """Notes which seats have standing orders, when they are tried next, and after which row they have been."""
    transaction.run(
        f"update games set standing = array(select o.seat{OF_PLAYERS}), standing_at = %s,"
        " standing_tried = greatest(standing_tried, %s) where id = %s",
        game_id,
        at,
        -1 if tried is None else tried,
        game_id,
    )


def note_seats(transaction: Session, game_id: str, now: datetime) -> None:
    """A seat has changed hands: whose standing orders there are, and that they are to be tried."""
    transaction.run(f"update games set standing = array(select o.seat{OF_PLAYERS}) where id = %s", game_id, game_id)
    transaction.run(
        "update games set standing_at = case when standing <> '{}' then %s::timestamptz end where id = %s", now, game_id
    )


def pause_of(session: Session, game_id: str) -> int:
    found: int = session.value("select standing_pause from games where id = %s", game_id)
    return found


def of_player(session: Session, player_id: int) -> list[PlayerOrders]:
    return session.all(
        PlayerOrders,
        "select game_id, seat, orders, changed_at from standing_orders where player_id = %s order by game_id, seat",
        player_id,
    )


def forget_player(transaction: Session, player_id: int) -> None:
    transaction.run("delete from standing_orders where player_id = %s", player_id)

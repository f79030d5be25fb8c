"""Press: messages between players, chained in order, and who has blocked whom."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from store.database import Session, columns


class PressRow(msgspec.Struct, frozen=True):
    """A message. `readers` are seats, None for everybody; text and nonce are gone where it was removed."""

    game_id: str
    number: int
    id: str
    player_id: int
    seat: int
    readers: list[int] | None
    is_note: bool
    text: str | None
    nonce: str | None
    sent_at: datetime
    commitment: str
    previous: str
    hash: str
    removed_at: datetime | None


class Link(msgspec.Struct, frozen=True):
    """The last message of a game, as far as the next one needs it."""

    number: int
    hash: str


# A note is its author's. Other messages are for everybody, or for some seats and the one they come from.
FOR_A_READER = (
    "case when p.is_note then p.player_id = %s"
    " else p.readers is null or %s::smallint = any(p.readers) or p.seat = %s end"
)
NOT_BLOCKED = "not exists(select from blocks b where b.player_id = %s and b.blocked_id = p.player_id)"


def last(transaction: Session, game_id: str) -> Link | None:
    """The last message; until the transaction ends nobody else adds one."""
    transaction.run("select pg_advisory_xact_lock(hashtext('press'), hashtext(%s))", game_id)
    return transaction.one(
        Link, "select number, hash from press where game_id = %s order by number desc limit 1", game_id
    )


def insert(transaction: Session, row: PressRow) -> None:
    values = msgspec.structs.astuple(row)
    transaction.run(f"insert into press ({columns(PressRow)}) values ({', '.join(['%s'] * len(values))})", *values)


def find(session: Session, game_id: str, message_id: str) -> PressRow | None:
    return session.one(
        PressRow, f"select {columns(PressRow)} from press where game_id = %s and id = %s", game_id, message_id
    )


def listing(
    session: Session,
    game_id: str,
    *,
    player_id: int | None,
    seat: int | None,
    all_but_notes: bool,
    heed_blocks: bool,
    after: int = -1,
    limit: int = 100,
) -> list[PressRow]:
    """Messages in their order, as far as they are for these eyes."""
    where = ["p.game_id = %s", "p.number > %s"]
    values: list[object] = [game_id, after]
    if all_but_notes:
        where.append("(not p.is_note or p.player_id = %s)")
        values.append(player_id)
    else:
        where.append(FOR_A_READER)
        values += [player_id, seat, seat]
    if heed_blocks and player_id is not None:
        where.append(NOT_BLOCKED)
        values.append(player_id)
    return session.all(
        PressRow,
        f"select {columns(PressRow, 'p')} from press p where {' and '.join(where)} order by p.number limit %s",
        *values,
        limit,
    )


def chain(session: Session, game_id: str) -> list[PressRow]:
    """All messages of a game."""
    return session.all(PressRow, f"select {columns(PressRow)} from press where game_id = %s order by number", game_id)


def number_of(session: Session, game_id: str, message_id: str) -> int | None:
    found: int | None = session.value("select number from press where game_id = %s and id = %s", game_id, message_id)
    return found


def sent_since(session: Session, game_id: str, player_id: int, since: datetime) -> list[datetime]:
    """When a player has written in a game of late, oldest first."""
    rows = session.rows(
        "select sent_at from press where player_id = %s and game_id = %s and sent_at > %s order by sent_at",
        player_id,
        game_id,
        since,
    )
    return [moment for (moment,) in rows]


def remove(transaction: Session, game_id: str, message_id: str) -> bool:
    """Takes a text away; its hash stays. Whether there is such a message."""
    return bool(
        transaction.run(
            "update press set text = null, nonce = null, removed_at = least(removed_at, now())"
            " where game_id = %s and id = %s",
            game_id,
            message_id,
        )
    )


def of_player(session: Session, player_id: int) -> list[PressRow]:
    return session.all(
        PressRow, f"select {columns(PressRow)} from press where player_id = %s order by sent_at, number", player_id
    )


def forget_player(transaction: Session, player_id: int) -> None:
    """Takes away what a player has written, and whom they have blocked or were blocked by."""
    transaction.run(
        "update press set text = null, nonce = null, removed_at = least(removed_at, now())"
        " where player_id = %s and removed_at is null",
        player_id,
    )
    transaction.run("delete from blocks where player_id = %s or blocked_id = %s", player_id, player_id)


def to_whom(session: Session, game_id: str, message_id: str) -> list[tuple[int, int, int | None]]:
    """Who is told of a message: player, their seat, and the seat it came from, if senders are named."""
    rows = session.rows(
        "select s.player_id, s.seat, case when g.press_named then p.seat end"
        " from press p join games g on g.id = p.game_id join seats s on s.game_id = p.game_id"
        " where p.game_id = %s and p.id = %s and not p.is_note and p.removed_at is null and s.player_id is not null"
        " and s.player_id <> p.player_id and (p.readers is null or s.seat = any(p.readers))"
        " and not (g.press_named and exists("
        "  select from blocks b where b.player_id = s.player_id and b.blocked_id = p.player_id))"
        " order by s.seat",
        game_id,
        message_id,
    )
    return [(player_id, seat, from_seat) for player_id, seat, from_seat in rows]


def texts(session: Session, player_id: int, game_ids: Collection[str], message_ids: Sequence[str]) -> dict[str, str]:
    """The texts of messages that a player was told of, without those removed since or from somebody blocked since."""
    rows = session.rows(
        "select p.id, p.text from press p join games g on g.id = p.game_id where p.game_id = any(%s)"
        " and p.id = any(%s) and p.text is not null"
        " and not (g.press_named and exists("
        "  select from blocks b where b.player_id = %s and b.blocked_id = p.player_id))",
        list(game_ids),
        list(message_ids),
        player_id,
    )
    return dict(rows)


class Block(msgspec.Struct, frozen=True):
    """A player whom one has blocked."""

    player: int
    name: str
    created_at: datetime


def block(transaction: Session, player_id: int, blocked_id: int) -> None:
    transaction.run(
        "insert into blocks (player_id, blocked_id) values (%s, %s) on conflict do nothing", player_id, blocked_id
    )


def unblock(transaction: Session, player_id: int, blocked_id: int) -> None:
    transaction.run("delete from blocks where player_id = %s and blocked_id = %s", player_id, blocked_id)


def blocks(session: Session, player_id: int) -> list[Block]:
    return session.all(
        Block,
        "select b.blocked_id, p.name, b.created_at from blocks b join players p on p.id = b.blocked_id"
        " where b.player_id = %s order by b.created_at, b.blocked_id",
        player_id,
    )

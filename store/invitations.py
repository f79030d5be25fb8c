"""Invitations that go to addresses, and addresses that want no mail."""

from typing import Literal

import msgspec

from store.database import Session, columns

State = Literal["waiting", "known", "sent", "kept_back", "joined", "declined"]
Why = Literal["declined", "stopped", "bounced"]
KEPT_DAYS = 90


class Invitation(msgspec.Struct, frozen=True):
    """`address` is a keyed hash; `player_id` is who has taken the seat by it."""

    id: int
    game_id: str
    seat: int
    host: int
    address: bytes
    state: State
    player_id: int | None


def insert(transaction: Session, game_id: str, seat: int, host: int, address: bytes, state: State) -> None:
    transaction.run(
        "insert into invitations (game_id, seat, host, address, state) values (%s, %s, %s, %s, %s)",
        game_id,
        seat,
        host,
        address,
        state,
    )


def find(session: Session, number: int) -> Invitation | None:
    return _one(session, "where id = %s", number)


def lock(transaction: Session, number: int) -> Invitation | None:
    return _one(transaction, "where id = %s for update", number)


def next_waiting(transaction: Session, after: int) -> Invitation | None:
    """The next that nobody else is writing."""
    return _one(transaction, "where state = 'waiting' and id > %s order by id limit 1 for update skip locked", after)


def _one(session: Session, where: str, *values: object) -> Invitation | None:
    found = session.one(Invitation, f"select {columns(Invitation)} from invitations {where}", *values)
    return msgspec.structs.replace(found, address=bytes(found.address)) if found else None


def set_state(transaction: Session, number: int, state: State, player_id: int | None = None) -> None:
    transaction.run(
        "update invitations set state = %s, player_id = %s,"
        " sent_at = case when %s then now() else sent_at end where id = %s",
        state,
        player_id,
        state == "sent",
        number,
    )


def of_host(session: Session, host: int) -> tuple[int, float]:
    """How many addresses a host has invited in a day, and how many seconds ago the first of them."""
    row = session.row(
        "select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from invitations"
        " where host = %s and created_at > now() - interval '1 day'",
        host,
    )
    assert row is not None
    return int(row[0]), float(row[1])


def sent_to(session: Session, address: bytes, days: int) -> int:
    return int(
        session.value(
            "select count(*) from invitations where address = %s and sent_at > now() - %s * interval '1 day'",
            address,
            days,
        )
    )


def sent_in_a_day(session: Session) -> int:
    return int(session.value("select count(*) from invitations where sent_at > now() - interval '1 day'"))


def refuse_mail(transaction: Session, address: bytes, why: Why) -> None:
    transaction.run(
        "insert into unwanted_mail (address, why) values (%s, %s) on conflict (address) do nothing", address, why
    )


def allow_mail(transaction: Session, address: bytes) -> None:
    transaction.run("delete from unwanted_mail where address = %s", address)


def is_unwanted(session: Session, address: bytes) -> bool:
    return bool(session.value("select exists(select from unwanted_mail where address = %s)", address))


def tidy(session: Session) -> None:
    """Drops invitations of long ago. Who wants no mail is never forgotten."""
    session.run("delete from invitations where created_at < now() - %s * interval '1 day'", KEPT_DAYS)

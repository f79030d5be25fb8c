"""Mail that came back."""

from store.database import Session


def note(transaction: Session, player_id: int, email_key: str, reason: str, is_dead: bool, most: int) -> bool:
    """Counts a mail that came back; whether it is the one after which none is sent to the address any more."""
    was_stopped = stopped(transaction, player_id, email_key) is not None
    transaction.run(
        "insert into bounces as b (player_id, email_key, times, reason, stopped_at)"
        " values (%s, %s, 1, %s, case when %s or %s <= 1 then now() end) on conflict (player_id) do update set"
        " email_key = excluded.email_key, reason = excluded.reason, last_at = now(),"
        " times = case when b.email_key = excluded.email_key then b.times + 1 else 1 end,"
        " stopped_at = case when b.email_key = excluded.email_key"
        "  then coalesce(b.stopped_at, excluded.stopped_at, case when b.times + 1 >= %s then now() end)"
        "  else excluded.stopped_at end",
        player_id,
        email_key,
        reason,
        is_dead,
        most,
        most,
    )
    return not was_stopped and stopped(transaction, player_id, email_key) is not None


def stopped(session: Session, player_id: int, email_key: str) -> str | None:
    """Why nothing is sent to an address; None if it may be."""
    found: str | None = session.value(
        "select reason from bounces where player_id = %s and email_key = %s and stopped_at is not null",
        player_id,
        email_key,
    )
    return found


def forget(session: Session, player_id: int) -> None:
    """Whatever came back: the address works again, or is another's."""
    session.run("delete from bounces where player_id = %s", player_id)

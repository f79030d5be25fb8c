"""Players who are shut out."""

from store.database import Session


def insert(transaction: Session, player_id: int, reason: str) -> None:
    transaction.run(
        "insert into bans (player_id, reason) values (%s, %s)"
        " on conflict (player_id) do update set reason = excluded.reason",
        player_id,
        reason,
    )


def delete(transaction: Session, player_id: int) -> bool:
    """Whether there was a ban to lift."""
    return bool(transaction.run("delete from bans where player_id = %s", player_id))


def reason(session: Session, player_id: int) -> str | None:
    """Why a player is banned; None if he is not."""
    found: str | None = session.value("select reason from bans where player_id = %s", player_id)
    return found

"""Who agrees to what needs everybody's consent."""

from datetime import datetime

import msgspec

from store.database import Session


class Consent(msgspec.Struct, frozen=True):
    """A seat agrees: at this row, to this (the row to go back to)."""

    kind: str
    seat: int
    sequence: int
    detail: int


def give(transaction: Session, game_id: str, consent: Consent, moment: datetime) -> None:
    transaction.run(
        "insert into consents (kind, seat, sequence, detail, game_id, given_at) values (%s, %s, %s, %s, %s, %s)"
        " on conflict (game_id, kind, seat) do update set sequence = excluded.sequence, detail = excluded.detail,"
        " given_at = excluded.given_at",
        *msgspec.structs.astuple(consent),
        game_id,
        moment,
    )


def of_game(session: Session, game_id: str) -> list[Consent]:
    """In the order in which they were given."""
    return session.all(
        Consent,
        "select kind, seat, sequence, detail from consents where game_id = %s order by given_at, seat",
        game_id,
    )


def clear(transaction: Session, game_id: str, kind: str) -> None:
    transaction.run("delete from consents where game_id = %s and kind = %s", game_id, kind)

"""Mail that came in and answers that go out."""

from datetime import datetime

import msgspec

from store.database import Session, columns

LEASE = "interval '60 seconds'"  # until a mail that somebody has begun to read is read by another
KEPT_DAYS = 30


class MailIn(msgspec.Struct, frozen=True):
    id: int
    sender: str
    recipient: str
    raw: bytes
    state: str


class MailOut(msgspec.Struct, frozen=True):
    id: int
    mail_in: int | None
    invitation: int | None  # that it is, or that its guest has answered
    sent_to: str
    raw: bytes
    attempts: int


def secret(session: Session, name: str) -> bytes:
    return bytes(session.value("select value from secrets where name = %s", name))


def keep(session: Session, digest: bytes, sender: str, recipient: str, raw: bytes) -> int | None:
    """The number of a mail that came in; None if it came before."""
    found: int | None = session.value(
        "insert into mail_in (digest, sender, recipient, raw) values (%s, %s, %s, %s)"
        " on conflict (digest) do nothing returning id",
        digest,
        sender,
        recipient,
        raw,
    )
    return found


def take(session: Session, limit: int, waiting: float = 0.0) -> list[int]:
    """Mails to be read now, with a lease on each; of those alone that have waited for so many seconds."""
    rows = session.rows(
        f"update mail_in set due_at = now() + {LEASE} where id in (select id from mail_in where state = 'waiting'"
        " and due_at <= now() - %s * interval '1 second' order by id limit %s for update skip locked) returning id",
        waiting,
        limit,
    )
    return sorted(number for (number,) in rows)


def find(session: Session, mail_id: int) -> MailIn | None:
    return session.one(MailIn, f"select {columns(MailIn)} from mail_in where id = %s", mail_id)


def finish(transaction: Session, mail_id: int, outcome: str) -> bool:
    """Whether it was still to be read."""
    return bool(
        transaction.run(
            "update mail_in set state = 'done', outcome = %s where id = %s and state = 'waiting'", outcome, mail_id
        )
    )


def note_speaker(
    session: Session, mail_id: int, player_id: int, game_id: str | None, written_at: datetime | None
) -> None:
    """Who has written, about what, and when: not later than it came, whatever their clock says."""
    session.run(
        "update mail_in set player_id = %s, game_id = %s, written_at = least(%s, received_at) where id = %s",
        player_id,
        game_id,
        written_at,
        mail_id,
    )


def was_overtaken(session: Session, mail_id: int) -> bool:
    """Whether orders of the same player in the same game that were written later have been taken before."""
    return bool(
        session.value(
            "select exists(select from mail_in a join mail_in b on b.player_id = a.player_id and b.game_id = a.game_id"
            " where a.id = %s and b.id <> a.id and b.outcome = 'played' and b.written_at > a.written_at)",
            mail_id,
        )
    )


def game_of(session: Session, mail_id: int) -> str | None:
    """The game that a mail was about, if it was about one."""
    found: str | None = session.value("select game_id from mail_in where id = %s", mail_id)
    return found


def count_from(session: Session, player_id: int, minutes: int, but: int) -> int:
    """How many mails of a player have been read of late, without this one."""
    return int(
        session.value(
            "select count(*) from mail_in where player_id = %s and state = 'done' and id <> %s"
            " and received_at > now() - %s * interval '1 minute'",
            player_id,
            but,
            minutes,
        )
    )


def count_about(session: Session, game_id: str, minutes: int, but: int) -> int:
    """The same of a game."""
    return int(
        session.value(
            "select count(*) from mail_in where game_id = %s and state = 'done' and id <> %s"
            " and received_at > now() - %s * interval '1 minute'",
            game_id,
            but,
            minutes,
        )
    )


def put_off(session: Session, mail_id: int, minutes: int) -> None:
    session.run(
        "update mail_in set due_at = now() + %s * interval '1 minute' where id = %s and state = 'waiting'",
        minutes,
        mail_id,
    )


def hold(transaction: Session, mail_id: int, confirm: bytes) -> bool:
    return bool(
        transaction.run(
            "update mail_in set state = 'held', confirm = %s where id = %s and state = 'waiting'", confirm, mail_id
        )
    )


def release(transaction: Session, confirm: bytes) -> int | None:
    """The mail that waited for this confirmation, to be read now as its owner's."""
    found: int | None = transaction.value(
        "update mail_in set state = 'waiting', due_at = now(), outcome = 'confirmed'"
        " where confirm = %s and state = 'held' returning id",
        confirm,
    )
    return found


def is_confirmed(session: Session, mail_id: int) -> bool:
    return bool(session.value("select outcome = 'confirmed' from mail_in where id = %s", mail_id))


def answer(
    transaction: Session, mail_id: int, kind: str, sent_to: str, raw: bytes, invitation: int | None = None
) -> None:
    """Keeps an answer to be sent, one of each kind for a mail."""
    transaction.run(
        "insert into mail_out (mail_in, kind, sent_to, raw, invitation) values (%s, %s, %s, %s, %s)"
        " on conflict do nothing",
        mail_id,
        kind,
        sent_to,
        raw,
        invitation,
    )


def add_invitation(transaction: Session, invitation: int, sent_to: str, raw: bytes) -> None:
    """Keeps an invitation to be sent."""
    transaction.run(
        "insert into mail_out (kind, sent_to, raw, invitation) values ('invited', %s, %s, %s) on conflict do nothing",
        sent_to,
        raw,
        invitation,
    )


def answers_due(session: Session, limit: int, waiting: float = 0.0) -> list[MailOut]:
    """Answers to be sent now, each with a try counted and a pause that grows until the next; of those alone that have
    waited for so many seconds."""
    return session.all(
        MailOut,
        "update mail_out set attempts = attempts + 1,"
        " due_at = now() + least(interval '4 hours', interval '30 seconds' * power(3, least(attempts, 8)))"
        " where id in (select id from mail_out where state = 'waiting' and due_at <= now() - %s * interval '1 second'"
        f" order by id limit %s for update skip locked) returning {columns(MailOut)}",
        waiting,
        limit,
    )


def note_sent(session: Session, answer_id: int) -> None:
    session.run("update mail_out set state = 'sent' where id = %s", answer_id)


def note_failed(session: Session, answer_id: int, reason: str, for_good: bool) -> None:
    session.run(
        "update mail_out set reason = %s,"
        " state = case when %s or created_at < now() - interval '2 days' then 'given_up' else 'waiting' end"
        " where id = %s",
        reason[:500],
        for_good,
        answer_id,
    )


def answers_since(session: Session, sent_to: str, minutes: int, kind: str = "answer") -> int:
    return int(
        session.value(
            "select count(*) from mail_out where sent_to = %s and kind = %s"
            " and created_at > now() - %s * interval '1 minute'",
            sent_to,
            kind,
            minutes,
        )
    )


def tidy(session: Session) -> None:
    session.run("delete from mail_in where received_at < now() - %s * interval '1 day'", KEPT_DAYS)
    session.run("delete from mail_out where created_at < now() - %s * interval '1 day'", KEPT_DAYS)

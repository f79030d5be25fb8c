"""When the sweep was there last, and what an outage does to the deadlines."""

from datetime import datetime, timedelta

import msgspec

from store.database import Session, columns


class Beat(msgspec.Struct, frozen=True):
    """A sign of life: the moment, and the seconds that had passed since the machine of this name started."""

    beat_at: datetime
    monotonic: float
    boot: str


def read(session: Session) -> Beat | None:
    return session.one(Beat, f"select {columns(Beat)} from heartbeat")


def lock(transaction: Session) -> Beat | None:
    """The last one, held until the transaction ends."""
    return transaction.one(Beat, f"select {columns(Beat)} from heartbeat for update")


def write(transaction: Session, beat: Beat) -> None:
    transaction.run(
        "insert into heartbeat (beat_at, monotonic, boot) values (%s, %s, %s)"
        " on conflict (id) do update set beat_at = excluded.beat_at, monotonic = excluded.monotonic,"
        " boot = excluded.boot",
        *msgspec.structs.astuple(beat),
    )


# By how much a game's deadline moves, worked out from its row alone: no game has to be held before it is changed. Who
# was asked in the meantime has lost only what came after.
LOST = "greatest(least(%(shift)s, %(ended)s - asked_at), interval '0')"
# Who would have had to answer in the meantime gets some time after it, not all the same.
LONGER = (
    f"greatest(later(due_at, {LOST}), case when due_at > %(began)s"
    f" then later(%(ended)s, least({LOST}, %(most)s) * (1 + (hashtext(id) & 65535) / 65536.0)) end)"
)
IN_LOST_TIME = f"{LOST} > interval '0'"
# The clock was set back. Who was asked by the new clock keeps their deadline. Games are looked at a moment after the
# heartbeat has read the time, and some may have moved in that moment.
ASKED_BEFORE = "not (asked_at > %(ended)s - %(passed)s and asked_at <= %(ended)s + interval '10 seconds')"
MOVE = """
    update games set
        due_at = {due},
        alarm_at = later(alarm_at, {due} - due_at),
        asked_at = later(asked_at, {shift}),
        reveal_at = later(reveal_at, {shift}),
        terms = terms + 1,
        wake_at = least(standing_wake(standing_at, standing_pause),
                        next_wake(to_act, bots, later(reveal_at, {shift}),
                                  coalesce(later(alarm_at, {due} - due_at), {due}), %(ended)s))
    where status = 'running' and due_at is not null and {only}
    returning id, sequence, due_at
"""
FORWARD = MOVE.format(due=LONGER, shift=LOST, only=IN_LOST_TIME)
BACK = MOVE.format(due="later(due_at, %(shift)s)", shift="%(shift)s", only=ASKED_BEFORE)


def move_deadlines(
    transaction: Session, ended_at: datetime, shift: timedelta, passed: timedelta, most: timedelta
) -> list[tuple[str, int, datetime]]:
    """Moves the deadlines of all running games by what the clock has gone on without the service: games with their
    sequence numbers and new deadlines. So long too those who have left may still return.

    Whoever was asked in the meantime has lost only what came after. `passed` is the time since the last heartbeat,
    `most` what anybody gets on top after an outage.
    """
    values = {"ended": ended_at, "began": ended_at - shift, "shift": shift, "passed": passed, "most": most}
    sql = FORWARD if shift > timedelta(0) else BACK
    transaction.run("update seats set takes_over_at = later(takes_over_at, %s) where takes_over_at is not null", shift)
    return [(game_id, sequence, due) for game_id, sequence, due in transaction.rows(sql, **values)]


def look_again(transaction: Session, now: datetime, jump: timedelta, passed: timedelta) -> None:
    """After the clock was set: what was to be looked at soon, in games without a deadline, is looked at now, and not
    when the new clock shows the old time. Standing orders and envelopes that wait, wait as long as they would have;
    but an envelope that was closed by the new clock keeps its time."""
    transaction.run(
        "update games set standing_at = later(standing_at, %s) where status = 'running' and standing_at is not null",
        jump,
    )
    transaction.run(
        "update games g set reveal_at = later(reveal_at, %s) where status = 'running' and due_at is null"
        " and reveal_at is not null and not exists(select from sealed s where s.game_id = g.id"
        "  and s.sealed_at > %s and s.sealed_at <= %s + interval '10 seconds')",
        jump,
        now - passed,
        now,
    )
    transaction.run(
        "update games set wake_at = %s where status = 'running' and due_at is null and wake_at > %s", now, now
    )


def tell(transaction: Session, moved: list[tuple[str, int, datetime]], details: list[str]) -> None:
    """Has the players of all these games told, in one statement: there may be very many."""
    transaction.run(
        "insert into outbox (game_id, kind, sequence, detail)"
        " select game_id, 'deadline_moved', sequence, detail"
        " from unnest(%s::text[], %s::int[], %s::text[]) as moved (game_id, sequence, detail)",
        [game_id for game_id, _, _ in moved],
        [sequence for _, sequence, _ in moved],
        details,
    )


def add_outage(transaction: Session, began_at: datetime, ended_at: datetime, shift: timedelta, games: int) -> None:
    transaction.run(
        "insert into outages (began_at, ended_at, shift, games) values (%s, %s, %s, %s)",
        began_at,
        ended_at,
        shift,
        games,
    )

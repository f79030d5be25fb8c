"""The way of a move: a position from memory or the database, the referee, and one call that writes everything."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.errors import OrderError
from referee.table import Outcome, Table
from runtime.wall_clock import now
from service.deadlines import banks_after, times_after
from service.errors import KeyReused, NoSeat, Stale, WrongStatus
from service.idempotency import kept_answer
from service.positions import CachedGame, check_running, for_a_move, refresh, remember, stale
from service.work import Work, work_after
from store.database import Database
from store.idempotency import Answer, IdempotencyKey
from store.writing import Keyed, append, seal

Orders = Sequence[Any] | str  # moves as objects or lines, or a whole turn as text
MakeAnswer = Callable[[Table, Outcome], Answer]

ATTEMPTS = 8  # at a game that others move in at the same time


class Submission(msgspec.Struct, frozen=True):
    """What became of a submission, and what a worker has to do in the game now."""

    table: Table | None  # after it; None for an answer given before
    outcome: Outcome | None
    answer: Answer | None = None
    is_repeated: bool = False
    work: Work | None = None


def submit(
    db: Database,
    game_id: str,
    seat: int,
    orders: Orders,
    *,
    expected: int | None = None,
    by: str = "player",
    holder: int | msgspec.UnsetType | None = msgspec.UNSET,
    key: IdempotencyKey | None = None,
    answer: MakeAnswer | None = None,
    blind: bool = False,
    dry_run: bool = False,
) -> Submission:
    """Plays orders of a seat, all or none; `blind` ones up to the first that cannot be played (`Table.submit`).

    `holder` is who must have the seat in the moment of the write: a player, or None for a bot.
    With `expected` the game must be at that sequence number. With a `key` the answer that `answer` makes is kept
    in the same transaction, and a request that comes again gets it again. A dry run is checked and not written.
    Raises OrderError, Stale, WrongStatus, NoSeat, NotFound, KeyReused or Unavailable; then nothing has changed (after
    Unavailable, that is not known: send the same request again).
    """
    try:
        return _submit(db, game_id, seat, orders, expected, by, holder, key, answer, blind, dry_run)
    except (OrderError, Stale, WrongStatus, NoSeat):
        # A request that was done before may well be against the rules by now.
        if key is not None:
            before = kept_answer(db, game_id, key)
            if before:
                return Submission(None, None, before, is_repeated=True)
        raise


def _submit(
    db: Database,
    game_id: str,
    seat: int,
    orders: Orders,
    expected: int | None,
    by: str,
    holder: int | msgspec.UnsetType | None,
    key: IdempotencyKey | None,
    answer: MakeAnswer | None,
    blind: bool,
    dry_run: bool,
) -> Submission:
    cached, is_fresh = (None if dry_run else for_a_move(game_id)), False
    for _ in range(ATTEMPTS):
        if cached is None or cached.status != "running" or (expected is not None and cached.sequence != expected):
            if not is_fresh:
                cached, is_fresh = refresh(db, game_id), True
            assert cached is not None
            check_running(cached)
            if expected is not None and cached.sequence != expected:
                raise stale(expected, cached.sequence)
        if holder is not msgspec.UNSET and cached.people[seat] != holder:
            # Who sits where is part of the terms: what is known of it here is checked by the write.
            if is_fresh:
                raise NoSeat
            cached, is_fresh = refresh(db, game_id), True
            continue
        table = cached.table()
        try:
            if isinstance(orders, str):
                outcome = table.submit_text(seat, orders, by, blind=blind, dry_run=dry_run)
            else:
                outcome = table.submit(seat, orders, by, blind=blind, dry_run=dry_run)
        except OrderError:
            # The refusal must rest on the game as it is now, not as this process remembers it.
            if is_fresh:
                raise
            cached, is_fresh = refresh(db, game_id), True
            continue
        if dry_run:
            return Submission(table, outcome)
        submission = _write(db, game_id, cached, seat, table, outcome, key, answer)
        if submission:
            return submission
        cached, is_fresh = refresh(db, game_id), True
    assert cached is not None
    raise stale(table.sequence, cached.sequence)


def _write(
    db: Database,
    game_id: str,
    cached: CachedGame,
    seat: int,
    table: Table,
    outcome: Outcome,
    key: IdempotencyKey | None,
    answer: MakeAnswer | None,
) -> Submission | None:
    """Writes what the table has played; None if the game has moved on meanwhile."""
    made = answer(table, outcome) if key and answer else None
    keyed = Keyed(key, made) if key and made else None
    timing, moment, times = cached.timing, now(), None
    if outcome.receipt:
        cool_off = timing.clock.cool_off if timing.clock else 0
        envelope = table.sealed[seat]
        verdict = seal(db, game_id, cached.sequence, timing.terms, seat, envelope, moment, cool_off, keyed)
    else:
        bank = banks_after(timing, cached.to_act, seat, moment) if timing.bank else None
        times = times_after(timing, table, moment, bank)
        if timing.bank and (seat in cached.to_act or times.to_act != list(cached.to_act)):
            timing = msgspec.structs.replace(timing, asked_at=moment, bank=bank or timing.bank)
        verdict = append(db, game_id, cached.sequence, cached.head, outcome.entries, table, times, seat, keyed)
    if verdict.kind == "done":
        if times:
            remember(game_id, table, timing, cached.people, times.to_act)
        return Submission(table, outcome, made, work=work_after(game_id, table, verdict))
    if verdict.kind == "repeated" and key is not None:
        return Submission(None, None, kept_answer(db, game_id, key), is_repeated=True)
    if verdict.kind == "reused":
        raise KeyReused
    return None

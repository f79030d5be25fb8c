"""Taking back: the position of an earlier row becomes the present one, by a row of the log like any other."""

import random
from datetime import datetime
from typing import Literal

import msgspec

from referee.log import Entry
from referee.record import undone
from referee.table import Table
from referee.taking_back import would_reveal
from runtime.wall_clock import now
from service import consent
from service.deadlines import Timing, deadline, times_after
from service.errors import Conflict
from service.games import GameRow, hold, tell
from service.idempotency import IdempotencyKey, Once, once
from service.positions import Held, lock, remember, stale
from service.replays import at_in
from service.work import Work, work_after
from store import consents, games, positions
from store.database import Database, Session
from store.writing import Times, append

Policy = Literal["never", "own", "consent"]
ALONE = 3  # times that a player alone goes back to the same row
WORLDS = 8  # in which a move is tried, to see whether it has shown something
LEAST = 8  # an eighth of the time is left after that, however long they have taken


class Asked(msgspec.Struct, frozen=True):
    """What came of the wish to take back: done, with a worker's work, or waiting for others."""

    game: GameRow
    is_done: bool
    work: Work | None = None


def undo(
    db: Database,
    game_id: str,
    player_id: int,
    to: int | None = None,
    agree: bool = True,
    expected: int | None = None,
    key: IdempotencyKey | None = None,
) -> Once[Asked]:
    """Goes back to the position after row `to` (the one before the last row, if it is not said), as the policy of the
    game allows: at once, or when all at the table have asked for the same. `agree` False takes back what was agreed."""
    after: list[tuple[Held, Timing]] = []

    def work(transaction: Session) -> Asked:
        asked, played = _undo(transaction, game_id, player_id, to, agree, expected)
        after.extend(played)
        return asked

    def again(transaction: Session, reference: str) -> Asked:
        game = games.find(transaction, game_id)
        assert game is not None
        return Asked(game, reference == "done")

    done = once(db, key, work, lambda asked: "done" if asked.is_done else "asked", again)
    for held, timing in after:
        remember(game_id, held.table, timing, held.people, held.table.acting())
    return done


def _undo(
    transaction: Session, game_id: str, player_id: int, to: int | None, agree: bool, expected: int | None
) -> tuple[Asked, list[tuple[Held, Timing]]]:
    game = hold(transaction, game_id, "running")
    held = lock(transaction, game_id)
    assert held is not None, "it is running, and held"
    seat = consent.seat_of(transaction, game_id, player_id)
    if expected is not None and expected != held.table.sequence:
        raise stale(expected, held.table.sequence)
    if not agree:
        consents.clear(transaction, game_id, "undo")
        return Asked(game, is_done=False), []
    asked = _asked_before(transaction, game_id, held.table.sequence)
    target = to if to is not None else asked.detail if asked else held.table.sequence - 1
    rows = _rows_to_take_back(transaction, game, held, target)
    if game.undo == "own":
        _check_own(transaction, game, held, seat, target, rows)
    elif not consent.agree(transaction, game_id, "undo", seat, held.table.sequence, target):
        tell(transaction, game, "undo_asked", seat, to=target)
        return Asked(game, is_done=False), []
    asker = asked.seat if asked and asked.detail == target else seat
    return _go_back(transaction, game, held, target, asker)


def _asked_before(session: Session, game_id: str, sequence: int) -> consent.Consent | None:
    """What somebody has asked for at this row."""
    given = consents.of_game(session, game_id)
    return next((each for each in given if (each.kind, each.sequence) == ("undo", sequence)), None)


def _rows_to_take_back(session: Session, game: GameRow, held: Held, target: int) -> list[Entry]:
    sequence = held.table.sequence
    if game.undo == "never":
        raise Conflict("In this game nothing is taken back: its host has opened it so.")
    if not 0 <= target < sequence:
        raise Conflict(f"The game can go back to the rows 0 to {sequence - 1}, and not to {target}.")
    if held.table.sealed:
        raise Conflict("Sealed orders wait for their reveal: change yours, or go back after it.")
    rows = positions.entries(session, game.id, target, sequence - target)
    if any(entry.row.is_carry_over for entry in rows):
        raise Conflict("The game has newer rules since then, and cannot go back to before that.")
    return rows


def _check_own(session: Session, game: GameRow, held: Held, seat: int, target: int, rows: list[Entry]) -> None:
    """By the player alone: nobody else has acted, and nothing was shown."""
    for entry in rows:
        orders = entry.row.orders
        if len(orders) != 1 or orders[0].seat != seat or orders[0].by != "player":
            raise Conflict("Only your own last moves can be taken back, and only until somebody else has acted.")
    before = at_in(session, game.id, held.table, target)
    for entry in rows:
        order = entry.row.orders[0]
        if would_reveal(before, seat, order.move, [random.Random(number) for number in range(WORLDS)]):
            raise Conflict(f"Row {entry.row.number} has shown something new: that cannot be taken back.")
        before.submit(seat, [order.move], order.by)
    earlier = positions.entries(session, game.id, max(-1, target - 1 - 4 * ALONE), 4 * ALONE + 1)
    times = sum(entry.row.is_undo and undone(entry.row).seat == seat for entry in earlier)
    if times >= ALONE:
        raise Conflict(f"You have taken back {times} times here; that is enough.")


def _go_back(
    transaction: Session, game: GameRow, held: Held, target: int, seat: int
) -> tuple[Asked, list[tuple[Held, Timing]]]:
    table, moment = held.table, now()
    expected, head = table.sequence, table.head
    past = at_in(transaction, game.id, table, target)
    entry = table.undo(past.position_json, target, seat)
    times = times_after(held.timing, table, moment)
    if game.undo == "own":
        times = _time_goes_on(transaction, game, held.timing, table, times, target)
    verdict = append(transaction, game.id, expected, head, (entry,), table, times, snapshot_every=1)
    assert verdict.kind == "done", "the game is held"
    consents.clear(transaction, game.id, "undo")
    tell(transaction, game, "undone", seat, to=target)
    after = games.find(transaction, game.id)
    assert after is not None
    timing = msgspec.structs.replace(held.timing, asked_at=moment)
    return Asked(after, is_done=True, work=work_after(game.id, table, verdict)), [(held, timing)]


def _time_goes_on(session: Session, game: GameRow, timing: Timing, table: Table, times: Times, target: int) -> Times:
    """Who takes back alone gains no time by it: it runs from when the decision was asked, and a little is left."""
    clock = timing.clock
    asked_at = positions.written_at(session, game.id, target)
    if clock is None or clock.time is None or times.due is None:
        return times
    least: datetime = clock.after(times.now, clock.time / LEAST)
    first = deadline(timing, table.acting(), asked_at).due or least
    due = min(times.due, max(first, least))
    return msgspec.structs.replace(times, due=due, alarm=None if timing.is_plain else clock.strikes(due))

"""Standing orders: kept for a seat, tried by a worker whenever something has happened in the game, before anybody is
told to move. What they play is written in one transaction with how far they have come, so each acts once.

Private: nothing of them leaves but to the player of the seat, until they act; then it is a move like any other.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
import structlog

from referee.contract import Viewer, canonical
from referee.log import Entry
from referee.moves import read_event
from referee.orders.checking import problems_of
from referee.orders.conditions import StandingError
from referee.orders.deciding import Answered, Outlook, after, answer_all, decide
from referee.orders.notation import format_move
from referee.orders.standing import MOST_ORDERS, Kept, Progress, StandingOrder, read_orders
from referee.orders.standing_format import as_data, format_order
from referee.orders.standing_text import parse_orders
from referee.seat_facts import Value
from referee.table import AnyGame, Table
from runtime.wall_clock import now
from schemas.engine import ListedOrder, StandingOrders, Trial
from service.deadlines import Timing, settled, times_after
from service.errors import Conflict, Invalid, Unavailable, WrongStatus
from service.idempotency import IdempotencyKey, Once, once
from service.positions import Held, load, lock, look, remember
from service.replays import all_entries, at
from service.telling import MarkedWords, marked
from service.work import Work, pending
from store import deadlines, games, outbox, positions, standing
from store.database import Database, Session
from store.writing import append, seal

log = structlog.get_logger("waybill.standing")

LONG_AGO = 0
LOOKED_BACK = 500  # rows, for an event that ends an order


class Acted(msgspec.Struct, frozen=True):
    """Standing orders were tried: how many answers they gave, and what a worker has to do next."""

    answers: int
    work: Work | None


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a standing order: the line, and the characters of it that are meant."""

    line: int
    start: int
    end: int
    word: str
    message: str
    readings: tuple[str, ...] = ()


class WrongOrders(Invalid):
    """Standing orders that cannot be read, or that this game does not have."""

    code = "standing_orders"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("orders", problems[0].message, [problem.message for problem in problems])
        self.places = tuple(problems)


# Reading


def read(game: AnyGame, given: str | Sequence[Any], players: Sequence[str] = ()) -> list[tuple[str, StandingOrder]]:
    """Standing orders from text, or from a list of texts and objects, each with its text; WrongOrders if there is
    anything wrong with them."""
    lines: Sequence[Any] = [given] if isinstance(given, str) else given
    found: list[tuple[str, StandingOrder]] = []
    for number, line in enumerate(lines, 1):
        if isinstance(line, str):
            try:
                found += parse_orders(game, line, players)
            except StandingError as error:
                which = error.line if isinstance(given, str) else number
                text = line.splitlines()[error.line - 1]
                word = text[error.start : error.end]
                raise WrongOrders(
                    [Problem(which, error.start, error.end, word, error.message, error.readings)]
                ) from None
        else:
            found.append(_from_data(game, line, number))
    if len(found) > MOST_ORDERS:
        raise WrongOrders([Problem(MOST_ORDERS + 1, 0, 0, "", f"At most {MOST_ORDERS} standing orders, not more.")])
    return found


def _from_data(game: AnyGame, data: Any, number: int) -> tuple[str, StandingOrder]:
    try:
        (order,) = read_orders([data])
    except (msgspec.ValidationError, RecursionError) as error:
        message = str(error).replace("$[0]", "$") or "This cannot be read."
        raise WrongOrders([Problem(number, 0, 0, "", message)]) from None
    problems = [Problem(number, 0, 0, "", problem) for problem in problems_of(game, order)]
    if problems:
        raise WrongOrders(problems)
    return format_order(game, order), order


# Keeping


def of_seat(session: Session, game_id: str, seat: int, player_id: int) -> tuple[Kept, ...]:
    found = standing.of_seat(session, game_id, seat, player_id)
    return _decoded(found) if found else ()


def listed(db: Database, game_id: str, seat: int, player_id: int) -> StandingOrders:
    """A player's standing orders, and what they would do now."""
    with db.session() as session:
        orders = of_seat(session, game_id, seat, player_id)
        table, _ = look(session, game_id)
    return _shown(table, seat, orders)


def put(
    db: Database,
    game_id: str,
    seat: int,
    player_id: int,
    given: str | Sequence[Any],
    key: IdempotencyKey | None = None,
) -> Once[Work | None]:
    """Gives standing orders in place of all that were there. One that stays the same stays as far as it has come."""
    table, _ = load(db, game_id)
    new = read(table.game, given, table.names)
    return once(
        db,
        key,
        lambda transaction: _put(transaction, game_id, seat, player_id, new),
        lambda work: "",
        lambda session, reference: None,
    )


def add(db: Database, game_id: str, seat: int, player_id: int, text: str) -> Work | None:
    """Gives more standing orders, behind those that are there."""
    table, _ = load(db, game_id)
    new = read(table.game, text, table.names)
    with db.transaction() as transaction:
        before = of_seat(transaction, game_id, seat, player_id)
        return _put(transaction, game_id, seat, player_id, [*((kept.text, kept.order) for kept in before), *new])


def remove(db: Database, game_id: str, seat: int, player_id: int, number: int | None = None) -> Work | None:
    """Takes back one standing order, by its number, or all of them."""
    with db.transaction() as transaction:
        before = of_seat(transaction, game_id, seat, player_id)
        if number is not None and all(kept.number != number for kept in before):
            have = f"you have 1 to {len(before)}" if before else "you have none"
            raise Invalid("number", f"There is no standing order {number}: {have}.")
        left = [(kept.text, kept.order) for kept in before if number is not None and kept.number != number]
        return _put(transaction, game_id, seat, player_id, left)


def _put(
    transaction: Session, game_id: str, seat: int, player_id: int, new: Sequence[tuple[str, StandingOrder]]
) -> Work | None:
    if len(new) > MOST_ORDERS:
        raise Invalid("orders", f"At most {MOST_ORDERS} standing orders, not {len(new)}.")
    game, moment = games.lock(transaction, game_id), now()
    if games.seat_of(transaction, game_id, player_id) != seat:
        raise Conflict("This seat is yours no more.")
    if game is None or game.status not in ("running", "paused"):
        raise WrongStatus("Standing orders are given in a game that has begun and is not over.")
    known = {(kept.text, kept.order): kept for kept in of_seat(transaction, game_id, seat, player_id)}
    orders = []
    for number, (text, order) in enumerate(new, 1):
        before = known.get((text, order))
        progress, since = (before.progress, before.since) if before else (Progress(), game.sequence)
        orders.append(Kept(number, text, order, progress, since))
    standing.put(transaction, game_id, seat, player_id, _encoded(orders), moment)
    standing.try_at(transaction, game_id, moment)
    deadlines.set_wake(transaction, game_id, moment)
    return pending(transaction, game_id)


# Trying without playing


def try_out(
    db: Database, game_id: str, seat: int, given: str | Sequence[Any], sequence: int | None = None
) -> StandingOrders:
    """What standing orders would do now, or would have done after an earlier row; nothing is kept or played."""
    table, _ = load(db, game_id)
    orders = [Kept(number, *one) for number, one in enumerate(read(table.game, given, table.names), 1)]
    there = table if sequence is None else at(db, game_id, table, sequence)
    return _shown(there, seat, orders)


def facts(db: Database, game_id: str, seat: int, sequence: int | None = None) -> tuple[Table, dict[str, Value]]:
    """What the facts of a game are for a seat, now or after an earlier row."""
    table, _ = load(db, game_id)
    there = table if sequence is None else at(db, game_id, table, sequence)
    return there, Outlook(there, seat).facts()


def _shown(table: Table, seat: int, orders: Sequence[Kept]) -> StandingOrders:
    game = table.game
    return StandingOrders(
        seat,
        tuple(
            ListedOrder(
                kept.number,
                kept.text,
                format_order(game, kept.order),
                as_data(kept.order),
                kept.progress.used,
                kept.progress.step > 0,
            )
            for kept in orders
        ),
        trial(table, seat, orders),
    )


def trial(table: Table, seat: int, orders: Sequence[Kept]) -> Trial:
    """What some standing orders would do at a table. No more than the first move: the next would be a look ahead."""
    is_asked = not table.is_over and seat not in table.sealed and bool(table.decisions(seat))
    if not is_asked:
        return Trial(table.sequence, asked=False)
    moment = int(now().timestamp())
    found = decide(table, seat, orders, moment, moment)
    reasons = tuple(table.words.named(reason) for reason in found.reasons)
    if found.move is None:
        return Trial(table.sequence, True, found.number or None, reasons=reasons)
    return Trial(table.sequence, True, found.number, format_move(table.game, found.move), moment_of(found.at), reasons)


# Acting


def act(db: Database, game_id: str) -> Acted | None:
    """Tries the standing orders of a game, and plays what they say until nothing more applies; None if there is nothing
    to try. It can be run at any time, and twice. If anything is wrong with them, the players are asked as ever."""
    try:
        return _act(db, game_id)
    except Unavailable:
        raise
    except Exception:
        log.exception("standing orders cannot be tried", game=game_id)
        with db.transaction() as transaction:
            held = lock(transaction, game_id)
            if held is None:
                return None
            nothing = Answered((), {}, (), {}, {}, False)
            _keep(transaction, game_id, held.table, nothing, (), now())
            return Acted(0, pending(transaction, game_id))


def _act(db: Database, game_id: str) -> Acted | None:
    moment = now()
    with db.transaction() as transaction:
        held = lock(transaction, game_id)
        if held is None:
            return None
        orders = of_game(transaction, game_id, held.table.game)
        if not orders:
            standing.try_at(transaction, game_id, None, held.table.sequence)
            deadlines.set_wake(transaction, game_id, moment)
            return Acted(0, pending(transaction, game_id))
        expected, head = held.table.sequence, held.table.head
        orders, ended = _without_ended(transaction, game_id, held.table, orders)
        if _was_taken_back(transaction, game_id, held.table):
            found = Answered((), {seat: tuple(some) for seat, some in orders.items()}, (), {}, {}, False)
        else:
            asked_at = _asked_at(transaction, game_id, held, orders)
            found = _answer(held.table, orders, int(moment.timestamp()), asked_at)
        timing = _write(transaction, game_id, held, expected, head, found, moment)
        _keep(transaction, game_id, held.table, found, ended, moment)
        work = pending(transaction, game_id)
    if held.table.sequence > expected:
        remember(game_id, held.table, timing, held.people, held.table.acting())
    return Acted(len(found.answers), work)


def _answer(table: Table, orders: Mapping[int, Sequence[Kept]], moment: int, asked_at: Mapping[int, int]) -> Answered:
    """What standing orders do. Reasons are kept with marks in place of names, as everything that players are told."""
    words, table.words = table.words, MarkedWords(table.game, marked(table.game.seats))
    try:
        return answer_all(table, orders, moment, asked_at)
    finally:
        table.words = words


def of_game(session: Session, game_id: str, game: AnyGame) -> dict[int, tuple[Kept, ...]]:
    """The standing orders of all who have their seats; those that the rules do not know any more are passed over."""
    return {
        row.seat: tuple(kept for kept in _decoded(row.orders) if not any(problems_of(game, kept.order)))
        for row in standing.of_game(session, game_id)
    }


def _asked_at(
    transaction: Session, game_id: str, held: Held, orders: Mapping[int, Sequence[Kept]]
) -> Mapping[int, int]:
    """Since when each seat has been asked: those that the game waits for since its deadline began, others since the
    last row. Read only where an order lets its player look first."""
    if not any(kept.order.after for some in orders.values() for kept in some):
        return {}
    last = positions.written_at(transaction, game_id, held.table.sequence)
    acting = held.table.acting()
    since = {seat: (held.timing.asked_at or last) if seat in acting else last for seat in orders}
    return {seat: int(asked_at.timestamp()) for seat, asked_at in since.items()}


def _was_taken_back(transaction: Session, game_id: str, table: Table) -> bool:
    """After an undo everybody decides anew, by hand: a standing order would only do the same again."""
    rows = positions.entries(transaction, game_id, table.sequence - 1, 1)
    return bool(rows) and rows[0].row.is_undo


def _without_ended(
    transaction: Session, game_id: str, table: Table, orders: Mapping[int, Sequence[Kept]]
) -> tuple[dict[int, tuple[Kept, ...]], list[tuple[int, Kept, str]]]:
    """The orders without those that an event has ended, which are told with the event's name."""
    since = [kept.since for some in orders.values() for kept in some if kept.order.stop_when]
    if not since:
        return {seat: tuple(some) for seat, some in orders.items()}, []
    first = max(min(since), table.sequence - LOOKED_BACK)
    rows = [entry for entry in all_entries(transaction, game_id, first) if entry.row.number <= table.sequence]
    left: dict[int, tuple[Kept, ...]] = {}
    ended: list[tuple[int, Kept, str]] = []
    for seat, some in orders.items():
        kept_on = []
        for kept in some:
            event = _ending_event(table.game, seat, kept, rows)
            if event:
                ended.append((seat, kept, f"it stops with this: {event}."))
            else:
                is_watching = bool(kept.order.stop_when)
                kept_on.append(msgspec.structs.replace(kept, since=table.sequence) if is_watching else kept)
        left[seat] = tuple(kept_on)
    return left, ended


def _ending_event(game: AnyGame, seat: int, kept: Kept, rows: Sequence[Entry]) -> str:
    named = {event.name: event for event in game.standing.events}
    for entry in rows:
        if entry.row.number > kept.since:
            for data in entry.row.events:
                event = read_event(game, data).seen_by(Viewer(seat))
                for name in kept.order.stop_when:
                    if named[name].happens(event, seat):
                        return name
    return ""


def _write(
    transaction: Session, game_id: str, held: Held, expected: int, head: str, found: Answered, moment: datetime
) -> Timing:
    """The rows that were played, as one submission, and the envelopes that were filled after them."""
    table, timing = held.table, held.timing
    entries = [entry for answer in found.answers for entry in answer.entries]
    if entries:
        awaited = [answer for answer in found.answers if answer.entries and answer.was_awaited]
        for answer in awaited if timing.bank else ():
            bank = settled(timing, {answer.seat: moment})
            timing = msgspec.structs.replace(timing, bank=bank or (), asked_at=moment)
        times = times_after(timing, table, moment, timing.bank or None)
        beside = None if awaited else found.answers[0].seat  # what nobody waited for leaves the deadline
        verdict = append(transaction, game_id, expected, head, entries, table, times, beside)
        assert verdict.kind == "done", "the game is held"
        if awaited:
            timing = msgspec.structs.replace(timing, asked_at=moment)
    cool_off = timing.clock.cool_off if timing.clock else 0
    for answer in found.answers:
        if not answer.entries:
            envelope = table.sealed[answer.seat]
            verdict = seal(transaction, game_id, table.sequence, timing.terms, answer.seat, envelope, moment, cool_off)
            assert verdict.kind == "done", "the game is held"
    return timing


def _keep(
    transaction: Session,
    game_id: str,
    table: Table,
    found: Answered,
    ended: Sequence[tuple[int, Kept, str]],
    moment: datetime,
) -> None:
    """How far the orders have come, what their players are told, and when they are tried again."""
    for seat, some in found.orders.items():
        standing.keep(transaction, game_id, seat, _encoded(some))
    dropped = [(seat, one.kept, one.reason) for seat, one in found.dropped]
    for seat, kept, reason in (*ended, *dropped):
        detail = canonical({"number": kept.number, "order": kept.text, "reason": reason}).decode()
        outbox.add(transaction, game_id, "standing_dropped", table.sequence, seat, detail)
    later = moment_of(min(found.later.values(), default=None))
    standing.try_at(transaction, game_id, later, table.sequence)
    deadlines.set_wake(transaction, game_id, moment)
    if not table.is_over:
        detail = canonical(
            {
                "later": {str(seat): moment_of(at) for seat, at in found.later.items()},
                "reasons": {str(seat): list(why) for seat, why in found.reasons.items() if why},
            }
        ).decode()
        outbox.add(transaction, game_id, "standing", table.sequence, None, detail)


def moment_of(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _encoded(orders: Sequence[Kept]) -> str:
    return msgspec.json.encode(list(orders)).decode()


def _decoded(text: str) -> tuple[Kept, ...]:
    return msgspec.json.decode(text, type=tuple[Kept, ...])


# For the late


class ForTheLate:
    """What standing orders play for seats whose time is up, before anything else is."""

    def __init__(self, transaction: Session, game_id: str, held: Held, moment: datetime) -> None:
        self.moment = moment
        self.orders = of_game(transaction, game_id, held.table.game) if held.standing else {}
        self.changed: set[int] = set()

    def move(self, table: Table, seat: int) -> Any:
        """A move of a seat's standing orders, however long its player wanted to look first; None if none applies."""
        found = decide(table, seat, self.orders.get(seat, ()), int(self.moment.timestamp()), LONG_AGO)
        if found.move is not None:
            self.orders[seat] = tuple(after(self.orders[seat], found))
            self.changed.add(seat)
        return found.move

    def keep(self, transaction: Session, game_id: str) -> None:
        for seat in self.changed:
            standing.keep(transaction, game_id, seat, _encoded(self.orders[seat]))


# By mail, in words


def by_text(
    db: Database, game_id: str, seat: int, player_id: int, what: Literal["show", "add", "remove"], text: str = ""
) -> tuple[str, Work | None]:
    """STANDING by mail: shows, adds or removes standing orders. The answer in words, and what a worker has to do."""
    work = None
    if what == "add":
        work = add(db, game_id, seat, player_id, text)
    elif what == "remove":
        number = text.strip().lower()
        if number not in ("", "all") and not number.isdigit():
            raise Invalid("number", f"“{text.strip()}” is no number of a standing order; write a number, or “all”.")
        work = remove(db, game_id, seat, player_id, int(number) if number.isdigit() else None)
    return in_words(listed(db, game_id, seat, player_id)), work


def in_words(found: StandingOrders) -> str:
    """Standing orders as a mail shows them."""
    if not found.orders:
        return "You have no standing orders."
    lines = [f"{one.number}. {one.reading}" + (f" (done {one.used} times)" if one.used else "") for one in found.orders]
    trial = found.now
    if trial.plays:
        lines.append(f"Now order {trial.number} would play: {trial.plays}.")
    elif trial.asked:
        lines.append("Now none of them applies: it is yours to answer.")
        lines += [f"  {reason}" for reason in trial.reasons]
    return "\n".join(lines)

"""The books: whether everything that was accepted is in the log once, and everybody was told of it.

For whoever has let something go wrong on purpose, and wants to know what came of it: see `./waybill chaos`.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta

import msgspec

from referee.errors import RecordError
from runtime.wall_clock import now as now_utc
from service import press, replays
from service.games import known
from service.positions import load
from service.press import Eyes
from store import books, games, positions
from store.books import TimedEntry, Waiting
from store.database import Database

LATE = timedelta(seconds=15)  # that a deadline may have passed before a game counts as stalled
SLACK = 0.05  # seconds by which two processes of a machine may read the time differently
ASKING = ("your_turn", "phase_opened", "reminder")


class Accepted(msgspec.Struct, frozen=True):
    """A submission of one order that was answered as accepted: with its row, or for a sealed one with its receipt."""

    game_id: str
    seat: int
    row: int
    hash: str = ""
    commitment: str = ""


class Findings(msgspec.Struct):
    """Everything that is not as it must be, in words. The first kinds are those of the issue's table."""

    lost: list[str] = []
    doubled: list[str] = []
    stalled: list[str] = []
    early: list[str] = []
    broken: list[str] = []  # chains
    untold: list[str] = []  # whom a notice is missing of
    undelivered: list[str] = []

    def all(self) -> list[str]:
        return [sentence for name in self.__struct_fields__ for sentence in getattr(self, name)]


def waiting(db: Database) -> Waiting:
    with db.session() as session:
        return books.waiting(session, now_utc() - LATE)


def stalled(db: Database) -> list[str]:
    """Games in which something should have happened by now."""
    with db.session() as session:
        return [f"{game_id} does not go on." for game_id in books.stalled(session, now_utc() - LATE)]


def next_try(db: Database) -> timedelta | None:
    """In how long a delivery that failed is tried again; None if one is due now, or none waits."""
    with db.session() as session:
        moment = books.next_try(session)
    return moment - now_utc() if moment and moment > now_utc() else None


def undelivered(db: Database, limit: int = 5) -> list[str]:
    """What still waits, in words."""
    with db.session() as session:
        waits = books.longest_waits(session, limit)
    return [
        f"{lane} by {channel}: tried {attempts} times, again in {(due - now_utc()).total_seconds():.0f} s. {reason}"
        for lane, channel, attempts, due, reason in waits
    ]


def for_a_watcher(db: Database, player_id: int) -> tuple[dict[str, int], list[int]]:
    """What the stream of a player has to tell: the last row of each of their games, and which notices."""
    with db.session() as session:
        return books.rows_by_game(session, player_id), books.feed(session, player_id)


def audit(
    db: Database,
    accepted: Sequence[Accepted],
    written: Sequence[tuple[str, str]],
    clocks: Mapping[str, int],
    letters: Collection[int],
) -> Findings:
    """Looks at every game of `clocks` (its seconds for a decision). `written` are messages that were accepted, by game
    and id; `letters` the numbers of the notices that arrived by mail."""
    found = Findings()
    for game_id, clock in clocks.items():
        mine = [one for one in accepted if one.game_id == game_id]
        with db.session() as session:
            rows = books.rows(session, game_id)
        found.lost += _lost(db, game_id, mine, rows)
        found.doubled += _doubled(game_id, mine, rows)
        found.early += _early(db, game_id, clock, rows)
        found.untold += _untold(db, game_id, rows)
        found.undelivered += _undelivered(db, game_id, letters)
        found.broken += _broken(db, game_id)
        messages = [message_id for where, message_id in written if where == game_id]
        found.lost += _lost_messages(db, game_id, messages)
    with db.session() as session:
        found.undelivered += [f"Notice {number} was given up." for number in books.given_up(session, clocks)]
    return found


def _lost(db: Database, game_id: str, accepted: Sequence[Accepted], rows: Sequence[TimedEntry]) -> Iterator[str]:
    """A sealed order may have been replaced by a later one of its seat; the last one counts."""
    by_number = {timed.entry.row.number: timed.entry for timed in rows}
    sealed: dict[tuple[int, int], Accepted] = {}
    for one in accepted:
        if one.commitment:
            sealed[one.row, one.seat] = one
        elif one.row not in by_number or by_number[one.row].hash != one.hash:
            yield f"{game_id}: row {one.row} of seat {one.seat} was accepted and is not in the log."
    with db.session() as session:
        envelopes = positions.sealed_moves(session, game_id, len(rows))
    for (number, seat), one in sealed.items():
        if number in by_number:
            kept = {order.seat: order.commitment for order in by_number[number].row.orders}.get(seat)
        else:
            envelope = envelopes.get(seat)
            kept = envelope.order.commitment if envelope and number == len(rows) else None
        if kept != one.commitment:
            yield f"{game_id}: the sealed order of seat {seat} for row {number} was accepted and is not there."


def _doubled(game_id: str, accepted: Sequence[Accepted], rows: Sequence[TimedEntry]) -> Iterator[str]:
    played = Counter(
        (timed.entry.row.number, order.seat)
        for timed in rows
        for order in timed.entry.row.orders
        if order.by == "player"
    )
    expected = {(one.row, one.seat) for one in accepted}
    for number, seat in played:
        if played[number, seat] > 1 or (number, seat) not in expected:
            yield f"{game_id}: row {number} has an order of seat {seat} that nobody was answered for."


def _early(db: Database, game_id: str, clock: int, rows: Sequence[TimedEntry]) -> Iterator[str]:
    """Where nothing can be done beside the turn, a deadline begins with the row before."""
    table, _ = load(db, game_id)
    if not all(phase.required for phase in table.game.phase_types):
        return
    for before, after in itertools.pairwise(rows):
        row = after.entry.row
        passed = (after.written_at - before.written_at).total_seconds()
        is_first = {order.seat for order in before.entry.row.orders if order.by == "clock"}.isdisjoint(
            {order.seat for order in row.orders if order.by == "clock"}
        )
        if any(order.by == "clock" for order in row.orders) and is_first and passed < clock - SLACK:
            yield f"{game_id}: row {row.number} was played by the clock after {passed:.2f} of {clock} seconds."


def _untold(db: Database, game_id: str, rows: Sequence[TimedEntry]) -> Iterator[str]:
    """Everybody is told of every reveal, of the end, and that the game waits for them; of nothing that is not."""
    with db.session() as session:
        told = books.notices(session, game_id)
        people = {seat.seat: seat.player_id for seat in games.seats(session, game_id) if seat.player_id is not None}
        game = known(session, game_id)
    causes = {(one.player_id, one.cause) for one in told}
    for seat, player_id in people.items():
        for timed in rows:
            if timed.entry.row.is_reveal and (player_id, f"revealed:{timed.entry.row.number}") not in causes:
                yield f"{game_id}: seat {seat} was not told of the reveal in row {timed.entry.row.number}."
        if game.status == "over" and (player_id, "over") not in causes:
            yield f"{game_id}: seat {seat} was not told that the game is over."
        asking = [one for one in told if one.player_id == player_id and one.kind in ASKING and not one.is_read]
        if game.status == "running" and seat in game.to_act and not asking:
            yield f"{game_id}: seat {seat} was not told that the game waits."
    for one in told:
        if one.sequence > game.sequence:
            yield f"{game_id}: notice {one.id} tells of row {one.sequence}, which there is not."


def _undelivered(db: Database, game_id: str, letters: Collection[int]) -> Iterator[str]:
    with db.session() as session:
        for one in books.notices(session, game_id):
            if "mail" in one.channels and one.id not in letters:
                yield f"{game_id}: notice {one.id} ({one.kind}) counts as delivered, and no letter holds it."


def _broken(db: Database, game_id: str) -> Iterator[str]:
    try:
        replays.rebuild(db, game_id)
    except RecordError as error:
        yield f"{game_id}: {error}"
    with db.session() as session:
        game = known(session, game_id)
        if game.status == "over":
            lines = press.export(session, game, Eyes())
            yield from (f"{game_id}: press: {problem}" for problem in press.problems(game_id, list(lines)))


def _lost_messages(db: Database, game_id: str, messages: Sequence[str]) -> Iterator[str]:
    with db.session() as session:
        game = known(session, game_id)
        kept = Counter(line.get("id") for line in press.export(session, game, Eyes()))
    for message_id in messages:
        if kept[message_id] != 1:
            yield f"{game_id}: message {message_id} was accepted and is there {kept[message_id]} times."

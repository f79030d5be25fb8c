"""The late: what is played in their place, and what becomes of their seat."""

from collections.abc import Sequence
from datetime import datetime

from referee.options import Move
from referee.orders.deciding import BY
from referee.table import Table
from service import seats
from service.bots import SPARE_BOT, choose
from service.clocks import Late
from service.positions import Held
from service.replays import all_entries
from service.standing import ForTheLate
from store import games, outbox, turns
from store.database import Session


def move_for(table: Table, seat: int, late: Late, standing: ForTheLate | None = None) -> tuple[Move, str]:
    """What is played for a seat whose time is up, and by whom the log says it is: a standing order comes first."""
    move = standing.move(table, seat) if standing else None
    if move is not None:
        return move, BY
    if late.play == "bot":
        return choose(SPARE_BOT, table, seat)
    return table.default(seat), "clock"


def note_late(
    transaction: Session, game_id: str, held: Held, late: Sequence[int], sequence: int, moment: datetime
) -> None:
    """Counts late turns, tells of them, and hands a seat over that has been late too often in a row."""
    clock = held.timing.clock
    assert clock is not None
    at_table = {seat.seat: seat.player_id for seat in games.seats(transaction, game_id)}
    for seat in late:
        turns.add_late(transaction, game_id, seat, sequence, at_table[seat], moment)
        outbox.add(transaction, game_id, "late", sequence, seat)
    most = clock.late.hand_over_after
    if most is None or held.table.is_over:
        return
    for seat in late:
        if _late_in_a_row(transaction, game_id, seat, most) >= most:
            seats.hand_over(transaction, game_id, seat, clock.late, moment)


def _late_in_a_row(session: Session, game_id: str, seat: int, most: int) -> int:
    """How many of the last turns of a seat, up to so many, were played for it without a move of its own since."""
    rows = turns.last_late(session, game_id, seat, most)
    for entry in all_entries(session, game_id, rows[-1] - 1) if rows else ():
        for order in entry.row.orders:
            if order.seat == seat and order.by in ("player", BY):
                rows = [row for row in rows if row > entry.row.number]
    return len(rows)

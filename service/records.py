"""How reliable a player is: turns answered in time, how fast, and games left. Hosts may demand something of it."""

from collections.abc import Sequence
from statistics import median

import msgspec

from service.errors import Conflict
from service.players import Player
from store import games, turns
from store.database import Database, Session
from store.games import GameRow

LOOKED_THROUGH_AT_ONCE = 2000  # games


class Demands(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a host wants of those who join."""

    turns: int = 0  # that they have answered in time so far, at least
    in_time: int = 0  # of a hundred turns, at least
    left: int | None = None  # games, at most


class TurnRecord(msgspec.Struct, frozen=True):
    """How somebody has kept their turns, in all games that have begun."""

    answered: int
    late: int
    left: int
    median: int | None  # seconds of the last answers

    @property
    def in_time(self) -> int | None:
        """Of a hundred turns; None before the first."""
        total = self.answered + self.late
        return self.answered * 100 // total if total else None


def records(session: Session, player_ids: Sequence[int]) -> dict[int, TurnRecord]:
    """The records of some players."""
    return {
        row.player_id: TurnRecord(row.answered, row.late, row.left, int(median(row.recent)) if row.recent else None)
        for row in turns.counted(session, player_ids)
    }


def check_record(session: Session, game: GameRow, player: Player) -> None:
    """Refuses who does not keep turns as the host of a game demands."""
    if game.demands is None or game.host == player.id:
        return
    demands = msgspec.json.decode(game.demands, type=Demands)
    record = records(session, [player.id])[player.id]
    if record.answered < demands.turns:
        raise Conflict(f"The host wants players with {demands.turns} turns in time; you have {record.answered}.")
    if record.in_time is not None and record.in_time < demands.in_time:
        raise Conflict(f"The host wants {demands.in_time} of 100 turns in time; of yours it is {record.in_time}.")
    if demands.left is not None and record.left > demands.left:
        raise Conflict(
            f"The host wants players who have left {demands.left} games at most; you have left {record.left}."
        )


def tally(transaction: Session, game_id: str) -> None:
    """Counts the answers in the rows of a game that were not counted yet: of who has the seats now, so before one
    changes hands."""
    rows = turns.untallied(transaction, game_id)
    if not rows:
        return
    answers: dict[int, list[int]] = {}
    for row in rows:
        if len(row.orders) == 1 and row.orders[0]["by"] == "player":
            answers.setdefault(row.orders[0]["seat"], []).append(row.seconds)
    turns.add_answers(transaction, game_id, answers)
    turns.set_tallied(transaction, game_id, rows[-1].sequence)


def tally_all(db: Database) -> None:
    """Counts the answers of all games that went on since the last time."""
    last = ""
    while True:
        with db.session() as session:
            last, some = turns.games_to_tally(session, last, LOOKED_THROUGH_AT_ONCE)
        for game_id in some:
            with db.transaction() as transaction:
                games.lock(transaction, game_id)
                tally(transaction, game_id)
        if not last:
            return

"""Taking games in play over to the newest version of their rules."""

import msgspec

from referee import record
from referee.errors import RecordError, StaysBehind
from referee.games import all_games
from referee.log import Entry, Header
from referee.table import Table
from runtime.wall_clock import now
from service.deadlines import times_after, timing_of
from service.positions import rules_of
from service.replays import all_entries
from store import carry_over as store
from store.carry_over import OldGame, Stored
from store.database import Database

ATTEMPTS = 5  # at a game that is moved in meanwhile


class Result(msgspec.Struct, frozen=True):
    """What became of a game: carried over, or why it stays under its own rules."""

    game_id: str
    ruleset: str
    old: str
    new: str  # the newest; empty where the game is not known here
    reason: str = ""

    @property
    def is_carried(self) -> bool:
        return not self.reason


def games_to_carry(db: Database) -> list[OldGame]:
    """The running and paused games that are not under the newest of their rules."""
    with db.session() as session:
        return store.in_play_under_other_rules(session, {key: kind.version for key, kind in all_games().items()})


def carry_over(db: Database, game: OldGame, dry_run: bool = False) -> Result | None:
    """Takes a game over, or says why it stays; None if there is nothing to do any more.

    The log is replayed before the game is locked, so that nobody who moves has to wait for it. Whether the game is
    still where it was then is checked under the lock.
    """
    kind = all_games().get(game.ruleset)
    if kind is None:
        return Result(game.id, game.ruleset, game.version, "", f"No game {game.ruleset!r} is known here.")
    carried = Result(game.id, game.ruleset, game.version, kind.version)
    for _ in range(ATTEMPTS):
        with db.session() as session:
            stored = store.in_play(session, game.id)
            if stored is None or stored.version == kind.version:
                return None
            entries = [entry for entry in all_entries(session, game.id) if entry.row.number <= stored.sequence]
        try:
            table, entry = _carried_over(stored, entries, kind.version)
        except (RecordError, StaysBehind) as error:
            return msgspec.structs.replace(carried, reason=str(error))
        except Exception as error:
            # Whatever is wrong with the newer rules must not keep the other games from them.
            return msgspec.structs.replace(carried, reason=f"Rules {kind.version} fail on its log: {error!r}.")
        if dry_run:
            return carried
        with db.transaction() as transaction:
            times = times_after(timing_of(stored), table, now())
            if store.write(transaction, game.id, stored.sequence, stored.head, entry, table, times):
                return carried
    return msgspec.structs.replace(carried, reason="It is being played at this moment.")


def _carried_over(stored: Stored, entries: list[Entry], version: str) -> tuple[Table, Entry]:
    if stored.has_sealed:
        raise StaysBehind("Sealed moves wait for their reveal.")
    header = msgspec.json.decode(stored.header, type=Header)
    game = rules_of(header, stored.version)
    table = Table(game, header, bytes(stored.seed), stored.position.encode(), stored.sequence, stored.head)
    return table, record.carry_over(table, entries, version)

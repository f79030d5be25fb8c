"""Games to try things out in: time passes and bots answer at their host's word; and copies of other games."""

import secrets
from datetime import timedelta

import msgspec

from referee import forks
from referee.contract import canonical
from referee.log import Entry, first_link
from referee.table import Table
from runtime.wall_clock import now
from service import phases, replays
from service.bots import BOTS, SPARE_BOT, bot_name
from service.errors import Conflict, Invalid, NotFound
from service.games import SEED_BYTES, hold, known, make_id
from service.idempotency import IdempotencyKey, Once, once
from service.players import Player, present
from service.positions import Seen, load_for, lock
from service.work import Work
from store import deadlines, games, sandbox
from store.database import Database, Session
from store.games import GameRow, NewGameRow, NewSeatRow
from store.writing import Times, append

MOST_STRIKES = 100  # of the clock at once
LONGEST_TITLE = 80


def check(game: GameRow) -> None:
    if not game.sandbox:
        raise Conflict("This game is no sandbox: time passes in it, and bots answer, by themselves.")


def advance(transaction: Session, game_id: str, seconds: int, bots: bool) -> Work | None:
    """Lets time pass in a sandbox, from deadline to deadline; what a worker has to do for its bots then."""
    hold(transaction, game_id, "running")
    left = timedelta(seconds=seconds)
    for _ in range(MOST_STRIKES):
        if not left or not (step := _move_on(transaction, game_id, left)):
            break
        left -= step
        phases.time_out_in(transaction, game_id)
    held = lock(transaction, game_id)
    if held is None or not bots:
        return None
    is_complete = held.table.sealed_phase() and not held.table.missing()
    return Work(game_id, held.table.sequence, "resolve" if is_complete else "bot")


def _move_on(transaction: Session, game_id: str, most: timedelta) -> timedelta:
    """Up to the next moment at which somebody is late, or all the time there is; how long that was."""
    held = lock(transaction, game_id)
    if held is None:
        return timedelta(0)
    clock = held.timing.clock
    strikes = clock.strikes(held.due_at) if clock and held.due_at else None
    step = min(most, max(strikes - now(), timedelta(microseconds=1))) if strikes else most
    deadlines.move_on(transaction, game_id, step)
    return step


class Wanted(msgspec.Struct, frozen=True):
    """A copy as somebody wants it: after which row, on which seat they sit, who sits on the others."""

    at: int | None = None
    seat: int | None = None
    bot: str = SPARE_BOT
    seed: str | None = None  # in hexadecimal digits


class Copied(msgspec.Struct, frozen=True):
    """Where a copy begins. Of a game that is over it has the log so far; else it has a first row of its own."""

    table: Table
    title: str
    seat: int
    entry: Entry | None = None


def fork(db: Database, game: GameRow, who: Player, wanted: Wanted, key: IdempotencyKey | None = None) -> Once[GameRow]:
    """A copy of a game as it was after a row, for one player to try things out in: a sandbox of theirs, with bots on
    the other seats.

    Once a game is over nothing is hidden: the copy is exact, and its chance goes on as the game's own did. Before, and
    where it ended without a result, the copy is made of what the player may know, and of a seed of its own."""
    if wanted.bot not in BOTS:
        raise Invalid("bot", f"There is no bot {wanted.bot!r}; there are: {', '.join(BOTS)}.")
    seen = load_for(db, game.id, who.id)
    copied = _exact(db, game, seen, wanted) if seen.table.is_over else _imagined(db, game, seen, wanted)

    def work(transaction: Session) -> GameRow:
        return known(transaction, _insert(transaction, game, copied, present(transaction, who.id), wanted.bot))

    return once(db, key, work, lambda made: made.id, known)


def _exact(db: Database, game: GameRow, seen: Seen, wanted: Wanted) -> Copied:
    if wanted.seed is not None:
        raise Invalid("seed", "The game is over: its chance goes on as it did, from the seed that is known by now.")
    last = seen.table.sequence - 1
    at = last if wanted.at is None else wanted.at
    if not 0 <= at <= last:
        raise NotFound(f"The game can be copied after the rows 0 to {last}: then it was not over yet.")
    table = replays.at(db, game.id, seen.table, at)
    return Copied(table, _title(game, table), _seat(table, seen, wanted))


def _imagined(db: Database, game: GameRow, seen: Seen, wanted: Wanted) -> Copied:
    past = replays.at(db, game.id, seen.table, seen.table.sequence if wanted.at is None else wanted.at)
    seed = bytes.fromhex(wanted.seed) if wanted.seed is not None else secrets.token_bytes(SEED_BYTES)
    table, entry = forks.fork(past, seen.seat, game.id, seed, past.names)
    return Copied(table, _title(game, past), _seat(table, seen, wanted), entry)


def _title(game: GameRow, table: Table) -> str:
    return f"{game.title or table.game.name}, after row {table.sequence}"[:LONGEST_TITLE]


def _seat(table: Table, seen: Seen, wanted: Wanted) -> int:
    """The seat that is wanted; else the one that the player has, or that is asked first."""
    if wanted.seat is not None and wanted.seat >= table.game.seats:
        raise Invalid("seat", f"The game has the seats 0 to {table.game.seats - 1}.")
    return next(seat for seat in (wanted.seat, seen.seat, table.acting()[0]) if seat is not None)


def _insert(transaction: Session, game: GameRow, copied: Copied, who: Player, bot: str) -> str:
    table, entry = copied.table, copied.entry
    game_id, moment = make_id(), now()
    new = NewGameRow(
        id=game_id,
        ruleset=game.ruleset,
        version=table.header.version,
        settings=game.settings,
        board_data=games.beginning(transaction, game.id).board_data,
        private=True,
        host=who.id,
        title=copied.title,
        seed=table.seed,
        commitment=table.header.commitment,
        clock=None,
        timing=None,
        bank=None,
        undo="own",
        demands=None,
        sandbox=True,
    )
    games.insert(transaction, new)
    for seat, entropy in enumerate(table.header.entropy):
        is_mine = seat == copied.seat
        games.insert_seat(
            transaction,
            NewSeatRow(
                game_id=game_id,
                seat=seat,
                player_id=who.id if is_mine else None,
                bot=None if is_mine else bot,
                name=who.name if is_mine else bot_name(bot, seat),
                entropy=entropy,
                invited_player=None,
                invited_email=None,
                invited_email_key=None,
                invitation=None,
            ),
        )
    header, head = canonical(table.header).decode(), first_link(table.header)
    if entry:
        games.begin(transaction, game_id, header, table.game.version, head, moment)
        append(transaction, game_id, -1, head, (entry,), table, Times(moment, table.acting()))
    else:
        games.begin(transaction, game_id, header, table.game.version, table.head, moment)
        sandbox.copy_log(transaction, game.id, game_id, table.sequence)
        sandbox.set_position(transaction, game_id, table, moment)
    return game_id

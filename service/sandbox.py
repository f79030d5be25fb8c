"""Games to try things out in: time passes and bots answer at their host's word; and copies of other games."""

from datetime import timedelta

from referee.contract import canonical
from referee.table import Table
from runtime.wall_clock import now
from service import phases, replays
from service.bots import bot_name
from service.errors import Conflict, Invalid, NotFound, WrongStatus
from service.games import hold, known, make_id
from service.idempotency import IdempotencyKey, Once, once
from service.players import Player, present
from service.positions import load, lock
from service.work import Work
from store import deadlines, games, sandbox
from store.database import Database, Session
from store.games import GameRow, NewGameRow, NewSeatRow

MOST_STRIKES = 100  # of the clock at once
BOT = "random"  # on the other seats of a copy


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


def fork(
    db: Database,
    game: GameRow,
    who: Player,
    at: int | None = None,
    seat: int | None = None,
    key: IdempotencyKey | None = None,
) -> Once[GameRow]:
    """A copy of a finished game, as it was after a row, for one player to try things out in: a sandbox of theirs, with
    bots on the other seats. Its chance goes on as the game's own did."""
    table = _to_copy(db, game, at)
    if seat is not None and seat >= table.game.seats:
        raise Invalid("seat", f"The game has the seats 0 to {table.game.seats - 1}.")

    def work(transaction: Session) -> GameRow:
        own = games.seat_of(transaction, game.id, who.id)
        mine = next(one for one in (seat, own, table.acting()[0]) if one is not None)
        return known(transaction, _copy(transaction, game, table, present(transaction, who.id), mine))

    return once(db, key, work, lambda made: made.id, known)


def _to_copy(db: Database, game: GameRow, at: int | None) -> Table:
    """The table as it was after a row, if there is something to do then."""
    if game.status != "over":
        raise WrongStatus(
            f"The game is {game.status}; a game can be copied when it is over. Before, a copy would tell its secrets."
        )
    now_table, _ = load(db, game.id)
    if not now_table.is_over:
        raise Conflict("The game was ended without a result: its secrets stay secret, so it cannot be copied.")
    last = now_table.sequence - 1
    if at is not None and not 0 <= at <= last:
        raise NotFound(f"The game can be copied after the rows 0 to {last}: then it was not over yet.")
    return replays.at(db, game.id, now_table, last if at is None else at)


def _copy(transaction: Session, game: GameRow, table: Table, who: Player, mine: int) -> str:
    game_id, moment = make_id(), now()
    beginning = games.beginning(transaction, game.id)
    new = NewGameRow(
        id=game_id,
        ruleset=game.ruleset,
        version=table.header.version,
        settings=game.settings,
        board_data=beginning.board_data,
        private=True,
        host=who.id,
        title=f"{game.title or table.game.name}, after row {table.sequence}"[:80],
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
        is_mine = seat == mine
        games.insert_seat(
            transaction,
            NewSeatRow(
                game_id=game_id,
                seat=seat,
                player_id=who.id if is_mine else None,
                bot=None if is_mine else BOT,
                name=who.name if is_mine else bot_name(BOT, seat),
                entropy=entropy,
                invited_player=None,
                invited_email=None,
                invited_email_key=None,
                invitation=None,
            ),
        )
    header = canonical(table.header).decode()
    games.begin(transaction, game_id, header, table.game.version, table.head, moment)
    sandbox.copy_log(transaction, game.id, game_id, table.sequence)
    sandbox.set_position(transaction, game_id, table, moment)
    return game_id

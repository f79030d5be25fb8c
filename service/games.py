"""Games: opening, starting, pausing, ending, finding. Seats are in `seats`, moves in `moves`, the past in `replays`."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec

from referee.chance import commitment
from referee.contract import Board, canonical
from referee.errors import BoardError
from referee.games import all_games, faithful_board, open_game
from referee.log import first_link
from referee.table import AnyGame, open_table
from runtime.wall_clock import now
from service import invitations as kept
from service.addresses import by_email, email_key
from service.bots import BOTS, SPARE_BOT, bot_name
from service.clocks import Clock, ClockError, Late, clock_of
from service.deadlines import Timing, deadline, left, stored_clock, times_after, timing_of
from service.errors import Invalid, NotFound, WrongStatus
from service.idempotency import IdempotencyKey, Once, once
from service.players import Player, by_name, present
from service.records import Demands
from service.tokens import INVITATION_PREFIX, digest, make_secret
from store import deadlines, games, outbox, positions
from store.database import Database, Session
from store.games import GameRow as GameRow
from store.games import NewGameRow, NewSeatRow
from store.games import SeatRow as SeatRow
from store.games import listing as listing
from store.positions import PositionRow
from store.writing import append

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are taken for one another
ID_LENGTH = 12
SEED_BYTES = 32
ABANDONED = "abandoned"  # the ending of a game that was ended by its host


ActInGame = Callable[[Session, str], object]
Rules = tuple[AnyGame, Board | None]


class NewSeat(msgspec.Struct, frozen=True):
    """A seat as the host wants it: `me` and `bot` are taken at once, an `invite` gets a secret, `open` is for all."""

    kind: Literal["me", "invite", "open", "bot"]
    name: str | None = None  # of the player invited
    email: str | None = None  # of the person invited
    bot: str = "steady"
    entropy: str = ""


class NewGame(msgspec.Struct, frozen=True):
    """A game as the host wants it, on a board of one's own if its YAML text is given."""

    ruleset: str
    seats: tuple[NewSeat, ...]
    settings: dict[str, Any] = {}
    board: str | None = None
    private: bool = False
    title: str = ""
    clock: int | str | dict[str, Any] | None = None
    undo: Literal["never", "own", "consent"] = "never"
    demands: Demands | None = None
    press: str = "all"
    press_named: bool = True
    press_opens: bool = False
    sandbox: bool = False
    seed: str | None = None  # of a sandbox, in hexadecimal digits
    standing_pause: int = 0


class Opened(msgspec.Struct, frozen=True):
    game: GameRow
    invitations: dict[int, str]  # seat -> the secret, shown once


def open_once(db: Database, host: Player, new: NewGame, key: IdempotencyKey | None = None) -> Once[Opened]:
    """Opens a game, as `create` does. The board is read before there is a transaction to hold up."""
    rules = rules_of(new)

    def again(transaction: Session, game_id: str) -> Opened:
        return Opened(known(transaction, game_id), renew_invitations(transaction, game_id))

    return once(
        db, key, lambda transaction: create(transaction, host, new, rules), lambda opened: opened.game.id, again
    )


def create(transaction: Session, host: Player, new: NewGame, rules: Rules | None = None) -> Opened:
    """Opens a game. It starts when the last seat is filled. Raises Invalid with what is wrong with it.

    `rules` are those of the game, if they have been made already.
    """
    game, board = rules or rules_of(new)
    host = present(transaction, host.id)
    invited = [_invited(transaction, number, seat) for number, seat in enumerate(new.seats)]
    _check_seats(host, new.seats, invited)
    kept.check_host(transaction, host.id, sum(seat.email is not None for seat in new.seats))
    seed, game_id = seed_for(new), make_id()
    clock = clock_for(new)
    games.insert(
        transaction,
        NewGameRow(
            id=game_id,
            ruleset=new.ruleset,
            version=game.version,
            settings=canonical(game.settings).decode(),
            board_data=canonical(board).decode() if board else None,
            private=new.private or new.sandbox,
            host=host.id,
            title=new.title,
            seed=seed,
            commitment=commitment(seed),
            clock=clock.time if clock else None,
            timing=None if clock is None or isinstance(new.clock, int) else canonical(clock).decode(),
            undo=new.undo,
            demands=canonical(new.demands).decode() if new.demands else None,
            bank=[clock.bank] * len(new.seats) if clock and (clock.bank or clock.increment) else None,
            press=new.press,
            press_named=new.press_named,
            press_opens=new.press_opens,
            sandbox=new.sandbox,
            standing_pause=new.standing_pause,
        ),
    )
    invitations = {}
    for number, seat in enumerate(new.seats):
        if seat.kind == "invite":
            invitations[number] = make_secret(INVITATION_PREFIX)
        secret = invitations.get(number)
        games.insert_seat(transaction, _seat_row(game_id, number, seat, host, invited[number], secret))
        if invited[number] is not None:
            outbox.add(transaction, game_id, "invited", -1, number)
        if seat.email is not None:
            kept.keep_for(transaction, game_id, number, host.id, seat.email, invited[number] is not None)
    start_if_full(transaction, game_id)
    return Opened(known(transaction, game_id), invitations)


def rules_of(new: NewGame) -> Rules:
    """The rules of a game to be opened, and its board if it is one of the host's own."""
    if new.ruleset not in all_games():
        raise Invalid("ruleset", f"There is no such ruleset; there are: {', '.join(all_games())}.")
    try:
        board = faithful_board(all_games()[new.ruleset], new.board) if new.board else None
        return open_game(new.ruleset, len(new.seats), new.settings, board), board
    except BoardError as error:
        raise Invalid("board", "The board cannot be used.", error.problems) from None
    except msgspec.ValidationError as error:
        raise Invalid("settings", str(error)) from None
    except ValueError as error:
        raise Invalid("seats", f"{error}.") from None


def seed_for(new: NewGame) -> bytes:
    """Nobody's choice, but in a sandbox."""
    if new.seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if not new.sandbox:
        raise Invalid("seed", "A seed can be given in a sandbox alone: else nobody may choose the chance.")
    return bytes.fromhex(new.seed)


def clock_for(new: NewGame) -> Clock | None:
    """The clock of a game to be opened."""
    try:
        return clock_of(new.clock)
    except ClockError as error:
        raise Invalid(".".join(filter(None, ("clock", error.field))), str(error)) from None


def _invited(session: Session, number: int, seat: NewSeat) -> Player | None:
    """The player whom a seat is kept for, if it is somebody who is known. Who proves the address later gets it then."""
    if seat.name is None:
        return by_email(session, seat.email) if seat.email else None
    player = by_name(session, seat.name)
    if player is None:
        raise Invalid(f"seats.{number}.name", f"There is no player {seat.name}.")
    return player


def _check_seats(host: Player, seats: Sequence[NewSeat], invited: Sequence[Player | None]) -> None:
    """Nobody gets two, and bots exist. Who has an address is not told: that may turn out when they come."""
    for seat in seats:
        if seat.kind == "bot" and seat.bot not in BOTS:
            raise Invalid("seats", f"There is no bot {seat.bot!r}; there are: {', '.join(BOTS)}.")
    named = [
        host if seat.kind == "me" else player for seat, player in zip(seats, invited, strict=True) if not seat.email
    ]
    names = [player.name for player in named if player]
    for name in names:
        if names.count(name) > 1:
            raise Invalid("seats", f"{name} is to have two seats, and can take only one.")


def _seat_row(
    game_id: str, number: int, seat: NewSeat, host: Player, invited: Player | None, invitation: str | None
) -> NewSeatRow:
    is_mine, is_bot = seat.kind == "me", seat.kind == "bot"
    return NewSeatRow(
        game_id=game_id,
        seat=number,
        player_id=host.id if is_mine else None,
        bot=seat.bot if is_bot else None,
        name=host.name if is_mine else bot_name(seat.bot, number) if is_bot else "",
        entropy=seat.entropy,
        invited_player=invited.id if invited else None,
        invited_email=seat.email,
        invited_email_key=email_key(seat.email) if seat.email else None,
        invitation=digest(invitation) if invitation else None,
    )


def make_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def renew_invitations(transaction: Session, game_id: str) -> dict[int, str]:
    """Fresh secrets for the invitations that nobody has used, in place of those that were sent out before."""
    hold(transaction, game_id, "open", "running", "paused", "over")
    invitations = {}
    for seat in games.seats(transaction, game_id):
        if seat.is_invitation:
            invitations[seat.seat] = make_secret(INVITATION_PREFIX)
            games.set_invitation(transaction, game_id, seat.seat, digest(invitations[seat.seat]))
    return invitations


def find(session: Session, game_id: str) -> GameRow | None:
    return games.find(session, game_id)


def known(session: Session, game_id: str) -> GameRow:
    """A game that is there."""
    game = games.find(session, game_id)
    if game is None:
        raise NotFound("There is no such game.")
    return game


def hold(transaction: Session, game_id: str, *statuses: str) -> GameRow:
    """Holds a game until the transaction ends, if it is in one of these states."""
    game = games.lock(transaction, game_id)
    if game is None:
        raise NotFound("There is no such game.")
    if game.status not in statuses:
        raise WrongStatus(f"The game is {game.status}; this needs a game that is {' or '.join(statuses)}.")
    return game


def may_see(session: Session, game: GameRow, player_id: int | None) -> bool:
    """Private games exist for the host, those at the table and those invited by name."""
    if not game.private or (player_id is not None and game.host == player_id):
        return True
    return player_id is not None and games.is_concerned(session, game.id, player_id)


def seats(session: Session, game_id: str) -> list[SeatRow]:
    return games.seats(session, game_id)


def act_once(db: Database, game_id: str, act: ActInGame, key: IdempotencyKey | None = None) -> Once[GameRow]:
    """Starts, pauses or resumes a game, or whatever else `act` does to it, and tells how it is then."""

    def work(transaction: Session) -> GameRow:
        act(transaction, game_id)
        return known(transaction, game_id)

    return once(db, key, work, lambda game: game.id, known)


def start_if_full(transaction: Session, game_id: str) -> None:
    if all(seat.is_taken for seat in games.seats(transaction, game_id)):
        start(transaction, game_id)


def start(transaction: Session, game_id: str) -> None:
    """Deals. At the host's word the seats that nobody has taken are given to bots."""
    hold(transaction, game_id, "open")
    for seat in games.seats(transaction, game_id):
        if not seat.is_taken:
            games.seat_bot(transaction, game_id, seat.seat, SPARE_BOT, bot_name(SPARE_BOT, seat.seat))
    moment = now()
    games.note_bots(transaction, game_id, moment)
    at_table = games.seats(transaction, game_id)
    beginning = games.beginning(transaction, game_id)
    game = game_for(beginning.ruleset, len(at_table), beginning.settings, beginning.board_data)
    names, entropy = [seat.name for seat in at_table], [seat.entropy for seat in at_table]
    board_data = msgspec.json.decode(beginning.board_data) if beginning.board_data else None
    table, entry = open_table(game, names, bytes(beginning.seed), entropy, board_data)
    head = first_link(table.header)
    games.begin(transaction, game_id, canonical(table.header).decode(), table.header.version, head, moment)
    append(transaction, game_id, -1, head, (entry,), table, times_after(_timing(transaction, game_id), table, moment))


@lru_cache(maxsize=256)
def game_for(ruleset: str, seats: int, settings: str, board_data: str | None) -> AnyGame:
    """The rules of a game that has not started; made once for all tables that are alike."""
    game_type = all_games()[ruleset]
    board = msgspec.json.decode(board_data, type=game_type.board_type) if board_data else None
    return open_game(ruleset, seats, msgspec.json.decode(settings), board)


def pause(transaction: Session, game_id: str) -> None:
    """Stops the clock; what is left of it is kept."""
    game, moment = hold(transaction, game_id, "running"), now()
    remaining = left(_timing(transaction, game_id), _asked(transaction, game), game.due_at, moment)
    deadlines.pause(transaction, game_id, remaining)
    tell(transaction, game, "paused")


def resume(transaction: Session, game_id: str) -> None:
    """Goes on: whoever was asked has what was left, and is away as announced."""
    game, moment = hold(transaction, game_id, "paused"), now()
    remaining, row = deadlines.remaining(transaction, game_id), _row(transaction, game_id)
    timing = timing_of(row)
    deadlines.resume(transaction, game_id)
    if remaining is not None and timing.clock is not None:
        found = deadline(timing, _asked(transaction, game), moment, remaining.total_seconds())
        alarm = found.alarm(timing.clock, row.told)
        deadlines.set_deadline(transaction, game_id, moment, moment, found.due, alarm, row.told)
    deadlines.set_wake(transaction, game_id, moment)
    tell(transaction, game, "resumed")


def give_time(transaction: Session, game: GameRow, seats: Sequence[int], moment: datetime) -> None:
    """Seats that the game waits for have the whole time from this moment; nobody has less than before."""
    timing = _timing(transaction, game.id)
    found = deadline(timing, seats, moment)
    if timing.clock is None or found.due is None or game.due_at is None or found.due <= game.due_at:
        return
    deadlines.set_deadline(transaction, game.id, moment, moment, found.due, found.alarm(timing.clock))
    tell(transaction, game, "deadline_moved", due_at=found.due.isoformat())


def _asked(session: Session, game: GameRow) -> Sequence[int]:
    """Whom the game waits for; where all have sealed their moves, any of them."""
    return game.to_act or range(len(games.seats(session, game.id)))


def _row(session: Session, game_id: str) -> PositionRow:
    row = positions.read(session, game_id)
    assert row is not None
    return row


def _timing(session: Session, game_id: str) -> Timing:
    return timing_of(_row(session, game_id))


def policy_of(game: GameRow) -> Late:
    """What happens to the late of a game, and to the seats of those who leave."""
    clock = stored_clock(game.clock, game.timing)
    return clock.late if clock else Late()


def tell(transaction: Session, game: GameRow, kind: str, seat: int | None = None, **detail: Any) -> None:
    """Has the players told what happens, in the transaction in which it does; a detail that is None is left out."""
    known = {name: value for name, value in detail.items() if value is not None}
    said = canonical(known).decode() if known else None
    outbox.add(transaction, game.id, kind, game.sequence, seat, said)


def end(transaction: Session, game_id: str) -> None:
    """Ends a game without a result: its secrets stay secret."""
    game = hold(transaction, game_id, "open", "running", "paused")
    games.end(transaction, game_id, ABANDONED)
    outbox.add(transaction, game_id, "ended", game.sequence)

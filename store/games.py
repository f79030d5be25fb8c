"""Games and their seats: opening, joining, starting, pausing, listing. Moves are in `moves`, the past in `replays`."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec

from referee.chance import commitment
from referee.contract import canonical
from referee.games import all_games, game_of, load_board, open_game
from referee.log import Header, first_link
from referee.table import AnyGame, open_table
from store import outbox
from store.database import Session, columns
from store.errors import Conflict, NotFound, WrongStatus
from store.players import INVITATION_PREFIX, Player, digest, is_well_formed, make_secret
from store.writing import append

Status = Literal["open", "running", "paused", "over"]

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are taken for one another
ID_LENGTH = 12
SEED_BYTES = 32
BOTS = ("random", "default")  # `default` plays what the referee plays for a seat whose time is up
ABANDONED = "abandoned"  # the ending of a game that was ended by its host


class Game(msgspec.Struct, frozen=True):
    """A game's row without its secrets and its position."""

    id: str
    ruleset: str
    version: str
    settings: str
    private: bool
    host: int | None
    title: str
    status: Status
    ending: str
    commitment: str
    sequence: int
    to_act: list[int]
    clock: int | None
    due_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    moved_at: datetime | None


class Seat(msgspec.Struct, frozen=True):
    """A seat: a player's, a bot's, an invitation's (to a player, an address, or whoever has it), or open."""

    seat: int
    player_id: int | None
    bot: str | None
    name: str
    entropy: str
    invited_player: int | None
    invited_email: str | None
    is_invitation: bool

    @property
    def is_taken(self) -> bool:
        return self.player_id is not None or self.bot is not None


class NewSeat(msgspec.Struct, frozen=True):
    """A seat as the host wants it: `me` and `bot` are taken at once, an `invite` gets a secret, `open` is for all."""

    kind: Literal["me", "invite", "open", "bot"]
    player: Player | None = None  # invited
    email: str | None = None  # invited
    bot: str = "random"
    entropy: str = ""


class Opened(msgspec.Struct, frozen=True):
    game: Game
    invitations: dict[int, str]  # seat -> the secret, told once


OWN = "select game_id from seats where player_id = %s union select id from games where host = %s"
ASKED = "select game_id from seats where player_id = %s and seat = any(to_act)"
KNOWN = OWN + " union select game_id from seats where invited_player = %s"
SEAT_COLUMNS = "seat, player_id, bot, name, entropy, invited_player, invited_email, invitation is not null"


def create(
    transaction: Session,
    host: Player,
    ruleset: str,
    seats: Sequence[NewSeat],
    *,
    settings: dict[str, Any] | None = None,
    board: str | None = None,
    private: bool = False,
    title: str = "",
    clock: int | None = None,
) -> Opened:
    """Opens a game, on a board of one's own if its YAML text is given. It starts when the last seat is filled.

    Raises KeyError, ValueError, msgspec.ValidationError or BoardError when ruleset, seats, settings or board are wrong.
    """
    board_data = load_board(all_games()[ruleset], board) if board else None
    game = open_game(ruleset, len(seats), settings, board_data)
    _check_seats(host, seats)
    seed, game_id = secrets.token_bytes(SEED_BYTES), make_id()
    transaction.run(
        "insert into games (id, ruleset, version, settings, board_data, private, host, title, seed, commitment, clock)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        game_id,
        ruleset,
        game.version,
        canonical(game.settings).decode(),
        canonical(board_data).decode() if board_data else None,
        private,
        host.id,
        title,
        seed,
        commitment(seed),
        clock,
    )
    invitations = {}
    for number, seat in enumerate(seats):
        if seat.kind == "invite":
            invitations[number] = make_secret(INVITATION_PREFIX)
        _insert_seat(transaction, game_id, number, seat, host, invitations.get(number))
    start_if_full(transaction, game_id)
    opened = find(transaction, game_id)
    assert opened is not None
    return Opened(opened, invitations)


def _check_seats(host: Player, seats: Sequence[NewSeat]) -> None:
    """Nobody gets two. Who has an address is not told: that may turn out when they come."""
    named = [host if seat.kind == "me" else seat.player for seat in seats if not seat.email]
    people = [one.name for one in named if one]
    for name in people:
        if people.count(name) > 1:
            raise ValueError(f"{name} is to have two seats, and can take only one")


def make_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _insert_seat(
    transaction: Session, game_id: str, number: int, seat: NewSeat, host: Player, invitation: str | None
) -> None:
    if seat.kind == "bot" and seat.bot not in BOTS:
        raise ValueError(f"there is no bot {seat.bot!r}; there are: {', '.join(BOTS)}")
    me, bot = seat.kind == "me", seat.kind == "bot"
    transaction.run(
        "insert into seats (game_id, seat, player_id, bot, name, entropy, invited_player, invited_email, invitation)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        game_id,
        number,
        host.id if me else None,
        seat.bot if bot else None,
        host.name if me else f"{seat.bot} {number + 1}" if bot else "",
        seat.entropy,
        seat.player.id if seat.player else None,
        seat.email,
        digest(invitation) if invitation else None,
    )


def find(session: Session, game_id: str) -> Game | None:
    return session.one(Game, f"select {columns(Game)} from games where id = %s", game_id)


def may_see(session: Session, game: Game, player_id: int | None) -> bool:
    """Private games exist for the host, those at the table and those invited by name."""
    if not game.private or (player_id is not None and game.host == player_id):
        return True
    return player_id is not None and bool(
        session.value(
            "select exists(select from seats where game_id = %s and %s in (player_id, invited_player))",
            game.id,
            player_id,
        )
    )


def seats(session: Session, game_id: str) -> list[Seat]:
    return session.all(Seat, f"select {SEAT_COLUMNS} from seats where game_id = %s order by seat", game_id)


def seat_of(session: Session, game_id: str, player_id: int) -> int | None:
    return session.value("select seat from seats where game_id = %s and player_id = %s", game_id, player_id)


def seat_in_play(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game that has begun. Nobody else gets it any more, so it may be remembered."""
    return session.value(
        "select seat from seats join games on id = game_id where game_id = %s and player_id = %s and status <> 'open'",
        game_id,
        player_id,
    )


def listing(
    session: Session,
    player_id: int | None = None,
    *,
    mine: bool = False,
    to_act: bool = False,
    status: str | None = None,
    ruleset: str | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[Game]:
    """Games that the player may know of, newest first, beginning after the (created_at, id) of the last one seen."""
    where = ["(not private or id in (" + KNOWN + "))"]
    values: list[Any] = [player_id] * 3
    if mine:
        where.append("id in (" + OWN + ")")
        values += [player_id] * 2
    if to_act:
        where.append("status = 'running' and id in (" + ASKED + ")")
        values.append(player_id)
    for condition, value in (("status = %s", status), ("ruleset = %s", ruleset)):
        if value is not None:
            where.append(condition)
            values.append(value)
    if after is not None:
        where.append("(created_at, id) < (%s, %s)")
        values += after
    return session.all(
        Game,
        f"select {columns(Game)} from games where {' and '.join(where)} order by created_at desc, id desc limit %s",
        *values,
        limit,
    )


def join(
    transaction: Session,
    game_id: str,
    player: Player,
    *,
    invitation: str | None = None,
    seat: int | None = None,
    entropy: str = "",
) -> int:
    """Takes a seat: the invitation's, the one the player was invited to by name, or an open one (the first, or the one
    named). Starts the game if it was the last. Returns the seat."""
    _lock(transaction, game_id, "open")
    if seat_of(transaction, game_id, player.id) is not None:
        raise Conflict("You have a seat in this game already.")
    free = [one for one in seats(transaction, game_id) if not one.is_taken]
    if invitation is not None:
        number = _invited_seat(transaction, game_id, invitation)
        if number is None:
            raise Conflict("This invitation is not good for a seat here: it is used, or of another game, or misread.")
        choice = [one for one in free if one.seat == number]
    else:
        mine = [one for one in free if one.invited_player == player.id]
        choice = [one for one in mine or free if not one.is_invitation or one.invited_player == player.id]
    if seat is not None:
        choice = [one for one in choice if one.seat == seat]
    if not choice:
        raise Conflict("There is no free seat for you in this game.")
    transaction.run(
        "update seats set player_id = %s, name = %s, entropy = %s, invitation = null where game_id = %s and seat = %s",
        player.id,
        player.name,
        entropy,
        game_id,
        choice[0].seat,
    )
    start_if_full(transaction, game_id)
    return choice[0].seat


def _invited_seat(transaction: Session, game_id: str, invitation: str) -> int | None:
    if not is_well_formed(invitation, INVITATION_PREFIX):
        return None
    return transaction.value(
        "select seat from seats where game_id = %s and invitation = %s", game_id, digest(invitation)
    )


def game_of_invitation(session: Session, invitation: str) -> str | None:
    """The game an invitation is for: it opens a private game to whoever holds it."""
    if not is_well_formed(invitation, INVITATION_PREFIX):
        return None
    return session.value("select game_id from seats where invitation = %s", digest(invitation))


def leave(transaction: Session, game_id: str, player_id: int) -> int:
    """Gives a seat up: in an open game it is free again, in a running one the referee plays its defaults.

    A game that the last person leaves is over: bots would go on among themselves, in some games for ever. Where the
    host leaves a game that has begun, the next person at the table is the host, or nobody could resume it.
    """
    game = _lock(transaction, game_id, "open", "running", "paused")
    seat = seat_of(transaction, game_id, player_id)
    if seat is None:
        raise NotFound("You have no seat in this game.")
    if game.status == "open":
        transaction.run(
            "update seats set player_id = null, name = '', entropy = '', invited_player = null"
            " where game_id = %s and seat = %s",
            game_id,
            seat,
        )
    else:
        seat_bot(transaction, game_id, seat, "default")
        people = [one.player_id for one in seats(transaction, game_id) if one.player_id is not None]
        if not people:
            end(transaction, game_id)
        elif game.host == player_id:
            transaction.run("update games set host = %s where id = %s", people[0], game_id)
    return seat


def seat_bot(transaction: Session, game_id: str, seat: int, bot: str) -> None:
    """Puts a bot on a seat in place of whoever has it. The name on the table stays: it is in the log's header."""
    transaction.run(
        "update seats set player_id = null, bot = %s, name = case when name = '' then %s else name end,"
        " invited_player = null, invited_email = null, invitation = null where game_id = %s and seat = %s",
        bot,
        f"{bot} {seat + 1}",
        game_id,
        seat,
    )
    _note_bots(transaction, game_id)


def _note_bots(transaction: Session, game_id: str) -> None:
    transaction.run(
        "update games set bots = array(select seat from seats where game_id = id and bot is not null order by seat)"
        " where id = %s",
        game_id,
    )
    transaction.run("update games set wake_at = now() where id = %s and status = 'running' and to_act && bots", game_id)


def start_if_full(transaction: Session, game_id: str) -> bool:
    full = all(one.is_taken for one in seats(transaction, game_id))
    if full:
        start(transaction, game_id)
    return full


def start(transaction: Session, game_id: str) -> None:
    """Deals. At the host's word the seats that nobody has taken are given to bots."""
    _lock(transaction, game_id, "open")
    for one in seats(transaction, game_id):
        if not one.is_taken:
            seat_bot(transaction, game_id, one.seat, "random")
    _note_bots(transaction, game_id)
    at_table = seats(transaction, game_id)
    row = transaction.row("select ruleset, settings, board_data, seed from games where id = %s", game_id)
    assert row is not None
    ruleset, settings, board_data, seed = row
    game = game_for(ruleset, len(at_table), settings, board_data)
    names, entropy = [one.name for one in at_table], [one.entropy for one in at_table]
    data = msgspec.json.decode(board_data) if board_data else None
    table, entry = open_table(game, names, bytes(seed), entropy, data)
    transaction.run(
        "update games set header = %s, version = %s, head = %s, status = 'running', started_at = now() where id = %s",
        canonical(table.header).decode(),
        table.header.version,
        first_link(table.header),
        game_id,
    )
    append(transaction, game_id, -1, first_link(table.header), (entry,), table)


def pause(transaction: Session, game_id: str) -> None:
    """Stops the clock; what is left of it is kept."""
    _lock(transaction, game_id, "running")
    transaction.run(
        "update games set status = 'paused', remaining = due_at - now(), due_at = null, wake_at = null where id = %s",
        game_id,
    )


def resume(transaction: Session, game_id: str) -> None:
    _lock(transaction, game_id, "paused")
    transaction.run(
        "update games set status = 'running', due_at = now() + remaining, remaining = null,"
        " wake_at = next_wake(to_act, bots, now() + remaining) where id = %s",
        game_id,
    )


def end(transaction: Session, game_id: str) -> None:
    """Ends a game without a result: its secrets stay secret."""
    game = _lock(transaction, game_id, "open", "running", "paused")
    transaction.run(
        "update games set status = 'over', ending = %s, to_act = '{}', due_at = null, wake_at = null where id = %s",
        ABANDONED,
        game_id,
    )
    transaction.run("delete from sealed where game_id = %s", game_id)
    outbox.tell(transaction, game_id, "ended", game.sequence)


class Due(msgspec.Struct, frozen=True):
    """Something a worker has to do in a game that is at this sequence number."""

    game_id: str
    sequence: int
    work: Literal["resolve", "bot", "clock"]


def due(transaction: Session, lease: int, limit: int) -> list[Due]:
    """What the queue has lost and what has come due. For the length of the lease, in seconds, nobody else gets it."""
    return transaction.all(
        Due,
        "update games set wake_at = now() + %s * interval '1 second' where id in"
        " (select id from games where wake_at <= now() and status = 'running' order by wake_at limit %s"
        "  for update skip locked)"
        " returning id, sequence, coalesce(nullif(next_work(to_act, bots), ''), 'clock')",
        lease,
        limit,
    )


def work_in(session: Session, game_id: str) -> Due | None:
    """What a worker has to do in a game at once."""
    return session.one(
        Due,
        "select id, sequence, next_work(to_act, bots) from games"
        " where id = %s and status = 'running' and next_work(to_act, bots) <> ''",
        game_id,
    )


def bots(session: Session, game_id: str) -> dict[int, str]:
    """The bots at a table, by seat."""
    return dict(session.rows("select seat, bot from seats where game_id = %s and bot is not null", game_id))


def are_bots_alone(session: Session, game_id: str, rows: int) -> bool:
    """Whether no person has moved in so many rows."""
    return session.value(
        "select sequence > %s and not exists(select from log where game_id = id and log.sequence > games.sequence - %s"
        ' and payload like \'%%"by":"player"%%\') from games where id = %s',
        rows,
        rows,
        game_id,
    )


def _lock(transaction: Session, game_id: str, *statuses: str) -> Game:
    """Holds a game until the transaction ends, if it is in one of these states."""
    game = transaction.one(Game, f"select {columns(Game)} from games where id = %s for update", game_id)
    if game is None:
        raise NotFound("There is no such game.")
    if game.status not in statuses:
        raise WrongStatus(f"The game is {game.status}; this needs a game that is {' or '.join(statuses)}.")
    return game


@lru_cache(maxsize=256)
def game_for(ruleset: str, seats: int, settings: str, board_data: str | None) -> AnyGame:
    """The rules of a game that has not started; made once for all tables that are alike."""
    game_type = all_games()[ruleset]
    board = msgspec.json.decode(board_data, type=game_type.board_type) if board_data else None
    return open_game(ruleset, seats, msgspec.json.decode(settings), board)


def rules_of(header: Header, version: str | None = None) -> AnyGame:
    """The rules that a header names, in the version that the game is played under now; tables that differ in their
    players and seeds alone share them."""
    shared = msgspec.structs.replace(header, players=("",) * len(header.players), commitment="", entropy=())
    return _rules_of(canonical(shared), version or header.version)


@lru_cache(maxsize=256)
def _rules_of(header: bytes, version: str) -> AnyGame:
    return game_of(msgspec.json.decode(header, type=Header), version)

"""Seats: taking one, giving it up, handing it over, whose is which."""

from datetime import datetime, timedelta

import msgspec

from runtime.wall_clock import now
from service.bots import SPARE_BOT, bot_name
from service.clocks import Late
from service.errors import Conflict, NotFound
from service.games import GameRow, end, give_time, hold, known, may_see, policy_of, start_if_full, tell
from service.players import Player, present
from service.records import check_record, records, tally
from service.tokens import INVITATION_PREFIX, digest, is_well_formed
from store import games, outbox, players, standing, turns
from store.database import Database, Session
from store.games import SeatRow
from store.turns import Departure

NO_SUCH_GAME = "There is no such game, or it is private and you are not, or no longer, invited."


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
    player = present(transaction, player.id)
    _check_knows(transaction, game_id, player, invitation)
    game = hold(transaction, game_id, "open")
    if games.seat_of(transaction, game_id, player.id) is not None:
        raise Conflict("You have a seat in this game already.")
    choice = [
        free for free in _free_seats(transaction, game_id, player, invitation) if seat is None or free.seat == seat
    ]
    if not choice:
        raise Conflict("There is no free seat for you in this game.")
    if not choice[0].is_invitation:  # whom the host has invited the host knows
        check_record(transaction, game, player)
    games.take_seat(transaction, game_id, choice[0].seat, player.id, player.name, entropy)
    tell(transaction, game, "joined", choice[0].seat, record=_record(transaction, player))
    start_if_full(transaction, game_id)
    return choice[0].seat


def _check_knows(transaction: Session, game_id: str, player: Player, invitation: str | None) -> None:
    """A private game exists for those who may see it and for who holds an invitation to it."""
    game = games.find(transaction, game_id)
    is_invited = invitation is not None and _invited_seat(transaction, game_id, invitation) is not None
    if game is None or not (is_invited or may_see(transaction, game, player.id)):
        raise NotFound(NO_SUCH_GAME)


def _free_seats(transaction: Session, game_id: str, player: Player, invitation: str | None) -> list[SeatRow]:
    """The free seats that this player may take."""
    free = [seat for seat in games.seats(transaction, game_id) if not seat.is_taken]
    if invitation is not None:
        invited = _invited_seat(transaction, game_id, invitation)
        if invited is None:
            raise Conflict("This invitation is not good for a seat here: it is used, or of another game, or misread.")
        return [seat for seat in free if seat.seat == invited]
    mine = [seat for seat in free if seat.invited_player == player.id]
    return [seat for seat in mine or free if not seat.is_invitation or seat.invited_player == player.id]


def _invited_seat(session: Session, game_id: str, invitation: str) -> int | None:
    if not is_well_formed(invitation, INVITATION_PREFIX):
        return None
    return games.invited_seat(session, game_id, digest(invitation))


def decline(transaction: Session, game_id: str, seat: int) -> None:
    """An invitation is declined: the seat is kept for nobody now, and the host is told."""
    game = hold(transaction, game_id, "open")
    games.withdraw_invitation(transaction, game_id, seat)
    tell(transaction, game, "declined", seat)


def leave(transaction: Session, game_id: str, player_id: int) -> int:
    """Gives a seat up: in an open game it is free again, in a running one a bot plays on, and a substitute may come.

    A game that the last person leaves is over: bots would go on among themselves, in some games for ever. Where the
    host leaves a game that has begun, the next person at the table is the host, or nobody could resume it.
    """
    game = hold(transaction, game_id, "open", "running", "paused")
    seat = games.seat_of(transaction, game_id, player_id)
    if seat is None:
        raise NotFound("You have no seat in this game.")
    outbox.add(transaction, game_id, "left", game.sequence, seat)
    if game.status == "open":
        games.free_seat(transaction, game_id, seat)
    else:
        _vacate(transaction, game, seat, player_id, policy_of(game), "left")
    return seat


def hand_over(transaction: Session, game_id: str, seat: int, policy: Late, moment: datetime) -> bool:
    """Gives the seat of someone who is late again and again to a bot. The last person keeps theirs, for without any
    the game would not be a game: it goes on to its end by their defaults."""
    game = hold(transaction, game_id, "running")
    people = {other.seat: other.player_id for other in games.seats(transaction, game_id) if other.player_id is not None}
    if seat not in people or len(people) == 1:
        return False
    _vacate(transaction, game, seat, people[seat], policy, "late", moment)
    return True


def _vacate(
    transaction: Session,
    game: GameRow,
    seat: int,
    player_id: int,
    policy: Late,
    why: str,
    moment: datetime | None = None,
) -> None:
    moment = moment or now()
    tally(transaction, game.id)
    bot = SPARE_BOT if policy.play == "bot" else "default"
    games.seat_bot(transaction, game.id, seat, bot, bot_name(bot, seat), policy.substitute)
    games.note_bots(transaction, game.id, moment)
    standing.note_seats(transaction, game.id, moment)
    turns.add_departure(transaction, game.id, seat, player_id, game.sequence, why, moment)
    # Who leaves knows it; who was late perhaps does not.
    tell(transaction, game, "replaced", seat, by="bot", why=why, former=player_id if why == "late" else None)
    pass_on(transaction, game, player_id)
    if policy.substitute and known(transaction, game.id).status != "over":
        tell(transaction, game, "substitute_wanted", seat)


def pass_on(transaction: Session, game: GameRow, player_id: int) -> None:
    """What becomes of a game that somebody has left: it is over without people, and somebody hosts it."""
    people = [other for other in games.seats(transaction, game.id) if other.player_id is not None]
    if not people:
        end(transaction, game.id)
    elif game.host == player_id:
        set_host(transaction, game, people[0])


def hand_on(transaction: Session, game_id: str, player_id: int) -> None:
    """Makes somebody else at the table the host."""
    game = hold(transaction, game_id, "open", "running", "paused")
    successor = next((seat for seat in games.seats(transaction, game_id) if seat.player_id == player_id), None)
    if successor is None:
        raise Conflict("The host's role is handed on to somebody who has a seat in the game.")
    set_host(transaction, game, successor)


def set_host(transaction: Session, game: GameRow, successor: SeatRow) -> None:
    assert successor.player_id is not None
    games.set_host(transaction, game.id, successor.player_id)
    tell(transaction, game, "host_changed", successor.seat)


def offer(transaction: Session, game_id: str, seat: int, player: Player | None = None) -> None:
    """The host offers the seat of a bot to whoever wants it, or to one player."""
    game = hold(transaction, game_id, "running", "paused")
    found = next((other for other in games.seats(transaction, game_id) if other.seat == seat), None)
    if found is None or found.bot is None:
        raise Conflict("Only the seat of a bot can be offered to a person.")
    if player is not None and games.seat_of(transaction, game_id, player.id) is not None:
        raise Conflict(f"{player.name} has a seat in this game already.")
    games.offer_seat(transaction, game_id, seat, player.id if player else None)
    tell(transaction, game, "substitute_wanted", seat)
    if player is not None:
        tell(transaction, game, "invited", seat, plays_on=True)


def ask_to_substitute(transaction: Session, game_id: str, player: Player, seat: int | None = None) -> int:
    """Takes over a seat that is offered: at once, or after a cool-off in which the one who left may return."""
    player, moment = present(transaction, player.id), now()
    found = games.find(transaction, game_id)
    if found is None or not may_see(transaction, found, player.id):
        raise NotFound(NO_SUCH_GAME)
    game = hold(transaction, game_id, "running", "paused")
    if games.seat_of(transaction, game_id, player.id) is not None:
        raise Conflict("You have a seat in this game already.")
    check_record(transaction, game, player)
    choice = [
        other
        for other in games.seats(transaction, game_id)
        if other.offered and other.substitute is None and (seat is None or other.seat == seat)
        if other.invited_player in (None, player.id)
    ]
    if not choice:
        raise Conflict("No seat of this game is offered to you.")
    if choice[0].left_by == player.id:
        raise Conflict("This seat was yours: return to it with POST /games/{id}/return.")
    cool_off = policy_of(game).cool_off if choice[0].left_by is not None else 0
    takes_over_at = moment + timedelta(seconds=cool_off)
    games.set_substitute(transaction, game_id, choice[0].seat, player.id, takes_over_at)
    tell(
        transaction,
        game,
        "joined",
        choice[0].seat,
        takes_over_at=takes_over_at.isoformat(),
        record=_record(transaction, player),
        former=choice[0].left_by if cool_off else None,
    )
    _take_over(transaction, game, choice[0].seat, moment)
    return choice[0].seat


def _record(session: Session, player: Player) -> dict[str, int | None]:
    """How somebody who joins has kept turns so far, for those who are to play with them."""
    return {**msgspec.structs.asdict(records(session, [player.id])[player.id])}


def take_over(transaction: Session, game_id: str, seat: int) -> bool:
    """Puts a substitute on a seat whose cool-off is over. Its secrets go with it: who had it sees them no more."""
    game = games.lock(transaction, game_id)
    return game is not None and game.status in ("running", "paused") and _take_over(transaction, game, seat, now())


def _take_over(transaction: Session, game: GameRow, seat: int, moment: datetime) -> bool:
    found = next(other for other in games.seats(transaction, game.id) if other.seat == seat)
    if found.substitute is None or found.takes_over_at is None or found.takes_over_at > moment:
        return False
    player = players.shared(transaction, found.substitute)
    if player is None or games.seat_of(transaction, game.id, player.id) is not None:
        games.set_substitute(transaction, game.id, seat, None, None)
        return False
    _seat_person(transaction, game, seat, player, moment)
    tell(transaction, game, "replaced", seat, by="player", why="substitute", former=found.left_by)
    return True


def come_back(transaction: Session, game_id: str, player: Player) -> int:
    """Returns to a seat that one has left, or lost by being late, as long as no substitute has taken it over."""
    player, moment = present(transaction, player.id), now()
    game = hold(transaction, game_id, "running", "paused")
    mine = next((seat for seat in games.seats(transaction, game_id) if seat.left_by == player.id and seat.bot), None)
    if mine is None:
        raise Conflict("There is no seat in this game for you to return to: a substitute has it, or you never left.")
    if games.seat_of(transaction, game_id, player.id) is not None:
        raise Conflict("You have a seat in this game already.")
    if _take_over(transaction, game, mine.seat, moment):
        raise Conflict("A substitute has taken your seat over.")
    _seat_person(transaction, game, mine.seat, player, moment)
    turns.note_return(transaction, game_id, mine.seat, player.id, moment)
    tell(transaction, game, "returned", mine.seat, substitute=mine.substitute)
    return mine.seat


def _seat_person(transaction: Session, game: GameRow, seat: int, player: Player, moment: datetime) -> None:
    """Seats a person in place of a bot; if the game waits for that seat, they have the whole time."""
    games.seat_person(transaction, game.id, seat, player.id, player.name)
    games.note_bots(transaction, game.id, moment)
    standing.note_seats(transaction, game.id, moment)
    if game.status == "running" and seat in game.to_act:
        give_time(transaction, game, [seat], moment)


def departures(session: Session, game_id: str) -> list[Departure]:
    """Who has left a game that had begun."""
    return turns.departures(session, game_id)


def seat_substitutes(db: Database) -> None:
    """Seats the substitutes whose cool-off is over."""
    with db.session() as session:
        due = games.due_take_overs(session, now())
    for game_id, seat in due:
        with db.transaction() as transaction:
            take_over(transaction, game_id, seat)


def seat_of(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game, whether it has begun or not."""
    return games.seat_of(session, game_id, player_id)


def seat_in_play(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game that has begun."""
    return games.seat_in_play(session, game_id, player_id)

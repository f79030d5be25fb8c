"""Seats: taking one, giving it up, whose is which."""

from service.bots import bot_name
from service.errors import Conflict, NotFound
from service.games import GameRow, end, hold, may_see, start_if_full
from service.players import Player, present
from service.tokens import INVITATION_PREFIX, digest, is_well_formed
from store import games
from store.database import Session
from store.games import SeatRow

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
    hold(transaction, game_id, "open")
    if games.seat_of(transaction, game_id, player.id) is not None:
        raise Conflict("You have a seat in this game already.")
    choice = [
        free for free in _free_seats(transaction, game_id, player, invitation) if seat is None or free.seat == seat
    ]
    if not choice:
        raise Conflict("There is no free seat for you in this game.")
    games.take_seat(transaction, game_id, choice[0].seat, player.id, player.name, entropy)
    start_if_full(transaction, game_id)
    return choice[0].seat


def _check_knows(transaction: Session, game_id: str, player: Player, invitation: str | None) -> None:
    """A private game exists for those who may see it and for who holds an invitation to it."""
    game = games.find(transaction, game_id)
    invited = _invited_seat(transaction, invitation) if invitation else None
    is_invited = invited is not None and invited[0] == game_id
    if game is None or not (is_invited or may_see(transaction, game, player.id)):
        raise NotFound(NO_SUCH_GAME)


def _free_seats(transaction: Session, game_id: str, player: Player, invitation: str | None) -> list[SeatRow]:
    """The free seats that this player may take."""
    free = [seat for seat in games.seats(transaction, game_id) if not seat.is_taken]
    if invitation is not None:
        invited = _invited_seat(transaction, invitation)
        if invited is None or invited[0] != game_id:
            raise Conflict("This invitation is not good for a seat here: it is used, or of another game, or misread.")
        return [seat for seat in free if seat.seat == invited[1]]
    mine = [seat for seat in free if seat.invited_player == player.id]
    return [seat for seat in mine or free if not seat.is_invitation or seat.invited_player == player.id]


def _invited_seat(session: Session, invitation: str) -> tuple[str, int] | None:
    if not is_well_formed(invitation, INVITATION_PREFIX):
        return None
    return games.invited_seat(session, digest(invitation))


def leave(transaction: Session, game_id: str, player_id: int) -> int:
    """Gives a seat up: in an open game it is free again, in a running one the referee plays its defaults.

    A game that the last person leaves is over: bots would go on among themselves, in some games for ever. Where the
    host leaves a game that has begun, the next person at the table is the host, or nobody could resume it.
    """
    game = hold(transaction, game_id, "open", "running", "paused")
    seat = games.seat_of(transaction, game_id, player_id)
    if seat is None:
        raise NotFound("You have no seat in this game.")
    if game.status == "open":
        games.free_seat(transaction, game_id, seat)
    else:
        _resign(transaction, game, seat, player_id)
    return seat


def _resign(transaction: Session, game: GameRow, seat: int, player_id: int) -> None:
    games.seat_bot(transaction, game.id, seat, "default", bot_name("default", seat))
    games.note_bots(transaction, game.id)
    pass_on(transaction, game, player_id)


def pass_on(transaction: Session, game: GameRow, player_id: int) -> None:
    """What becomes of a game that somebody has left: it is over without people, and somebody hosts it."""
    people = [other.player_id for other in games.seats(transaction, game.id) if other.player_id is not None]
    if not people:
        end(transaction, game.id)
    elif game.host == player_id:
        games.set_host(transaction, game.id, people[0])


def seat_of(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game, whether it has begun or not."""
    return games.seat_of(session, game_id, player_id)


def seat_in_play(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game that has begun."""
    return games.seat_in_play(session, game_id, player_id)

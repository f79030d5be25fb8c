"""What all at the table have to agree to: everybody who is a person and has a seat."""

from runtime.wall_clock import now
from service.errors import Conflict
from service.games import hold, pause, resume
from store import consents, games
from store.consents import Consent as Consent
from store.database import Session

ANY_ROW = -1  # for what does not depend on where the game is


def agree(
    transaction: Session, game_id: str, kind: str, seat: int, sequence: int = ANY_ROW, detail: int = ANY_ROW
) -> bool:
    """Notes that a seat agrees; whether all do now. Whoever wants something else at the same time takes back what they
    agreed to before."""
    consents.give(transaction, game_id, Consent(kind, seat, sequence, detail), now())
    given = {
        consent.seat
        for consent in consents.of_game(transaction, game_id)
        if (consent.kind, consent.sequence, consent.detail) == (kind, sequence, detail)
    }
    people = {other.seat for other in games.seats(transaction, game_id) if other.player_id is not None}
    if not people <= given:
        return False
    consents.clear(transaction, game_id, kind)
    return True


def of_game(session: Session, game_id: str) -> list[Consent]:
    return consents.of_game(session, game_id)


def pause_if_all_agree(transaction: Session, game_id: str, player_id: int) -> None:
    """A player wants a pause: there is one when all at the table do."""
    hold(transaction, game_id, "running")
    if agree(transaction, game_id, "pause", seat_of(transaction, game_id, player_id)):
        pause(transaction, game_id)


def resume_if_all_agree(transaction: Session, game_id: str, player_id: int) -> None:
    """A player wants to go on: the game does when all at the table do."""
    hold(transaction, game_id, "paused")
    if agree(transaction, game_id, "resume", seat_of(transaction, game_id, player_id)):
        resume(transaction, game_id)


def pause_at_the_hosts_word(transaction: Session, game_id: str) -> None:
    pause(transaction, game_id)
    consents.clear(transaction, game_id, "pause")


def resume_at_the_hosts_word(transaction: Session, game_id: str) -> None:
    resume(transaction, game_id)
    consents.clear(transaction, game_id, "resume")


def seat_of(session: Session, game_id: str, player_id: int) -> int:
    """The seat of a player who has one."""
    seat = games.seat_of(session, game_id, player_id)
    if seat is None:
        raise Conflict("You have no seat in this game any more.")
    return seat

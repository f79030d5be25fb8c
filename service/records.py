"""How reliable a player is."""

from service.players import Player
from store.database import Session
from store.games import GameRow


def check_record(session: Session, game: GameRow, player: Player) -> None:
    """Refuses who does not keep turns as the host of a game demands."""

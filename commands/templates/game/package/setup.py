"""The setup of Mail Run: letters are dealt, and all begin in the first city (MR-01)."""

from referee.chance import Chance
from referee.contract import Play
from referee.games.mail_run.board import Board
from referee.games.mail_run.events import Dealt
from referee.games.mail_run.state import Player, Position


def letters(board: Board) -> list[str]:
    """All letters of the game, by where they are to go."""
    return [city.id for city in board.cities for _ in range(board.letters)]


def setup(board: Board, seats: int, chance: Chance) -> Play[Position]:
    deck = chance.shuffle("letters", letters(board))
    players = [
        Player(board.cities[0].id, board.coins, sorted(deck.pop() for _ in range(board.hand))) for _ in range(seats)
    ]
    play = Play(Position(phase="bidding", players=players, deck=deck), chance)
    for seat, player in enumerate(players):
        play.emit(Dealt(seat, len(player.hand), tuple(player.hand)))
    return play

"""What there is in a game of Mail Run: settings, position, moves."""

import msgspec

from referee import contract
from referee.options import Move


class Settings(contract.Settings, frozen=True):
    """`long_flights`: a flight may go over two routes (MR-04)."""

    long_flights: bool = False


class Player(msgspec.Struct):
    at: str
    coins: int
    hand: list[str]  # where each letter is to go; known to its player
    delivered: int = 0


class Position(contract.Position, kw_only=True):
    players: list[Player]
    deck: list[str]  # the top letter is the last
    delivered: list[str] = []
    bank: int = 0
    round: int = 1
    order: list[int] = []  # who has still to fly in this round


class Bid(Move, frozen=True):
    notation = "bid {coins}"
    coins: int


class Fly(Move, frozen=True):
    notation = "fly to {city}"
    city: str


class Collect(Move, frozen=True):
    """Shows its player a new letter: nothing may follow in the same submission."""

    notation = "collect"
    reveals = True

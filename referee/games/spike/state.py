"""What there is in a game of Spike: the settings, the position, the moves."""

from typing import Literal

import msgspec

from referee import contract
from referee.contract import Phase, Play
from referee.games.spike.board import Board, Part, Side
from referee.options import Move

TIME_CARD = "time"
FREE = "."

Cards = dict[str, int]  # rail type -> how many; types without cards are not listed


class Settings(contract.Settings, frozen=True):
    """`advanced`: players choose the sides of their contracts and one of two routes (Rulebook, Advanced play).
    `start_player`: the first seat, or one drawn by lot."""

    advanced: bool = False
    start_player: Literal["first", "random"] = "first"


class Contract(msgspec.Struct):
    """A contract in front of a player. Its cargo token lies on it, is aboard the train, or is back in the supply."""

    card: str
    side: Side
    aboard: bool = False
    delivered: str = ""  # the city under the delivery marker


class Player(msgspec.Struct):
    score: int
    hand: Cards
    contracts: dict[str, Contract]  # commodity -> contract
    routes: list[str]
    home: str = ""  # the city where the locomotive was placed; the network begins there
    at: str = ""  # the train: a city, or a segment with own track
    speed: int = 0  # upgrades
    power: int = 0
    cargo: int = 0


class Position(contract.Position, kw_only=True):
    active: int  # the seat whose turn it is
    players: list[Player]
    tracks: str  # for each segment of the board, in its order, the seat whose track lies there, or FREE
    market: list[list[str]]  # columns of chips, the best paid first
    deck: list[str] = []  # the top card is the last
    display: list[str] = []
    discards: Cards = {}
    round: int = 1
    time_cards: int = 0  # drawn in the last round
    lower: int = 0  # the number of cards at the bottom of the last deck among which the Time cards were shuffled
    moved: bool = False  # the free movement of this turn has been made
    drawn: int = 0  # cards in this turn
    out: int | None = None  # the seat that has finished, after which each other player has one more turn


SpikePhase = Phase[Position, Board]
SpikePlay = Play[Position]


class TurnOver(Move, frozen=True):
    """Sealed, advanced play: the contracts to be used with their other side."""

    notation = "turn {contracts}"
    contracts: tuple[str, ...]


class Give(Move, frozen=True):
    """Afterwards the display and the routes are dealt."""

    notation = "give {card}"
    reveals = True
    hidden = ("card",)
    card: str


class Keep(Move, frozen=True):
    """Sealed, advanced play: the route to keep."""

    notation = "keep {route}"
    hidden = ("route",)
    route: str


class Place(Move, frozen=True):
    notation = "place {city}"
    city: str


class FreeMovement(Move, frozen=True):
    notation = "move {space}"
    space: str


class Load(Move, frozen=True):
    notation = "load {commodity}"
    commodity: str


class Deliver(Move, frozen=True):
    notation = "deliver {commodity}"
    commodity: str


class Dump(Move, frozen=True):
    notation = "dump {commodity}"
    commodity: str


class Draw(Move, frozen=True):
    """A face-up card."""

    notation = "draw {card}"
    card: str


class DrawDeck(Move, frozen=True):
    notation = "draw deck"
    reveals = True


class Build(Move, frozen=True):
    """The path names the places passed, from the one where it leaves the network to the last before the city. What is
    left out the referee chooses, always the cheapest: the first place, the whole path, the cards; the log has all."""

    notation = "build {city} [via {path}] [with {cards}]"
    city: str
    path: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class SetInMotion(Move, frozen=True):
    notation = "start {space}"
    space: str


class Boost(Move, frozen=True):
    notation = "boost {space}"
    space: str


class Upgrade(Move, frozen=True):
    notation = "upgrade {part}"
    part: Part


class Done(Move, frozen=True):
    """No more cards; or nothing (more) to load or deliver after arriving."""

    notation = "done"
    closes = True


class Pass(Move, frozen=True):
    notation = "pass"

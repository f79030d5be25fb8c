"""What there is in a game of Spike: the settings, the position, the moves."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee import contract
from referee.contract import Phase, Play
from referee.games.spike.board import Board, Part, Side
from referee.options import Move

TIME_CARD = "time"
FREE = "."
ANY_CARD = "any"

Cards = dict[str, int]  # rail type -> how many; types without cards are not listed


class Settings(contract.Settings, frozen=True):
    """`advanced`: players choose the sides of their contracts and one of two routes (Rulebook, Advanced play).
    `start_player`: the first seat, or one drawn by lot.
    `short_starts`: a train set in motion may stop short of its speed (house rule, SP-R30)."""

    advanced: bool = False
    start_player: Literal["first", "random"] = "first"
    short_starts: bool = False


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
    # Since version 2:
    idle: int | UnsetType = UNSET  # turns in a row without progress (SP-R63); -1 in a turn that has had some
    dumped: list[str] | UnsetType = UNSET  # in this turn, and not to be loaded again in it (SP-R62)


SpikePhase = Phase[Position, Board]
SpikePlay = Play[Position]


def note_progress(position: Position) -> None:
    """A draw, a build, an upgrade or a delivery: there are only so many of them in a game (SP-R63)."""
    if position.idle is not UNSET:
        position.idle = -1


# How people say where their train goes; from a city this sets it in motion.
MOVING = (
    "move to {space}",
    "move train to {space}",
    "go {space}",
    "go to {space}",
    "run to {space}",
    "drive to {space}",
    "travel to {space}",
    "train to {space}",
)


class TurnOver(Move, frozen=True):
    """Sealed, advanced play: the contracts to be used with their other side."""

    notation = "turn {contracts}"
    also = (
        "turn over {contracts}",
        "turn {contracts} over",
        "flip {contracts}",
        "flip over {contracts}",
        "{contracts}",
        "keep",
        "keep all",
        "keep them",
        "keep all contracts",
        "keep contracts",
    )
    contracts: tuple[str, ...] = ()


class Give(Move, frozen=True):
    """Afterwards the display and the routes are dealt. ANY_CARD is one drawn by lot (SP-R64)."""

    notation = "give {card}"
    also = ("give {card} to {to}", "give {to} {card}", "pass {card} to {to}", "pass {card}", "hand {card} to {to}")
    reveals = True
    hidden = ("card",)
    card: str


class Keep(Move, frozen=True):
    """Sealed, advanced play: the route to keep."""

    notation = "keep {route}"
    also = ("choose {route}", "take {route}", "keep route {route}")
    hidden = ("route",)
    route: str


class Place(Move, frozen=True):
    notation = "place {city}"
    also = (
        "place in {city}",
        "place train in {city}",
        "place locomotive in {city}",
        "put locomotive in {city}",
        "put train in {city}",
        "start in {city}",
        "begin in {city}",
    )
    city: str


class FreeMovement(Move, frozen=True):
    notation = "move {space}"
    also = MOVING
    space: str


class Load(Move, frozen=True):
    notation = "load {commodity}"
    also = ("load", "load {commodity} in {city}", "pick up {commodity}", "load up {commodity}", "load at {city}")
    commodity: str


class Deliver(Move, frozen=True):
    notation = "deliver {commodity}"
    also = (
        "deliver",
        "deliver {commodity} to {city}",
        "deliver {commodity} in {city}",
        "deliver to {city}",
        "sell {commodity}",
        "unload {commodity}",
    )
    commodity: str


class Dump(Move, frozen=True):
    notation = "dump {commodity}"
    also = ("dump", "drop {commodity}", "throw {commodity} away", "throw away {commodity}", "discard {commodity}")
    needs_its_verb = True
    commodity: str


class Draw(Move, frozen=True):
    """A face-up card."""

    notation = "draw {card}"
    also = ("take {card}", "pick {card}", "pick up {card}", "draw face up {card}", "draw 1 {card}", "take 1 {card}")
    card: str


class DrawDeck(Move, frozen=True):
    notation = "draw deck"
    also = (
        "draw from deck",
        "draw from top",
        "draw top card",
        "draw from top of deck",
        "draw blind",
        "draw unseen",
        "draw card from deck",
        "draw 1 from deck",
        "take from deck",
        "take top card",
        "take deck",
        "deck",
        "top card",
    )
    reveals = True


class Build(Move, frozen=True):
    """The path names the places passed, from the one where it leaves the network to the last before the city. What is
    left out the referee chooses, always the cheapest: the first place, the whole path, the cards; the log has all."""

    notation = "build {city} [via {path}] [with {cards}]"
    also = (
        "build to {city} [via {path}] [with {cards}]",
        "build track to {city} [via {path}] [with {cards}]",
        "build tracks to {city} [via {path}] [with {cards}]",
        "build from {path} to {city} [with {cards}]",
        "build {path} {city} [with {cards}]",
        "build {city} [over {path}] [using {cards}]",
        "build {city} [from {path}] [using {cards}]",
        "build {city} [through {path}] [for {cards}]",
        "build {city} with {cards} via {path}",
        "connect {city} [via {path}] [with {cards}]",
        "connect to {city} [via {path}] [with {cards}]",
        "lay track to {city} [via {path}] [with {cards}]",
    )
    city: str
    path: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class SetInMotion(Move, frozen=True):
    notation = "start {space}"
    also = (
        "start to {space}",
        "start towards {space}",
        "start train to {space}",
        "set in motion {space}",
        "set in motion to {space}",
        "set train in motion to {space}",
        "set out to {space}",
        "set out for {space}",
        "depart to {space}",
        "depart for {space}",
        "leave for {space}",
        "move {space}",
        *MOVING,
    )
    space: str


class Boost(Move, frozen=True):
    notation = "boost {space}"
    also = ("boost to {space}", "boost train to {space}", "movement boost to {space}", "boost")
    space: str


class Upgrade(Move, frozen=True):
    notation = "upgrade {part}"
    also = ("upgrade to {part}", "buy {part}", "add {part}", "improve {part}", "upgrade train {part}")
    part: Part


class Done(Move, frozen=True):
    """No more cards; or nothing (more) to load or deliver after arriving."""

    notation = "done"
    also = ("stop", "finished", "finish", "end", "end turn", "no more", "no more cards", "nothing", "none",
            "nothing more", "enough", "thats all", "pass", "skip", "no")  # fmt: skip
    closes = True


class Pass(Move, frozen=True):
    notation = "pass"
    also = ("skip", "do nothing")

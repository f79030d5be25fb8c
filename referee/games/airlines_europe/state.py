"""What there is in a game of Airlines Europe: the settings, the position, the moves."""

from typing import Literal

import msgspec

from referee import contract
from referee.options import Move
from referee.piles import Pile

AIR_ABACUS = "air_abacus"
SCORING_CARD = "scoring"
PILE = "pile"

Shares = Pile  # airline -> how many


class Settings(contract.Settings, frozen=True):
    """`start_player`: the first seat, or one drawn by lot (AE-R01). `jitter`: the scoring cards lie approximately where
    they belong, as the rulebook has it, so that nobody finds them by counting cards (AE-R03)."""

    start_player: Literal["first", "random"] = "first"
    jitter: bool = True


class Player(msgspec.Struct):
    cash: int
    vp: int
    hand: Shares
    holdings: Shares
    # Since rules 2: the airlines in an order drawn for this seat and shown to no other, by which the referee picks
    # shares of the hand for a player who is late (AE-R46).
    lot: list[str] | msgspec.UnsetType = msgspec.UNSET


class Airline(msgspec.Struct):
    marker: int
    planes: int  # not yet on the board
    bonus: bool = False  # the bonus marker still lies beside the goal city


class Position(contract.Position, kw_only=True):
    active: int  # the seat whose turn it is
    players: list[Player]
    bank: int
    deck: list[str]  # the top card is the last
    market: list[str]
    air_abacus: int
    discards: Shares
    airlines: dict[str, Airline]
    licences: list[list[str]]  # of each route, in the board's order: the airlines that own them, cheapest first
    bought: int = 0  # licences in this turn
    scorings: int = 0  # begun
    due: int = 0  # scoring cards that have come up and are not scored yet
    cleared: int = 0  # players who have taken their share while the market is cleared


def next_seat(position: Position) -> int:
    return (position.active + 1) % len(position.players)


# What people write for an order, beside its notation
BUYING = ("buy", "buy licence", "buy license", "buy route", "licence", "license", "connect", "fly", "build")
TRADING = ("trade", "trade in", "swap", "exchange", "discard", "change", "convert")
TRADED = (
    "{hand} [shares]",
    "{held} [shares]",
    "[{hand} from hand] [and] [{held} from holdings]",
    "[{held} from holdings] [and] [{hand} from hand]",
)
GAINED = "for [1] [one] [2] [two] [air] abacus [shares]"


class Choose(Move, frozen=True):
    """Sealed: the two shares to begin with."""

    notation = "choose {shares}"
    also = tuple(
        f"{verb} {{shares}} [shares]" for verb in ("choose", "pick", "keep", "open with", "start with", "begin with")
    )
    shares: tuple[str, ...]


class Buy(Move, frozen=True):
    notation = "buy {route} for {airline}"
    also = (
        *(f"{verb} {way}{{route}}{whose}" for verb in BUYING for way in ("", "from ", "between ", "for ")
          for whose in ("", " for {airline}", " with {airline}")),
        *(f"{verb} {whose}{{airline}} {way}{{route}}" for verb in BUYING for whose in ("", "for ")
          for way in ("", "from ", "on ", "between ")),
        *("{airline} {route}", "{airline} buys {route}", "{airline} flies {route}", "{route} for {airline}"),
    )  # fmt: skip
    route: str
    airline: str


class TakeShare(Move, frozen=True):
    notation = "take {share}"
    also = tuple(
        f"{verb} {what}"
        for verb in ("take", "draw", "pick", "get", "choose", "share")
        for what in ("[1] [one] {share} [share] [from market]", "from market [1] [one] {share} [share]")
    )
    reveals = True
    share: str


class PlayShares(Move, frozen=True):
    notation = "play {shares}"
    also = tuple(
        f"{verb} {{shares}} [shares] [from hand]"
        for verb in ("play", "play out", "lay", "lay down", "put down", "cash in")
    )
    shares: tuple[str, ...]


class Trade(Move, frozen=True):
    """Discards from the hand are face down (AE-R16)."""

    notation = "trade [{hand} from hand] [{held} from holdings]"
    also = tuple(f"{verb} {what} {gain}" for verb in TRADING for what in TRADED for gain in ("", GAINED))
    hidden = ("hand",)
    hand: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


class TakeMoney(Move, frozen=True):
    notation = "take money"
    also = (
        *(f"{verb} {what} [from bank]" for verb in ("take", "get", "collect", "draw")
          for what in ("money", "cash", "million", "8", "8 million", "8m", "8 million euros")),
        *("money", "cash", "take from bank"),
    )  # fmt: skip

"""What there is in a game of Airline (1975): the settings, the position, the moves."""

from typing import Annotated, Literal

import msgspec

from referee import contract
from referee.options import Move

BANK = -1  # as a payer or a creditor

BASES, DEPARTURE, LANDING, RAISING = "bases", "departure", "landing", "raising"  # the phases a position is in


class Settings(contract.Settings, frozen=True):
    """`first_turn`: who moves first, the banker (the first seat) or the winner of the throw (A75-R01). `collection`:
    money is collected for you, or must be claimed before the next throw (A75-R15). `max_cities`: how many cities a
    player may own (A75-R09). `short`: the game ends with the first bankruptcy. `rounds`: after so many the highest
    assets win (A75-R60). `throws`: the referee throws for a player who cannot change aircraft (A75-R64). `turn_end`: a
    landing with nothing to decide ends the turn at once, or every turn waits for `pass` (A75-R56). `debtor_deals`: out
    of turn a debtor deals with the player in turn only, or with anybody (A75-R55)."""

    first_turn: Literal["banker", "dice_winner"] = "banker"
    collection: Literal["automatic", "strict"] = "automatic"
    max_cities: Annotated[int, msgspec.Meta(ge=2, le=12)] = 12
    short: bool = False
    rounds: Annotated[int, msgspec.Meta(ge=10, le=200)] = 200
    throws: Literal["by_players", "by_referee"] = "by_players"
    turn_end: Literal["at_once", "on_pass"] = "at_once"
    debtor_deals: Literal["in_turn", "with_anybody"] = "in_turn"


class Player(msgspec.Struct):
    cash: int
    aircraft: str
    place: int  # on the track
    base: str = ""
    cities: list[str] = []  # with the base, in the order acquired
    out: int = 0  # 0 in the game; else 1 for the first to leave, 2 for the second, ...
    left: str | msgspec.UnsetType = msgspec.UNSET  # how: bankrupt or resigned; since version 2


class Deal(msgspec.Struct):
    """An offer that lies open: `seat` gives cities and cash and wants cities and cash of the seat `to`."""

    number: int
    seat: int
    to: int
    give: list[str]
    pay: int
    want: list[str]
    price: int


class Debt(msgspec.Struct):
    """Money that is due; in strict collection it is a claim first, which may be forgotten."""

    seat: int  # who owes
    to: int
    amount: int
    reason: str


class Position(contract.Position, kw_only=True):
    active: int  # the seat in turn
    first: int  # the seat that has the first turn
    players: list[Player]
    bank: int  # what the bank has taken in, less what it has paid out
    deals: list[Deal]
    deals_made: int = 0
    offers_made: list[int]  # by each seat in this turn
    claims: list[Debt]
    debts: list[Debt]
    resume: str = ""  # the phase to go back to when the debts are paid
    changed: bool = False  # the aircraft, in this turn
    challenged: bool = False  # the city landed in, in this turn
    # Since version 2; under version 1 they are not set, and so are not written.
    turns: int | msgspec.UnsetType = msgspec.UNSET  # begun
    round: int | msgspec.UnsetType = msgspec.UNSET  # the one being played, from 1
    held: list[Deal] | msgspec.UnsetType = msgspec.UNSET  # deals of debtors, void if they go bankrupt (A75-R58)
    lapsed: list[int] | msgspec.UnsetType = msgspec.UNSET  # offers, in this turn and with the end of the last one

    @property
    def is_version_1(self) -> bool:
        return self.held is msgspec.UNSET


class Base(Move, frozen=True):
    notation = "base {city}"
    city: str


class Throw(Move, frozen=True):
    notation = "throw"
    reveals = True


class Fly(Move, frozen=True):
    notation = "fly {aircraft}"
    aircraft: str


class Buy(Move, frozen=True):
    notation = "buy"


class Challenge(Move, frozen=True):
    notation = "challenge"
    reveals = True


class Pass(Move, frozen=True):
    notation = "pass"


class Offer(Move, frozen=True):
    notation = "offer {give} [+ {pay}] to {to} for {want} [+ {price}]"
    to: str
    give: tuple[str, ...] = ()
    pay: int = 0
    want: tuple[str, ...] = ()
    price: int = 0


class Counter(Move, frozen=True):
    """Refuses an offer and makes another to the same player."""

    notation = "counter {deal} offer {give} [+ {pay}] for {want} [+ {price}]"
    deal: int
    give: tuple[str, ...] = ()
    pay: int = 0
    want: tuple[str, ...] = ()
    price: int = 0


class Accept(Move, frozen=True):
    notation = "accept {deal}"
    deal: int


class Refuse(Move, frozen=True):
    notation = "refuse {deal}"
    deal: int


class Withdraw(Move, frozen=True):
    notation = "withdraw {deal}"
    deal: int


class Claim(Move, frozen=True):
    notation = "claim"


class Bankrupt(Move, frozen=True):
    notation = "declare bankruptcy"
    leaves_the_game = True


class Resign(Move, frozen=True):
    notation = "resign"
    leaves_the_game = True

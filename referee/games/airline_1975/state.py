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
    landing with nothing to decide ends the turn at once, or every turn waits for `pass` (A75-R56), or none waits for
    deals (A75-R66). `debtor_deals`: out of turn a debtor deals with the player in turn only, or with anybody (A75-R55).
    """

    first_turn: Literal["banker", "dice_winner"] = "banker"
    collection: Literal["automatic", "strict"] = "automatic"
    max_cities: Annotated[int, msgspec.Meta(ge=2, le=12)] = 12
    short: bool = False
    rounds: Annotated[int, msgspec.Meta(ge=10, le=200)] = 200
    throws: Literal["by_players", "by_referee"] = "by_players"
    turn_end: Literal["at_once", "on_pass", "without_deals"] = "at_once"
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
    also = (
        "base in {city}", "base at {city}", "base is {city}", "base city {city}", "choose {city} [as base]",
        "make {city} base", "take {city} [as base]", "start in {city}",
    )  # fmt: skip
    city: str


class Throw(Move, frozen=True):
    notation = "throw"
    also = (
        "throw dice", "throw and move", "throw two dice", "roll", "roll dice", "roll and move", "move", "go", "dice",
        "take turn", "throw for me", "fly on",
    )  # fmt: skip
    reveals = True


class Fly(Move, frozen=True):
    notation = "fly {aircraft}"
    also = (
        "change [aircraft] to {aircraft}", "switch [aircraft] to {aircraft}", "trade [aircraft] to {aircraft}",
        "trade up to {aircraft}", "trade down to {aircraft}", "trade in for {aircraft}", "upgrade to {aircraft}",
        "downgrade to {aircraft}", "go up to {aircraft}", "go down to {aircraft}", "get {aircraft}", "take {aircraft}",
        "buy {aircraft}", "use {aircraft}", "change aircraft", "change plane",
    )  # fmt: skip
    aircraft: str


class Buy(Move, frozen=True):
    notation = "buy"
    also = (
        "buy {city}", "buy landing rights", "buy landing rights for {city}", "buy rights", "buy rights for {city}",
        "buy it", "buy city", "buy rights to {city}", "buy landing rights to {city}", "buy landing rights in {city}",
        "purchase", "purchase {city}", "purchase landing rights", "take {city}", "take it",
    )  # fmt: skip


class Challenge(Move, frozen=True):
    notation = "challenge"
    also = (
        "challenge {city}", "challenge for {city}", "challenge landing rights", "challenge landing rights for {city}",
        "challenge rights", "challenge rights for {city}", "challenge rights to {city}", "challenge owner",
        "challenge {owner}", "challenge {owner} for {city}", "challenge it", "make challenge",
    )  # fmt: skip
    reveals = True


class Pass(Move, frozen=True):
    notation = "pass"
    also = (
        "pass turn", "end turn", "end", "done", "finish", "finished", "finish turn", "skip", "skip it", "do nothing",
        "nothing", "no", "no thanks", "not buy", "dont buy", "do not buy", "dont challenge", "do not challenge",
        "no challenge", "decline", "leave it", "keep money", "stop",
    )  # fmt: skip
    closes = True


DEAL_WORDS = (
    "{give} [+ {pay}] to {to} for {want} [+ {price}]", "{give} [+ {pay}] to {to} for {price} + {want}",
    "{pay} + {give} to {to} for {want} [+ {price}]", "{give} [+ {pay}] for {want} [+ {price}] to {to}",
    "{pay} for {want} to {to}", "{give} for {price} to {to}", "{give} [+ {pay}] for {want} [+ {price}]",
    "{pay} for {want}", "{give} for {price}", "{to} {give} [+ {pay}] for {want} [+ {price}]", "{to} {pay} for {want}",
    "{to} {give} for {price}",
)  # fmt: skip


SWAP_WORDS = (
    "{give} [+ {pay}] with {to} for {want} [+ {price}]", "{give} [+ {pay}] for {want} [+ {price}] with {to}",
    "{give} [+ {pay}] for {want} [+ {price}]",
)  # fmt: skip


class Offer(Move, frozen=True):
    notation = "offer {give} [+ {pay}] to {to} for {want} [+ {price}]"
    also = (
        *(f"offer {words}" for words in DEAL_WORDS),
        "sell {give} to {to} for {price}", "sell {give} for {price} to {to}", "sell {give} for {price}",
        "sell {to} {give} for {price}",
        "buy {want} from {to} for {pay}", "buy {want} for {pay} from {to}", "buy {want} for {pay}",
        "buy {want} from {to} for {give} [+ {pay}]",
        "bid {pay} for {want}", "bid {to} {pay} for {want}", "bid {pay} to {to} for {want}",
        "trade {give} [+ {pay}] to {to} for {want} [+ {price}]",
        *(f"{verb} {words}" for verb in ("trade", "swap", "exchange") for words in SWAP_WORDS),
        "give {give} to {to}", "give {to} {give}", "give {give} [+ {pay}] to {to} for {want} [+ {price}]",
        "give {to} {give} [+ {pay}] for {want} [+ {price}]",
    )  # fmt: skip
    to: str
    give: tuple[str, ...] = ()
    pay: int = 0
    want: tuple[str, ...] = ()
    price: int = 0


class Counter(Move, frozen=True):
    """Refuses an offer and makes another to the same player."""

    notation = "counter {deal} offer {give} [+ {pay}] for {want} [+ {price}]"
    also = (
        "counter {deal} with {give} [+ {pay}] for {want} [+ {price}]", "counter {deal} with {pay} for {want}",
        "counter {deal} with {give} for {price}", "counter offer {deal} with {give} [+ {pay}] for {want} [+ {price}]",
        "counter offer {deal} with {pay} for {want}", "counter offer {deal} with {give} for {price}",
        "counter with {give} [+ {pay}] for {want} [+ {price}]", "counter with {pay} for {want}",
        "counter with {give} for {price}",
    )  # fmt: skip
    deal: int
    give: tuple[str, ...] = ()
    pay: int = 0
    want: tuple[str, ...] = ()
    price: int = 0


class Accept(Move, frozen=True):
    notation = "accept {deal}"
    also = (
        "accept", "accept offer", "accept offer {deal}", "accept deal", "accept deal {deal}", "accept number {deal}",
        "agree", "agree to {deal}", "agree to offer {deal}", "agree to offer", "take offer {deal}", "take offer",
        "agreed", "accept {maker} offer", "accept offer from {maker}", "accept offer of {maker}",
    )  # fmt: skip
    deal: int


class Refuse(Move, frozen=True):
    notation = "refuse {deal}"
    also = (
        "refuse", "refuse offer", "refuse offer {deal}", "refuse deal", "refuse deal {deal}", "decline",
        "decline offer", "decline {deal}", "decline offer {deal}", "reject", "reject offer", "reject {deal}",
        "reject offer {deal}", "turn down {deal}", "turn down offer {deal}", "turn down offer",
        "refuse {maker} offer", "refuse offer from {maker}", "no to {deal}", "no to offer {deal}",
    )  # fmt: skip
    deal: int


class Withdraw(Move, frozen=True):
    notation = "withdraw {deal}"
    also = (
        "withdraw", "withdraw offer", "withdraw offer {deal}", "take back {deal}", "take back offer {deal}",
        "take back offer", "cancel {deal}", "cancel offer {deal}", "cancel offer", "revoke {deal}",
    )  # fmt: skip
    needs_its_verb = True
    deal: int


class Claim(Move, frozen=True):
    notation = "claim"
    also = (
        "claim money", "claim fare", "claim fares", "claim all", "claim everything", "claim subsidy", "claim it",
        "claim what is due", "claim from {payer}", "claim fare from {payer}", "claim fare for {city}", "collect",
        "collect money", "collect fare", "collect fares", "collect all", "collect everything", "collect subsidy",
        "collect from {payer}", "collect fare from {payer}", "collect fare for {city}",
    )  # fmt: skip


class Bankrupt(Move, frozen=True):
    notation = "declare bankruptcy"
    also = ("declare bankrupt", "bankrupt", "bankruptcy", "go bankrupt", "be bankrupt", "im bankrupt", "am bankrupt")
    leaves_the_game = True


class Resign(Move, frozen=True):
    notation = "resign"
    also = ("resign game", "leave game", "quit game", "leave table")  # nothing that could be said by chance
    leaves_the_game = True

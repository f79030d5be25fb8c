"""What there is in a game of Airline (1975): the position, the moves, the events."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from referee import contract
from referee.contract import Event, Words, and_list
from referee.options import Move

BANK = -1  # as a payer or a creditor

BASES, DEPARTURE, LANDING, RAISING = "bases", "departure", "landing", "raising"  # the phases a position is in


class Settings(contract.Settings, frozen=True):
    """`first_turn`: who moves first, the banker (the first seat) or the winner of the throw (A75-R01). `collection`:
    money is collected for you, or must be claimed before the next throw (A75-R15). `max_cities`: how many cities a
    player may own (A75-R09). `short`: the game ends with the first bankruptcy."""

    first_turn: Literal["banker", "dice_winner"] = "banker"
    collection: Literal["automatic", "strict"] = "automatic"
    max_cities: Annotated[int, msgspec.Meta(ge=2, le=12)] = 12
    short: bool = False


class Player(msgspec.Struct):
    cash: int
    aircraft: str
    place: int  # on the track
    base: str = ""
    cities: list[str] = []  # with the base, in the order acquired
    out: int = 0  # 0 in the game; else 1 for the first to leave, 2 for the second, ...


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
    """Money that is due; in strict collection first a claim, which somebody may forget."""

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


class Resign(Move, frozen=True):
    notation = "resign"


class Threw(Event, frozen=True):
    seat: int
    dice: tuple[int, ...]
    purpose: str

    def sentence(self, words: Words) -> str:
        dice = " and ".join(map(str, self.dice))
        return f"{words.player(self.seat)} throws {dice}, {sum(self.dice)} in all, {self.purpose}."


class Began(Event, frozen=True):
    chooser: int
    first: int

    def sentence(self, words: Words) -> str:
        chooser, first = words.player(self.chooser), words.player(self.first)
        return f"{chooser} chooses a base first; {first} will have the first turn."


class ChoseBase(Event, frozen=True):
    seat: int
    city: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} makes {words('city', self.city)} the base."


class ChangedAircraft(Event, frozen=True):
    seat: int
    aircraft: str
    fee: int

    def sentence(self, words: Words) -> str:
        aircraft = words("aircraft", self.aircraft)
        return f"{words.player(self.seat)} changes to the {aircraft} for ${self.fee} million."


class Landed(Event, frozen=True):
    seat: int
    space: str  # a city or a special space

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} lands on {words('space', self.space)}."


class Received(Event, frozen=True):
    seat: int
    amount: int
    reason: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} receives ${self.amount} million from the bank: {self.reason}."


class Paid(Event, frozen=True):
    seat: int
    to: int
    amount: int
    reason: str

    def sentence(self, words: Words) -> str:
        payee = "the bank" if self.to == BANK else words.player(self.to)
        return f"{words.player(self.seat)} pays {payee} ${self.amount} million: {self.reason}."


class Owes(Event, frozen=True):
    seat: int
    to: int
    amount: int
    cash: int

    def sentence(self, words: Words) -> str:
        payee = "the bank" if self.to == BANK else words.player(self.to)
        name = words.player(self.seat)
        return f"{name} owes {payee} ${self.amount} million, has {self.cash}, and must raise the rest."


class Claimable(Event, frozen=True):
    seat: int
    debtor: int
    amount: int
    reason: str

    def sentence(self, words: Words) -> str:
        payer = "the bank" if self.debtor == BANK else words.player(self.debtor)
        name = words.player(self.seat)
        return f"{name} may claim ${self.amount} million from {payer} before the next throw: {self.reason}."


class ClaimLapsed(Event, frozen=True):
    seat: int
    amount: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} did not claim ${self.amount} million in time."


class BoughtRights(Event, frozen=True):
    seat: int
    city: str
    price: int

    def sentence(self, words: Words) -> str:
        city = words("city", self.city)
        return f"{words.player(self.seat)} buys the landing rights for {city} for ${self.price} million."


class ChallengeWon(Event, frozen=True):
    seat: int
    owner: int
    city: str

    def sentence(self, words: Words) -> str:
        city = words("city", self.city)
        return f"{words.player(self.seat)} wins the challenge and takes {city} from {words.player(self.owner)}."


class ChallengeLost(Event, frozen=True):
    seat: int
    owner: int
    city: str

    def sentence(self, words: Words) -> str:
        city = words("city", self.city)
        return f"{words.player(self.seat)} loses the challenge; {words.player(self.owner)} keeps {city}."


class Hijacked(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} is hijacked to Subsidy and collects nothing there."


class Crashed(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} crashes and flies a PROP from now on."


class Passed(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} ends the turn."


class Bargain(Event, frozen=True):
    """What both offers and their acceptance tell: `seat` gives cities and cash to the seat `to`, and for what."""

    seat: int
    to: int
    number: int
    give: tuple[str, ...]
    pay: int
    want: tuple[str, ...]
    price: int

    def sides(self, words: Words) -> tuple[str, str]:
        give = bundle([words("city", city) for city in self.give], self.pay)
        return give, bundle([words("city", city) for city in self.want], self.price)


class Offered(Bargain, frozen=True):
    def sentence(self, words: Words) -> str:
        give, want = self.sides(words)
        return f"Offer {self.number}: {words.player(self.seat)} offers {words.player(self.to)} {give} for {want}."


class Accepted(Bargain, frozen=True):
    def sentence(self, words: Words) -> str:
        give, want = self.sides(words)
        maker, taker = words.player(self.seat), words.player(self.to)
        return f"{taker} accepts offer {self.number}: {maker} gives {give} for {want}."


class Refused(Event, frozen=True):
    seat: int
    number: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} refuses offer {self.number}."


class Withdrew(Event, frozen=True):
    seat: int
    number: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} withdraws offer {self.number}."


class Lapsed(Event, frozen=True):
    numbers: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        many = len(self.numbers) > 1
        return f"Offer{'s' * many} {and_list(list(map(str, self.numbers)))} {'lapse' if many else 'lapses'}."


class WentBankrupt(Event, frozen=True):
    seat: int
    cities: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        cities = and_list([words("city", city) for city in self.cities])
        return f"{words.player(self.seat)} is bankrupt; free again: {cities}."


class BankPaid(Event, frozen=True):
    seat: int
    amount: int
    debtor: int

    def sentence(self, words: Words) -> str:
        debtor = words.player(self.debtor)
        return f"The bank pays {words.player(self.seat)} the ${self.amount} million that {debtor} owed."


class Resigned(Event, frozen=True):
    seat: int
    cities: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        cities = and_list([words("city", city) for city in self.cities])
        return f"{words.player(self.seat)} leaves the game{'; free again: ' + cities if cities else ''}."


class GameOver(Event, frozen=True):
    winners: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"{and_list([words.player(seat) for seat in self.winners])} {verb}."


EVENTS: Sequence[type[Event]] = (
    Threw, Began, ChoseBase, ChangedAircraft, Landed, Received, Paid, Owes, Claimable, ClaimLapsed, BoughtRights,
    ChallengeWon, ChallengeLost, Hijacked, Crashed, Passed, Offered, Accepted, Refused, Withdrew, Lapsed, WentBankrupt,
    BankPaid, Resigned, GameOver,
)  # fmt: skip


def bundle(cities: Sequence[str], cash: int) -> str:
    """Named cities and cash: "Rome and $15 million"."""
    return and_list([*cities, *[f"${cash} million"] * bool(cash)]) or "nothing"

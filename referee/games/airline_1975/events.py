"""What happens in a game of Airline (1975), each event in one plain sentence."""

from collections.abc import Sequence

import msgspec

from referee.contract import Event, Words, and_list
from referee.games.airline_1975.state import BANK


def bundle(cities: Sequence[str], cash: int) -> str:
    """Named cities and cash: "Rome and $15 million"."""
    return and_list([*cities, *[f"${cash} million"] * bool(cash)]) or "nothing"


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
    """What an offer and its acceptance have in common: `seat` gives cities and cash to the seat `to`, and for what."""

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
    reason: str | msgspec.UnsetType = msgspec.UNSET  # turn or goods; since version 2

    def sentence(self, words: Words) -> str:
        many = len(self.numbers) > 1
        reasons = {"turn": " with the turn", "goods": ", for what was named is no longer to be had"}
        why = reasons.get(self.reason or "", "")
        return f"Offer{'s' * many} {and_list(list(map(str, self.numbers)))} {'lapse' if many else 'lapses'}{why}."


class Voided(Event, frozen=True):
    """A deal of a debtor who has gone bankrupt: the other one has back what he gave (A75-R58)."""

    seat: int  # who is bankrupt
    to: int
    number: int
    back: tuple[str, ...]  # cities that the other one gives back
    returned: tuple[str, ...]  # cities that he gets back
    money: int

    def sentence(self, words: Words) -> str:
        other = words.player(self.to)
        back = and_list([words("city", city) for city in self.back]) or "nothing"
        returned = bundle([words("city", city) for city in self.returned], self.money)
        return f"Deal {self.number} is void: {other} gives back {back} and gets {returned} back."


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
    ChallengeWon, ChallengeLost, Hijacked, Crashed, Passed, Offered, Accepted, Refused, Withdrew, Lapsed, Voided,
    WentBankrupt, BankPaid, Resigned, GameOver,
)  # fmt: skip

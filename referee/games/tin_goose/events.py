"""What happens in a game of Tin Goose, each event in one sentence."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.contract import Event, Words, and_list, counted
from referee.games.tin_goose.state import NO_CONDITION

EventKind = Literal["strike", "crash", "oil"]


class DemandDealt(Event, frozen=True):
    """The tokens of one colour, in the order of the demand cards, or the fixed ones (no colour)."""

    colour: str
    cities: tuple[str, ...]
    gold: tuple[int, ...]
    silver: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        fixed = words.game.board.demand.fixed_gold if self.colour else ()
        tokens = [
            f"{f'{gold} gold' if gold else f'{silver} silver'} in {words('city', city)}"
            + " (in place of its first gold)" * (city in fixed)
            for city, gold, silver in zip(self.cities, self.gold, self.silver, strict=True)
        ]
        return f"Demand{' in ' + self.colour if self.colour else ''}: {and_list(tokens)}."


class Dealt(Event, frozen=True):
    hidden: ClassVar = ("cards",)
    seat: int
    count: int
    cards: tuple[str, ...] | None

    def sentence(self, words: Words) -> str:
        what = f": {words.several('card', self.cards)}" if self.cards is not None else ""
        return f"{words.player(self.seat)} is dealt {self.count} cards{what}."


class AirmailOffered(Event, frozen=True):
    airmail: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        return f"Airmail routes on offer: {words.several('airmail', self.airmail)}."


class AirmailBids(Event, frozen=True):
    bids: tuple[int, ...]
    order: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        bids = and_list([f"{words.player(seat)} ${amount}" for seat, amount in enumerate(self.bids)])
        order = and_list([words.player(seat) for seat in self.order])
        lot = " (equal bids by lot)" if len(set(self.bids)) < len(self.bids) else ""
        return f"Bids, paid by all: {bids}. The order of choice: {order}{lot}."


class AirmailChosen(Event, frozen=True):
    seat: int
    airmail: str
    city: str

    def sentence(self, words: Words) -> str:
        route, city = words("airmail", self.airmail), words("city", self.city)
        return f"{words.player(self.seat)} chooses {route} and begins in {city}."


class AirmailDiscarded(Event, frozen=True):
    airmail: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        return f"Nobody flies {words.several('airmail', self.airmail)}."


class RoundBegan(Event, frozen=True):
    round: int
    era: str
    destination: str

    def sentence(self, words: Words) -> str:
        return f"Round {self.round} begins: {self.era} cards, service to {words('destination', self.destination)}."


class CardPlayed(Event, frozen=True):
    seat: int
    card: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} plays {words('card', self.card)}."


Reason = Literal["city_match", "same_kind", "advance", "managed", "new_city", "rivals", "most_hazard", "least_hazard"]
REASONS: dict[str, str] = {
    "city_match": "a plane in the city of the card",
    "same_kind": "a fleet of the same kind",
    "advance": "an action",
    "managed": "Regional Management takes the first action",
    "new_city": "a new city",
    "rivals": "rivals in the new city",
    "most_hazard": "the most hazard",
    "least_hazard": "the least hazard",
}


class IncomeMoved(Event, frozen=True):
    """`boxes` is how far the marker really moved: it stops at the ends of the track."""

    seat: int
    reason: Reason
    boxes: int
    income: int

    def sentence(self, words: Words) -> str:
        number, whose = abs(self.boxes), f"{words.player(self.seat)}'s income marker"
        if not number:
            return f"{whose} stays at {self.income}: {REASONS[self.reason]}."
        way = f"{'up' if self.boxes > 0 else 'down'} {counted(number, 'box', 'boxes')}"
        return f"{whose} moves {way} to {self.income}: {REASONS[self.reason]}."


class StrikeResolved(Event, frozen=True):
    bids: tuple[int, ...]
    winners: tuple[int, ...]
    win: int

    def sentence(self, words: Words) -> str:
        bids = and_list([f"{words.player(seat)} {chips}" for seat, chips in enumerate(self.bids)])
        who = and_list([words.player(seat) for seat in self.winners])
        verb = "wins" if len(self.winners) == 1 else "each win"
        won = f"{who} {verb} ${self.win}" if self.winners else "nobody wins"
        return f"Labor chips bid, all gone to the supply: {bids}; {won}."


class Paid(Event, frozen=True):
    seat: int
    reason: EventKind
    amount: int
    bonds: int

    def sentence(self, words: Words) -> str:
        bonds = f" and issues {counted(self.bonds, 'emergency bond')} for it" if self.bonds else ""
        return f"{words.player(self.seat)} pays ${self.amount} for the {self.reason}{bonds}."


class HazardCompared(Event, frozen=True):
    hazard: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        levels = and_list([f"{words.player(seat)} {flames}" for seat, flames in enumerate(self.hazard)])
        equal = "; all are equal, and nobody moves" if len(set(self.hazard)) == 1 else ""
        return f"Hazard: {levels}{equal}."


class BidMade(Event, frozen=True):
    seat: int
    amount: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} bids ${self.amount}."


class Passed(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} passes."


class PassedOver(Event, frozen=True):
    """With open screens: somebody who cannot bid is not asked (TG-R70)."""

    seat: int
    cash: int
    least: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} has ${self.cash} and cannot bid ${self.least}."


class FleetBought(Event, frozen=True):
    seat: int
    card: str
    amount: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} buys {words('fleet', self.card)} for ${self.amount}."


class FleetDiscarded(Event, frozen=True):
    card: str
    last_round: bool

    def sentence(self, words: Words) -> str:
        why = "There are no auctions in the last round" if self.last_round else "Nobody bids"
        return f"{why}: {words('fleet', self.card)} is discarded."


class Deployed(Event, frozen=True):
    seat: int
    card: str
    planes: int
    condition: str
    money: int
    hazard: int
    kept: int | UnsetType = UNSET  # since version 2: the conditions that stay where one could have gone (TG-R35)

    def sentence(self, words: Words) -> str:
        removed = f", removes {words('condition', self.condition)}" if self.condition != NO_CONDITION else ""
        if self.kept is not UNSET:
            removed = f", removes nothing and keeps {counted(self.kept, 'condition')}"
        money = f", receives ${self.money}" if self.money else ""
        fleet = f"{words('fleet', self.card)} with {self.planes} planes"
        return f"{words.player(self.seat)} deploys {fleet}{removed}{money}; hazard {self.hazard}."


class Upgraded(Event, frozen=True):
    seat: int
    card: str
    replaced: str
    planes: int
    hazard: int

    def sentence(self, words: Words) -> str:
        new, old = words("fleet", self.card), words("fleet", self.replaced)
        moved = f"{counted(self.planes, 'plane')} moved over"
        return f"{words.player(self.seat)} upgrades {old} to {new}, {moved}; hazard {self.hazard}."


class PlanePlaced(Event, frozen=True):
    seat: int
    city: str
    fleet: str

    def sentence(self, words: Words) -> str:
        return (
            f"{words.player(self.seat)} places a plane in {words('city', self.city)} from {words('fleet', self.fleet)}."
        )


class Extended(Event, frozen=True):
    seat: int
    city: str
    hazard: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} extends to {words('city', self.city)}; hazard {self.hazard}."


class DemandServed(Event, frozen=True):
    seat: int
    city: str
    tokens: int
    money: int
    silver_removed: int

    def sentence(self, words: Words) -> str:
        tokens = counted(self.tokens, "demand token")
        removed = f"; {self.silver_removed} silver removed" if self.silver_removed else ""
        return f"{words.player(self.seat)} collects ${self.money} for {tokens} in {words('city', self.city)}{removed}."


class AirmailDelivered(Event, frozen=True):
    seat: int
    airmail: str
    money: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} completes {words('airmail', self.airmail)} and takes ${self.money}."


class InternationalServed(Event, frozen=True):
    seat: int
    destination: str
    fleet: str
    cost: int

    def sentence(self, words: Words) -> str:
        where = f"{words('destination', self.destination)} from {words('fleet', self.fleet)}"
        return f"{words.player(self.seat)} serves {where} for ${self.cost}."


class LaborTaken(Event, frozen=True):
    seat: int
    chips: int
    cost: int

    def sentence(self, words: Words) -> str:
        cost = f", paying ${self.cost}" if self.cost else ""
        return f"{words.player(self.seat)} takes {counted(self.chips, 'labor chip')}{cost}."


class BondIssued(Event, frozen=True):
    seat: int
    money: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} issues a bond for ${self.money}."


class IncomeCollected(Event, frozen=True):
    seat: int
    amount: int
    skipped: bool = False  # Generous Dividends

    def sentence(self, words: Words) -> str:
        if self.skipped:
            return f"{words.player(self.seat)} skips the income phase: Generous Dividends."
        return f"{words.player(self.seat)} collects an income of ${self.amount}."


class DiscardedFaceDown(Event, frozen=True):
    hidden: ClassVar = ("card",)
    seat: int
    era: str
    card: str | None

    def sentence(self, words: Words) -> str:
        what = words("card", self.card) if self.card else f"the last {self.era} card"
        return f"{words.player(self.seat)} discards {what} face down."


class Score(msgspec.Struct, frozen=True):
    """The parts of a final score (Rulebook X)."""

    cash: int
    international: int
    fewer: int
    majors: int
    income: int
    bonds: int

    @property
    def total(self) -> int:
        return self.cash + self.international + self.fewer + self.majors + self.income + self.bonds


class GameOver(Event, frozen=True):
    scores: tuple[Score, ...]
    winners: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        scores = "; ".join(f"{words.player(seat)}: {parts(score)}" for seat, score in enumerate(self.scores))
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"Final scores: {scores}. {and_list([words.player(seat) for seat in self.winners])} {verb}."


def parts(score: Score) -> str:
    """A score with its parts, as in the rulebook's example."""
    return (
        f"money {dollars(score.cash)}, international {score.international} and {score.fewer}, major cities"
        f" {score.majors}, income {score.income}, bonds {score.bonds}: {dollars(score.total)}"
    )


def dollars(amount: int) -> str:
    return f"-${-amount}" if amount < 0 else f"${amount}"


EVENTS: Sequence[type[Event]] = (
    DemandDealt, Dealt, AirmailOffered, AirmailBids, AirmailChosen, AirmailDiscarded, RoundBegan, CardPlayed,
    IncomeMoved, StrikeResolved, Paid, HazardCompared, BidMade, Passed, PassedOver, FleetBought, FleetDiscarded,
    Deployed, Upgraded, PlanePlaced, Extended, DemandServed, AirmailDelivered, InternationalServed, LaborTaken,
    BondIssued, IncomeCollected, DiscardedFaceDown, GameOver,
)  # fmt: skip

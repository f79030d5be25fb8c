"""What there is in a game of Tin Goose: the settings, the position, the moves."""

import msgspec

from referee import contract
from referee.contract import Phase, Play
from referee.games.tin_goose.board import Board
from referee.options import Move

# The phases of a turn, by which the steps of the sequence of play hand on to each other.
CARD = "card"
STRIKE = "strike"
AUCTION = "auction"
ACQUISITION = "acquisition"
ACTIONS = "actions"

NO_CONDITION = "none"

# The five actions, as a turn counts them; an extension is a placement (TG-R42).
ADVANCE, PLACE, SERVE, LABOR, BOND = "advance income", "place a plane", "international service", "labor chip", "bond"


class Settings(contract.Settings, frozen=True):
    """`even_events`: fleets and events are dealt apart, so that each player holds one event of each era (Variant).
    `open_screens`: money, bonds and labor chips lie open, and nobody is asked for a bid without means (TG-R70)."""

    even_events: bool = False
    open_screens: bool = False


class OwnedFleet(msgspec.Struct):
    card: str
    planes: int  # plane pieces that still stand on the card


class Player(msgspec.Struct):
    cash: int
    bonds: int
    labor_chips: int
    hand: list[str]
    fleets: list[OwnedFleet]
    conditions: list[str]
    income_box: int  # the place of the marker on the income track, counted from 0
    airmail: str = ""  # the card in front of the player; none before the choice and after the delivery
    cities: list[str] = []  # the network, in the order of placing
    international: list[str] = []
    extensions: int = 0
    forgone: int = 0  # deployments that removed no condition (TG-R35)
    face_down: list[str] = []  # the extra card of each era that has ended


class DemandTokens(msgspec.Struct):
    gold: int = 0
    silver: int = 0


class Bidding(msgspec.Struct):
    """The auction: how many have answered, and the highest bid so far."""

    answered: int = 0
    amount: int = 0
    seat: int | None = None
    bids: list[int] | msgspec.UnsetType = msgspec.UNSET  # since version 2: each answer in its order, 0 for a pass

    def answer(self, amount: int) -> None:
        self.answered += 1
        if self.bids is not msgspec.UNSET:
            self.bids.append(amount)


class Payment(msgspec.Struct):
    """What the table sees somebody pay for an event, and the emergency bonds taken for it."""

    seat: int
    amount: int
    bonds: int


class Position(contract.Position, kw_only=True):
    round: int
    first: int  # the seat that takes the first turn of every round
    active: int
    players: list[Player]
    demand: dict[str, DemandTokens]  # by city; cities without tokens are not listed
    silver_spent: int = 0
    airmail: list[str]  # face up, to choose from
    airmail_discards: list[str] = []
    choosers: list[int] = []  # who is still to choose an airmail route, in order
    card: str = ""  # the era card being played
    bidding: Bidding = msgspec.field(default_factory=Bidding)
    payments: list[Payment] = []  # for the event of this turn
    taken: list[str] = []  # the actions of this turn, each as often as it counts
    discards: list[str] = []  # face up
    removed: list[str]  # era cards that were not dealt, unseen


TinGoosePhase = Phase[Position, Board]
TinGoosePlay = Play[Position]


# The orders. What stands in `also` is read and never shown.


class Bid(Move, frozen=True):
    """Dollars for the choice of an airmail route (sealed), labor chips in a strike (sealed), dollars for a fleet."""

    notation = "bid {amount}"
    also = ("bid {amount} dollars", "bid {amount} labor chips", "bid {amount} chips", "offer {amount}", "{amount}")
    amount: int


class Choose(Move, frozen=True):
    notation = "choose {airmail}"
    also = (
        "take {airmail}", "pick {airmail}", "fly {airmail}", "choose {airmail} route", "take {airmail} route",
        "begin in {airmail}", "start in {airmail}", "choose route {airmail}", "{airmail}",
    )  # fmt: skip
    airmail: str


class PlayCard(Move, frozen=True):
    notation = "play {card}"
    also = ("play card {card}", "play {card} card", "auction {card}", "put up {card}", "{card}")
    card: str


class Pass(Move, frozen=True):
    notation = "pass"
    also = ("no bid", "do not bid", "dont bid", "bid nothing", "nothing", "fold", "skip")


class Deploy(Move, frozen=True):
    """Which condition goes must be said, also that none does: it is offered only now (TG-R35)."""

    notation = "deploy and remove {condition}"
    also = (
        "deploy", "deploy it", "deploy remove {condition}", "deploy removing {condition}", "deploy {condition}",
        "deploy it and remove {condition}", "deploy fleet and remove {condition}", "deploy and discard {condition}",
        "deploy and drop {condition}", "deploy and lose {condition}", "remove {condition}",
        # with “keep” for the condition
        "deploy and {condition} all conditions", "deploy and {condition} everything",
        "deploy {condition} all conditions", "deploy {condition} everything",
    )  # fmt: skip
    condition: str


class Upgrade(Move, frozen=True):
    notation = "upgrade {fleet}"
    also = ("upgrade", "upgrade from {fleet}", "replace {fleet}", "upgrade {fleet} fleet")
    fleet: str


class AdvanceIncome(Move, frozen=True):
    notation = "advance income"
    also = (
        "advance", "income", "adjust income", "raise income", "increase income", "advance income marker", "move up",
        "income up",
    )  # fmt: skip


class PlacePlane(Move, frozen=True):
    """A city alone may mean this or an extension: the referee asks back unless only one of them is possible."""

    notation = "place [a plane in] {city} from {fleet}"
    also = (
        "place {city}", "place plane in {city}", "place plane at {city}", "place plane on {city}", "place plane {city}",
        "place {city} with {fleet}", "place plane in {city} with {fleet}", "place {city} using {fleet}",
        "place {fleet} in {city}", "place {fleet} plane in {city}", "place {fleet} at {city}", "place {fleet} {city}",
        "put plane in {city}", "put plane in {city} from {fleet}", "put {fleet} in {city}", "fly to {city}",
        "fly to {city} from {fleet}", "fly to {city} with {fleet}", "fly {fleet} to {city}", "serve {city}",
        "serve {city} from {fleet}", "serve {city} with {fleet}", "{city}",
    )  # fmt: skip
    city: str
    fleet: str


class Extend(Move, frozen=True):
    notation = "extend [to] {city}"
    also = (
        "extension to {city}", "extension {city}", "extend network to {city}", "extend into {city}", "extend in {city}",
        "make extension to {city}", "make extension in {city}", "extension in {city}", "{city}",
    )  # fmt: skip
    city: str


class Serve(Move, frozen=True):
    notation = "serve {destination} from {fleet}"
    also = (
        "serve {destination}", "serve {destination} with {fleet}", "serve {destination} using {fleet}",
        "fly to {destination}", "fly to {destination} from {fleet}", "fly to {destination} with {fleet}",
        "fly {fleet} to {destination}", "international", "international service", "service to {destination}",
        "international service to {destination}", "international service to {destination} from {fleet}",
        "international {destination}", "place plane in {destination}", "place {destination} from {fleet}",
        "{destination}",
    )  # fmt: skip
    destination: str
    fleet: str


class TakeLabor(Move, frozen=True):
    notation = "take [{chips}] labor [chips]"
    also = (
        "take {chips} chips", "take chip", "take chips", "chip", "get [{chips}] labor [chips]", "labor action",
        "take [{chips}] labour [chips]", "labour chips", "labour",
    )  # fmt: skip
    chips: int = 1


class IssueBond(Move, frozen=True):
    notation = "issue bond"
    also = ("bond", "take bond", "take one bond", "issue one bond", "sell bond", "take loan", "loan", "borrow")

"""What standing orders can speak of in Tin Goose. What is behind a screen its owner alone can compare."""

from referee.games.tin_goose.components import SIZES
from referee.games.tin_goose.events import FleetBought, HazardCompared, StrikeResolved
from referee.seat_facts import Look, NamedEvent, NamedPhase, Preset, SeatFact, StandingWords, Value

FLEET_SIZES = tuple(SIZES)


def fleet_of(look: Look, name: str) -> Value:
    """Something printed on the fleet that is up for auction."""
    fleet = look.board.fleet.get(look.table.card)
    found: Value = getattr(fleet, name) if fleet else None
    return found


def least_bid(look: Look) -> Value:
    if look.table.card not in look.board.fleet:
        return None
    return int(max(look.board.constants.least_bid, look.table.bidding.amount + 1))


def is_same_kind(look: Look) -> bool:
    kind = fleet_of(look, "kind")
    return kind is not None and kind in [look.board.fleet[fleet.card].kind for fleet in look.me.fleets]


def still_to_bid(look: Look) -> Value:
    if look.table.card not in look.board.fleet:
        return None
    return int(len(look.table.players) - look.table.bidding.answered - 1)


WORDS = StandingWords(
    facts=(
        SeatFact("cash", "Your money.", lambda look: look.me.cash),
        SeatFact("round", "The round, 1 to 7.", lambda look: look.table.round),
        SeatFact(
            "size",
            "The size of the fleet that is up for auction.",
            lambda look: fleet_of(look, "size"),
            "word",
            tuple(SIZES),
        ),
        SeatFact("price", "The least that you could bid for the fleet now.", least_bid, also=("least bid",)),
        SeatFact("cash after", "Your money after the least bid.", lambda look: _less(look.me.cash, least_bid(look))),
        SeatFact("bid", "The highest bid so far.", lambda look: look.table.bidding.amount),
        SeatFact("still to bid", "How many are asked after you for this fleet.", still_to_bid),
        SeatFact("fleet oil", "The oil that the fleet burns.", lambda look: fleet_of(look, "oil")),
        SeatFact("fleet hazard", "The flames on the fleet.", lambda look: fleet_of(look, "hazard")),
        SeatFact("same kind", "You own a fleet of the same kind as the one up for auction.", is_same_kind, "flag"),
        SeatFact("income", "Your income.", lambda look: look.me.income),
        SeatFact("bonds", "Your bonds.", lambda look: look.me.bonds),
        SeatFact("labor chips", "Your labor chips.", lambda look: look.me.labor_chips, also=("chips",)),
        SeatFact(
            "my planes left",
            "Planes that still stand on your fleets.",
            lambda look: sum(fleet.planes for fleet in look.me.fleets),
            also=("planes left", "planes"),
        ),
        SeatFact("my fleets", "How many fleets you own.", lambda look: len(look.me.fleets), also=("fleets",)),
        SeatFact("hazard", "The flames of your airline.", lambda look: look.me.hazard),
        SeatFact("oil", "The barrels of your airline.", lambda look: look.me.oil),
        SeatFact(
            "conditions",
            "The conditions that you still have.",
            lambda look: tuple(look.me.conditions),
            "list",
            "condition",
        ),
        SeatFact("conditions left", "How many conditions you still have.", lambda look: len(look.me.conditions)),
        SeatFact("my cities", "How many cities you serve.", lambda look: len(look.me.cities), also=("cities",)),
    ),
    phases=(
        NamedPhase("airmail", "The sealed bids for the airmail routes.", ("airmail",)),
        NamedPhase("airmail choice", "Choosing an airmail route.", ("airmail_choice",)),
        NamedPhase("card", "Playing a card of the era.", ("card",)),
        NamedPhase("strike", "The sealed bids of labor chips in a strike.", ("strike",)),
        NamedPhase("auction", "A fleet is up for auction: you are asked once.", ("auction",)),
        NamedPhase("acquisition", "You have bought a fleet: deploy it, or upgrade.", ("acquisition",), ("purchase",)),
        NamedPhase("actions", "The three actions of your turn.", ("actions",), ("action", "turn")),
    ),
    events=(
        NamedEvent("an event", "Somebody plays an event.", lambda event, seat: _is_event(event)),
        NamedEvent(
            "a fleet is mine",
            "You have bought a fleet.",
            lambda event, seat: isinstance(event, FleetBought) and event.seat == seat,
        ),
    ),
    presets=(
        Preset("pass", "Pass in every auction.", "in auction: pass"),
        Preset(
            "cheap",
            "Bid one more up to 8 for a fleet of size M or L if I keep 4, and pass otherwise.",
            "in auction: bid one more up to 8 if (size is M or L) and cash after >= 4; else pass",
        ),
        Preset("poor", "Pass in an auction where I cannot bid.", "in auction: pass unless I can bid"),
        Preset(
            "deploy",
            "Deploy what I buy, and remove conditions in this order: dividends, investments, safety, rural stops, "
            "management.",
            "in acquisition: deploy and remove Generous Dividends else deploy and remove Unproductive Investments "
            "else deploy and remove Irregular Safety Procedures else deploy and remove Rural Stops along Routes "
            "else deploy and remove Regional Management else deploy and remove nothing",
        ),
        Preset("strike", "Bid no labor chips in a strike.", "in strike: bid the least"),
    ),
)


def _less(cash: int | None, cost: Value) -> int | None:
    return cash - cost if cash is not None and isinstance(cost, int) else None


def _is_event(event: object) -> bool:
    return isinstance(event, StrikeResolved | HazardCompared)

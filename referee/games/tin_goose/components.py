"""What is printed on each component of Tin Goose: cities, lines, cards, tracks, and the numbers of the rulebook."""

from typing import Literal

import msgspec

Size = Literal["S", "M", "L"]
CardKind = Literal["fleet", "strike", "crash", "oil"]

SIZES = "SML"
FORD_TRIMOTOR = "ford_trimotor"
CONDITIONS = (
    "irregular_safety_procedures",
    "generous_dividends",
    "unproductive_investments",
    "rural_stops_along_routes",
    "regional_management",
)
IRREGULAR_SAFETY, GENEROUS_DIVIDENDS, UNPRODUCTIVE_INVESTMENTS, RURAL_STOPS, REGIONAL_MANAGEMENT = CONDITIONS


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something printed on the board or on a card."""


class CityProvenance(Printed, frozen=True):
    name: str
    colour: str
    major: str
    hex: str


class City(Printed, frozen=True):
    id: str
    name: str
    colour: str
    major: bool
    x: int
    y: int
    hex: tuple[int, int]
    prov: CityProvenance


class ThickLine(Printed, frozen=True):
    a: str
    b: str
    prov: str


class AirmailRoute(Printed, frozen=True):
    id: str
    start: str
    destination: str
    prov: str


class DemandCard(Printed, frozen=True):
    id: str
    green: str
    black: str
    magenta: str
    blue: str
    prov: str

    def city(self, colour: str) -> str:
        return str(getattr(self, colour))


class DemandRow(Printed, frozen=True):
    players: int
    silver: tuple[int, ...]
    silver_prov: str
    removed: int
    removed_prov: str


class TokenCounts(Printed, frozen=True):
    gold: int
    silver: int


class Demand(Printed, frozen=True):
    colours: tuple[str, ...]
    fixed_gold: tuple[str, ...]
    tokens: TokenCounts
    prov: str
    chart: tuple[DemandRow, ...]


class Era(Printed, frozen=True):
    id: str
    rounds: tuple[int, ...]
    hand: int
    fleets: int
    events: int
    investments: int
    prov: str


class FordTrimotor(Printed, frozen=True):
    name: str
    size: Size
    size_prov: str
    oil: int
    oil_prov: str
    hazard: int
    hazard_prov: str


class FleetKind(Printed, frozen=True):
    id: str
    name: str
    era: str
    size: Size
    oil: int
    hazard: int
    copies: int
    prov: str


class EraCard(Printed, frozen=True):
    id: str
    era: str
    kind: CardKind
    city: str
    prov: str
    fleet: str = ""
    win: int = 0
    lose: int = 0
    price: int = 0


class Condition(Printed, frozen=True):
    id: str
    name: str
    prov: str


class Destination(Printed, frozen=True):
    id: str
    name: str
    rounds: tuple[int, ...]
    rounds_prov: str
    size: Size
    size_prov: str
    cost: int
    cost_prov: str


class IncomeTrack(Printed, frozen=True):
    boxes: tuple[int, ...]
    start: int
    prov: str


class HazardTrack(Printed, frozen=True):
    printed: int
    start: int
    prov: str


class Constants(Printed, frozen=True):
    prov: str
    start_cash: int
    bills: tuple[tuple[int, int], ...]
    labor_chips: int
    planes_per_fleet: int
    extra_airmail: int
    extra_cards: int
    actions: int
    most_of_one_action: int
    international_actions: int
    least_bid: int
    free_chips: int
    bought_chips: int
    bond: int
    emergency_bond: int
    bond_repaid: int
    airmail_bonus: int
    advance_income: int
    new_city: int
    per_rival: int
    city_match: int
    same_kind: int
    most_hazard: int
    least_hazard: int
    irregular_safety_hazard: int
    rural_stops_price: int
    extension_oil: int
    extension_hazard: int
    per_international: int
    per_player_with_fewer: int
    per_major: int
    income_multiplier: int


class Hexes(Printed, frozen=True):
    x: int
    y: int
    column: int
    row: int
    prov: str


class Drawing(Printed, frozen=True):
    hexes: Hexes
    outline_prov: str
    outline: tuple[tuple[int, int], ...]


class Fleet(msgspec.Struct, frozen=True):
    """What a fleet card says, Ford Trimotors included. `era` counts up; the Trimotor's is 0."""

    kind: str
    name: str
    era: int
    size: Size
    oil: int
    hazard: int

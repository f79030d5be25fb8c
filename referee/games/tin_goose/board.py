"""The board of Tin Goose as printed: all components together, and what an owner may get wrong when typing them in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import ClassVar

import msgspec

from referee import contract
from referee.games.tin_goose.components import (
    CONDITIONS,
    FORD_TRIMOTOR,
    SIZES,
    AirmailRoute,
    CardKind,
    City,
    Condition,
    Constants,
    Demand,
    DemandCard,
    DemandRow,
    Destination,
    Drawing,
    Era,
    EraCard,
    Fleet,
    FleetKind,
    FordTrimotor,
    HazardTrack,
    IncomeTrack,
    ThickLine,
)

SEAT_COUNTS = range(3, 6)
COLOURS = 4
CITIES_PER_COLOUR = 12
MAJORS = 10
EVENTS_PER_KIND = 3
FLEETS_PER_ERA = 23


class Board(contract.Board, frozen=True, kw_only=True, dict=True):
    most: ClassVar[Mapping[str, int]] = {
        "thick_lines": 240,
        "airmail_routes": 40,
        "eras": 6,
        "eras.rounds": 40,
        "eras.hand": 20,
        "international": 40,
        "income_track.boxes": 999,
        "constants.labor_chips": 20,
        "constants.planes_per_fleet": 6,
        "constants.actions": 12,
        "constants.extra_airmail": 10,
        "constants.extra_cards": 10,
    }

    cities: tuple[City, ...]
    thick_lines: tuple[ThickLine, ...]
    airmail_routes: tuple[AirmailRoute, ...]
    demand_cards: tuple[DemandCard, ...]
    demand: Demand
    eras: tuple[Era, ...]
    ford_trimotor: FordTrimotor
    fleet_kinds: tuple[FleetKind, ...]
    era_cards: tuple[EraCard, ...]
    conditions: tuple[Condition, ...]
    international: tuple[Destination, ...]
    income_track: IncomeTrack
    hazard_track: HazardTrack
    constants: Constants
    drawing: Drawing

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def card(self) -> dict[str, EraCard]:
        return {card.id: card for card in self.era_cards}

    @cached_property
    def kind(self) -> dict[str, FleetKind]:
        return {kind.id: kind for kind in self.fleet_kinds}

    @cached_property
    def airmail(self) -> dict[str, AirmailRoute]:
        return {route.id: route for route in self.airmail_routes}

    @cached_property
    def condition(self) -> dict[str, Condition]:
        return {condition.id: condition for condition in self.conditions}

    @cached_property
    def destination(self) -> dict[str, Destination]:
        return {destination.id: destination for destination in self.international}

    @cached_property
    def demand_row(self) -> dict[int, DemandRow]:
        return {row.players: row for row in self.demand.chart}

    @cached_property
    def fleet(self) -> dict[str, Fleet]:
        """Every fleet card by its id; all Ford Trimotors share one."""
        trimotor = self.ford_trimotor
        eras = {era.id: number for number, era in enumerate(self.eras, 1)}
        kinds = {
            kind.id: Fleet(kind.id, kind.name, eras[kind.era], kind.size, kind.oil, kind.hazard)
            for kind in self.fleet_kinds
        }
        cards = {card.id: kinds[card.fleet] for card in self.era_cards if card.kind == "fleet"}
        start = Fleet(FORD_TRIMOTOR, trimotor.name, 0, trimotor.size, trimotor.oil, trimotor.hazard)
        return {FORD_TRIMOTOR: start, **cards}

    @cached_property
    def small(self) -> dict[str, frozenset[str]]:
        """The cities that a thick line joins to each city."""
        return {
            city.id: frozenset(
                other for line in self.thick_lines for other in (line.a, line.b)
                if city.id in (line.a, line.b) and other != city.id
            )
            for city in self.cities
        }  # fmt: skip

    @cached_property
    def medium(self) -> dict[str, frozenset[str]]:
        """The cities in the same hex as each city or in a neighbouring one."""
        return {
            city.id: frozenset(
                other.id for other in self.cities if other.id != city.id and hex_distance(city.hex, other.hex) <= 1
            )
            for city in self.cities
        }

    def route_name(self, route: str) -> str:
        printed = self.airmail[route]
        return f"{self.city[printed.start].name}-{self.city[printed.destination].name}"

    def card_name(self, card: str) -> str:
        """A fleet by its kind and city, an event also by its era; where two are alike, also by their numbers. Everybody
        has just one Ford Trimotor."""
        return self.ford_trimotor.name if card == FORD_TRIMOTOR else self._card_names.get(card, card)

    @cached_property
    def _card_names(self) -> dict[str, str]:
        names = {}
        for card in self.era_cards:
            what = self.kind[card.fleet].name if card.fleet else f"{card.era} {card.kind}"
            names[card.id] = f"{what} {self.city[card.city].name}"
        cards = Counter(names.values())
        return {card: f"{name} {card}" if cards[name] > 1 else name for card, name in names.items()}

    @property
    def last_round(self) -> int:
        return self.eras[-1].rounds[-1]

    def era(self, round_number: int) -> Era:
        return next(era for era in self.eras if round_number in era.rounds)

    def open_destination(self, round_number: int) -> Destination:
        """The one international destination of a round."""
        return next(destination for destination in self.international if round_number in destination.rounds)

    def problems(self) -> Iterator[str]:
        """What an owner of the printed game may have got wrong when typing the board in."""
        yield from self._repeated()
        yield from self._city_problems()
        yield from self._card_problems()
        yield from self._demand_problems()
        yield from self._track_problems()
        for name, value in msgspec.structs.asdict(self.constants).items():
            if isinstance(value, int) and value < 1:
                yield f"constants.{name}: must be at least 1, not {value}"

    def _repeated(self) -> Iterator[str]:
        for kind, ids in (
            ("cities", [city.id for city in self.cities]),
            ("cities.name", [city.name for city in self.cities]),
            ("thick_lines", ["-".join(sorted((line.a, line.b))) for line in self.thick_lines]),
            ("airmail_routes", [route.id for route in self.airmail_routes]),
            ("airmail_routes", [f"{route.start}-{route.destination}" for route in self.airmail_routes]),
            ("demand_cards", [card.id for card in self.demand_cards]),
            ("fleet_kinds", [kind.id for kind in self.fleet_kinds]),
            ("era_cards", [card.id for card in self.era_cards]),
            ("international", [destination.id for destination in self.international]),
            ("international.name", [destination.name for destination in self.international]),
        ):
            for name, times in sorted(Counter(ids).items()):
                if times > 1:
                    yield f"{kind}: {name!r} is there {times} times"

    def _unknown(self, kind: str, place: str, found: str, known: Iterable[str]) -> Iterator[str]:
        if found not in known:
            yield f"{place}: there is no {kind} {found!r}"

    def _city_problems(self) -> Iterator[str]:
        colours = self.demand.colours
        if len(colours) != COLOURS or not set(colours) <= set(DemandCard.__struct_fields__):
            yield f"demand.colours: the four are green, black, magenta and blue (TG-F06), not {', '.join(colours)}"
        for colour in colours:
            number = sum(city.colour == colour for city in self.cities)
            if number != CITIES_PER_COLOUR:
                yield f"cities: {number} are {colour}; the rulebook has {CITIES_PER_COLOUR} of each colour (TG-F01)"
        for city in self.cities:
            yield from self._unknown("colour", f"cities.{city.id}.colour", city.colour, colours)
        majors = sum(city.major for city in self.cities)
        if majors != MAJORS:
            yield f"cities: {majors} are major; the rulebook has {MAJORS} (TG-F01)"
        for line in self.thick_lines:
            for end in (line.a, line.b):
                yield from self._unknown("city", f"thick_lines.{line.a}-{line.b}", end, self.city)
            if line.a == line.b:
                yield f"thick_lines.{line.a}-{line.b}: both ends are the same city"
        for route in self.airmail_routes:
            for end in (route.start, route.destination):
                yield from self._unknown("city", f"airmail_routes.{route.id}", end, self.city)
            if route.start == route.destination:
                yield f"airmail_routes.{route.id}: both ends are the same city"
        needed = SEAT_COUNTS[-1] + self.constants.extra_airmail
        if len(self.airmail_routes) < needed:
            yield f"airmail_routes: {len(self.airmail_routes)}, but {SEAT_COUNTS[-1]} players are dealt {needed}"
        lonely = set(self.city) - self._joined()
        if lonely:
            yield f"thick_lines: no way leads to {', '.join(sorted(lonely))}"

    def _joined(self) -> set[str]:
        """The cities that thick lines join to the first one."""
        found = [self.cities[0].id] if self.cities else []
        for city in found:
            found += sorted(self.small[city] & set(self.city) - set(found))
        return set(found)

    def _card_problems(self) -> Iterator[str]:
        eras = [era.id for era in self.eras]
        trimotor, start = self.ford_trimotor, self.hazard_track.start
        if trimotor.size != SIZES[0]:
            yield f"ford_trimotor.size: any fleet can replace it, so it is {SIZES[0]} (TG-F10), not {trimotor.size}"
        if min(trimotor.oil, trimotor.hazard) < 0:
            yield "ford_trimotor: oil and hazard are never less than 0"
        if trimotor.hazard + self.constants.irregular_safety_hazard != start:
            yield f"hazard_track.start: {start} is not that of Ford Trimotor and Irregular Safety Procedures (TG-F10)"
        for kind in self.fleet_kinds:
            if min(kind.oil, kind.hazard) < 0:
                yield f"fleet_kinds.{kind.id}: oil and hazard are never less than 0"
            yield from self._unknown("era", f"fleet_kinds.{kind.id}.era", kind.era, eras)
            number = sum(card.fleet == kind.id for card in self.era_cards)
            if number != kind.copies:
                yield f"fleet_kinds.{kind.id}: {kind.copies} copies, but {number} cards in era_cards"
        for card in self.era_cards:
            place = f"era_cards.{card.id}"
            yield from self._unknown("era", f"{place}.era", card.era, eras)
            yield from self._unknown("city", f"{place}.city", card.city, self.city)
            if card.kind == "fleet":
                yield from self._unknown("fleet kind", f"{place}.fleet", card.fleet, self.kind)
                if card.fleet in self.kind and self.kind[card.fleet].era != card.era:
                    yield f"{place}: the {card.fleet} belongs to the {self.kind[card.fleet].era} era"
            elif card.kind == "strike":
                if card.win < 1 or card.lose < 1:
                    yield f"{place}: a strike has a win and a lose of at least 1"
            elif card.price < 1:
                yield f"{place}: a price of at least 1, please"
        expected: dict[CardKind, int] = {
            "fleet": FLEETS_PER_ERA,
            "strike": EVENTS_PER_KIND,
            "crash": EVENTS_PER_KIND,
            "oil": EVENTS_PER_KIND,
        }
        for era in eras:
            numbers = Counter(card.kind for card in self.era_cards if card.era == era)
            for what, number in expected.items():
                if numbers[what] != number:
                    yield f"era_cards: the {era} deck has {numbers[what]} cards of kind {what}, not {number} (TG-F02)"
        if sorted(condition.id for condition in self.conditions) != sorted(CONDITIONS):
            yield f"conditions: the five are {', '.join(CONDITIONS)} (TG-F24)"

    def _demand_problems(self) -> Iterator[str]:
        for colour in self.demand.colours:
            printed = sorted(str(getattr(card, colour, "")) for card in self.demand_cards)
            if printed != sorted(city.id for city in self.cities if city.colour == colour):
                yield f"demand_cards: {colour} must name each {colour} city just once"
        for city in self.demand.fixed_gold:
            yield from self._unknown("city", "demand.fixed_gold", city, self.city)
        gold = len(self.demand.colours) + len(self.demand.fixed_gold)
        if gold > self.demand.tokens.gold:
            yield f"demand.tokens.gold: {gold} are needed (TG-F05)"
        for players in SEAT_COUNTS:
            row = self.demand_row.get(players)
            if row is None:
                yield f"demand.chart: {players} players are missing"
            elif min(row.silver, default=0) < 1:
                yield f"demand.chart: {players} players: each city gets at least 1 silver token"
            elif sum(row.silver) * len(self.demand.colours) > self.demand.tokens.silver:
                yield f"demand.chart: {players} players need {sum(row.silver) * len(self.demand.colours)} silver tokens"

    def _track_problems(self) -> Iterator[str]:
        rounds = [number for era in self.eras for number in era.rounds]
        if not rounds or rounds != list(range(1, len(rounds) + 1)):
            yield f"eras: the rounds must count up from 1 without a gap, not {rounds}"
        for era in self.eras:
            if era.hand != len(era.rounds) + self.constants.extra_cards or era.hand != era.fleets + era.events:
                extra = self.constants.extra_cards
                yield f"eras.{era.id}.hand: a card a round and {extra} more, and as many as fleets and events together"
        served = sorted(number for destination in self.international for number in destination.rounds)
        if served != rounds:
            yield f"international: each round has just one destination (TG-F22), not {served}"
        for destination in self.international:
            if destination.cost < 0:
                yield f"international.{destination.id}.cost: never less than 0"
        track = self.income_track
        if min(track.boxes, default=0) < 0:
            yield "income_track: no income is less than 0"
        if list(track.boxes) != sorted(track.boxes) or not 0 <= track.start < len(track.boxes):
            yield "income_track: the boxes count up, and the start is one of them"


def hex_distance(first: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps between two hexes of a flat-topped grid whose odd columns lie half a hex lower."""
    (column, row), (other_column, other_row) = first, other
    across = column - other_column
    down = (row - column // 2) - (other_row - other_column // 2)
    return max(abs(across), abs(down), abs(across + down))

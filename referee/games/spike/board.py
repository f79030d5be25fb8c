"""The board of Spike as printed: the lattice of rail spaces, cities, contracts, routes, market and train."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar, Literal

import msgspec

from referee import contract
from referee.games.spike.chart import Chart
from referee.games.spike.search import Grid

ROUNDS = 3
SEATS = range(2, 5)

Side = Literal["a", "b"]
Part = Literal["speed", "power", "cargo"]
PARTS: tuple[Part, ...] = ("speed", "power", "cargo")


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tracks: int  # of each player
    time_cards: int
    cargo_tokens: int
    delivery_markers: int
    prov: str


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: int
    gift: int
    display: int
    routes: int
    advanced_routes: int
    prov: str


class Removed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    of_each_type: int
    prov: str


class Market(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[int, ...]  # what they pay, from the top
    columns: int
    prov: str
    columns_prov: str


class TrainPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    levels: tuple[int, ...]
    start_prov: str
    levels_prov: str


class Train(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    speed: TrainPart
    power: TrainPart
    cargo: TrainPart
    upgrade_costs: tuple[int, ...]
    prov: str


class RailType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    cards: int
    prov: str
    name_prov: str


class Commodity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    prov: str


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    commodity: str
    x: int
    y: int
    name_prov: str
    commodity_prov: str
    place_prov: str


class Junction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    x: int
    y: int
    prov: str

    @property
    def name(self) -> str:
        return self.id.upper()


class Segment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    a: str
    b: str
    rail: str
    prov: str

    @cached_property
    def id(self) -> str:
        return f"{self.a}-{self.b}"

    @property
    def ends(self) -> tuple[str, str]:
        return self.a, self.b


class ContractCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    commodity: str
    a: dict[str, int]  # city -> what a delivery there earns
    b: dict[str, int]
    prov: str

    def side(self, side: Side) -> dict[str, int]:
        return self.a if side == "a" else self.b


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    start: str
    cities: dict[str, int]
    prov: str


def by_value(values: dict[str, int]) -> list[tuple[str, int]]:
    """Cities with what they are worth, the least first: a record does not keep the order in which a card lists them."""
    return sorted(values.items(), key=lambda item: (item[1], item[0]))


class Board(contract.Board, frozen=True, kw_only=True, dict=True, eq=False):
    # eq=False: a board is hashed by its identity, not by all its data, because networks are cached by board.
    most: ClassVar[Mapping[str, int]] = {
        "setup.hand": 30,
        "setup.gift": 10,
        "setup.display": 20,
        "setup.routes": 6,
        "setup.advanced_routes": 6,
        "components.tracks": 150,
        "rail_types": 12,
        "rail_types.cards": 60,
        "commodities": 36,
        "cities": 90,
        "junctions": 300,
        "segments": 900,
        "contracts": 108,
        "routes": 120,
        "market.columns": 36,
        "train.upgrade_costs": 8,
        "train.speed.levels": 12,
        "train.power.levels": 12,
        "train.cargo.levels": 12,
    }

    components: Components
    setup: Setup
    removed_cards: tuple[Removed, ...]
    market: Market
    train: Train
    rail_types: tuple[RailType, ...]
    commodities: tuple[Commodity, ...]
    cities: tuple[City, ...]
    junctions: tuple[Junction, ...]
    segments: tuple[Segment, ...]
    contracts: tuple[ContractCard, ...]
    routes: tuple[Route, ...]

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def place(self) -> dict[str, City | Junction]:
        """The ends of segments: cities and junctions."""
        places: list[City | Junction] = [*self.cities, *self.junctions]
        return {place.id: place for place in places}

    @cached_property
    def segment(self) -> dict[str, Segment]:
        return {segment.id: segment for segment in self.segments}

    @cached_property
    def number(self) -> dict[str, int]:
        """The place of a segment in the order of the board."""
        return {segment.id: i for i, segment in enumerate(self.segments)}

    @cached_property
    def exits(self) -> dict[str, dict[str, Segment]]:
        """The segments at a city or junction, by the place at their other end."""
        exits: dict[str, dict[str, Segment]] = {place: {} for place in self.place}
        for segment in self.segments:
            exits[segment.a][segment.b] = segment
            exits[segment.b][segment.a] = segment
        return exits

    @cached_property
    def rail(self) -> dict[str, int]:
        """The place of a rail type in counts of cards."""
        return {rail.id: i for i, rail in enumerate(self.rail_types)}

    @cached_property
    def grid(self) -> Grid:
        """The map as the search for paths uses it."""
        points = {place.id: (place.x, place.y) for place in self.place.values()}
        return Grid(points, {segment.ends: self.rail[segment.rail] for segment in self.segments}, len(self.rail_types))

    @cached_property
    def chart(self) -> Chart:
        """The map as the picture shows it."""
        return Chart(
            {place.id: (place.x, place.y) for place in self.place.values()},
            {city.id: (city.name, self.goods[city.commodity]) for city in self.cities},
            {junction.id: junction.name for junction in self.junctions},
            {segment.ends: segment.id for segment in self.segments},
        )

    @cached_property
    def goods(self) -> dict[str, str]:
        """The names of the commodities within a sentence."""
        return {commodity.id: commodity.name.lower() for commodity in self.commodities}

    @cached_property
    def contract(self) -> dict[str, ContractCard]:
        return {card.id: card for card in self.contracts}

    @cached_property
    def route(self) -> dict[str, Route]:
        return {route.id: route for route in self.routes}

    @cached_property
    def suppliers(self) -> dict[str, frozenset[str]]:
        """The cities where a commodity can be loaded."""
        return {
            commodity.id: frozenset(city.id for city in self.cities if city.commodity == commodity.id)
            for commodity in self.commodities
        }

    @cached_property
    def removed(self) -> dict[int, int]:
        """How many rail cards of each type stay in the box, by the number of players."""
        return {row.players: row.of_each_type for row in self.removed_cards}

    def route_name(self, route: str) -> str:
        """`R07 Boston`: a route by its number and start city."""
        return f"{route.upper()} {self.city[self.route[route].start].name}"

    def levels(self, part: Part) -> tuple[int, ...]:
        """What a part of the train can do, at first and after each upgrade."""
        levels: TrainPart = getattr(self.train, part)
        return levels.levels

    def problems(self) -> Iterator[str]:
        """What an owner of the printed game may have got wrong when typing the board in."""
        yield from self._repeated()
        yield from self._card_problems()
        yield from self._map_problems()
        yield from self._number_problems()

    def _repeated(self) -> Iterator[str]:
        for kind, ids in (
            ("rail_types", [rail.id for rail in self.rail_types]),
            ("commodities", [commodity.id for commodity in self.commodities]),
            ("cities and junctions", [place.id for places in (self.cities, self.junctions) for place in places]),
            ("segments", ["-".join(sorted((segment.a, segment.b))) for segment in self.segments]),
            ("contracts", [card.id for card in self.contracts]),
            ("routes", [route.id for route in self.routes]),
        ):
            for name, times in sorted(Counter(ids).items()):
                if times > 1:
                    yield f"{kind}: {name!r} is there {times} times"

    def _map_problems(self) -> Iterator[str]:
        commodities = {commodity.id for commodity in self.commodities}
        for city in self.cities:
            if city.commodity not in commodities:
                yield f"cities.{city.id}: there is no commodity {city.commodity!r}"
        rails = {rail.id for rail in self.rail_types}
        touched = Counter(end for segment in self.segments for end in segment.ends)
        for segment in self.segments:
            place = f"segments.{segment.id}"
            yield from (f"{place}: there is no place {end!r}" for end in segment.ends if end not in self.place)
            if segment.a == segment.b:
                yield f"{place}: both ends are the same place"
            if segment.rail not in rails:
                yield f"{place}: there is no rail type {segment.rail!r}"
        points = Counter((place.x, place.y) for place in self.place.values())
        yield from (f"two places lie at x {x}, y {y}" for (x, y), n in points.items() if n > 1)
        yield from (f"cities.{city.id}: no segment touches it" for city in self.cities if not touched[city.id])

    def _card_problems(self) -> Iterator[str]:
        of_commodity = Counter(card.commodity for card in self.contracts)
        for commodity in self.commodities:
            if not of_commodity.pop(commodity.id, 0):
                yield f"contracts: there is none for {commodity.id}"
        yield from (f"contracts: there is no commodity {commodity!r}" for commodity in of_commodity)
        lists = [(f"contracts.{card.id}.{side}", card.side(side)) for card in self.contracts for side in ("a", "b")]
        lists += [(f"routes.{route.id}", {route.start: 1, **route.cities}) for route in self.routes]
        for route in self.routes:
            if route.start in route.cities:
                yield f"routes.{route.id}: its start city {route.start!r} is listed among the others"
        for place, values in lists:
            yield from (f"{place}: there is no city {city!r}" for city in values if city not in self.city)
            if len(values) < 2 or min(values.values()) < 1:
                yield f"{place}: at least two cities, each worth at least 1"

    def _number_problems(self) -> Iterator[str]:
        chips = len(self.market.rows) * self.market.columns
        number = len(self.commodities)
        if chips != number:
            yield f"market: {chips} boxes for {number} commodities"
        for name in ("cargo_tokens", "delivery_markers"):
            if getattr(self.components, name) != number:
                yield f"components.{name}: one for each of the {number} commodities"
        if list(self.market.rows) != sorted(self.market.rows, reverse=True):
            yield "market.rows: the row that pays most is the top one"
        for part in PARTS:
            if len(self.levels(part)) != len(self.train.upgrade_costs) + 1:
                yield f"train.{part}: one level to begin with and one for each upgrade"
        for struct, names in ((self.components, ("tracks", "time_cards")), (self.setup, self.setup.__struct_fields__)):
            for name in names:
                value = getattr(struct, name)
                if isinstance(value, int) and value < 1:
                    yield f"{name}: must be at least 1, not {value}"
        for players in SEATS:
            yield from self._seat_problems(players)

    def _seat_problems(self, players: int) -> Iterator[str]:
        if players not in self.removed:
            yield f"removed_cards: {players} players are missing"
            return
        if len(self.commodities) % players:
            yield f"commodities: {len(self.commodities)} contracts cannot be dealt equally to {players} players"
        if len(self.routes) < players * max(self.setup.routes, self.setup.advanced_routes):
            yield f"routes: {len(self.routes)} cards are too few for {players} players"
        cards = sum(max(0, rail.cards - self.removed[players]) for rail in self.rail_types)
        needed = players * self.setup.hand + self.setup.display + 1
        if cards < needed:
            yield f"rail_types: {cards} cards for {players} players; the hands and the display alone need {needed}"

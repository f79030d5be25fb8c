"""The board of Airlines Europe as printed: cities, airlines, routes, the share track."""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from referee import contract

SCORINGS = 3


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    lat: float
    lon: float
    prov: str


class Airline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    shares: int
    planes: int
    prov: str
    home: str
    home_prov: str
    start: int
    start_prov: str
    goal: str | None = None
    goal_prov: str | None = None
    bonus: int = 0
    bonus_prov: str | None = None


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    a: str
    b: str
    licences: tuple[int, ...]
    prov: str
    distant: bool = False

    @property
    def id(self) -> str:
        return f"{self.a}-{self.b}"


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    first: int
    last: int
    vp: tuple[int, ...]
    prov: str


class ShareTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int
    prov: str
    regions: tuple[Region, ...]


class AirAbacus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    shares: int
    vp: tuple[tuple[int, ...], ...]
    prov: str


class Removed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    airlines: tuple[str, ...]
    prov: str


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prov: str
    start_cash: int
    money_per_player: int
    dividend_per_share: int
    take_money: int
    bankrupt_cap: int
    market_size: int
    deal: int
    opening_shares: int
    final_pile: int
    trade_in: tuple[tuple[int, int], ...]
    most_licences: int


class DrawPile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prov: str
    first_pile: tuple[int, int]
    jitter: int


class Board(contract.Board, frozen=True, kw_only=True, dict=True):
    cities: tuple[City, ...]
    airlines: tuple[Airline, ...]
    routes: tuple[Route, ...]
    share_track: ShareTrack
    air_abacus: AirAbacus
    removed_airlines: tuple[Removed, ...]
    constants: Constants
    draw_pile: DrawPile

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def airline(self) -> dict[str, Airline]:
        return {airline.id: airline for airline in self.airlines}

    @cached_property
    def route(self) -> dict[str, Route]:
        return {route.id: route for route in self.routes}

    @cached_property
    def ends(self) -> dict[str, tuple[str, str]]:
        return {route.id: (route.a, route.b) for route in self.routes}

    @cached_property
    def costs(self) -> dict[str, tuple[int, ...]]:
        return {route.id: route.licences for route in self.routes}

    @cached_property
    def routes_at(self) -> dict[str, tuple[str, ...]]:
        """The routes that touch a city."""
        return {
            city.id: tuple(route.id for route in self.routes if city.id in (route.a, route.b)) for city in self.cities
        }

    @cached_property
    def removed(self) -> dict[int, tuple[str, ...]]:
        """The airlines that stay in the box, by the number of players."""
        return {one.players: one.airlines for one in self.removed_airlines}

    def region(self, marker: int) -> Region:
        """The scoring region of a space of the share track."""
        return next(region for region in self.share_track.regions if region.first <= marker <= region.last)

    def problems(self) -> Iterator[str]:
        """What an owner of the printed game may have got wrong when typing the board in."""
        yield from self._repeated()
        yield from self._airline_problems()
        yield from self._route_problems()
        yield from self._track_problems()
        for players in range(2, 6):
            if players not in self.removed:
                yield f"removed_airlines: {players} players are missing"
            for airline in self.removed.get(players, ()):
                if airline not in self.airline:
                    yield f"removed_airlines: {players} players: there is no airline {airline!r}"
        if len(self.air_abacus.vp) != SCORINGS:
            yield f"air_abacus.vp: {SCORINGS} scorings need as many rows, not {len(self.air_abacus.vp)}"
        for name, value in msgspec.structs.asdict(self.constants).items():
            if isinstance(value, int) and value < 1:
                yield f"constants.{name}: must be at least 1, not {value}"

    def _repeated(self) -> Iterator[str]:
        for kind, ids in (
            ("cities", [city.id for city in self.cities]),
            ("airlines", [airline.id for airline in self.airlines]),
            ("routes", ["-".join(sorted((route.a, route.b))) for route in self.routes]),
        ):
            for one in sorted(set(ids)):
                if ids.count(one) > 1:
                    yield f"{kind}: {one!r} is there {ids.count(one)} times"

    def _airline_problems(self) -> Iterator[str]:
        for airline in self.airlines:
            place = f"airlines.{airline.id}"
            for what, city in (("home", airline.home), ("goal", airline.goal)):
                if city is not None and city not in self.city:
                    yield f"{place}.{what}: there is no city {city!r}"
            if airline.planes != airline.shares:
                yield f"{place}: {airline.shares} shares but {airline.planes} planes; the rulebook gives as many"
            if (airline.goal is None) != (airline.bonus == 0):
                yield f"{place}: goal and bonus come together"
            if not 1 <= airline.start <= self.share_track.length:
                yield f"{place}.start: {airline.start} is not a space of the track, 1 to {self.share_track.length}"

    def _route_problems(self) -> Iterator[str]:
        for route in self.routes:
            place = f"routes.{route.id}"
            yield from (f"{place}: there is no city {end!r}" for end in (route.a, route.b) if end not in self.city)
            if route.a == route.b:
                yield f"{place}: both ends are the same city"
            if not route.licences or min(route.licences) < 1:
                yield f"{place}.licences: at least one licence, each at least 1"
            if list(route.licences) != sorted(route.licences):
                yield f"{place}.licences: cheapest first, please: {sorted(route.licences)}"
            if route.distant and len(route.licences) != 1:
                yield f"{place}: a distant connection has one licence, not {len(route.licences)}"
        for city in self.cities:
            if not self.routes_at[city.id]:
                yield f"cities.{city.id}: no route touches it"

    def _track_problems(self) -> Iterator[str]:
        expected = 1
        for region in self.share_track.regions:
            if region.first != expected or region.last < region.first:
                yield f"share_track.{region.id}: should begin at {expected} and not end before it begins"
            if list(region.vp) != sorted(region.vp, reverse=True):
                yield f"share_track.{region.id}.vp: the first place comes first"
            expected = region.last + 1
        if expected != self.share_track.length + 1:
            yield f"share_track: the regions end at {expected - 1}, the track at {self.share_track.length}"

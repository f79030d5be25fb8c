"""The board of Airlines Europe as printed: cities, airlines, routes, the share track."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import msgspec

from referee import contract
from referee.games.airlines_europe.state import AIR_ABACUS, PILE, SCORING_CARD

SCORINGS = 3
MOST = 999  # of anything: more than any box holds, yet few enough to deal and to draw
KINDS = 2  # airlines in a hand, at least: a hand of a single airline is dealt again (AE-S06)
MOST_SHOWN = 40  # letters of an order that a message repeats


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
    most: ClassVar[Mapping[str, int]] = {
        "cities": 120,
        "airlines": 20,
        "airlines.shares": 60,
        "routes": 240,
        "routes.licences": 99,
        "share_track.length": 400,
        "share_track.regions": 60,
        "air_abacus.shares": 99,
        "constants.trade_in": 40,
        "constants.deal": 30,
        "constants.market_size": 20,
        "constants.most_licences": 8,
    }

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
    def number(self) -> dict[str, int]:
        """The place of a route in the board's list."""
        return {route.id: number for number, route in enumerate(self.routes)}

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
        return {removed.players: removed.airlines for removed in self.removed_airlines}

    def share_name(self, share: str) -> str:
        return self.air_abacus.name if share == AIR_ABACUS else share[:MOST_SHOWN]

    @cached_property
    def vp_at(self) -> tuple[tuple[int, ...], ...]:
        """What an airline brings, by the space of its marker; no marker is on space 0."""
        regions = [self.share_track.regions[0], *map(self.region, range(1, self.share_track.length + 1))]
        return tuple(region.vp for region in regions)

    def region(self, marker: int) -> Region:
        """The scoring region of a space of the share track."""
        return next(region for region in self.share_track.regions if region.first <= marker <= region.last)

    def problems(self) -> Iterator[str]:
        """What an owner of the printed game may have got wrong when typing the board in."""
        yield from self._repeated()
        yield from self._airline_problems()
        yield from self._route_problems()
        yield from self._track_problems()
        yield from self._share_problems()
        if len(self.air_abacus.vp) != SCORINGS:
            yield f"air_abacus.vp: {SCORINGS} scorings need as many rows, not {len(self.air_abacus.vp)}"
        yield from self._number_problems()
        yield from self._money_problems()

    def _number_problems(self) -> Iterator[str]:
        """Numbers with which a game could not be dealt, drawn or ended."""
        constants, air_abacus, track = self.constants, self.air_abacus, self.share_track
        numbers: list[tuple[str, Sequence[float], float, float]] = [
            *((f"cities.{city.id}.lat", [city.lat], -90, 90) for city in self.cities),
            *((f"cities.{city.id}.lon", [city.lon], -180, 180) for city in self.cities),
            *((f"airlines.{airline.id}.shares", [airline.shares], 1, MOST) for airline in self.airlines),
            *((f"airlines.{airline.id}.bonus", [airline.bonus], 0, MOST) for airline in self.airlines),
            *((f"routes.{route.id}.licences", route.licences, 1, MOST) for route in self.routes),
            ("share_track.length", [track.length], 1, MOST),
            *((f"share_track.{region.id}.vp", region.vp, 0, MOST) for region in track.regions),
            ("air_abacus.shares", [air_abacus.shares], 0, MOST),
            *(("air_abacus.vp", vp, 0, MOST) for vp in air_abacus.vp),
            *(
                (f"constants.{name}", [value], 1, MOST)
                for name, value in msgspec.structs.asdict(constants).items()
                if isinstance(value, int)
            ),
            *(("constants.trade_in", deal, 1, MOST) for deal in constants.trade_in),
        ]
        for place, values, least, most in numbers:
            yield from (
                f"{place}: from {least} to {most}, not {value}" for value in values if not least <= value <= most
            )
        if len(dict(constants.trade_in)) < len(constants.trade_in):
            yield "constants.trade_in: a number of shares brings one number of Air ABACUS shares, not two"
        if not constants.opening_shares <= KINDS <= constants.deal:
            yield f"constants: a hand has {KINDS} kinds of shares, so deal as many or more, and open as many or fewer"

    def _repeated(self) -> Iterator[str]:
        for kind, ids in (
            ("cities", [city.id for city in self.cities]),
            ("names of cities", [city.name for city in self.cities]),
            ("airlines", [airline.id for airline in self.airlines]),
            ("routes", ["-".join(sorted((route.a, route.b))) for route in self.routes]),
        ):
            for name in sorted(set(ids)):
                if ids.count(name) > 1:
                    yield f"{kind}: {name!r} is there {ids.count(name)} times"

    def _airline_problems(self) -> Iterator[str]:
        for airline in self.airlines:
            place = f"airlines.{airline.id}"
            if airline.id in (AIR_ABACUS, PILE, SCORING_CARD):
                yield f"{place}: this word has another meaning here; choose another one"
            for what, city in (("home", airline.home), ("goal", airline.goal)):
                if city is not None and city not in self.city:
                    yield f"{place}.{what}: there is no city {city!r}"
            if airline.planes != airline.shares:
                yield f"{place}: {airline.shares} shares but {airline.planes} planes; the rulebook gives as many"
            if (airline.goal is None) != (airline.bonus == 0):
                yield f"{place}: goal and bonus come together"
            if not 1 <= airline.start <= self.share_track.length:
                yield f"{place}.start: {airline.start} is not a space of the track, 1 to {self.share_track.length}"

    def _share_problems(self) -> Iterator[str]:
        """Enough shares for the market, the hands and a draw pile whose scoring cards lie well apart."""
        constants, (part, whole), jitter = self.constants, self.draw_pile.first_pile, self.draw_pile.jitter
        if not 0 < 2 * part <= whole or jitter < 0:
            yield f"draw_pile: the first pile is at most half of the cards, not {part}/{whole}; jitter is not below 0"
            return
        for players in range(2, 6):
            if players not in self.removed:
                yield f"removed_airlines: {players} players are missing"
                continue
            for airline in self.removed[players]:
                if airline not in self.airline:
                    yield f"removed_airlines: {players} players: there is no airline {airline!r}"
            shares = [airline.shares for airline in self.airlines if airline.id not in self.removed[players]]
            dealt = constants.market_size + constants.deal * players
            rest = sum(shares) - dealt - constants.final_pile
            first = rest * part // whole
            apart = (rest - first - 1 - jitter) // 2 - jitter
            if first < jitter or apart < constants.market_size:
                yield f"airlines: {sum(shares)} shares are too few for a draw pile with {players} players"
            elif sum(shares) - max(shares) < dealt:
                yield f"airlines: with {players} players one airline has nearly all shares: a hand needs two kinds"

    def _money_problems(self) -> Iterator[str]:
        """After a bankruptcy the bank must be able to pay (AE-R31)."""
        constants = self.constants
        if constants.start_cash > constants.money_per_player:
            yield f"constants.start_cash: more than money_per_player, {constants.money_per_player}"
        most_shares = max([self.air_abacus.shares, *(airline.shares for airline in self.airlines)])
        payout = max(constants.take_money, constants.dividend_per_share * most_shares)
        least = 2 * (constants.money_per_player - constants.bankrupt_cap)
        if least < payout:
            yield f"constants: with 2 players a bankrupt bank may be left with {least} million and owe {payout}"

    def _route_problems(self) -> Iterator[str]:
        for route in self.routes:
            place = f"routes.{route.id}"
            yield from (f"{place}: there is no city {end!r}" for end in (route.a, route.b) if end not in self.city)
            if route.a == route.b:
                yield f"{place}: both ends are the same city"
            if not route.licences:
                yield f"{place}.licences: at least one licence"
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

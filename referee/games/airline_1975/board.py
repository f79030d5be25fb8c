"""The board of Airline (1975): the oval track, the cities with their fares, the air routes."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

import msgspec

from referee import contract

SPECIALS = ("subsidy", "maintenance", "charter", "hijack", "air_cargo", "crash")
START = "subsidy"
CITY = "city"
BANK = "bank"  # no player may have this colour
MOST_PLAYERS = 4


class Datum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what the board is made of."""


class Space(Datum, frozen=True):
    kind: str
    prov: str
    city: str = ""


class City(Datum, frozen=True):
    id: str
    name: str
    name_prov: str
    fares: dict[str, int]
    fares_prov: str
    lat: float
    lon: float
    place_prov: str


class Route(Datum, frozen=True):
    a: str
    b: str
    prov: str


class Colours(Datum, frozen=True):
    prov: str
    list: tuple[str, ...]


class Aircraft(Datum, frozen=True):
    id: str
    name: str
    subsidy: int
    subsidy_prov: str
    maintenance: int
    maintenance_prov: str


class Constants(Datum, frozen=True):
    prov: str
    start_cash: int
    landing_rights: int
    challenge_fee: int
    aircraft_fee: int
    crash_cost: int
    air_cargo: int
    charter_per_pip: int
    markers: int
    city_value: int


class Deals(Datum, frozen=True):
    prov: str
    offers_per_turn: int


class Board(contract.Board, frozen=True, kw_only=True, dict=True):
    most: ClassVar[Mapping[str, int]] = {
        "track": 80,
        "cities": 60,
        "routes": 200,
        "colours.list": 12,
        "aircraft": 8,
        "constants.markers": 60,
        "deals.offers_per_turn": 20,
    }

    track: tuple[Space, ...]
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    colours: Colours
    aircraft: tuple[Aircraft, ...]
    constants: Constants
    deals: Deals

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def plane(self) -> dict[str, Aircraft]:
        return {aircraft.id: aircraft for aircraft in self.aircraft}

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The cities that a direct air route leads to."""
        pairs = [(route.a, route.b) for route in self.routes] + [(route.b, route.a) for route in self.routes]
        return {city.id: tuple(b for a, b in pairs if a == city.id) for city in self.cities}

    @cached_property
    def start(self) -> int:
        return next(place for place, space in enumerate(self.track) if space.kind == START)

    def problems(self) -> Iterator[str]:
        for what, names in (
            ("cities", [city.id for city in self.cities]),
            ("names of cities", [city.name for city in self.cities]),
            ("aircraft", [aircraft.id for aircraft in self.aircraft]),
            ("colours", list(self.colours.list)),
            ("routes", ["-".join(sorted((route.a, route.b))) for route in self.routes]),
        ):
            for name in sorted({name for name in names if names.count(name) > 1}):
                yield f"{what}: {name!r} is there {names.count(name)} times"
        yield from self._track_problems()
        for city in self.cities:
            if list(city.fares) != list(self.plane):
                yield f"cities.{city.id}.fares: one for each of {', '.join(self.plane)}, in this order"
            elif sorted(set(city.fares.values())) != list(city.fares.values()):
                yield f"cities.{city.id}.fares: a higher aircraft has a higher fare"
            if not self.neighbours[city.id]:
                yield f"cities.{city.id}: no route leads there"
        for route in self.routes:
            if route.a == route.b:
                yield f"routes.{route.a}-{route.b}: both ends are the same city"
            for end in (route.a, route.b):
                if end not in self.city:
                    yield f"routes.{route.a}-{route.b}: there is no city {end!r}"
        for what, number in (("cities", len(self.cities)), ("colours", len(self.colours.list))):
            if number < MOST_PLAYERS:
                yield f"{what}: {number} are not enough for {MOST_PLAYERS} players"
        if BANK in self.colours.list:
            yield f"colours: {BANK!r} has another meaning here"
        if len(self.aircraft) < 1:
            yield "aircraft: there is none to fly"

    def _track_problems(self) -> Iterator[str]:
        kinds = [space.kind for space in self.track]
        on_track = [space.city for space in self.track if space.kind == CITY]
        yield from (f"track: {kinds.count(kind)} spaces {kind}, not 1" for kind in SPECIALS if kinds.count(kind) != 1)
        for kind in sorted(set(kinds) - {*SPECIALS, CITY}):
            yield f"track: a space is a city or one of {', '.join(SPECIALS)}, not {kind!r}"
        for number, space in enumerate(self.track):
            if space.city and space.kind != CITY:
                yield f"track.{number}: {space.kind} is no city, but names {space.city!r}"
        for city in self.cities:
            if on_track.count(city.id) != 1:
                yield f"cities.{city.id}: {on_track.count(city.id)} spaces of the track, not 1"
        yield from (f"track: there is no city {city!r}" for city in on_track if city not in self.city)

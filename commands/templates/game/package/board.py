"""The board of Mail Run: cities, routes, and every number that the rulebook prints."""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from referee import contract

SEAT_COUNTS = range(2, 5)


class City(msgspec.Struct, frozen=True):
    id: str
    name: str
    x: int
    y: int


class Route(msgspec.Struct, frozen=True):
    a: str
    b: str


class Board(contract.Board, frozen=True, kw_only=True, dict=True):
    rounds: int
    coins: int  # that each begins with
    hand: int  # letters dealt to each
    letters: int  # there are for each city
    cities: tuple[City, ...]
    routes: tuple[Route, ...]

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def next_to(self) -> dict[str, tuple[str, ...]]:
        """The cities at the other ends of a city's routes."""
        return {
            city.id: tuple(
                route.b if route.a == city.id else route.a for route in self.routes if city.id in (route.a, route.b)
            )
            for city in self.cities
        }

    def problems(self) -> Iterator[str]:
        for index, route in enumerate(self.routes):
            for end in (route.a, route.b):
                if end not in self.city:
                    yield f"routes[{index}]: there is no city {end!r}"
        for city in self.cities:
            if not self.next_to[city.id]:
                yield f"cities.{city.id}: no route leads there"
        if self.rounds < 1:
            yield "rounds: at least one is needed"
        if len(self.cities) * self.letters < SEAT_COUNTS[-1] * self.hand:
            yield f"letters: there are too few to deal {self.hand} to each of {SEAT_COUNTS[-1]} players"

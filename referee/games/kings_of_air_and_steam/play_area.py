"""The play area: game boards laid side by side, each turned by some sixths, as one map of named spaces.

A space is called by its row, a letter from the top, and its place in the row: D7. Where two boards meet, their half
hexes make whole spaces and their exit tracks make one Link; a bumper completes the corner between two boards. What is
left of halves and thirds at the rim is partial: one may fly through it and do nothing else there (ruling KAS-R07). An
exit track that meets no other board is a stub, no Link (ruling KAS-R17).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from referee.games.kings_of_air_and_steam.board import Board

Hex = tuple[int, int]  # axial: q to the east, r to the south-east

DIRECTIONS: dict[str, Hex] = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
COMPASS = tuple(DIRECTIONS)  # counter-clockwise, each 60 degrees from the one before
SIXTH, STRAIGHT = 6, 3  # turns of 60 degrees in a circle and in a half


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """A board as it lies: which one, and by how many sixths it is turned counter-clockwise."""

    board: str
    turned: int


class Link(msgspec.Struct, frozen=True):
    """A railroad between two cities, with its railway spaces in order."""

    id: str
    ends: tuple[str, str]
    spaces: tuple[str, ...]

    def other(self, city: str) -> str:
        return self.ends[1] if city == self.ends[0] else self.ends[0]


def add(one: Hex, other: Hex) -> Hex:
    return one[0] + other[0], one[1] + other[1]


def times(direction: Hex, factor: int) -> Hex:
    return direction[0] * factor, direction[1] * factor


def turn(place: Hex, sixths: int) -> Hex:
    q, r = place
    for _ in range(sixths % SIXTH):
        q, r = q + r, -q
    return q, r


def bend(one: str, other: str) -> int:
    """The change between two directions in steps of 60 degrees: 0 straight on, 1 wide, 2 sharp, 3 back."""
    difference = (COMPASS.index(one) - COMPASS.index(other)) % SIXTH
    return min(difference, SIXTH - difference)


def distance(one: Hex, other: Hex) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def row_name(row: int) -> str:
    """A to Z, then AA, AB and so on."""
    over, letter = divmod(row, len(ascii_uppercase))
    return (row_name(over - 1) if over else "") + ascii_uppercase[letter]


class Map:
    """What the assembled boards show. Immutable, made once for each layout."""

    def __init__(self, board: "Board", layout: tuple[Placed, ...]) -> None:
        arrangement = board.arrangement_of(len(layout))
        self.centres = dict(zip(arrangement.centres, layout, strict=True))
        printed = {one.id: one for one in board.boards}
        whole, shared = self._hexes(board)
        joined = {place for place, boards in shared.items() if boards > 1}
        self._name_spaces([*whole, *shared])
        self.full = frozenset(self.name[place] for place in whole | joined)
        self.partial = frozenset(self.name[place] for place in shared if place not in joined)
        self.bumpers = self._bumpers(board)
        self.neighbours = {name: self._around(place) for place, name in self.name.items()}
        self.city_at: dict[str, str] = {}
        self.factory_at: dict[str, str] = {}
        self.links: dict[str, Link] = {}
        self.stubs: set[str] = set()
        exits: dict[tuple[Hex, int], tuple[str, tuple[str, ...]]] = {}
        for centre, placed in self.centres.items():
            one = printed[placed.board]

            def at(place: Hex, centre: Hex = centre, placed: Placed = placed) -> str:
                return self.name[add(centre, turn(place, placed.turned))]

            self.city_at |= {at(city.at): city.id for city in one.cities}
            self.factory_at |= {at(factory.at): factory.good for factory in one.factories}
            for link in one.links:
                self.links[link.id] = Link(link.id, link.ends, tuple(map(at, link.spaces)))
            for edge, way_out in enumerate(one.exits):
                exits[centre, (edge + placed.turned) % SIXTH] = way_out.city, tuple(map(at, way_out.spaces))
        self._join(board, exits)
        self.place_of_city = {city: space for space, city in self.city_at.items()}
        self.link_of = {space: link.id for link in self.links.values() for space in link.spaces}
        self.landing = self.full - self.city_at.keys()

    def _hexes(self, board: "Board") -> tuple[set[Hex], Counter[Hex]]:
        """The whole hexes, and how many boards share each half or third."""
        whole = {add(centre, place) for centre in self.centres for place in board.shape.whole_hexes}
        shared = Counter(add(centre, place) for centre in self.centres for place in board.shape.cut_hexes)
        return whole, shared

    def _around(self, place: Hex) -> dict[str, str]:
        return {way: self.name[there] for way, step in DIRECTIONS.items() if (there := add(place, step)) in self.name}

    def _bumpers(self, board: "Board") -> tuple[str, ...]:
        corners = Counter(add(centre, place) for centre in self.centres for place in board.shape.third_hexes)
        return tuple(self.name[place] for place, boards in corners.items() if boards == 2)

    def _name_spaces(self, places: Iterable[Hex]) -> None:
        """Rows are lettered from the top; odd rows are set in by half a space, as on most hex maps."""

        def column(place: Hex) -> int:
            return place[0] + (place[1] - place[1] % 2) // 2

        places = set(places)
        top, left = min(r for _, r in places), min(map(column, places))
        ordered = sorted(places, key=lambda place: (place[1], place[0]))
        self.name = {place: f"{row_name(place[1] - top)}{column(place) - left + 1}" for place in ordered}
        self.place = {name: place for place, name in self.name.items()}

    def _join(self, board: "Board", exits: Mapping[tuple[Hex, int], tuple[str, tuple[str, ...]]]) -> None:
        """Two exits that meet make one Link, over the space they share."""
        half = board.shape.pitch // 2
        for (centre, edge), (city, spaces) in exits.items():
            direction = DIRECTIONS[COMPASS[edge]]
            middle = self.name[add(centre, times(direction, half))]
            beyond = add(centre, times(direction, board.shape.pitch))
            if beyond not in self.centres:
                self.stubs.update(spaces, (middle,))
            elif edge < STRAIGHT:
                other, others = exits[beyond, edge + STRAIGHT]
                name = "".join(sorted((self.centres[centre].board, self.centres[beyond].board)))
                self.links[name] = Link(name, (city, other), (*spaces, middle, *reversed(others)))

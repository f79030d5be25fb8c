"""The play area: game boards laid side by side, each turned by some sixths, as one map of named spaces.

A space is called by its row, a letter from the top, and its place in the row: D7. Where two boards meet, their half
hexes make whole spaces and their exit tracks make one Link; a bumper completes the corner between two boards. What is
left of halves and thirds at the rim is partial: Airships may fly through it and do nothing else there (ruling KAS-R07).
An exit track that meets no other board is a stub: a dead end at its City (ruling KAS-R17).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from string import ascii_uppercase

import msgspec

from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hexes import COMPASS, DIRECTIONS, OPPOSITE, SIDES, Hex, add, times, turn


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """A board as it lies: which one, and by how many sixths it is turned counter-clockwise."""

    board: str
    turned: int


class Link(msgspec.Struct, frozen=True):
    """A railroad between two cities, with its railway spaces in order; or a stub, with a single city."""

    id: str
    ends: tuple[str, ...]
    spaces: tuple[str, ...]

    @property
    def is_stub(self) -> bool:
        return len(self.ends) == 1

    def other(self, city: str) -> str:
        return self.ends[1] if city == self.ends[0] else self.ends[0]


def row_name(row: int) -> str:
    """A to Z, then AA, AB and so on."""
    over, letter = divmod(row, len(ascii_uppercase))
    return (row_name(over - 1) if over else "") + ascii_uppercase[letter]


def stub_name(board: str, way: str) -> str:
    """By its board, and the side of it to which the track runs."""
    return f"stub {board}-{way}"


@lru_cache(maxsize=256)
def assemble(board: Board, layout: tuple[Placed, ...]) -> "PlayArea":
    """The play area of a game. It never changes, so it is put together once for each layout."""
    return PlayArea(board, layout)


class PlayArea:
    """What the assembled boards show."""

    def __init__(self, board: Board, layout: tuple[Placed, ...]) -> None:
        arrangement = board.arrangement_of(len(layout))
        self.centres = dict(zip(arrangement.centres, layout, strict=True))
        printed = {game_board.id: game_board for game_board in board.boards}
        whole, shared = self._hexes(board)
        joined = {place for place, boards in shared.items() if boards > 1}
        self._name_spaces([*whole, *shared])
        self.full = frozenset(self.name[place] for place in whole | joined)
        self.partial = frozenset(self.name[place] for place in shared if place not in joined)
        self.bumpers = tuple(self.name[place] for place in board.shape.notches(arrangement.centres))
        self.neighbours = {name: self._around(place) for place, name in self.name.items()}
        self.city_at: dict[str, str] = {}
        self.factory_at: dict[str, str] = {}
        self.links: dict[str, Link] = {}
        self.stubs: set[str] = set()  # every space with track of a stub, partial ones too
        self.stub_links: dict[str, Link] = {}
        exits: dict[tuple[Hex, int], tuple[str, tuple[str, ...]]] = {}
        for centre, placed in self.centres.items():
            game_board = printed[placed.board]

            def at(place: Hex, centre: Hex = centre, placed: Placed = placed) -> str:
                return self.name[add(centre, turn(place, placed.turned))]

            self.city_at |= {at(city.at): city.id for city in game_board.cities}
            self.factory_at |= {at(factory.at): factory.good for factory in game_board.factories}
            for link in game_board.links:
                self.links[link.id] = Link(link.id, link.ends, tuple(map(at, link.spaces)))
            for edge, way_out in enumerate(game_board.exits):
                exits[centre, (edge + placed.turned) % SIDES] = way_out.city, tuple(map(at, way_out.spaces))
        self._join(board, exits)
        self.place_of_city = {city: space for space, city in self.city_at.items()}
        self.link_of = {space: link.id for link in self.links.values() for space in link.spaces}
        self.stub_of = {space: stub.id for stub in self.stub_links.values() for space in stub.spaces}
        self.tracks = self.links | self.stub_links
        self.track_of = self.link_of | self.stub_of
        self.landing = self.full - frozenset(self.city_at)
        # Where a flight may end if the turn goes on: a Route Adjustment leads from there to a landing space (KAS-R03).
        self.stopover = self.landing | {
            space for space, around in self.neighbours.items() if not self.landing.isdisjoint(around.values())
        }

    def links_with(self, built: Iterable[Link]) -> dict[str, Link]:
        """The printed Links and the new ones, by name."""
        return self.links | {link.id: link for link in built}

    def in_map_order(self, spaces: Iterable[str]) -> list[str]:
        """Row by row from the top, each from the left: E6 before E10."""
        return sorted(spaces, key=self.order.__getitem__)

    def _hexes(self, board: Board) -> tuple[set[Hex], Counter[Hex]]:
        """The whole hexes, and how many boards share each half or third."""
        whole = {add(centre, place) for centre in self.centres for place in board.shape.whole_hexes}
        shared = Counter(add(centre, place) for centre in self.centres for place in board.shape.cut_hexes)
        return whole, shared

    def _around(self, place: Hex) -> dict[str, str]:
        q, r = place
        return {way: there for way, (dq, dr) in DIRECTIONS.items() if (there := self.name.get((q + dq, r + dr)))}

    def _name_spaces(self, places: Iterable[Hex]) -> None:
        """Rows are lettered from the top; odd rows are set in by half a space, as on most hex maps."""

        def column(place: Hex) -> int:
            return place[0] + (place[1] - place[1] % 2) // 2

        places = set(places)
        top, left = min(r for _, r in places), min(map(column, places))
        ordered = sorted(places, key=lambda place: (place[1], place[0]))
        self.name = {place: f"{row_name(place[1] - top)}{column(place) - left + 1}" for place in ordered}
        self.place = {name: place for place, name in self.name.items()}
        self.order = {name: number for number, name in enumerate(self.place)}

    def _join(self, board: Board, exits: Mapping[tuple[Hex, int], tuple[str, tuple[str, ...]]]) -> None:
        """Two exits that meet make one Link, over the space they share."""
        half = board.shape.pitch // 2
        for (centre, edge), (city, spaces) in exits.items():
            direction = DIRECTIONS[COMPASS[edge]]
            middle = self.name[add(centre, times(direction, half))]
            beyond = add(centre, times(direction, board.shape.pitch))
            if beyond not in self.centres:
                self.stubs.update(spaces, (middle,))
                name = stub_name(self.centres[centre].board, COMPASS[edge])
                self.stub_links[name] = Link(name, (city,), spaces)
            elif edge < OPPOSITE:
                other, others = exits[beyond, edge + OPPOSITE]
                name = "".join(sorted((self.centres[centre].board, self.centres[beyond].board)))
                self.links[name] = Link(name, (city, other), (*spaces, middle, *reversed(others)))

"""The play area as a map: hexes, tracks, factories, cities, Depots and Airships."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt

from referee.contract import View
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hexes import Hex, add, turn
from referee.games.kings_of_air_and_steam.play_area import Link, PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import CLOSED, Goods, lot
from referee.pictures.drawing import (
    FAINT,
    INK,
    LAND,
    PANEL,
    RULE,
    Box,
    Paint,
    Svg,
    element,
    fit,
    group,
    mark,
    number,
    path,
    text,
    text_box,
    text_width,
)
from referee.pictures.drawing import PAINTS as PIECES

GOODS = {
    "chemicals": Paint("#1f8a7d", "#0d4f47", "#ffffff", "C"),
    "machinery": Paint("#5d6b78", "#2f3a44", "#ffffff", "M"),
    "food": Paint("#b9791a", "#6b4207", "#ffffff", "F"),
    "textiles": Paint("#c04e7c", "#6f2142", "#ffffff", "T"),
    "luxuries": Paint("#7352b3", "#3c2770", "#ffffff", "L"),
}
UNKNOWN = Paint("#8a8f92", "#50555a", "#ffffff", "?")
ICONS = {  # in a square of 20 around the middle
    "chemicals": "M-2.5-7L2.5-7L2.5-2L7 6Q7.5 7.5 5.5 7.5L-5.5 7.5Q-7.5 7.5-7 6L-2.5-2Z",
    "food": (
        "M0-3C-3-6-7-4-7 1C-7 5-4 8-1.5 7.5L0 7L1.5 7.5C4 8 7 5 7 1C7-4 3-6 0-3ZM0.5-4C0.5-6 2-8 4-8C4-6 2.5-4 0.5-4Z"
    ),
    "textiles": "M-3.5-6.5L-8-3.5L-6 0L-4-1L-4 7L4 7L4-1L6 0L8-3.5L3.5-6.5Q0-3.5-3.5-6.5Z",
    "luxuries": "M-7-2L-3.5-6.5L3.5-6.5L7-2L0 7.5ZM-7-2L7-2",
}
TINTS = ("#f1e6c8", "#ebdfc0", "#f4ead2", "#e7dcc2", "#efe4cd", "#e9e0c6", "#f2e8c9")
WATER = "#d8e2de"
CITY = "#3a2f2a"
TRACK, STUB, NEW_TRACK = "#5b4636", "#b5a58b", "#8d3b1f"
PALE, DEEP = "#f3ead4", "#44565a"
LARGEST = 50.0  # radius of a hex
SMALLEST = 18.0  # letters that can be read where the picture is half as wide
MOST_CUBES = 2  # of Goods of several types in a Depot
RIM = 5.0  # around a piece on the map
LENGTH = 2.1  # of an Airship, in sizes of the letters
# Where Airships hang, in parts of the radius: inside of their space, or where several meet, around it.
BERTHS = [(0.1 * across, 0.1 * down) for down in (3, 4, 5, 6, 2, 7, 1, 0) for across in (0, 1, -1, 2, -2, 3, -3, 4, -4)]
WIDER_BERTHS = [(0.2 * across, 0.2 * down) for across in range(-6, 7) for down in range(-5, 7)]


class Chart:
    """Where everything lies on the page: a map scaled into a box.

    What is written in a space keeps to three bands, so that nothing covers anything: its name in the upper one, how
    many Goods lie there in the middle, names of Cities and Links, which are longer than a space is wide, in the lower
    one. What stands on a space stands at the left, and words are at its right.
    """

    def __init__(self, board: Board, view: View, box: Box) -> None:
        self.board, self.view = board, view
        self.area: PlayArea = assemble(board, view.table.layout)
        across = [sqrt(3) * (q + r / 2) for q, r in self.area.name]
        down = [1.5 * r for _, r in self.area.name]
        wide, high = max(across) - min(across) + sqrt(3), max(down) - min(down) + 2
        self.radius = min(box.width / wide, LARGEST)
        self.height = high * self.radius
        self.left = box.x + (box.width - wide * self.radius) / 2 - (min(across) - sqrt(3) / 2) * self.radius
        self.top = box.y - (min(down) - 1) * self.radius
        self.size = max(SMALLEST, self.radius * 0.5)  # of the letters
        self.taken: list[Box] = []  # by what is written
        self.houses: list[Box] = []  # and what else stands on spaces

    def at(self, place: Hex) -> tuple[float, float]:
        q, r = place
        return self.left + sqrt(3) * (q + r / 2) * self.radius, self.top + 1.5 * r * self.radius

    def spot(self, space: str) -> tuple[float, float]:
        return self.at(self.area.place[space])

    def draw(self) -> Iterator[Svg]:
        yield from self._spaces()
        yield from self._tracks()
        yield from self._frames()
        yield from self._factories()
        yield from self._cities()
        yield from self._depots()
        names = [*self._city_names(), *self._names()]
        yield from self._airships()
        yield from names  # above the Airships, which keep clear of them but for their rims: half an E is an F

    # The boards

    def _hexagon(self, place: Hex, size: float = 1.0) -> list[tuple[float, float]]:
        x, y = self.at(place)
        turns = [pi / 3 * corner + pi / 6 for corner in range(6)]
        return [(x + size * self.radius * cos(angle), y + size * self.radius * sin(angle)) for angle in turns]

    def _spaces(self) -> Iterator[Svg]:
        """Every space, marked as what orders can name there."""
        tint = {
            add(centre, turn(place, placed.turned)): TINTS[ord(placed.board) % len(TINTS)]
            for centre, placed in self.area.centres.items()
            for place in self.board.shape.whole_hexes
        }
        depots = {space for player in self.view.table.players for space in player.depots}
        builders = any(has_new_construction(self.board, player.character) for player in self.view.table.players)
        for place, name in self.area.name.items():
            partial = name in self.area.partial
            drawn = element(
                "path",
                d=path(self._hexagon(place), closed=True),
                fill=WATER if partial else tint.get(place, LAND),
                stroke=RULE,
                stroke_width=1,
            )
            marks = [("space", name)]
            if name in depots:
                marks += [(field, name) for field in ("start", "destination", "via", "place")]
            if builders and name in self.area.landing:
                marks.append(("track", name))
            if city := self.area.city_at.get(name):
                marks += [(field, city) for field in ("start", "destination", "end")]
            for field, value in marks:
                drawn = mark(field, value, drawn)
            yield drawn

    def _frames(self) -> Iterator[Svg]:
        """The edges of the boards."""
        for centre in self.area.centres:
            corners = [self.at(add(centre, corner)) for corner in self.board.shape.third_hexes]
            yield element(
                "path",
                d=path(corners, closed=True),
                fill="none",
                stroke=FAINT,
                stroke_width=1.2,
                stroke_dasharray="7 5",
                stroke_opacity=0.7,
            )

    def _tracks(self) -> Iterator[Svg]:
        place_of = self.area.place_of_city
        for centre, placed in self.area.centres.items():
            printed = next(board for board in self.board.boards if board.id == placed.board)
            for edge, way_out in enumerate(printed.exits):
                half = self.board.shape.half_hexes[edge]
                places = [add(centre, turn(place, placed.turned)) for place in (*way_out.spaces, half)]
                if self.area.name[places[-1]] in self.area.partial:
                    yield from self._rail([self.spot(place_of[way_out.city]), *map(self.at, places)], STUB)
        built = {link.id for link in self.view.table.built}
        for link in self.area.links_with(self.view.table.built).values():
            spaces = [place_of[link.ends[0]], *link.spaces, place_of[link.ends[1]]]
            colour = NEW_TRACK if link.id in built else TRACK
            yield mark("via", link.id, *self._rail([self.spot(space) for space in spaces], colour))

    def _rail(self, points: Sequence[tuple[float, float]], colour: str) -> Iterator[Svg]:
        width, way = self.radius * 0.17, path(points)
        line = {"d": way, "fill": "none", "stroke_linejoin": "round"}
        yield element("path", **line, stroke=colour, stroke_width=width)
        dashes = f"{number(self.radius * 0.16)} {number(self.radius * 0.16)}"
        yield element("path", **line, stroke=PANEL, stroke_width=width * 0.45, stroke_dasharray=dashes)

    def _write(self, x: float, y: float, words: str, *, bold: bool = False, fill: str, halo: str) -> Svg:
        """Words around x on the line y, remembered as taken."""
        self.taken.append(text_box(x, y, words, self.size, bold, "middle"))
        return text(x, y, words, self.size, bold=bold, anchor="middle", fill=fill, halo=halo)

    def _names(self) -> Iterator[Svg]:
        """The names of all spaces where an Airship may be, then those of the Links."""
        standing = {*self.area.city_at, *self.area.factory_at}
        standing |= {space for player in self.view.table.players for space in player.depots}
        for name in sorted(self.area.stopover):
            x, y = self.spot(name)
            aside = self.aside if name in standing else 0
            yield self._write(x + aside, y + self.up, name, fill=DEEP, halo=PALE)
        for link in self.area.links_with(self.view.table.built).values():
            yield from self._link_name(link)

    @property
    def up(self) -> float:
        """The line of the upper band, from the middle of a space."""
        return -0.75 * self.radius + 0.75 * self.size

    @property
    def down(self) -> float:
        """The line of the lower band: what stands there ends where the upper band of the next row begins."""
        return 0.75 * self.radius - 0.2 * self.size

    @property
    def amid(self) -> float:
        return (self.up + self.down) / 2

    @property
    def aside(self) -> float:
        """How far what stands on a space and what is written there are from its middle."""
        return self.radius * 0.42

    def _link_name(self, link: Link) -> Iterator[Svg]:
        """In the lower band of one of its spaces, where nothing else is: near its middle. There may be no room."""
        depots = {space for player in self.view.table.players for space in player.depots}
        middle = len(link.spaces) // 2
        order = sorted(range(len(link.spaces)), key=lambda index: (link.spaces[index] in depots, abs(index - middle)))
        for space in (link.spaces[index] for index in order):
            x, y = self.spot(space)
            written = text_box(x, y + self.down, link.id, self.size, True, "middle")
            box = Box(written.x, written.y + 1, written.width, written.height - 2)  # bands touch
            if not any(box.overlap(other) for other in self.taken):
                yield self._write(x, y + self.down, link.id, bold=True, fill=TRACK, halo=LAND)
                return

    # What lies on them

    def _factories(self) -> Iterator[Svg]:
        for space, waiting in self.view.table.factories.items():
            good = self.area.factory_at[space]
            x, y = self.spot(space)
            paint = GOODS.get(good, UNKNOWN)
            yield element(
                "path",
                d=path(self._hexagon(self.area.place[space], 0.94), closed=True),
                fill=paint.fill,
                fill_opacity=0.28,
                stroke=paint.edge,
                stroke_width=1.6,
            )
            self.houses.append(Box.around(x - self.aside, y - self.radius * 0.1, self.size * 0.6))
            yield cube(x - self.aside, y - self.radius * 0.1, self.size * 1.4, good)
            yield self._write(x + self.aside, y + self.amid, str(waiting), bold=True, fill=INK, halo=PANEL)

    def _stored(self, x: float, y: float, goods: Goods) -> Iterator[Svg]:
        """Goods in the middle band around x: a cube and how many; of several types, some cubes and how many in all."""
        size, label = self.size * 0.95, str(sum(goods.values()))
        cubes, step = list(goods)[:MOST_CUBES], size * 0.35
        wide = size * 1.1 + step * (len(cubes) - 1) + text_width(label, self.size, True)
        left, line = x - wide / 2, y + self.amid
        for index, good in enumerate(cubes):
            yield cube(left + size / 2 + step * index, line - self.size * 0.33, size, good)
        middle = left + wide - text_width(label, self.size, True) / 2
        yield self._write(middle, line, label, bold=True, fill=INK, halo=PANEL)

    def _cities(self) -> Iterator[Svg]:
        for name, city in self.view.table.cities.items():
            space = self.area.place_of_city[name]
            x, y = self.spot(space)
            corners = self._hexagon(self.area.place[space], 0.94)
            closed = city.good == CLOSED
            yield element(
                "path",
                d=path(corners, closed=True),
                fill="#cfc8bb" if closed else PANEL,
                stroke=CITY,
                stroke_width=2.2,
                stroke_dasharray="5 4" if closed and not city.tile else None,
            )
            if closed and city.tile:  # for good: crossed out
                for start in (0, 1):
                    yield element("path", d=path([corners[start], corners[start + 3]]), stroke=CITY, stroke_width=2)
            if closed:
                words = "closed" if city.tile else "waits"
                yield self._write(x, y + self.amid, words, bold=True, fill=CITY, halo="#e6e0d4")
            else:
                filled = f"{sum(city.goods.values())}/{city.slots}"
                yield cube(x - self.aside, y - self.radius * 0.1, self.size * 1.4, city.good)
                yield self._write(x + self.aside, y + self.amid, filled, bold=True, fill=CITY, halo=PANEL)

    def _city_names(self) -> Iterator[Svg]:
        for name in self.view.table.cities:
            x, y = self.spot(self.area.place_of_city[name])
            label = fit(self.board.city[name].name, self.radius * 3.3, self.size, True)
            yield self._write(x, y + self.down, label, bold=True, fill=CITY, halo=PANEL)

    def _depots(self) -> Iterator[Svg]:
        for seat, player in enumerate(self.view.table.players):
            for space, goods in player.depots.items():
                x, y = self.spot(space)
                middle = x - self.aside, y - self.radius * 0.06
                self.houses.append(Box.around(*middle, self.size * 0.8))
                yield depot(*middle, self.size * 1.45, livery(self.board, seat))
                if goods:
                    stored = group(*self._stored(x + self.aside, y, goods))
                    for good in goods:
                        stored = mark("lots", lot(space, good), stored)
                    yield stored

    def _airships(self) -> Iterator[Svg]:
        """Low over their spaces, so that what lies there can be seen."""
        here: dict[str, list[int]] = {}
        for seat, player in enumerate(self.view.table.players):
            if player.at:
                here.setdefault(player.at, []).append(seat)
        placed: list[Box] = []
        for space, seats in here.items():
            for seat in seats:
                x, y, box = self._berth(space, placed)
                placed.append(box)
                yield airship(x, y, self.size * LENGTH, livery(self.board, seat))

    def _berth(self, space: str, placed: Sequence[Box]) -> tuple[float, float, Box]:
        """Where on a space an Airship covers the least of what is written and of other Airships."""
        (x, y), wide, high = self.spot(space), self.size * LENGTH, self.size * LENGTH * 0.62
        around = Box.around(x, y, 2 * self.radius)
        near = [other for other in (*self.taken, *self.houses) if around.overlap(other)]

        def box(berth: tuple[float, float]) -> Box:
            across, down = berth
            return Box(x + across * self.radius - wide / 2, y + down * self.radius - high / 2, wide, high)

        def covered(berth: tuple[float, float]) -> tuple[float, float]:
            here = box(berth)
            return sum(here.overlap(other) for other in placed), sum(here.overlap(other) for other in near)

        best = next((berth for berth in BERTHS if not any(covered(berth))), None) or min(BERTHS, key=covered)
        if covered(best)[0]:
            best = min(WIDER_BERTHS, key=lambda berth: (*covered(berth), abs(berth[0]) + abs(berth[1])))
        found = box(best)
        return found.x + wide / 2, found.y + high / 2, found


def has_new_construction(board: Board, character: str) -> bool:
    return character in board.character and board.character[character].ability == "new_construction"


def livery(board: Board, seat: int) -> Paint:
    return PIECES.get(board.colours[seat].id) or list(PIECES.values())[seat]


def cube(x: float, y: float, size: float, good: str) -> Svg:
    """A Good: a cube of its colour with its icon."""
    paint, scale = GOODS.get(good, UNKNOWN), size / 20
    box = element(
        "rect",
        x=x - size / 2,
        y=y - size / 2,
        width=size,
        height=size,
        rx=size * 0.16,
        fill=paint.fill,
        stroke=paint.edge,
        stroke_width=max(0.8, size * 0.05),
    )
    place = f"translate({number(x)} {number(y)}) scale({scale:.3f})"
    if good == "machinery":
        icon = group(
            element("path", d=_gear(), fill=paint.ink),
            element("circle", r=2.6, fill=paint.fill),
            transform=place,
        )
    else:
        line = {"fill": paint.ink, "stroke": paint.fill, "stroke_width": "0.9"}
        icon = element("path", d=ICONS.get(good, ""), transform=place, **line)
    return group(box, icon)


def _gear() -> str:
    points = []
    for tooth in range(8):
        for offset, radius in ((-0.2, 5.4), (-0.12, 8), (0.12, 8), (0.2, 5.4)):
            angle = (tooth + offset) * pi / 4
            points.append((radius * cos(angle), radius * sin(angle)))
    return path(points, closed=True)


def depot(x: float, y: float, size: float, paint: Paint) -> Svg:
    """A warehouse in a player's colour, with its letter; a rim keeps it apart from tracks and others."""
    half = size / 2
    letter = max(SMALLEST, size * 0.62)
    walls = [(-half, half), (-half, -half * 0.25), (0, -half), (half, -half * 0.25), (half, half)]
    outline = path([(x + dx, y + dy) for dx, dy in walls], closed=True)
    return group(
        element("path", d=outline, fill=PALE, stroke=PALE, stroke_width=RIM * 2, stroke_linejoin="round"),
        element(
            "path", d=outline, fill=paint.fill, stroke=paint.edge, stroke_width=1.4, stroke_linejoin="round",
        ),
        text(x, y + size * 0.4, paint.letter, letter, bold=True, anchor="middle", fill=paint.ink),
    )  # fmt: skip


def airship(x: float, y: float, length: float, paint: Paint) -> Svg:
    """A dirigible in a player's colour, with its letter and a rim."""
    wide, high, letter = length / 2, length * 0.28, max(SMALLEST, length * 0.42)
    fins = path(
        [(x - wide * 0.7, y), (x - wide * 1.12, y - high * 0.9), (x - wide * 1.12, y + high * 0.9)], closed=True
    )
    return group(
        element("ellipse", cx=x, cy=y, rx=wide + RIM, ry=high + RIM, fill=PALE),
        element("path", d=fins, fill=paint.edge, stroke=PALE, stroke_width=1),
        element(
            "rect", x=x - wide * 0.3, y=y + high * 0.8, width=wide * 0.6, height=high * 0.5, rx=1.5, fill=paint.edge,
        ),
        element("ellipse", cx=x, cy=y, rx=wide, ry=high, fill=paint.fill, stroke=paint.edge, stroke_width=1.3),
        text(x, y + letter * 0.34, paint.letter, letter, bold=True, anchor="middle", fill=paint.ink),
    )  # fmt: skip

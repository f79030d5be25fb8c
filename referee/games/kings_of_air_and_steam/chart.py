"""The play area as a map: hexes, tracks, factories, cities, Depots and Airships."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt

from referee.contract import View
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hexes import Hex, add, turn
from referee.games.kings_of_air_and_steam.play_area import Link, PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import CLOSED, Goods
from referee.pictures.drawing import (
    FAINT,
    LAND,
    PANEL,
    RULE,
    Box,
    Paint,
    Svg,
    element,
    group,
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
LARGEST = 34.0  # radius of a hex
NAMED = 3  # spaces of a Link that leave room for its name; a shorter one is known by its only Depots


class Chart:
    """Where everything lies on the page: a map scaled into a box."""

    def __init__(self, board: Board, view: View, box: Box, tallest: float) -> None:
        self.board, self.view = board, view
        self.area: PlayArea = assemble(board, view.table.layout)
        across = [sqrt(3) * (q + r / 2) for q, r in self.area.name]
        down = [1.5 * r for _, r in self.area.name]
        wide, high = max(across) - min(across) + sqrt(3), max(down) - min(down) + 2
        self.radius = min(box.width / wide, tallest / high, LARGEST)
        self.height = high * self.radius
        self.left = box.x + (box.width - wide * self.radius) / 2 - (min(across) - sqrt(3) / 2) * self.radius
        self.top = box.y - (min(down) - 1) * self.radius

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
        yield from self._names()
        yield from self._cities()
        yield from self._depots()
        yield from self._airships()

    # The boards

    def _hexagon(self, place: Hex, size: float = 1.0) -> list[tuple[float, float]]:
        x, y = self.at(place)
        turns = [pi / 3 * corner + pi / 6 for corner in range(6)]
        return [(x + size * self.radius * cos(angle), y + size * self.radius * sin(angle)) for angle in turns]

    def _spaces(self) -> Iterator[Svg]:
        tint = {
            add(centre, turn(place, placed.turned)): TINTS[ord(placed.board) % len(TINTS)]
            for centre, placed in self.area.centres.items()
            for place in self.board.shape.whole_hexes
        }
        for place, name in self.area.name.items():
            partial = name in self.area.partial
            fill = WATER if partial else tint.get(place, LAND)
            yield element(
                "path",
                d=path(self._hexagon(place), closed=True),
                fill=fill,
                fill_opacity=0.55 if partial else None,
                stroke=RULE,
                stroke_width=1,
            )

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
        for link in self.area.links.values():
            spaces = [place_of[link.ends[0]], *link.spaces, place_of[link.ends[1]]]
            yield from self._rail([self.spot(space) for space in spaces], TRACK)
        for centre, placed in self.area.centres.items():
            printed = next(board for board in self.board.boards if board.id == placed.board)
            for edge, way_out in enumerate(printed.exits):
                half = self.board.shape.half_hexes[edge]
                places = [add(centre, turn(place, placed.turned)) for place in (*way_out.spaces, half)]
                if self.area.name[places[-1]] in self.area.partial:
                    yield from self._rail([self.spot(place_of[way_out.city]), *map(self.at, places)], STUB)
        for link in self.view.table.built:
            spaces = [place_of[link.ends[0]], *link.spaces, place_of[link.ends[1]]]
            yield from self._rail([self.spot(space) for space in spaces], NEW_TRACK)

    def _rail(self, points: Sequence[tuple[float, float]], colour: str) -> Iterator[Svg]:
        width, way = self.radius * 0.17, path(points)
        line = {"d": way, "fill": "none", "stroke_linejoin": "round"}
        yield element("path", **line, stroke=colour, stroke_width=width)
        dashes = f"{number(self.radius * 0.16)} {number(self.radius * 0.16)}"
        yield element("path", **line, stroke=PANEL, stroke_width=width * 0.45, stroke_dasharray=dashes)

    def _names(self) -> Iterator[Svg]:
        """The name of every space where something may stop, then those of the Links."""
        size, taken = self.radius * 0.35, []
        for name in sorted(self.area.landing):
            x, y = self.spot(name)
            taken.append(text_box(x, y - self.radius * 0.45, name, size, anchor="middle"))
            yield text(x, y - self.radius * 0.45, name, size, anchor="middle", fill=FAINT, halo="#f3ead4")
        for link in self.area.links_with(self.view.table.built).values():
            if len(link.spaces) >= NAMED:
                yield self._link_name(link, taken)

    def _link_name(self, link: Link, taken: Sequence[Box]) -> Svg:
        """Beside the Link, between two of its spaces, where no Depot stands: near the middle, off the spaces' names."""
        points = [self.spot(self.area.place_of_city[link.ends[0]]), *map(self.spot, link.spaces)]
        size, middle = self.radius * 0.36, len(link.spaces) // 2
        places = []
        for index in sorted(range(len(points) - 1), key=lambda index: abs(index - middle)):
            (x1, y1), (x2, y2) = points[index], points[index + 1]
            for side in (0.2, -0.2):
                x, y = (x1 + x2) / 2 + (y2 - y1) * side, (y1 + y2) / 2 - (x2 - x1) * side
                places.append((x, y + size * 0.35))

        def covered(place: tuple[float, float]) -> float:
            box = text_box(*place, link.id, size, True, "middle")
            return sum(box.overlap(other) for other in taken)

        free = (place for place in places if not covered(place))  # nearly always the first: the rest is not measured
        x, y = next(free, None) or min(places, key=covered)
        return text(x, y, link.id, size, bold=True, anchor="middle", fill=TRACK, halo=LAND)

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
            size = self.radius * 0.72
            yield cube(x - size * 0.42, y + self.radius * 0.12, size, good)
            shown = f"×{waiting}"
            yield text(x + size * 0.2, y + self.radius * 0.28, shown, self.radius * 0.5, bold=True, fill=paint.edge)

    def _cities(self) -> Iterator[Svg]:
        for name, city in self.view.table.cities.items():
            x, y = self.spot(self.area.place_of_city[name])
            body = path(self._hexagon(self.area.place[self.area.place_of_city[name]], 0.94), closed=True)
            wanted = GOODS.get(city.good, UNKNOWN)
            fill = PANEL if city.good != CLOSED else "#cfc8bb"
            yield element("path", d=body, fill=fill, stroke=CITY, stroke_width=2.2)
            if city.good != CLOSED:
                yield cube(x, y - self.radius * 0.42, self.radius * 0.62, city.good)
                filled = [good for good, number in sorted(city.goods.items()) for _ in range(number)]
                step = self.radius * 0.27
                for slot in range(city.slots):
                    paint = GOODS.get(filled[slot], UNKNOWN) if slot < len(filled) else None
                    yield element(
                        "circle",
                        cx=x + (slot - (city.slots - 1) / 2) * step,
                        cy=y + self.radius * 0.09,
                        r=step * 0.4,
                        fill=paint.fill if paint else "#ffffff",
                        stroke=paint.edge if paint else wanted.edge,
                        stroke_width=1,
                    )
            size = self.radius * 0.42
            label = self.board.city[name].name
            size = min(size, size * 1.7 * self.radius / text_width(label, size, True))
            yield text(x, y + self.radius * 0.55, label, size, bold=True, anchor="middle", fill=CITY, halo=PANEL)

    def _depots(self) -> Iterator[Svg]:
        for seat, player in enumerate(self.view.table.players):
            for space, goods in player.depots.items():
                x, y = self.spot(space)
                yield depot(x, y + self.radius * 0.1, self.radius * 0.62, livery(self.board, seat))
                yield from self._stored(x, y + self.radius * 0.66, goods)

    def _stored(self, x: float, y: float, goods: Goods) -> Iterator[Svg]:
        size = self.radius * 0.34
        labels = [str(number) for number in goods.values()]
        widths = [size * 1.1 + text_width(label, size, True) for label in labels]
        left = x - sum(widths) / 2
        for good, label, width in zip(goods, labels, widths, strict=True):
            yield cube(left + size * 0.5, y, size, good)
            yield text(left + size * 1.08, y + size * 0.36, label, size, bold=True, halo=PANEL)
            left += width

    def _airships(self) -> Iterator[Svg]:
        here: dict[str, list[int]] = {}
        for seat, player in enumerate(self.view.table.players):
            if player.at:
                here.setdefault(player.at, []).append(seat)
        depots = {space for player in self.view.table.players for space in player.depots}
        for space, seats in here.items():
            x, y = self.spot(space)
            many = len(seats) > 1
            length = self.radius * (0.95 if many else 1.25)
            seen = space in depots or space in self.area.factory_at  # what lies there stays to be seen
            up = self.radius * (0.42 if seen else 0.1)
            for index, seat in enumerate(seats):
                shift = (index - (len(seats) - 1) / 2) * self.radius * 0.36
                across = (index % 2 - 0.5) * self.radius * 0.7 if many else 0
                yield airship(x + across, y - up + shift, length, livery(self.board, seat))


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
    """A warehouse in a player's colour, with its letter."""
    half = size / 2
    walls = [(-half, half), (-half, -half * 0.25), (0, -half), (half, -half * 0.25), (half, half)]
    letter = size * 0.62
    return group(
        element(
            "path",
            d=path([(x + dx, y + dy) for dx, dy in walls], closed=True),
            fill=paint.fill,
            stroke=paint.edge,
            stroke_width=1.4,
            stroke_linejoin="round",
        ),
        text(x, y + size * 0.38, paint.letter, letter, bold=True, anchor="middle", fill=paint.ink),
    )


def airship(x: float, y: float, length: float, paint: Paint) -> Svg:
    """A dirigible in a player's colour, with its letter."""
    wide, high, letter = length / 2, length * 0.24, length * 0.36
    fins = [(x - wide * 0.7, y), (x - wide * 1.12, y - high * 0.9), (x - wide * 1.12, y + high * 0.9)]
    line = {"fill": paint.fill, "stroke": paint.edge, "stroke_width": "1.3"}
    stripe = {"fill": "none", "stroke": paint.ink, "stroke_opacity": "0.25"}
    return group(
        element("path", d=path(fins, closed=True), **line),
        element("rect", x=x - wide * 0.3, y=y + high * 0.8, width=wide * 0.6, height=high * 0.6, rx=1.5, **line),
        element("ellipse", cx=x, cy=y, rx=wide, ry=high, **line),
        element("ellipse", cx=x, cy=y, rx=wide * 0.97, ry=high * 0.35, **stripe),
        text(x, y + letter * 0.34, paint.letter, letter, bold=True, anchor="middle", fill=paint.ink),
    )

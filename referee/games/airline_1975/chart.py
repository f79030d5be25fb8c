"""Where everything lies on the picture of the board: the track around the map, shores, cities, routes, names.

All of it follows from the board, whatever its cities are, and does not move while a game is played.
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import yaml

from referee.games.airline_1975.board import Board
from referee.pictures.drawing import ASCENT, DESCENT, Box, text_width
from referee.pictures.maps import Name, Point, bend_point, covered, on_curve, place_names, places_around

ROW, COLUMN = 118.0, 142.5  # how deep the track is above and below the map, and beside it
FRAME = Box(30, 184, 1140, 2 * ROW + 548)
MAP = Box(FRAME.x + COLUMN, FRAME.y + ROW, FRAME.width - 2 * COLUMN, FRAME.height - 2 * ROW)
ROUND = 46.0  # the corners of the track
INNER = 30.0  # and of the map
NORTH, SOUTH = 72.0, -46.0
WEST, EAST = -180.0, 180.0
SMALL, LARGE = 13.0, 20.0  # markers of cities and of bases
NAME_SIZE, EDGE_SIZE = 18, 18
STRANGER = 44.0  # the least distance from a name to another city, if there is room
CLEAR = 14.0  # between the marker of a base and a route that passes it
BENDS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.24, -0.24, 0.32, -0.32)  # of a route's line, in parts of its length


class Cell(NamedTuple):
    """A space of the track: its box, the way of flight in degrees, and its round corner if it has one, as (x, y) signs
    from the middle of the box."""

    box: Box
    angle: float
    corner: tuple[int, int] | None


class Line(NamedTuple):
    """A route, in one piece or in two, from each city to the edge of the map; each piece is a line of points."""

    pieces: tuple[tuple[Point, ...], ...]


class Label(NamedTuple):
    """Where a route leads that leaves the map."""

    x: float
    y: float
    anchor: str
    city: str


class Chart(NamedTuple):
    cells: tuple[Cell, ...]
    land: tuple[tuple[Point, ...], ...]
    water: tuple[tuple[Point, ...], ...]
    graticule: tuple[tuple[Point, ...], ...]
    cities: dict[str, Point]
    lines: dict[tuple[str, str], Line]
    names: dict[str, Name]
    labels: tuple[Label, ...]


class Place(NamedTuple):
    """A city as far as the chart is concerned."""

    name: str
    lon: float
    lat: float


Places = dict[str, Place]
Routes = tuple[tuple[str, str], ...]


def chart(board: Board) -> Chart:
    places = tuple((city.id, Place(city.name, city.lon, city.lat)) for city in board.cities)
    return _chart(places, tuple((route.a, route.b) for route in board.routes), len(board.track))


@cache
def _chart(cities: tuple[tuple[str, Place], ...], routes: Routes, spaces: int) -> Chart:
    places = dict(cities)
    shores = yaml.safe_load((Path(__file__).parent / "coast.yaml").read_text("utf-8"))
    points = {city: project(place.lon, place.lat) for city, place in places.items()}
    lines = {(a, b): _line(places, points, a, b) for a, b in routes}
    labels = tuple(_labels(lines))
    return Chart(
        cells=tuple(_cells(spaces)),
        land=tuple(_outline(shore) for shore in shores["land"].values()),
        water=tuple(_outline(shore) for shore in shores["water"].values()),
        graticule=tuple(_graticule()),
        cities=points,
        lines=lines,
        names=_names(places, points, lines, labels),
        labels=labels,
    )


def project(lon: float, lat: float) -> Point:
    """A plain map, wide at the poles, stretched where the cities are."""
    x = MAP.x + (lon - WEST) / (EAST - WEST) * MAP.width
    y = MAP.y + (NORTH - lat) / (NORTH - SOUTH) * MAP.height
    return round(x, 1), round(y, 1)


def _outline(shore: list[float]) -> tuple[Point, ...]:
    """Shores outside the map end at its edge."""
    points = zip(shore[::2], shore[1::2], strict=True)
    return tuple(project(lon, min(max(lat, SOUTH), NORTH)) for lon, lat in points)


def _graticule() -> Iterator[tuple[Point, ...]]:
    for lat in range(-30, 61, 30):
        yield project(WEST, lat), project(EAST, lat)
    for lon in range(-150, 151, 30):
        yield project(lon, NORTH), project(lon, SOUTH)


def _cells(count: int) -> Iterator[Cell]:
    """The spaces clockwise from the upper left corner: as many beside the map as a third of those above and below."""
    side = count // 6
    above = (count - 2 * side + 1) // 2
    below = count - 2 * side - above
    width, low = FRAME.width / above, FRAME.width / max(1, below)
    right, bottom = FRAME.x + FRAME.width, FRAME.y + FRAME.height
    height = MAP.height / max(1, side)
    for index in range(above):
        corner = (-1, -1) if index == 0 else (1, -1) if index == above - 1 else None
        yield Cell(Box(FRAME.x + width * index, FRAME.y, width, ROW), 0, corner)
    for index in range(side):
        yield Cell(Box(right - COLUMN, MAP.y + height * index, COLUMN, height), 90, None)
    for index in range(below):
        corner = (1, 1) if index == 0 else (-1, 1) if index == below - 1 else None
        yield Cell(Box(right - low * (index + 1), bottom - ROW, low, ROW), 180, corner)
    for index in range(side):
        yield Cell(Box(FRAME.x, MAP.y + height * (side - 1 - index), COLUMN, height), 270, None)


# Routes


def _line(places: Places, points: dict[str, Point], a: str, b: str) -> Line:
    """The shorter way round the globe: a route across the edge of the map is drawn in two pieces. Others are bent a
    little where they would run through a third city."""
    if abs(places[a].lon - places[b].lon) > (EAST - WEST) / 2:
        pieces = list(_across(points[a], points[b]) if places[a].lon > places[b].lon else _across(points[b], points[a]))
        return Line(tuple(pieces if places[a].lon > places[b].lon else reversed(pieces)))
    others = [point for city, point in points.items() if city not in (a, b)]
    ways = [_bent(points[a], points[b], bend) for bend in BENDS]
    return Line((min(ways, key=lambda way: sum(_closeness(way, other) for other in others)),))


def _bent(start: Point, end: Point, bend: float) -> tuple[Point, ...]:
    """An arc from start to end: straight for 0."""
    if not bend:
        return start, end
    points = [on_curve(start, bend_point(start, end, bend), end, step / 12) for step in range(13)]
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


def _closeness(way: tuple[Point, ...], city: Point) -> float:
    """By how much a way comes nearer to a city than the marker there can stand."""
    return max(0.0, LARGE + CLEAR - min(math.dist(point, city) for point in trace(Line((way,)))))


def _across(eastern: Point, western: Point) -> Iterator[tuple[Point, Point]]:
    """From the eastern city over the right edge, and from the left edge to the western city."""
    right, left = MAP.x + MAP.width, MAP.x
    whole = right - eastern[0] + western[0] - left
    height = round(eastern[1] + (western[1] - eastern[1]) * (right - eastern[0]) / whole, 1)
    yield eastern, (right, height)
    yield western, (left, height)


def _labels(lines: dict[tuple[str, str], Line]) -> Iterator[Label]:
    """At the edges of the map, each on the side of its route that is free, one below the other."""
    for edge, anchor, inward in ((MAP.x, "start", 6.0), (MAP.x + MAP.width, "end", -6.0)):
        ends = [
            (end[1] - 6 if start[1] >= end[1] else end[1] + EDGE_SIZE + 2, city)
            for (a, b), line in lines.items()
            if len(line.pieces) == 2
            for (start, end), city in zip(line.pieces, (b, a), strict=True)
            if end[0] == edge
        ]
        lowest = MAP.y
        for y, city in sorted(ends):
            lowest = max(lowest + EDGE_SIZE + 1, y)
            yield Label(edge + inward, round(lowest, 1), anchor, city)


def trace(line: Line, step: float = 6) -> Iterator[Point]:
    """Points along a route."""
    for (ax, ay), (bx, by) in (pair for piece in line.pieces for pair in pairwise(piece)):
        number = max(1, round(math.dist((ax, ay), (bx, by)) / step))
        for index in range(number + 1):
            yield ax + (bx - ax) * index / number, ay + (by - ay) * index / number


# Names


def _names(
    places: Places, cities: dict[str, Point], lines: dict[tuple[str, str], Line], labels: tuple[Label, ...]
) -> dict[str, Name]:
    """Each name is written where it covers least: no other name, no marker, few routes."""
    markers = [Box.around(x, y, LARGE) for x, y in cities.values()]
    markers += [label_box(places[label.city].name, label) for label in labels]
    ways = [point for line in lines.values() for point in trace(line)]
    costs: dict[str, list[tuple[float, Name]]] = {}
    for city, place in places.items():
        (x, y), reach = cities[city], text_width(place.name, NAME_SIZE, bold=True) + LARGE + NAME_SIZE
        near = Box.around(x, y, reach)
        spots = [spot for spot in markers if spot.overlaps(near)]
        others = [point for other, point in cities.items() if other != city]
        crossing = [(px, py) for px, py in ways if abs(px - x) < reach and abs(py - y) < reach]
        costs[city] = [
            (dislike + covered(name.box, MAP.grown(-4), spots, crossing) + _strangers(name.box, others), name)
            for dislike, name in places_around(place.name, (x, y), LARGE, NAME_SIZE, (2, 6, 12))
        ]
    return place_names(costs)


def _strangers(box: Box, others: list[Point]) -> float:
    """How much a name might be taken for that of another city that lies near it."""
    distances = (
        math.hypot(max(box.x - x, 0, x - box.x - box.width), max(box.y - y, 0, y - box.y - box.height))
        for x, y in others
    )
    return sum(max(0.0, STRANGER - distance) for distance in distances)


def label_box(name: str, label: Label) -> Box:
    width = text_width(name, EDGE_SIZE)
    left = label.x if label.anchor == "start" else label.x - width
    return Box(left, label.y - ASCENT * EDGE_SIZE, width, (ASCENT + DESCENT) * EDGE_SIZE)


def outline(cell: Cell) -> str:
    """The edge of a space, round at a corner of the track, for the `d` of a path."""
    box, reach = cell.box, min(ROUND, cell.box.width / 2, cell.box.height / 2)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    points = {(i, j): (box.x + box.width * (i > 0), box.y + box.height * (j > 0)) for i, j in corners}
    steps = []
    for i, j in corners:
        x, y = points[i, j]
        if (i, j) == cell.corner:
            leaves = (1, 0) if i == j else (0, 1)  # the side by which a clockwise line leaves the corner
            out = (x - i * reach * leaves[0], y - j * reach * leaves[1])
            into = (x - i * reach * leaves[1], y - j * reach * leaves[0])
            steps.append(f"{into[0]:.1f} {into[1]:.1f}A{reach:.1f} {reach:.1f} 0 0 1 {out[0]:.1f} {out[1]:.1f}")
        else:
            steps.append(f"{x:.1f} {y:.1f}")
    return "M" + "L".join(steps) + "Z"

"""Where everything lies on the map of the picture: the shores, the cities with their names, the routes.

All of it follows from the board, whatever its cities are, and does not move while a game is played. The middle of the
map, where the cities are crowded, is drawn larger than its edges, as through a lens.
"""

import math
from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import yaml

from referee.games.airlines_europe.board import Airline, Board, City, Route
from referee.pictures.drawing import Box, chip_width, livery
from referee.pictures.maps import Name, Point, bend_point, covered, on_curve, place_names, places_around

FRAME = Box(30, 150, 1140, 1030)
MARGIN = 66  # from the outermost city to the frame
LENS = 0.75  # 0 would be the plain map
LICENCE = 14.5  # the radius of a licence
STEP = 2 * LICENCE + 4
CITY = 7
HOME = 18.5
NAME_SIZE = 20
CHIP_SIZE = 18
BELOW = 28  # a name, for the bonus of an airline that is to get there
BENDS = (0.0, 0.07, -0.07, 0.15, -0.15)  # of a route's line, in parts of its length
DISTANT_BENDS = (0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4)
SHIFTS = (0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)  # of the licences along it, in parts of the room there is


class Line(NamedTuple):
    """A route: its bent line, and the spots of its licences with the direction of flight there."""

    start: Point
    bend: Point
    end: Point
    spots: tuple[tuple[float, float, float], ...]


class Chart(NamedTuple):
    land: tuple[tuple[Point, ...], ...]
    water: tuple[tuple[Point, ...], ...]
    graticule: tuple[tuple[Point, ...], ...]
    cities: dict[str, Point]
    names: dict[str, Name]
    lines: dict[str, Line]


@cache
def chart(board: Board) -> Chart:
    lens = Lens(board.cities)
    shores = yaml.safe_load((Path(__file__).parent / "coast.yaml").read_text("utf-8"))
    cities = _cities(board, lens)
    lines = _lines(board, cities)
    return Chart(
        land=tuple(lens.outline(shore) for shore in shores["land"].values()),
        water=tuple(lens.outline(shore) for shore in shores["water"].values()),
        graticule=tuple(_graticule(lens)),
        cities=cities,
        names=_names(board, cities, lines),
        lines=lines,
    )


class Lens:
    """From longitude and latitude to the picture: a cone's projection, then the magnified middle, fitted to FRAME."""

    def __init__(self, cities: tuple[City, ...]) -> None:
        lons, lats = [city.lon for city in cities], [city.lat for city in cities]
        self.lon, self.lat = (min(lons) + max(lons)) / 2, (min(lats) + max(lats)) / 2
        points = [self._cone(city.lon, city.lat) for city in cities]
        self.west, self.east = min(x for x, _ in points), max(x for x, _ in points)
        self.north, self.south = min(y for _, y in points), max(y for _, y in points)

    def __call__(self, lon: float, lat: float) -> Point:
        x, y = self._cone(lon, lat)
        across = _magnified((x - self.west) / (self.east - self.west))
        down = _magnified((y - self.north) / (self.south - self.north))
        inner = FRAME.grown(-MARGIN)
        return round(inner.x + across * inner.width, 1), round(inner.y + down * inner.height, 1)

    def outline(self, shore: list[float]) -> tuple[Point, ...]:
        return tuple(self(lon, lat) for lon, lat in zip(shore[::2], shore[1::2], strict=True))

    def _cone(self, lon: float, lat: float) -> Point:
        slope = math.sin(math.radians(self.lat))
        radius = math.degrees(1 / math.tan(math.radians(self.lat))) + self.lat - lat
        turn = math.radians(slope * (lon - self.lon))
        return radius * math.sin(turn), radius * math.cos(turn)


def _magnified(part: float) -> float:
    """0 and 1 stay where they are; what is near the middle moves away from it."""
    off = 2 * part - 1
    return 0.5 + 0.5 * off * (1 + LENS) / (1 + LENS * abs(off))


def _graticule(lens: Lens) -> Iterator[tuple[Point, ...]]:
    for lat in range(30, 80, 10):
        yield tuple(lens(lon, lat) for lon in range(-60, 80, 2))
    for lon in range(-60, 80, 10):
        yield tuple(lens(lon, lat) for lat in range(24, 76, 2))


# Cities and routes


def _cities(board: Board, lens: Lens) -> dict[str, Point]:
    """Cities stand where they are, or a little apart where the licences between them need room."""
    cities = {city.id: lens(city.lon, city.lat) for city in board.cities}
    inner = FRAME.grown(-HOME - 12)
    for _ in range(40):
        for route in board.routes:
            (ax, ay), (bx, by) = cities[route.a], cities[route.b]
            length = math.dist((ax, ay), (bx, by)) or 1
            missing = max(
                0, radius_of(board, route.a) + radius_of(board, route.b) + STEP * len(route.licences) + 4 - length
            )
            dx, dy = (bx - ax) / length * missing / 4, (by - ay) / length * missing / 4
            cities[route.a], cities[route.b] = _inside(inner, ax - dx, ay - dy), _inside(inner, bx + dx, by + dy)
    return {name: (round(x, 1), round(y, 1)) for name, (x, y) in cities.items()}


def _inside(box: Box, x: float, y: float) -> Point:
    return min(max(x, box.x), box.x + box.width), min(max(y, box.y), box.y + box.height)


def radius_of(board: Board, city: str) -> float:
    return HOME if any(airline.home == city for airline in board.airlines) else CITY


def _lines(board: Board, cities: dict[str, Point]) -> dict[str, Line]:
    """Every route gets the bend, and its licences the place on it, where they are least in the way of the others."""
    towns = {name: (x, y, radius_of(board, name)) for name, (x, y) in cities.items()}
    order = sorted(board.routes, key=lambda route: (route.distant, math.dist(cities[route.a], cities[route.b])))
    lines: dict[str, Line] = {}
    for _ in range(2):
        for route in order:
            lines.pop(route.id, None)
            ways = _ways(route, towns[route.a], towns[route.b])
            near = _hull([point for way in ways for point in (way[1].start, way[1].bend, way[1].end)]).grown(STEP)
            obstacles = [(x, y, r) for name, (x, y, r) in towns.items() if name not in (route.a, route.b)]
            obstacles += [(x, y, LICENCE) for line in lines.values() for x, y, _ in line.spots]
            tracks = [point for line in lines.values() for point in trace(line)]
            obstacles = [obstacle for obstacle in obstacles if near.holds(Box(obstacle[0], obstacle[1], 0, 0))]
            tracks = [point for point in tracks if near.holds(Box(*point, 0, 0))]
            lines[route.id] = min(ways, key=lambda way: way[0] + _crowding(way[1], obstacles, tracks))[1]
    return lines


def _ways(route: Route, a: tuple[float, float, float], b: tuple[float, float, float]) -> list[tuple[float, Line]]:
    """Ways to draw a route, each with its cost before other things are looked at: straight and even is cheapest."""
    (ax, ay, a_radius), (bx, by, b_radius) = a, b
    length = math.dist((ax, ay), (bx, by))
    number = len(route.licences)
    first, last = a_radius + LICENCE + 1, length - b_radius - LICENCE - 1
    step = min(STEP, max(1, last - first) / max(1, number - 1))
    room = max(0, (last - first - step * (number - 1)) / 2)
    axis = 0 if abs(bx - ax) > abs(by - ay) else 1  # the cheapest licence is the first from the left, or from above
    ways = []
    for bend in DISTANT_BENDS if route.distant else BENDS:
        middle = bend_point((ax, ay), (bx, by), bend)
        for shift in SHIFTS if room > 2 else SHIFTS[:1]:
            centre = (first + last) / 2 + shift * room
            stops = [(centre + step * (index - (number - 1) / 2)) / length for index in range(number)]
            spots = sorted((_flight((ax, ay), middle, (bx, by), stop) for stop in stops), key=itemgetter(axis))
            ways.append((abs(bend) * 150 + abs(shift) * 8, Line((ax, ay), middle, (bx, by), tuple(spots))))
    return ways


def _flight(start: Point, bend: Point, end: Point, part: float) -> tuple[float, float, float]:
    """A point of a route, and the direction of flight in degrees."""
    x, y = on_curve(start, bend, end, part)
    dx, dy = ((1 - part) * (bend[axis] - start[axis]) + part * (end[axis] - bend[axis]) for axis in (0, 1))
    return round(x, 1), round(y, 1), round(math.degrees(math.atan2(dy, dx)))


def trace(line: Line, points: int = 8) -> list[Point]:
    """Points along a route, without its ends."""
    return [on_curve(line.start, line.bend, line.end, part / points) for part in range(1, points)]


def _hull(points: list[Point]) -> Box:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return Box(left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top)


def _crowding(line: Line, obstacles: list[tuple[float, float, float]], tracks: list[Point]) -> float:
    """How much a route is in the way of cities and licences, and its licences in the way of other routes."""
    inner = FRAME.grown(-LICENCE - 4)
    cost = sum(1000.0 for x, y, _ in line.spots if not inner.holds(Box(x, y, 0, 0)))
    for x, y, _ in line.spots:
        cost += 8 * sum(_closeness(x, y, ox, oy, LICENCE + radius + 9) for ox, oy, radius in obstacles)
        cost += sum(_closeness(x, y, px, py, LICENCE + 6) for px, py in tracks)
    for px, py in trace(line):
        cost += 2 * sum(_closeness(px, py, ox, oy, radius + 6) for ox, oy, radius in obstacles)
    return cost


def _closeness(x: float, y: float, other_x: float, other_y: float, room: float) -> float:
    """By how much two things are nearer than they should be."""
    if abs(x - other_x) >= room or abs(y - other_y) >= room:
        return 0
    return max(0, room - math.hypot(x - other_x, y - other_y))


# Names


def _names(board: Board, cities: dict[str, Point], lines: dict[str, Line]) -> dict[str, Name]:
    """Each name is written where it covers least, with room below for the bonus of an airline that is to get there."""
    spots = [Box.around(x, y, LICENCE) for line in lines.values() for x, y, _ in line.spots]
    spots += [Box.around(x, y, radius_of(board, name)) for name, (x, y) in cities.items()]
    ways = [point for line in lines.values() for point in trace(line, 24)]
    costs: dict[str, list[tuple[float, Name]]] = {}
    for city in board.cities:
        goals = [bonus_label(airline) for airline in board.airlines if airline.goal == city.id]
        chips = sum(chip_width(label, CHIP_SIZE) + 4 for label in goals)
        radius, below = radius_of(board, city.id), BELOW if goals else 0
        places = list(places_around(city.name, cities[city.id], radius, NAME_SIZE, width=chips, below=below))
        reach = _hull([corner for _, name in places for corner in name.box.corners()])
        near = [spot for spot in spots if spot.overlaps(reach)]
        on_the_way = [point for point in ways if reach.holds(Box(*point, 0, 0))]
        costs[city.id] = [
            (covered(name.box, FRAME.grown(-6), near, on_the_way, crossing=12) + dislike, name)
            for dislike, name in places
        ]
    return place_names(costs)


def bonus_label(airline: Airline) -> str:
    return f"{livery(airline.id).letter} +{airline.bonus}"

"""Where everything lies on the map of the picture: the country, the hexes, the cities with their names.

All of it follows from the board and does not move while a game is played. The east and the middle, where the cities are
crowded, are drawn larger than the west.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import City
from referee.pictures.drawing import ASCENT, DESCENT, Box, text_width
from referee.pictures.maps import Name, Point, place_names

FRAME = Box(30, 150, 1140, 1060)
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 66, 80, 80, 74
EAST = 0.55  # how much wider the east is than the west; 0 would be the plain map
LENS, CENTRE = 0.75, 0.36  # how much the middle is stretched from north to south, and where it is
CITY = 15.0  # the radius of a city's sign
FAN = 31  # from a city to the planes that stand below it
NAME_SIZE = 19
ROOM = 66  # between two cities
SHORE_ROOM = 5  # between a sign and the border of its hex
GOAL = Box(0, 0, 30, 24)  # the envelope at the goal of an airmail route


class Chart(NamedTuple):
    outline: tuple[Point, ...]
    hexes: tuple[tuple[Point, ...], ...]
    cities: dict[str, Point]
    names: dict[str, Name]
    goals: dict[str, Point]  # the upper left corner of an envelope beside each city


@cache
def chart(board: Board) -> Chart:
    lens = Lens(board.cities)
    hexes = {place: _hex(board, lens, place) for place in sorted({city.hex for city in board.cities})}
    cities = _apart({city.id: lens(city.x, city.y) for city in board.cities}, _homes(board, hexes, lens))
    names = _names(board, cities)
    return Chart(
        outline=tuple(lens(x, y) for x, y in board.drawing.outline),
        hexes=tuple(hexes.values()),
        cities=cities,
        names=names,
        goals=_goals(cities, names),
    )


class Lens:
    """From the map of the board to the picture."""

    def __init__(self, cities: tuple[City, ...]) -> None:
        xs, ys = [city.x for city in cities], [city.y for city in cities]
        self.west, self.width = min(xs), max(1, max(xs) - min(xs))
        self.north, self.height = min(ys), max(1, max(ys) - min(ys))

    def __call__(self, x: float, y: float) -> Point:
        across, down = (x - self.west) / self.width, (y - self.north) / self.height
        across = across * (1 + EAST * across) / (1 + EAST) if across > 0 else across / (1 + EAST)
        stretched = _stretched(down - CENTRE)
        top, bottom = _stretched(-CENTRE), _stretched(1 - CENTRE)
        down = (stretched - top) / (bottom - top)
        return (
            round(FRAME.x + MARGIN_LEFT + across * (FRAME.width - MARGIN_LEFT - MARGIN_RIGHT), 1),
            round(FRAME.y + MARGIN_TOP + down * (FRAME.height - MARGIN_TOP - MARGIN_BOTTOM), 1),
        )


def _stretched(off: float) -> float:
    """What is near the middle moves away from it."""
    return off * (1 + LENS) / (1 + 2 * LENS * abs(off))


def _hex(board: Board, lens: Lens, place: tuple[int, int]) -> tuple[Point, ...]:
    """The border of a hex; each side bends with the map."""
    grid, (column, row) = board.drawing.hexes, place
    x, y = grid.x + grid.column * column, grid.y + grid.row * (row + column % 2 / 2)
    radius, half = grid.column / 1.5, grid.row / 2
    corners = [
        (x + radius, y), (x + radius / 2, y + half), (x - radius / 2, y + half),
        (x - radius, y), (x - radius / 2, y - half), (x + radius / 2, y - half),
    ]  # fmt: skip
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    return tuple(
        lens(ax + (bx - ax) * part / 4, ay + (by - ay) * part / 4) for (ax, ay), (bx, by) in sides for part in range(4)
    )


def _homes(board: Board, hexes: dict[tuple[int, int], tuple[Point, ...]], lens: Lens) -> dict[str, Sequence[Point]]:
    """The hex of each city that really lies in it; on a board of one's own a place may be typed in otherwise."""
    return {city.id: hexes[city.hex] for city in board.cities if is_inside(lens(city.x, city.y), hexes[city.hex])}


def _apart(cities: dict[str, Point], homes: dict[str, Sequence[Point]]) -> dict[str, Point]:
    """Cities stand where they are, or a little apart where their signs and planes need room, and their signs never
    touch the border of their hex: which hex a city is in decides where medium planes fly."""
    names = list(cities)
    for _ in range(120):
        for index, city in enumerate(names):
            for other in names[index + 1 :]:
                (ax, ay), (bx, by) = cities[city], cities[other]
                away = math.dist((ax, ay), (bx, by)) or 1
                if away < ROOM:
                    dx, dy = (bx - ax) / away * (ROOM - away) / 4, (by - ay) / away * (ROOM - away) / 4
                    cities[city], cities[other] = (ax - dx, ay - dy), (bx + dx, by + dy)
        for city, border in homes.items():
            cities[city] = _kept_in(cities[city], border)
    return {name: (round(x, 1), round(y, 1)) for name, (x, y) in cities.items()}


def _kept_in(place: Point, border: Sequence[Point]) -> Point:
    """A place moved off the nearest side of a border, to the inside."""
    near = nearest_point(place, border)
    away, room = math.dist(place, near), CITY + SHORE_ROOM
    inside = is_inside(place, border)
    if inside and away >= room:
        return place
    if not away:
        return place
    step = (room - away if inside else -(room + away)) / away
    return place[0] + (place[0] - near[0]) * step, place[1] + (place[1] - near[1]) * step


def nearest_point(place: Point, border: Sequence[Point]) -> Point:
    """The point of a closed line that is nearest to a place."""
    sides = zip(border, [*border[1:], border[0]], strict=True)
    return min((_on_side(place, *side) for side in sides), key=lambda point: math.dist(place, point))


def _on_side(place: Point, start: Point, end: Point) -> Point:
    (x, y), (ax, ay), (bx, by) = place, start, end
    length = (bx - ax) ** 2 + (by - ay) ** 2 or 1
    part = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    return ax + (bx - ax) * part, ay + (by - ay) * part


def is_inside(place: Point, border: Sequence[Point]) -> bool:
    x, y = place
    crossed = 0
    for (ax, ay), (bx, by) in zip(border, [*border[1:], border[0]], strict=True):
        if (ay > y) != (by > y):
            crossed += x < ax + (bx - ax) * (y - ay) / (by - ay)
    return crossed % 2 == 1


def _names(board: Board, cities: dict[str, Point]) -> dict[str, Name]:
    """Each name is written above or beside its city, where it covers least; below it is room for planes."""
    signs = {name: Box.around(x, y, CITY + 1) for name, (x, y) in cities.items()}
    fans = {name: Box(x - 16, y + 3, 32, FAN + 20) for name, (x, y) in cities.items()}
    ways = [
        (ax + (bx - ax) * part / 16, ay + (by - ay) * part / 16)
        for line in board.thick_lines
        for (ax, ay), (bx, by) in [(cities[line.a], cities[line.b])]
        for part in range(1, 16)
    ]
    costs: dict[str, list[tuple[float, Name]]] = {}
    for printed in board.cities:
        costs[printed.id] = []
        for dislike, name in _places(printed, cities[printed.id]):
            covered = sum(60 + 4 * name.box.overlap(sign) for sign in signs.values() if sign.overlaps(name.box))
            covered += sum(name.box.overlap(fan) / 12 for fan in fans.values())
            left, top, width, height = name.box
            crossed = sum(left <= x <= left + width and top <= y <= top + height for x, y in ways)
            outside = 0 if FRAME.grown(-4).holds(name.box) else 1000
            costs[printed.id].append((dislike + covered + 5 * crossed + outside, name))
    return place_names(costs, apart=10)


def _places(city: City, place: Point) -> Iterator[tuple[float, Name]]:
    """Places for a name around its city, each with how little it is liked."""
    x, y = place
    width, height = text_width(city.name, NAME_SIZE, bold=True), (ASCENT + DESCENT) * NAME_SIZE
    for dx, dy, anchor, dislike in (
        (0, -CITY - 7, "middle", 0),
        (CITY + 5, 0, "start", 2),
        (-CITY - 5, 0, "end", 2),
        (CITY + 3, -8, "start", 3),
        (-CITY - 3, -8, "end", 3),
        (CITY + 5, 7, "start", 4),
        (-CITY - 5, 7, "end", 4),
        (CITY - 6, -CITY - 5, "start", 4),
        (6 - CITY, -CITY - 5, "end", 4),
        (0, CITY + 21, "middle", 14),
        (CITY, CITY + 15, "start", 12),
        (-CITY, CITY + 15, "end", 12),
    ):
        left = {"start": x + dx, "middle": x + dx - width / 2, "end": x + dx - width}[anchor]
        yield dislike, Name(x + dx, y + dy, anchor, Box(left, y + dy - ASCENT * NAME_SIZE, width, height))


def _goals(cities: dict[str, Point], names: dict[str, Name]) -> dict[str, Point]:
    """Beside each city a place for an envelope, where it covers least: never a name."""
    signs = [Box.around(x, y, CITY + 2) for x, y in cities.values()]
    found = {}
    for city, (x, y) in cities.items():
        right, left, up = x + CITY + 3, x - CITY - 3 - GOAL.width, y - CITY - GOAL.height
        middle = x - GOAL.width / 2
        choices = [
            Box(px, py, GOAL.width, GOAL.height)
            for px, py in (
                (right, y - 12), (left, y - 12), (right - 5, up + 4), (left + 5, up + 4), (middle, up - 4),
                (right - 3, y + 3), (left + 3, y + 3), (middle, up - 24), (right + 6, y - 12), (left - 6, y - 12),
            )
        ]  # fmt: skip
        best = min(
            choices,
            key=lambda box: (
                10 * sum(box.overlap(name.box) for name in names.values())
                + sum(box.overlap(sign) for sign in signs)
                + (0 if FRAME.holds(box) else 9999)
            ),
        )
        found[city] = (best.x, best.y)
    return found


def fan(number: int) -> list[Point]:
    """Where planes stand below a city, from left to right."""
    step = min(54, 215 / max(1, number - 1))
    turns = [90 + step * ((number - 1) / 2 - index) for index in range(number)]
    return [(FAN * math.cos(math.radians(turn)), FAN * math.sin(math.radians(turn))) for turn in turns]

"""Where everything lies on the map of the picture: the country, the hexes, the cities with their names.

All of it follows from the board and does not move while a game is played. The east and the middle, where the cities are
crowded, are drawn larger than the west.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import City
from referee.pictures.drawing import ASCENT, DESCENT, Box, text_width
from referee.pictures.maps import Name, Point, place_names

FRAME = Box(30, 150, 1140, 880)
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 62, 78, 74, 62
EAST = 0.55  # how much wider the east is than the west; 0 would be the plain map
LENS, CENTRE = 0.75, 0.36  # how much the middle is stretched from north to south, and where it is
CITY = 12.5  # the radius of a city's sign
FAN = 25  # from a city to the planes that stand below it
PLANE = 23
NAME_SIZE = 17
ROOM = 54  # between two cities


class Chart(NamedTuple):
    outline: tuple[Point, ...]
    hexes: tuple[tuple[Point, ...], ...]
    cities: dict[str, Point]
    names: dict[str, Name]


@cache
def chart(board: Board) -> Chart:
    lens = Lens(board.cities)
    cities = _apart(board, {city.id: lens(city.x, city.y) for city in board.cities})
    return Chart(
        outline=tuple(lens(x, y) for x, y in board.drawing.outline),
        hexes=tuple(_hexes(board, lens)),
        cities=cities,
        names=_names(board, cities),
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


def _hexes(board: Board, lens: Lens) -> Iterator[tuple[Point, ...]]:
    """The hexes with cities in them; each side bends with the map."""
    grid = board.drawing.hexes
    for column, row in sorted({city.hex for city in board.cities}):
        x, y = grid.x + grid.column * column, grid.y + grid.row * (row + column % 2 / 2)
        radius, half = grid.column / 1.5, grid.row / 2
        corners = [
            (x + radius, y), (x + radius / 2, y + half), (x - radius / 2, y + half),
            (x - radius, y), (x - radius / 2, y - half), (x + radius / 2, y - half),
        ]  # fmt: skip
        sides = zip(corners, corners[1:] + corners[:1], strict=True)
        yield tuple(
            lens(ax + (bx - ax) * part / 4, ay + (by - ay) * part / 4)
            for (ax, ay), (bx, by) in sides
            for part in range(4)
        )


def _apart(board: Board, cities: dict[str, Point]) -> dict[str, Point]:
    """Cities stand where they are, or a little apart where their signs and planes need room."""
    names = list(cities)
    for _ in range(60):
        for index, city in enumerate(names):
            for other in names[index + 1 :]:
                (ax, ay), (bx, by) = cities[city], cities[other]
                away = math.dist((ax, ay), (bx, by)) or 1
                if away < ROOM:
                    dx, dy = (bx - ax) / away * (ROOM - away) / 4, (by - ay) / away * (ROOM - away) / 4
                    cities[city], cities[other] = (ax - dx, ay - dy), (bx + dx, by + dy)
    return {name: (round(x, 1), round(y, 1)) for name, (x, y) in cities.items()}


def _names(board: Board, cities: dict[str, Point]) -> dict[str, Name]:
    """Each name is written above or beside its city, where it covers least; below it is room for planes."""
    signs = {name: Box.around(x, y, CITY) for name, (x, y) in cities.items()}
    fans = {name: Box(x - FAN - 10, y + 3, 2 * FAN + 20, FAN + 9) for name, (x, y) in cities.items()}
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
            crossed = sum(name.box.holds(Box(x, y, 0, 0)) for x, y in ways)
            outside = 0 if FRAME.grown(-4).holds(name.box) else 1000
            costs[printed.id].append((dislike + covered + 5 * crossed + outside, name))
    return place_names(costs, apart=10)


def _places(city: City, place: Point) -> Iterator[tuple[float, Name]]:
    """Places for a name around its city, each with how little it is liked."""
    x, y = place
    width, height = text_width(city.name, NAME_SIZE, bold=True), (ASCENT + DESCENT) * NAME_SIZE
    for dx, dy, anchor, dislike in (
        (0, -CITY - 6, "middle", 0),
        (CITY + 4, -1, "start", 2),
        (-CITY - 4, -1, "end", 2),
        (CITY + 2, -7, "start", 3),
        (-CITY - 2, -7, "end", 3),
        (CITY - 6, -CITY - 4, "start", 4),
        (6 - CITY, -CITY - 4, "end", 4),
        (0, CITY + 18, "middle", 14),
        (CITY, CITY + 12, "start", 12),
        (-CITY, CITY + 12, "end", 12),
    ):
        left = {"start": x + dx, "middle": x + dx - width / 2, "end": x + dx - width}[anchor]
        yield dislike, Name(x + dx, y + dy, anchor, Box(left, y + dy - ASCENT * NAME_SIZE, width, height))


def fan(number: int) -> list[Point]:
    """Where planes stand below a city, from left to right."""
    step = min(44, 150 / max(1, number - 1))
    turns = [90 + step * ((number - 1) / 2 - index) for index in range(number)]
    return [(FAN * math.cos(math.radians(turn)), FAN * math.sin(math.radians(turn))) for turn in turns]

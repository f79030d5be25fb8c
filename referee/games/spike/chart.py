"""Where things lie on the picture of the map: places, names, and the land under them."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import hypot
from typing import NamedTuple

from referee.pictures.drawing import ASCENT, DESCENT, Box, text_width

Point = tuple[float, float]

FRAME_X, FRAME_Y, FRAME_WIDTH = 26.0, 150.0, 1148.0
MARGIN = 52.0
CITY, JUNCTION = 13.0, 4.5  # radius
NAME_SIZE, GOODS_SIZE, NUMBER_SIZE = 17.0, 15.0, 12.0


class Label(NamedTuple):
    """A city's name with its goods under it, both centred at x."""

    x: float
    y: float  # the line on which the name stands
    box: Box


class Chart:
    """The map fitted into its frame."""

    def __init__(
        self,
        places: Mapping[str, tuple[int, int]],
        cities: Mapping[str, tuple[str, str]],  # city -> name, goods
        edges: Mapping[tuple[str, str], str],
    ) -> None:
        left, right = min(x for x, _ in places.values()), max(x for x, _ in places.values())
        top, bottom = min(y for _, y in places.values()), max(y for _, y in places.values())
        scale = (FRAME_WIDTH - 2 * MARGIN) / max(1, right - left)
        self.frame = Box(FRAME_X, FRAME_Y, FRAME_WIDTH, (bottom - top) * scale + 2 * MARGIN)
        self.points: dict[str, Point] = {
            place: (FRAME_X + MARGIN + (x - left) * scale, FRAME_Y + MARGIN + (y - top) * scale)
            for place, (x, y) in places.items()
        }
        self.step = min((_length(*self.ends(a, b)) for a, b in edges), default=MARGIN)
        self.spaces: dict[str, tuple[Point, Point]] = {
            segment: _trimmed(*self.ends(a, b), *(CITY + 2 if end in cities else JUNCTION + 2 for end in (a, b)))
            for (a, b), segment in edges.items()
        }
        self.land = list(_triangles(edges))
        self.labels: dict[str, Label] = {}
        self.numbers: dict[str, Point] = {
            place: (x, y - JUNCTION - 4) for place, (x, y) in self.points.items() if place not in cities
        }
        self._place_labels(cities)

    def ends(self, a: str, b: str) -> tuple[Point, Point]:
        return self.points[a], self.points[b]

    def middle(self, segment: str) -> Point:
        (x1, y1), (x2, y2) = self.spaces[segment]
        return (x1 + x2) / 2, (y1 + y2) / 2

    def _place_labels(self, cities: Mapping[str, tuple[str, str]]) -> None:
        """Each name goes where it covers least of other names, of cities, of junctions' numbers and of spaces."""
        towns = [Box.around(*self.points[city], CITY) for city in cities]
        spaces = [
            Box.around(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, 6)
            for (x1, y1), (x2, y2) in self.spaces.values()
            for part in (0.1, 0.3, 0.5, 0.7, 0.9)
        ]
        numbers = [
            Box(x - text_width(place, NUMBER_SIZE) / 2, y - ASCENT * NUMBER_SIZE, text_width(place, NUMBER_SIZE), 10)
            for place, (x, y) in self.numbers.items()
        ]
        points = [self.points[city] for city in cities]
        crowded = sorted(cities, key=lambda city: -sum(_near(self.points[city], point) for point in points))
        for city in crowded:
            options = list(self._label_options(city, *cities[city]))
            others = [label.box.grown(2) for label in self.labels.values()]
            self.labels[city] = min(
                options,
                key=lambda label: (
                    10 * sum(label.box.overlap(box) for box in others)
                    + 8 * sum(label.box.overlap(box) for box in towns)
                    + 4 * (label.box.width * label.box.height - label.box.overlap(self.frame))
                    + 2 * sum(label.box.overlap(box) for box in numbers)
                    + sum(label.box.overlap(box) for box in spaces)
                ),
            )

    def _label_options(self, city: str, name: str, goods: str) -> Iterator[Label]:
        x, y = self.points[city]
        width = max(text_width(name, NAME_SIZE, True), text_width(goods, GOODS_SIZE))
        height = ASCENT * NAME_SIZE + GOODS_SIZE + DESCENT * GOODS_SIZE
        side = CITY + 5 + width / 2
        for dx, top in (
            (0.0, y + CITY + 1),
            (0.0, y - CITY - 1 - height),
            (side, y - height / 2),
            (-side, y - height / 2),
            (side - 8, y + CITY / 2),
            (-side + 8, y + CITY / 2),
            (side - 8, y - CITY / 2 - height),
            (-side + 8, y - CITY / 2 - height),
            (0.0, y + CITY + 9),
            (0.0, y - CITY - 9 - height),
        ):
            yield Label(x + dx, top + ASCENT * NAME_SIZE, Box(x + dx - width / 2, top, width, height))


def _triangles(edges: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str, str]]:
    """Places each of which has an edge to the two others: the land is between them."""
    beside: dict[str, dict[str, None]] = {}
    for a, b in edges:
        beside.setdefault(a, {})[b] = None
        beside.setdefault(b, {})[a] = None
    for place, others in beside.items():
        for second, third in combinations(others, 2):
            if place < second and place < third and third in beside[second]:
                yield place, second, third


def _trimmed(start: Point, end: Point, at_start: float, at_end: float) -> tuple[Point, Point]:
    length = _length(start, end) or 1
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return (start[0] + dx * at_start, start[1] + dy * at_start), (end[0] - dx * at_end, end[1] - dy * at_end)


def _length(start: Point, end: Point) -> float:
    return hypot(end[0] - start[0], end[1] - start[1])


def _near(point: Point, other: Point) -> bool:
    return _length(point, other) < 190

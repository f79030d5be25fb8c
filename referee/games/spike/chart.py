"""Where things lie on the picture of the map: places, names, the letters of tracks, and the land under them.

A city is a plate with what it supplies and pays, under it room for what it means to the viewer; a junction is a tag
with its name. The lattice is drawn taller than it is, so that names fit between its rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import hypot
from typing import NamedTuple

from referee.pictures.drawing import ASCENT, DESCENT, Box, text_width

Point = tuple[float, float]
Space = tuple[Point, Point]

FRAME_X, FRAME_Y, FRAME_WIDTH = 26.0, 150.0, 1148.0
MARGIN_X, MARGIN_Y = 46.0, 58.0
STRETCH = 1.4  # of the rows of the lattice
TALLEST = 2600.0
SIZE = 18.0  # of all words on the map
PLATE_HEIGHT, TAG_HEIGHT, STRIP_HEIGHT = 42.0, 20.0, 21.0
NARROWEST, WIDEST = 54.0, 64.0  # plates
LETTER = 12.5  # radius of the disc with the owner's letter
NEARBY = 150.0  # what lies further from a place than that does not matter there
SPOTS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)  # along a space


class Label(NamedTuple):
    """A city's name, centred at x."""

    x: float
    y: float  # the line on which it stands
    box: Box


class Chart:
    """The map fitted into its frame."""

    def __init__(
        self,
        places: Mapping[str, tuple[int, int]],
        cities: Mapping[str, tuple[str, str]],  # city -> name, goods
        tags: Mapping[str, str],  # junction -> name
        edges: Mapping[tuple[str, str], str],
    ) -> None:
        left, right = min(x for x, _ in places.values()), max(x for x, _ in places.values())
        top, bottom = min(y for _, y in places.values()), max(y for _, y in places.values())
        scale = (FRAME_WIDTH - 2 * MARGIN_X) / max(1, right - left)
        down = min(scale * STRETCH, TALLEST / max(1, bottom - top))
        self.frame = Box(FRAME_X, FRAME_Y, FRAME_WIDTH, (bottom - top) * down + 2 * MARGIN_Y)
        self.points: dict[str, Point] = {
            place: (FRAME_X + MARGIN_X + (x - left) * scale, FRAME_Y + MARGIN_Y + (y - top) * down)
            for place, (x, y) in places.items()
        }
        widest = max((text_width(goods, SIZE) for _, goods in cities.values()), default=0)
        width = min(WIDEST, max(NARROWEST, widest + 8))
        self.plates = {city: _centred(*self.points[city], width, PLATE_HEIGHT) for city in cities}
        self.tags = {
            junction: _centred(*self.points[junction], text_width(name, SIZE) + 6, TAG_HEIGHT)
            for junction, name in tags.items()
        }
        self.strips = {
            city: Box(plate.x, plate.y + plate.height, plate.width, STRIP_HEIGHT) for city, plate in self.plates.items()
        }
        boxes = self.plates | self.tags
        self.spaces: dict[str, Space] = {
            segment: _between(self.points[a], self.points[b], boxes[a], boxes[b]) for (a, b), segment in edges.items()
        }
        self.land = list(_triangles(edges))
        self.labels: dict[str, Label] = {}
        self._place_labels({city: name for city, (name, _) in cities.items()})
        self.letters: dict[str, Point] = self._place_letters()

    def _place_labels(self, names: Mapping[str, str]) -> None:
        """Each name goes where it covers least of other names, of plates, tags and strips, and of the middle of spaces;
        the most crowded first."""
        middles = [Box.around(*_along(space, 0.5), LETTER) for space in self.spaces.values()]
        fixed = [*self.plates.values(), *self.tags.values(), *self.strips.values()]
        points = [self.points[city] for city in names]
        crowded = sorted(names, key=lambda city: -sum(_near(self.points[city], point) for point in points))
        for city in crowded:
            around = Box.around(*self.points[city], NEARBY)
            others = [label.box.grown(2) for label in self.labels.values()]
            beside = [box for box in fixed if box.overlaps(around)]
            letters = [box for box in middles if box.overlaps(around)]
            self.labels[city] = min(
                self._label_options(city, names[city]),
                key=lambda label: (
                    10 * sum(label.box.overlap(box) for box in others)
                    + 8 * sum(label.box.overlap(box) for box in beside)
                    + 10 * (label.box.width * label.box.height - label.box.overlap(self.frame))
                    + 0.4 * sum(label.box.overlap(box) for box in letters)
                    + 5 * abs(label.x - self.points[city][0])
                    + 2 * abs(label.y - self.points[city][1])
                ),
            )

    def _label_options(self, city: str, name: str) -> Iterator[Label]:
        """Above the plate first, then below its strip, then at its sides."""
        plate, strip = self.plates[city], self.strips[city]
        width, height = text_width(name, SIZE, True), (ASCENT + DESCENT) * SIZE
        middle = plate.x + plate.width / 2
        aside = (width + plate.width) / 2
        above, below = plate.y - 2 - height, strip.y + strip.height + 1
        for top in (above, below, above - 6, below + 6):
            for dx in (0.0, 8.0, -8.0, 16.0, -16.0, 26.0, -26.0):
                yield _label(middle + dx, top, width, height)
        for top in (plate.y - 8, plate.y + plate.height - 10):
            for dx in (aside + 4, -aside - 4):
                yield _label(middle + dx, top, width, height)

    def _place_letters(self) -> dict[str, Point]:
        """The owner's letter of each space, where the least of it is covered."""
        names = [label.box for label in self.labels.values()]
        boxes = [*names, *self.plates.values(), *self.tags.values()]
        return {segment: self._letter(space, boxes) for segment, space in self.spaces.items()}

    def _letter(self, space: Space, boxes: Sequence[Box]) -> Point:
        around = Box.around(*_along(space, 0.5), NEARBY)
        beside = [box for box in boxes if box.overlaps(around)]
        return min((_along(space, part) for part in SPOTS), key=lambda spot: _covered(spot, beside))


def _covered(spot: Point, others: Sequence[Box]) -> float:
    """How much of a letter at a spot lies under something."""
    box = Box.around(*spot, LETTER)
    return sum(box.overlap(other) for other in others)


def _label(x: float, top: float, width: float, height: float) -> Label:
    return Label(x, top + ASCENT * SIZE, Box(x - width / 2, top, width, height))


def _centred(x: float, y: float, width: float, height: float) -> Box:
    return Box(x - width / 2, y - height / 2, width, height)


def _along(space: Space, part: float) -> Point:
    (x1, y1), (x2, y2) = space
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part


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


def _between(start: Point, end: Point, at_start: Box, at_end: Box) -> Space:
    """The line between two places outside of what is drawn there."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out, back = _way_out(at_start, dx, dy), _way_out(at_end, dx, dy)
    return (start[0] + dx * out, start[1] + dy * out), (end[0] - dx * back, end[1] - dy * back)


def _way_out(box: Box, dx: float, dy: float) -> float:
    """How far it is from the middle of a box to its edge in a direction."""
    across = box.width / 2 / abs(dx) if dx else float("inf")
    down = box.height / 2 / abs(dy) if dy else float("inf")
    return min(across, down)


def _near(point: Point, other: Point) -> bool:
    return hypot(other[0] - point[0], other[1] - point[1]) < 190

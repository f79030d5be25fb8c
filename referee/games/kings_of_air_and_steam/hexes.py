"""Hexes and directions: where spaces lie to each other, before any of them has a name."""

from functools import cache, lru_cache

Hex = tuple[int, int]  # axial: q to the east, r to the south-east

DIRECTIONS: dict[str, Hex] = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
DIRECTION_NAMES = {  # as people may write them
    "E": ("east",),
    "NE": ("northeast", "north east"),
    "NW": ("northwest", "north west"),
    "W": ("west",),
    "SW": ("southwest", "south west"),
    "SE": ("southeast", "south east"),
}
COMPASS = tuple(DIRECTIONS)  # counter-clockwise, each 60 degrees from the one before
SIDES = 6  # of a hex, and so turns of 60 degrees in a full circle
OPPOSITE = 3  # turns of 60 degrees to the other side
DEGREES = 60  # of a turn


def add(start: Hex, step: Hex) -> Hex:
    return start[0] + step[0], start[1] + step[1]


def times(step: Hex, factor: int) -> Hex:
    return step[0] * factor, step[1] * factor


def turn(place: Hex, sixths: int) -> Hex:
    """The place after a turn around the centre, counter-clockwise."""
    q, r = place
    for _ in range(sixths % SIDES):
        q, r = q + r, -q
    return q, r


@cache
def bend(before: str, after: str) -> int:
    """The change between two directions in steps of 60 degrees: 0 straight on, 1 wide, 2 sharp, 3 back."""
    difference = (COMPASS.index(before) - COMPASS.index(after)) % SIDES
    return min(difference, SIDES - difference)


@lru_cache(maxsize=1 << 16)
def distance(start: Hex, end: Hex) -> int:
    q, r = start[0] - end[0], start[1] - end[1]
    return max(abs(q), abs(r), abs(q + r))

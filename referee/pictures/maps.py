"""What the maps of all games share: the ground with its frame, bent lines, and names that cover as little as they can.

A game's chart.py says where things lie, with the lower half of this file; its drawing.py draws them, with the upper.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from referee.pictures.drawing import (
    ASCENT,
    DESCENT,
    INK,
    LAND,
    PANEL,
    PAPER,
    SEA,
    Box,
    Svg,
    element,
    number,
    path,
    text,
    text_width,
)
from referee.pictures.poster import WIDTH

Point = tuple[float, float]
Outlines = Sequence[Sequence[Point]]

SHORE = "#8db0b3"


class Name(NamedTuple):
    """Where the name of a city is written, and what it covers there."""

    x: float
    y: float
    anchor: str
    box: Box


def map_picture(
    frame: Box,
    *layers: Iterable[Svg],
    land: Outlines = (),
    water: Outlines = (),
    graticule: Outlines = (),
    glow: float = 7,
    height: float | None = None,
) -> Iterator[Svg]:
    """A map in its frame: the ground, then what lies on it, layer by layer.

    With the height of the poster, paper covers what reaches beyond the frame: shores may be longer than the map.
    """
    yield from ground(frame, land, water, graticule, glow)
    for layer in layers:
        yield from layer
    if height is not None:
        yield paper_around(frame, height)
    yield from frame_lines(frame)


def ground(
    frame: Box, land: Outlines = (), water: Outlines = (), graticule: Outlines = (), glow: float = 7
) -> Iterator[Svg]:
    """The sea with the lines of the globe, land, and lakes on the land; `glow` is the light along the shores."""
    yield element("rect", x=frame.x, y=frame.y, width=frame.width, height=frame.height, fill=SEA)
    if graticule:
        globe = "".join(path(line) for line in graticule)
        yield element("path", d=globe, fill="none", stroke=PANEL, stroke_opacity=0.45)
    for outlines, fill in ((land, LAND), (water, SEA)):
        shores = "".join(path(outline, closed=True) for outline in outlines)
        if shores and glow:
            yield element("path", d=shores, fill="none", stroke=PANEL, stroke_opacity=0.5, stroke_width=glow)
        if shores:
            yield element("path", d=shores, fill=fill, stroke=SHORE, stroke_width=1.2, stroke_linejoin="round")


def paper_around(frame: Box, height: float) -> Svg:
    """Paper from the frame to the edges of the poster."""
    left, right, top, bottom = frame.x, frame.x + frame.width, frame.y, frame.y + frame.height
    whole = f"M0 0H{WIDTH}V{number(height)}H0Z"
    hole = f"M{number(left)} {number(top)}V{number(bottom)}H{number(right)}V{number(top)}Z"
    return element("path", d=whole + hole, fill=PAPER, fill_rule="evenodd")


def frame_lines(frame: Box) -> Iterator[Svg]:
    """The double line around a map."""
    for room, width in ((0, 2.5), (5, 1)):
        box = frame.grown(room)
        yield element(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, fill="none", stroke=INK, stroke_width=width
        )


def written(names: Mapping[str, Name], words: Mapping[str, str], size: float, halo: str = PANEL) -> Iterator[Svg]:
    """The names at their places."""
    for city, name in names.items():
        yield text(name.x, name.y, words[city], size, bold=True, anchor=name.anchor, halo=halo)


# Bent lines


def bend_point(start: Point, end: Point, bend: float) -> Point:
    """The point that pulls a line aside, by a part of its length; for 0 the line is straight."""
    (ax, ay), (bx, by) = start, end
    return (ax + bx) / 2 + (by - ay) * bend, (ay + by) / 2 - (bx - ax) * bend


def on_curve(start: Point, bend: Point, end: Point, part: float) -> Point:
    """A point of a bent line, from its start (0) to its end (1)."""
    a, b, c = (1 - part) ** 2, 2 * part * (1 - part), part**2
    return a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]


# Names


def places_around(
    words: str,
    at: Point,
    radius: float,
    size: float,
    distances: Sequence[float] = (4, 8, 12, 18),
    width: float = 0,
    below: float = 0,
) -> Iterator[tuple[float, Name]]:
    """Places for a name around a sign, each with how little it is liked for itself: beside it and close is best.

    A name may need more room than its words: at least a `width`, and some `below` them.
    """
    (x, y), width = at, max(width, text_width(words, size, bold=True))
    height = (ASCENT + DESCENT) * size + below
    for turn, away in product(range(0, 360, 15), distances):
        dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        px, py = x + dx * (radius + away), y + dy * (radius + away)
        upright = abs(dx) <= 0.4
        for anchor in ("middle", "start", "end") if upright else ("start",) if dx > 0 else ("end",):
            left = {"start": px, "middle": px - width / 2, "end": px - width}[anchor]
            top = py - height / 2 + dy * height / 2 * (upright or abs(dy) > 0.3)
            dislike = away * 0.8 + abs(dy) * 3 + 4 * (upright and anchor != "middle")
            yield dislike, Name(round(px, 1), round(top + ASCENT * size, 1), anchor, Box(left, top, width, height))


def covered(box: Box, frame: Box, signs: Iterable[Box], ways: Iterable[Point], crossing: float = 6) -> float:
    """How bad it is to write in a box: outside the frame worst, then on a sign, then across points of routes."""
    right, bottom = box.x + box.width, box.y + box.height
    crossed = sum(box.x <= x <= right and box.y <= y <= bottom for x, y in ways)
    outside = 0.0 if frame.holds(box) else 1000.0
    return outside + crossing * crossed + sum(60 + 6 * box.overlap(sign) for sign in signs if box.overlaps(sign))


def place_names(costs: Mapping[str, Sequence[tuple[float, Name]]], apart: float = 20) -> dict[str, Name]:
    """For each city one of its possible places: the cheapest that keeps off the other names, the cities with the fewest
    good ones first. Three rounds, since each has to know where the others went."""
    names: dict[str, Name] = {}
    order = sorted(costs, key=lambda city: (-min(cost for cost, _ in costs[city]), city))
    for city in order * 3:
        others = [name.box.grown(2) for other, name in names.items() if other != city]
        names[city] = min(
            costs[city], key=lambda choice: choice[0] + apart * sum(box.overlap(choice[1].box) for box in others)
        )[1]
    return names

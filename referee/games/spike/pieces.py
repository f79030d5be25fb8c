"""What the pictures of Spike are put together from: rails in their colours and patterns, tracks, locomotives, cards.

Rail types are told apart by colour and by pattern, players by colour and letter.
"""

from functools import lru_cache
from math import atan2, cos, sin

from referee.games.spike.chart import LETTER, Point
from referee.pictures.drawing import (
    ACCENT,
    INK,
    PAINTS,
    PANEL,
    Paint,
    Svg,
    disc,
    element,
    fit,
    group,
    number,
    path,
    text,
    text_width,
)

RAIL = 10.0  # the breadth of a free space
LIVERIES = (  # of the players: no colour of a rail type
    Paint("#ef8523", "#6b3300", "#2e1600", "O"),
    Paint("#8250a8", "#1a0628", "#ffffff", "V"),
    Paint("#8a5a34", "#1f0f05", "#ffffff", "B"),
    Paint("#e77fb3", "#7a1f4d", "#38061f", "P"),
)
STOCK = Paint("#5b6770", "#2b3338", "#ffffff", "?")  # of a rail type that the pictures do not know
# What is drawn on a rail of each type: the colour, how broad, and how dashed.
PATTERNS: dict[str, tuple[str, float, str] | None] = {
    "white": None,
    "black": None,
    "blue": ("#ffffff", 4.4, "0 8"),
    "red": ("#ffffff", RAIL - 2.2, "3 5"),
    "yellow": ("#4a3b00", 3, "8 6"),
}
CROSSED = "green"
PAWN = (29.0, 42.0)  # what a locomotive on the map covers


def livery(seat: int) -> Paint:
    return LIVERIES[seat % len(LIVERIES)]


@lru_cache(maxsize=4096)  # most spaces of a map look the same in every picture
def rail(kind: str, start: Point, end: Point) -> Svg:
    """A free space in the colour and the pattern of its rail type."""
    paint = PAINTS.get(kind, STOCK)
    parts = [_line(start, end, paint.edge, RAIL), _line(start, end, paint.fill, RAIL - 2.2)]
    pattern = PATTERNS.get(kind)
    if pattern:
        colour, breadth, dashes = pattern
        cap = "round" if dashes.startswith("0") else None
        parts.append(_line(start, end, colour, breadth, dashes, cap))
    elif kind == CROSSED:
        parts.append(_crosses(start, end))
    elif kind not in PATTERNS:
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        parts.append(disc(x, y, LETTER, paint, kind[:1].upper()))
    return group(*parts)


def _line(
    start: Point, end: Point, colour: str, breadth: float, dashes: str | None = None, cap: str | None = None
) -> Svg:
    return element(
        "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1],
        stroke=colour, stroke_width=breadth, stroke_dasharray=dashes, stroke_linecap=cap,
    )  # fmt: skip


def _crosses(start: Point, end: Point) -> Svg:
    """Small white crosses along a space."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    arm, way = 3.8, ""
    for index in range(max(1, int(length // 12))):
        along = (index + 0.5) * length / max(1, int(length // 12))
        x, y = start[0] + cos(angle) * along, start[1] + sin(angle) * along
        for turn in (angle + 0.785, angle - 0.785):
            dx, dy = cos(turn) * arm, sin(turn) * arm
            way += path([(x - dx, y - dy), (x + dx, y + dy)])
    return element("path", d=way, fill="none", stroke="#ffffff", stroke_width=1.7)


def track(space: tuple[Point, Point], letter: Point, paint: Paint) -> Svg:
    """A track piece: sleepers and two rails in a player's colour, with the letter."""
    start, end = space
    return group(
        _line(start, end, paint.edge, 20, "3.6 4.4"),
        _line(start, end, paint.edge, 13),
        _line(start, end, paint.fill, 9.5),
        element("circle", cx=letter[0], cy=letter[1], r=LETTER, fill=paint.fill, stroke=paint.edge, stroke_width=1.4),
        _letter(letter[0], letter[1] + 6.2, paint),
    )


def _letter(x: float, y: float, paint: Paint, size: float = 18) -> Svg:
    """The letter of a player, kept apart from what its piece stands on."""
    return text(x, y, paint.letter, size, bold=True, anchor="middle", fill=paint.ink, halo=paint.fill)


def engine(x: float, y: float, width: float, paint: Paint) -> Svg:
    """A locomotive from the side, its middle at x and y, with the letter of its colour on the cab."""
    scale = width / 40
    body = "M-19 5V-13H-4V-5H4V-13H10V-5H16Q19 -5 19 -1V5Z"
    cow_catcher = "M19 5L24 11H14Z"
    wheels = [
        element(
            "circle", cx=x + dx * scale, cy=y + 8 * scale, r=r * scale,
            fill=PANEL, stroke=paint.edge, stroke_width=2 * scale,
        )
        for dx, r in ((-12, 5), (0, 4.5), (10, 4.5))
    ]  # fmt: skip
    shape = element(
        "path", d=body + cow_catcher, fill=paint.fill, stroke=paint.edge, stroke_width=1.8, stroke_linejoin="round",
        transform=f"translate({number(x)} {number(y)}) scale({scale:.3f})",
    )  # fmt: skip
    if not paint.letter:
        return group(shape, *wheels)
    size = max(18.0, 14 * scale)
    return group(shape, *wheels, _letter(x - 11.5 * scale, y + 1 * scale, paint, size))


def pawn(x: float, y: float, paint: Paint) -> Svg:
    """A locomotive from the front, to stand on the map: chimney, boiler with the letter, cow-catcher."""
    chimney = [(x - 6, y - 22), (x + 6, y - 22), (x + 4.5, y - 11), (x - 4.5, y - 11)]
    catcher = [(x - 10, y + 8), (x + 10, y + 8), (x + 14, y + 20), (x - 14, y + 20)]
    outline = path(chimney, closed=True) + path(catcher, closed=True)
    return group(
        element("path", d=outline, fill="none", stroke=PANEL, stroke_width=6, stroke_linejoin="round"),
        element("circle", cx=x, cy=y, r=14.5, fill=PANEL),
        element("path", d=outline, fill=paint.edge, stroke=paint.edge, stroke_width=1.6, stroke_linejoin="round"),
        element("circle", cx=x, cy=y, r=12.5, fill=paint.fill, stroke=paint.edge, stroke_width=2.4),
        _letter(x, y + 6.2, paint),
    )


def crate(x: float, y: float) -> Svg:
    """Cargo to be loaded: a box, 16 across, its middle at x and y."""
    return element(
        "path", d=path([(x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8)], closed=True)
        + path([(x - 8, y - 8), (x + 8, y + 8)]) + path([(x + 8, y - 8), (x - 8, y + 8)]),
        fill="#e8c77a", stroke="#5a3d00", stroke_width=1.8, stroke_linejoin="round",
    )  # fmt: skip


def diamond(x: float, y: float) -> Svg:
    """A city of the viewer's own route."""
    corners = [(x, y - 9), (x + 8, y), (x, y + 9), (x - 8, y)]
    return element("path", d=path(corners, closed=True), fill=INK, stroke=PANEL, stroke_width=1.2)


def pay_chip(x: float, y: float, value: int) -> Svg:
    """What a delivery of the viewer's pays here; its left end at x, its middle at y."""
    width = pay_width(value)
    return group(
        element("rect", x=x, y=y - 10, width=width, height=20, rx=4, fill=ACCENT, stroke=PANEL, stroke_width=1.2),
        text(x + width / 2, y + 6.2, str(value), 18, bold=True, anchor="middle", fill="#ffffff"),
    )


def pay_width(value: int) -> float:
    return text_width(str(value), 18, True) + 8


def rail_card(x: float, y: float, kind: str) -> Svg:
    """A rail card: its rails on paper, and its name."""
    return group(
        element("rect", x=x, y=y, width=78, height=104, rx=6, fill=PANEL, stroke=INK, stroke_width=1.5),
        rail(kind, (x + 12, y + 64), (x + 66, y + 30)),
        rail(kind, (x + 12, y + 44), (x + 66, y + 10)),
        text(x + 39, y + 93, fit(kind, 72, 19, True), 19, bold=True, anchor="middle"),
    )


def stack(x: float, y: float, kind: str, words: str) -> Svg:
    """Some cards of a rail type, told beside its rail."""
    return group(rail(kind, (x, y), (x + 36, y)), text(x + 43, y + 6, words, 18, bold=True))

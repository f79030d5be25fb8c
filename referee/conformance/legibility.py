"""Pictures that can be read on a small screen: letters large enough, words and pieces that stand out from what is
behind them.

A picture is drawn once in pixels without its words, and looked at behind every word and around every piece. A piece is
what is painted in one of the colours that pieces come in (`PAINTS`): it must stand out by its body or by its edge.
"""

import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image

from referee.conformance.playing import Broken
from referee.pictures.drawing import PAINTS, Box, png, text_box

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = re.compile(r"<text\b[^>]*/>|<text\b.*?</text>", re.S)

SMALLEST_TEXT = 18  # of 1200: nine pixels where the picture is 600 wide
TEXT_CONTRAST, PIECE_CONTRAST = 4.5, 3.0  # of WCAG 2, level AA
PIXELS = 600  # across, of the picture that is looked at
UNREADABLE = 0.15  # the part of what is behind words that may be too much like them: a line they cross, a rough edge
HIDDEN = 0.5  # the part of what is around a piece that may be like it: others of its colour may lie beside it
CAPITAL = 0.66  # the height of a capital, in parts of the size
OUTSIDE = 3.0  # how far from a piece what is around it is looked at
LARGEST_PIECE = 160  # what is larger is a ground for others

Colour = tuple[int, int, int]
Point = tuple[float, float]


class Words(NamedTuple):
    """Something written: where, in which colour, and what keeps it apart from what is behind it."""

    words: str
    size: float
    box: Box
    fill: Colour
    opacity: float
    halo: Colour | None


class Piece(NamedTuple):
    """Something painted like a piece: its body, its edge, and points just around it."""

    name: str  # of its colour
    fill: Colour
    edge: Colour | None
    middle: Point
    around: tuple[Point, ...]


class Pixels:
    """What a picture looks like without its words."""

    def __init__(self, svg: str) -> None:
        self.frame = Box(*map(float, ET.fromstring(svg).get("viewBox", "").split()))
        drawn = png(TEXTS.sub("", svg), PIXELS)
        self.image = Image.open(io.BytesIO(drawn)).convert("RGB")
        self.scale = self.image.width / self.frame.width

    def at(self, x: float, y: float) -> Colour | None:
        """The colour of a place; None outside of the picture."""
        px, py = int((x - self.frame.x) * self.scale), int((y - self.frame.y) * self.scale)
        if not (0 <= px < self.image.width and 0 <= py < self.image.height):
            return None
        red, green, blue = self.image.getpixel((px, py))  # type: ignore[misc]  # of three colours, as converted
        return red, green, blue

    def behind(self, box: Box) -> Iterator[Colour]:
        """Places all over a box, a few in each letter."""
        rows, columns = 4, max(4, round(box.width / 4))
        for row in range(rows):
            for column in range(columns):
                x = box.x + box.width * (column + 0.5) / columns
                y = box.y + box.height * (row + 0.5) / rows
                if (colour := self.at(x, y)) is not None:
                    yield colour


def check_legibility(place: str, svg: str) -> None:
    """Letters are large enough, and words and pieces stand out."""
    written = list(texts(svg))
    for said in written:
        if said.size < SMALLEST_TEXT:
            raise Broken(
                f"{place}: “{said.words}” is written in size {said.size:g}: at least {SMALLEST_TEXT}, or nobody can "
                "read it on a small screen"
            )
    pixels = Pixels(svg)
    for said in written:
        check_words(place, said, pixels)
    for piece in pieces(svg):
        check_piece(place, piece, pixels)


def check_words(place: str, said: Words, pixels: Pixels) -> None:
    behind = [said.halo] if said.halo else list(pixels.behind(said.box))
    weak = [colour for colour in behind if contrast(blended(said, colour), colour) < TEXT_CONTRAST]
    if len(weak) > UNREADABLE * len(behind):
        ground = max(set(weak), key=weak.count)
        reached = contrast(blended(said, ground), ground)
        raise Broken(
            f"{place}: “{said.words}” in {written_as(said.fill)} on {written_as(ground)} has a contrast of "
            f"{reached:.1f}: at least {TEXT_CONTRAST:g} (another colour, or a halo)"
        )


def check_piece(place: str, piece: Piece, pixels: Pixels) -> None:
    around = [colour for point in piece.around if (colour := pixels.at(*point)) is not None]
    own = (piece.fill, piece.edge) if piece.edge else (piece.fill,)
    weak = [ground for ground in around if max(contrast(colour, ground) for colour in own) < PIECE_CONTRAST]
    if len(weak) > HIDDEN * len(around):
        ground = max(set(weak), key=weak.count)
        reached = max(contrast(colour, ground) for colour in own)
        x, y = piece.middle
        raise Broken(
            f"{place}: the {piece.name} piece at {x:.0f}, {y:.0f} on {written_as(ground)} has a contrast of "
            f"{reached:.1f}, its edge included: at least {PIECE_CONTRAST:g} (a darker edge, or another ground)"
        )


# What is in a picture


def texts(svg: str) -> Iterator[Words]:
    """Everything written in a picture."""
    for part, inherited in _elements(ET.fromstring(svg), {}):
        if part.tag != f"{SVG}text" or not (part.text or "").strip():
            continue
        words, size = part.text or "", float(inherited["font-size"])
        bold, anchor = inherited.get("font-weight") == "bold", inherited.get("text-anchor", "start")
        whole = text_box(float(part.get("x", "")), float(part.get("y", "")), words, size, bold, anchor)
        box = Box(whole.x, float(part.get("y", "")) - CAPITAL * size, whole.width, CAPITAL * size)
        fill, halo = colour_of(inherited.get("fill", "")), colour_of(part.get("stroke", "none"))
        yield Words(words, size, box, fill or (0, 0, 0), _opacity(inherited, "fill-opacity"), halo)


def pieces(svg: str) -> Iterator[Piece]:
    """Everything in the colours of pieces that is small enough to be one and hides what it lies on."""
    names = {colour_of(paint.fill): name for name, paint in PAINTS.items()}
    for part, inherited in _elements(ET.fromstring(svg), {}):
        fill = colour_of(inherited.get("fill", ""))
        if fill is None or fill not in names or _opacity(inherited, "fill-opacity") < 1:
            continue
        shape = _shape(part)
        if shape is None:
            continue
        middle, outline = shape
        edge = colour_of(inherited.get("stroke", "none"))
        room = OUTSIDE + (float(inherited.get("stroke-width", 1)) / 2 if edge else 0) * _scale(part)
        reach = max(math.dist(middle, point) for point in outline)
        if 2 * reach <= LARGEST_PIECE and reach > 0:
            around = tuple(_away(middle, point, room) for point in outline)
            yield Piece(names[fill], fill, edge, middle, around)


def _elements(part: ET.Element, inherited: dict[str, str]) -> Iterator[tuple[ET.Element, dict[str, str]]]:
    """Every element with its own attributes and those that come down to it; of opacities, the product."""
    faded = float(inherited.get("faded", 1)) * float(part.get("opacity", 1))
    own = {**inherited, **part.attrib, "faded": str(faded)}
    yield part, own
    for child in part:
        yield from _elements(child, own)


def _opacity(inherited: dict[str, str], name: str) -> float:
    return float(inherited["faded"]) * float(inherited.get(name, 1))


def _shape(part: ET.Element) -> tuple[Point, list[Point]] | None:
    """The middle of a shape and points of its outline; None for what is no closed shape."""
    match part.tag.removeprefix(SVG):
        case "circle":
            x, y, radius = _numbers(part, "cx", "cy", "r")
            return _placed(part, _round(x, y, radius, radius))
        case "ellipse":
            x, y, across, down = _numbers(part, "cx", "cy", "rx", "ry")
            return _placed(part, _round(x, y, across, down))
        case "rect":
            x, y, width, height = _numbers(part, "x", "y", "width", "height")
            corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            return _placed(part, _sides(corners))
        case "polygon":
            values = [float(value) for value in re.findall(r"-?[\d.]+", part.get("points", ""))]
            return _placed(part, _sides(list(zip(values[::2], values[1::2], strict=False))))
        case "path":
            return _placed(part, _path_points(part.get("d", "")))
    return None


def _numbers(part: ET.Element, *names: str) -> list[float]:
    return [float(part.get(name, 0)) for name in names]


def _round(x: float, y: float, across: float, down: float) -> list[Point]:
    turns = [math.tau * step / 16 for step in range(16)]
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]


def _sides(corners: list[Point]) -> list[Point]:
    """The corners are looked at too closely to be told from their sides: points between them stand for a side."""
    found = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        found += [(ax + (bx - ax) * step, ay + (by - ay) * step) for step in (0.25, 0.5, 0.75)]
    return found


def _path_points(d: str) -> list[Point]:
    """The ends of the straight and bent lines of one closed outline that is written with M, L, C, Q and Z; [] for all
    else, whose outline is not known here."""
    if not d.endswith("Z") or d.count("M") != 1 or re.search(r"[^MLCQZ\d\s.,-]", d):
        return []
    points = []
    for command, written in re.findall(r"([MLCQ])([^MLCQZ]*)", d):
        numbers = [float(value) for value in re.findall(r"-?\d*\.?\d+", written)]
        step = {"M": 2, "L": 2, "Q": 4, "C": 6}[command]
        points += [(numbers[end - 2], numbers[end - 1]) for end in range(step, len(numbers) + 1, step)]
    return points


def _placed(part: ET.Element, outline: list[Point]) -> tuple[Point, list[Point]] | None:
    """Where the element's own transform puts an outline, and its middle."""
    if not outline:
        return None
    for kind, written in reversed(re.findall(r"(\w+)\(([^)]*)\)", part.get("transform", ""))):
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", written)]
        outline = [_moved(point, kind, numbers) for point in outline]
    middle = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    return middle, outline


def _moved(point: Point, kind: str, numbers: Sequence[float]) -> Point:
    x, y = point
    match kind, numbers:
        case "translate", [dx, *more]:
            return x + dx, y + (more[0] if more else 0)
        case "scale", [across, *more]:
            return x * across, y * (more[0] if more else across)
        case "rotate", [turn, *centre]:
            cx, cy = centre or (0.0, 0.0)
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            return cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos
    return point


def _scale(part: ET.Element) -> float:
    found = re.search(r"scale\(([\d.]+)", part.get("transform", ""))
    return float(found[1]) if found else 1


def _away(middle: Point, point: Point, by: float) -> Point:
    """A point moved away from a middle."""
    distance = math.dist(middle, point) or 1
    return tuple(p + (p - m) / distance * by for p, m in zip(point, middle, strict=True))  # type: ignore[return-value]


# Colours


@cache
def colour_of(written: str) -> Colour | None:
    """`#c3262c` or `#c32`; None for none."""
    if not re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", written.lower()):
        return None
    digits = written[1:] if len(written) == 7 else "".join(2 * digit for digit in written[1:])
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return red, green, blue


def written_as(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def blended(said: Words, ground: Colour) -> Colour:
    """What a faded colour looks like on a ground."""
    red, green, blue = (
        round(f * said.opacity + g * (1 - said.opacity)) for f, g in zip(said.fill, ground, strict=True)
    )
    return red, green, blue


@cache
def contrast(first: Colour, other: Colour) -> float:
    """As WCAG 2 defines it, from 1 to 21."""
    light, dark = sorted((luminance(first), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@cache
def luminance(colour: Colour) -> float:
    red, green, blue = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

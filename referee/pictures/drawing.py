"""What the pictures of all games share: SVG elements, words measured with the shipped font, colours, pieces, PNG.

A picture is one SVG text that refers to nothing outside itself and uses no filters. The shipped font is Source Sans
Pro; the widths of words are read from it, so that labels can be placed without overlap. Where a reader lacks the font,
the families named after it are of about the same width.
"""

import re
import struct
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import resvg_py

FONTS = Path(__file__).parent / "fonts"
FAMILY = "Source Sans Pro"
FAMILIES = f"'{FAMILY}', 'Source Sans 3', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
ASCENT, DESCENT = 0.75, 0.22  # of the letters above and below the line they stand on, in parts of the size

PAPER = "#f6eedc"
PANEL = "#fffaf0"
INK = "#1f2f3d"
FAINT = "#565d60"  # words of less weight
RULE = "#cdbf9f"  # thin lines on paper
ACCENT = "#b3261e"
SEA = "#b9d3d6"
LAND = "#efe3c4"


class Paint(NamedTuple):
    """A colour that a piece comes in: its body, its outline, what is written on it, and a letter for those who cannot
    tell it from another by eye."""

    fill: str
    edge: str
    ink: str
    letter: str


PAINTS = {
    "yellow": Paint("#f7d02c", "#7a6200", "#3a2f00", "Y"),
    "orange": Paint("#ef8523", "#8a4300", "#2e1600", "O"),
    "red": Paint("#c3262c", "#6d0d11", "#ffffff", "R"),
    "brown": Paint("#7a4a26", "#3f2410", "#ffffff", "N"),
    "green": Paint("#288047", "#14522a", "#ffffff", "G"),
    "blue": Paint("#2464b4", "#0f3566", "#ffffff", "B"),
    "violet": Paint("#8250a8", "#47255f", "#ffffff", "V"),
    "black": Paint("#26282b", "#000000", "#ffffff", "K"),
    "grey": Paint("#a3a8ac", "#4c5156", "#14181b", "E"),
    "white": Paint("#ffffff", "#3d4852", "#1f2f3d", "W"),
}


def livery(colour: str) -> Paint:
    """A colour by its name; one that a board of its own has made up is grey, with its first letter."""
    return PAINTS.get(colour, PAINTS["grey"]._replace(letter=colour[:1].upper()))


class Box(NamedTuple):
    """A rectangle that something covers."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, x: float, y: float, radius: float) -> "Box":
        """The square around a round thing."""
        return cls(x - radius, y - radius, 2 * radius, 2 * radius)

    def overlaps(self, other: "Box") -> bool:
        return self.overlap(other) > 0

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, across) * max(0.0, down)

    def holds(self, other: "Box") -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def corners(self) -> list[tuple[float, float]]:
        return [(self.x, self.y), (self.x + self.width, self.y + self.height)]

    def grown(self, by: float) -> "Box":
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class Svg(str):
    """Text that is SVG already. Any other text is escaped when it becomes part of an element."""


def element(tag: str, *children: str, **attributes: str | float | None) -> Svg:
    """`element("circle", cx=3, cy=4.5, stroke_width=2)`: None is left out, _ becomes -, numbers are rounded."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value if isinstance(value, str) else number(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = "".join(child if isinstance(child, Svg) else escape(child) for child in children)
    return Svg(f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>")


def group(*children: str, **attributes: str | float | None) -> Svg:
    return element("g", *children, **attributes)


def mark(field: str, value: str, *children: str) -> Svg:
    """What stands for a value of a move's field, so that whoever shows the picture can light it up."""
    return element("g", *children, data_mark=f"{field} {value}")


def document(frame: Box, title: str, description: str, *children: str) -> str:
    """What of a picture lies in a frame; the title and the description are its text alternative."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        width=frame.width,
        height=frame.height,
        viewBox=" ".join(map(number, frame)),
        role="img",
        font_family=FAMILIES,
        fill=INK,
    )


# Where to look closer: which half of the height, and which half of the width, from the top left.
LOOKS = {
    f"{down}-{across}".strip("-") or "centre": (x, y)
    for down, y in (("north", 0.0), ("", 0.25), ("south", 0.5))
    for across, x in (("west", 0.0), ("", 0.25), ("east", 0.5))
}


def closer(svg: str, look: str) -> str:
    """A quarter of a picture (`LOOKS`), twice as large: what is too small on a phone can be read there."""
    x, y, width, height = map(float, re.findall(r"[-\d.]+", svg[: svg.index(">")].partition('viewBox="')[2])[:4])
    across, down = LOOKS[look]
    frame = Box(x + across * width, y + down * height, width / 2, height / 2)
    sized = f'width="{number(frame.width)}" height="{number(frame.height)}" viewBox="{" ".join(map(number, frame))}"'
    return re.sub(r'width="[^"]*" height="[^"]*" viewBox="[^"]*"', sized, svg, count=1)


def png(svg: str, width: int) -> bytes:
    """The picture in pixels, with the shipped font and no other."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in sorted(FONTS.glob("*.ttf"))],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


STRANGE = re.compile(r'[^ -~]|[&<>"]')


def escape(words: str) -> str:
    """Words as XML may hold them: markup is made harmless, what XML forbids becomes a replacement character."""
    if not STRANGE.search(words):  # nearly all are coordinates and plain words: a quarter of the time of a picture
        return words
    words = "".join(c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "�" for c in words)
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def number(value: float) -> str:
    """One spelling for a coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "0" if abs(value) < 0.05 else "-0")


def path(points: Iterable[tuple[float, float]], closed: bool = False) -> str:
    """Straight lines from point to point, for the `d` of a path."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


# Words


def text(
    x: float,
    y: float,
    words: str,
    size: float = 18,
    *,
    bold: bool = False,
    anchor: str = "start",
    fill: str | None = None,
    spacing: float = 0,
    halo: str | None = None,
) -> Svg:
    """Words that stand on the line y, from x on, around it (`middle`) or up to it (`end`); `halo` keeps lines off. They
    are as long as in the shipped font whatever font a browser has, except spaced ones: not all draw these alike."""
    is_measured = len(words) > 1 and not spacing
    return element(
        "text",
        words,
        x=x,
        y=y,
        font_size=size,
        font_weight="bold" if bold else None,
        text_anchor=anchor if anchor != "start" else None,
        letter_spacing=spacing or None,
        textLength=text_width(words, size, bold) if is_measured else None,
        lengthAdjust="spacingAndGlyphs" if is_measured else None,
        fill=fill,
        stroke=halo,
        stroke_width=size / 5 if halo else None,
        stroke_linejoin="round" if halo else None,
        paint_order="stroke" if halo else None,
    )


def text_width(words: str, size: float, bold: bool = False, spacing: float = 0) -> float:
    """How long words are in the shipped font. Letters it lacks count as square, accents that stand on others not."""
    advances = _advances("Bold" if bold else "Regular")
    wide = sum(advances.get(ord(c), 0 if unicodedata.combining(c) else 1000) for c in words)
    return wide * size / 1000 + spacing * len(words)


def text_box(x: float, y: float, words: str, size: float, bold: bool = False, anchor: str = "start") -> Box:
    """What the words cover when written with `text`."""
    width = text_width(words, size, bold)
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return Box(left, y - ASCENT * size, width, (ASCENT + DESCENT) * size)


def fit(words: str, width: float, size: float, bold: bool = False) -> str:
    """As much of the words as there is room for; an ellipsis stands for the rest."""
    if text_width(words, size, bold) <= width:
        return words
    while words and text_width(words + "…", size, bold) > width:
        words = words[:-1]
    return words.rstrip() + "…"


def lines(words: str, width: float, size: float, bold: bool = False) -> list[str]:
    """The words broken into lines of at most a width; a single word that is too long is cut."""
    broken: list[str] = []
    for word in words.split():
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and text_width(longer, size, bold) <= width:
            broken[-1] = longer
        else:
            broken.append(fit(word, width, size, bold))
    return broken


@cache
def _advances(weight: str) -> dict[int, float]:
    """The advance of each character of the font in thousandths of the size, from its TrueType tables."""
    data = (FONTS / f"SourceSansPro-{weight}.ttf").read_bytes()
    tables: dict[bytes, int] = {}
    for entry in range(12, 12 + 16 * _uint16(data, 4), 16):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, entry)
        tables[tag] = offset
    units = _uint16(data, tables[b"head"] + 18)
    metrics = _uint16(data, tables[b"hhea"] + 34)
    glyph_advances = [_uint16(data, tables[b"hmtx"] + 4 * glyph) for glyph in range(metrics)]
    glyphs = _characters(data, tables[b"cmap"])
    return {c: glyph_advances[min(glyph, metrics - 1)] * 1000 / units for c, glyph in glyphs.items()}


def _characters(data: bytes, cmap: int) -> dict[int, int]:
    """Character -> glyph, from the Windows Unicode subtable (format 4) that every TrueType font has."""
    for entry in range(cmap + 4, cmap + 4 + 8 * _uint16(data, cmap + 2), 8):
        platform, encoding, offset = struct.unpack_from(">HHI", data, entry)
        if (platform, encoding) == (3, 1):
            break
    table = cmap + offset
    count = _uint16(data, table + 6) // 2
    ends, starts, deltas, ranges = (table + 14 + 2 * count * part + 2 * (part > 0) for part in range(4))
    glyphs: dict[int, int] = {}
    for segment in range(0, 2 * count, 2):
        end, start, delta, skip = (_uint16(data, part + segment) for part in (ends, starts, deltas, ranges))
        for character in range(start, min(end, 0xFFFE) + 1):
            glyph = _uint16(data, ranges + segment + skip + 2 * (character - start)) if skip else character
            if glyph or not skip:
                glyphs[character] = (glyph + delta) & 0xFFFF
    return glyphs


def _uint16(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 2], "big")


# Pieces

# Airliners from above in a square of 100, the nose to the right: one slender, one with room for a letter.
AIRLINER = (
    "M50 0C48-6 40-8 28-8L17-8L7-46C6-51-3-51-4-46L-5-8L-31-6L-38-19C-39-22-46-22-46-19L-45-4L-50 0"
    "L-45 4L-46 19C-46 22-39 22-38 19L-31 6L-5 8L-4 46C-3 51 6 51 7 46L17 8L28 8C40 8 48 6 50 0Z"
)
STOUT_AIRLINER = (
    "M52 0C51-10 44-17 31-18L24-18L14-47C12-53-7-53-9-47L-12-18L-28-13L-34-26C-36-31-49-31-49-25L-48-6L-51 0"
    "L-48 6L-49 25C-49 31-36 31-34 26L-28 13L-12 18L-9 47C-7 53 12 53 14 47L24 18L31 18C44 17 51 10 52 0Z"
)


def plane(x: float, y: float, length: float, paint: Paint, angle: float = 0, letter: bool = False) -> Svg:
    """An airliner from above, its nose to the right at angle 0, perhaps with the letter of its colour, upright."""
    scale = length / 100
    body = element(
        "path",
        d=STOUT_AIRLINER if letter else AIRLINER,
        transform=f"translate({number(x)} {number(y)}) rotate({number(angle)}) scale({scale:.3f})",
        fill=paint.fill,
        stroke=paint.edge,
        stroke_width=1.2 / scale,
        stroke_linejoin="round",
    )
    size = length * 0.42
    mark = text(x, y + size * 0.33, paint.letter, size, bold=True, anchor="middle", fill=paint.ink)
    return group(body, mark) if letter else body


def disc(x: float, y: float, radius: float, paint: Paint, label: str | None = None) -> Svg:
    """A round piece with the letter of its colour, or with something else on it."""
    words = paint.letter if label is None else label
    size = radius * (1.45 if len(words) < 2 else 1.2)
    return group(
        element("circle", cx=x, cy=y, r=radius, fill=paint.fill, stroke=paint.edge, stroke_width=1.2),
        text(x, y + size * 0.33, words, size, bold=True, anchor="middle", fill=paint.ink),
    )


def card(x: float, y: float, width: float, height: float, paint: Paint, label: str = "") -> Svg:
    """A card with a plane on it, the letter of its colour and perhaps a label at its foot."""
    letter, foot = max(18, height * 0.2), max(18, height * 0.16)
    return group(
        element(
            "rect", x=x, y=y, width=width, height=height, rx=6,
            fill=paint.fill, stroke=paint.edge, stroke_width=1.5,
        ),
        element(
            "rect", x=x + 4, y=y + 4, width=width - 8, height=height - 8, rx=3,
            fill="none", stroke=paint.ink, stroke_opacity=0.35,
        ),
        text(x + 10, y + 8 + letter * 0.75, paint.letter, letter, bold=True, fill=paint.ink),
        plane(x + width / 2, y + height * 0.53, width * 0.56, paint._replace(fill=paint.ink, edge=paint.ink), -90),
        text(x + width / 2, y + height - 11, fit(label, width - 14, foot), foot, anchor="middle", fill=paint.ink),
    )  # fmt: skip


def chip(x: float, y: float, label: str, paint: Paint, size: float = 18) -> Svg:
    """A small label in a colour, its left end at x and its middle at y. `chip_width` says how long it is."""
    width, height = chip_width(label, size), size * 1.35
    return group(
        element(
            "rect", x=x, y=y - height / 2, width=width, height=height, rx=height / 2,
            fill=paint.fill, stroke=paint.edge, stroke_width=1.2,
        ),
        text(x + width / 2, y + size * 0.33, label, size, bold=True, anchor="middle", fill=paint.ink),
    )  # fmt: skip


def chip_width(label: str, size: float = 18) -> float:
    return text_width(label, size, bold=True) + size


def panel(x: float, y: float, width: float, height: float, title: str = "", marked: bool = False) -> Svg:
    """A sheet of paper for one subject; a marked one has a strong edge."""
    return group(
        element(
            "rect", x=x, y=y, width=width, height=height, rx=4, fill=PANEL,
            stroke=ACCENT if marked else RULE, stroke_width=3 if marked else 1.2,
        ),
        heading(x + 14, y + 24, title) if title else Svg(),
    )  # fmt: skip


def heading(x: float, y: float, words: str, fill: str = FAINT) -> Svg:
    """The small capitals over a section."""
    return text(x, y, words.upper(), 18, bold=True, spacing=1.6, fill=fill)

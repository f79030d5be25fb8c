"""The parts that all pictures are made of."""

import itertools
import re
import struct
import xml.etree.ElementTree as ET
import zlib

import pytest

from referee.pictures import drawing
from referee.pictures.drawing import (
    LOOKS,
    PAINTS,
    Box,
    Svg,
    closer,
    document,
    element,
    fit,
    group,
    lines,
    number,
    png,
    text,
    text_box,
    text_width,
)

HOSTILE = """<b>&"'</b>]]><!--\x00\x1b[31m\ud800\uffff"""


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first: str, other: str) -> float:
    light, dark = sorted((luminance(first), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def width_and_height(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG")
    return struct.unpack(">II", picture[16:24])


def ink(svg: str, width: int) -> tuple[int, int]:
    """The first and the last column of a black and white picture that are not white, by rendering it."""
    data, scanlines = png(svg, width), b""
    offset = 8
    while offset < len(data):
        (length,), kind = struct.unpack(">I", data[offset : offset + 4]), data[offset + 4 : offset + 8]
        scanlines += data[offset + 8 : offset + 8 + length] if kind == b"IDAT" else b""
        offset += 12 + length
    rows, stride = zlib.decompress(scanlines), 4 * width
    above, columns = bytearray(stride), set()
    for start in range(0, len(rows), stride + 1):
        row = unfiltered(rows[start], rows[start + 1 : start + 1 + stride], above)
        columns |= {i // 4 for i in range(0, stride, 4) if row[i] < 128}
        above = row
    return min(columns), max(columns)


def unfiltered(kind: int, row: bytes, above: bytearray) -> bytearray:
    """A line of a PNG with four bytes a pixel, as the PNG specification undoes its filters."""
    out = bytearray(len(row))
    for i, value in enumerate(row):
        left, up, corner = (out[i - 4] if i > 3 else 0), above[i], (above[i - 4] if i > 3 else 0)
        near = min((left, up, corner), key=lambda neighbour: abs(left + up - corner - neighbour))
        out[i] = (value + (0, left, up, (left + up) // 2, near)[kind]) & 255
    return out


def test_any_words_can_be_written_and_none_of_them_is_markup() -> None:
    svg = document(Box(0, 0, 100, 50), HOSTILE, HOSTILE, text(0, 20, HOSTILE), element("g", HOSTILE, id=HOSTILE))
    root = ET.fromstring(svg)
    assert {part.tag.rpartition("}")[2] for part in root.iter()} == {"svg", "title", "desc", "text", "g"}
    assert all("<b>&\"'</b>" in (part.text or "") for part in root.iter() if part is not root)


def test_only_what_an_element_made_passes_unescaped() -> None:
    assert element("g", element("a")) == "<g><a/></g>"
    assert element("g", "".join([element("a")])) == "<g>&lt;a/&gt;</g>"
    assert isinstance(element("g"), Svg)


@pytest.mark.parametrize(
    ("value", "spelled"), [(1, "1"), (1.04, "1"), (-0.04, "0"), (-0.5, "-0.5"), (10.25001, "10.3")]
)
def test_a_coordinate_has_one_short_spelling(value: float, spelled: str) -> None:
    assert number(value) == spelled


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("words", ["Hamburger", "St. Petersburg", "Łukasz Ωμέγα Жук", "10"])
def test_words_are_as_long_as_measured(words: str, bold: bool) -> None:
    paper = element("rect", width=400, height=60, fill="#fff")
    svg = document(Box(0, 0, 400, 60), "", "", paper, text(20, 40, words, 30, bold=bold, fill="#000"))
    first, last = ink(re.sub(r' (textLength|lengthAdjust)="[^"]*"', "", svg), 400)  # as long as they are by themselves
    measured = text_width(words, 30, bold)
    assert 0.95 * measured - 4 < last - first <= measured  # the white beside a letter and kerning are not ink


def test_words_are_as_long_in_a_font_that_is_wider() -> None:
    """A browser may have another font: here the bold one stands for it."""
    measured = text(20, 40, "Hamburger", 30, fill="#000")
    paper = element("rect", width=400, height=60, fill="#fff")
    widths = []
    for words in (measured, re.sub(r' (textLength|lengthAdjust)="[^"]*"', "", measured)):
        wider = document(Box(0, 0, 400, 60), "", "", paper, group(Svg(words), font_weight="bold"))
        first, last = ink(wider, 400)
        widths.append(last - first)
    assert widths[0] <= text_width("Hamburger", 30) < widths[1]


def test_a_picture_has_a_size_and_shows_nothing_beyond_it() -> None:
    root = ET.fromstring(document(Box(0, 0, 400, 60), "", "", element("rect", width=9999, height=9999)))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("400", "60", "0 0 400 60")


def test_letters_the_font_lacks_are_given_room_and_accents_are_not() -> None:
    assert text_width("日本", 10) == 20
    assert text_width("e\u0301\u0323\u20dd", 10) <= text_width("e", 10) + 10.001


def test_the_font_comes_with_its_licence_and_is_small() -> None:
    assert "SIL Open Font License" in (drawing.FONTS / "LICENSE.txt").read_text("utf-8")
    assert sum(path.stat().st_size for path in drawing.FONTS.glob("*.ttf")) < 1_000_000


def test_words_that_do_not_fit_are_cut_with_an_ellipsis() -> None:
    assert fit("Rome", 100, 16) == "Rome"
    cut = fit("W" * 32, 100, 16)
    assert cut.endswith("…")
    assert text_width(cut, 16) <= 100


def test_lines_are_never_longer_than_asked_and_lose_no_word() -> None:
    words = "Buy a second licence, or take one share from the market or from the pile"
    broken = lines(words, 150, 16)
    assert " ".join(broken) == words
    assert all(text_width(line, 16) <= 150 for line in broken)
    assert text_width(lines("W" * 40, 150, 16)[0], 16) <= 150


@pytest.mark.parametrize(("anchor", "left"), [("start", 100.0), ("middle", 90.0), ("end", 80.0)])
def test_a_label_covers_what_its_anchor_says(anchor: str, left: float) -> None:
    size = 20 / text_width("Oslo", 1)
    assert text_box(100, 50, "Oslo", size, anchor=anchor).x == pytest.approx(left)


def test_boxes_that_only_touch_do_not_overlap() -> None:
    assert not Box(0, 0, 10, 10).overlaps(Box(10, 0, 10, 10))
    assert Box(0, 0, 10, 10).overlap(Box(8, 9, 10, 10)) == 2


def test_every_colour_can_be_read_and_told_by_its_letter() -> None:
    assert len({paint.letter for paint in PAINTS.values()}) == len(PAINTS)
    for name, paint in PAINTS.items():
        assert contrast(paint.fill, paint.ink) >= 4.5, name
    for first, other in itertools.combinations(PAINTS.values(), 2):
        assert first.fill != other.fill


@pytest.mark.parametrize("width", [600, 1200])
def test_a_png_is_as_wide_as_asked(width: int) -> None:
    assert width_and_height(png(document(Box(0, 0, 1200, 600), "", ""), width)) == (width, width // 2)


def test_looking_closer_shows_a_quarter_twice_as_large_and_the_nine_quarters_show_everything():
    whole = document(Box(24, 100, 400, 600), "A map", "", text(30, 120, "Oslo"))
    frames = {}
    for look in LOOKS:
        sized = re.search(r'width="([^"]*)" height="([^"]*)" viewBox="([^"]*)"', closer(whole, look))
        width, height, frame = sized.groups()
        assert (width, height) == ("200", "300")
        frames[look] = tuple(map(float, frame.split()))
    assert frames["north-west"] == (24, 100, 200, 300)
    assert frames["centre"] == (124, 250, 200, 300)
    assert frames["south-east"] == (224, 400, 200, 300)
    assert len(set(frames.values())) == len(LOOKS) == 9
    assert closer(whole, "north-west").partition("viewBox")[2][20:] == whole.partition("viewBox")[2][20:]
    assert width_and_height(png(closer(whole, "north"), 390)) == (390, 585)

"""What is the same on every game's poster: the bands at its head, who is asked what, the foot."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.contract import View
from referee.pictures.drawing import (
    ACCENT,
    FAINT,
    INK,
    PAPER,
    Box,
    Svg,
    document,
    element,
    fit,
    group,
    lines,
    text,
    text_width,
)
from referee.pictures.wording import fidelity_line

WIDTH = 1200
BADGE = 90  # room for a plane or a train between the title and what stands at the right end
STRIPES = ("#e3b95f", "#d9763f", ACCENT)


class Section(NamedTuple):
    """One of a game's `parts`, and where it lies on the poster; a part may be drawn in several sections."""

    part: str
    box: Box
    drawn: Svg


def poster(view: View, name: str, described: str, height: float, *sections: Svg | Section, part: str = "") -> str:
    """The whole picture on its paper, or a part of it; `described` is what somebody hears who cannot see it. What is no
    Section, a head or a foot, belongs to the whole alone."""
    title = f"{name}, the table after move {view.sequence}"
    frame = Box(0, 0, WIDTH, height)
    if part:
        sections = tuple(section for section in sections if isinstance(section, Section) and section.part == part)
        frame = _around([section.box for section in sections if isinstance(section, Section)])
        title = f"{title}: {part}"
    drawn = [section.drawn if isinstance(section, Section) else section for section in sections]
    return document(frame, title, described, element("rect", **frame._asdict(), fill=PAPER), *drawn)


def _around(boxes: Sequence[Box]) -> Box:
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(x, y, right - x, bottom - y)


def masthead(title: str, status: str, left: float, right: float, *stripes: str, spacing: float = 7) -> Iterator[Svg]:
    """The bands with the title, smaller if it is long, and at the right end how far the game has come."""
    room = right - left - text_width(status, 20) - BADGE
    size = min(46.0, room / text_width(title.upper(), 1, True, spacing / 46))
    yield from bands(*stripes)
    yield text(left, 53, title.upper(), size, bold=True, spacing=spacing * size / 46, fill=PAPER)
    yield text(right, 48, status, 20, anchor="end", fill=PAPER)


def bands(*stripes: str) -> Iterator[Svg]:
    """The dark band that the title stands on, and three stripes below it."""
    yield element("rect", width=WIDTH, height=74, fill=INK)
    for index, colour in enumerate(stripes or STRIPES):
        yield element("rect", y=74 + 4 * index, width=WIDTH, height=4, fill=colour)


def banner(headline: str, results: str, left: float, right: float, upper: float, lower: float) -> Iterator[Svg]:
    """Who is asked what, in two lines at most; or who has won, and the results below."""
    room = right - left
    size = 20 if text_width(headline, 20, True) <= room else 18
    first, *more = lines(headline, room, size, True)
    second = results or " ".join(more)
    yield text(left, upper if second else 122, first, size, bold=True)
    if second:
        yield text(left, lower, fit(second, room, 18, not results), 18, bold=not results)


def foot(view: View, left: float, right: float, y: float) -> Svg:
    """On which board, and how far the game has come."""
    return group(
        text(left, y, fit(fidelity_line(view), 760, 18), 18, fill=FAINT),
        text(right, y, f"Rules {view.version}, after move {view.sequence}", 18, anchor="end", fill=FAINT),
    )

"""The checks of pictures, text boards, marks and parts can fail: each fault planted in the template game is found."""

import importlib
import re
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from commands.new_game import TEMPLATE, Names
from referee.conformance import PARTS
from referee.conformance.legibility import Pixels, check_piece, check_words, colour_of, contrast, pieces, texts
from referee.conformance.playing import Broken
from referee.games import shipped_board
from referee.options import Hints
from referee.pictures.drawing import (
    INK,
    LAND,
    PAINTS,
    PANEL,
    PAPER,
    SEA,
    Box,
    card,
    chip,
    disc,
    document,
    element,
    group,
    mark,
    plane,
    text,
)  # fmt: skip

Game = Any


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """The game that new ones are made from, which has parts, marks and hints."""
    names, folder = Names("mail-run", "Mail Run", "kit_mail_run"), tmp_path_factory.mktemp("kit")
    (folder / "kit_mail_run").mkdir()
    for file in (TEMPLATE / "package").glob("*.*"):
        (folder / "kit_mail_run" / file.name).write_text(names.put_into(file.read_text("utf-8")), encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("kit_mail_run").GAME
    sys.path.remove(str(folder))


def examine(game_type: Game, part: str) -> None:
    PARTS[part](game_type(shipped_board(game_type), 3), Random(1), 2)


def examine_often(game_type: Game, part: str) -> None:
    for seed in range(20):
        PARTS[part](game_type(shipped_board(game_type), 3), Random(seed), 1)


@pytest.mark.parametrize("part", ["marks", "pictures", "secrets"])
def test_the_template_itself_is_sound(template: Game, part: str) -> None:
    examine(template, part)


def drawn_with(*more: str) -> Any:
    """Something more on the whole picture, not on its parts."""

    def change(before: Any) -> Any:
        def picture(self: Any, view: Any, part: str = "") -> str:
            svg: str = before(self, view, part)
            return svg if part else svg.replace("</svg>", "".join(more) + "</svg>")

        return picture

    return change


def without(pattern: str, of: str | None = None) -> Any:
    """What matches is gone from every picture, or from a part."""

    def change(before: Any) -> Any:
        def picture(self: Any, view: Any, part: str = "") -> str:
            svg: str = before(self, view, part)
            return re.sub(pattern, "", svg) if of in (None, part) else svg

        return picture

    return change


def part_with(part: str, more: str) -> Any:
    def change(before: Any) -> Any:
        def picture(self: Any, view: Any, asked: str = "") -> str:
            svg: str = before(self, view, asked)
            return svg.replace("</svg>", more + "</svg>") if asked == part else svg

        return picture

    return change


def only(part: str, shown: str) -> Any:
    """A part that is something else."""

    def change(before: Any) -> Any:
        return lambda self, view, asked="": shown if asked == part else before(self, view, asked)

    return change


def as_it_is(value: Any) -> Any:
    return lambda before: value


WIDE = "x " * 36 + "x"
DULL = text(600, 30, "Dull", 20, fill="#777777", halo="#999999")

FAULTS = [
    ("picture", drawn_with(text(600, 30, "Tiny", 17)), "pictures", "“Tiny” is written in size 17: at least 18"),
    ("picture", drawn_with(text(600, 30, "Pale", 20, fill="#3a4a58")), "pictures", "“Pale” in #3a4a58 on #1f2f3d has"),
    ("picture", drawn_with(DULL), "pictures", "“Dull” in #777777 on #999999 has a contrast of 1.6: at least 4.5"),
    (
        "picture",
        drawn_with(element("circle", cx=600, cy=30, r=9, fill=PAINTS["black"].fill)),
        "pictures",
        "the black piece at 600, 30 on #1f2f3d has a contrast of 1.1, its edge included: at least 3",
    ),
    ("picture", only("map", "<svg"), "pictures", "part 'map': this is no picture"),
    ("picture", only("map", "<svg/>"), "pictures", "part 'map': this is no picture"),
    (
        "picture",
        only("map", document(Box(0, 0, 1300, 10), "", "")),
        "pictures",
        r"part 'map' shows \(0.0, 0.0, 1300.0, 10.0\), which is not inside the whole",
    ),
    ("picture", part_with("map", text(500, 20, "Cut off")), "pictures", "part 'map': “Cut off” reaches out of the"),
    ("text", only("", WIDE + "\n"), "pictures", "does not say what is asked"),
    ("text", only("full", "x\n"), "pictures", "the full text board for .* does not say what is asked"),
    ("text", only("players", WIDE), "pictures", "part 'players' has a line of 73 letters, and 72 fit"),
    ("text", only("map", " \n"), "pictures", "part 'map' is empty"),
    ("text", only("map", "\x1b[1m"), "pictures", r"has the character '\\x1b'"),
    (
        "parts",
        as_it_is(("map", "coast")),
        "marks",
        "there is no part 'coast': parts are called map, track, market, play",
    ),
    ("parts", as_it_is(("players",)), "marks", r"no part of the picture for .* has the mark \('city', 'avon'\)"),
    ("marked", as_it_is({"airport": frozenset()}), "marks", "`marked` names 'airport', which is a field of no move"),
    (
        "picture",
        without(' data-mark="city brill"'),
        "marks",
        "may choose the city 'brill' for Fly, and its picture has no",
    ),
    ("picture", drawn_with(mark("city", "atlantis")), "marks", "marks the city 'atlantis', and there is none"),
    ("picture", drawn_with(mark("route", "a-b")), "marks", "marks the route 'a-b', and there is none"),
    ("picture", drawn_with(mark("city", "avon & co")), "marks", "marks the city 'avon & co', and there is none"),
    (
        "picture",
        part_with("players", mark("city", "gone")),
        "marks",
        r"the part 'players' for .* has a mark that the whole lacks: \('city', 'gone'\)",
    ),
    ("picture", without(' data-mark="city avon"', of="map"), "marks", r"no part .* has the mark \('city', 'avon'\)"),
]


@pytest.mark.parametrize(
    ("name", "change", "part", "message"),
    [pytest.param(*case, id=re.sub(r"\W+", "-", f"{case[0]}-{case[3]}")[:60]) for case in FAULTS],
)
def test_a_planted_fault_is_found(
    template: Game, name: str, change: Any, part: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template, name, change(getattr(template, name)))
    with pytest.raises(Broken, match=f"(?s){message}"):
        examine(template, part)


@pytest.mark.parametrize("part", ["marks", "pictures"])
def test_a_game_without_parts_is_not_asked_for_them(template: Game, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "parts", ())
    whole = template.text
    monkeypatch.setattr(template, "text", lambda self, view, part="": whole(self, view, "full"))
    faults = drawn_with(text(600, 30, "Tiny", 9), mark("city", "atlantis"))
    monkeypatch.setattr(template, "picture", faults(template.picture))
    examine(template, part)


def test_a_value_without_a_place_needs_no_mark(template: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "picture", without(' data-mark="city brill"')(template.picture))
    monkeypatch.setattr(template, "marked", {"city": frozenset({"brill"})})
    examine(template, "marks")


# What is not in the view: another world would show another card.


def leak(self: Any, view: Any) -> str:
    return "".join(self.peeked.deck[:3])


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "hints",
            lambda before: lambda self, view, offer: Hints(order=leak(self, view) or "none"),
            "the list of offers differs",
        ),
        (
            "picture",
            lambda before: (
                lambda self, view, part="": (
                    before(self, view, part) + (f"<!--{leak(self, view)}-->" if part == "players" else "")
                )
            ),
            "the picture, players differs",
        ),
        (
            "picture",
            lambda before: (
                lambda self, view, part="": before(self, view, part).replace(
                    "</svg>", mark("city", leak(self, view)) + "</svg>"
                )
            ),
            "the picture differs",
        ),
        (
            "text",
            lambda before: (
                lambda self, view, part="": before(self, view, part) + (leak(self, view) if part == "full" else "")
            ),
            "the text board, full differs",
        ),
    ],
)
def test_a_secret_in_hints_marks_or_parts_is_found(
    template: Game, name: str, change: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = template.view

    def peek(self: Any, position: Any, viewer: Any) -> Any:
        self.peeked = position
        return look(self, position, viewer)

    monkeypatch.setattr(template, "view", peek)
    monkeypatch.setattr(template, name, change(getattr(template, name)))
    with pytest.raises(Broken, match=f"can tell two worlds apart .*: {message}"):
        examine_often(template, "secrets")


# How words and pieces are seen


def looked_at(*parts: str, ground: str = PAPER) -> str:
    paper = element("rect", width=1200, height=200, fill=ground)
    return document(Box(0, 0, 1200, 200), "", "", paper, *parts)


def test_contrast_is_that_of_wcag() -> None:
    black, white, grey = (0, 0, 0), (255, 255, 255), (119, 119, 119)
    assert contrast(black, white) == contrast(white, black) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.01)
    assert colour_of("#c32") == colour_of("#cc3322") == (204, 51, 34)
    assert colour_of("none") is None


def test_words_take_their_colour_from_the_group_they_are_in() -> None:
    svg = looked_at(group(text(10, 90, "Pale", 20), fill="#eeeeee"), text(10, 130, "Faint", 20, fill=INK), "")
    pale, faint = texts(svg)
    assert (pale.fill, faint.fill) == ((238, 238, 238), colour_of(INK))
    with pytest.raises(Broken, match="“Pale”"):
        check_words("", pale, Pixels(svg))


def test_words_that_are_faded_are_as_pale_as_they_look() -> None:
    svg = looked_at(group(text(10, 90, "Faded", 20, fill=INK), opacity=0.3))
    with pytest.raises(Broken, match="“Faded”"):
        check_words("", *texts(svg), Pixels(svg))


def test_a_halo_keeps_words_apart_from_what_is_behind() -> None:
    dark = element("rect", width=1200, height=200, fill=INK)
    svg = looked_at(dark, text(10, 90, "On a halo", 20, fill=INK, halo=PANEL), text(10, 150, "Lost", 20, fill=INK))
    saved, lost = texts(svg)
    check_words("", saved, Pixels(svg))
    with pytest.raises(Broken, match="“Lost”"):
        check_words("", lost, Pixels(svg))


@pytest.mark.parametrize("ground", [PAPER, PANEL, LAND, SEA])
@pytest.mark.parametrize("colour", sorted(PAINTS))
def test_every_piece_stands_out_on_every_ground(colour: str, ground: str) -> None:
    paint = PAINTS[colour]
    svg = looked_at(
        plane(100, 100, 60, paint, 30, letter=True), disc(300, 100, 20, paint), card(400, 40, 90, 130, paint),
        chip(600, 100, "chip", paint), ground=ground,
    )  # fmt: skip
    found = list(pieces(svg))
    assert len(found) >= 4
    for piece in found:
        check_piece("", piece, Pixels(svg))
    for said in texts(svg):
        check_words("", said, Pixels(svg))


def test_a_piece_without_an_edge_on_its_own_colour_is_found() -> None:
    white = PAINTS["white"].fill
    for shape in (
        element("circle", cx=100, cy=100, r=20, fill=white),
        element("rect", x=90, y=90, width=30, height=30, fill=white),
        element("polygon", points="90,90 120,90 105,120", fill=white),
        element("path", d="M90 90L120 90L105 120Z", fill=white),
        element("path", d="M-50 0L50 0L0 50Z", transform="translate(100 90) rotate(20) scale(0.300)", fill=white),
        group(element("ellipse", cx=100, cy=100, rx=20, ry=10), fill=white),
    ):
        svg = looked_at(shape, ground=PANEL)
        (piece,) = pieces(svg)
        with pytest.raises(Broken, match=r"the white piece at \d+, \d+ on #fffaf0 has a contrast of 1.0"):
            check_piece("", piece, Pixels(svg))

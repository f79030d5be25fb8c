"""Pictures and text boards: words that can be read, names that stay names, nothing of the program's own spelling."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

import msgspec

from referee.conformance.playing import Broken, moments, one_of, where, who
from referee.contract import View
from referee.options import Rng, shuffled
from referee.pictures.drawing import Box, png, text_box
from referee.pictures.poster import WIDTH
from referee.table import AnyGame, Table

SVG = "{http://www.w3.org/2000/svg}"
# What a picture is made of: nothing that runs, loads or refers to anything outside.
ELEMENTS = ("svg", "title", "desc", "g", "rect", "path", "circle", "ellipse", "line", "polyline", "polygon", "text")
SMALLEST = 600  # pixels across that a picture is asked for
TOUCHING = 1.5  # pixels: letters do not fill the boxes that they are measured by
# `air_abacus`, `{amount}`, `cash None`; a sentence may begin with “None”.
RAW_KEY = re.compile(r"\S*(?:[{}]|\w_\w)\S*|(?<=[\w:,(] )None\b")
# Names that people give themselves: markup, very wide, other alphabets, control characters, nothing at all.
HOSTILE = (
    "<b>&\"'</b><script>x</script>&amp;",
    "W" * 32,
    "Ἀλέξανδρος Παπαδόπουλος Ωνάσης",
    "日本航空 ✈ Łódź",
    "a\x1b[31m\nb",
    "",
    "x" * 200,
    "{seat}",
)


def check_pictures(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """In every picture all words are inside and none covers another; picture and text say what is asked, on which
    board, in words for people; a hostile name stays a name."""
    for moment, close_look in moments(game, rng, every):
        if close_look:
            seat = one_of((None, *range(game.seats)), rng)
            view = moment.table.view(seat)
            svg = game.picture(view)
            check_labels(moment.table, seat, svg)
            check_wording(moment.table, seat, view, svg)
            renamed = msgspec.structs.replace(view, players=tuple(shuffled(HOSTILE, rng)[: game.seats]))
            check_names(moment.table, seat, renamed)
    if not png(svg, SMALLEST).startswith(b"\x89PNG"):
        raise Broken(f"{where(moment.table)}: the picture for {who(seat)} cannot be drawn in pixels")


def check_labels(table: Table, seat: int | None, svg: str) -> None:
    """Every word is inside the picture and can be read."""
    place = f"{where(table)}, the picture for {who(seat)}"
    whole = view_box(svg)
    if whole.width != WIDTH:
        raise Broken(f"{place} is {whole.width:g} wide: make it {WIDTH}, as all are (`poster` does)")
    found = labels(svg)
    for words, box in found:
        if not whole.holds(box):
            raise Broken(f"{place}: “{words}” reaches out of the picture: move it, or shorten it with `fit`")
    clash = next(overlaps(found), None)
    if clash:
        words, other, pixels = clash
        raise Broken(
            f"{place}: the labels “{words}” and “{other}” overlap by {pixels} px: "
            "move one in chart.py or drawing.py, or shorten it with `fit`"
        )


def check_wording(table: Table, seat: int | None, view: View, svg: str) -> None:
    """The decision and the board are named, and no key of the program is shown."""
    text = table.game.text(view)
    shown = {"picture": "\n".join(part.text or "" for part in ET.fromstring(svg).iter()), "text board": text}
    for thing, words in shown.items():
        place = f"{where(table)}, the {thing} for {who(seat)}"
        raw_key = RAW_KEY.search(words)
        if raw_key:
            raise Broken(
                f"{place} says “{raw_key[0]}”: that is for programs; write the name that the board or the vocabulary "
                "has for it"
            )
        said = " ".join(words.split())
        for decision in view.decisions:
            if decision.required and decision.prompt not in said:
                raise Broken(f"{place} does not say what is asked: “{decision.prompt}” (`headline` does)")
        if view.board.name not in said:
            raise Broken(f"{place} does not say on which board it is: {view.board.name} (`fidelity_line` does)")
    _check_printable(table, seat, text)


def check_names(table: Table, seat: int | None, view: View) -> None:
    """What a player is called neither spoils the picture, nor becomes a part of it, nor commands a terminal."""
    svg = table.game.picture(view)
    check_labels(table, seat, svg)
    strange = sorted({part.tag.removeprefix(SVG) for part in ET.fromstring(svg).iter()}.difference(ELEMENTS))
    if strange:
        raise Broken(f"{where(table)}: the picture for {who(seat)} has elements that no picture needs: {strange}")
    _check_printable(table, seat, table.game.text(view))


def _check_printable(table: Table, seat: int | None, text: str) -> None:
    strange = next((c for c in text if (not c.isprintable() and c != "\n") or "\u2500" <= c <= "\u259f"), None)
    if strange:
        raise Broken(
            f"{where(table)}: the text board for {who(seat)} has the character {strange!r}: names go through "
            "`player_name`, and lines are not drawn, since a screen reader would read them out"
        )


def overlaps(found: Sequence[tuple[str, Box]]) -> Iterator[tuple[str, str, int]]:
    """Labels that cover one another, and by how many pixels one of them has to move at the least.

    A piece has one letter or number on it and may stand where something is written; all else is a label.
    """
    written = sorted(((words, box) for words, box in found if len(words) > 1), key=lambda label: label[1].y)
    for index, (words, box) in enumerate(written):
        for other, other_box in written[index + 1 :]:
            down = box.y + box.height - other_box.y
            if down <= TOUCHING:
                break
            across = min(box.x + box.width, other_box.x + other_box.width) - max(box.x, other_box.x)
            if across > TOUCHING:
                yield words, other, round(min(across, down, other_box.height))


def labels(svg: str) -> list[tuple[str, Box]]:
    """Every text of a picture and what it covers."""
    root = ET.fromstring(svg)
    if any(part.get("transform") for part in root.iter() if part.find(f".//{SVG}text") is not None):
        raise Broken("a text is inside an element with a transform: nobody knows where it stands; place it by x and y")
    found = []
    for part in root.iter(f"{SVG}text"):
        size, words = float(part.get("font-size", "")), part.text or ""
        spread = float(part.get("letter-spacing", 0)) * len(words)
        bold, anchor = part.get("font-weight") == "bold", part.get("text-anchor", "start")
        box = text_box(float(part.get("x", "")), float(part.get("y", "")), words, size, bold, anchor)
        found.append((words, box._replace(width=box.width + spread)))
    return found


def view_box(svg: str) -> Box:
    return Box(*map(float, ET.fromstring(svg).get("viewBox", "").split()))

"""Pictures and text boards: words that can be read, names that stay names, nothing of the program's own spelling.

What is asked for only of a game that has `parts` is in `check_readable` and `check_columns`.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

import msgspec

from referee.conformance.legibility import check_legibility
from referee.conformance.playing import Broken, moments, one_of, where, who
from referee.contract import View
from referee.options import Rng, shuffled
from referee.pictures.drawing import Box, png, text_box
from referee.pictures.poster import WIDTH
from referee.pictures.wording import COLUMNS
from referee.table import AnyGame, Table

SVG = "{http://www.w3.org/2000/svg}"
# What a picture is made of: nothing that runs, loads or refers to anything outside.
ELEMENTS = ("svg", "title", "desc", "g", "rect", "path", "circle", "ellipse", "line", "polyline", "polygon", "text")
SMALLEST = 600  # pixels across that a picture is asked for
LONGEST_NAME = 32  # letters, that the service takes
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
            if game.parts:
                check_readable(moment.table, seat, view, svg)
                check_columns(moment.table, seat, view)
                cut = tuple(name[:LONGEST_NAME] for name in renamed.players)
                check_columns(moment.table, seat, msgspec.structs.replace(view, players=cut))
    if not png(svg, SMALLEST).startswith(b"\x89PNG"):
        raise Broken(f"{where(moment.table)}: the picture for {who(seat)} cannot be drawn in pixels")


def check_labels(table: Table, seat: int | None, svg: str) -> None:
    """Every word is inside the picture and can be read."""
    place = f"{where(table)}, the picture for {who(seat)}"
    whole = view_box(svg)
    if whole.width != WIDTH:
        raise Broken(f"{place} is {whole.width:g} wide: make it {WIDTH}, as all are (`poster` does)")
    _check_inside(place, whole, labels(svg))


def _check_inside(place: str, whole: Box, found: Sequence[tuple[str, Box]]) -> None:
    """No word reaches out of what is shown, and none covers another."""
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


def check_readable(table: Table, seat: int | None, view: View, svg: str) -> None:
    """The whole can be read on a small screen, and each part stands alone: it is a picture, and no word is cut off."""
    place = f"{where(table)}, the picture for {who(seat)}"
    check_legibility(place, svg)
    for part in table.game.parts:
        drawn, alone = table.game.picture(view, part), f"{place}, part {part!r}"
        try:
            frame = view_box(drawn)
        except (ET.ParseError, TypeError, ValueError) as error:
            raise Broken(f"{alone}: this is no picture: {error}") from None
        if frame.width <= 0 or frame.height <= 0 or not view_box(svg).holds(frame):
            raise Broken(f"{alone} shows {tuple(frame)}, which is not inside the whole")
        _check_inside(alone, frame, labels(drawn))


def check_columns(table: Table, seat: int | None, view: View) -> None:
    """Text boards fit a phone and a mail: what the decision needs, all of it, and each part."""
    for part in ("", "full", *table.game.parts):
        text = table.game.text(view, part)
        place = f"{where(table)}, the text board for {who(seat)}" + (f", part {part!r}" if part else "")
        if not text.strip():
            raise Broken(f"{place} is empty")
        widest = max(text.splitlines(), key=len)
        if len(widest) > COLUMNS:
            raise Broken(f"{place} has a line of {len(widest)} letters, and {COLUMNS} fit (`folded`): {widest}")
        _check_printable(table, seat, text)


def check_wording(table: Table, seat: int | None, view: View, svg: str) -> None:
    """The decision and the board are named, and no key of the program is shown."""
    text, full = table.game.text(view), table.game.text(view, "full")
    drawn = "\n".join(part.text or "" for part in ET.fromstring(svg).iter())
    shown = {"picture": drawn, "text board": text, "full text board": full}
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
        is_short = thing == "text board" and table.game.parts  # no line that is the same every turn
        if view.board.name not in said and not is_short:
            raise Broken(f"{place} does not say on which board it is: {view.board.name} (`fidelity_line` does)")
        if words is not drawn:
            _check_printable(table, seat, words)


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

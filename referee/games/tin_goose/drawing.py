"""The table of Tin Goose as a poster: the United States, this turn, the three tracks, and what the players own.

Drawn from a view and the board alone. Each player's colour has its letter, for readers who cannot tell colours apart.
"""

from collections.abc import Iterator, Sequence

from referee.contract import View
from referee.games.tin_goose import panels
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.chart import FRAME
from referee.games.tin_goose.components import Destination
from referee.games.tin_goose.events import dollars
from referee.games.tin_goose.map_drawing import LEFT, PLAIN, RIGHT, badge, livery, map_drawing
from referee.games.tin_goose.text import card_lines, round_line, rounds_line
from referee.pictures.drawing import (
    ACCENT,
    FAINT,
    INK,
    PANEL,
    PAPER,
    RULE,
    Box,
    Paint,
    Svg,
    chip,
    chip_width,
    disc,
    element,
    fit,
    group,
    heading,
    lines,
    mark,
    plane,
    text,
    text_width,
)
from referee.pictures.poster import WIDTH, Section, foot, masthead, poster
from referee.pictures.wording import fidelity_line, headline, player_name, results

CURRENT = "#e3b95f"
LEGEND = 64  # below the map


def picture(board: Board, view: View, part: str = "") -> str:
    bottom = FRAME.y + FRAME.height + LEGEND
    sections: list[tuple[str, float, Svg]] = []  # of which part, where it ends
    y = bottom
    for name, draw in (("market", _turn), ("track", _tracks), ("players", panels.players)):
        drawn, y = draw(board, view, y + 6)
        sections.append((name, y, drawn))
    height = y + 50
    described = " ".join(
        [headline(view, dollars), round_line(board, view), *card_lines(board, view), fidelity_line(view)]
    )
    return poster(
        view,
        "Tin Goose",
        described,
        height,
        Section(
            "map", Box(0, FRAME.y - 10, WIDTH, FRAME.height + LEGEND + 10), group(*map_drawing(board, view, height))
        ),
        *_head(board, view),
        *_stacked(sections, bottom),
        foot(view, LEFT, RIGHT, y + 30),
        part=part,
    )


def _stacked(sections: Sequence[tuple[str, float, Svg]], top: float) -> Iterator[Section]:
    """Sections below each other, each with its box."""
    for name, bottom, drawn in sections:
        yield Section(name, Box(0, top, WIDTH, bottom - top), drawn)
        top = bottom


def _head(board: Board, view: View) -> Iterator[Svg]:
    status = round_line(board, view)
    yield from masthead("Tin Goose", status, LEFT, RIGHT, *(paint.fill for paint in panels.ERAS.values()))
    yield plane(RIGHT - text_width(status, 20) - 48, 41, 46, Paint(PAPER, PAPER, INK, ""))
    yield from _banner(view)


def _banner(view: View) -> Iterator[Svg]:
    """Who is asked what; or the result."""
    room = RIGHT - LEFT
    question = headline(view, dollars)
    size = 21 if text_width(question, 21, True) <= room else 19
    first, *more = lines(question, room, size, True)
    second = results(view, dollars) or " ".join(more)
    yield text(LEFT, 108 if second else 121, first, size, bold=True)
    if second:
        yield text(LEFT, 133, fit(second, room, 19, bool(more)), 19, bold=bool(more))


# This turn


def _turn(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The card that is played, its auction or its payments, the actions; before the first turn, the airmail routes."""
    if view.table.airmail:
        return _airmail(board, view, y)
    parts, top = [heading(LEFT, y + 18, "This turn")], y + 32
    card, x = view.table.card, LEFT
    if card:
        parts.append(panels.era_card(board, card, LEFT, top, panels.CARD_WIDTH))
        x += panels.CARD_WIDTH + 20
    said = card_lines(board, view)[bool(card) :]  # the card is drawn
    who = player_name(view, view.table.active)
    if card:
        said = [f"Played by {who}.", *said]
    elif not said:
        now = "goes on to the actions" if view.phase == "actions" else "is to play a card"
        said = ["The game is over."] if view.ending else [f"{who} {now}."]
    line = top
    for words in (row for sentence in said for row in lines(sentence, RIGHT - x, 20)):
        parts.append(text(x, line + 20, words, 20))
        line += 27
    return group(*parts), max(line, top + panels.CARD_HEIGHT if card else 0) + 12


def _airmail(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The routes that may still be chosen; on the map they are dashed."""
    bonus = f"each pays ${board.constants.airmail_bonus} for reaching its second city"
    parts = [
        heading(LEFT, y + 18, "Airmail routes to choose from"),
        text(RIGHT, y + 18, bonus, 18, anchor="end", fill=FAINT),
    ]
    x, y = LEFT, y + 46
    for route in view.table.airmail:
        label = board.route_name(route)
        if x + chip_width(label, 20) > RIGHT:
            x, y = LEFT, y + 36
        parts.append(mark("airmail", route, chip(x, y, label, PLAIN._replace(edge=ACCENT), 20)))
        x += chip_width(label, 20) + 10
    return group(*parts), y + 32


# The three tracks


def _tracks(board: Board, view: View, y: float) -> tuple[Svg, float]:
    parts = []
    for draw in (_international, _income, _hazard):
        drawn, y = draw(board, view, y)
        parts.append(drawn)
        y += 14
    return group(*parts), y


def _international(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The destinations with their rounds, sizes and prices, and who serves them."""
    gap, height, number = 8.0, 132.0, len(board.international)
    width = (RIGHT - LEFT - gap * (number - 1)) / number
    parts = [heading(LEFT, y + 18, "International track")]
    for index, destination in enumerate(board.international):
        x = LEFT + index * (width + gap)
        is_open = destination.id == view.table.destination and not view.ending
        box = element(
            "rect", x=x, y=y + 30, width=width, height=height, rx=4, fill=CURRENT if is_open else PANEL,
            stroke=ACCENT if is_open else RULE, stroke_width=3 if is_open else 1.2,
        )  # fmt: skip
        rounds = f"{rounds_line(destination.rounds)}{', now' if is_open else ''}"
        words = [
            text(x + 10, y + 54, fit(destination.name, width - 16, 19, True), 19, bold=True),
            text(x + 10, y + 78, fit(rounds, width - 14, 18), 18),
            text(x + 10, y + 102, fit(f"size {destination.size}, ${destination.cost}", width - 14, 18), 18),
        ]
        parts.append(mark("destination", destination.id, box, *words))
        parts += _served(view, destination, x + 22, y + 136, width - 44)
    return group(*parts), y + 30 + height


def _served(view: View, destination: Destination, x: float, y: float, room: float) -> list[Svg]:
    there = [seat for seat, player in enumerate(view.table.players) if destination.id in player.international]
    step = min(40, room / max(1, len(there) - 1))
    return [badge(x + step * index, y, livery(seat), 0.85) for index, seat in enumerate(there)]


def _income(board: Board, view: View, y: float) -> tuple[Svg, float]:
    boxes = [player.income_box for player in view.table.players]
    labels = list(map(str, board.income_track.boxes))
    return _track("Income track", "what a player collects", labels, boxes, y)


def _hazard(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """Beyond the printed track the markers stand on its last box; the players' panels have the numbers."""
    last = board.hazard_track.printed
    flames = [min(player.hazard, last) for player in view.table.players]
    labels = [*map(str, range(last)), f"{last}+"]
    return _track("Hazard track", "flames of fleets, extensions and conditions", labels, flames, y)


MOST_BOXES = 31  # in a row


def _track(title: str, note: str, labels: Sequence[str], places: Sequence[int], y: float) -> tuple[Svg, float]:
    """Rows of boxes; markers that share one stand on each other."""
    parts = [heading(LEFT, y + 18, title), text(RIGHT, y + 18, note, 18, anchor="end", fill=FAINT)]
    top = y + 30
    rows = -(-len(labels) // MOST_BOXES)
    a_row = -(-len(labels) // rows)
    for start in range(0, len(labels), a_row):
        here = range(start, min(start + a_row, len(labels)))
        drawn, top = _boxes(labels, places, here, (RIGHT - LEFT) / a_row, top)
        parts += drawn
    return group(*parts), top


def _boxes(
    labels: Sequence[str], places: Sequence[int], here: range, cell: float, top: float
) -> tuple[list[Svg], float]:
    """One row of a track, and where it ends."""
    parts, radius = [], 14.0
    most = max(1, *(places.count(place) for place in here))
    height = 27 + most * (2 * radius + 3) + 3
    for column, index in enumerate(here):
        x, taken = LEFT + column * cell, index in places
        parts.append(
            element(
                "rect", x=x + 1, y=top, width=cell - 2, height=height, rx=3, fill=CURRENT if taken else PANEL,
                fill_opacity=0.55 if taken else 1, stroke=RULE,
            )
        )  # fmt: skip
        fill = INK if taken else FAINT
        parts.append(text(x + cell / 2, top + 20, labels[index], 18, bold=taken, anchor="middle", fill=fill))
    standing: dict[int, int] = {}
    for seat, place in enumerate(places):
        if place in here:
            level = standing[place] = standing.get(place, 0) + 1
            line = top + 27 + (level - 0.5) * (2 * radius + 3)
            parts.append(disc(LEFT + (place - here[0] + 0.5) * cell, line, radius, livery(seat)))
    return parts, top + height + 4

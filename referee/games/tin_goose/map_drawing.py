"""The map of Tin Goose: the country with its hexes and lines, demand in the cities, planes below them, and envelopes
where airmail is to go. Cities and the airmail routes on offer are marked."""

from collections.abc import Iterator

from referee.contract import View
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.chart import CITY, FRAME, GOAL, NAME_SIZE, chart, fan
from referee.games.tin_goose.state import DemandTokens
from referee.pictures.drawing import (
    ACCENT,
    INK,
    LAND,
    PAINTS,
    PANEL,
    RULE,
    SEA,
    Paint,
    Svg,
    element,
    group,
    mark,
    number,
    path,
    text,
    text_width,
)
from referee.pictures.maps import SHORE, frame_lines, paper_around, written

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
SEATS = ("red", "yellow", "white", "brown", "orange")  # no colour of a city
CITIES = {"green": "#1d7a3c", "black": "#26282b", "magenta": "#b3248f", "blue": "#2464b4"}
GOLD, SILVER = Paint("#f0b429", "#7a5800", "#2e2100", ""), Paint("#cfd6da", "#5c666c", "#1f2a30", "")
HEX = "#86703c"
PLAIN = Paint(PANEL, RULE, INK, "")


def livery(seat: int) -> Paint:
    return PAINTS[SEATS[seat]]


# An airliner from above, its nose up, with a body broad enough for a letter that can be read on a phone.
BROAD_AIRLINER = (
    "M0-23C5-23 7-17 9-11L12-6L23-1L23 6L12 8C12 12 8 15 5 16L9 20L9 23L0 21L-9 23L-9 20L-5 16C-8 15-12 12-12 8"
    "L-23 6L-23-1L-12-6L-9-11C-7-17-5-23 0-23Z"
)


def airliner(x: float, y: float, paint: Paint, scale: float) -> Svg:
    """A plane of a player."""
    return element(
        "path", d=BROAD_AIRLINER, transform=f"translate({number(x)} {number(y)}) scale({scale:.2f})", fill=paint.fill,
        stroke=_dark(paint), stroke_width=1.8 / scale, stroke_linejoin="round",
    )  # fmt: skip


def badge(x: float, y: float, paint: Paint, scale: float = 0.93) -> Svg:
    """The same with the letter of its colour."""
    letter = text(x, y + 6.8, paint.letter, 18, bold=True, anchor="middle", fill=paint.ink)
    return group(airliner(x, y, paint, scale), letter)


def _dark(paint: Paint) -> str:
    return INK if paint == PAINTS["white"] else paint.edge


def map_drawing(board: Board, view: View, height: float) -> Iterator[Svg]:
    """The map in its frame. Paper covers the rest of the poster, so that the shores end at the frame."""
    drawn, table = chart(board), view.table
    shore = path(drawn.outline, closed=True)
    yield element("rect", x=FRAME.x, y=FRAME.y, width=FRAME.width, height=FRAME.height, fill=SEA)
    yield element("path", d=shore, fill="none", stroke=PANEL, stroke_opacity=0.5, stroke_width=8)
    yield element("path", d=shore, fill=LAND, stroke=SHORE, stroke_width=1.4, stroke_linejoin="round")
    hexes = "".join(path(corners, closed=True) for corners in drawn.hexes)
    yield element("path", d=hexes, fill="none", stroke=HEX, stroke_width=2.4, stroke_dasharray="7 4")
    for line in board.thick_lines:
        way = path((drawn.cities[line.a], drawn.cities[line.b]))
        yield element("path", d=way, stroke=PANEL, stroke_width=8, stroke_opacity=0.6)
        yield element("path", d=way, stroke=INK, stroke_width=5)
    for route in map(board.airmail.__getitem__, table.airmail):
        way = path((drawn.cities[route.start], drawn.cities[route.destination]))
        yield mark("airmail", route.id, element("path", d=way, stroke=ACCENT, stroke_width=4, stroke_dasharray="12 7"))
    for city, (x, y) in drawn.cities.items():
        yield mark("city", city, _city(board, city, x, y, table.demand.get(city)))
    yield from _goals(board, view)
    for city, (x, y) in drawn.cities.items():
        there = [seat for seat, player in enumerate(table.players) if city in player.cities]
        for seat, (dx, dy) in zip(there, fan(len(there)), strict=True):
            yield badge(x + dx, y + dy, livery(seat))
    yield from written(drawn.names, {city.id: city.name for city in board.cities}, NAME_SIZE, halo=LAND)
    yield paper_around(FRAME, height)
    yield from frame_lines(FRAME)
    yield from _legend(view, FRAME.y + FRAME.height + 34)


def _city(board: Board, city: str, x: float, y: float, demand: DemandTokens | None) -> Svg:
    """A ring in the colour of the city, square for a major one; inside it the demand."""
    colour = CITIES.get(board.city[city].colour, INK)
    inside = PLAIN if demand is None else GOLD if demand.gold else SILVER
    sign = _sign(x, y, colour, inside.fill, board.city[city].major)
    if demand is None:
        return sign
    words = str(demand.gold + demand.silver)
    return group(sign, text(x, y + 6.4, words, 19, bold=True, anchor="middle", fill=inside.ink))


def _sign(x: float, y: float, colour: str, fill: str, major: bool) -> Svg:
    size = CITY - 2.2
    if major:
        edge = element(
            "rect", x=x - CITY - 1.2, y=y - CITY - 1.2, width=2 * CITY + 2.4, height=2 * CITY + 2.4, fill=PANEL
        )
        inner = element(
            "rect", x=x - size, y=y - size, width=2 * size, height=2 * size, fill=fill, stroke=colour, stroke_width=4.4
        )
        return group(edge, inner)
    edge = element("circle", cx=x, cy=y, r=CITY + 1.2, fill=PANEL)
    return group(edge, element("circle", cx=x, cy=y, r=size, fill=fill, stroke=colour, stroke_width=4.4))


def _goals(board: Board, view: View) -> Iterator[Svg]:
    """An envelope of each player beside the city where the airmail still has to go (TG-F24)."""
    goals = chart(board).goals
    waiting: dict[str, int] = {}
    for seat, player in enumerate(view.table.players):
        if player.airmail:
            city = board.airmail[player.airmail].destination
            x, y = goals[city]
            waiting[city] = waiting.get(city, -1) + 1
            yield envelope(x, y - waiting[city] * (GOAL.height + 2), livery(seat))


def envelope(x: float, y: float, paint: Paint) -> Svg:
    edge = _dark(paint)
    flap = path([(x, y), (x + GOAL.width / 2, y + 8), (x + GOAL.width, y)])
    return group(
        element(
            "rect", x=x, y=y, width=GOAL.width, height=GOAL.height, rx=2, fill=paint.fill, stroke=edge, stroke_width=2
        ),
        element("path", d=flap, fill="none", stroke=edge, stroke_width=1.5),
        text(x + GOAL.width / 2, y + 21, paint.letter, 18, bold=True, anchor="middle", fill=paint.ink),
    )


HEXAGON = ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))


def _legend(view: View, y: float) -> Iterator[Svg]:
    """What the signs on the map mean."""
    signs = (
        ("city", 36), ("major city", 36), ("gold demand", 36), ("silver demand", 36), ("thick line", 44), ("hex", 38),
        ("plane", 44), ("airmail goal", 38),
    )  # fmt: skip
    gap = (RIGHT - LEFT - sum(room + text_width(words, 18) for words, room in signs)) / (len(signs) - 1)
    x, places = LEFT, []
    for words, room in signs:
        yield text(x + room, y + 6, words, 18)
        places.append(x + 16)
        x += room + text_width(words, 18) + gap
    yield _sign(places[0], y, CITIES["green"], PANEL, False)
    yield _sign(places[1], y, CITIES["blue"], PANEL, True)
    for place, paint, words in ((places[2], GOLD, "1"), (places[3], SILVER, "3")):
        yield _sign(place, y, CITIES["magenta"], paint.fill, False)
        yield text(place, y + 6.4, words, 19, bold=True, anchor="middle", fill=paint.ink)
    yield element("line", x1=places[4] - 15, x2=places[4] + 21, y1=y, y2=y, stroke=INK, stroke_width=5)
    corners = [(places[5] + 14 * dx, y + 14 * dy) for dx, dy in HEXAGON]
    yield element("path", d=path(corners, closed=True), fill="none", stroke=HEX, stroke_width=2.4)
    yield badge(places[6], y, livery(view.you or 0))
    yield envelope(places[7] - GOAL.width / 2, y - GOAL.height / 2, livery(view.you or 0))

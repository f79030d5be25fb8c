"""The table of Spike as a poster: the lattice, the market, the rail cards, and what the players have.

Drawn from a view and the board alone. What a city means to the viewer stands under its plate: a crate where cargo of
an open contract is loaded, the pay of a delivery, a diamond for a city of the own route.
"""

from collections.abc import Iterator
from functools import lru_cache

from referee.contract import View
from referee.games.spike.board import Board
from referee.games.spike.chart import FRAME_WIDTH, FRAME_X, SIZE
from referee.games.spike.hints import open_contracts
from referee.games.spike.panels import players_panel, table_panel
from referee.games.spike.pieces import PAWN, crate, diamond, engine, livery, pawn, pay_chip, pay_width, rail, track
from referee.games.spike.text import dollars, round_line
from referee.games.spike.view import PlayerView
from referee.pictures.drawing import (
    INK,
    LAND,
    PANEL,
    PAPER,
    SEA,
    Box,
    Paint,
    Svg,
    element,
    fit,
    group,
    mark,
    path,
    text,
    text_width,
)
from referee.pictures.maps import frame_lines
from referee.pictures.poster import Section, banner, foot, masthead, poster
from referee.pictures.wording import fidelity_line, headline, results

LEFT, RIGHT = FRAME_X, FRAME_X + FRAME_WIDTH
GROUND = "#f6f0e0"  # of plates
STEPS = range(-72, 73, 8)  # aside from its place, where a locomotive may stand
CLOSE = 0.4  # how much of what it hides a step of one is worth


def picture(board: Board, view: View, part: str = "") -> str:
    frame = board.chart.frame
    bottom = frame.y + frame.height
    legend = 66 if view.you is not None else 38
    table, y = table_panel(board, view, bottom + legend + 22)
    players, end = players_panel(board, view, y + 14)
    described = f"{headline(view, dollars)} {round_line(board, view)} {fidelity_line(view)}"
    width = RIGHT - LEFT
    drawn_map = group(*_map(board, view), *_legend(board, view, bottom + 28))
    return poster(
        view,
        "Spike",
        described,
        end + 48,
        *_head(board, view),
        Section("map", Box(LEFT - 8, frame.y - 8, width + 16, frame.height + legend + 16), drawn_map),
        Section("market", Box(LEFT, bottom + legend + 22, width, y - bottom - legend - 22).grown(6), table),
        Section("players", Box(LEFT, y + 14, width, end - y - 14).grown(6), players),
        foot(view, LEFT, RIGHT, end + 32),
        part=part,
    )


def _head(board: Board, view: View) -> Iterator[Svg]:
    status = round_line(board, view)
    yield from masthead("Spike", status, LEFT, RIGHT, spacing=9)
    yield engine(RIGHT - text_width(status, 20) - 40, 42, 44, Paint(PAPER, PAPER, INK, ""))
    yield from banner(headline(view, dollars), results(view, dollars), LEFT, RIGHT, 108, 133)


# The map


def _map(board: Board, view: View) -> Iterator[Svg]:
    chart, table = board.chart, view.table
    frame = chart.frame
    yield element("rect", x=frame.x, y=frame.y, width=frame.width, height=frame.height, fill=SEA)
    land = "".join(path([chart.points[place] for place in corners], closed=True) for corners in chart.land)
    for stroke, breadth in ((PANEL, 64), (LAND, 52)):
        yield element("path", d=land, fill=LAND, stroke=stroke, stroke_width=breadth, stroke_linejoin="round")
    yield from frame_lines(frame)
    owners = {space: seat for seat, player in enumerate(table.players) for space in player.tracks}
    for segment in board.segments:
        if segment.id not in owners:
            yield rail(segment.rail, *chart.spaces[segment.id])
    for space, seat in owners.items():
        yield mark("space", space, track(chart.spaces[space], chart.letters[space], livery(seat)))
    for junction in board.junctions:
        yield mark("path", junction.id, _tag(chart.tags[junction.id], junction.name))
    prices = {chip: board.market.rows[row] for column in table.market for row, chip in enumerate(column)}
    for city in board.cities:
        plate = _plate(chart.plates[city.id], board.goods[city.commodity], prices[city.commodity])
        label = chart.labels[city.id]
        name = text(label.x, label.y, city.name, SIZE, bold=True, anchor="middle", halo=PANEL)
        yield mark("city", city.id, mark("space", city.id, mark("path", city.id, plate, name)))
    signs = dict(_signs(board, view))
    yield from signs.values()
    yield from _trains(board, view, signs)


@lru_cache(maxsize=1024)
def _tag(box: Box, name: str) -> Svg:
    """A junction with its name."""
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return group(
        element("rect", **box._asdict(), rx=7, fill=GROUND, stroke=INK, stroke_width=1.2),
        text(x, y + 6.2, name, SIZE, anchor="middle"),
    )


@lru_cache(maxsize=1024)
def _plate(box: Box, goods: str, price: int) -> Svg:
    """A city: what it supplies, and what connecting it pays now."""
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return group(
        element("rect", **box._asdict(), rx=6, fill=PANEL, stroke=INK, stroke_width=2.4),
        text(x, y - 4, fit(goods, box.width - 5, SIZE), SIZE, anchor="middle"),
        text(x, y + 15, f"${price}", SIZE, bold=True, anchor="middle"),
    )


def _signs(board: Board, view: View) -> Iterator[tuple[str, Svg]]:
    """What cities mean to the viewer, under their plates."""
    if view.you is None or view.ending:
        return
    own: PlayerView = view.table.players[view.you]
    used = {contract.delivered for contract in own.contracts.values()}
    held = open_contracts(own)
    on_route = {city for route in own.routes or () for city in (board.route[route].start, *board.route[route].cities)}
    for city in board.cities:
        pays = [board.contract[contract.card].side(contract.side).get(city.id, 0) for contract in held.values()]
        value = max(pays, default=0) if city.id not in used else 0
        contract = held.get(city.commodity)
        strip = board.chart.strips[city.id]
        x, y = strip.x + 9, strip.y + strip.height / 2 + 1
        parts = []
        if contract and not contract.aboard:
            parts.append(crate(x, y))
            x += 19
        if city.id in on_route:
            parts.append(diamond(x, y))
            x += 19
        if value:
            parts.append(pay_chip(strip.x + strip.width - pay_width(value), y, value))
        if parts:
            yield city.id, group(*parts)


def _trains(board: Board, view: View, signs: dict[str, Svg]) -> Iterator[Svg]:
    """The locomotives: on their track, or beside the plate of their city where they hide least."""
    chart = board.chart
    width, height = PAWN
    taken = [
        *(label.box for label in chart.labels.values()),
        *chart.plates.values(),
        *(chart.strips[city] for city in signs),
        *chart.tags.values(),
    ]
    for seat, player in enumerate(view.table.players):
        if not player.at:
            continue
        x, y = chart.points[player.at] if player.at in board.city else chart.letters[player.at]
        near = [box for box in taken if box.overlaps(Box.around(x, y, 150))]
        spots = ((x + dx, y + dy) for dx in STEPS for dy in STEPS)
        places = [Box(left - width / 2, top - height / 2, width, height) for left, top in spots]
        best = min(
            (place for place in places if chart.frame.holds(place)),
            key=lambda place: (
                sum(place.overlap(box) for box in near)
                + CLOSE * (abs(place.x + width / 2 - x) + abs(place.y + height / 2 - y))
            ),
        )
        taken.append(best)
        yield pawn(best.x + width / 2, best.y + height / 2, livery(seat))


def _legend(board: Board, view: View, y: float) -> Iterator[Svg]:
    """The rail types, and what stands on and under a plate."""
    width = (RIGHT - LEFT) / len(board.rail_types)
    for index, kind in enumerate(board.rail_types):
        x = LEFT + index * width
        yield rail(kind.id, (x, y), (x + 44, y))
        yield text(x + 51, y + 6, fit(kind.name, width - 56, SIZE), SIZE)
    if view.you is None:
        return
    y += 28
    signs = (
        (crate(LEFT + 9, y), 18.0, "you load here"),
        (pay_chip(LEFT + 190, y, 9), 208.0, "your best pay for a delivery"),
        (diamond(LEFT + 480, y), 488.0, "on your route"),
    )
    for sign, x, words in signs:
        yield sign
        yield text(LEFT + x + 8, y + 6, words, SIZE)
    yield text(RIGHT, y + 6, "on a plate: what a city supplies, and pays when connected", SIZE, anchor="end")

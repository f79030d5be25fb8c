"""The table of Spike as a poster: the lattice, the market, the rail cards, and what the players have.

Drawn from a view and the board alone. Rail types are told apart by colour and by pattern, players by colour and letter.
"""

from collections.abc import Iterator
from math import atan2, cos, sin

from referee.contract import View, counted
from referee.games.spike.board import Board
from referee.games.spike.chart import (
    CITY,
    FRAME_WIDTH,
    FRAME_X,
    GOODS_SIZE,
    JUNCTION,
    NAME_SIZE,
    NUMBER_SIZE,
    Point,
)
from referee.games.spike.text import OUT, contract_line, dollars, round_line, route_line, space_name, train_line
from referee.pictures.drawing import (
    ACCENT,
    FAINT,
    INK,
    LAND,
    PAINTS,
    PANEL,
    PAPER,
    RULE,
    SEA,
    Box,
    Paint,
    Svg,
    disc,
    element,
    fit,
    group,
    number,
    panel,
    path,
    text,
    text_width,
)
from referee.pictures.maps import frame_lines
from referee.pictures.poster import banner, foot, masthead, poster
from referee.pictures.wording import fidelity_line, headline, player_name, results, seat_notes

LEFT, RIGHT = FRAME_X, FRAME_X + FRAME_WIDTH
RAIL = 9.0  # the breadth of a free space
LIVERIES = (  # of the players: no colour of a rail type
    Paint("#ef8523", "#6b3300", "#2e1600", "O"),
    Paint("#8250a8", "#3a1c50", "#ffffff", "V"),
    Paint("#8a5a34", "#3a2110", "#ffffff", "N"),
    Paint("#e77fb3", "#7a1f4d", "#38061f", "P"),
)
STOCK = Paint("#5b6770", "#2b3338", "#ffffff", "?")  # of a rail type that the pictures do not know
# What is drawn on a rail of each type: the colour, how broad, and how dashed.
PATTERNS: dict[str, tuple[str, float, str] | None] = {
    "white": None,
    "black": None,
    "blue": ("#ffffff", 4.2, "0 8"),
    "red": ("#ffffff", RAIL - 2.2, "3 5"),
    "yellow": ("#4a3b00", 2.8, "8 6"),
}
CROSSED = "green"
ASIDE = ((0, 0), (0, -22), (0, 22), (-26, -8), (26, -8), (-26, 18), (26, 18), (0, -44), (0, 44), (-50, 0), (50, 0))


def picture(board: Board, view: View) -> str:
    bottom = board.chart.frame.y + board.chart.frame.height
    cards, y = _cards(board, view, bottom + 58)
    players, y = _players(board, view, y + 14)
    height = y + 48
    described = f"{headline(view, dollars)} {round_line(board, view)} {fidelity_line(view)}"
    return poster(
        view,
        "Spike",
        described,
        height,
        *_head(board, view),
        *_map(board, view),
        *_legend(board, bottom + 28),
        cards,
        players,
        foot(view, LEFT, RIGHT, y + 30),
    )


# The head and the foot of the poster


def _head(board: Board, view: View) -> Iterator[Svg]:
    status = round_line(board, view)
    yield from masthead("Spike", status, LEFT, RIGHT, spacing=9)
    yield _engine(RIGHT - text_width(status, 20) - 40, 42, 44, Paint(PAPER, PAPER, INK, ""))
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
    owners = {track: seat for seat, player in enumerate(table.players) for track in player.tracks}
    for segment in board.segments:
        if segment.id not in owners:
            yield rail(segment.rail, *chart.spaces[segment.id])
    for track, seat in owners.items():
        yield _track(chart.spaces[track], _livery(seat))
    for junction in board.junctions:
        x, y = chart.points[junction.id]
        yield element("circle", cx=x, cy=y, r=JUNCTION, fill=INK, stroke=PANEL, stroke_width=1.2)
        x, y = chart.numbers[junction.id]
        yield text(x, y, junction.name, NUMBER_SIZE, anchor="middle", fill="#4a4436", halo=LAND)
    prices = {chip: board.market.rows[row] for column in table.market for row, chip in enumerate(column)}
    for city in board.cities:
        x, y = chart.points[city.id]
        yield _city(x, y, prices[city.commodity])
    for city in board.cities:
        label = chart.labels[city.id]
        yield text(label.x, label.y, city.name, NAME_SIZE, bold=True, anchor="middle", halo=PANEL)
        yield text(label.x, label.y + GOODS_SIZE, board.goods[city.commodity], GOODS_SIZE, anchor="middle", halo=PANEL)
    yield from _trains(board, view)


def rail(kind: str, start: Point, end: Point) -> Svg:
    """A free space in the colour and the pattern of its rail type."""
    paint = PAINTS.get(kind, STOCK)
    parts = [_line(start, end, paint.edge, RAIL), _line(start, end, paint.fill, RAIL - 2.2)]
    pattern = PATTERNS.get(kind)
    if pattern:
        colour, breadth, dashes = pattern
        cap = "round" if dashes.startswith("0") else None
        parts.append(_line(start, end, colour, breadth, dashes, cap))
    elif kind == CROSSED:
        parts.append(_crosses(start, end))
    elif kind not in PATTERNS:
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        parts.append(disc(x, y, 8, paint, kind[:1].upper()))
    return group(*parts)


def _line(
    start: Point, end: Point, colour: str, breadth: float, dashes: str | None = None, cap: str | None = None
) -> Svg:
    return element(
        "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1],
        stroke=colour, stroke_width=breadth, stroke_dasharray=dashes, stroke_linecap=cap,
    )  # fmt: skip


def _crosses(start: Point, end: Point) -> Svg:
    """Small white crosses along a space."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    arm, way = 3.6, ""
    for index in range(max(1, int(length // 12))):
        along = (index + 0.5) * length / max(1, int(length // 12))
        x, y = start[0] + cos(angle) * along, start[1] + sin(angle) * along
        for turn in (angle + 0.785, angle - 0.785):
            dx, dy = cos(turn) * arm, sin(turn) * arm
            way += path([(x - dx, y - dy), (x + dx, y + dy)])
    return element("path", d=way, fill="none", stroke="#ffffff", stroke_width=1.7)


def _track(space: tuple[Point, Point], paint: Paint) -> Svg:
    """A track piece: sleepers and two rails in a player's colour, with the letter."""
    start, end = space
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return group(
        _line(start, end, paint.edge, 17, "3.4 4"),
        _line(start, end, paint.edge, 11),
        _line(start, end, paint.fill, 8),
        disc(x, y, 9, paint),
    )


def _city(x: float, y: float, price: int) -> Svg:
    """A city with what connecting it pays now."""
    return group(
        element("circle", cx=x, cy=y, r=CITY, fill=PANEL, stroke=INK, stroke_width=2.6),
        text(x, y + 6, str(price), 17, bold=True, anchor="middle"),
    )


def _trains(board: Board, view: View) -> Iterator[Svg]:
    """The locomotives, each a little aside if it would cover a name or another one."""
    chart = board.chart
    taken = [label.box for label in chart.labels.values()]
    for seat, player in enumerate(view.table.players):
        if player.at:
            x, y = chart.points[player.at] if player.at in board.city else chart.middle(player.at)
            spots = [(x + dx, y - 3 + dy) for dx, dy in ASIDE]
            places = [Box(left - 20, top - 14, 44, 28) for left, top in spots]
            best = min(range(len(ASIDE)), key=lambda spot: sum(places[spot].overlap(box) for box in taken))
            taken.append(places[best])
            yield _engine(*spots[best], 40, _livery(seat))


def _engine(x: float, y: float, width: float, paint: Paint) -> Svg:
    """A locomotive from the side, its middle at x and y, with the letter of its colour on the cab."""
    scale = width / 40
    body = "M-19 5V-13H-6V-5H4V-13H10V-5H16Q19 -5 19 -1V5Z"
    cow_catcher = "M19 5L24 11H14Z"
    wheels = [
        element(
            "circle",
            cx=x + dx * scale,
            cy=y + 8 * scale,
            r=r * scale,
            fill=PANEL,
            stroke=paint.edge,
            stroke_width=2 * scale,
        )
        for dx, r in ((-12, 5), (0, 4.5), (10, 4.5))
    ]
    shape = element(
        "path", d=body + cow_catcher, fill=paint.fill, stroke=paint.edge, stroke_width=1.8, stroke_linejoin="round",
        transform=f"translate({number(x)} {number(y)}) scale({scale:.3f})",
    )  # fmt: skip
    letter = text(x - 12.5 * scale, y + 1 * scale, paint.letter, 14 * scale, bold=True, anchor="middle", fill=paint.ink)
    return group(shape, *wheels, letter) if paint.letter else group(shape, *wheels)


def _livery(seat: int) -> Paint:
    return LIVERIES[seat % len(LIVERIES)]


def _legend(board: Board, y: float) -> Iterator[Svg]:
    """The rail types, and what the number in a city means."""
    words = "what a new city pays"
    room = RIGHT - LEFT - text_width(words, 16) - 34
    width = room / len(board.rail_types)
    for index, kind in enumerate(board.rail_types):
        x = LEFT + index * width
        yield rail(kind.id, (x, y), (x + 44, y))
        yield text(x + 51, y + 5, fit(kind.name, width - 56, 16), 16)
    yield _city(RIGHT - text_width(words, 16) - 20, y, board.market.rows[0])
    yield text(RIGHT, y + 5, words, 16, anchor="end")


# The market and the rail cards


def _cards(board: Board, view: View, y: float) -> tuple[Svg, float]:
    table, height = view.table, 158
    names = {commodity.id: commodity.name for commodity in board.commodities}
    market_width = 500.0
    parts = [panel(LEFT, y, market_width, height, "Market")]
    column = (market_width - 74) / len(table.market)
    for row, value in enumerate(board.market.rows):
        line = y + 42 + row * (height - 50) / len(board.market.rows)
        parts.append(text(LEFT + 16, line + 21, f"${value}", 20, bold=True))
        for index, chips in enumerate(table.market):
            x = LEFT + 62 + index * column
            parts.append(
                element(
                    "rect", x=x, y=line, width=column - 8, height=29, rx=14, fill=LAND, stroke=INK, stroke_width=1.2
                )
            )
            middle = x + (column - 8) / 2
            parts.append(text(middle, line + 20, fit(names[chips[row]], column - 16, 17), 17, anchor="middle"))
    x = LEFT + market_width + 10
    parts.append(panel(x, y, RIGHT - x, height, "Rail cards"))
    for index, kind in enumerate(table.display):
        parts.append(_card(x + 14 + 84 * index, y + 36, kind))
    if not table.display:
        parts.append(text(x + 14, y + 70, "none face up", 18, fill=FAINT))
    side = x + 14 + 84 * max(board.setup.display, len(table.display)) + 10
    parts.append(text(side, y + 62, f"Deck {table.deck_size}", 24, bold=True))
    discarded = [(kind.id, table.discards[kind.id]) for kind in board.rail_types if table.discards.get(kind.id)]
    parts.append(text(side, y + 92, "Discards" if discarded else "No discards", 16, fill=FAINT))
    for index, (kind, count) in enumerate(discarded):
        parts.append(_stack(side + 72 * (index % 4), y + 114 + 26 * (index // 4), kind, count))
    return group(*parts), y + height


def _card(x: float, y: float, kind: str) -> Svg:
    """A rail card: its rails on paper, and its name."""
    return group(
        element("rect", x=x, y=y, width=74, height=104, rx=6, fill=PANEL, stroke=INK, stroke_width=1.5),
        rail(kind, (x + 12, y + 64), (x + 62, y + 30)),
        rail(kind, (x + 12, y + 44), (x + 62, y + 10)),
        text(x + 37, y + 93, fit(kind, 68, 18, True), 18, bold=True, anchor="middle"),
    )


def _stack(x: float, y: float, kind: str, count: int) -> Svg:
    return group(rail(kind, (x, y), (x + 34, y)), text(x + 40, y + 6, str(count), 17, bold=True))


# The players

NAME_COLUMN = 372.0


def _players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """One box a player: name, money and train on the left, contracts on the right, own cards and routes below."""
    parts = []
    for seat in range(len(view.players)):
        box, drawn = _player(board, view, seat, y)
        parts += drawn
        y += box.height + 10
    return group(*parts), y - 10


def _player(board: Board, view: View, seat: int, y: float) -> tuple[Box, list[Svg]]:
    player, paint = view.table.players[seat], _livery(seat)
    asked = any(decision.seat == seat for decision in view.decisions)
    room = RIGHT - LEFT - NAME_COLUMN - 14
    contracts = [contract_line(board, goods, contract) for goods, contract in player.contracts.items()]
    secrets = 30 * (player.hand is not None) + 26 * len(player.routes or ())
    box = Box(LEFT, y, RIGHT - LEFT, max(126, 18 + 26 * len(contracts)) + secrets)
    parts = [panel(box.x, box.y, box.width, box.height, marked=asked)]
    parts.append(_engine(LEFT + 40, y + 34, 48, paint))
    name = player_name(view, seat)
    size = next((size for size in (20, 18) if text_width(name, size, True) <= NAME_COLUMN - 170), 16)
    parts.append(text(LEFT + 76, y + 32, fit(name, NAME_COLUMN - 170, size, True), size, bold=True))
    parts.append(text(LEFT + NAME_COLUMN - 16, y + 36, f"${player.score}", 30, bold=True, anchor="end"))
    notes = ", ".join(_notes(view, seat))
    parts.append(text(LEFT + 76, y + 53, fit(notes, NAME_COLUMN - 92, 16), 16, fill=ACCENT if asked else FAINT))
    cards, tracks = counted(player.hand_size, "card"), counted(player.tracks_left, "track")
    cities = counted(len(player.cities), "city", "cities")
    parts.append(text(LEFT + 16, y + 76, f"{cards}, {tracks} left, {cities}", 16))
    parts.append(text(LEFT + 16, y + 96, train_line(player), 16))
    if player.at:
        where = f"train at {space_name(board, player.at)}"
        parts.append(text(LEFT + 16, y + 116, fit(where, NAME_COLUMN - 32, 16), 16))
    x = LEFT + NAME_COLUMN
    for index, words in enumerate(contracts):
        goods, _, rest = words.partition(": ")
        line = y + 26 + 26 * index
        done = rest.startswith("delivered")
        fill = FAINT if done else ACCENT if goods.endswith(")") else INK
        head = f"{goods}:"
        parts.append(text(x, line, head, 16, bold=not done, fill=fill))
        width = text_width(head, 16, not done) + 5
        parts.append(text(x + width, line, fit(rest, room - width, 16), 16, fill=FAINT if done else INK))
    line = box.y + box.height - secrets
    if player.hand is not None:
        parts.append(element("line", x1=LEFT + 12, x2=RIGHT - 12, y1=line - 2, y2=line - 2, stroke=RULE))
        parts.append(text(LEFT + 16, line + 20, "Hand", 16, fill=FAINT))
        if not player.hand:
            parts.append(text(LEFT + 70, line + 20, "no cards", 16, fill=FAINT))
        held = [(kind.id, player.hand[kind.id]) for kind in board.rail_types if player.hand.get(kind.id)]
        for index, (kind, count) in enumerate(held):
            place = LEFT + 70 + 180 * index
            parts.append(rail(kind, (place, line + 15), (place + 44, line + 15)))
            parts.append(text(place + 52, line + 21, f"{count} {kind}", 18, bold=True))
        line += 30
    for route in player.routes or ():
        parts.append(text(LEFT + 16, line + 17, "Route", 16, fill=FAINT))
        parts.append(text(LEFT + 70, line + 17, fit(route_line(board, route), RIGHT - LEFT - 90, 16), 16))
        line += 26
    return box, parts


def _notes(view: View, seat: int) -> Iterator[str]:
    yield from seat_notes(view, seat, sealed="sealed")
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}"
    if seat == view.table.out:
        yield OUT

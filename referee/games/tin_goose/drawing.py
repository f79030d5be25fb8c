"""The table of Tin Goose as a poster: the United States, the three tracks, and what the players own.

Drawn from a view and the board alone. Each player's colour has its letter, for readers who cannot tell colours apart.
"""

from collections.abc import Iterator, Sequence

from referee.contract import View, counted
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.chart import CITY, FRAME, NAME_SIZE, PLANE, chart, fan
from referee.games.tin_goose.components import Destination
from referee.games.tin_goose.events import dollars
from referee.games.tin_goose.state import DemandTokens
from referee.games.tin_goose.text import (
    card_label,
    card_lines,
    hand_line,
    round_line,
    screen_line,
    seat_notes,
)
from referee.games.tin_goose.view import FleetView, PlayerView
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
    panel,
    path,
    plane,
    text,
    text_width,
)
from referee.pictures.maps import SHORE, frame_lines, paper_around, written
from referee.pictures.poster import foot, masthead, poster
from referee.pictures.wording import fidelity_line, headline, player_name, results

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
SEATS = ("red", "yellow", "white", "brown", "orange")  # no colour of a city
CITIES = {"green": "#288047", "black": "#26282b", "magenta": "#b3248f", "blue": "#2464b4"}
GOLD, SILVER = Paint("#f0b429", "#7a5800", "#2e2100", ""), Paint("#cfd6da", "#5c666c", "#1f2a30", "")
ERAS = {"gold": GOLD, "blue": PAINTS["blue"], "red": PAINTS["red"]}
CURRENT = "#e3b95f"
PLAIN = Paint(PANEL, RULE, INK, "")


def livery(seat: int) -> Paint:
    return PAINTS[SEATS[seat]]


def picture(board: Board, view: View) -> str:
    airmail, y = _airmail(board, view, FRAME.y + FRAME.height + 58)
    international, y = _international(board, view, y)
    income, y = _income(board, view, y + 16)
    hazard, y = _hazard(board, view, y + 14)
    players, y = _players(board, view, y + 14)
    height = y + 48
    described = " ".join(
        [headline(view, dollars), round_line(board, view), *card_lines(board, view), fidelity_line(view)]
    )
    return poster(
        view,
        "Tin Goose",
        described,
        height,
        *_map(board, view),
        *_head(board, view, height),
        *_legend(view, FRAME.y + FRAME.height + 30),
        airmail,
        international,
        income,
        hazard,
        players,
        foot(view, LEFT, RIGHT, y + 30),
    )


# The head and the foot of the poster


def _head(board: Board, view: View, height: float) -> Iterator[Svg]:
    """Drawn after the map: paper around its frame, so that the shores end there."""
    yield paper_around(FRAME, height)
    yield from frame_lines(FRAME)
    status = round_line(board, view)
    yield from masthead("Tin Goose", status, LEFT, RIGHT, *(paint.fill for paint in ERAS.values()))
    yield plane(RIGHT - text_width(status, 20) - 48, 41, 46, Paint(PAPER, PAPER, INK, ""))
    yield from _banner(board, view)


def _banner(board: Board, view: View) -> Iterator[Svg]:
    """Who is asked what, and what has been played; or the result."""
    room = RIGHT - LEFT
    question = headline(view, dollars)
    size = 20 if text_width(question, 20, True) <= room else 18
    first, *more = lines(question, room, size, True)
    second = results(view, dollars) or " ".join(more or card_lines(board, view))
    yield text(LEFT, 106 if second else 122, first, size, bold=True)
    if second:
        yield text(LEFT, 131, fit(second, room, 18, bool(more)), 18, bold=bool(more))


# The map


def _map(board: Board, view: View) -> Iterator[Svg]:
    drawn, table = chart(board), view.table
    shore = path(drawn.outline, closed=True)
    yield element("rect", x=FRAME.x, y=FRAME.y, width=FRAME.width, height=FRAME.height, fill=SEA)
    yield element("path", d=shore, fill="none", stroke=PANEL, stroke_opacity=0.5, stroke_width=8)
    yield element("path", d=shore, fill=LAND, stroke=SHORE, stroke_width=1.4, stroke_linejoin="round")
    hexes = "".join(path(corners, closed=True) for corners in drawn.hexes)
    yield element("path", d=hexes, fill="none", stroke="#a08f63", stroke_opacity=0.55, stroke_width=1.3)
    for line in board.thick_lines:
        way = path((drawn.cities[line.a], drawn.cities[line.b]))
        yield element("path", d=way, stroke=PANEL, stroke_width=8, stroke_opacity=0.6)
        yield element("path", d=way, stroke=INK, stroke_width=4.5)
    for route in map(board.airmail.__getitem__, table.airmail):
        way = path((drawn.cities[route.start], drawn.cities[route.destination]))
        yield element("path", d=way, stroke=ACCENT, stroke_width=2.5, stroke_dasharray="9 6")
    yield from written(drawn.names, {city.id: city.name for city in board.cities}, NAME_SIZE, halo=LAND)
    for city, (x, y) in drawn.cities.items():
        yield _city(board, city, x, y, table.demand.get(city))
    for city, (x, y) in drawn.cities.items():
        there = [seat for seat, player in enumerate(table.players) if city in player.cities]
        for seat, (dx, dy) in zip(there, fan(len(there)), strict=True):
            yield plane(x + dx, y + dy, PLANE, livery(seat), -90, letter=True)


def _city(board: Board, city: str, x: float, y: float, demand: DemandTokens | None) -> Svg:
    """A ring in the colour of the city, square for a major one; inside it the demand."""
    colour = CITIES.get(board.city[city].colour, INK)
    inside = PLAIN if demand is None else GOLD if demand.gold else SILVER
    sign = _sign(x, y, colour, inside.fill, board.city[city].major)
    if demand is None:
        return sign
    words = str(demand.gold + demand.silver)
    return group(sign, text(x, y + 5, words, 15, bold=True, anchor="middle", fill=inside.ink))


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


def _legend(view: View, y: float) -> Iterator[Svg]:
    """What the signs on the map mean."""
    signs = (
        ("city", 30), ("major city", 30), ("gold demand, stays", 30), ("silver demand, its number", 30),
        ("thick line", 42), ("hexes", 34), ("plane", 28),
    )  # fmt: skip
    gap = (RIGHT - LEFT - sum(room + text_width(words, 16) for words, room in signs)) / (len(signs) - 1)
    x, places = LEFT, []
    for words, room in signs:
        yield text(x + room, y + 5, words, 16)
        places.append(x + 13)
        x += room + text_width(words, 16) + gap
    yield _sign(places[0], y, CITIES["green"], PANEL, False)
    yield _sign(places[1], y, CITIES["blue"], PANEL, True)
    for place, paint, words in ((places[2], GOLD, "1"), (places[3], SILVER, "3")):
        yield _sign(place, y, CITIES["magenta"], paint.fill, False)
        yield text(place, y + 5, words, 15, bold=True, anchor="middle", fill=paint.ink)
    yield element("line", x1=places[4] - 12, x2=places[4] + 22, y1=y, y2=y, stroke=INK, stroke_width=4.5)
    corners = [(places[5] + 12 * dx, y + 12 * dy) for dx, dy in HEXAGON]
    yield element("path", d=path(corners, closed=True), fill="none", stroke="#a08f63", stroke_width=1.6)
    yield plane(places[6], y, PLANE, livery(view.you or 0), -90, letter=True)


HEXAGON = ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))


def _airmail(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The routes that may still be chosen; on the map they are dashed."""
    if not view.table.airmail:
        return Svg(), y
    parts = [heading(LEFT, y + 16, "Airmail routes to choose from")]
    x = LEFT
    for route in view.table.airmail:
        label = board.route_name(route)
        if x + chip_width(label) > RIGHT:
            x, y = LEFT, y + 28
        parts.append(chip(x, y + 38, label, PLAIN._replace(edge=ACCENT)))
        x += chip_width(label) + 8
    return group(*parts), y + 66


# The three tracks


def _international(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The destinations with their rounds, sizes and prices, and who serves them."""
    gap, height = 8.0, 92.0
    width = (RIGHT - LEFT - gap * (len(board.international) - 1)) / len(board.international)
    parts = [heading(LEFT, y + 16, "International track")]
    for index, destination in enumerate(board.international):
        x = LEFT + index * (width + gap)
        is_open = destination.id == view.table.destination and not view.ending
        parts.append(
            element(
                "rect", x=x, y=y + 26, width=width, height=height, rx=4, fill=CURRENT if is_open else PANEL,
                stroke=ACCENT if is_open else RULE, stroke_width=2.5 if is_open else 1.2,
            )
        )  # fmt: skip
        parts.append(text(x + 10, y + 48, fit(destination.name, width - 20, 18, True), 18, bold=True))
        rounds = " and ".join(map(str, destination.rounds))
        words = f"round {rounds} · {destination.size} · ${destination.cost}"
        parts.append(text(x + 10, y + 69, fit(words, width - 16, 16), 16))
        parts += _served(view, destination, x + 22, y + 95)
    return group(*parts), y + 26 + height


def _served(view: View, destination: Destination, x: float, y: float) -> list[Svg]:
    there = [seat for seat, player in enumerate(view.table.players) if destination.id in player.international]
    return [plane(x + 34 * index, y, 30, livery(seat), -90, letter=True) for index, seat in enumerate(there)]


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


def _track(title: str, note: str, labels: Sequence[str], places: Sequence[int], y: float) -> tuple[Svg, float]:
    """A row of boxes; markers that share one stand on each other."""
    cell = (RIGHT - LEFT) / len(labels)
    radius = min(13.0, cell / 2 - 3)
    most = max(places.count(place) for place in places)
    parts = [heading(LEFT, y + 16, title), text(RIGHT, y + 16, note, 16, anchor="end", fill=FAINT)]
    top, height = y + 26, 26 + most * (2 * radius + 3) + 3
    for index, label in enumerate(labels):
        x, taken = LEFT + index * cell, index in places
        parts.append(
            element(
                "rect", x=x + 1, y=top, width=cell - 2, height=height, rx=3, fill=CURRENT if taken else PANEL,
                fill_opacity=0.55 if taken else 1, stroke=RULE,
            )
        )  # fmt: skip
        size = 17 if text_width(label, 17, True) < cell - 4 else 14
        parts.append(
            text(x + cell / 2, top + 19, label, size, bold=taken, anchor="middle", fill=INK if taken else FAINT)
        )
    standing: dict[int, int] = {}
    for seat, place in enumerate(places):
        level = standing[place] = standing.get(place, 0) + 1
        line = top + 26 + (level - 0.5) * (2 * radius + 3)
        parts.append(disc(LEFT + (place + 0.5) * cell, line, radius, livery(seat)))
    return group(*parts), top + height


# The players

NAME_COLUMN = 316.0
FLEET_WIDTH, FLEET_HEIGHT, FLEETS_A_ROW = 198.0, 56.0, 4


def _players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    parts = []
    for seat in range(len(view.players)):
        drawn, y = _player(board, view, seat, y)
        parts.append(drawn)
        y += 8
    return group(*parts), y


def _player(board: Board, view: View, seat: int, y: float) -> tuple[Svg, float]:
    """Name, tracks and screen on the left; fleets, conditions and hand on the right."""
    player, left = view.table.players[seat], LEFT + NAME_COLUMN
    asked = any(decision.seat == seat for decision in view.decisions)
    right = []
    line = y + 12
    for index, fleet in enumerate(player.fleets):
        row, column = divmod(index, FLEETS_A_ROW)
        x, top = left + column * (FLEET_WIDTH + 7), line + row * (FLEET_HEIGHT + 8)
        right.append(_fleet(board, fleet, x, top, livery(seat)))
    line += -(-len(player.fleets) // FLEETS_A_ROW) * (FLEET_HEIGHT + 8)
    right += _conditions(board, player, left, line + 12)
    line += 28
    for words in _hand(board, player):
        right.append(text(left, line + 14, words, 16))
        line += 21
    height = max(line + 6 - y, 142)
    parts = [panel(LEFT, y, RIGHT - LEFT, height)]
    if asked:
        parts.append(element("rect", x=LEFT + 1, y=y + 1, width=7, height=height - 2, fill=ACCENT))
    parts += _name(board, view, seat, y)
    return group(*parts, *right), y + height


def _name(board: Board, view: View, seat: int, y: float) -> Iterator[Svg]:
    player = view.table.players[seat]
    x, room = LEFT + 18, NAME_COLUMN - 40
    yield plane(x + 16, y + 28, 36, livery(seat), -90, letter=True)
    yield text(x + 42, y + 35, fit(player_name(view, seat), room - 42, 20, True), 20, bold=True)
    places = [standing.place for standing in view.standings if standing.seat == seat]
    notes = seat_notes(view, seat) + [f"place {place}" for place in places if place]
    rows = [(", ".join(notes), ACCENT)] if notes else []
    rows.append((f"Income {player.income}, hazard {player.hazard}, oil {player.oil}", INK))
    rows.append((screen_line(player), FAINT if player.cash is None else INK))
    if player.airmail:
        rows.append((f"Airmail {board.route_name(player.airmail)}", INK))
    for index, (words, fill) in enumerate(rows):
        yield text(x, y + 64 + 21 * index, fit(words, room, 16), 16, fill=fill)


def _fleet(board: Board, fleet: FleetView, x: float, y: float, paint: Paint) -> Svg:
    """A fleet card with the planes that are left on it, in the colour of its era."""
    era = board.card[fleet.card].era if fleet.card in board.card else ""
    back = ERAS.get(era, Paint("#7d8a5a", "#4a5530", "#ffffff", ""))
    room, stats = FLEET_WIDTH - 20, f"{fleet.size} · oil {fleet.oil} · haz {fleet.hazard}"
    size = 16 if text_width(fleet.name, 16, True) <= room else 14
    stats = f"{fleet.card} · {stats}" if era else stats
    planes = [plane(x + FLEET_WIDTH - 15 - 22 * index, y + 40, 22, paint, -90) for index in range(fleet.planes)]
    return group(
        element("rect", x=x, y=y, width=FLEET_WIDTH, height=FLEET_HEIGHT, rx=4, fill="#ffffff", stroke=back.edge),
        element("rect", x=x, y=y, width=7, height=FLEET_HEIGHT, rx=3, fill=back.fill, stroke=back.edge),
        text(x + 14, y + 21, fit(fleet.name, room, size, True), size, bold=True),
        text(x + 14, y + 44, stats, 15),
        *planes,
    )


def _conditions(board: Board, player: PlayerView, x: float, y: float) -> Iterator[Svg]:
    """The conditions that are left by their first words, and the extensions."""
    labels = [" ".join(board.condition[condition].name.split()[:2]) for condition in player.conditions]
    if player.extensions:
        labels.append(counted(player.extensions, "extension"))
    for label in labels:
        yield chip(x, y, label, PLAIN._replace(edge=FAINT), 14)
        x += chip_width(label, 14) + 6


def _hand(board: Board, player: PlayerView) -> list[str]:
    """The cards, for a viewer who may see them; else the backs."""
    room = RIGHT - LEFT - NAME_COLUMN - 14
    if not player.hand:
        return [f"Hand: {hand_line(player)}"]
    return lines(f"Hand: {'; '.join(card_label(board, card) for card in player.hand)}", room, 16)

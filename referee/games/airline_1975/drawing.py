"""The table of Airline (1975) as a poster: the track around the map of the world, what lies open between the players,
and what each of them has. Drawn from a view and the board alone. Next to each colour stands its letter, for those who
cannot tell them by eye."""

from collections.abc import Iterator

from referee.contract import View
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.chart import (
    EDGE_SIZE,
    FRAME,
    INNER,
    LARGE,
    MAP,
    NAME_SIZE,
    ROUND,
    SMALL,
    Cell,
    chart,
    outline,
)
from referee.games.airline_1975.text import city_words, effect, headline, matters, situation, space_name
from referee.games.airline_1975.view import PlayerView
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
    disc,
    element,
    fit,
    group,
    lines,
    livery,
    number,
    panel,
    path,
    text,
    text_width,
)
from referee.pictures.maps import ground
from referee.pictures.poster import bands, banner, foot, poster
from referee.pictures.wording import fidelity_line, player_name, results

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
GOLD = "#e3b95f"
CORNER = 14.0  # what the round corner of a space takes from its words
LINE = 22.0  # from line to line of text in a panel
MOST_LINES = 14  # about offers, claims and debts

# Aircraft from above in a square of 100, the nose to the right: straight wings, swept wings, a delta.
SILHOUETTES = (
    "M44 0C44-7 36-9 28-9L18-9L16-48L2-48L-2-9L-32-6L-34-20L-44-20L-44 20L-34 20L-32 6L-2 9L2 48L16 48L18 9L28 9"
    "C36 9 44 7 44 0ZM44-14L48-14L48 14L44 14Z",
    "M50 0C48-7 40-9 28-9L17-9L-14-48L-26-48L-8-9L-31-7L-42-22L-50-22L-45 0L-50 22L-42 22L-31 7L-8 9L-26 48L-14 48"
    "L17 9L28 9C40 9 48 7 50 0Z",
    "M54 0C48-5 36-8 22-9C2-12-24-30-38-44L-48-44L-44-9L-52 0L-44 9L-48 44L-38 44C-24 30 2 12 22 9C36 8 48 5 54 0Z",
)


def picture(board: Board, view: View) -> str:
    open_matters, y = _matters(board, view, FRAME.y + FRAME.height + 62)
    players, y = _players(board, view, y + 12)
    height = y + 48
    described = f"{headline(view)} {situation(view)} {fidelity_line(view)}"
    sections = (
        *_map(board, view),
        *_track(board, view),
        *_head(view),
        *_legend(board, FRAME.y + FRAME.height + 32),
        open_matters,
        players,
        foot(view, LEFT, RIGHT, y + 30),
    )
    return poster(view, "Airline (1975)", described, height, *sections)


# The head and the foot of the poster


def _head(view: View) -> Iterator[Svg]:
    yield from bands()
    yield text(LEFT, 53, "AIRLINE", 46, bold=True, spacing=9, fill=PAPER)
    yield text(LEFT + 262, 53, "1975", 26, spacing=4, fill=GOLD)
    words = "Short game" if view.settings.short else "To the last player"
    words += ", money must be claimed" if view.settings.collection == "strict" else ""
    yield text(RIGHT, 48, words, 20, anchor="end", fill=PAPER)
    yield _aircraft(RIGHT - text_width(words, 20) - 46, 41, 46, Paint(PAPER, PAPER, INK, ""), 1, 0)
    yield from banner(headline(view), results(view), LEFT, RIGHT, 110, 136)


# The track


def _track(board: Board, view: View) -> Iterator[Svg]:
    """Drawn after the map: paper in the corners around it, so that the shores end there."""
    inner = MAP.grown(-1)
    yield element("path", d=f"{_rectangle(MAP.grown(2), 0)}{_rectangle(inner, INNER)}", fill=PAPER, fill_rule="evenodd")
    cells = chart(board).cells
    for place, cell in enumerate(cells):
        yield from _space(board, view, place, cell)
    for box, corner, width in ((FRAME, ROUND, 2.5), (FRAME.grown(5), ROUND + 5, 1), (MAP, INNER, 2)):
        yield element("path", d=_rectangle(box, corner), fill="none", stroke=INK, stroke_width=width)


def _rectangle(box: Box, corner: float) -> str:
    """A rectangle with round corners, for the `d` of a path."""
    if not corner:
        return path(
            [(box.x, box.y), (box.x + box.width, box.y), *reversed(box.corners()[1:]), (box.x, box.y + box.height)],
            True,
        )
    x, y, r = box.x, box.y, number(corner)
    across, down = number(box.width - 2 * corner), number(box.height - 2 * corner)
    return (
        f"M{number(x + corner)} {number(y)}h{across}a{r} {r} 0 0 1 {r} {r}v{down}a{r} {r} 0 0 1 -{r} {r}"
        f"h-{across}a{r} {r} 0 0 1 -{r} -{r}v-{down}a{r} {r} 0 0 1 {r} -{r}Z"
    )


def _space(board: Board, view: View, place: int, cell: Cell) -> Iterator[Svg]:
    space, box = board.track[place], cell.box
    fill = PANEL if space.city else "#f0d9a0"
    yield element("path", d=outline(cell), fill=fill, stroke=INK, stroke_width=1.2)
    left, room = _beside_corner(cell, -1)
    if space.city:
        yield from _city_space(board, view, space.city, Box(left, box.y, room, box.height))
    else:
        yield text(left, box.y + 22, fit(space_name(board, place), room, 16, True), 16, bold=True)
        yield text(left, box.y + 42, fit(effect(board, place), room, 14), 14)
    here = [player for player in view.table.players if player.place == place and not player.out]
    left, _ = _beside_corner(cell, 1)
    for index, player in enumerate(here):
        x, y = left + (index % 2) * 64 + 12, box.y + box.height - 18 - 26 * (index // 2)
        level = list(board.plane).index(player.aircraft)
        yield _aircraft(x, y, 26, livery(player.colour), level, cell.angle)
        yield text(x + 15, y + 5, fit(board.plane[player.aircraft].name, 36, 13, True), 13, bold=True)


def _beside_corner(cell: Cell, half: int) -> tuple[float, float]:
    """Where words begin in the upper (-1) or lower (1) half of a space, and the room they have there."""
    side = cell.corner[0] if cell.corner and cell.corner[1] == half else 0
    return cell.box.x + 8 + CORNER * (side < 0), cell.box.width - 16 - CORNER * abs(side)


def _city_space(board: Board, view: View, city: str, room: Box) -> Iterator[Svg]:
    seat = view.table.owners.get(city)
    name = board.city[city].name
    if seat is None:
        yield text(room.x, room.y + 22, fit(name, room.width, 16, True), 16, bold=True)
        yield from _fares(board, city, room, None)
        return
    owner = view.table.players[seat]
    paint, earns = livery(owner.colour), city in owner.connected
    fitted = fit(name, room.width - 26, 15, True)
    width = text_width(fitted, 15, True) + 32
    yield element(
        "rect", x=room.x - 3, y=room.y + 6, width=width, height=22, rx=11,
        fill=paint.fill if earns else PANEL, stroke=paint.edge, stroke_width=1.2,
        stroke_dasharray=None if earns else "4 3",
    )  # fmt: skip
    ink = paint.ink if earns else INK
    yield text(room.x + 5, room.y + 22, paint.letter, 15, bold=True, fill=ink)
    yield text(room.x + 20, room.y + 22, fitted, 15, bold=True, fill=ink)
    yield from _fares(board, city, room, owner)


def _fares(board: Board, city: str, room: Box, owner: PlayerView | None) -> Iterator[Svg]:
    """The three fares; the one that is due is marked."""
    column = min(34.0, room.width / len(board.aircraft))
    for index, (aircraft, fare) in enumerate(board.city[city].fares.items()):
        x, y = room.x + column * (index + 0.5) - 2, room.y + 46
        due = owner is not None and owner.aircraft == aircraft and city in owner.connected
        if due:
            yield element("rect", x=x - 14, y=y - 14, width=28, height=19, rx=3, fill=GOLD)
        yield text(x, y, str(fare), 15, bold=due, anchor="middle", fill=INK if due else FAINT)


def _aircraft(x: float, y: float, length: float, paint: Paint, level: int, angle: float) -> Svg:
    scale = length / 100
    return element(
        "path",
        d=SILHOUETTES[min(level, len(SILHOUETTES) - 1)],
        transform=f"translate({number(x)} {number(y)}) rotate({number(angle)}) scale({scale:.3f})",
        fill=paint.fill,
        stroke=paint.edge,
        stroke_width=1.2 / scale,
        stroke_linejoin="round",
    )


# The map


def _map(board: Board, view: View) -> Iterator[Svg]:
    drawn, table = chart(board), view.table
    yield from ground(MAP, drawn.land, drawn.water, drawn.graticule, glow=0)
    for (a, b), line in drawn.lines.items():
        way = "".join(path(piece) for piece in line.pieces)
        owner = next((player for player in table.players if {a, b} <= set(player.connected)), None)
        if owner:
            paint = livery(owner.colour)
            yield element("path", d=way, fill="none", stroke=paint.edge, stroke_width=8)
            yield element("path", d=way, fill="none", stroke=paint.fill, stroke_width=6)
        else:
            yield element("path", d=way, fill="none", stroke=PANEL, stroke_width=4.5, stroke_opacity=0.8)
            yield element("path", d=way, fill="none", stroke=INK, stroke_width=1.6, stroke_opacity=0.75)
    for city, (x, y) in drawn.cities.items():
        seat = table.owners.get(city)
        yield _marker(x, y, city, None if seat is None else table.players[seat])
    for city, name in drawn.names.items():
        yield text(name.x, name.y, board.city[city].name, NAME_SIZE, bold=True, anchor=name.anchor, halo=PANEL)
    for label in drawn.labels:
        yield text(label.x, label.y, board.city[label.city].name, EDGE_SIZE, anchor=label.anchor, halo=PANEL)


def _marker(x: float, y: float, city: str, owner: PlayerView | None) -> Svg:
    """A city: a dot, or the marker of its owner, large for a base, hollow where no fares are earned."""
    if owner is None:
        return element("circle", cx=x, cy=y, r=6, fill=PANEL, stroke=INK, stroke_width=2)
    paint = livery(owner.colour)
    if city == owner.base:
        ring = element("circle", cx=x, cy=y, r=LARGE, fill=PANEL, stroke=INK, stroke_width=1.5)
        return group(ring, disc(x, y, LARGE - 3, paint))
    if city in owner.connected:
        return disc(x, y, SMALL, paint)
    return _cut_off(x, y, paint)


def _cut_off(x: float, y: float, paint: Paint) -> Svg:
    hollow = element(
        "circle", cx=x, cy=y, r=SMALL, fill=PANEL, stroke=paint.edge, stroke_width=2.4, stroke_dasharray="4 3"
    )
    return group(hollow, text(x, y + 5, paint.letter, 14, bold=True, anchor="middle"))


def _legend(board: Board, y: float) -> Iterator[Svg]:
    """What the signs mean."""
    signs = (
        ("base city", 36),
        ("landing rights", 27),
        ("cut off from the base, no fare", 27),
        ("fare that is due now, of PROP, JET and SST", 36),
    )
    gap = (RIGHT - LEFT - sum(room + text_width(words, 16) for words, room in signs)) / (len(signs) - 1)
    x, paint, places = LEFT, livery(board.colours.list[-1]), []
    for words, room in signs:
        yield text(x + room, y + 5, words, 16)
        places.append(x)
        x += room + text_width(words, 16) + gap
    ring = element("circle", cx=places[0] + LARGE, cy=y, r=LARGE, fill=PANEL, stroke=INK, stroke_width=1.5)
    yield group(ring, disc(places[0] + LARGE, y, LARGE - 3, paint))
    yield disc(places[1] + SMALL, y, SMALL, paint)
    yield _cut_off(places[2] + SMALL, y, paint)
    yield element("rect", x=places[3], y=y - 10, width=28, height=19, rx=3, fill=GOLD)
    yield text(places[3] + 14, y + 5, "18", 15, bold=True, anchor="middle")


# What lies open, and the players


def _matters(board: Board, view: View, y: float) -> tuple[Svg, float]:
    shown = [line for matter in matters(board, view) for line in lines(matter, RIGHT - LEFT - 28, 17)]
    if len(shown) > MOST_LINES:
        shown = [*shown[: MOST_LINES - 1], f"and {len(shown) - MOST_LINES + 1} more lines"]
    height = 40 + LINE * len(shown)
    texts = [text(LEFT + 14, y + 48 + LINE * index, line, 17) for index, line in enumerate(shown)]
    return group(panel(LEFT, y, RIGHT - LEFT, height, "Offers, claims and debts"), *texts), y + height


NAME_COLUMN, AIRCRAFT_COLUMN, MONEY_COLUMN, ASSETS_COLUMN = 330.0, 104.0, 86.0, 86.0


def _players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    cities_x = LEFT + NAME_COLUMN + AIRCRAFT_COLUMN + 8
    room = RIGHT - MONEY_COLUMN - ASSETS_COLUMN - cities_x - 12
    cities = [lines(", ".join(city_words(board, player)), room, 16) for player in view.table.players]
    heights = [max(60.0, 20 + LINE * len(some)) for some in cities]
    top = y + 38
    parts = [panel(LEFT, y, RIGHT - LEFT, 40 + sum(heights), "Players")]
    for words, x, anchor in (
        ("Aircraft", LEFT + NAME_COLUMN, "start"),
        ("Cities", cities_x, "start"),
        ("Cash", RIGHT - ASSETS_COLUMN - 14, "end"),
        ("Assets", RIGHT - 14, "end"),
    ):
        parts.append(text(x, y + 26, words, 16, anchor=anchor, fill=FAINT))
    for seat, height in enumerate(heights):
        parts += _player(board, view, seat, Box(LEFT, top, RIGHT - LEFT, height))
        for index, line in enumerate(cities[seat]):
            parts.append(text(cities_x, top + 25 + LINE * index, line, 16))
        top += height
    return group(*parts), top + 2


def _player(board: Board, view: View, seat: int, row: Box) -> Iterator[Svg]:
    player, paint = view.table.players[seat], livery(view.table.players[seat].colour)
    asked = any(decision.seat == seat and decision.required for decision in view.decisions)
    yield element("line", x1=row.x, x2=row.x + row.width, y1=row.y, y2=row.y, stroke=RULE)
    if asked:
        yield element("rect", x=row.x + 1, y=row.y + 1, width=7, height=row.height - 2, fill=ACCENT)
    yield disc(row.x + 30, row.y + 29, 15, paint)
    name, room = player_name(view, seat), NAME_COLUMN - 70
    size = next((size for size in (19, 17) if text_width(name, size, True) <= room), 16)
    yield text(row.x + 56, row.y + 25, fit(name, room, size, True), size, bold=True)
    notes = ", ".join(_notes(view, seat))
    yield text(row.x + 56, row.y + 46, fit(notes, room, 16), 16, fill=ACCENT if asked else FAINT)
    if player.out:
        return
    x, level = row.x + NAME_COLUMN, list(board.plane).index(player.aircraft)
    yield _aircraft(x + 19, row.y + 30, 38, paint, level, 0)
    yield text(x + 44, row.y + 36, board.plane[player.aircraft].name, 17, bold=True)
    yield text(RIGHT - ASSETS_COLUMN - 14, row.y + 36, str(player.cash), 22, bold=True, anchor="end")
    yield text(RIGHT - 14, row.y + 36, str(player.assets), 22, anchor="end")


def _notes(view: View, seat: int) -> Iterator[str]:
    player = view.table.players[seat]
    yield player.colour
    if seat == view.you:
        yield "you"
    if player.out:
        yield "out of the game"
    elif not view.ending and seat == view.table.active:
        yield "in turn"
    if any(debt.seat == seat for debt in view.table.debts):
        yield "in debt"
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}"

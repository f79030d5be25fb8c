"""The table of Airline (1975) as a poster: the track around the map of the world, what lies open between the players,
and what each of them has. Drawn from a view and the board alone. Next to each colour stands its letter, for those who
cannot tell them by eye."""

from collections.abc import Iterator

from referee.contract import Standing, View
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
from referee.games.airline_1975.text import (
    city_words,
    effect,
    headline,
    matters,
    round_words,
    situation,
    space_name,
)
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
    mark,
    number,
    panel,
    path,
    text,
    text_width,
)
from referee.pictures.maps import ground
from referee.pictures.poster import Section, bands, foot, poster
from referee.pictures.wording import fidelity_line, player_name

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
GOLD = "#e3b95f"
CORNER = 14.0  # what the round corner of a space takes from its words
SIZE = 18  # of what is written small
LINE = 24.0  # from line to line of text
BANNER_LINES = 3

# Aircraft from above in a square of 100, the nose to the right: straight wings, swept wings, a delta.
SILHOUETTES = (
    "M44 0C44-7 36-9 28-9L18-9L16-48L2-48L-2-9L-32-6L-34-20L-44-20L-44 20L-34 20L-32 6L-2 9L2 48L16 48L18 9L28 9"
    "C36 9 44 7 44 0ZM44-14L48-14L48 14L44 14Z",
    "M50 0C48-7 40-9 28-9L17-9L-14-48L-26-48L-8-9L-31-7L-42-22L-50-22L-45 0L-50 22L-42 22L-31 7L-8 9L-26 48L-14 48"
    "L17 9L28 9C40 9 48 7 50 0Z",
    "M54 0C48-5 36-8 22-9C2-12-24-30-38-44L-48-44L-44-9L-52 0L-44 9L-48 44L-38 44C-24 30 2 12 22 9C36 8 48 5 54 0Z",
)


def picture(board: Board, view: View, part: str = "") -> str:
    """The poster, or a part of it; the track is shown with the map that it goes round."""
    below = FRAME.y + FRAME.height
    planes = Box(LEFT, below + 60, RIGHT - LEFT, 62)
    market, y = _matters(board, view, planes.y + planes.height + 14)
    players, y = _players(board, view, y + 14)
    described = f"{headline(view)} {situation(view)} {fidelity_line(view)}"
    sections = (
        Section("track" if part == "track" else "map", MAP, group(*_map(board, view))),
        Section("track", FRAME.grown(8), group(*_track(board, view))),
        group(*_head(view)),
        group(*_legend(board, below + 32)),
        Section("players", planes, group(*_planes(board, planes))),
        market,
        players,
        foot(view, LEFT, RIGHT, y + 32),
    )
    return poster(view, "Airline (1975)", described, y + 52, *sections, part=part)


def _any_city(city: str, *drawn: Svg) -> Svg:
    """A city, whatever a move does with it."""
    return mark("city", city, mark("give", city, mark("want", city, *drawn)))


# The head of the poster


def _head(view: View) -> Iterator[Svg]:
    yield from bands()
    yield text(LEFT, 53, "AIRLINE", 46, bold=True, spacing=9, fill=PAPER)
    yield text(LEFT + 262, 53, "1975", 26, spacing=4, fill=GOLD)
    words = "Short game" if view.settings.short else "To the last player"
    words += ", money must be claimed" if view.settings.collection == "strict" else ""
    words += round_words(view)
    yield text(RIGHT, 48, words, 20, anchor="end", fill=PAPER)
    yield _aircraft(RIGHT - text_width(words, 20) - 46, 41, 46, Paint(PAPER, PAPER, INK, ""), 1, 0)
    yield from _banner(view)


def _banner(view: View) -> Iterator[Svg]:
    """Who is asked what; or who has won, and how everybody ended."""
    room = RIGHT - LEFT
    said = lines(headline(view), room, 20, True)
    if view.ending:
        places = "; ".join(_place(view, standing) for standing in view.standings)
        said = [*said[:1], *lines(places, room, 20, True)]
    if len(said) > BANNER_LINES:
        said = [*said[: BANNER_LINES - 1], fit(" ".join(said[BANNER_LINES - 1 :]), room, 20, True)]
    top = 118 + 13 * (BANNER_LINES - len(said))
    for index, line in enumerate(said):
        yield text(LEFT, top + 26 * index, line, 20, bold=not (view.ending and index))


def _place(view: View, standing: Standing) -> str:
    note = f" ({standing.note})" if standing.note else f" with {standing.score}"
    return f"{standing.place}. {player_name(view, standing.seat)}{note}"


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
    """Its name; fares and the owner's marker, or what it does; and the aircraft that stand there."""
    space, box = board.track[place], cell.box
    ground = element("path", d=outline(cell), fill=PANEL if space.city else "#f0d9a0", stroke=INK, stroke_width=1.2)
    left, room = _beside_corner(cell, -1)
    name = text(left, box.y + 25, fit(space_name(board, place), room, SIZE, True), SIZE, bold=True)
    if space.city:
        owner = view.table.owners.get(space.city)
        player = None if owner is None else view.table.players[owner]
        yield _any_city(space.city, ground, name, *_city_space(board, space.city, player, cell))
    else:
        yield ground
        yield name
        for index, line in enumerate(lines(effect(board, place), room, SIZE)[:2]):
            yield text(left, box.y + 46 + 19 * index, line, SIZE)
    yield from _standing(board, view, place, cell)


def _standing(board: Board, view: View, place: int, cell: Cell) -> Iterator[Svg]:
    """Two in a row, the lower row first."""
    here = [player for player in view.table.players if player.place == place and not player.out]
    left, _ = _beside_corner(cell, 1)
    box = cell.box
    for index, player in enumerate(here):
        x, y = left + (index % 2) * 66 + 9, box.y + box.height - 14 - 23 * (index // 2)
        level = list(board.plane).index(player.aircraft)
        yield _aircraft(x, y, 21, livery(player.colour), level, cell.angle)
        yield text(x + 14, y + 6, fit(board.plane[player.aircraft].name, 45, SIZE, True), SIZE, bold=True)


def _beside_corner(cell: Cell, half: int) -> tuple[float, float]:
    """Where words begin in the upper (-1) or lower (1) half of a space, and the room they have there."""
    side = cell.corner[0] if cell.corner and cell.corner[1] == half else 0
    return cell.box.x + 8 + CORNER * (side < 0), cell.box.width - 14 - CORNER * abs(side)


def _city_space(board: Board, city: str, owner: PlayerView | None, cell: Cell) -> Iterator[Svg]:
    """The three fares, the one that is due marked, and at the right end the owner's marker, large for a base."""
    x, y = cell.box.x + 5, cell.box.y + 54
    column = min(29.0, (cell.box.width - 52) / len(board.aircraft))
    for index, (aircraft, fare) in enumerate(board.city[city].fares.items()):
        due = owner is not None and owner.aircraft == aircraft and city in owner.connected
        middle = x + column * (index + 0.5)
        if due:
            yield element("rect", x=middle - 14, y=y - 17, width=28, height=23, rx=4, fill=GOLD, stroke=INK)
        yield text(middle, y, str(fare), SIZE, bold=due, anchor="middle")
    if owner is not None:
        yield _marker(cell.box.x + cell.box.width - 25, y - 5, city, owner)


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
        name = drawn.names[city]
        yield _any_city(
            city,
            _marker(x, y, city, None if seat is None else table.players[seat]),
            text(name.x, name.y, board.city[city].name, NAME_SIZE, bold=True, anchor=name.anchor, halo=PANEL),
        )
    for label in drawn.labels:
        yield text(label.x, label.y, board.city[label.city].name, EDGE_SIZE, anchor=label.anchor, halo=PANEL)


def _marker(x: float, y: float, city: str, owner: PlayerView | None) -> Svg:
    """A city: a dot, or the marker of its owner, large for a base, hollow where no fares are earned."""
    if owner is None:
        return element("circle", cx=x, cy=y, r=7, fill=PANEL, stroke=INK, stroke_width=2.4)
    paint = livery(owner.colour)
    if city == owner.base:
        return _base(x, y, paint)
    if city in owner.connected:
        return disc(x, y, SMALL, paint)
    return _cut_off(x, y, paint)


def _base(x: float, y: float, paint: Paint) -> Svg:
    ring = element("circle", cx=x, cy=y, r=LARGE, fill=PANEL, stroke=INK, stroke_width=2)
    return group(ring, disc(x, y, SMALL, paint))


def _cut_off(x: float, y: float, paint: Paint) -> Svg:
    hollow = element(
        "circle", cx=x, cy=y, r=SMALL, fill=PANEL, stroke=paint.edge, stroke_width=2.4, stroke_dasharray="4 3"
    )
    return group(hollow, text(x, y + 6, paint.letter, SIZE, bold=True, anchor="middle"))


def _legend(board: Board, y: float) -> Iterator[Svg]:
    """What the signs mean."""
    signs = (
        ("base city", 48),
        ("landing rights", 33),
        ("cut off from the base, no fare", 33),
        ("fare that is due now, of PROP, JET and SST", 36),
    )
    gap = (RIGHT - LEFT - sum(room + text_width(words, SIZE) for words, room in signs)) / (len(signs) - 1)
    x, paint, places = LEFT, livery(board.colours.list[-1]), []
    for words, room in signs:
        yield text(x + room, y + 6, words, SIZE)
        places.append(x)
        x += room + text_width(words, SIZE) + gap
    yield _base(places[0] + LARGE, y, paint)
    yield disc(places[1] + SMALL, y, SMALL, paint)
    yield _cut_off(places[2] + SMALL, y, paint)
    yield element("rect", x=places[3], y=y - 12, width=30, height=24, rx=4, fill=GOLD, stroke=INK)
    yield text(places[3] + 15, y + 6, "18", SIZE, bold=True, anchor="middle")


def _planes(board: Board, box: Box) -> Iterator[Svg]:
    """The aircraft that can be flown, and what each gets and costs."""
    yield panel(*box)
    width = box.width / len(board.aircraft)
    for index, plane in enumerate(board.aircraft):
        x, y = box.x + width * index, box.y + box.height / 2
        keep = f"subsidy {plane.subsidy}, maintenance {plane.maintenance}"
        name_x = x + 66
        words_x = name_x + text_width(plane.name, 20, True) + 12
        yield mark(
            "aircraft",
            plane.id,
            element("rect", x=x + 4, y=box.y + 4, width=width - 8, height=box.height - 8, rx=5, fill=PANEL),
            _aircraft(x + 36, y, 42, Paint(INK, INK, PANEL, ""), index, 0),
            text(name_x, y + 7, plane.name, 20, bold=True),
            text(words_x, y + 7, fit(keep, x + width - words_x - 8, SIZE), SIZE),
        )


# What lies open, and the players


def _matters(board: Board, view: View, y: float) -> tuple[Section, float]:
    """Offers, claims and debts, however many; whoever may answer or withdraw an offer finds it marked."""
    deals, top, drawn = view.table.deals, y + 56, []
    for index, matter in enumerate(matters(board, view) or ["None."]):
        folded = lines(matter, RIGHT - LEFT - 28, SIZE)
        texts = [text(LEFT + 14, top + LINE * number, line, SIZE) for number, line in enumerate(folded)]
        deal = deals[index] if index < len(deals) else None
        is_mine = deal is not None and view.you in (deal.seat, deal.to)
        drawn.append(mark("deal", str(deal.number), *texts) if deal and is_mine else group(*texts))
        top += LINE * len(folded)
    height = top - y - 10
    box = Box(LEFT, y, RIGHT - LEFT, height)
    return Section("market", box.grown(2), group(panel(*box, "Offers, claims and debts"), *drawn)), y + height


NAME_COLUMN, AIRCRAFT_COLUMN, MONEY_COLUMN, ASSETS_COLUMN = 330.0, 112.0, 86.0, 86.0


def _players(board: Board, view: View, y: float) -> tuple[Section, float]:
    cities_x = LEFT + NAME_COLUMN + AIRCRAFT_COLUMN + 8
    room = RIGHT - MONEY_COLUMN - ASSETS_COLUMN - cities_x - 12
    cities = [lines(", ".join(city_words(board, player)), room, SIZE) for player in view.table.players]
    heights = [max(64.0, 22 + LINE * len(some)) for some in cities]
    top = y + 40
    box = Box(LEFT, y, RIGHT - LEFT, 42 + sum(heights))
    drawn = [panel(*box, "Players")]
    for words, x, anchor in (
        ("Aircraft", LEFT + NAME_COLUMN, "start"),
        ("Cities", cities_x, "start"),
        ("Cash", RIGHT - ASSETS_COLUMN - 14, "end"),
        ("Assets", RIGHT - 14, "end"),
    ):
        drawn.append(text(x, y + 28, words, SIZE, anchor=anchor, fill=FAINT))
    for seat, height in enumerate(heights):
        row = Box(LEFT, top, RIGHT - LEFT, height)
        told = [text(cities_x, top + 27 + LINE * index, line, SIZE) for index, line in enumerate(cities[seat])]
        drawn.append(mark("to", view.table.players[seat].colour, *_player(board, view, seat, row), *told))
        top += height
    return Section("players", box.grown(2), group(*drawn)), top + 2


def _player(board: Board, view: View, seat: int, row: Box) -> Iterator[Svg]:
    player, paint = view.table.players[seat], livery(view.table.players[seat].colour)
    asked = any(decision.seat == seat and decision.required for decision in view.decisions)
    yield element("line", x1=row.x, x2=row.x + row.width, y1=row.y, y2=row.y, stroke=RULE)
    if asked:
        yield element("rect", x=row.x + 1, y=row.y + 1, width=7, height=row.height - 2, fill=ACCENT)
    yield disc(row.x + 30, row.y + 31, 16, paint)
    name, room = player_name(view, seat), NAME_COLUMN - 70
    size = 20 if text_width(name, 20, True) <= room else SIZE
    yield text(row.x + 56, row.y + 27, fit(name, room, size, True), size, bold=True)
    notes = ", ".join(_notes(view, seat))
    yield text(row.x + 56, row.y + 50, fit(notes, room, SIZE), SIZE, fill=ACCENT if asked else FAINT)
    if player.out:
        return
    x, level = row.x + NAME_COLUMN, list(board.plane).index(player.aircraft)
    yield _aircraft(x + 19, row.y + 32, 38, paint, level, 0)
    yield text(
        x + 46, row.y + 38, fit(board.plane[player.aircraft].name, AIRCRAFT_COLUMN - 50, 18, True), 18, bold=True
    )
    yield text(RIGHT - ASSETS_COLUMN - 14, row.y + 38, str(player.cash), 22, bold=True, anchor="end")
    yield text(RIGHT - 14, row.y + 38, str(player.assets), 22, anchor="end")


def _notes(view: View, seat: int) -> Iterator[str]:
    player = view.table.players[seat]
    yield player.colour
    if seat == view.you:
        yield "you"
    if player.out:
        yield player.left
    elif not view.ending and seat == view.table.active:
        yield "in turn"
    if any(debt.seat == seat for debt in view.table.debts):
        yield "in debt"
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}"

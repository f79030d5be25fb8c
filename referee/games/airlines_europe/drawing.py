"""The table of Airlines Europe as a poster: the map, the share track, the market, and what the players hold.

Drawn from a view and the board alone. Next to each colour stands its letter, for those who cannot tell them by eye.
"""

from collections.abc import Iterable, Iterator, Sequence

from referee.contract import View, counted
from referee.games.airlines_europe.board import Board, Region, Route
from referee.games.airlines_europe.chart import (
    BELOW,
    CHIP_SIZE,
    CITY,
    FRAME,
    HOME,
    LICENCE,
    NAME_SIZE,
    Line,
    bonus_label,
    chart,
)
from referee.games.airlines_europe.events import IMAGINED_AT
from referee.games.airlines_europe.state import AIR_ABACUS, PILE, Shares
from referee.games.airlines_europe.text import (
    ORDINALS,
    airlines_in_play,
    headline,
    last_scoring_of,
    next_scoring,
    scoring_line,
)
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
    card,
    chip,
    chip_width,
    disc,
    element,
    fit,
    group,
    heading,
    livery,
    mark,
    number,
    panel,
    path,
    plane,
    text,
    text_width,
)
from referee.pictures.maps import Name, map_picture
from referee.pictures.poster import WIDTH, Section, banner, foot, masthead, poster
from referee.pictures.wording import fidelity_line, player_name, results, seat_notes

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
SMALL, PLAIN = 18, 20  # sizes of letters
FREE = Paint(PANEL, INK, INK, "")
DISTANT = Paint("#fbe3d6", ACCENT, ACCENT, "")
ABACUS = Paint("#fbe9d0", ACCENT, ACCENT, "A")
WINGS = Paint(INK, PANEL, PANEL, "")
BACK = Paint(INK, "#0d1820", "#dfe9ea", "")
LOW, HIGH = (0xF3, 0xE9, 0xCF), (0xE3, 0xB9, 0x5F)  # the regions of the share track, from the first to the last


def picture(board: Board, view: View, part: str = "") -> str:
    """The poster, its parts one below the other, or one of the parts."""
    legend = FRAME.y + FRAME.height + 30
    below = legend + 30
    track, track_end = _track(board, view, below)
    market, market_end = _market(board, view, track_end + 14)
    players, players_end = _players(board, view, market_end + 14)
    height = players_end + 48
    described = f"{headline(view)} {scoring_line(view)} {fidelity_line(view)}"
    top = FRAME.y - 8
    sections: tuple[Svg | Section, ...] = (
        Section("map", Box(0, top, WIDTH, below - top), group(*_map(board, view, height), *_legend(legend))),
        *_head(view),
        Section("track", Box(0, below, WIDTH, track_end + 4 - below), track),
        Section("market", Box(0, track_end + 8, WIDTH, market_end + 6 - track_end - 8), market),
        Section("players", Box(0, market_end + 8, WIDTH, players_end + 6 - market_end - 8), players),
        foot(view, LEFT, RIGHT, players_end + 32),
    )
    return poster(view, "Airlines Europe", described, height, *sections, part=part)


# The head of the poster


def _head(view: View) -> Iterator[Svg]:
    words = scoring_line(view)
    yield from masthead("Airlines Europe", words, LEFT, RIGHT)
    yield plane(RIGHT - text_width(words, 20) - 48, 41, 46, Paint(PAPER, PAPER, INK, ""))
    yield from banner(headline(view), results(view), LEFT, RIGHT, 106, 131)


# The map


def _map(board: Board, view: View, height: float) -> Iterator[Svg]:
    drawn = chart(board)
    return map_picture(
        FRAME, _on_the_map(board, view), land=drawn.land, water=drawn.water, graticule=drawn.graticule, height=height
    )


def _on_the_map(board: Board, view: View) -> Iterator[Svg]:
    drawn, table = chart(board), view.table
    for route in board.routes:
        yield mark("route", route.id, _route(drawn.lines[route.id], route.distant))
    for route in board.routes:
        owners = table.licences.get(route.id, ())
        spots = enumerate(drawn.lines[route.id].spots)
        yield mark("route", route.id, *(_licence(route, owners, index, spot) for index, spot in spots))
    homes = {board.airline[airline].home: airline for airline in table.airlines}
    for city, (x, y) in drawn.cities.items():
        if city in homes:
            yield mark("airline", homes[city], _home(x, y, livery(homes[city])))
        else:
            yield element("circle", cx=x, cy=y, r=CITY, fill=INK, stroke=PANEL, stroke_width=2)
    for city, name in drawn.names.items():
        yield from _city_name(board, view, city, name)


def _route(line: Line, distant: bool) -> Svg:
    points = (number(value) for point in (line.start, line.bend, line.end) for value in point)
    way = "M{} {}Q{} {} {} {}".format(*points)
    if distant:
        return element("path", d=way, fill="none", stroke=ACCENT, stroke_width=2.4, stroke_dasharray="10 6")
    return group(
        element("path", d=way, fill="none", stroke=PANEL, stroke_width=6, stroke_opacity=0.8),
        element("path", d=way, fill="none", stroke=INK, stroke_width=2, stroke_opacity=0.75),
    )


def _licence(route: Route, owners: Sequence[str], index: int, spot: tuple[float, float, float]) -> Svg:
    """A plane on a licence that is sold; else what the licence costs."""
    x, y, angle = spot
    if index < len(owners):
        return _roundel(x, y, angle, livery(owners[index]))
    if route.distant:
        return _distant_licence(x, y, route.licences[index])
    cost = str(route.licences[index])
    return group(
        element("circle", cx=x, cy=y, r=LICENCE - 1, fill=FREE.fill, stroke=FREE.edge, stroke_width=1.4),
        text(x, y + PLAIN * 0.33, cost, PLAIN if len(cost) < 2 else SMALL, bold=True, anchor="middle"),
    )


def _roundel(x: float, y: float, angle: float, paint: Paint) -> Svg:
    """A plane with the letter of its airline on a disc, which can be read whatever is behind it."""
    return group(
        plane(x, y, 3.3 * LICENCE, WINGS, angle),
        element("circle", cx=x, cy=y, r=LICENCE - 1, fill=paint.fill, stroke=paint.edge, stroke_width=2),
        text(x, y + PLAIN * 0.34, paint.letter, PLAIN, bold=True, anchor="middle", fill=paint.ink),
    )


def _distant_licence(x: float, y: float, cost: int) -> Svg:
    reach = LICENCE + 7
    corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
    return group(
        element("path", d=path(corners, closed=True), fill=DISTANT.fill, stroke=ACCENT, stroke_width=1.8),
        text(x, y + SMALL * 0.34, str(cost), SMALL, bold=True, anchor="middle", fill=ACCENT),
    )


def _home(x: float, y: float, paint: Paint) -> Svg:
    ring = element("circle", cx=x, cy=y, r=HOME, fill=PANEL, stroke=INK, stroke_width=1.2)
    return group(ring, disc(x, y, HOME - 6, paint))


def _city_name(board: Board, view: View, city: str, name: Name) -> Iterator[Svg]:
    bonuses, written = name.y + 20, name.y
    has_bonus = any(airline.goal == city for airline in board.airlines)
    if has_bonus and name.box.y + name.box.height <= chart(board).cities[city][1]:
        bonuses, written = name.y - 2, name.y + BELOW  # above its city a name stands below the bonus, next to the city
    yield text(name.x, written, board.city[city].name, NAME_SIZE, bold=True, anchor=name.anchor, halo=PANEL)
    goals = [airline for airline in board.airlines if airline.goal == city and airline.id in view.table.airlines]
    goals = [airline for airline in goals if view.table.airlines[airline.id].bonus]
    width = sum(chip_width(bonus_label(airline), CHIP_SIZE) for airline in goals) + 4 * (len(goals) - 1)
    x = {"start": name.x, "middle": name.x - width / 2, "end": name.x - width}[name.anchor]
    for airline in goals:
        yield chip(x, bonuses, bonus_label(airline), livery(airline.id), CHIP_SIZE)
        x += chip_width(bonus_label(airline), CHIP_SIZE) + 4


def _legend(y: float) -> Iterator[Svg]:
    """What the signs on the map mean."""
    signs = (
        ("licence for sale, with its cost", 36),
        ("licence of an airline", 52),
        ("distant connection", 50),
        ("home airport", 42),
        ("bonus for getting here", chip_width("R +8", CHIP_SIZE) + 6),
    )
    gap = (RIGHT - LEFT - sum(room + text_width(words, SMALL) for words, room in signs)) / (len(signs) - 1)
    x, red, places = LEFT, livery("red"), []
    for words, room in signs:
        yield text(x + room, y + 6, words, SMALL)
        places.append(x)
        x += room + text_width(words, SMALL) + gap
    sample = Route("", "", (4,), "")
    yield _licence(sample, (), 0, (places[0] + LICENCE, y, 0))
    yield _licence(sample, ("red",), 0, (places[1] + 23, y, -90))
    yield _distant_licence(places[2] + 22, y, 10)
    yield _home(places[3] + HOME, y, red)
    yield chip(places[4], y, "R +8", red, CHIP_SIZE)


# The share track

NARROWEST = 27.0  # a space with its number
MARKER, PILED = 13.0, 28.0  # the radius of a marker; how far markers on one space stand above each other


def _track(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """All spaces with their regions in rows; markers that share a space stand on each other."""
    rows = _rows(board.share_track.regions)
    cell = min(34, (RIGHT - LEFT) / max(row[-1].last - row[0].first + 1 for row in rows))
    standing: dict[int, list[str]] = {}
    for airline in airlines_in_play(board, view):
        standing.setdefault(view.table.airlines[airline].marker, []).append(airline)
    note = "points for the most shares of an airline, the second most, and so on"
    parts = [heading(LEFT, y + 20, "Share track"), text(RIGHT, y + 20, note, SMALL, anchor="end", fill=FAINT)]
    y += 32
    for row in rows:
        spaces = range(row[0].first, row[-1].last + 1)
        top = y + 27 + PILED * (max(1, *(len(standing.get(space, ())) for space in spaces)) - 1)
        for region in row:
            x, width = LEFT + (region.first - spaces[0]) * cell, (region.last - region.first + 1) * cell
            tint = _tint(board.share_track.regions.index(region), len(board.share_track.regions))
            parts.append(
                element("rect", x=x, y=y, width=width, height=top + 34 - y, fill=tint, stroke=PAPER, stroke_width=2)
            )
            points = fit(" · ".join(map(str, region.vp)), width - 8, SMALL, True)
            parts.append(text(x + 7, y + 20, points, SMALL, bold=True, fill=INK))
        for space in spaces:
            parts += _space(LEFT + (space - spaces[0]) * cell, top, cell, space, standing.get(space, ()))
        y = top + 42
    return group(*parts), y - 6


def _space(x: float, y: float, cell: float, space: int, airlines: Sequence[str]) -> Iterator[Svg]:
    yield element("rect", x=x + 1.5, y=y, width=cell - 3, height=30, rx=3, fill=PANEL, fill_opacity=0.75)
    if not airlines and text_width(str(space), SMALL) < cell:
        yield text(x + cell / 2, y + 21, str(space), SMALL, anchor="middle", fill=INK)
    for index, airline in enumerate(airlines):
        middle = y + 15 - PILED * index
        yield mark("airline", airline, disc(x + cell / 2, middle, MARKER, livery(airline)))


def _rows(regions: tuple[Region, ...]) -> list[tuple[Region, ...]]:
    """The regions in two rows that are as equal as they can be; in more, if two would be too narrow."""
    if len(regions) < 2:
        return [regions]
    cuts = range(1, len(regions))
    first = regions[0].first - 1
    longest = [max(regions[cut - 1].last - first, regions[-1].last - regions[cut - 1].last) for cut in cuts]
    cut = 1 + longest.index(min(longest))
    halves = (regions[:cut], regions[cut:])
    if min(longest) * NARROWEST <= RIGHT - LEFT:
        return list(halves)
    return [row for half in halves for row in _rows(half)]


def _tint(index: int, count: int) -> str:
    part = index / max(1, count - 1)
    return "#" + "".join(f"{round(low + (high - low) * part):02x}" for low, high in zip(LOW, HIGH, strict=True))


# The market and the bank

CARD, CARD_HEIGHT = 78.0, 104.0


def _market(board: Board, view: View, y: float) -> tuple[Svg, float]:
    table, height = view.table, 156
    parts = [panel(LEFT, y, 446, height, "Market")]
    step = min(CARD + 7, (446 - 22 - CARD) / max(1, len(table.market) - 1))
    for index, share in enumerate(table.market):
        parts.append(mark("share", share, _card(LEFT + 14 + step * index, y + 40, share)))
    if not table.market:
        parts.append(text(LEFT + 14, y + 76, "empty", SMALL, fill=FAINT))
    x = LEFT + 456
    parts.append(panel(x, y, 270, height, "Piles"))
    parts.append(text(x + 256, y + 24, f"{table.discards_size} discarded", SMALL, anchor="end", fill=FAINT))
    piles = ((BACK, "draw pile", table.deck_size, x + 14), (ABACUS, board.air_abacus.name, table.air_abacus, x + 146))
    for paint, label, size, left in piles:
        drawn = card(left, y + 40, 58, 80, paint)
        parts.append(mark("share", PILE, drawn) if paint is BACK else drawn)
        parts.append(text(left + 66, y + 88, str(size), 26, bold=True))
        parts.append(text(left, y + 143, fit(label, 120, SMALL), SMALL, fill=FAINT))
    x += 280
    parts.append(panel(x, y, 132, height, "Bank"))
    parts.append(text(x + 14, y + 84, str(table.bank), 40, bold=True))
    parts.append(text(x + 14, y + 108, "million", SMALL, fill=FAINT))
    x += 142
    parts.append(panel(x, y, RIGHT - x, height, board.air_abacus.name))
    for index, vp in enumerate(board.air_abacus.vp):
        line = y + 64 + 34 * index
        chosen = index == next_scoring(view)
        if chosen:
            parts.append(element("rect", x=x + 8, y=line - 22, width=RIGHT - x - 16, height=31, rx=3, fill="#e3b95f"))
        words = f"{ORDINALS[index]} scoring"
        parts.append(text(x + 16, line, words, SMALL, bold=chosen))
        parts.append(text(RIGHT - 16, line, " · ".join(map(str, vp)), SMALL, bold=chosen, anchor="end"))
    return group(*parts), y + height


def _card(x: float, y: float, share: str) -> Svg:
    return card(x, y, CARD, CARD_HEIGHT, _paint(share), _word(share))


def _word(share: str) -> str:
    return "Abacus" if share == AIR_ABACUS else share


def _paint(share: str) -> Paint:
    return ABACUS if share == AIR_ABACUS else livery(share)


# The players

NAME_COLUMN, MONEY_COLUMN, HAND_COLUMN, VP_COLUMN = 222.0, 66.0, 112.0, 70.0
HEAD = 146  # the height of what is said of the airlines, above the rows of the players


def _players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """One row a player, one column an airline, so that majorities can be read down the columns."""
    table = view.table
    shares = [*airlines_in_play(board, view), AIR_ABACUS]
    first = LEFT + NAME_COLUMN + MONEY_COLUMN + HAND_COLUMN
    column = (RIGHT - VP_COLUMN - first) / len(shares)
    centres = [first + column * (index + 0.5) for index in range(len(shares))]
    heights = [78 if player.hand is not None else 62 for player in table.players]
    last = last_scoring_of(board, view)
    third = last.third if last and len(table.players) == IMAGINED_AT else None
    top = y + HEAD
    bottom = top + sum(heights) + (62 if third is not None else 0)
    parts = [panel(LEFT, y, RIGHT - LEFT, bottom - y + 4, "Shares and players")]
    for words, x in (("Money", first - HAND_COLUMN - 12), ("Hand", first - 16), ("Points", RIGHT - 12)):
        parts.append(text(x, y + 134, words, SMALL, anchor="end", fill=FAINT))
    for words, line in (("Space on the track", y + 84), ("Airplanes left", y + 109), ("Routes to buy", y + 134)):
        parts.append(text(LEFT + 14, line, words, SMALL, fill=FAINT))
    for share, x in zip(shares, centres, strict=True):
        parts += _airline_head(view, share, x, y, column - 2)
    line = top
    for seat, height in enumerate(heights):
        parts += _player(view, seat, Box(LEFT, line, RIGHT - LEFT, height), shares, centres)
        line += height
    if third is not None:
        parts += _third_player(third, Box(LEFT, line, RIGHT - LEFT, 62), shares, centres)
    return group(*parts), bottom + 4


def _airline_head(view: View, share: str, x: float, y: float, width: float) -> Iterator[Svg]:
    yield _airline_mark(share, disc(x, y + 24, 14, _paint(share)))
    yield text(x, y + 58, fit(_word(share), width, SMALL), SMALL, anchor="middle")
    if share == AIR_ABACUS:
        return
    state = view.table.airlines[share]
    yield text(x, y + 84, str(state.marker), SMALL, bold=True, anchor="middle")
    yield text(x, y + 109, str(state.planes), SMALL, anchor="middle")
    routes = len(state.routes)
    if routes:
        yield text(x, y + 134, str(routes), SMALL, anchor="middle")
    else:
        yield text(x, y + 134, fit("blocked", width + 2, SMALL), SMALL, anchor="middle", fill=ACCENT)


def _airline_mark(share: str, drawn: Svg) -> Svg:
    return drawn if share == AIR_ABACUS else mark("airline", share, drawn)


def _player(view: View, seat: int, row: Box, shares: list[str], centres: list[float]) -> Iterator[Svg]:
    player = view.table.players[seat]
    asked = any(decision.seat == seat for decision in view.decisions)
    yield element("line", x1=row.x, x2=row.x + row.width, y1=row.y, y2=row.y, stroke=RULE)
    if asked:
        yield element("rect", x=row.x + 1, y=row.y + 1, width=7, height=row.height - 2, fill=ACCENT)
    middle = row.y + 34
    room = NAME_COLUMN - 22
    yield text(row.x + 16, row.y + 26, fit(player_name(view, seat), room, PLAIN, True), PLAIN, bold=True)
    notes = ", ".join(_notes(view, seat))
    yield text(row.x + 16, row.y + 50, fit(notes, room, SMALL), SMALL, fill=ACCENT if asked else FAINT)
    money, hand = row.x + NAME_COLUMN + MONEY_COLUMN - 12, row.x + NAME_COLUMN + MONEY_COLUMN + HAND_COLUMN - 16
    yield text(money, middle, str(player.cash), 24, bold=True, anchor="end")
    yield text(hand, row.y + 26, counted(player.hand_size, "card"), SMALL, anchor="end")
    if player.air_abacus_in_hand:
        yield text(hand, row.y + 50, f"{player.air_abacus_in_hand} Abacus", SMALL, anchor="end", fill=ACCENT)
    for share, x in zip(shares, centres, strict=True):
        held, inside = player.holdings.get(share, 0), (player.hand or {}).get(share, 0)
        cell = _held(x, row.y, held, _paint(share))
        yield mark("held", share, cell) if held and seat == view.you else cell
        if inside:
            plus = text(x, row.y + 68, f"+{inside}", SMALL, bold=True, anchor="middle")
            yield mark("shares", share, mark("hand", share, plus)) if seat == view.you else plus
    points = "secret" if player.vp is None else str(player.vp)
    size = SMALL if player.vp is None else 26
    yield text(row.x + row.width - 12, middle, points, size, bold=player.vp is not None, anchor="end",
               fill=FAINT if player.vp is None else INK)  # fmt: skip


def _held(x: float, y: float, held: int, paint: Paint) -> Svg:
    """How many shares of an airline lie before a player."""
    if not held:
        return element("circle", cx=x, cy=y + 27, r=2.5, fill=RULE)
    return group(
        element(
            "rect", x=x - 17, y=y + 9, width=34, height=35, rx=4, fill=paint.fill, stroke=paint.edge, stroke_width=1.4
        ),
        text(x, y + 34, str(held), 22, bold=True, anchor="middle", fill=paint.ink),
    )


def _third_player(third: Shares, row: Box, shares: list[str], centres: list[float]) -> Iterator[Svg]:
    """What the imagined player of a game for two held at the last scoring (AE-P02)."""
    yield element("line", x1=row.x, x2=row.x + row.width, y1=row.y, y2=row.y, stroke=RULE)
    yield text(row.x + 16, row.y + 26, "Third player", PLAIN, bold=True)
    yield text(row.x + 16, row.y + 50, "imagined, for the last scoring", SMALL, fill=FAINT)
    for share, x in zip(shares, centres, strict=True):
        yield _held(x, row.y, third.get(share, 0), _paint(share))


def _notes(view: View, seat: int) -> Iterable[str]:
    yield from seat_notes(view, seat, sealed="sealed")
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}, {standing.note}"
    if view.table.players[seat].hand and not view.ending:
        yield "+ in hand"

"""The table of Airlines Europe as a poster: the map, the share track, the market, and what the players hold.

Drawn from a view and the board alone. Next to each colour stands its letter, for those who cannot tell them by eye.
"""

from collections.abc import Iterable, Iterator

from referee.contract import View, counted
from referee.games.airlines_europe.board import Board, Region
from referee.games.airlines_europe.chart import (
    CHIP_SIZE,
    CITY,
    FRAME,
    HOME,
    LICENCE,
    NAME_SIZE,
    STEP,
    Line,
    bonus_label,
    chart,
)
from referee.games.airlines_europe.state import AIR_ABACUS
from referee.games.airlines_europe.text import ORDINALS, airlines_in_play, headline, next_scoring, scoring_line
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
    number,
    panel,
    path,
    plane,
    text,
    text_width,
)
from referee.pictures.maps import Name, map_picture
from referee.pictures.poster import banner, foot, masthead, poster
from referee.pictures.wording import fidelity_line, player_name, results, seat_notes

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
FREE = Paint(PANEL, INK, INK, "")
DISTANT = Paint("#fbe3d6", ACCENT, ACCENT, "")
ABACUS = Paint("#fbe9d0", ACCENT, ACCENT, "A")
BACK = Paint(INK, "#0d1820", "#dfe9ea", "")
LOW, HIGH = (0xF3, 0xE9, 0xCF), (0xE3, 0xB9, 0x5F)  # the regions of the share track, from the first to the last


def picture(board: Board, view: View) -> str:
    track, y = _track(board, view, FRAME.y + FRAME.height + 62)
    market, y = _market(board, view, y + 16)
    players, y = _players(board, view, y + 12)
    height = y + 48
    described = f"{headline(view)} {scoring_line(view)} {fidelity_line(view)}"
    sections = (
        *_map(board, view, height),
        *_head(view),
        *_legend(FRAME.y + FRAME.height + 28),
        track,
        market,
        players,
    )
    return poster(view, "Airlines Europe", described, height, *sections, foot(view, LEFT, RIGHT, y + 30))


# The head and the foot of the poster


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
        yield _route(drawn.lines[route.id], route.distant)
    for route in board.routes:
        owners = table.licences.get(route.id, ())
        for index, (x, y, angle) in enumerate(drawn.lines[route.id].spots):
            if index < len(owners):
                yield plane(x, y, STEP, livery(owners[index]), angle, letter=True)
            elif route.distant:
                yield _distant_licence(x, y, route.licences[index])
            else:
                yield disc(x, y, LICENCE, FREE, str(route.licences[index]))
    homes = {board.airline[airline].home: airline for airline in table.airlines}
    for city, (x, y) in drawn.cities.items():
        if city in homes:
            yield _home(x, y, livery(homes[city]))
        else:
            yield element("circle", cx=x, cy=y, r=CITY, fill=INK, stroke=PANEL, stroke_width=2)
    for city, name in drawn.names.items():
        yield from _city_name(board, view, city, name)


def _route(line: Line, distant: bool) -> Svg:
    points = (number(value) for point in (line.start, line.bend, line.end) for value in point)
    way = "M{} {}Q{} {} {} {}".format(*points)
    if distant:
        return element("path", d=way, fill="none", stroke=ACCENT, stroke_width=2.2, stroke_dasharray="9 6")
    return group(
        element("path", d=way, fill="none", stroke=PANEL, stroke_width=5, stroke_opacity=0.8),
        element("path", d=way, fill="none", stroke=INK, stroke_width=1.8, stroke_opacity=0.75),
    )


def _distant_licence(x: float, y: float, cost: int) -> Svg:
    reach = LICENCE + 5
    corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
    return group(
        element("path", d=path(corners, closed=True), fill=DISTANT.fill, stroke=ACCENT, stroke_width=1.6),
        text(x, y + 5, str(cost), 15, bold=True, anchor="middle", fill=ACCENT),
    )


def _home(x: float, y: float, paint: Paint) -> Svg:
    ring = element("circle", cx=x, cy=y, r=HOME, fill=PANEL, stroke=INK, stroke_width=1.2)
    return group(ring, disc(x, y, HOME - 3, paint))


def _city_name(board: Board, view: View, city: str, name: Name) -> Iterator[Svg]:
    yield text(name.x, name.y, board.city[city].name, NAME_SIZE, bold=True, anchor=name.anchor, halo=PANEL)
    goals = [airline for airline in board.airlines if airline.goal == city and airline.id in view.table.airlines]
    goals = [airline for airline in goals if view.table.airlines[airline.id].bonus]
    width = sum(chip_width(bonus_label(airline), CHIP_SIZE) for airline in goals) + 4 * (len(goals) - 1)
    x = {"start": name.x, "middle": name.x - width / 2, "end": name.x - width}[name.anchor]
    for airline in goals:
        yield chip(x, name.y + 17, bonus_label(airline), livery(airline.id), CHIP_SIZE)
        x += chip_width(bonus_label(airline), CHIP_SIZE) + 4


def _legend(y: float) -> Iterator[Svg]:
    """What the signs on the map mean."""
    signs = (
        ("licence for sale, with its cost", 30),
        ("licence of an airline", 34),
        ("distant connection", 40),
        ("home airport", 34),
        ("bonus for getting here", chip_width("R +8", CHIP_SIZE) + 6),
    )
    gap = (RIGHT - LEFT - sum(room + text_width(words, 16) for words, room in signs)) / (len(signs) - 1)
    x, red, places = LEFT, livery("red"), []
    for words, room in signs:
        yield text(x + room, y + 5, words, 16)
        places.append(x)
        x += room + text_width(words, 16) + gap
    yield disc(places[0] + LICENCE, y, LICENCE, FREE, "4")
    yield plane(places[1] + 15, y, 30, red, -90, letter=True)
    yield _distant_licence(places[2] + 17, y, 10)
    yield _home(places[3] + HOME, y, red)
    yield chip(places[4], y, "R +8", red, CHIP_SIZE)


# The share track


def _track(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """All spaces with their regions in two rows; markers that share a space stand on each other."""
    rows = _two_rows(board.share_track.regions)
    cell = min(34, (RIGHT - LEFT) / max(row[-1].last - row[0].first + 1 for row in rows))
    standing: dict[int, list[str]] = {}
    for airline in airlines_in_play(board, view):
        standing.setdefault(view.table.airlines[airline].marker, []).append(airline)
    note = "points for the most shares of an airline, the second most, and so on"
    parts = [heading(LEFT, y + 16, "Share track"), text(RIGHT, y + 16, note, 16, anchor="end", fill=FAINT)]
    y += 26
    for row in rows:
        spaces = range(row[0].first, row[-1].last + 1)
        top = y + 22 + 25 * (max(1, *(len(standing.get(space, ())) for space in spaces)) - 1)
        for region in row:
            x, width = LEFT + (region.first - spaces[0]) * cell, (region.last - region.first + 1) * cell
            tint = _tint(board.share_track.regions.index(region), len(board.share_track.regions))
            parts.append(
                element("rect", x=x, y=y, width=width, height=top + 30 - y, fill=tint, stroke=PAPER, stroke_width=2)
            )
            points = fit(" · ".join(map(str, region.vp)), width - 6, 16, True)
            parts.append(text(x + 7, y + 17, points, 16, bold=True, fill=INK))
        for space in spaces:
            x = LEFT + (space - spaces[0]) * cell
            parts.append(
                element("rect", x=x + 1.5, y=top, width=cell - 3, height=28, rx=3, fill=PANEL, fill_opacity=0.75)
            )
            if space not in standing:
                parts.append(text(x + cell / 2, top + 19, str(space), 13, anchor="middle", fill=FAINT))
            for index, airline in enumerate(standing.get(space, ())):
                parts.append(disc(x + cell / 2, top + 14 - 25 * index, min(12, cell / 2 - 1), livery(airline)))
        y = top + 36
    return group(*parts), y


def _two_rows(regions: tuple[Region, ...]) -> list[tuple[Region, ...]]:
    """The regions in two rows that are as equal as they can be."""
    if len(regions) < 2:
        return [regions]
    cuts = range(1, len(regions))
    longest = [max(regions[cut - 1].last, regions[-1].last - regions[cut - 1].last) for cut in cuts]
    cut = 1 + longest.index(min(longest))
    return [regions[:cut], regions[cut:]]


def _tint(index: int, count: int) -> str:
    part = index / max(1, count - 1)
    return "#" + "".join(f"{round(low + (high - low) * part):02x}" for low, high in zip(LOW, HIGH, strict=True))


# The market and the bank


def _market(board: Board, view: View, y: float) -> tuple[Svg, float]:
    table, height = view.table, 142
    parts = [panel(LEFT, y, 418, height, "Market")]
    for index, share in enumerate(table.market):
        parts.append(_card(LEFT + 14 + 79 * index, y + 36, share))
    if not table.market:
        parts.append(text(LEFT + 14, y + 70, "empty", 18, fill=FAINT))
    x = LEFT + 428
    parts.append(panel(x, y, 240, height, "Piles"))
    parts.append(text(x + 226, y + 24, f"{table.discards_size} discarded", 15, anchor="end", fill=FAINT))
    piles = ((BACK, "draw pile", table.deck_size, x + 14), (ABACUS, board.air_abacus.name, table.air_abacus, x + 128))
    for paint, label, size, left in piles:
        parts.append(card(left, y + 36, 58, 76, paint))
        parts.append(text(left + 66, y + 82, str(size), 24, bold=True))
        parts.append(text(left, y + 131, fit(label, 108, 15), 15, fill=FAINT))
    x += 250
    parts.append(panel(x, y, 140, height, "Bank"))
    parts.append(text(x + 14, y + 76, str(table.bank), 40, bold=True))
    parts.append(text(x + 14, y + 98, "million", 16, fill=FAINT))
    x += 150
    parts.append(panel(x, y, RIGHT - x, height, board.air_abacus.name))
    for index, vp in enumerate(board.air_abacus.vp):
        line = y + 58 + 32 * index
        chosen = index == next_scoring(view)
        if chosen:
            parts.append(element("rect", x=x + 8, y=line - 20, width=RIGHT - x - 16, height=29, rx=3, fill="#e3b95f"))
        words = f"{ORDINALS[index]} scoring"
        parts.append(text(x + 16, line, words, 17, bold=chosen))
        parts.append(text(RIGHT - 16, line, " · ".join(map(str, vp)), 17, bold=chosen, anchor="end"))
    return group(*parts), y + height


def _card(x: float, y: float, share: str) -> Svg:
    return card(x, y, 72, 94, _paint(share), _word(share))


def _word(share: str) -> str:
    return "ABACUS" if share == AIR_ABACUS else share


def _paint(share: str) -> Paint:
    return ABACUS if share == AIR_ABACUS else livery(share)


# The players

NAME_COLUMN, MONEY_COLUMN, HAND_COLUMN, VP_COLUMN = 316.0, 70.0, 96.0, 78.0


def _players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """One row a player, one column an airline, so that majorities can be read down the columns."""
    table = view.table
    shares = [*airlines_in_play(board, view), AIR_ABACUS]
    first = LEFT + NAME_COLUMN + MONEY_COLUMN + HAND_COLUMN
    column = (RIGHT - VP_COLUMN - first) / len(shares)
    centres = [first + column * (index + 0.5) for index in range(len(shares))]
    heights = [66 if player.hand is not None else 54 for player in table.players]
    top = y + 108
    parts = [panel(LEFT, y, RIGHT - LEFT, top - y + sum(heights) + 4, "Shares and players")]
    for words, x in (("Money", first - HAND_COLUMN - 12), ("Hand", first - 16), ("Points", RIGHT - 14)):
        parts.append(text(x, y + 98, words, 16, anchor="end", fill=FAINT))
    for words, line in (("Space on the share track", y + 76), ("Airplanes left", y + 98)):
        parts.append(text(LEFT + 14, line, words, 16, fill=FAINT))
    for share, x in zip(shares, centres, strict=True):
        parts += _airline_head(view, share, x, y, column - 2)
    line = top
    for seat, height in enumerate(heights):
        parts += _player(view, seat, Box(LEFT, line, RIGHT - LEFT, height), shares, centres)
        line += height
    return group(*parts), line + 4


def _airline_head(view: View, share: str, x: float, y: float, width: float) -> Iterator[Svg]:
    yield disc(x, y + 22, 13, _paint(share))
    yield text(x, y + 52, fit(_word(share), width, 14), 14, anchor="middle")
    if share == AIR_ABACUS:
        return
    state = view.table.airlines[share]
    yield text(x, y + 76, str(state.marker), 18, bold=True, anchor="middle")
    if not state.routes:
        yield text(x, y + 98, "blocked", 14, anchor="middle", fill=ACCENT)
    else:
        yield text(x, y + 98, str(state.planes), 18, anchor="middle")


def _player(view: View, seat: int, row: Box, shares: list[str], centres: list[float]) -> Iterator[Svg]:
    player = view.table.players[seat]
    asked = any(decision.seat == seat for decision in view.decisions)
    yield element("line", x1=row.x, x2=row.x + row.width, y1=row.y, y2=row.y, stroke=RULE)
    if asked:
        yield element("rect", x=row.x + 1, y=row.y + 1, width=7, height=row.height - 2, fill=ACCENT)
    middle = row.y + 32
    name, room = player_name(view, seat), NAME_COLUMN - 24
    size = next((size for size in (19, 17) if text_width(name, size, True) <= room), 16)
    yield text(row.x + 16, row.y + 25, fit(name, room, size, True), size, bold=True)
    yield text(row.x + 16, row.y + 46, ", ".join(_notes(view, seat)), 16, fill=ACCENT if asked else FAINT)
    money, hand = row.x + NAME_COLUMN + MONEY_COLUMN - 12, row.x + NAME_COLUMN + MONEY_COLUMN + HAND_COLUMN - 16
    yield text(money, middle, str(player.cash), 22, bold=True, anchor="end")
    yield text(hand, row.y + 25, counted(player.hand_size, "card"), 16, anchor="end")
    if player.air_abacus_in_hand:
        yield text(hand, row.y + 46, f"{player.air_abacus_in_hand} ABACUS", 15, anchor="end", fill=ACCENT)
    for share, x in zip(shares, centres, strict=True):
        held, inside = player.holdings.get(share, 0), (player.hand or {}).get(share, 0)
        if held:
            paint = _paint(share)
            yield element(
                "rect", x=x - 15, y=row.y + 9, width=30, height=32, rx=4,
                fill=paint.fill, stroke=paint.edge, stroke_width=1.2,
            )  # fmt: skip
            yield text(x, row.y + 32, str(held), 20, bold=True, anchor="middle", fill=paint.ink)
        else:
            yield element("circle", cx=x, cy=row.y + 25, r=2, fill=RULE)
        if inside:
            yield text(x, row.y + 60, f"+{inside}", 16, bold=True, anchor="middle")
    points = "secret" if player.vp is None else str(player.vp)
    size = 16 if player.vp is None else 24
    yield text(row.x + row.width - 14, middle, points, size, bold=player.vp is not None, anchor="end",
               fill=FAINT if player.vp is None else INK)  # fmt: skip


def _notes(view: View, seat: int) -> Iterable[str]:
    yield from seat_notes(view, seat, sealed="sealed")
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}, {standing.note}"
    if view.table.players[seat].hand:
        yield "+ in hand"

"""The table of Kings of Air & Steam as a poster: the map, the market, and what the players have.

Drawn from a view and the board alone. Goods have an icon and players a letter beside their colour, for readers
who cannot tell colours apart.
"""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import LEVELS, Board
from referee.games.kings_of_air_and_steam.chart import Chart, airship, cube, livery
from referee.games.kings_of_air_and_steam.sentences import crew_line, fidelity_line, order_line, points, round_line
from referee.pictures.drawing import (
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
    panel,
    text,
    text_width,
)
from referee.pictures.poster import bands, poster
from referee.pictures.wording import headline, player_name, results
from referee.piles import pile_of

LEFT, RIGHT = 30, 1170
MAP = Box(LEFT, 152, 752, 0)
COLUMN = Box(798, 152, RIGHT - 798, 0)
TALLEST = 780  # of the map
GAP = 12
SPARE = 60  # that the sheets beside the map may be longer than it
MARKET_HEIGHT = 236
CARD = Paint("#fffaf0", INK, INK, "")
FIRST = Paint("#e3b95f", "#7a5a10", INK, "1")
BACK = Paint(INK, "#0d1820", "#dfe9ea", "")
DIAMOND = "#1f7fa6"


def picture(board: Board, view: View) -> str:
    chart = Chart(board, view, MAP, TALLEST)
    sheets, bottom = _sheets(board, view, MAP.y + chart.height)
    height = bottom + 46
    described = f"{headline(view, points)} {round_line(board, view)} {fidelity_line(view)}"
    return poster(
        view,
        "Kings of Air & Steam",
        described,
        height,
        *_head(board, view),
        *chart.draw(),
        *_market(board, view),
        *sheets,
        text(LEFT, bottom + 30, fit(fidelity_line(view), 760, 16), 16, fill=FAINT),
        text(RIGHT, bottom + 30, f"After move {view.sequence}", 16, anchor="end", fill=FAINT),
    )


# The head of the poster


def _head(board: Board, view: View) -> Iterator[Svg]:
    yield from bands()
    yield text(LEFT, 52, "KINGS OF AIR & STEAM", 42, bold=True, spacing=6, fill=PAPER)
    words = round_line(board, view)
    yield text(RIGHT, 48, words, 20, anchor="end", fill=PAPER)
    sky = Paint(PAPER, "#0d1820", INK, "")
    yield airship(RIGHT - text_width(words, 20) - 48, 40, 52, sky)
    yield from _banner(view)


def _banner(view: View) -> Iterator[Svg]:
    """Who is asked what, in two lines at most; or the result."""
    room = RIGHT - LEFT
    first, *more = lines(headline(view, points), room, 19, True)
    second = results(view) or " ".join([*more, order_line(view)]).strip()
    yield text(LEFT, 111 if second else 124, first, 19, bold=True)
    if second:
        yield text(LEFT, 136, fit(second, room, 17), 17)


# The market


def _market(board: Board, view: View) -> Iterator[Svg]:
    table, x, y = view.table, COLUMN.x, COLUMN.y
    yield panel(x, y, COLUMN.width, MARKET_HEIGHT, "Market")
    drawers = board.market.drawers
    step, left, wide = 27, x + 136, 54
    for row, good in enumerate(board.goods):
        line = y + 50 + step * row
        yield cube(x + 26, line, 21, good)
        yield text(x + 44, line + 5, good.capitalize(), 15)
        for index, price in enumerate(drawers):
            here = table.prices[good] == price
            yield element(
                "rect", x=left + index * (wide + 3), y=line - 11, width=wide, height=22, rx=3,
                fill="#e3b95f" if here else PANEL, stroke=INK if here else RULE, stroke_width=1.6 if here else 1,
            )  # fmt: skip
            middle = left + index * (wide + 3) + wide / 2
            yield text(middle, line + 5, f"${price}", 15, bold=here, anchor="middle", fill=INK if here else FAINT)
    line = y + 50 + step * len(board.goods) + 3
    yield from _tiles(board, x + 16, line, "Bins", list(table.bins), f"{table.draw_pile} to draw")
    yield from _tiles(board, x + 16, line + step, "Demand", list(table.demand), "")


def _tiles(board: Board, x: float, y: float, label: str, tiles: list[str], note: str) -> Iterator[Svg]:
    yield text(x, y + 5, label, 15, fill=FAINT)
    left = x + 70
    for good in board.goods:
        number = pile_of(tiles).get(good, 0)
        if number:
            yield cube(left + 9, y, 19, good)
            yield text(left + 22, y + 5, f"×{number}", 14, bold=True)
            left += 54
    if not tiles:
        yield text(left, y + 5, "none", 15, fill=FAINT)
        left += 44
    if note:
        yield text(left + 8, y + 5, note, 14, fill=FAINT)


# The players


def _sheets(board: Board, view: View, bottom: float) -> tuple[list[Svg], float]:
    """A sheet for each player: beside the map as long as there is room, the others in rows below, but none alone."""
    high = 124 if has_teams(view) else 104
    y = COLUMN.y + MARKET_HEIGHT + GAP
    drawn: list[Svg] = []
    seats = list(range(len(view.players)))
    while seats and (y + high <= bottom + SPARE or len(seats) == 1):
        drawn.append(_sheet(board, view, seats.pop(0), Box(COLUMN.x, y, COLUMN.width, high)))
        y += high + GAP
    bottom = max(bottom + GAP, y)
    width = (RIGHT - LEFT - 2 * GAP) / 3
    for index, seat in enumerate(seats):
        across, down = index % 3, index // 3
        box = Box(LEFT + across * (width + GAP), bottom + down * (high + GAP), width, high)
        drawn.append(_sheet(board, view, seat, box))
    rows = -(-len(seats) // 3)
    return drawn, bottom + rows * (high + GAP)


def _sheet(board: Board, view: View, seat: int, box: Box) -> Svg:
    player, x, y, right = view.table.players[seat], box.x + 14, box.y, box.x + box.width - 14
    asked = any(decision.seat == seat for decision in view.decisions) and seat not in view.sealed
    money = f"${player.cash} · {player.score} points"
    name = fit(player_name(view, seat), box.width - 96 - text_width(money, 16, True), 17, True)
    parts = [
        panel(*box, marked=asked),
        disc(x + 9, y + 20, 11, livery(board, seat)),
        text(x + 28, y + 26, name, 17, bold=True),
        text(right, y + 26, money, 16, bold=True, anchor="end"),
    ]
    if view.table.first == seat:
        parts.append(disc(x + 42 + text_width(name, 17, True), y + 20, 9, FIRST))
    line = y + 26
    crew = crew_line(board, view, seat)
    if has_teams(view):
        line += 19
        parts.append(text(x, line, fit(crew or "No team yet", box.width - 28, 14), 14, fill=FAINT))
    line += 24
    parts += _airship_line(view, seat, x, line)
    line += 22
    train = f"Train level {player.train_level} of {LEVELS}, rating {player.rating}"
    depots = f"{counted(player.supply, 'Depot')} left"
    parts.append(text(x, line, fit(f"{train} · {depots}", box.width - 28, 14), 14))
    parts += _cards(view, seat, x, line + 6)
    return group(*parts)


def has_teams(view: View) -> bool:
    return any(player.team for player in view.table.players)


def _airship_line(view: View, seat: int, x: float, y: float) -> Iterator[Svg]:
    """Level, diamonds shown and allowed, and the hold."""
    player = view.table.players[seat]
    label = f"Airship level {player.airship_level}"
    yield text(x, y, label, 14)
    left = x + text_width(label, 14) + 12
    for index in range(max(player.diamonds, player.exposed)):
        yield diamond(left + index * 14, y - 5, 6, filled=index < player.exposed)
    left += max(player.diamonds, player.exposed) * 14 + 6
    for slot in range(player.capacity):
        middle = left + 10 + slot * 22
        if slot < len(player.hold):
            yield cube(middle, y - 5, 18, player.hold[slot])
        else:
            yield element("rect", x=middle - 9, y=y - 14, width=18, height=18, rx=3, fill="#ffffff", stroke=RULE)


def diamond(x: float, y: float, size: float, filled: bool) -> Svg:
    points = f"M{x - size} {y}L{x} {y - size}L{x + size} {y}L{x} {y + size}Z"
    return element("path", d=points, fill=DIAMOND if filled else "#ffffff", stroke=DIAMOND, stroke_width=1.3)


def _cards(view: View, seat: int, x: float, y: float) -> Iterator[Svg]:
    """Shown cards, the card of this cycle, and the plan, face down for the others."""
    player = view.table.players[seat]
    cards = [(card, CARD, False) for card in player.shown]
    cards += [(player.card, Paint("#e3b95f", INK, INK, ""), False)] if player.card else []
    plan = [("", BACK)] * player.planned if player.plan is None else [(card, CARD) for card in player.plan]
    cards += [(card, paint, True) for card, paint in plan]
    for card, paint, planned in cards:
        label = card.replace("_", " ")
        label = label if len(label) <= 3 else "".join(word[0] for word in label.split()).upper() or label
        wide = max(22, text_width(label, 13, True) + 10)
        yield element(
            "rect", x=x, y=y, width=wide, height=20, rx=3, fill=paint.fill, stroke=paint.edge,
            stroke_width=1.2, stroke_dasharray="3 2" if planned and card else None,
        )  # fmt: skip
        if label:
            yield text(x + wide / 2, y + 15, label, 13, bold=True, anchor="middle", fill=paint.ink)
        x += wide + 5

"""The table of Kings of Air & Steam as a poster: the map, the market, and what the players have.

Drawn from a view and the board alone. Goods have an icon and players a letter beside their colour, for readers
who cannot tell colours apart.
"""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.chart import Chart, airship, cube, livery
from referee.games.kings_of_air_and_steam.hints import airship_words, position_of, train_words
from referee.games.kings_of_air_and_steam.sentences import (
    crew_line,
    depots_words,
    fidelity_line,
    marker_holder,
    order_line,
    points,
    round_line,
    score_line,
)
from referee.games.kings_of_air_and_steam.state import HOLD, lot
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
    mark,
    panel,
    text,
    text_width,
)
from referee.pictures.poster import Section, bands, foot, poster
from referee.pictures.wording import NO_BREAK, headline, player_name, results
from referee.piles import pile_of

LEFT, RIGHT = 24, 1176
TOP = 152  # of the map
GAP = 14
MARKET_HEIGHT = 156
DECK_HEIGHT = 84
SIZE = 18  # of most words
CARD = Paint("#fffaf0", INK, INK, "")
FACE_UP = Paint("#e3b95f", INK, INK, "")
FIRST = Paint("#e3b95f", "#7a5a10", INK, "1")
BACK = Paint(INK, "#0d1820", "#dfe9ea", "")
DIAMOND = "#1f7fa6"


def picture(board: Board, view: View, part: str = "") -> str:
    chart = Chart(board, view, Box(LEFT, TOP, RIGHT - LEFT, 0))
    plan = Box(LEFT, TOP - GAP / 2, RIGHT - LEFT, chart.height + GAP)
    market = Box(LEFT, TOP + chart.height + GAP, RIGHT - LEFT, MARKET_HEIGHT)
    sheets, players = _players(board, view, market.y + MARKET_HEIGHT + GAP)
    bottom = players.y + players.height
    described = f"{headline(view, points)} {round_line(board, view)} {fidelity_line(view)}"
    return poster(
        view,
        "Kings of Air & Steam",
        described,
        bottom + 46,
        *_head(board, view),
        Section("map", plan, group(*chart.draw())),
        Section("market", market, group(*_market(board, view, market))),
        Section("players", players, group(*sheets)),
        foot(view, LEFT, RIGHT, bottom + 30),
        part=part,
    )


# The head of the poster


def _head(board: Board, view: View) -> Iterator[Svg]:
    yield from bands()
    yield text(LEFT, 52, "KINGS OF AIR & STEAM", 42, bold=True, spacing=6, fill=PAPER)
    words = round_line(board, view)
    yield text(RIGHT, 48, words, 20, anchor="end", fill=PAPER)
    sky = Paint(FACE_UP.fill, "#f6eedc", INK, "")
    yield airship(RIGHT - text_width(words, 20) - 48, 40, 52, sky)
    yield from _banner(view)


def _banner(view: View) -> Iterator[Svg]:
    """Who is asked what, in two lines at most; or the result."""
    room = RIGHT - LEFT
    first, *more = lines(headline(view, points), room, 20, True)
    second = results(view) or " ".join([*more, order_line(view)]).strip()
    yield text(LEFT, 111 if second else 124, first, 20, bold=True)
    if second:
        yield text(LEFT, 136, fit(second, room, SIZE), SIZE)


# The market


def _market(board: Board, view: View, box: Box) -> Iterator[Svg]:
    """A column for each good with its drawers, and the tiles below."""
    table = view.table
    yield panel(*box)
    wide = (box.width - 20) / len(board.goods)
    for column, good in enumerate(board.goods):
        drawn = group(*_good(board, view, good, Box(box.x + 14 + column * wide, box.y + 12, wide - 12, 96)))
        for field in ("good", "goods", "jettison", "into", "extra"):
            drawn = mark(field, good, drawn)
        yield drawn
    line, middle = box.y + 130, box.x + box.width / 2
    yield from _tiles(board, box.x + 16, line, f"In the bins, {table.draw_pile} to draw", list(table.bins))
    yield from _tiles(board, middle + 40, line, "Demand stack", list(table.demand))


def _good(board: Board, view: View, good: str, box: Box) -> Iterator[Svg]:
    yield element("rect", x=box.x - 6, y=box.y - 4, width=box.width, height=100, rx=4, fill=PANEL)
    yield cube(box.x + 16, box.y + 20, 30, good)
    yield text(box.x + 40, box.y + 27, fit(good.capitalize(), box.width - 50, 20, True), 20, bold=True)
    drawers = board.market.drawers
    step = (box.width - 6) / len(drawers)
    for index, price in enumerate(drawers):
        here = view.table.prices[good] == price
        x = box.x + index * step
        yield element(
            "rect", x=x, y=box.y + 50, width=step - 4, height=36, rx=4,
            fill=FACE_UP.fill if here else PANEL, stroke=INK if here else RULE, stroke_width=2 if here else 1,
        )  # fmt: skip
        words, size = f"${price}", 22 if here else SIZE
        yield text(x + step / 2 - 2, box.y + 75, words, size, bold=here, anchor="middle", fill=INK if here else FAINT)


def _tiles(board: Board, x: float, y: float, label: str, tiles: list[str]) -> Iterator[Svg]:
    yield text(x, y + 6, label, SIZE, fill=FAINT)
    left = x + text_width(label, SIZE) + 16
    for good in board.goods:
        number = pile_of(tiles).get(good, 0)
        if number:
            yield cube(left + 11, y, 22, good)
            yield text(left + 26, y + 6, f"×{number}", SIZE, bold=True)
            left += 62
    if not tiles:
        yield text(left, y + 6, "none", SIZE, fill=FAINT)


# The players


def _players(board: Board, view: View, y: float) -> tuple[list[Svg], Box]:
    """The viewer's cards, and a sheet for each player, two in a row."""
    top, drawn = y, list[Svg]()
    if view.you is not None and view.table.players[view.you].deck and not view.ending:
        drawn += _deck(board, view, Box(LEFT, y, RIGHT - LEFT, DECK_HEIGHT))
        y += DECK_HEIGHT + GAP
    high = 198 + 26 * has_teams(view) - 44 * bool(view.ending)  # no cards then
    width = (RIGHT - LEFT - GAP) / 2
    for seat, player in enumerate(view.table.players):
        box = Box(LEFT + seat % 2 * (width + GAP), y + seat // 2 * (high + GAP), width, high)
        sheet = _sheet(board, view, seat, box)
        for field in ("pay", "victim", "sparing"):
            sheet = mark(field, player.colour, sheet)
        drawn.append(sheet)
    rows = -(-len(view.players) // 2)
    return drawn, Box(LEFT, top, RIGHT - LEFT, y + rows * (high + GAP) - top)


def _deck(board: Board, view: View, box: Box) -> Iterator[Svg]:
    """The viewer's own cards, each with its letter."""
    assert view.you is not None
    yield panel(*box, title="Your cards, with the letter that says when your turn comes")
    x = box.x + 14
    for card, copies in pile_of(list(view.table.players[view.you].deck or ())).items():
        label = card_chip(board, card) + (f"  ×{copies}" if copies > 1 else "")
        drawn = _chip(x, box.y + 38, label, CARD)
        yield mark("cards", card, mark("card", card, drawn))
        x += _chip_width(label) + 10


def _sheet(board: Board, view: View, seat: int, box: Box) -> Svg:
    player, x, y, right = view.table.players[seat], box.x + 14, box.y, box.x + box.width - 14
    room = box.width - 28
    asked = any(decision.seat == seat for decision in view.decisions) and seat not in view.sealed
    money = f"${player.cash} · {player.score} points"
    name = fit(player_name(view, seat), room - 76 - text_width(money, 20, True), 20, True)
    parts = [
        panel(*box, marked=asked),
        disc(x + 12, y + 24, 14, livery(board, seat)),
        text(x + 34, y + 31, name, 20, bold=True),
        text(right, y + 31, money, 20, bold=True, anchor="end"),
    ]
    if marker_holder(view) == seat:
        parts.append(disc(x + 54 + text_width(name, 20, True), y + 24, 13, FIRST))
    line = y + 34
    if has_teams(view):
        line += 26
        crew = crew_line(board, view, seat) or "No team yet"
        parts.append(text(x, line, fit(crew, room, SIZE), SIZE, fill=FAINT))
    line += 32
    parts += _airship_line(view, seat, x, line)
    line += 30
    if view.ending:
        said = score_line(board, view, seat)
    else:
        now = position_of(board, view).players[seat]
        said = f"Next: Airship {airship_words(board, now, level=False)}; Train {train_words(board, now, level=False)}"
    parts.append(text(x, line, fit(said, room, SIZE), SIZE, fill=FAINT if not view.ending else INK))
    line += 28
    left = counted(player.supply, "Depot")
    stored = depots_words(player.depots).replace(NO_BREAK, " ")
    parts.append(text(x, line, fit(f"{left} left; built: {stored}", room, SIZE), SIZE))
    parts += _cards(board, view, seat, x, line + 14)
    return group(*parts)


def has_teams(view: View) -> bool:
    return any(player.team for player in view.table.players)


def _airship_line(view: View, seat: int, x: float, y: float) -> Iterator[Svg]:
    """Levels, diamonds shown and allowed, and the hold."""
    player = view.table.players[seat]
    label = f"Airship {player.airship_level}"
    yield text(x, y, label, SIZE)
    left = x + text_width(label, SIZE) + 16
    diamonds = max(player.diamonds, player.exposed)
    for index in range(diamonds):
        yield diamond(left + index * 19, y - 6, 8, filled=index < player.exposed)
    left += diamonds * 19 + 2
    for slot in range(player.capacity):
        middle = left + 12 + slot * 27
        if slot < len(player.hold):
            drawn = cube(middle, y - 6, 23, player.hold[slot])
            yield mark("lots", lot(HOLD, player.hold[slot]), drawn) if seat == view.you else drawn
        else:
            yield element("rect", x=middle - 11, y=y - 17, width=22, height=22, rx=3, fill=PAPER, stroke=FAINT)
    left += player.capacity * 27 + 18
    yield text(left, y, f"Train {player.train_level}, rating {player.rating}", SIZE)


def diamond(x: float, y: float, size: float, filled: bool) -> Svg:
    points = f"M{x - size} {y}L{x} {y - size}L{x + size} {y}L{x} {y + size}Z"
    return element("path", d=points, fill=DIAMOND if filled else "#ffffff", stroke=DIAMOND, stroke_width=1.5)


def _cards(board: Board, view: View, seat: int, x: float, y: float) -> Iterator[Svg]:
    """Shown cards, the card of this cycle, and the plan, face down for the others."""
    player = view.table.players[seat]
    cards = [(card_chip(board, card), CARD, False) for card in player.shown]
    cards += [(card_chip(board, player.card), FACE_UP, False)] if player.card else []
    if player.plan is None:
        cards += [("", BACK, True)] * player.planned
    else:
        cards += [(card_chip(board, card), CARD, True) for card in player.plan]
    for label, paint, planned in cards:
        yield _chip(x, y, label, paint, dashed=planned and bool(label))
        x += _chip_width(label) + 6


def card_chip(board: Board, card: str) -> str:
    """`4d E`: what a card is called, and its letter."""
    return f"{board.card_name(card)} {board.card[card].letter}"


def _chip(x: float, y: float, label: str, paint: Paint, dashed: bool = False) -> Svg:
    wide = _chip_width(label)
    box = element(
        "rect", x=x, y=y, width=wide, height=32, rx=4, fill=paint.fill, stroke=paint.edge,
        stroke_width=1.4, stroke_dasharray="4 3" if dashed else None,
    )  # fmt: skip
    words = text(x + wide / 2, y + 23, label, 20, bold=True, anchor="middle", fill=paint.ink)
    return group(box, words) if label else group(box)


def _chip_width(label: str) -> float:
    return max(26, text_width(label, 20, True) + 16)

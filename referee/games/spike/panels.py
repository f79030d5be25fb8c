"""The sheets beside the map: the market, the rail cards, and what the players have."""

from collections.abc import Callable, Iterator
from functools import partial

from referee.contract import View, counted
from referee.games.spike.board import PARTS, Board
from referee.games.spike.chart import FRAME_WIDTH, FRAME_X, SIZE
from referee.games.spike.hints import contract_words, other_side
from referee.games.spike.pieces import engine, livery, rail_card, stack
from referee.games.spike.state import Contract
from referee.games.spike.text import OUT, contract_line, earned_line, route_line, space_name
from referee.games.spike.view import PlayerView
from referee.pictures.drawing import (
    ACCENT,
    FAINT,
    INK,
    LAND,
    RULE,
    Box,
    Svg,
    element,
    fit,
    group,
    mark,
    panel,
    text,
    text_width,
)
from referee.pictures.wording import player_name, seat_notes

LEFT, RIGHT = FRAME_X, FRAME_X + FRAME_WIDTH
NAME_COLUMN = 384.0
LINE = 27  # from one contract or route to the next
CARDS_IN_A_ROW = 6  # kinds of rail cards in a hand

Draw = Callable[[float, float], Svg]  # something that is drawn where there is room for it


def table_panel(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The market and the rail cards, and where they end."""
    table, height = view.table, 164
    names = {commodity.id: commodity.name for commodity in board.commodities}
    market_width = 470.0
    parts = [panel(LEFT, y, market_width, height, "Market")]
    column = (market_width - 70) / len(table.market)
    for row, value in enumerate(board.market.rows):
        line = y + 42 + row * (height - 48) / len(board.market.rows)
        parts.append(text(LEFT + 16, line + 22, f"${value}", 20, bold=True))
        for index, chips in enumerate(table.market):
            x = LEFT + 58 + index * column
            middle = x + (column - 8) / 2
            parts.append(
                element(
                    "rect", x=x, y=line, width=column - 8, height=30, rx=15, fill=LAND, stroke=INK, stroke_width=1.2
                )
            )
            parts.append(text(middle, line + 21, fit(names[chips[row]], column - 14, SIZE), SIZE, anchor="middle"))
    x = LEFT + market_width + 10
    parts.append(panel(x, y, RIGHT - x, height, "Rail cards"))
    for index, kind in enumerate(table.display):
        parts.append(mark("card", kind, rail_card(x + 14 + 86 * index, y + 44, kind)))
    if not table.display:
        parts.append(text(x + 14, y + 76, "none face up", SIZE, fill=FAINT))
    side = x + 14 + 86 * max(board.setup.display, len(table.display)) + 8
    parts.append(text(side, y + 66, f"Deck {table.deck_size}", 24, bold=True))
    discarded = [(kind.id, table.discards[kind.id]) for kind in board.rail_types if table.discards.get(kind.id)]
    parts.append(text(side, y + 96, "Discards" if discarded else "No discards", SIZE, fill=FAINT))
    for index, (kind, count) in enumerate(discarded):
        parts.append(stack(side + 76 * (index % 4), y + 117 + 27 * (index // 4), kind, str(count)))
    return group(*parts), y + height


def players_panel(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """One box a player: name, money and train on the left, contracts on the right, own cards and routes below."""
    parts = []
    for seat in range(len(view.players)):
        box, drawn = _player(board, view, seat, y)
        parts.append(drawn)
        y += box.height + 10
    return group(*parts), y - 10


def _player(board: Board, view: View, seat: int, y: float) -> tuple[Box, Svg]:
    player: PlayerView = view.table.players[seat]
    asked = any(decision.seat == seat for decision in view.decisions)
    contracts = list(_contracts(board, view, seat, player))
    below = [*_hand(board, player), *_routes(board, view, seat, player)]
    upper = max(134, 16 + sum(LINE * lines for lines, _ in contracts))
    box = Box(LEFT, y, RIGHT - LEFT, upper + sum(height for height, _ in below) + 5 * bool(below))
    parts = [panel(box.x, box.y, box.width, box.height, marked=asked), *_train(board, view, seat, player, y)]
    line = y + 27.0
    for lines, draw in contracts:
        parts.append(draw(LEFT + NAME_COLUMN, line))
        line += LINE * lines
    line = y + upper
    if below:
        parts.append(element("line", x1=LEFT + 12, x2=RIGHT - 12, y1=line - 2, y2=line - 2, stroke=RULE))
    for height, draw in below:
        parts.append(draw(LEFT + 16, line))
        line += height
    return box, group(*parts)


def _train(board: Board, view: View, seat: int, player: PlayerView, y: float) -> Iterator[Svg]:
    """Name, money, how many of everything, and the parts of the train."""
    asked = any(decision.seat == seat for decision in view.decisions)
    yield engine(LEFT + 40, y + 34, 50, livery(seat))
    name = player_name(view, seat)
    size = next((size for size in (20, 18) if text_width(name, size, True) <= NAME_COLUMN - 176), 18)
    yield text(LEFT + 80, y + 31, fit(name, NAME_COLUMN - 176, size, True), size, bold=True)
    yield text(LEFT + NAME_COLUMN - 18, y + 36, f"${player.score}", 30, bold=True, anchor="end")
    notes = fit(", ".join(_notes(view, seat)), NAME_COLUMN - 100, SIZE)
    yield text(LEFT + 80, y + 54, notes, SIZE, fill=ACCENT if asked else FAINT)
    cities = counted(len(player.cities), "city", "cities")
    words = f"{counted(player.hand_size, 'card')}, {counted(player.tracks_left, 'track')} left, {cities}"
    yield text(LEFT + 16, y + 80, fit(words, NAME_COLUMN - 30, SIZE), SIZE)
    x = LEFT + 16
    train = (f"speed {player.train['speed']},", f"power {player.train['power']},",
             counted(player.train["cargo"], "freight car"))  # fmt: skip
    for part, said in zip(PARTS, train, strict=True):
        drawn = text(x, y + 102, said, SIZE)
        yield mark("part", part, drawn) if seat == view.you else drawn
        x += text_width(said + " ", SIZE)
    if player.at:
        where = f"train at {space_name(board, player.at)}"
        yield text(LEFT + 16, y + 124, fit(where, NAME_COLUMN - 30, SIZE), SIZE)


def _contracts(board: Board, view: View, seat: int, player: PlayerView) -> Iterator[tuple[int, Draw]]:
    """Each contract in a line; where the sides are chosen, the own ones with the other side too."""
    room = RIGHT - LEFT - NAME_COLUMN - 14
    for goods, contract in player.contracts.items():
        said = [contract_line(board, goods, contract)]
        if view.phase == "sides" and seat == view.you and not view.ending:
            said.append(f"turned over: {contract_words(board, other_side(board, contract))}")
        yield len(said), partial(_contract, goods, contract, said, room, seat == view.you)


def _contract(goods: str, contract: Contract, said: list[str], room: float, own: bool, x: float, y: float) -> Svg:
    head, _, rest = said[0].partition(":")
    done = bool(contract.delivered)
    fill = FAINT if done else ACCENT if contract.aboard else INK
    width = text_width(f"{head}:", SIZE, not done) + 5
    parts = [
        text(x, y, f"{head}:", SIZE, bold=not done, fill=fill),
        text(x + width, y, fit(rest.strip(), room - width, SIZE), SIZE, fill=FAINT if done else INK),
        *(text(x + 22, y + LINE * number, fit(more, room - 22, SIZE), SIZE) for number, more in enumerate(said[1:], 1)),
    ]
    return mark("commodity", goods, mark("contracts", goods, *parts)) if own else group(*parts)


def _hand(board: Board, player: PlayerView) -> Iterator[tuple[float, Draw]]:
    if player.hand is None:
        return
    held = [(kind.id, player.hand[kind.id]) for kind in board.rail_types if player.hand.get(kind.id)]
    rows = max(1, -(-len(held) // CARDS_IN_A_ROW))
    yield 31.0 * rows, partial(_cards, held)


def _cards(held: list[tuple[str, int]], x: float, y: float) -> Svg:
    parts = [text(x, y + 21, "Hand" if held else "No cards in hand", SIZE, fill=FAINT)]
    for index, (kind, count) in enumerate(held):
        place, line = x + 62 + 178 * (index % CARDS_IN_A_ROW), y + 15 + 31 * (index // CARDS_IN_A_ROW)
        parts.append(
            mark("card", kind, mark("cards", kind, stack(place, line, kind, fit(f"{count} {kind}", 128, SIZE))))
        )
    return group(*parts)


def _routes(board: Board, view: View, seat: int, player: PlayerView) -> Iterator[tuple[float, Draw]]:
    """The routes with what they pay, and at the end what the money comes from."""
    for route in player.routes or ():
        yield LINE, partial(_words, f"Route {route_line(board, route, player)}", route if seat == view.you else "")
    if view.ending:
        yield LINE, partial(_words, f"Money: {earned_line(player)}", "")


def _words(said: str, route: str, x: float, y: float) -> Svg:
    drawn = text(x, y + 19, fit(said, RIGHT - LEFT - 30, SIZE), SIZE)
    return mark("route", route, drawn) if route else drawn


def _notes(view: View, seat: int) -> Iterator[str]:
    yield from seat_notes(view, seat, sealed="sealed")
    for standing in view.standings:
        if standing.seat == seat and standing.place is not None:
            yield f"place {standing.place}"
    if seat == view.table.out:
        yield OUT

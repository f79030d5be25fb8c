"""The table of Mail Run as a poster: the map with the planes, and what the players have.

Drawn from a view and the board alone.
"""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.mail_run.board import Board
from referee.games.mail_run.chart import CITY, FRAME, NAME_SIZE, chart
from referee.games.mail_run.text import hand_line, score, status
from referee.pictures.drawing import (
    INK,
    PAINTS,
    PANEL,
    Box,
    Paint,
    Svg,
    element,
    fit,
    group,
    mark,
    panel,
    path,
    plane,
    text,
)
from referee.pictures.maps import map_picture, written
from referee.pictures.poster import Section, banner, foot, masthead, poster
from referee.pictures.wording import fidelity_line, headline, player_name, results, seat_notes

LEFT, RIGHT = FRAME.x, FRAME.x + FRAME.width
SEATS = ("red", "blue", "green", "yellow")
PLANE = 46.0
ROW = 64


def livery(seat: int) -> Paint:
    return PAINTS[SEATS[seat]]


def picture(board: Board, view: View, part: str = "") -> str:
    top = FRAME.y + FRAME.height + 24
    bottom = top + 34 + ROW * len(view.players)
    layers = map_picture(FRAME, _routes(board), _cities(board), _planes(board, view))
    return poster(
        view,
        "Mail Run",
        f"{headline(view, score)} {status(board, view)} {fidelity_line(view)}",
        bottom + 48,
        *masthead("Mail Run", status(board, view), LEFT, RIGHT),
        *banner(headline(view, score), results(view, score), LEFT, RIGHT, 110, 136),
        Section("map", FRAME.grown(8), group(*layers)),
        Section("players", Box(LEFT, top, RIGHT - LEFT, bottom - top).grown(8), group(*_players(board, view, top))),
        foot(view, LEFT, RIGHT, bottom + 30),
        part=part,
    )


def _routes(board: Board) -> Iterator[Svg]:
    cities = chart(board).cities
    for route in board.routes:
        yield element("path", d=path((cities[route.a], cities[route.b])), stroke=PANEL, stroke_width=5)


def _cities(board: Board) -> Iterator[Svg]:
    drawn = chart(board)
    for city, (x, y) in drawn.cities.items():
        yield mark("city", city, element("circle", cx=x, cy=y, r=CITY, fill=INK, stroke=PANEL, stroke_width=3))
    yield from written(drawn.names, {city.id: city.name for city in board.cities}, NAME_SIZE)


def _planes(board: Board, view: View) -> Iterator[Svg]:
    """In a row over their city."""
    for city, (x, y) in chart(board).cities.items():
        here = [seat for seat, player in enumerate(view.table.players) if player.at == city]
        for index, seat in enumerate(here):
            yield plane(x + PLANE * (index - (len(here) - 1) / 2), y - PLANE, PLANE, livery(seat), -90, letter=True)


def _players(board: Board, view: View, y: float) -> Iterator[Svg]:
    yield panel(LEFT, y, RIGHT - LEFT, 34 + ROW * len(view.players), "Players")
    for seat, player in enumerate(view.table.players):
        line = y + 58 + ROW * seat
        yield plane(LEFT + 34, line + 4, PLANE, livery(seat), -90, letter=True)
        notes = ", ".join(seat_notes(view, seat))
        yield text(LEFT + 64, line, fit(player_name(view, seat), 340, 20, True), 20, bold=True)
        yield text(LEFT + 64, line + 25, notes, 18)
        yield text(LEFT + 440, line, f"{counted(player.coins, 'coin')}, {player.delivered} delivered", 18)
        yield text(LEFT + 440, line + 25, fit(hand_line(board, player), 680, 18), 18)

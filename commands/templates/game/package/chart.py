"""Where everything lies on the map of the picture. It follows from the board and does not move during a game."""

from functools import cache
from typing import NamedTuple

from referee.games.mail_run.board import Board
from referee.pictures.drawing import Box
from referee.pictures.maps import Name, Point, covered, place_names, places_around

FRAME = Box(30, 150, 1140, 560)
MARGIN = 90
CITY = 12.0  # radius
NAME_SIZE = 20.0


class Chart(NamedTuple):
    cities: dict[str, Point]
    names: dict[str, Name]


@cache
def chart(board: Board) -> Chart:
    cities = _cities(board)
    return Chart(cities, _names(board, cities))


def _cities(board: Board) -> dict[str, Point]:
    """The board's own coordinates, stretched to fill the frame."""
    inner = FRAME.grown(-MARGIN)
    left, right = min(city.x for city in board.cities), max(city.x for city in board.cities)
    top, bottom = min(city.y for city in board.cities), max(city.y for city in board.cities)
    return {
        city.id: (
            inner.x + (city.x - left) / max(1, right - left) * inner.width,
            inner.y + (city.y - top) / max(1, bottom - top) * inner.height,
        )
        for city in board.cities
    }


def _names(board: Board, cities: dict[str, Point]) -> dict[str, Name]:
    """Beside the cities, where they cover neither a city nor a route."""
    signs = [Box.around(x, y, CITY) for x, y in cities.values()]
    ways = [
        (ax + (bx - ax) * part / 24, ay + (by - ay) * part / 24)
        for route in board.routes
        for (ax, ay), (bx, by) in [(cities[route.a], cities[route.b])]
        for part in range(1, 24)
    ]
    return place_names(
        {
            city: [
                (dislike + covered(name.box, FRAME, signs, ways), name)
                for dislike, name in places_around(board.city[city].name, at, CITY, NAME_SIZE)
            ]
            for city, at in cities.items()
        }
    )

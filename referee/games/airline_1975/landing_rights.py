"""Landing rights and routes: who owns which city, which are free, and which are connected to their owner's base."""

from referee.games.airline_1975.board import Board
from referee.games.airline_1975.state import Player, Position, Settings


def city_at(board: Board, player: Player) -> str:
    """The city a player stands in; empty on a special space."""
    return board.track[player.place].city


def owner_of(position: Position, city: str) -> int | None:
    for seat, player in enumerate(position.players):
        if city in player.cities:
            return seat
    return None


def rights_at_stake(board: Board, position: Position) -> bool:
    """Whether the player in turn is in a city that is free, or another's and no base (A75-U02, A75-H01, A75-U04)."""
    city = city_at(board, position.players[position.active])
    owner = owner_of(position, city)
    return bool(city) and owner != position.active and (owner is None or city != position.players[owner].base)


def free_cities(board: Board, position: Position) -> list[str]:
    owned = {city for player in position.players for city in player.cities}
    return [city.id for city in board.cities if city.id not in owned]


def can_afford_rights(board: Board, settings: Settings, player: Player, fee: int) -> bool:
    """Whether a player has the fee and a marker left (A75-R07 to A75-R09)."""
    return player.cash >= fee and len(player.cities) < most_cities(board, settings)


def connected(board: Board, player: Player) -> set[str]:
    """The cities connected to the base over cities of the same owner (A75-U07)."""
    found, waiting = {player.base}, [player.base]
    while waiting:
        for city in board.neighbours[waiting.pop()]:
            if city in player.cities and city not in found:
                found.add(city)
                waiting.append(city)
    return found


def sellable(player: Player) -> list[str]:
    """Every city but the base (A75-U04)."""
    return [city for city in player.cities if city != player.base]


def most_cities(board: Board, settings: Settings) -> int:
    """As many as there are markers, or fewer by agreement (A75-R09)."""
    return min(settings.max_cities, board.constants.markers)

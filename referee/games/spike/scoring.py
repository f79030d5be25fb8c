"""What is scored: the commodity of a new city, the route at the end, and who wins."""

from referee.games.spike.board import Board, by_value
from referee.games.spike.building import connected_cities, network, tracks_left
from referee.games.spike.events import CommodityScored, GameOver, RouteScored
from referee.games.spike.state import Position, SpikePlay


def score_commodity(board: Board, play: SpikePlay, seat: int, commodity: str) -> None:
    """Rulebook B, Commodity scoring: a chip pays its row and drops to the lowest; those below move up (SP-R02)."""
    column = next(column for column in play.position.market if commodity in column)
    value = board.market.rows[column.index(commodity)]
    play.position.players[seat].score += value
    column.remove(commodity)
    column.append(commodity)
    play.emit(CommodityScored(seat, commodity, value, tuple(column)))


def has_deliveries_left(board: Board, position: Position, seat: int) -> bool:
    """Whether the network allows another delivery: the cargo is aboard or can be loaded in the network, and a listed
    city of the network has had none yet (SP-R52)."""
    places = network(board, position, seat)
    player = position.players[seat]
    used = {contract.delivered for contract in player.contracts.values()}
    return any(
        not contract.delivered
        and (contract.aboard or any(city in places for city in board.suppliers[commodity]))
        and any(city in places and city not in used for city in board.contract[contract.card].side(contract.side))
        for commodity, contract in player.contracts.items()
    )


def route_points(board: Board, position: Position, seat: int, route_id: str) -> tuple[tuple[str, ...], int]:
    """The listed cities connected to the start city, best first, and their points: the full value of the highest and $1
    for each other; nothing without track at the start city (SP-R48 to SP-R51)."""
    route = board.route[route_id]
    places = network(board, position, seat)
    if route.start not in places:
        return (), 0
    cities = [city for city, _ in reversed(by_value(route.cities)) if city in places]
    return tuple(cities), route.cities[cities[0]] + len(cities) - 1 if cities else 0


def finish(board: Board, play: SpikePlay, ending: str) -> None:
    """Rulebook, Game end: routes are revealed and scored; most money wins."""
    position = play.position
    position.ending = ending
    for seat, player in enumerate(position.players):
        for route in player.routes:
            cities, points = route_points(board, position, seat, route)
            player.score += points
            play.emit(RouteScored(seat, route, cities, points))
    keys = [final_key(board, position, seat) for seat in range(len(position.players))]
    winners = tuple(seat for seat, key in enumerate(keys) if key == max(keys))
    play.emit(GameOver(tuple(player.score for player in position.players), winners))


def final_key(board: Board, position: Position, seat: int) -> tuple[int, int, int]:
    """Money, then connected cities, the first one included (SP-R54), then unplayed track; then shared (SP-R55)."""
    cities = len(connected_cities(board, position, seat))
    return position.players[seat].score, cities, tracks_left(board, position, seat)

"""Licences: what an airline has reached, what it may buy, and buying it (Rulebook, Action A)."""

from collections.abc import Iterator

from referee.contract import Play
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.events import BonusConnection, Bought
from referee.games.airlines_europe.state import Position


def network(board: Board, position: Position, airline: str) -> set[str]:
    """The cities an airline has reached. Its licences are always connected, so the ends of them are enough (AE-A05)."""
    cities = {board.airline[airline].home}
    for route, owners in zip(board.routes, position.licences, strict=True):
        if airline in owners:
            cities.update((route.a, route.b))
    return cities


def owners_of(board: Board, position: Position, route: str) -> list[str]:
    """The airlines with a licence for a route, in the order in which they bought."""
    return position.licences[board.number[route]]


def next_licence(board: Board, position: Position, route: str) -> int | None:
    """The cost of the cheapest licence that is left (AE-A06, AE-A08, AE-R09)."""
    taken, costs = len(owners_of(board, position, route)), board.costs[route]
    return costs[taken] if taken < len(costs) else None


def networks(board: Board, position: Position) -> dict[str, set[str]]:
    """The cities that each airline has reached, in one pass over the licences."""
    reached = {airline: {board.airline[airline].home} for airline in position.airlines}
    for route, owners in zip(board.routes, position.licences, strict=True):
        for airline in owners:
            reached[airline].update((route.a, route.b))
    return reached


def buyable(board: Board, position: Position, airline: str, cities: set[str], cash: int | None = None) -> Iterator[str]:
    """The routes from its cities for which an airline may buy a licence; without cash, whatever they cost
    (AE-A05 to AE-A09)."""
    if not position.airlines[airline].planes:
        return
    seen = set()
    for city in sorted(cities):
        for route in board.routes_at[city]:
            if route not in seen:
                seen.add(route)
                if is_for_sale(board, position, airline, route, cash):
                    yield route


def is_for_sale(board: Board, position: Position, airline: str, route: str, cash: int | None = None) -> bool:
    """Whether a licence is left for this airline, and there is the cash for it (AE-A06 to AE-A08)."""
    owners, costs = owners_of(board, position, route), board.costs[route]
    return len(owners) < len(costs) and airline not in owners and (cash is None or costs[len(owners)] <= cash)


def is_connected(board: Board, position: Position, airline: str, route: str) -> bool:
    """Whether a route touches the airline's home or one of its licences (AE-A05)."""
    ends = (board.route[route].a, board.route[route].b)
    near = (other for end in ends for other in board.routes_at[end])
    return board.airline[airline].home in ends or any(airline in owners_of(board, position, other) for other in near)


def is_blocked(board: Board, position: Position, airline: str) -> bool:
    """No licence can be bought for it any more, for whatever reason (AE-R33); never undone (AE-R41)."""
    return next(buyable(board, position, airline, network(board, position, airline)), None) is None


def buy_licence(board: Board, play: Play[Position], seat: int, name: str, route: str) -> None:
    """Pay, place a plane, advance the marker, and the bonus if home and goal are linked now (AE-A03, AE-A10)."""
    position = play.position
    airline, printed = position.airlines[name], board.airline[name]
    cost = next_licence(board, position, route)
    assert cost is not None
    position.players[seat].cash -= cost
    position.bank += cost
    airline.planes -= 1
    owners_of(board, position, route).append(name)
    airline.marker = advance(board, airline.marker, cost)
    play.emit(Bought(seat, name, route, cost, airline.marker))
    if airline.bonus and printed.goal in network(board, position, name):
        airline.bonus = False
        airline.marker = advance(board, airline.marker, printed.bonus)
        play.emit(BonusConnection(name, printed.home, str(printed.goal), printed.bonus, airline.marker))


def advance(board: Board, marker: int, spaces: int) -> int:
    """A marker stops on the last space of the track (AE-R12)."""
    return min(marker + spaces, board.share_track.length)

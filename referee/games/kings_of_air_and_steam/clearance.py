"""The Clearance Phase, after the last round (KAS-F40)."""

from collections.abc import Iterator, Mapping

from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.events import Cleared
from referee.games.kings_of_air_and_steam.links import Network, Rails, Route, Via
from referee.games.kings_of_air_and_steam.ship_goods import fewer_with_more_tolls, pay_tolls, payable, ways
from referee.games.kings_of_air_and_steam.state import (
    Clear,
    Done,
    Position,
    colour,
    lot,
    seat_of,
    split_lot,
    stored_lots,
    tie_order,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Optional, next_up, procedure, why_not_missing
from referee.options import Bag, Move, Offer, Pick
from referee.piles import take

Clearable = dict[str, tuple[Network, dict[str, Route]]]  # lot -> the rails from its Depot, and a route to each City


@procedure
def final_clearance(board: Board, play: KASPlay) -> None:
    position = play.position
    position.order = tie_order(board, position)
    next_up(position, *[Clearance.name] * len(position.players))


class Clearance(Optional):
    """A Good in a Depot that could be shipped to a City may be returned, for a fixed price less its tolls (KAS-R34). A
    player goes on until done, so that each Good may take its own route and pay its own owners (KAS-R56)."""

    asks = "your Clearance"
    moves = (Clear, Done)

    def comes_up(self, play: KASPlay) -> bool:
        position = play.position
        position.active = position.order.pop(0)
        return bool(self.routes(position, position.active))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Clear Goods from your Depots for ${self.board.constants.clearance} each, less tolls, or be done."

    def default(self, position: Position, seat: int) -> Move:
        """All Goods that bring money."""
        gains, stored = clearance_gains(self.board, position, seat), stored_lots(position.players[seat])
        lots = tuple(sorted(item for item, gain in gains.items() if gain > 0 for _ in range(stored[item])))
        return Clear(lots) if lots else Done()

    def loss(self, tolls: int) -> int:
        return clearance_loss(self.board, tolls)

    def routes(self, position: Position, seat: int) -> Clearable:
        return clearance_routes(self.board, position, seat)

    def offer_clear(self, position: Position, seat: int) -> Iterator[Offer]:
        """Many lots at once over their cheapest routes, if these cost nothing; a single lot over any route."""
        player, routes = position.players[seat], self.routes(position, seat)
        stored = stored_lots(player)
        payees = {payee for network, _ in routes.values() for payee in network.payees()}
        pay = Pick([colour(self.board, payee) for payee in sorted(payees)], 0, len(payees)) if payees else ()
        free = [item for item, (_, cities) in routes.items() if self.loss(min(cities.values()).tolls) <= 0]
        if free:
            yield Offer(Clear, lots=Bag({item: stored[item] for item in free}, 1, sum(stored.values())), pay=pay)
        for item, (network, cities) in routes.items():
            steps = network.steps()

            def number(tolls: int, most: int = stored[item]) -> int:
                return payable(most, player.cash, self.loss(tolls))

            for city, route in cities.items():
                for largest, tolls in fewer_with_more_tolls(network.rating, route, number):
                    via = ways(network, city, route, tolls, steps)
                    yield Offer(Clear, lots=Bag({item: largest}, 1, largest), via=via, pay=pay)

    def why_not_clear(self, position: Position, seat: int, move: Clear) -> IllegalOrder | None:
        player, routes = position.players[seat], self.routes(position, seat)
        if missing := why_not_missing("lots", move.lots, stored_lots(player), "in your Depots"):
            return missing
        tolls = []
        for item in move.lots:
            route = route_of(*routes[item], move.via) if item in routes else None
            if route is None:
                message = f"No such route takes {item} to a City that wants it, within your Train Rating and means."
                return IllegalOrder("no_route", message, field="lots", rule="Rulebook, Clearance; KAS-R34")
            tolls.append(route.tolls)
        if len(set(move.lots)) > 1 and (move.via or any(self.loss(owed) > 0 for owed in tolls)):
            message = "Goods with a route of their own, or with tolls above what they bring, are cleared lot by lot."
            return IllegalOrder("one_lot", message, field="lots", rule="KAS-R56")
        owed = sum(tolls) * self.board.constants.toll
        if owed <= player.cash + self.board.constants.clearance * len(move.lots):
            return None
        message = f"The tolls would be ${owed}, more than your ${player.cash} and what the Goods bring."
        numbers = {"tolls": owed, "cash": player.cash}
        return IllegalOrder("tolls_not_payable", message, field="lots", rule="KAS-R34", numbers=numbers)

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing that brings less than its tolls."""
        gains = clearance_gains(self.board, position, seat)
        return not isinstance(move, Clear) or (not move.via and all(gains.get(item, 0) > 0 for item in move.lots))

    def apply_clear(self, play: KASPlay, seat: int, move: Clear) -> None:
        board, position, player = self.board, play.position, play.position.players[seat]
        routes, preferred = self.routes(position, seat), [seat_of(board, payee) for payee in move.pay]
        income = board.constants.clearance * len(move.lots)
        owed: dict[int, int] = {}
        for item in move.lots:
            space, good = split_lot(item)
            take(player.depots[space], [good])
            position.stock[good] += 1
            route = route_of(*routes[item], move.via)
            assert route is not None
            for payee, stops in routes[item][0].tolls(route, move.via, preferred).items():
                owed[payee] = owed.get(payee, 0) + stops
        player.cash += income
        play.emit(Cleared(seat, move.lots, income))
        pay_tolls(board, play, seat, owed, 1)
        position.order.insert(0, seat)
        next_up(position, self.name)


def clearance_loss(board: Board, tolls: int) -> int:
    """How much more this many tolls cost than a Good brings."""
    return tolls * board.constants.toll - board.constants.clearance


def clearance_routes(board: Board, position: Position, seat: int) -> Clearable:
    """For each lot that can be cleared the cheapest route to each City that wants it and can be paid; one slot serves
    any number of Goods."""
    player, rails = position.players[seat], Rails(board, position)
    found: Clearable = {}
    for space, goods in player.depots.items():
        if not goods:
            continue
        network = Network(board, position, rails, seat, space)
        cheapest = network.cheapest()
        for good in goods:
            wanted = [name for name, city in position.cities.items() if city.good == good and name in cheapest]
            cities = {
                name: cheapest[name] for name in wanted if clearance_loss(board, cheapest[name].tolls) <= player.cash
            }
            if cities:
                found[lot(space, good)] = network, cities
    return found


def clearance_gains(board: Board, position: Position, seat: int) -> dict[str, int]:
    """What a Good of each lot that can be cleared brings at best, less its tolls."""
    routes = clearance_routes(board, position, seat)
    return {item: -clearance_loss(board, min(cities.values()).tolls) for item, (_, cities) in routes.items()}


def route_of(network: Network, cities: Mapping[str, Route], via: Via) -> Route | None:
    """The route over these Links to one of the Cities, whichever it is; nothing named: the cheapest."""
    if not via:
        return min(cities.values())
    return next(filter(None, (network.route(city, via) for city in cities)), None)

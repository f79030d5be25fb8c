"""After the fifth round: the Clearance Phase (KAS-F40) and the Scoring (KAS-F41)."""

from collections.abc import Iterator

from referee.games.kings_of_air_and_steam.board import LEVELS, Board
from referee.games.kings_of_air_and_steam.cargo import Optional
from referee.games.kings_of_air_and_steam.events import Cleared, GameOver
from referee.games.kings_of_air_and_steam.rails import Network, Rails, Route
from referee.games.kings_of_air_and_steam.shipping import pay_tolls
from referee.games.kings_of_air_and_steam.state import Clear, Done, Player, Position, lot, split_lot, take
from referee.games.kings_of_air_and_steam.steps import (
    KASPlay,
    colour,
    next_up,
    procedure,
    seat_of,
    tie_order,
    train,
)
from referee.options import Bag, Move, Offer, Pick


@procedure
def final_clearance(board: Board, play: KASPlay) -> None:
    position = play.position
    position.order = tie_order(board, position)
    next_up(position, *[Clearance.name] * len(position.players))


class Clearance(Optional):
    """A Good in a Depot that could be shipped to a City may go back for $4 less its tolls (KAS-R34)."""

    moves = (Clear, Done)

    def comes_up(self, play: KASPlay) -> bool:
        position = play.position
        position.active = position.order.pop(0)
        return bool(self.routes(position, position.active))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Clear Goods from your Depots for ${self.board.constants.clearance} each, less tolls, or be done."

    def default(self, position: Position, seat: int) -> Move:
        """Whatever brings money."""
        gains = [
            item
            for item, (_, route) in self.routes(position, seat).items()
            if route.tolls * self.board.constants.toll < self.board.constants.clearance
        ]
        limits = self.limits(position, seat)
        lots = tuple(sorted(item for item in gains for _ in range(limits[item])))
        return Clear(lots) if lots else Done()

    def routes(self, position: Position, seat: int) -> dict[str, tuple[Network, Route]]:
        """For each lot that can be cleared the cheapest route to an open city; one slot serves any number of Goods.
        A Good whose tolls are more than it brings stays where it is (KAS-R56)."""
        board, rails = self.board, Rails(self.board, position)
        found: dict[str, tuple[Network, Route]] = {}
        for space, goods in position.players[seat].depots.items():
            if not goods:
                continue
            network = Network(board, position, rails, seat, space)
            cheapest = network.cheapest()
            for good in goods:
                cities = [name for name, city in position.cities.items() if city.good == good]
                ways = [cheapest[name] for name in cities if name in cheapest]
                if ways and min(ways).tolls * board.constants.toll <= board.constants.clearance:
                    found[lot(space, good)] = network, min(ways)
        return found

    def limits(self, position: Position, seat: int) -> dict[str, int]:
        depots = position.players[seat].depots
        return {item: depots[split_lot(item)[0]][split_lot(item)[1]] for item in self.routes(position, seat)}

    def offer_clear(self, position: Position, seat: int) -> Iterator[Offer]:
        limits = self.limits(position, seat)
        payees = {one for network, _ in self.routes(position, seat).values() for one in network.payees()}
        pay = Pick([colour(self.board, one) for one in sorted(payees)], 0, len(payees)) if payees else ()
        yield Offer(Clear, lots=Bag(limits, 1, sum(limits.values())), pay=pay)

    def play_clear(self, play: KASPlay, seat: int, move: Clear) -> None:
        board, position, player = self.board, play.position, play.position.players[seat]
        routes, preferred = self.routes(position, seat), [seat_of(board, one) for one in move.pay]
        income = board.constants.clearance * len(move.lots)
        owed: dict[int, int] = {}
        for item in move.lots:
            space, good = split_lot(item)
            take(player.depots[space], good)
            position.stock[good] += 1
            network, route = routes[item]
            for payee, stops in network.tolls(route, (), preferred).items():
                owed[payee] = owed.get(payee, 0) + stops
        player.cash += income
        play.tell(Cleared(seat, move.lots, income))
        pay_tolls(board, play, seat, owed, 1)


@procedure
def scoring(board: Board, play: KASPlay) -> None:
    """Most victory points, then most cash, then a shared victory (KAS-R35)."""
    position = play.position
    position.ending = "five_rounds"
    keys = [final_key(board, player) for player in position.players]
    winners = tuple(seat for seat, key in enumerate(keys) if key == max(keys))
    play.tell(GameOver(tuple(score(board, player) for player in position.players), winners))


def score(board: Board, player: Player) -> int:
    constants = board.constants
    full = constants.vp_full_airship if player.airship + 1 == LEVELS else 0
    depots = constants.vp_depot * len(player.depots)
    return constants.vp_dollar * player.cash + depots + full + train(board, player).vp


def final_key(board: Board, player: Player) -> tuple[int, int]:
    return score(board, player), player.cash

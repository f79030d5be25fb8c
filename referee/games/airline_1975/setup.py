"""Starting the game: all on SUBSIDY, the throw for the order, the base cities."""

from collections.abc import Iterator

from referee.chance import Chance
from referee.contract import Play
from referee.errors import IllegalOrder
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import Began, ChoseBase, Threw
from referee.games.airline_1975.landing_rights import free_cities
from referee.games.airline_1975.state import BASES, Base, Player, Position, Settings, Throw
from referee.games.airline_1975.turns import A75Phase, A75Play, next_base
from referee.options import Offer, OneOf

BANKER = 0  # the first seat


def setup(board: Board, seats: int, settings: Settings, chance: Chance, version: str) -> A75Play:
    """All on SUBSIDY with a PROP; the highest throw chooses a base first (A75-S01 to A75-S04, A75-R01, A75-R02)."""
    cash = board.constants.start_cash
    position = Position(
        phase=BASES,
        active=0,
        first=0,
        players=[Player(cash, board.aircraft[0].id, board.start, cities=[]) for _ in range(seats)],
        bank=-cash * seats,
        deals=[],
        offers_made=[0] * seats,
        claims=[],
        debts=[],
    )
    if version != "1":
        position.turns, position.round, position.held, position.lapsed = 0, 0, [], []
    play = Play(position, chance)
    position.active = throw_for_order(play, seats)
    position.first = position.active if settings.first_turn == "dice_winner" else BANKER
    play.emit(Began(position.active, position.first))
    return play


def throw_for_order(play: A75Play, seats: int) -> int:
    """The seat with the highest throw; those who tie throw again (A75-R02)."""
    throwing, attempt = list(range(seats)), 1
    while len(throwing) > 1:
        totals = {}
        for seat in throwing:
            dice = play.chance.roll(f"order {attempt} seat {seat}")
            play.emit(Threw(seat, dice, "for the order"))
            totals[seat] = sum(dice)
        throwing = [seat for seat in throwing if totals[seat] == max(totals.values())]
        attempt += 1
    return throwing[0]


class Bases(A75Phase):
    """Each in turn makes any free city the base, without a price (A75-S03, A75-R03)."""

    asks = "your base city"
    moves = (Base,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose your base city."

    def default(self, position: Position, seat: int) -> Base:
        """The free city with the highest fares, then the one with most routes to other free cities."""
        free = free_cities(self.board, position)

        def worth(city: str) -> tuple[int, int]:
            routes = sum(other in free for other in self.board.neighbours[city])
            return sum(self.board.city[city].fares.values()), routes

        return Base(max(free, key=worth))

    def offer_base(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Base, city=OneOf(*free_cities(self.board, position)))

    def why_not_base(self, position: Position, seat: int, move: Base) -> IllegalOrder:
        rule = "A75-S03, A75-R03"
        if move.city not in self.board.city:
            return IllegalOrder("no_such_city", "That is no city on this board.", field="city", rule=rule)
        name = self.board.city[move.city].name
        return IllegalOrder("owned", f"{name} is a base already.", field="city", rule=rule)

    def why_not_throw(self, position: Position, seat: int, move: Throw) -> IllegalOrder:
        return IllegalOrder("no_base", "First everybody chooses a base city.", rule="A75-S03")

    def apply_base(self, play: A75Play, seat: int, move: Base) -> None:
        player = play.position.players[seat]
        player.base = move.city
        player.cities.append(move.city)
        play.emit(ChoseBase(seat, move.city))
        next_base(self.board, self.settings, play)

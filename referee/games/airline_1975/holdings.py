"""What the rules ask of a position: who owns what, who can pay, who is next. Only `pay` changes anything."""

from referee.games.airline_1975.board import Board
from referee.games.airline_1975.state import BANK, Deal, Debt, Player, Position, Settings


def pay(position: Position, seat: int, to: int, amount: int) -> None:
    """The bank never runs out of money (A75-R33)."""
    for payer, change in ((seat, -amount), (to, amount)):
        if payer == BANK:
            position.bank += change
        else:
            position.players[payer].cash += change


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


def connected(board: Board, player: Player) -> set[str]:
    """The cities linked to the base over cities of the same owner (A75-U07)."""
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


def assets(board: Board, player: Player) -> int:
    """Cash and cities at their value, the base too; aircraft count nothing (A75-K04, A75-R42)."""
    return player.cash + board.constants.city_value * len(player.cities)


def claims_of(position: Position, seat: int) -> list[Debt]:
    """What a player may still claim."""
    return [claim for claim in position.claims if claim.to == seat]


def fares_of(position: Position, seat: int) -> list[Debt]:
    """The fares a player owes that nobody has claimed yet."""
    return [claim for claim in position.claims if claim.seat == seat]


def debtors(position: Position) -> set[int]:
    return {debt.seat for debt in position.debts}


def dealers(position: Position) -> set[int]:
    """Deals need one of these: the player in turn, or somebody in debt (A75-U03, A75-R23, A75-R24)."""
    return {position.active, *debtors(position)}


def stands(position: Position, deal: Deal) -> bool:
    """Whether an offer can still be accepted: both may deal and have what is theirs to give, and a debtor gets money
    and pays none (A75-R28)."""
    maker, taker, owing = position.players[deal.seat], position.players[deal.to], debtors(position)
    return (
        not maker.out
        and not taker.out
        and not dealers(position).isdisjoint((deal.seat, deal.to))
        and maker.cash >= deal.pay
        and set(deal.give) <= set(maker.cities)
        and set(deal.want) <= set(taker.cities)
        and (deal.seat not in owing or (deal.price > 0 and not deal.pay))
        and (deal.to not in owing or (deal.pay > 0 and not deal.price))
    )


def seats_in(position: Position) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(position.players) if not player.out)


def next_seat(position: Position, seat: int) -> int:
    """The next player to the left who is still in the game (A75-R44)."""
    return first_seat(position, (seat + 1) % len(position.players))


def first_seat(position: Position, seat: int) -> int:
    """The seat itself, or the next one to the left of it that is still in the game."""
    while position.players[seat].out:
        seat = (seat + 1) % len(position.players)
    return seat

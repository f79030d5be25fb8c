"""The income and hazard tracks, and what a player owns, owes and can reach (Rulebook III, VIII, IX)."""

from collections.abc import Sequence
from typing import Literal

from referee.contract import Phase, Play
from referee.games.tin_goose.board import IRREGULAR_SAFETY, RURAL_STOPS, SIZES, Board, Size
from referee.games.tin_goose.state import IncomeMoved, Paid, Payment, Player, Position, Reason

TGPhase = Phase[Position, Board]
TGPlay = Play[Position]


def income(board: Board, player: Player) -> int:
    """The number in the box where the income marker stands."""
    return board.income_track.boxes[player.income_box]


def move_income(board: Board, play: TGPlay, seat: int, boxes: int, reason: Reason) -> None:
    """Moves an income marker; it never leaves the ends of the track (TG-F11, TG-R26)."""
    player = play.position.players[seat]
    before = player.income_box
    player.income_box = min(max(before + boxes, 0), len(board.income_track.boxes) - 1)
    play.emit(IncomeMoved(seat, reason, player.income_box - before, income(board, player)))


def hazard(board: Board, player: Player) -> int:
    """Flames of all fleets, empty ones too, of extensions, and of Irregular Safety Procedures (TG-R63, TG-R64)."""
    flames = sum(board.fleet[fleet.card].hazard for fleet in player.fleets)
    flames += player.extensions * board.constants.extension_hazard
    return flames + (board.constants.irregular_safety_hazard if IRREGULAR_SAFETY in player.conditions else 0)


def oil(board: Board, player: Player) -> int:
    """Barrels of all fleets, empty ones too, and of extensions (TG-R63)."""
    barrels = sum(board.fleet[fleet.card].oil for fleet in player.fleets)
    return barrels + player.extensions * board.constants.extension_oil


def oil_price(board: Board, player: Player, price: int) -> int:
    """The price of a barrel for a player: Rural Stops Along Routes make it dearer."""
    return price + (board.constants.rural_stops_price if RURAL_STOPS in player.conditions else 0)


def clockwise(position: Position) -> list[int]:
    """All seats, from the left of the active player to the active player."""
    number = len(position.players)
    return [(position.active + step) % number for step in range(1, number + 1)]


def pay_all(board: Board, play: TGPlay, reason: Literal["strike", "crash", "oil"], owed: Sequence[int]) -> None:
    """Payment for an event, clockwise, the active player last (TG-F14, TG-R17)."""
    for seat in clockwise(play.position):
        if owed[seat]:
            pay_for_event(board, play, seat, reason, owed[seat])


def pay_for_event(
    board: Board, play: TGPlay, seat: int, reason: Literal["strike", "crash", "oil"], amount: int
) -> None:
    """Whoever cannot pay issues just enough emergency bonds and keeps the change (TG-F14, TG-R18)."""
    player, worth = play.position.players[seat], board.constants.emergency_bond
    bonds = -(-max(0, amount - player.cash) // worth)
    player.bonds += bonds
    player.cash += bonds * worth - amount
    play.position.payments.append(Payment(seat, amount, bonds))
    play.emit(Paid(seat, reason, amount, bonds))


def is_as_large(size: Size, other: Size) -> bool:
    return SIZES.index(size) >= SIZES.index(other)


def reach(board: Board, network: Sequence[str], size: Size) -> list[str]:
    """The new cities a plane of a size can be placed in, in the order of the board (TG-F19, TG-R51)."""
    if size == "L":
        reached = frozenset(board.city)
    else:
        near = board.small if size == "S" else board.medium
        reached = frozenset().union(*(near[city] for city in network))
    return [city.id for city in board.cities if city.id in reached and city.id not in network]

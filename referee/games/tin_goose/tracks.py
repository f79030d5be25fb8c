"""Income, hazard and oil of a player, and how far planes fly (Rulebook III, V.2.b, VIII, IX)."""

from collections.abc import Sequence

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import IRREGULAR_SAFETY, SIZES, Size
from referee.games.tin_goose.events import IncomeMoved, Reason
from referee.games.tin_goose.state import Player, Position, TinGoosePlay


def income(board: Board, player: Player) -> int:
    """The number in the box where the income marker stands."""
    return board.income_track.boxes[player.income_box]


def move_income(board: Board, play: TinGoosePlay, seat: int, boxes: int, reason: Reason) -> None:
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


def clockwise(position: Position) -> list[int]:
    """All seats, from the left of the active player to the active player."""
    number = len(position.players)
    return [(position.active + step) % number for step in range(1, number + 1)]


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

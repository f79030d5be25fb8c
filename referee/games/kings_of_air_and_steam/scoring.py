"""The Scoring (KAS-F41) and the ranking at the end."""

from referee import contract
from referee.contract import Standing
from referee.games.kings_of_air_and_steam.board import LEVELS, Board
from referee.games.kings_of_air_and_steam.events import GameOver
from referee.games.kings_of_air_and_steam.state import Player, Position
from referee.games.kings_of_air_and_steam.steps import KASPlay, procedure


@procedure
def scoring(board: Board, play: KASPlay) -> None:
    """Most victory points, then most cash, then a shared victory (KAS-R35)."""
    position = play.position
    position.ending = "five_rounds"
    keys = [final_key(board, player) for player in position.players]
    winners = tuple(seat for seat, key in enumerate(keys) if key == max(keys))
    play.emit(GameOver(tuple(score(board, player) for player in position.players), winners))


def score(board: Board, player: Player) -> int:
    return sum(score_parts(board, player.cash, len(player.depots), player.airship + 1, player.train + 1).values())


def score_parts(board: Board, cash: int, depots: int, airship: int, train: int) -> dict[str, int]:
    """Points by what they are for; the upgrades by their levels, from 1."""
    constants = board.constants
    return {
        "cash": constants.vp_dollar * cash,
        "Depots": constants.vp_depot * depots,
        "Airship": constants.vp_full_airship if airship == LEVELS else 0,
        "Train": board.train[train - 1].vp,
    }


def final_key(board: Board, player: Player) -> tuple[int, int]:
    return score(board, player), player.cash


def standings(board: Board, position: Position) -> list[Standing]:
    """All that scores lies open; ties go to the cash (KAS-R35)."""
    keys = [final_key(board, player) for player in position.players]
    return contract.standings([points for points, _ in keys], keys, [f"${cash}" for _, cash in keys])

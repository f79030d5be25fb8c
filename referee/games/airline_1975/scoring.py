"""What a player's assets are worth, and who wins."""

from collections.abc import Sequence

from referee import contract
from referee.contract import Play, Standing
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import GameOver
from referee.games.airline_1975.state import Player, Position


def assets(board: Board, player: Player) -> int:
    """Cash and cities at their value, the base too; aircraft count nothing (A75-K04, A75-R42)."""
    return player.cash + board.constants.city_value * len(player.cities)


def highest_assets(board: Board, position: Position, seats: Sequence[int]) -> tuple[int, ...]:
    """Who of these players has won the short game; ties share the victory (A75-K04, A75-R43)."""
    worth = {seat: assets(board, position.players[seat]) for seat in seats}
    return tuple(seat for seat in seats if worth[seat] == max(worth.values()))


def how_out(player: Player) -> str:
    """How a player has left the game; version 1 does not know."""
    return (player.left or "out of the game") if player.out else ""


def finish(play: Play[Position], ending: str, winners: tuple[int, ...]) -> None:
    position = play.position
    position.ending = ending
    position.deals, position.claims, position.debts = [], [], []
    if position.held:
        position.held = []
    play.emit(GameOver(winners))


def standings(board: Board, position: Position) -> list[Standing]:
    """Assets while the game lasts; at the end the last to leave stands higher (A75-K03), assets decide the short
    game, and ties share a place (A75-R43)."""
    worth = [assets(board, player) for player in position.players]
    keys = [(not player.out, player.out, value) for player, value in zip(position.players, worth, strict=True)]
    notes = [how_out(player) for player in position.players]
    return contract.standings(worth, keys if position.ending else None, notes)

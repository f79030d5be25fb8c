"""The final scoring (Rulebook X)."""

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.events import GameOver, Score
from referee.games.tin_goose.state import Position, TinGoosePlay
from referee.games.tin_goose.tracks import income

CLEAR_WIN, SHARED_VICTORY = "clear_win", "shared_victory"


def score(board: Board, position: Position, seat: int) -> Score:
    """What a player would have if the game ended now (TG-F25, TG-R59, TG-R61)."""
    player, constants = position.players[seat], board.constants
    served = len(player.international)
    fewer = sum(len(other.international) < served for other in position.players)
    return Score(
        cash=player.cash,
        international=constants.per_international * served,
        fewer=constants.per_player_with_fewer * fewer,
        majors=constants.per_major * sum(board.city[city].major for city in player.cities),
        income=constants.income_multiplier * income(board, player),
        bonds=-constants.bond_repaid * player.bonds,
    )


def finish(board: Board, play: TinGoosePlay) -> None:
    """Most money wins; equal money shares the victory (TG-R60)."""
    position = play.position
    scores = tuple(score(board, position, seat) for seat in range(len(position.players)))
    totals = [final.total for final in scores]
    winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    position.ending = CLEAR_WIN if len(winners) == 1 else SHARED_VICTORY
    play.emit(GameOver(scores, winners))

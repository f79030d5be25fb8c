"""Income, the end of a turn, of a round and of an era, and the final scoring (Rulebook V.3, X)."""

from referee.games.tin_goose.board import GENEROUS_DIVIDENDS, Board
from referee.games.tin_goose.state import (
    CARD,
    DiscardedFaceDown,
    GameOver,
    IncomeCollected,
    Position,
    RoundBegan,
    Score,
)
from referee.games.tin_goose.tracks import TGPlay, clockwise, income

CLEAR_WIN, SHARED_VICTORY = "clear_win", "shared_victory"


def end_turn(board: Board, play: TGPlay) -> None:
    """Income, then the player on the left; after the last one the round ends (TG-F13, TG-R04)."""
    position = play.position
    collect_income(board, play, position.active)
    position.taken, position.payments = [], []
    position.active = clockwise(position)[0]
    position.phase = CARD
    if position.active == position.first:
        end_round(board, play)


def collect_income(board: Board, play: TGPlay, seat: int) -> None:
    """Generous Dividends skip it; removed in the same turn they do not (TG-R36)."""
    player = play.position.players[seat]
    if GENEROUS_DIVIDENDS in player.conditions:
        play.emit(IncomeCollected(seat, 0, skipped=True))
    else:
        player.cash += income(board, player)
        play.emit(IncomeCollected(seat, income(board, player)))


def end_round(board: Board, play: TGPlay) -> None:
    position = play.position
    era = board.era(position.round)
    if position.round == era.rounds[-1]:
        discard_extra_cards(board, play, era.id)
    if position.round == board.last_round:
        finish(board, play)
    else:
        position.round += 1
        begin_round(board, play)


def begin_round(board: Board, play: TGPlay) -> None:
    number = play.position.round
    play.emit(RoundBegan(number, board.era(number).id, board.open_destination(number).id))


def discard_extra_cards(board: Board, play: TGPlay, era: str) -> None:
    """The cards of an era that nobody played go away face down when it ends (TG-F13, TG-R16)."""
    for seat, player in enumerate(play.position.players):
        for card in [card for card in player.hand if board.card[card].era == era]:
            player.hand.remove(card)
            player.face_down.append(card)
            play.emit(DiscardedFaceDown(seat, era, card))


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


def finish(board: Board, play: TGPlay) -> None:
    """Most money wins; equal money shares the victory (TG-R60)."""
    position = play.position
    scores = tuple(score(board, position, seat) for seat in range(len(position.players)))
    best = max(one.total for one in scores)
    winners = tuple(seat for seat, one in enumerate(scores) if one.total == best)
    position.ending = CLEAR_WIN if len(winners) == 1 else SHARED_VICTORY
    play.emit(GameOver(scores, winners))

"""Income, and with it the end of a turn, of a round and of an era (Rulebook V.3)."""

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import GENEROUS_DIVIDENDS
from referee.games.tin_goose.events import DiscardedFaceDown, IncomeCollected, RoundBegan
from referee.games.tin_goose.scoring import finish
from referee.games.tin_goose.state import CARD, TinGoosePlay
from referee.games.tin_goose.tracks import clockwise, income


def end_turn(board: Board, play: TinGoosePlay) -> None:
    """Income, then the player on the left; after the last one the round ends (TG-F13, TG-R04)."""
    position = play.position
    collect_income(board, play, position.active)
    position.taken, position.payments = [], []
    position.active = clockwise(position)[0]
    position.phase = CARD
    if position.active == position.first:
        end_round(board, play)


def collect_income(board: Board, play: TinGoosePlay, seat: int) -> None:
    """Generous Dividends skip it; removed in the same turn they do not (TG-R36)."""
    player = play.position.players[seat]
    if GENEROUS_DIVIDENDS in player.conditions:
        play.emit(IncomeCollected(seat, 0, skipped=True))
    else:
        player.cash += income(board, player)
        play.emit(IncomeCollected(seat, income(board, player)))


def end_round(board: Board, play: TinGoosePlay) -> None:
    position = play.position
    era = board.era(position.round)
    if position.round == era.rounds[-1]:
        discard_extra_cards(board, play, era.id)
    if position.round == board.last_round:
        finish(board, play)
    else:
        position.round += 1
        begin_round(board, play)


def begin_round(board: Board, play: TinGoosePlay) -> None:
    number = play.position.round
    play.emit(RoundBegan(number, board.era(number).id, board.open_destination(number).id))


def discard_extra_cards(board: Board, play: TinGoosePlay, era: str) -> None:
    """The cards of an era that nobody played go away face down when it ends (TG-F13, TG-R16)."""
    for seat, player in enumerate(play.position.players):
        for card in [card for card in player.hand if board.card[card].era == era]:
            player.hand.remove(card)
            player.face_down.append(card)
            play.emit(DiscardedFaceDown(seat, era, card))

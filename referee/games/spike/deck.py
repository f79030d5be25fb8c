"""The rail cards: drawing, the display, rounds and Time cards (Rulebook A; Game rounds & Time cards)."""

from referee.games.spike.board import ROUNDS, Board
from referee.games.spike.events import DeckRenewed, DisplayRefilled, RoundBegan, TimeCardUp
from referee.games.spike.scoring import finish
from referee.games.spike.state import TIME_CARD, Position, SpikePlay
from referee.piles import spread


def has_deck(position: Position) -> bool:
    """Whether a card can come off the deck; without one, the discards form it (SP-R20)."""
    return bool(position.deck or position.discards)


def draw_rail_card(board: Board, play: SpikePlay) -> str | None:
    """The top rail card of the deck. A Time card on the way is laid out and replaced (SP-R23, SP-R24); the third ends
    the game on the spot, and nobody gets a card (SP-R25)."""
    position = play.position
    if not position.deck:
        position.deck = play.chance.shuffle("discards", spread(position.discards))
        position.discards = {}
        play.emit(DeckRenewed(len(position.deck)))
    while (card := position.deck.pop()) == TIME_CARD:
        position.time_cards += 1
        play.emit(TimeCardUp(position.time_cards))
        if position.time_cards == board.components.time_cards:
            finish(board, play, "third_time_card")
            return None
    return card


def end_round_if_exhausted(board: Board, play: SpikePlay) -> None:
    """The deck's last card ends a round at once, also in the middle of a draw or of a refill (SP-R18, SP-R19)."""
    if not play.position.deck:
        begin_round(board, play, play.position.round + 1)


def begin_round(board: Board, play: SpikePlay, number: int) -> None:
    """Face-up cards and discards become the deck, and four new ones are turned up; if that leaves no deck, the round
    does not change again (SP-R20). In the last round the Time cards lie in the lower half (SP-R21, SP-R22)."""
    position = play.position
    position.round = number
    deck = play.chance.shuffle(f"deck of round {number}", [*position.display, *spread(position.discards)])
    position.discards = {}
    position.display = [deck.pop() for _ in range(min(board.setup.display, len(deck)))]
    if number == ROUNDS:
        half = len(deck) // 2
        lower = play.chance.shuffle("Time cards", deck[:half] + [TIME_CARD] * board.components.time_cards)
        deck = lower + deck[half:]
        position.lower = len(lower)
    position.deck = deck
    play.emit(RoundBegan(number, tuple(position.display)))


def refill_display(board: Board, play: SpikePlay, in_order: bool) -> None:
    """To four cards, after the last one taken (SP-R17). `in_order`: what is turned up before a Time card or before the
    last card of the deck is told before it (SP-R23)."""
    position = play.position
    new: list[str] = []
    while len(position.display) < board.setup.display and has_deck(position):
        if in_order and new and position.deck[-1:] == [TIME_CARD]:
            play.emit(DisplayRefilled(tuple(new)))
            new = []
        card = draw_rail_card(board, play)
        if card is None:
            return
        position.display.append(card)
        new.append(card)
        if not position.deck:
            if in_order:
                play.emit(DisplayRefilled(tuple(new)))
            begin_round(board, play, position.round + 1)  # SP-R19: what has just been turned up is shuffled in again
            return
    if new:
        play.emit(DisplayRefilled(tuple(new)))

"""The rules of Tin Goose, in the order in which the rulebook prints them.

Setup             demand, era decks and hands, airmail            setup.setup
Beginning         sealed bids, then airmail routes in order       setup.Airmail, setup.AirmailChoice
Seven rounds, in each a turn of every player:
1 play a card     city match; then an event or an auction         Card
  (a) an event    strike: sealed bids of labor chips              event_cards.Strike, event_cards.strike
                  crash, oil: paid at once                        event_cards.crash, event_cards.oil_crisis
  (b) an auction  once around, then deploy or upgrade             auction.Auction, auction.Acquisition
2 three actions   advance, place, international, labor, bond      actions.Actions
                  the one Regional Management forces              management.FirstStep
3 income          and the end of the turn, round and era          income.end_turn
Final scoring     after the seventh round                         scoring.finish
"""

from collections.abc import Iterator

from referee.errors import IllegalOrder
from referee.games.tin_goose.auction import offer_fleet
from referee.games.tin_goose.event_cards import crash, oil_crisis, strike
from referee.games.tin_goose.events import CardPlayed
from referee.games.tin_goose.management import FirstStep
from referee.games.tin_goose.state import PlayCard, Position, TinGoosePlay
from referee.games.tin_goose.tracks import move_income
from referee.options import Move, Offer, OneOf


class Card(FirstStep):
    """1. A card of the era (TG-R15); a plane in its city moves the active player up before all else (TG-R13, R14)."""

    asks = "your card"
    moves = (PlayCard,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return f"Round {position.round}: play a {self.board.era(position.round).id} card."

    def playable(self, position: Position, seat: int) -> list[str]:
        era = self.board.era(position.round).id
        return [card for card in position.players[seat].hand if self.board.card[card].era == era]

    def default(self, position: Position, seat: int) -> PlayCard:
        """A fleet before an event, which costs money; then a card whose city moves its player up; then the first."""
        cities, printed = position.players[seat].cities, self.board.card

        def harm(card: str) -> tuple[bool, bool]:
            return printed[card].kind != "fleet", printed[card].city not in cities

        return PlayCard(min(self.playable(position, seat), key=harm))

    def offer_play_card(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(PlayCard, card=OneOf(*self.playable(position, seat)))

    def why_not_play_card(self, position: Position, seat: int, move: PlayCard) -> IllegalOrder | None:
        name = self.board.card_name(move.card)
        if move.card not in position.players[seat].hand:
            return IllegalOrder("not_in_hand", f"{name} is not in your hand.", field="card")
        era = self.board.era(position.round).id
        message = f"In round {position.round} you play {era} cards; {name} is {self.board.card[move.card].era}."
        return IllegalOrder("wrong_era", message, field="card", rule="Rulebook V.1; TG-R15")

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No event, which costs money; a fleet costs its player nothing."""
        return isinstance(move, PlayCard) and self.board.card[move.card].kind == "fleet"

    def apply_play_card(self, play: TinGoosePlay, seat: int, move: PlayCard) -> None:
        board, position, player = self.board, play.position, play.position.players[seat]
        card = board.card[move.card]
        player.hand.remove(card.id)
        position.card = card.id
        play.emit(CardPlayed(seat, card.id))
        if card.city in player.cities:
            move_income(board, play, seat, board.constants.city_match, "city_match")
        play.reveals = card.kind != "fleet"  # an event may show who has too little money to pay for it (TG-R69)
        if card.kind == "strike":
            strike(board, self.settings, play)
        elif card.kind == "crash":
            crash(board, play, card.price)
        elif card.kind == "oil":
            oil_crisis(board, play, card.price)
        else:
            offer_fleet(board, self.settings, play, keeps_bids=self.version != "1")

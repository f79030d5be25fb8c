"""Events: strike, crash and oil (Rulebook V.1.a)."""

from collections.abc import Iterator, Mapping, Sequence

from referee.errors import IllegalOrder
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import RURAL_STOPS
from referee.games.tin_goose.events import EventKind, HazardCompared, Paid, StrikeResolved
from referee.games.tin_goose.management import FirstStep
from referee.games.tin_goose.state import ACTIONS, STRIKE, Bid, Payment, Player, Position, Settings, TinGoosePlay
from referee.games.tin_goose.tracks import clockwise, hazard, move_income, oil
from referee.options import Move, Offer, Range


def strike(board: Board, settings: Settings, play: TinGoosePlay) -> None:
    """I. Bids of labor chips (TG-F15); where all can see that nobody has any, there is nothing to ask (TG-R70)."""
    position = play.position
    if bidders(settings, position):
        position.phase = STRIKE
    else:
        resolve_strike(board, play, [0] * len(position.players))


def bidders(settings: Settings, position: Position) -> tuple[int, ...]:
    """A player without chips is asked too, or the others would know (TG-R68); with open screens they do (TG-R70)."""
    return tuple(
        seat for seat, player in enumerate(position.players) if player.labor_chips or not settings.open_screens
    )


class Strike(FirstStep):
    """I. Everybody bids labor chips, sealed (TG-F15)."""

    asks = "your strike bid"
    kind = "sealed"
    moves = (Bid,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return bidders(self.settings, position)

    def prompt(self, position: Position, seat: int) -> str:
        card = self.board.card[position.card]
        return (
            f"A strike: bid labor chips, 0 or more. The highest bid wins ${card.win}, ties all do; everybody else pays"
            f" ${card.lose}, and a bid of 0 never wins."
        )

    def default(self, position: Position, seat: int) -> Bid:
        return Bid(0)

    def offer_bid(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Bid, amount=Range(0, position.players[seat].labor_chips))

    def why_not_bid(self, position: Position, seat: int, move: Bid) -> IllegalOrder | None:
        chips = position.players[seat].labor_chips
        return IllegalOrder(
            "too_few_chips",
            f"Bid from 0 to {chips} labor chips, as many as you have; not {move.amount}.",
            field="amount",
            rule="Rulebook V.1.a.I",
            numbers={"bid": move.amount, "chips": chips},
        )

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No bid that costs chips."""
        return move == self.default(position, seat)

    def reveal(self, play: TinGoosePlay, moves: Mapping[int, Bid]) -> None:
        seats = range(len(play.position.players))
        resolve_strike(self.board, play, [moves[seat].amount if seat in moves else 0 for seat in seats])
        self.take_forced_action(play)


def resolve_strike(board: Board, play: TinGoosePlay, bids: Sequence[int]) -> None:
    """All tied top bidders win the whole amount, zero never wins, every chip bid is lost (TG-R21 to TG-R23)."""
    position, card = play.position, board.card[play.position.card]
    winners = tuple(seat for seat, chips in enumerate(bids) if chips == max(bids) > 0)
    play.emit(StrikeResolved(tuple(bids), winners, card.win))
    for seat, player in enumerate(position.players):
        player.labor_chips -= bids[seat]
        player.cash += card.win if seat in winners else 0
    pay_all(board, play, "strike", [0 if seat in winners else card.lose for seat in range(len(bids))])
    end_event(position)


def crash(board: Board, play: TinGoosePlay, price: int) -> None:
    """II. Pay for the flames, then the most hazardous lose and the least hazardous gain boxes (TG-F16, TG-R24)."""
    position = play.position
    flames = [hazard(board, player) for player in position.players]
    pay_all(board, play, "crash", [price * number for number in flames])
    play.emit(HazardCompared(tuple(flames)))
    if min(flames) < max(flames):
        for seat, number in enumerate(flames):
            if number == max(flames):
                move_income(board, play, seat, -board.constants.most_hazard, "most_hazard")
            elif number == min(flames):
                move_income(board, play, seat, board.constants.least_hazard, "least_hazard")
    end_event(position)


def oil_crisis(board: Board, play: TinGoosePlay, price: int) -> None:
    """III. Pay for the barrels (TG-F16)."""
    players = play.position.players
    pay_all(board, play, "oil", [oil(board, player) * oil_price(board, player, price) for player in players])
    end_event(play.position)


def oil_price(board: Board, player: Player, price: int) -> int:
    """The price of a barrel for a player: Rural Stops Along Routes make it dearer."""
    return price + (board.constants.rural_stops_price if RURAL_STOPS in player.conditions else 0)


def pay_all(board: Board, play: TinGoosePlay, reason: EventKind, owed: Sequence[int]) -> None:
    """Payment for an event, clockwise, the active player last (TG-F14, TG-R17)."""
    for seat in clockwise(play.position):
        if owed[seat]:
            pay_for_event(board, play, seat, reason, owed[seat])


def pay_for_event(board: Board, play: TinGoosePlay, seat: int, reason: EventKind, amount: int) -> None:
    """Whoever cannot pay issues just enough emergency bonds and keeps the change (TG-F14, TG-R18)."""
    player, worth = play.position.players[seat], board.constants.emergency_bond
    bonds = -(-max(0, amount - player.cash) // worth)
    player.bonds += bonds
    player.cash += bonds * worth - amount
    play.position.payments.append(Payment(seat, amount, bonds))
    play.emit(Paid(seat, reason, amount, bonds))


def end_event(position: Position) -> None:
    """The card is spent, and the active player goes on to the actions."""
    position.discards.append(position.card)
    position.card = ""
    position.phase = ACTIONS

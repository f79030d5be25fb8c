"""Auctions, and what the winner does with the fleet (Rulebook V.1.b)."""

from collections.abc import Iterator

from msgspec import UNSET

from referee.errors import IllegalOrder
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import (
    GENEROUS_DIVIDENDS,
    IRREGULAR_SAFETY,
    REGIONAL_MANAGEMENT,
    RURAL_STOPS,
    UNPRODUCTIVE_INVESTMENTS,
)
from referee.games.tin_goose.events import (
    BidMade,
    Deployed,
    FleetBought,
    FleetDiscarded,
    Passed,
    PassedOver,
    Upgraded,
    dollars,
)
from referee.games.tin_goose.management import FirstStep
from referee.games.tin_goose.state import (
    ACQUISITION,
    ACTIONS,
    AUCTION,
    NO_CONDITION,
    Bid,
    Bidding,
    Deploy,
    OwnedFleet,
    Pass,
    Player,
    Position,
    Settings,
    TinGoosePlay,
    Upgrade,
)
from referee.games.tin_goose.tracks import clockwise, hazard, is_as_large, move_income
from referee.options import Move, Offer, OneOf, Range

# What goes by itself when its owner does not say it: what brings money first.
REMOVED_FIRST = (
    GENEROUS_DIVIDENDS, UNPRODUCTIVE_INVESTMENTS, IRREGULAR_SAFETY, RURAL_STOPS, REGIONAL_MANAGEMENT,
)  # fmt: skip


def offer_fleet(board: Board, settings: Settings, play: TinGoosePlay, keeps_bids: bool) -> None:
    """Opens the auction of the card played; in the last round there is none (TG-F25, TG-R57)."""
    position = play.position
    if position.round == board.last_round:
        discard_fleet(play, last_round=True)
    else:
        position.bidding = Bidding(bids=[] if keeps_bids else UNSET)
        position.phase = AUCTION
        ask_next(board, settings, play)


def least_bid(board: Board, position: Position) -> int:
    return max(board.constants.least_bid, position.bidding.amount + 1)


def ask_next(board: Board, settings: Settings, play: TinGoosePlay) -> None:
    """Goes on to who answers next, or to the end. Everybody is asked, also who has too little money: passing somebody
    over would show it (TG-R68); where the screens are open it shows nothing (TG-R70)."""
    position = play.position
    while settings.open_screens and position.bidding.answered < len(position.players):
        seat = clockwise(position)[position.bidding.answered]
        if position.players[seat].cash >= least_bid(board, position):
            return
        play.emit(PassedOver(seat, position.players[seat].cash, least_bid(board, position)))
        position.bidding.answer(0)
    if position.bidding.answered < len(position.players):
        return
    if position.bidding.seat is None:
        discard_fleet(play, last_round=False)
    else:
        buy_fleet(board, play, position.bidding.seat)


def discard_fleet(play: TinGoosePlay, last_round: bool) -> None:
    """TG-R29: the active player goes on to the actions all the same."""
    position = play.position
    play.emit(FleetDiscarded(position.card, last_round))
    position.discards.append(position.card)
    end_auction(position)


def end_auction(position: Position) -> None:
    position.card = ""
    position.bidding = Bidding()
    position.phase = ACTIONS


class Auction(FirstStep):
    """Once around from the left of the active player (TG-F17)."""

    asks = "your bid"
    moves = (Bid, Pass)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (clockwise(position)[position.bidding.answered],)

    def prompt(self, position: Position, seat: int) -> str:
        name = self.board.fleet[position.card].name
        least = least_bid(self.board, position)
        return f"{name} is up for auction: bid ${least} or more, or pass. You are asked only once."

    def default(self, position: Position, seat: int) -> Pass:
        return Pass()

    def offer_bid(self, position: Position, seat: int) -> Iterator[Offer]:
        """At least $1, higher than before, and no more than the money at hand (TG-R19, TG-R27)."""
        least, cash = least_bid(self.board, position), position.players[seat].cash
        if least <= cash:
            yield Offer(Bid, amount=Range(least, cash))

    def why_not_bid(self, position: Position, seat: int, move: Bid) -> IllegalOrder | None:
        least, cash = least_bid(self.board, position), position.players[seat].cash
        numbers = {"bid": move.amount, "least": least, "cash": cash}
        if move.amount < least:
            message = f"A bid of {dollars(move.amount)} is too low: bid ${least} or more, or pass."
            return IllegalOrder("too_low", message, field="amount", rule="Rulebook V.1.b", numbers=numbers)
        message = f"A bid of ${move.amount} is more than you have: ${cash}."
        return IllegalOrder("too_expensive", message, field="amount", rule="TG-R27", numbers=numbers)

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No bid: it costs."""
        return isinstance(move, Pass)

    def offer_pass(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Pass)

    def apply_bid(self, play: TinGoosePlay, seat: int, move: Bid) -> None:
        bidding = play.position.bidding
        bidding.amount, bidding.seat = move.amount, seat
        play.emit(BidMade(seat, move.amount))
        self.go_on(play, move.amount)

    def apply_pass(self, play: TinGoosePlay, seat: int, move: Pass) -> None:
        play.emit(Passed(seat))
        self.go_on(play, 0)

    def go_on(self, play: TinGoosePlay, amount: int) -> None:
        play.position.bidding.answer(amount)
        ask_next(self.board, self.settings, play)


def buy_fleet(board: Board, play: TinGoosePlay, seat: int) -> None:
    """The highest bidder pays, and moves up for owning a fleet of the same kind already (TG-F17, TG-R30)."""
    position, player = play.position, play.position.players[seat]
    player.cash -= position.bidding.amount
    play.emit(FleetBought(seat, position.card, position.bidding.amount))
    kind = board.fleet[position.card].kind
    if any(board.fleet[fleet.card].kind == kind for fleet in player.fleets):
        move_income(board, play, seat, board.constants.same_kind, "same_kind")
    if player.conditions or upgradable(board, player, position.card):
        position.phase = ACQUISITION
    else:
        deploy(board, play, seat, NO_CONDITION)  # TG-R66: no choice, no question


def upgradable(board: Board, player: Player, card: str) -> list[str]:
    """The fleets that a new one may replace: not larger than it, and of an older era (TG-R31, TG-R32)."""
    new = board.fleet[card]
    old = {fleet.card: board.fleet[fleet.card] for fleet in player.fleets}
    return [card for card, fleet in old.items() if is_as_large(new.size, fleet.size) and new.era > fleet.era]


class Acquisition(FirstStep):
    """The winner keeps the fleet: deploys it, or upgrades an older one (TG-R34)."""

    asks = "your new fleet"
    moves = (Deploy, Upgrade)

    def seats(self, position: Position) -> tuple[int, ...]:
        assert position.bidding.seat is not None
        return (position.bidding.seat,)

    def prompt(self, position: Position, seat: int) -> str:
        player = position.players[seat]
        removal = " and remove a condition (or “nothing”: this fleet removes none later)" if player.conditions else ""
        upgrade = ", or upgrade an older fleet" if upgradable(self.board, player, position.card) else ""
        return f"{self.board.fleet[position.card].name} is yours: deploy it{removal}{upgrade}."

    def default(self, position: Position, seat: int) -> Deploy:
        conditions = position.players[seat].conditions
        return Deploy(min(conditions, key=REMOVED_FIRST.index, default=NO_CONDITION))

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing but the default: what goes does not come back."""
        return move == self.default(position, seat)

    def offer_deploy(self, position: Position, seat: int) -> Iterator[Offer]:
        """Removing a condition is offered now, and never again for this fleet (TG-R35)."""
        yield Offer(Deploy, condition=OneOf(*position.players[seat].conditions, NO_CONDITION))

    def why_not_deploy(self, position: Position, seat: int, move: Deploy) -> IllegalOrder | None:
        names = {condition.id: condition.name for condition in self.board.conditions}
        left = ", ".join(names[condition] for condition in position.players[seat].conditions) or "none"
        message = f"You cannot remove {names.get(move.condition, move.condition)}; your conditions: {left}."
        return IllegalOrder("no_such_condition", message, field="condition", rule="Rulebook V.1.b.I")

    def apply_deploy(self, play: TinGoosePlay, seat: int, move: Deploy) -> None:
        deploy(self.board, play, seat, move.condition, tells_kept=self.version != "1")

    def offer_upgrade(self, position: Position, seat: int) -> Iterator[Offer]:
        fleets = upgradable(self.board, position.players[seat], position.card)
        if fleets:
            yield Offer(Upgrade, fleet=OneOf(*fleets))

    def why_not_upgrade(self, position: Position, seat: int, move: Upgrade) -> IllegalOrder | None:
        board, new = self.board, self.board.fleet[position.card]
        if not any(fleet.card == move.fleet for fleet in position.players[seat].fleets):
            return not_your_fleet(board, move.fleet)
        old = board.fleet[move.fleet]
        if new.era <= old.era:
            message = f"{new.name} is not from a newer era than {old.name}."
            return IllegalOrder("not_newer", message, field="fleet", rule="Rulebook V.1.b.II b; TG-R31")
        message = f"{new.name} is of size {new.size}, smaller than {old.name}, which is {old.size}."
        return IllegalOrder("too_small", message, field="fleet", rule="Rulebook V.1.b.II a; TG-R31")

    def apply_upgrade(self, play: TinGoosePlay, seat: int, move: Upgrade) -> None:
        """The pieces move over; no new ones come, and no condition goes (TG-F17, TG-R33)."""
        position, player = play.position, play.position.players[seat]
        fleet = next(fleet for fleet in player.fleets if fleet.card == move.fleet)
        fleet.card = position.card
        position.discards.append(move.fleet)
        play.emit(Upgraded(seat, fleet.card, move.fleet, fleet.planes, hazard(self.board, player)))
        end_auction(position)


def deploy(board: Board, play: TinGoosePlay, seat: int, condition: str, tells_kept: bool = False) -> None:
    """Two new planes, and one condition less (TG-F17); Unproductive Investments pay by the era (TG-R56)."""
    position, player = play.position, play.position.players[seat]
    planes, money = board.constants.planes_per_fleet, 0
    player.fleets.append(OwnedFleet(position.card, planes))
    if condition == NO_CONDITION:
        player.forgone += 1
    else:
        player.conditions.remove(condition)
    if condition == UNPRODUCTIVE_INVESTMENTS:
        money = board.era(position.round).investments
        player.cash += money
    kept = len(player.conditions) if tells_kept and condition == NO_CONDITION and player.conditions else UNSET
    play.emit(Deployed(seat, position.card, planes, condition, money, hazard(board, player), kept))
    end_auction(position)


def not_your_fleet(board: Board, fleet: str) -> IllegalOrder:
    if fleet in board.city:
        message = f"{board.city[fleet].name} is a city; name the fleet that the plane comes from."
        return IllegalOrder("not_a_fleet", message, field="fleet", rule="Rulebook V.2.b")
    return IllegalOrder("not_your_fleet", f"You own no {board.card_name(fleet)}.", field="fleet")

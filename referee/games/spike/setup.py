"""The setup of Spike, in the order in which the rulebook prints it."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import Play, and_list
from referee.errors import IllegalOrder
from referee.games.spike.board import Board, Side
from referee.games.spike.building import why_not_in_hand
from referee.games.spike.events import (
    ContractsDealt,
    Dealt,
    DisplayOpened,
    Gave,
    KeptRoute,
    MarketOpened,
    Placed,
    RoutesDealt,
    TurnedOver,
)
from referee.games.spike.rules import Turn
from referee.games.spike.state import (
    ANY_CARD,
    FREE,
    Contract,
    Give,
    Keep,
    Place,
    Player,
    Position,
    Settings,
    SpikePhase,
    SpikePlay,
    TurnOver,
)
from referee.options import Bag, Offer, OneOf
from referee.piles import add, spread, take


def setup(board: Board, seats: int, settings: Settings, chance: Chance, version: str) -> SpikePlay:
    """Rulebook, Setup 1 to 5; with two players some rail cards of each type stay in the box."""
    chips = chance.shuffle("market", [commodity.id for commodity in board.commodities])
    height = len(board.market.rows)
    drawn = [draw_contract(board, commodity.id, chance) for commodity in board.commodities]
    contracts = chance.shuffle("contracts", drawn)
    start = chance.below("start player", seats) if settings.start_player == "random" else 0
    out = board.removed[seats]
    rail_cards = [rail.id for rail in board.rail_types for _ in range(rail.cards - out)]
    position = Position(
        phase=Sides.name,
        active=start,
        players=[
            Player(0, {}, {board.contract[held.card].commodity: held for held in contracts[seat::seats]}, [])
            for seat in range(seats)
        ],
        tracks=FREE * len(board.segments),
        market=[chips[first : first + height] for first in range(0, len(chips), height)],
        deck=chance.shuffle("rail cards", rail_cards),
    )
    if version != "1":
        position.idle, position.dumped = 0, []
    play = Play(position, chance)
    play.emit(MarketOpened(tuple(tuple(column) for column in position.market), start))
    for seat, player in enumerate(position.players):
        dealt = [(contract.card, contract.side) for contract in player.contracts.values()]
        play.emit(ContractsDealt(seat, tuple(card for card, _ in dealt), tuple(side for _, side in dealt)))
    if not settings.advanced:
        deal_hands(board, play)
    return play


def draw_contract(board: Board, commodity: str, chance: Chance) -> Contract:
    """One card of a commodity, with the side that falls face up (Setup 4, SP-R58)."""
    cards = [card.id for card in board.contracts if card.commodity == commodity]
    side: Side = "b" if chance.below(f"side of {commodity}", 2) else "a"
    return Contract(cards[chance.below(f"contract of {commodity}", len(cards))], side)


class Sides(SpikePhase):
    """Advanced play: each player chooses the sides of their own contracts."""

    asks = "your contracts"
    kind = "sealed"
    moves = (TurnOver,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose the contracts that you turn over to use their other side; it may be none."

    def default(self, position: Position, seat: int) -> TurnOver:
        return TurnOver(())

    def offer_turn_over(self, position: Position, seat: int) -> Iterator[Offer]:
        contracts = position.players[seat].contracts
        yield Offer(TurnOver, contracts=Bag(dict.fromkeys(contracts, 1), 0, len(contracts)))

    def why_not_turn_over(self, position: Position, seat: int, move: TurnOver) -> IllegalOrder | None:
        own = and_list([self.board.goods[commodity] for commodity in position.players[seat].contracts])
        message = f"You can turn over your contracts for {own}, each once."
        return IllegalOrder("no_contract", message, field="contracts", rule="Rulebook, Advanced play")

    def reveal(self, play: SpikePlay, moves: Mapping[int, TurnOver]) -> None:
        for seat, move in sorted(moves.items()):
            for commodity in move.contracts:
                contract = play.position.players[seat].contracts[commodity]
                contract.side = "b" if contract.side == "a" else "a"
            play.emit(TurnedOver(seat, move.contracts))
        deal_hands(self.board, play)


def deal_hands(board: Board, play: SpikePlay) -> None:
    """Setup 6: five cards each."""
    position = play.position
    for seat, player in enumerate(position.players):
        hand = sorted(position.deck.pop() for _ in range(board.setup.hand))
        add(player.hand, hand)
        play.emit(Dealt(seat, len(hand), tuple(hand)))
    position.phase = Gift.name


class Gift(SpikePhase):
    """The starting player gives a card to the player on the right, who plays last (Setup 6, SP-R46)."""

    asks = "your gift"
    moves = (Give,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Give one of your rail cards to the player on your right."

    def default(self, position: Position, seat: int) -> Give:
        """By lot: any choice of ours would tell the receiver something about the rest of the hand."""
        return Give(min(position.players[seat].hand) if self.version == "1" else ANY_CARD)

    def offer_give(self, position: Position, seat: int) -> Iterator[Offer]:
        by_lot = () if self.version == "1" else (ANY_CARD,)
        right = (seat - 1) % len(position.players)
        yield Offer(Give, card=OneOf(*position.players[seat].hand, *by_lot)).saying(to=str(right))

    def why_not_give(self, position: Position, seat: int, move: Give) -> IllegalOrder | None:
        return why_not_in_hand("card", [move.card], position.players[seat].hand)

    def apply_give(self, play: SpikePlay, seat: int, move: Give) -> None:
        position, card = play.position, move.card
        right = (seat - 1) % len(position.players)
        if card == ANY_CARD:
            hand = spread(position.players[seat].hand)
            card = hand[play.chance.below("gift", len(hand))]
        take(position.players[seat].hand, [card])
        add(position.players[right].hand, [card])
        play.emit(Gave(seat, right, card))
        deal_routes(self.board, play, self.settings)


def deal_routes(board: Board, play: SpikePlay, settings: Settings) -> None:
    """Setup 7 and 8: four cards face up; a route each, or two of which to keep one."""
    position = play.position
    position.display = [position.deck.pop() for _ in range(board.setup.display)]
    play.emit(DisplayOpened(tuple(position.display)))
    number = board.setup.advanced_routes if settings.advanced else board.setup.routes
    routes = play.chance.shuffle("routes", [route.id for route in board.routes])
    for seat, player in enumerate(position.players):
        player.routes = [routes.pop() for _ in range(number)]
        play.emit(RoutesDealt(seat, number, tuple(player.routes)))
    position.phase = Routes.name if settings.advanced else Placement.name


class Routes(SpikePhase):
    """Advanced play: each keeps one of two routes; which one, nobody else learns before the end."""

    asks = "your route"
    kind = "sealed"
    moves = (Keep,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose the route that you keep."

    def default(self, position: Position, seat: int) -> Keep:
        return Keep(position.players[seat].routes[0])

    def offer_keep(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Keep, route=OneOf(*position.players[seat].routes))

    def why_not_keep(self, position: Position, seat: int, move: Keep) -> IllegalOrder | None:
        dealt = [self.board.route_name(route) for route in position.players[seat].routes]
        message = f"You were dealt {and_list(dealt)}: keep one of them."
        return IllegalOrder("not_dealt", message, field="route", rule="Rulebook, Advanced play")

    def reveal(self, play: SpikePlay, moves: Mapping[int, Keep]) -> None:
        for seat, move in sorted(moves.items()):
            play.position.players[seat].routes = [move.route]
            play.emit(KeptRoute(seat, move.route))
        play.position.phase = Placement.name


class Placement(SpikePhase):
    """Clockwise, each in a city of choice, which others may share (Setup 9)."""

    asks = "your locomotive"
    moves = (Place,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Place your locomotive in a city: your network begins there."

    def default(self, position: Position, seat: int) -> Place:
        """Where a contract can be loaded: contracts lie open, so this default gives nothing away (SP-R57)."""
        contracts = position.players[seat].contracts
        return Place(max(self.board.cities, key=lambda city: city.commodity in contracts).id)

    def offer_place(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Place, city=OneOf(*self.board.city))

    def apply_place(self, play: SpikePlay, seat: int, move: Place) -> None:
        position, player = play.position, play.position.players[seat]
        player.home = player.at = move.city
        play.emit(Placed(seat, move.city))
        position.active = (seat + 1) % len(position.players)
        if all(player.home for player in position.players):
            position.phase = Turn.name

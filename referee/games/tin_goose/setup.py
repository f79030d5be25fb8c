"""The setup of Tin Goose and the beginning of the game: demand, hands, airmail routes (Rulebook II, IV)."""

from collections.abc import Iterator, Mapping, Sequence

from referee.chance import Chance
from referee.contract import Play
from referee.errors import IllegalOrder
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import CONDITIONS, FORD_TRIMOTOR
from referee.games.tin_goose.events import (
    AirmailBids,
    AirmailChosen,
    AirmailDiscarded,
    AirmailOffered,
    Dealt,
    DemandDealt,
    dollars,
)
from referee.games.tin_goose.income import begin_round
from referee.games.tin_goose.state import (
    CARD,
    Bid,
    Choose,
    DemandTokens,
    OwnedFleet,
    Player,
    Position,
    Settings,
    TinGoosePhase,
    TinGoosePlay,
)
from referee.options import Move, Offer, OneOf, Range


def setup(board: Board, seats: int, settings: Settings, chance: Chance) -> TinGoosePlay:
    """Rulebook II."""
    constants = board.constants
    demand, dealt = deal_demand(board, seats, chance)
    hands, removed = deal_hands(board, seats, settings, chance)
    routes = chance.shuffle("airmail", [route.id for route in board.airmail_routes])
    face_up = seats + constants.extra_airmail
    position = Position(
        phase=Airmail.name,
        round=1,
        first=0,
        active=0,
        players=[
            Player(
                cash=constants.start_cash,
                bonds=0,
                labor_chips=constants.labor_chips,
                hand=hand,
                fleets=[OwnedFleet(FORD_TRIMOTOR, constants.planes_per_fleet)],
                conditions=list(CONDITIONS),
                income_box=board.income_track.start,
            )
            for hand in hands
        ],
        demand=demand,
        airmail=sorted(routes[:face_up]),
        airmail_discards=sorted(routes[face_up:]),
        removed=removed,
    )
    play = Play(position, chance)
    for event in dealt:
        play.emit(event)
    for seat, hand in enumerate(hands):
        play.emit(Dealt(seat, len(hand), tuple(hand)))
    play.emit(AirmailOffered(tuple(position.airmail)))
    return play


def deal_demand(board: Board, seats: int, chance: Chance) -> tuple[dict[str, DemandTokens], list[DemandDealt]]:
    """Gold in the fixed cities, then for each colour four of the demand cards, shuffled anew (TG-F05 to TG-F07)."""
    fixed, silver = board.demand.fixed_gold, board.demand_row[seats].silver
    demand = {city: DemandTokens(gold=1) for city in fixed}
    dealt = [DemandDealt("", fixed, (1,) * len(fixed), (0,) * len(fixed))]
    golds, silvers = (1, *[0] * len(silver)), (0, *silver)
    for colour in board.demand.colours:
        cards = chance.shuffle(f"demand {colour}", board.demand_cards)
        cities = tuple(card.city(colour) for card in cards[: len(golds)])
        for city, gold, number in zip(cities, golds, silvers, strict=True):
            demand[city] = DemandTokens(gold, number)  # in place of the fixed gold token, if one lies there
        dealt.append(DemandDealt(colour, cities, golds, silvers))
    return demand, dealt


def deal_hands(board: Board, seats: int, settings: Settings, chance: Chance) -> tuple[list[list[str]], list[str]]:
    """Cards of each era to everybody, and what is left (TG-F08); in the variant fleets and events apart (TG-F26)."""
    hands: list[list[str]] = [[] for _ in range(seats)]
    removed: list[str] = []
    for era in board.eras:
        cards = [card for card in board.era_cards if card.era == era.id]
        piles = [(f"{era.id} deck", [card.id for card in cards], era.hand)]
        if settings.even_events:
            fleets = [card.id for card in cards if card.kind == "fleet"]
            events = [card.id for card in cards if card.kind != "fleet"]
            piles = [(f"{era.id} fleets", fleets, era.fleets), (f"{era.id} events", events, era.events)]
        for label, pile, number in piles:
            deck = chance.shuffle(label, pile)
            for hand in hands:
                hand += sorted(deck.pop() for _ in range(number))
            removed += deck
    return hands, sorted(removed)


# Beginning the game (Rulebook IV)


class Airmail(TinGoosePhase):
    """Sealed bids for the choice of airmail routes, which everybody pays (TG-F12, TG-R02, TG-R03)."""

    asks = "your airmail bid"
    kind = "sealed"
    moves = (Bid,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return "Bid for the choice of an airmail route, $0 or more; everybody pays. The first to choose also begins."

    def default(self, position: Position, seat: int) -> Bid:
        return Bid(0)

    def offer_bid(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Bid, amount=Range(0, position.players[seat].cash))

    def why_not_bid(self, position: Position, seat: int, move: Bid) -> IllegalOrder | None:
        cash = position.players[seat].cash
        return IllegalOrder(
            "too_expensive",
            f"Bid from $0 to ${cash}, as much as you have; not {dollars(move.amount)}.",
            field="amount",
            rule="TG-R03",
            numbers={"bid": move.amount, "cash": cash},
        )

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No bid that costs money."""
        return move == self.default(position, seat)

    def reveal(self, play: TinGoosePlay, moves: Mapping[int, Bid]) -> None:
        position = play.position
        bids = [moves[seat].amount for seat in range(len(position.players))]
        for player, amount in zip(position.players, bids, strict=True):
            player.cash -= amount
        position.choosers = by_bid(bids, play.chance)
        position.first = position.active = position.choosers[0]
        play.emit(AirmailBids(tuple(bids), tuple(position.choosers)))
        position.phase = AirmailChoice.name


def by_bid(bids: Sequence[int], chance: Chance) -> list[int]:
    """The seats from the highest bid to the lowest, equal ones by lot (TG-R01)."""
    seats = list(range(len(bids)))
    if len(set(bids)) < len(bids):
        seats = chance.shuffle("equal bids", seats)
    return sorted(seats, key=lambda seat: -bids[seat])


class AirmailChoice(TinGoosePhase):
    """The start plane goes to the city named first, without income or demand (TG-F12, TG-R06)."""

    asks = "your airmail route"
    moves = (Choose,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.choosers[0],)

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose an airmail route: you begin in its first city, and reaching the second one pays."

    def default(self, position: Position, seat: int) -> Choose:
        return Choose(position.airmail[0])

    def offer_choose(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Choose, airmail=OneOf(*position.airmail))

    def why_not_choose(self, position: Position, seat: int, move: Choose) -> IllegalOrder | None:
        names = map(self.board.route_name, position.airmail)
        message = f"That route is not on offer. There are still: {', '.join(names)}."
        return IllegalOrder("not_on_offer", message, field="airmail", rule="Rulebook IV")

    def apply_choose(self, play: TinGoosePlay, seat: int, move: Choose) -> None:
        position, player = play.position, play.position.players[seat]
        start = self.board.airmail[move.airmail].start
        position.airmail.remove(move.airmail)
        player.airmail = move.airmail
        player.fleets[0].planes -= 1
        player.cities.append(start)
        play.emit(AirmailChosen(seat, move.airmail, start))
        position.choosers.pop(0)
        if not position.choosers:
            play.emit(AirmailDiscarded(tuple(position.airmail)))
            position.airmail_discards += position.airmail
            position.airmail = []
            position.phase = CARD
            begin_round(self.board, play)

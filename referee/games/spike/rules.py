"""The rules of Spike, in the order in which the rulebook prints them.

    Setup          market, contracts                                        setup
                   advanced play: turn contracts over, sealed               Sides
                   hands; a card for the player on the right                deal_hands, Gift
                   display, routes; advanced play: keep one of two, sealed  deal_routes, Routes
                   locomotives                                              Placement
    A turn         free movement, if the train is on track; then one of     Turn
                   A draw rail cards, one at a time                         Turn, then Drawing
                   B build to a new city, and score its commodity           Turn
                   C set the train in motion   D boost it                   Turn, then Arrival
                   E upgrade it                                             Turn
                   in a city: load and deliver; at any time: dump           Turn, Arrival
    The end        the third Time card, or the special ending               deck.draw_rail_card, end_turn
"""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import Phase, Play
from referee.errors import IllegalOrder
from referee.games.spike import refusals
from referee.games.spike.board import PARTS, Board, Part, Side
from referee.games.spike.building import BuildOffer, Site
from referee.games.spike.deck import (
    add,
    draw_rail_card,
    end_round_if_exhausted,
    has_deck,
    refill_display,
    remove,
    spread,
)
from referee.games.spike.movement import destinations
from referee.games.spike.scoring import SpikePlay, finish, has_deliveries_left, score_commodity
from referee.games.spike.state import (
    DECK,
    Boost,
    Build,
    Built,
    Contract,
    ContractsDealt,
    Dealt,
    Deliver,
    Delivered,
    DisplayOpened,
    Done,
    Draw,
    DrewCard,
    Dump,
    Dumped,
    FreeMovement,
    Gave,
    Give,
    How,
    Keep,
    KeptRoute,
    LastTurns,
    Load,
    Loaded,
    MarketOpened,
    Moved,
    Pass,
    Passed,
    Place,
    Placed,
    Player,
    Position,
    RoutesDealt,
    SetInMotion,
    Settings,
    TookCard,
    TurnedOver,
    TurnOver,
    Upgrade,
    Upgraded,
)
from referee.options import Bag, Move, Offer, OneOf

SpikePhase = Phase[Position, Board]


# Setup


def setup(board: Board, seats: int, settings: Settings, chance: Chance) -> SpikePlay:
    """Rulebook, Setup 1 to 5."""
    chips = chance.shuffle("market", [commodity.id for commodity in board.commodities])
    height = len(board.market.rows)
    contracts = chance.shuffle("contracts", [draw_contract(board, one.id, chance) for one in board.commodities])
    start = chance.below("start player", seats) if settings.start_player == "random" else 0
    position = Position(
        phase=Sides.name,
        active=start,
        advanced=settings.advanced,
        players=[
            Player(0, {}, {board.contract[one.card].commodity: one for one in contracts[seat::seats]}, [])
            for seat in range(seats)
        ],
        market=[chips[first : first + height] for first in range(0, len(chips), height)],
    )
    play = Play(position, chance)
    play.tell(MarketOpened(tuple(tuple(column) for column in position.market), start))
    for seat, player in enumerate(position.players):
        held = player.contracts.values()
        play.tell(ContractsDealt(seat, tuple(one.card for one in held), tuple(one.side for one in held)))
    if not settings.advanced:
        deal_hands(board, play)
    return play


def draw_contract(board: Board, commodity: str, chance: Chance) -> Contract:
    """One card of a commodity, with the side that falls face up (Setup 4, SP-R58)."""
    cards = [card.id for card in board.contracts if card.commodity == commodity]
    side: Side = "b" if chance.below(f"side of {commodity}", 2) else "a"
    return Contract(cards[chance.below(f"contract of {commodity}", len(cards))], side)


class Sides(SpikePhase):
    """Advanced play: each chooses the sides of the own contracts."""

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

    def reveal(self, play: SpikePlay, moves: Mapping[int, TurnOver]) -> None:
        for seat, move in sorted(moves.items()):
            for commodity in move.contracts:
                contract = play.position.players[seat].contracts[commodity]
                contract.side = "b" if contract.side == "a" else "a"
            play.tell(TurnedOver(seat, move.contracts))
        deal_hands(self.board, play)


def deal_hands(board: Board, play: SpikePlay) -> None:
    """Setup 6: five cards each; with two players some of each type stay in the box."""
    position = play.position
    out = board.removed[len(position.players)]
    cards = [rail.id for rail in board.rail_types for _ in range(rail.cards - out)]
    position.deck = play.chance.shuffle("rail cards", cards)
    for seat, player in enumerate(position.players):
        hand = sorted(position.deck.pop() for _ in range(board.setup.hand))
        add(player.hand, hand)
        play.tell(Dealt(seat, len(hand), tuple(hand)))
    position.phase = Gift.name


class Gift(SpikePhase):
    """The starting player gives a card to the player on the right, who plays last (Setup 6, SP-R46)."""

    moves = (Give,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Give one of your rail cards to the player on your right."

    def default(self, position: Position, seat: int) -> Give:
        return Give(min(position.players[seat].hand))

    def offer_give(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Give, card=OneOf(*position.players[seat].hand))

    def refuse_give(self, position: Position, seat: int, move: Give) -> IllegalOrder | None:
        return refusals.missing("card", [move.card], position.players[seat].hand)

    def play_give(self, play: SpikePlay, seat: int, move: Give) -> None:
        position = play.position
        right = (seat - 1) % len(position.players)
        remove(position.players[seat].hand, [move.card])
        add(position.players[right].hand, [move.card])
        play.tell(Gave(seat, right, move.card))
        deal_routes(self.board, play)


def deal_routes(board: Board, play: SpikePlay) -> None:
    """Setup 7 and 8: four cards face up; a route each, or two of which to keep one."""
    position = play.position
    position.display = [position.deck.pop() for _ in range(board.setup.display)]
    play.tell(DisplayOpened(tuple(position.display)))
    number = board.setup.advanced_routes if position.advanced else board.setup.routes
    routes = play.chance.shuffle("routes", [route.id for route in board.routes])
    for seat, player in enumerate(position.players):
        player.routes = [routes.pop() for _ in range(number)]
        play.tell(RoutesDealt(seat, number, tuple(player.routes)))
    position.phase = Routes.name if position.advanced else Placement.name


class Routes(SpikePhase):
    """Advanced play: each keeps one of two routes; which one, nobody else learns before the end."""

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

    def reveal(self, play: SpikePlay, moves: Mapping[int, Keep]) -> None:
        for seat, move in sorted(moves.items()):
            play.position.players[seat].routes = [move.route]
            play.tell(KeptRoute(seat, move.route))
        play.position.phase = Placement.name


class Placement(SpikePhase):
    """Clockwise, each in a city of choice, which others may share (Setup 9)."""

    moves = (Place,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Place your locomotive in a city: your network begins there."

    def default(self, position: Position, seat: int) -> Place:
        return Place(self.board.route[position.players[seat].routes[0]].start)

    def offer_place(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Place, city=OneOf(*self.board.city))

    def play_place(self, play: SpikePlay, seat: int, move: Place) -> None:
        position, player = play.position, play.position.players[seat]
        player.home = player.at = move.city
        play.tell(Placed(seat, move.city))
        position.active = (seat + 1) % len(position.players)
        if all(one.home for one in position.players):
            position.phase = Turn.name


# Loading and delivery


class InTown(SpikePhase):
    """What a player may do besides the action, in a turn and after arriving (Explanation of cargo loading and delivery)."""

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def offer_load(self, position: Position, seat: int) -> Iterator[Offer]:
        """The city's commodity, if it is of an own contract and a car is empty (SP-R36, SP-R38)."""
        commodity = loadable(self.board, position.players[seat])
        if commodity:
            yield Offer(Load, commodity=commodity)

    def refuse_load(self, position: Position, seat: int, move: Load) -> IllegalOrder | None:
        return refusals.load(self.board, position.players[seat], move.commodity)

    def play_load(self, play: SpikePlay, seat: int, move: Load) -> None:
        player = play.position.players[seat]
        player.contracts[move.commodity].aboard = True
        play.tell(Loaded(seat, move.commodity, player.at))
        self.after(play, seat)

    def offer_deliver(self, position: Position, seat: int) -> Iterator[Offer]:
        """To a city the contract lists, once for each contract and once for each city (SP-R37 to SP-R40)."""
        goods = deliverable(self.board, position.players[seat])
        if goods:
            yield Offer(Deliver, commodity=OneOf(*goods))

    def refuse_deliver(self, position: Position, seat: int, move: Deliver) -> IllegalOrder | None:
        return refusals.deliver(self.board, position.players[seat], move.commodity)

    def play_deliver(self, play: SpikePlay, seat: int, move: Deliver) -> None:
        player = play.position.players[seat]
        contract = player.contracts[move.commodity]
        value = self.board.contract[contract.card].side(contract.side)[player.at]
        contract.aboard, contract.delivered = False, player.at
        player.score += value
        play.tell(Delivered(seat, move.commodity, player.at, value))
        self.after(play, seat)

    def offer_dump(self, position: Position, seat: int) -> Iterator[Offer]:
        """Back onto its contract, to be loaded again at a supplier (SP-R41)."""
        goods = aboard(position.players[seat])
        if goods:
            yield Offer(Dump, commodity=OneOf(*goods))

    def play_dump(self, play: SpikePlay, seat: int, move: Dump) -> None:
        play.position.players[seat].contracts[move.commodity].aboard = False
        play.tell(Dumped(seat, move.commodity))
        self.after(play, seat)

    def after(self, play: SpikePlay, seat: int) -> None:
        """What comes after loading, delivering or dumping."""


def aboard(player: Player) -> list[str]:
    return [commodity for commodity, contract in player.contracts.items() if contract.aboard]


def loadable(board: Board, player: Player) -> str | None:
    city = board.city.get(player.at)
    contract = player.contracts.get(city.commodity) if city else None
    if city is None or contract is None or contract.aboard or contract.delivered:
        return None
    return city.commodity if len(aboard(player)) < board.levels("cargo")[player.cargo] else None


def deliverable(board: Board, player: Player) -> list[str]:
    if any(contract.delivered == player.at for contract in player.contracts.values()):
        return []
    return [
        commodity
        for commodity in aboard(player)
        if player.at in board.contract[player.contracts[commodity].card].side(player.contracts[commodity].side)
    ]


# The turn


class Turn(InTown):
    """Free movement if the train is on track, then one action (Rulebook, Playing the game)."""

    moves = (FreeMovement, Load, Deliver, Dump, Draw, Build, SetInMotion, Boost, Upgrade, Pass)

    def prompt(self, position: Position, seat: int) -> str:
        player = position.players[seat]
        free = "" if player.at in self.board.city or position.moved else "You may move your train first. "
        return f"{free}One action: draw rail cards, build, set your train in motion, boost it, or upgrade it."

    def default(self, position: Position, seat: int) -> Move:
        actions = self.offers(position, seat, Draw, Boost, SetInMotion, Build, Upgrade, Pass)
        return next(next(actions).moves())

    def offer_free_movement(self, position: Position, seat: int) -> Iterator[Offer]:
        """Up to the speed; not to move is to go straight on with the action (SP-R26)."""
        player = position.players[seat]
        if player.at not in self.board.city and not position.moved:
            spaces = destinations(self.board, player, self.board.levels("speed")[player.speed])
            if spaces:
                yield Offer(FreeMovement, space=OneOf(*spaces))

    def refuse_free_movement(self, position: Position, seat: int, move: FreeMovement) -> IllegalOrder | None:
        return refusals.free_movement(self.board, position, seat, move.space)

    def play_free_movement(self, play: SpikePlay, seat: int, move: FreeMovement) -> None:
        speed = self.board.levels("speed")[play.position.players[seat].speed]
        move_train(self.board, play, seat, "free movement", move.space, speed)
        play.position.moved = True

    def offer_draw(self, position: Position, seat: int) -> Iterator[Offer]:
        """A: face up or off the deck, at least one card (SP-R16)."""
        if position.display or has_deck(position):
            yield Offer(Draw, card=OneOf(*dict.fromkeys(position.display), *[DECK] * has_deck(position)))

    def play_draw(self, play: SpikePlay, seat: int, move: Draw) -> None:
        position, player = play.position, play.position.players[seat]
        if move.card == DECK:
            card = draw_rail_card(self.board, play)
            if card is None:
                return
            add(player.hand, [card])
            play.tell(DrewCard(seat, card))
            end_round_if_exhausted(self.board, play)
        else:
            position.display.remove(move.card)
            add(player.hand, [move.card])
            play.tell(TookCard(seat, move.card))
        position.drawn += 1
        more = position.drawn < self.board.levels("power")[player.power] and (position.display or has_deck(position))
        if more:
            position.phase = Drawing.name
        else:
            end_draw(self.board, play)

    def offer_build(self, position: Position, seat: int) -> Iterator[Offer]:
        """B: a complete path to one new city, paid with matching cards or sets (SP-R06 to SP-R15)."""
        site = Site(self.board, position, seat)
        if site.tracks and any(site.hand):
            offer = BuildOffer(site)
            if not offer.is_empty:
                yield offer

    def refuse_build(self, position: Position, seat: int, move: Build) -> IllegalOrder | None:
        return refusals.build(self.board, position, seat, move)

    def play_build(self, play: SpikePlay, seat: int, move: Build) -> None:
        """The new city's commodity is scored, whoever else is there (SP-R05); the cards are discarded (SP-R15)."""
        board, position = self.board, play.position
        player = position.players[seat]
        places = (*move.path, move.city)
        segments = [board.exits[a][b] for a, b in zip(move.path, places[1:], strict=True)]
        player.tracks += [segment.id for segment in segments]
        remove(player.hand, move.cards)
        add(position.discards, move.cards)
        play.tell(Built(seat, move.city, move.path, tuple(segment.rail for segment in segments), move.cards))
        score_commodity(board, play, seat, board.city[move.city].commodity)
        end_turn(board, play)

    def offer_set_in_motion(self, position: Position, seat: int) -> Iterator[Offer]:
        """C: one space to as many as the speed, unless the train has come to its city in this turn (SP-R27, SP-R30)."""
        player = position.players[seat]
        if player.at in self.board.city and not position.moved:
            spaces = destinations(self.board, player, self.board.levels("speed")[player.speed])
            if spaces:
                yield Offer(SetInMotion, space=OneOf(*spaces))

    def refuse_set_in_motion(self, position: Position, seat: int, move: SetInMotion) -> IllegalOrder | None:
        return refusals.set_in_motion(self.board, position, seat, move.space)

    def play_set_in_motion(self, play: SpikePlay, seat: int, move: SetInMotion) -> None:
        speed = self.board.levels("speed")[play.position.players[seat].speed]
        move_train(self.board, play, seat, "set in motion", move.space, speed)
        arrive(self.board, play)

    def offer_boost(self, position: Position, seat: int) -> Iterator[Offer]:
        """D: exactly one space, from a track space (SP-R28, SP-R29)."""
        player = position.players[seat]
        if player.at not in self.board.city:
            spaces = destinations(self.board, player, BOOST)
            if spaces:
                yield Offer(Boost, space=OneOf(*spaces))

    def refuse_boost(self, position: Position, seat: int, move: Boost) -> IllegalOrder | None:
        return refusals.boost(self.board, position, seat, move.space)

    def play_boost(self, play: SpikePlay, seat: int, move: Boost) -> None:
        move_train(self.board, play, seat, "boost", move.space, BOOST)
        arrive(self.board, play)

    def offer_upgrade(self, position: Position, seat: int) -> Iterator[Offer]:
        """E: one part by one level, if the money is there (SP-R42 to SP-R44)."""
        player = position.players[seat]
        parts = [part for part in PARTS if (cost := upgrade_cost(self.board, player, part)) and cost <= player.score]
        if parts:
            yield Offer(Upgrade, part=OneOf(*parts))

    def refuse_upgrade(self, position: Position, seat: int, move: Upgrade) -> IllegalOrder | None:
        player = position.players[seat]
        return refusals.upgrade(player, move.part, upgrade_cost(self.board, player, move.part))

    def play_upgrade(self, play: SpikePlay, seat: int, move: Upgrade) -> None:
        player = play.position.players[seat]
        cost = upgrade_cost(self.board, player, move.part)
        assert cost is not None
        player.score -= cost
        level = getattr(player, move.part) + 1
        setattr(player, move.part, level)
        play.tell(Upgraded(seat, move.part, self.board.levels(move.part)[level], cost))
        end_turn(self.board, play)

    def offer_pass(self, position: Position, seat: int) -> Iterator[Offer]:
        """Only where no action is possible (SP-R45)."""
        if not next(self.offers(position, seat, Draw, Upgrade, SetInMotion, Boost, Build), None):
            yield Offer(Pass)

    def refuse_pass(self, position: Position, seat: int, move: Pass) -> IllegalOrder | None:
        return IllegalOrder("must_act", "You may pass only when you can do nothing else.", rule="SP-R45")

    def play_pass(self, play: SpikePlay, seat: int, move: Pass) -> None:
        play.tell(Passed(seat))
        end_turn(self.board, play)


BOOST = 1  # space


def upgrade_cost(board: Board, player: Player, part: Part) -> int | None:
    """What the next level costs; None at the last."""
    done = getattr(player, part)
    return board.train.upgrade_costs[done] if done < len(board.train.upgrade_costs) else None


def move_train(board: Board, play: SpikePlay, seat: int, how: How, space: str, spaces: int) -> None:
    player = play.position.players[seat]
    skipped = destinations(board, player, spaces)[space]
    play.tell(Moved(seat, how, player.at, space, skipped))
    player.at = space


class Drawing(Turn):
    """The rest of a draw: one card at a time, and one may stop (SP-R16)."""

    moves = (Draw, Done)

    def prompt(self, position: Position, seat: int) -> str:
        left = self.board.levels("power")[position.players[seat].power] - position.drawn
        return f"Draw another rail card (at most {left} more), or be done."

    def default(self, position: Position, seat: int) -> Done:
        return Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def play_done(self, play: SpikePlay, seat: int, move: Done) -> None:
        end_draw(self.board, play)


def end_draw(board: Board, play: SpikePlay) -> None:
    refill_display(board, play)
    if not play.position.ending:
        end_turn(board, play)


class Arrival(InTown):
    """The action has brought the train into a city: deliver and load, then the turn ends (SP-R37, SP-R61)."""

    moves = (Deliver, Load, Dump, Done)

    def prompt(self, position: Position, seat: int) -> str:
        city = self.board.city[position.players[seat].at].name
        return f"You have arrived in {city}: deliver, load, or be done."

    def default(self, position: Position, seat: int) -> Move:
        goods = deliverable(self.board, position.players[seat])
        return Deliver(goods[0]) if goods else Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def play_done(self, play: SpikePlay, seat: int, move: Done) -> None:
        end_turn(self.board, play)

    def after(self, play: SpikePlay, seat: int) -> None:
        arrive(self.board, play)


def arrive(board: Board, play: SpikePlay) -> None:
    """The turn ends by itself unless the train stands in a city with something to load or deliver, or a load to make
    room for (SP-R61)."""
    position = play.position
    player = position.players[position.active]
    if player.at in board.city and (can_load_here(board, player) or deliverable(board, player)):
        position.phase = Arrival.name
    else:
        end_turn(board, play)


def can_load_here(board: Board, player: Player) -> bool:
    """Whether the city supplies an open contract, if need be after dumping other cargo."""
    contract = player.contracts.get(board.city[player.at].commodity)
    return contract is not None and not contract.aboard and not contract.delivered


# The end of a turn, and of the game


def end_turn(board: Board, play: SpikePlay) -> None:
    """Rulebook, Special ending condition: with all track placed and no delivery left, each other player has one more
    turn (SP-R52, SP-R53)."""
    position = play.position
    position.moved, position.drawn = False, 0
    player = position.players[position.active]
    is_out = len(player.tracks) == board.components.tracks and not has_deliveries_left(board, player)
    if is_out and position.out is None:
        position.out = position.active
        play.tell(LastTurns(position.active))
    position.active = (position.active + 1) % len(position.players)
    position.phase = Turn.name
    if position.active == position.out:
        finish(board, play, "special")

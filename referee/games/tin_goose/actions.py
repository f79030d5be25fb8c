"""The actions of a turn, with placement, extensions and airmail (Rulebook V.2, VI, VII)."""

from collections.abc import Iterator, Sequence

from referee.errors import IllegalOrder
from referee.games.tin_goose.auction import not_your_fleet
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import Destination
from referee.games.tin_goose.events import (
    AirmailDelivered,
    BondIssued,
    DemandServed,
    Extended,
    InternationalServed,
    LaborTaken,
    PlanePlaced,
)
from referee.games.tin_goose.income import end_turn
from referee.games.tin_goose.management import is_managed
from referee.games.tin_goose.state import (
    ADVANCE,
    BOND,
    LABOR,
    PLACE,
    SERVE,
    AdvanceIncome,
    DemandTokens,
    Extend,
    IssueBond,
    OwnedFleet,
    Pass,
    PlacePlane,
    Player,
    Position,
    Serve,
    TakeLabor,
    TinGoosePhase,
    TinGoosePlay,
)
from referee.games.tin_goose.tracks import hazard, income, is_as_large, move_income, reach
from referee.options import Move, Offer, OneOf, Range

ACTION: dict[type[Move], str] = {
    AdvanceIncome: ADVANCE, PlacePlane: PLACE, Extend: PLACE, Serve: SERVE, TakeLabor: LABOR, IssueBond: BOND,
}  # fmt: skip


class Actions(TinGoosePhase):
    """Three actions, none more than twice (TG-F13, TG-F18, TG-R52)."""

    asks = "your actions"
    moves = (AdvanceIncome, PlacePlane, Extend, Serve, TakeLabor, IssueBond)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        """What is left to do, as far as the table can see: whether there is money for it is a secret."""
        if is_managed(position):
            return "Action 1: Regional Management makes you advance income first."
        destination = self.board.open_destination(position.round)
        named: dict[type[Move], str] = {
            AdvanceIncome: "advance income",
            PlacePlane: "place a plane",
            Extend: "extend",
            Serve: f"serve {destination.name} (two actions)",
            TakeLabor: "take labor",
            IssueBond: "issue a bond",
        }
        can_serve = self.is_free(position, SERVE) and bool(self.servers(position.players[seat], destination))
        *most, last = [
            words
            for kind, words in named.items()
            if (can_serve if kind is Serve else any(self.offers(position, seat, kind)))
        ]
        return f"Action {len(position.taken) + 1}: {', '.join(most)} or {last}."

    def default(self, position: Position, seat: int) -> Move:
        if self.is_free(position, ADVANCE):
            return AdvanceIncome()
        return TakeLabor(self.board.constants.free_chips)

    def cost(self, action: str) -> int:
        """How many actions it takes and counts as (TG-R41)."""
        return self.board.constants.international_actions if action == SERVE else 1

    def is_free(self, position: Position, action: str) -> bool:
        """Whether the turn still has room for an action."""
        constants, cost = self.board.constants, self.cost(action)
        return (
            len(position.taken) + cost <= constants.actions
            and position.taken.count(action) + cost <= constants.most_of_one_action
            and (action == ADVANCE or not is_managed(position))
        )

    def possible(self, position: Position, seat: int) -> Sequence[type[Move]]:
        return [kind for kind, action in ACTION.items() if self.is_free(position, action)]

    def why_not(self, position: Position, seat: int, move: Move) -> IllegalOrder | None:
        action, constants = ACTION.get(type(move), ""), self.board.constants
        if not action or self.is_free(position, action):
            return super().why_not(position, seat, move)
        if is_managed(position):
            message = "Regional Management makes you advance income as your first action."
            return IllegalOrder("regional_management", message, rule="Rulebook VIII; TG-R38")
        left = constants.actions - len(position.taken)
        if left < self.cost(action):
            message = f"International service takes {self.cost(action)} actions; you have {left} left."
            numbers = {"needed": self.cost(action), "left": left}
            return IllegalOrder("too_few_actions", message, rule="Rulebook V.2.c", numbers=numbers)
        most = constants.most_of_one_action
        message = f"No action can be taken more than {most} times in a turn; “{action}” has been."
        return IllegalOrder("taken_already", message, rule="Rulebook V.2; TG-R42", numbers={"most": most})

    def apply(self, play: TinGoosePlay, seat: int, move: Move) -> None:
        position, action = play.position, ACTION[type(move)]
        super().apply(play, seat, move)
        position.taken += [action] * self.cost(action)
        if len(position.taken) == self.board.constants.actions:
            end_turn(self.board, play)

    def why_not_pass(self, position: Position, seat: int, move: Pass) -> IllegalOrder:
        left = self.board.constants.actions - len(position.taken)
        message = f"No action can be passed: you have {left} left. Advancing or a free labor chip costs nothing."
        return IllegalOrder("actions_left", message, rule="TG-R52", numbers={"left": left})

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing that costs money, or adds flames or debts."""
        return isinstance(move, AdvanceIncome | PlacePlane) or move == TakeLabor(self.board.constants.free_chips)

    def offer_advance_income(self, position: Position, seat: int) -> Iterator[Offer]:
        """(a) Legal at the end of the track too, without effect (TG-R39, TG-R53)."""
        yield Offer(AdvanceIncome)

    def apply_advance_income(self, play: TinGoosePlay, seat: int, move: AdvanceIncome) -> None:
        move_income(self.board, play, seat, self.board.constants.advance_income, "advance")

    def offer_place_plane(self, position: Position, seat: int) -> Iterator[Offer]:
        """(b) With a plane of a fleet, as far as its size flies (TG-F19)."""
        player = position.players[seat]
        for fleet in player.fleets:
            cities = reach(self.board, player.cities, self.board.fleet[fleet.card].size) if fleet.planes else []
            if cities:
                yield Offer(PlacePlane, fleet=fleet.card, city=OneOf(*cities))

    def why_not_place_plane(self, position: Position, seat: int, move: PlacePlane) -> IllegalOrder | None:
        player = position.players[seat]
        fleet = find_fleet(player, move.fleet)
        if fleet is None:
            return not_your_fleet(self.board, move.fleet)
        printed = self.board.fleet[fleet.card]
        if not fleet.planes:
            return no_planes(self.board, move.fleet)
        ways = {"S": "along a thick line", "M": "into the same or a neighbouring hex", "L": "anywhere"}
        return self.why_not_city(player, move.city) or IllegalOrder(
            "out_of_reach",
            f"{self.board.city[move.city].name} is out of reach: {printed.name} flies {ways[printed.size]}.",
            field="city",
            rule="Rulebook V.2.b",
        )

    def why_not_city(self, player: Player, city: str) -> IllegalOrder | None:
        if city not in self.board.city:
            return IllegalOrder("no_such_city", f"There is no city {city}.", field="city", rule="Rulebook V.2.b")
        if city in player.cities:
            message = f"You have a plane in {self.board.city[city].name} already."
            return IllegalOrder("served_already", message, field="city", rule="Rulebook V.2.b")
        return None

    def apply_place_plane(self, play: TinGoosePlay, seat: int, move: PlacePlane) -> None:
        take_plane(play.position.players[seat], move.fleet)
        play.emit(PlanePlaced(seat, move.city, move.fleet))
        enter_city(self.board, play, seat, move.city)

    def offer_extend(self, position: Position, seat: int) -> Iterator[Offer]:
        """With a plane of the supply, along a thick line; any number of them (TG-F23, TG-R43, TG-R45)."""
        cities = reach(self.board, position.players[seat].cities, "S")
        if cities:
            yield Offer(Extend, city=OneOf(*cities))

    def why_not_extend(self, position: Position, seat: int, move: Extend) -> IllegalOrder | None:
        return self.why_not_city(position.players[seat], move.city) or IllegalOrder(
            "out_of_reach",
            f"No thick line leads to {self.board.city[move.city].name} from your network; an extension needs one.",
            field="city",
            rule="Rulebook VI",
        )

    def apply_extend(self, play: TinGoosePlay, seat: int, move: Extend) -> None:
        player = play.position.players[seat]
        player.extensions += 1
        play.emit(Extended(seat, move.city, hazard(self.board, player)))
        enter_city(self.board, play, seat, move.city)

    def offer_serve(self, position: Position, seat: int) -> Iterator[Offer]:
        """(c) The destination of the round, once, with a plane of its size and the money (TG-F22, TG-R46 to R49)."""
        player, destination = position.players[seat], self.board.open_destination(position.round)
        fleets = self.servers(player, destination)
        if fleets and player.cash >= destination.cost:
            yield Offer(Serve, destination=destination.id, fleet=OneOf(*fleets))

    def servers(self, player: Player, destination: Destination) -> list[str]:
        """The fleets with a plane for a destination; none when it is served already."""
        return [
            fleet.card
            for fleet in player.fleets
            if fleet.planes
            and is_as_large(self.board.fleet[fleet.card].size, destination.size)
            and destination.id not in player.international
        ]

    def why_not_serve(self, position: Position, seat: int, move: Serve) -> IllegalOrder | None:
        player, destination = position.players[seat], self.board.open_destination(position.round)
        name, rule = destination.name, "Rulebook V.2.c"
        if move.destination != destination.id:
            message = f"In round {position.round} only {name} can be served."
            return IllegalOrder("not_this_round", message, field="destination", rule=rule)
        if destination.id in player.international:
            return IllegalOrder("served_already", f"You serve {name} already.", field="destination", rule=rule)
        if player.cash < destination.cost:
            message = f"{name} costs ${destination.cost}; you have ${player.cash}."
            numbers = {"cost": destination.cost, "cash": player.cash}
            return IllegalOrder("too_expensive", message, field="destination", rule="TG-R49", numbers=numbers)
        fleet = find_fleet(player, move.fleet)
        if fleet is None:
            return not_your_fleet(self.board, move.fleet)
        printed = self.board.fleet[fleet.card]
        if not fleet.planes:
            return no_planes(self.board, move.fleet)
        message = f"{name} needs a plane of size {destination.size}; {printed.name} is {printed.size}."
        return IllegalOrder("too_small", message, field="fleet", rule=rule)

    def apply_serve(self, play: TinGoosePlay, seat: int, move: Serve) -> None:
        player, cost = play.position.players[seat], self.board.destination[move.destination].cost
        take_plane(player, move.fleet)
        player.cash -= cost
        player.international.append(move.destination)
        play.emit(InternationalServed(seat, move.destination, move.fleet, cost))

    def offer_take_labor(self, position: Position, seat: int) -> Iterator[Offer]:
        """(d) One chip for nothing, a second one for as much as the income (TG-R54, TG-R55)."""
        player, free = position.players[seat], self.board.constants.free_chips
        bought = self.board.constants.bought_chips if player.cash >= income(self.board, player) else 0
        yield Offer(TakeLabor, chips=Range(free, free + bought))

    def why_not_take_labor(self, position: Position, seat: int, move: TakeLabor) -> IllegalOrder | None:
        player, constants = position.players[seat], self.board.constants
        most, price = constants.free_chips + constants.bought_chips, income(self.board, player)
        if not constants.free_chips <= move.chips <= most:
            message = f"Take {constants.free_chips} labor chip for nothing, or {most} for ${price}; not {move.chips}."
            numbers = {"chips": move.chips, "most": most}
            return IllegalOrder("wrong_number", message, field="chips", rule="Rulebook V.2.d", numbers=numbers)
        message = f"A second labor chip costs ${price}, your income; you have ${player.cash}."
        numbers = {"cost": price, "cash": player.cash}
        return IllegalOrder("too_expensive", message, field="chips", rule="TG-R54", numbers=numbers)

    def apply_take_labor(self, play: TinGoosePlay, seat: int, move: TakeLabor) -> None:
        player = play.position.players[seat]
        cost = (move.chips - self.board.constants.free_chips) * income(self.board, player)
        player.labor_chips += move.chips
        player.cash -= cost
        play.emit(LaborTaken(seat, move.chips, cost))

    def offer_issue_bond(self, position: Position, seat: int) -> Iterator[Offer]:
        """(e)"""
        yield Offer(IssueBond)

    def apply_issue_bond(self, play: TinGoosePlay, seat: int, move: IssueBond) -> None:
        player = play.position.players[seat]
        player.bonds += 1
        player.cash += self.board.constants.bond
        play.emit(BondIssued(seat, self.board.constants.bond))


def find_fleet(player: Player, card: str) -> OwnedFleet | None:
    return next((fleet for fleet in player.fleets if fleet.card == card), None)


def no_planes(board: Board, fleet: str) -> IllegalOrder:
    message = f"No plane is left on {board.card_name(fleet)}."
    return IllegalOrder("no_planes", message, field="fleet", rule="Rulebook V.2.b")


def take_plane(player: Player, card: str) -> None:
    fleet = find_fleet(player, card)
    assert fleet is not None
    fleet.planes -= 1


def enter_city(board: Board, play: TinGoosePlay, seat: int, city: str) -> None:
    """A new city of the network: the income moves, demand pays, airmail may arrive (TG-F19, TG-R05 to TG-R11)."""
    position, player = play.position, play.position.players[seat]
    rivals = sum(city in other.cities for other in position.players)
    tokens = position.demand.get(city, DemandTokens())
    player.cities.append(city)
    if rivals == 0 or tokens.gold or tokens.silver:
        move_income(board, play, seat, board.constants.new_city, "new_city")
    else:
        move_income(board, play, seat, -rivals * board.constants.per_rival, "rivals")
    serve_demand(board, play, seat, city)
    deliver_airmail(board, play, seat)


def serve_demand(board: Board, play: TinGoosePlay, seat: int, city: str) -> None:
    """The new income once for each token that lies there; then silver ones go, gold ones stay (TG-R07 to TG-R09)."""
    position, player = play.position, play.position.players[seat]
    if city not in position.demand:
        return
    tokens = position.demand[city]
    number = tokens.gold + tokens.silver
    money = number * income(board, player)
    removed = min(tokens.silver, board.demand_row[len(position.players)].removed)
    player.cash += money
    tokens.silver -= removed
    position.silver_spent += removed
    if not tokens.gold and not tokens.silver:
        del position.demand[city]
    play.emit(DemandServed(seat, city, number, money, removed))


def deliver_airmail(board: Board, play: TinGoosePlay, seat: int) -> None:
    """The other city of the airmail card pays once (TG-F24, TG-R44, TG-R58)."""
    position, player = play.position, play.position.players[seat]
    if player.airmail and board.airmail[player.airmail].destination in player.cities:
        money = board.constants.airmail_bonus
        player.cash += money
        play.emit(AirmailDelivered(seat, player.airmail, money))
        position.airmail_discards.append(player.airmail)
        player.airmail = ""

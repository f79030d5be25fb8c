"""Loading, dumping and delivering (Rulebook, Explanation of cargo loading and delivery)."""

from collections.abc import Iterator

from msgspec import UNSET

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.spike.board import Board
from referee.games.spike.events import Delivered, Dumped, Loaded
from referee.games.spike.state import (
    Boost,
    Build,
    Deliver,
    Draw,
    Dump,
    Load,
    Player,
    Position,
    SetInMotion,
    SpikePhase,
    SpikePlay,
    note_progress,
)
from referee.options import Move, Offer, OneOf

NOWHERE_ELSE = {"not_new", "out_of_reach"}  # why a city is not built to: no other city is meant


class InTown(SpikePhase):
    """What a player may do besides the action: before it, between two cards of a draw, and after arriving."""

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def why_not(self, position: Position, seat: int, move: Move) -> IllegalOrder | None:
        """Nobody is told to spend money, to dump, or to do something of another kind than was refused."""
        error = super().why_not(position, seat, move)
        if error:
            is_near = isinstance(move, Draw | SetInMotion | Boost | Build) and error.code not in NOWHERE_ELSE
            error.nothing_near = not is_near or not next(self.offers(position, seat, type(move)), None)
        return error

    def offer_load(self, position: Position, seat: int) -> Iterator[Offer]:
        """The city's commodity, if it is of an own contract and a car is empty (SP-R36, SP-R38)."""
        commodity = loadable(self.board, position, seat)
        if commodity:
            yield Offer(Load, commodity=commodity).saying(city=position.players[seat].at)

    def why_not_load(self, position: Position, seat: int, move: Load) -> IllegalOrder | None:
        rule, player, commodity = "Rulebook, Loading", position.players[seat], move.commodity
        city = self.board.city.get(player.at)
        goods = self.board.goods.get(commodity, commodity)
        contract = player.contracts.get(commodity)
        if city is None:
            message = "Cargo is loaded in a city; your train is on the tracks."
            return IllegalOrder("not_in_a_city", message, rule=rule)
        if contract is None:
            return IllegalOrder("no_contract", f"You have no contract for {goods}.", field="commodity", rule=rule)
        if contract.delivered:
            message = f"You have delivered your {goods} already."
            return IllegalOrder("delivered_already", message, field="commodity", rule=rule)
        if contract.aboard:
            message = f"You have your {goods} aboard already."
            return IllegalOrder("aboard_already", message, field="commodity", rule=rule)
        if city.commodity != commodity:
            message = f"{city.name} supplies {self.board.goods[city.commodity]}, not {goods}."
            return IllegalOrder("wrong_city", message, field="commodity", rule=rule)
        if position.dumped and commodity in position.dumped:
            message = f"You have dumped your {goods} in this turn; it can be loaded again in a later one."
            return IllegalOrder("dumped_already", message, field="commodity", rule="SP-R62")
        cars = self.board.levels("cargo")[player.cargo]
        message = f"Your {cars} freight car{'s are' if cars > 1 else ' is'} full: dump something first."
        return IllegalOrder("train_full", message, rule=rule, numbers={"cars": cars})

    def apply_load(self, play: SpikePlay, seat: int, move: Load) -> None:
        player = play.position.players[seat]
        player.contracts[move.commodity].aboard = True
        play.emit(Loaded(seat, move.commodity, player.at))
        self.after(play, seat)

    def offer_deliver(self, position: Position, seat: int) -> Iterator[Offer]:
        """To a city the contract lists, once for each contract and once for each city (SP-R37 to SP-R40)."""
        goods = deliverable(self.board, position.players[seat])
        if goods:
            yield Offer(Deliver, commodity=OneOf(*goods)).saying(city=position.players[seat].at)

    def why_not_deliver(self, position: Position, seat: int, move: Deliver) -> IllegalOrder | None:
        rule, player, commodity = "Rulebook, Delivery", position.players[seat], move.commodity
        city = self.board.city.get(player.at)
        contract = player.contracts.get(commodity)
        if city is None:
            message = "Cargo is delivered in a city; your train is on the tracks."
            return IllegalOrder("not_in_a_city", message, rule=rule)
        if contract is None or not contract.aboard:
            return not_aboard(self.board, commodity, rule)
        values = self.board.contract[contract.card].side(contract.side)
        if city.id not in values:
            listed = and_list([self.board.city[listed].name for listed in values])
            message = f"Your contract for {self.board.goods[commodity]} lists {listed}, not {city.name}."
            return IllegalOrder("not_listed", message, field="commodity", rule=rule)
        earlier = [goods for goods, contract in player.contracts.items() if contract.delivered == city.id]
        delivered = and_list([self.board.goods[goods] for goods in earlier])
        message = f"You have delivered {delivered} to {city.name}; you may deliver only once to a city."
        return IllegalOrder("delivered_here", message, rule="Rulebook, Delivery; SP-R39")

    def apply_deliver(self, play: SpikePlay, seat: int, move: Deliver) -> None:
        player = play.position.players[seat]
        contract = player.contracts[move.commodity]
        value = pay_here(self.board, player, move.commodity)
        contract.aboard, contract.delivered = False, player.at
        player.score += value
        note_progress(play.position)
        play.emit(Delivered(seat, move.commodity, player.at, value))
        self.after(play, seat)

    def offer_dump(self, position: Position, seat: int) -> Iterator[Offer]:
        """Back onto its contract, to be loaded again at a supplier, in a later turn (SP-R41, SP-R62)."""
        goods = aboard(position.players[seat])
        if goods:
            yield Offer(Dump, commodity=OneOf(*goods))

    def why_not_dump(self, position: Position, seat: int, move: Dump) -> IllegalOrder | None:
        return not_aboard(self.board, move.commodity, "Rulebook, Loading")

    def apply_dump(self, play: SpikePlay, seat: int, move: Dump) -> None:
        play.position.players[seat].contracts[move.commodity].aboard = False
        if play.position.dumped is not UNSET:
            play.position.dumped.append(move.commodity)
        play.emit(Dumped(seat, move.commodity))
        self.after(play, seat)

    def after(self, play: SpikePlay, seat: int) -> None:
        """What comes after loading, delivering or dumping."""


def aboard(player: Player) -> list[str]:
    return [commodity for commodity, contract in player.contracts.items() if contract.aboard]


def supplied(board: Board, position: Position, seat: int) -> str | None:
    """What the city of a player's train supplies for an open contract, if need be after dumping other cargo."""
    player = position.players[seat]
    city = board.city.get(player.at)
    contract = player.contracts.get(city.commodity) if city else None
    if city is None or contract is None or contract.aboard or contract.delivered:
        return None
    return None if position.dumped and city.commodity in position.dumped else city.commodity


def loadable(board: Board, position: Position, seat: int) -> str | None:
    """The same if there is room for it."""
    player = position.players[seat]
    has_room = len(aboard(player)) < board.levels("cargo")[player.cargo]
    return supplied(board, position, seat) if has_room else None


def deliverable(board: Board, player: Player) -> list[str]:
    if any(contract.delivered == player.at for contract in player.contracts.values()):
        return []
    return [
        commodity
        for commodity in aboard(player)
        if player.at in board.contract[player.contracts[commodity].card].side(player.contracts[commodity].side)
    ]


def best_paid(board: Board, player: Player) -> str | None:
    """Of what can be delivered here that for which most is paid."""
    goods = deliverable(board, player)
    return max(goods, key=lambda commodity: pay_here(board, player, commodity)) if goods else None


def pay_here(board: Board, player: Player, commodity: str) -> int:
    contract = player.contracts[commodity]
    return board.contract[contract.card].side(contract.side)[player.at]


def not_aboard(board: Board, commodity: str, rule: str) -> IllegalOrder:
    message = f"You have no {board.goods.get(commodity, commodity)} aboard."
    return IllegalOrder("not_aboard", message, field="commodity", rule=rule)

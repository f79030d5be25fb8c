"""Loading, dumping and delivering (Rulebook, Explanation of cargo loading and delivery)."""

from collections.abc import Iterator

from referee.contract import Phase
from referee.errors import IllegalOrder
from referee.games.spike import refusals
from referee.games.spike.board import Board
from referee.games.spike.scoring import SpikePlay
from referee.games.spike.state import Deliver, Delivered, Dump, Dumped, Load, Loaded, Player, Position
from referee.options import Offer, OneOf


class InTown(Phase[Position, Board]):
    """What a player may do besides the action: before it, between two cards of a draw, and after arriving."""

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def offer_load(self, position: Position, seat: int) -> Iterator[Offer]:
        """The city's commodity, if it is of an own contract and a car is empty (SP-R36, SP-R38)."""
        commodity = loadable(self.board, position.players[seat])
        if commodity:
            yield Offer(Load, commodity=commodity)

    def why_not_load(self, position: Position, seat: int, move: Load) -> IllegalOrder | None:
        return refusals.load(self.board, position.players[seat], move.commodity)

    def apply_load(self, play: SpikePlay, seat: int, move: Load) -> None:
        player = play.position.players[seat]
        player.contracts[move.commodity].aboard = True
        play.emit(Loaded(seat, move.commodity, player.at))
        self.after(play, seat)

    def offer_deliver(self, position: Position, seat: int) -> Iterator[Offer]:
        """To a city the contract lists, once for each contract and once for each city (SP-R37 to SP-R40)."""
        goods = deliverable(self.board, position.players[seat])
        if goods:
            yield Offer(Deliver, commodity=OneOf(*goods))

    def why_not_deliver(self, position: Position, seat: int, move: Deliver) -> IllegalOrder | None:
        return refusals.deliver(self.board, position.players[seat], move.commodity)

    def apply_deliver(self, play: SpikePlay, seat: int, move: Deliver) -> None:
        player = play.position.players[seat]
        contract = player.contracts[move.commodity]
        value = self.board.contract[contract.card].side(contract.side)[player.at]
        contract.aboard, contract.delivered = False, player.at
        player.score += value
        play.emit(Delivered(seat, move.commodity, player.at, value))
        self.after(play, seat)

    def offer_dump(self, position: Position, seat: int) -> Iterator[Offer]:
        """Back onto its contract, to be loaded again at a supplier (SP-R41)."""
        goods = aboard(position.players[seat])
        if goods:
            yield Offer(Dump, commodity=OneOf(*goods))

    def why_not_dump(self, position: Position, seat: int, move: Dump) -> IllegalOrder | None:
        return refusals.not_aboard(self.board, move.commodity, "Rulebook, Loading")

    def apply_dump(self, play: SpikePlay, seat: int, move: Dump) -> None:
        play.position.players[seat].contracts[move.commodity].aboard = False
        play.emit(Dumped(seat, move.commodity))
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

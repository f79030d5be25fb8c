"""What an offer means for the one who chooses: prices, payments, effects. Made from a view and the board alone."""

from collections.abc import Callable, Mapping

from referee.contract import View, counted
from referee.games.spike.board import PARTS, Board, by_value
from referee.games.spike.state import (
    ANY_CARD,
    Boost,
    Build,
    Contract,
    Deliver,
    Draw,
    DrawDeck,
    Dump,
    FreeMovement,
    Give,
    Keep,
    Load,
    Place,
    SetInMotion,
    TurnOver,
    Upgrade,
)
from referee.games.spike.view import PlayerView
from referee.options import Bag, Hints, Move, Offer


def hints(board: Board, view: View, offer: Offer) -> Hints:
    """The hints for one offer to the viewer; an offer is only made to a seat."""
    if view.you is None:
        return Hints()
    own: PlayerView = view.table.players[view.you]
    if offer.move is DrawDeck:
        return Hints(f"unseen; {counted(view.table.deck_size, 'card')} in the deck")
    if offer.move not in BY_TYPE:
        return Hints()
    field, hint = BY_TYPE[offer.move]
    domain = offer.domains[field]
    choices = domain.limits if isinstance(domain, Bag) else domain.values()
    return Hints(values={field: {value: hint(board, view, own, value) for value in choices}})


def market_price(board: Board, view: View, commodity: str) -> int:
    """What connecting a city with a commodity pays now."""
    return next(
        board.market.rows[row] for column in view.table.market for row, chip in enumerate(column) if chip == commodity
    )


def contract_words(board: Board, values: Mapping[str, int]) -> str:
    return ", ".join(f"{board.city[city].name} {value}" for city, value in by_value(dict(values)))


def other_side(board: Board, contract: Contract) -> dict[str, int]:
    """What a contract would pay if it were turned over."""
    return board.contract[contract.card].side("b" if contract.side == "a" else "a")


def open_contracts(own: PlayerView) -> dict[str, Contract]:
    return {goods: contract for goods, contract in own.contracts.items() if not contract.delivered}


def uses(board: Board, own: PlayerView, city: str) -> list[str]:
    """What a city is good for: to load for an open contract, to deliver, or for a route."""
    found = []
    commodity = board.city[city].commodity
    contract = own.contracts.get(commodity)
    if contract and not contract.delivered and not contract.aboard:
        found.append(f"supplies your {board.goods[commodity]}")
    if city not in {contract.delivered for contract in own.contracts.values()}:
        for goods, held in open_contracts(own).items():
            value = board.contract[held.card].side(held.side).get(city)
            if value:
                found.append(f"your {board.goods[goods]} {'pay' if goods.endswith('s') else 'pays'} ${value}")
    for route in own.routes or ():
        if city == board.route[route].start:
            found.append("start of your route")
        elif city in board.route[route].cities:
            found.append(f"on your route, {board.route[route].cities[city]}")
    return found


def _held(board: Board, view: View, own: PlayerView, card: str) -> str:
    if card == ANY_CARD:
        return "drawn by lot"
    return f"you have {(own.hand or {}).get(card, 0) or 'none'}"


def _build(board: Board, view: View, own: PlayerView, city: str) -> str:
    commodity = board.city[city].commodity
    price = f"pays ${market_price(board, view, commodity)} for {board.goods[commodity]}"
    return "; ".join([price, *uses(board, own, city)])


def _place(board: Board, view: View, own: PlayerView, city: str) -> str:
    return "; ".join([board.goods[board.city[city].commodity], *uses(board, own, city)])


def _space(board: Board, view: View, own: PlayerView, space: str) -> str:
    """What can be done where the train comes to."""
    if space not in board.city:
        return "on the way"
    used = {contract.delivered for contract in own.contracts.values()}
    aboard = [
        (board.contract[contract.card].side(contract.side)[space], goods)
        for goods, contract in own.contracts.items()
        if contract.aboard and space in board.contract[contract.card].side(contract.side) and space not in used
    ]
    said = [f"deliver {board.goods[goods]} for ${value}" for value, goods in sorted(aboard, reverse=True)]
    contract = own.contracts.get(board.city[space].commodity)
    if contract and not contract.aboard and not contract.delivered:
        said.append(f"load {board.goods[board.city[space].commodity]}")
    return f"stops there{': ' if said else ''}{', '.join(said)}"


def _deliver(board: Board, view: View, own: PlayerView, goods: str) -> str:
    contract = own.contracts[goods]
    return f"pays ${board.contract[contract.card].side(contract.side)[own.at]}"


def _contract(board: Board, view: View, own: PlayerView, goods: str) -> str:
    contract = own.contracts[goods]
    return f"for {contract_words(board, board.contract[contract.card].side(contract.side))}"


def _other_side(board: Board, view: View, own: PlayerView, goods: str) -> str:
    contract = own.contracts[goods]
    return f"{board.goods[goods]} then to {contract_words(board, other_side(board, contract))}"


def _route(board: Board, view: View, own: PlayerView, route: str) -> str:
    return f"to {contract_words(board, board.route[route].cities)}"


def _upgrade(board: Board, view: View, own: PlayerView, part: str) -> str:
    named = next(name for name in PARTS if name == part)
    levels = board.levels(named)
    level = levels.index(own.train[named]) + 1
    return f"${board.train.upgrade_costs[level - 1]}, from {levels[level - 1]} to {levels[level]}"


def _dump(board: Board, view: View, own: PlayerView, goods: str) -> str:
    return "not to be loaded again in this turn"


BY_TYPE: dict[type[Move], tuple[str, Callable[[Board, View, PlayerView, str], str]]] = {
    TurnOver: ("contracts", _other_side),
    Give: ("card", _held),
    Keep: ("route", _route),
    Place: ("city", _place),
    FreeMovement: ("space", _space),
    Load: ("commodity", _contract),
    Deliver: ("commodity", _deliver),
    Dump: ("commodity", _dump),
    Draw: ("card", _held),
    Build: ("city", _build),
    SetInMotion: ("space", _space),
    Boost: ("space", _space),
    Upgrade: ("part", _upgrade),
}

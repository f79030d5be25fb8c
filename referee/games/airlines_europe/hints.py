"""What an order would cost, pay or do, said beside it in menus and listings. Made from a view and the board alone."""

from referee.contract import View, and_list, counted
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.licences import advance
from referee.games.airlines_europe.state import (
    AIR_ABACUS,
    PILE,
    Buy,
    Choose,
    PlayShares,
    TakeMoney,
    TakeShare,
    Trade,
)
from referee.options import NO_HINTS, Bag, Hints, Offer


def hints(board: Board, view: View, offer: Offer) -> Hints:
    if offer.move is Buy:
        (airline,) = offer.domains["airline"].values()
        routes = offer.domains["route"].values()
        return Hints(values={"route": {route: purchase(board, view, airline, route) for route in routes}})
    if offer.move is TakeMoney:
        return Hints(order=_money(board, view))
    if offer.move is PlayShares:
        shares = {share: f"{_called(board, share)} {majority(board, view, share)}" for share in _items(offer, "shares")}
        return Hints(order=_dividend(board, view), values={"shares": shares})
    if offer.move is Trade:
        gained = dict(board.constants.trade_in)[_size(offer, "hand") + _size(offer, "held")]
        return Hints(order=f"{gained} {board.air_abacus.name} into your hand")
    if offer.move is TakeShare:
        shares = {share: f"{view.table.deck_size} cards, unseen" if share == PILE else majority(board, view, share)
                  for share in offer.domains["share"].values()}  # fmt: skip
        return Hints(values={"share": shares})
    if offer.move is Choose:
        return Hints(values={"shares": {share: _in_the_game(board, view, share) for share in _items(offer, "shares")}})
    return NO_HINTS


def purchase(board: Board, view: View, airline: str, route: str) -> str:
    """What a licence costs and where it takes the marker: `4 million, to 14 on the track, paying 3-2-1-0`."""
    state, printed = view.table.airlines[airline], board.airline[airline]
    cost, left = next_cost(board, view, route), licences_left(board, view, route)
    marker = advance(board, state.marker, cost)
    bonus = ""
    if state.bonus and printed.goal in _reached(board, view, airline, route):
        marker = advance(board, marker, printed.bonus)
        bonus = f" with the bonus of {printed.bonus} for {board.city[printed.goal].name}"
    region = board.region(marker)
    pays = f", paying {_points(region.vp)}" if region != board.region(state.marker) else ""
    last = ", the last licence" if left == 1 else ""
    return f"{cost} million, to {marker} on the track{bonus}{pays}{last}"


def next_cost(board: Board, view: View, route: str) -> int:
    """The cost of the next licence of a route that has one left."""
    return board.costs[route][len(view.table.licences.get(route, ()))]


def licences_left(board: Board, view: View, route: str) -> int:
    return len(board.costs[route]) - len(view.table.licences.get(route, ()))


def _reached(board: Board, view: View, airline: str, route: str) -> set[str]:
    """The cities of an airline with one more route."""
    own = [board.route[name] for name, owners in view.table.licences.items() if airline in owners]
    return {board.airline[airline].home, *(city for way in (*own, board.route[route]) for city in (way.a, way.b))}


def breaks_the_bank(board: Board, view: View) -> str:
    cap = board.constants.bankrupt_cap
    return f"breaks the bank: nobody keeps more than {cap} million, the market is replaced (AE-B01)"


def _money(board: Board, view: View) -> str:
    amount = board.constants.take_money
    return f"{amount} million" if amount <= view.table.bank else f"{amount} million; {breaks_the_bank(board, view)}"


def _dividend(board: Board, view: View) -> str:
    each = board.constants.dividend_per_share
    payable = view.table.bank // each
    hand = view.table.players[view.you].hand if view.you is not None else None
    if payable < max((hand or {}).values(), default=0):
        shares = counted(payable + 1, "share")
        return f"{each} million a share; with {shares} or more it {breaks_the_bank(board, view)}"
    return f"{each} million a share"


def majority(board: Board, view: View, share: str) -> str:
    """What the airline pays now, and how many shares of it lie before the viewer and before the others."""
    held = [player.holdings.get(share, 0) for player in view.table.players]
    others = [number for seat, number in enumerate(held) if seat != view.you]
    mine = f"you show {held[view.you]}, " if view.you is not None else ""
    return f"{_pays(board, view, share)}; {mine}others {and_list([str(number) for number in others])}"


def _in_the_game(board: Board, view: View, share: str) -> str:
    printed = board.airline[share]
    return f"{share} {_pays(board, view, share)}, {printed.shares} in the game"


def _pays(board: Board, view: View, share: str) -> str:
    """What the places of an airline are worth now; of Air ABACUS, at the scoring that comes next."""
    if share == AIR_ABACUS:
        row = min(view.table.scorings, len(board.air_abacus.vp) - 1)
        return f"pays {_points(board.air_abacus.vp[row])} at the next scoring"
    return f"pays {_points(board.region(view.table.airlines[share].marker).vp)} now"


def _called(board: Board, share: str) -> str:
    return board.air_abacus.name if share == AIR_ABACUS else share


def _points(vp: tuple[int, ...]) -> str:
    return "-".join(map(str, vp))


def _items(offer: Offer, field: str) -> list[str]:
    domain = offer.domains[field]
    return list(domain.limits) if isinstance(domain, Bag) else []


def _size(offer: Offer, field: str) -> int:
    domain = offer.domains[field]
    return domain.high if isinstance(domain, Bag) else 0

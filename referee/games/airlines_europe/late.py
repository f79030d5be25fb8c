"""What the referee plays for a player who is late: what hurts least, and tells nothing of the hand (AE-R46)."""

from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.licences import buyable, networks, next_licence
from referee.games.airlines_europe.state import AIR_ABACUS, Buy, Player, PlayShares, Position, TakeMoney, Trade


def action(board: Board, position: Position, seat: int) -> TakeMoney | PlayShares | Trade | Buy:
    """Money, unless it would break the bank and with it the player."""
    player, constants = position.players[seat], board.constants
    loss = player.cash - min(player.cash, constants.bankrupt_cap) - constants.take_money
    if constants.take_money <= position.bank or loss <= 0:
        return TakeMoney()
    if player.hand:
        share = AIR_ABACUS if AIR_ABACUS in player.hand else by_lot(player)[0]  # all know its back
        if constants.dividend_per_share <= position.bank:
            return PlayShares((share,))
        if 0 < dict(constants.trade_in).get(1, 0) <= position.air_abacus:
            return Trade(hand=(share,))
    cost, licence = cheapest(board, position, seat)
    return licence if licence and cost < loss else TakeMoney()


def by_lot(player: Player) -> list[str]:
    """The airlines in a hand, in the order of the lot that was drawn for the seat."""
    return [airline for airline in player.lot or () if airline in player.hand]


def cheapest(board: Board, position: Position, seat: int) -> tuple[int, Buy | None]:
    """The cheapest licence that a player can buy, of equals one for the airline of which the player shows most."""
    player = position.players[seat]
    licences = [
        Buy(route, airline)
        for airline, cities in networks(board, position).items()
        for route in buyable(board, position, airline, cities, player.cash)
    ]
    costs = [
        (next_licence(board, position, licence.route) or 0, -player.holdings.get(licence.airline, 0), number)
        for number, licence in enumerate(licences)
    ]
    cost, _, number = min(costs, default=(0, 0, -1))
    return cost, licences[number] if licences else None


def share_of_the_market(position: Position, seat: int) -> str:
    """Of a market that is cleared: a share of the airline of which the player shows most."""
    holdings = position.players[seat].holdings
    return max(position.market, key=lambda share: holdings.get(share, 0))

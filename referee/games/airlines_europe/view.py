"""What of a game of Airlines Europe may be seen by whom (AE-H01)."""

import msgspec

from referee.contract import Viewer
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.licences import buyable, networks
from referee.games.airlines_europe.state import AIR_ABACUS, Position, Shares, next_seat


class PlayerView(msgspec.Struct, frozen=True):
    cash: int
    vp: int | None
    hand: Shares | None
    hand_size: int
    air_abacus_in_hand: int  # their backs are red
    holdings: Shares
    lot: tuple[str, ...] | None  # by which the referee picks shares for this seat when it is late: for its own eyes


class AirlineView(msgspec.Struct, frozen=True):
    marker: int
    planes: int
    bonus: bool
    routes: tuple[str, ...]  # for which a licence could be bought, whatever it costs; none: blocked


class TableView(msgspec.Struct, frozen=True):
    active: int
    next: int
    players: tuple[PlayerView, ...]
    bank: int
    market: tuple[str, ...]
    deck: tuple[str, ...] | None  # the top card is the last
    deck_size: int
    air_abacus: int
    discards: Shares | None
    discards_size: int
    airlines: dict[str, AirlineView]
    licences: dict[str, tuple[str, ...]]
    scorings: int
    bought: int  # licences in this turn
    due: int  # scoring cards that lie open and are still to be scored
    cleared: int  # players who have taken their share while the market is cleared


def table_view(board: Board, position: Position, viewer: Viewer) -> TableView:
    """Money, holdings, hand sizes and the board are public; hands, victory points, the pile and discards are not."""
    everything = viewer.sees()
    reached = networks(board, position)
    return TableView(
        active=position.active,
        next=next_seat(position),
        players=tuple(
            PlayerView(
                cash=player.cash,
                vp=player.vp if viewer.sees(seat) else None,
                hand=player.hand if viewer.sees(seat) else None,
                hand_size=sum(player.hand.values()),
                air_abacus_in_hand=player.hand.get(AIR_ABACUS, 0),
                holdings=player.holdings,
                lot=tuple(player.lot) if player.lot and viewer.sees(seat) else None,
            )
            for seat, player in enumerate(position.players)
        ),
        bank=position.bank,
        market=tuple(position.market),
        deck=tuple(position.deck) if everything else None,
        deck_size=len(position.deck),
        air_abacus=position.air_abacus,
        discards=position.discards if everything else None,
        discards_size=sum(position.discards.values()),
        airlines={
            name: AirlineView(
                airline.marker, airline.planes, airline.bonus, tuple(buyable(board, position, name, reached[name]))
            )
            for name, airline in position.airlines.items()
        },
        licences={
            route.id: tuple(owners) for route, owners in zip(board.routes, position.licences, strict=True) if owners
        },
        scorings=position.scorings,
        bought=position.bought,
        due=position.due,
        cleared=position.cleared,
    )

"""What of a game of Spike may be seen by whom: hands, routes and the deck are hidden (SP-R57)."""

import msgspec
from msgspec import UNSET

from referee.contract import Viewer
from referee.games.spike.board import PARTS, Board, Part
from referee.games.spike.building import connected_cities, tracks, tracks_left
from referee.games.spike.scoring import route_points
from referee.games.spike.state import Cards, Contract, Position


class PlayerView(msgspec.Struct, frozen=True):
    score: int
    hand: Cards | None
    hand_size: int
    contracts: dict[str, Contract]
    routes: tuple[str, ...] | None
    home: str
    at: str
    tracks: tuple[str, ...]
    tracks_left: int
    cities: tuple[str, ...]
    train: dict[Part, int]  # speed, power and cargo as they are now
    upgrades: dict[Part, int]  # how often each was upgraded
    route_points: dict[str, int] | None  # what each of the routes pays with the network as it is
    earned: dict[str, int]  # what the money comes from: new cities, deliveries, upgrades, and at the end the route


class TableView(msgspec.Struct, frozen=True):
    active: int
    round: int
    time_cards: int
    players: tuple[PlayerView, ...]
    market: tuple[tuple[str, ...], ...]  # columns, the best paid chip first
    display: tuple[str, ...]
    deck: tuple[str, ...] | None  # the top card is the last
    deck_size: int
    discards: Cards
    drawn: int
    moved: bool
    out: int | None
    idle: int  # turns in a row in which nobody has drawn, built, upgraded or delivered
    progress: bool  # whether somebody has done one of these in this turn
    dumped: tuple[str, ...]  # in this turn
    lower: int  # cards at the bottom of the last deck among which the Time cards were shuffled


def table_view(board: Board, position: Position, viewer: Viewer) -> TableView:
    return TableView(
        active=position.active,
        round=position.round,
        time_cards=position.time_cards,
        players=tuple(
            PlayerView(
                score=player.score,
                hand=player.hand if viewer.sees(seat) else None,
                hand_size=sum(player.hand.values()),
                contracts=player.contracts,
                routes=tuple(player.routes) if viewer.sees(seat) else None,
                home=player.home,
                at=player.at,
                tracks=tuple(segment.id for segment in tracks(board, position, seat)),
                tracks_left=tracks_left(board, position, seat),
                cities=tuple(sorted(connected_cities(board, position, seat), key=list(board.city).index)),
                train={
                    "speed": board.levels("speed")[player.speed],
                    "power": board.levels("power")[player.power],
                    "cargo": board.levels("cargo")[player.cargo],
                },
                upgrades={"speed": player.speed, "power": player.power, "cargo": player.cargo},
                route_points=points_of_routes(board, position, seat) if viewer.sees(seat) and player.home else None,
                earned=earned(board, position, seat),
            )
            for seat, player in enumerate(position.players)
        ),
        market=tuple(tuple(column) for column in position.market),
        display=tuple(position.display),
        deck=tuple(position.deck) if viewer.sees() else None,
        deck_size=len(position.deck),
        discards=position.discards,
        drawn=position.drawn,
        moved=position.moved,
        out=position.out,
        idle=0 if position.idle is UNSET else max(position.idle, 0),
        progress=position.idle is not UNSET and position.idle < 0,
        lower=position.lower,
        dumped=() if position.dumped is UNSET else tuple(position.dumped),
    )


def points_of_routes(board: Board, position: Position, seat: int) -> dict[str, int]:
    return {route: route_points(board, position, seat, route)[1] for route in position.players[seat].routes}


def earned(board: Board, position: Position, seat: int) -> dict[str, int]:
    """The parts of a player's money. Before the end the route has paid nothing yet, so this tells nothing of it."""
    player = position.players[seat]
    parts = {
        "deliveries": sum(
            board.contract[contract.card].side(contract.side)[contract.delivered]
            for contract in player.contracts.values()
            if contract.delivered
        ),
        "upgrades": -sum(sum(board.train.upgrade_costs[: getattr(player, part)]) for part in PARTS),
        "route": sum(points_of_routes(board, position, seat).values()) if position.ending else 0,
    }
    return {"cities": player.score - sum(parts.values()), **parts}

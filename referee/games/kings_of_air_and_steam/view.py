"""What of a game of Kings of Air & Steam may be seen by whom: everything but the face-down plans of others."""

import msgspec

from referee.contract import Viewer
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import Link, Placed
from referee.games.kings_of_air_and_steam.scoring import score
from referee.games.kings_of_air_and_steam.state import (
    Goods,
    Position,
    airship_level,
    colour,
    exposed_diamonds,
    is_normal,
    price,
    train_level,
)


class PlayerView(msgspec.Struct, frozen=True):
    colour: str
    cash: int
    score: int
    team: str
    character: str
    tokens: int
    airship_level: int
    diamonds: int
    capacity: int
    train_level: int
    rating: int
    at: str
    hold: tuple[str, ...]
    depots: dict[str, Goods]
    supply: int
    plan: tuple[str, ...] | None
    planned: int
    card: str
    shown: tuple[str, ...]
    exposed: int
    deck: tuple[str, ...] | None
    returned: tuple[str, ...]  # cards in the deck of which everyone knows, for they were skipped


class CityView(msgspec.Struct, frozen=True):
    good: str
    slots: int
    goods: Goods
    tile: bool


class TableView(msgspec.Struct, frozen=True):
    layout: tuple[Placed, ...]
    round: int
    cycle: int
    active: int
    order: tuple[int, ...]
    first: int | None
    players: tuple[PlayerView, ...]
    prices: dict[str, int]
    bins: tuple[str, ...]
    demand: tuple[str, ...]
    draw_pile: int
    factories: dict[str, int]
    cities: dict[str, CityView]
    waiting: tuple[str, ...]
    flying: str  # the card of the flight
    built: tuple[Link, ...]
    stock: Goods  # below zero when more cubes are out than the box holds (ruling KAS-R33)
    tiles: tuple[str, ...]  # Market tiles never drawn, those out of the game among them
    agenda: tuple[str, ...]  # the steps to come
    offered: tuple[str, ...]  # Demand tiles that Flora Kingston chooses from
    fulfilled: str  # the city she chooses for
    fulfilled_by: tuple[int, ...]  # who fulfilled the waiting cities; version 1 does not know


def table_view(board: Board, position: Position, viewer: Viewer) -> TableView:
    """Money, holds and Depots are open, as all pieces lie on the table. The order of no pile exists before a tile is
    drawn, so there is none to hide: what a pile still holds is what everybody can count."""
    market, constants = board.market, board.constants
    return TableView(
        layout=position.layout,
        round=position.round,
        cycle=position.cycle,
        active=position.active,
        order=tuple(position.order),
        first=None if is_normal(position) else position.first,
        players=tuple(
            PlayerView(
                colour=colour(board, seat),
                cash=player.cash,
                score=score(board, player),
                team=player.team,
                character=player.character,
                tokens=player.tokens,
                airship_level=player.airship + 1,
                diamonds=airship_level(board, player).diamonds,
                capacity=airship_level(board, player).capacity,
                train_level=player.train + 1,
                rating=train_level(board, player).rating,
                at=player.at,
                hold=tuple(player.hold),
                depots=player.depots,
                supply=player.supply,
                plan=tuple(player.plan) if viewer.sees(seat) else None,
                planned=len(player.plan),
                card=player.card,
                shown=tuple(player.shown),
                exposed=exposed_diamonds(board, player),
                deck=tuple(sorted(player.deck)) if viewer.sees(seat) else None,
                returned=tuple(sorted(player.returned)),
            )
            for seat, player in enumerate(position.players)
        ),
        prices={good: price(board, position, good) for good in board.goods},
        bins=tuple(position.bins),
        demand=tuple(position.demand),
        draw_pile=market.bins * (constants.rounds - position.round),
        factories=position.factories,
        cities={name: CityView(city.good, city.slots, city.goods, city.tile) for name, city in position.cities.items()},
        waiting=tuple(position.waiting),
        flying=position.flying,
        built=tuple(position.built),
        stock=position.stock,
        tiles=tuple(position.tiles),
        agenda=tuple(position.agenda),
        offered=tuple(position.offered),
        fulfilled=position.fulfilled,
        fulfilled_by=tuple(position.fulfilled_by or ()),
    )

"""What of a game of Kings of Air & Steam may be seen by whom: everything but the face-down plans of others."""

import msgspec

from referee.contract import Viewer, copied
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
from referee.options import Rng, shuffled


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
    )


def imagine(position: Position, viewer: Viewer, rng: Rng) -> Position:
    """Deals the face-down plans of the others anew, from all cards that could lie there."""
    other = copied(position)
    for seat, player in enumerate(other.players):
        if viewer.sees(seat) or not player.plan:
            continue
        pool = player.plan + player.deck
        for card in player.returned:
            pool.remove(card)
        pool, planned = shuffled(pool, rng), len(player.plan)
        player.plan, player.deck = pool[:planned], pool[planned:] + player.returned
    return other

"""Positions of Tin Goose in a line or two."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from referee.contract import Event
from referee.errors import IllegalOrder
from referee.games import all_games, shipped_board
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.state import DemandTokens, OwnedFleet
from referee.log import Entry
from referee.table import Table
from tests import positions
from tests.positions import change, copy_of, happened, play, put, seal

GAME = all_games()["tin-goose"]
BOARD: Board = shipped_board(GAME)
HOMES = ("san_francisco", "miami", "boston", "denver", "seattle")
SAFETY, DIVIDENDS, INVESTMENTS, RURAL, REGIONAL = (condition.id for condition in BOARD.conditions)


def start(players: int = 3, settings: Any = None, seed: bytes = positions.SEED) -> tuple[Table, Entry]:
    """A game after its setup."""
    return positions.start("tin-goose", players, settings, seed=seed)


def at(
    players: int = 3, phase: str = "actions", me: Any = None, others: Mapping[int, Any] | None = None, **fields: Any
) -> Table:
    """A table in the middle of the game with Anna to move.

    Everybody has $40, no conditions, a Ford Trimotor with a plane, and one in a city far from the others'; there is no
    demand and no airmail, unless told otherwise. `me` and `others` change players, `fields` the position.
    """
    table, _ = start(players)
    position = copy_of(table)
    position.phase, position.demand, position.airmail = phase, {}, []
    for seat, player in enumerate(position.players):
        player.conditions, player.cities, player.fleets[0].planes = [], [HOMES[seat]], 1
        change(player, **((me if seat == 0 else (others or {}).get(seat)) or {}))
    change(position, **fields)
    return put(table, position)


def own(*cards: str, planes: int = 2) -> list[OwnedFleet]:
    return [OwnedFleet(card, planes) for card in cards]


def demand(**tokens: tuple[int, int]) -> dict[str, DemandTokens]:
    """Gold and silver tokens by city."""
    return {city: DemandTokens(*number) for city, number in tokens.items()}


def box(income: int) -> int:
    """The lowest box of the income track with a number."""
    return BOARD.income_track.boxes.index(income)


def bid_all(table: Table, bids: Sequence[int]) -> list[Event]:
    """Sealed bids of all seats, and what their reveal brings."""
    return happened(seal(table, *(f"bid {amount}" for amount in bids)))


def play_event(table: Table, card: str, bids: Sequence[int] = ()) -> list[Event]:
    """Anna plays an event card, with the chips that all bid when it is a strike."""
    events = happened(play(table, f"play {card}"))
    return events + (bid_all(table, bids) if bids else [])


def holding(card: str, **more: Any) -> dict[str, Any]:
    """A hand with a card and another one of the same era."""
    spare = next(other.id for other in BOARD.era_cards if other.era == BOARD.card[card].era and other.id != card)
    return {"hand": [card, spare], **more}


def only(events: Sequence[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def refused(table: Table, *orders: Any, seat: int | None = None) -> IllegalOrder:
    """Why an order is refused; the table must not have changed. A message need not repeat every number."""
    before = table.position_json, table.sequence, dict(table.sealed)
    with pytest.raises(IllegalOrder) as caught:
        play(table, *orders, seat=seat)
    assert (table.position_json, table.sequence, dict(table.sealed)) == before
    return caught.value


def offered(table: Table, kind: str, field: str = "") -> Any:
    """The values a field of a move type may have now; without a field, whether the type is on offer."""
    return positions.choices(table, kind, field) if field else kind in positions.offered(table)


def reachable(table: Table, fleet: str) -> set[str]:
    """The cities where a plane of a fleet may be placed."""
    seat = table.decisions()[0].seat
    offers = [offer for offer in table.offers(seat) if offer.move.__name__ == "PlacePlane"]
    return {
        city for offer in offers if offer.domains["fleet"].accepts(fleet) for city in offer.domains["city"].values()
    }


def asked(table: Table) -> tuple[str, tuple[int, ...]]:
    return table.position.phase, tuple(positions.asked(table))

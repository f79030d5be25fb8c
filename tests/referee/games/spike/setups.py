"""Positions of Spike in a line or two."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.games import all_games, shipped_board
from referee.games.spike import building
from referee.games.spike.board import Board
from referee.games.spike.state import FREE, Contract
from referee.table import Table
from tests.positions import change, copy_of, put, start

GAME = all_games()["spike"]
BOARD: Board = shipped_board(GAME)
DISPLAY = ["white", "blue", "red", "yellow"]
DECK = ["green", "black", "white", "blue", "red", "yellow", "green", "black"]


def line(*places: str) -> list[str]:
    """The segments along some places."""
    return [BOARD.exits[a][b].id for a, b in pairwise(places)]


def marked(board: Board, tracks: Sequence[Sequence[str]]) -> str:
    """The tracks of the players as a position keeps them."""
    owners = {track: seat for seat, own in enumerate(tracks) for track in own}
    return "".join(str(owners.get(segment.id, FREE)) for segment in board.segments)


def at(
    players: int = 2,
    *,
    hands: Sequence[Mapping[str, int]] | None = None,
    homes: Sequence[str] = ("boston", "topeka", "miami", "minneapolis"),
    trains: Sequence[str] | None = None,
    tracks: Sequence[Sequence[str]] = (),
    scores: Sequence[int] = (),
    contracts: Sequence[Mapping[str, str]] = (),
    routes: Sequence[str] = (),
    levels: Mapping[str, int] | None = None,
    deck: Sequence[str] = DECK,
    settings: Any = None,
    board: Board | None = None,
    **fields: Any,
) -> Table:
    """A table with player 0 to move, hands and tracks empty, unless told otherwise.

    `deck` begins with its top card. `contracts` has a card with its side for each commodity: {"fruit": "fruit-3a"}.
    `levels` are the upgrades of player 0.
    """
    table, _ = start("spike", players, settings, board)
    position = copy_of(table)
    for seat, player in enumerate(position.players):
        player.hand = dict(hands[seat]) if hands else {}
        player.home = homes[seat]
        player.at = trains[seat] if trains else player.home
        player.score = scores[seat] if seat < len(scores) else 0
        player.routes = [routes[seat]] if seat < len(routes) else ["r01"]
        if contracts:
            held = contracts[seat] if seat < len(contracts) else {}
            player.contracts = {goods: Contract(card[:-1], card[-1]) for goods, card in held.items()}
    change(position.players[0], **(levels or {}))
    position.tracks = marked(table.game.board, tracks)
    position.phase = "turn"
    position.deck = list(reversed(deck))
    position.display = list(DISPLAY)
    change(position, **fields)
    return put(table, position)


def cargo(table: Table, *goods: str, seat: int = 0, delivered: Mapping[str, str] | None = None) -> Table:
    """The same table with goods aboard, and others delivered."""
    position = copy_of(table)
    for commodity in goods:
        position.players[seat].contracts[commodity].aboard = True
    for commodity, city in (delivered or {}).items():
        position.players[seat].contracts[commodity].delivered = city
    return put(table, position)


def tracks_of(table: Table, seat: int = 0) -> set[str]:
    return {segment.id for segment in building.tracks(table.game.board, table.position, seat)}


def me(table: Table, seat: int = 0) -> Any:
    return table.position.players[seat]


def built(table: Table, order: str | dict[str, Any]) -> Any:
    """The build an order means, as the log would keep it."""
    return table.check(table.position.active, order)


def build(city: str, path: Sequence[str] = (), cards: Sequence[str] = ()) -> dict[str, Any]:
    return {"type": "build", "city": city, "path": list(path), "cards": list(cards)}

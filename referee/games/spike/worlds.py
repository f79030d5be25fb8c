"""Positions of Spike that a viewer cannot tell from the true one, made of what the viewer sees alone."""

from collections import Counter

from msgspec.structs import replace

from referee.contract import View, copied
from referee.games.spike.board import ROUNDS, Board
from referee.games.spike.setup import Gift, Routes, Sides
from referee.games.spike.state import FREE, TIME_CARD, Player, Position, Settings
from referee.games.spike.view import TableView
from referee.options import Rng, shuffled
from referee.piles import pile_of, spread


def imagine(board: Board, settings: Settings, view: View, rng: Rng) -> Position:
    """Deck, hands and routes are dealt anew, every order of the cards as likely as another; nobody keeps book of what
    others took. The Time cards that have not come up lie in the lower part of the last deck: all know it."""
    table: TableView = view.table
    rails = shuffled(unseen_rails(board, table), rng)
    known = {route for player in table.players for route in player.routes or ()}
    routes = shuffled([route.id for route in board.routes if route.id not in known], rng)
    number = number_of_routes(board, settings, view.phase)
    players = [
        Player(
            score=player.score,
            hand=dict(player.hand) if player.hand is not None else pile_of(sorted(taken(rails, player.hand_size))),
            contracts={commodity: replace(contract) for commodity, contract in player.contracts.items()},
            routes=list(player.routes) if player.routes is not None else taken(routes, number),
            home=player.home,
            at=player.at,
            speed=player.upgrades["speed"],
            power=player.upgrades["power"],
            cargo=player.upgrades["cargo"],
        )
        for player in table.players
    ]
    position = Position(
        phase=view.phase,
        ending=view.ending,
        active=table.active,
        players=players,
        tracks=tracks_of(board, table),
        market=[list(column) for column in table.market],
        deck=list(table.deck) if table.deck is not None else imagined_deck(board, table, rails, rng),
        display=list(table.display),
        discards=dict(table.discards),
        round=table.round,
        time_cards=table.time_cards,
        lower=table.lower,
        moved=table.moved,
        drawn=table.drawn,
        out=table.out,
    )
    if view.version != "1":
        position.idle, position.dumped = -1 if table.progress else table.idle, list(table.dumped)
    return copied(position)


def taken(pile: list[str], number: int) -> list[str]:
    return [pile.pop() for _ in range(number)]


def number_of_routes(board: Board, settings: Settings, phase: str) -> int:
    """How many routes a player holds."""
    if phase in (Sides.name, Gift.name):
        return 0
    return board.setup.advanced_routes if phase == Routes.name and settings.advanced else board.setup.routes


def unseen_rails(board: Board, table: TableView) -> list[str]:
    out = board.removed[len(table.players)]
    left = Counter({rail.id: rail.cards - out for rail in board.rail_types})
    left -= Counter([*table.display, *(card for card in table.deck or () if card != TIME_CARD)])
    for pile in (table.discards, *(player.hand or {} for player in table.players)):
        left -= Counter(pile)
    return spread(left)


def tracks_of(board: Board, table: TableView) -> str:
    owner = {segment: str(seat) for seat, player in enumerate(table.players) for segment in player.tracks}
    return "".join(owner.get(segment.id, FREE) for segment in board.segments)


def imagined_deck(board: Board, table: TableView, rails: list[str], rng: Rng) -> list[str]:
    """Renewed from the discards, the last deck has no Time cards left but those that were in it (SP-R20)."""
    times = board.components.time_cards - table.time_cards if table.round == ROUNDS else 0
    slots = set(shuffled(range(min(table.lower, table.deck_size)), rng)[:times])
    return [TIME_CARD if slot in slots else rails.pop() for slot in range(table.deck_size)]

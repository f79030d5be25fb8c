"""Positions of Kings of Air & Steam that a viewer cannot tell from the true one, made of what the viewer sees alone."""

from collections import Counter

from referee.contract import View, copied
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.state import City, Player, Position
from referee.games.kings_of_air_and_steam.view import PlayerView, TableView
from referee.options import Rng, shuffled


def imagine(board: Board, view: View, rng: Rng) -> Position:
    """The face-down plans of the others are drawn from all cards that could lie there, each as likely as another: a
    guess, for people plan."""
    table: TableView = view.table
    position = Position(
        phase=view.phase,
        ending=view.ending,
        layout=table.layout,
        players=[imagined_player(board, player, rng) for player in table.players],
        factories=table.factories,
        cities={name: City(city.good, city.slots, city.goods, city.tile) for name, city in table.cities.items()},
        stock=table.stock,
        drawers={good: board.market.drawers.index(paid) for good, paid in table.prices.items()},
        tiles=list(table.tiles),
        bins=list(table.bins),
        demand=list(table.demand),
        waiting=list(table.waiting),
        built=list(table.built),
        agenda=list(table.agenda),
        order=list(table.order),
        first=table.first or 0,
        active=table.active,
        flying=table.flying,
        offered=list(table.offered),
        fulfilled=table.fulfilled,
        round=table.round,
        cycle=table.cycle,
    )
    if table.fulfilled_by:
        position.fulfilled_by = list(table.fulfilled_by)
    return copied(position)


def imagined_player(board: Board, seen: PlayerView, rng: Rng) -> Player:
    plan, deck = seen.plan, seen.deck
    if plan is None or deck is None:
        used = [*seen.shown, *[seen.card] * bool(seen.card), *seen.returned]
        unseen = shuffled(sorted((Counter(board.deck(seen.team)) - Counter(used)).elements()), rng)
        plan, deck = tuple(unseen[: seen.planned]), (*unseen[seen.planned :], *seen.returned)
    return Player(
        cash=seen.cash,
        supply=seen.supply,
        deck=sorted(deck),
        team=seen.team,
        character=seen.character,
        tokens=seen.tokens,
        airship=seen.airship_level - 1,
        train=seen.train_level - 1,
        at=seen.at,
        hold=list(seen.hold),
        depots=seen.depots,
        plan=list(plan),
        card=seen.card,
        shown=list(seen.shown),
        returned=list(seen.returned),
    )

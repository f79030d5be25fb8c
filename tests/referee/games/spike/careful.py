"""A careful player of Spike: builds to cities that pay or that are needed, runs cargo, upgrades a little.

Plays by the view and the offers of its seat alone.
"""

from collections import deque

from referee.games.spike.board import Board
from referee.games.spike.hints import market_price, uses
from referee.games.spike.state import (
    Boost,
    Build,
    Deliver,
    Done,
    Draw,
    DrawDeck,
    FreeMovement,
    Give,
    Keep,
    Load,
    Pass,
    Place,
    SetInMotion,
    TurnOver,
    Upgrade,
)
from referee.options import Move, Offer
from referee.table import Table


def careful_move(table: Table, seat: int, rng: object = None) -> Move:
    view = table.view(seat)
    own, board = view.table.players[seat], table.game.board
    offers = {offer.move: offer for offer in table.offers(seat)}
    if TurnOver in offers:
        return TurnOver(())
    if Keep in offers:
        return Keep(max(own.routes, key=lambda route: sum(board.route[route].cities.values())))
    if Give in offers:
        return Give(min(own.hand, key=lambda card: (own.hand[card], card)))
    if Place in offers:
        return Place(max(board.city, key=lambda city: (len(uses(board, own, city)), city)))
    if Deliver in offers:
        return Deliver(max(offers[Deliver].domains["commodity"].values(), key=lambda goods: pay(board, own, goods)))
    if Load in offers:
        return next(offers[Load].moves())
    goal = next_goal(board, own)
    if FreeMovement in offers and goal:
        move = nearest(board, own, offers[FreeMovement], goal)
        if move:
            return move
    if Draw in offers and Done in offers and view.phase == "drawing":
        return wanted_card(own, offers[Draw])
    if Done in offers:
        return Done()
    return action(board, view, own, offers, goal)


def action(board, view, own, offers, goal):
    if goal and SetInMotion in offers and own.at != goal:
        return nearest(board, own, offers[SetInMotion], goal, anything=True)
    if Build in offers:
        offer = offers[Build]
        worth = {city: value(board, view, own, city) - 0.7 * len(offer.fill(city).cards) for city in offer.cheapest}
        best = max(worth, key=lambda city: (worth[city], city))
        if worth[best] > 0:
            return offer.fill(best)
    if Boost in offers and goal and (move := nearest(board, own, offers[Boost], goal)):
        return move
    if Upgrade in offers and own.score >= 9:
        for part, most in (("speed", 3), ("cargo", 2)):
            if own.train[part] < most and part in offers[Upgrade].domains["part"].values():
                return Upgrade(part)
    if Draw in offers:
        return wanted_card(own, offers[Draw])
    for kind in (DrawDeck, Build, SetInMotion, Boost, Upgrade, Pass):
        if kind in offers:
            return next(offers[kind].moves())
    raise AssertionError(offers)


def value(board: Board, view, own, city: str) -> float:
    return market_price(board, view, board.city[city].commodity) + 1.5 * len(uses(board, own, city))


def pay(board: Board, own, goods: str) -> int:
    contract = own.contracts[goods]
    return board.contract[contract.card].side(contract.side)[own.at]


def wanted_card(own, offer: Offer) -> Draw:
    return Draw(max(offer.domains["card"].values(), key=lambda card: ((own.hand or {}).get(card, 0), card)))


def next_goal(board: Board, own) -> str | None:
    """Where the train should go: with cargo to a city that takes it, else to a supplier of what can be delivered."""
    used = {contract.delivered for contract in own.contracts.values()}
    goals = []
    for goods, contract in own.contracts.items():
        side = board.contract[contract.card].side(contract.side)
        targets = [city for city in side if city in own.cities and city not in used]
        if contract.delivered or not targets:
            continue
        if contract.aboard:
            return max(targets, key=lambda city: (side[city], city))
        goals += [city for city in own.cities if city in board.suppliers[goods]]
    full = sum(contract.aboard for contract in own.contracts.values()) >= own.train["cargo"]
    away = distances(board, own, own.at if own.at in board.city else board.segment[own.at].a)
    return None if full or not goals else min(goals, key=lambda city: (away.get(city, 99), city))


def nearest(board: Board, own, offer: Offer, goal: str, anything: bool = False) -> Move | None:
    """The step that comes nearest to a goal; none if it does not come nearer than the train is, unless it must."""
    away = distances(board, own, goal)

    def left(space: str) -> float:
        ends = (space,) if space in board.city else board.segment[space].ends
        steps = min(away.get(end, 99) for end in ends)
        return steps if space in board.city else steps + 0.5

    best = min(offer.domains["space"].values(), key=lambda space: (space != goal, left(space), space))
    return offer.move(best) if anything or left(best) < left(own.at) else None


def distances(board: Board, own, start: str) -> dict[str, int]:
    found, queue = {start: 0}, deque([start])
    tracks = set(own.tracks)
    while queue:
        place = queue.popleft()
        for end, segment in board.exits[place].items():
            if segment.id in tracks and end not in found:
                found[end] = found[place] + 1
                queue.append(end)
    return found

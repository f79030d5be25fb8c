"""A careful player of Airline (1975), to see how long games last: buys what it can afford, challenges when it is rich,
flies higher as it grows, buys from debtors, sells its own cities in debt, and never leaves."""

from collections.abc import Iterator
from random import Random

from referee.bots import waiting_for
from referee.games.airline_1975.landing_rights import city_at, owner_of
from referee.games.airline_1975.state import (
    Accept,
    Bankrupt,
    Base,
    Buy,
    Challenge,
    Claim,
    Fly,
    Move,
    Offer,
    Pass,
    Throw,
)
from referee.games.airline_1975.turns import can_close, claims_of, seats_in, tradable
from referee.table import Table
from tests.positions import start
from tests.referee.games.airline_1975.setups import BOARD, CONSTANTS, KEY

RESERVE = 30  # cash that is kept, unless something is free to have


def steady_game(players: int, settings: object, seed: int, most_rows: int) -> Table:
    """A game of careful players, to its end or to a number of rows."""
    table, _ = start(KEY, players, settings, seed=b"steady %d" % seed)
    rng = Random(seed)
    while not table.is_over and table.sequence < most_rows:
        seat, move = next(answers(table, rng))
        table.submit(seat, [move])
    return table


def answers(table: Table, rng: Random) -> Iterator[tuple[int, Move]]:
    """What is answered beside the turn comes first: claims, bids that pay a debt."""
    position = table.position
    for seat in seats_in(position):
        if claims_of(position, seat):
            yield seat, Claim()
    if position.phase == "raising":
        yield raising(table)
    (decision,) = waiting_for(table)
    yield decision.seat, in_turn(table, decision.seat, rng)


def raising(table: Table) -> tuple[int, Move]:
    """The debtor offers a city to the richest for what is lacking; whoever can spare the money accepts."""
    position = table.position
    debt, cash = position.debts[0], position.players[position.debts[0].seat].cash
    for deal in position.deals:
        can_pay = position.players[deal.to].cash >= deal.price + RESERVE
        if deal.seat == debt.seat and can_pay and can_close(BOARD, table.game.settings, position, deal):
            return deal.to, Accept(deal.number)
    if position.offers_made[debt.seat] < 3:
        price = min(debt.amount - cash, 40)
        for offer in table.game.phases["deals"].offers(position, debt.seat, Offer):
            others = [seat for seat in seats_in(position) if BOARD.colours.list[seat] == offer.domains["to"].choices[0]]
            cities = tradable(position, debt.seat)
            if cities and position.players[others[0]].cash >= price:
                return debt.seat, Offer(to=offer.domains["to"].choices[0], give=(cities[-1],), price=price)
    return debt.seat, Bankrupt()


def in_turn(table: Table, seat: int, rng: Random) -> Move:
    position = table.position
    player, phase = position.players[seat], position.phase
    if phase == "bases":
        free = [city.id for city in BOARD.cities if owner_of(position, city.id) is None]
        return Base(rng.choice(free))
    legal = {offer.move: offer for offer in table.game.phases[phase].offers(position, seat)}
    if phase == "departure":
        levels = list(BOARD.plane)
        up = [level for level in levels if levels.index(level) > levels.index(player.aircraft)]
        if Fly in legal and up and player.cash >= CONSTANTS.aircraft_fee + 40 and len(player.cities) >= 3:
            return Fly(up[0])
        return Throw()
    if Buy in legal and player.cash >= CONSTANTS.landing_rights + RESERVE:
        return Buy()
    if Challenge in legal and player.cash >= 100 and city_at(BOARD, player) in BOARD.city:
        return Challenge()
    return Pass()

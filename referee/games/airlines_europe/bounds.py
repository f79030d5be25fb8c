"""How long a game can last at most (AE-R43), whatever the players do."""

from referee.games.airlines_europe.board import SCORINGS, Board


def most_turns(board: Board, seats: int) -> int:
    """More turns than this no game of so many players can have.

    Every purchase takes a card of the pile, every play a share out of a hand, every trade an Air ABACUS share out of
    the supply. Money can be taken as often as the bank can pay, from what it has at first, what is paid for licences
    and what each bankruptcy brings back; and a bankruptcy takes the cards of a new market from the pile.
    """
    constants = board.constants
    money = constants.money_per_player * seats
    shares = sum(airline.shares for airline in board.airlines if airline.id not in board.removed[seats])
    pile = shares - constants.market_size - constants.deal * seats + SCORINGS
    purchases = pile
    into_hands = constants.deal * seats + purchases + seats * SCORINGS + board.air_abacus.shares
    trades = board.air_abacus.shares
    bankruptcies = -(-pile // constants.market_size)
    spent = sum(sum(route.licences) for route in board.routes)
    takings = (money * (1 + bankruptcies) + spent) // constants.take_money + bankruptcies
    return purchases + into_hands + trades + takings

"""From turn to turn: who is in the game and who is next, who may deal meanwhile, which offers lapse, the last round."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from referee.contract import Phase, Play, called
from referee.errors import IllegalOrder
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import Lapsed
from referee.games.airline_1975.landing_rights import most_cities, sellable
from referee.games.airline_1975.scoring import finish, highest_assets
from referee.games.airline_1975.state import (
    BANK,
    BASES,
    DEPARTURE,
    Accept,
    Counter,
    Deal,
    Debt,
    Position,
    Refuse,
    Settings,
    Withdraw,
)
from referee.options import Move

if TYPE_CHECKING:
    from referee.games.airline_1975.rules import Departure

A75Play = Play[Position]


class A75Phase(Phase[Position, Board]):
    """A phase of this game: after every move the offers that nobody can accept any more lapse, and the referee throws
    for a player who has nothing else to do (A75-R64)."""

    settings: Settings
    departure: "Departure"  # of the same game

    def apply(self, play: A75Play, seat: int, move: Move) -> None:
        turns = play.position.turns
        super().apply(play, seat, move)
        self.tidy(play)
        for _ in play.position.players:  # once round the table in a row of the log, so that it stays readable
            if play.position.turns == turns or not self.departure.is_forced(play.position):
                return
            turns = play.position.turns
            play.reveals = True
            self.departure.throw(play)
            self.tidy(play)

    def tidy(self, play: A75Play) -> None:
        position = play.position
        if position.held:
            owing = debtors(position)
            position.held = [deal for deal in position.held if not owing.isdisjoint((deal.seat, deal.to))]
        if position.deals:
            lapse(play, [deal for deal in position.deals if not stands(self.settings, position, deal)], "goods")

    def payee(self, seat: int) -> str:
        """The bank, or a player."""
        return "the bank" if seat == BANK else called(seat)


# Orders at the wrong moment


def no_such_offer(position: Position, move: Accept | Refuse | Counter | Withdraw) -> IllegalOrder:
    number = move.deal
    message = f"No offer {number} is made to you."
    if isinstance(move, Withdraw):
        message = f"You have made no offer {number} that lies open."
    if number in (position.lapsed or ()):
        message = f"Offer {number} has lapsed: its turn is over, or what it named is no longer to be had."
    elif 0 < number <= position.deals_made and all(deal.number != number for deal in position.deals):
        message = f"Offer {number} lies open no more: it was answered or withdrawn, or has lapsed."
    return IllegalOrder("no_such_offer", message, field="deal", rule="A75-R54")


# Who is in the game


def seats_in(position: Position) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(position.players) if not player.out)


def next_seat(position: Position, seat: int) -> int:
    """The next player to the left who is still in the game (A75-R44)."""
    return first_seat(position, (seat + 1) % len(position.players))


def first_seat(position: Position, seat: int) -> int:
    """The seat itself, or the next to the left of it that is still in the game."""
    while position.players[seat].out:
        seat = (seat + 1) % len(position.players)
    return seat


# Who owes what


def claims_of(position: Position, seat: int) -> list[Debt]:
    """What a player may still claim."""
    return [claim for claim in position.claims if claim.to == seat]


def fares_of(position: Position, seat: int) -> list[Debt]:
    """The fares a player owes that nobody has claimed yet."""
    return [claim for claim in position.claims if claim.seat == seat]


def lacks_fare(position: Position, seat: int) -> bool:
    """Whether a player could not pay the fare that may still be claimed from him (A75-R59)."""
    fares = sum(fare.amount for fare in fares_of(position, seat))
    return fares > position.players[seat].cash + sum(claim.amount for claim in claims_of(position, seat))


def debtors(position: Position) -> set[int]:
    """Who cannot pay: a debt that is due, and since version 2 a fare that may still be claimed (A75-R59)."""
    owing = {debt.seat for debt in position.debts}
    if position.claims and not position.is_version_1:
        owing |= {claim.seat for claim in position.claims if claim.seat != BANK and lacks_fare(position, claim.seat)}
    return owing


def spendable(position: Position, seat: int) -> int:
    """The money for a deal: since version 2 a fare that may still be claimed is set aside (A75-R59)."""
    aside = 0 if position.is_version_1 else sum(fare.amount for fare in fares_of(position, seat))
    return max(0, position.players[seat].cash - aside)


# Who may deal, and in what


def dealers(settings: Settings, position: Position) -> set[int]:
    """Deals need one of these: the player in turn, or as a setting somebody in debt (A75-U03, A75-R23, A75-R55)."""
    if position.is_version_1 or settings.debtor_deals == "with_anybody":
        return {position.active, *(debt.seat for debt in position.debts)}
    return {position.active}


def tradable(position: Position, seat: int) -> list[str]:
    """Every city but the base, and since version 2 but those that a debtor's deals hold (A75-U04, A75-R58)."""
    cities = sellable(position.players[seat])
    if not position.held:
        return cities
    bound = {city for deal in position.held for city in (*deal.give, *deal.want)}
    return [city for city in cities if city not in bound]


def somebody_can_deal(position: Position) -> bool:
    """Whether anybody has a city to deal in."""
    return any(tradable(position, seat) for seat in seats_in(position))


def stands(settings: Settings, position: Position, deal: Deal) -> bool:
    """Whether an offer can still be accepted: both may deal and have what is theirs to give, and a debtor gets money
    and pays none (A75-R28)."""
    maker, taker, owing = position.players[deal.seat], position.players[deal.to], debtors(position)
    return (
        not maker.out
        and not taker.out
        and not dealers(settings, position).isdisjoint((deal.seat, deal.to))
        and spendable(position, deal.seat) >= deal.pay
        and set(deal.give) <= set(tradable(position, deal.seat))
        and set(deal.want) <= set(tradable(position, deal.to))
        and (deal.seat not in owing or (deal.price > 0 and not deal.pay))
        and (deal.to not in owing or (deal.pay > 0 and not deal.price))
    )


def can_close(board: Board, settings: Settings, position: Position, deal: Deal) -> bool:
    """The other side has the price, and both have markers for what they get (A75-R09), also for what comes back to them
    if the deals of a debtor are void (A75-R58)."""
    most, swing = most_cities(board, settings), len(deal.give) - len(deal.want)
    owned = [len(position.players[seat].cities) + _may_come_back(position, seat) for seat in (deal.seat, deal.to)]
    return spendable(position, deal.to) >= deal.price and max(owned[1] + swing, owned[0] - swing) <= most


def _may_come_back(position: Position, seat: int) -> int:
    given = 0
    for deal in position.held or ():
        given += (len(deal.give) - len(deal.want)) * ((deal.seat == seat) - (deal.to == seat))
    return max(0, given)


def lapse(play: A75Play, deals: Iterable[Deal], reason: str) -> None:
    """Takes offers back that nobody can accept any more; since version 2 it is told why, and known for a turn."""
    position, numbers = play.position, tuple(deal.number for deal in deals)
    if not numbers:
        return
    position.deals = [deal for deal in position.deals if deal.number not in numbers]
    if isinstance(position.lapsed, list):
        position.lapsed += numbers
        play.emit(Lapsed(numbers, reason))
    else:
        play.emit(Lapsed(numbers))


# The next turn


def next_base(board: Board, settings: Settings, play: A75Play) -> None:
    """The next player to the left chooses a base; when all have one, the first turn begins (A75-S03, A75-S04)."""
    position = play.position
    position.active = next_seat(position, position.active)
    if position.players[position.active].base:
        begin_turn(board, settings, play, first_seat(position, position.first))


def end_turn(board: Board, settings: Settings, play: A75Play) -> None:
    begin_turn(board, settings, play, next_seat(play.position, play.position.active))


def begin_turn(board: Board, settings: Settings, play: A75Play, seat: int) -> None:
    """The next player's turn; the offers of the last turn lapse. After the last round the game is over (A75-R60)."""
    position = play.position
    if isinstance(position.lapsed, list):
        position.lapsed = []
    lapse(play, position.deals, "turn")
    position.offers_made = [0] * len(position.players)
    if not (isinstance(position.turns, msgspec.UnsetType) or isinstance(position.round, msgspec.UnsetType)):
        position.turns += 1
        position.round += position.phase == BASES or _place(position, seat) <= _place(position, position.active)
        if position.round > settings.rounds:
            finish(play, "last_round", highest_assets(board, position, seats_in(position)))
            return
    position.active = seat
    position.phase = DEPARTURE
    position.changed = position.challenged = False


def _place(position: Position, seat: int) -> int:
    """In the order of a round."""
    return (seat - position.first) % len(position.players)

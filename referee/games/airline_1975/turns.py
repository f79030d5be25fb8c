"""From turn to turn: who is in the game and who is next, who may deal meanwhile, and which offers lapse."""

from referee.contract import Phase, Play
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import Lapsed
from referee.games.airline_1975.state import BANK, DEPARTURE, Deal, Position, Settings
from referee.options import Move

A75Play = Play[Position]


class A75Phase(Phase[Position, Board]):
    """A phase of this game: after every move the offers that nobody can accept any more lapse."""

    settings: Settings

    def apply(self, play: A75Play, seat: int, move: Move) -> None:
        super().apply(play, seat, move)
        position = play.position
        gone = [deal for deal in position.deals if not stands(position, deal)] if position.deals else ()
        if gone:
            position.deals = [deal for deal in position.deals if deal not in gone]
            play.emit(Lapsed(tuple(deal.number for deal in gone)))

    def payee(self, seat: int) -> str:
        """The bank, or a player by colour: prompts know no names."""
        return "the bank" if seat == BANK else self.board.colours.list[seat]


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


# Who may deal


def debtors(position: Position) -> set[int]:
    return {debt.seat for debt in position.debts}


def dealers(position: Position) -> set[int]:
    """Deals need one of these: the player in turn, or somebody in debt (A75-U03, A75-R23, A75-R24)."""
    return {position.active, *debtors(position)}


def stands(position: Position, deal: Deal) -> bool:
    """Whether an offer can still be accepted: both may deal and have what is theirs to give, and a debtor gets money
    and pays none (A75-R28)."""
    maker, taker, owing = position.players[deal.seat], position.players[deal.to], debtors(position)
    return (
        not maker.out
        and not taker.out
        and not dealers(position).isdisjoint((deal.seat, deal.to))
        and maker.cash >= deal.pay
        and set(deal.give) <= set(maker.cities)
        and set(deal.want) <= set(taker.cities)
        and (deal.seat not in owing or (deal.price > 0 and not deal.pay))
        and (deal.to not in owing or (deal.pay > 0 and not deal.price))
    )


# The next turn


def next_base(play: A75Play) -> None:
    """The next player to the left chooses a base; when all have one, the first turn begins (A75-S03, A75-S04)."""
    position = play.position
    position.active = next_seat(position, position.active)
    if position.players[position.active].base:
        begin_turn(play, first_seat(position, position.first))


def end_turn(play: A75Play) -> None:
    begin_turn(play, next_seat(play.position, play.position.active))


def begin_turn(play: A75Play, seat: int) -> None:
    """The next player's turn; the offers of the last turn lapse."""
    position = play.position
    if position.deals:
        play.emit(Lapsed(tuple(deal.number for deal in position.deals)))
    position.deals = []
    position.offers_made = [0] * len(position.players)
    position.active = seat
    position.phase = DEPARTURE
    position.changed = position.challenged = False

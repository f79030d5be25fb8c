"""The rules of Mail Run.

In each round all bid in secret for flying first; then each in turn flies or collects a letter.
"""

from collections.abc import Iterator, Mapping

from referee.contract import Phase, Play, and_list
from referee.errors import IllegalOrder
from referee.games.mail_run.board import Board
from referee.games.mail_run.events import BidsRevealed, Collected, Flew, RoundEnded
from referee.games.mail_run.state import Bid, Collect, Fly, Position
from referee.options import Offer, OneOf, Range

LAST_ROUND = "last_round"


class Bidding(Phase[Position, Board]):
    """The highest bid is paid to the bank and flies first; of equal ones that of the lower seat (MR-02)."""

    kind = "sealed"
    asks = "your bid"
    moves = (Bid,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Bid for flying first in round {position.round}."

    def default(self, position: Position, seat: int) -> Bid:
        return Bid(0)

    def offer_bid(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Bid, coins=Range(0, position.players[seat].coins))

    def why_not_bid(self, position: Position, seat: int, move: Bid) -> IllegalOrder | None:
        coins = position.players[seat].coins
        message = f"A bid is from 0 to the {coins} coins that you have."
        return IllegalOrder("not_your_coins", message, field="coins", rule="MR-02", numbers={"coins": coins})

    def reveal(self, play: Play[Position], moves: Mapping[int, Bid]) -> None:
        position = play.position
        bids = tuple(moves[seat].coins for seat in sorted(moves))
        first = bids.index(max(bids))
        position.players[first].coins -= max(bids)
        position.bank += max(bids)
        position.order = [(first + step) % len(bids) for step in range(len(bids))]
        position.phase = Flight.name
        play.emit(BidsRevealed(first, bids))


class Flight(Phase[Position, Board]):
    """One after the other flies along a route (MR-03) or collects a letter (MR-05)."""

    asks = "your flight"
    moves = (Fly, Collect)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.order[0],)

    def prompt(self, position: Position, seat: int) -> str:
        return "Fly to another city, or collect a letter." if position.deck else "Fly to another city."

    def default(self, position: Position, seat: int) -> Fly | Collect:
        return Collect() if position.deck else Fly(self.in_reach(position, seat)[0])

    def in_reach(self, position: Position, seat: int) -> list[str]:
        """Where a flight may end, in the order of the board."""
        at = position.players[seat].at
        reached = set(self.board.next_to[at])
        if self.settings.long_flights:
            reached |= {city for stop in self.board.next_to[at] for city in self.board.next_to[stop]}
        return [city.id for city in self.board.cities if city.id in reached - {at}]

    def offer_fly(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Fly, city=OneOf(*self.in_reach(position, seat)))

    def why_not_fly(self, position: Position, seat: int, move: Fly) -> IllegalOrder | None:
        if move.city not in self.board.city:
            return None
        names = {city.id: city.name for city in self.board.cities}
        here, there = names[position.players[seat].at], names[move.city]
        rule = "MR-04" if self.settings.long_flights else "MR-03"
        if here == there:
            return IllegalOrder("there_already", f"You are in {here} already.", field="city", rule=rule)
        cities = and_list([names[city] for city in self.in_reach(position, seat)])
        message = f"{there} is too far from {here}; you can fly to {cities}."
        return IllegalOrder("too_far", message, field="city", rule=rule)

    def offer_collect(self, position: Position, seat: int) -> Iterator[Offer]:
        if position.deck:
            yield Offer(Collect)

    def why_not_collect(self, position: Position, seat: int, move: Collect) -> IllegalOrder | None:
        return IllegalOrder("no_letters", "All letters have been collected.", rule="MR-05")

    def apply_fly(self, play: Play[Position], seat: int, move: Fly) -> None:
        player = play.position.players[seat]
        letters = [letter for letter in player.hand if letter == move.city]
        player.at = move.city
        player.hand = [letter for letter in player.hand if letter != move.city]
        player.delivered += len(letters)
        play.position.delivered += letters
        play.emit(Flew(seat, move.city, len(letters)))
        self.end_turn(play)

    def apply_collect(self, play: Play[Position], seat: int, move: Collect) -> None:
        letter = play.position.deck.pop()
        play.position.players[seat].hand.append(letter)
        play.position.players[seat].hand.sort()
        play.emit(Collected(seat, letter))
        self.end_turn(play)

    def end_turn(self, play: Play[Position]) -> None:
        """When all have flown, the next round begins, or the game is over (MR-06)."""
        position = play.position
        position.order.pop(0)
        if position.order:
            return
        play.emit(RoundEnded(position.round))
        position.phase = Bidding.name
        if position.round == self.board.rounds:
            position.ending = LAST_ROUND
        else:
            position.round += 1

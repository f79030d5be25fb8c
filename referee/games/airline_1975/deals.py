"""Deals between players: cities and cash, exchanged at once. Offers lie open beside the turn and never hold it up.

One of the two must be in turn, or in debt (A75-U03, A75-R23, A75-R24). Never a base, never the bank, no promises
(A75-R25 to A75-R27). An offer lapses when its turn ends or its goods are gone.
"""

from collections.abc import Iterator

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.airline_1975.rules import APhase, APlay, most_cities, pay, seats_in, sellable, settle
from referee.games.airline_1975.state import (
    Accept,
    Accepted,
    Counter,
    Deal,
    Offer,
    Offered,
    Position,
    Refuse,
    Refused,
    Withdraw,
    Withdrew,
)
from referee.options import Domain, OneOf, Pick, Range
from referee.options import Offer as On


class Deals(APhase):
    required = False
    moves = (Offer, Accept, Refuse, Counter, Withdraw)

    def seats(self, position: Position) -> tuple[int, ...]:
        """Those who have an offer to answer or to withdraw, or could make one."""
        return tuple(
            seat
            for seat in seats_in(position)
            if any(seat in (deal.seat, deal.to) for deal in position.deals)
            or any(True for _ in self.offer_offer(position, seat))
        )

    def prompt(self, position: Position, seat: int) -> str:
        asked = [str(deal.number) for deal in position.deals if deal.to == seat]
        if asked:
            many = len(asked) > 1
            made = f"Offer{'s' * many} {and_list(asked)} {'are' if many else 'is'} made to you"
            return f"{made}: accept, refuse or counter."
        return "You may offer a deal."

    def default(self, position: Position, seat: int) -> Refuse:
        return Refuse(next(deal.number for deal in position.deals if deal.to == seat))

    # Making offers

    def partners(self, position: Position, seat: int) -> list[int]:
        """With whom a player may deal now."""
        dealers = {position.active, *(debt.seat for debt in position.debts)}
        return [other for other in seats_in(position) if other != seat and (seat in dealers or other in dealers)]

    def may_offer(self, position: Position, seat: int) -> bool:
        return position.offers_made[seat] < self.board.deals.offers_per_turn

    def goods(self, position: Position, seat: int, other: int) -> Iterator[dict[str, Domain]]:
        """What may stand in an offer: at least one city on one of the sides (A75-R49), and money a debtor needs."""
        mine, theirs = position.players[seat], position.players[other]
        debtors = {debt.seat for debt in position.debts}
        give, want = sellable(mine), sellable(theirs)
        pay = Range(0, 0 if seat in debtors else mine.cash)
        price = Range(0, 0 if other in debtors else theirs.cash)
        if seat in debtors:  # no gifts, and no money spent elsewhere (A75-R28)
            if give and theirs.cash:
                sale = Range(1, theirs.cash)
                yield {"give": Pick(give, 1, len(give)), "pay": pay, "want": Pick((), 0, 0), "price": sale}
        elif other in debtors:
            if want and mine.cash:
                bid = Range(1, mine.cash)
                yield {"give": Pick((), 0, 0), "pay": bid, "want": Pick(want, 1, len(want)), "price": price}
        else:
            if give:
                yield {"give": Pick(give, 1, len(give)), "pay": pay, "want": Pick(want, 0, len(want)), "price": price}
            if want:
                yield {"give": Pick((), 0, 0), "pay": pay, "want": Pick(want, 1, len(want)), "price": price}

    def offer_offer(self, position: Position, seat: int) -> Iterator[On]:
        if self.may_offer(position, seat):
            for other in self.partners(position, seat):
                for goods in self.goods(position, seat, other):
                    yield On(Offer, to=self.colour(other), **goods)

    def colour(self, seat: int) -> str:
        return self.board.colours.list[seat]

    def seat_of(self, colour: str) -> int:
        return self.board.colours.list.index(colour)

    def refuse_offer(self, position: Position, seat: int, move: Offer) -> IllegalOrder | None:
        if move.to not in self.board.colours.list[: len(position.players)]:
            return IllegalOrder(
                "no_such_player", f"Nobody here is {move.to}; the bank makes no deals.", field="to", rule="A75-R27"
            )
        other = self.seat_of(move.to)
        return self.refuse_goods(position, seat, other, move)

    def refuse_goods(self, position: Position, seat: int, other: int, move: Offer | Counter) -> IllegalOrder | None:
        most = self.board.deals.offers_per_turn
        if other not in self.partners(position, seat):
            message = "A deal needs one of the two to be in turn, and both in the game."
            return IllegalOrder("not_in_turn", message, field="to", rule="A75-U03, A75-R23")
        if not self.may_offer(position, seat):
            message = f"You have made {most} offers in this turn, as many as are allowed."
            return IllegalOrder("enough_offers", message, rule="A75-R49", numbers={"most": most})
        for field, player, cities in (
            ("give", position.players[seat], move.give),
            ("want", position.players[other], move.want),
        ):
            if player.base in cities:
                return IllegalOrder("base_city", "A base city is never sold or traded.", field=field, rule="A75-U04")
            if any(city not in player.cities for city in cities):
                owner = "you" if field == "give" else "that player"
                return IllegalOrder("not_owned", f"Not all of these cities belong to {owner}.", field=field)
        for field, player, cash in (
            ("pay", position.players[seat], move.pay),
            ("price", position.players[other], move.price),
        ):
            if cash > player.cash:
                message = f"${cash} million named, but {player.cash} there."
                return IllegalOrder("no_such_cash", message, field=field, numbers={"named": cash, "cash": player.cash})
        if any(seat == debt.seat for debt in position.debts):
            return IllegalOrder("in_debt", "In debt you sell cities for money, and give nothing away.", rule="A75-R28")
        if not move.give and not move.want:
            return IllegalOrder("no_city", "A deal is about at least one city.", field="give", rule="A75-R49")
        return None

    def play_offer(self, play: APlay, seat: int, move: Offer) -> None:
        self.make(play, seat, self.seat_of(move.to), move)

    def make(self, play: APlay, seat: int, to: int, move: Offer | Counter) -> None:
        position = play.position
        position.deals_made += 1
        position.offers_made[seat] += 1
        number = position.deals_made
        position.deals.append(Deal(number, seat, to, list(move.give), move.pay, list(move.want), move.price))
        play.tell(Offered(seat, to, number, move.give, move.pay, move.want, move.price))

    # Answering them

    def to_me(self, position: Position, seat: int) -> list[Deal]:
        return [deal for deal in position.deals if deal.to == seat]

    def offer_accept(self, position: Position, seat: int) -> Iterator[On]:
        numbers = [deal.number for deal in self.to_me(position, seat) if self.can_close(position, deal)]
        if numbers:
            yield On(Accept, deal=OneOf(*numbers))

    def can_close(self, position: Position, deal: Deal) -> bool:
        """The other side has the price, and both have markers for what they get (A75-R09)."""
        maker, taker = position.players[deal.seat], position.players[deal.to]
        most, swing = most_cities(self.board, self.settings), len(deal.give) - len(deal.want)
        return taker.cash >= deal.price and max(len(taker.cities) + swing, len(maker.cities) - swing) <= most

    def refuse_accept(self, position: Position, seat: int, move: Accept) -> IllegalOrder | None:
        deal = next((deal for deal in self.to_me(position, seat) if deal.number == move.deal), None)
        if deal is None:
            return IllegalOrder("no_such_offer", f"No offer {move.deal} is made to you.", field="deal")
        cash = position.players[seat].cash
        if cash < deal.price:
            message = f"The price is ${deal.price} million; you have {cash}."
            return IllegalOrder("too_expensive", message, rule="A75-M01", numbers={"cost": deal.price, "cash": cash})
        return IllegalOrder("no_marker", "One of you would own more cities than there are markers.", rule="A75-R09")

    def play_accept(self, play: APlay, seat: int, move: Accept) -> None:
        position = play.position
        deal = next(deal for deal in position.deals if deal.number == move.deal)
        maker, taker = position.players[deal.seat], position.players[seat]
        play.tell(Accepted(seat, deal.number))
        position.deals.remove(deal)
        maker.cities = [city for city in maker.cities if city not in deal.give] + deal.want
        taker.cities = [city for city in taker.cities if city not in deal.want] + deal.give
        pay(position, deal.seat, seat, deal.pay)
        pay(position, seat, deal.seat, deal.price)
        settle(self.board, self.settings, play)

    def offer_refuse(self, position: Position, seat: int) -> Iterator[On]:
        numbers = [deal.number for deal in self.to_me(position, seat)]
        if numbers:
            yield On(Refuse, deal=OneOf(*numbers))

    def play_refuse(self, play: APlay, seat: int, move: Refuse) -> None:
        self.drop(play, move.deal)
        play.tell(Refused(seat, move.deal))

    def offer_counter(self, position: Position, seat: int) -> Iterator[On]:
        if self.may_offer(position, seat):
            for deal in self.to_me(position, seat):
                for goods in self.goods(position, seat, deal.seat):
                    yield On(Counter, deal=deal.number, **goods)

    def refuse_counter(self, position: Position, seat: int, move: Counter) -> IllegalOrder | None:
        deal = next((deal for deal in self.to_me(position, seat) if deal.number == move.deal), None)
        if deal is None:
            return IllegalOrder("no_such_offer", f"No offer {move.deal} is made to you.", field="deal")
        return self.refuse_goods(position, seat, deal.seat, move)

    def play_counter(self, play: APlay, seat: int, move: Counter) -> None:
        deal = self.drop(play, move.deal)
        play.tell(Refused(seat, move.deal))
        self.make(play, seat, deal.seat, move)

    def offer_withdraw(self, position: Position, seat: int) -> Iterator[On]:
        numbers = [deal.number for deal in position.deals if deal.seat == seat]
        if numbers:
            yield On(Withdraw, deal=OneOf(*numbers))

    def play_withdraw(self, play: APlay, seat: int, move: Withdraw) -> None:
        self.drop(play, move.deal)
        play.tell(Withdrew(seat, move.deal))

    def drop(self, play: APlay, number: int) -> Deal:
        deal = next(deal for deal in play.position.deals if deal.number == number)
        play.position.deals.remove(deal)
        return deal

"""Deals between players: cities and cash, exchanged at once. Offers lie open beside the turn and never hold it up.

One of the two must be in turn, or in debt (A75-U03, A75-R23, A75-R24). Never a base, never the bank, no promises
(A75-R25 to A75-R27). An offer lapses when its turn ends or its goods are gone (A75-R54).
"""

from collections.abc import Iterable, Iterator, Sequence

from referee import options
from referee.contract import and_list, called
from referee.errors import IllegalOrder
from referee.games.airline_1975.bankruptcy import pay, settle
from referee.games.airline_1975.events import Accepted, Offered, Refused, Withdrew, bundle
from referee.games.airline_1975.landing_rights import most_cities
from referee.games.airline_1975.state import Accept, Counter, Deal, Offer, Position, Refuse, Withdraw
from referee.games.airline_1975.turns import (
    A75Phase,
    A75Play,
    can_close,
    dealers,
    debtors,
    no_such_offer,
    seats_in,
    spendable,
    tradable,
)
from referee.options import Bag, Domain, Move, OneOf, Range

OFFERS_IN_DEBT = 12  # enough for every city that a player can have, within the time for the debt (A75-R61)


class Deals(A75Phase):
    asks = "a deal"
    required = False
    moves = (Offer, Accept, Refuse, Counter, Withdraw)

    def seats(self, position: Position) -> tuple[int, ...]:
        """Those who have an offer to answer or to withdraw, or could make one."""
        involved = {seat for deal in position.deals for seat in (deal.seat, deal.to)}
        able = {seat for seat in self.able(position) if self.may_offer(position, seat)}
        return tuple(sorted(involved | able))

    def able(self, position: Position) -> Iterable[int]:
        """Those who have somebody to deal with and something to deal in; without debts only with the player in turn."""
        if position.debts or position.claims:
            return (
                seat
                for seat in seats_in(position)
                if any(True for other in self.partners(position, seat) for _ in self.goods(position, seat, other))
            )
        sellers = [seat for seat, player in enumerate(position.players) if len(player.cities) > 1]
        if position.active in sellers:
            return seats_in(position)
        return (*sellers, position.active) if sellers else ()

    def prompt(self, position: Position, seat: int) -> str:
        asked = "; ".join(f"offer {deal.number}, {self.in_words(deal)}" for deal in self.to_me(position, seat))
        may_offer = self.may_offer(position, seat)
        if asked:
            verbs = "accept, refuse or counter" if may_offer else "accept or refuse"
            return f"You may {verbs} {asked}.{self.at_risk(position, seat)}"
        return "You may offer a deal." if may_offer else "You may withdraw an offer."

    def is_put_to(self, position: Position, seat: int) -> bool:
        return any(self.to_me(position, seat))

    def in_words(self, deal: Deal) -> str:
        """`green gives Rome and $15 million for Nairobi`."""
        give, want = (
            bundle([self.board.city[city].name for city in cities], cash)
            for cities, cash in ((deal.give, deal.pay), (deal.want, deal.price))
        )
        return f"{self.payee(deal.seat)} gives {give} for {want}"

    def at_risk(self, position: Position, seat: int) -> str:
        """What a debtor sells is his until he has paid (A75-R58)."""
        owing = {deal.seat for deal in self.to_me(position, seat)} & debtors(position)
        if self.version == "1" or not owing:
            return ""
        return f" The deal is void if {and_list([self.payee(debtor) for debtor in sorted(owing)])} goes bankrupt."

    # Making offers

    def partners(self, position: Position, seat: int) -> list[int]:
        """With whom a player may deal now."""
        open_to = dealers(self.settings, position)
        return [other for other in seats_in(position) if other != seat and (seat in open_to or other in open_to)]

    def may_offer(self, position: Position, seat: int) -> bool:
        return position.offers_made[seat] < self.most_offers(position, seat)

    def most_offers(self, position: Position, seat: int) -> int:
        """In a turn; a debtor has more of them since version 2 (A75-R49, A75-R61)."""
        in_debt = any(debt.seat == seat for debt in position.debts)
        return OFFERS_IN_DEBT if in_debt and self.version != "1" else self.board.deals.offers_per_turn

    def goods(self, position: Position, seat: int, other: int) -> Iterator[dict[str, Domain]]:
        """What may stand in an offer: at least one city (A75-R49). A debtor gets money and pays none (A75-R28)."""
        owing = debtors(position)
        give, want = tradable(position, seat), tradable(position, other)
        lowest_pay, most_pay = int(other in owing), 0 if seat in owing else spendable(position, seat)
        lowest_price, most_price = int(seat in owing), 0 if other in owing else spendable(position, other)
        if lowest_pay > most_pay or lowest_price > most_price:
            return
        cash = {"pay": Range(lowest_pay, most_pay), "price": Range(lowest_price, most_price)}
        if give:
            yield {"give": some_of(give, 1), "want": some_of(want, 0), **cash}
        if want:
            yield {"give": some_of((), 0), "want": some_of(want, 1), **cash}

    def offer_offer(self, position: Position, seat: int) -> Iterator[options.Offer]:
        return self.offers_to(position, seat, self.partners(position, seat))

    def find_offer(self, position: Position, seat: int, move: Offer) -> Iterator[options.Offer]:
        named = [other for other in self.partners(position, seat) if self.colour(other) == move.to]
        return self.offers_to(position, seat, named)

    def offers_to(self, position: Position, seat: int, others: list[int]) -> Iterator[options.Offer]:
        if self.may_offer(position, seat):
            for other in others:
                for goods in self.goods(position, seat, other):
                    yield options.Offer(Offer, to=self.colour(other), **goods)

    def colour(self, seat: int) -> str:
        return self.board.colours.list[seat]

    def seat_of(self, colour: str) -> int:
        return self.board.colours.list.index(colour)

    def why_not_offer(self, position: Position, seat: int, move: Offer) -> IllegalOrder | None:
        if move.to not in self.board.colours.list[: len(position.players)]:
            message = f"Nobody here is {move.to}; deals are made with players, never with the bank."
            return IllegalOrder("no_such_player", message, field="to", rule="A75-R27")
        if self.seat_of(move.to) == seat:
            return IllegalOrder("yourself", "A deal is made with another player.", field="to", rule="A75-U03")
        return self.why_not_goods(position, seat, self.seat_of(move.to), move)

    def why_not_goods(self, position: Position, seat: int, other: int, move: Offer | Counter) -> IllegalOrder | None:
        most = self.most_offers(position, seat)
        if other not in self.partners(position, seat):
            message = "A deal needs one of the two to be in turn or in debt, and both in the game."
            return IllegalOrder("not_in_turn", message, field="to", rule="A75-U03, A75-R23")
        if not self.may_offer(position, seat):
            message = f"You have made {most} offers in this turn, as many as are allowed."
            return IllegalOrder("enough_offers", message, rule="A75-R49", numbers={"most": most})
        for field, holder, cities in (("give", seat, move.give), ("want", other, move.want)):
            player, owner = position.players[holder], "yours" if holder == seat else f"{called(other)}'s"
            if player.base in cities:
                base = self.board.city[player.base].name
                message = f"{base} is {owner.replace('yours', 'your')} base, which is never sold or traded."
                return IllegalOrder("base_city", message, field=field, rule="A75-U04, A75-R26")
            missing = [
                self.board.city[city].name for city in cities if city in self.board.city and city not in player.cities
            ]
            free = tradable(position, holder)
            bound = [self.board.city[city].name for city in player.cities if city in cities and city not in free]
            if bound and not missing:
                message = f"Until a debtor has paid, what he has dealt in stays where it is: {', '.join(bound)}."
                return IllegalOrder("held", message, field=field, rule="A75-R58")
            if missing:
                message = f"Not {owner} to trade: {', '.join(missing)}."
                return IllegalOrder("not_owned", message, field=field, rule="A75-U03")
        if not move.give and not move.want:
            return IllegalOrder("no_city", "A deal is about at least one city.", field="give", rule="A75-R49")
        owing = debtors(position)
        if seat in owing and (move.pay or not move.price):
            message = "In debt you deal for money: name the money you want, and pay none."
            return IllegalOrder("in_debt", message, rule="A75-R28")
        if other in owing and (move.price or not move.pay):
            message = f"{called(other)} is in debt: name the money you pay, and ask for none."
            return IllegalOrder("in_debt", message, rule="A75-R28")
        for field, holder, cash in (("pay", seat, move.pay), ("price", other, move.price)):
            there = spendable(position, holder)
            if not 0 <= cash <= there:
                has = "you have" if holder == seat else f"{called(other)} has"
                aside = " beside the fare that may be claimed" * (there < position.players[holder].cash)
                message = f"${cash} million is named, and {has} {there}{aside}; nobody borrows."
                numbers = {"named": cash, "cash": there}
                return IllegalOrder("no_such_cash", message, field=field, rule="A75-M01", numbers=numbers)
        return None

    def apply_offer(self, play: A75Play, seat: int, move: Offer) -> None:
        self.make(play, seat, self.seat_of(move.to), move)

    def make(self, play: A75Play, seat: int, to: int, move: Offer | Counter) -> None:
        position = play.position
        position.deals_made += 1
        position.offers_made[seat] += 1
        number = position.deals_made
        position.deals.append(Deal(number, seat, to, list(move.give), move.pay, list(move.want), move.price))
        play.emit(Offered(seat, to, number, move.give, move.pay, move.want, move.price))

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No gifts: an offer brings its maker something, or is not proposed."""
        return not isinstance(move, Offer | Counter) or bool(move.want or move.price)

    # Answering them

    def to_me(self, position: Position, seat: int) -> list[Deal]:
        return [deal for deal in position.deals if deal.to == seat]

    def answering(self, kind: type[Accept] | type[Refuse], deals: list[Deal]) -> options.Offer:
        """An answer to one of these; of one alone it can be said whose it is."""
        offer = options.Offer(kind, deal=OneOf(*(deal.number for deal in deals)))
        return offer.saying(maker=self.colour(deals[0].seat)) if len(deals) == 1 else offer

    def offer_accept(self, position: Position, seat: int) -> Iterator[options.Offer]:
        mine = self.to_me(position, seat)
        if deals := [deal for deal in mine if can_close(self.board, self.settings, position, deal)]:
            yield self.answering(Accept, deals)

    def why_not_accept(self, position: Position, seat: int, move: Accept) -> IllegalOrder | None:
        deal = next((deal for deal in self.to_me(position, seat) if deal.number == move.deal), None)
        if deal is None:
            return no_such_offer(position, move)
        cash = spendable(position, seat)
        if cash < deal.price:
            message = f"The price is ${deal.price} million; you have {cash}."
            return IllegalOrder("too_expensive", message, rule="A75-M01", numbers={"cost": deal.price, "cash": cash})
        most = most_cities(self.board, self.settings)
        message = f"One of you would own more than {most} cities, as many as a player may."
        return IllegalOrder("no_marker", message, rule="A75-R09", numbers={"most": most})

    def apply_accept(self, play: A75Play, seat: int, move: Accept) -> None:
        position = play.position
        deal = next(deal for deal in position.deals if deal.number == move.deal)
        maker, taker = position.players[deal.seat], position.players[seat]
        give, want = tuple(deal.give), tuple(deal.want)
        play.emit(Accepted(deal.seat, seat, deal.number, give, deal.pay, want, deal.price))
        if isinstance(position.held, list) and not debtors(position).isdisjoint((deal.seat, seat)):
            position.held.append(deal)
        position.deals.remove(deal)
        maker.cities = [city for city in maker.cities if city not in deal.give] + deal.want
        taker.cities = [city for city in taker.cities if city not in deal.want] + deal.give
        pay(position, deal.seat, seat, deal.pay)
        pay(position, seat, deal.seat, deal.price)
        settle(self.board, self.settings, play)

    def offer_refuse(self, position: Position, seat: int) -> Iterator[options.Offer]:
        if deals := self.to_me(position, seat):
            yield self.answering(Refuse, deals)

    def why_not_refuse(self, position: Position, seat: int, move: Refuse) -> IllegalOrder:
        return no_such_offer(position, move)

    def apply_refuse(self, play: A75Play, seat: int, move: Refuse) -> None:
        self.drop(play, move.deal)
        play.emit(Refused(seat, move.deal))

    def offer_counter(self, position: Position, seat: int) -> Iterator[options.Offer]:
        if self.may_offer(position, seat):
            for deal in self.to_me(position, seat):
                for goods in self.goods(position, seat, deal.seat):
                    yield options.Offer(Counter, deal=deal.number, **goods)

    def why_not_counter(self, position: Position, seat: int, move: Counter) -> IllegalOrder | None:
        deal = next((deal for deal in self.to_me(position, seat) if deal.number == move.deal), None)
        if deal is None:
            return no_such_offer(position, move)
        return self.why_not_goods(position, seat, deal.seat, move)

    def apply_counter(self, play: A75Play, seat: int, move: Counter) -> None:
        deal = self.drop(play, move.deal)
        play.emit(Refused(seat, move.deal))
        self.make(play, seat, deal.seat, move)

    def offer_withdraw(self, position: Position, seat: int) -> Iterator[options.Offer]:
        numbers = [deal.number for deal in position.deals if deal.seat == seat]
        if numbers:
            yield options.Offer(Withdraw, deal=OneOf(*numbers))

    def why_not_withdraw(self, position: Position, seat: int, move: Withdraw) -> IllegalOrder:
        return no_such_offer(position, move)

    def apply_withdraw(self, play: A75Play, seat: int, move: Withdraw) -> None:
        self.drop(play, move.deal)
        play.emit(Withdrew(seat, move.deal))

    def drop(self, play: A75Play, number: int) -> Deal:
        deal = next(deal for deal in play.position.deals if deal.number == number)
        play.position.deals.remove(deal)
        return deal


def some_of(cities: Sequence[str], least: int) -> Bag:
    return Bag(dict.fromkeys(cities, 1), least, len(cities))

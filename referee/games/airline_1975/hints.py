"""What an order would cost and bring, in a few words, for menus and options. Made from a view and the board alone."""

from collections.abc import Callable

from referee.contract import View, and_list
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import bundle
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.state import (
    BANK,
    Accept,
    Bankrupt,
    Base,
    Buy,
    Challenge,
    Claim,
    Counter,
    Deal,
    Fly,
    Offer,
    Pass,
    Player,
    Refuse,
    Resign,
    Throw,
    Withdraw,
)
from referee.games.airline_1975.view import PlayerView
from referee.options import NO_HINTS, Bag, Hints, Move
from referee.options import Offer as Offered
from referee.pictures.wording import player_name


def hints(board: Board, view: View, offer: Offered) -> Hints:
    """For the viewer's own offers; a spectator has none."""
    tell = TELLING.get(offer.move)
    return tell(board, view, view.you, offer) if tell and view.you is not None else NO_HINTS


def fares(board: Board, city: str) -> str:
    """`fare 7, 14, 21`"""
    return "fare " + ", ".join(map(str, board.city[city].fares.values()))


def routes(board: Board, city: str) -> str:
    return "routes to " + and_list([board.city[other].name for other in board.neighbours[city]])


def would_connect(board: Board, player: PlayerView, city: str) -> str:
    owned = Player(0, player.aircraft, 0, base=player.base, cities=[*player.cities, city])
    return "connected to your base" if city in connected(board, owned) else "not connected to your base"


def base(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    cities = offer.domains["city"].values()
    return Hints(values={"city": {city: f"{fares(board, city)}; {routes(board, city)}" for city in cities}})


def throw(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    lapsing = and_list([str(deal.number) for deal in view.table.deals])
    return Hints(f"offers that lie open lapse with your turn: {lapsing}" if lapsing else "")


def fly(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    """What the fares of the viewer's connected cities come to now and then, and what the aircraft costs to keep."""
    player, fee = view.table.players[seat], board.constants.aircraft_fee
    said = {}
    for level in offer.domains["aircraft"].values():
        plane = board.plane[level]
        earning = [board.city[city].fares for city in player.connected]
        now, then = (sum(fare[kind] for fare in earning) for kind in (player.aircraft, level))
        keep = f"subsidy {plane.subsidy}, maintenance {plane.maintenance}"
        said[level] = f"${fee} million; your fares {now} to {then} in all; {keep}"
    return Hints(values={"aircraft": said})


def buy(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    player, price = view.table.players[seat], board.constants.landing_rights
    city = board.track[player.place].city
    left = player.cash - price
    told = f"{board.city[city].name} for ${price} million, {left} left; {fares(board, city)}"
    return Hints(f"{told}; {would_connect(board, player, city)}")


def challenge(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    """36 throws against 36: the challenger wins 575 of 1,296, for ties are the owner's."""
    player, table = view.table.players[seat], view.table
    city = board.track[player.place].city
    fare = sum(claim.amount for claim in table.claims if claim.seat == seat)
    price = board.constants.challenge_fee + fare
    first = f", the fare of {fare} among it" if fare else ""
    owner = player_name(view, table.owners[city])
    told = f"${price} million to {owner}{first}; you win about 4 times in 9, ties are the owner's"
    return Hints(f"{told}; {would_connect(board, player, city)}")


def end(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    unclaimed = sum(claim.amount for claim in view.table.claims if claim.to == seat)
    lost = f"; ${unclaimed} million that you may claim can be lost" if unclaimed else ""
    return Hints(f"ends your turn{lost}")


def claim(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    due = [claim for claim in view.table.claims if claim.to == seat]
    payers = [
        f"${claim.amount} million from {'the bank' if claim.seat == BANK else player_name(view, claim.seat)}"
        for claim in due
    ]
    return Hints(and_list(payers))


def in_words(board: Board, view: View, deal: Deal, seat: int) -> str:
    """What an offer brings and costs a seat, which it is made to or by."""
    give, want = (
        bundle([board.city[city].name for city in cities], cash)
        for cities, cash in ((deal.give, deal.pay), (deal.want, deal.price))
    )
    got, gone = (give, want) if deal.to == seat else (want, give)
    risk = {debt.seat for debt in view.table.debts} & {deal.seat, deal.to}
    void = "; void if the debtor goes bankrupt" if risk else ""
    return f"you get {got} for {gone}{void}"


def answer(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    numbers = set(offer.domains["deal"].values())
    told = {deal.number: in_words(board, view, deal, seat) for deal in view.table.deals if deal.number in numbers}
    return Hints(values={"deal": told})


def deal(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    """Who is offered something, and what the cities are to both."""
    table, you = view.table, view.table.players[seat]
    values: dict[str, dict[object, str]] = {
        "give": {city: fares(board, city) for city in you.cities if city != you.base},
        "want": {},
    }
    others = [other for other, player in enumerate(table.players) if other != seat and not player.out]
    for other in others:
        player = table.players[other]
        for city in player.cities:
            if city != player.base:
                values["want"][city] = f"{fares(board, city)}; {would_connect(board, you, city)}"
    if offer.move is Offer:
        values["to"] = {
            table.players[other].colour: f"{player_name(view, other)}, has ${table.players[other].cash} million"
            for other in others
        }
    else:
        values["deal"] = dict(answer(board, view, seat, offer).values["deal"])
    allowed = {name: set(_named(offer, name)) for name in values}
    return Hints(
        values={
            name: {value: hint for value, hint in told.items() if value in allowed[name]}
            for name, told in values.items()
        }
    )


def _named(offer: Offered, field: str) -> list[object]:
    """The single things that a field may hold; a list, some of them."""
    domain = offer.domains[field]
    return list(domain.limits if isinstance(domain, Bag) else domain.values())


def leave(board: Board, view: View, seat: int, offer: Offered) -> Hints:
    return Hints("all you have goes to the bank, and you are out of the game")


Telling = Callable[[Board, View, int, Offered], Hints]
TELLING: dict[type[Move], Telling] = {
    Base: base,
    Throw: throw,
    Fly: fly,
    Buy: buy,
    Challenge: challenge,
    Pass: end,
    Offer: deal,
    Counter: deal,
    Accept: answer,
    Refuse: answer,
    Withdraw: answer,
    Claim: claim,
    Bankrupt: leave,
    Resign: leave,
}

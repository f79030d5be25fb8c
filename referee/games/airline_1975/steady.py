"""Advice to a beginner of Airline (1975). A city is worth what it cost, and more if it is connected to the base, for
only such cities earn fares."""

from collections.abc import Iterable, Iterator

from referee.games.airline_1975.board import Board
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.scoring import assets
from referee.games.airline_1975.state import (
    Accept,
    Bankrupt,
    Base,
    Buy,
    Challenge,
    Deal,
    Fly,
    Offer,
    Pass,
    Position,
    Refuse,
    Throw,
    Withdraw,
)
from referee.games.airline_1975.view import PlayerView, TableView
from referee.options import Bag
from referee.situation import Choice, Situation

A75Situation = Situation[Board, TableView]

DANGER = 2.0  # what each million below the reserve weighs: who cannot pay loses everything
RESERVE = 60  # millions that are kept for fares
RICH = 110  # millions with which one may gamble
LANDINGS = 1.5  # of others in a city, that one hopes for
SURPLUS = 1.15  # what is got in a deal must be worth so much more than what is given


def advice(situation: A75Situation) -> Iterator[Choice]:
    """What to do, the best first."""
    match situation.phase:
        case "bases":
            yield from base(situation)
        case "departure":
            yield from deal(situation)
            yield from aircraft(situation)
            yield Choice(Throw(), "I throw and move on.")
        case "landing":
            yield from rights(situation)
            yield Choice(Pass(), "I keep my money for the fares that I may have to pay.")
        case "raising":
            yield from sale(situation)
            yield Choice(Bankrupt(), "Nobody buys what I have, so I cannot pay.")
        case "deals":
            yield from answers(situation)


def base(situation: A75Situation) -> Iterator[Choice]:
    """Have your base where many routes meet: there your cities will be connected, and earn."""
    board, owned = situation.board, situation.view.owners
    for offer in situation.offers(Base):
        cities = list(offer.domains["city"].values())
        free = {city: sum(next_to not in owned for next_to in board.neighbours[city]) for city in cities}
        for city in sorted(cities, key=lambda city: (-free[city], -max(board.city[city].fares.values()))):
            yield Choice(Base(city), f"Many routes meet in {board.city[city].name}, so my cities will be connected.")


def aircraft(situation: A75Situation) -> Iterator[Choice]:
    """Fly a better aircraft as soon as three cities earn its fares, and never a worse one."""
    me, fee = situation.view.players[situation.seat], situation.board.constants.aircraft_fee
    levels = list(situation.board.plane)
    if len(me.connected) >= 3 and me.cash >= fee + RESERVE:
        for offer in situation.offers(Fly):
            for level in offer.domains["aircraft"].values():
                if levels.index(level) > levels.index(me.aircraft):
                    yield Choice(Fly(level), "With a better aircraft all my connected cities earn more.")


def rights(situation: A75Situation) -> Iterator[Choice]:
    """Buy whatever you land on while you can still pay a fare; challenge only when you are rich."""
    me, constants = situation.view.players[situation.seat], situation.board.constants
    city = situation.board.track[me.place].city
    gain = worth(situation.board, me, city) if city else 0.0
    connects = gain > constants.landing_rights
    for _ in situation.offers(Buy):
        if me.cash >= constants.landing_rights + (RESERVE // 2 if connects else RESERVE):
            yield Choice(Buy(), "Landing rights never get cheaper than from the bank.")
    for _ in situation.offers(Challenge):
        if me.cash >= RICH and connects:
            yield Choice(Challenge(), "I am rich enough to gamble for a city that would be connected.")


def worth(board: Board, player: PlayerView, city: str) -> float:
    """What a city is worth to a player: its price, and the fares of all that it connects to the base."""
    cities = set(player.cities)
    with_it, without = cities | {city}, cities - {city}
    fares = earning(board, player, with_it) - earning(board, player, without)
    return board.constants.city_value + LANDINGS * fares


def earning(board: Board, player: PlayerView, cities: set[str]) -> int:
    """The fares of the cities that are connected to the base."""
    found, waiting = {player.base}, [player.base]
    while waiting:
        for city in board.neighbours.get(waiting.pop(), ()):
            if city in cities and city not in found:
                found.add(city)
                waiting.append(city)
    return sum(board.city[city].fares[player.aircraft] for city in found if city in board.city)


def bundle(board: Board, player: PlayerView, cities: Iterable[str]) -> float:
    return sum(worth(board, player, city) for city in cities)


def deal(situation: A75Situation) -> Iterator[Choice]:
    """Buy from others what connects your cities and not theirs, for a price between what it is worth to both."""
    view, board, seat = situation.view, situation.board, situation.seat
    me = view.players[seat]
    if view.offers_made[seat] or view.deals:  # one a turn, and not to somebody who has still to answer
        return
    colours = {player.colour: player for player in view.players}
    found: list[tuple[float, Choice]] = []
    for offer in situation.beside(Offer):
        want, (to,) = offer.domains["want"], offer.domains["to"].values()
        if isinstance(want, Bag) and want.low == 1 and len(me.cities) < board.constants.markers:
            for city in want.limits:
                mine, theirs = worth(board, me, city), worth(board, colours[to], city)
                price = int((mine + theirs * SURPLUS) / 2) + 1
                if mine > SURPLUS * price and price > SURPLUS * theirs and me.cash >= price + RESERVE:
                    name = board.city[city].name
                    reason = f"{name} is worth more to me than to its owner, for it would be connected."
                    found.append((mine - price, Choice(Offer(to=to, want=(city,), pay=price), reason)))
    for _, choice in sorted(found, key=lambda gain_and_choice: -gain_and_choice[0])[:1]:
        yield choice


def answers(situation: A75Situation) -> Iterator[Choice]:
    """Accept a deal only if it is worth more than it costs you, or saves you from bankruptcy."""
    view, board = situation.view, situation.board
    me = view.players[situation.seat]
    open_deals = {deal.number: deal for deal in view.deals}
    acceptable = {
        number: open_deals[number] for offer in situation.offers(Accept) for number in offer.domains["deal"].values()
    }
    for number, made in acceptable.items():
        if gain(board, me, made) > 0 and me.cash - made.price >= (RESERVE if made.price else -1):
            yield Choice(Accept(number), "What I get is worth more to me than what I give.")
    for offer in situation.offers(Refuse):
        for number in offer.domains["deal"].values():
            yield Choice(Refuse(number), "What I would give is worth more to me than what I would get.")


def gain(board: Board, me: PlayerView, made: Deal) -> float:
    """What a deal that was offered brings: what is given counts for more."""
    got = made.pay + bundle(board, me, made.give)
    given = made.price + bundle(board, me, made.want)
    return got - SURPLUS * given


def sale(situation: A75Situation) -> Iterator[Choice]:
    """In debt sell the city that you need least, for what you lack, to whoever has the money."""
    view, board, seat = situation.view, situation.board, situation.seat
    me = view.players[seat]
    for offer in situation.beside(Withdraw):
        if len(view.deals) > 2:
            for number in offer.domains["deal"].values():
                yield Choice(Withdraw(number), "Nobody has taken this offer, so I make another.")
    lacking = sum(debt.amount for debt in view.debts if debt.seat == seat) - me.cash
    made = {(made.to, tuple(made.give)) for made in view.deals if made.seat == seat}
    colours = {player.colour: place for place, player in enumerate(view.players)}
    found: list[tuple[float, Choice]] = []
    for offer in situation.beside(Offer):
        give, (to,), price = offer.domains["give"], offer.domains["to"].values(), offer.domains["price"]
        if isinstance(give, Bag) and give.low == 1:
            buyer = view.players[colours[to]]
            for city in give.limits:
                fair = int(worth(board, buyer, city) / SURPLUS) - 1
                asked = max(1, min(max(lacking, board.constants.city_value // 2), fair, buyer.cash - RESERVE))
                if price.accepts(asked) and (colours[to], (city,)) not in made:
                    value = min(asked, lacking) * 10 - worth(board, me, city)
                    choice = Choice(Offer(to=to, give=(city,), price=asked), "I sell what I need least to pay my debt.")
                    found.append((value, choice))
    for _, choice in sorted(found, key=lambda value_and_choice: -value_and_choice[0])[:4]:
        yield choice


def prospects(board: Board, position: Position) -> list[float]:
    """Assets, and the fares of some landings in what is connected, less the danger that the next fare cannot be paid;
    who is out has nothing to hope for."""
    return [
        0.0
        if player.out
        else assets(board, player)
        + 3 * sum(board.city[city].fares[player.aircraft] for city in connected(board, player) if city in board.city)
        - DANGER * max(0, RESERVE - player.cash)
        for player in position.players
    ]

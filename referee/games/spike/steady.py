"""Advice to a beginner of Spike: build to cities that pay, along your route, and carry what your contracts want."""

from collections.abc import Iterator

from referee.games.spike.board import Board
from referee.games.spike.building import network
from referee.games.spike.scoring import route_points
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
    Position,
    SetInMotion,
    TurnOver,
    Upgrade,
)
from referee.games.spike.view import PlayerView, TableView
from referee.situation import Choice, Situation

SpikeSituation = Situation[Board, TableView]

A_CARD = 0.6  # dollars that a rail card is worth
ENOUGH_CARDS = 14  # in the hand: then it is time to build
GOOD_BUILD = 2.0  # dollars beyond its cards that a build must bring while cards are few
ON_THE_WAY = 0.45  # of a delivery's pay, for each step towards it
FREE = 50.0  # beyond everything else: what costs no action comes first, and builds need not be looked for then
RICH = 12  # dollars with which a faster train is worth its price


def advice(situation: SpikeSituation) -> Iterator[Choice]:
    """What to do, the best first."""
    match situation.phase:
        case "sides":
            yield from sides(situation)
        case "gift":
            yield from gift(situation)
        case "routes":
            yield from routes(situation)
        case "placement":
            yield from placement(situation)
        case _:
            yield from deliveries(situation)
            yield from turn(situation)


def sides(situation: SpikeSituation) -> Iterator[Choice]:
    """Use the side of a contract that pays more."""
    board, me = situation.board, situation.view.players[situation.seat]
    turned = [
        commodity
        for commodity, held in sorted(me.contracts.items())
        if max(board.contract[held.card].side("b" if held.side == "a" else "a").values())
        > max(board.contract[held.card].side(held.side).values())
    ]
    yield Choice(TurnOver(tuple(turned)), "I use the side of each contract that pays more.")


def gift(situation: SpikeSituation) -> Iterator[Choice]:
    """Give away a card of which you have few."""
    hand = situation.view.players[situation.seat].hand or {}
    for offer in situation.offers(Give):
        cards = [card for card in offer.domains["card"].values() if card in hand]
        for card in sorted(cards, key=lambda card: (hand[card], card)):
            yield Choice(Give(card), "I give away a card of which I have few.")


def routes(situation: SpikeSituation) -> Iterator[Choice]:
    """Keep the route that pays more."""
    for offer in situation.offers(Keep):
        kept = list(offer.domains["route"].values())
        for route in sorted(kept, key=lambda route: -sum(situation.board.route[route].cities.values())):
            yield Choice(Keep(route), "I keep the route that pays more.")


def placement(situation: SpikeSituation) -> Iterator[Choice]:
    """Begin where your route begins: then every city on it counts."""
    board, me = situation.board, situation.view.players[situation.seat]
    starts = [board.route[route].start for route in me.routes or ()]
    for offer in situation.offers(Place):
        cities = list(offer.domains["city"].values())
        for city in sorted(cities, key=lambda city: (city not in starts, -attraction(situation, me, city), city)):
            yield Choice(Place(city), "I begin where my route begins, so that every city on it counts.")


def attraction(situation: SpikeSituation, me: PlayerView, city: str) -> float:
    """What a new city is worth: its commodity on the market, its place on the route, and what a contract pays for a
    delivery there or loads there."""
    board = situation.board
    good = board.city[city].commodity
    row = next((column.index(good) for column in situation.view.market if good in column), None)
    value = float(board.market.rows[row]) if row is not None else 0.0
    for route in me.routes or ():
        value += 0.5 * board.route[route].cities.get(city, 0) + 2.0 * (city == board.route[route].start)
    for commodity, held in me.contracts.items():
        if not held.delivered:
            value += 0.5 * board.contract[held.card].side(held.side).get(city, 0)
            value += 2.0 * (commodity == good and not held.aboard)
    return value


def deliveries(situation: SpikeSituation) -> Iterator[Choice]:
    """Deliver what pays, and load what a contract wants."""
    board, me = situation.board, situation.view.players[situation.seat]
    paid = []
    for offer in situation.offers(Deliver):
        for good in offer.domains["commodity"].values():
            held = me.contracts[good]
            prices = board.contract[held.card].side(held.side)
            paid.append((prices.get(me.at, 0), good, max(prices.values())))
    for pays, good, most in sorted(paid, reverse=True):
        if pays * 2 >= most or not any(
            city in me.cities and prices_of(situation, good)[city] > pays for city in prices_of(situation, good)
        ):
            yield Choice(Deliver(good), "I deliver what pays well here.")
    for offer in situation.offers(Load):
        for good in offer.domains["commodity"].values():
            if good in me.contracts and not me.contracts[good].delivered:
                yield Choice(Load(good), "I load what one of my contracts wants.")


def prices_of(situation: SpikeSituation, good: str) -> dict[str, int]:
    held = situation.view.players[situation.seat].contracts[good]
    return situation.board.contract[held.card].side(held.side)


def turn(situation: SpikeSituation) -> Iterator[Choice]:
    """Go where something can be loaded or delivered; else build; else draw cards."""
    found = list(journeys(situation))
    for _, choice in sorted((way for way in found if way[0] >= FREE), key=by_worth):
        yield choice
    found = [*(way for way in found if way[0] < FREE), *builds(situation), *draws(situation)]
    for _, choice in sorted(found, key=by_worth):
        yield choice
    for kind in (Done, Pass):
        for _ in situation.offers(kind):
            yield Choice(kind(), "There is nothing better to do.")


Found = Iterator[tuple[float, Choice]]


def by_worth(found: tuple[float, Choice]) -> float:
    return -found[0]


def journeys(situation: SpikeSituation) -> Found:
    """Drive towards the next city where something can be delivered or loaded."""
    me = situation.view.players[situation.seat]
    aims = targets(situation, me)
    if not aims:
        return
    distance = {aim: distances(situation, me, aim) for aim in aims}

    def nearness(space: str) -> float:
        return max(pays - ON_THE_WAY * distance[aim].get(space, 99) for aim, pays in aims.items())

    here = nearness(me.at)
    for kind in (FreeMovement, SetInMotion, Boost):
        for offer in situation.offers(kind):
            for space in offer.domains["space"].values():
                gain = nearness(space) - here
                if gain > 0:  # a free movement comes before the action
                    worth = gain + (FREE if kind is FreeMovement else 1.5)
                    yield worth, Choice(kind(space), "I drive towards a city where I can load or deliver.")


def targets(situation: SpikeSituation, me: PlayerView) -> dict[str, float]:
    """Cities of the own network where something can be delivered or loaded, with what that is worth."""
    board, found = situation.board, dict[str, float]()
    used = {held.delivered for held in me.contracts.values() if held.delivered}
    for commodity, held in me.contracts.items():
        if held.delivered:
            continue
        prices = {
            city: pays
            for city, pays in prices_of(situation, commodity).items()
            if city in me.cities and city not in used
        }
        if not prices:
            continue
        if held.aboard:
            best = max(prices.values())
            found.update({city: float(pays) for city, pays in prices.items() if 2 * pays >= best})
        else:
            for city in board.suppliers[commodity]:
                if city in me.cities:
                    found[city] = max(found.get(city, 0.0), max(prices.values()) / 2)
    return found


def distances(situation: SpikeSituation, me: PlayerView, aim: str) -> dict[str, int]:
    """Steps from each space of the own network to a city."""
    board, own = situation.board, set(me.tracks)
    found, places, steps = {aim: 0}, [aim], 0
    seen = {aim}
    while places:
        steps += 1
        further = []
        for place in places:
            for end, segment in board.exits[place].items():
                if segment.id in own:
                    found.setdefault(segment.id, steps)
                    if end not in seen:
                        seen.add(end)
                        further.append(end)
                        found.setdefault(end, steps)
        places = further
    return found


def builds(situation: SpikeSituation) -> Found:
    """Build to the city that brings most for the cards it takes."""
    me, board = situation.view.players[situation.seat], situation.board
    for offer in situation.offers(Build):
        worth = {city: attraction(situation, me, city) for city in board.city if city not in me.cities}
        any_will_do = me.hand_size >= ENOUGH_CARDS
        for move in offer.moves():
            assert isinstance(move, Build)
            costs = A_CARD * len(move.cards)
            if not any_will_do and costs > max(worth.values()) - GOOD_BUILD:
                break  # they come cheapest first, and no city is worth that many cards
            if any_will_do or worth[move.city] - costs >= GOOD_BUILD:
                reason = f"{board.city[move.city].name} brings more than the cards that the track takes."
                yield worth[move.city] - costs, Choice(move, reason)


def draws(situation: SpikeSituation) -> Found:
    """Draw cards of which you have many already: long tracks take many of one kind."""
    me = situation.view.players[situation.seat]
    hand = me.hand or {}
    for offer in situation.offers(Draw):
        for card in offer.domains["card"].values():
            yield 0.2 + 0.05 * hand.get(card, 0), Choice(Draw(card), "I collect cards of which I have some already.")
    for _ in situation.offers(DrawDeck):
        yield 0.3, Choice(DrawDeck(), "I draw a card to build with.")
    if me.score >= RICH and situation.view.round < 3:
        for offer in situation.offers(Upgrade):
            for part in offer.domains["part"].values():
                if part == "speed" and not me.upgrades["speed"] and targets(situation, me):
                    yield 0.9, Choice(Upgrade(part), "A faster train is worth its price while the game is young.")


def prospects(board: Board, position: Position) -> list[float]:
    """The money so far, what the routes would pay now, a little for cards, and half of what is aboard and can be
    delivered in the network."""
    found = []
    for seat, player in enumerate(position.players):
        places = network(board, position, seat)
        routes = sum(route_points(board, position, seat, route)[1] for route in player.routes) if player.home else 0
        worth = player.score + routes + A_CARD * sum(player.hand.values()) / 2
        for held in player.contracts.values():
            if held.aboard and not held.delivered:
                prices = board.contract[held.card].side(held.side)
                worth += max((pays for city, pays in prices.items() if city in places), default=0) / 2
        found.append(float(worth))
    return found

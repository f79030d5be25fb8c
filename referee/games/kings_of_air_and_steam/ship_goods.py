"""Ship Goods: shipments, deliveries, tolls, fulfilled cities and their Demand tiles (KAS-F34 to KAS-F36)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import msgspec

from referee.contract import counted
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.characters import spend_token
from referee.games.kings_of_air_and_steam.events import (
    CityFulfilled,
    Delivered,
    DemandPlaced,
    Gambled,
    NoDemandTile,
    Shipped,
    TilesOffered,
    TollPaid,
)
from referee.games.kings_of_air_and_steam.links import Network, Rails, Route, Via
from referee.games.kings_of_air_and_steam.state import (
    CLOSED,
    City,
    Demand,
    Done,
    Position,
    Ship,
    as_list,
    character,
    colour,
    has_ability,
    price,
    seat_of,
    split_lot,
    stored_lots,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Optional, Step, next_up
from referee.options import Move, Offer, OneOf, Pick, Range, Rng, Way
from referee.piles import add, take

MARKET_SENSE_TILES = 2  # drawn when an opponent of Flora Kingston fulfils a city
BAMBOOZLED = 1  # Goods of another type in a shipment of Corey McQueen's
CONTROLLED = 1  # Goods that Bishop Kingston may take out of a delivery


class Shipping(Step):
    """The Ship Goods Action, and the single Good of the Sphinx card."""

    most: int | None = None  # Goods in a shipment; None: any number

    def offer_ship(self, position: Position, seat: int) -> Iterator[Offer]:
        """For each Depot, type and destination: how many Goods, and every route there that can be paid for."""
        player, rails = position.players[seat], Rails(self.board, position)
        for start, goods in player.depots.items():
            if not goods:
                continue
            network = Network(self.board, position, rails, seat, start)
            steps, cheapest = network.steps(), network.cheapest()
            payees = [colour(self.board, payee) for payee in network.payees()]
            pay = Pick(payees, 0, len(payees)) if payees else ()
            for destination, route in cheapest.items():
                city = position.cities.get(destination)
                for good in goods if city is None else {city.good} & goods.keys():
                    for number, most_tolls, extras in self.numbers(position, seat, start, good, city, route):
                        way = ways(network, destination, route, most_tolls, steps)
                        yield Offer(
                            Ship,
                            number=Range(1, number),
                            good=good,
                            start=start,
                            destination=destination,
                            via=way if network.own.get(destination) != network.start.id else (),
                            pay=pay,
                            **extras,
                        )

    def numbers(
        self, position: Position, seat: int, start: str, good: str, city: City | None, route: Route
    ) -> Iterator[tuple[int, int, dict[str, object]]]:
        """How many Goods may be shipped with at most how many tolls for each, and the extra fields of the character."""
        player, played = position.players[seat], character(self.board, position.players[seat])
        have, slots = player.depots[start][good], city.empty if city else None
        others = sorted(set(player.depots[start]) - {good})
        variants: list[tuple[int, int, dict[str, object]]] = [(0, 0, {})]
        if city and played:
            if played.ability == "gamble":
                variants = [(0, wager, {"wager": wager}) for wager in range(min(played.most_wager, player.cash) + 1)]
            if played.ability == "demand_control":
                variants = [(0, 0, {"returned": Range(0, CONTROLLED)})]
            if played.ability == "bamboozle" and player.tokens and others and self.most is None:
                variants.append((BAMBOOZLED, 0, {"extra": OneOf(*others)}))
        rating = self.board.train[player.train].rating
        for added, wager, extras in variants:
            most = min(limit for limit in (have + added, slots, self.most) if limit is not None)

            def number(tolls: int, added: int = added, wager: int = wager, most: int = most) -> int:
                return payable(most, player.cash - wager, self.loss(position, city, tolls)) - added

            for largest, tolls in fewer_with_more_tolls(rating, route, number):
                yield largest, tolls, extras

    def loss(self, position: Position, city: City | None, tolls: int) -> int:
        """How much more the tolls of a Good cost than its delivery brings; a Depot as destination brings nothing."""
        return tolls * self.board.constants.toll - (price(self.board, position, city.good) if city else 0)

    def why_not_ship(self, position: Position, seat: int, move: Ship) -> IllegalOrder | None:
        """The first reason, in the order in which a player would check."""
        board, player = self.board, position.players[seat]
        if move.start not in player.depots:
            return IllegalOrder("not_your_depot", f"You have no Depot on {move.start}.", field="start")
        have = player.depots[move.start].get(move.good, 0)
        if not 1 <= move.number <= have:
            message = f"Your Depot on {move.start} has {have or 'no'} {move.good}; you cannot ship {move.number}."
            numbers = {"there": have, "named": move.number}
            return IllegalOrder("no_such_good", message, field="number", rule="Rulebook, Ship Goods", numbers=numbers)
        if self.most is not None and move.number > self.most:
            message = f"Only {self.most} Good may be shipped now."
            return IllegalOrder("too_many", message, field="number", rule="KAS-R45", numbers={"most": self.most})
        city = position.cities.get(move.destination)
        if city is None and (move.destination not in player.depots or move.destination == move.start):
            message = f"{move.destination} is neither a City nor another Depot of yours."
            return IllegalOrder("no_destination", message, field="destination", rule="Rulebook, Ship Goods")
        shipped = move.number + (BAMBOOZLED if move.extra else 0)
        if city and city.good != move.good:
            wants = f"wants {city.good}, not {move.good}" if city.good != CLOSED else "takes no deliveries now"
            message = f"{board.city[move.destination].name} {wants}."
            return IllegalOrder("wrong_good", message, field="good", rule="Rulebook, Ship Goods")
        if city and shipped > city.empty:
            return IllegalOrder(
                "too_few_slots",
                f"{board.city[move.destination].name} has {counted(city.empty, 'empty slot')} for {shipped} Goods.",
                field="number",
                rule="Rulebook, Ship Goods; KAS-R48",
                numbers={"empty": city.empty, "shipped": shipped},
            )
        network = Network(board, position, Rails(board, position), seat, move.start)
        route = network.route(move.destination, move.via) if move.via else network.cheapest().get(move.destination)
        if route is None:
            return IllegalOrder(
                "no_route",
                f"There is no such route within your Train Rating of {network.rating} on which every Link has a Depot.",
                field="via" if move.via else "destination",
                rule="Rulebook, Ship Goods; KAS-R18 to KAS-R23",
                numbers={"rating": network.rating},
            )
        if shipped > payable(shipped, player.cash - move.wager, self.loss(position, city, route.tolls)):
            owed, cash = route.tolls * shipped * board.constants.toll, player.cash - move.wager
            left = " that the wager leaves" if move.wager else ""
            return IllegalOrder(
                "tolls_not_payable",
                f"The tolls would be ${owed}, more than your ${cash}{left} and what the delivery brings.",
                field="number",
                rule="KAS-F35; KAS-R22",
                numbers={"tolls": owed, "cash": cash},
            )
        return None

    def apply_ship(self, play: KASPlay, seat: int, move: Ship) -> None:
        """Goods leave the Depot, arrive, are paid for; then the tolls, then the demand (KAS-R27)."""
        board, position, player = self.board, play.position, play.position.players[seat]
        network = Network(board, position, Rails(board, position), seat, move.start)
        route = network.route(move.destination, move.via) if move.via else network.cheapest()[move.destination]
        assert route is not None
        owed = network.tolls(route, move.via, [seat_of(board, payee) for payee in move.pay])
        goods = (*[move.good] * move.number, *[move.extra] * bool(move.extra))
        take(player.depots[move.start], goods)
        play.emit(Shipped(seat, goods, move.start, move.destination, route.via, route.stops))
        if move.destination in position.cities:
            deliver(board, play, seat, move, goods)
        else:
            add(player.depots[move.destination], goods)
        pay_tolls(board, play, seat, owed, len(goods))
        if move.destination in position.cities and not position.cities[move.destination].empty:
            fulfil(board, self.version, play, move.destination, seat)


def payable(wanted: int, cash: int, loss: int) -> int:
    """How many Goods can be shipped if each loses this much: its tolls less what it brings (KAS-F35, KAS-R22)."""
    return wanted if loss <= 0 else min(wanted, cash // loss)


def fewer_with_more_tolls(rating: int, cheapest: Route, number: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Pairs of the most Goods and the most tolls for each: from the most tolls down, as long as fewer tolls allow more
    Goods."""
    largest = 0
    for tolls in range(rating - 1, cheapest.tolls - 1, -1):
        if number(tolls) > largest:
            largest = number(tolls)
            yield largest, tolls


def ways(network: Network, destination: str, cheapest: Route, most_tolls: int, steps: list[str]) -> Way:
    """The routes to a destination as a domain; nothing named means the cheapest."""

    def is_legal(via: Via) -> bool:
        route = network.route(destination, via) if via else cheapest
        return route is not None and route.tolls <= most_tolls

    def walk(rng: Rng) -> Via:
        routes = [route.via for route in network.routes(destination, most_tolls)]
        via = routes[rng.randrange(len(routes))]
        named = [[link, *network.named_stops(link)] for link in via]
        return tuple(names[rng.randrange(len(names))] for names in named)

    return Way(steps, network.rating - 1, is_legal, walk, lambda: {destination: cheapest.via})


class SphinxShipment(Shipping, Optional):
    """The Sphinx card: after the Movement a single Good may be shipped, before the Action (KAS-R45)."""

    asks = "your shipment"
    moves = (Ship, Done)
    most = 1

    def comes_up(self, play: KASPlay) -> bool:
        return any(True for _ in self.offer_ship(play.position, play.position.active))

    def prompt(self, position: Position, seat: int) -> str:
        return "Ship a single Good with the Sphinx card, or be done."

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        return not isinstance(move, Ship) or (move.destination in position.cities and not move.wager)


def deliver(board: Board, play: KASPlay, seat: int, move: Ship, goods: tuple[str, ...]) -> None:
    """The Goods fill slots and are paid at the price of the city's type (KAS-R28, KAS-R50)."""
    position, player = play.position, play.position.players[seat]
    city = position.cities[move.destination]
    if move.wager:
        gamble(board, play, seat, move.wager, city.good, len(goods))
    if move.extra:
        spend_token(play, seat)
    income = price(board, position, city.good) * len(goods)
    player.cash += income
    add(city.goods, goods)
    if move.returned:
        take(city.goods, [move.good] * move.returned)
        position.stock[move.good] += move.returned
    play.emit(Delivered(seat, move.destination, len(goods), income, move.returned))


def gamble(board: Board, play: KASPlay, seat: int, wager: int, good: str, number: int) -> None:
    """Sebastian King: one token revealed for each dollar; all five are shuffled every time (KAS-R49)."""
    player, played = play.position.players[seat], character(board, play.position.players[seat])
    assert played is not None
    play.reveals = True
    tokens = tuple(play.chance.shuffle("gamble", board.goods)[:wager])
    bonus = played.bonus * number if good in tokens else 0
    player.cash += bonus - wager
    play.emit(Gambled(seat, wager, tokens, bonus))


def pay_tolls(board: Board, play: KASPlay, seat: int, owed: Mapping[int, int], goods: int) -> None:
    for payee, stops in owed.items():
        amount = stops * goods * board.constants.toll
        play.position.players[seat].cash -= amount
        play.position.players[payee].cash += amount
        play.emit(TollPaid(seat, payee, amount))


def fulfil(board: Board, version: str, play: KASPlay, name: str, by: int) -> None:
    """The Goods go back; an original city gets a Demand tile, a tile is turned over for good (KAS-F36, KAS-R26)."""
    position, city = play.position, play.position.cities[name]
    add(position.stock, as_list(city.goods))
    position.cities[name] = City(CLOSED, 0, {}, city.tile)
    play.emit(CityFulfilled(name, city.tile))
    if city.tile:
        return
    if position.demand:
        demand_tile(board, play, name, by, asks_always=version == "1")
        return
    position.waiting.append(name)
    if version != "1":
        position.fulfilled_by = [*(position.fulfilled_by or []), by]
    play.emit(NoDemandTile(name))


def next_waiting(position: Position) -> tuple[str, int]:
    """The City that has waited longest for a Demand tile, and who fulfilled it."""
    by, *others = position.fulfilled_by or []
    position.fulfilled_by = others or msgspec.UNSET
    return position.waiting.pop(0), by


def demand_tile(board: Board, play: KASPlay, name: str, by: int, asks_always: bool = False) -> None:
    """A tile for a City: drawn, or chosen by Flora Kingston (KAS-R47). Where all that she could choose from are alike,
    she is not asked (KAS-R59), which she was in version 1."""
    position = play.position
    players = enumerate(position.players)
    flora = next((seat for seat, player in players if has_ability(board, player, "market_sense")), None)
    tiles = sorted(position.demand)
    alike = len(tiles) == 1 if asks_always else len(set(tiles)) == 1
    if flora is None or alike:
        draw_demand(board, play, name)
        return
    if flora != by:
        play.reveals = True
        tiles = sorted(play.chance.shuffle(f"demand {name}", position.demand)[:MARKET_SENSE_TILES])
    play.emit(TilesOffered(flora, name, tuple(tiles)))
    if len(set(tiles)) == 1 and not asks_always:
        place_demand(board, play, name, tiles[0])
        return
    position.fulfilled, position.offered = name, tiles
    next_up(position, MarketSense.name)


def draw_demand(board: Board, play: KASPlay, name: str) -> None:
    stack = play.position.demand
    play.reveals |= len(set(stack)) > 1  # a stack of a single type has no secret
    place_demand(board, play, name, stack[play.chance.below(f"demand {name}", len(stack))])


def place_demand(board: Board, play: KASPlay, name: str, good: str) -> None:
    play.position.demand.remove(good)
    play.position.cities[name] = City(good, board.constants.demand_slots, {}, True)
    play.emit(DemandPlaced(name, good))


class MarketSense(Step):
    """Flora Kingston chooses: from the whole stack for her own delivery, from two tiles for another's (KAS-R47)."""

    asks = "your Demand"
    moves = (Demand,)

    def seats(self, position: Position) -> tuple[int, ...]:
        players = enumerate(position.players)
        return tuple(seat for seat, player in players if has_ability(self.board, player, "market_sense"))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Choose the Demand tile for {self.board.city[position.fulfilled].name}."

    def default(self, position: Position, seat: int) -> Demand:
        """The good of which she has most herself (KAS-R61); in version 1 the first by name."""
        if self.version == "1":
            return Demand(position.offered[0])
        player = position.players[seat]
        own = Counter([*player.hold, *(split_lot(item)[1] for item in as_list(stored_lots(player)))])
        return Demand(max(position.offered, key=lambda good: own[good]))

    def offer_demand(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Demand, good=OneOf(*dict.fromkeys(position.offered)))

    def apply_demand(self, play: KASPlay, seat: int, move: Demand) -> None:
        position = play.position
        place_demand(self.board, play, position.fulfilled, move.good)
        position.fulfilled, position.offered = "", []

"""Advice to a beginner of Kings of Air & Steam: have Depots beside Cities that want what is made nearby, fly between
Factory and Depot, and ship as soon as a City pays."""

from collections.abc import Iterator

from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hexes import distance
from referee.games.kings_of_air_and_steam.play_area import PlayArea, assemble
from referee.games.kings_of_air_and_steam.scoring import score
from referee.games.kings_of_air_and_steam.state import (
    Adjust,
    AdjustTo,
    Build,
    Clear,
    Done,
    FlyTo,
    Load,
    Place,
    Plan,
    Position,
    Return,
    Ship,
    Solicit,
    Unload,
    UpgradeAirship,
    UpgradeTrain,
    price,
)
from referee.games.kings_of_air_and_steam.view import PlayerView, TableView
from referee.options import Bag, Domain, Range
from referee.situation import Choice, Situation

KASSituation = Situation[Board, TableView]
Found = Iterator[tuple[float, Choice]]

DEPOTS = 4  # that are enough
POCKET = 3  # dollars that are kept for tolls and upkeep


class Map:
    """The play area as the seat uses it: where Goods come from, and where they are wanted."""

    def __init__(self, situation: KASSituation) -> None:
        self.view: TableView = situation.view
        self.me: PlayerView = self.view.players[situation.seat]
        self.area: PlayArea = assemble(situation.board, self.view.layout)

    def far(self, one: str, other: str) -> int:
        return distance(self.area.place[one], self.area.place[other])

    def wanted(self, space: str) -> dict[str, int]:
        """What the Cities at the ends of a railroad want, with what they pay for one Good."""
        link = self.area.tracks.get(self.area.track_of.get(space, ""))
        wants: dict[str, int] = {}
        for city in link.ends if link else ():
            seen = self.view.cities[city]
            if seen.good in self.view.prices and sum(seen.goods.values()) < seen.slots:
                wants[seen.good] = max(wants.get(seen.good, 0), self.view.prices[seen.good])
        return wants

    def sources(self, good: str) -> list[str]:
        """The Factories of a Good."""
        return [space for space, made in self.area.factory_at.items() if made == good]

    def site(self, space: str) -> float:
        """What a Depot on a space is worth: what its Cities pay, the nearer the Factory the better."""
        worth = 0.0
        for good, paid in self.wanted(space).items():
            near = min((self.far(space, source) for source in self.sources(good)), default=9)
            worth = max(worth, paid * 3 / (2 + near))
        return worth

    def aims(self) -> dict[str, float]:
        """Where to go: with Goods to a Depot that wants them, without to a Factory of what is wanted."""
        found: dict[str, float] = {}
        if self.me.hold:
            for depot in self.me.depots:
                wants = self.wanted(depot)
                found[depot] = 1.0 + sum(wants.get(good, 0) for good in self.me.hold)
            return found
        wants_all: dict[str, int] = {}
        for depot in self.me.depots:
            for good, paid in self.wanted(depot).items():
                wants_all[good] = max(paid, wants_all.get(good, 0))
        for space, made in self.area.factory_at.items():
            if self.view.factories.get(space):
                found[space] = wants_all.get(made, 0) * min(self.view.factories[space], self.me.capacity) + 0.5
        return found

    def nearness(self, space: str, aims: dict[str, float]) -> float:
        return max((worth / (1 + self.far(space, aim)) for aim, worth in aims.items()), default=0.0)


def advice(situation: KASSituation) -> Iterator[Choice]:
    """What to do, the best first."""
    seen = Map(situation)
    parts = {
        "placement": placing,
        "planning": planning,
        "flight": flying,
        "upkeep": returning,
    }
    principle = parts.get(situation.phase)
    found = [*principle(situation, seen)] if principle else [*cargo(situation, seen), *acting(situation, seen)]
    for _, choice in sorted(found, key=lambda worth_and_choice: -worth_and_choice[0]):
        yield choice
    if not found:
        yield Choice(situation.draw(), "Nothing speaks for one move more than for another.")


def placing(situation: KASSituation, seen: Map) -> Found:
    """Have your first Depot beside a City that wants what is made nearby."""
    for offer in situation.offers(Place):
        for space in offer.domains["space"].values():
            yield seen.site(space), Choice(Place(space), "A City here wants what is made nearby.")


def planning(situation: KASSituation, seen: Map) -> Found:
    """Plan flights as long as the ways between Factory and Depot, within the diamonds of your Airship."""
    board, me = situation.board, seen.me
    deck, left, at = list(me.deck or ()), me.diamonds, me.at
    for offer in situation.offers(Plan):
        hand = offer.domains["cards"]
        assert isinstance(hand, Bag)
        legs = ways_to_go(seen, at, hand.low)
        plan: list[str] = []
        for place, leg in enumerate(legs):
            rest = hand.low - place - 1

            def is_affordable(card: str, rest: int = rest, left: int = left) -> bool:
                others = sorted(board.card[other].diamonds for other in without(deck, card))
                return board.card[card].diamonds + sum(others[:rest]) <= left

            able = [card for card in deck if is_affordable(card)] or deck
            card = min(able, key=lambda card: (misfit(board, card, leg), board.card[card].diamonds, card))
            plan.append(card)
            deck.remove(card)
            left -= board.card[card].diamonds
        yield 1.0, Choice(Plan(tuple(plan)), "My flights are as long as the ways between Factory and Depot.")


def without(cards: list[str], card: str) -> list[str]:
    left = list(cards)
    left.remove(card)
    return left


def misfit(board: Board, card: str, leg: int) -> float:
    """How far a card flies from where it should: too far is worse, and a card without a flight is of no use."""
    values = board.card[card].values
    return (
        min((value - leg if value >= leg else 1.5 * (leg - value) for value in values), default=9)
        if board.card[card].flights
        else 9
    )


def ways_to_go(seen: Map, at: str, number: int) -> list[int]:
    """The lengths of the next flights: to the best aim, from there to the nearest Depot or Factory, and so on."""
    legs = []
    has_goods = bool(seen.me.hold)
    for _ in range(number):
        aims = seen.aims() if has_goods == bool(seen.me.hold) else other_aims(seen, has_goods)
        if not aims or not at:
            legs.append(3)
            continue
        here = at
        best = max(aims, key=lambda aim: aims[aim] / (1 + seen.far(here, aim)))
        legs.append(max(1, seen.far(at, best)))
        at, has_goods = best, not has_goods
    return legs


def other_aims(seen: Map, has_goods: bool) -> dict[str, float]:
    if has_goods:
        return dict.fromkeys(seen.me.depots, 1.0)
    return {space: 1.0 for space in seen.area.factory_at if seen.view.factories.get(space)}


def flying(situation: KASSituation, seen: Map) -> Found:
    """Fly to a Depot with what its Cities want, or to a Factory that makes it."""
    aims = seen.aims()
    for offer in situation.offers(FlyTo):
        for space in offer.domains["space"].values():
            worth = seen.nearness(space, aims) - (
                1.0 if space in seen.area.city_at or space in seen.area.partial else 0
            )
            reason = "I fly to where I can load what is wanted." if not seen.me.hold else "I fly my Goods to a Depot."
            yield worth, Choice(FlyTo(space), reason)


def cargo(situation: KASSituation, seen: Map) -> Found:
    """Unload at your Depot, and fill the hold at a Factory."""
    for offer in situation.offers(Unload):
        goods = offer.domains["goods"]
        if isinstance(goods, Bag):
            wants = seen.wanted(seen.me.at)
            useful = [good for good, number in sorted(goods.limits.items()) if good in wants for _ in range(number)]
            everything = [good for good, number in sorted(goods.limits.items()) for _ in range(number)]
            for chosen in (useful, everything):
                if goods.accepts(tuple(chosen)):
                    yield 9.0, Choice(Unload(tuple(chosen)), "From this Depot my Goods can be shipped.")
    for offer in situation.offers(Load):
        goods, jettison = offer.domains["goods"], offer.domains["jettison"]
        if isinstance(goods, Bag) and jettison.accepts(()) and seen.me.at not in seen.me.depots:
            chosen = [good for good, number in sorted(goods.limits.items()) for _ in range(number)][: goods.high]
            if goods.accepts(tuple(chosen)):
                yield 8.0, Choice(Load(tuple(chosen)), "I fill my hold as long as there is something to load.")
    for _ in situation.offers(Done):
        yield 0.0, Choice(Done(), "There is nothing more to load or unload.")


def acting(situation: KASSituation, seen: Map) -> Found:
    """Ship what a City pays for; else build a Depot or improve your Airship; else move on or take money."""
    view, me = seen.view, seen.me
    for offer in situation.offers(Ship):
        yield from shipping(seen, offer.domains)
    if len(me.depots) < DEPOTS and view.round < 4:
        for offer in situation.offers(Build):
            for space in offer.domains["space"].values():
                if me.cash >= POCKET + 2:
                    worth = seen.site(space) - 1.5 * len(me.depots)
                    yield (
                        worth,
                        Choice(Build(space), "A Depot here stands beside a City that wants what is made nearby."),
                    )
    if view.round < 3:
        for kind, levels in ((UpgradeAirship, me.airship_level), (UpgradeTrain, me.train_level)):
            for _ in situation.offers(kind):
                if me.cash >= 4 * POCKET:
                    yield 4.0 - levels, Choice(kind(), "I improve what carries my Goods while the game is young.")
    aims = seen.aims()
    here = seen.nearness(me.at, aims) if me.at else 0.0
    for offer in situation.offers(AdjustTo):
        for space in offer.domains["space"].values():
            if (gain := seen.nearness(space, aims) - here) > 0 or not situation.offers(Solicit):
                yield gain / 3, Choice(AdjustTo(space), "I move on to where I can load or unload.")
    for offer in situation.offers(Adjust):
        yield -5.0, Choice(next(offer.moves()), "My Airship cannot stay here.")
    for _ in situation.offers(Solicit):
        yield 0.8, Choice(Solicit(), "I take money, for there is nothing better to do.")
    for offer in situation.offers(Clear):
        yield 20.0, Choice(next(offer.moves()), "What cannot be shipped any more still brings a little.")


def shipping(seen: Map, domains: dict[str, Domain]) -> Found:
    """What a shipment brings: as many Goods as a City takes, and nothing that only goes round."""
    (destination,), (good,), (start,) = (tuple(domains[name].values()) for name in ("destination", "good", "start"))
    number = domains["number"]
    if destination in seen.view.cities and isinstance(number, Range):
        via = next(iter(domains["via"].values()), ())
        rest = {
            name: next(iter(domains[name].values()))
            for name in ("pay", "extra", "returned", "wager")
            if name in domains
        }
        paid = seen.view.prices[good] * number.high
        move = Ship(number=number.high, good=good, start=start, destination=destination, via=via, **rest)
        yield paid + 2.0, Choice(move, "A City pays for these Goods now.")


def returning(situation: KASSituation, seen: Map) -> Found:
    """Give back as little as you can."""
    for offer in situation.offers(Return):
        lots = offer.domains["lots"]
        for fewest in lots.values():
            yield -float(len(fewest)), Choice(Return(fewest), "I give back as little as I can.")
            break


def prospects(board: Board, position: Position) -> list[float]:
    """The points so far, and half of the price of Goods in Depots, a third of that of Goods in the hold."""
    found = []
    for player in position.players:
        worth = float(score(board, player))
        for good in player.hold:
            worth += price(board, position, good) / 3
        for goods in player.depots.values():
            worth += sum(price(board, position, good) * number for good, number in goods.items()) / 2
        found.append(worth)
    return found

"""What happens in a game of Spike, each event in one sentence."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from referee.contract import Event, Words, and_list, counted
from referee.games.spike.board import Part, Side

How = Literal["free movement", "set in motion", "boost"]


class MarketOpened(Event, frozen=True):
    market: tuple[tuple[str, ...], ...]
    start_player: int

    def sentence(self, words: Words) -> str:
        rows = (", ".join(words("commodity", chip) for chip in row) for row in zip(*self.market, strict=True))
        return f"The market, from the top row down: {'; '.join(rows)}. {words.player(self.start_player)} begins."


class ContractsDealt(Event, frozen=True):
    seat: int
    contracts: tuple[str, ...]
    sides: tuple[Side, ...]

    def sentence(self, words: Words) -> str:
        cards = [words("contract", f"{card}{side}") for card, side in zip(self.contracts, self.sides, strict=True)]
        return f"{words.player(self.seat)} is dealt the contracts {and_list(cards)}."


class TurnedOver(Event, frozen=True):
    seat: int
    contracts: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        what = and_list([words("commodity", commodity) for commodity in self.contracts])
        return f"{words.player(self.seat)} turns over {what or 'no contract'}."


class Dealt(Event, frozen=True):
    hidden: ClassVar = ("cards",)
    seat: int
    count: int
    cards: tuple[str, ...] | None

    def sentence(self, words: Words) -> str:
        what = words.several("card", self.cards) if self.cards is not None else f"{self.count} rail cards"
        return f"{words.player(self.seat)} is dealt {what}."


class Gave(Event, frozen=True):
    hidden: ClassVar = ("card",)
    seat: int
    to: int
    card: str | None

    def knowers(self) -> tuple[int, ...]:
        return self.seat, self.to

    def sentence(self, words: Words) -> str:
        what = words("card", self.card) if self.card else "a rail card"
        return f"{words.player(self.seat)} gives {what} to {words.player(self.to)}, on the right."


class DisplayOpened(Event, frozen=True):
    cards: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        return f"Face up: {words.several('card', self.cards)}."


class RoutesDealt(Event, frozen=True):
    hidden: ClassVar = ("routes",)
    seat: int
    count: int
    routes: tuple[str, ...] | None

    def sentence(self, words: Words) -> str:
        count = "a route" if self.count == 1 else f"{self.count} routes"
        what = and_list([words("route", route) for route in self.routes]) if self.routes else count
        return f"{words.player(self.seat)} is dealt {what}."


class KeptRoute(Event, frozen=True):
    hidden: ClassVar = ("route",)
    seat: int
    route: str | None

    def sentence(self, words: Words) -> str:
        what = words("route", self.route) if self.route else "one of the routes"
        return f"{words.player(self.seat)} keeps {what}."


class Placed(Event, frozen=True):
    seat: int
    city: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} places the locomotive in {words('city', self.city)}."


class Moved(Event, frozen=True):
    seat: int
    how: How
    start: str
    end: str
    skipped: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        verb = {"free movement": "moves", "set in motion": "sets out", "boost": "boosts"}[self.how]
        past = f", past {and_list([words('city', city) for city in self.skipped])}" if self.skipped else ""
        start, end = words("space", self.start), words("space", self.end)
        return f"{words.player(self.seat)} {verb} from {start} to {end}{past}."


class Loaded(Event, frozen=True):
    seat: int
    commodity: str
    city: str

    def sentence(self, words: Words) -> str:
        goods, city = words("commodity", self.commodity), words("city", self.city)
        return f"{words.player(self.seat)} loads {goods} in {city}."


class Dumped(Event, frozen=True):
    seat: int
    commodity: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} dumps {words('commodity', self.commodity)}."


class Delivered(Event, frozen=True):
    seat: int
    commodity: str
    city: str
    value: int

    def sentence(self, words: Words) -> str:
        goods, city = words("commodity", self.commodity), words("city", self.city)
        return f"{words.player(self.seat)} delivers {goods} to {city} for ${self.value}."


class TookCard(Event, frozen=True):
    seat: int
    card: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} takes {words('card', self.card)}."


class DrewCard(Event, frozen=True):
    hidden: ClassVar = ("card",)
    seat: int
    card: str | None

    def sentence(self, words: Words) -> str:
        what = words("card", self.card) if self.card else "a card"
        return f"{words.player(self.seat)} draws {what} from the deck."


class DisplayRefilled(Event, frozen=True):
    cards: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        return f"New face up: {words.several('card', self.cards)}."


class DeckRenewed(Event, frozen=True):
    """The discards form a deck without a new round (SP-R20)."""

    count: int

    def sentence(self, words: Words) -> str:
        return f"The discards are shuffled to form a deck of {counted(self.count, 'card')}."


class RoundBegan(Event, frozen=True):
    round: int
    display: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        display = words.several("card", self.display) or "nothing"
        return f"The deck is exhausted: round {self.round} begins. Face up: {display}."


class TimeCardUp(Event, frozen=True):
    number: int

    def sentence(self, words: Words) -> str:
        return f"Time card {self.number} comes up."


class Built(Event, frozen=True):
    seat: int
    city: str
    path: tuple[str, ...]
    rails: tuple[str, ...]
    cards: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        path = " - ".join(words("place", place) for place in (*self.path, self.city))
        return f"{words.player(self.seat)} builds {path} with {words.several('card', self.cards)}."


class CommodityScored(Event, frozen=True):
    seat: int
    commodity: str
    value: int
    column: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        column = ", ".join(words("commodity", chip) for chip in self.column)
        goods = words("commodity", self.commodity)
        return f"{words.player(self.seat)} scores {goods}: ${self.value}. The column is now {column}."


class Upgraded(Event, frozen=True):
    seat: int
    part: Part
    level: int
    cost: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} upgrades {words('part', self.part)} to {self.level} for ${self.cost}."


class Passed(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} can do nothing and passes."


class Standstill(Event, frozen=True):
    turns: int  # of each player in a row

    def sentence(self, words: Words) -> str:
        if not self.turns:
            return "Nobody can do anything any more: the game ends."
        return f"Nobody has drawn, built, upgraded or delivered for {self.turns} turns each: the game ends."


class LastTurns(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        player = words.player(self.seat)
        return f"{player} has placed all track and can deliver no more: one more turn for each other player."


class RouteScored(Event, frozen=True):
    seat: int
    route: str
    cities: tuple[str, ...]
    points: int

    def sentence(self, words: Words) -> str:
        cities = and_list([words("city", city) for city in self.cities]) or "none of its cities"
        route = words("route", self.route)
        return f"{words.player(self.seat)} reveals {route}, connected to {cities}: ${self.points}."


class GameOver(Event, frozen=True):
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        money = and_list([f"{words.player(seat)} ${score}" for seat, score in enumerate(self.scores)])
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"Money: {money}. {and_list([words.player(seat) for seat in self.winners])} {verb}."


EVENTS: Sequence[type[Event]] = (
    MarketOpened, ContractsDealt, TurnedOver, Dealt, Gave, DisplayOpened, RoutesDealt, KeptRoute, Placed, Moved, Loaded,
    Dumped, Delivered, TookCard, DrewCard, DisplayRefilled, DeckRenewed, RoundBegan, TimeCardUp, Built, CommodityScored,
    Upgraded, Passed, Standstill, LastTurns, RouteScored, GameOver,
)  # fmt: skip

"""What happens in a game of Kings of Air & Steam, each in one plain sentence."""

from collections.abc import Sequence

from referee.contract import Event, Words, and_list
from referee.games.kings_of_air_and_steam.hexes import DEGREES
from referee.games.kings_of_air_and_steam.play_area import Placed


def goods(words: Words, items: Sequence[str]) -> str:
    """`2 Food and Textiles`."""
    return words.several("good", sorted(items)) or "nothing"


def lots(words: Words, items: Sequence[str]) -> str:
    return goods(words, [item.partition(" ")[2] for item in items])


class BoardsLaid(Event, frozen=True):
    layout: tuple[Placed, ...]

    def sentence(self, words: Words) -> str:
        turned = [f"{placed.board} turned by {DEGREES * placed.turned} degrees" for placed in self.layout]
        return f"The play area is assembled from the boards {and_list(turned)}."


class FirstPlayer(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} holds the First-player marker."


class TeamTaken(Event, frozen=True):
    seat: int
    team: str
    dealt: bool

    def sentence(self, words: Words) -> str:
        how = "is dealt" if self.dealt else "takes"
        return f"{words.player(self.seat)} {how} the team {words('team', self.team)}."


class CharacterChosen(Event, frozen=True):
    seat: int
    character: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} plays {words('character', self.character)}."


class DepotPlaced(Event, frozen=True):
    seat: int
    space: str
    airship: bool

    def sentence(self, words: Words) -> str:
        what = "a Depot and the Airship" if self.airship else "a second Depot"
        return f"{words.player(self.seat)} places {what} on {self.space}."


class NewMarket(Event, frozen=True):
    round: int
    tiles: tuple[str, ...]
    prices: tuple[tuple[str, int], ...]

    def sentence(self, words: Words) -> str:
        now = and_list([f"{words('good', good)} ${price}" for good, price in self.prices])
        return f"Round {self.round}: the new Market tiles are {goods(words, self.tiles)}. Prices: {now}."


class Planned(Event, frozen=True):
    def sentence(self, words: Words) -> str:
        return "Everybody has planned four Movement cards."


class CycleBegan(Event, frozen=True):
    cycle: int
    order: tuple[int, ...]
    cards: tuple[str, ...]  # by seat

    def sentence(self, words: Words) -> str:
        letters = {card.id: card.letter for card in words.game.board.card.values()}
        turns = [
            f"{words.player(seat)} with {words('cards', self.cards[seat])} ({letters[self.cards[seat]]})"
            for seat in self.order
        ]
        return f"Cycle {self.cycle}: {and_list(turns)}, in this order."


class TurnSkipped(Event, frozen=True):
    seat: int
    card: str
    diamonds: int
    rating: int

    def sentence(self, words: Words) -> str:
        return (
            f"{words.player(self.seat)} shows {self.diamonds} diamonds with a rating of {self.rating}:"
            f" {words('cards', self.card)} goes back to the deck and the turn is skipped."
        )


class Flew(Event, frozen=True):
    seat: int
    path: tuple[str, ...]
    to: str

    def sentence(self, words: Words) -> str:
        if not self.path:
            return f"{words.player(self.seat)} stays on {self.to}."
        return f"{words.player(self.seat)} flies {' '.join(self.path)} to {self.to}."


class NoFlight(Event, frozen=True):
    seat: int
    card: str
    at: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} has no flight with {words('cards', self.card)} and stays on {self.at}."


class MoneyStolen(Event, frozen=True):
    seat: int
    victim: int
    amount: int
    space: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} steals ${self.amount} from {words.player(self.victim)} on {self.space}."


class Unloaded(Event, frozen=True):
    seat: int
    goods: tuple[str, ...]
    space: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} unloads {goods(words, self.goods)} on {self.space}."


class Loaded(Event, frozen=True):
    seat: int
    goods: tuple[str, ...]
    jettison: tuple[str, ...]
    space: str

    def sentence(self, words: Words) -> str:
        first = f"jettisons {goods(words, self.jettison)} and " if self.jettison else ""
        return f"{words.player(self.seat)} {first}loads {goods(words, self.goods)} on {self.space}."


class GoodStolen(Event, frozen=True):
    seat: int
    victim: int
    good: str
    place: str
    jettison: str

    def sentence(self, words: Words) -> str:
        first = f"jettisons {words('good', self.jettison)} and " if self.jettison else ""
        thief, victim = words.player(self.seat), words.player(self.victim)
        return f"{thief} {first}steals {words('good', self.good)} from the {self.place} of {victim}."


class DepotBuilt(Event, frozen=True):
    seat: int
    space: str
    link: str
    cost: int

    def sentence(self, words: Words) -> str:
        link = words("via", self.link)
        place = f"{self.space} ({link if link.startswith('stub') else f'Link {link}'})"
        return f"{words.player(self.seat)} builds a Depot on {place} for ${self.cost}."


class AirshipUpgraded(Event, frozen=True):
    seat: int
    level: int
    cost: int
    diamonds: int
    capacity: int

    def sentence(self, words: Words) -> str:
        gives = f"diamond rating {self.diamonds}, capacity {self.capacity}"
        return f"{words.player(self.seat)} upgrades the Airship to level {self.level} for ${self.cost}: {gives}."


class TrainUpgraded(Event, frozen=True):
    seat: int
    level: int
    cost: int
    rating: int

    def sentence(self, words: Words) -> str:
        return (
            f"{words.player(self.seat)} upgrades the Train to level {self.level} for ${self.cost}:"
            f" rating {self.rating}."
        )


class Shipped(Event, frozen=True):
    seat: int
    goods: tuple[str, ...]
    start: str
    destination: str
    via: tuple[str, ...]
    stops: int

    def sentence(self, words: Words) -> str:
        way = f" over {and_list([words('via', link) for link in self.via])}" if self.via else ""
        stops = f"{self.stops} stop{'s' * (self.stops > 1)}"
        to = words("destination", self.destination)
        return f"{words.player(self.seat)} ships {goods(words, self.goods)} from {self.start} to {to}{way}, {stops}."


class Gambled(Event, frozen=True):
    seat: int
    wager: int
    tokens: tuple[str, ...]
    bonus: int

    def sentence(self, words: Words) -> str:
        player, shown = words.player(self.seat), and_list([words("good", token) for token in self.tokens])
        result = f"collects ${self.bonus} extra" if self.bonus else "wins nothing"
        return f"{player} wagers ${self.wager}, reveals {shown}, and {result}."


class Delivered(Event, frozen=True):
    seat: int
    city: str
    number: int
    income: int
    returned: int

    def sentence(self, words: Words) -> str:
        back = f"; {self.returned} of them goes back to the stockpile" if self.returned else ""
        player, city = words.player(self.seat), words("city", self.city)
        return f"{player} receives ${self.income} for {self.number} delivered to {city}{back}."


class TollPaid(Event, frozen=True):
    seat: int
    to: int
    amount: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} pays {words.player(self.to)} a toll of ${self.amount}."


class CityFulfilled(Event, frozen=True):
    city: str
    closed: bool

    def sentence(self, words: Words) -> str:
        after = ", for the second time: it takes no more deliveries" if self.closed else ""
        return f"{words('city', self.city)} is fulfilled{after}."


class NoDemandTile(Event, frozen=True):
    city: str

    def sentence(self, words: Words) -> str:
        return f"No Demand tile is left; {words('city', self.city)} waits for the next Production."


class TilesOffered(Event, frozen=True):
    seat: int
    city: str
    tiles: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        chooser, tiles = words.player(self.seat), goods(words, self.tiles)
        return f"{chooser} chooses the Demand tile for {words('city', self.city)} from {tiles}."


class DemandPlaced(Event, frozen=True):
    city: str
    good: str

    def sentence(self, words: Words) -> str:
        return f"{words('city', self.city)} now wants {words('good', self.good)}."


class Adjusted(Event, frozen=True):
    seat: int
    direction: str
    to: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} adjusts the route {self.direction} to {self.to}."


class FundsSolicited(Event, frozen=True):
    seat: int
    amount: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} solicits funds: ${self.amount}."


class Transmogrified(Event, frozen=True):
    seat: int
    good: str
    into: str
    place: str

    def sentence(self, words: Words) -> str:
        where = "in the hold" if self.place == "hold" else f"on {self.place}"
        become = f"1 {words('good', self.good)} into 2 {words('good', self.into)}"
        return f"{words.player(self.seat)} transmogrifies {become} {where}."


class LinkConstructed(Event, frozen=True):
    seat: int
    link: str
    ends: tuple[str, ...]
    spaces: tuple[str, ...]
    depot: str
    cost: int

    def sentence(self, words: Words) -> str:
        ends = and_list([words("city", end) for end in self.ends])
        over = f"over {and_list(self.spaces)} for ${self.cost}"
        return f"{words.player(self.seat)} links {ends} {over}, with a Depot on {self.depot}."


class CardPlayed(Event, frozen=True):
    seat: int
    card: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} plays {words('cards', self.card)} for a second flight."


class TokenSpent(Event, frozen=True):
    seat: int
    character: str
    left: int

    def sentence(self, words: Words) -> str:
        return f"{words('character', self.character)} spends a token; {self.left} left."


class UpkeepPaid(Event, frozen=True):
    seat: int
    paid: int
    returned: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        back = f" and returns {lots(words, self.returned)}" if self.returned else ""
        return f"{words.player(self.seat)} pays ${self.paid} upkeep{back}."


class MarkerPassed(Event, frozen=True):
    seat: int

    def sentence(self, words: Words) -> str:
        return f"The First-player marker passes to {words.player(self.seat)}."


class Produced(Event, frozen=True):
    made: tuple[tuple[str, int], ...]  # at each factory of a good

    def sentence(self, words: Words) -> str:
        made = and_list([f"{words('good', good)} {number}" for good, number in self.made])
        return f"Each factory produces: {made}. The Market tiles join the Demand stack."


class Cleared(Event, frozen=True):
    seat: int
    lots: tuple[str, ...]
    income: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} clears {lots(words, self.lots)} and receives ${self.income}."


class GameOver(Event, frozen=True):
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        points = and_list([f"{words.player(seat)} {score}" for seat, score in enumerate(self.scores)])
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"Victory points: {points}. {and_list([words.player(seat) for seat in self.winners])} {verb}."


EVENTS: Sequence[type[Event]] = (
    BoardsLaid, FirstPlayer, TeamTaken, CharacterChosen, DepotPlaced, NewMarket, Planned, CycleBegan, TurnSkipped, Flew,
    NoFlight, MoneyStolen, Unloaded, Loaded, GoodStolen, DepotBuilt, AirshipUpgraded, TrainUpgraded, Shipped, Gambled,
    Delivered, TollPaid, CityFulfilled, NoDemandTile, TilesOffered, DemandPlaced, Adjusted, FundsSolicited,
    Transmogrified, LinkConstructed, CardPlayed, TokenSpent, UpkeepPaid, MarkerPassed, Produced, Cleared, GameOver,
)  # fmt: skip

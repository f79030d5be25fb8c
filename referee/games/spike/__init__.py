"""Spike (Stephen Glenn, 2014), for 2 to 4 players."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import About, Game, Play, Standing, View, Viewer, counted, standings
from referee.games.spike import drawing, rules, setup, steady, text
from referee.games.spike.board import SEATS, Board, by_value
from referee.games.spike.events import EVENTS
from referee.games.spike.facts import FACTS
from referee.games.spike.hints import hints
from referee.games.spike.page_tables import tables
from referee.games.spike.scoring import final_key
from referee.games.spike.standing import WORDS
from referee.games.spike.state import ANY_CARD, Position, Settings
from referee.games.spike.view import TableView, table_view
from referee.games.spike.worlds import imagine
from referee.options import Hints, Offer, Rng
from referee.situation import Choice

NO_VALUE: frozenset[str] = frozenset()


class Spike(Game[Position, Board, Settings]):
    key = "spike"
    name = "Spike"
    about = About(
        "Build a railway over the eastern United States and run cargo to the cities that your contracts name.",
        "Every city you connect pays at once, and your train grows in speed, power and cars.",
        minutes=(45, 75),
        weight="light",
    )
    versions = ("1", "2")
    facts = FACTS
    standing = WORDS
    parts = ("map", "market", "players")
    marked = {
        **dict.fromkeys(("city", "space", "path", "cards", "commodity", "contracts", "route", "part"), NO_VALUE),
        "card": frozenset({ANY_CARD}),
    }
    seat_counts = SEATS
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (
        setup.Sides,
        setup.Gift,
        setup.Routes,
        setup.Placement,
        rules.Turn,
        rules.Drawing,
        rules.Arrival,
    )
    event_types = tuple(EVENTS)
    endings = {
        "third_time_card": "The game ended with the third Time card.",
        "special": "The game ended after one more turn for each player but one, who had no track and no delivery left.",
        "standstill": "The game ended because nobody drew, built, upgraded or delivered any more.",
    }
    secrets = ("deck", "players.*.hand", "players.*.route_points", "players.*.routes")
    variants = (Settings(), Settings(advanced=True, start_player="random", short_starts=True))

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        cities: dict[str, tuple[str, ...]] = {city.id: (city.name,) for city in board.cities}
        places = cities | {junction.id: (junction.name,) for junction in board.junctions}
        segments: dict[str, tuple[str, ...]] = {}
        for segment in board.segments:
            a, b = (places[end][0] for end in segment.ends)
            segments[segment.id] = (f"{a}-{b}", f"{b}-{a}")
        cards = {rail.id: (*_counted(rail.id, "card"), rail.name, f"{rail.name} card") for rail in board.rail_types}
        by_lot = {ANY_CARD: ("any", "any card", "anything", "random", "by lot")}
        goods = {
            commodity.id: (commodity.name, f"{commodity.name} contract", commodity.name.removesuffix("s"))
            for commodity in board.commodities
        }
        self.vocabulary = {
            "city": cities,
            "place": places,
            "path": places,
            "space": cities | segments,
            "card": cards | by_lot,
            "cards": cards,
            "commodity": goods,
            "contracts": goods,
            "contract": {
                f"{card.id}{side}": (
                    f"{goods[card.commodity][0]} to "
                    + " or ".join(f"{cities[city][0]} ${value}" for city, value in by_value(card.side(side))),
                )
                for card in board.contracts
                for side in ("a", "b")
            },
            "route": {
                route.id: (board.route_name(route.id), route.id, start, f"{start} route", f"route from {start}")
                for route in board.routes
                for start in [board.city[route.start].name]
            },
            "part": {
                "speed": ("speed", "locomotive", "engine", "loco", "train speed"),
                "power": ("power", "tender", "coal tender", "coal"),
                "cargo": ("cargo", "freight car", "freight", "car", "cars", "wagon", "cargo car"),
            },
        }
        self.seat_values = {"to": [str(seat) for seat in range(seats)]}

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance, self.version)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, view: View, rng: Rng) -> Position:
        return imagine(self.board, self.settings, view, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        """Money lies open; ties go to connected cities and then to unplayed track (Rulebook, Game end)."""
        keys = [final_key(self.board, position, seat) for seat in range(self.seats)]
        notes = [f"{counted(cities, 'city', 'cities')}, {counted(tracks, 'track')} left" for _, cities, tracks in keys]
        return standings([money for money, _, _ in keys], keys if position.ending else None, notes)

    def conserved(self, position: Position) -> Mapping[str, int]:
        """The rail cards of each type, the chips, the contracts."""
        piles = [position.discards, *(player.hand for player in position.players)]
        loose = position.deck + position.display
        sums = {
            f"{rail.id} cards": loose.count(rail.id) + sum(pile.get(rail.id, 0) for pile in piles)
            for rail in self.board.rail_types
        }
        sums["chips"] = sum(len(set(column)) for column in position.market)
        sums["contracts"] = len({commodity for player in position.players for commodity in player.contracts})
        return sums

    def hints(self, view: View, offer: Offer) -> Hints:
        return hints(self.board, view, offer)

    def advice(self, situation: steady.SpikeSituation) -> Iterator[Choice]:
        return steady.advice(situation)

    def prospects(self, position: Position) -> list[float]:
        return steady.prospects(self.board, position)

    def page_tables(self) -> Mapping[str, str]:
        return tables(self.board)

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view, part)


def _counted(name: str, thing: str) -> tuple[str, ...]:
    """How one or more things of a kind are called: red, reds, red card, red cards."""
    return name, f"{name}s", f"{name} {thing}", f"{name} {thing}s"


GAME = Spike

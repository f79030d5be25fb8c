"""Spike (Stephen Glenn, 2014), for 2 to 4 players."""

from collections.abc import Mapping

from referee.chance import Chance
from referee.contract import Game, Play, Standing, View, Viewer, counted, standings
from referee.games.spike import drawing, rules, setup, text
from referee.games.spike.board import SEATS, Board, by_value
from referee.games.spike.events import EVENTS
from referee.games.spike.scoring import final_key
from referee.games.spike.state import Position, Settings
from referee.games.spike.view import TableView, imagine, table_view
from referee.options import Rng


class Spike(Game[Position, Board, Settings]):
    key = "spike"
    name = "Spike"
    version = "1"
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
    }
    variants = (Settings(), Settings(advanced=True, start_player="random"))

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        cities: dict[str, tuple[str, ...]] = {city.id: (city.name,) for city in board.cities}
        places = cities | {junction.id: (junction.name,) for junction in board.junctions}
        segments: dict[str, tuple[str, ...]] = {}
        for segment in board.segments:
            a, b = (places[end][0] for end in segment.ends)
            segments[segment.id] = (f"{a}-{b}", f"{b}-{a}")
        cards = {rail.id: (rail.id, rail.name) for rail in board.rail_types}
        goods = {commodity.id: (commodity.name,) for commodity in board.commodities}
        self.vocabulary = {
            "city": cities,
            "place": places,
            "path": places,
            "space": cities | segments,
            "card": cards,
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
                route.id: (board.route_name(route.id), route.id, board.city[route.start].name) for route in board.routes
            },
            "part": {"speed": ("speed", "locomotive"), "power": ("power", "tender"), "cargo": ("cargo", "freight car")},
        }

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, position: Position, viewer: Viewer, rng: Rng) -> Position:
        return imagine(self.board, position, viewer, rng)

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

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view)


GAME = Spike

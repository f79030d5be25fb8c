"""Airline (Gamma Two Games, 1975), for 2 to 4 players."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from referee.chance import Chance
from referee.contract import About, Game, Phase, Play, Standing, View, Viewer
from referee.games.airline_1975 import bankruptcy, drawing, hints, page, rules, scoring, setup, steady, text
from referee.games.airline_1975.board import BANK, MOST_PLAYERS, Board
from referee.games.airline_1975.deals import Deals
from referee.games.airline_1975.events import EVENTS
from referee.games.airline_1975.facts import FACTS
from referee.games.airline_1975.landing_rights import free_cities
from referee.games.airline_1975.standing import WORDS
from referee.games.airline_1975.state import BASES, DEPARTURE, Position, Settings
from referee.games.airline_1975.turns import A75Phase
from referee.games.airline_1975.view import TableView, table_view
from referee.games.airline_1975.worlds import position_of
from referee.options import Hints, Offer, Rng
from referee.situation import Choice

PLAYERS = ("to", "owner", "maker", "payer")  # what in an order names a player


class Airline1975(Game[Position, Board, Settings]):
    key = "airline-1975"
    name = "Airline (1975)"
    about = About(
        "Fly round the world by the throw of two dice, buy landing rights, and live on the fares that others pay you.",
        "Deals of every kind between players, in turn and out of it, until one airline is left or the rounds are over.",
        minutes=(90, 180),
        weight="medium",
    )
    versions = ("1", "2")
    rows_ahead = 12  # a fare that ruins somebody may be some throws away
    seat_counts = range(2, MOST_PLAYERS + 1)
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (
        setup.Bases,
        rules.Departure,
        rules.Landing,
        bankruptcy.Raising,
        Deals,
        bankruptcy.Claims,
        bankruptcy.Leaving,
    )
    event_types = tuple(EVENTS)
    endings = {
        "last_player": "The last player left in the game has won.",
        "short_game": "The short game ended with the first bankruptcy; the highest assets win.",
        "last_round": "The last round is over; the highest assets win.",
    }
    facts = FACTS
    standing = WORDS
    parts = ("map", "track", "market", "players")
    marked: ClassVar[Mapping[str, frozenset[str]]] = dict.fromkeys(
        ("city", "aircraft", "give", "want", "to", "deal"), frozenset()
    )
    variants = (
        Settings(),
        Settings(short=True),
        Settings(first_turn="dice_winner", collection="strict", max_cities=4),
        Settings(collection="strict", short=True, rounds=30, turn_end="on_pass", debtor_deals="with_anybody"),
        Settings(rounds=10, throws="by_referee"),
        Settings(collection="strict", rounds=20, throws="by_referee", turn_end="without_deals"),
    )

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        departure = self.phases[DEPARTURE]
        assert isinstance(departure, rules.Departure)
        for phase in self.phases.values():
            assert isinstance(phase, A75Phase)
            phase.departure = departure
        # Deals, claims and leaving are open beside the turn; while bases are chosen there is nothing to deal.
        beside = tuple(self.phases[name] for name in ("deals", "claims", "leaving"))
        self._open_phases = {name: (phase, *beside) for name, phase in self.phases.items()}
        self._open_phases[BASES] = (self.phases[BASES], self.phases["leaving"])
        cities = {city.id: (city.name,) for city in board.cities}
        specials = {space.kind: (space.kind.replace("_", " ").title(),) for space in board.track if not space.city}
        self.vocabulary = {
            "city": cities,
            "give": cities,
            "want": cities,
            "space": cities | specials,
            "aircraft": {aircraft.id: (aircraft.name,) for aircraft in board.aircraft},
            # The bank too, so that an offer to it is refused with a reason.
            **{field: {colour: (colour,) for colour in (*board.colours.list[:seats], BANK)} for field in PLAYERS},
        }
        self.seat_values = dict.fromkeys(PLAYERS, board.colours.list[:seats])

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance, self.version)

    def open_phases(self, position: Position) -> tuple[Phase[Position, Board], ...]:
        return () if position.ending else self._open_phases[position.phase]

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position)

    def imagine(self, view: View, rng: Rng) -> Position:
        """Nothing is hidden: every viewer knows the position."""
        return position_of(view)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        return scoring.standings(self.board, position)

    def conserved(self, position: Position) -> Mapping[str, int]:
        owned = [city for player in position.players for city in player.cities]
        return {
            "money": position.bank + sum(player.cash for player in position.players),
            "cities": len(free_cities(self.board, position)) + len(owned),
        }

    def hints(self, view: View, offer: Offer) -> Hints:
        return hints.hints(self.board, view, offer)

    def advice(self, situation: steady.A75Situation) -> Iterator[Choice]:
        return steady.advice(situation)

    def prospects(self, position: Position) -> list[float]:
        return steady.prospects(self.board, position)

    def page_tables(self) -> Mapping[str, str]:
        return page.tables(self.board)

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view, part)


GAME = Airline1975

"""Mail Run, for 2 to 4 players: letters are flown to their cities."""

from collections.abc import Mapping

from referee.chance import Chance
from referee.contract import Game, Play, Standing, View, Viewer, counted, standings
from referee.games.mail_run import drawing, rules, setup
from referee.games.mail_run.board import SEAT_COUNTS, Board
from referee.games.mail_run.events import EVENTS
from referee.games.mail_run.state import Fly, Position, Settings
from referee.games.mail_run.text import cities_table, flight_hints, text_board
from referee.games.mail_run.view import TableView, table_view
from referee.games.mail_run.worlds import imagine
from referee.options import NO_HINTS, Hints, Offer, Rng


class MailRun(Game[Position, Board, Settings]):
    key = "mail-run"
    name = "Mail Run"
    version = "1"
    seat_counts = SEAT_COUNTS
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (rules.Bidding, rules.Flight)
    event_types = EVENTS
    endings = {rules.LAST_ROUND: "The game ended with the last round."}
    secrets = ("deck", "players.*.hand")
    variants = (Settings(), Settings(long_flights=True))
    parts = ("map", "players")
    marked = {"city": frozenset()}  # every city has its place on the map

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        self.vocabulary = {"city": {city.id: (city.name,) for city in board.cities}}

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(position, viewer)

    def imagine(self, view: View, rng: Rng) -> Position:
        return imagine(self.board, view, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        """Deliveries lie open; ties go to coins (MR-06)."""
        keys = [(player.delivered, player.coins) for player in position.players]
        notes = [counted(player.coins, "coin") for player in position.players]
        scores = [player.delivered for player in position.players]
        return standings(scores, keys if position.ending else None, notes)

    def conserved(self, position: Position) -> Mapping[str, int]:
        letters = [
            *position.deck,
            *position.delivered,
            *(letter for player in position.players for letter in player.hand),
        ]
        return {
            "coins": position.bank + sum(player.coins for player in position.players),
            **{f"letters for {city.name}": letters.count(city.id) for city in self.board.cities},
        }

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text_board(self.board, view, part)

    def hints(self, view: View, offer: Offer) -> Hints:
        return flight_hints(self.board, view, offer) if offer.move is Fly else NO_HINTS

    def page_tables(self) -> Mapping[str, str]:
        return {"cities": cities_table(self.board)}


GAME = MailRun

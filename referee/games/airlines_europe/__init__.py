"""Airlines Europe (Alan R. Moon, 2011), for 2 to 5 players."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import About, Game, Play, Standing, View, Viewer
from referee.games.airlines_europe import drawing, hints, rules, scoring, setup, steady, tables, text
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.events import EVENTS
from referee.games.airlines_europe.facts import FACTS
from referee.games.airlines_europe.standing import WORDS
from referee.games.airlines_europe.state import AIR_ABACUS, PILE, SCORING_CARD, Position, Settings
from referee.games.airlines_europe.view import TableView, table_view
from referee.games.airlines_europe.worlds import imagine
from referee.options import Hints, Offer, Rng
from referee.situation import Choice

PILE_NAMES = (
    "pile", "from pile", "draw pile", "from draw pile", "top card", "card", "draw", "blind", "card from pile",
    "card from draw pile", "top card from pile", "top of pile", "from top of pile",
)  # fmt: skip


def route_names(a: str, b: str) -> tuple[str, ...]:
    """How a route is called, from either end."""
    return tuple(f"{one}{between}{other}" for between in ("-", " to ", " and ") for one, other in ((a, b), (b, a)))


class AirlinesEurope(Game[Position, Board, Settings]):
    key = "airlines-europe"
    name = "Airlines Europe"
    about = About(
        "Buy licences for eight airlines and play out shares of those that grow.",
        "Any player may build up any airline; whoever holds its shares is paid when a hidden scoring card turns up.",
        minutes=(60, 90),
        weight="light",
    )
    versions = ("1", "2")
    seat_counts = range(2, 6)
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (setup.Opening, rules.Turn, rules.Share, rules.Clearing)
    event_types = tuple(EVENTS)
    endings = {
        "third_scoring": "The game ended with the third scoring.",
        "blocked": "The game ended early: no airline could buy another licence.",
    }
    facts = FACTS
    standing = WORDS
    parts = ("map", "track", "market", "players")
    marked = dict.fromkeys(("route", "airline", "share", "shares", "hand", "held"), frozenset[str]())
    secrets = ("deck", "discards", "players.*.hand", "players.*.lot", "players.*.vp")
    variants = (Settings(), Settings(start_player="random", jitter=False))

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        airlines = {airline.id: (airline.id, airline.name, f"{airline.id}s") for airline in board.airlines}
        shares = airlines | {AIR_ABACUS: (board.air_abacus.name, "abacus")}
        cities = {city.id: (city.name,) for city in board.cities}
        routes = {route.id: route_names(cities[route.a][0], cities[route.b][0]) for route in board.routes}
        self.vocabulary = {
            "airline": shares,
            "shares": shares,
            "hand": shares,
            "held": shares,
            "share": shares | {PILE: PILE_NAMES},
            "route": routes,
            "city": cities,
        }

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance, has_lots=self.version != "1")

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, view: View, rng: Rng) -> Position:
        return imagine(self.board, self.settings, view, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        return scoring.standings(position, viewer)

    def conserved(self, position: Position) -> Mapping[str, int]:
        """All money (AE-S02), each airline's planes and shares, and the Air ABACUS shares."""
        sums = {"money": position.bank + sum(player.cash for player in position.players)}
        piles = [position.discards, *(pile for player in position.players for pile in (player.hand, player.holdings))]
        loose = position.market + position.deck
        for airline, state in position.airlines.items():
            sums[f"{airline} planes"] = state.planes + sum(airline in own for own in position.licences)
            sums[f"{airline} shares"] = loose.count(airline) + sum(pile.get(airline, 0) for pile in piles)
        sums["Air ABACUS shares"] = position.air_abacus + sum(pile.get(AIR_ABACUS, 0) for pile in piles)
        sums["scoring cards"] = position.deck.count(SCORING_CARD) + position.due + position.scorings
        return sums

    def hints(self, view: View, offer: Offer) -> Hints:
        return hints.hints(self.board, view, offer)

    def advice(self, situation: steady.AESituation) -> Iterator[Choice]:
        return steady.advice(situation)

    def prospects(self, position: Position) -> list[float]:
        return steady.prospects(self.board, position)

    def page_tables(self) -> Mapping[str, str]:
        return tables.page_tables(self.board, self.seat_counts)

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view, part)


GAME = AirlinesEurope

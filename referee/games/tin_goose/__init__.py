"""Tin Goose (Matt Calkins, 2015), for 3 to 5 players."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import About, Game, Play, Standing, View, Viewer, standings
from referee.games.tin_goose import actions, auction, drawing, event_cards, hints, rules, scoring, setup, steady, tables
from referee.games.tin_goose.board import SEAT_COUNTS, Board
from referee.games.tin_goose.components import FORD_TRIMOTOR, AirmailRoute, EraCard
from referee.games.tin_goose.events import EVENTS
from referee.games.tin_goose.events import parts as score_parts
from referee.games.tin_goose.facts import FACTS
from referee.games.tin_goose.standing import WORDS
from referee.games.tin_goose.state import NO_CONDITION, Position, Settings
from referee.games.tin_goose.text import text_board
from referee.games.tin_goose.view import TableView, table_view
from referee.games.tin_goose.worlds import imagine
from referee.options import Hints, Offer, Rng
from referee.situation import Choice


class TinGoose(Game[Position, Board, Settings]):
    key = "tin-goose"
    name = "Tin Goose"
    about = About(
        "Build an airline in the dawn of aviation: bid for fleets, fly to new cities, outlast strikes and crashes.",
        "You begin clumsy: a good part of the game is getting rid of your own airline's bad habits.",
        minutes=(120, 180),
        weight="heavy",
    )
    versions = ("1", "2")
    seat_counts = SEAT_COUNTS
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (
        setup.Airmail, setup.AirmailChoice, rules.Card, event_cards.Strike, auction.Auction, auction.Acquisition,
        actions.Actions,
    )  # fmt: skip
    event_types = tuple(EVENTS)
    endings = {
        scoring.CLEAR_WIN: "The game ended with the seventh round and one winner.",
        scoring.SHARED_VICTORY: "The game ended with the seventh round and a shared victory.",
    }
    facts = FACTS
    standing = WORDS
    parts = ("map", "track", "market", "players")
    marked = {
        "city": frozenset(),
        "airmail": frozenset(),
        "card": frozenset(),
        "fleet": frozenset(),
        "condition": frozenset({NO_CONDITION}),
        "destination": frozenset(),
    }
    variants = (Settings(), Settings(even_events=True, open_screens=True))

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        screened = () if self.settings.open_screens else ("bonds", "cash", "labor_chips")
        self.secrets = ("removed", *(f"players.*.{what}" for what in ("face_down", "hand", *screened)))
        cities = {city.id: city.name for city in board.cities}
        fleets = {card: (board.card_name(card), fleet.name) for card, fleet in board.fleet.items()}
        self.vocabulary = {
            "city": {city: (name,) for city, name in cities.items()},
            "airmail": {route.id: self._route_names(route) for route in board.airmail_routes},
            "card": {card.id: self._card_names(card) for card in board.era_cards},
            # A city is no fleet, though a fleet has one in its name: `place Omaha from Denver` is asked back.
            "fleet": fleets
            | {FORD_TRIMOTOR: (board.ford_trimotor.name, "trimotor")}
            | {city: (name,) for city, name in cities.items()},
            "condition": {condition.id: _condition_names(condition.name) for condition in board.conditions}
            | {NO_CONDITION: ("nothing", "keep")},
            "destination": {destination.id: (destination.name,) for destination in board.international},
        }

    def _route_names(self, route: AirmailRoute) -> tuple[str, ...]:
        start, goal = self.board.city[route.start].name, self.board.city[route.destination].name
        return self.board.route_name(route.id), f"{start} to {goal}", start

    def _card_names(self, card: EraCard) -> tuple[str, ...]:
        """In full, and shorter: the order parser takes a short name where only one card has it."""
        what, city = self.board.kind[card.fleet].name if card.fleet else card.kind, self.board.city[card.city].name
        return self.board.card_name(card.id), f"{what} {city}", f"{what} in {city}", f"{city} {what}", what, city

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, self.settings, position, viewer)

    def advice(self, situation: steady.TGSituation) -> Iterator[Choice]:
        return steady.advice(situation)

    def imagine(self, view: View, rng: Rng) -> Position:
        return imagine(self.board, self.settings, view, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        """Money is secret until the end, if the screens are not open: till then everybody knows only what they would
        score themselves."""
        scores = [scoring.score(self.board, position, seat) for seat in range(self.seats)]
        if not position.ending:
            is_open = self.settings.open_screens
            return standings(
                [score.total if is_open or viewer.sees(seat) else None for seat, score in enumerate(scores)]
            )
        totals = [score.total for score in scores]
        return standings(totals, [(total,) for total in totals], [score_parts(score) for score in scores])

    def conserved(self, position: Position) -> Mapping[str, int]:
        """Cards, demand tokens, and for each player the planes per fleet and the fleets plus conditions (TG-F24)."""
        players, constants = position.players, self.board.constants
        loose = [*position.discards, *position.removed, *[position.card] * bool(position.card)]
        cards = loose + [card for player in players for card in player.hand + player.face_down]
        cards += [fleet.card for player in players for fleet in player.fleets]
        sums = {
            "fleet and event cards": len(cards),
            "different ones": len(set(cards) - {FORD_TRIMOTOR}),
            "airmail cards": len(position.airmail)
            + len(position.airmail_discards)
            + sum(bool(player.airmail) for player in players),
            "gold demand": sum(tokens.gold for tokens in position.demand.values()),
            "silver demand": sum(tokens.silver for tokens in position.demand.values()) + position.silver_spent,
        }
        for seat, player in enumerate(players):
            placed = len(player.cities) + len(player.international) - player.extensions
            planes = placed + sum(fleet.planes for fleet in player.fleets)
            sums[f"planes of seat {seat}"] = planes - constants.planes_per_fleet * len(player.fleets)
            sums[f"fleets and conditions of seat {seat}"] = len(player.fleets) + len(player.conditions) - player.forgone
        return sums

    def hints(self, view: View, offer: Offer) -> Hints:
        return hints.hints(self.board, view, offer)

    def prospects(self, position: Position) -> list[float]:
        return steady.prospects(self.board, position)

    def page_tables(self) -> Mapping[str, str]:
        return tables.page_tables(self.board)

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text_board(self.board, view, part)


def _condition_names(name: str) -> tuple[str, ...]:
    """In full, by its first two words, and by any word that is long enough to mean it."""
    words = name.split()
    return name, " ".join(words[:2]), *[word for word in words if len(word) > 4 and word != "Along"]


GAME = TinGoose

"""Tin Goose (Matt Calkins, 2015), for 3 to 5 players."""

from collections.abc import Mapping

from referee.chance import Chance
from referee.contract import Game, Play, Standing, View, Viewer, standings
from referee.games.tin_goose import actions, auction, drawing, event_cards, rules, scoring, setup
from referee.games.tin_goose.board import SEAT_COUNTS, Board
from referee.games.tin_goose.components import FORD_TRIMOTOR, EraCard
from referee.games.tin_goose.events import EVENTS, parts
from referee.games.tin_goose.state import NO_CONDITION, Position, Settings
from referee.games.tin_goose.text import text_board
from referee.games.tin_goose.view import TableView, imagine, table_view
from referee.options import Rng


class TinGoose(Game[Position, Board, Settings]):
    key = "tin-goose"
    name = "Tin Goose"
    version = "1"
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
    variants = (Settings(), Settings(even_events=True))

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        cities = {city.id: city.name for city in board.cities}
        fleets = {card: (board.fleet_name(card), fleet.name) for card, fleet in board.fleet.items()}
        words = {condition.id: condition.name.split() for condition in board.conditions}
        conditions = {condition: (" ".join(name), " ".join(name[:2]), name[0]) for condition, name in words.items()}
        self.vocabulary = {
            "city": {city: (name,) for city, name in cities.items()},
            "airmail": {route.id: (board.route_name(route.id), cities[route.start]) for route in board.airmail_routes},
            "card": {card.id: self._card_names(card) for card in board.era_cards},
            "fleet": fleets | {FORD_TRIMOTOR: (board.ford_trimotor.name, "trimotor")},
            "condition": conditions | {NO_CONDITION: ("nothing",)},
            "destination": {destination.id: (destination.name,) for destination in board.international},
        }

    def _card_names(self, card: EraCard) -> tuple[str, ...]:
        """In full, and shorter: the order parser takes a short name where only one card has it."""
        what, city = self.board.kind[card.fleet].name if card.fleet else card.kind, self.board.city[card.city].name
        return self.board.card_name(card.id), f"{what} {city}", what, city

    def setup(self, chance: Chance) -> Play[Position]:
        return setup.setup(self.board, self.seats, self.settings, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, position: Position, viewer: Viewer, rng: Rng) -> Position:
        return imagine(self.board, self.settings, position, viewer, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        """Money is secret until the end: till then everybody knows only what they would score themselves."""
        scores = [scoring.score(self.board, position, seat) for seat in range(self.seats)]
        if not position.ending:
            return standings([score.total if viewer.sees(seat) else None for seat, score in enumerate(scores)])
        totals = [score.total for score in scores]
        return standings(totals, [(total,) for total in totals], [parts(score) for score in scores])

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

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view)

    def text(self, view: View, part: str = "") -> str:
        return text_board(self.board, view)


GAME = TinGoose

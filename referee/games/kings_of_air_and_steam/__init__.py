"""Kings of Air & Steam (Scott Almes, 2013), for 2 to 7 players, Basic and Normal game."""

from collections.abc import Mapping

from referee.chance import Chance
from referee.contract import Game, Play, Standing, View, Viewer
from referee.games.kings_of_air_and_steam import (
    actions,
    clearance,
    drawing,
    flight,
    load_unload,
    rules,
    scoring,
    setup,
    ship_goods,
    text,
)
from referee.games.kings_of_air_and_steam.board import Board, Card
from referee.games.kings_of_air_and_steam.events import EVENTS
from referee.games.kings_of_air_and_steam.hexes import DIRECTION_NAMES
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from referee.games.kings_of_air_and_steam.state import DEPOT, HOLD, Position, Settings, lot
from referee.games.kings_of_air_and_steam.view import TableView, imagine, table_view
from referee.options import Rng


class KingsOfAirAndSteam(Game[Position, Board, Settings]):
    key = "kings-of-air-and-steam"
    name = "Kings of Air & Steam"
    version = "1"
    seat_counts = range(2, 8)
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (
        setup.Teams, setup.Characters, setup.Placement, rules.Planning, flight.Flight, load_unload.Cargo,
        load_unload.Loading, ship_goods.SphinxShipment, load_unload.Theft, actions.Action, actions.PerpetualMotion,
        ship_goods.MarketSense, rules.Upkeep, clearance.Clearance,
    )  # fmt: skip
    event_types = tuple(EVENTS)
    endings = {"five_rounds": "The game ended after five rounds and the Clearance."}
    variants = (
        Settings(),
        Settings(game="normal", teams="random", cutthroat=True),
        Settings(game="normal", uncertainty=True, boards="ABCFG"),
    )

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        goods = {good: (good.capitalize(),) for good in board.goods}
        cities = {city.id: (city.name,) for city in board.city.values()}
        links = {link.id: (link.id,) for game_board in board.boards for link in game_board.links}
        spaces: dict[str, tuple[str, ...]] = {}
        for arrangement in board.arrangements:
            for letters in arrangement.board_sets:
                area = assemble(board, tuple(Placed(letter, 0) for letter in letters))
                links |= {name: (name,) for name in area.links}
                spaces |= {name: (name,) for name in area.place}
        cards = {card.id: self._card_names(card) for card in board.cards}
        cards |= {card.id: (card.name,) for card in board.special_cards}
        colours = {colour.id: (colour.id,) for colour in board.colours}
        places = {place: (place,) for place in (HOLD, DEPOT)}
        directions = {way: (way, name) for way, name in DIRECTION_NAMES.items()}
        self.vocabulary = {
            **dict.fromkeys(("good", "goods", "jettison", "into", "extra"), goods),
            **dict.fromkeys(("city", "end"), cities),
            **dict.fromkeys(("cards", "card"), cards),
            **dict.fromkeys(("pay", "victim", "sparing"), colours),
            **dict.fromkeys(("path", "direction"), directions),
            **dict.fromkeys(("space", "track"), spaces),
            "start": cities | spaces,
            "destination": cities | spaces,
            "via": links | spaces,
            "place": places | spaces,
            "lots": {item: (item,) for place in [HOLD, *spaces] for good in board.goods for item in [lot(place, good)]},
            "team": {team.id: (team.name,) for team in board.teams},
            "character": {person.id: (person.name, person.name.split()[0]) for person in board.character.values()},
        }

    def _card_names(self, card: Card) -> tuple[str, ...]:
        """`4d`, and `4` too where only one card has this value."""
        named_so = [other.id for other in self.board.cards if other.name == card.name]
        return (card.id, card.name) if named_so == [card.id] else (card.id,)

    def setup(self, chance: Chance) -> Play[Position]:
        return rules.begin(self.board, self.seats, self.settings, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, position: Position, viewer: Viewer, rng: Rng) -> Position:
        return imagine(position, viewer, rng)

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        return scoring.standings(self.board, position)

    def conserved(self, position: Position) -> Mapping[str, int]:
        """Tiles, each player's Depots and cards, and the cubes of each good with its stockpile."""
        tiles = len(position.tiles) + len(position.bins) + len(position.demand)
        sums = {"tiles": tiles + sum(city.tile for city in position.cities.values())}
        for seat, player in enumerate(position.players):
            sums[f"depots {seat}"] = player.supply + len(player.depots)
            cards = [*player.deck, *player.plan, *[player.card] * bool(player.card), *player.shown]
            sums[f"cards {seat}"] = len(cards) - bool(player.team)
        factory_at = assemble(self.board, position.layout).factory_at
        for good in self.board.goods:
            sums[good] = (
                position.stock[good]
                + sum(waiting for space, waiting in position.factories.items() if factory_at[space] == good)
                + sum(city.goods.get(good, 0) for city in position.cities.values())
                + sum(player.hold.count(good) for player in position.players)
                + sum(goods.get(good, 0) for player in position.players for goods in player.depots.values())
            )
        return sums

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view)


GAME = KingsOfAirAndSteam

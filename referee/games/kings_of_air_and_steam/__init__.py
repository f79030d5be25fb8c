"""Kings of Air & Steam (Scott Almes, 2013), for 2 to 7 players, Basic and Normal game."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from referee.chance import Chance
from referee.contract import About, Game, Play, Standing, View, Viewer
from referee.games.kings_of_air_and_steam import (
    actions,
    clearance,
    drawing,
    flight,
    hints,
    load_unload,
    page,
    rules,
    scoring,
    setup,
    ship_goods,
    steady,
    text,
)
from referee.games.kings_of_air_and_steam.board import Board, Card
from referee.games.kings_of_air_and_steam.events import EVENTS
from referee.games.kings_of_air_and_steam.facts import FACTS
from referee.games.kings_of_air_and_steam.hexes import DIRECTION_NAMES, DIRECTIONS
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble, stub_name
from referee.games.kings_of_air_and_steam.standing import WORDS
from referee.games.kings_of_air_and_steam.state import DEPOT, HOLD, Position, Settings, lot
from referee.games.kings_of_air_and_steam.view import TableView, table_view
from referee.games.kings_of_air_and_steam.worlds import imagine
from referee.options import Hints, Offer, Rng
from referee.situation import Choice

Names = dict[str, tuple[str, ...]]  # value -> how it is written, the first as it is shown

GOODS = {"chemicals": ("chemical",), "textiles": ("textile",), "luxuries": ("luxury",), "machinery": ("machines",)}


# Fields whose values are marked in the picture: on the map, in the market, on the sheets, among one's own cards.
MARKED = dict.fromkeys(
    (
        "space", "start", "destination", "end", "track", "via", "lots", "good", "goods", "into",
        "pay", "victim", "sparing", "card", "cards",
    ),
    frozenset[str](),
) | {"jettison": frozenset({""}), "extra": frozenset({""}), "place": frozenset({HOLD, DEPOT})}  # fmt: skip


class KingsOfAirAndSteam(Game[Position, Board, Settings]):
    key = "kings-of-air-and-steam"
    name = "Kings of Air & Steam"
    about = About(
        "Send an airship to fetch goods from the factories, and trains to bring them where they are wanted.",
        "Everybody plans in secret, and the plans are flown card by card: the fast go first, the heavy go last.",
        minutes=(60, 90),
        weight="medium",
    )
    versions = ("1", "2")
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
    facts = FACTS
    standing = WORDS
    parts = ("map", "market", "players")
    marked = MARKED
    endings = {"five_rounds": "The game ended after five rounds and the Clearance."}
    secrets = ("players.*.deck", "players.*.plan")
    variants = (
        Settings(),
        Settings(game="normal", teams="random", cutthroat=True, flights_end="flight", stub_depots=False),
        Settings(game="normal", uncertainty=True, boards="ABCFG"),
    )

    def __init__(self, board: Board, seats: int, settings: Settings | None = None) -> None:
        super().__init__(board, seats, settings)
        goods = {good: (good.capitalize(), *GOODS.get(good, ())) for good in board.goods}
        spaces, links, cities = self._map_names()
        cards = {card.id: self._card_names(card) for card in board.cards}
        cards |= {card.id: (card.name, f"{card.name} {card.letter}") for card in board.special_cards}
        colours = {colour.id: (colour.id,) for colour in board.colours[:seats]}
        places = {place: (place,) for place in (HOLD, DEPOT)}
        directions = {way: (way, *names) for way, names in DIRECTION_NAMES.items()}
        self.seat_values = dict.fromkeys(("pay", "victim", "sparing"), tuple(colours))
        self.vocabulary = {
            **dict.fromkeys(("good", "goods", "jettison", "into", "extra"), goods),
            **dict.fromkeys(("city", "end"), cities),
            **dict.fromkeys(("cards", "card"), cards),
            **dict.fromkeys(("pay", "victim", "sparing"), colours),
            **dict.fromkeys(("path", "direction"), directions),
            "space": spaces | links | cities,  # a Link or a City is answered with its spaces
            "track": spaces,
            "start": cities | spaces,
            "destination": cities | spaces,
            "via": links | spaces,
            "place": places | spaces,
            "lots": {
                lot(place, good): (lot(place, good), f"{good} from {place}")
                for place in [HOLD, *spaces]
                for good in board.goods
            },
            "team": {team.id: (team.name,) for team in board.teams},
            "character": {person.id: (person.name, person.name.split()[0]) for person in board.character.values()},
        }

    def _map_names(self) -> tuple[Names, Names, Names]:
        """What spaces, Links and Cities are called, those that this number of players can have on the table."""
        spaces: Names = {}
        links: Names = {}
        cities: Names = {}
        for letters in self.board.arrangement_for(self.seats, self.settings.cutthroat).board_sets:
            area = assemble(self.board, tuple(Placed(letter, 0) for letter in letters))
            spaces |= {name: (name,) for name in area.place}
            between = ["".join(two) for two in combinations(sorted(letters), 2)]
            stubs = [stub_name(letter, way) for letter in letters for way in DIRECTIONS]
            links |= {name: (name, f"link {name}") for name in [*area.links, *between]}
            links |= {name: (name,) for name in stubs}
            cities |= {city: (self.board.city[city].name,) for city in area.city_at.values()}
        tiles = max((who.tokens for who in self.board.character.values()), default=0)
        links |= {f"new{number}": (f"new{number}",) for number in range(1, tiles + 1)}
        return spaces, links, cities

    def _card_names(self, card: Card) -> tuple[str, ...]:
        """`4d`, with its letter `4dE`; `4`, `4E` and `E` too where only one card has this value or this letter."""
        others = [other for other in self.board.cards if other.id != card.id]
        names = [card.id, card.id + card.letter, card.letter]
        if card.name not in {other.name for other in others}:
            names += [card.name, card.name + card.letter]
        taken = {other.id.casefold() for other in others}  # 3D is 3d, the card with a diamond
        return tuple(name for name in dict.fromkeys(names) if name.casefold() not in taken)

    def setup(self, chance: Chance) -> Play[Position]:
        return rules.begin(self.board, self.seats, self.settings, self.version, chance)

    def view(self, position: Position, viewer: Viewer) -> TableView:
        return table_view(self.board, position, viewer)

    def imagine(self, view: View, rng: Rng) -> Position:
        return imagine(self.board, view, rng)

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

    def hints(self, view: View, offer: Offer) -> Hints:
        return hints.hints(self.board, view, offer)

    def advice(self, situation: steady.KASSituation) -> Iterator[Choice]:
        return steady.advice(situation)

    def prospects(self, position: Position) -> list[float]:
        return steady.prospects(self.board, position)

    def page_tables(self) -> Mapping[str, str]:
        return page.page_tables(self.board)

    def picture(self, view: View, part: str = "") -> str:
        return drawing.picture(self.board, view, part)

    def text(self, view: View, part: str = "") -> str:
        return text.text_board(self.board, view, part)


GAME = KingsOfAirAndSteam

"""The printed data of Kings of Air & Steam: game boards, cards, upgrade tracks, teams."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal

import msgspec

from referee import contract
from referee.games.kings_of_air_and_steam.hexes import COMPASS, DIRECTIONS, SIDES, Hex, add, bend, times, turn

LEVELS = 6  # of each upgrade track
FEWEST_PLAYERS = 2
SHARP_BEND = 2  # sixths of a circle; a track bends by less
BOARDS_AT_A_BUMPER = 2
SPACE, BUILT = (re.compile(pattern, re.IGNORECASE) for pattern in (r"[A-Z]+\d+", r"new\d+"))


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something printed; `prov` says where we know it from."""


class Colour(Part, frozen=True):
    id: str
    prov: str


class Components(Part, frozen=True):
    game_boards: int
    bumpers: int
    player_boards: int
    upgrade_markers: int
    airships: int
    character_cards: int
    market_tiles: int
    depot_tokens: int
    movement_cards: int
    cubes_of_each_good: int
    prov: str


class Constants(Part, frozen=True):
    rounds: int
    cycles: int
    start_money: int
    depots: int
    first_depot_on_link: int
    later_depot_on_link: int
    solicit_funds: int
    toll: int
    upkeep: int
    clearance: int
    city_slots: int
    demand_slots: int
    factory_start: int
    factory_production: int
    factory_bonus: int
    vp_dollar: int
    vp_depot: int
    vp_full_airship: int
    prov: str


class Market(Part, frozen=True):
    drawers: tuple[int, ...]
    drawers_prov: str
    bins: int
    tiles_of_each_good: int
    tiles_of_each_good_in_play: int
    removed_unseen: int
    prov: str


class Shape(Part, frozen=True, dict=True):
    pitch: int
    whole_hexes: tuple[Hex, ...]
    prov: str

    @cached_property
    def half_hexes(self) -> tuple[Hex, ...]:
        return tuple(times(step, self.pitch // 2) for step in DIRECTIONS.values())

    @cached_property
    def third_hexes(self) -> tuple[Hex, ...]:
        steps = [DIRECTIONS[way] for way in COMPASS]
        return tuple(times(add(steps[i], steps[(i + 1) % SIDES]), self.pitch // 3) for i in range(SIDES))

    @property
    def cut_hexes(self) -> tuple[Hex, ...]:
        return self.half_hexes + self.third_hexes

    def notches(self, centres: Iterable[Hex]) -> list[Hex]:
        """The corners between two boards around these centres: each takes a bumper."""
        corners = Counter(add(centre, corner) for centre in centres for corner in self.third_hexes)
        return [place for place, boards in corners.items() if boards == BOARDS_AT_A_BUMPER]


class City(Part, frozen=True):
    id: str
    name: str
    good: str
    at: Hex
    name_prov: str
    prov: str


class Factory(Part, frozen=True):
    good: str
    at: Hex
    prov: str


class Exit(Part, frozen=True):
    city: str
    spaces: tuple[Hex, ...]


class InnerLink(Part, frozen=True):
    id: str
    ends: tuple[str, str]
    spaces: tuple[Hex, ...]


class GameBoard(Part, frozen=True):
    id: str
    cities: tuple[City, ...]
    factories: tuple[Factory, ...]
    exits: tuple[Exit, ...]
    links: tuple[InnerLink, ...]
    prov: str


class Arrangement(Part, frozen=True):
    id: str
    board_sets: tuple[str, ...]
    players: tuple[int, ...]
    cutthroat_players: tuple[int, ...]
    bumpers: int
    centres: tuple[Hex, ...]
    prov: str
    centres_prov: str


class Card(Part, frozen=True):
    id: str
    name: str
    values: tuple[int, ...]
    letter: str
    diamonds: int
    prov: str
    copies: int = 1
    flights: int = 1
    actions: int = 1
    straight: bool = False
    then: Literal["", "ship", "steal"] = ""  # between movement and action


class AirshipLevel(Part, frozen=True):
    diamonds: int
    capacity: int
    cost: int
    prov: str


class TrainLevel(Part, frozen=True):
    rating: int
    cost: int
    vp: int
    prov: str


class Character(Part, frozen=True):
    id: str
    name: str
    ability: str
    prov: str
    tokens: int = 0
    start_money: int = 0
    discount: int = 0
    most_wager: int = 0
    bonus: int = 0
    steal: int = 0


class Team(Part, frozen=True):
    id: str
    name: str
    priority: int
    airship: str
    characters: tuple[Character, Character]
    prov: str


class Board(contract.Board, frozen=True, kw_only=True, dict=True, eq=False):
    # eq=False: a board is hashed by its identity, not by all its data, because play areas are cached by board.
    most: ClassVar[Mapping[str, int]] = {
        "goods": 8,
        "colours": 12,
        "boards": 14,
        "boards.links": 20,
        "arrangements": 12,
        "arrangements.centres": 24,
        "constants.rounds": 12,
        "constants.cycles": 8,
        "constants.depots": 40,
        "constants.city_slots": 20,
        "constants.demand_slots": 12,
        "constants.factory_start": 10,
        "constants.factory_production": 10,
        "shape.pitch": 12,
        "shape.whole_hexes": 150,
        "cards": 20,
        "cards.values": 8,
        "cards.copies": 6,
        "cards.diamonds": 8,
        "cards.flights": 2,
        "special_cards": 14,
        "special_cards.values": 8,
        "special_cards.copies": 6,
        "special_cards.flights": 2,
        "airships.diamonds": 12,
        "airships.capacity": 20,
        "train.rating": 12,
        "teams": 14,
    }

    goods: tuple[str, ...]
    colours: tuple[Colour, ...]
    components: Components
    constants: Constants
    market: Market
    shape: Shape
    boards: tuple[GameBoard, ...]
    arrangements: tuple[Arrangement, ...]
    cards: tuple[Card, ...]
    special_cards: tuple[Card, ...]
    airships: dict[str, tuple[AirshipLevel, ...]]
    train: tuple[TrainLevel, ...]
    teams: tuple[Team, ...]

    @cached_property
    def card(self) -> dict[str, Card]:
        return {card.id: card for card in self.cards + self.special_cards}

    @cached_property
    def team(self) -> dict[str, Team]:
        return {team.id: team for team in self.teams}

    @cached_property
    def character(self) -> dict[str, Character]:
        return {character.id: character for team in self.teams for character in team.characters}

    @cached_property
    def city(self) -> dict[str, City]:
        return {city.id: city for board in self.boards for city in board.cities}

    def arrangement_of(self, boards: int) -> Arrangement:
        return next(arrangement for arrangement in self.arrangements if len(arrangement.centres) == boards)

    def arrangement_for(self, players: int, cutthroat: bool) -> Arrangement:
        """The chart of the rulebook: which boards for how many players."""
        for arrangement in self.arrangements:
            if cutthroat and players in arrangement.cutthroat_players:
                return arrangement
        return next(arrangement for arrangement in self.arrangements if players in arrangement.players)

    def card_name(self, card: str) -> str:
        """`4d`; a special card goes by its name."""
        return next((special.name for special in self.special_cards if special.id == card), card)

    def deck(self, team: str = "") -> list[str]:
        """A player's movement cards; the special card only in the Normal game, where there are teams."""
        return [card.id for card in self.cards for _ in range(card.copies)] + [team] * bool(team)

    def problems(self) -> Iterator[str]:
        """What an owner of the printed game may have got wrong when typing the boards in."""
        yield from self._repeated()
        yield from self._card_problems()
        yield from self._track_problems()
        printed = list(self._shape_problems())
        for board in self.boards:
            printed += self._board_problems(board)
        yield from printed
        if not printed:
            yield from self._arrangement_problems()
        for name, value in (msgspec.structs.asdict(self.constants) | msgspec.structs.asdict(self.market)).items():
            if isinstance(value, int) and value < 1:
                yield f"{name}: must be at least 1, not {value}"
        if list(self.market.drawers) != sorted(set(self.market.drawers)):
            yield f"market.drawers: the cheapest first, each once: {sorted(set(self.market.drawers))}"
        in_play = len(self.goods) * self.market.tiles_of_each_good_in_play
        if in_play != self.market.bins * self.constants.rounds:
            yield f"market: {in_play} tiles do not last just {self.constants.rounds} rounds of {self.market.bins}"

    def _repeated(self) -> Iterator[str]:
        for kind, ids in (
            ("goods", list(self.goods)),
            ("colours", [colour.id for colour in self.colours]),
            ("boards", [board.id for board in self.boards]),
            ("cities", [city.id for board in self.boards for city in board.cities]),
            ("links", [link.id for board in self.boards for link in board.links]),
            ("cards", [card.id for card in self.cards + self.special_cards]),
            ("teams", [team.id for team in self.teams]),
            ("characters", [character.id for team in self.teams for character in team.characters]),
        ):
            for name in sorted(set(ids)):
                if ids.count(name) > 1:
                    yield f"{kind}: {name!r} is there {ids.count(name)} times"
            if kind in ("cities", "links"):
                yield from (f"{kind}: {name!r} is what a space is called" for name in ids if SPACE.fullmatch(name))
        joined = {first.id + second.id for first in self.boards for second in self.boards}
        for link in (link.id for board in self.boards for link in board.links):
            if link.upper() in joined or BUILT.fullmatch(link) or link.startswith("stub "):
                yield f"links: {link!r} is what another Link is called"
        players = [number for arrangement in self.arrangements for number in arrangement.players]
        if len(self.colours) < max(players, default=0):
            yield "colours: there are fewer colours than players"

    def _card_problems(self) -> Iterator[str]:
        for card in self.cards + self.special_cards:
            if len(card.values) == 0 and card.flights:
                yield f"cards.{card.id}.values: a card that flies has a value"
            if card.diamonds < 0 or any(value < 0 for value in card.values):
                yield f"cards.{card.id}: no number may be negative"
        if len(self.deck()) < self.constants.cycles:
            yield f"cards: {self.constants.cycles} are planned a round, but the deck has {len(self.deck())}"
        special = {card.id for card in self.special_cards}
        for team in self.teams:
            if team.id not in special:
                yield f"teams.{team.id}: there is no special card {team.id!r}"
            if team.airship not in self.airships:
                yield f"teams.{team.id}.airship: there is no track {team.airship!r}"
        if [team.priority for team in self.teams] != list(range(1, len(self.teams) + 1)):
            yield "teams: in the order of their priority numbers, from 1"

    def _track_problems(self) -> Iterator[str]:
        costs = {name: [level.cost for level in levels] for name, levels in self.airships.items()}
        costs["train"] = [level.cost for level in self.train]
        for name, track in costs.items():
            if len(track) != LEVELS:
                yield f"{name}: {LEVELS} levels are needed, not {len(track)}"
            if any(cost < 1 for cost in track[1:]):
                yield f"{name}: every upgrade costs something"
        for name, levels in self.airships.items():
            for low, high in pairwise(levels):
                gain = high.diamonds - low.diamonds, high.capacity - low.capacity
                if min(gain) < 0 or max(gain) <= 0:
                    yield f"airships.{name}: an upgrade raises diamonds or capacity and lowers neither"

    def _shape_problems(self) -> Iterator[str]:
        whole, pitch = set(self.shape.whole_hexes), self.shape.pitch
        if pitch < SIDES or pitch % SIDES:
            yield f"shape.pitch: {pitch} is not a multiple of {SIDES}, so the boards' halves and thirds do not meet"
        elif whole & {*self.shape.cut_hexes} or len(whole) + SIDES // 2 + SIDES // 3 != pitch**2:
            yield f"shape.whole_hexes: {len(whole)} whole hexes, with halves and thirds, do not fill a board"
        elif {turn(place, 1) for place in whole} != whole:
            yield "shape.whole_hexes: a turned board must cover the same hexes"

    def _board_problems(self, board: GameBoard) -> Iterator[str]:
        place, whole = f"boards.{board.id}", set(self.shape.whole_hexes)
        cities = {city.id: city.at for city in board.cities}
        for good in [*(city.good for city in board.cities), *(factory.good for factory in board.factories)]:
            if good not in self.goods:
                yield f"{place}: there is no good {good!r}"
        if len(board.exits) != SIDES:
            yield f"{place}.exits: one for each of the {SIDES} edges, not {len(board.exits)}"
        tracks: list[tuple[str, Hex, tuple[Hex, ...], tuple[Hex, ...]]] = []
        for edge, (way, way_out) in enumerate(zip(COMPASS, board.exits, strict=False)):
            half, step = self.shape.half_hexes[edge], DIRECTIONS[way]
            if way_out.city not in cities:
                yield f"{place}.exits: there is no city {way_out.city!r} on this board"
            else:
                tracks.append((f"exits.{way}", cities[way_out.city], way_out.spaces, (half, add(half, step))))
        for link in board.links:
            if not set(link.ends) <= cities.keys() or link.ends[0] == link.ends[1]:
                yield f"{place}.{link.id}: a link joins two cities of the board"
            else:
                tracks.append((link.id, cities[link.ends[0]], link.spaces, (cities[link.ends[1]],)))
        used = [*cities.values(), *(factory.at for factory in board.factories)]
        for name, start, spaces, end in tracks:
            used += spaces
            if not spaces:
                yield f"{place}.{name}: a track has at least one railway space"
            elif not _runs_evenly((start, *spaces, *end)):
                yield f"{place}.{name}: the track runs from space to space without sharp curves"
        for space in sorted(set(used)):
            if used.count(space) > 1:
                yield f"{place}: {used.count(space)} things lie on the space {list(space)}"
            if space not in whole:
                yield f"{place}: {list(space)} is no whole hex of a board"

    def _arrangement_problems(self) -> Iterator[str]:
        known = {board.id for board in self.boards}
        for players in range(FEWEST_PLAYERS, len(self.colours) + 1):
            if not any(players in arrangement.players for arrangement in self.arrangements):
                yield f"arrangements: there is none for {players} players"
        for arrangement in self.arrangements:
            place, centres, bumpers = f"arrangements.{arrangement.id}", arrangement.centres, arrangement.bumpers
            for letters in arrangement.board_sets:
                if not set(letters) <= known or len(letters) != len(centres):
                    yield f"{place}: {letters} should be {len(centres)} of the boards"
                elif (notches := len(self.shape.notches(centres))) != bumpers:
                    yield f"{place}: the centres leave {notches} notches for {bumpers} bumpers"


def _runs_evenly(track: tuple[Hex, ...]) -> bool:
    """Whether each space touches the next and no curve is sharp."""
    steps = {step: way for way, step in DIRECTIONS.items()}
    ways = [steps.get((b[0] - a[0], b[1] - a[1])) for a, b in pairwise(track)]
    return all(ways) and all(bend(str(a), str(b)) < SHARP_BEND for a, b in pairwise(ways))

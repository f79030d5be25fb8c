"""What there is in a game of Kings of Air & Steam: settings, the position, the moves. The events are in events.py."""

from typing import Literal

import msgspec

from referee import contract
from referee.games.kings_of_air_and_steam.board import AirshipLevel, Board, Character, TrainLevel
from referee.games.kings_of_air_and_steam.play_area import Link, Placed
from referee.options import Move
from referee.piles import Pile

Goods = Pile

HOLD, DEPOT = "hold", "depot"  # where Goods are: HOLD also where a Depot's space could be named
CLOSED = ""  # the good of a city that takes no more deliveries, or none until it gets a Demand tile


class Settings(contract.Settings, frozen=True):
    """`game`: Basic, or Normal with teams and characters. `teams`: chosen in seat order, or dealt at random.
    `uncertainty`: five of all twenty Market tiles are removed unseen. `cutthroat`: three players on three boards.
    `boards`: which five boards, where five are used. The last two matter for no other number of players.
    `flights_end`: what must not end in a City or a partial hex, the turn, as the rulebook says, or every flight
    (KAS-R03). `stub_depots`: whether Depots go on any railway space, as the rulebook says, or on those of complete
    Links only (KAS-R17). Version 1 knows the second of each only, whatever these say."""

    game: Literal["basic", "normal"] = "basic"
    teams: Literal["choose", "random"] = "choose"
    uncertainty: bool = False
    cutthroat: bool = False
    boards: Literal["random", "ABCDE", "ABCFG"] = "random"
    flights_end: Literal["turn", "flight"] = "turn"
    stub_depots: bool = True


class Player(msgspec.Struct):
    cash: int
    supply: int  # Depots not built
    deck: list[str]  # Movement cards not in use; what is planned lies face down in `plan`
    team: str = ""
    character: str = ""
    tokens: int = 0  # of the character's ability
    airship: int = 0  # upgrades so far
    train: int = 0
    at: str = ""  # the Airship's space
    hold: list[str] = []  # in the order of loading
    depots: dict[str, Goods] = {}
    plan: list[str] = []  # the sockets not yet revealed
    card: str = ""  # revealed in this cycle, its turn still to come
    shown: list[str] = []  # exposed cards of this round: their diamonds count
    returned: list[str] = []  # cards in the deck of which everyone knows, for they were skipped


class City(msgspec.Struct):
    good: str
    slots: int
    goods: Goods = {}
    tile: bool = False  # the demand is a Demand tile's

    @property
    def empty(self) -> int:
        return self.slots - sum(self.goods.values())


class Position(contract.Position, kw_only=True):
    layout: tuple[Placed, ...]
    players: list[Player]
    factories: dict[str, int]  # space -> goods waiting
    cities: dict[str, City]
    stock: Goods  # below zero when more cubes are out than the box holds (ruling KAS-R33)
    drawers: dict[str, int]  # good -> the drawer its price marker is in
    tiles: list[str]  # Market tiles never drawn, removed ones among them, sorted: what everybody can count
    bins: list[str] = []
    demand: list[str] = []  # the Demand stack, sorted: its order is made when a tile is drawn
    waiting: list[str] = []  # fulfilled cities for which there was no Demand tile
    fulfilled_by: list[int] | msgspec.UnsetType = msgspec.UNSET  # who fulfilled each of them; version 1 does not know
    built: list[Link] = []  # Eva Blane's Links
    agenda: list[str]  # the steps to come
    order: list[int] = []  # seats to be asked in this phase or cycle, the next seat first
    first: int = 0  # who holds the First-player marker
    active: int = 0
    flying: str = ""  # the card of the flight
    offered: list[str] = []  # Demand tiles that Flora Kingston chooses from
    fulfilled: str = ""  # the city she chooses for
    round: int = 0
    cycle: int = 0


class ChooseTeam(Move, frozen=True):
    notation = "team {team}"
    also = ("choose {team}", "take {team}", "play {team}", "be {team}")
    team: str


class ChooseCharacter(Move, frozen=True):
    """Sealed: which of the team's two characters plays."""

    notation = "character {character}"
    also = ("choose {character}", "take {character}", "play {character}", "be {character}")
    character: str


class Place(Move, frozen=True):
    notation = "place {space}"
    also = ("place on {space}", "place depot on {space}", "start on {space}", "start {space}", "depot on {space}")
    space: str


class Plan(Move, frozen=True):
    """Sealed: four Movement cards in the order in which they will be flown."""

    notation = "plan {cards}"
    also = ("plan cards {cards}", "cards {cards}")
    hidden = ("cards",)
    cards: tuple[str, ...]


class Fly(Move, frozen=True, omit_defaults=True):
    """`sparing`: from whom Ezekiel Crane takes nothing on his way; the log of other flights does without it."""

    notation = "fly {path} [sparing {sparing}]"
    also = ("go {path} [sparing {sparing}]", "move {path} [sparing {sparing}]", "fly {path} [but spare {sparing}]")
    path: tuple[str, ...]
    sparing: tuple[str, ...] = ()


class FlyTo(Move, frozen=True, omit_defaults=True):
    """A flight by its end; the referee finds a way (ruling KAS-R06)."""

    notation = "fly to {space} [sparing {sparing}]"
    also = (
        "fly {space} [sparing {sparing}]",
        "fly to {space} [but spare {sparing}]",
        "go to {space} [sparing {sparing}]",
        "move to {space} [sparing {sparing}]",
        "land on {space} [sparing {sparing}]",
        "stay on {space} [sparing {sparing}]",
    )
    space: str
    sparing: tuple[str, ...] = ()


class Unload(Move, frozen=True):
    notation = "unload {goods}"
    also = ("drop {goods}", "drop off {goods}", "store {goods}", "unload {goods} here")
    goods: tuple[str, ...]


class Load(Move, frozen=True):
    notation = "load {goods} [jettison {jettison}]"
    also = (
        "take {goods} [jettison {jettison}]",
        "pick up {goods} [jettison {jettison}]",
        "load {goods} [jettisoning {jettison}]",
        "load {goods} [throwing out {jettison}]",
        "jettison {jettison} and load {goods}",
    )
    goods: tuple[str, ...]
    jettison: tuple[str, ...] = ()


class Done(Move, frozen=True):
    notation = "done"
    also = ("pass", "nothing", "nothing more", "none", "no", "skip", "stop", "finished", "end", "end turn", "decline")


class Steal(Move, frozen=True):
    """The Godfather card: one Good of another player in the same space."""

    notation = "steal {good} from {victim} {place} [jettison {jettison}]"
    also = (
        "steal {good} from {victim} [jettison {jettison}]",
        "steal {good} [jettison {jettison}]",
        "take {good} from {victim} [jettison {jettison}]",
        "rob {victim} of {good} [jettison {jettison}]",
    )
    good: str
    victim: str
    place: str
    jettison: str = ""


class Build(Move, frozen=True):
    notation = "build {space}"
    also = ("build on {space}", "build at {space}", "build depot on {space}", "depot on {space}", "depot {space}")
    space: str


class UpgradeAirship(Move, frozen=True):
    notation = "upgrade airship"
    also = ("airship", "airship upgrade", "improve airship", "upgrade ship", "upgrade airship to next level")


class UpgradeTrain(Move, frozen=True):
    notation = "upgrade train"
    also = ("train", "train upgrade", "improve train", "upgrade engine", "upgrade train to next level")


class Ship(Move, frozen=True):
    """A route is named by its Links, or by the Depots stopped at, without the first Link and the last Depot's own;
    nothing named: the cheapest. `pay`: whom to pay where there is a choice, the first to be preferred. The last three
    are for Corey McQueen, Bishop Kingston and Sebastian King."""

    notation = (
        "ship {number} {good} [with {extra}] from {start} to {destination} [via {via}] [pay {pay}]"
        " [returning {returned}] [wager {wager}]"
    )
    also = (
        "ship {number} {good} [with {extra}] to {destination} from {start} [via {via}] [pay {pay}]"
        " [returning {returned}] [wager {wager}]",
        "ship {number} {good} [with {extra}] to {destination} [via {via}] [pay {pay}] [returning {returned}]"
        " [wager {wager}]",
        "ship {good} from {start} to {destination} [via {via}] [pay {pay}] [returning {returned}] [wager {wager}]",
        "ship {good} to {destination} [via {via}] [pay {pay}] [returning {returned}] [wager {wager}]",
        "deliver {number} {good} [with {extra}] from {start} to {destination} [via {via}] [pay {pay}]"
        " [returning {returned}] [wager {wager}]",
        "deliver {number} {good} [with {extra}] to {destination} [via {via}] [pay {pay}] [returning {returned}]"
        " [wager {wager}]",
        "send {number} {good} [with {extra}] from {start} to {destination} [via {via}] [pay {pay}]"
        " [returning {returned}] [wager {wager}]",
    )
    number: int
    good: str
    start: str
    destination: str
    via: tuple[str, ...] = ()
    pay: tuple[str, ...] = ()
    extra: str = ""
    returned: int = 0
    wager: int = 0


class Adjust(Move, frozen=True):
    notation = "adjust {direction}"
    also = ("adjust route {direction}", "route adjustment {direction}", "move {direction}", "go {direction}")
    direction: str


class AdjustTo(Move, frozen=True):
    """A Route Adjustment by its end; since version 2."""

    notation = "adjust to {space}"
    also = ("adjust {space}", "adjust route to {space}", "route adjustment to {space}", "move to {space}")
    space: str


class Solicit(Move, frozen=True):
    notation = "solicit [funds]"
    also = ("funds", "money", "take money", "collect funds", "get funds", "raise funds", "ask for funds")


class Transmogrify(Move, frozen=True):
    notation = "transmogrify {good} into {into} in {place}"
    also = (
        "transmogrify {good} into {into}",
        "transmogrify {good} in {place} into {into}",
        "transmogrify {place} {good} into {into}",
        "turn {good} into {into} in {place}",
        "turn {good} into {into}",
    )
    good: str
    into: str
    place: str


class Construct(Move, frozen=True):
    """Eva Blane's new Link, space by space between two cities; `depot` counts the spaces from the first."""

    notation = "construct from {start} over {track} to {end} [depot on {depot}]"
    also = (
        "construct {start} {track} {end} [depot on {depot}]",
        "link {start} over {track} to {end} [depot on {depot}]",
        "build link from {start} over {track} to {end} [depot on {depot}]",
    )
    start: str
    track: tuple[str, ...]
    end: str
    depot: int = 1


class PlayCard(Move, frozen=True):
    """Eli Diamond's second flight."""

    notation = "card {card}"
    also = ("play {card}", "play card {card}", "use card {card}", "fly card {card}", "fly with {card}")
    card: str


class Demand(Move, frozen=True):
    """Flora Kingston's choice of a Demand tile."""

    notation = "demand {good}"
    also = ("choose {good}", "take {good}", "tile {good}", "place {good}")
    good: str


class Return(Move, frozen=True):
    """Sealed: the Goods not paid for at Upkeep."""

    notation = "return {lots}"
    also = (
        "give back {lots}",
        "drop {lots}",
        "return",
        "keep",
        "keep all",
        "keep everything",
        "keep all goods",
        "pay",
        "pay all",
        "pay for all",
        "pay for everything",
        "done",
        "pass",
        "nothing",
    )
    lots: tuple[str, ...] = ()


class Clear(Move, frozen=True):
    """Goods given back at the Clearance; a route may be named as for a shipment, if all come from one lot."""

    notation = "clear {lots} [via {via}] [pay {pay}]"
    also = ("sell {lots} [via {via}] [pay {pay}]",)
    lots: tuple[str, ...]
    via: tuple[str, ...] = ()
    pay: tuple[str, ...] = ()


def as_list(goods: Goods) -> list[str]:
    """The Goods piece by piece, in the order in which they came: what came last is given up first."""
    return [good for good, number in goods.items() for _ in range(number)]


def lot(place: str, good: str) -> str:
    """A Good where it lies, as orders name it: `D7 food`, `hold food`."""
    return f"{place} {good}"


def split_lot(item: str) -> tuple[str, str]:
    place, _, good = item.partition(" ")
    return place, good


def stored_lots(player: Player) -> Goods:
    """What lies in a player's Depots."""
    return {lot(space, good): n for space, goods in player.depots.items() for good, n in goods.items()}


def is_normal(position: Position) -> bool:
    """The Normal game has teams and no First-player marker."""
    return any(player.team for player in position.players)


def tie_order(board: Board, position: Position) -> list[int]:
    """Who comes first where letters or timing tie: from the First-player marker clockwise (KAS-F17), or by priority
    numbers; where anyone sits does not matter then (KAS-R37)."""
    if is_normal(position):
        return by_priority(board, position)
    seats = range(len(position.players))
    return [(position.first + place) % len(seats) for place in seats]


def by_priority(board: Board, position: Position) -> list[int]:
    """The seats by their priority numbers; in the Basic game there are none, and it is the order of the seats."""
    seats = list(range(len(position.players)))
    return (
        sorted(seats, key=lambda seat: board.team[position.players[seat].team].priority)
        if is_normal(position)
        else seats
    )


def character(board: Board, player: Player) -> Character | None:
    return board.character.get(player.character)


def has_ability(board: Board, player: Player, ability: str) -> bool:
    played = character(board, player)
    return played is not None and played.ability == ability


def airship_level(board: Board, player: Player) -> AirshipLevel:
    track = board.team[player.team].airship if player.team else "standard"
    return board.airships[track][player.airship]


def train_level(board: Board, player: Player) -> TrainLevel:
    return board.train[player.train]


def room(board: Board, player: Player) -> int:
    return airship_level(board, player).capacity - len(player.hold)


def exposed_diamonds(board: Board, player: Player) -> int:
    return sum(board.card[card].diamonds for card in player.shown)


def colour(board: Board, seat: int) -> str:
    return board.colours[seat].id


def seat_of(board: Board, colour: str) -> int:
    return next(seat for seat, known in enumerate(board.colours) if known.id == colour)


def price(board: Board, position: Position, good: str) -> int:
    return board.market.drawers[position.drawers[good]]

"""What an order would cost and bring, in a few words behind it: made from a view and the board alone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.actions import depot_cost, upgraded
from referee.games.kings_of_air_and_steam.board import LEVELS, Board, Card, Character, Team
from referee.games.kings_of_air_and_steam.characters import TILE_COST
from referee.games.kings_of_air_and_steam.clearance import clearance_gains
from referee.games.kings_of_air_and_steam.links import Network, Rails, Route
from referee.games.kings_of_air_and_steam.play_area import PlayArea, assemble
from referee.games.kings_of_air_and_steam.ship_goods import BAMBOOZLED
from referee.games.kings_of_air_and_steam.state import (
    HOLD,
    Adjust,
    AdjustTo,
    Build,
    ChooseCharacter,
    ChooseTeam,
    City,
    Clear,
    Construct,
    Demand,
    FlyTo,
    Load,
    Place,
    Plan,
    PlayCard,
    Player,
    Position,
    Return,
    Ship,
    Solicit,
    Steal,
    Transmogrify,
    UpgradeAirship,
    UpgradeTrain,
    airship_level,
    character,
    price,
    seat_of,
    split_lot,
    train_level,
)
from referee.games.kings_of_air_and_steam.steps import link_name
from referee.options import NO_HINTS, Bag, Hints, Move, Offer, OneOf, Range
from referee.pictures.wording import player_name

ABILITIES: Mapping[str, Callable[[Board, Character], str]] = {
    "old_empire": lambda board, who: "places the first Depot before all, and a second one after all, for free",
    "capital": lambda board, who: f"begins with ${who.start_money}",
    "transmogrify": lambda board, who: f"{who.tokens} times, as an Action: one Good becomes two of another type",
    "perpetual_motion": lambda board, who: f"{who.tokens} times, once a turn: a second Action",
    "rail_baron": lambda board, who: f"builds Depots for ${who.discount} less",
    "new_construction": lambda board, who: f"lays new Links, {who.tokens} tiles in all, with a Depot on each",
    "market_sense": lambda board, who: "chooses the Demand tiles, from all or from two",
    "demand_control": lambda board, who: "may take a paid Good out of a delivery, so that its slot stays free",
    "gamble": lambda board, who: f"may wager up to ${who.most_wager} on a delivery, to win ${who.bonus} a Good",
    "bamboozle": lambda board, who: f"{who.tokens} times: a Good of another type in a delivery is paid like the rest",
    "expert_pilot": lambda board, who: "turns sharply, and loads before and after the flight",
    "expert_mechanic": lambda board, who: "as an Action: a second flight with another card",
    "intimidate": lambda board, who: "pays no tolls",
    "steal": lambda board, who: f"takes ${who.steal} of everyone whose Airship the flight meets",
}


def hints(board: Board, view: View, offer: Offer) -> Hints:
    """What an offer to the viewer means."""
    make = MAKERS.get(offer.move)
    return make(Table(board, view), offer) if make and view.you is not None else NO_HINTS


class Table:
    """The position as far as a view shows it, which is all that costs and routes depend on."""

    def __init__(self, board: Board, view: View) -> None:
        self.board, self.view = board, view
        self.seat: int = view.you if view.you is not None else view.table.active
        self.position = position_of(board, view)
        self.player = self.position.players[self.seat]
        self.area: PlayArea = assemble(board, self.position.layout)
        self.rails = Rails(board, self.position)

    def link(self, space: str) -> str:
        return link_name(self.board, self.rails.links[self.rails.link_of[space]])

    def whose(self, seat: int) -> str:
        return "your" if seat == self.seat else f"{player_name(self.view, seat)}'s"

    def on(self, space: str) -> str:
        """What is on a space; nothing for a plain one."""
        if space in self.area.city_at:
            return f"{self.board.city[self.area.city_at[space]].name}, where no turn may end"
        if space in self.area.partial:
            return "a partial hex, where no turn may end"
        found = []
        if space in self.area.factory_at:
            waiting = counted(self.position.factories[space], "Good")
            found.append(f"{self.area.factory_at[space]} Factory, {waiting}")
        for seat, player in enumerate(self.position.players):
            if space in player.depots:
                found.append(f"{self.whose(seat)} Depot")
            if seat != self.seat and player.at == space:
                found.append(f"{self.whose(seat)} Airship")
        return ", ".join(found)

    def build_cost(self, space: str) -> int:
        return depot_cost(self.board, self.player, self.rails.link_of[space] not in self.rails.depots)


def position_of(board: Board, view: View) -> Position:
    """What of the position everybody sees; the rest is left empty."""
    table = view.table
    return Position(
        phase=view.phase,
        layout=table.layout,
        players=[
            Player(
                shown.cash, shown.supply, list(shown.deck or ()), shown.team, shown.character, shown.tokens,
                shown.airship_level - 1, shown.train_level - 1, shown.at, list(shown.hold), dict(shown.depots),
                shown=list(shown.shown),
            )
            for shown in table.players
        ],
        factories=table.factories,
        cities={name: City(city.good, city.slots, city.goods, city.tile) for name, city in table.cities.items()},
        stock={},
        drawers={good: board.market.drawers.index(paid) for good, paid in table.prices.items()},
        tiles=[],
        built=list(table.built),
        agenda=[],
        first=table.first or 0,
        active=table.active,
        flying=table.flying,
        round=table.round,
        cycle=table.cycle,
    )  # fmt: skip


# In words


def card_words(card: Card) -> str:
    """`flies 4, letter E, 1 diamond`."""
    return f"{card_effect(card)}, letter {card.letter}, {diamonds_words(card)}"


def diamonds_words(card: Card) -> str:
    return counted(card.diamonds, "diamond") if card.diamonds else "no diamond"


def card_effect(card: Card) -> str:
    if not card.flights:
        does = f"{card.actions} Actions, no flight"
    else:
        far = f"{card.values[0]} to {card.values[-1]}" if len(card.values) > 1 else str(card.values[0])
        does = f"flies {far}" + " straight on" * card.straight + " twice" * (card.flights > 1)
    return does + {"": "", "ship": ", then ships a Good", "steal": ", then steals a Good"}[card.then]


def team_words(board: Board, team: Team) -> str:
    level = board.airships[team.airship][0]
    airship = f"Airship {counted(level.diamonds, 'diamond')}, room for {level.capacity}"
    return f"priority {team.priority}; {airship}; card {card_words(board.card[team.id])}"


def ability_words(board: Board, who: Character) -> str:
    return ABILITIES[who.ability](board, who)


def airship_words(board: Board, player: Player, level: bool = True) -> str:
    """The next level of the Airship with its price, or that there is none."""
    if player.airship + 1 == LEVELS:
        return "at its last level"
    now, then = airship_level(board, player), airship_level(board, upgraded(player, airship=1))
    gains = [f"{then.diamonds} diamonds"] if then.diamonds > now.diamonds else []
    gains += [f"room for {then.capacity}"] if then.capacity > now.capacity else []
    points = [f"{board.constants.vp_full_airship} points"] if player.airship + 2 == LEVELS else []
    return f"${then.cost}: {f'level {player.airship + 2}, ' if level else ''}{', '.join(gains + points)}"


def train_words(board: Board, player: Player, level: bool = True) -> str:
    if player.train + 1 == LEVELS:
        return "at its last level"
    then = train_level(board, upgraded(player, train=1))
    named = f"level {player.train + 2}, " if level else ""
    return f"${then.cost}: {named}rating {then.rating}" + (f", {then.vp} points" if then.vp else "")


def tolls_words(table: Table, network: Network, route: Route) -> str:
    """The stops and tolls of a route, for each Good."""
    stops = counted(route.stops, "stop")
    if not route.tolls:
        return stops
    each = table.board.constants.toll
    owed = network.tolls(route, route.via, [])
    paid = [f"${each * times} to {player_name(table.view, seat)}" for seat, times in owed.items()]
    return f"{stops}, toll {' and '.join(paid)} a Good"


# By the type of the move


def _place(table: Table, offer: Offer) -> Hints:
    return Hints(values={"space": {space: table.link(space) for space in _values(offer, "space")}})


def _plan(field: str) -> Callable[[Table, Offer], Hints]:
    def cards(table: Table, offer: Offer) -> Hints:
        return Hints(values={field: {card: card_words(table.board.card[card]) for card in _values(offer, field)}})

    return cards


def _teams(table: Table, offer: Offer) -> Hints:
    teams = table.board.team
    return Hints(values={"team": {team: team_words(table.board, teams[team]) for team in _values(offer, "team")}})


def _characters(table: Table, offer: Offer) -> Hints:
    known = table.board.character
    return Hints(
        values={"character": {who: ability_words(table.board, known[who]) for who in _values(offer, "character")}}
    )


def _spaces(table: Table, offer: Offer) -> Hints:
    found = {space: table.on(space) for space in _values(offer, "space")}
    return Hints(values={"space": {space: words for space, words in found.items() if words}})


def _adjust(table: Table, offer: Offer) -> Hints:
    around = table.area.neighbours[table.player.at]
    ways = {
        way: ", ".join(filter(None, (f"to {around[way]}", table.on(around[way]))))
        for way in _values(offer, "direction")
    }
    return Hints(values={"direction": ways})


def _build(table: Table, offer: Offer) -> Hints:
    found = {space: f"${table.build_cost(space)}, {table.link(space)}" for space in _values(offer, "space")}
    first, *others = dict.fromkeys(found.values())
    return Hints(values={"space": found}) if others else Hints(order=first)


def _load(table: Table, offer: Offer) -> Hints:
    prices = table.view.table.prices
    goods = {good: f"${prices[good]} each in a City" for good in _values(offer, "goods")}
    thrown = dict.fromkeys(_values(offer, "jettison"), "back to the stockpile, unpaid")
    return Hints(values={"goods": goods, "jettison": thrown} if thrown else {"goods": goods})


def _steal(table: Table, offer: Offer) -> Hints:
    victim = next(iter(_values(offer, "victim")))
    return Hints(order=f"from {player_name(table.view, seat_of(table.board, victim))}")


def _ship(table: Table, offer: Offer) -> Hints:
    """For each number of Goods what it brings in all, after tolls by the cheapest route."""
    board, position = table.board, table.position
    start, destination = (next(iter(_values(offer, field))) for field in ("start", "destination"))
    network = Network(board, position, table.rails, table.seat, start)
    route = network.cheapest().get(destination)
    if route is None:
        return NO_HINTS
    city = position.cities.get(destination)
    paid = price(board, position, city.good) if city else 0
    values: dict[str, dict[Any, str]] = {}
    tolls = route.tolls * board.constants.toll
    numbers = offer.domains["number"]
    if city and isinstance(numbers, Range):
        with_extra = BAMBOOZLED if any(_values(offer, "extra")) else 0
        values["number"] = {
            number: f"${(number + with_extra) * (paid - tolls)}"
            + (", fulfils the City" if number + with_extra == city.empty else "")
            for number in range(numbers.low, numbers.high + 1)
        }
    wagers = [wager for wager in _values(offer, "wager") if wager]
    if wagers:
        values["wager"] = {wager: _wager_words(table, wager) for wager in wagers}
    if any(_values(offer, "extra")):
        values["extra"] = dict.fromkeys(_values(offer, "extra"), f"for a token, paid ${paid} like the rest")
    if isinstance(offer.domains["returned"], Range):
        values["returned"] = {1: "paid, and its slot stays free"}
    what = f"${paid} a Good" if city else "to your Depot"
    return Hints(f"{what}, {tolls_words(table, network, route)}", values)


def _wager_words(table: Table, wager: int) -> str:
    """Said before it bites: the wager comes from the cash of before the delivery (KAS-R49)."""
    played = character(table.board, table.player)
    bonus = played.bonus if played else 0
    chance = f"{wager} of {len(table.board.goods)} tokens"
    return f"${wager} out of your ${table.player.cash} before the delivery is paid; {chance} to win ${bonus} a Good"


def _demand(table: Table, offer: Offer) -> Hints:
    prices, slots = table.view.table.prices, table.board.constants.demand_slots
    return Hints(values={"good": {good: f"${prices[good]} now, {slots} slots" for good in _values(offer, "good")}})


def _return(table: Table, offer: Offer) -> Hints:
    constants = table.board.constants
    kept = f"what you keep costs ${constants.upkeep} a Good"
    if table.position.round < constants.rounds:
        return Hints(order=kept)
    gains = clearance_gains(table.board, table.position, table.seat)

    def words(item: str) -> str:
        if split_lot(item)[0] == HOLD:
            return "worth nothing at the Clearance"
        return f"${gains[item]} at the Clearance" if item in gains else "cannot be cleared"

    return Hints(kept, {"lots": {item: words(item) for item in _values(offer, "lots")}})


def _clear(table: Table, offer: Offer) -> Hints:
    gains = clearance_gains(table.board, table.position, table.seat)
    return Hints(
        values={
            "lots": {item: f"${gains[item]} a Good after tolls" for item in _values(offer, "lots") if item in gains}
        }
    )


def _tokens(table: Table, offer: Offer) -> Hints:
    return Hints(order=f"a token of your {table.player.tokens}")


def _construct(table: Table, offer: Offer) -> Hints:
    tiles = max(number for number in _values(offer, "depot"))
    return Hints(order=f"${tiles * TILE_COST} and {tiles} of your {counted(table.player.tokens, 'tile')}, Depot free")


def _values(offer: Offer, field: str) -> Iterable[Any]:
    domain = offer.domains[field]
    if isinstance(domain, OneOf):
        return domain.choices if domain.choices != ((),) else ()
    return domain.limits if isinstance(domain, Bag) else ()


MAKERS: Mapping[type[Move], Callable[[Table, Offer], Hints]] = {
    ChooseTeam: _teams,
    ChooseCharacter: _characters,
    Place: _place,
    Plan: _plan("cards"),
    PlayCard: _plan("card"),
    FlyTo: _spaces,
    AdjustTo: _spaces,
    Adjust: _adjust,
    Build: _build,
    Load: _load,
    Steal: _steal,
    UpgradeAirship: lambda table, offer: Hints(order=airship_words(table.board, table.player)),
    UpgradeTrain: lambda table, offer: Hints(order=train_words(table.board, table.player)),
    Solicit: lambda table, offer: Hints(order=f"+${table.board.constants.solicit_funds}"),
    Ship: _ship,
    Demand: _demand,
    Return: _return,
    Clear: _clear,
    Transmogrify: _tokens,
    Construct: _construct,
}

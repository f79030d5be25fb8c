"""The Action of a turn: one of six (KAS-F32), or one of a character's own."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from referee.contract import counted
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import LEVELS, Board
from referee.games.kings_of_air_and_steam.characters import CharacterActions, spend_token
from referee.games.kings_of_air_and_steam.events import (
    Adjusted,
    AirshipUpgraded,
    DepotBuilt,
    FundsSolicited,
    TrainUpgraded,
)
from referee.games.kings_of_air_and_steam.hexes import COMPASS
from referee.games.kings_of_air_and_steam.links import Rails
from referee.games.kings_of_air_and_steam.load_unload import Cargo
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.ship_goods import Shipping
from referee.games.kings_of_air_and_steam.state import (
    Adjust,
    AdjustTo,
    Build,
    Construct,
    Done,
    PlayCard,
    Player,
    Position,
    Ship,
    Solicit,
    Transmogrify,
    UpgradeAirship,
    UpgradeTrain,
    airship_level,
    character,
    train_level,
)
from referee.games.kings_of_air_and_steam.steps import ACTION, KASPlay, Optional, link_name, next_up, not_on_a_link
from referee.options import Move, Offer, OneOf

LEAVING: tuple[type[Move], ...] = (Adjust, AdjustTo, PlayCard)  # what moves the Airship


class Action(Shipping, CharacterActions):
    """Exactly one Action; to solicit funds is always possible, so there is no pass (KAS-R16)."""

    asks = "your Action"
    moves: ClassVar[tuple[type[Move], ...]] = (
        Build, UpgradeAirship, UpgradeTrain, Ship, Adjust, AdjustTo, Solicit, Transmogrify, Construct, PlayCard,
    )  # fmt: skip

    def prompt(self, position: Position, seat: int) -> str:
        if self.must_leave(position, seat):
            return f"No turn may end in {self.place(position, seat)}: adjust the route{self.or_fly(position)}."
        return "One Action: build, upgrade, ship, adjust the route, or solicit funds."

    def default(self, position: Position, seat: int) -> Move:
        if over_no_landing(self.board, position, seat):
            return next(next(self.offer_adjust(position, seat)).moves())
        return Solicit()

    # A turn does not end in a City or a partial hex (KAS-R03): who has flown there leaves it with the last Action.

    def must_leave(self, position: Position, seat: int) -> bool:
        return over_no_landing(self.board, position, seat) and not self.acts_again(position, seat)

    def acts_again(self, position: Position, seat: int) -> bool:
        """Whether another Action of this turn can follow, on the agenda or for a token of I.S.A.A.C.'s."""
        second = PerpetualMotion.name in position.agenda and position.players[seat].tokens > 0
        return ACTION in position.agenda or second

    def possible(self, position: Position, seat: int) -> Sequence[type[Move]]:
        return LEAVING if self.must_leave(position, seat) else self.moves

    def why_not(self, position: Position, seat: int, move: Move) -> IllegalOrder | None:
        if not self.must_leave(position, seat) or type(move) in LEAVING:
            return super().why_not(position, seat, move)
        message = f"No turn may end in {self.place(position, seat)}: adjust the route{self.or_fly(position)}."
        return IllegalOrder("must_leave", message, rule="Rulebook, Flight; KAS-R03")

    def place(self, position: Position, seat: int) -> str:
        """Where the Airship is and cannot stay."""
        at = position.players[seat].at
        city = assemble(self.board, position.layout).city_at.get(at)
        return f"{self.board.city[city].name} ({at})" if city else f"the partial hex {at}"

    def or_fly(self, position: Position) -> str:
        can_fly = any(True for _ in self.offer_play_card(position, position.active))
        return ", or fly on with another card" if can_fly else ""

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing that costs money, tokens or diamonds, and no shipment that earns nothing."""
        if isinstance(move, Ship):
            return move.destination in position.cities and not (move.wager or move.extra or move.returned)
        return isinstance(move, Adjust | AdjustTo | Solicit)

    # Build a Depot

    def offer_build(self, position: Position, seat: int) -> Iterator[Offer]:
        """Link by Link; the stubs, which are many and short, together."""
        player, rails = position.players[seat], Rails(self.board, position)
        if not player.supply:
            return
        area, cash = assemble(self.board, position.layout), player.cash
        first, later = (depot_cost(self.board, player, is_first) <= cash for is_first in (True, False))
        stubs = [list(area.stub_links.values())] if self.has_stub_depots else []
        for links in [*([link] for link in area.links.values()), *stubs, *([link] for link in position.built)]:
            spaces = [
                space
                for link in links
                if (later if link.id in rails.depots else first)
                for space in link.spaces
                if space not in rails.depots.get(link.id, ())
            ]
            if spaces:
                yield Offer(Build, space=OneOf(*area.in_map_order(spaces)))

    def why_not_build(self, position: Position, seat: int, move: Build) -> IllegalOrder | None:
        player, rails = position.players[seat], Rails(self.board, position)
        link = self.railway_spaces(position, rails).get(move.space)
        if not player.supply:
            message = f"All your {self.board.constants.depots} Depots are built."
            return IllegalOrder("no_depot_left", message, rule="Rulebook, Build a Depot")
        if link is None and move.space in rails.links:
            return self.name_a_space(position, seat, move.space)
        if link is None:
            message = not_on_a_link(self.board, position, move.space, self.has_stub_depots)
            return IllegalOrder("not_on_a_link", message, field="space", rule="KAS-F33; KAS-R17")
        if move.space in rails.depots.get(link, {}):
            message = f"There is a Depot on {move.space} already."
            return IllegalOrder("occupied", message, field="space", rule="KAS-F33")
        cost = depot_cost(self.board, player, link not in rails.depots)
        return too_expensive(f"A Depot on {move.space}", cost, player.cash, "space")

    def name_a_space(self, position: Position, seat: int, link: str) -> IllegalOrder:
        """The answer to one who names a Link to build on: its free spaces, and what they cost."""
        rails, allowed = Rails(self.board, position), self.railway_spaces(position, Rails(self.board, position))
        cost = depot_cost(self.board, position.players[seat], link not in rails.depots)
        free = [
            space for space in rails.links[link].spaces if space in allowed and space not in rails.depots.get(link, {})
        ]
        spaces = f"on {' or '.join(free)}, for ${cost}" if free else "nowhere: it has no free space"
        message = f"On {link_name(self.board, rails.links[link])} you could build {spaces}."
        return IllegalOrder("name_a_space", message, field="space", rule="KAS-F33", numbers={"cost": cost})

    def apply_build(self, play: KASPlay, seat: int, move: Build) -> None:
        player, rails = play.position.players[seat], Rails(self.board, play.position)
        link = rails.link_of[move.space]
        cost = depot_cost(self.board, player, link not in rails.depots)
        player.cash -= cost
        player.supply -= 1
        player.depots[move.space] = {}
        play.emit(DepotBuilt(seat, move.space, link, cost))

    # Upgrades: one level an Action (KAS-R24)

    def offer_upgrade_airship(self, position: Position, seat: int) -> Iterator[Offer]:
        if self.why_not_upgrade_airship(position, seat, UpgradeAirship()) is None:
            yield Offer(UpgradeAirship)

    def why_not_upgrade_airship(self, position: Position, seat: int, move: UpgradeAirship) -> IllegalOrder | None:
        player = position.players[seat]
        if player.airship + 1 == LEVELS:
            return IllegalOrder("fully_upgraded", f"Your Airship is at level {LEVELS}.", rule="KAS-R24")
        return too_expensive("The upgrade", airship_level(self.board, upgraded(player, airship=1)).cost, player.cash)

    def apply_upgrade_airship(self, play: KASPlay, seat: int, move: UpgradeAirship) -> None:
        player = play.position.players[seat]
        player.airship += 1
        level = airship_level(self.board, player)
        player.cash -= level.cost
        play.emit(AirshipUpgraded(seat, player.airship + 1, level.cost, level.diamonds, level.capacity))

    def offer_upgrade_train(self, position: Position, seat: int) -> Iterator[Offer]:
        if self.why_not_upgrade_train(position, seat, UpgradeTrain()) is None:
            yield Offer(UpgradeTrain)

    def why_not_upgrade_train(self, position: Position, seat: int, move: UpgradeTrain) -> IllegalOrder | None:
        player = position.players[seat]
        if player.train + 1 == LEVELS:
            return IllegalOrder("fully_upgraded", f"Your Train is at level {LEVELS}.", rule="KAS-R24")
        return too_expensive("The upgrade", train_level(self.board, upgraded(player, train=1)).cost, player.cash)

    def apply_upgrade_train(self, play: KASPlay, seat: int, move: UpgradeTrain) -> None:
        player = play.position.players[seat]
        player.train += 1
        level = train_level(self.board, player)
        player.cash -= level.cost
        play.emit(TrainUpgraded(seat, player.train + 1, level.cost, level.rating))

    # Route Adjustment: one space, then Load and Unload; not a flight (KAS-F37, KAS-R25)

    def offer_adjust(self, position: Position, seat: int) -> Iterator[Offer]:
        area = assemble(self.board, position.layout)
        around = area.neighbours[position.players[seat].at]
        ways = [way for way in COMPASS if around.get(way) in area.landing]
        if ways:
            yield Offer(Adjust, direction=OneOf(*ways))

    def offer_adjust_to(self, position: Position, seat: int) -> Iterator[Offer]:
        area = assemble(self.board, position.layout)
        spaces = area.in_map_order(area.landing.intersection(area.neighbours[position.players[seat].at].values()))
        if spaces and self.version != "1":
            yield Offer(AdjustTo, space=OneOf(*spaces))

    def why_not_adjust_to(self, position: Position, seat: int, move: AdjustTo) -> IllegalOrder | None:
        at = position.players[seat].at
        space = self.board.space_name(move.space)
        message = f"{space} is no space beside {at} on which a Route Adjustment may end."
        return IllegalOrder("no_such_space", message, field="space", rule="Rulebook, Route Adjustment")

    def apply_adjust_to(self, play: KASPlay, seat: int, move: AdjustTo) -> None:
        around = assemble(self.board, play.position.layout).neighbours[play.position.players[seat].at]
        (direction,) = (way for way, there in around.items() if there == move.space)
        self.apply_adjust(play, seat, Adjust(direction))

    def why_not_adjust(self, position: Position, seat: int, move: Adjust) -> IllegalOrder | None:
        message = f"A Route Adjustment cannot go {move.direction}: not off the map, onto a City or a partial hex."
        return IllegalOrder("no_such_space", message, field="direction", rule="Rulebook, Route Adjustment")

    def apply_adjust(self, play: KASPlay, seat: int, move: Adjust) -> None:
        player = play.position.players[seat]
        player.at = assemble(self.board, play.position.layout).neighbours[player.at][move.direction]
        play.emit(Adjusted(seat, move.direction, player.at))
        next_up(play.position, Cargo.name)

    # Solicit Funds

    def offer_solicit(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Solicit)

    def apply_solicit(self, play: KASPlay, seat: int, move: Solicit) -> None:
        amount = self.board.constants.solicit_funds
        play.position.players[seat].cash += amount
        play.emit(FundsSolicited(seat, amount))


def over_no_landing(board: Board, position: Position, seat: int) -> bool:
    """Whether the Airship is in a City or a partial hex."""
    return position.players[seat].at not in assemble(board, position.layout).landing


class PerpetualMotion(Action, Optional):
    """I.S.A.A.C. may spend a token for a second Action, once a turn (KAS-R41)."""

    asks = "a second Action"
    moves = (*Action.moves, Done)

    def comes_up(self, play: KASPlay) -> bool:
        return play.position.players[play.position.active].tokens > 0

    def prompt(self, position: Position, seat: int) -> str:
        tokens = counted(position.players[seat].tokens, "token")
        if self.must_leave(position, seat):
            return f"No turn may end in {self.place(position, seat)}: adjust the route, for one of your {tokens}."
        return f"A second Action for one of your {tokens}, or be done."

    def acts_again(self, position: Position, seat: int) -> bool:
        return False

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        return isinstance(move, Done)

    def default(self, position: Position, seat: int) -> Move:
        return super().default(position, seat) if self.must_leave(position, seat) else Done()

    def apply(self, play: KASPlay, seat: int, move: Move) -> None:
        if not isinstance(move, Done):
            spend_token(play, seat)
        super().apply(play, seat, move)


def depot_cost(board: Board, player: Player, is_first: bool) -> int:
    """Less for the first Depot on a Link, and for Victor Blane (KAS-F33, KAS-R44)."""
    constants, played = board.constants, character(board, player)
    cost = constants.first_depot_on_link if is_first else constants.later_depot_on_link
    return cost - (played.discount if played else 0)


def upgraded(player: Player, airship: int = 0, train: int = 0) -> Player:
    """The player as after an upgrade, to read what it costs."""
    return Player(0, 0, [], team=player.team, airship=player.airship + airship, train=player.train + train)


def too_expensive(what: str, cost: int, cash: int, field: str = "") -> IllegalOrder | None:
    if cost <= cash:
        return None
    numbers = {"cost": cost, "cash": cash}
    return IllegalOrder("too_expensive", f"{what} costs ${cost}; you have ${cash}.", field=field, numbers=numbers)

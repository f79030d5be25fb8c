"""The rules of Airline (1975), in the order in which the rulebook prints them.

Starting      throw for the order, choose base cities            setup.py
A turn        change aircraft, throw the dice, move              Departure
              what the space does                                land
              buy landing rights, or challenge them              Landing
Any time      deals                                              deals.py
Money         fares, debts, claims, bankruptcy, leaving          bankruptcy.py
"""

from collections.abc import Iterator

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.airline_1975.bankruptcy import cost_to_challenge, may_act, owe, pay, receive, settle
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import (
    BoughtRights,
    ChallengeLost,
    ChallengeWon,
    ChangedAircraft,
    Claimable,
    ClaimLapsed,
    Crashed,
    Hijacked,
    Landed,
    Paid,
    Passed,
    Threw,
)
from referee.games.airline_1975.landing_rights import (
    can_afford_rights,
    city_at,
    connected,
    most_cities,
    owner_of,
    rights_at_stake,
)
from referee.games.airline_1975.state import (
    BANK,
    DEPARTURE,
    LANDING,
    Buy,
    Challenge,
    Claim,
    Debt,
    Fly,
    Pass,
    Position,
    Settings,
    Throw,
)
from referee.games.airline_1975.turns import (
    A75Phase,
    A75Play,
    claims_of,
    end_turn,
    fares_of,
    somebody_can_deal,
)
from referee.options import Move, Offer, OneOf

DOUBLE = 1  # distinct faces of a double
TO_MOVE = "to move"  # what a throw is for


# A turn


class Departure(A75Phase):
    """Before the throw perhaps another aircraft; then throw and move (A75-U01, A75-U05)."""

    asks = "your throw"
    moves = (Throw, Fly)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        levels = self.levels(position, seat)
        if levels:
            names = " or ".join(self.board.plane[level].name for level in levels)
            fee = self.board.constants.aircraft_fee
            change = f", or first change your aircraft to the {names} for ${fee} million"
        else:
            change = ""
        return f"Your turn: throw the dice{change}.{self.open_offers(position)}"

    def open_offers(self, position: Position) -> str:
        """No offer lapses with a throw without a word (A75-R63)."""
        if not position.deals:
            return ""
        numbers = and_list([str(deal.number) for deal in position.deals])
        many = len(position.deals) > 1
        return f" Offer{'s' * many} {numbers} {'lie' if many else 'lies'} open only until your turn ends."

    def default(self, position: Position, seat: int) -> Throw | Claim:
        """The throw; before it what would lapse with it is claimed."""
        return Claim() if claims_of(position, seat) else Throw()

    def levels(self, position: Position, seat: int) -> list[str]:
        """One level up or down, once a turn, in an own city, for the fee (A75-U05, A75-R10 to A75-R12)."""
        player = position.players[seat]
        if (
            position.changed
            or player.cash < self.board.constants.aircraft_fee
            or city_at(self.board, player) not in player.cities
        ):
            return []
        levels = list(self.board.plane)
        level = levels.index(player.aircraft)
        return levels[max(0, level - 1) : level] + levels[level + 1 : level + 2]

    def offer_fly(self, position: Position, seat: int) -> Iterator[Offer]:
        levels = self.levels(position, seat)
        if levels:
            yield Offer(Fly, aircraft=OneOf(*levels))

    def why_not_fly(self, position: Position, seat: int, move: Fly) -> IllegalOrder:
        player, fee = position.players[seat], self.board.constants.aircraft_fee
        levels = list(self.board.plane)
        if move.aircraft not in levels:
            names = ", ".join(aircraft.name for aircraft in self.board.aircraft)
            return IllegalOrder("no_such_aircraft", f"An aircraft is one of {names}.", field="aircraft", rule="A75-C01")
        if position.changed:
            return IllegalOrder("changed_already", "You have changed your aircraft in this turn.", rule="A75-R11")
        if city_at(self.board, player) not in player.cities:
            return IllegalOrder(
                "not_in_own_city", "Aircraft are changed only while you stand in a city of your own.", rule="A75-U05"
            )
        if abs(levels.index(move.aircraft) - levels.index(player.aircraft)) != 1:
            message = f"You fly the {self.board.plane[player.aircraft].name}; you may go one level up or down."
            return IllegalOrder("one_level", message, field="aircraft", rule="A75-R11")
        return IllegalOrder(
            "too_expensive",
            f"The change costs ${fee} million; you have {player.cash}.",
            rule="A75-U05",
            numbers={"cost": fee, "cash": player.cash},
        )

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing that costs money."""
        return not isinstance(move, Fly)

    def why_not_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder:
        message = "Landing rights are bought when you land; throw first."
        return IllegalOrder("not_landed", message, rule="A75-R08")

    def why_not_challenge(self, position: Position, seat: int, move: Challenge) -> IllegalOrder:
        message = "Landing rights are challenged when you land; throw first."
        return IllegalOrder("not_landed", message, rule="A75-H01")

    def why_not_pass(self, position: Position, seat: int, move: Pass) -> IllegalOrder:
        return IllegalOrder("must_throw", "Nobody misses a turn: throw the dice.", rule="A75-U01")

    def apply_fly(self, play: A75Play, seat: int, move: Fly) -> None:
        position, fee = play.position, self.board.constants.aircraft_fee
        pay(position, seat, BANK, fee)
        position.players[seat].aircraft = move.aircraft
        position.changed = True
        play.emit(ChangedAircraft(seat, move.aircraft, fee))

    def offer_throw(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Throw)

    def is_forced(self, position: Position) -> bool:
        """Whether the referee throws for the player in turn, for nobody has anything else to decide: no aircraft to
        change, no money to claim, and no city to deal in, or by agreement no time for deals now (A75-R64)."""
        return (
            not position.ending
            and position.phase == DEPARTURE
            and not position.claims
            and not self.levels(position, position.active)
            and (self.settings.throws == "by_referee" or not somebody_can_deal(position))
        )

    def apply_throw(self, play: A75Play, seat: int, move: Throw) -> None:
        self.throw(play)

    def throw(self, play: A75Play) -> None:
        """What nobody has claimed lapses (A75-M02). Subsidy is credited when it is passed, before the space landed on
        takes effect; leaving it is not passing it (A75-R04, A75-R05)."""
        board, position, seat = self.board, play.position, play.position.active
        player = position.players[seat]
        for claim in position.claims:
            play.emit(ClaimLapsed(claim.to, claim.amount))
        position.claims.clear()
        dice = play.chance.roll(label(play, "move"))
        play.emit(Threw(seat, dice, TO_MOVE))
        to_start = (board.start - player.place - 1) % len(board.track) + 1
        player.place = (player.place + sum(dice)) % len(board.track)
        if sum(dice) >= to_start:
            receive(self.settings, play, seat, board.plane[player.aircraft].subsidy, "subsidy")
        space = board.track[player.place]
        play.emit(Landed(seat, space.city or space.kind))
        land(board, self.settings, play, seat)


def label(play: A75Play, name: str) -> str:
    """Of a throw: a name, and where several players move in one row of the log (A75-R64) a number."""
    moved = sum(isinstance(event, Threw) and event.purpose == TO_MOVE for event in play.events) + (name == "move")
    return name if moved < 2 else f"{name} {moved}"


def land(board: Board, settings: Settings, play: A75Play, seat: int) -> None:
    """What the space does (A75-U06, A75-P01 to A75-P06); then money that is due, and what may be done there."""
    position, player = play.position, play.position.players[seat]
    constants = board.constants
    kind = board.track[player.place].kind
    if kind == "city":
        fare_due(board, settings, play, seat)
    elif kind == "maintenance":
        owe(play, seat, BANK, board.plane[player.aircraft].maintenance, "maintenance")
    elif kind == "charter":
        dice = play.chance.roll(label(play, "charter"))
        play.emit(Threw(seat, dice, "for the charter"))
        receive(settings, play, seat, constants.charter_per_pip * sum(dice), "charter")
    elif kind == "hijack":
        hijack(board, play, seat)
    elif kind == "air_cargo":
        receive(settings, play, seat, constants.air_cargo, "air cargo")
    elif kind == "crash":
        crash(board, play, seat)
    position.phase = LANDING
    settle(board, settings, play)


def hijack(board: Board, play: A75Play, seat: int) -> None:
    """A double destroys the aircraft where it stands; otherwise it goes to SUBSIDY for nothing (A75-R29, A75-R30)."""
    dice = play.chance.roll(label(play, "hijack"))
    play.emit(Threw(seat, dice, "for the hijack"))
    if len(set(dice)) == DOUBLE:
        crash(board, play, seat)
    else:
        play.position.players[seat].place = board.start
        play.emit(Hijacked(seat))


def crash(board: Board, play: A75Play, seat: int) -> None:
    """Pay, and fly a PROP (A75-P06, A75-R31)."""
    play.position.players[seat].aircraft = board.aircraft[0].id
    play.emit(Crashed(seat))
    owe(play, seat, BANK, board.constants.crash_cost, "crash")


# Landing rights, fares and challenges


def fare_due(board: Board, settings: Settings, play: A75Play, seat: int) -> None:
    """By the owner's aircraft, if the city is connected to the owner's base (A75-U06, A75-R13, A75-R14)."""
    position = play.position
    city = city_at(board, position.players[seat])
    owner = owner_of(position, city)
    if owner is None or owner == seat or city not in connected(board, position.players[owner]):
        return
    fare = board.city[city].fares[position.players[owner].aircraft]
    reason = f"fare for {board.city[city].name}"
    if settings.collection == "strict":
        position.claims.append(Debt(seat, owner, fare, reason))
        play.emit(Claimable(owner, seat, fare, reason))
    else:
        owe(play, seat, owner, fare, reason)


class Landing(A75Phase):
    """In a free city its rights may be bought, in another's city they may be challenged (A75-U02, A75-H01)."""

    asks = "your landing"
    moves = (Buy, Challenge, Pass)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        if not rights_at_stake(self.board, position):
            claims = "Claim the money that is due to you, or pass."
            return claims if claims_of(position, seat) else "Make a deal, or pass."
        player, constants = position.players[seat], self.board.constants
        city = city_at(self.board, player)
        name, free = self.board.city[city].name, owner_of(position, city) is None
        if position.challenged and not free:
            return "The challenge is over: make a deal, or pass."
        if len(player.cities) >= most_cities(self.board, self.settings):
            return f"You landed in {name} and have no marker left: make a deal, or pass."
        if free:
            cost = f"${constants.landing_rights} million"
            if player.cash >= constants.landing_rights:
                return f"Buy the landing rights for {name} for {cost}, or pass.{self.before(position, seat)}"
            short = f"cost {cost}, and you have {player.cash}"
            claim = "claim what is due to you, " * bool(claims_of(position, seat))
            return f"The landing rights for {name} {short}: {claim}raise money by a deal, or pass."
        fares = sum(fare.amount for fare in fares_of(position, seat))
        cost = f"${constants.challenge_fee} million" + f" and the fare of {fares}" * bool(fares)
        if player.cash >= cost_to_challenge(self.board, position, seat):
            return f"Challenge the landing rights for {name} for {cost}, or pass.{self.before(position, seat)}"
        return f"A challenge for {name} costs {cost}, and you have {player.cash}: make a deal, or pass."

    def before(self, position: Position, seat: int) -> str:
        """What comes before the last word of a turn (A75-R56)."""
        if self.settings.turn_end == "on_pass" or claims_of(position, seat) or not somebody_can_deal(position):
            return ""
        return " That can end your turn: make your deals first."

    def default(self, position: Position, seat: int) -> Pass | Claim:
        """Nothing is bought; what is due is claimed, for it may lapse."""
        return Claim() if claims_of(position, seat) else Pass()

    def rights(self, position: Position, seat: int, fee: int) -> bool:
        return can_afford_rights(self.board, self.settings, position.players[seat], fee)

    def offer_buy(self, position: Position, seat: int) -> Iterator[Offer]:
        city = city_at(self.board, position.players[seat])
        free = bool(city) and owner_of(position, city) is None
        if free and self.rights(position, seat, self.board.constants.landing_rights):
            yield Offer(Buy).saying(city=city)

    def why_not_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder:
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        if not city:
            return IllegalOrder("no_city", "You are in no city: there are no landing rights to buy.", rule="A75-U02")
        if owner == seat:
            return IllegalOrder("yours", "The landing rights are yours already.", rule="A75-U02")
        if owner is not None and city == position.players[owner].base:
            return IllegalOrder("base_city", "A base city is never sold.", rule="A75-U04")
        if owner is not None:
            message = "The landing rights are sold; they can only be challenged, or bought from their owner by a deal."
            return IllegalOrder("owned", message, rule="A75-U02")
        return self.why_not_rights(position, seat, self.board.constants.landing_rights)

    def why_not_rights(self, position: Position, seat: int, fee: int) -> IllegalOrder:
        player, most = position.players[seat], most_cities(self.board, self.settings)
        if len(player.cities) >= most:
            message = f"You own {len(player.cities)} cities, as many as a player may."
            return IllegalOrder("no_marker", message, rule="A75-R09", numbers={"cities": len(player.cities)})
        return IllegalOrder(
            "too_expensive",
            f"That costs ${fee} million; you have {player.cash}.",
            rule="A75-M01",
            numbers={"cost": fee, "cash": player.cash},
        )

    def apply_buy(self, play: A75Play, seat: int, move: Buy) -> None:
        position, price = play.position, self.board.constants.landing_rights
        city = city_at(self.board, position.players[seat])
        pay(position, seat, BANK, price)
        position.players[seat].cities.append(city)
        play.emit(BoughtRights(seat, city, price))
        self.go_on(play)

    def offer_challenge(self, position: Position, seat: int) -> Iterator[Offer]:
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        if owner is None or owner == seat or position.challenged or city == position.players[owner].base:
            return
        if self.rights(position, seat, cost_to_challenge(self.board, position, seat)):
            yield Offer(Challenge).saying(city=city, owner=self.board.colours.list[owner])

    def why_not_challenge(self, position: Position, seat: int, move: Challenge) -> IllegalOrder:
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        if city and owner is None:
            fee = self.board.constants.landing_rights
            message = f"Nobody owns {self.board.city[city].name}: it is not challenged but bought, for ${fee} million."
            return IllegalOrder("nobody_to_challenge", message, rule="A75-H01, A75-U02")
        if owner is None or owner == seat:
            return IllegalOrder("nobody_to_challenge", "You are in no other player's city.", rule="A75-H01")
        if city == position.players[owner].base:
            return IllegalOrder("base_city", "A base city is never challenged.", rule="A75-U04")
        if position.challenged:
            return IllegalOrder("challenged_already", "One challenge for each landing.", rule="A75-R18")
        return self.why_not_rights(position, seat, cost_to_challenge(self.board, position, seat))

    def apply_challenge(self, play: A75Play, seat: int, move: Challenge) -> None:
        """Pay; challenger and owner throw; the owner wins ties and keeps the fee (A75-H01 to A75-H03, A75-R19)."""
        position, fee = play.position, self.board.constants.challenge_fee
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        assert owner is not None
        for claim in fares_of(position, seat):
            position.claims.remove(claim)
            pay(position, seat, claim.to, claim.amount)
            play.emit(Paid(seat, claim.to, claim.amount, claim.reason))
        pay(position, seat, owner, fee)
        play.emit(Paid(seat, owner, fee, "challenge"))
        throws = []
        for thrower, label in ((seat, "challenger"), (owner, "owner")):
            throws.append(play.chance.roll(label))
            play.emit(Threw(thrower, throws[-1], "in the challenge"))
        position.challenged = True
        if sum(throws[0]) > sum(throws[1]):
            position.players[owner].cities.remove(city)
            position.players[seat].cities.append(city)
            play.emit(ChallengeWon(seat, owner, city))
        else:
            play.emit(ChallengeLost(seat, owner, city))
        self.go_on(play)

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing that costs money."""
        return not isinstance(move, Buy | Challenge)

    def why_not_fly(self, position: Position, seat: int, move: Fly) -> IllegalOrder:
        message = "Aircraft are changed before the dice are thrown, and you have thrown."
        return IllegalOrder("thrown_already", message, rule="A75-U05")

    def why_not_throw(self, position: Position, seat: int, move: Throw) -> IllegalOrder:
        return IllegalOrder("thrown_already", "You have thrown in this turn, and move once.", rule="A75-U01")

    def go_on(self, play: A75Play) -> None:
        """The turn ends when nothing is left to decide (A75-R56)."""
        if not may_act(self.board, self.settings, play.position):
            end_turn(self.board, self.settings, play)

    def offer_pass(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Pass)

    def apply_pass(self, play: A75Play, seat: int, move: Pass) -> None:
        play.emit(Passed(seat))
        end_turn(self.board, self.settings, play)

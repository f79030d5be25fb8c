"""The rules of Airline (1975), in the order in which the rulebook prints them.

    Starting      throw for the order, choose base cities            setup, Bases
    A turn        change aircraft, throw the dice, move              Departure
                  buy landing rights, or challenge them              Landing
    Money due     fares and specials; raise money or go bankrupt     settle, Raising
    Any time      deals, claims (strict collection), resignation     deals.Deals, Claims, Leaving
    The end       last player left, or first bankruptcy (short)      leave_game
"""

from collections.abc import Iterator

from referee.chance import Chance
from referee.contract import Phase, Play
from referee.errors import IllegalOrder
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.state import (
    BANK,
    BankPaid,
    Bankrupt,
    Base,
    Began,
    BoughtRights,
    Buy,
    Challenge,
    ChallengeLost,
    ChallengeWon,
    ChangedAircraft,
    ChoseBase,
    Claim,
    Claimable,
    ClaimLapsed,
    Crashed,
    Deal,
    Debt,
    Fly,
    GameOver,
    Hijacked,
    Landed,
    Lapsed,
    Owes,
    Paid,
    Pass,
    Passed,
    Player,
    Position,
    Received,
    Resign,
    Resigned,
    Settings,
    Threw,
    Throw,
    WentBankrupt,
)
from referee.options import Move, OneOf
from referee.options import Offer as On

APlay = Play[Position]

DOUBLE = 1  # distinct faces of a double


class APhase(Phase[Position, Board]):
    """A phase of this game: after every move the offers whose goods are gone lapse."""

    def play(self, play: APlay, seat: int, move: Move) -> None:
        super().play(play, seat, move)
        lapse(play)


# Starting the game


def setup(board: Board, seats: int, settings: Settings, chance: Chance) -> APlay:
    """All on SUBSIDY with a PROP; the highest throw chooses a base first (A75-S01 to A75-S04, A75-R01, A75-R02)."""
    cash = board.constants.start_cash
    position = Position(
        phase=Bases.name,
        active=0,
        banker=0,
        players=[Player(cash, board.aircraft[0].id, board.start, cities=[]) for _ in range(seats)],
        bank=-cash * seats,
        deals=[],
        offers_made=[0] * seats,
        claims=[],
        debts=[],
    )
    play = Play(position, chance)
    position.active = throw_for_order(play, seats)
    first = position.active if settings.first_turn == "dice_winner" else position.banker
    position.banker = first
    play.tell(Began(position.active, first))
    return play


def throw_for_order(play: APlay, seats: int) -> int:
    """The seat with the highest throw; those who tie throw again (A75-R02)."""
    throwing, attempt = list(range(seats)), 1
    while len(throwing) > 1:
        totals = {}
        for seat in throwing:
            dice = play.chance.roll(f"order {attempt} seat {seat}")
            play.tell(Threw(seat, dice, "for the order"))
            totals[seat] = sum(dice)
        throwing = [seat for seat in throwing if totals[seat] == max(totals.values())]
        attempt += 1
    return throwing[0]


class Bases(APhase):
    """Each in turn makes any free city the base, without a price (A75-S03, A75-R03)."""

    moves = (Base,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose your base city."

    def default(self, position: Position, seat: int) -> Base:
        return Base(free_cities(self.board, position)[0])

    def offer_base(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Base, city=OneOf(*free_cities(self.board, position)))

    def play_base(self, play: APlay, seat: int, move: Base) -> None:
        position = play.position
        player = position.players[seat]
        player.base = move.city
        player.cities.append(move.city)
        play.tell(ChoseBase(seat, move.city))
        position.active = next_seat(position, seat)
        if position.players[position.active].base:
            begin_turn(play, position.banker)


# A turn


class Departure(APhase):
    """Before the dice: perhaps another aircraft; then throw and move (A75-U01, A75-U05)."""

    moves = (Throw, Fly)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        if self.levels(position, seat):
            return "Your turn: throw the dice, or first change your aircraft."
        return "Your turn: throw the dice."

    def default(self, position: Position, seat: int) -> Throw:
        return Throw()

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

    def offer_fly(self, position: Position, seat: int) -> Iterator[On]:
        levels = self.levels(position, seat)
        if levels:
            yield On(Fly, aircraft=OneOf(*levels))

    def refuse_fly(self, position: Position, seat: int, move: Fly) -> IllegalOrder:
        player, fee = position.players[seat], self.board.constants.aircraft_fee
        levels = list(self.board.plane)
        if move.aircraft not in levels:
            return IllegalOrder("no_such_aircraft", f"An aircraft is one of {', '.join(levels)}.", field="aircraft")
        if position.changed:
            return IllegalOrder("changed_already", "You have changed your aircraft in this turn.", rule="A75-R11")
        if city_at(self.board, player) not in player.cities:
            return IllegalOrder(
                "not_in_own_city", "Aircraft are changed only while you stand in a city of your own.", rule="A75-U05"
            )
        if abs(levels.index(move.aircraft) - levels.index(player.aircraft)) != 1:
            message = f"You fly the {player.aircraft}; you may go one level up or down."
            return IllegalOrder("one_level", message, field="aircraft", rule="A75-R11")
        return IllegalOrder(
            "too_expensive",
            f"The change costs ${fee} million; you have {player.cash}.",
            rule="A75-U05",
            numbers={"cost": fee, "cash": player.cash},
        )

    def play_fly(self, play: APlay, seat: int, move: Fly) -> None:
        position, fee = play.position, self.board.constants.aircraft_fee
        pay(position, seat, BANK, fee)
        position.players[seat].aircraft = move.aircraft
        position.changed = True
        play.tell(ChangedAircraft(seat, move.aircraft, fee))

    def offer_throw(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Throw)

    def play_throw(self, play: APlay, seat: int, move: Throw) -> None:
        """Subsidy is credited when it is passed, before the space landed on takes effect (A75-R04, A75-R05)."""
        board, position, player = self.board, play.position, play.position.players[seat]
        for claim in position.claims:
            play.tell(ClaimLapsed(claim.to, claim.amount))
        position.claims.clear()
        dice = play.chance.roll("move")
        play.tell(Threw(seat, dice, "to move"))
        way = player.place + sum(dice)
        player.place = way % len(board.track)
        if way >= len(board.track) + board.start:
            receive(self.settings, play, seat, board.plane[player.aircraft].subsidy, "subsidy")
        space = board.track[player.place]
        play.tell(Landed(seat, space.city or space.kind))
        land(board, self.settings, play, seat)


def land(board: Board, settings: Settings, play: APlay, seat: int) -> None:
    """What the space does (A75-U06, A75-P01 to A75-P06); then money that is due, and what may be done there."""
    position, player = play.position, play.position.players[seat]
    constants = board.constants
    kind = board.track[player.place].kind
    if kind == "maintenance":
        owe(play, seat, BANK, board.plane[player.aircraft].maintenance, "maintenance")
    elif kind == "charter":
        dice = play.chance.roll("charter")
        play.tell(Threw(seat, dice, "for the charter"))
        receive(settings, play, seat, constants.charter_per_pip * sum(dice), "charter")
    elif kind == "hijack":
        hijack(board, play, seat)
    elif kind == "air_cargo":
        receive(settings, play, seat, constants.air_cargo, "air cargo")
    elif kind == "crash":
        crash(board, play, seat)
    elif kind == "city":
        fare_due(board, settings, play, seat)
    position.phase = Landing.name
    settle(board, settings, play)


def hijack(board: Board, play: APlay, seat: int) -> None:
    """A double destroys the aircraft where it stands; otherwise it goes to SUBSIDY for nothing (A75-R29, A75-R30)."""
    dice = play.chance.roll("hijack")
    play.tell(Threw(seat, dice, "for the hijack"))
    if len(set(dice)) == DOUBLE:
        crash(board, play, seat)
    else:
        play.position.players[seat].place = board.start
        play.tell(Hijacked(seat))


def crash(board: Board, play: APlay, seat: int) -> None:
    """Pay, and fly a PROP (A75-P06, A75-R31)."""
    play.position.players[seat].aircraft = board.aircraft[0].id
    play.tell(Crashed(seat))
    owe(play, seat, BANK, board.constants.crash_cost, "crash")


# Landing rights, fares and challenges


def fare_due(board: Board, settings: Settings, play: APlay, seat: int) -> None:
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
        play.tell(Claimable(owner, seat, fare, reason))
    else:
        owe(play, seat, owner, fare, reason)


def connected(board: Board, player: Player) -> set[str]:
    """The cities linked to the base over cities of the same owner (A75-U07)."""
    found, waiting = {player.base}, [player.base]
    while waiting:
        for city in board.neighbours[waiting.pop()]:
            if city in player.cities and city not in found:
                found.add(city)
                waiting.append(city)
    return found


class Landing(APhase):
    """In a free city its rights may be bought, in another's city they may be challenged (A75-U02, A75-H01)."""

    moves = (Buy, Challenge, Pass)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        city = self.board.city[city_at(self.board, position.players[seat])].name
        if position.challenged:
            return "The challenge is over: end your turn."
        if owner_of(position, city_at(self.board, position.players[seat])) is None:
            return f"Buy the landing rights for {city}, or pass."
        return f"Challenge the landing rights for {city}, or pass."

    def default(self, position: Position, seat: int) -> Pass:
        return Pass()

    def is_open(self, position: Position) -> bool:
        """Whether there is anything to decide: a city that is nobody's, or another's and no base (A75-U04)."""
        player = position.players[position.active]
        city = city_at(self.board, player)
        if not city or city in player.cities or (position.challenged and not sellable(player)):
            return False
        price = self.board.constants.landing_rights
        if player.cash < price and not sellable(player):
            return False
        owner = owner_of(position, city)
        return owner is None or city != position.players[owner].base

    def rights(self, position: Position, seat: int, fee: int) -> bool:
        """Whether a player has the fee and a marker left (A75-R07 to A75-R09)."""
        player = position.players[seat]
        return player.cash >= fee and len(player.cities) < most_cities(self.board, self.settings)

    def offer_buy(self, position: Position, seat: int) -> Iterator[On]:
        city = city_at(self.board, position.players[seat])
        if owner_of(position, city) is None and self.rights(position, seat, self.board.constants.landing_rights):
            yield On(Buy)

    def refuse_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder:
        owner = owner_of(position, city_at(self.board, position.players[seat]))
        if owner is not None:
            return IllegalOrder("owned", "The landing rights are sold; they can only be challenged.", rule="A75-U02")
        return self.refuse_rights(position, seat, self.board.constants.landing_rights)

    def refuse_rights(self, position: Position, seat: int, fee: int) -> IllegalOrder:
        player, most = position.players[seat], most_cities(self.board, self.settings)
        if len(player.cities) >= most:
            message = f"You own {len(player.cities)} cities, as many as there are markers."
            return IllegalOrder("no_marker", message, rule="A75-R09", numbers={"cities": len(player.cities)})
        return IllegalOrder(
            "too_expensive",
            f"That costs ${fee} million; you have {player.cash}.",
            rule="A75-M01",
            numbers={"cost": fee, "cash": player.cash},
        )

    def play_buy(self, play: APlay, seat: int, move: Buy) -> None:
        position, price = play.position, self.board.constants.landing_rights
        city = city_at(self.board, position.players[seat])
        pay(position, seat, BANK, price)
        position.players[seat].cities.append(city)
        play.tell(BoughtRights(seat, city, price))
        end_turn(play)

    def offer_challenge(self, position: Position, seat: int) -> Iterator[On]:
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        if owner is None or owner == seat or position.challenged or city == position.players[owner].base:
            return
        if self.rights(position, seat, self.cost_to_challenge(position, seat)):
            yield On(Challenge)

    def cost_to_challenge(self, position: Position, seat: int) -> int:
        """The fee, and first the fare if it is not claimed yet (A75-H01, A75-R16, A75-R17)."""
        return self.board.constants.challenge_fee + sum(claim.amount for claim in fares_of(position, seat))

    def refuse_challenge(self, position: Position, seat: int, move: Challenge) -> IllegalOrder:
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        if owner is None or owner == seat:
            return IllegalOrder("nobody_to_challenge", "No other player owns this city.", rule="A75-H01")
        if city == position.players[owner].base:
            return IllegalOrder("base_city", "A base city is never challenged.", rule="A75-U04")
        if position.challenged:
            return IllegalOrder("challenged_already", "One challenge for each landing.", rule="A75-R18")
        return self.refuse_rights(position, seat, self.cost_to_challenge(position, seat))

    def play_challenge(self, play: APlay, seat: int, move: Challenge) -> None:
        """Pay; challenger and owner throw; the owner wins ties and keeps the fee (A75-H01 to A75-H03, A75-R19)."""
        position, fee = play.position, self.board.constants.challenge_fee
        city = city_at(self.board, position.players[seat])
        owner = owner_of(position, city)
        assert owner is not None
        for claim in fares_of(position, seat):
            position.claims.remove(claim)
            pay(position, seat, owner, claim.amount)
            play.tell(Paid(seat, owner, claim.amount, claim.reason))
        pay(position, seat, owner, fee)
        play.tell(Paid(seat, owner, fee, "challenge"))
        throws = []
        for thrower, label in ((seat, "challenger"), (owner, "owner")):
            throws.append(play.chance.roll(label))
            play.tell(Threw(thrower, throws[-1], "in the challenge"))
        position.challenged = True
        if sum(throws[0]) > sum(throws[1]):
            position.players[owner].cities.remove(city)
            position.players[seat].cities.append(city)
            play.tell(ChallengeWon(seat, owner, city))
        else:
            play.tell(ChallengeLost(seat, owner, city))
        if not self.is_open(position):
            end_turn(play)

    def offer_pass(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Pass)

    def play_pass(self, play: APlay, seat: int, move: Pass) -> None:
        play.tell(Passed(seat))
        end_turn(play)


# Money


def receive(settings: Settings, play: APlay, seat: int, amount: int, reason: str) -> None:
    """Money from the bank; in strict collection it must be claimed (A75-M02, A75-R15)."""
    if not amount:
        return
    if settings.collection == "strict":
        play.position.claims.append(Debt(BANK, seat, amount, reason))
        play.tell(Claimable(seat, BANK, amount, reason))
    else:
        pay(play.position, BANK, seat, amount)
        play.tell(Received(seat, amount, reason))


def owe(play: APlay, seat: int, to: int, amount: int, reason: str) -> None:
    play.position.debts.append(Debt(seat, to, amount, reason))


def settle(board: Board, settings: Settings, play: APlay) -> None:
    """Pays what can be paid. Who cannot pay must raise money, or is bankrupt with nothing to sell (A75-R34)."""
    position = play.position
    while position.debts and not position.ending:
        debt = position.debts[0]
        debtor = position.players[debt.seat]
        if debtor.cash >= debt.amount:
            position.debts.pop(0)
            pay(position, debt.seat, debt.to, debt.amount)
            play.tell(Paid(debt.seat, debt.to, debt.amount, debt.reason))
        elif sellable(debtor):
            if position.phase != Raising.name:
                position.resume, position.phase = position.phase, Raising.name
                play.tell(Owes(debt.seat, debt.to, debt.amount, debtor.cash))
            return
        else:
            go_bankrupt(board, settings, play, debt.seat)
    if position.ending:
        return
    if position.phase == Raising.name:
        position.phase, position.resume = position.resume, ""
    if position.phase == Landing.name and not Landing(board, settings).is_open(position):
        end_turn(play)


class Raising(APhase):
    """A debtor without the money sells cities to the others, or declares bankruptcy (A75-M05, A75-R34, A75-R35)."""

    moves = (Bankrupt,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.debts[0].seat,)

    def prompt(self, position: Position, seat: int) -> str:
        debt = position.debts[0]
        cash = position.players[debt.seat].cash
        return (
            f"You owe ${debt.amount} million ({debt.reason}) and have {cash}:"
            " offer cities to other players to raise the rest, or declare bankruptcy."
        )

    def default(self, position: Position, seat: int) -> Bankrupt:
        return Bankrupt()

    def offer_bankrupt(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Bankrupt)

    def play_bankrupt(self, play: APlay, seat: int, move: Bankrupt) -> None:
        go_bankrupt(self.board, self.settings, play, seat)
        if not play.position.ending:
            settle(self.board, self.settings, play)


class Claims(APhase):
    """Strict collection: who is owed money claims it before the next throw (A75-M02, A75-R15)."""

    required = False
    moves = (Claim,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(sorted({claim.to for claim in position.claims}))

    def prompt(self, position: Position, seat: int) -> str:
        total = sum(claim.amount for claim in position.claims if claim.to == seat)
        return f"${total} million are due to you: claim them before the next throw."

    def default(self, position: Position, seat: int) -> Claim:
        return Claim()

    def offer_claim(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Claim)

    def play_claim(self, play: APlay, seat: int, move: Claim) -> None:
        position = play.position
        mine = [claim for claim in position.claims if claim.to == seat]
        position.claims = [claim for claim in position.claims if claim.to != seat]
        for claim in mine:
            if claim.seat == BANK:
                pay(position, BANK, seat, claim.amount)
                play.tell(Received(seat, claim.amount, claim.reason))
            else:
                position.debts.append(claim)
        settle(self.board, self.settings, play)


class Leaving(APhase):
    """Anybody may leave the game; all goes to the bank (A75-M03, A75-R39)."""

    required = False
    moves = (Resign,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return seats_in(position)

    def prompt(self, position: Position, seat: int) -> str:
        return "You may leave the game."

    def default(self, position: Position, seat: int) -> Resign:
        return Resign()

    def offer_resign(self, position: Position, seat: int) -> Iterator[On]:
        yield On(Resign)

    def play_resign(self, play: APlay, seat: int, move: Resign) -> None:
        position = play.position
        if any(debt.seat == seat for debt in position.debts):
            go_bankrupt(self.board, self.settings, play, seat)
        else:
            play.tell(Resigned(seat, tuple(position.players[seat].cities)))
            leave_game(self.board, self.settings, play, seat, bankrupt=False)
        if not position.ending:
            settle(self.board, self.settings, play)


# Bankruptcy and the end


def go_bankrupt(board: Board, settings: Settings, play: APlay, seat: int) -> None:
    """All to the bank, which pays other players in full (A75-K02, A75-R36, A75-R37)."""
    position = play.position
    play.tell(WentBankrupt(seat, tuple(position.players[seat].cities)))
    for debt in [debt for debt in position.debts if debt.seat == seat]:
        position.debts.remove(debt)
        if debt.to != BANK:
            pay(position, BANK, debt.to, debt.amount)
            play.tell(BankPaid(debt.to, debt.amount, seat))
    leave_game(board, settings, play, seat, bankrupt=True)


def leave_game(board: Board, settings: Settings, play: APlay, seat: int, *, bankrupt: bool) -> None:
    """The player's cities are free again, the base too (A75-R22); perhaps that ends the game (A75-K03, A75-K04)."""
    position, player = play.position, play.position.players[seat]
    player.out = 1 + sum(bool(other.out) for other in position.players)
    pay(position, seat, BANK, player.cash)
    player.cities = []
    position.debts = [debt for debt in position.debts if seat not in (debt.seat, debt.to)]
    position.claims = [claim for claim in position.claims if seat not in (claim.seat, claim.to)]
    left = seats_in(position)
    if bankrupt and settings.short:
        best = max(assets(board, position.players[one]) for one in left)
        finish(play, "short_game", tuple(one for one in left if assets(board, position.players[one]) == best))
    elif len(left) == 1:
        finish(play, "last_player", left)
    elif position.phase == Bases.name:
        if position.active == seat:
            position.active = next_seat(position, seat)
        if position.players[position.active].base:
            begin_turn(play, position.banker if not position.players[position.banker].out else position.active)
    elif position.active == seat:
        position.phase, position.resume = Departure.name, ""
        end_turn(play)


def finish(play: APlay, ending: str, winners: tuple[int, ...]) -> None:
    play.position.ending = ending
    play.position.deals.clear()
    play.tell(GameOver(winners))


def end_turn(play: APlay) -> None:
    begin_turn(play, next_seat(play.position, play.position.active))


def begin_turn(play: APlay, seat: int) -> None:
    """The next player's turn; the offers of the last one lapse."""
    position = play.position
    if position.deals:
        play.tell(Lapsed(tuple(deal.number for deal in position.deals)))
    position.deals = []
    position.offers_made = [0] * len(position.players)
    position.active = seat
    position.phase = Departure.name
    position.changed = position.challenged = False


# Questions the rules ask


def pay(position: Position, seat: int, to: int, amount: int) -> None:
    for payer, change in ((seat, -amount), (to, amount)):
        if payer == BANK:
            position.bank += change
        else:
            position.players[payer].cash += change


def city_at(board: Board, player: Player) -> str:
    """The city a player stands in; empty on a special space."""
    return board.track[player.place].city


def owner_of(position: Position, city: str) -> int | None:
    return next((seat for seat, player in enumerate(position.players) if city in player.cities), None)


def free_cities(board: Board, position: Position) -> list[str]:
    return [city.id for city in board.cities if owner_of(position, city.id) is None]


def fares_of(position: Position, seat: int) -> list[Debt]:
    """The fares a player owes that nobody has claimed yet."""
    return [claim for claim in position.claims if claim.seat == seat]


def sellable(player: Player) -> list[str]:
    """Every city but the base (A75-U04)."""
    return [city for city in player.cities if city != player.base]


def most_cities(board: Board, settings: Settings) -> int:
    return min(settings.max_cities, board.constants.markers)


def assets(board: Board, player: Player) -> int:
    """Cash and cities at their value; aircraft count nothing (A75-K04, A75-R42)."""
    return player.cash + board.constants.city_value * len(player.cities)


def seats_in(position: Position) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(position.players) if not player.out)


def next_seat(position: Position, seat: int) -> int:
    """The next player to the left who is still in the game (A75-R44)."""
    order = [(seat + step) % len(position.players) for step in range(1, len(position.players) + 1)]
    return next(one for one in order if not position.players[one].out)


def lapse(play: APlay) -> None:
    """Takes away the offers whose goods are gone or whose makers are."""
    position = play.position
    gone = [deal for deal in position.deals if not stands(position, deal)]
    if gone:
        position.deals = [deal for deal in position.deals if deal not in gone]
        play.tell(Lapsed(tuple(deal.number for deal in gone)))


def stands(position: Position, deal: Deal) -> bool:
    maker, taker = position.players[deal.seat], position.players[deal.to]
    debtors = {debt.seat for debt in position.debts}
    return (
        not maker.out
        and not taker.out
        and maker.cash >= deal.pay
        and set(deal.give) <= set(maker.cities)
        and set(deal.want) <= set(taker.cities)
        and (deal.seat not in debtors or (deal.price > 0 and not deal.pay))
        and (deal.to not in debtors or (deal.pay > 0 and not deal.price))
    )

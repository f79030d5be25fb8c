"""Money that is due, and what happens to a player without it: claims, debts, bankruptcy, leaving the game.

Collection    automatic, or by claiming before the next throw     receive, Claims
Debts         paid at once; else raise money or go bankrupt       settle, Raising
Leaving       all to the bank, the cities are free again          Leaving, go_bankrupt, leave_game
The end       last player left, or first bankruptcy (short)       leave_game, scoring.py
"""

from collections.abc import Iterator

from referee.errors import IllegalOrder
from referee.games.airline_1975.board import BANK as BANK_NAME
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import (
    BankPaid,
    Claimable,
    Owes,
    Paid,
    Received,
    Resigned,
    Voided,
    WentBankrupt,
)
from referee.games.airline_1975.landing_rights import can_afford_rights, city_at, owner_of, rights_at_stake
from referee.games.airline_1975.scoring import finish, highest_assets
from referee.games.airline_1975.state import (
    BANK,
    BASES,
    LANDING,
    RAISING,
    Accept,
    Bankrupt,
    Buy,
    Claim,
    Counter,
    Debt,
    Pass,
    Position,
    Refuse,
    Resign,
    Settings,
    Throw,
    Withdraw,
)
from referee.games.airline_1975.turns import (
    A75Phase,
    A75Play,
    can_close,
    claims_of,
    dealers,
    end_turn,
    fares_of,
    lacks_fare,
    next_base,
    no_such_offer,
    seats_in,
    somebody_can_deal,
    tradable,
)
from referee.options import Move, Offer

# Debts and claims


def pay(position: Position, seat: int, to: int, amount: int) -> None:
    """The bank never runs out of money (A75-R33)."""
    for payer, change in ((seat, -amount), (to, amount)):
        if payer == BANK:
            position.bank += change
        else:
            position.players[payer].cash += change


def receive(settings: Settings, play: A75Play, seat: int, amount: int, reason: str) -> None:
    """Money from the bank; in strict collection it must be claimed (A75-M02, A75-R15)."""
    if not amount:
        return
    if settings.collection == "strict":
        play.position.claims.append(Debt(BANK, seat, amount, reason))
        play.emit(Claimable(seat, BANK, amount, reason))
    else:
        pay(play.position, BANK, seat, amount)
        play.emit(Received(seat, amount, reason))


def claim_all(play: A75Play, seat: int) -> None:
    """The bank pays at once; what a player owes is due now."""
    position = play.position
    for claim in claims_of(position, seat):
        position.claims.remove(claim)
        if claim.seat == BANK:
            pay(position, BANK, seat, claim.amount)
            play.emit(Received(seat, claim.amount, claim.reason))
        else:
            position.debts.append(claim)


def owe(play: A75Play, seat: int, to: int, amount: int, reason: str) -> None:
    play.position.debts.append(Debt(seat, to, amount, reason))


def settle(board: Board, settings: Settings, play: A75Play) -> None:
    """Pays what can be paid. A debtor without the money must raise it, or is bankrupt with nothing to sell (A75-R34);
    money that the bank still owes the debtor is claimed first (A75-R53)."""
    position = play.position
    known = position.phase == RAISING  # whether the first debt has been announced
    while position.debts and not position.ending:
        debt = position.debts[0]
        debtor = position.players[debt.seat]
        if debtor.cash >= debt.amount:
            position.debts.pop(0)
            pay(position, debt.seat, debt.to, debt.amount)
            play.emit(Paid(debt.seat, debt.to, debt.amount, debt.reason))
        elif claims_of(position, debt.seat):
            claim_all(play, debt.seat)
            continue
        elif tradable(position, debt.seat):
            if not known:
                play.emit(Owes(debt.seat, debt.to, debt.amount, debtor.cash))
                position.offers_made[debt.seat] = 0  # the debtor needs them now (A75-R49)
                if not position.is_version_1:  # and so do those who bid for his cities (A75-R61)
                    position.offers_made = [0] * len(position.players)
            if position.phase != RAISING:
                position.resume, position.phase = position.phase, RAISING
            return
        else:
            go_bankrupt(board, settings, play, debt.seat)
        known = False
    if position.ending:
        return
    if position.phase == RAISING:
        position.phase, position.resume = position.resume, ""
    if position.phase == LANDING and not may_act(board, settings, position):
        end_turn(board, settings, play)


def may_act(board: Board, settings: Settings, position: Position) -> bool:
    """Whether the player in turn has anything to decide after landing (A75-R56): to claim money that is due; to
    challenge another's city or buy it by a deal (A75-R21); to buy a free city, with a way to the money for it; as a
    setting, to make a deal, or deals do not count (A75-R66)."""
    player = position.players[position.active]
    if position.claims and claims_of(position, position.active):
        return True
    if settings.turn_end == "on_pass" and somebody_can_deal(position):
        return True
    if not rights_at_stake(board, position):
        return False
    free = owner_of(position, city_at(board, player)) is None
    if settings.turn_end == "without_deals":
        fee = board.constants.landing_rights if free else cost_to_challenge(board, position, position.active)
        return can_afford_rights(board, settings, player, fee) and (free or not position.challenged)
    return not free or player.cash >= board.constants.landing_rights or bool(tradable(position, position.active))


def cost_to_challenge(board: Board, position: Position, seat: int) -> int:
    """The fee, and first the fare if it is not claimed yet (A75-H01, A75-R16, A75-R17)."""
    return board.constants.challenge_fee + sum(claim.amount for claim in fares_of(position, seat))


class Raising(A75Phase):
    """A debtor without the money sells cities to the others, or declares bankruptcy (A75-M05, A75-R34, A75-R35). When
    the debtor is absent, the others have time to bid (A75-R57)."""

    asks = "your debt"
    takes_its_time = True
    moves = (Bankrupt,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.debts[0].seat,)

    def prompt(self, position: Position, seat: int) -> str:
        debt = position.debts[0]
        cash = position.players[debt.seat].cash
        owed = f"You owe {self.payee(debt.to)} ${debt.amount} million ({debt.reason}) and have {cash}"
        open_to = dealers(self.settings, position)
        partners = "other players" if seat in open_to else f"{self.payee(position.active)}, who is in turn,"
        void = "" if self.version == "1" else " If you go bankrupt all the same, what you sell in debt is void."
        return f"{owed}: offer cities to {partners} to raise the rest, or declare bankruptcy.{void}"

    def default(self, position: Position, seat: int) -> Accept | Bankrupt:
        """Bids that together pay the debt are accepted, fewest cities and most money first; else nothing is left
        (A75-R62)."""
        owed = sum(debt.amount for debt in position.debts if debt.seat == seat)
        bids = [
            deal for deal in position.deals if deal.to == seat and can_close(self.board, self.settings, position, deal)
        ]
        bids.sort(key=lambda deal: (position.players[seat].cash + deal.pay < owed, len(deal.want), -deal.pay))
        cash, sold = position.players[seat].cash, set[str]()
        for bid in bids:
            if sold.isdisjoint(bid.want):
                cash, sold = cash + bid.pay, sold | set(bid.want)
        return Accept(bids[0].number) if bids and cash >= owed else Bankrupt()

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        return not isinstance(move, Bankrupt)

    def why_not_throw(self, position: Position, seat: int, move: Throw) -> IllegalOrder:
        return IllegalOrder("in_debt", "First you pay what you owe, or go bankrupt.", rule="A75-R34")

    def why_not_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder:
        return IllegalOrder("in_debt", "First you pay what you owe; you can buy nothing with it.", rule="A75-R34")

    def why_not_pass(self, position: Position, seat: int, move: Pass) -> IllegalOrder:
        return IllegalOrder("in_debt", "A debt cannot be passed: sell cities, or go bankrupt.", rule="A75-R34")

    def offer_bankrupt(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Bankrupt)

    def apply_bankrupt(self, play: A75Play, seat: int, move: Bankrupt) -> None:
        go_bankrupt(self.board, self.settings, play, seat)
        settle(self.board, self.settings, play)


class Claims(A75Phase):
    """Strict collection: money that is due is claimed before the next throw (A75-M02, A75-R15)."""

    asks = "your claim"
    required = False
    moves = (Claim,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(sorted({claim.to for claim in position.claims})) if position.claims else ()

    def prompt(self, position: Position, seat: int) -> str:
        mine = claims_of(position, seat)
        due = ", ".join(f"${claim.amount} million from {self.payee(claim.seat)} ({claim.reason})" for claim in mine)
        return f"You may claim {due} until the next throw."

    def is_put_to(self, position: Position, seat: int) -> bool:
        return bool(claims_of(position, seat))

    def default(self, position: Position, seat: int) -> Claim:
        """Nobody has to, but everybody would: bots do it (A75-R65)."""
        return Claim()

    def offer_claim(self, position: Position, seat: int) -> Iterator[Offer]:
        payers = [claim.seat for claim in claims_of(position, seat)]
        payer = next((payer for payer in payers if payer != BANK), BANK)
        offer = Offer(Claim).saying(payer=BANK_NAME if payer == BANK else self.board.colours.list[payer])
        if payer != BANK and (city := city_at(self.board, position.players[payer])):
            offer.beside = {**offer.beside, "city": city}
        yield offer

    def apply_claim(self, play: A75Play, seat: int, move: Claim) -> None:
        claim_all(play, seat)
        settle(self.board, self.settings, play)


# Leaving the game


class Leaving(A75Phase):
    """Anybody may leave the game at any time; all assets go to the bank (A75-M03, A75-R39)."""

    asks = "leaving"
    required = False
    moves = (Resign,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return seats_in(position)

    def prompt(self, position: Position, seat: int) -> str:
        return "You may leave the game."

    def why_not_claim(self, position: Position, seat: int, move: Claim) -> IllegalOrder:
        if self.settings.collection == "strict":
            return IllegalOrder("nothing_due", "Nothing is due to you now.", rule="A75-R15")
        return IllegalOrder("nothing_due", "In this game money comes by itself; nothing is claimed.", rule="A75-R15")

    def why_not_bankrupt(self, position: Position, seat: int, move: Bankrupt) -> IllegalOrder:
        message = "You owe nothing that you cannot pay. To leave the game, resign."
        return IllegalOrder("no_debt", message, rule="A75-R34")

    def why_not_accept(self, position: Position, seat: int, move: Accept) -> IllegalOrder:
        return no_such_offer(position, move)

    def why_not_refuse(self, position: Position, seat: int, move: Refuse) -> IllegalOrder:
        return no_such_offer(position, move)

    def why_not_counter(self, position: Position, seat: int, move: Counter) -> IllegalOrder:
        return no_such_offer(position, move)

    def why_not_withdraw(self, position: Position, seat: int, move: Withdraw) -> IllegalOrder:
        return no_such_offer(position, move)

    def offer_resign(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Resign)

    def apply_resign(self, play: A75Play, seat: int, move: Resign) -> None:
        """Who leaves with a debt is bankrupt (A75-R51), and since version 2 so is who could not pay the fare that may
        still be claimed: it is taken as claimed (A75-R59)."""
        position = play.position
        if not position.is_version_1 and lacks_fare(position, seat):
            for fare in fares_of(position, seat):
                position.claims.remove(fare)
                position.debts.append(fare)
        if any(debt.seat == seat for debt in position.debts):
            go_bankrupt(self.board, self.settings, play, seat)
        else:
            play.emit(Resigned(seat, tuple(position.players[seat].cities)))
            leave_game(self.board, self.settings, play, seat, bankrupt=False)
        settle(self.board, self.settings, play)


def go_bankrupt(board: Board, settings: Settings, play: A75Play, seat: int) -> None:
    """All assets go to the bank, which pays other players in full (A75-K02, A75-R36, A75-R37)."""
    position = play.position
    void_deals(play, seat)
    play.emit(WentBankrupt(seat, tuple(position.players[seat].cities)))
    for debt in [debt for debt in position.debts if debt.seat == seat]:
        position.debts.remove(debt)
        if debt.to != BANK:
            pay(position, BANK, debt.to, debt.amount)
            play.emit(BankPaid(debt.to, debt.amount, seat))
    leave_game(board, settings, play, seat, bankrupt=True)


def void_deals(play: A75Play, seat: int) -> None:
    """A bankrupt debtor's deals are void: cities go back, and the bank, which gets all he has, returns the money
    (A75-R58)."""
    position = play.position
    for deal in reversed(position.held or []):
        if seat not in (deal.seat, deal.to):
            continue
        mine = deal.seat == seat
        buyer = deal.to if mine else deal.seat
        other = position.players[buyer]
        gave, got, money = (deal.give, deal.want, deal.price) if mine else (deal.want, deal.give, deal.pay)
        debtor = position.players[seat]
        debtor.cities = [city for city in debtor.cities if city not in got] + gave
        if other.out:
            continue
        other.cities = [city for city in other.cities if city not in gave] + got
        pay(position, BANK, buyer, money)
        play.emit(Voided(seat, buyer, deal.number, tuple(gave), tuple(got), money))
    if position.held:
        position.held = [deal for deal in position.held if seat not in (deal.seat, deal.to)]


def leave_game(board: Board, settings: Settings, play: A75Play, seat: int, *, bankrupt: bool) -> None:
    """The player's cities are free again, the base too (A75-R22); perhaps that ends the game (A75-K03, A75-K04).

    The bank stands in for the player: it owes the fares that may still be claimed (A75-R50), and is owed the debts
    that are due to the player (A75-R52). What the player has not claimed lapses.
    """
    position, player = play.position, play.position.players[seat]
    player.out = 1 + sum(bool(other.out) for other in position.players)
    if not position.is_version_1:
        player.left = "bankrupt" if bankrupt else "resigned"
    pay(position, seat, BANK, player.cash)
    player.cities = []
    position.claims = [claim for claim in position.claims if claim.to != seat]
    for claim in position.claims:
        claim.seat = BANK if claim.seat == seat else claim.seat
    for debt in position.debts:
        debt.to = BANK if debt.to == seat else debt.to
    left = seats_in(position)
    if bankrupt and settings.short:
        finish(play, "short_game", highest_assets(board, position, left))
    elif len(left) == 1:
        finish(play, "last_player", left)
    elif position.active == seat:
        if position.phase == BASES:
            next_base(board, settings, play)
        else:
            position.resume = ""
            end_turn(board, settings, play)

"""The rules of Airlines Europe, in the order in which the rulebook prints them.

Game setup     market, hands, draw pile, first shares        setup.py
A turn         A buy one or two licences, then take a share  Turn, licences.py, then Share
               B play shares   C trade   D take money        Turn
A scoring      clear the market, then score the airlines     Clearing, scoring.py
The end        after the third scoring, or all blocked       scoring.py
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec

from referee.contract import Phase, Play
from referee.errors import IllegalOrder
from referee.games.airlines_europe import late
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.events import (
    AllBlocked,
    BankBankrupt,
    DrewNothing,
    DrewShare,
    MarketCleared,
    MarketRefilled,
    PlayedShares,
    ScoringCardUp,
    TookMoney,
    TookShare,
    Traded,
)
from referee.games.airlines_europe.licences import (
    buy_licence,
    buyable,
    is_blocked,
    is_connected,
    is_for_sale,
    networks,
    next_licence,
    owners_of,
)
from referee.games.airlines_europe.refusals import of_airlines, why_not_market, why_not_missing
from referee.games.airlines_europe.scoring import finish, score_airlines
from referee.games.airlines_europe.state import (
    AIR_ABACUS,
    PILE,
    SCORING_CARD,
    Buy,
    Player,
    PlayShares,
    Position,
    Shares,
    TakeMoney,
    TakeShare,
    Trade,
    next_seat,
)
from referee.options import Bag, Move, Offer, OneOf
from referee.piles import add, take

AEPlay = Play[Position]

CLEARED_SCORINGS = SCORINGS - 1  # ruling AE-R18: the market is not cleared at the last scoring


class AEPhase(Phase[Position, Board]):
    now: ClassVar[str]  # what is to be done, for those who order something that belongs elsewhere
    now_rule: ClassVar[str]

    def why_not(self, position: Position, seat: int, move: Move) -> IllegalOrder | None:
        if type(move) not in self.moves:
            return IllegalOrder("not_now", self.now, field="type", rule=self.now_rule)
        return super().why_not(position, seat, move)

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing is proposed that costs money or gives shares away."""
        return not isinstance(move, Buy | Trade)


# A) Buy one or two route licences and take one share


class Licences(AEPhase):
    """Buying a licence, as the action of a turn and as the second licence of it."""

    def offer_buy(self, position: Position, seat: int) -> Iterator[Offer]:
        cash = position.players[seat].cash
        for airline, cities in networks(self.board, position).items():
            routes = OneOf(*buyable(self.board, position, airline, cities, cash))
            if routes.choices:
                yield Offer(Buy, airline=airline, route=routes)

    def find_buy(self, position: Position, seat: int, move: Buy) -> Iterator[Offer]:
        board, airline, route, cash = self.board, move.airline, move.route, position.players[seat].cash
        if (
            airline in position.airlines
            and route in board.route
            and position.airlines[airline].planes
            and is_for_sale(board, position, airline, route, cash)
            and is_connected(board, position, airline, route)
        ):
            yield Offer(Buy, airline=airline, route=route)

    def why_not_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder | None:
        board, cash = self.board, position.players[seat].cash
        if move.route not in board.route:
            message = f"There is no route {move.route[:40]}."
            return IllegalOrder("no_such_route", message, field="route", rule="Rulebook, Action A")
        if move.airline not in position.airlines:
            return IllegalOrder(
                "not_in_play",
                f"No licence can be bought for {board.share_name(move.airline)} in this game.",
                field="airline",
                rule="Rulebook, Game setup; AE-S01, AE-C04",
            )
        airline, route = move.airline, board.route[move.route]
        name = f"{board.city[route.a].name}-{board.city[route.b].name}"
        cost = next_licence(board, position, route.id)
        if not position.airlines[airline].planes:
            planes = board.airline[airline].planes
            message = f"{airline} has used all its {planes} airplanes."
            return IllegalOrder(
                "no_planes", message, field="airline", rule="Purchase rule 5", numbers={"planes": planes, "left": 0}
            )
        if airline in owners_of(board, position, route.id):
            return IllegalOrder(
                "licensed_already", f"{airline} already owns a licence {name}.", field="route", rule="Purchase rule 3"
            )
        if cost is None:
            sold = len(route.licences)
            message = f"All licences {name} are sold: there are {sold}."
            return IllegalOrder(
                "no_licence_left", message, field="route", rule="Purchase rule 4", numbers={"licences": sold}
            )
        if not is_connected(board, position, airline, route.id):
            home = board.city[board.airline[airline].home].name
            return IllegalOrder(
                "not_connected",
                f"{name} is not connected to {home}, the home airport of {airline}.",
                field="route",
                rule="Purchase rule 1",
            )
        return IllegalOrder(
            "too_expensive",
            f"A licence {name} costs {cost} million; you have {cash}.",
            field="route",
            rule="Purchase rule 2; AE-R07",
            numbers={"cost": cost, "cash": cash},
        )

    def apply_buy(self, play: AEPlay, seat: int, move: Buy) -> None:
        position = play.position
        buy_licence(self.board, play, seat, move.airline, move.route)
        position.bought += 1
        if all(is_blocked(self.board, position, airline) for airline in position.airlines):
            play.emit(AllBlocked())  # AE-E02, AE-R34: no second licence, no share
            score_airlines(self.board, play, SCORINGS)
            finish(play, "blocked")
        else:
            position.phase = Share.name


# The turn, with actions B, C and D


class Turn(Licences):
    """Exactly one action (AE-A01, AE-A02)."""

    asks = "your action"
    moves = (Buy, PlayShares, Trade, TakeMoney)
    now = "A share is taken after a licence has been bought: buy first, then take it in the same turn."
    now_rule = "Rulebook, Action A; AE-A04"

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        money = self.board.constants.take_money
        return f"One action: buy a licence, play shares, trade shares for Air ABACUS, or take {money} million."

    def default(self, position: Position, seat: int) -> TakeMoney | PlayShares | Trade | Buy:
        return TakeMoney() if self.version == "1" else late.action(self.board, position, seat)

    def offer_play_shares(self, position: Position, seat: int) -> Iterator[Offer]:
        """B: any number of one airline, or one each of two (AE-A12, AE-R13)."""
        hand = position.players[seat].hand
        for airline, number in hand.items():
            yield Offer(PlayShares, shares=Bag({airline: number}, 1, number))
        if len(hand) > 1:
            yield Offer(PlayShares, shares=Bag(dict.fromkeys(hand, 1), 2, 2))

    def why_not_play_shares(self, position: Position, seat: int, move: PlayShares) -> IllegalOrder | None:
        rule, hand = "Rulebook, Action B", position.players[seat].hand
        return why_not_missing(self.board, "shares", move.shares, hand, "in your hand", rule) or IllegalOrder(
            "wrong_shares",
            "Play any number of shares of one airline, or one share each of two airlines;"
            f" not {of_airlines(move.shares)}.",
            field="shares",
            rule=rule,
            numbers={"shares": len(move.shares), "airlines": len(set(move.shares))},
        )

    def apply_play_shares(self, play: AEPlay, seat: int, move: PlayShares) -> None:
        player = play.position.players[seat]
        shift(move.shares, player.hand, player.holdings)
        dividend = self.board.constants.dividend_per_share * len(move.shares)
        pay_out(self.board, play, seat, dividend)
        play.emit(PlayedShares(seat, move.shares, dividend))
        end_turn(self, play)

    def offer_trade(self, position: Position, seat: int) -> Iterator[Offer]:
        """C: discard 1 for 1, or 3 for 2, from hand and holdings in any mixture (AE-A13, AE-A14, AE-R14)."""
        player = position.players[seat]
        for from_hand, held in trades(self.board, position, player):
            yield Offer(Trade, hand=Bag(player.hand, from_hand, from_hand), held=Bag(player.holdings, held, held))

    def why_not_trade(self, position: Position, seat: int, move: Trade) -> IllegalOrder | None:
        player, trade_in, rule = position.players[seat], dict(self.board.constants.trade_in), "Rulebook, Action C"
        discarded = len(move.hand) + len(move.held)
        if discarded not in trade_in:
            deals = ", or ".join(f"{shares} for {gained} Air ABACUS" for shares, gained in trade_in.items())
            return IllegalOrder(
                "wrong_number",
                f"Trade {deals}; not {discarded} shares.",
                field="hand",
                rule=f"{rule}; AE-R14",
                numbers={"discarded": discarded},
            )
        if trade_in[discarded] > position.air_abacus:
            return IllegalOrder(
                "too_few_air_abacus",
                f"That would be {trade_in[discarded]} Air ABACUS; {position.air_abacus or 'none'} left.",
                field="hand",
                rule=f"{rule}; AE-R14",
                numbers={"wanted": trade_in[discarded], "left": position.air_abacus},
            )
        return why_not_missing(
            self.board, "hand", move.hand, player.hand, "in your hand", rule, player.holdings, "from holdings"
        ) or why_not_missing(
            self.board, "held", move.held, player.holdings, "in your holdings", rule, player.hand, "from hand"
        )

    def apply_trade(self, play: AEPlay, seat: int, move: Trade) -> None:
        """Discards leave the game; Air ABACUS shares go to the hand (AE-A15, AE-R15)."""
        position, player = play.position, play.position.players[seat]
        gained = dict(self.board.constants.trade_in)[len(move.hand) + len(move.held)]
        shift(move.hand, player.hand, position.discards)
        shift(move.held, player.holdings, position.discards)
        position.air_abacus -= gained
        add(player.hand, [AIR_ABACUS] * gained)
        play.emit(Traded(seat, move.hand, len(move.hand), move.held, gained))
        end_turn(self, play)

    def offer_take_money(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(TakeMoney)

    def apply_take_money(self, play: AEPlay, seat: int, move: TakeMoney) -> None:
        """D: always possible (AE-A02, AE-A17)."""
        take_money(self.board, play, seat)
        end_turn(self, play)


def trades(board: Board, position: Position, player: Player) -> Iterator[tuple[int, int]]:
    """How many shares from the hand and how many from the holdings a player can trade."""
    for discarded, gained in board.constants.trade_in:
        if gained <= position.air_abacus:
            for from_hand in range(discarded + 1):
                held = discarded - from_hand
                if from_hand <= sum(player.hand.values()) and held <= sum(player.holdings.values()):
                    yield from_hand, held


def take_money(board: Board, play: AEPlay, seat: int, unasked: bool | msgspec.UnsetType = msgspec.UNSET) -> None:
    amount = board.constants.take_money
    pay_out(board, play, seat, amount)
    play.emit(TookMoney(seat, amount, unasked))


class Share(Licences):
    """After a licence: perhaps a second one, and then just one share (AE-A03, AE-A04, AE-R05, AE-R06)."""

    asks = "your share"
    moves = (Buy, TakeShare)
    now = "You have bought a licence, so this turn ends with taking one share, from the market or from the pile."
    now_rule = "Rulebook, Action A; AE-R06"

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def prompt(self, position: Position, seat: int) -> str:
        share = "one share from the market or from the pile"
        return f"Take {share}." if self.is_full(position) else f"Buy a second licence, or take {share}."

    def is_full(self, position: Position) -> bool:
        return position.bought >= self.board.constants.most_licences

    def default(self, position: Position, seat: int) -> TakeShare:
        return TakeShare(PILE)

    def offer_buy(self, position: Position, seat: int) -> Iterator[Offer]:
        if not self.is_full(position):
            yield from super().offer_buy(position, seat)

    def find_buy(self, position: Position, seat: int, move: Buy) -> Iterator[Offer]:
        if not self.is_full(position):
            yield from super().find_buy(position, seat, move)

    def why_not_buy(self, position: Position, seat: int, move: Buy) -> IllegalOrder | None:
        if self.is_full(position):
            most = self.board.constants.most_licences
            message = f"You have bought {most} licences, as many as one turn allows; now take a share."
            return IllegalOrder("enough_licences", message, rule="Rulebook, Action A", numbers={"most": most})
        return super().why_not_buy(position, seat, move)

    def offer_take_share(self, position: Position, seat: int) -> Iterator[Offer]:
        """The pile is never empty here: the third scoring card is among its last cards (AE-R23)."""
        yield Offer(TakeShare, share=OneOf(*dict.fromkeys(position.market), PILE))

    def why_not_take_share(self, position: Position, seat: int, move: TakeShare) -> IllegalOrder:
        return why_not_market(self.board, position, move.share, "Rulebook, Action A")

    def apply_take_share(self, play: AEPlay, seat: int, move: TakeShare) -> None:
        """A scoring card that comes up is set aside, and the next card taken instead (AE-V01, AE-V02, AE-R22)."""
        position = play.position
        if move.share == PILE:
            shares = draw_shares(play, 1)
            add(position.players[seat].hand, shares)
            play.emit(DrewShare(seat, shares[0]) if shares else DrewNothing(seat))
        else:
            take_from_market(play, seat, move.share)
            refill_market(self.board, play)
        end_turn(self, play)


def take_from_market(play: AEPlay, seat: int, share: str) -> None:
    play.position.market.remove(share)
    add(play.position.players[seat].hand, [share])
    play.emit(TookShare(seat, share))


def refill_market(board: Board, play: AEPlay) -> None:
    shares = draw_shares(play, board.constants.market_size - len(play.position.market))
    play.position.market += shares
    play.emit(MarketRefilled(tuple(shares)))


def draw_shares(play: AEPlay, number: int) -> list[str]:
    """Shares from the pile; a scoring card among them is due at the end of the turn.

    Fewer come when the pile runs out (AE-R20 to AE-R23).
    """
    position, shares = play.position, list[str]()
    while len(shares) < number and position.deck:
        card = position.deck.pop()
        if card == SCORING_CARD:
            position.due += 1
        else:
            shares.append(card)
    return shares


# Special situation: the bank is bankrupt


def pay_out(board: Board, play: AEPlay, seat: int, amount: int) -> None:
    """Pays from the bank; a bankrupt bank is refilled and the market replaced first (AE-B01, AE-R29 to AE-R31)."""
    position, cap = play.position, board.constants.bankrupt_cap
    if amount > position.bank:
        bank, returned = position.bank, tuple(max(0, player.cash - cap) for player in position.players)
        for player, excess in zip(position.players, returned, strict=True):
            player.cash -= excess
        position.bank += sum(returned)
        removed, position.market = position.market, draw_shares(play, board.constants.market_size)
        add(position.discards, removed)
        play.emit(BankBankrupt(seat, amount, bank, returned, tuple(removed), tuple(position.market)))
    assert amount <= position.bank, "AE-R31: the bank can always pay after a bankruptcy"
    position.bank -= amount
    position.players[seat].cash += amount


# Scoring


def end_turn(phase: AEPhase, play: AEPlay) -> None:
    """The next player's turn, or a scoring if its card came up during this one (AE-R17)."""
    position = play.position
    position.bought = 0
    if position.due:
        begin_scoring(phase, play)
    else:
        position.active = next_seat(position)
        begin_turn(phase, play)


def begin_turn(phase: AEPhase, play: AEPlay) -> None:
    """Asks the active player for an action; since rules 2 only one who has a choice (AE-R47)."""
    position = play.position
    position.phase = Turn.name
    while phase.version != "1" and not has_a_choice(phase.board, position):
        take_money(phase.board, play, position.active, unasked=True)
        if position.due:
            begin_scoring(phase, play)
            break
        position.active = next_seat(position)


def has_a_choice(board: Board, position: Position) -> bool:
    """Whether the active player can do anything but take money: all that decides it is public."""
    player = position.players[position.active]
    return (
        bool(player.hand)
        or any(trades(board, position, player))
        or any(
            any(buyable(board, position, airline, cities, player.cash))
            for airline, cities in networks(board, position).items()
        )
    )


def begin_scoring(phase: AEPhase, play: AEPlay) -> None:
    """The card goes to the player whose turn it would be, and clearing begins with that player (AE-V01, AE-V03)."""
    position = play.position
    position.due -= 1
    position.scorings += 1
    last = position.scorings > CLEARED_SCORINGS
    play.emit(ScoringCardUp(next_seat(position), position.scorings, last))
    if last:
        score_airlines(phase.board, play, position.scorings)
        finish(play, "third_scoring")
    else:
        position.cleared = 0
        clear_market(phase, play)


def clear_market(phase: AEPhase, play: AEPlay) -> None:
    """Asks the next player for a share of the market; when all have one, scores (AE-V03, AE-R24).

    A player without a choice is not asked (AE-R45).
    """
    position = play.position
    while position.cleared < len(position.players) and position.market:
        if len(set(position.market)) > 1:
            position.phase = Clearing.name
            return
        take_from_market(play, clearing_seat(position), position.market[0])
        position.cleared += 1
    removed, position.market = position.market, []
    add(position.discards, removed)
    play.emit(MarketCleared(tuple(removed)))
    refill_market(phase.board, play)
    score_airlines(phase.board, play, position.scorings)
    end_turn(phase, play)


def clearing_seat(position: Position) -> int:
    """Whose turn it is to take a share: the holder of the scoring card begins."""
    return (next_seat(position) + position.cleared) % len(position.players)


class Clearing(AEPhase):
    """Before the first and the second scoring each player takes one share of the market (AE-V03, AE-R19)."""

    asks = "your share"
    moves = (TakeShare,)
    now = "Before this scoring everybody takes one share from the market: take yours; your next action comes after it."
    now_rule = "Rulebook, Clear the stock market; AE-V03"

    def seats(self, position: Position) -> tuple[int, ...]:
        return (clearing_seat(position),)

    def prompt(self, position: Position, seat: int) -> str:
        return "A scoring begins: take one share from the market into your hand."

    def default(self, position: Position, seat: int) -> TakeShare:
        return TakeShare(late.share_of_the_market(position, seat))

    def offer_take_share(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(TakeShare, share=OneOf(*dict.fromkeys(position.market)))

    def why_not_take_share(self, position: Position, seat: int, move: TakeShare) -> IllegalOrder:
        rule = "Rulebook, Clear the stock market"
        if move.share != PILE:
            return why_not_market(self.board, position, move.share, rule)
        message = "While the market is cleared you take a share from the market, not from the pile."
        return IllegalOrder("not_from_the_pile", message, field="share", rule=rule)

    def apply_take_share(self, play: AEPlay, seat: int, move: TakeShare) -> None:
        take_from_market(play, seat, move.share)
        play.position.cleared += 1
        clear_market(self, play)


def shift(cards: Sequence[str], source: Shares, target: Shares) -> None:
    """Moves shares from one place to another."""
    take(source, cards)
    add(target, cards)

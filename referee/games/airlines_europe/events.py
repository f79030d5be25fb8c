"""What happens in a game of Airlines Europe, each event in one plain sentence."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from referee.contract import Event, Viewer, Words, and_list

IMAGINED_AT = 2  # players: the number with the imagined third one
RULED_FOR_TWO = (
    "With two players a third one is imagined at the last scoring (AE-P02): to him belong the discards, the draw pile,"
    " the Air ABACUS shares that are left, and the whole market, which is not cleared then (AE-R18). The game ends"
    " early when no airline can buy a licence any more; one without airplanes counts as blocked (AE-R33)."
)


class MarketOpened(Event, frozen=True):
    market: tuple[str, ...]
    start_player: int

    def sentence(self, words: Words) -> str:
        opens = (
            f"The market opens with {words.several('share', self.market)}; {words.player(self.start_player)} begins."
        )
        return f"{opens} {RULED_FOR_TWO}" if len(words.players) == IMAGINED_AT else opens


class Dealt(Event, frozen=True):
    hidden: ClassVar = ("shares",)
    seat: int
    count: int
    shares: tuple[str, ...] | None
    again: bool = False

    def sentence(self, words: Words) -> str:
        what = words.several("share", self.shares) if self.shares is not None else f"{self.count} shares"
        if self.again:
            return f"{words.player(self.seat)} held shares of one airline only and is dealt a new hand: {what}."
        return f"{words.player(self.seat)} is dealt {what}."


class Opened(Event, frozen=True):
    seat: int
    shares: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} begins with {words.several('share', self.shares)}."


class Bought(Event, frozen=True):
    seat: int
    airline: str
    route: str
    cost: int
    marker: int

    def sentence(self, words: Words) -> str:
        return (
            f"{words.player(self.seat)} buys a licence {words('route', self.route)}"
            f" for {words('airline', self.airline)} at {self.cost} million; its marker moves to {self.marker}."
        )


class BonusConnection(Event, frozen=True):
    airline: str
    home: str
    goal: str
    spaces: int
    marker: int

    def sentence(self, words: Words) -> str:
        ends = f"{words('city', self.home)} and {words('city', self.goal)}"
        airline = words("airline", self.airline)
        return f"{ends} are connected: {airline} advances {self.spaces} more spaces, to {self.marker}."


class TookShare(Event, frozen=True):
    seat: int
    share: str

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} takes {words('share', self.share)} from the market."


class DrewShare(Event, frozen=True):
    hidden: ClassVar = ("share",)
    seat: int
    share: str | None

    def sentence(self, words: Words) -> str:
        what = words("share", self.share) if self.share else "a share"
        return f"{words.player(self.seat)} draws {what} from the pile."


class DrewNothing(Event, frozen=True):
    """The last card of the pile was a scoring card (AE-R23)."""

    seat: int

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} draws the last card of the pile, a scoring card, and gets no share."


class MarketRefilled(Event, frozen=True):
    shares: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        if not self.shares:
            return "The pile is empty: the market is not refilled."
        return f"New in the market: {words.several('share', self.shares)}."


class PlayedShares(Event, frozen=True):
    seat: int
    shares: tuple[str, ...]
    dividend: int

    def sentence(self, words: Words) -> str:
        shares = words.several("share", self.shares)
        return f"{words.player(self.seat)} plays {shares} and receives {self.dividend} million."


class Traded(Event, frozen=True):
    hidden: ClassVar = ("hand",)
    seat: int
    hand: tuple[str, ...] | None
    from_hand: int
    held: tuple[str, ...]
    gained: int

    def sentence(self, words: Words) -> str:
        parts = []
        if self.from_hand:
            count = f"{self.from_hand} share{'s' * (self.from_hand > 1)}"
            parts.append(f"{words.several('share', self.hand) if self.hand else count} from the hand")
        if self.held:
            parts.append(f"{words.several('share', self.held)} from the holdings")
        return f"{words.player(self.seat)} trades {and_list(parts)} for {self.gained} Air ABACUS."


class TookMoney(Event, frozen=True):
    seat: int
    amount: int
    unasked: bool | msgspec.UnsetType = msgspec.UNSET  # since rules 2: nothing else could be done (AE-R47)

    def sentence(self, words: Words) -> str:
        if self.unasked:
            who = words.player(self.seat)
            return f"{who} can do nothing else and takes {self.amount} million from the bank (AE-R47)."
        return f"{words.player(self.seat)} takes {self.amount} million from the bank."


class BankBankrupt(Event, frozen=True):
    seat: int
    amount: int
    bank: int  # what it had
    returned: tuple[int, ...]
    removed: tuple[str, ...]
    market: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        given = and_list([f"{words.player(seat)} {amount}" for seat, amount in enumerate(self.returned) if amount])
        old, new = words.several("share", self.removed), words.several("share", self.market)
        return (
            f"The bank has {self.bank} million and owes {words.player(self.seat)} {self.amount}: it is bankrupt."
            f" Returned to it, in million: {given}."
            f" The market ({old}) is replaced by {new or 'nothing: the pile is empty'}."
        )


class ScoringCardUp(Event, frozen=True):
    seat: int
    number: int
    last: bool = False

    def sentence(self, words: Words) -> str:
        if self.last:
            return f"Scoring card {self.number}, the last one, comes up: the game ends with this scoring."
        return f"Scoring card {self.number} comes up; {words.player(self.seat)} gets it and plays on after the scoring."


class MarketCleared(Event, frozen=True):
    removed: tuple[str, ...]

    def sentence(self, words: Words) -> str:
        if not self.removed:
            return "The market is cleared; nothing is left of it."
        return f"The market is cleared; discarded: {words.several('share', self.removed)}."


class Scored(Event, frozen=True):
    """Victory points are secret: all see the holdings and the value, but only their own points (AE-H01)."""

    airline: str
    vp: tuple[int, ...]
    holdings: tuple[int, ...]
    points: tuple[int | None, ...]
    third_player: int = 0  # shares of the fictitious third player

    def seen_by(self, viewer: Viewer) -> "Scored":
        points = tuple(value if viewer.sees(seat) else None for seat, value in enumerate(self.points))
        return msgspec.structs.replace(self, points=points)

    def sentence(self, words: Words) -> str:
        held = [f"{words.player(seat)} holds {count}" for seat, count in enumerate(self.holdings) if count]
        held += [f"the third player holds {self.third_player}"] if self.third_player else []
        won = [f"{words.player(seat)} {value}" for seat, value in enumerate(self.points) if value]
        value = "-".join(map(str, self.vp))
        tail = f"; points: {and_list(won)}" if won else ""
        return f"{words('airline', self.airline)} is worth {value}: {and_list(held) or 'nobody holds any'}{tail}."


class AllBlocked(Event, frozen=True):
    def sentence(self, words: Words) -> str:
        return "No airline can buy another licence: the game ends with a scoring at once."


class GameOver(Event, frozen=True):
    vp: tuple[int, ...]
    winners: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        points = and_list([f"{words.player(seat)} {vp}" for seat, vp in enumerate(self.vp)])
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"Victory points: {points}. {and_list([words.player(seat) for seat in self.winners])} {verb}."


EVENTS: Sequence[type[Event]] = (
    MarketOpened, Dealt, Opened, Bought, BonusConnection, TookShare, DrewShare, DrewNothing, MarketRefilled,
    PlayedShares, Traded, TookMoney, BankBankrupt, ScoringCardUp, MarketCleared, Scored, AllBlocked, GameOver,
)  # fmt: skip

"""Advice to a beginner of Airlines Europe. What a position is worth is a rough sum: the points of the next scoring, a
part of the points that the hand could still bring, and a little for money."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.licences import advance
from referee.games.airlines_europe.scoring import award, scored
from referee.games.airlines_europe.state import (
    AIR_ABACUS,
    PILE,
    Buy,
    Choose,
    PlayShares,
    Position,
    Shares,
    TakeMoney,
    TakeShare,
    Trade,
)
from referee.games.airlines_europe.view import TableView
from referee.options import Bag
from referee.situation import Choice, Situation

AESituation = Situation[Board, TableView]

IN_HAND = 0.5  # what a point is worth that needs another turn: the share is still in the hand
A_MILLION = 0.12  # in points
ENOUGH = 14  # millions: more are of no use
UNKNOWN_SHARE = 0.5  # of the pile, in points


def advice(situation: AESituation) -> Iterator[Choice]:
    """What to do, the best first."""
    judge = Judge(situation)
    if situation.phase == "opening":
        found = [*opening(situation, judge)]
    elif situation.phase == "turn":
        found = [*playing(situation, judge), *buying(situation, judge), *trading(situation, judge), *money(judge)]
    else:
        found = [*buying(situation, judge), *taking(situation, judge)]
    for _, choice in sorted(found, key=lambda worth_and_choice: -worth_and_choice[0]):
        yield choice


@lru_cache(maxsize=2**16)
def lead(values: Sequence[int], mine: int, theirs: tuple[int, ...]) -> float:
    """My points for an airline less those of an average opponent."""
    points, *others = award(values, [mine, *theirs])
    return points - sum(others) / len(others)


class Judge:
    """What shares, markers and money are worth to the seat."""

    def __init__(self, situation: AESituation) -> None:
        self.board, self.view, self.seat = situation.board, situation.view, situation.seat
        self.me = self.view.players[self.seat]
        self.hand: Shares = self.me.hand or {}
        self.number = min(self.view.scorings + 1, SCORINGS)
        self._theirs: dict[str, tuple[int, ...]] = {}
        self.others = [player.holdings for seat, player in enumerate(self.view.players) if seat != self.seat]

    def points(self, share: str, held: int, marker: int | None = None) -> float:
        """The lead that an airline gives at the next scoring: my points less those of an average opponent."""
        if share == AIR_ABACUS:
            values = self.board.air_abacus.vp[self.number - 1]
        else:
            values = self.board.vp_at[self.view.airlines[share].marker if marker is None else marker]
        return lead(values, held, self.theirs(share))

    def theirs(self, share: str) -> tuple[int, ...]:
        """What the others hold of an airline."""
        if share not in self._theirs:
            self._theirs[share] = tuple([holdings.get(share, 0) for holdings in self.others])
        return self._theirs[share]

    def outlook(self, share: str, held: int, in_hand: int, marker: int | None = None) -> float:
        """The lead now, and part of what playing the hand would add."""
        now = self.points(share, held, marker)
        return now + IN_HAND * (self.points(share, held + in_hand, marker) - now) if in_hand else now

    def change(self, share: str, held: int = 0, in_hand: int = 0, spaces: int = 0) -> float:
        """How much better the outlook of an airline gets by more shares or by a marker further on."""
        own, hand = self.me.holdings.get(share, 0), self.hand.get(share, 0)
        marker = None if share == AIR_ABACUS else advance(self.board, self.view.airlines[share].marker, spaces)
        return self.outlook(share, own + held, hand + in_hand, marker) - self.outlook(share, own, hand)

    def money(self, change: int) -> float:
        return A_MILLION * (min(self.me.cash + change, ENOUGH) - min(self.me.cash, ENOUGH))


Found = Iterator[tuple[float, Choice]]


def opening(situation: AESituation, judge: Judge) -> Found:
    """Begin with airlines of which you hold several shares."""
    for shares in combinations(sorted(judge.hand), situation.board.constants.opening_shares):
        worth = sum(judge.hand[share] + judge.view.airlines[share].marker / 10 for share in shares)
        yield worth, Choice(Choose(shares), "I begin with airlines of which I hold several shares.")


def playing(situation: AESituation, judge: Judge) -> Found:
    """Shares in the hand score nothing: play those that bring a majority, before the scoring card comes up."""
    dividend = situation.board.constants.dividend_per_share
    for offer in situation.offers(PlayShares):
        bag = offer.domains["shares"]
        assert isinstance(bag, Bag)
        if len(bag.limits) == 1:
            ((share, number),) = bag.limits.items()
            plays: list[tuple[str, ...]] = [(share,) * count for count in range(1, number + 1)]
        else:
            plays = list(combinations(sorted(bag.limits), 2))
        for shares in plays:
            worth = judge.money(dividend * len(shares)) + sum(
                judge.change(share, shares.count(share), -shares.count(share)) for share in set(shares)
            )
            reason = "Shares in the hand score nothing, so I play what brings me most at the next scoring."
            yield worth, Choice(PlayShares(shares), reason)


def buying(situation: AESituation, judge: Judge) -> Found:
    """Buy licences for airlines in which you are ahead; every licence also brings a share."""
    view, costs = judge.view, situation.board.costs
    share = 0.0 if situation.phase == "share" else max((worth for worth, _ in taking(situation, judge)), default=0.0)
    bought: set[tuple[str, int]] = set()  # a marker goes as far as a licence costs: one of each price is enough
    for offer in situation.offers(Buy):
        (airline,) = offer.domains["airline"].values()
        for route in offer.domains["route"].values():
            cost = costs[route][len(view.licences.get(route, ()))]
            if (airline, cost) not in bought:
                bought.add((airline, cost))
                worth = judge.change(airline, spaces=cost) + judge.money(-cost) + share
                reason = "I buy licences for airlines in which I am ahead, and take a share for it."
                yield worth, Choice(Buy(route=route, airline=airline), reason)


def taking(situation: AESituation, judge: Judge) -> Found:
    """Take the share that brings you to the front of an airline; if there is none, draw from the pile."""
    market: Mapping[str, float] = {share: judge.change(share, in_hand=1) for share in dict.fromkeys(judge.view.market)}
    for share, worth in market.items():
        yield worth, Choice(TakeShare(share), "I take the share that brings me furthest to the front.")
    if situation.phase != "clearing":
        yield UNKNOWN_SHARE, Choice(TakeShare(PILE), "Nothing on the market helps me, so I draw from the pile.")


def trading(situation: AESituation, judge: Judge) -> Found:
    """Trade shares of airlines in which you will never lead for Air ABACUS, which all count at the end."""
    gains = dict(situation.board.constants.trade_in)
    spare = sorted(judge.hand, key=lambda share: judge.change(share, in_hand=-1), reverse=True)
    shares = [share for share in spare if share != AIR_ABACUS for _ in range(judge.hand[share])]
    for number, gained in gains.items():
        if number <= len(shares) and gained <= judge.view.air_abacus:
            given = tuple(sorted(shares[:number]))
            worth = judge.change(AIR_ABACUS, in_hand=gained) + sum(
                judge.change(share, in_hand=-given.count(share)) for share in set(given)
            )
            yield worth, Choice(Trade(hand=given), "Shares that bring me nothing are worth more as Air ABACUS.")


def money(judge: Judge) -> Found:
    """Take money only when nothing better can be paid."""
    yield judge.money(8), Choice(TakeMoney(), "I need money for licences.")


def prospects(board: Board, position: Position) -> list[float]:
    """The points so far, those of the scorings to come as the shares lie, part of what the hands would add, and a
    little for money."""
    found = [player.vp + A_MILLION * min(player.cash, ENOUGH) for player in position.players]
    markers = {name: airline.marker for name, airline in position.airlines.items()}
    held = [player.holdings for player in position.players]
    for number in range(position.scorings + 1, SCORINGS + 1):
        for row in scored(board, number, held, markers, {}):
            in_hand = [player.hand.get(row.share, 0) for player in position.players]
            played = award(row.vp, [own + more for own, more in zip(row.holdings, in_hand, strict=True)])
            for seat, (now, then) in enumerate(zip(row.points, played, strict=True)):
                found[seat] += now + IN_HAND * (then - now)
    return found

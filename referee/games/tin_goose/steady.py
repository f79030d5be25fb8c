"""Advice to a beginner of Tin Goose. Everything is turned into the dollars that it brings by the end of the game: a
step on the income track, a city, a plane, a condition that goes; and what barrels and flames will probably cost."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import (
    GENEROUS_DIVIDENDS,
    IRREGULAR_SAFETY,
    RURAL_STOPS,
    UNPRODUCTIVE_INVESTMENTS,
    Size,
)
from referee.games.tin_goose.scoring import score
from referee.games.tin_goose.state import (
    NO_CONDITION,
    AdvanceIncome,
    Bid,
    Choose,
    Deploy,
    Extend,
    IssueBond,
    Pass,
    PlacePlane,
    PlayCard,
    Position,
    Serve,
    TakeLabor,
    Upgrade,
)
from referee.games.tin_goose.tracks import income
from referee.games.tin_goose.view import FleetView, PlayerView, TableView
from referee.options import Range
from referee.situation import Choice, Situation

TGSituation = Situation[Board, TableView]

AIRMAIL_BID = 6  # of the $40 that everybody has
UPKEEP = 0.45  # what a barrel or a flame costs in a round, events being what they are
RESERVE = 4  # dollars kept for events
CHIP = 4.0  # a labor chip, in dollars
A_PLANE = 9.0  # a plane that need not be an extension, while there is time to place it
FAR = {"S": 0.0, "M": 14.0, "L": 24.0}  # what larger planes reach: more cities, and the destinations of later rounds
EARLY_BID = 0.55  # of its worth, for who bids before others: they will go higher


class Fleet(NamedTuple):
    """What counts of a fleet, on its card or in front of a player."""

    size: Size
    oil: int
    hazard: int


def advice(situation: TGSituation) -> Iterator[Choice]:
    """What to do, the best first."""
    judge = Judge(situation)
    answers = {
        "airmail": airmail, "airmail_choice": route, "card": card, "strike": strike, "auction": auction,
        "acquisition": acquisition, "actions": actions,
    }[situation.phase]  # fmt: skip
    for _, choice in sorted(answers(situation, judge), key=lambda worth_and_choice: -worth_and_choice[0]):
        yield choice


class Judge:
    """What things are worth to the seat, in dollars at the end of the game."""

    def __init__(self, situation: TGSituation) -> None:
        self.board, self.view, self.seat = situation.board, situation.view, situation.seat
        self.me: PlayerView = self.view.players[self.seat]
        self.cash = self.me.cash or 0
        self.rounds = self.board.last_round - self.view.round  # after this one
        place = (self.seat - self.view.first) % len(self.view.players)
        is_to_come = place >= (self.view.active - self.view.first) % len(self.view.players)
        self.incomes = self.rounds + is_to_come  # that are still collected
        self.planes = sum(fleet.planes for fleet in self.me.fleets)

    def steps(self, boxes: int) -> float:
        """Steps of the income marker: the income of all turns to come, and ten times of it in the end."""
        gained = self.income_at(self.me.income_box + boxes) - self.income_at(self.me.income_box)
        collected = self.incomes * (0.4 if GENEROUS_DIVIDENDS in self.me.conditions else 1)
        return gained * (self.board.constants.income_multiplier + collected)

    def income_at(self, box: int) -> float:
        """A box that shows no new number is half the way to one."""
        track = self.board.income_track.boxes
        box = min(max(box, 0), len(track) - 1)
        return (track[box] + track[min(box + 1, len(track) - 1)]) / 2

    def upkeep(self, oil: int, hazard: int) -> float:
        barrel = 1.4 if RURAL_STOPS in self.me.conditions else 1.0
        return UPKEEP * self.rounds * (barrel * oil + hazard)

    def city(self, city: str) -> float:
        """A new city: a step up, or down for each rival where there is no demand; demand, majors and airmail pay."""
        constants, tokens = self.board.constants, self.view.demand.get(city)
        demand = tokens.gold + tokens.silver if tokens else 0
        rivals = sum(city in player.cities for seat, player in enumerate(self.view.players) if seat != self.seat)
        worth = self.steps(constants.new_city if demand or not rivals else -constants.per_rival * rivals)
        worth += demand * (self.me.income + 0.5)
        worth += constants.per_major * self.board.city[city].major
        if self.me.airmail and self.board.airmail[self.me.airmail].destination == city:
            worth += constants.airmail_bonus
        return worth

    def condition(self, condition: str) -> float:
        """What it brings to be rid of a condition."""
        match condition:
            case "generous_dividends":
                return self.me.income * float(self.incomes) + 4 * self.incomes
            case "unproductive_investments":
                return float(self.board.era(self.view.round).investments)
            case "irregular_safety_procedures":
                return UPKEEP * self.rounds * self.board.constants.irregular_safety_hazard + 4
            case "rural_stops_along_routes":
                return UPKEEP * self.rounds * self.me.oil * 0.4
            case "regional_management":
                return 1.5 * self.rounds
        return 0.0

    def fleet(self, fleet: Fleet) -> float:
        """A fleet that is deployed: its planes, how far they fly, what it costs to keep, and a condition less."""
        time = min(1.0, self.rounds / 3)
        planes = self.board.constants.planes_per_fleet * (A_PLANE if self.planes < 5 else 3.0)
        gone = max((self.condition(condition) for condition in self.me.conditions), default=0.0)
        has_reach = any(owned.size >= fleet.size for owned in self.me.fleets if owned.planes) and fleet.size != "S"
        return time * (planes + FAR[fleet.size] / (2 if has_reach else 1)) + gone - self.upkeep(fleet.oil, fleet.hazard)

    def upgrade(self, new: Fleet, old: FleetView) -> float:
        farther = (FAR[new.size] - FAR[old.size]) * (old.planes > 0)
        return farther + self.upkeep(old.oil - new.oil, old.hazard - new.hazard)

    def offered(self, card: str) -> float:
        """The fleet of a card, used in the better way."""
        new = self.board.fleet[card]
        fleet = Fleet(new.size, new.oil, new.hazard)
        ways = [self.fleet(fleet)]
        ways += [self.upgrade(fleet, old) for old in self.me.fleets if can_replace(self.board, old, card)]
        is_same = any(self.board.fleet[old.card].kind == new.kind for old in self.me.fleets)
        return max(ways) + (self.steps(self.board.constants.same_kind) if is_same else 0.0)


def can_replace(board: Board, old: FleetView, card: str) -> bool:
    new = board.fleet[card]
    return new.era > board.fleet[old.card].era and "SML".index(new.size) >= "SML".index(old.size)


Found = Iterator[tuple[float, Choice]]


def airmail(situation: TGSituation, judge: Judge) -> Found:
    """Bid a little for the airmail route: all pay, and money is worth more in the first auctions."""
    for worth, amount in enumerate((0, 2 * AIRMAIL_BID, AIRMAIL_BID)):
        yield worth, Choice(Bid(amount), "I bid a little for the first choice; the rest I need for fleets.")


def route(situation: TGSituation, judge: Judge) -> Found:
    """Choose a route whose ends are near each other, with demand around its start."""
    board, view = situation.board, judge.view
    for offer in situation.offers(Choose):
        for airmail in offer.domains["airmail"].values():
            found = board.airmail[airmail]
            near = {found.start, *board.small[found.start]}
            demand = sum(t.gold + t.silver for city, t in view.demand.items() if city in near)
            majors = sum(board.city[city].major for city in near)
            worth = demand + 3 * majors - 4 * lines_between(board, found.start, found.destination)
            yield worth, Choice(Choose(airmail), "The ends of this route are near each other, and demand is around.")


def lines_between(board: Board, start: str, goal: str) -> int:
    """How many thick lines lead from one city to another."""
    seen, edge, steps = {start}, {start}, 0
    while goal not in seen and edge:
        edge = {city for at in edge for city in board.small[at]} - seen
        seen |= edge
        steps += 1
    return steps


def card(situation: TGSituation, judge: Judge) -> Found:
    """Play cards of cities that you serve; events when they hurt the others more; and fleets that you can pay."""
    board, me = situation.board, judge.me
    others = [player for seat, player in enumerate(judge.view.players) if seat != judge.seat]
    for offer in situation.offers(PlayCard):
        for name in offer.domains["card"].values():
            played = board.card[name]
            worth = judge.steps(board.constants.city_match) if played.city in me.cities else 0.0
            reason = "I play a card of a city that I serve, which moves my income up."
            if not worth:
                reason = "I would like this fleet, and I bid last."
            if played.kind == "fleet" and judge.rounds:
                worth += 0.4 * max(0.0, min(judge.offered(name), float(judge.cash)))
            elif played.kind in ("oil", "crash"):
                mine, theirs = (
                    (me.oil, [p.oil for p in others])
                    if played.kind == "oil"
                    else (me.hazard, [p.hazard for p in others])
                )
                lead = sum(theirs) / len(theirs) - mine
                worth += (played.price or 0) * lead
                if played.kind == "crash":
                    worth += judge.steps(2) * ((mine < min(theirs)) - (mine > max(theirs)))
                if lead > 0:
                    reason = "This event hurts the others more than me."
            elif played.kind == "strike":
                worth += 2.0 * ((me.labor_chips or 0) - 2)
                reason = "I have the labor chips for a strike." if (me.labor_chips or 0) > 2 else reason
            yield worth, Choice(PlayCard(name), reason)


def strike(situation: TGSituation, judge: Judge) -> Found:
    """In a strike bid most of your chips: the next one may never come."""
    chips = judge.me.labor_chips or 0
    best = chips if judge.rounds < 2 else (2 * chips + 2) // 3
    for amount in dict.fromkeys((best, chips, max(0, best - 1), 0)):
        yield -abs(amount - best), Choice(Bid(amount), "I bid most of my chips: the next strike may never come.")


def auction(situation: TGSituation, judge: Judge) -> Found:
    """Bid no more than a fleet is worth to you; who bids last needs only one dollar more."""
    worth = judge.offered(judge.view.card)
    is_last = judge.view.bidding.answered == len(judge.view.players) - 1
    yield 0.0, Choice(Pass(), "The fleet is not worth more to me than what is bid.")
    for offer in situation.offers(Bid):
        amounts = offer.domains["amount"]
        assert isinstance(amounts, Range)
        most = min(amounts.high, max(0, judge.cash - RESERVE), int(worth))
        wanted = amounts.low if is_last else min(most, max(amounts.low, int(EARLY_BID * worth)))
        for amount in dict.fromkeys((wanted, (wanted + most) // 2)):
            if amounts.low <= amount <= most:
                reason = (
                    "One dollar more is enough, for nobody bids after me." if is_last else "I bid what leaves a gain."
                )
                yield worth - amount - (amount != wanted), Choice(Bid(amount), reason)


def acquisition(situation: TGSituation, judge: Judge) -> Found:
    """Deploy a fleet and be rid of the worst condition: dividends first; upgrade where it saves more."""
    new = situation.board.fleet[judge.view.card]
    fleet = Fleet(new.size, new.oil, new.hazard)
    rest = judge.fleet(fleet) - max((judge.condition(c) for c in judge.me.conditions), default=0.0)
    for offer in situation.offers(Deploy):
        for condition in offer.domains["condition"].values():
            gone = 0.0 if condition == NO_CONDITION else judge.condition(condition)
            yield rest + gone, Choice(Deploy(condition), REMOVED.get(condition, "I need the planes."))
    for upgraded in situation.offers(Upgrade):
        for old in judge.me.fleets:
            if old.card in upgraded.domains["fleet"].values():
                yield judge.upgrade(fleet, old), Choice(Upgrade(old.card), "The new fleet is safer, or flies farther.")


REMOVED = {
    GENEROUS_DIVIDENDS: "Without dividends I collect income every turn.",
    UNPRODUCTIVE_INVESTMENTS: "The investments pay most while it is early.",
    IRREGULAR_SAFETY: "Fewer flames, fewer losses in a crash.",
}


def actions(situation: TGSituation, judge: Judge) -> Found:
    """Serve abroad while it pays, fly to new cities with demand or without rivals, and advance income with the rest."""
    view, constants = judge.view, situation.board.constants
    for _ in situation.offers(AdvanceIncome):
        worth = judge.steps(constants.advance_income)
        yield worth, Choice(AdvanceIncome(), "Income counts every turn, and in the end.")
    for offer in situation.offers(Serve):
        cost = situation.board.open_destination(view.round).cost
        others = [len(player.international) for seat, player in enumerate(view.players) if seat != judge.seat]
        ahead = sum(number == len(judge.me.international) for number in others)
        gain = constants.per_international + constants.per_player_with_fewer * ahead - cost
        for fleet in offer.domains["fleet"].values():
            (destination,) = offer.domains["destination"].values()
            move = Serve(destination=destination, fleet=fleet)
            yield gain / constants.international_actions, Choice(move, "Serving abroad pays most at the end.")
    best: dict[str, float] = {}
    for offer in situation.offers(PlacePlane):
        for fleet in offer.domains["fleet"].values():
            size = situation.board.fleet[fleet].size
            keep = (FAR[size] / 4 if judge.rounds else 0.0) + (2.0 if judge.planes < 3 and judge.rounds else 0.0)
            for city in offer.domains["city"].values():
                if city not in best:
                    best[city] = judge.city(city)
                yield best[city] - keep, Choice(PlacePlane(city=city, fleet=fleet), "A new city moves my income up.")
    for offer in situation.offers(Extend):
        price = judge.upkeep(constants.extension_oil, constants.extension_hazard)
        for city in offer.domains["city"].values():
            worth = best[city] if city in best else judge.city(city)
            yield worth - price, Choice(Extend(city), "An extension saves a plane for farther places.")
    for offer in situation.offers(TakeLabor):
        chips = offer.domains["chips"].values()
        worth = CHIP * min(1.0, judge.rounds / 2) * (1.5 if (judge.me.labor_chips or 0) < 3 else 0.6)
        yield worth, Choice(TakeLabor(min(chips)), "A labor chip may win a strike.")
    for _ in situation.offers(IssueBond):
        need = 12.0 if judge.rounds >= 2 and judge.cash < 12 else -5.0
        yield need, Choice(IssueBond(), "A bond costs no more than it brings, and money buys fleets now.")


def prospects(board: Board, position: Position) -> list[float]:
    """What everybody would have now, and the incomes that are still to come."""
    left = board.last_round - position.round
    return [
        score(board, position, seat).total + left * income(board, player)
        for seat, player in enumerate(position.players)
    ]

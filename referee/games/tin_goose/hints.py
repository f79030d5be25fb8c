"""What an order would bring or cost its player, in a few words: for menus, lists of options and text boards. Made from
a view and the board alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.contract import View, counted
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import (
    GENEROUS_DIVIDENDS,
    IRREGULAR_SAFETY,
    REGIONAL_MANAGEMENT,
    RURAL_STOPS,
    UNPRODUCTIVE_INVESTMENTS,
    EraCard,
)
from referee.games.tin_goose.state import (
    NO_CONDITION,
    AdvanceIncome,
    Bid,
    Choose,
    DemandTokens,
    Deploy,
    Extend,
    IssueBond,
    Pass,
    PlacePlane,
    PlayCard,
    Serve,
    TakeLabor,
    Upgrade,
)
from referee.games.tin_goose.view import PlayerView
from referee.options import NO_HINTS, Hints, Offer


def hints(board: Board, view: View, offer: Offer) -> Hints:
    """The hints for an offer to the viewer."""
    if view.you is None:
        return NO_HINTS
    return Outlook(board, view, view.table.players[view.you]).hints(offer)


def condition_effect(board: Board, condition: str) -> str:
    """What a condition does to its owner (Rulebook VIII)."""
    constants = board.constants
    pays = ", ".join(f"${era.investments} in the {era.id} era" for era in board.eras)
    return {
        IRREGULAR_SAFETY: f"{constants.irregular_safety_hazard} flames more",
        GENEROUS_DIVIDENDS: "no income at the end of the turn",
        UNPRODUCTIVE_INVESTMENTS: f"pays when it is removed: {pays}",
        RURAL_STOPS: f"a barrel costs ${constants.rural_stops_price} more in an oil event",
        REGIONAL_MANAGEMENT: "the first action is always Advance Income",
    }[condition]


def fleet_stats(board: Board, card: str) -> str:
    """`S, oil 3, hazard 2`"""
    fleet = board.fleet[card]
    return f"{fleet.size}, oil {fleet.oil}, hazard {fleet.hazard}"


def lines_apart(board: Board, start: str, goal: str) -> int:
    """The fewest thick lines from one city to another."""
    reached, steps = {start}, 0
    while goal not in reached:
        reached |= {other for city in reached for other in board.small[city]}
        steps += 1
    return steps


class Outlook:
    """What lies before one player."""

    def __init__(self, board: Board, view: View, me: PlayerView) -> None:
        self.board = board
        self.view = view
        self.table = view.table
        self.me = me

    def hints(self, offer: Offer) -> Hints:
        domains = offer.domains
        if offer.move is Bid:
            return Hints(self.bid())
        if offer.move is Pass:
            return Hints("you are not asked again for this fleet")
        if offer.move is Choose:
            return self.by_value("airmail", {route: self.airmail(route) for route in domains["airmail"].values()})
        if offer.move is PlayCard:
            return self.by_value("card", {card: self.card(self.board.card[card]) for card in domains["card"].values()})
        if offer.move is Deploy:
            gone = {condition: self.removal(condition) for condition in domains["condition"].values()}
            return Hints(f"{self.planes()}, {fleet_stats(self.board, self.table.card)}", {"condition": gone})
        if offer.move is Upgrade:
            return self.by_value("fleet", {fleet: self.upgrade(fleet) for fleet in domains["fleet"].values()})
        return self.action(offer)

    def action(self, offer: Offer) -> Hints:
        constants, domains = self.board.constants, offer.domains
        if offer.move is AdvanceIncome:
            return Hints(self.moved(constants.advance_income))
        if offer.move is PlacePlane:
            return self.by_value("city", {city: self.city(city) for city in domains["city"].values()})
        if offer.move is Extend:
            cost = f"{constants.extension_oil} barrel and {constants.extension_hazard} flame more for good"
            return Hints(cost, {"city": {city: self.city(city) for city in domains["city"].values()}})
        if offer.move is Serve:
            destination = self.board.destination[self.table.destination]
            return Hints(
                f"{constants.international_actions} actions and ${destination.cost}; in the end"
                f" ${constants.per_international} and ${constants.per_player_with_fewer} for each player with fewer"
            )
        if offer.move is TakeLabor:
            free = constants.free_chips
            prices = {
                chips: f"${(chips - free) * self.me.income}" if chips > free else "for nothing"
                for chips in domains["chips"].values()
            }
            return self.by_value("chips", prices)
        if offer.move is IssueBond:
            return Hints(f"${constants.bond} now, ${constants.bond_repaid} less in the end")
        return NO_HINTS

    def by_value(self, field: str, values: Mapping[Any, str]) -> Hints:
        return Hints("", {field: values})

    def moved(self, boxes: int) -> str:
        """Where the income marker would go."""
        track = self.board.income_track.boxes
        box = min(max(self.me.income_box + boxes, 0), len(track) - 1)
        if box == self.me.income_box:
            return f"income stays {self.me.income}, at the end of the track"
        way = f"{'up' if boxes > 0 else 'down'} {counted(abs(boxes), 'box', 'boxes')}"
        return f"{way}, income {'still ' if track[box] == self.me.income else ''}{track[box]}"

    def bid(self) -> str:
        if self.view.phase == "strike":
            card = self.board.card[self.table.card]
            return f"wins ${card.win} or pays ${card.lose}; all chips bid are gone"
        if self.view.phase == "airmail":
            return "everybody pays; the highest chooses first and begins each round"
        return "; ".join(self.fleet_on_offer())

    def fleet_on_offer(self) -> Iterator[str]:
        """What the winner of the auction would get."""
        yield f"{self.planes()}, {fleet_stats(self.board, self.table.card)}"
        kinds = [self.board.fleet[fleet.card].kind for fleet in self.me.fleets]
        if self.board.fleet[self.table.card].kind in kinds:
            yield f"a kind that you own: {self.moved(self.board.constants.same_kind)}"

    def planes(self) -> str:
        return counted(self.board.constants.planes_per_fleet, "plane")

    def airmail(self, route: str) -> str:
        printed, board = self.board.airmail[route], self.board
        goal, away = board.city[printed.destination].name, lines_apart(board, printed.start, printed.destination)
        begin = f"begin in {board.city[printed.start].name}"
        return f"{begin}; {goal}, {counted(away, 'line')} away, pays ${board.constants.airmail_bonus}"

    def card(self, card: EraCard) -> str:
        board, me = self.board, self.me
        if card.kind == "fleet":
            stats = fleet_stats(board, card.id)
            does = f"discarded without an auction, {stats}" if self.is_last_round() else f"auction, {stats}"
        elif card.kind == "strike":
            does = f"the highest bid of labor chips wins ${card.win}, all others pay ${card.lose}"
        elif card.kind == "crash":
            does = f"${card.price} a flame: you pay ${card.price * me.hazard}"
        else:
            price = card.price + (board.constants.rural_stops_price if RURAL_STOPS in me.conditions else 0)
            does = f"${card.price} a barrel: you pay ${price * me.oil}"
        if card.city in me.cities:
            does += f"; you are in {board.city[card.city].name}: {self.moved(board.constants.city_match)}"
        return does

    def is_last_round(self) -> bool:
        return bool(self.table.round == self.board.last_round)

    def removal(self, condition: str) -> str:
        """What it brings that a condition goes, or that none does."""
        if condition == NO_CONDITION:
            return "all conditions stay, and none goes later for this fleet" if self.me.conditions else ""
        if condition == UNPRODUCTIVE_INVESTMENTS:
            return f"${self.board.era(self.table.round).investments} now"
        return {
            IRREGULAR_SAFETY: f"{self.board.constants.irregular_safety_hazard} flames less",
            GENEROUS_DIVIDENDS: f"income again, now ${self.me.income} a turn",
            RURAL_STOPS: f"barrels ${self.board.constants.rural_stops_price} cheaper",
            REGIONAL_MANAGEMENT: "the first action is free",
        }[condition]

    def upgrade(self, card: str) -> str:
        old, new = self.board.fleet[card], self.board.fleet[self.table.card]
        planes = next(fleet.planes for fleet in self.me.fleets if fleet.card == card)
        changes = f"{old.size} to {new.size}, oil {old.oil} to {new.oil}, hazard {old.hazard} to {new.hazard}"
        kept = "; no condition goes" if self.me.conditions else ""
        return f"{changes}; {counted(planes, 'plane')} moved over{kept}"

    def city(self, city: str) -> str:
        """What entering a city brings: the marker, demand, airmail, and the end."""
        board, table, me = self.board, self.table, self.me
        rivals = sum(city in player.cities for player in table.players)
        tokens = table.demand.get(city, DemandTokens())
        number = tokens.gold + tokens.silver
        boxes = board.constants.new_city if number or not rivals else -rivals * board.constants.per_rival
        said = [self.moved(boxes)]
        if number:
            box = min(me.income_box + boxes, len(board.income_track.boxes) - 1)
            said.append(f"${number * board.income_track.boxes[box]} for {counted(number, 'token')}")
        if me.airmail and board.airmail[me.airmail].destination == city:
            said.append(f"airmail ${board.constants.airmail_bonus}")
        if board.city[city].major:
            said.append("major")
        return ", ".join(said)

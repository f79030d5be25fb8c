"""The table of Tin Goose in words, for phones and screen readers: the decision first, then what it needs; the rest on
demand. Made from a view and the board alone."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import UNSET

from referee.contract import View, and_list, counted
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import GENEROUS_DIVIDENDS
from referee.games.tin_goose.events import dollars
from referee.games.tin_goose.hints import Outlook, condition_effect, fleet_stats, lines_apart
from referee.games.tin_goose.state import SERVE, DemandTokens
from referee.games.tin_goose.tracks import reach
from referee.games.tin_goose.view import FleetView, PlayerView
from referee.pictures import wording
from referee.pictures.wording import fidelity_line, folded, headline, player_name, sections, several


def text_board(board: Board, view: View, part: str = "") -> str:
    """The short board, a part, or all of it (`full`)."""
    title = f"TIN GOOSE, after move {view.sequence}"
    if part in PARTS:
        return sections([title, *folded(headline(view, dollars))], *PARTS[part](board, view), [fidelity_line(view)])
    opening = [title, *folded(headline(view, dollars)), *folded(_situation(board, view))]
    final = ["FINAL STANDINGS", *final_standings(view)] if view.ending else []
    if part == "full":
        rest = [section for name in ("market", "players", "track", "map") for section in PARTS[name](board, view)]
        return sections(opening, final, *rest, ["CONDITIONS", *_conditions(board)], [fidelity_line(view)])
    return sections(opening, final, *_needed(board, view))


# Sentences that the picture has too


def round_line(board: Board, view: View) -> str:
    table = view.table
    if view.ending:
        return f"All {board.last_round} rounds are played."
    return f"Round {table.round} of {board.last_round}, {table.era} era, service to {_open(board, view)}."


def _open(board: Board, view: View) -> str:
    destination = board.destination[view.table.destination]
    return f"{destination.name} ({destination.size}, ${destination.cost})"


def card_lines(board: Board, view: View) -> list[str]:
    """What is going on in this turn: the card, the bids, the payments, the actions."""
    table, lines = view.table, []
    if table.card:
        lines.append(f"{player_name(view, table.active)} has played {card_label(board, table.card)}.")
    lines += auction_lines(view)
    if table.payments:
        paid = [
            f"{player_name(view, payment.seat)} ${payment.amount}"
            + (f" with {counted(payment.bonds, 'emergency bond')}" if payment.bonds else "")
            for payment in table.payments
        ]
        lines.append(f"Paid: {', '.join(paid)}.")
    if table.taken:
        service = [f"{SERVE} (two actions)"] * (SERVE in table.taken)  # it counts twice
        lines.append(f"Actions taken: {', '.join([action for action in table.taken if action != SERVE] + service)}.")
    return lines


def auction_lines(view: View) -> list[str]:
    """Who has bid, who has passed, and who is still to answer (TG-F17)."""
    bidding, lines = view.table.bidding, []
    if view.phase == "acquisition" and bidding.seat is not None:
        return [f"{player_name(view, bidding.seat)} has won the auction with ${bidding.amount}."]
    if view.phase != "auction":
        return []
    answered, waiting = around(view)[: bidding.answered], around(view)[bidding.answered :]
    if bidding.bids is not UNSET and answered:
        answers = [
            f"{player_name(view, seat)} {f'bids ${bid}' if bid else 'passes'}"
            for seat, bid in zip(answered, bidding.bids, strict=False)
        ]
        lines.append(f"{and_list(answers)}.")
    elif bidding.seat is not None:
        lines.append(f"The highest bid is ${bidding.amount}, by {player_name(view, bidding.seat)}.")
    lines.append(f"Still to answer: {', '.join(player_name(view, seat) for seat in waiting)}.")
    return lines


def around(view: View) -> list[int]:
    """The seats from the left of the active player to the active player."""
    number = len(view.players)
    return [(view.table.active + step) % number for step in range(1, number + 1)]


def card_label(board: Board, card: str) -> str:
    """A card as it looks in a hand: `Boeing 247 Houston, S, oil 3, hazard 2`."""
    return f"{board.card_name(card)}, {card_terms(board, card)}"


def card_terms(board: Board, card: str) -> str:
    """What a card says beside its name."""
    printed = board.card[card]
    if printed.kind == "fleet":
        return fleet_stats(board, card)
    if printed.kind == "strike":
        return f"win ${printed.win} or pay ${printed.lose}"
    return f"${printed.price} a {'flame' if printed.kind == 'crash' else 'barrel'}"


def final_standings(view: View) -> list[str]:
    """Places, names and scores with their parts, best first."""
    return [
        line
        for standing in view.standings
        for line in folded(f"{standing.place}. {player_name(view, standing.seat)}: {standing.note}")
    ]


def seat_notes(view: View, seat: int) -> list[str]:
    """What stands beside a player's name."""
    notes = list(wording.seat_notes(view, seat))
    if seat == view.table.first and view.table.players[seat].cities and not view.ending:
        notes.append("begins each round")
    return notes


def screen_line(player: PlayerView) -> str:
    """What is behind a player's screen, if the viewer may see it."""
    if player.cash is None:
        return "money, bonds and labor chips secret"
    bonds, chips = counted(player.bonds or 0, "bond"), counted(player.labor_chips or 0, "labor chip")
    return f"{dollars(player.cash)}, {bonds}, {chips}"


def hand_line(player: PlayerView) -> str:
    """The backs of the hand: `3 gold, 4 blue, 3 red`."""
    return ", ".join(f"{number} {era}" for era, number in player.hand_sizes.items() if number) or "empty"


def rounds_line(rounds: Sequence[int]) -> str:
    """`rounds 1 and 2`"""
    return f"round{'s' * (len(rounds) > 1)} {and_list([str(number) for number in rounds])}"


def airmail_line(board: Board, route: str) -> str:
    return f"{board.route_name(route)}, pays ${board.constants.airmail_bonus}"


# The short board


def _situation(board: Board, view: View) -> str:
    return " ".join([round_line(board, view), *card_lines(board, view)])


def _needed(board: Board, view: View) -> Iterator[list[str]]:
    """What the viewer needs now: the own things, what is asked for, and the others in a line each."""
    asked = any(decision.seat == view.you and decision.required for decision in view.decisions)
    if view.table.airmail:
        bonus = f"each pays ${board.constants.airmail_bonus} for reaching its second city"
        yield ["AIRMAIL ROUTES TO CHOOSE FROM", *folded(f"{several(_routes(board, view))}; {bonus}.")]
        yield ["DEMAND", *_demand(board, view)]
    if view.you is not None and not view.ending:
        me = view.table.players[view.you]
        yield [f"YOU ARE {_short_name(view, view.you)}", *folded(_summary(me)), *_mine(board, view, me, asked)]
    others = [seat for seat in range(len(view.players)) if seat != view.you or view.ending]
    title = "THE OTHERS" if view.you is not None and not view.ending else "PLAYERS"
    if view.phase != "airmail":
        yield [title, *(line for seat in others for line in folded(_line(board, view, seat)))]


def _routes(board: Board, view: View) -> list[str]:
    return [
        f"{board.route_name(route)} ({counted(lines_apart(board, printed.start, printed.destination), 'line')})"
        for route in view.table.airmail
        for printed in [board.airmail[route]]
    ]


def _short_name(view: View, seat: int) -> str:
    return player_name(view, seat)[:20]


def _summary(player: PlayerView) -> str:
    return (
        f"{screen_line(player)[:1].upper()}{screen_line(player)[1:]}; income {player.income}, hazard {player.hazard},"
        f" {counted(player.oil, 'barrel')} of oil."
    )


def _mine(board: Board, view: View, me: PlayerView, asked: bool) -> Iterator[str]:
    outlook = Outlook(board, view, me)
    if asked and view.phase == "card":
        for card in me.hand or ():
            if board.card[card].era == view.table.era:
                yield from folded(f"{board.card_name(card)}: {outlook.card(board.card[card])}.", "- ")
    elif asked and view.phase == "actions":
        yield from _ways(board, view, me)
    elif view.phase in ("auction", "acquisition"):
        if asked and view.phase == "auction":
            yield from folded(f"The fleet: {'; '.join(outlook.fleet_on_offer())}.")
        yield from folded(f"Your fleets: {several([_fleet(board, fleet) for fleet in me.fleets], '; ')}.")
        if me.conditions:
            yield "One of your conditions goes with a deployment:"
        for condition in me.conditions:
            yield from folded(f"{board.condition[condition].name}: {outlook.removal(condition)}.", "- ")


def _ways(board: Board, view: View, me: PlayerView) -> Iterator[str]:
    """Where planes can go now, and what is there."""

    def places(cities: Sequence[str]) -> str:
        return several([_place(board, view, city) for city in cities])

    left = [f"{fleet.name} {fleet.size} {fleet.planes}" for fleet in me.fleets if fleet.planes]
    yield from folded(f"Planes left, with their size: {several(left)}.")
    small, medium = reach(board, me.cities, "S"), reach(board, me.cities, "M")
    yield from folded(f"Thick lines lead to: {places(small)}.")
    sizes = {fleet.size for fleet in me.fleets if fleet.planes}
    if "M" in sizes:
        yield from folded(f"Medium planes also reach: {places([city for city in medium if city not in small])}.")
    if "L" in sizes:
        rich = [city for city in reach(board, me.cities, "L") if city in view.table.demand and city not in medium]
        yield from folded(f"Large planes reach every city; with demand: {places(rich)}.")
    if me.airmail:
        yield from folded(f"Airmail: {airmail_line(board, me.airmail)}.")
    if GENEROUS_DIVIDENDS in me.conditions:
        yield f"Generous Dividends: {condition_effect(board, GENEROUS_DIVIDENDS)}."


def _place(board: Board, view: View, city: str) -> str:
    """A city with what counts on entering it: `Reno 2 silver`, `Denver 1 rival`, major ones with a star."""
    tokens = view.table.demand.get(city, DemandTokens())
    rivals = sum(city in player.cities for player in view.table.players)
    notes = [f"{tokens.gold} gold"] * bool(tokens.gold) + [f"{tokens.silver} silver"] * bool(tokens.silver)
    notes += [counted(rivals, "rival")] * bool(rivals and not notes)
    return " ".join([board.city[city].name + "*" * board.city[city].major, *notes])


def _line(board: Board, view: View, seat: int) -> str:
    """A player in one line."""
    player = view.table.players[seat]
    if view.phase == "airmail_choice":
        return f"{_short_name(view, seat)}: {board.route_name(player.airmail) if player.airmail else 'still to choose'}"
    numbers = {
        "income": player.income,
        "hazard": player.hazard,
        "oil": player.oil,
        "planes": sum(fleet.planes for fleet in player.fleets),
        "conditions": len(player.conditions),
        "abroad": len(player.international),
    }
    if player.cash is not None:
        numbers = {"cash": player.cash, **numbers}
    said = ", ".join(f"{name} {number}" for name, number in numbers.items() if number or name != "abroad")
    return f"{_short_name(view, seat)}: {said}"


def _who(view: View, seat: int) -> str:
    notes = seat_notes(view, seat)
    return player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")


# The parts


def _market(board: Board, view: View) -> Iterator[list[str]]:
    """The card of this turn with its auction or payments, or the airmail routes."""
    yield ["THIS TURN", *folded(" ".join([round_line(board, view), *card_lines(board, view)]))]
    if view.table.airmail:
        routes = [line for route in view.table.airmail for line in folded(f"{airmail_line(board, route)}.", "- ")]
        yield ["AIRMAIL ROUTES TO CHOOSE FROM", *routes]


def _players(board: Board, view: View) -> Iterator[list[str]]:
    yield ["PLAYERS", *(line for seat in range(len(view.players)) for line in _player(board, view, seat))]


def _player(board: Board, view: View, seat: int) -> Iterator[str]:
    player = view.table.players[seat]
    yield from folded(
        f"{_who(view, seat)}: income {player.income} (box {player.income_box + 1} of {len(board.income_track.boxes)}),"
        f" hazard {player.hazard}, {counted(player.oil, 'barrel')} of oil; {screen_line(player)}."
    )
    yield from folded(f"Hand: {hand_line(player)}.", "  ")
    if player.hand:
        yield from folded(f"Cards: {several([card_label(board, card) for card in player.hand], '; ')}.", "  ")
    yield from folded(f"Fleets: {several([_fleet(board, fleet) for fleet in player.fleets], '; ')}.", "  ")
    if player.extensions:
        yield f"  Extensions: {player.extensions}."
    conditions = [board.condition[condition].name for condition in player.conditions]
    yield from folded(f"Conditions: {several(conditions)}.", "  ")
    if player.airmail:
        yield from folded(f"Airmail: {airmail_line(board, player.airmail)}.", "  ")


def _fleet(board: Board, fleet: FleetView) -> str:
    stats = f"{fleet.size}, oil {fleet.oil}, hazard {fleet.hazard}"
    return f"{board.card_name(fleet.card)}, {stats}, {counted(fleet.planes, 'plane')} left"


def _conditions(board: Board) -> Iterator[str]:
    for condition in board.conditions:
        yield from folded(f"{condition.name}: {condition_effect(board, condition.id)}.")


def _tracks(board: Board, view: View) -> Iterator[list[str]]:
    players = list(enumerate(view.table.players))
    income = [f"{player_name(view, seat)} {player.income} (box {player.income_box + 1})" for seat, player in players]
    flames = [f"{player_name(view, seat)} {player.hazard}" for seat, player in players]
    yield ["INCOME TRACK", *folded(f"{several(income)}; {len(board.income_track.boxes)} boxes.")]
    yield ["HAZARD TRACK", *folded(f"{several(flames)}.")]
    yield ["INTERNATIONAL SERVICE", *_international(board, view)]


def _international(board: Board, view: View) -> Iterator[str]:
    for destination in board.international:
        players = enumerate(view.table.players)
        served = [player_name(view, seat) for seat, player in players if destination.id in player.international]
        now = ", open now" if destination.id == view.table.destination and not view.ending else ""
        terms = f"{rounds_line(destination.rounds)}, {destination.size}, ${destination.cost}{now}"
        yield from folded(f"{destination.name} ({terms}): {several(served)}.")


def _map(board: Board, view: View) -> Iterator[list[str]]:
    yield ["DEMAND", *_demand(board, view)]
    yield ["NETWORKS, major cities with a star", *_networks(board, view)]


def _demand(board: Board, view: View) -> Iterator[str]:
    demand = view.table.demand
    tokens = [(city.name, demand[city.id]) for city in board.cities if city.id in demand]
    yield from folded(f"Gold: {several([name for name, counts in tokens if counts.gold])}.")
    yield from folded(f"Silver: {several([f'{name} {counts.silver}' for name, counts in tokens if counts.silver])}.")


def _networks(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        cities = [board.city[city].name + "*" * board.city[city].major for city in player.cities]
        yield from folded(f"{player_name(view, seat)}: {several(cities)}.")
        if player.cities:
            yield from _reached(board, player)


def _reached(board: Board, player: PlayerView) -> Iterator[str]:
    """Where extensions and small planes can go, and larger ones if any are left on the cards."""
    sizes = {fleet.size for fleet in player.fleets if fleet.planes}
    small, medium = ([board.city[city].name for city in reach(board, player.cities, size)] for size in ("S", "M"))
    yield from folded(f"Thick lines lead to: {several(small)}.", "  ")
    if "M" in sizes:
        yield from folded(f"Medium planes reach: {several(medium)}.", "  ")
    if "L" in sizes:
        yield "  Large planes reach every city."


PARTS: dict[str, Callable[[Board, View], Iterator[list[str]]]] = {
    "map": _map, "track": _tracks, "market": _market, "players": _players,
}  # fmt: skip

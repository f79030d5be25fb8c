"""The table of Tin Goose in words, for terminals and screen readers: the decision first, then one subject after
another. Made from a view and the board alone."""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.events import dollars
from referee.games.tin_goose.state import SERVE
from referee.games.tin_goose.tracks import reach
from referee.games.tin_goose.view import FleetView, PlayerView
from referee.pictures import wording
from referee.pictures.wording import fidelity_line, folded, headline, player_name, sections, several


def text_board(board: Board, view: View) -> str:
    table = view.table
    return sections(
        [f"TIN GOOSE, after move {view.sequence}", *folded(headline(view, dollars)), *folded(_situation(board, view))],
        ["FINAL STANDINGS", *final_standings(view)] if view.ending else [],
        ["AIRMAIL ROUTES TO CHOOSE FROM", *_airmail(board, view)] if table.airmail else [],
        ["PLAYERS", *_players(board, view)],
        ["DEMAND", *_demand(board, view)],
        ["INTERNATIONAL SERVICE", *_international(board, view)],
        [fidelity_line(view)],
    )


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
        lines.append(f"{player_name(view, table.active)} has played {card_name(board, table.card)}.")
    if table.bidding.seat is not None:
        lines.append(f"The highest bid is ${table.bidding.amount}, by {player_name(view, table.bidding.seat)}.")
    for payment in table.payments:
        bonds = f" with {counted(payment.bonds, 'emergency bond')}" if payment.bonds else ""
        lines.append(f"{player_name(view, payment.seat)} has paid ${payment.amount}{bonds}.")
    if table.taken:
        service = [f"{SERVE} (two actions)"] * (SERVE in table.taken)  # it counts twice
        lines.append(f"Actions taken: {', '.join([action for action in table.taken if action != SERVE] + service)}.")
    return lines


def card_name(board: Board, card: str) -> str:
    """A card as it looks in a hand: `Boeing 247, S, oil 3, hazard 2 (Houston)`."""
    printed = board.card[card]
    city = board.city[printed.city].name
    if printed.kind == "fleet":
        fleet = board.fleet[card]
        return f"{board.fleet_name(card)}, {fleet.size}, oil {fleet.oil}, hazard {fleet.hazard} ({city})"
    if printed.kind == "strike":
        return f"{printed.era} strike {card}, +${printed.win} or -${printed.lose} ({city})"
    unit = "flame" if printed.kind == "crash" else "barrel"
    return f"{printed.era} {printed.kind} {card}, ${printed.price} a {unit} ({city})"


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


# Sections


def _situation(board: Board, view: View) -> str:
    you = [f"You are {player_name(view, view.you)}."] if view.you is not None else []
    return " ".join([round_line(board, view), *card_lines(board, view), *you])


def _airmail(board: Board, view: View) -> Iterator[str]:
    for route in view.table.airmail:
        yield f"{route}: {board.route_name(route)}"


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = seat_notes(view, seat)
        who = player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")
        yield from folded(
            f"{who}: income {player.income} (box {player.income_box + 1} of {len(board.income_track.boxes)}),"
            f" hazard {player.hazard}, {counted(player.oil, 'barrel')} of oil; {screen_line(player)}."
        )
        yield from folded(f"Hand: {hand_line(player)}.", "  ")
        if player.hand:
            yield from folded(f"Cards: {several([card_name(board, card) for card in player.hand], '; ')}.", "  ")
        yield from folded(f"Fleets: {several([_fleet(board, fleet) for fleet in player.fleets], '; ')}.", "  ")
        if player.extensions:
            yield f"  Extensions: {player.extensions}."
        conditions = [board.condition[condition].name for condition in player.conditions]
        yield from folded(f"Conditions: {several(conditions)}.", "  ")
        airmail = f" Airmail: {board.route_name(player.airmail)}." if player.airmail else ""
        cities = [board.city[city].name + "*" * board.city[city].major for city in player.cities]
        yield from folded(f"Cities, major ones with a star: {several(cities)}.{airmail}", "  ")
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


def _fleet(board: Board, fleet: FleetView) -> str:
    stats = f"{fleet.size}, oil {fleet.oil}, hazard {fleet.hazard}"
    return f"{board.fleet_name(fleet.card)}, {stats}, {counted(fleet.planes, 'plane')} left"


def _demand(board: Board, view: View) -> Iterator[str]:
    demand = view.table.demand
    tokens = [(city.name, demand[city.id]) for city in board.cities if city.id in demand]
    yield from folded(f"Gold: {several([name for name, counts in tokens if counts.gold])}.")
    yield from folded(f"Silver: {several([f'{name} {counts.silver}' for name, counts in tokens if counts.silver])}.")


def _international(board: Board, view: View) -> Iterator[str]:
    for destination in board.international:
        players = enumerate(view.table.players)
        served = [player_name(view, seat) for seat, player in players if destination.id in player.international]
        rounds = f"round{'s' * (len(destination.rounds) > 1)} {' and '.join(map(str, destination.rounds))}"
        now = ", open now" if destination.id == view.table.destination and not view.ending else ""
        terms = f"{rounds}, {destination.size}, ${destination.cost}{now}"
        yield from folded(f"{destination.name} ({terms}): {several(served)}.")

"""The table of Tin Goose in words, for terminals and screen readers: the decision first, then one subject after
another. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from referee.contract import Decision, View, and_list
from referee.games.tin_goose.board import FORD_TRIMOTOR, Board
from referee.games.tin_goose.state import dollars
from referee.games.tin_goose.tracks import reach
from referee.games.tin_goose.view import FleetView, PlayerView

COLUMNS = 96
NO_BREAK = "\u00a0"


def text(board: Board, view: View) -> str:
    table = view.table
    sections = (
        [f"TIN GOOSE, after move {view.row}", *_folded(headline(view)), *_folded(_situation(board, view))],
        ["FINAL STANDINGS", *final_standings(view)] if view.ending else [],
        ["AIRMAIL ROUTES TO CHOOSE FROM", *_airmail(board, view)] if table.airmail else [],
        ["PLAYERS", *_players(board, view)],
        ["DEMAND", *_demand(board, view)],
        ["INTERNATIONAL SERVICE", *_international(board, view)],
        [fidelity_line(view)],
    )
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    if view.ending:
        best = [one for one in view.standings if one.place == 1]
        names = and_list([player_name(view, one.seat) for one in best])
        verb = "wins" if len(best) == 1 else "share the victory"
        return f"Game over: {names} {verb} with {dollars(best[0].score or 0)}."
    prompts = dict.fromkeys(decision.prompt for decision in view.decisions)
    return " ".join(_asked(view, [one for one in view.decisions if one.prompt == prompt]) for prompt in prompts)


def _asked(view: View, decisions: list[Decision]) -> str:
    waiting = [one for one in decisions if one.seat not in view.sealed]
    names = and_list([player_name(view, one.seat) for one in waiting]) or "Nobody"
    ready = len(decisions) - len(waiting)
    sealed = f" (Sealed: {ready} of {len(decisions)} have come in.)" if ready else ""
    return f"{names}: {decisions[0].prompt}{sealed}"


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
    table, said = view.table, []
    if table.card:
        said.append(f"{player_name(view, table.active)} has played {card_name(board, table.card)}.")
    if table.bidding.seat is not None:
        said.append(f"The highest bid is ${table.bidding.amount}, by {player_name(view, table.bidding.seat)}.")
    for one in table.payments:
        bonds = f" with {one.bonds} emergency bond{'s' * (one.bonds > 1)}" if one.bonds else ""
        said.append(f"{player_name(view, one.seat)} has paid ${one.amount}{bonds}.")
    if table.taken:
        said.append(f"Actions taken: {', '.join(table.taken)}.")
    return said


def card_name(board: Board, card: str) -> str:
    """A card as it looks in a hand: `Boeing 247, S, oil 3, hazard 2 (Houston)`."""
    printed = board.card[card]
    city = board.city[printed.city].name
    if printed.kind == "fleet":
        fleet = board.fleet[card]
        return f"{fleet.name} {card}, {fleet.size}, oil {fleet.oil}, hazard {fleet.hazard} ({city})"
    if printed.kind == "strike":
        return f"{printed.era} strike {card}, +${printed.win} or -${printed.lose} ({city})"
    unit = "flame" if printed.kind == "crash" else "barrel"
    return f"{printed.era} {printed.kind} {card}, ${printed.price} a {unit} ({city})"


def fidelity_line(view: View) -> str:
    published = view.board.fidelity == "rulebook"
    return f"Board {view.board.name}: {'as published' if published else 'not the published board'}."


def final_standings(view: View) -> list[str]:
    """Places, names and scores with their parts, best first."""
    return [
        line for one in view.standings for line in _folded(f"{one.place}. {player_name(view, one.seat)}: {one.note}")
    ]


def player_name(view: View, seat: int) -> str:
    """A name in one line, without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else "�" for c in view.players[seat])


def seat_notes(view: View, seat: int) -> list[str]:
    """What is to be said beside a name."""
    notes = ["you"] * (seat == view.you)
    if any(decision.seat == seat for decision in view.decisions):
        notes.append("sealed move is in" if seat in view.sealed else "to move")
    return notes


def screen_line(player: PlayerView) -> str:
    """What is behind the screen, for who may look."""
    if player.cash is None:
        return "money, bonds and labor chips secret"
    bonds, chips = _number(player.bonds or 0, "bond"), _number(player.labor_chips or 0, "labor chip")
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
        yield from _folded(
            f"{who}: income {player.income} (box {player.income_box + 1} of {len(board.income_track.boxes)}),"
            f" hazard {player.hazard}, {_number(player.oil, 'barrel')} of oil; {screen_line(player)}."
        )
        yield from _folded(f"Hand: {hand_line(player)}.", "  ")
        if player.hand:
            yield from _folded(f"Cards: {_several([card_name(board, card) for card in player.hand], '; ')}.", "  ")
        yield from _folded(f"Fleets: {_several([_fleet(fleet) for fleet in player.fleets], '; ')}.", "  ")
        if player.extensions:
            yield f"  Extensions: {player.extensions}."
        conditions = [board.condition[one].name for one in player.conditions]
        yield from _folded(f"Conditions: {_several(conditions)}.", "  ")
        airmail = f" Airmail: {board.route_name(player.airmail)}." if player.airmail else ""
        cities = [board.city[city].name + "*" * board.city[city].major for city in player.cities]
        yield from _folded(f"Cities, major ones with a star: {_several(cities)}.{airmail}", "  ")
        if player.cities:
            near = [board.city[city].name for city in reach(board, player.cities, "S")]
            yield from _folded(f"Thick lines lead to: {_several(near)}.", "  ")


def _fleet(fleet: FleetView) -> str:
    card = "" if fleet.card == FORD_TRIMOTOR else f" {fleet.card}"
    stats = f"{fleet.size}, oil {fleet.oil}, hazard {fleet.hazard}"
    return f"{fleet.name}{card}, {stats}, {_number(fleet.planes, 'plane')} left"


def _demand(board: Board, view: View) -> Iterator[str]:
    demand = view.table.demand
    tokens = [(city.name, demand[city.id]) for city in board.cities if city.id in demand]
    yield from _folded(f"Gold: {_several([name for name, one in tokens if one.gold])}.")
    yield from _folded(f"Silver: {_several([f'{name} {one.silver}' for name, one in tokens if one.silver])}.")


def _international(board: Board, view: View) -> Iterator[str]:
    for one in board.international:
        served = [
            player_name(view, seat) for seat, player in enumerate(view.table.players) if one.id in player.international
        ]
        rounds = f"round{'s' * (len(one.rounds) > 1)} {' and '.join(map(str, one.rounds))}"
        now = ", open now" if one.id == view.table.destination and not view.ending else ""
        yield from _folded(f"{one.name} ({rounds}, {one.size}, ${one.cost}{now}): {_several(served)}.")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _several(words: Sequence[str], between: str = ", ") -> str:
    return between.join(word.replace(" ", NO_BREAK) for word in words) or "none"


def _folded(words: str, indent: str = "") -> list[str]:
    folded = wrap(words, COLUMNS, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in folded]

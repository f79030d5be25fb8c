"""The table of Airline (1975) in words, for terminals and screen readers: the decision first, then one subject after
another. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence

from referee.contract import Decision, View, and_list
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import bundle
from referee.games.airline_1975.state import BANK, Deal, Debt
from referee.games.airline_1975.view import PlayerView
from referee.pictures import wording
from referee.pictures.wording import fidelity_line, final_standings, folded, player_name, sections, several

LEAVING = "leaving"  # everybody may leave at any time: no need to mention it


def text_board(board: Board, view: View) -> str:
    you = (
        f" You are {player_name(view, view.you)}, {view.table.players[view.you].colour}."
        if view.you is not None
        else ""
    )
    return sections(
        [f"AIRLINE (1975), after move {view.sequence}", *folded(headline(view)), *folded(situation(view) + you)],
        ["FINAL STANDINGS", *final_standings(view, dollars)] if view.ending else [],
        ["MAY BE ANSWERED", *(line for answer in answers(view) for line in folded(answer))] if answers(view) else [],
        ["OFFERS, CLAIMS AND DEBTS", *(line for matter in matters(board, view) for line in folded(matter))],
        ["PLAYERS", *_players(board, view)],
        ["TRACK, clockwise, with fares for PROP, JET and SST", *_track(board, view)],
        ["ROUTES", *_routes(board)],
        [fidelity_line(view)],
    )


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    return wording.headline(view, "assets of ${} million".format)


def dollars(score: int) -> str:
    return f"${score} million"


def answers(view: View) -> list[str]:
    """What may be answered beside the turn, but need not."""
    beside = [decision for decision in view.decisions if not decision.required and decision.phase != LEAVING]
    prompts = dict.fromkeys(decision.prompt for decision in beside)
    return [_asked(view, [decision for decision in beside if decision.prompt == prompt]) for prompt in prompts]


def _asked(view: View, decisions: Sequence[Decision]) -> str:
    return f"{and_list([player_name(view, decision.seat) for decision in decisions])}: {decisions[0].prompt}"


def situation(view: View) -> str:
    """Whose turn it is, and what kind of game."""
    kind = "Short game" if view.settings.short else "Game until one player is left"
    collection = ", money must be claimed" if view.settings.collection == "strict" else ""
    turn = "" if view.ending else f" It is the turn of {player_name(view, view.table.active)}."
    return f"{kind}{collection}.{turn}"


def matters(board: Board, view: View) -> list[str]:
    """Open offers, claims and debts, each in a sentence."""
    table = view.table
    return [
        *(_offer(board, view, deal) for deal in table.deals),
        *(_claim(view, claim) for claim in table.claims),
        *(_due(view, debt) for debt in table.debts),
    ] or ["None."]


def _offer(board: Board, view: View, deal: Deal) -> str:
    give, want = (
        bundle([board.city[city].name for city in cities], cash)
        for cities, cash in ((deal.give, deal.pay), (deal.want, deal.price))
    )
    return f"Offer {deal.number}: {player_name(view, deal.seat)} offers {player_name(view, deal.to)} {give} for {want}."


def _claim(view: View, claim: Debt) -> str:
    payee, payer = _payer(view, claim.to), _payer(view, claim.seat)
    return f"Claim: {payee} may claim ${claim.amount} million from {payer} ({claim.reason})."


def _due(view: View, debt: Debt) -> str:
    payee, payer = _payer(view, debt.to), _payer(view, debt.seat)
    return f"Debt: {payer} owes {payee} ${debt.amount} million ({debt.reason})."


def _payer(view: View, seat: int) -> str:
    return "the bank" if seat == BANK else player_name(view, seat)


def city_words(board: Board, player: PlayerView) -> list[str]:
    """The cities of a player, the base first; with a note on those that earn no fares."""
    notes = {city: " (base)" if city == player.base else "" for city in player.cities}
    notes |= {city: " (cut off)" for city in player.cities if city not in player.connected}
    return [board.city[city].name + note for city, note in notes.items()]


# Sections


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = [player.colour, *["you"] * (seat == view.you)]
        notes += ["to move"] * any(decision.seat == seat and decision.required for decision in view.decisions)
        who = f"{player_name(view, seat)} ({', '.join(notes)})"
        if player.out:
            yield from folded(f"{who}: out of the game.")
            continue
        aircraft = board.plane[player.aircraft].name
        yield from folded(
            f"{who}: ${player.cash} million, {aircraft} on {space_name(board, player.place)},"
            f" assets ${player.assets} million."
        )
        yield from folded(f"Cities: {several(city_words(board, player))}.", "  ")


def space_name(board: Board, place: int) -> str:
    space = board.track[place]
    return board.city[space.city].name if space.city else space.kind.replace("_", " ").upper()


def _track(board: Board, view: View) -> Iterator[str]:
    for place in range(len(board.track)):
        here = [
            f"{player_name(view, seat)} ({board.plane[player.aircraft].name})"
            for seat, player in enumerate(view.table.players)
            if player.place == place and not player.out
        ]
        standing = f" Here: {', '.join(here)}." if here else ""
        yield from folded(f"{place:2}. {space_name(board, place)}: {_space(board, view, place)}.{standing}")


def _space(board: Board, view: View, place: int) -> str:
    city = board.track[place].city
    if not city:
        return effect(board, place)
    fares = ", ".join(map(str, board.city[city].fares.values()))
    seat = view.table.owners.get(city)
    if seat is None:
        return f"{fares}, free"
    owner = view.table.players[seat]
    due = f"fare {board.city[city].fares[owner.aircraft]}" if city in owner.connected else "no fare, cut off"
    return f"{fares}, {player_name(view, seat)}{', base' if city == owner.base else ''}, {due}"


def effect(board: Board, place: int) -> str:
    """What a special space does, in a few words."""
    constants = board.constants
    return {
        "subsidy": "get " + ", ".join(str(aircraft.subsidy) for aircraft in board.aircraft),
        "maintenance": "pay " + ", ".join(str(aircraft.maintenance) for aircraft in board.aircraft),
        "charter": f"throw, get {constants.charter_per_pip} a pip",
        "hijack": "throw, double: crash",
        "air_cargo": f"get {constants.air_cargo}",
        "crash": f"pay {constants.crash_cost}, fly PROP",
    }[board.track[place].kind]


def _routes(board: Board) -> Iterator[str]:
    for city in board.cities:
        ends = [board.city[end].name for end in board.neighbours[city.id]]
        yield from folded(f"{city.name}: {several(ends)}")

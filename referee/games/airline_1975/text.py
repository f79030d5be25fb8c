"""The table of Airline (1975) in words, for phones, mails and screen readers: first the decision and what it needs, the
rest on demand, subject by subject. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence

from referee.contract import Decision, View, and_list, counted
from referee.games.airline_1975.board import Board
from referee.games.airline_1975.events import bundle
from referee.games.airline_1975.state import BANK, BASES, DEPARTURE, LANDING, RAISING, Deal, Debt
from referee.games.airline_1975.view import PlayerView
from referee.pictures import wording
from referee.pictures.wording import NO_BREAK, fidelity_line, final_standings, folded, player_name, sections, several

LEAVING = "leaving"  # everybody may leave at any time: no need to mention it
LEAST_THROW, MOST_THROW = 2, 12  # of two dice
FULL = "full"


def text_board(board: Board, view: View, part: str = "") -> str:
    """What the decision needs; a part; or all of it (`full`)."""
    subjects = {
        "market": ["OFFERS, CLAIMS AND DEBTS", *_lines(matters(board, view) or ["None."])],
        "players": ["PLAYERS", *_players(board, view)],
        "track": ["TRACK, clockwise, with fares for PROP, JET and SST", *_track(board, view)],
        "map": ["ROUTES, and who owns what", *_routes(board, view)],
    }
    head = [_title(view), *folded(headline(view)), *folded(situation(view) + _you(view))]
    end = _end(board, view)
    if part == FULL:
        return sections(head, end, _answers(view, everybody=True), *subjects.values(), [fidelity_line(view)])
    if part:
        return sections([_title(view)], subjects[part])
    mine = _answers(view, everybody=False)
    others = matters(board, view, [deal for deal in view.table.deals if not mine or deal.to != view.you])
    return sections(
        head,
        end,
        mine,
        ["OFFERS, CLAIMS AND DEBTS", *_lines(others)] if others else [],
        [] if view.ending else _needed(board, view),
        ["PLAYERS", *_short_players(board, view)],
    )


def _lines(sentences: Sequence[str]) -> list[str]:
    return [line for sentence in sentences for line in folded(sentence)]


def _title(view: View) -> str:
    return f"AIRLINE (1975), after move {view.sequence}"


def _you(view: View) -> str:
    if view.you is None:
        return ""
    player = view.table.players[view.you]
    return f" You are {player_name(view, view.you)}, {player.colour}{f', {player.left}' if player.out else ''}."


def _answers(view: View, *, everybody: bool) -> list[str]:
    """What may be answered beside the turn: of everybody, or what lies open for the reader."""
    found = answers(view, everybody)
    return ["MAY BE ANSWERED", *_lines(found)] if found else []


def _end(board: Board, view: View) -> list[str]:
    """Places with what the assets are made of, and how players left."""
    if not view.ending:
        return []
    return ["FINAL STANDINGS", *_lines(final_standings(view, dollars)), *_lines(list(_assets(board, view)))]


def _assets(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        if not player.out:
            value, number = board.constants.city_value, len(player.cities)
            cities = f"{counted(number, 'city', 'cities')} at {value}"
            yield f"{player_name(view, seat)}: cash {player.cash} and {cities} make {player.assets}."


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    return wording.headline(view, "assets of ${} million".format)


def dollars(score: int) -> str:
    return f"${score} million"


def answers(view: View, everybody: bool = True) -> list[str]:
    """What may be answered beside the turn, but need not."""
    beside = [decision for decision in view.decisions if not decision.required and decision.phase != LEAVING]
    if not everybody:
        beside = [decision for decision in beside if decision.seat == view.you and _lies_open(view, decision)]
    prompts = dict.fromkeys(decision.prompt for decision in beside)
    return [_asked(view, [decision for decision in beside if decision.prompt == prompt]) for prompt in prompts]


def _lies_open(view: View, decision: Decision) -> bool:
    """Whether there is something to answer; that one may offer a deal, or withdraw it, goes without saying."""
    return decision.phase != "deals" or any(decision.seat == deal.to for deal in view.table.deals)


def _asked(view: View, decisions: Sequence[Decision]) -> str:
    return f"{and_list([player_name(view, decision.seat) for decision in decisions])}: {decisions[0].prompt}"


def situation(view: View) -> str:
    """Whose turn it is, and what kind of game."""
    kind = "Short game" if view.settings.short else "Game until one player is left"
    collection = ", money must be claimed" if view.settings.collection == "strict" else ""
    turn = "" if view.ending else f" It is the turn of {player_name(view, view.table.active)}."
    return f"{kind}{collection}{round_words(view)}.{turn}"


def round_words(view: View) -> str:
    """Under version 1 nobody counts rounds."""
    return (
        f", round {min(view.table.round, view.settings.rounds)} of {view.settings.rounds}" if view.table.round else ""
    )


def matters(board: Board, view: View, deals: Sequence[Deal] | None = None) -> list[str]:
    """Open offers, or some of them, claims and debts, each in a sentence."""
    table = view.table
    return [
        *(offer_words(board, view, deal) for deal in (table.deals if deals is None else deals)),
        *(_claim(view, claim) for claim in table.claims),
        *(_due(view, debt) for debt in table.debts),
        *(_held(board, view, deal) for deal in table.held),
    ]


def offer_words(board: Board, view: View, deal: Deal) -> str:
    give, want = _sides(board, deal)
    return f"Offer {deal.number}: {player_name(view, deal.seat)} offers {player_name(view, deal.to)} {give} for {want}."


def _sides(board: Board, deal: Deal) -> tuple[str, str]:
    give, want = (
        bundle([board.city[city].name for city in cities], cash)
        for cities, cash in ((deal.give, deal.pay), (deal.want, deal.price))
    )
    return give, want


def _claim(view: View, claim: Debt) -> str:
    payee, payer = _payer(view, claim.to), _payer(view, claim.seat)
    return f"Claim: {payee} may claim ${claim.amount} million from {payer} ({claim.reason})."


def _due(view: View, debt: Debt) -> str:
    payee, payer = _payer(view, debt.to), _payer(view, debt.seat)
    return f"Debt: {payer} owes {payee} ${debt.amount} million ({debt.reason})."


def _held(board: Board, view: View, deal: Deal) -> str:
    give, want = _sides(board, deal)
    parties = f"{player_name(view, deal.seat)} gave {player_name(view, deal.to)} {give} for {want}"
    return f"Deal {deal.number}: {parties}; void if the debtor goes bankrupt."


def _payer(view: View, seat: int) -> str:
    return "the bank" if seat == BANK else player_name(view, seat)


def city_words(board: Board, player: PlayerView) -> list[str]:
    """The cities of a player, the base first; with a note on those that earn no fares."""
    notes = {city: " (base)" if city == player.base else "" for city in player.cities}
    notes |= {city: " (cut off)" for city in player.cities if city not in player.connected}
    return [board.city[city].name + note for city, note in notes.items()]


def space_name(board: Board, place: int) -> str:
    space = board.track[place]
    return board.city[space.city].name if space.city else space.kind.replace("_", " ").upper()


def effect(board: Board, place: int) -> str:
    """What a special space does, in a few words."""
    constants = board.constants
    return {
        "subsidy": "get " + ", ".join(str(aircraft.subsidy) for aircraft in board.aircraft),
        "maintenance": "pay " + ", ".join(str(aircraft.maintenance) for aircraft in board.aircraft),
        "charter": f"throw: {constants.charter_per_pip} a pip",
        "hijack": f"double: crash, else to {space_name(board, board.start)}",
        "air_cargo": f"get {constants.air_cargo}",
        "crash": f"pay {constants.crash_cost}, fly {board.aircraft[0].name}",
    }[board.track[place].kind]


# What the decision needs


def _needed(board: Board, view: View) -> list[str]:
    """For the one whom the game waits for: what there is to choose from, and what may come."""
    seat = next((decision.seat for decision in view.decisions if decision.required), view.table.active)
    if view.phase == BASES:
        return _bases(board, view)
    if view.phase == DEPARTURE:
        return _ahead(board, view, seat)
    if view.phase == LANDING:
        return _landing(board, view, seat)
    return _sellable(board, view, seat) if view.phase == RAISING else []


def _bases(board: Board, view: View) -> list[str]:
    free = [city for city in board.cities if city.id not in view.table.owners]
    told = [f"{city.name} {', '.join(map(str, city.fares.values()))}" for city in free]
    return ["FREE CITIES, with fares for PROP, JET and SST", *folded(several(told, "; ") + ".")]


def _ahead(board: Board, view: View, seat: int) -> list[str]:
    """Where each throw leads, for the one who throws."""
    if view.you not in (None, seat):
        return []
    player = view.table.players[seat]
    where = f"from {space_name(board, player.place)}, with a {board.plane[player.aircraft].name}"
    told = []
    for throw in range(LEAST_THROW, MOST_THROW + 1):
        place = (player.place + throw) % len(board.track)
        space = f"{throw} {space_name(board, place)}".replace(" ", NO_BREAK)
        told.append(f"{space}: {_for_visitor(board, view, place, seat)}")
    return [f"AHEAD of {player_name(view, seat)[:24]}, {where}", *folded("; ".join(told) + ".")]


def _for_visitor(board: Board, view: View, place: int, seat: int) -> str:
    """What a space means for somebody who lands there."""
    city, player = board.track[place].city, view.table.players[seat]
    plane = board.plane[player.aircraft]
    if not city:
        own = {"subsidy": f"get {plane.subsidy}", "maintenance": f"pay {plane.maintenance}"}
        return own.get(board.track[place].kind, effect(board, place))
    owner = view.table.owners.get(city)
    if owner is None:
        return f"free, {board.constants.landing_rights} to buy"
    if owner == seat:
        return "yours"
    return f"{player_name(view, owner)}{_base_word(view, owner, city)}, {_fare(board, view, owner, city)}"


def _base_word(view: View, owner: int, city: str) -> str:
    return ", base" if city == view.table.players[owner].base else ""


def _fare(board: Board, view: View, owner: int, city: str) -> str:
    player = view.table.players[owner]
    return f"fare {board.city[city].fares[player.aircraft]}" if city in player.connected else "no fare, cut off"


def _landing(board: Board, view: View, seat: int) -> list[str]:
    player = view.table.players[seat]
    city = board.track[player.place].city
    if not city:
        return []
    return [
        "HERE",
        *_lines([f"{board.city[city].name}: {_space(board, view, player.place)}.", _links(board, view, city)]),
    ]


def _links(board: Board, view: View, city: str) -> str:
    """Where routes lead from a city, and whose the cities there are."""
    told = []
    for other in board.neighbours[city]:
        owner = view.table.owners.get(other)
        told.append(board.city[other].name + ("" if owner is None else f" ({view.table.players[owner].colour})"))
    return f"Routes from {board.city[city].name}: {several(told)}."


def _sellable(board: Board, view: View, seat: int) -> list[str]:
    player = view.table.players[seat]
    held = {city for deal in view.table.held for city in (*deal.give, *deal.want)}
    cities = [city for city in player.cities if city != player.base and city not in held]
    told = [f"{board.city[city].name} {', '.join(map(str, board.city[city].fares.values()))}" for city in cities]
    return [
        "TO SELL, with fares for PROP, JET and SST",
        *folded(f"{player_name(view, seat)}: {several(told, '; ')}."),
    ]


# Players, track, routes


def _short_players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        who = f"{player_name(view, seat)} ({', '.join(_notes(view, seat))})"
        if player.out:
            yield from folded(f"{who}: {player.left}.")
            continue
        aircraft = board.plane[player.aircraft].name
        cities = counted(len(player.cities), "city", "cities")
        cut_off = len(player.cities) - len(player.connected)
        yield from folded(
            f"{who}: ${player.cash} million, {aircraft} on {space_name(board, player.place)}, {cities}"
            f"{f' ({cut_off} cut off)' if cut_off else ''}."
        )
        if seat == view.you and player.cities:
            yield from folded(f"Your cities: {several(city_words(board, player))}.", "  ")


def _notes(view: View, seat: int) -> list[str]:
    asked = any(decision.seat == seat and decision.required for decision in view.decisions)
    return [view.table.players[seat].colour, *["you"] * (seat == view.you), *["to move"] * asked]


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        who = f"{player_name(view, seat)} ({', '.join(_notes(view, seat))})"
        if player.out:
            yield from folded(f"{who}: {player.left}.")
            continue
        aircraft = board.plane[player.aircraft].name
        yield from folded(
            f"{who}: ${player.cash} million, {aircraft} on {space_name(board, player.place)},"
            f" assets ${player.assets} million."
        )
        yield from folded(f"Cities: {several(city_words(board, player))}.", "  ")


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
    owner = view.table.owners.get(city)
    if owner is None:
        return f"{fares}, free"
    return f"{fares}, {player_name(view, owner)}{_base_word(view, owner, city)}, {_fare(board, view, owner, city)}"


def _routes(board: Board, view: View) -> Iterator[str]:
    for city in board.cities:
        owner = view.table.owners.get(city.id)
        whose = "free" if owner is None else f"{player_name(view, owner)}{_base_word(view, owner, city.id)}"
        ends = [board.city[end].name for end in board.neighbours[city.id]]
        yield from folded(f"{city.name} ({whose}): {several(ends)}")

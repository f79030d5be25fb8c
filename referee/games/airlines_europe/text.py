"""The table of Airlines Europe in words, for terminals, phones and screen readers: the decision first, with what it
needs; the rest for those who ask. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence

from referee.contract import View, counted
from referee.games.airlines_europe.board import SCORINGS, Board, Region
from referee.games.airlines_europe.events import IMAGINED_AT, RULED_FOR_TWO
from referee.games.airlines_europe.hints import licences_left, next_cost
from referee.games.airlines_europe.rules import CLEARED_SCORINGS, Clearing
from referee.games.airlines_europe.scoring import LastScoring, last_scoring
from referee.games.airlines_europe.setup import Opening
from referee.games.airlines_europe.state import AIR_ABACUS, Shares
from referee.pictures import wording
from referee.pictures.wording import (
    NO_BREAK,
    fidelity_line,
    final_standings,
    folded,
    player_name,
    seat_notes,
    sections,
    several,
)

ORDINALS = ("1st", "2nd", "3rd")
THIRD_PLAYER = "The third player"


def text_board(board: Board, view: View, part: str = "") -> str:
    head = [f"AIRLINES EUROPE, after move {view.sequence}", *folded(headline(view)), *folded(_situation(view))]
    final = ["FINAL STANDINGS", *final_standings(view, points)] if view.ending else []
    last = ["THE LAST SCORING", *_last_scoring(board, view)] if view.ending else []
    airlines = [*_airlines(board, view)]
    track = ["SHARE TRACK", *_track(board, view)]
    market = [*_market(board, view)]
    players = ["PLAYERS", *_players(board, view)]
    licences = ["LICENCES, sold and next to be had, with cost and number left", *_licences(board, view)]
    match part:
        case "map":
            return sections(licences)
        case "track":
            return sections(airlines, track)
        case "market":
            return sections(market, _air_abacus(board, view))
        case "players":
            return sections(final, last, players)
        case "full":
            shares = (market, _air_abacus(board, view), players)
            return sections(head, final, last, airlines, track, *shares, licences, [fidelity_line(view)])
    if view.ending:
        return sections(head, final, last)
    if view.phase == Opening.name:
        ruled = folded(RULED_FOR_TWO) if len(view.players) == IMAGINED_AT else []
        return sections(head, ruled, _before_you(board, view), market, [*_at_the_opening(board, view)])
    return sections(head, [*_before_you(board, view), *market], airlines, [*_others(board, view)])


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    return wording.headline(view, points)


def points(score: int) -> str:
    return counted(score, "point")


def scoring_line(view: View) -> str:
    done = view.table.scorings
    if view.ending:
        return f"All {SCORINGS} scorings are done." if done == SCORINGS else "The last scoring came early."
    if view.phase == Clearing.name:
        return f"The {ORDINALS[done - 1]} scoring begins."
    return f"The {ORDINALS[done]} scoring comes next."


def next_scoring(view: View) -> int | None:
    """The index of the scoring that is to come or has begun."""
    return None if view.ending else int(view.table.scorings) - (view.phase == Clearing.name)


def airlines_in_play(board: Board, view: View) -> list[str]:
    """In the order of the board."""
    return [airline.id for airline in board.airlines if airline.id in view.table.airlines]


def last_scoring_of(board: Board, view: View) -> LastScoring | None:
    """What the last scoring has brought, which those who look at a finished game can check."""
    table = view.table
    if not view.ending or table.deck is None or table.discards is None:
        return None
    holdings = [player.holdings for player in table.players]
    markers = {name: airline.marker for name, airline in table.airlines.items()}
    return last_scoring(board, holdings, markers, table.discards, table.air_abacus, (*table.market, *table.deck))


def share_name(board: Board, share: str) -> str:
    return board.air_abacus.name if share == AIR_ABACUS else share


def vp(values: Sequence[int]) -> str:
    return "-".join(map(str, values))


# Sections


def _situation(view: View) -> str:
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    is_last = next_scoring(view) == CLEARED_SCORINGS
    last = " It ends the game, and the market is not cleared before it (AE-R18)." if is_last else ""
    return scoring_line(view) + last + you


def _before_you(board: Board, view: View) -> list[str]:
    """What the reader has."""
    if view.you is None:
        return []
    player = view.table.players[view.you]
    shown = f"Holdings: {_counted(board, player.holdings)}." if player.holdings else ""
    return [
        f"YOU have {player.cash} million and {points(player.vp or 0)}.",
        *folded(f"Hand: {_counted(board, player.hand or {})}.", "  "),
        *(folded(shown, "  ") if shown else []),
    ]


def _airlines(board: Board, view: View) -> Iterator[str]:
    """Where each stands, what it pays there, where it would pay more, what can be bought for it, who shows how many."""
    rows = [("Colour", "At", "Pays", "More", "Planes", "Routes", "Bonus", *_signs(view))]
    for name in airlines_in_play(board, view):
        state = view.table.airlines[name]
        further = next_region(board, state.marker)
        more = f"{further.vp[0]} at {further.first}" if further else "-"
        cheapest = min((next_cost(board, view, route) for route in state.routes), default=0)
        routes = f"{len(state.routes)} from {cheapest}" if state.routes else "blocked"
        bonus = f"+{board.airline[name].bonus}" if state.bonus else "-"
        pays = vp(board.region(state.marker).vp)
        shown = [str(player.holdings.get(name) or "-") for player in view.table.players]
        rows.append((name, str(state.marker), pays, more, str(state.planes), routes, bonus, *shown))
    yield from _table(rows)


def _signs(view: View) -> list[str]:
    """What a column of each player is called: their first letters, or where two have the same, numbers."""
    letters = [player_name(view, seat)[:1].upper() for seat in range(len(view.players))]
    return letters if len(set(letters)) == len(letters) else [str(seat + 1) for seat in range(len(letters))]


def _at_the_opening(board: Board, view: View) -> Iterator[str]:
    rows = [("Colour", "Shares", "Space", "Home", "Bonus")]
    for name in airlines_in_play(board, view):
        airline, state = board.airline[name], view.table.airlines[name]
        bonus = f"{airline.bonus} for {board.city[airline.goal].name}" if airline.goal else "-"
        rows.append((name, str(airline.shares), str(state.marker), board.city[airline.home].name, bonus))
    yield from _table(rows)


def next_region(board: Board, marker: int) -> Region | None:
    """The region of the share track after the one a marker is in."""
    last = board.region(marker).last
    return board.region(last + 1) if last < board.share_track.length else None


def _track(board: Board, view: View) -> Iterator[str]:
    """The regions, each with the airlines in it."""
    for region in board.share_track.regions:
        there = [
            f"{name} {state.marker}"
            for name, state in sorted(view.table.airlines.items(), key=lambda item: (item[1].marker, item[0]))
            if region.first <= state.marker <= region.last
        ]
        spaces = f"{region.first} to {region.last}: {vp(region.vp)}"
        yield from folded(f"{spaces}; {several(there)}." if there else f"{spaces}.")
    for name in airlines_in_play(board, view):
        airline, state = board.airline[name], view.table.airlines[name]
        if state.bonus and airline.goal:
            home, goal = board.city[airline.home].name, board.city[airline.goal].name
            yield from folded(f"{name} moves {airline.bonus} more when it links {home} with {goal}.")


def _market(board: Board, view: View) -> Iterator[str]:
    table = view.table
    yield from folded(f"MARKET: {_counted(board, {share: table.market.count(share) for share in table.market})}.")
    left = f"{board.air_abacus.name} left: {table.air_abacus}."
    yield from folded(f"Draw pile: {counted(table.deck_size, 'card')}. {left} Bank: {table.bank} million.")


def _air_abacus(board: Board, view: View) -> list[str]:
    rows = []
    for index, values in enumerate(board.air_abacus.vp):
        mark = " (next)" if index == next_scoring(view) else ""
        rows.append(f"{ORDINALS[index]} scoring{mark} {vp(values)}".replace(" ", NO_BREAK))
    discarded = f"Discarded so far: {counted(view.table.discards_size, 'share')}."
    return [*folded(f"{board.air_abacus.name} pays: {'; '.join(rows)}."), discarded]


def _players(board: Board, view: View) -> Iterator[str]:
    for seat in range(len(view.table.players)):
        yield from _player(board, view, seat)
    if len(view.table.players) == IMAGINED_AT and not view.ending:
        table = view.table
        yield from folded(
            f"{THIRD_PLAYER} (imagined at the last scoring, AE-P02) has the market, the draw pile,"
            f" {table.air_abacus} {board.air_abacus.name} and {counted(table.discards_size, 'discard')}."
        )


def _others(board: Board, view: View) -> Iterator[str]:
    """What all see of the others beside their shares in airlines, each in a line."""
    for seat, (player, sign) in enumerate(zip(view.table.players, _signs(view), strict=True)):
        if seat != view.you:
            number = f"{sign}, " * sign.isdigit()
            name = board.air_abacus.name
            backs = f" ({player.air_abacus_in_hand} {name})" if player.air_abacus_in_hand else ""
            shown = f", shows {player.holdings[AIR_ABACUS]} {name}" if player.holdings.get(AIR_ABACUS) else ""
            cards = counted(player.hand_size, "card") + backs
            yield from folded(f"{number}{_called(view, seat)}: {player.cash} million, {cards}{shown}.")


def _called(view: View, seat: int) -> str:
    notes = list(seat_notes(view, seat))
    return player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")


def _player(board: Board, view: View, seat: int) -> Iterator[str]:
    player = view.table.players[seat]
    backs = f", {player.air_abacus_in_hand} of them {board.air_abacus.name}" if player.air_abacus_in_hand else ""
    score = "points secret" if player.vp is None else points(player.vp)
    cards = counted(player.hand_size, "card")
    yield from folded(f"{_called(view, seat)}: {player.cash} million, {score}, {cards} in hand{backs}.")
    yield from folded(f"Holdings: {_counted(board, player.holdings)}.", "  ")
    if player.hand is not None:
        yield from folded(f"Hand: {_counted(board, player.hand)}.", "  ")


def _last_scoring(board: Board, view: View) -> Iterator[str]:
    """What every airline paid at the end, with all that it follows from, and what there was before."""
    last = last_scoring_of(board, view)
    if last is None:
        return
    for row in last.rows:
        held = [f"{player_name(view, seat)} {number}" for seat, number in enumerate(row.holdings) if number]
        held += [f"the third player {row.third}"] if row.third else []
        won = [f"{player_name(view, seat)} {number}" for seat, number in enumerate(row.points) if number]
        gets = f"; points: {several(won)}" if won else ""
        name = share_name(board, row.share)
        yield from folded(f"{name} pays {vp(row.vp)}. Shares: {several(held)}{gets}.")
    before = [
        f"{player_name(view, seat)} {(player.vp or 0) - last.total(seat)}"
        for seat, player in enumerate(view.table.players)
    ]
    yield from folded(f"Points before it: {several(before)}.")


def _licences(board: Board, view: View) -> Iterator[str]:
    for airline in airlines_in_play(board, view):
        sold = [_route(board, route.id) for route in board.routes if airline in view.table.licences.get(route.id, ())]
        routes = view.table.airlines[airline].routes
        free = sorted((next_cost(board, view, route), route) for route in routes)
        ways = [f"{_route(board, route)} {cost} ({licences_left(board, view, route)} left)" for cost, route in free]
        printed = board.airline[airline]
        home = board.city[printed.home].name
        yield from folded(f"{airline} ({printed.name}), home {home}, has: {several(sold)}.")
        yield from folded(f"Next: {several(ways)}.", "  ")


def _route(board: Board, route: str) -> str:
    return f"{board.city[board.route[route].a].name}-{board.city[board.route[route].b].name}"


def _counted(board: Board, shares: Shares) -> str:
    """Shares in the order of the board: "2 red, 1 Air ABACUS"."""
    order = [airline.id for airline in board.airlines]
    words = [f"{shares[name]} {name}" for name in order if shares.get(name)]
    return several(words + ([f"{shares[AIR_ABACUS]} {board.air_abacus.name}"] if shares.get(AIR_ABACUS) else []))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if rows[1][column].isdigit() else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()[: wording.COLUMNS]

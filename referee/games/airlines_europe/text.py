"""The table of Airlines Europe in words, for terminals and screen readers: the decision first, then one subject after
another. Made from a view and the board alone."""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.rules import Clearing
from referee.games.airlines_europe.state import AIR_ABACUS, Shares
from referee.pictures import wording
from referee.pictures.wording import (
    COLUMNS,
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


def text_board(board: Board, view: View) -> str:
    return sections(
        [f"AIRLINES EUROPE, after move {view.sequence}", *folded(headline(view)), *folded(_situation(view))],
        ["FINAL STANDINGS", *final_standings(view, points)] if view.ending else [],
        ["AIRLINES", *_airlines(board, view)],
        ["MARKET", *_market(board, view)],
        ["PLAYERS", *_players(board, view)],
        ["LICENCES, sold and next to be had with their cost", *_licences(board, view)],
        [fidelity_line(view)],
    )


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    return wording.headline(view, points)


def points(score: int) -> str:
    return f"{score} points"


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


# Sections


def _situation(view: View) -> str:
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    return scoring_line(view) + you


def _airlines(board: Board, view: View) -> Iterator[str]:
    rows = [("Colour", "Name", "Space", "Points by rank", "Planes left", "Bonus")]
    for name in airlines_in_play(board, view):
        airline, state = board.airline[name], view.table.airlines[name]
        bonus = f"{airline.bonus} at {board.city[airline.goal].name}" if state.bonus and airline.goal else "-"
        planes = str(state.planes) if state.routes else f"{state.planes}, blocked"
        by_rank = ", ".join(map(str, board.region(state.marker).vp))
        rows.append((name, airline.name, str(state.marker), by_rank, planes, bonus))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if cell.isdigit() else cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()[:COLUMNS]


def _market(board: Board, view: View) -> Iterator[str]:
    table = view.table
    yield from folded(f"On offer: {_counted(board, {share: table.market.count(share) for share in table.market})}.")
    yield from folded(
        f"Draw pile: {table.deck_size} cards. Discarded: {table.discards_size}. "
        f"{board.air_abacus.name} left: {table.air_abacus}. Bank: {table.bank} million."
    )
    rows = []
    for index, vp in enumerate(board.air_abacus.vp):
        mark = " (next)" if index == next_scoring(view) else ""
        rows.append(f"{ORDINALS[index]} scoring{mark} {', '.join(map(str, vp))}".replace(" ", NO_BREAK))
    yield from folded(f"{board.air_abacus.name} points by rank: {'; '.join(rows)}.")


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = list(seat_notes(view, seat))
        who = player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")
        backs = f", {player.air_abacus_in_hand} of them {board.air_abacus.name}" if player.air_abacus_in_hand else ""
        score = "points secret" if player.vp is None else points(player.vp)
        cards = counted(player.hand_size, "card")
        yield from folded(f"{who}: {player.cash} million, {score}, {cards} in hand{backs}.")
        yield from folded(f"Holdings: {_counted(board, player.holdings)}.", "  ")
        if player.hand is not None:
            yield from folded(f"Hand: {_counted(board, player.hand)}.", "  ")


def _licences(board: Board, view: View) -> Iterator[str]:
    for airline in airlines_in_play(board, view):
        sold = [_route(board, route.id) for route in board.routes if airline in view.table.licences.get(route.id, ())]
        routes = view.table.airlines[airline].routes
        free = sorted((board.costs[route][len(view.table.licences.get(route, ()))], route) for route in routes)
        yield from folded(f"{airline}, home {board.city[board.airline[airline].home].name}, has: {several(sold)}.")
        yield from folded(f"Next: {several([f'{_route(board, route)} {cost}' for cost, route in free])}.", "  ")


def _route(board: Board, route: str) -> str:
    return f"{board.city[board.route[route].a].name}-{board.city[board.route[route].b].name}"


def _counted(board: Board, shares: Shares) -> str:
    """Shares in the order of the board: "2 red, 1 Air ABACUS"."""
    order = [airline.id for airline in board.airlines]
    words = [f"{shares[name]} {name}" for name in order if shares.get(name)]
    return several(words + ([f"{shares[AIR_ABACUS]} {board.air_abacus.name}"] if shares.get(AIR_ABACUS) else []))

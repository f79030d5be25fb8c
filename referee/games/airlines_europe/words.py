"""The table of Airlines Europe in words, for terminals and screen readers: the decision first, then one subject after
another. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from referee.contract import Decision, View, and_list
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.rules import Clearing
from referee.games.airlines_europe.state import AIR_ABACUS, Shares

COLUMNS = 96
NO_BREAK = "\u00a0"
ORDINALS = ("1st", "2nd", "3rd")


def text(board: Board, view: View) -> str:
    sections = (
        [f"AIRLINES EUROPE, after move {view.row}", *_folded(headline(view)), *_folded(_situation(view))],
        ["FINAL STANDINGS", *final_standings(view)] if view.ending else [],
        ["AIRLINES", *_airlines(board, view)],
        ["MARKET", *_market(board, view)],
        ["PLAYERS", *_players(board, view)],
        ["LICENCES, sold and next to be had with their cost", *_licences(board, view)],
        [fidelity_line(view)],
    )
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


# Sentences that the picture has too


def headline(view: View) -> str:
    """Who is asked what, or who has won."""
    if view.ending:
        best = [one for one in view.standings if one.place == 1]
        names = and_list([player_name(view, one.seat) for one in best])
        return f"Game over: {names} {'wins' if len(best) == 1 else 'share the victory'} with {best[0].score} points."
    prompts = dict.fromkeys(decision.prompt for decision in view.decisions)
    return " ".join(_asked(view, [one for one in view.decisions if one.prompt == prompt]) for prompt in prompts)


def _asked(view: View, decisions: list[Decision]) -> str:
    waiting = [one for one in decisions if one.seat not in view.sealed]
    names = and_list([player_name(view, one.seat) for one in waiting]) or "Nobody"
    ready = len(decisions) - len(waiting)
    return f"{names}: {decisions[0].prompt}" + (
        f" (Sealed: {ready} of {len(decisions)} have come in.)" if ready else ""
    )


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


def fidelity_line(view: View) -> str:
    published = view.board.fidelity == "rulebook"
    return f"Board {view.board.name}: {'as published' if published else 'not the published board'}."


def final_standings(view: View) -> list[str]:
    """Places, names, points and what broke ties, best first."""
    return [f"{one.place}. {player_name(view, one.seat)}, {one.score} points, {one.note}" for one in view.standings]


def airlines_in_play(board: Board, view: View) -> list[str]:
    """In the order of the board."""
    return [airline.id for airline in board.airlines if airline.id in view.table.airlines]


def player_name(view: View, seat: int) -> str:
    """A name in one line, without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else "�" for c in view.players[seat])


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
        points = ", ".join(map(str, board.region(state.marker).vp))
        rows.append((name, airline.name, str(state.marker), points, planes, bonus))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if cell.isdigit() else cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()[:COLUMNS]


def _market(board: Board, view: View) -> Iterator[str]:
    table = view.table
    yield from _folded(f"On offer: {_counted(board, {share: table.market.count(share) for share in table.market})}.")
    yield from _folded(
        f"Draw pile: {table.deck_size} cards. Discarded: {table.discards_size}. "
        f"{board.air_abacus.name} left: {table.air_abacus}. Bank: {table.bank} million."
    )
    rows = []
    for index, vp in enumerate(board.air_abacus.vp):
        mark = " (next)" if index == next_scoring(view) else ""
        rows.append(f"{ORDINALS[index]} scoring{mark} {', '.join(map(str, vp))}".replace(" ", NO_BREAK))
    yield from _folded(f"{board.air_abacus.name} points by rank: {'; '.join(rows)}.")


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, one in enumerate(view.table.players):
        notes = ["you"] * (seat == view.you)
        if any(decision.seat == seat for decision in view.decisions):
            notes.append("sealed move is in" if seat in view.sealed else "to move")
        who = player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")
        backs = f", {one.air_abacus_in_hand} of them {board.air_abacus.name}" if one.air_abacus_in_hand else ""
        points = "points secret" if one.vp is None else f"{one.vp} points"
        cards = "1 card" if one.hand_size == 1 else f"{one.hand_size} cards"
        yield from _folded(f"{who}: {one.cash} million, {points}, {cards} in hand{backs}.")
        yield from _folded(f"Holdings: {_counted(board, one.holdings)}.", "  ")
        if one.hand is not None:
            yield from _folded(f"Hand: {_counted(board, one.hand)}.", "  ")


def _licences(board: Board, view: View) -> Iterator[str]:
    for airline in airlines_in_play(board, view):
        sold = [_route(board, route.id) for route in board.routes if airline in view.table.licences.get(route.id, ())]
        routes = view.table.airlines[airline].routes
        free = sorted((board.costs[route][len(view.table.licences.get(route, ()))], route) for route in routes)
        yield from _folded(f"{airline}, home {board.city[board.airline[airline].home].name}, has: {_several(sold)}.")
        yield from _folded(f"Next: {_several([f'{_route(board, route)} {cost}' for cost, route in free])}.", "  ")


def _route(board: Board, route: str) -> str:
    return f"{board.city[board.route[route].a].name}-{board.city[board.route[route].b].name}"


def _counted(board: Board, shares: Shares) -> str:
    """Shares in the order of the board: "2 red, 1 Air ABACUS"."""
    order = [airline.id for airline in board.airlines]
    words = [f"{shares[name]} {name}" for name in order if shares.get(name)]
    return _several(words + ([f"{shares[AIR_ABACUS]} {board.air_abacus.name}"] if shares.get(AIR_ABACUS) else []))


def _several(words: Sequence[str]) -> str:
    return ", ".join(word.replace(" ", NO_BREAK) for word in words) or "none"


def _folded(words: str, indent: str = "") -> list[str]:
    folded = wrap(words, COLUMNS, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in folded]

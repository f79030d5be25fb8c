"""Tables for the game's page, made from the board."""

from collections.abc import Iterable, Mapping, Sequence

from referee.contract import and_list
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.bounds import most_turns

ROUTES_IN_A_ROW = 3


def page_tables(board: Board, seat_counts: Iterable[int]) -> Mapping[str, str]:
    counts = list(seat_counts)
    return {
        "airlines": _airlines(board),
        "players": _players(board, counts),
        "track": _track(board),
        "air_abacus": _air_abacus(board),
        "routes": _routes(board),
        "turns": _table(
            ["players", "no game has more turns than"],
            [[str(seats), str(most_turns(board, seats))] for seats in counts],
        ),
    }


def _airlines(board: Board) -> str:
    rows = []
    for airline in board.airlines:
        goal = f"{board.city[airline.goal].name}: {airline.bonus} spaces" if airline.goal else ""
        home = board.city[airline.home].name
        rows.append([airline.id, airline.name, str(airline.shares), home, str(airline.start), goal])
    return _table(["colour", "name", "shares, and airplanes", "home", "first space", "bonus for reaching"], rows)


def _players(board: Board, counts: Sequence[int]) -> str:
    constants, rows = board.constants, []
    for seats in counts:
        shares = sum(airline.shares for airline in board.airlines if airline.id not in board.removed[seats])
        pile = shares - constants.market_size - constants.deal * seats
        money = constants.money_per_player * seats
        rows.append([str(seats), and_list(board.removed[seats]) or "none", str(pile), f"{money} million"])
    pile_head = f"shares in the draw pile, beside {SCORINGS} scoring cards"
    return _table(["players", "airlines that stay in the box", pile_head, "money, that of the players included"], rows)


def _track(board: Board) -> str:
    rows = [[f"{region.first} to {region.last}", _points(region.vp)] for region in board.share_track.regions]
    return _table(["spaces", "points for the most shares, the second most, and so on"], rows)


def _air_abacus(board: Board) -> str:
    rows = [[word, _points(vp)] for word, vp in zip(("first", "second", "third"), board.air_abacus.vp, strict=True)]
    return _table(["scoring", f"points for {board.air_abacus.name}"], rows)


def _routes(board: Board) -> str:
    """Every route with the costs of its licences, some to a row."""
    cells = []
    for route in board.routes:
        name = f"{board.city[route.a].name}-{board.city[route.b].name}"
        costs = ", ".join(map(str, route.licences))
        cells.append(f"{name} {costs}" + (" (distant)" if route.distant else ""))
    cells += [""] * (-len(cells) % ROUTES_IN_A_ROW)
    rows = [cells[start : start + ROUTES_IN_A_ROW] for start in range(0, len(cells), ROUTES_IN_A_ROW)]
    return _table(["route and licences"] * ROUTES_IN_A_ROW, rows)


def _points(vp: Sequence[int]) -> str:
    return "-".join(map(str, vp))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

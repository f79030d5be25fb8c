"""The tables of the page from which people learn the game, made from the board."""

from collections.abc import Iterable, Mapping, Sequence

from referee.contract import and_list
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.hints import condition_effect, lines_apart
from referee.games.tin_goose.text import rounds_line


def page_tables(board: Board) -> Mapping[str, str]:
    return {
        "eras": _eras(board),
        "cities": _cities(board),
        "routes": _routes(board),
        "demand": _demand(board),
        "fleets": _fleets(board),
        "events": _events(board),
        "conditions": _conditions(board),
        "international": _international(board),
        "income": ", ".join(map(str, board.income_track.boxes)),
        "majors": and_list([city.name for city in board.cities if city.major]),
    }


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _eras(board: Board) -> str:
    rows = [
        (era.id, rounds_line(era.rounds).partition(" ")[2], era.hand, f"{era.fleets} and {era.events}")
        for era in board.eras
    ]
    return _table(("era", "rounds", "cards dealt", "fleets and events in the variant"), rows)


def _cities(board: Board) -> str:
    """A city with a star is major."""
    rows = []
    for colour in board.demand.colours:
        for city in sorted((city for city in board.cities if city.colour == colour), key=lambda city: city.name):
            lines = sorted(board.city[other].name for other in board.small[city.id])
            rows.append((f"{city.name}{' *' if city.major else ''}", colour, ", ".join(lines)))
    return _table(("city", "colour", "thick lines to"), rows)


def _routes(board: Board) -> str:
    rows = [
        (board.city[route.start].name, board.city[route.destination].name,
         lines_apart(board, route.start, route.destination))
        for route in board.airmail_routes
    ]  # fmt: skip
    return _table(("begins in", "pays for reaching", "lines apart"), rows)


def _demand(board: Board) -> str:
    rows = [(row.players, *row.silver, row.removed) for row in board.demand.chart]
    return _table(("players", "2nd city", "3rd city", "4th city", "silver tokens that a visit removes"), rows)


def _fleets(board: Board) -> str:
    trimotor = board.ford_trimotor
    first = ("start", trimotor.name, trimotor.size, trimotor.oil, trimotor.hazard, "one each")
    kinds = [(kind.era, kind.name, kind.size, kind.oil, kind.hazard, kind.copies) for kind in board.fleet_kinds]
    return _table(("era", "fleet", "size", "oil", "hazard", "cards"), [first, *kinds])


def _events(board: Board) -> str:
    rows = []
    for era in board.eras:
        cards = [card for card in board.era_cards if card.era == era.id]
        strikes = sorted({f"win ${card.win} or pay ${card.lose}" for card in cards if card.kind == "strike"})
        prices = [", ".join(f"${card.price}" for card in cards if card.kind == kind) for kind in ("crash", "oil")]
        rows.append((era.id, "; ".join(strikes), *prices))
    return _table(("era", "strikes", "crashes, a flame", "oil, a barrel"), rows)


def _conditions(board: Board) -> str:
    rows = [(condition.name, condition_effect(board, condition.id)) for condition in board.conditions]
    return _table(("condition", "what it does to you"), rows)


def _international(board: Board) -> str:
    rows = [(place.name, rounds_line(place.rounds), place.size, f"${place.cost}") for place in board.international]
    return _table(("destination", "open in", "plane at least", "costs"), rows)

"""What the rulebook fixes about the numbers of the board: a board of one's own that contradicts it has a mistake.

Only what is printed stands here: where the rulebook is silent (routes, their costs, the spaces of the share track, how
much a bonus brings, six of the ten home airports) a board may say what it likes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.contract import Fact
from referee.games.airlines_europe.board import Board

SHARES = {
    "yellow": 16,
    "blue": 15,
    "violet": 14,
    "red": 13,
    "black": 11,
    "brown": 10,
    "green": 9,
    "orange": 9,
    "grey": 8,
    "white": 7,
}
BONUS_CONNECTIONS = {
    "orange": ("athens", "london"),
    "green": ("stockholm", "athens"),
    "grey": ("london", "ankara"),
    "white": ("moscow", "madrid"),
}
IN_THE_BOX = {5: (), 4: ("yellow",), 3: ("yellow", "violet"), 2: ("yellow", "blue", "violet")}
AIR_ABACUS_POINTS = ((4, 2, 1, 0), (8, 4, 2, 1, 0), (16, 8, 4, 2, 1))
PRINTED_REGION = (6, 3, 2, 1, 0)
DISTANT_CONNECTIONS = 4


def _constant(name: str, value: Any) -> Callable[[Board], bool]:
    return lambda board: getattr(board.constants, name) == value


def _by_airline(values: Mapping[str, int], field: str) -> Callable[[Board], bool]:
    return lambda board: {airline.id: getattr(airline, field) for airline in board.airlines} == values


def _bonus_connections(board: Board) -> bool:
    return all(
        (airline.home, airline.goal) == BONUS_CONNECTIONS[airline.id]
        for airline in board.airlines
        if airline.id in BONUS_CONNECTIONS
    )


def _has_bonus(board: Board) -> bool:
    return {airline.id for airline in board.airlines if airline.goal is not None} == set(BONUS_CONNECTIONS)


def _distant(board: Board) -> bool:
    licences = [len(route.licences) for route in board.routes if route.distant]
    return licences == [1] * DISTANT_CONNECTIONS


def _in_the_box(board: Board) -> bool:
    return {players: set(airlines) for players, airlines in board.removed.items()} == {
        players: set(airlines) for players, airlines in IN_THE_BOX.items()
    }


def _a_quarter(board: Board) -> bool:
    part, whole = board.draw_pile.first_pile
    return whole == 4 * part


FACTS: tuple[Fact, ...] = (
    Fact(
        "AE-C02",
        "The shares are 16 yellow, 15 blue, 14 violet, 13 red, 11 black, 10 brown, 9 green, 9 orange, 8 grey, 7 white",
        _by_airline(SHARES, "shares"),
    ),
    Fact("AE-C03", "Every airline has as many airplanes as shares", _by_airline(SHARES, "planes")),
    Fact("AE-C04", "Air ABACUS has 20 shares", lambda board: board.air_abacus.shares == 20),
    Fact("AE-C08", "Orange, green, grey and white, and no others, have a bonus connection", _has_bonus),
    Fact("AE-C09", "There are four distant connections, each with a single licence", _distant),
    Fact(
        "AE-S01",
        "With 5 players all airlines take part, with 4 all but yellow, with 3 all but yellow and violet, with 2 all but"
        " yellow, blue and violet",
        _in_the_box,
    ),
    Fact("AE-S02", "There are 30 million for each player", _constant("money_per_player", 30)),
    Fact("AE-S03", "Each player starts with 8 million", _constant("start_cash", 8)),
    Fact("AE-S05", "The market has 5 shares", _constant("market_size", 5)),
    Fact("AE-S06", "Each player is dealt 8 shares", _constant("deal", 8)),
    Fact("AE-S07", "Each player begins with 2 shares in the holdings", _constant("opening_shares", 2)),
    Fact("AE-S08", "The final pile has 10 shares", _constant("final_pile", 10)),
    Fact("AE-R03", "The first pile is a quarter of the cards above the final pile", _a_quarter),
    Fact("AE-A03", "An action buys at most 2 licences", _constant("most_licences", 2)),
    Fact(
        "AE-A11",
        "Orange links Athens with London, green Stockholm with Athens, grey London with Ankara, and white Moscow with"
        " Madrid",
        _bonus_connections,
    ),
    Fact("AE-A12", "A share that is played pays 2 million", _constant("dividend_per_share", 2)),
    Fact(
        "AE-A13",
        "One share is traded for one Air ABACUS, or three for two",
        lambda board: sorted(board.constants.trade_in) == [(1, 1), (3, 2)],
    ),
    Fact("AE-A17", "To take money brings 8 million", _constant("take_money", 8)),
    Fact("AE-B01", "A bankruptcy leaves each player at most 8 million", _constant("bankrupt_cap", 8)),
    Fact(
        "AE-V07",
        "Air ABACUS pays 4-2-1-0 at the first scoring, 8-4-2-1-0 at the second, 16-8-4-2-1 at the third",
        lambda board: board.air_abacus.vp == AIR_ABACUS_POINTS,
    ),
    Fact(
        "AE-V08",
        "One region of the share track pays 6-3-2-1-0",
        lambda board: PRINTED_REGION in [region.vp for region in board.share_track.regions],
    ),
)

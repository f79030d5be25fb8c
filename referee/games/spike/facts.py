"""What the rulebook fixes about a board of Spike, whoever has typed it in. What it does not print is not here: which
cities there are, how they lie, how many lines a card has."""

from collections import Counter

from referee.contract import Fact
from referee.games.spike.board import PARTS, Board, by_value


def _counts(board: Board) -> bool:
    return (board.components.tracks, board.components.time_cards) == (45, 3)


def _tokens(board: Board) -> bool:
    return board.components.cargo_tokens == board.components.delivery_markers == len(board.commodities) == 12


def _cards(board: Board) -> bool:
    return len(board.contracts) == len(board.routes) == 36


def _rail_types(board: Board) -> bool:
    return [rail.cards for rail in board.rail_types] == [10] * 6


def _rail_names(board: Board) -> bool:
    return {"Solid White", "Dotted Blue"} <= {rail.name for rail in board.rail_types}


def _market(board: Board) -> bool:
    return board.market.rows == (3, 2, 1) and board.market.columns == 4


def _contracts(board: Board) -> bool:
    return set(Counter(card.commodity for card in board.contracts).values()) == {3} and all(
        card.a != card.b for card in board.contracts
    )


def _six_contracts(board: Board) -> bool:
    """Six different contracts for each commodity."""
    sides = [(card.commodity, *by_value(side)) for card in board.contracts for side in (card.a, card.b)]
    return len(set(sides)) == len(sides)


def _hand(board: Board) -> bool:
    return (board.setup.hand, board.setup.gift) == (5, 1)


def _display(board: Board) -> bool:
    return board.setup.display == 4


def _routes(board: Board) -> bool:
    return (board.setup.routes, board.setup.advanced_routes) == (1, 2)


def _removed(board: Board) -> bool:
    return board.removed == {2: 3, 3: 0, 4: 0}


def _train(board: Board) -> bool:
    return [board.levels(part)[0] for part in PARTS] == [1, 2, 1]


def _upgrades(board: Board) -> bool:
    return board.train.upgrade_costs == (3, 5) and all(
        len(levels) == 3 and list(levels) == sorted(set(levels)) for levels in map(board.levels, PARTS)
    )


def _freight_cars(board: Board) -> bool:
    return board.levels("cargo") == (1, 2, 3)


def _suppliers(board: Board) -> bool:
    return all(board.suppliers.values())


def _norfolk(board: Board) -> bool:
    """Jenn's example."""
    return any(city.name == "Norfolk" and city.commodity == _commodity(board, "Pigs") for city in board.cities)


def _topeka(board: Board) -> bool:
    """The example of fruit for $9 and cows for $11."""
    topeka = _city(board, "Topeka")
    return all(
        any(
            card.commodity == _commodity(board, goods) and side.get(topeka) == value
            for card in board.contracts
            for side in (card.a, card.b)
        )
        for goods, value in (("Fruit", 9), ("Cows", 11))
    )


def _indianapolis(board: Board) -> bool:
    """Jon's route: $9, of which 6 for Tampa, and three other cities."""
    start, tampa = _city(board, "Indianapolis"), _city(board, "Tampa")
    others = {_city(board, name) for name in ("Raleigh", "Columbia", "Jacksonville")}
    return any(
        route.start == start
        and {tampa, *others} <= route.cities.keys()
        and route.cities[tampa] == 6
        and all(route.cities[city] <= 6 for city in others)
        for route in board.routes
    )


def _city(board: Board, name: str) -> str:
    return next((city.id for city in board.cities if city.name == name), "")


def _commodity(board: Board, name: str) -> str:
    return next((commodity.id for commodity in board.commodities if commodity.name.lower() == name.lower()), "")


FACTS: tuple[Fact, ...] = (
    Fact("SP-F01", "components: each player has 45 tracks, and there are 3 Time cards", _counts),
    Fact("SP-F01", "components: there are 12 commodities, cargo tokens and delivery markers", _tokens),
    Fact("SP-F01", "contracts, routes: there are 36 of each", _cards),
    Fact("SP-F02", "rail_types: there are six, with ten cards each", _rail_types),
    Fact("SP-F02", "rail_types: two of them are Solid White and Dotted Blue", _rail_names),
    Fact("SP-F03", "market: its rows pay 3, 2 and 1, in four columns", _market),
    Fact("SP-F04", "contracts: each commodity has three cards with two different sides", _contracts),
    Fact("SP-F04", "contracts: the six contracts of a commodity are all different", _six_contracts),
    Fact("SP-F05", "setup: each is dealt five rail cards, of which the starting player gives one away", _hand),
    Fact("SP-F05", "setup: four rail cards lie face up", _display),
    Fact("SP-F05", "removed_cards: with two players three of each type stay in the box, else none", _removed),
    Fact("SP-F06", "train: it begins with speed 1, power 2 and one freight car", _train),
    Fact("SP-F06", "train: each part is upgraded twice, for 3 and for 5, to something higher", _upgrades),
    Fact("SP-F06", "train.cargo: an upgrade adds one freight car", _freight_cars),
    Fact("SP-F08", "cities: every commodity is supplied somewhere", _suppliers),
    Fact("SP-F13", "cities: Norfolk supplies pigs", _norfolk),
    Fact("SP-F09", "contracts: fruit pays 9 and cows pay 11 in Topeka", _topeka),
    Fact(
        "SP-F16", "routes: the one from Indianapolis lists Raleigh, Columbia, Jacksonville and Tampa 6", _indianapolis
    ),
    Fact("SP-F17", "setup: a route each, in advanced play two", _routes),
)

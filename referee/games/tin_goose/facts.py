"""What the rulebook itself says about the board and the cards, each with its id: a board of one's own may differ in
what was reconstructed, and in nothing of this. Checked by `boards check` and when a game is opened."""

from collections.abc import Callable, Iterator

from referee.contract import Fact
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import FleetKind

FROM_SAN_FRANCISCO = frozenset({"Medford", "Reno", "Los Angeles"})  # along thick lines
BY_MEDIUM_PLANE = FROM_SAN_FRANCISCO | {
    "Portland", "Boise", "Salt Lake City", "Las Vegas", "Phoenix", "San Diego",
}  # fmt: skip
CONDITIONS = (
    "Irregular Safety Procedures", "Generous Dividends", "Unproductive Investments", "Rural Stops Along Routes",
    "Regional Management",
)  # fmt: skip
DESTINATIONS = (  # name, rounds, size
    ("Havana", (1, 2), "S"),
    ("Kingston", (3,), "S"),
    ("Mexico City", (4,), "M"),
    ("Panama City", (5,), "M"),
    ("Lima", (6,), "M"),
    ("Rio", (7,), "L"),
)
ERAS = (  # name, rounds, cards dealt, fleets and events in the variant, what Unproductive Investments pay
    ("gold", (1, 2), 3, 2, 1, 30),
    ("blue", (3, 4, 5), 4, 3, 1, 20),
    ("red", (6, 7), 3, 2, 1, 10),
)
CONSTANTS = (  # the number of the rulebook, its name on the board, its rule, and what it is
    (40, "start_cash", "TG-F09", "Everybody begins with $40"),
    (2, "labor_chips", "TG-F09", "Everybody begins with two labor chips"),
    (2, "planes_per_fleet", "TG-F09", "A fleet comes with two planes"),
    (1, "extra_airmail", "TG-F08", "One airmail card more than there are players lies face up"),
    (1, "extra_cards", "TG-F13", "Each era leaves everybody one card"),
    (3, "actions", "TG-F13", "A turn has three actions"),
    (2, "most_of_one_action", "TG-F13", "No action is taken more than twice in a turn"),
    (2, "city_match", "TG-F13", "A plane in the city of the card moves its player up two boxes"),
    (20, "emergency_bond", "TG-F14", "An emergency bond brings $20"),
    (2, "most_hazard", "TG-F16", "A crash moves the most hazardous player down two boxes"),
    (2, "least_hazard", "TG-F16", "A crash moves the least hazardous player up two boxes"),
    (1, "least_bid", "TG-F17", "A bid for a fleet is at least $1"),
    (2, "same_kind", "TG-F17", "A fleet of a kind that one owns moves its buyer up two boxes"),
    (1, "advance_income", "TG-F18", "Advance Income is one box"),
    (2, "international_actions", "TG-F18", "International service costs two actions"),
    (1, "free_chips", "TG-F18", "One labor chip is free"),
    (1, "bought_chips", "TG-F18", "Just one more labor chip may be bought with it"),
    (40, "bond", "TG-F18", "A bond brings $40"),
    (1, "new_city", "TG-F19", "A city without rivals or with demand moves its player up one box"),
    (1, "per_rival", "TG-F19", "Each rival in a city without demand moves its player down one box"),
    (1, "extension_oil", "TG-F23", "An extension token shows one barrel"),
    (1, "extension_hazard", "TG-F23", "An extension token shows one flame"),
    (40, "airmail_bonus", "TG-F24", "Airmail pays $40"),
    (4, "irregular_safety_hazard", "TG-F24", "Irregular Safety Procedures add four flames"),
    (1, "rural_stops_price", "TG-F24", "Rural Stops Along Routes add $1 to the price of a barrel"),
    (40, "per_international", "TG-F25", "An international destination scores $40"),
    (10, "per_player_with_fewer", "TG-F25", "Each player with fewer international destinations scores $10"),
    (20, "per_major", "TG-F25", "A major city scores $20"),
    (10, "income_multiplier", "TG-F25", "The income scores ten times"),
    (40, "bond_repaid", "TG-F25", "A bond costs $40 in the end"),
)


def by_line(board: Board, city: str) -> frozenset[str]:
    """The names of the cities that a thick line joins to a city, if there is such a city."""
    return frozenset(board.city[other].name for home in _called(board, city) for other in board.small[home])


def by_medium(board: Board, city: str) -> frozenset[str]:
    return frozenset(board.city[other].name for home in _called(board, city) for other in board.medium[home])


def _called(board: Board, name: str) -> list[str]:
    return [city.id for city in board.cities if city.name == name]


def kinds_called(board: Board, name: str) -> list[FleetKind]:
    return [kind for kind in board.fleet_kinds if kind.name == name]


def deck_holds(board: Board, era: str) -> bool:
    kinds = [card.kind for card in board.era_cards if card.era == era]
    return {kind: kinds.count(kind) for kind in kinds} == {"fleet": 23, "strike": 3, "crash": 3, "oil": 3}


def prices(board: Board, kind: str) -> set[int]:
    return {card.price for card in board.era_cards if card.kind == kind}


def constant(number: int, name: str) -> Callable[[Board], bool]:
    return lambda board: bool(getattr(board.constants, name) == number)


def _facts() -> Iterator[Fact]:
    yield from _map()
    yield from _cards()
    yield from _setup_and_tracks()
    for number, name, rule, says in CONSTANTS:
        yield Fact(rule, says, constant(number, name))


def _map() -> Iterator[Fact]:
    yield Fact("TG-F01", "The board has 48 cities", lambda board: len(board.cities) == 48)
    yield Fact(
        "TG-F01",
        "Each of the four colours has twelve cities",
        lambda board: all(
            sum(city.colour == colour for city in board.cities) == 12
            for colour in ("green", "black", "magenta", "blue")
        ),
    )
    yield Fact("TG-F01", "Ten cities are major", lambda board: sum(city.major for city in board.cities) == 10)
    yield Fact(
        "TG-F20",
        "From San Francisco thick lines lead to Medford, Reno and Los Angeles alone",
        lambda board: by_line(board, "San Francisco") == FROM_SAN_FRANCISCO,
    )
    yield Fact(
        "TG-F20",
        "From San Francisco a medium plane reaches Medford, Reno, Los Angeles, Portland, Boise, Salt Lake City, "
        "Las Vegas, Phoenix and San Diego, and nothing else",
        lambda board: by_medium(board, "San Francisco") == BY_MEDIUM_PLANE,
    )
    yield Fact(
        "TG-F21",
        "A thick line joins Chicago and St. Louis, and none joins Chicago and Kansas City",
        lambda board: by_line(board, "Chicago") & {"St. Louis", "Kansas City"} == {"St. Louis"},
    )
    yield Fact(
        "TG-F21",
        "A medium plane reaches Kansas City from Chicago",
        lambda board: "Kansas City" in by_medium(board, "Chicago"),
    )
    yield Fact(
        "TG-R50",
        "No thick line is longer than a medium plane flies",
        lambda board: all(board.small[city] <= board.medium[city] for city in board.city),
    )
    yield Fact(
        "TG-F22",
        "Rounds 1 and 2 open Havana, 3 Kingston, 4 Mexico City, 5 Panama City, 6 Lima and 7 Rio",
        lambda board: (
            [(place.name, place.rounds) for place in board.international]
            == [(name, rounds) for name, rounds, _ in DESTINATIONS]
        ),
    )
    yield Fact(
        "TG-F22",
        "Havana and Kingston need a small plane, Mexico City, Panama City and Lima a medium one, Rio a large one",
        lambda board: (
            [(place.name, place.size) for place in board.international]
            == [(name, size) for name, _, size in DESTINATIONS]
        ),
    )
    yield Fact(
        "TG-F22",
        "Havana costs $10",
        lambda board: [place.cost for place in board.international if place.name == "Havana"] == [10],
    )


def _cards() -> Iterator[Fact]:
    yield Fact(
        "TG-F02",
        "Each era deck has 23 fleets and three each of strike, crash and oil",
        lambda board: all(deck_holds(board, era) for era, *_ in ERAS),
    )
    yield Fact("TG-F16", "A crash costs $1 or $2 a flame", lambda board: prices(board, "crash") <= {1, 2})
    yield Fact("TG-F16", "Oil costs $1 to $3 a barrel", lambda board: prices(board, "oil") <= {1, 2, 3})
    yield Fact("TG-F03", "There are nine airmail cards", lambda board: len(board.airmail_routes) == 9)
    yield Fact("TG-F03", "There are twelve demand cards", lambda board: len(board.demand_cards) == 12)
    yield Fact(
        "TG-F03",
        "There are six gold and 36 silver demand tokens",
        lambda board: (board.demand.tokens.gold, board.demand.tokens.silver) == (6, 36),
    )
    yield Fact(
        "TG-F24",
        f"The conditions are {', '.join(CONDITIONS)}",
        lambda board: sorted(condition.name for condition in board.conditions) == sorted(CONDITIONS),
    )
    yield Fact(
        "TG-F10",
        "The first fleet is a small Ford Trimotor with three flames",
        lambda board: (
            (board.ford_trimotor.name, board.ford_trimotor.size, board.ford_trimotor.hazard)
            == ("Ford Trimotor", "S", 3)
        ),
    )
    yield Fact(
        "TG-F21",
        "The Boeing Stratoliner is larger than small",
        lambda board: [kind.size != "S" for kind in kinds_called(board, "Boeing Stratoliner")] == [True],
    )


def _setup_and_tracks() -> Iterator[Fact]:
    yield Fact(
        "TG-F05",
        "Chicago and New York get gold demand first",
        lambda board: sorted(board.city[city].name for city in board.demand.fixed_gold) == ["Chicago", "New York"],
    )
    yield Fact(
        "TG-F06",
        "Demand is dealt to the green, black, magenta and blue cities in this order",
        lambda board: board.demand.colours == ("green", "black", "magenta", "blue"),
    )
    yield Fact(
        "TG-F06",
        "In each colour three cities get silver demand",
        lambda board: all(len(row.silver) == 3 for row in board.demand.chart),
    )
    yield Fact(
        "TG-F19",
        "A visit removes one silver token, and two with three players",
        lambda board: {row.players: row.removed for row in board.demand.chart} == {3: 2, 4: 1, 5: 1},
    )
    yield Fact(
        "TG-F13",
        "Gold cards are for rounds 1 and 2, blue ones for 3 to 5, red ones for 6 and 7",
        lambda board: [(era.id, era.rounds) for era in board.eras] == [(name, rounds) for name, rounds, *_ in ERAS],
    )
    yield Fact(
        "TG-F08",
        "Everybody is dealt three gold, four blue and three red cards",
        lambda board: [era.hand for era in board.eras] == [hand for _, _, hand, *_ in ERAS],
    )
    yield Fact(
        "TG-F26",
        "In the variant these are two gold, three blue and two red fleets and an event of each era",
        lambda board: (
            [(era.fleets, era.events) for era in board.eras] == [(fleets, events) for *_, fleets, events, _ in ERAS]
        ),
    )
    yield Fact(
        "TG-F24",
        "Unproductive Investments pay $30, $20 or $10 by the era",
        lambda board: [era.investments for era in board.eras] == [pay for *_, pay in ERAS],
    )
    yield Fact(
        "TG-F09",
        "The money of the start is three tens, a five and five ones",
        lambda board: sorted(board.constants.bills) == [(1, 5), (5, 1), (10, 3)],
    )
    yield Fact(
        "TG-F11",
        "The income track has one box with a 2, its first, and one with a 15, its last",
        lambda board: (
            (board.income_track.boxes[0], board.income_track.boxes[-1]) == (2, 15)
            and board.income_track.boxes.count(2) == board.income_track.boxes.count(15) == 1
        ),
    )
    yield Fact(
        "TG-F09",
        "The income marker starts on the lowest box with a 3",
        lambda board: (
            board.income_track.start == board.income_track.boxes.index(3) if 3 in board.income_track.boxes else False
        ),
    )
    yield Fact("TG-F09", "The hazard marker starts on 7", lambda board: board.hazard_track.start == 7)


FACTS: tuple[Fact, ...] = tuple(_facts())

"""What the rulebook fixes about the board: a board that says otherwise is not one of this game. Cities and aircraft go
by their names, so that the file of an owner of the printed game may call them anything else."""

from collections.abc import Callable

from referee.contract import Fact
from referee.games.airline_1975.board import CITY, SPECIALS, Board
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.state import Player

SPACES, CITIES, COLOURS, MARKERS = 24, 18, 4, 12
AIRCRAFT = ("PROP", "JET", "SST")  # lowest first
SUBSIDIES = (20, 10, 0)
JET_MAINTENANCE = 25
LONDON_FARES = (9, 18, 27)
NAMED = (
    "London", "Tokyo", "Moscow", "Casablanca", "Rome", "Bangkok", "Tashkent", "Baghdad", "Nairobi", "Colombo", "Sydney",
)  # fmt: skip

# The example of routes: the base Tokyo, what is cut off without Tashkent, and what connects it again.
BASE = "Tokyo"
EXAMPLE = ("Tokyo", "Bangkok", "Baghdad", "Rome", "Nairobi")
LINKS = ("Colombo", "Sydney", "Tashkent", "Moscow")
STRONG = ("Tokyo", "Bangkok", "Tashkent", "Baghdad", "Moscow", "Colombo")


def amount(name: str, value: int) -> Callable[[Board], bool]:
    return lambda board: getattr(board.constants, name) == value


def called(board: Board) -> dict[str, str]:
    """The cities by their names, in capitals or not."""
    return {city.name.casefold(): city.id for city in board.cities}


def names_cities(board: Board) -> bool:
    return all(name.casefold() in called(board) for name in NAMED)


def connects(*owned: str) -> Callable[[Board], set[str]]:
    """Which of these cities are connected to Tokyo when they are all that its owner has."""

    def found(board: Board) -> set[str]:
        ids = called(board)
        cities = [ids[name.casefold()] for name in owned]
        reached = connected(board, Player(0, "", 0, base=ids[BASE.casefold()], cities=cities))
        return {name for name in owned if ids[name.casefold()] in reached}

    return found


def all_connected(*owned: str) -> Callable[[Board], bool]:
    return lambda board: names_cities(board) and connects(*owned)(board) == set(owned)


def no_other_link(board: Board) -> bool:
    """Of the cities outside the example only the four that it names connect the rest of it."""
    others = [city.name for city in board.cities if city.name.casefold() not in {name.casefold() for name in NAMED}]
    others += ["London", "Casablanca"]
    return names_cities(board) and not any(
        {"Baghdad", "Rome", "Nairobi"} <= connects(*EXAMPLE, other)(board) for other in others
    )


def london_fares(board: Board) -> bool:
    city = board.city.get(called(board).get("london", ""))
    return city is not None and tuple(city.fares.values()) == LONDON_FARES


def maintenance_of_jet(board: Board) -> bool:
    return all(plane.maintenance == JET_MAINTENANCE for plane in board.aircraft if plane.name.upper() == "JET")


FACTS: tuple[Fact, ...] = (
    Fact("A75-B01", f"The track has {SPACES} spaces", lambda board: len(board.track) == SPACES),
    Fact(
        "A75-B02",
        f"{CITIES} cities are on the map and on the track",
        lambda board: len(board.cities) == CITIES == sum(space.kind == CITY for space in board.track),
    ),
    Fact(
        "A75-B03",
        "The other spaces are SUBSIDY, MAINTENANCE, CHARTER, HIJACK, AIR CARGO and CRASH, one of each",
        lambda board: sorted(space.kind for space in board.track if space.kind != CITY) == sorted(SPECIALS),
    ),
    Fact("A75-B04", f"Among the cities are {', '.join(NAMED)}", names_cities),
    Fact(
        "A75-B05",
        "Each city has three fares, the lowest for the PROP, the highest for the SST",
        lambda board: all(
            len(city.fares) == len(AIRCRAFT) and sorted(set(city.fares.values())) == list(city.fares.values())
            for city in board.cities
        ),
    ),
    Fact("A75-B06", "The fares of London are 9, 18 and 27", london_fares),
    Fact("A75-B07", f"MAINTENANCE costs a JET ${JET_MAINTENANCE} million", maintenance_of_jet),
    Fact(
        "A75-C01",
        f"There are {COLOURS} colours, red among them, each with a PROP, a JET, an SST and {MARKERS} city markers",
        lambda board: (
            len(board.colours.list) == COLOURS
            and "red" in [colour.casefold() for colour in board.colours.list]
            and tuple(plane.name.upper() for plane in board.aircraft) == AIRCRAFT
            and board.constants.markers == MARKERS
        ),
    ),
    Fact("A75-S01", "Everybody starts with $100 million", amount("start_cash", 100)),
    Fact("A75-U02", "Landing rights cost $20 million", amount("landing_rights", 20)),
    Fact("A75-U05", "Another aircraft costs $30 million", amount("aircraft_fee", 30)),
    Fact("A75-H01", "A challenge costs $20 million", amount("challenge_fee", 20)),
    Fact(
        "A75-P01",
        "SUBSIDY pays $20 million to a PROP, 10 to a JET and nothing to an SST",
        lambda board: tuple(plane.subsidy for plane in board.aircraft) == SUBSIDIES,
    ),
    Fact("A75-P03", "A charter pays $1 million a pip", amount("charter_per_pip", 1)),
    Fact("A75-P05", "AIR CARGO pays $10 million", amount("air_cargo", 10)),
    Fact("A75-P06", "A crash costs $30 million", amount("crash_cost", 30)),
    Fact("A75-K04", "In the short game a city counts $20 million", amount("city_value", 20)),
    Fact("A75-E0", "A route leads from Moscow to Tokyo", all_connected("Tokyo", "Moscow")),
    Fact(
        "A75-E1",
        "From the base Tokyo all of Bangkok, Tashkent, Baghdad, Rome and Nairobi are connected",
        all_connected(*EXAMPLE, "Tashkent"),
    ),
    Fact(
        "A75-E2",
        "Without Tashkent only Bangkok of these is connected to Tokyo",
        lambda board: names_cities(board) and connects(*EXAMPLE)(board) == {"Tokyo", "Bangkok"},
    ),
    Fact(
        "A75-E4",
        "Any one of Colombo, Sydney, Tashkent and Moscow connects them again",
        lambda board: all(all_connected(*EXAMPLE, link)(board) for link in LINKS),
    ),
    Fact("A75-E5", "No other city alone connects them again", no_other_link),
    Fact(
        "A75-E6",
        "Of Bangkok, Tashkent, Baghdad, Moscow and Colombo with the base Tokyo any one can be lost without harm",
        lambda board: all(
            all_connected(*(name for name in STRONG if name != lost))(board) for lost in STRONG if lost != BASE
        ),
    ),
)

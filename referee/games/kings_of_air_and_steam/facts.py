"""What the rulebook prints about boards, cards and tracks: a board that says otherwise is not one of this game.

Only what stands in the rulebook is here. Where hexes, tracks and Factories lie, how often a card is in a deck, its
letter and what most upgrades cost is on the printed parts alone, and so is left to whoever types them in.
"""

from collections.abc import Callable, Sequence

from referee.contract import Fact
from referee.games.kings_of_air_and_steam.board import AirshipLevel, Board, Card

GOODS = {"chemicals", "machinery", "food", "textiles", "luxuries"}
CHART = {  # players and cutthroat players, board sets, bumpers
    ((2,), (3,), ("ABC",), 3),
    ((3, 4, 5), (), ("ABCDE", "ABCFG"), 5),
    ((6, 7), (), ("ABCDEFG",), 6),
}
TEAMS = ("emperor", "davinci", "sphinx", "rose_and_thorn", "kings_over_aces", "sky_castle", "godfather")
STANDARD = ("emperor", "davinci", "kings_over_aces")
TOKENS = {"aurelia_bayley", "isaac", "eva_blane", "sebastian_king", "corey_mcqueen"}
SPECIAL_CARDS = {  # values, straight on, flights, Actions, and what comes between
    "emperor": ((), False, 0, 2, ""),
    "davinci": ((7,), True, 1, 1, ""),
    "sphinx": ((2,), False, 1, 1, "ship"),
    "rose_and_thorn": ((2,), False, 2, 1, ""),
    "kings_over_aces": ((0, 1, 2, 3), False, 1, 1, ""),
    "sky_castle": ((6,), False, 1, 1, ""),
    "godfather": ((0, 1, 2), False, 1, 1, "steal"),
}


def has(**numbers: int) -> Callable[[Board], bool]:
    """Whether these constants are as printed."""
    return lambda board: all(getattr(board.constants, name) == number for name, number in numbers.items())


def has_chart(board: Board) -> bool:
    return {
        (found.players, found.cutthroat_players, found.board_sets, found.bumpers) for found in board.arrangements
    } == CHART


def has_components(board: Board) -> bool:
    parts = board.components
    numbers = (parts.player_boards, parts.upgrade_markers, parts.airships, parts.character_cards)
    return numbers == (7, 14, 7, 7) and len(board.teams) == len(board.colours) == 7


def has_market(board: Board) -> bool:
    market = board.market
    return (market.bins, market.tiles_of_each_good_in_play, market.removed_unseen) == (3, 3, 5)


def has_decks(board: Board) -> bool:
    special = sum(card.copies for card in board.special_cards)
    return len(board.deck()) == 12 and special == 7 and board.components.movement_cards == 91


def has_values(board: Board) -> bool:
    values = [card.values for card in board.cards for _ in range(card.copies)]
    diamonds = {card.diamonds for card in (*board.cards, *board.special_cards)}
    return diamonds <= {0, 1, 2} and values.count((0,)) == 1 and {(1,), (2,), (3,), (4,)} <= set(values)


def has_special_cards(board: Board) -> bool:
    def effect(card: Card) -> object:
        return card.values, card.straight, card.flights, card.actions, card.then

    return {card.id: effect(card) for card in board.special_cards} == SPECIAL_CARDS


def team_airship(board: Board, team: str) -> Sequence[AirshipLevel]:
    return board.airships.get(board.team[team].airship, ()) if team in board.team else ()


def standard_airship(board: Board) -> Sequence[AirshipLevel]:
    return board.airships.get("standard", ())


def begins_as_printed(board: Board) -> bool:
    first = [(level.diamonds, level.capacity, level.cost) for level in standard_airship(board)[:2]]
    return first[:1] == [(1, 2, 0)] and first[1:] == [(1, 3, 3)]


def third_level_has_two_diamonds(board: Board) -> bool:
    return [level.diamonds for level in standard_airship(board)[2:3]] == [2]


def has_team_airships(board: Board) -> bool:
    """Three are standard; the others are more or less than that in what the rulebook says of them."""
    diamonds = {team: [level.diamonds for level in team_airship(board, team)] for team in TEAMS}
    capacity = {team: [level.capacity for level in team_airship(board, team)] for team in TEAMS}
    standard = [[getattr(level, what) for level in standard_airship(board)] for what in ("diamonds", "capacity")]

    def below(low: list[int], high: list[int]) -> bool:
        return len(low) == len(high) and low != high and all(a <= b for a, b in zip(low, high, strict=True))

    return (
        all([diamonds[team], capacity[team]] == standard for team in STANDARD)
        and below(diamonds["sphinx"], standard[0])
        and capacity["sphinx"] == standard[1]
        and all(below(diamonds["rose_and_thorn"], diamonds[team]) for team in TEAMS if team != "rose_and_thorn")
        and all(below(capacity[team], capacity["rose_and_thorn"]) for team in TEAMS if team != "rose_and_thorn")
        and all(below(diamonds[team], diamonds["sky_castle"]) for team in TEAMS if team != "sky_castle")
        and all(below(capacity["sky_castle"], capacity[team]) for team in TEAMS if team != "sky_castle")
        and diamonds["godfather"] == standard[0]
        and below(standard[1], capacity["godfather"])
    )


def has_train(board: Board) -> bool:
    ratings = [level.rating for level in board.train]
    costs = {level.rating: level.cost for level in board.train}
    one_more_each = bool(ratings) and ratings == list(range(ratings[0], ratings[0] + len(ratings)))
    return one_more_each and costs.get(4) == 4 and [level.vp for level in board.train] == [0, 0, 0, 5, 15, 30]


def has_tokens(board: Board) -> bool:
    return {person.id: person.tokens for person in board.character.values() if person.tokens} == dict.fromkeys(
        TOKENS, 5
    )


def only(character: str, field: str, number: int) -> Callable[[Board], bool]:
    """Whether one character has this number, and the others none."""
    return lambda board: (
        {person.id: getattr(person, field) for person in board.character.values() if getattr(person, field)}
        == {character: number}
    )


FACTS: tuple[Fact, ...] = (
    Fact(
        "KAS-F01",
        "There are seven game boards, A to G",
        lambda board: board.components.game_boards == 7 and sorted(found.id for found in board.boards) == [*"ABCDEFG"],
    ),
    Fact("KAS-F02", "There are six bumpers", lambda board: board.components.bumpers == 6),
    Fact(
        "KAS-F03",
        "Seven players have a player board, two upgrade markers, an Airship and a Character card each",
        has_components,
    ),
    Fact(
        "KAS-F04",
        "The twenty Market tiles are four of each of chemicals, machinery, food, textiles and luxuries",
        lambda board: (
            set(board.goods) == GOODS and board.market.tiles_of_each_good == 4 and board.components.market_tiles == 20
        ),
    ),
    Fact(
        "KAS-F05",
        "Each player has ten Depots, seventy in all",
        lambda board: board.constants.depots == 10 and board.components.depot_tokens == 70,
    ),
    Fact("KAS-F06", "A deck has twelve Movement cards and the special card of its team, 91 in all", has_decks),
    Fact("KAS-F08", "A City has five slots and a Demand tile three", has(city_slots=5, demand_slots=3)),
    Fact(
        "KAS-F09",
        "Everybody begins with $12, Reginald Kain with $20",
        lambda board: has(start_money=12)(board) and only("reginald_kain", "start_money", 20)(board),
    ),
    Fact("KAS-F10", "A game has five rounds of four cycles", has(rounds=5, cycles=4)),
    Fact(
        "KAS-F11",
        "Boards A, B, C with 3 bumpers are for 2 players or cutthroat 3, A, B, C with D, E or F, G and 5 bumpers for 3"
        " to 5, all seven and 6 bumpers for 6 or 7",
        has_chart,
    ),
    Fact("KAS-F12", "Each Factory begins with one Good", has(factory_start=1)),
    Fact("KAS-F13", "Three tiles of each good are in play, three come up a round, five stay out", has_market),
    Fact(
        "KAS-F15",
        "Prices begin at $4, go on to $5 and $6, and end at $8",
        lambda board: board.market.drawers[:3] == (4, 5, 6) and board.market.drawers[-1] == 8,
    ),
    Fact(
        "KAS-F17",
        "The letters of the cards are A to G",
        lambda board: {card.letter for card in (*board.cards, *board.special_cards)} <= set("ABCDEFG"),
    ),
    Fact("KAS-F18", "A card has at most two diamonds, and a deck one 0 and some of 1, 2, 3 and 4", has_values),
    Fact("KAS-F19", "The special cards do what the rulebook says", has_special_cards),
    Fact(
        "KAS-F20",
        "No card of the Basic game flies as far as 6",
        lambda board: all(value < 6 for card in board.cards for value in card.values),
    ),
    Fact("KAS-F22", "An Airship begins with 1 diamond and room for 2; $3 make it 3", begins_as_printed),
    Fact("KAS-F23", "The next upgrade of the Airship gives it 2 diamonds", third_level_has_two_diamonds),
    Fact("KAS-F24", "An Airship at its last level is worth 15 points", has(vp_full_airship=15)),
    Fact("KAS-F25", "The teams' Airships are as fast and as roomy as the rulebook says", has_team_airships),
    Fact(
        "KAS-F26",
        "Each level of the Train adds 1 to its rating, rating 4 costs $4, levels 4 to 6 are worth 5, 15 and 30 points",
        has_train,
    ),
    Fact(
        "KAS-F27",
        "The priority numbers are those of the rulebook",
        lambda board: tuple(team.id for team in sorted(board.teams, key=lambda team: team.priority)) == TEAMS,
    ),
    Fact("KAS-F28", "Aurelia, I.S.A.A.C., Eva, Sebastian and Corey have five tokens each, nobody else any", has_tokens),
    Fact("KAS-F32", "To solicit funds brings $3", has(solicit_funds=3)),
    Fact(
        "KAS-F33",
        "The first Depot on a Link costs $4, a later one $7",
        has(first_depot_on_link=4, later_depot_on_link=7),
    ),
    Fact("KAS-F35", "A stop at another's Depot costs $1 a Good", has(toll=1)),
    Fact("KAS-F38", "Upkeep is $1 a Good", has(upkeep=1)),
    Fact(
        "KAS-F39",
        "A Factory produces one Good, and one more for each matching tile",
        has(factory_production=1, factory_bonus=1),
    ),
    Fact("KAS-F40", "The Clearance pays $4 a Good", has(clearance=4)),
    Fact("KAS-F41", "A dollar is worth 1 point and a Depot 10", has(vp_dollar=1, vp_depot=10)),
    Fact("KAS-R44", "Victor Blane builds for $1 less", only("victor_blane", "discount", 1)),
    Fact(
        "KAS-R49",
        "Sebastian King wagers up to $3 and wins $2 a Good",
        lambda board: only("sebastian_king", "most_wager", 3)(board) and only("sebastian_king", "bonus", 2)(board),
    ),
    Fact("KAS-R54", "Ezekiel Crane steals $3", only("ezekiel_crane", "steal", 3)),
)

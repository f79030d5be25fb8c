"""What the rulebook fixes about a board: each fact is broken once, and is named with its id."""

import msgspec
import pytest
import yaml

from referee.contract import contradictions, read_board
from referee.errors import BoardError
from referee.games import faithful_board, load_board
from referee.games.spike.board import Board
from referee.games.spike.facts import FACTS
from tests.referee.games.spike.setups import BOARD, GAME


def data():
    return msgspec.to_builtins(BOARD)


def board(**changes):
    """The shipped board with other parts: a dict changes some of a part, anything else replaces it."""
    plain = data()
    for name, change in changes.items():
        plain[name] = {**plain[name], **change} if isinstance(change, dict) else change
    return read_board(Board, plain)


def named(kind, key, wanted, **changes):
    """A list of the board in which one thing is otherwise."""
    return [{**printed, **changes} if printed[key] == wanted else printed for printed in data()[kind]]


def without_topeka():
    cards = data()["contracts"]
    for card in cards:
        if card["commodity"] == "fruit":
            for side in ("a", "b"):
                card[side] = {city: 8 if city == "topeka" else value for city, value in card[side].items()}
    return cards


def alike():
    """One face of a commodity twice."""
    cards = data()["contracts"]
    cards[1]["a"] = cards[0]["a"]
    return cards


def one_more_of_cows():
    cards = data()["contracts"]
    cards[3]["commodity"] = "cows"  # of wood there are two left
    return cards


def without_cows():
    return [{**city, "commodity": "wood"} if city["commodity"] == "cows" else city for city in data()["cities"]]


def twice_the_commodities():
    plain = data()
    more = [{**printed, "id": f"new_{printed['id']}"} for printed in plain["commodities"]]
    cards = [
        {**card, "id": f"new-{card['id']}", "commodity": f"new_{card['commodity']}"} for card in plain["contracts"]
    ]
    return board(
        commodities=[*plain["commodities"], *more],
        contracts=[*plain["contracts"], *cards],
        market={"columns": 8},
        components={"cargo_tokens": 24, "delivery_markers": 24},
    )


TRAIN = data()["train"]
BROKEN = [
    ("SP-F01", "45 tracks", board(components={"tracks": 40})),
    ("SP-F01", "3 Time cards", board(components={"time_cards": 2})),
    ("SP-F01", "12 commodities", twice_the_commodities()),
    ("SP-F01", "36 of each", board(routes=data()["routes"][:30])),
    ("SP-F01", "36 of each", board(contracts=[*data()["contracts"], {**data()["contracts"][0], "id": "cows-9"}])),
    ("SP-F02", "ten cards each", board(rail_types=named("rail_types", "id", "red", cards=9))),
    ("SP-F02", "Dotted Blue", board(rail_types=named("rail_types", "id", "blue", name="Blue"))),
    ("SP-F03", "3, 2 and 1", board(market={"rows": [4, 2, 1]})),
    ("SP-F03", "four columns", board(market={"rows": [3, 2, 1, 1], "columns": 3})),
    ("SP-F04", "three cards", board(contracts=one_more_of_cows())),
    ("SP-F04", "all different", board(contracts=alike())),
    ("SP-F05", "five rail cards", board(setup={"hand": 6})),
    ("SP-F05", "gives one away", board(setup={"gift": 2})),
    ("SP-F05", "four rail cards lie face up", board(setup={"display": 5})),
    ("SP-F05", "three of each type", board(removed_cards=named("removed_cards", "players", 2, of_each_type=2))),
    ("SP-F05", "else none", board(removed_cards=named("removed_cards", "players", 3, of_each_type=1))),
    ("SP-F06", "speed 1", board(train={"speed": {**TRAIN["speed"], "levels": [2, 3, 4]}})),
    ("SP-F06", "power 2", board(train={"power": {**TRAIN["power"], "levels": [1, 3, 4]}})),
    ("SP-F06", "for 3 and for 5", board(train={"upgrade_costs": [3, 6]})),
    ("SP-F06", "something higher", board(train={"speed": {**TRAIN["speed"], "levels": [1, 3, 2]}})),
    ("SP-F06", "adds one freight car", board(train={"cargo": {**TRAIN["cargo"], "levels": [1, 3, 4]}})),
    ("SP-F08", "supplied somewhere", board(cities=without_cows())),
    ("SP-F09", "Topeka", board(contracts=without_topeka())),
    ("SP-F13", "Norfolk", board(cities=named("cities", "id", "norfolk", commodity="oil"))),
    ("SP-F16", "Tampa 6", board(routes=named("routes", "id", "r28", cities={"tampa": 7, "raleigh": 3, "columbia": 3,
                                                                           "jacksonville": 5}))),
    ("SP-F16", "Indianapolis", board(routes=named("routes", "id", "r28", start="chicago"))),
    ("SP-F17", "in advanced play two", board(setup={"advanced_routes": 3})),
]  # fmt: skip


@pytest.mark.rule(*sorted({fact.id for fact in FACTS}))
@pytest.mark.parametrize(("rule", "says", "broken"), BROKEN, ids=[f"{rule} {says}" for rule, says, _ in BROKEN])
def test_a_board_that_contradicts_the_rulebook_is_told_so_with_the_fact(rule, says, broken):
    assert any(f"({rule})" in found and says in found for found in contradictions(GAME, broken))


def test_every_fact_is_broken_by_some_board_and_none_by_the_one_that_ships():
    found = {told for _, _, broken in BROKEN for told in contradictions(GAME, broken)}
    assert {f"{fact.says} ({fact.id})" for fact in FACTS} == found
    assert not list(contradictions(GAME, BOARD))


@pytest.mark.rule("SP-F05")
def test_no_game_is_opened_on_such_a_board_but_an_old_record_can_be_read():
    plain = data()
    plain["setup"]["gift"] = 2
    text = yaml.safe_dump(plain)
    assert load_board(GAME, text).setup.gift == 2
    with pytest.raises(BoardError) as caught:
        faithful_board(GAME, text)
    assert caught.value.problems == [
        "setup: each is dealt five rail cards, of which the starting player gives one away (SP-F05)"
    ]

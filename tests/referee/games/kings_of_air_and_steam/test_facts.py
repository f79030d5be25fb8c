"""`boards check` and whoever opens a game refuse a board that contradicts what the rulebook prints, naming the fact."""

import copy

import msgspec
import pytest
import yaml

from referee.contract import contradictions, read_board
from referee.errors import BoardError
from referee.games import board_text, faithful_board, load_board
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GAME


def broken(*changes):
    """The shipped board with other data at some places."""
    data = copy.deepcopy(msgspec.to_builtins(BOARD))
    for (*places, last), value in changes:
        found = data
        for place in places:
            found = found[place]
        found[last] = value
    return msgspec.convert(data, type(BOARD))


CONSTANTS = {
    "KAS-F05": {"depots": 9},
    "KAS-F08": {"demand_slots": 4},
    "KAS-F09": {"start_money": 15},
    "KAS-F10": {"cycles": 5},
    "KAS-F12": {"factory_start": 2},
    "KAS-F24": {"vp_full_airship": 10},
    "KAS-F32": {"solicit_funds": 4},
    "KAS-F33": {"later_depot_on_link": 6},
    "KAS-F35": {"toll": 2},
    "KAS-F38": {"upkeep": 2},
    "KAS-F39": {"factory_bonus": 2},
    "KAS-F40": {"clearance": 3},
    "KAS-F41": {"vp_depot": 5},
}
DATA = {
    "KAS-F01": [(("boards", 6, "id"), "H")],
    "KAS-F02": [(("components", "bumpers"), 5)],
    "KAS-F03": [(("components", "upgrade_markers"), 12)],
    "KAS-F04": [(("market", "tiles_of_each_good"), 5)],
    "KAS-F06": [(("cards", 0, "copies"), 2)],
    "KAS-F11": [(("arrangements", 0, "players"), (2, 3)), (("arrangements", 1, "players"), (4, 5))],
    "KAS-F13": [(("market", "removed_unseen"), 4)],
    "KAS-F15": [(("market", "drawers"), (4, 5, 7, 8))],
    "KAS-F17": [(("cards", 0, "letter"), "H")],
    "KAS-F18": [(("cards", 6, "diamonds"), 3)],
    "KAS-F19": [(("special_cards", 1, "values"), (8,))],
    "KAS-F20": [(("cards", 6, "values"), (6,))],
    "KAS-F22": [(("airships", "standard", 1, "cost"), 4)],
    "KAS-F23": [(("airships", "standard", 2, "diamonds"), 1)],
    "KAS-F25": [(("airships", "sphinx", 5, "capacity"), 6)],
    "KAS-F26": [(("train", 3, "cost"), 5)],
    "KAS-F27": [(("teams", 0, "priority"), 2), (("teams", 1, "priority"), 1)],
    "KAS-F28": [(("teams", 1, "characters", 1, "tokens"), 4)],
    "KAS-R44": [(("teams", 2, "characters", 0, "discount"), 2)],
    "KAS-R49": [(("teams", 4, "characters", 0, "bonus"), 3)],
    "KAS-R54": [(("teams", 6, "characters", 1, "steal"), 4)],
}
BREAKS = {
    **{rule: [(("constants", name), number) for name, number in found.items()] for rule, found in CONSTANTS.items()},
    **DATA,
}


def test_every_fact_has_a_board_that_breaks_it():
    assert {fact.id for fact in GAME.facts} == set(BREAKS)
    assert len(GAME.facts) == len(BREAKS)


@pytest.mark.rule(*BREAKS)
@pytest.mark.parametrize("rule", BREAKS)
def test_a_board_that_contradicts_the_rulebook_is_named(rule):
    found = list(contradictions(GAME, broken(*BREAKS[rule])))
    assert any(said.endswith(f"({rule})") for said in found), found


def test_the_shipped_board_keeps_every_fact_and_one_that_does_not_can_be_loaded_but_not_opened():
    text = board_text(GAME)
    assert faithful_board(GAME, text)
    other = text.replace("start_money: 12", "start_money: 13")
    assert load_board(GAME, other).constants.start_money == 13
    with pytest.raises(BoardError, match=r"Everybody begins with \$12, Reginald Kain with \$20 \(KAS-F09\)"):
        faithful_board(GAME, other)


def test_what_only_the_printed_parts_show_is_free():
    """Letters, copies of cards, costs of later upgrades, hexes and names are for an owner to type in."""
    data = yaml.safe_load(board_text(GAME))
    data["cards"][1]["letter"] = "C"
    data["cards"][1]["copies"], data["cards"][2]["copies"] = 3, 2
    data["airships"]["standard"][4]["cost"] = 9
    data["train"][1]["cost"] = 3
    data["boards"][0]["cities"][0]["name"] = "Elsewhere"
    assert not list(contradictions(GAME, read_board(type(BOARD), data)))

"""Orders as people write them."""

import pytest

from referee.errors import AmbiguousOrder, IllegalOrder, InvalidOrder
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import (
    Clear,
    Construct,
    Fly,
    Load,
    Plan,
    Return,
    Ship,
    Solicit,
    Steal,
    Transmogrify,
)
from referee.orders.notation import format_move, parse
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, at, turn


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("plan 1 4 3 2", Plan(("1", "4d", "3", "2"))),
        ("PLAN 3d, 3d, 5, 0", Plan(("3d", "3d", "5dd", "0"))),
        ("plan 2 2 2 1", Plan(("2", "2", "2", "1"))),
    ],
)
def test_plans(line, move):
    table = at(2, "planning")
    assert parse(table.game, table.offers(0), line) == move
    assert parse(table.game, table.offers(0), format_move(table.game, move)) == move


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("fly NE NE E", ("NE", "NE", "E")),
        ("fly 2 ne, e", ("NE", "NE", "E")),
        ("fly northeast NE east", ("NE", "NE", "E")),
    ],
)
def test_flights(line, path):
    table = turn(card="3", space="L4")
    assert parse(table.game, table.offers(0), line) == Fly(path)
    assert format_move(table.game, Fly(("NE", "E", "NE"))) == "fly NE, E, NE"
    assert parse(table.game, table.offers(0), "fly NE, E, NE") == Fly(("NE", "E", "NE"))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("ship 3 food from K4 to Raposa via AB pay blue", Ship(3, "food", "K4", "raposa", ("AB",), ("blue",))),
        ("ship 3 food K4 raposa", Ship(3, "food", "K4", "raposa")),
        ("ship 1 mach from k4 to sartain", Ship(1, "machinery", "K4", "sartainville")),
        ("ship 2 food with textiles from K4 to Raposa", Ship(2, "food", "K4", "raposa", extra="textiles")),
        ("ship 1 machinery from K4 to sartainville wager 2", Ship(1, "machinery", "K4", "sartainville", wager=2)),
        ("ship 1 food from K4 to K10 via K7", Ship(1, "food", "K4", "K10", ("K7",))),
        ("solicit funds", Solicit()),
        ("transmogrify food into luxuries in K4", Transmogrify("food", "luxuries", "K4")),
        (
            "construct from Raposa over K7 K8 to Warsop depot on 2",
            Construct("raposa", ("K7", "K8"), "warsop", 2),
        ),
    ],
)
def test_actions(line, move):
    table = at(train=3, depots=[{"K4": {"food": 3, "machinery": 1, "textiles": 1}, "K10": {}}, {"K7": {}}])
    assert parse(table.game, table.offers(0), line) == move
    assert parse(table.game, table.offers(0), format_move(table.game, move)) == move


@pytest.mark.parametrize(
    ("phase", "line", "move"),
    [
        ("cargo", "load 2 food jettison textiles", Load(("food", "food"), ("textiles",))),
        ("upkeep", "return 2 K4 food, hold textiles", Return(("K4 food", "K4 food", "hold textiles"))),
        ("upkeep", "return nothing", Return(())),
        ("clearance", "clear K4 machinery", Clear(("K4 machinery",))),
        ("theft", "steal food from blue hold jettison luxuries", Steal("food", "blue", "hold", "luxuries")),
    ],
)
def test_goods_and_where_they_lie(phase, line, move):
    table = at(2, phase, space="K4", hold=["textiles"], depots=[{"K4": {"food": 3, "machinery": 1}}])
    assert parse(table.game, table.offers(0), line) == move
    assert parse(table.game, table.offers(0), format_move(table.game, move)) == move


def test_a_space_that_is_named_in_full_is_never_read_as_another():
    table = at(cash=30)
    with pytest.raises(IllegalOrder, match="K1 is not a railway space"):
        table.submit(0, ["build K1"])  # although K10 and K11 begin with it


@pytest.mark.parametrize("players", [2, 3])
def test_only_spaces_of_this_map_are_proposed(players):
    boards = "ABC" if players == 2 else "ABCDE"
    table = at(players, cash=30, boards=boards, space="G6")
    here = assemble(BOARD, table.position.layout)
    with pytest.raises(AmbiguousOrder) as caught:
        parse(table.game, table.offers(0), "build K")
    proposed = {reading.removeprefix("build ") for reading in caught.value.readings}
    assert proposed <= {*here.place, *here.links}
    with pytest.raises((InvalidOrder, IllegalOrder)) as refusal:
        table.submit(0, ["build R12"])
    assert "R1" not in refusal.value.message.replace("R12", "").replace("r12", "")


def test_no_internal_name_is_shown_where_an_order_cannot_be_read():
    table = at(characters=["eva_blane", "isaac"])
    with pytest.raises(InvalidOrder) as caught:
        table.submit(0, ["construct from here to there"])
    assert "_" not in caught.value.message


@pytest.mark.parametrize("line", ["fly to the moon", "ship food", "build", "plan", "dance", "build Z99"])
def test_nonsense_gets_an_answer(line):
    table = at(depots=[{"K4": {"food": 1}}])
    before = table.position_json
    with pytest.raises((InvalidOrder, IllegalOrder, AmbiguousOrder)) as caught:
        table.submit(0, [line])
    assert caught.value.message
    assert table.position_json == before

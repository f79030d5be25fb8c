"""Loading, unloading and jettison; the Godfather card."""

import pytest

from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.state import Done, Load, Steal, Unload
from tests.positions import edit, play, put, refused
from tests.referee.games.kings_of_air_and_steam.setups import accepts, at, can, me, turn

FACTORIES = {"I2": 1, "I4": 2, "J8": 2, "L11": 2, "C7": 2}


def cargo(**fields):
    return at(2, "cargo", agenda=["action"], factories=FACTORIES, **fields)


@pytest.mark.rule("KAS-X7", "KAS-R13", "KAS-F31")
def test_loading_with_and_without_jettison():
    table = cargo(space="C7", hold=["chemicals"])
    assert accepts(table, Load(("textiles",)))
    assert accepts(table, Load(("textiles", "textiles"), ("chemicals",)))
    assert refused(table, Load(("textiles", "textiles"))).code == "wrong_jettison"
    assert refused(table, Load(("textiles",), ("chemicals",))).code == "wrong_jettison"
    assert refused(table, Load((), ("chemicals",))).code == "wrong_jettison"
    stock = table.position.stock["chemicals"]
    play(table, "load 2 textiles jettison chemicals")
    assert me(table).hold == ["textiles", "textiles"]
    assert table.position.factories["C7"] == 0
    assert table.position.stock["chemicals"] == stock + 1


@pytest.mark.rule("KAS-R13")
def test_no_type_is_both_jettisoned_and_loaded():
    table = cargo(space="C7", hold=["textiles", "chemicals"])
    with pytest.raises(IllegalOrder) as caught:
        play(table, Load(("textiles",), ("textiles",)))
    assert caught.value.code == "same_type"
    assert caught.value.nearest is not None
    assert accepts(table, Load(("textiles",), ("chemicals",)))
    assert not can(cargo(space="C7", hold=["textiles", "textiles"]), Load)


@pytest.mark.rule("KAS-R13")
def test_jettison_at_a_depot_of_many_goods():
    own = {"K4": {"food": 1, "luxuries": 1}}
    table = cargo(space="K4", hold=["chemicals", "food"], depots=[own])
    assert accepts(table, Load(("luxuries",), ("chemicals",)))
    assert accepts(table, Load(("luxuries",), ("food",)))
    assert accepts(table, Load(("food",), ("chemicals",)))
    assert not accepts(table, Load(("food",), ("food",)))
    assert accepts(table, Load(("food", "luxuries"), ("chemicals",))) is False


@pytest.mark.rule("KAS-X8", "KAS-F31")
def test_any_part_of_the_hold_may_be_unloaded():
    table = cargo(space="K4", hold=["food", "luxuries", "food"], airship=2, depots=[{"K4": {}}])
    unloads = {move.goods for move in can(table, Unload)}
    assert unloads == {
        ("food",),
        ("luxuries",),
        ("food", "food"),
        ("food", "luxuries"),
        ("food", "food", "luxuries"),
    }
    play(table, "unload 2 food")
    assert me(table).hold == ["luxuries"]
    assert me(table).depots["K4"] == {"food": 2}
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R14")
def test_unload_first_and_then_load():
    table = cargo(space="K4", hold=["food", "food"], depots=[{"K4": {"luxuries": 2}}])
    play(table, "unload food")
    assert not accepts(table, Unload(("food",)))
    play(table, "load luxuries")
    assert me(table).hold == ["food", "luxuries"]
    assert me(table).depots["K4"] == {"luxuries": 1, "food": 1}
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R15", "KAS-F31")
def test_nothing_is_loaded_or_unloaded_at_anothers_depot():
    table = turn(card="0", space="K7", hold=["food"], depots=[{}, {"K7": {"machinery": 2}}])
    assert table.position.phase == "action"
    at_factory = cargo(space="I4", hold=["food"])
    assert refused(at_factory, Unload(("food",))).code == "no_depot_here"
    assert refused(at_factory, Load(("food",))).code == "no_such_good"


@pytest.mark.rule("KAS-F31")
def test_loading_is_optional_and_comes_after_the_flight_only():
    table = turn(card="1", space="I4")
    assert table.position.phase == "flight"  # although a Factory with a Good is here
    play(table, "fly to J4")
    assert table.position.phase == "action"
    assert accepts(cargo(space="I4"), Done())


def test_an_empty_factory_asks_nothing():
    table = turn(card="0", space="I4", factories=dict.fromkeys(FACTORIES, 0))
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R53")
def test_the_godfather_card_takes_one_good_from_a_hold_or_a_depot_in_the_same_space():
    crew = {"characters": ["thaddeus_birch", "isaac"], "others_at": ["K7", "K7"]}
    table = turn(card="godfather", space="K7", depots=[{}, {"K7": {"machinery": 2}}], **crew)
    table.position.players[1].hold.append("food")
    table = edit(table, players=table.position.players)
    play(table, "fly to K7")
    assert table.position.phase == "theft"
    assert {(move.good, move.place) for move in can(table, Steal)} == {("machinery", "depot"), ("food", "hold")}
    play(table, "steal food from blue hold")
    assert me(table).hold == ["food"]
    assert me(table, 1).hold == []
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R53")
def test_a_full_hold_jettisons_one_good_before_stealing():
    crew = {"characters": ["thaddeus_birch", "isaac"], "others_at": ["K7", "K10"]}
    hold = ["food", "luxuries", "luxuries"]
    table = turn(card="godfather", space="K7", hold=hold, depots=[{}, {"K7": {"machinery": 1}}], **crew)
    play(table, "fly to K7")
    assert {move.jettison for move in can(table, Steal)} == {"food", "luxuries"}
    stock = table.position.stock["luxuries"]
    play(table, "steal machinery from blue depot jettison luxuries")
    assert me(table).hold == ["food", "luxuries", "machinery"]
    assert table.position.stock["luxuries"] == stock + 1
    assert me(table, 1).depots == {"K7": {}}


@pytest.mark.rule("KAS-R53")
def test_the_thief_may_decline_and_alone_there_is_no_theft():
    crew = {"characters": ["thaddeus_birch", "isaac"], "others_at": ["K7", "K10"]}
    table = turn(card="godfather", space="K7", depots=[{}, {"K7": {"machinery": 1}}], **crew)
    play(table, "fly to K7")
    play(table, "done")
    assert table.position.phase == "action"
    table = turn(card="godfather", space="K7", depots=[{"K7": {"machinery": 1}}], **crew)
    play(table, "fly to K8")
    assert table.position.phase == "action"
    table = turn(card="godfather", space="K7", **crew)
    position = table.position
    position.players[1].hold = ["food"]  # on K10, three spaces away
    table = put(table, position)
    play(table, "fly to K8")
    assert table.position.phase == "action"

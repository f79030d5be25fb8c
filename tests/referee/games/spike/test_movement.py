"""Free movement, setting in motion, boosting, and skipping cities."""

import pytest

from referee.games.spike.events import Moved
from tests.positions import choices, happened, offered, play, refused
from tests.referee.games.spike.setups import at, line, me

# Boston - J34 - New York - Philadelphia - Baltimore, with a branch from J34 to Albany.
TRACKS = [*line("boston", "j34", "new_york", "philadelphia", "baltimore"), *line("j34", "albany")]
BOSTON_J34, J34_NEW_YORK, NEW_YORK_PHILADELPHIA, PHILADELPHIA_BALTIMORE, J34_ALBANY = TRACKS


def on(space, speed=1, **fields):
    """A train of player 0 on those tracks; Topeka is the rival's."""
    return at(trains=[space, "topeka"], tracks=[TRACKS], levels={"speed": speed - 1}, **fields)


def reach(table, move="FreeMovement"):
    return choices(table, move, "space")


@pytest.mark.rule("SP-F07", "SP-R31", "SP-R32")
def test_a_train_on_track_moves_either_way_and_a_junction_costs_nothing():
    assert reach(on(BOSTON_J34)) == {"boston", J34_NEW_YORK, J34_ALBANY}
    # Two spaces: through J34 and into a city, or past one; not back through J34 after coming from it.
    assert reach(on(BOSTON_J34, 2)) == {
        "boston", J34_NEW_YORK, J34_ALBANY, "new_york", "albany", NEW_YORK_PHILADELPHIA,
    }  # fmt: skip


@pytest.mark.rule("SP-F07")
def test_a_city_stops_a_train_and_others_tracks_do_not_carry_it():
    table = at(trains=[BOSTON_J34, "new_york"], homes=["boston", "new_york"], levels={"speed": 2},
               tracks=[line("boston", "j34", "albany"), line("j34", "new_york")])  # fmt: skip
    assert reach(table) == {"boston", J34_ALBANY, "albany"}
    assert refused(table, {"type": "free_movement", "space": J34_NEW_YORK}).code == "not_your_track"


@pytest.mark.rule("SP-F07")
def test_a_train_in_a_city_has_no_free_movement():
    table = on("boston")
    assert "FreeMovement" not in offered(table)
    order = {"type": "free_movement", "space": BOSTON_J34}
    assert refused(table, order).code == "not_in_motion"


@pytest.mark.rule("SP-R26", "SP-F07")
def test_a_train_need_not_move():
    table = on(BOSTON_J34)
    play(table, "draw white")
    play(table, "done")
    assert me(table).at == BOSTON_J34
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R27", "SP-R28")
def test_a_train_that_has_come_to_a_city_is_neither_started_nor_boosted_in_the_same_turn():
    table = on(BOSTON_J34)
    play(table, "move Boston")
    assert not {"SetInMotion", "Boost", "FreeMovement"} & offered(table)
    assert refused(table, "start Boston-J34").code == "just_arrived"
    assert refused(table, "boost Boston-J34").code == "not_in_motion"


@pytest.mark.rule("SP-R29", "SP-F10")
def test_free_movement_and_a_boost_in_one_turn():
    table = on(BOSTON_J34)
    outcome = play(table, "move J34-New York", "boost New York")
    assert [(moved.how, moved.end) for moved in happened(outcome, Moved)] == [
        ("free movement", J34_NEW_YORK), ("boost", "new_york"),
    ]  # fmt: skip
    assert me(table).at == "new_york"
    assert refused(on(BOSTON_J34, moved=True), "move Boston").code == "moved_already"


@pytest.mark.rule("SP-R30")
@pytest.mark.parametrize(
    ("speed", "spaces"),
    [
        (1, {BOSTON_J34}),
        (2, {J34_NEW_YORK, J34_ALBANY}),
        (3, {"new_york", "albany", NEW_YORK_PHILADELPHIA}),
    ],
)
def test_a_train_set_in_motion_moves_all_of_its_speed(speed, spaces):
    table = on("boston", speed)
    assert reach(table, "SetInMotion") == spaces
    if speed > 1:
        error = refused(table, "start Boston-J34")
        assert (error.code, error.rule, error.numbers) == ("too_near", "Rulebook, C; SP-R30", {"spaces": speed})
    assert refused(table, "start Philadelphia-Baltimore").code == "too_far"
    play(table, {"type": "set_in_motion", "space": min(spaces)})
    assert table.decisions()[0].seat == 1
    assert refused(on(BOSTON_J34), "start Boston").code == "in_motion"


@pytest.mark.rule("SP-R30")
def test_a_city_stops_a_train_before_it_has_moved_all_of_its_speed():
    assert reach(on("philadelphia", 3), "SetInMotion") >= {"new_york", "baltimore"}
    assert NEW_YORK_PHILADELPHIA not in reach(on("philadelphia", 3), "SetInMotion")


@pytest.mark.rule("SP-R30")
@pytest.mark.parametrize(
    ("speed", "spaces"),
    [
        (2, {BOSTON_J34, J34_NEW_YORK, J34_ALBANY}),
        (3, {BOSTON_J34, J34_NEW_YORK, J34_ALBANY, "new_york", "albany", NEW_YORK_PHILADELPHIA}),
    ],
)
def test_with_short_starts_a_train_may_stop_short_of_its_speed(speed, spaces):
    assert reach(on("boston", speed, settings={"short_starts": True}), "SetInMotion") == spaces


@pytest.mark.rule("SP-R32")
def test_a_train_does_not_turn_back_within_a_movement():
    assert "boston" not in reach(on("boston", 3), "SetInMotion")  # out to J34 and home again
    # From the space J34-Albany two steps: nothing beyond Albany, and not back over the same track.
    assert reach(on(J34_ALBANY, 2)) == {"albany", BOSTON_J34, "boston", J34_NEW_YORK, "new_york", NEW_YORK_PHILADELPHIA}


@pytest.mark.rule("SP-R33", "SP-R34")
def test_skipped_cities_cost_nothing_in_every_kind_of_movement():
    table = on(J34_NEW_YORK, 2)
    assert reach(table) >= {NEW_YORK_PHILADELPHIA, PHILADELPHIA_BALTIMORE}
    outcome = play(table, "move Philadelphia-Baltimore")
    assert happened(outcome, Moved)[0].skipped == ("new_york", "philadelphia")
    table = on(J34_NEW_YORK)
    play(table, "boost New York-Philadelphia")
    assert me(table).at == NEW_YORK_PHILADELPHIA
    table = on("philadelphia", 2)
    play(table, "start J34-New York")
    assert me(table).at == J34_NEW_YORK


@pytest.mark.rule("SP-EX13")
def test_a_train_that_stops_in_a_city_is_at_rest_and_one_that_skips_it_is_not():
    for order, space, next_turn in (
        ("move New York", "new_york", {"SetInMotion"}),
        ("move New York-Philadelphia", NEW_YORK_PHILADELPHIA, {"FreeMovement", "Boost"}),
    ):
        table = on(J34_NEW_YORK)
        play(table, order)
        assert me(table).at == space
        play(table, "draw white", "done")
        play(table, "draw blue", "done", seat=1)
        assert table.decisions()[0].seat == 0
        assert {"FreeMovement", "SetInMotion", "Boost"} & offered(table) == next_turn


@pytest.mark.rule("SP-R34")
def test_a_city_without_own_track_beyond_cannot_be_skipped():
    assert reach(on(PHILADELPHIA_BALTIMORE), "Boost") == {"baltimore", "philadelphia", NEW_YORK_PHILADELPHIA}


@pytest.mark.rule("SP-R28")
def test_a_boost_is_exactly_one_space_whatever_the_speed():
    table = on(BOSTON_J34, 3)
    assert reach(table, "Boost") == {"boston", J34_NEW_YORK, J34_ALBANY}
    assert refused(table, "boost New York").numbers == {"spaces": 1}
    assert refused(table, {"type": "boost", "space": "nowhere"}).code == "no_such_space"


def test_a_train_without_track_stays_where_it_is():
    table = at()
    assert offered(table) - {"Load"} == {"Draw", "DrawDeck"}
    assert refused(table, {"type": "set_in_motion", "space": line("boston", "albany")[0]}).code == "not_your_track"

"""Loading, dumping, delivering, and when a turn goes on for it."""

import pytest
from msgspec.structs import replace

from referee.errors import IllegalOrder
from referee.games.spike.events import Delivered, Dumped, Loaded
from referee.games.spike.state import Deliver
from tests.positions import choices, happened, offered, play, refused
from tests.referee.games.spike.setups import BOARD, at, cargo, line, me

# Boston (cloth) - Albany (cows) - New York (cloth); player 0 has cloth and cows.
TRACKS = line("boston", "albany", "new_york", "philadelphia")
CONTRACTS = [{"cloth": "cloth-1b", "cows": "cows-1a"}, {}]  # cloth: Cleveland 5, Tampa 7 ...; cows: Atlanta 5 ...


def on(place, contracts=CONTRACTS, **fields):
    return at(trains=[place, "topeka"], tracks=[TRACKS], contracts=contracts, **fields)


def topeka(*goods, **fields):
    """A train in Topeka with FRUIT ($9 here) and COWS ($11 here) contracts."""
    table = at(homes=["topeka", "boston"], contracts=[{"fruit": "fruit-3a", "cows": "cows-2a"}, {}],
               levels={"cargo": 1}, **fields)  # fmt: skip
    return cargo(table, *goods)


@pytest.mark.rule("SP-F08", "SP-R36")
def test_a_city_supplies_its_commodity_to_whoever_has_the_contract_and_loading_is_no_action():
    table = on("boston")
    assert choices(table, "Load", "commodity") == {"cloth"}
    outcome = play(table, "load cloth")
    assert happened(outcome, Loaded) == [Loaded(0, "cloth", "boston")]
    assert me(table).contracts["cloth"].aboard
    assert table.decisions()[0].seat == 0
    assert {"Draw", "SetInMotion"} <= offered(table)
    assert refused(on("boston"), "load cows").code == "wrong_city"
    assert refused(on("boston"), "load wood").code == "no_contract"
    assert refused(on(TRACKS[0]), "load cloth").code == "not_in_a_city"
    assert refused(table, "load cloth").code == "aboard_already"


@pytest.mark.rule("SP-F08", "SP-R41", "SP-R44")
def test_a_full_train_dumps_or_grows_before_it_loads():
    table = cargo(on("albany"), "cloth")
    error = refused(table, "load cows")
    assert (error.code, error.numbers) == ("train_full", {"cars": 1})
    outcome = play(table, "dump cloth", "load cows")
    assert happened(outcome, Dumped) == [Dumped(0, "cloth")]
    assert (me(table).contracts["cloth"].aboard, me(table).contracts["cows"].aboard) == (False, True)
    table = cargo(on("boston"), "cloth")
    play(table, "dump cloth", "draw white", "done")
    play(table, "draw red", "done", seat=1)
    play(table, "load cloth")
    assert me(table).contracts["cloth"].aboard
    table = cargo(on("albany", scores=[3]), "cloth")
    play(table, "upgrade cargo")
    play(table, "draw white", "done", seat=1)
    play(table, "load cows")
    assert me(table).contracts["cloth"].aboard
    assert me(table).contracts["cows"].aboard


@pytest.mark.rule("SP-F08")
def test_cargo_can_be_dumped_on_the_tracks_too():
    table = cargo(on(TRACKS[0]), "cloth")
    play(table, "dump cloth")
    assert not me(table).contracts["cloth"].aboard
    assert table.decisions()[0].seat == 0


@pytest.mark.rule("SP-F09", "SP-EX1", "SP-R39")
def test_a_second_delivery_to_a_city_is_refused():
    table = topeka("fruit", "cows")
    outcome = play(table, "deliver fruit")
    assert happened(outcome, Delivered) == [Delivered(0, "fruit", "topeka", 9)]
    assert me(table).score == 9
    assert not me(table).contracts["fruit"].aboard
    error = refused(table, "deliver cows")
    assert error.code == "delivered_here"
    assert "fruit" in error.message
    assert me(topeka("cows")).contracts["cows"].aboard
    other = topeka("cows")
    play(other, "deliver cows")
    assert me(other).score == 11


@pytest.mark.rule("SP-F09")
def test_a_contract_is_delivered_only_once_and_only_to_a_city_that_it_lists():
    table = cargo(topeka(), delivered={"fruit": "cleveland"})
    assert refused(table, "deliver fruit").code == "not_aboard"
    fruit_city = at(homes=["atlanta", "boston"], contracts=[{"fruit": "fruit-3a"}, {}])
    assert refused(cargo(fruit_city, delivered={"fruit": "cleveland"}), "load fruit").code == "delivered_already"
    assert refused(cargo(on("boston"), "cloth"), "deliver cloth").code == "not_listed"
    assert refused(cargo(on(TRACKS[0]), "cloth"), "deliver cloth").code == "not_in_a_city"


def test_nobody_who_is_refused_is_told_to_spend_something_or_to_do_something_else():
    table = on("boston", hands=[{"red": 1}, {}], scores=[3], levels={"speed": 1})
    for order in ("load wood", "deliver cloth", "dump cloth", "boost Albany", "upgrade speed", "pass", "build Miami",
                  "build Albany"):  # fmt: skip
        assert refused(table, order).nearest is None, order
    assert refused(table, "draw green").nearest["type"] == "draw"
    assert refused(table, "build Baltimore with red").nearest is None
    assert refused(on("boston", hands=[{"red": 1, "green": 1}, {}]), "build Baltimore with red").nearest == {
        "type": "build", "city": "baltimore", "path": ("philadelphia",), "cards": ("green",),
    }  # fmt: skip


def test_a_refusal_calls_cargo_by_its_name_on_the_board():
    commodities = [
        replace(commodity, name="Linen") if commodity.id == "cloth" else commodity for commodity in BOARD.commodities
    ]
    table = on("boston", board=replace(BOARD, commodities=tuple(commodities)))
    assert refused(table, "load cows").message == "Boston supplies linen, not cows."
    assert refused(table, "deliver linen").message == "You have no linen aboard."
    assert refused(table, "dump linen").message == "You have no linen aboard."
    table = cargo(table, "cloth")
    assert refused(table, "load linen").message == "You have your linen aboard already."
    assert refused(table, "deliver linen").message == (
        "Your contract for linen lists Cleveland, Tampa, Mobile and Des Moines, not Boston."
    )
    table = cargo(on("boston", board=replace(BOARD, commodities=tuple(commodities))), delivered={"cloth": "tampa"})
    assert refused(table, "load linen").message == "You have delivered your linen already."


@pytest.mark.rule("SP-R58")
def test_the_other_side_of_a_contract_does_not_count():
    table = at(homes=["topeka", "boston"], contracts=[{"fruit": "fruit-3b"}, {}])
    assert refused(cargo(table, "fruit"), "deliver fruit").code == "not_listed"


@pytest.mark.rule("SP-R40")
def test_others_may_deliver_where_a_player_has_delivered():
    table = at(homes=["topeka", "topeka"], contracts=[{"cows": "cows-2a"}, {"fruit": "fruit-3a"}])
    table = cargo(cargo(table, "fruit", seat=1), delivered={"cows": "topeka"})
    play(table, "draw white", "done")
    play(table, "deliver fruit", seat=1)
    assert me(table, 1).score == 9


@pytest.mark.rule("SP-R37")
def test_delivering_is_not_compulsory():
    table = topeka("fruit")
    play(table, "draw white", "done")
    assert table.decisions()[0].seat == 1
    assert me(table).contracts["fruit"].aboard


@pytest.mark.rule("SP-R38", "SP-R61")
def test_a_train_that_arrives_by_its_action_may_deliver_and_load_before_the_turn_ends():
    # New York supplies cloth; steel-2a lists Boston 4 and cows none here: deliver steel in Boston and load cloth.
    contracts = [{"steel": "steel-2a", "cloth": "cloth-1b"}, {}]
    table = cargo(on(TRACKS[0], contracts), "steel")
    play(table, "boost Boston")
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "arrival")]
    assert offered(table) == {"Deliver", "Dump", "Done"}
    play(table, "deliver steel")
    assert me(table).score == 4
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "arrival")]
    play(table, "load cloth")
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R61")
def test_a_train_that_arrives_with_something_to_deliver_and_nothing_to_load_is_asked_and_the_clock_delivers():
    table = cargo(on(TRACKS[0], [{"steel": "steel-2a"}, {}]), "steel")
    play(table, "boost Boston")
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "arrival")]
    assert table.default(0) == Deliver("steel")
    play(table, "deliver steel")
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R61", "SP-F09")
def test_a_turn_ends_by_itself_where_the_only_contract_has_been_delivered():
    table = cargo(on(TRACKS[0]), delivered={"cloth": "tampa"})
    play(table, "boost Boston")
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R61")
def test_a_full_train_that_arrives_may_dump_to_load():
    table = cargo(on(TRACKS[0]), "cows")
    play(table, "boost Boston")
    play(table, "dump cows", "load cloth")
    assert me(table).contracts["cloth"].aboard
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R61")
def test_a_turn_ends_by_itself_where_nothing_can_be_loaded_or_delivered():
    table = on(TRACKS[2], contracts=[{"wood": "wood-1a"}, {}])
    play(table, "boost Philadelphia")
    assert table.decisions()[0].seat == 1
    table = on(TRACKS[1])
    play(table, "boost Albany")
    assert table.decisions()[0].phase == "arrival"
    assert table.default(0).__class__.__name__ == "Done"
    play(table, "done")
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-R36", "SP-R37")
def test_after_free_movement_one_may_deliver_and_load_before_the_action():
    contracts = [{"steel": "steel-2a", "cloth": "cloth-1b"}, {}]
    table = cargo(on(TRACKS[0], contracts), "steel")
    play(table, "move Boston", "deliver steel", "load cloth", "draw white", "done")
    assert (me(table).score, me(table).contracts["cloth"].aboard) == (4, True)


@pytest.mark.rule("SP-R36", "SP-R37", "SP-R41")
def test_between_two_draws_a_train_in_a_city_may_deliver_dump_and_load():
    contracts = [{"steel": "steel-2a", "cloth": "cloth-1b"}, {}]
    table = cargo(on("boston", contracts), "steel")
    play(table, "draw red", "deliver steel", "load cloth")
    assert (me(table).score, me(table).contracts["cloth"].aboard) == (4, True)
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "drawing")]
    play(table, "dump cloth", "draw blue")
    assert me(table).hand == {"red": 1, "blue": 1}
    assert table.decisions()[0].seat == 1
    table = on(TRACKS[0])
    play(table, "draw red")
    assert refused(table, "load cloth").code == "not_in_a_city"


@pytest.mark.rule("SP-R62")
@pytest.mark.parametrize("first", [(), ("draw red",)])
def test_what_is_dumped_is_not_loaded_again_in_the_same_turn_so_that_a_turn_ends(first):
    table = cargo(on("boston"), "cloth")
    play(table, *first, "dump cloth")
    error = refused(table, "load cloth")
    assert (error.code, error.rule) == ("dumped_already", "SP-R62")
    assert not {"Load", "Dump"} & offered(table)
    assert table.view(1).table.dumped == ("cloth",)
    arriving = cargo(on(TRACKS[0], levels={"cargo": 1}), "cloth", "cows")
    play(arriving, "move Boston")
    play(arriving, "dump cloth", "dump cows")
    assert not {"Load", "Dump"} & offered(arriving)
    play(arriving, "draw red", "done")
    assert arriving.position.dumped == []


@pytest.mark.rule("SP-R36", "SP-R61")
def test_the_turn_ends_with_an_action_that_does_not_move_the_train_and_the_prompt_says_so_before():
    table = on("boston")
    assert table.decisions()[0].prompt.startswith("Load before your action, which ends the turn (SP-R61).")
    play(table, "load cloth")
    assert "Load" not in table.decisions()[0].prompt
    upgraded = cargo(on("albany", scores=[3]), "cloth")
    play(upgraded, "upgrade cargo")
    assert upgraded.decisions()[0].seat == 1


def test_the_clock_delivers_what_pays_most_on_arrival_and_in_the_turn_and_between_two_cards():
    table = topeka("fruit", "cows")
    assert table.default(0) == Deliver("cows")
    play(table, "draw red")
    assert table.default(0) == Deliver("cows")
    contracts = [{"fruit": "fruit-3a", "cows": "cows-2a"}, {}]
    track = line("topeka", *[end for end in BOARD.exits["topeka"] if end.startswith("j")][:1])
    table = at(homes=["topeka", "boston"], trains=[track[0], "boston"], tracks=[track], contracts=contracts,
               levels={"cargo": 1})  # fmt: skip
    table = cargo(table, "fruit", "cows")
    play(table, "boost Topeka")
    assert table.default(0) == Deliver("cows")
    assert [type(event) for entry in table.time_out() for event in entry.row.events][:1] == [Delivered]


@pytest.mark.rule("SP-R35")
def test_nothing_is_loaded_or_delivered_in_a_skipped_city():
    table = on(TRACKS[0])
    play(table, "move Albany-New York")
    assert not {"Load", "Deliver"} & offered(table)
    assert refused(table, "load cows").code == "not_in_a_city"


@pytest.mark.rule("SP-R61")
def test_a_closing_done_stands_where_the_turn_has_ended_by_itself():
    contracts = [{"steel": "steel-2a"}, {}]
    table = cargo(on(TRACKS[0], contracts), "steel")
    outcome = play(table, "boost Boston", "deliver steel", "done")
    assert (len(outcome.entries), table.decisions()[0].seat) == (2, 1)
    table = at(contracts=[{}])
    play(table, "draw red", "draw blue", "done")
    assert table.decisions()[0].seat == 1
    with pytest.raises(IllegalOrder) as caught:
        play(at(contracts=[{}]), "draw red", "draw blue", "done", "done")
    assert (caught.value.code, caught.value.index) == ("turn_over", 2)
    with pytest.raises(IllegalOrder, match="Your turn ends with the order before this one"):
        play(at(contracts=[{}]), "draw red", "draw blue", "draw white")

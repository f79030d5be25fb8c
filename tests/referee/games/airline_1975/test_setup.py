"""Starting the game: the throw for the order, base cities, the first turn."""

import pytest

from referee.games.airline_1975.events import Began, Threw
from tests.positions import happened, offered, play, start
from tests.referee.games.airline_1975.setups import KEY, SPACES, asked, cash, refused


def opening(players=3, settings=None, wanted=None):
    """A game after its setup, with a seed for which the throws are as wanted."""
    for number in range(10_000):
        table, entry = start(KEY, players, settings, seed=b"%d" % number)
        throws = [event for event in entry.row.events if isinstance(event, Threw)]
        if wanted is None or wanted(throws):
            return table, entry
    raise AssertionError


def winner_is(seat):
    return lambda throws: max(throws, key=lambda throw: sum(throw.dice)).seat == seat and len(throws) == 3


def first_mover(outcome):
    """Who moved first after the bases were chosen: the referee throws at once, for nobody has anything to deal in."""
    return next(throw.seat for throw in happened(outcome, Threw) if throw.purpose == "to move")


@pytest.mark.rule("A75-S01", "A75-R04", "A75-R12")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_100_and_a_prop_on_subsidy(players):
    table, _ = start(KEY, players)
    assert cash(table) == [100] * players
    assert {(player.aircraft, player.place, player.base) for player in table.position.players} == {
        ("prop", SPACES["subsidy"], "")
    }
    assert table.position.bank == -100 * players


@pytest.mark.rule("A75-S02", "A75-S03", "A75-S04", "A75-R01")
def test_the_highest_throw_chooses_first_and_the_banker_has_the_first_turn():
    table, entry = opening(wanted=winner_is(1))
    assert [event for event in entry.row.events if isinstance(event, Began)] == [Began(1, 0)]
    for seat, city in ((1, "rome"), (2, "london"), (0, "tokyo")):
        assert asked(table) == (seat, "bases")
        outcome = play(table, f"base {city}", seat=seat)
    assert first_mover(outcome) == 0
    assert [player.base for player in table.position.players] == ["tokyo", "rome", "london"]
    assert [player.cities for player in table.position.players] == [["tokyo"], ["rome"], ["london"]]


@pytest.mark.rule("A75-R01")
def test_as_a_setting_the_winner_of_the_throw_has_the_first_turn():
    table, _ = opening(settings={"first_turn": "dice_winner"}, wanted=winner_is(2))
    for city in ("rome", "london", "tokyo"):
        outcome = play(table, f"base {city}")
    assert first_mover(outcome) == 2


@pytest.mark.rule("A75-R02")
def test_those_who_tie_for_the_highest_throw_throw_again():
    def tied(throws):
        totals = [sum(throw.dice) for throw in throws[:3]]
        return totals.count(max(totals)) == 2

    table, entry = opening(wanted=tied)
    throws = [event for event in entry.row.events if isinstance(event, Threw)]
    totals = [sum(throw.dice) for throw in throws[:3]]
    again = [seat for seat in range(3) if totals[seat] == max(totals)]
    assert [throw.seat for throw in throws[3:5]] == again
    if len(throws) == 5:
        assert table.position.active == max(throws[3:], key=lambda throw: sum(throw.dice)).seat


@pytest.mark.rule("A75-S03", "A75-R03")
def test_a_base_is_free_and_nobody_else_s():
    table, _ = start(KEY, 3)
    play(table, "base rome")
    error = refused(table, "base rome")
    assert (error.code, error.rule) == ("owned", "A75-S03, A75-R03")
    assert "Rome" in error.message
    play(table, "base lima")
    assert cash(table) == [100, 100, 100]


@pytest.mark.rule("A75-S03")
def test_a_base_is_any_city_and_nothing_else():
    table, _ = start(KEY, 2)
    (offer,) = [offer for offer in table.offers(table.position.active) if offer.move.__name__ == "Base"]
    assert set(offer.domains["city"].values()) == set(table.game.board.city)
    assert offered(table, table.position.active) == {"Base", "Resign"}
    assert refused(table, {"type": "base", "city": "subsidy"}).code == "no_such_city"


@pytest.mark.rule("A75-R48", "A75-S02")
def test_the_throws_come_from_the_seed_and_stay_in_the_log():
    first, second = start(KEY, 4)[1], start(KEY, 4)[1]
    assert first.row_json == second.row_json
    throws = [event for event in first.row.events if isinstance(event, Threw)]
    assert [draw.result for draw in first.row.draws] == [event.dice for event in throws]
    assert start(KEY, 4, seed=b"another")[1].row.draws != first.row.draws


@pytest.mark.rule("A75-R39", "A75-R44")
def test_who_resigns_while_choosing_a_base_is_passed_over():
    table, _ = opening(wanted=winner_is(1))
    play(table, "resign", seat=1)
    assert asked(table) == (2, "bases")
    play(table, "base rome", seat=2)
    outcome = play(table, "base lima", seat=0)
    assert first_mover(outcome) == 0


@pytest.mark.rule("A75-R39", "A75-R44", "A75-S04")
@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_when_the_banker_resigns_before_the_first_turn_his_left_neighbour_has_it(chosen):
    table, _ = opening(wanted=winner_is(1))
    for seat, city in ((1, "rome"), (2, "london"))[:chosen]:
        play(table, f"base {city}", seat=seat)
    outcome = play(table, "resign", seat=0)
    for seat, city in ((1, "rome"), (2, "london"))[chosen:]:
        outcome = play(table, f"base {city}", seat=seat)
    assert first_mover(outcome) == 1
    assert sum(cash(table)) == -table.position.bank


@pytest.mark.rule("A75-K03")
def test_a_game_that_all_but_one_leave_before_it_began_is_won():
    table, _ = start(KEY, 3)
    play(table, "resign", seat=2)
    outcome = play(table, "resign", seat=0)
    assert table.position.ending == "last_player"
    assert happened(outcome, Began) == []
    assert [standing.seat for standing in table.view().standings] == [1, 0, 2]
    assert table.decisions() == ()

"""Action A, rounds, Time cards; upgrades; the turn."""

import pytest

from referee.errors import IllegalOrder
from referee.games.spike.events import (
    DeckRenewed,
    DisplayRefilled,
    DrewCard,
    RoundBegan,
    TimeCardUp,
    TookCard,
    Upgraded,
)
from tests.positions import choices, edit, happened, offered, play, refused, types
from tests.referee.games.spike.setups import DISPLAY, at, line, me

TIME = "time"


def all_events(outcome):
    return [event for entry in outcome.entries for event in entry.row.events]


@pytest.mark.rule("SP-F10")
def test_a_turn_has_exactly_one_action():
    track = line("boston", "albany")
    table = at(hands=[{"black": 1}, {}], tracks=[track], scores=[3])
    assert {"Draw", "DrawDeck", "Build", "SetInMotion", "Upgrade"} <= offered(table)
    assert {"Boost", "Draw"} <= offered(edit(table, 0, at=track[0]))
    for orders in (["build New York"], ["start Boston-Albany"], ["upgrade speed"], ["draw red", "draw blue"]):
        table = at(hands=[{"black": 1}, {}], tracks=[track], scores=[3])
        play(table, *orders)
        assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "turn")]
    with pytest.raises(IllegalOrder) as caught:
        play(at(hands=[{"black": 1}, {}], tracks=[track], scores=[3]), "upgrade speed", "build New York")
    assert caught.value.code == "turn_over"


@pytest.mark.rule("SP-R16")
def test_cards_are_drawn_one_at_a_time_from_one_up_to_the_power():
    table = at(contracts=[{}])
    outcome = play(table, "draw red")
    assert happened(outcome, TookCard) == [TookCard(0, "red")]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "drawing")]
    assert offered(table) == {"Draw", "DrawDeck", "Done"}
    outcome = play(table, "draw deck")
    assert happened(outcome, DrewCard) == [DrewCard(0, "green")]
    assert me(table).hand == {"red": 1, "green": 1}
    assert table.decisions()[0].seat == 1
    play(table, "draw white", seat=1)
    play(table, "done", seat=1)
    assert me(table, 1).hand == {"white": 1}
    table = at(levels={"power": 2})
    play(table, "draw red", "draw blue", "draw white", "draw yellow")
    assert sum(me(table).hand.values()) == 4
    with pytest.raises(IllegalOrder, match="shows you something new"):
        play(at(), "draw deck", "draw red")


@pytest.mark.rule("SP-R16", "SP-R57")
def test_whoever_does_not_want_to_look_draws_blind_in_one_submission():
    table = at(contracts=[{}], levels={"power": 1})
    outcome = table.submit_text(0, "blind: draw deck\ndraw deck\ndone")
    assert [event.card for event in happened(outcome, DrewCard)] == ["green", "black"]
    assert (outcome.refused, table.decisions()[0].seat) == (None, 1)
    table = at(contracts=[{}])
    outcome = table.submit(0, ["draw deck", "draw deck", "done"], blind=True)  # the second ends the turn by itself
    assert (len(outcome.entries), outcome.refused, table.decisions()[0].seat) == (2, None, 1)
    table = at(contracts=[{}], round=3, time_cards=2, deck=["green", TIME], lower=2)
    outcome = table.submit(0, ["draw deck", "draw deck"], blind=True)
    assert table.position.ending == "third_time_card"


@pytest.mark.rule("SP-R16", "SP-R57")
def test_what_cannot_be_played_after_a_blind_card_is_left_out_and_the_card_stays():
    table = at(contracts=[{}], levels={"power": 1})
    outcome = table.submit(0, ["draw deck", "draw green"], blind=True)
    assert (outcome.refused.code, me(table).hand, table.decisions()[0].phase) == (
        "not_face_up",
        {"green": 1},
        "drawing",
    )


@pytest.mark.rule("SP-R17")
def test_the_display_is_filled_only_after_the_last_card():
    table = at()
    play(table, "draw red")
    assert table.position.display == ["white", "blue", "yellow"]
    error = refused(table, "draw red")
    assert (error.code, error.message) == (
        "not_face_up", "No red card is face up; you can draw white, blue and yellow.",
    )  # fmt: skip
    outcome = play(table, "draw blue")
    assert happened(outcome, DisplayRefilled) == [DisplayRefilled(("green", "black"))]
    assert table.position.display == ["white", "yellow", "green", "black"]


@pytest.mark.rule("SP-R47")
def test_there_is_no_hand_limit():
    table = at(hands=[{"red": 10, "blue": 9}, {}])
    play(table, "draw blue", "draw white")
    assert sum(me(table).hand.values()) == 21


@pytest.mark.rule("SP-EX15", "SP-R18", "SP-F14", "SP-R22")
def test_a_deck_that_runs_out_in_a_draw_begins_the_next_round_at_once_and_the_draw_goes_on():
    table = at(deck=["green"], discards={"black": 6})
    outcome = play(table, "draw deck")
    position = table.position
    assert types(all_events(outcome)) == ["DrewCard", "RoundBegan"]
    assert (position.round, len(position.display), len(position.deck), position.discards) == (2, 4, 6, {})
    assert sorted(position.deck + position.display) == sorted([*DISPLAY, *["black"] * 6])
    assert TIME not in position.deck
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "drawing")]
    play(table, f"draw {position.display[0]}")
    assert sum(me(table).hand.values()) == 2
    assert (table.position.round, table.decisions()[0].seat) == (2, 1)


@pytest.mark.rule("SP-R19")
@pytest.mark.parametrize("deck", [["green"], ["green", "black"]])
def test_a_deck_that_runs_out_in_a_refill_begins_the_next_round_with_a_new_display(deck):
    table = at(deck=deck, discards={"black": 6})
    outcome = play(table, "draw red", "draw blue")
    position = table.position
    assert types(all_events(outcome))[2:] == ["DisplayRefilled", "RoundBegan"]  # turned up, and shuffled in again
    assert happened(outcome, DisplayRefilled) == [DisplayRefilled(tuple(deck))]
    assert (position.round, len(position.display)) == (2, 4)
    assert sorted(position.deck + position.display) == sorted(["white", "yellow", *deck, *["black"] * 6])


@pytest.mark.rule("SP-R20")
def test_a_shuffle_that_leaves_no_deck_changes_the_round_only_once():
    table = at(deck=["green"], display=["red", "blue", "white"], contracts=[{}])
    outcome = play(table, "draw deck")
    assert len(happened(outcome, RoundBegan)) == 1
    assert (table.position.round, len(table.position.display), table.position.deck) == (2, 3, [])
    assert offered(table) == {"Draw", "Done"}
    assert refused(table, "draw deck").code == "no_deck"
    play(table, "done")
    assert (table.position.round, len(table.position.display)) == (2, 3)
    play(table, "draw red", seat=1)
    play(table, "done", seat=1)
    assert (table.position.round, len(table.position.display)) == (2, 2)


@pytest.mark.rule("SP-R20")
def test_later_discards_form_a_deck_when_a_card_is_needed():
    table = at(round=2, deck=[], display=["red", "blue"], discards={"green": 3})
    outcome = play(table, "draw deck")
    assert happened(outcome, DeckRenewed) == [DeckRenewed(3)]
    assert (table.position.round, me(table).hand) == (2, {"green": 1})
    assert (table.position.deck, table.position.discards) == (["green"] * 2, {})
    outcome = play(table, "done")
    # The last two fill the display and exhaust the deck: that is a new exhaustion.
    assert table.position.round == 3
    assert DeckRenewed(1).sentence(table.words).endswith("a deck of 1 card.")
    table = at(round=2, deck=[], display=["red", "blue"], discards={"green": 8})
    outcome = play(table, "draw red", "done")
    assert happened(outcome, DeckRenewed) == [DeckRenewed(8)]
    assert (table.position.round, len(table.position.display), len(table.position.deck)) == (2, 4, 5)


@pytest.mark.rule("SP-R20", "SP-R45")
def test_without_any_card_or_other_action_there_is_only_the_pass():
    table = at(deck=[], display=[], contracts=[{}], hands=[{}, {"red": 2}])
    assert offered(table) == {"Pass"}
    assert refused(table, "draw red").message == "No card is face up."
    assert table.default(0).__class__.__name__ == "Pass"
    assert table.decisions()[0].prompt == "You cannot act: pass."
    play(table, "pass")
    assert table.decisions()[0].seat == 1
    assert refused(at(), "pass").code == "must_act"
    track = line("boston", "albany")
    for action, fields in (
        ("Draw", {"display": ["red"]}),
        ("DrawDeck", {"deck": ["red"]}),
        ("DrawDeck", {"discards": {"red": 1}}),
        ("Upgrade", {"scores": [3]}),
        ("Build", {"hands": [{"white": 1}, {}]}),
        ("SetInMotion", {"tracks": [track]}),
        ("Boost", {"tracks": [track], "trains": [track[0], "topeka"], "moved": True}),
    ):
        assert offered(at(**{"deck": [], "display": [], "contracts": [{}], **fields})) == {action}


@pytest.mark.rule("SP-R21", "SP-F14", "SP-R22")
@pytest.mark.parametrize(("discards", "rest", "lower"), [(9, 9, 4), (10, 10, 5), (1, 1, 0)])
def test_in_the_third_round_the_time_cards_lie_in_the_lower_half(discards, rest, lower):
    table = at(round=2, deck=["green"], discards={"black": discards})
    play(table, "draw deck")
    position = table.position
    assert (position.round, len(position.display), len(position.deck)) == (3, 4, rest + 3)
    assert TIME not in position.display
    bottom, top = position.deck[: lower + 3], position.deck[lower + 3 :]
    assert bottom.count(TIME) == 3
    assert len(top) == rest - lower
    assert TIME not in top


@pytest.mark.rule("SP-R24", "SP-EX14")
def test_a_time_card_drawn_is_replaced_from_the_deck_and_play_goes_on():
    table = at(round=3, deck=[TIME, TIME, "green", "black", TIME], lower=5)
    outcome = play(table, "draw deck")
    assert all_events(outcome) == [TimeCardUp(1), TimeCardUp(2), DrewCard(0, "green")]
    assert (me(table).hand, table.position.time_cards, table.is_over) == ({"green": 1}, 2, False)
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "drawing")]


@pytest.mark.rule("SP-R23")
def test_a_time_card_met_in_a_refill_is_laid_out_and_the_next_card_turned_up():
    table = at(round=3, deck=[TIME, "green", "black", TIME, TIME], lower=5)
    outcome = play(table, "draw red", "done")
    assert types(all_events(outcome)) == ["TookCard", "TimeCardUp", "DisplayRefilled"]
    assert table.position.display == ["white", "blue", "yellow", "green"]


@pytest.mark.rule("SP-R23", "SP-R24")
def test_what_comes_up_is_told_in_the_order_in_which_it_comes_up():
    table = at(round=3, deck=["green", TIME, "black", TIME, "red", TIME], lower=6)
    outcome = play(table, "draw red", "draw blue")
    assert all_events(outcome)[2:] == [DisplayRefilled(("green",)), TimeCardUp(1), DisplayRefilled(("black",))]
    drawn = at(round=3, deck=[TIME, "green", "black", TIME, "red", TIME], lower=6)
    outcome = play(drawn, "draw red")
    outcome = play(drawn, "draw deck")
    assert types(all_events(outcome)) == ["TimeCardUp", "DrewCard", "DisplayRefilled"]
    third = at(round=3, time_cards=2, deck=["green", TIME, "black"], lower=3)
    outcome = play(third, "draw red", "draw blue")
    assert types(all_events(outcome))[2:4] == ["DisplayRefilled", "TimeCardUp"]


@pytest.mark.rule("SP-R25", "SP-EX14", "SP-F14")
def test_the_third_time_card_ends_the_game_on_the_spot():
    table = at(round=3, time_cards=2, deck=[TIME, "green"], lower=2)
    outcome = play(table, "draw deck")
    assert table.is_over
    assert table.position.ending == "third_time_card"
    assert me(table).hand == {}
    assert types(all_events(outcome)) == ["TimeCardUp", "RouteScored", "RouteScored", "GameOver"]
    in_refill = at(round=3, time_cards=2, deck=["green", TIME], lower=2)
    play(in_refill, "draw red", "draw blue")
    assert in_refill.position.ending == "third_time_card"


@pytest.mark.rule("SP-EX11", "SP-F06", "SP-R43")
def test_upgrades_cost_three_and_then_five_and_end_after_two():
    table = at(scores=[20, 0])
    for part, first, second in (("speed", 2, 3), ("power", 3, 4), ("cargo", 2, 3)):
        table = at(scores=[8, 0])
        assert happened(play(table, f"upgrade {part}"), Upgraded) == [Upgraded(0, part, first, 3)]
        assert me(table).score == 5
        assert table.decisions()[0].seat == 1  # one upgrade a turn
        play(table, "draw red", "done", seat=1)
        assert happened(play(table, f"upgrade {part}"), Upgraded) == [Upgraded(0, part, second, 5)]
        assert (me(table).score, table.view().table.players[0].train[part]) == (0, second)
        error = refused(at(scores=[99, 0], levels={part: 2}), f"upgrade {part}")
        assert error.code == "fully_upgraded"


@pytest.mark.rule("SP-R42")
def test_an_upgrade_needs_the_money():
    error = refused(at(scores=[2, 0]), "upgrade speed")
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 3, "money": 2})
    assert refused(at(scores=[4, 0], levels={"speed": 1}), "upgrade speed").numbers == {"cost": 5, "money": 4}
    assert choices(at(scores=[4, 0], levels={"speed": 1}), "Upgrade", "part") == {"power", "cargo"}


@pytest.mark.rule("SP-R56")
def test_money_has_no_upper_limit():
    table = at(homes=["boston", "topeka"], hands=[{"white": 1}, {}], scores=[250, 0])
    play(table, "build Albany")
    assert me(table).score > 250

"""Scorings: what triggers them, how the market is cleared, and who gets what."""

import pytest

from referee.errors import IllegalOrder
from referee.games.airlines_europe import scoring
from referee.games.airlines_europe.events import MarketCleared, MarketRefilled, Scored, ScoringCardUp, TookShare
from tests.positions import happened, play, types
from tests.referee.games.airlines_europe.setups import BOARD, MARKET, at, buy, refused, sentences

NEXT = ["white", "grey", "white", "grey", "red", "black", "brown"]


def third(holdings, markers=None, **more):
    """The scores of a third scoring, by airline, and the table after it."""
    table = at(len(holdings), holdings=holdings, markers=markers, scorings=2, pile=["scoring"], phase="share", **more)
    outcome = play(table, f"take {table.position.market[0]}")
    return {event.airline: event for event in happened(outcome, Scored)}, table


@pytest.mark.rule("AE-V01", "AE-R17")
def test_a_scoring_card_turned_up_for_the_market_goes_to_the_next_player_when_the_share_is_taken():
    table = at(3, phase="share", active=1, pile=["scoring", *NEXT])
    outcome = play(table, "take red")
    assert happened(outcome) == [TookShare(1, "red"), MarketRefilled(("white",)), ScoringCardUp(2, 1)]
    assert table.position.players[1].hand == {"red": 1}
    assert len(table.position.market) == 5
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(2, "clearing")]
    assert sentences(table, outcome, None).endswith(
        "New in the market: white.\nScoring card 1 comes up; Cora gets it and plays on after the scoring."
    )


@pytest.mark.rule("AE-V02", "AE-R17")
def test_a_scoring_card_drawn_into_the_hand_is_replaced_by_the_next_card():
    table = at(3, phase="share", active=1, pile=["scoring", *NEXT])
    outcome = play(table, "take pile")
    assert types(happened(outcome)) == ["DrewShare", "ScoringCardUp"]
    assert table.position.players[1].hand == {"white": 1}
    assert table.position.market == MARKET
    assert happened(outcome, ScoringCardUp) == [ScoringCardUp(2, 1)]


@pytest.mark.rule("AE-V03", "AE-V09", "AE-S09")
def test_clearing_goes_round_from_the_holder_of_the_card_without_refilling():
    table = at(3, phase="share", active=1, pile=["scoring", *NEXT])
    play(table, "take red")  # market: black brown green orange white
    taken = []
    for seat, share in ((2, "black"), (0, "brown"), (1, "white")):
        assert [decision.seat for decision in table.decisions()] == [seat]
        outcome = play(table, f"take {share}")
        taken.append(types(happened(outcome)))
    assert taken[:2] == [["TookShare"], ["TookShare"]]
    assert taken[2][:3] == ["TookShare", "MarketCleared", "MarketRefilled"]
    assert taken[2][3:] == ["Scored"] * 9  # eight airlines and Air ABACUS
    position = table.position
    assert happened(outcome, MarketCleared) == [MarketCleared(("green", "orange"))]
    assert "The market is cleared; discarded: green and orange.\nNew in the market: " in sentences(table, outcome, None)
    assert position.discards == {"green": 1, "orange": 1}
    assert position.market == ["grey", "white", "grey", "red", "black"]
    assert [player.hand for player in position.players] == [{"brown": 1}, {"red": 1, "white": 1}, {"black": 1}]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(2, "turn")]
    assert table.game.conserved(position)["scoring cards"] == 1  # the one that was played; none is left in the pile


@pytest.mark.rule("AE-V03")
def test_nobody_may_take_from_the_pile_while_the_market_is_cleared():
    table = at(3, phase="clearing", scorings=1)
    error = refused(table, "take pile")
    assert error.code == "not_from_the_pile"
    error = refused(table, "take white")
    assert error.code == "not_in_the_market"
    assert error.rule == "Rulebook, Clear the stock market"
    assert {offer.move.__name__ for offer in table.offers(1)} == {"TakeShare"}


@pytest.mark.rule("AE-V03")
def test_the_clock_takes_the_first_share_of_the_market_for_whoever_is_late_in_clearing():
    table = at(3, phase="clearing", scorings=1)
    table.submit(1, [{"type": "take_share", "share": table.default(1).share}], by="clock")
    assert table.position.players[1].hand == {MARKET[0]: 1}


@pytest.mark.rule("AE-V04", "AE-R28")
def test_airlines_are_scored_from_the_furthest_marker_down_and_air_abacus_last():
    scored, _ = third([{}, {}, {}], {"white": 60, "red": 40, "green": 40, "grey": 1})
    assert list(scored) == ["white", "green", "red", "orange", "brown", "black", "blue", "grey", "air_abacus"]


@pytest.mark.rule("AE-V05", "AE-R19")
def test_only_holdings_count_and_not_the_share_just_taken():
    table = at(
        2,
        phase="clearing",
        scorings=1,
        cleared=1,
        market=["red", "black", "grey", "white"],
        hands=[{"red": 9}, {}],
        holdings=[{}, {"red": 1}],
        vp=[1, 2],
    )
    outcome = play(table, "take red")
    (red,) = [event for event in happened(outcome, Scored) if event.airline == "red"]
    assert (red.holdings, red.points) == ((0, 1), (0, 1))
    assert table.position.players[0].vp == 1


@pytest.mark.rule("AE-V06", "AE-V08", "AE-T03", "AE-R25", "AE-R27")
def test_tied_second_and_third_places_share_their_points_rounded_up():
    assert BOARD.region(30).vp == (6, 3, 2, 1, 0)
    scored, table = third([{"blue": 3}, {"blue": 2}, {"blue": 2}, {}], {"blue": 30}, vp=[0, 0, 0, 0])
    assert scored["blue"] == Scored("blue", (6, 3, 2, 1, 0), (3, 2, 2, 0), (6, 3, 3, 0))
    assert [player.vp for player in table.position.players] == [6, 3, 3, 0]


@pytest.mark.rule("AE-T04", "AE-V07", "AE-V06", "AE-R25")
def test_a_tie_for_fourth_at_the_third_scoring_of_air_abacus():
    scored, _ = third([{"air_abacus": n} for n in (5, 3, 2, 1, 1)])
    assert scored["air_abacus"].points == (16, 8, 4, 2, 2)


@pytest.mark.rule("AE-T11", "AE-V06", "AE-R25")
def test_a_four_way_tie_for_first():
    scored, _ = third([{"red": 2}] * 4, {"red": 20})
    assert scored["red"].vp == (4, 2, 1, 0)
    assert scored["red"].points == (2, 2, 2, 2)


@pytest.mark.rule("AE-R26")
def test_places_beyond_the_printed_ones_are_worth_nothing():
    scored, _ = third([{"red": 5}, {"red": 4}, {"red": 3}, {"red": 2}, {"red": 1}], {"red": 5})
    assert scored["red"].vp == (1, 0)
    assert scored["red"].points == (1, 0, 0, 0, 0)
    scored, _ = third([{"red": 5}, {"red": 4}, {"red": 4}, {"red": 4}, {}], {"red": 8})
    assert scored["red"].vp == (2, 1, 0)
    assert scored["red"].points == (2, 1, 1, 1, 0)  # 1 + 0 + 0, by three, rounded up


@pytest.mark.rule("AE-R27")
def test_places_nobody_takes_are_not_awarded():
    scored, _ = third([{"red": 1}, {}, {}], {"red": 30})
    assert scored["red"].points == (6, 0, 0)


@pytest.mark.rule("AE-R28", "AE-V06")
def test_the_order_of_equal_markers_changes_no_points():
    scored, _ = third([{"red": 1, "grey": 2}, {"grey": 1}, {}], {"red": 30, "grey": 30})
    assert (scored["red"].points, scored["grey"].points) == ((6, 0, 0), (6, 3, 0))


@pytest.mark.rule("AE-V07")
@pytest.mark.parametrize(("number", "vp"), [(1, (4, 2, 1, 0)), (2, (8, 4, 2, 1, 0)), (3, (16, 8, 4, 2, 1))])
def test_air_abacus_pays_more_at_each_scoring(number, vp):
    holdings = [{"air_abacus": 2}, {"air_abacus": 1}, {}]
    if number == 3:
        scored, _ = third(holdings)
    else:
        table = at(3, phase="clearing", scorings=number, cleared=2, holdings=holdings, market=["red", "black", "grey"])
        scored = {event.airline: event for event in happened(play(table, "take red"), Scored)}
    assert scored["air_abacus"].vp == vp
    assert scored["air_abacus"].points == (*vp[:2], 0)


@pytest.mark.rule("AE-R18", "AE-E01")
def test_the_market_is_not_cleared_at_the_third_scoring():
    table = at(3, scorings=2, phase="share", pile=["scoring", "white", "grey"])
    outcome = play(table, "take red")
    assert types(happened(outcome)) == ["TookShare", "MarketRefilled", "ScoringCardUp", *["Scored"] * 9, "GameOver"]
    assert len(table.position.market) == 5
    assert table.is_over
    assert "Scoring card 3, the last one, comes up: the game ends with this scoring." in sentences(table, outcome, 0)


@pytest.mark.rule("AE-R20")
def test_a_scoring_card_that_comes_up_after_clearing_waits_for_the_current_scoring():
    table = at(3, phase="clearing", scorings=1, cleared=2, active=1, pile=["white", "scoring", *NEXT])
    outcome = play(table, "take red")
    names = types(happened(outcome))
    assert names == ["TookShare", "MarketCleared", "MarketRefilled", *["Scored"] * 9, "ScoringCardUp"]
    assert happened(outcome, ScoringCardUp) == [ScoringCardUp(2, 2)]
    assert len(table.position.market) == 5
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(2, "clearing")]


@pytest.mark.rule("AE-R20", "AE-R22")
def test_two_scoring_cards_in_one_draw_make_two_scorings_with_the_same_next_player():
    table = at(3, phase="share", active=0, pile=["scoring", "scoring", *NEXT, *NEXT])
    outcome = play(table, "take pile")
    assert types(happened(outcome)) == ["DrewShare", "ScoringCardUp"]
    assert table.position.players[0].hand == {"white": 1}
    assert table.game.conserved(table.position)["scoring cards"] == 2  # one begun, one due
    numbers = []
    for _ in range(2):
        for seat in (1, 2, 0):
            assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(seat, "clearing")]
            outcome = play(table, f"take {table.position.market[0]}")
        numbers.append([event.number for event in happened(outcome, ScoringCardUp)])
    assert numbers == [[2], []]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "turn")]
    assert table.position.scorings == 2


@pytest.mark.rule("AE-R23")
def test_when_the_last_card_is_the_third_scoring_card_nothing_is_refilled_and_the_game_ends():
    table = at(3, scorings=2, phase="share", pile=["scoring"])
    outcome = play(table, "take red")
    assert types(happened(outcome))[:3] == ["TookShare", "MarketRefilled", "ScoringCardUp"]
    assert "The pile is empty: the market is not refilled." in sentences(table, outcome, None)
    assert len(table.position.market) == 4
    assert table.position.ending == "third_scoring"


@pytest.mark.rule("AE-R23", "AE-V02")
def test_drawing_the_last_card_when_it_is_the_third_scoring_card_brings_no_share():
    table = at(3, scorings=2, phase="share", pile=["scoring"])
    outcome = play(table, "take pile")
    assert types(happened(outcome))[:2] == ["DrewNothing", "ScoringCardUp"]
    assert sentences(table, outcome, 0).startswith(
        "Anna draws the last card of the pile, a scoring card, and gets no share."
    )
    assert table.position.players[0].hand == {}
    assert table.position.ending == "third_scoring"


@pytest.mark.rule("AE-R24")
def test_a_short_market_leaves_the_last_players_without_a_share():
    table = at(3, phase="clearing", scorings=1, market=["red", "grey"])
    outcome = play(table, "take red")  # grey is the only one left for the next
    assert types(happened(outcome))[:4] == ["TookShare", "TookShare", "MarketCleared", "MarketRefilled"]
    assert "The market is cleared; nothing is left of it.\n" in sentences(table, outcome, None)
    assert [player.hand for player in table.position.players] == [{}, {"red": 1}, {"grey": 1}]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "turn")]


@pytest.mark.rule("AE-R24", "AE-R22")
def test_scorings_with_an_empty_market_and_an_empty_pile_do_not_stall():
    table = at(3, phase="share", market=["red"], pile=["scoring", "scoring", "scoring"])
    play(table, "take red")
    assert table.position.ending == "third_scoring"
    assert table.position.scorings == 3


@pytest.mark.rule("AE-R45")
def test_players_with_one_kind_of_share_left_are_given_it_unasked():
    table = at(3, phase="clearing", scorings=1, active=2, market=["red", "grey", "grey", "grey", "grey"])
    outcome = play(table, "take red")
    assert happened(outcome, TookShare) == [TookShare(0, "red"), TookShare(1, "grey"), TookShare(2, "grey")]
    assert table.position.discards == {"grey": 2}
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "turn")]


@pytest.mark.rule("AE-R45")
def test_even_the_first_player_is_not_asked_when_the_whole_market_is_of_one_kind():
    table = at(3, phase="share", active=2, market=["red", *["grey"] * 4], pile=["scoring", "grey", *NEXT])
    outcome = play(table, "take red")
    assert happened(outcome, TookShare) == [TookShare(2, "red"), *(TookShare(seat, "grey") for seat in (0, 1, 2))]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "turn")]


@pytest.mark.rule("AE-R45", "AE-H01")
def test_nobody_orders_past_a_new_market_even_when_the_other_one_is_not_asked():
    table = at(2, phase="clearing", scorings=1, market=["red", "grey", "grey"], pile=["white"] * 5)
    before = table.position_json
    with pytest.raises(IllegalOrder) as caught:
        play(table, "take red", "take money", seat=1)
    assert (caught.value.code, caught.value.index, table.position_json) == ("reveals", 0, before)
    play(table, "take red", seat=1)
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "turn")]


@pytest.mark.rule("AE-V09")
def test_after_the_scoring_its_card_is_gone_and_its_holder_has_the_turn():
    table = at(2, phase="share", active=1, pile=["scoring", *NEXT])
    play(table, "take pile")
    for seat in (0, 1):
        play(table, f"take {table.position.market[0]}", seat=seat)
    assert (table.position.active, table.position.phase) == (0, "turn")
    assert table.position.due == 0
    assert "scoring" not in table.position.deck


@pytest.mark.rule("AE-V06", "AE-R25", "AE-R26", "AE-R27")
@pytest.mark.parametrize(
    ("vp", "holdings", "points"),
    [
        ((6, 3, 2, 1, 0), (3, 2, 2, 0), [6, 3, 3, 0]),
        ((16, 8, 4, 2, 1), (5, 3, 2, 1, 1), [16, 8, 4, 2, 2]),
        ((4, 2, 1, 0), (2, 2, 2, 2), [2, 2, 2, 2]),
        ((8, 4, 2, 1, 0), (3, 1, 3), [6, 2, 6]),
        ((8, 4, 2, 1, 0), (0, 0, 0), [0, 0, 0]),
        ((1, 0), (1, 1, 1, 1, 1), [1, 1, 1, 1, 1]),
        ((8, 4, 2, 1, 0), (1, 1, 2, 2, 0), [2, 2, 6, 6, 0]),
    ],
)
def test_points_by_shares_held(vp, holdings, points):
    assert scoring.award(vp, holdings) == points


def test_a_scoring_can_follow_a_whole_turn_sent_at_once():
    table = at(3, cash=[20, 8, 8], pile=["scoring", *NEXT])
    outcome = play(table, buy("grey", "london-paris"), {"type": "take_share", "share": "red"})
    assert types(happened(outcome)) == ["Bought", "TookShare", "MarketRefilled", "ScoringCardUp"]

"""Cards, city match, income, rounds and eras."""

import pytest

from referee.games.tin_goose.events import CardPlayed, DiscardedFaceDown, IncomeCollected, IncomeMoved, Paid, RoundBegan
from tests.positions import happened, play
from tests.referee.games.tin_goose.setups import (
    BOARD,
    DIVIDENDS,
    asked,
    at,
    bid_all,
    holding,
    offered,
    only,
    play_event,
    refused,
    start,
)

FILL = ("issue bond", "issue bond", "advance income")  # three actions that are always legal


@pytest.mark.rule("TG-F13", "TG-R15")
@pytest.mark.parametrize(
    ("round_number", "era"), [(1, "gold"), (2, "gold"), (3, "blue"), (4, "blue"), (5, "blue"), (6, "red"), (7, "red")]
)
def test_only_cards_of_the_era_can_be_played(round_number, era):
    hand = ["G01", "G24", "B01", "B24", "R01", "R24"]
    table = at(3, "card", me={"hand": hand}, round=round_number)
    playable = {card for card in hand if BOARD.card[card].era == era}
    assert offered(table, "PlayCard", "card") == playable
    for card in set(hand) - playable:
        assert refused(table, {"type": "play_card", "card": card}).code == "wrong_era"
    assert refused(table, {"type": "play_card", "card": "G02"}).code == "not_in_hand"


@pytest.mark.rule("TG-F13", "TG-R14", "TG-R13")
def test_a_plane_in_the_city_of_the_card_moves_only_the_active_player_up_before_the_event():
    city = BOARD.card["G27"].city
    table = at(3, "card", me=holding("G27", cities=[city]), others={1: {"cities": [city]}})
    events = play_event(table, "G27")
    kinds = [type(event) for event in events[:3]]
    assert kinds == [CardPlayed, IncomeMoved, Paid]
    assert only(events, IncomeMoved) == [IncomeMoved(0, "city_match", 2, 4)]
    table = at(3, "card", me=holding("G30"), others={1: {"cities": [BOARD.card["G30"].city]}})
    assert only(play_event(table, "G30"), IncomeMoved) == []


@pytest.mark.rule("TG-R13")
def test_an_international_plane_makes_no_city_match_and_an_extension_does():
    table = at(3, "card", me=holding("G30", international=["havana"]))
    assert only(play_event(table, "G30"), IncomeMoved) == []
    table = at(3, me=holding("B18", hand=["B18", "B01"], cities=["chicago"]), round=3)
    play(table, "extend des moines", "issue bond", "issue bond")
    assert BOARD.card["B18"].city == "des_moines"
    for seat in (1, 2):
        play(table, {"type": "play_card", "card": table.position.players[seat].hand[3]})  # past the gold cards
        while table.position.phase != "actions":
            asked_seat = table.decisions()[0].seat
            if table.sealed_phase():
                bid_all(table, [0, 0, 0])
            else:
                table.submit(asked_seat, ["pass"])
        play(table, *FILL)
    assert asked(table) == ("card", (0,))
    outcome = play(table, "play B18")
    assert [event.reason for event in happened(outcome, IncomeMoved)] == ["city_match"]


@pytest.mark.rule("TG-R14")
def test_the_city_match_counts_in_the_last_round_too():
    table = at(3, "card", me=holding("R30", cities=["wichita"]), round=7)
    assert [event.reason for event in only(play_event(table, "R30"), IncomeMoved)] == ["city_match"]


@pytest.mark.rule("TG-F13")
def test_income_comes_at_the_end_of_the_own_turn_unless_dividends_are_generous():
    table = at(3, me={"cash": 0, "income_box": 10})
    outcome = play(table, "take 1 labor", "take 1 labor", "advance income")
    assert happened(outcome, IncomeCollected) == [IncomeCollected(0, 8)]
    assert table.position.players[0].cash == 8
    table = at(3, me={"cash": 0, "conditions": [DIVIDENDS]})
    outcome = play(table, "take 1 labor", "take 1 labor", "advance income")
    assert happened(outcome, IncomeCollected) == [IncomeCollected(0, 0, skipped=True)]
    assert table.position.players[0].cash == 0


@pytest.mark.rule("TG-R04", "TG-F12")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_same_player_begins_every_round(first):
    table = at(3, active=(first + 2) % 3, first=first)
    outcome = play(table, *FILL)
    assert happened(outcome, RoundBegan) == [RoundBegan(2, "gold", "havana")]
    assert asked(table) == ("card", (first,))
    table = at(3, active=first, first=first)
    assert happened(play(table, *FILL), RoundBegan) == []
    assert asked(table) == ("card", ((first + 1) % 3,))


@pytest.mark.rule("TG-F13", "TG-R16")
@pytest.mark.parametrize(("round_number", "era"), [(2, "gold"), (5, "blue"), (7, "red")])
def test_the_extra_card_of_an_era_is_discarded_face_down_when_it_ends(round_number, era):
    extra = {"gold": "G01", "blue": "B01", "red": "R01"}
    hands = [[extra[era].replace("1", str(seat + 1))] for seat in range(3)]
    others = {seat: {"hand": hands[seat]} for seat in range(3)}
    table = at(3, me=others[0], others=others, round=round_number, active=0, first=1)
    outcome = play(table, *FILL)
    assert happened(outcome, DiscardedFaceDown) == [DiscardedFaceDown(seat, era, hands[seat][0]) for seat in range(3)]
    assert [player.face_down for player in table.position.players] == hands
    assert [player.hand for player in table.position.players] == [[], [], []]


@pytest.mark.rule("TG-R16")
@pytest.mark.parametrize("round_number", [1, 3, 4, 6])
def test_no_card_is_discarded_within_an_era(round_number):
    table = at(3, round=round_number, active=0, first=1)
    assert happened(play(table, *FILL), DiscardedFaceDown) == []


@pytest.mark.rule("TG-F13", "TG-F08")
def test_a_whole_game_plays_every_card_but_one_of_each_era():
    table, _ = start(3)
    while not table.is_over:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [{"type": "bid", "amount": 0}])
            table.reveal()
        else:
            seat = table.decisions()[0].seat
            move = table.default(seat)
            table.submit(seat, [move])
    for player in table.position.players:
        assert player.hand == []
        assert [BOARD.card[card].era for card in player.face_down] == ["gold", "blue", "red"]
    assert table.position.round == 7
    assert len(table.position.discards) == 3 * 7

"""What is behind the screens, and what the table sees change hands, on every way out."""

import random

import msgspec
import pytest

from referee.contract import Viewer, canonical
from referee.record import redacted
from referee.table import Table
from tests.positions import play, put, sentences
from tests.referee.games.tin_goose.setups import BOARD, asked, at, bid_all, holding, offered, refused, start


def text_of(thing) -> str:
    return canonical(thing).decode()


@pytest.mark.rule("TG-R20")
def test_a_view_shows_the_own_screen_and_of_the_others_what_cannot_be_hidden():
    table = at(3, me={"cash": 17, "bonds": 2, "labor_chips": 5, "hand": ["G01", "B01", "B02"], "face_down": ["G03"]})
    own, seen = table.view(0).table.players[0], table.view(1).table.players[0]
    assert (own.cash, own.bonds, own.labor_chips) == (17, 2, 5)
    assert (own.hand, own.face_down) == (("G01", "B01", "B02"), ("G03",))
    assert (seen.cash, seen.bonds, seen.labor_chips, seen.hand, seen.face_down) == (None,) * 5
    assert (seen.hand_sizes, seen.face_down_size) == ({"gold": 1, "blue": 2, "red": 0}, 1)
    assert (seen.fleets, seen.conditions, seen.cities, seen.hazard) == (
        own.fleets,
        own.conditions,
        own.cities,
        own.hazard,
    )
    spectator = table.view(None).table
    assert {(player.cash, player.hand) for player in spectator.players} == {(None, None)}
    assert (spectator.removed, spectator.removed_size) == (None, 96 - 30)


def test_everybody_knows_only_the_own_score_while_the_game_lasts():
    table = at(3)
    assert [standing.score for standing in table.view(0).standings] == [40 + 20 + 30, None, None]
    assert [standing.score for standing in table.view(None).standings] == [None] * 3
    assert {standing.place for standing in table.view(0).standings} == {None}


@pytest.mark.rule("TG-F08")
def test_a_dealt_hand_is_told_to_its_owner_only():
    table, entry = start(3)
    for viewer in (0, 1, 2, None):
        shown = [event for event in redacted(table.game, entry, Viewer(viewer), table.words).events if "cards" in event]
        assert [event["cards"] is not None for event in shown] == [viewer == seat for seat in range(3)]
        assert [event["count"] for event in shown] == [10, 10, 10]


@pytest.mark.rule("TG-R16")
def test_a_card_discarded_at_the_end_of_an_era_is_told_to_its_owner_only():
    hands = {seat: {"hand": [f"G0{seat + 1}"]} for seat in range(3)}
    table = at(3, me=hands[0], others=hands, round=2, first=1)
    outcome = play(table, "issue bond", "issue bond", "advance income")
    assert "Anna discards Boeing 80A Portland face down." in sentences(table, outcome, 0)
    for viewer in (1, 2, None):
        assert "Anna discards the last gold card face down." in sentences(table, outcome, viewer)
        assert "G01" not in text_of(redacted(table.game, outcome.entries[-1], Viewer(viewer), table.words))
        assert "G01" not in text_of(table.view(viewer))


@pytest.mark.rule("TG-F14", "TG-R18")
def test_the_table_sees_payments_and_emergency_bonds_and_not_what_is_left():
    table = at(3, "card", me=holding("G27"), others={1: {"cash": 2}})
    outcome = play(table, "play G27")
    for viewer in (0, 2, None):
        assert "Ben pays $3 for the crash and issues 1 emergency bond for it." in sentences(table, outcome, viewer)
        assert [(payment.seat, payment.bonds) for payment in table.view(viewer).table.payments] == [
            (1, 1),
            (2, 0),
            (0, 0),
        ]
        assert table.view(viewer).table.players[1].cash is None
    play(table, "issue bond", "issue bond", "advance income")
    assert table.view(None).table.payments == ()  # from now on only the log tells


@pytest.mark.rule("TG-R69")
@pytest.mark.parametrize(("card", "round_number"), [("G27", 1), ("G30", 1), ("R27", 7)])
def test_nothing_follows_a_card_that_may_show_who_is_poor(card, round_number):
    table = at(3, "card", me=holding(card), round=round_number)
    assert refused(table, f"play {card}", "advance income").code == "reveals"


@pytest.mark.rule("TG-R69", "TG-R57")
def test_in_the_last_round_the_actions_follow_a_fleet_card_in_the_same_letter():
    table = at(3, "card", me=holding("R04"), round=7)
    play(table, "play R04", "advance income", "take labor", "issue bond")
    assert asked(table) == ("card", (1,))
    table = at(3, "card", me=holding("R04"), round=6)
    assert refused(table, "play R04", "advance income").code == "turn_over"  # there is an auction first


@pytest.mark.rule("TG-F15", "TG-F12")
def test_prompts_are_the_same_whatever_is_behind_the_screens():
    rich, poor = {"cash": 99, "labor_chips": 9, "bonds": 0}, {"cash": 0, "labor_chips": 0, "bonds": 9}
    for phase, fields in (
        ("airmail", {}),
        ("strike", {"card": "G24"}),
        ("auction", {"card": "G12"}),
        ("actions", {}),
        ("card", {}),
    ):
        decisions = [
            at(3, phase, me=screen, others={1: screen, 2: screen}, **fields).decisions() for screen in (rich, poor)
        ]
        assert decisions[0] == decisions[1]


@pytest.mark.parametrize("even_events", [False, True])
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_an_imagined_world_looks_the_same_and_hides_other_things(even_events, viewer):
    table, _ = start(4, {"even_events": even_events})
    bid_all(table, [1, 2, 3, 4])
    game = table.game
    for seed in range(5):
        other = game.imagine(table.view(viewer), random.Random(seed))
        assert canonical(game.view(other, Viewer(viewer))) == canonical(game.view(table.position, Viewer(viewer)))
        assert game.conserved(other) == game.conserved(table.position)
        hidden = [seat for seat in range(4) if seat != viewer]
        assert all(other.players[seat].hand != table.position.players[seat].hand for seat in hidden)
        cards = [card for player in other.players for card in player.hand] + other.removed
        assert sorted(cards) == sorted(BOARD.card)
        if even_events:
            for player in other.players:
                assert sum(BOARD.card[card].kind != "fleet" for card in player.hand) == 3


def test_an_imagined_highest_bidder_can_still_pay():
    table = at(3, "auction", card="G12", others={1: {"cash": 7}})
    play(table, "bid 7")
    for seed in range(20):
        other = put(table, table.game.imagine(table.view(2), random.Random(seed)))
        play(other, "pass")
        play(other, "pass")
        assert other.position.players[1].cash >= 0


def test_options_depend_on_the_own_secrets_and_on_nobody_else_s():
    def listing(table: Table):
        return [offer.listing() for offer in table.offers(0)]

    poor = {"cash": 0, "labor_chips": 0, "bonds": 5, "hand": ["G09", "G10"]}
    assert listing(at(3)) == listing(at(3, others={1: poor, 2: poor}))
    assert listing(at(3)) != listing(at(3, me=poor))
    assert offered(at(3, me=poor), "TakeLabor", "chips") == {1}


def test_when_the_game_is_over_everybody_sees_everything():
    table = at(3, round=7, first=1)
    play(table, "issue bond", "issue bond", "advance income")
    view = table.view(None)
    assert [player.bonds for player in view.table.players] == [2, 0, 0]
    assert view.table.removed is not None
    assert None not in msgspec.to_builtins(view.table)["players"][1].values()

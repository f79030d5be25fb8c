"""Who sees what."""

from random import Random

import pytest

from referee.contract import EVERYTHING, Viewer, canonical
from referee.errors import IllegalOrder
from referee.games.spike.events import Dealt, Gave, RoutesDealt
from referee.games.spike.state import Give
from referee.record import redacted
from tests.positions import happened, play, start
from tests.referee.games.spike.setups import BOARD, GAME, at, me

TIME = "time"


def text(table, outcome, seat):
    rows = [redacted(table.game, entry, Viewer(seat), table.words) for entry in outcome.entries]
    return canonical(rows).decode()


@pytest.mark.rule("SP-R57")
def test_hands_routes_and_the_deck_are_hidden_and_all_else_is_open():
    table = at(3, hands=[{"red": 2}, {"blue": 3}, {}], routes=["r01", "r02", "r03"])
    for seat in (None, 0, 1, 2):
        view = table.view(seat).table
        for other, player in enumerate(view.players):
            own = other == seat
            assert (player.hand is not None, player.routes is not None) == (own, own)
            assert player.hand_size == sum(me(table, other).hand.values())
            assert player.contracts == me(table, other).contracts
            assert player.at == me(table, other).at
        assert view.deck is None
        assert view.deck_size == 8
    assert table.game.view(table.position, EVERYTHING).deck is not None


@pytest.mark.rule("SP-R57")
def test_what_is_dealt_is_known_to_its_player_only():
    table, entry = start("spike", 3)
    outcome = play(table, f"give {min(me(table).hand)}")
    for viewer in (None, 0, 1, 2):
        dealt = [event.seen_by(Viewer(viewer)) for event in entry.row.events if isinstance(event, Dealt)]
        routes = [event.seen_by(Viewer(viewer)) for event in happened(outcome, RoutesDealt)]
        assert [event.seat for event in dealt if event.cards] == [seat for seat in range(3) if seat == viewer]
        assert [event.seat for event in routes if event.routes] == [seat for seat in range(3) if seat == viewer]


@pytest.mark.rule("SP-R57")
def test_the_gift_is_known_to_giver_and_receiver_only():
    table, _ = start("spike", 4)
    card = sorted(me(table).hand)[0]
    outcome = play(table, f"give {card}")
    gave = [redacted(table.game, outcome.entries[0], Viewer(seat), table.words) for seat in range(4)]
    assert [row.events[0]["card"] for row in gave] == [card, None, None, card]
    assert [row.orders[0]["move"]["card"] for row in gave] == [card, None, None, None]
    assert f"give {card}" not in text(table, outcome, 1)


@pytest.mark.rule("SP-R64", "SP-R57")
def test_a_gift_by_lot_is_any_card_of_the_hand_and_so_the_clocks_gift_tells_nothing_about_the_rest():
    given = set()
    for number in range(12):
        table, _ = start("spike", 3, seed=bytes([number]))
        before = me(table).hand
        assert table.default(0) == Give("any")
        outcome = play(table, "give any")
        (gave,) = happened(outcome, Gave)
        assert before[gave.card] == me(table).hand.get(gave.card, 0) + 1
        given.add(sorted(before).index(gave.card))
        assert gave.card not in text(table, outcome, 1).split("display")[0].split('"gave"')[0]
        assert outcome.readings == ("give any",)
    assert len(given) > 1


@pytest.mark.rule("SP-R57")
def test_the_locomotive_is_not_placed_together_with_the_gift_for_routes_are_dealt_in_between():
    table, _ = start("spike", 2)
    with pytest.raises(IllegalOrder) as caught:
        play(table, f"give {min(me(table).hand)}", "place Gotham")
    assert (caught.value.code, caught.value.index) == ("reveals", 0)
    assert table.sequence == 0


@pytest.mark.rule("SP-R57")
def test_a_card_off_the_deck_is_seen_by_its_player_and_a_face_up_one_by_all():
    table = at(deck=["green", "black"])
    outcome = play(table, "draw deck")
    assert '"card":"green"' in text(table, outcome, 0)
    assert "green" not in text(table, outcome, 1)
    assert '"card":"red"' in text(table, play(table, "draw red"), 1)


@pytest.mark.rule("SP-R57")
def test_the_route_kept_in_advanced_play_stays_secret_after_the_reveal():
    table, _ = start("spike", 2, {"advanced": True})
    for seat in (0, 1):
        table.submit(seat, ["turn nothing"])
    table.reveal()
    play(table, f"give {min(me(table).hand)}")
    kept = [player.routes[0] for player in table.position.players]
    for seat in (0, 1):
        table.submit(seat, [f"keep {kept[seat]}"])
    entry = table.reveal()
    for seat in (0, 1):
        row = canonical(redacted(table.game, entry, Viewer(seat), table.words)).decode()
        assert kept[seat] in row
        assert f'"{kept[1 - seat]}"' not in row


@pytest.mark.rule("SP-R57", "SP-R21")
def test_an_imagined_deck_has_its_time_cards_anywhere_in_the_lower_part():
    deck = ["green"] * 6 + [TIME, "black", TIME, TIME]  # from the top; the lower part has five cards
    table = at(round=3, deck=deck, lower=5, hands=[{"red": 2}, {"blue": 3}])
    places, hands, routes = set(), set(), set()
    for number in range(40):
        other = table.game.imagine(table.view(0), Random(number))
        assert canonical(table.game.view(other, Viewer(0))) == canonical(table.game.view(table.position, Viewer(0)))
        assert other.deck.count(TIME) == 3
        assert TIME not in other.deck[5:]
        places.update(slot for slot, card in enumerate(other.deck) if card == TIME)
        hands.add(str(other.players[1].hand))
        routes.add(other.players[1].routes[0])
    assert places == {0, 1, 2, 3, 4}
    assert len(hands) > 5
    assert len(routes) > 10
    assert "r01" not in routes  # that one is in the own hand
    assert table.game.imagine(table.view_of(EVERYTHING, None), Random(1)) == table.position


def test_prompts_tell_no_secret():
    useful, useless = at(hands=[{"white": 1}, {}]), at(hands=[{"green": 1}, {}])  # white builds Boston-Albany
    assert useful.decisions() == useless.decisions()
    assert {phase.name for phase in GAME.phase_types} == set(useful.game.phases)
    assert BOARD.fidelity == "reconstructed-v1"


@pytest.mark.rule("SP-R57")
def test_a_locomotive_placed_by_the_clock_does_not_tell_the_route():
    table, _ = start("spike", 3)
    play(table, f"give {min(me(table).hand)}")
    phase = table.game.phases[table.position.phase]
    for number in range(10):
        other = table.game.imagine(table.view(1), Random(number))
        assert phase.default(other, 0) == table.default(0)
    assert BOARD.city[table.default(0).city].commodity in me(table).contracts

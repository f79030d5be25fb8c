"""What is hidden from whom (AE-H01), on every way out: views, events, moves, prompts, standings."""

import random

import msgspec
import pytest

from referee.contract import EVERYTHING, Viewer, canonical
from referee.games.airlines_europe.events import Scored
from referee.record import redacted
from tests.positions import happened, play, put, random_game, start
from tests.referee.games.airlines_europe.setups import at, sentences, text_of


@pytest.mark.rule("AE-H01")
def test_a_view_shows_own_secrets_and_of_others_what_the_table_shows():
    table = at(3, hands=[{"red": 2}, {"grey": 1, "air_abacus": 2}, {}], holdings=[{}, {"white": 3}, {}], vp=[5, 6, 7])
    ben, as_seen = table.view(1).table.players[1], table.view(0).table.players[1]
    assert (ben.vp, ben.hand) == (6, {"grey": 1, "air_abacus": 2})
    assert (as_seen.vp, as_seen.hand) == (None, None)
    assert (as_seen.cash, as_seen.hand_size, as_seen.air_abacus_in_hand) == (8, 3, 2)
    assert as_seen.holdings == {"white": 3}
    assert [(player.hand_size, player.air_abacus_in_hand) for player in table.view(None).table.players] == [
        (2, 0),
        (3, 2),
        (0, 0),
    ]
    spectator = table.view(None).table
    assert {(player.vp, player.hand) for player in spectator.players} == {(None, None)}
    assert (spectator.deck, spectator.discards) == (None, None)


@pytest.mark.rule("AE-H01", "AE-R44")
def test_victory_points_are_told_to_their_owner_only_until_the_game_is_over():
    table = at(2, phase="clearing", scorings=1, cleared=1, holdings=[{"red": 1}, {"grey": 1}], vp=[40, 50])
    outcome = play(table, "take black")
    (red,) = [event for event in happened(outcome, Scored) if event.airline == "red"]
    assert [red.seen_by(Viewer(seat)).points for seat in (0, 1, None)] == [(1, None), (None, 0), (None, None)]
    assert "points: Anna 1" in sentences(table, outcome, 0)
    assert "Anna 1" not in sentences(table, outcome, 1)
    assert "points" not in sentences(table, outcome, None)
    assert [[standing.score for standing in table.view(seat).standings] for seat in (0, 1, None)] == [
        [41 + 0, None],
        [None, 52],
        [None, None],
    ]
    assert {standing.place for standing in table.view(0).standings} == {None}


@pytest.mark.rule("AE-R44")
def test_when_the_game_is_over_everybody_sees_everything():
    table = at(
        3, vp=[10, 20, 5], scorings=2, pile=["scoring", "white", "grey"], phase="share", hands=[{"red": 1}] * 3,
        discards={"blue": 2},
    )  # fmt: skip
    play(table, "take red")
    view = table.view(None)
    assert (view.table.deck, view.table.discards) == (("grey",), {"blue": 2})
    assert [player.vp for player in view.table.players] == [10, 20, 5]
    assert [player.hand for player in view.table.players] == [{"red": 2}, {"red": 1}, {"red": 1}]
    assert [standing.score for standing in view.standings] == [20, 10, 5]


@pytest.mark.rule("AE-H01")
def test_a_card_drawn_from_the_pile_is_seen_by_its_drawer_only():
    table = at(3, phase="share", pile=["white", "grey"])
    outcome = play(table, "take pile")
    assert sentences(table, outcome, 0) == "Anna draws white from the pile."
    for other in (1, 2, None):
        assert sentences(table, outcome, other) == "Anna draws a share from the pile."
        assert "white" not in text_of(redacted(table.game, outcome.entries[0], Viewer(other), table.words))


@pytest.mark.rule("AE-H01")
def test_dealt_hands_are_seen_by_their_owners_only_and_shuffles_by_nobody():
    table, entry = start("airlines-europe", 3)
    for seat in (0, 1, 2, None):
        row = redacted(table.game, entry, Viewer(seat), table.words)
        assert [event["shares"] is not None for event in row.events[1:]] == [seat == other for other in range(3)]
        assert not hasattr(row, "draws")
        assert entry.row.salt not in text_of(row)


@pytest.mark.rule("AE-R16")
def test_the_others_get_a_trade_without_the_cards_of_the_hand_in_move_and_event():
    table = at(3, hands=[{"white": 3}, {}, {}])
    outcome = play(table, "trade 3 white from hand")
    for other in (1, 2, None):
        row = redacted(table.game, outcome.entries[0], Viewer(other), table.words)
        assert row.orders[0]["move"] == {"type": "trade", "hand": None, "held": ()}
        assert row.orders[0]["text"] is None
        assert row.events[0]["from_hand"] == 3
        assert "white" not in text_of(row)
    own = redacted(table.game, outcome.entries[0], Viewer(0), table.words)
    assert own.orders[0]["text"] == "trade 3 white from hand"


@pytest.mark.rule("AE-H01", "AE-R16", "AE-R44")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_worlds_that_a_seat_cannot_tell_apart_look_and_go_on_the_same_to_it(players):
    rng = random.Random(players)
    for rows in range(1, 60, 4):
        table, entry = start("airlines-europe", players, seed=b"%d" % rows)
        random_game(table, entry, rng, most_rows=rows)
        if table.is_over:
            continue
        asked = table.decisions()[0].seat
        for seat in (*range(players), None):
            other = put(table, table.game.imagine(table.view(seat), rng))
            if seat is not None:
                assert other.position_json != table.position_json
            assert canonical(table.view(seat)) == canonical(other.view(seat))
            if seat == asked:
                listings = [[offer.listing() for offer in world.offers(seat)] for world in (table, other)]
                assert listings[0] == listings[1]
                move = msgspec.to_builtins(table.default(seat))
                if move.get("share") == "pile":
                    continue  # the two worlds have different cards there
                outcomes = [put(world, world.position).submit(seat, [move]) for world in (table, other)]
                own = [redacted(table.game, outcome.entries[0], Viewer(seat), table.words) for outcome in outcomes]
                if all(len(outcome.entries[0].row.events) == 1 for outcome in outcomes):
                    assert own[0].sentences == own[1].sentences


@pytest.mark.rule("AE-H01", "AE-S08", "AE-R03")
def test_an_imagined_world_keeps_what_a_seat_knows_and_deals_the_rest_anew():
    table, entry = start("airlines-europe", 3)
    random_game(table, entry, random.Random(1), most_rows=20)
    places, hand, discards, top, vp = set(), set(), set(), set(), set()
    for seed in range(40):
        other = table.game.imagine(table.view(0), random.Random(seed))
        assert other.players[0] == table.position.players[0]
        assert table.game.conserved(other) == table.game.conserved(table.position)
        places.add(tuple(place for place, card in enumerate(other.deck) if card == "scoring"))
        hand.update(other.players[1].hand, other.players[2].hand)
        discards.update(other.discards)
        top.add(other.deck[-1])
        vp.add(other.players[2].vp)
    assert len(hand) > 6
    assert len(top) > 4
    # The last one lies anywhere among the last cards, the others within two cards of their places.
    assert {len(found) for found in places} == {3}
    assert len({found[0] for found in places}) > 8
    assert len({found[1] for found in places}) in range(4, 9)
    assert len({found[2] for found in places}) == 5
    assert table.game.imagine(table.view_of(EVERYTHING, None), random.Random(1)) == table.position


@pytest.mark.rule("AE-R03")
def test_an_imagined_scoring_card_is_never_where_it_would_have_come_up_by_now():
    table, entry = start("airlines-europe", 4)
    for row in range(30):
        random_game(table, entry, random.Random(row), most_rows=row)
        left = 3 - table.position.scorings - table.position.due
        for seed in range(5):
            assert table.game.imagine(table.view(1), random.Random(seed)).deck.count("scoring") == left


@pytest.mark.rule("AE-H01")
def test_before_the_first_scoring_the_points_of_others_are_known_from_the_order_of_turns():
    table, _ = start("airlines-europe", 4, {"start_player": "random"})
    for seat in range(4):
        table.submit(seat, [table.default(seat)])
    table.reveal()
    points = [player.vp for player in table.position.players]
    for seat in range(4):
        assert [player.vp for player in table.game.imagine(table.view(seat), random.Random(1)).players] == points


@pytest.mark.rule("AE-H01", "AE-R04")
def test_the_opening_shares_that_the_clock_chooses_rule_no_airline_out_of_the_hand():
    beside = {}
    for number in range(300):
        table, _ = start("airlines-europe", 5, seed=b"%d" % number)
        for seat, player in enumerate(table.position.players):
            beside.setdefault(frozenset(table.default(seat).shares), set()).update(player.hand)
    every = set(table.position.airlines)
    for pair in ({"black", "blue"}, {"red", "violet"}, {"violet", "yellow"}):
        assert beside[frozenset(pair)] == every


@pytest.mark.rule("AE-H01")
def test_prompts_do_not_depend_on_what_is_hidden():
    for phase in ("turn", "share", "clearing"):
        table = at(3, phase=phase, scorings=1, hands=[{"red": 1}, {}, {}])
        other = at(3, phase=phase, scorings=1, hands=[{}, {"white": 2}, {}], vp=[9, 9, 9], pile=["grey"] * 12)
        assert table.decisions() == other.decisions()

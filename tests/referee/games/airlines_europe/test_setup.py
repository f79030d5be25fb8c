"""The board, the components and the setup."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from referee.chance import Chance
from referee.games.airlines_europe import setup
from referee.games.airlines_europe.events import Dealt, MarketOpened, Opened
from referee.games.airlines_europe.state import Settings
from referee.table import Table
from tests.positions import put, start, types
from tests.referee.games.airlines_europe.setups import BOARD, GAME, at, refused, sold

DECK = {2: 46, 3: 53, 4: 59, 5: 67}  # shares after the market and the hands
FIRST_PILE = {2: 9, 3: 11, 4: 12, 5: 14}
ABOVE_SECOND = {2: 13, 3: 16, 4: 18, 5: 21}


def opening(players: int, **settings: object) -> Table:
    return start("airlines-europe", players, settings)[0]


def scoring_cards(table: Table) -> list[int]:
    """Where the scoring cards lie, counted from the top."""
    return [place for place, card in enumerate(reversed(table.position.deck)) if card == "scoring"]


@pytest.mark.rule("AE-C01")
def test_two_to_five_can_play():
    assert list(GAME.seat_counts) == [2, 3, 4, 5]
    for players in (1, 6):
        with pytest.raises(ValueError, match="2 to 5 players"):
            opening(players)


@pytest.mark.rule("AE-C02", "AE-C03")
def test_shares_and_planes_are_as_many_as_the_rulebook_lists():
    names = ["yellow", "blue", "violet", "red", "black", "brown", "green", "orange", "grey", "white"]
    shares = dict(zip(names, [16, 15, 14, 13, 11, 10, 9, 9, 8, 7], strict=True))
    assert {airline.id: airline.shares for airline in BOARD.airlines} == shares
    assert {airline.id: airline.planes for airline in BOARD.airlines} == shares
    assert sum(shares.values()) == 112


@pytest.mark.rule("AE-C04")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_air_abacus_is_in_every_game_with_twenty_shares_and_without_planes_markers_or_licences(players):
    table = opening(players)
    assert table.position.air_abacus == 20
    assert "air_abacus" not in table.position.airlines
    error = refused(at(players), "buy London-Paris for Air ABACUS")
    assert error.code == "not_in_play"
    assert "Air ABACUS" in error.message


@pytest.mark.rule("AE-C05")
def test_three_scoring_cards_lie_in_the_pile_and_cannot_be_told_from_shares():
    table = opening(5)
    assert table.position.deck.count("scoring") == 3
    view = table.view(0).table
    assert view.deck is None
    assert view.deck_size == 70


@pytest.mark.rule("AE-C06", "AE-S02")
def test_five_players_use_all_the_money_in_the_box():
    assert 50 * 1 + 20 * 5 == 150 == BOARD.constants.money_per_player * 5
    position = opening(5).position
    assert position.bank + sum(player.cash for player in position.players) == 150


@pytest.mark.rule("AE-C07", "AE-R32")
def test_victory_points_do_not_run_out_with_the_tiles_of_the_box():
    box = 39 * 1 + 20 * 5 + 20 * 10 + 5 * 50
    assert box == 589
    table = at(3, vp=[box, 1, 1], scorings=2, pile=["scoring"], phase="share", holdings=[{"red": 1}, {}, {}])
    table.submit(0, ["take red"])
    assert table.position.players[0].vp > box


@pytest.mark.rule("AE-C08", "AE-A11")
def test_the_four_airlines_with_the_fewest_planes_have_bonus_connections():
    bonus = {airline.id: (airline.home, airline.goal) for airline in BOARD.airlines if airline.goal}
    assert bonus == {
        "orange": ("athens", "london"),
        "green": ("stockholm", "athens"),
        "grey": ("london", "ankara"),
        "white": ("moscow", "madrid"),
    }
    fewest = sorted(BOARD.airlines, key=lambda airline: airline.planes)[:4]
    assert {airline.id for airline in fewest} == set(bonus)
    position = opening(5).position
    assert {name for name, airline in position.airlines.items() if airline.bonus} == set(bonus)


@pytest.mark.rule("AE-C09")
def test_four_distant_connections_have_one_licence_dearer_than_all_others():
    distant = [route for route in BOARD.routes if route.distant]
    assert [len(route.licences) for route in distant] == [1, 1, 1, 1]
    dearest = max(max(route.licences) for route in BOARD.routes if not route.distant)
    assert min(route.licences[0] for route in distant) > dearest


@pytest.mark.rule("AE-S01", "AE-R10")
@pytest.mark.parametrize(
    ("players", "removed"),
    [(5, set()), (4, {"yellow"}), (3, {"yellow", "violet"}), (2, {"yellow", "blue", "violet"})],
)
def test_airlines_stay_in_the_box_but_their_cities_can_be_flown_to(players, removed):
    table = at(players, cash=[20] * players)
    position = opening(players).position
    everything = Counter(position.deck + position.market)
    for player in position.players:
        everything.update(player.hand)
    assert set(position.airlines) == {airline.id for airline in BOARD.airlines} - removed
    assert set(everything) == set(position.airlines) | {"scoring"}
    for airline in sorted(removed):
        assert refused(table, f"buy Madrid-Barcelona for {airline}").code == "not_in_play"
    table.submit(0, ["buy Paris-Madrid for red"])  # Madrid is the home of yellow
    assert sold(table) == {"paris-madrid": ("red",)}


@pytest.mark.rule("AE-S02", "AE-S03")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_starts_with_eight_million_out_of_thirty(players):
    position = opening(players).position
    assert [player.cash for player in position.players] == [8] * players
    assert position.bank == 22 * players


@pytest.mark.rule("AE-S04", "AE-T01")
def test_starting_victory_points_rise_by_seat():
    assert [player.vp for player in opening(3).position.players] == [1, 2, 3]


@pytest.mark.rule("AE-S04", "AE-R01", "AE-S09")
def test_start_player_drawn_by_lot_has_one_point_and_play_goes_clockwise_from_there():
    starts = set()
    for number in range(12):
        table, entry = start("airlines-europe", 4, {"start_player": "random"}, seed=b"%d" % number)
        first = table.position.active
        starts.add(first)
        assert [table.position.players[(first + k) % 4].vp for k in range(4)] == [1, 2, 3, 4]
        (market,) = [event for event in entry.row.events if isinstance(event, MarketOpened)]
        assert market.start_player == first
        for seat in range(4):
            table.submit(seat, [{"type": "choose", "shares": sorted(table.position.players[seat].hand)[:2]}])
        table.reveal()
        order = []
        for _ in range(4):
            order.append(table.decisions()[0].seat)
            table.submit(order[-1], ["take money"])
        assert order == [(first + k) % 4 for k in range(4)]
    assert starts == {0, 1, 2, 3}


@pytest.mark.rule("AE-R01", "AE-S09")
def test_the_first_seat_begins_unless_the_setting_says_otherwise():
    assert {start("airlines-europe", 4, seed=b"%d" % n)[0].position.active for n in range(6)} == {0}


@pytest.mark.rule("AE-S05")
def test_market_is_laid_out_before_the_hands_are_dealt():
    table, entry = start("airlines-europe", 3)
    assert types(entry.row.events) == ["MarketOpened", "Dealt", "Dealt", "Dealt"]
    in_play = [airline for airline in BOARD.airlines if airline.id in table.position.airlines]
    cards = [airline.id for airline in in_play for _ in range(airline.shares)]
    (shuffled,) = [draw for draw in entry.row.draws if draw.label == "deck"]
    order = [cards[place] for place in shuffled.result]
    assert table.position.market == [order.pop() for _ in range(5)]
    for player in table.position.players:
        assert Counter(player.hand) == Counter(order.pop() for _ in range(8))


@pytest.mark.rule("AE-S06")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_is_dealt_eight_shares(players):
    assert [sum(player.hand.values()) for player in opening(players).position.players] == [8] * players


@pytest.mark.rule("AE-S06", "AE-R02")
def test_a_hand_of_one_airline_is_shuffled_into_the_deck_and_dealt_anew_until_it_is_mixed():
    repeated = False
    for row in range(40):
        deck, hands = ["red"] * 40 + ["blue"] * 9, [["red"] * 8, ["red"] * 7 + ["grey"], ["red"] * 8]
        chance = Chance(b"key", row)
        assert setup.redeal_single_airlines(deck, hands, chance) == {0, 2}
        labels = [draw.label for draw in chance.draws]
        assert [label[7] for label in labels] == sorted(label[7] for label in labels)  # in seat order
        assert hands[1] == ["red"] * 7 + ["grey"]
        assert set(hands[0]) == set(hands[2]) == {"red", "blue"}
        assert sorted(deck + hands[0] + hands[2]) == ["blue"] * 9 + ["red"] * 56
        assert [len(hand) for hand in hands] == [8, 8, 8]
        repeated |= "redeal 0.1" in labels
    assert repeated


@pytest.mark.rule("AE-S06", "AE-R02")
def test_just_those_who_held_a_single_airline_are_said_to_be_dealt_anew():
    board = replace(BOARD, constants=replace(BOARD.constants, deal=2))  # two cards are often of one airline
    again = set()
    for number in range(30):
        table, entry = start("airlines-europe", 3, board=board, seed=b"%d" % number)
        redealt = {int(draw.label[7]) for draw in entry.row.draws if draw.label.startswith("redeal")}
        dealt = [event for event in entry.row.events if isinstance(event, Dealt)]
        assert {event.seat for event in dealt if event.again} == redealt
        assert [event.shares for event in dealt] == [tuple(sorted(p.hand)) for p in table.position.players]
        again |= redealt
    assert again == {0, 1, 2}


@pytest.mark.rule("AE-S06", "AE-R02")
def test_everybody_is_told_whose_hand_was_dealt_anew_but_not_what_was_in_it():
    table, _ = start("airlines-europe", 3)
    event = Dealt(1, 8, ("red",) * 7 + ("grey",), True)
    assert event.seen_by(table.viewer(1)).sentence(table.words) == (
        "Ben held shares of one airline only and is dealt a new hand: 7 red and grey."
    )
    assert event.seen_by(table.viewer(0)).sentence(table.words) == (
        "Ben held shares of one airline only and is dealt a new hand: 8 shares."
    )
    event = Dealt(1, 8, ("red",) * 7 + ("grey",))
    assert event.sentence(table.words) == "Ben is dealt 7 red and grey."
    assert event.seen_by(table.viewer(0)).sentence(table.words) == "Ben is dealt 8 shares."


def choices(table: Table) -> list[dict[str, object]]:
    return [{"type": "choose", "shares": sorted(player.hand)[:2]} for player in table.position.players]


@pytest.mark.rule("AE-S07", "AE-R04")
def test_opening_shares_are_revealed_together_and_pay_nothing():
    table = opening(3)
    for seat, choice in enumerate(choices(table)):
        assert table.missing() == tuple(range(seat, 3))
        table.submit(seat, [choice])
        assert [sum(player.hand.values()) for player in table.position.players] == [8, 8, 8]
    entry = table.reveal()
    assert types(entry.row.events) == ["Opened"] * 3
    for player, event in zip(table.position.players, entry.row.events, strict=True):
        assert isinstance(event, Opened)
        assert player.holdings == dict.fromkeys(event.shares, 1)
        assert sum(player.hand.values()) == 6
        assert player.cash == 8
    assert table.position.bank == 66
    assert table.position.phase == "turn"


@pytest.mark.rule("AE-S07", "AE-R04")
def test_opening_shares_must_be_two_of_different_airlines_in_the_hand():
    table = opening(2)
    table.position.players[0].hand = {"red": 3, "grey": 4, "white": 1}
    table = put(table, table.position)
    for shares, chosen in (
        (["red", "red"], "2 shares of 1 airline"),
        (["red"], "1 share of 1 airline"),
        (["red", "grey", "white"], "3 shares of 3 airlines"),
        ([], "0 shares of 0 airlines"),
    ):
        error = refused(table, {"type": "choose", "shares": shares}, seat=0)
        assert error.code == "not_two_airlines"
        assert error.message == f"Choose 2 shares of different airlines; not {chosen}."
        assert error.numbers == {"chosen": len(shares), "needed": 2}
    error = refused(table, {"type": "choose", "shares": ["red", "black"]}, seat=0)
    assert error.message == "1 black named, but none in your hand."
    table.submit(0, ["choose white, red"])
    assert sorted(table.sealed[0].order.move["shares"]) == ["red", "white"]


@pytest.mark.rule("AE-R04")
def test_a_sealed_choice_can_be_replaced_and_is_seen_by_nobody_before_the_reveal():
    table = opening(2)
    hand = sorted(table.position.players[0].hand)
    first = table.submit(0, [{"type": "choose", "shares": hand[:2]}]).receipt
    second = table.submit(0, [{"type": "choose", "shares": hand[-2:]}]).receipt
    assert first != second
    for seat in (0, 1, None):
        view = table.view(seat)
        assert view.sealed == (0,)
        assert [player.holdings for player in view.table.players] == [{}, {}]
    table.submit(1, [choices(table)[1]])
    table.reveal()
    assert sorted(table.position.players[0].holdings) == hand[-2:]


@pytest.mark.rule("AE-S07")
def test_the_clock_chooses_two_different_shares_for_whoever_is_late():
    table = opening(2)
    for seat in (0, 1):
        default = table.default(seat)
        assert len(set(default.shares)) == 2
        table.submit(seat, [{"type": "choose", "shares": list(default.shares)}], by="clock")
    assert table.reveal().row.orders[0].by == "clock"


@pytest.mark.rule("AE-S08", "AE-R03")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_scoring_cards_lie_under_the_first_quarter_in_the_middle_and_in_the_last_eleven(players):
    thirds = set()
    for number in range(60):
        table, _ = start("airlines-europe", players, {"jitter": False}, seed=b"%d" % number)
        cards = len(table.position.deck)
        first, second, third = scoring_cards(table)
        assert cards == DECK[players] + 3
        assert first == FIRST_PILE[players]
        assert second == first + 1 + ABOVE_SECOND[players]
        assert cards - 11 <= third < cards
        thirds.add(cards - third)
    assert thirds == set(range(1, 12))


@pytest.mark.rule("AE-S08")
def test_the_final_pile_is_made_of_the_top_ten_cards_and_the_quarter_of_the_next():
    deck = [f"card {n}" for n in range(53)]  # the last one is on top
    pile = setup.build_draw_pile(BOARD, Settings(jitter=False), deck, Chance(b"key", 0))
    assert set(pile[:11]) == {*deck[-10:], "scoring"}
    assert pile[-11:] == deck[32:43]
    assert pile[-12] == "scoring"
    assert [card for card in pile[11:-12] if card != "scoring"] == deck[:32]


@pytest.mark.rule("AE-R03")
def test_unless_a_setting_says_otherwise_the_first_two_scoring_cards_stray_by_up_to_two_cards():
    firsts, seconds = set(), set()
    for number in range(150):
        table, _ = start("airlines-europe", 3, seed=b"%d" % number)
        first, second, third = scoring_cards(table)
        firsts.add(first - 11)
        middle = 43 - first
        seconds.add(second - first - 1 - middle // 2)
        assert third >= 56 - 11
    assert firsts == seconds == {-2, -1, 0, 1, 2}


@pytest.mark.rule("AE-S10")
def test_airlines_start_on_the_spaces_of_their_colours_with_more_shares_starting_lower():
    position = opening(5).position
    assert {name: airline.marker for name, airline in position.airlines.items()} == {
        airline.id: 17 - airline.planes for airline in BOARD.airlines
    }
    assert position.airlines["green"].marker == position.airlines["orange"].marker == 8
    assert all(airline.home in BOARD.city for airline in BOARD.airlines)
    assert not any(position.licences)


@pytest.mark.rule("AE-T05", "AE-T06")
@pytest.mark.parametrize(
    ("players", "removed", "bank", "money", "shares"),
    [(4, {"yellow"}, 88, 120, 59), (2, {"yellow", "blue", "violet"}, 44, 60, 46)],
)
def test_worked_examples_of_the_setup(players, removed, bank, money, shares):
    position = opening(players).position
    assert {airline.id for airline in BOARD.airlines} - set(position.airlines) == removed
    assert position.bank == bank
    assert position.bank + sum(player.cash for player in position.players) == money
    assert len(position.deck) - 3 == shares


def test_settings_that_do_not_exist_are_refused():
    with pytest.raises(Exception, match="jittter"):
        opening(3, jittter=True)


def test_an_owned_rng_is_never_asked_by_the_rules():
    state = random.getstate()
    opening(5)
    assert random.getstate() == state

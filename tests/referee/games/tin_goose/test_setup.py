"""Setup, and the choice of airmail routes."""

import pytest

from referee.chance import Chance
from referee.games.tin_goose.events import AirmailBids, AirmailChosen, AirmailDiscarded, DemandDealt, RoundBegan
from referee.games.tin_goose.setup import by_bid, deal_demand
from referee.games.tin_goose.state import DemandTokens, Settings
from referee.games.tin_goose.tracks import hazard, income
from referee.table import decode_position
from tests.positions import happened, play, put
from tests.referee.games.tin_goose.setups import BOARD, asked, bid_all, only, refused, start


def chance(number: int) -> Chance:
    return Chance(b"key", number)


@pytest.mark.rule("TG-F06", "TG-R65", "TG-R12")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_colour_gets_one_gold_city_and_three_silver_ones_by_the_chart(players):
    silver = BOARD.demand_row[players].silver
    for number in range(20):
        demand, dealt = deal_demand(BOARD, players, chance(number))
        assert [event.colour for event in dealt] == ["", "green", "black", "magenta", "blue"]
        for event in dealt[1:]:
            assert len(set(event.cities)) == 4
            assert {BOARD.city[city].colour for city in event.cities} == {event.colour}
            assert (event.gold, event.silver) == ((1, 0, 0, 0), (0, *silver))
            for city, gold, number_of_silver in zip(event.cities, event.gold, event.silver, strict=True):
                assert demand[city] == DemandTokens(gold, number_of_silver)
        assert not any(tokens.gold and tokens.silver for tokens in demand.values())


@pytest.mark.rule("TG-F06", "TG-F07")
def test_chicago_and_new_york_have_gold_unless_they_are_dealt_silver():
    seen = set()
    for number in range(60):
        demand, dealt = deal_demand(BOARD, 4, chance(number))
        drawn = {city: silver for event in dealt[1:] for city, silver in zip(event.cities, event.silver, strict=True)}
        for city in ("chicago", "new_york"):
            silver = drawn.get(city, 0)
            assert demand[city] == (DemandTokens(0, silver) if silver else DemandTokens(1, 0))
            seen.add((city in drawn, silver > 0))
    assert seen == {(False, False), (True, False), (True, True)}  # not drawn, drawn for gold, drawn for silver


@pytest.mark.rule("TG-F07")
def test_the_log_tells_that_the_first_gold_token_goes():
    words = start(3)[0].words
    fixed = DemandDealt("", ("chicago", "new_york"), (1, 1), (0, 0))
    assert fixed.sentence(words) == "Demand: 1 gold in Chicago and 1 gold in New York."
    dealt = DemandDealt("black", ("omaha", "chicago", "denver"), (1, 0, 0), (0, 4, 2))
    assert dealt.sentence(words) == (
        "Demand in black: 1 gold in Omaha, 4 silver in Chicago (in place of its first gold) and 2 silver in Denver."
    )
    again = DemandDealt("blue", ("new_york",), (1,), (0,))
    assert again.sentence(words) == "Demand in blue: 1 gold in New York (in place of its first gold)."


@pytest.mark.rule("TG-F06")
def test_the_demand_cards_are_shuffled_anew_for_each_colour():
    drawn = chance(1)
    deal_demand(BOARD, 3, drawn)
    assert [draw.label for draw in drawn.draws] == ["demand green", "demand black", "demand magenta", "demand blue"]
    assert {draw.size for draw in drawn.draws} == {12}


@pytest.mark.rule("TG-F08", "TG-EX7")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_is_dealt_ten_cards_and_one_airmail_card_more_than_players_lies_open(players):
    position = start(players)[0].position
    for player in position.players:
        assert [BOARD.card[card].era for card in player.hand] == ["gold"] * 3 + ["blue"] * 4 + ["red"] * 3
    cards = [card for player in position.players for card in player.hand] + position.removed
    assert sorted(cards) == sorted(BOARD.card)
    assert len(position.airmail) == players + 1


@pytest.mark.rule("TG-F09", "TG-F10", "TG-EX5", "TG-F03")
def test_what_everybody_begins_with():
    position = start(5)[0].position
    for player in position.players:
        assert (player.cash, player.labor_chips, player.bonds) == (40, 2, 0)
        assert [(fleet.card, fleet.planes) for fleet in player.fleets] == [("ford_trimotor", 2)]
        assert player.conditions == [condition.id for condition in BOARD.conditions]
        assert (income(BOARD, player), player.income_box) == (3, 1)
        assert hazard(BOARD, player) == 7
        player.conditions.remove("irregular_safety_procedures")
        assert hazard(BOARD, player) == 3


@pytest.mark.rule("TG-F26")
def test_the_variant_deals_everybody_just_one_event_of_each_era():
    for seed in (b"one", b"two", b"three"):
        position = start(5, Settings(even_events=True), seed)[0].position
        for player in position.players:
            kinds = [(BOARD.card[card].era, BOARD.card[card].kind == "fleet") for card in player.hand]
            assert [kinds.count((era, True)) for era in ("gold", "blue", "red")] == [2, 3, 2]
            assert [kinds.count((era, False)) for era in ("gold", "blue", "red")] == [1, 1, 1]


@pytest.mark.rule("TG-F12", "TG-R02")
def test_everybody_pays_the_own_bid_and_chooses_from_the_highest_down():
    table, _ = start(4)
    (bids,) = bid_all(table, [3, 12, 0, 7])
    assert bids == AirmailBids((3, 12, 0, 7), (1, 3, 0, 2))
    assert [player.cash for player in table.position.players] == [37, 28, 40, 33]
    order = []
    while table.position.phase == "airmail_choice":
        order.append(asked(table)[1][0])
        outcome = play(table, {"type": "choose", "airmail": table.position.airmail[0]})
    assert order == [1, 3, 0, 2]
    assert asked(table) == ("card", (1,))
    assert happened(outcome, RoundBegan) == [RoundBegan(1, "gold", "havana")]


@pytest.mark.rule("TG-F12", "TG-R06", "TG-EX7")
def test_the_start_plane_leaves_income_and_demand_alone_and_the_last_route_is_discarded():
    table, _ = start(4)
    bid_all(table, [4, 3, 2, 1])
    position = decode_position(table.game, table.position_json)
    position.demand = {route.start: DemandTokens(silver=2) for route in BOARD.airmail_routes}
    table = put(table, position)
    before = table.position.demand
    for number in range(4):
        airmail = table.position.airmail[-1]
        outcome = play(table, {"type": "choose", "airmail": airmail})
        player = table.position.players[number]
        city = BOARD.airmail[airmail].start
        assert happened(outcome, AirmailChosen) == [AirmailChosen(number, airmail, city)]
        assert (player.cities, player.airmail, player.fleets[0].planes) == ([city], airmail, 1)
        assert (player.income_box, player.cash) == (BOARD.income_track.start, 36 + number)
    assert table.position.demand == before
    assert len(happened(outcome, AirmailDiscarded)[0].airmail) == 1
    assert table.position.airmail == []
    assert len(table.position.airmail_discards) == 9 - 4


@pytest.mark.rule("TG-R01")
def test_equal_bids_are_ordered_by_lot_and_the_first_of_all_begins():
    orders = {tuple(by_bid([5, 5, 9, 5], chance(number))) for number in range(60)}
    assert {order[0] for order in orders} == {2}
    assert len(orders) == 6
    assert by_bid([1, 2, 3], chance(0)) == [2, 1, 0]
    beginners = set()
    for number in range(12):
        table, _ = start(3, seed=b"lot %d" % number)
        (bids,) = only(bid_all(table, [0, 0, 0]), AirmailBids)
        assert table.position.first == table.position.active == bids.order[0]
        beginners.add(bids.order[0])
    assert beginners == {0, 1, 2}


@pytest.mark.rule("TG-R03")
def test_an_airmail_bid_is_from_nothing_to_all_the_cash():
    table, _ = start(3)
    error = refused(table, "bid 41", seat=0)
    assert (error.code, error.numbers, error.nearest) == (
        "too_expensive",
        {"bid": 41, "cash": 40},
        {"type": "bid", "amount": 0},
    )
    assert refused(table, {"type": "bid", "amount": -1}, seat=0).message == (
        "Bid from $0 to $40, as much as you have; not -$1."
    )
    bid_all(table, [40, 0, 1])
    assert [player.cash for player in table.position.players] == [0, 40, 39]
    assert [player.bonds for player in table.position.players] == [0, 0, 0]


def test_an_airmail_route_that_is_taken_cannot_be_chosen():
    table, _ = start(3)
    bid_all(table, [3, 2, 1])
    airmail = table.position.airmail[0]
    play(table, {"type": "choose", "airmail": airmail})
    error = refused(table, {"type": "choose", "airmail": airmail})
    assert error.code == "not_on_offer"
    assert all(BOARD.route_name(route) in error.message for route in table.position.airmail)


def test_a_bid_is_in_nobodys_sight_before_the_reveal():
    table, _ = start(3)
    before = [table.view(seat).table for seat in (None, 1, 2)]
    table.submit(0, ["bid 17"])
    assert [table.view(seat).table for seat in (None, 1, 2)] == before
    assert table.view(1).sealed == (0,)

"""The setup: what is in the box, what is dealt, and advanced play."""

from collections import Counter

import pytest

from referee.games.spike.board import PARTS
from referee.games.spike.events import ContractsDealt, Dealt, Gave, MarketOpened, RoutesDealt, TurnedOver
from referee.table import decode_position
from tests.positions import PLAYERS, happened, offered, play, put, refused, start, types
from tests.referee.games.spike.setups import BOARD, GAME, me

ADVANCED = {"advanced": True}


def hand_size(table, seat):
    return sum(me(table, seat).hand.values())


@pytest.mark.rule("SP-F01")
def test_the_box_holds_what_the_rulebook_counts():
    assert len(BOARD.rail_types) * 10 == sum(rail.cards for rail in BOARD.rail_types) == 60
    assert len(BOARD.contracts) == len(BOARD.routes) == 36
    assert len(BOARD.commodities) == BOARD.components.cargo_tokens == BOARD.components.delivery_markers == 12
    assert (BOARD.components.tracks, BOARD.components.time_cards) == (45, 3)
    assert all(len(BOARD.levels(part)) == 3 for part in PARTS)


@pytest.mark.rule("SP-F02")
def test_there_are_ten_cards_of_each_of_six_rail_types():
    table, _ = start("spike", 3)
    position = table.position
    cards = Counter(position.deck)
    for player in position.players:
        cards.update(player.hand)
    assert cards == {rail.id: 10 for rail in BOARD.rail_types}
    assert {"Solid White", "Dotted Blue"} <= {rail.name for rail in BOARD.rail_types}


@pytest.mark.rule("SP-R01")
def test_the_game_is_called_spike():
    assert (GAME.key, GAME.name) == ("spike", "Spike")


@pytest.mark.rule("SP-F03")
def test_twelve_chips_lie_in_four_columns_of_three_rows():
    seen = set()
    for seed in (b"one", b"two", b"three"):
        table, entry = start("spike", 2, seed=seed)
        market = table.position.market
        assert [len(column) for column in market] == [3, 3, 3, 3]
        assert {chip for column in market for chip in column} == {commodity.id for commodity in BOARD.commodities}
        assert entry.row.events[0] == MarketOpened(tuple(map(tuple, market)), 0)
        seen.add(str(market))
    assert len(seen) == 3


@pytest.mark.rule("SP-F04", "SP-R58")
@pytest.mark.parametrize(("players", "number"), [(2, 6), (3, 4), (4, 3)])
def test_one_contract_of_each_commodity_is_dealt_equally_with_one_side(players, number):
    sides = set()
    for seed in (b"one", b"two", b"three", b"four"):
        table, entry = start("spike", players, seed=seed)
        assert [len(player.contracts) for player in table.position.players] == [number] * players
        held = {goods: contract for player in table.position.players for goods, contract in player.contracts.items()}
        assert set(held) == {commodity.id for commodity in BOARD.commodities}
        for goods, contract in held.items():
            assert BOARD.contract[contract.card].commodity == goods
            assert (contract.aboard, contract.delivered) == (False, "")
            sides.add((goods, contract.card, contract.side))
        dealt = [event for event in entry.row.events if isinstance(event, ContractsDealt)]
        assert [len(event.contracts) for event in dealt] == [number] * players
    assert len({side for _, _, side in sides}) == 2
    assert len({card for _, card, _ in sides}) > 12


@pytest.mark.rule("SP-F05", "SP-EX10")
@pytest.mark.parametrize("players", [3, 4])
def test_the_starting_player_gives_a_card_to_the_right_and_play_goes_clockwise(players):
    table, entry = start("spike", players)
    assert [event.count for event in entry.row.events if isinstance(event, Dealt)] == [5] * players
    assert table.position.display == []
    card = min(me(table).hand)
    outcome = play(table, f"give {card}")
    assert happened(outcome, Gave) == [Gave(0, players - 1, card)]
    assert [hand_size(table, seat) for seat in range(players)] == [4, *[5] * (players - 2), 6]
    assert len(table.position.display) == 4
    assert [len(event.routes) for event in happened(outcome, RoutesDealt)] == [1] * players
    for seat in range(players):
        assert table.decisions()[0].seat == seat
        play(table, "place Boston")  # sharing a city is fine
    assert {player.at for player in table.position.players} == {"boston"}
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, "turn")]


@pytest.mark.rule("SP-F05", "SP-EX9")
def test_two_players_have_forty_two_rail_cards_and_six_contracts_each():
    table, _ = start("spike", 2)
    cards = Counter(table.position.deck)
    for player in table.position.players:
        cards.update(player.hand)
    assert cards == {rail.id: 7 for rail in BOARD.rail_types}
    assert sum(cards.values()) == 42
    assert [len(player.contracts) for player in table.position.players] == [6, 6]


@pytest.mark.rule("SP-R46")
def test_with_two_players_the_gift_goes_to_the_opponent():
    table, _ = start("spike", 2)
    play(table, {"type": "give", "card": min(me(table).hand)})
    assert (hand_size(table, 0), hand_size(table, 1)) == (4, 6)


def test_a_card_that_is_not_in_the_hand_cannot_be_given():
    table, _ = start("spike", 2)
    position = decode_position(table.game, table.position_json)
    position.players[0].hand = {"red": 5}
    table = put(table, position)
    with pytest.raises(Exception, match="none in your hand"):
        play(table, "give blue")


@pytest.mark.rule("SP-R04", "SP-EX12", "SP-F06")
def test_placing_a_locomotive_pays_nothing_and_the_train_is_the_smallest():
    table, _ = start("spike", 2)
    play(table, {"type": "give", "card": min(me(table).hand)})
    play(table, "place Norfolk")
    assert me(table).score == 0
    assert table.view(0).table.players[0].train == {"speed": 1, "power": 2, "cargo": 1}


@pytest.mark.rule("SP-F17")
def test_advanced_players_turn_contracts_over_in_secret_and_keep_one_of_two_routes():
    table, entry = start("spike", 3, ADVANCED)
    assert [hand_size(table, seat) for seat in range(3)] == [0, 0, 0]  # contracts come before the rail cards
    assert not [event for event in entry.row.events if isinstance(event, Dealt)]
    sides = {goods: contract.side for goods, contract in me(table).contracts.items()}
    turned = sorted(sides)[:2]
    assert table.submit(0, [f"turn {' '.join(turned)}"]).receipt
    table.submit(1, ["turn nothing"])
    assert me(table).contracts[turned[0]].side == sides[turned[0]]  # not before the reveal
    table.submit(2, [{"type": "turn_over", "contracts": []}])
    revealed = table.reveal()
    assert TurnedOver(0, tuple(turned)) in revealed.row.events
    for goods, contract in me(table).contracts.items():
        assert (contract.side != sides[goods]) == (goods in turned)
    play(table, f"give {min(me(table).hand)}")
    assert [len(player.routes) for player in table.position.players] == [2, 2, 2]
    kept = [player.routes[1] for player in table.position.players]
    for seat, route in enumerate(kept):
        table.submit(seat, [f"keep {route}"])
    table.reveal()
    assert [player.routes for player in table.position.players] == [[route] for route in kept]
    assert table.decisions()[0].phase == "placement"


def test_advanced_players_are_told_what_they_can_turn_over_and_keep():
    table, _ = start("spike", 4, ADVANCED)
    others = {commodity.id for commodity in BOARD.commodities} - set(me(table).contracts)
    error = refused(table, f"turn {min(others)}", seat=0)
    assert error.message.startswith("You can turn over your contracts for ")
    assert all(goods in error.message for goods in me(table).contracts)
    for seat in range(4):
        table.submit(seat, ["turn nothing"])
    table.reveal()
    play(table, f"give {min(me(table).hand)}")
    dealt = me(table).routes
    other = next(route.id for route in BOARD.routes if route.id not in dealt)
    error = refused(table, f"keep {other}", seat=0)
    assert all(route.upper() in error.message for route in dealt)
    assert other.upper() not in error.message


def test_a_starting_player_drawn_by_lot_gives_and_places_first():
    starts = set()
    for number in range(12):
        table, entry = start("spike", 3, {"start_player": "random"}, seed=bytes([number]))
        first = entry.row.events[0].start_player
        starts.add(first)
        assert table.decisions()[0].seat == first
        outcome = play(table, f"give {min(me(table, first).hand)}")
        assert happened(outcome, Gave)[0].to == (first - 1) % 3
        assert table.decisions()[0].seat == first
    assert starts == {0, 1, 2}


def test_the_setup_is_told_in_the_order_of_the_rulebook():
    table, entry = start("spike", 2)
    assert types(entry.row.events) == ["MarketOpened", *["ContractsDealt"] * 2, *["Dealt"] * 2]
    outcome = play(table, f"give {min(me(table).hand)}")
    assert types(outcome.entries[0].row.events) == ["Gave", "DisplayOpened", *["RoutesDealt"] * 2]
    assert PLAYERS[0] in outcome.entries[0].row.events[0].sentence(table.words)
    assert offered(table) == {"Place"}

"""What the referee plays for those who are late, and for those who have no choice."""

import random
from collections import Counter

import msgspec
import pytest

from referee.games import open_game
from referee.games.airlines_europe.bounds import most_turns
from referee.games.airlines_europe.events import BankBankrupt, TookMoney
from referee.games.airlines_europe.rules import has_a_choice
from referee.games.airlines_europe.state import Buy, Choose, Player, PlayShares, TakeMoney, TakeShare, Trade
from referee.options import Move, sample, type_name
from referee.record import carry_over
from referee.table import Table, open_table
from tests.positions import PLAYERS, asked, copy_of, edit, happened, offered, play, put, sentences, start
from tests.referee.games.airlines_europe.setups import BOARD, at

RICH = [40, 30, 13]  # of 90 million, which leaves 7 in the bank


def with_lot(table: Table, *lot: str) -> Table:
    return edit(table, seat=0, lot=list(lot))


@pytest.mark.rule("AE-R46", "AE-S07")
def test_the_opening_of_a_late_player_is_drawn_by_lot_and_is_not_a_function_of_the_hand():
    hand = {"red": 3, "grey": 2, "white": 1, "black": 2}
    pairs = Counter()
    for number in range(240):
        table, entry = start("airlines-europe", 3, seed=b"%d" % number)
        assert [draw.label for draw in entry.row.draws if draw.label.startswith("lot")] == ["lot 0", "lot 1", "lot 2"]
        default = edit(table, seat=0, hand=hand).default(0)
        assert isinstance(default, Choose)
        assert len(default.shares) == 2
        pairs[default.shares] += 1
    assert len(pairs) == 6  # every pair of the four airlines, for one and the same hand
    assert min(pairs.values()) > 20


@pytest.mark.rule("AE-R46")
def test_a_lot_is_shown_to_its_own_seat_only_and_drawn_anew_for_others_in_an_imagined_world():
    table, _ = start("airlines-europe", 3)
    lots = [player.lot for player in table.position.players]
    assert all(sorted(lot) == sorted(table.position.airlines) for lot in lots)
    for viewer in (0, 1, None):
        seen = [player.lot for player in table.view(viewer).table.players]
        assert seen == [tuple(lot) if seat == viewer else None for seat, lot in enumerate(lots)]
    other = table.game.imagine(table.view(0), random.Random(1))
    assert other.players[0].lot == lots[0]
    assert other.players[1].lot != lots[1]
    assert other.players[2].lot != lots[2]


@pytest.mark.rule("AE-R46")
def test_a_game_of_the_first_rules_has_no_lots_and_chooses_as_it_did():
    table, entry = open_table(open_game("airlines-europe", 3, version="1"), PLAYERS[:3], b"seed")
    assert not any(draw.label.startswith("lot") for draw in entry.row.draws)
    assert b'"lot"' not in table.position_json
    assert isinstance(table.default(0), Choose)
    position = at(3, cash=RICH, hands=[{"red": 1}, {}, {}]).position
    position.players[0].lot = msgspec.UNSET
    assert put(table, position).default(0) == TakeMoney()


@pytest.mark.rule("AE-R46", "AE-A17")
def test_a_late_player_takes_money_as_long_as_that_costs_nothing():
    assert at(3, hands=[{"red": 1}, {}, {}]).default(0) == TakeMoney()
    assert at(3, cash=[16, 30, 38], bank=6, hands=[{"red": 1}, {}, {}]).default(0) == TakeMoney()  # 8 are left, and 8
    assert at(3, cash=[40, 30, 12], bank=8, hands=[{"red": 1}, {}, {}]).default(0) == TakeMoney()  # it can pay


@pytest.mark.rule("AE-R46", "AE-B01")
def test_a_late_player_does_not_break_the_bank_at_an_own_loss():
    table = with_lot(at(3, cash=RICH, hands=[{"red": 2, "black": 1}, {}, {}]), "white", "black", "red")
    assert table.position.bank == 7
    assert table.default(0) == PlayShares(("black",))
    play(table, table.default(0))
    assert table.position.players[0].cash == 42
    table = with_lot(at(3, cash=RICH, hands=[{"red": 2, "air_abacus": 1}, {}, {}]), "red")
    assert table.default(0) == PlayShares(("air_abacus",))  # all know that it is there
    table = with_lot(at(3, cash=[47, 30, 12], hands=[{"red": 2}, {}, {}]), "red")
    assert table.position.bank == 1
    assert table.default(0) == Trade(hand=("red",))
    play(table, table.default(0))
    assert table.position.players[0].cash == 47


@pytest.mark.rule("AE-R46")
def test_a_late_player_with_an_empty_hand_buys_a_cheap_licence_rather_than_lose_more():
    table = at(3, cash=RICH, holdings=[{"white": 1, "brown": 2, "green": 1}, {}, {}])  # would keep 16 of 40
    assert table.default(0) == Buy("bucharest-istanbul", "brown")  # 3 million, as many others, and brown is shown most
    table = at(3, cash=[19, 30, 37], holdings=[{"brown": 2}, {}, {}])
    assert (table.position.bank, table.default(0)) == (4, TakeMoney())  # 3 million are lost either way
    table = at(3, cash=[47, 30, 12], hands=[{"red": 2}, {}, {}], air_abacus=0)
    assert isinstance(table.default(0), Buy)


@pytest.mark.rule("AE-R46")
def test_a_late_player_draws_from_the_pile_and_takes_from_a_cleared_market_what_the_holdings_show_most_of():
    assert at(3, phase="share").default(0) == TakeShare("pile")
    table = at(3, phase="clearing", scorings=1, holdings=[{}, {"green": 1, "orange": 2, "white": 5}, {}])
    assert asked(table) == [1]
    assert table.default(1) == TakeShare("orange")
    assert at(3, phase="clearing", scorings=1).default(1) == TakeShare("black")  # holds none: the first of the market


@pytest.mark.rule("AE-R46")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_default_makes_a_late_player_poorer_or_takes_away_a_share(players):
    """Among others who hoard, so that banks break: a default costs its player neither money nor shares."""
    played = Counter()
    for seed in range(8):
        played += losses(players, seed)
    assert played["defaults"] > 150
    assert played["poorer"] == played["fewer shares"] == 0
    assert played["bought"] < played["defaults"] / 50  # only where all else costs more


def losses(players: int, seed: int) -> Counter:
    """In a game in which seat 0 is always late: how many defaults there were, and how many made it worse off."""
    rng, found = random.Random(seed), Counter()
    table, _ = start("airlines-europe", players, seed=b"%d" % seed)
    while not table.is_over:
        seat = table.acting()[0]
        move = table.default(seat) if seat == 0 else hoarding(table, seat, rng)
        before = copy_of(table).players[seat]
        outcome = table.submit(seat, [msgspec.to_builtins(move)])
        if table.sealed and not table.missing():
            table.reveal()
        elif seat == 0 and outcome.entries:
            by_others = [event for event in happened(outcome, BankBankrupt) if event.seat != 0]
            after = table.position.players[seat]
            found["defaults"] += 1
            found["bought"] += isinstance(move, Buy)
            found["poorer"] += after.cash < before.cash and not by_others and not isinstance(move, Buy)
            found["fewer shares"] += shares(after) < shares(before)
    return found


def hoarding(table: Table, seat: int, rng: random.Random) -> Move:
    """Takes money two times in three, so that banks break, else anything."""
    offers = table.offers(seat)
    money = [offer for offer in offers if offer.move is TakeMoney]
    return sample(money if money and rng.random() < 0.67 else offers, rng)


def shares(player: Player) -> int:
    return sum(player.hand.values()) + sum(player.holdings.values())


@pytest.mark.rule("AE-R46")
def test_a_running_game_of_the_first_rules_goes_on_under_the_second_with_lots():
    table, entry = open_table(open_game("airlines-europe", 3, version="1"), PLAYERS[:3], b"seed")
    entries, rng = [entry], random.Random(1)
    while table.sequence < 30:
        seat = table.acting()[0]
        entries += table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))]).entries
        if table.sealed and not table.missing():
            entries.append(table.reveal())
    carry_over(table, entries, "2")
    assert table.game.version == "2"
    assert all(player.lot for player in table.position.players)


# No choice


@pytest.mark.rule("AE-R47", "AE-A02")
def test_who_can_do_nothing_but_take_money_is_given_it_unasked():
    table = at(3, cash=[8, 2, 8], air_abacus=0, holdings=[{}, {"red": 2}, {}], hands=[{"red": 1}, {}, {"red": 1}])
    outcome = play(table, "take money")
    assert happened(outcome, TookMoney) == [TookMoney(0, 8), TookMoney(1, 8, True)]
    assert asked(table) == [2]
    assert sentences(table, outcome)[-1] == "Ben can do nothing else and takes 8 million from the bank (AE-R47)."
    assert table.position.players[1].cash == 10


@pytest.mark.rule("AE-R47")
@pytest.mark.parametrize(
    "fields",
    [
        {"cash": [8, 3, 8]},  # a licence can be paid
        {"hands": [{"red": 1}, {"red": 1}, {"red": 1}]},  # a share can be played
        {"air_abacus": 1},  # a share can be traded
    ],
)
def test_who_can_do_anything_else_is_asked(fields):
    without = {"cash": [8, 2, 8], "air_abacus": 0, "hands": [{"red": 1}, {}, {"red": 1}]}
    table = at(3, holdings=[{}, {"red": 2}, {}], **without | fields)
    play(table, "take money")
    assert asked(table) == [1]
    assert len(offered(table)) > 1


@pytest.mark.rule("AE-R47", "AE-R17")
def test_money_given_unasked_may_break_the_bank_and_bring_a_scoring():
    table = at(
        3, cash=[42, 2, 38], bank=8, air_abacus=0, hands=[{"red": 1}, {}, {"red": 1}],
        pile=["white", "scoring", "grey", "white", "grey", "red", "black"],
    )  # fmt: skip
    outcome = play(table, "take money")
    assert [type(event).__name__ for event in happened(outcome)] == [
        "TookMoney",
        "BankBankrupt",
        "TookMoney",
        "ScoringCardUp",
    ]
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(2, "clearing")]


@pytest.mark.rule("AE-R47")
def test_the_first_rules_ask_also_who_has_no_choice():
    table, _ = open_table(open_game("airlines-europe", 3, version="1"), PLAYERS[:3], b"seed")
    position = at(3, cash=[8, 2, 8], air_abacus=0, hands=[{"red": 1}, {}, {"red": 1}]).position
    table = put(table, position)
    play(table, "take money")
    assert asked(table) == [1]


@pytest.mark.rule("AE-R47")
def test_a_hand_of_two_airlines_is_asked_for_its_opening_all_the_same():
    table = edit(start("airlines-europe", 2)[0], seat=0, hand={"red": 4, "grey": 4})
    assert asked(table) == [0, 1]


@pytest.mark.rule("AE-R47")
def test_whether_there_is_a_choice_is_what_the_offers_say():
    for seed in range(4):
        rng = random.Random(seed)
        table, _ = start("airlines-europe", 2 + seed, seed=b"%d" % seed)
        while not table.is_over:
            seat = table.acting()[0]
            if table.position.phase == "turn":
                position = copy_of(table)
                position.air_abacus, position.players[seat].hand = rng.randrange(2), {}
                position.players[seat].cash = rng.randrange(6)
                other = put(table, position)
                assert has_a_choice(BOARD, position) == (offered(other, seat) != {"TakeMoney"})
            table.submit(seat, [msgspec.to_builtins(sample(table.offers(seat), rng))])
            if table.sealed and not table.missing():
                table.reveal()


# A game must end


@pytest.mark.rule("AE-R43")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_game_reaches_the_bound_on_its_turns_neither_careless_nor_dragged_out(players):
    bound = most_turns(BOARD, players)
    assert bound < 700
    for seed, wish in enumerate(("take_money", "trade", "play_shares", "buy", "")):
        rng = random.Random(seed)
        table, _ = start("airlines-europe", players, {"jitter": bool(seed % 2)}, seed=b"%d" % seed)
        turns = 0
        while not table.is_over:
            seat = table.acting()[0]
            offers = table.offers(seat)
            wished = [offer for offer in offers if type_name(offer.move) == wish]
            turns += table.position.phase == "turn"
            table.submit(seat, [msgspec.to_builtins(sample(wished or offers, rng))])
            if table.sealed and not table.missing():
                table.reveal()
            assert turns < bound
        assert turns < bound / 2


@pytest.mark.rule("AE-R43")
def test_a_turn_holds_two_licences_and_a_share_at_most():
    table = at(3, cash=[60, 10, 10])
    play(table, "buy London-Paris for grey", "buy London-Paris for red", "take pile")
    assert asked(table) == [1]

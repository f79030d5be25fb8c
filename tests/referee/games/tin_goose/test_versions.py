"""Games that were begun under the first rules: they go on as before, or under the second where nothing would differ."""

import pytest

from referee.errors import StaysBehind
from referee.record import carry_over
from referee.table import open_table
from tests.referee.games.tin_goose.setups import BOARD, GAME


def first_rules():
    """A game of rules 1 after the choice of airmail routes, and its log."""
    table, entry = open_table(GAME.of_version("1", BOARD, 3), ["Anna", "Ben", "Cora"], b"old" * 11)
    for seat, amount in enumerate((3, 2, 1)):
        table.submit(seat, [{"type": "bid", "amount": amount}])
    entries = [entry, table.reveal()]
    for seat in (0, 1, 2):
        entries += table.submit(seat, [table.default(seat)]).entries
    return table, entries


def submit(table, entries, *orders):
    for order in orders:
        entries += table.submit(table.decisions()[0].seat, [order]).entries


@pytest.mark.rule("TG-R67")
def test_a_game_goes_over_to_the_second_rules_before_its_first_forced_advance():
    table, entries = first_rules()
    submit(table, entries, table.default(0), "pass")
    carry_over(table, entries, "2")
    assert table.game.version == "2"
    assert table.position.bidding.bids == [0]  # who has passed is known from the log
    submit(table, entries, "pass", "pass")
    assert table.position.taken == ["advance income"]


@pytest.mark.rule("TG-R67")
def test_a_game_with_a_forced_advance_in_its_log_stays_under_the_first_rules():
    table, entries = first_rules()
    submit(table, entries, table.default(0), "pass", "pass", "pass", "advance income")
    with pytest.raises(StaysBehind):
        carry_over(table, entries, "2")
    assert table.game.version == "1"


@pytest.mark.rule("TG-R35")
def test_under_the_first_rules_too_a_deployment_says_what_it_removes():
    """How an order is read is no matter of the record."""
    table, entries = first_rules()
    submit(table, entries, table.default(0), "pass", "pass", "bid 1", "deploy and remove nothing")
    assert table.position.players[0].forgone == 1
    assert b"bids" not in table.position_json

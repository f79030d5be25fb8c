"""Defaults are held against passing in the same game, and a default that hurts is found."""

from typing import Any

import pytest

from bench.defaults import PASSING, passing_move, played, run
from referee.games import all_games, open_game
from referee.games.tin_goose.auction import Auction
from referee.games.tin_goose.state import Bid
from referee.options import type_name
from tests.positions import table


@pytest.mark.parametrize("key", sorted(PASSING))
def test_what_passing_means_is_told_in_moves_of_the_game(key: str) -> None:
    names = {type_name(kind): kind for phase in all_games()[key].phase_types for kind in phase.moves}
    for name, fields in PASSING[key]:
        assert name in names
        assert set(fields) <= set(names[name].__struct_fields__)


def test_every_game_that_ships_is_compared() -> None:
    assert set(PASSING) == set(all_games())


def test_the_same_game_comes_out_the_same_every_time() -> None:
    game = open_game("airlines-europe", 3)
    assert played(game, 5, 1, passes=True) == played(game, 5, 1, passes=True)


def test_who_passes_does_as_little_as_there_is() -> None:
    current = table("airline-1975", 2)
    assert passing_move(current, min(current.awaited())) is None, "a base must be chosen"
    bidding = table("tin-goose", 3)
    assert passing_move(bidding, 0) == Bid(0)


def spend_all(self: Any, position: Any, seat: int) -> Any:
    """The whole cash for whatever fleet comes up."""
    offer = next(self.offer_bid(position, seat), None)
    return Bid(offer.domains["amount"].high) if offer else default(self, position, seat)


default = Auction.default


def test_a_default_that_burns_money_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Auction, "default", spend_all)
    assert run(["tin-goose", "--games", "20"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("| worse |")


def test_a_game_without_a_word_for_passing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chess"]) == 2
    assert "What passing means in 'chess' is not told" in capsys.readouterr().err

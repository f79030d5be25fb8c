"""No secret is told: a leak planted in a game, on each channel and beside each kind of lawful opening, is found."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from referee.conformance import PARTS
from referee.conformance.playing import Broken
from referee.contract import Event, Game, Play, Words, digest
from referee.errors import IllegalOrder
from referee.games import open_game
from referee.games.airlines_europe import AirlinesEurope, rules
from referee.games.airlines_europe.state import DrewShare, TakeMoney, TakeShare, Trade, Traded
from referee.games.tin_goose import TinGoose
from referee.options import Offer, OneOf
from referee.table import Outcome, Table

Patch = pytest.MonkeyPatch


class Whispered(Event, frozen=True):
    what: str

    def sentence(self, words: Words) -> str:
        return f"Somebody whispers {self.what}."


def top_card(position: Any) -> str:
    return str(position.deck[-1:])


def is_told(key: str, seed: int, every: int = 4) -> str:
    """What the secrets part of the kit says of a game."""
    with pytest.raises(Broken) as broken:
        PARTS["secrets"](open_game(key, 3), Random(seed), every)
    return str(broken.value)


# A row also tells something that its view does not show. Next to what opens, and to what is hidden only in this row.
WHISPERS: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("airlines-europe", "Dealt", top_card),  # in the setup
    ("airlines-europe", "Dealt", lambda position: position.players[0].hand),
    ("airlines-europe", "Opened", lambda position: position.players[0].hand),  # where sealed choices are shown
    ("airlines-europe", "MarketRefilled", top_card),  # where the top card opens, the one below it
    ("airlines-europe", "MarketCleared", lambda position: position.deck[-7:-6]),  # where five open, one below them
    ("airlines-europe", "DrewShare", top_card),
    ("airlines-europe", "TookMoney", lambda position: position.players[1].vp),
    ("airlines-europe", "Traded", lambda position: sorted(position.discards)),
    ("kings-of-air-and-steam", "Planned", lambda position: position.players[0].plan[1:]),  # beside what opens at once
    ("kings-of-air-and-steam", "CycleBegan", lambda position: position.players[0].plan[:1]),  # the next card but one
    ("kings-of-air-and-steam", "CycleBegan", lambda position: sorted(position.players[2].deck)),
    ("spike", "Dealt", top_card),
    ("spike", "Gave", lambda position: position.players[0].hand),
    ("spike", "DisplayRefilled", top_card),
    ("spike", "DrewCard", lambda position: position.players[1].routes),
    ("spike", "RoundBegan", top_card),  # of a deck that is shuffled in this very row
    ("tin-goose", "Dealt", lambda position: position.players[2].hand),
    ("tin-goose", "CardPlayed", lambda position: position.players[position.active].hand[:1]),
    ("tin-goose", "FleetBought", lambda position: position.players[0].cash),
    ("tin-goose", "IncomeCollected", lambda position: position.players[1].bonds),
    ("tin-goose", "DiscardedFaceDown", lambda position: position.removed),
]


@pytest.mark.parametrize(
    ("key", "beside", "secret"),
    [pytest.param(*one, id=f"{one[0]}-{one[1]}-{place}") for place, one in enumerate(WHISPERS)],
)
def test_a_secret_whispered_in_a_row_is_heard(
    key: str, beside: str, secret: Callable[[Any], Any], monkeypatch: Patch
) -> None:
    whisper(monkeypatch, beside, secret)
    assert "Somebody whispers" in is_told(key, 1) or "events." in is_told(key, 1)


def whisper(monkeypatch: Patch, beside: str, secret: Callable[[Any], Any]) -> None:
    tell = Play.tell

    def tell_more(self: Play[Any], event: Event) -> None:
        tell(self, event)
        if type(event).__name__ == beside:
            tell(self, Whispered(str(secret(self.position))))

    monkeypatch.setattr(Play, "tell", tell_more)

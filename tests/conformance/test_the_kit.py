"""The conformance checks can fail: each way to break Airlines Europe is found by the part that looks for it."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from referee.conformance import PARTS, playing, records
from referee.conformance.playing import Broken
from referee.contract import EVERYTHING, Standing
from referee.errors import IllegalOrder
from referee.games import open_game
from referee.games.airlines_europe import AirlinesEurope, cards, rules
from referee.games.airlines_europe.state import Buy, DrewShare, TakeShare, TookMoney, Trade, Traded
from referee.options import Bag, Offer, OneOf
from referee.table import Table

view, imagine = AirlinesEurope.view, AirlinesEurope.imagine
play_buy, play_take_share = rules.Licences.play_buy, rules.Share.play_take_share
illegal = Table._illegal


def view_of_all_hands(self: Any, position: Any, viewer: Any) -> Any:
    shown = view(self, position, viewer)
    players = [
        msgspec.structs.replace(one, hand=player.hand)
        for one, player in zip(shown.players, position.players, strict=True)
    ]
    return msgspec.structs.replace(shown, players=tuple(players))


def standings_of_all(self: Any, position: Any, viewer: Any) -> list[Standing]:
    return [Standing(seat, 1, player.vp) for seat, player in enumerate(position.players)]


def standings_of_one(self: Any, position: Any, viewer: Any) -> list[Standing]:
    return [Standing(0, 1, 0)]


def prompt_with_hand(self: Any, position: Any, seat: int) -> str:
    return f"You hold {position.players[seat].hand.get('red', 0)} red shares."


def prompt_that_plays(self: Any, position: Any, seat: int) -> str:
    position.market.reverse()
    return "One action."


def offer_of_the_top_card(self: Any, position: Any, seat: int) -> Any:
    yield Offer(TakeShare, share=OneOf(*dict.fromkeys([*position.market, *position.deck[-1:]])))


def refusal_with_deck(self: Any, position: Any, seat: int, move: Any) -> IllegalOrder:
    return IllegalOrder("no", f"The top card is {position.deck[-1] if position.deck else 'gone'}.")


def licence_with_a_card(self: Any, play: Any, seat: int, move: Any) -> None:
    play_buy(self, play, seat, move)
    if play.position.deck[-1:] != ["scoring"]:
        cards.add(play.position.players[seat].hand, cards.draw(play.position.deck, 1))


def imagine_nothing(self: Any, position: Any, viewer: Any, rng: Any) -> Any:
    return imagine(self, position, EVERYTHING, rng)


def imagine_in_place(self: Any, position: Any, viewer: Any, rng: Any) -> Any:
    position.players[0].vp += 1
    return imagine(self, position, viewer, rng)


def imagine_money(self: Any, position: Any, viewer: Any, rng: Any) -> Any:
    other = imagine(self, position, viewer, rng)
    other.bank += 1
    return other


def money_from_nowhere(self: Any, play: Any, seat: int, move: Any) -> None:
    play.position.players[seat].cash += 8
    play.tell(TookMoney(seat, 8))
    rules.end_turn(self.board, play)


def share_lost(self: Any, play: Any, seat: int, move: Any) -> None:
    play_take_share(self, play, seat, move)
    if play.position.deck:
        play.position.deck.pop()


def crash(self: Any, *arguments: Any) -> None:
    raise ZeroDivisionError


def schema_without_limits(self: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"enum": list(self.limits)}, "minItems": self.low, "maxItems": self.high}


def schema_too_narrow(self: Any) -> dict[str, Any]:
    return {"enum": list(self.choices[:1])}


def default_nowhere(self: Any, position: Any, seat: int) -> TakeShare:
    return TakeShare("nowhere")


def nearest_nowhere(self: Any, value: Any) -> str:
    return "nowhere"


def refusal_that_changes_something(self: Any, *arguments: Any) -> Any:
    self.sealed = {7: None}
    return illegal(self, *arguments)


BREAKS = [
    (AirlinesEurope, "view", view_of_all_hands, "secrets", "can tell two worlds apart.*the view.*hand"),
    (AirlinesEurope, "standings", standings_of_all, "secrets", "can tell two worlds apart.*the view.*standings"),
    (DrewShare, "hidden", (), "secrets", "a row tells more than the view shows after it: .*share"),
    (DrewShare, "hidden", ("sahre",), "secrets", "names fields that do not exist.*sahre"),
    (DrewShare, "seen_by", lambda self, viewer: self, "secrets", "is told the hidden .*share"),
    (Traded, "hidden", (), "secrets", "tells the hidden choice of another seat|tells more than the view"),
    (rules.Turn, "prompt", prompt_with_hand, "secrets", "can tell two worlds apart.*prompt"),
    (
        rules.Share,
        "offer_take_share",
        offer_of_the_top_card,
        "secrets",
        "can tell two worlds apart.*the list of offers",
    ),
    (rules.Turn, "refuse_play_shares", refusal_with_deck, "secrets", "the answer to .* tells seat"),
    (rules.Licences, "play_buy", licence_with_a_card, "secrets", "Buy shows seat . something new.*`reveals`"),
    (AirlinesEurope, "imagine", imagine_nothing, "secrets", "imagine never deals these anew.*vp"),
    (AirlinesEurope, "imagine", imagine_in_place, "secrets", "looking at the position changed it|can tell two worlds"),
    (AirlinesEurope, "imagine", imagine_money, "secrets", "imagine does not conserve"),
    (rules.Turn, "prompt", prompt_that_plays, "course", "looking at the position changed it"),
    (rules.Turn, "play_take_money", money_from_nowhere, "course", "did not conserve.*money"),
    (rules.Share, "play_take_share", share_lost, "course", "did not conserve"),
    (rules.Turn, "seats", lambda self, position: (), "course", "waits for nobody"),
    (rules.Turn, "prompt", lambda self, position, seat: "", "course", "is empty or does not end with a full stop"),
    (rules.Share, "default", default_nowhere, "course", "has as its default .*nowhere.* and it was refused"),
    (AirlinesEurope, "standings", standings_of_one, "course", "do not hold every seat once"),
    (AirlinesEurope, "endings", {"blocked": "It ended."}, "course", "'third_scoring', which is not among its endings"),
    (playing, "MOST_ROWS", 20, "course", "has not ended after 20 rows"),
    (rules.Turn, "play_take_money", crash, "options", r"was offered TakeMoney\(\) and playing it crashed"),
    (rules.Turn, "refuse_play_shares", crash, "options", "crashed the check: ZeroDivisionError"),
    (Bag, "schema", schema_without_limits, "options", "the JSON Schema of the offers accepts .* but it is refused"),
    (OneOf, "schema", schema_too_narrow, "options", "is drawn from the offers, but their JSON Schema refuses"),
    (OneOf, "nearest", nearest_nowhere, "options", "told that the nearest legal move is .*nowhere"),
    (Table, "_illegal", refusal_that_changes_something, "options", "was refused and changed the game all the same"),
    (records, "verify", lambda game, record: None, "records", "was forged and the record still verifies"),
    (TookMoney, "sentence", lambda self, words: "takes {amount}.", "words", "the sentence contains '{'"),
    (TookMoney, "sentence", lambda self, words: "He takes money", "words", "does not end with a full stop"),
    (TookMoney, "sentence", lambda self, words: "air_abacus pays.", "words", "contains 'r_a'"),
    (TookMoney, "sentence", crash, "words", "has no sentence: ZeroDivisionError"),
    (Buy, "notation", "buy {route}", "words", "writes Buy.* as buy .* and it crashed the check"),
    (
        Trade,
        "notation",
        "trade {hand} {held}",
        "words",
        "writes Trade.* and it was refused|is written .* which is read",
    ),
    (AirlinesEurope, "event_types", (), "words", "is not among the event_types"),
]


@pytest.mark.parametrize(
    ("thing", "name", "replacement", "part", "message"),
    [pytest.param(*one, id=re.sub(r"\W+", "-", f"{one[0].__name__}-{one[1]}-{one[4]}")[:60]) for one in BREAKS],
)
def test_what_is_broken_is_found(
    thing: Any, name: str, replacement: Any, part: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thing, name, replacement)
    with pytest.raises(Broken, match=f"(?s){message}"):
        PARTS[part](open_game("airlines-europe", 3), Random(1), 4)

"""No secret is told: a leak planted in a game, on each channel and beside each kind of lawful opening, is found."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from referee import legality
from referee.chance import Chance
from referee.conformance import PARTS
from referee.conformance.imagining import check_fork
from referee.conformance.playing import Broken
from referee.contract import Event, Play, Standing, Viewer, Words, digest
from referee.errors import IllegalOrder
from referee.games import open_game
from referee.games.airlines_europe import AirlinesEurope, rules
from referee.games.airlines_europe.events import DrewShare, Traded
from referee.games.airlines_europe.state import TakeShare, Trade
from referee.options import Offer, OneOf
from referee.piles import add
from referee.table import Receipt, Table, open_table
from tests import toy

view, imagine = AirlinesEurope.view, AirlinesEurope.imagine
apply_buy = rules.Licences.apply_buy
not_asked, seal, table_view = legality._not_asked, Table._seal, Table.view


class Whispered(Event, frozen=True):
    what: str

    def sentence(self, words: Words) -> str:
        return f"Somebody whispers {self.what}."


def top_card(position: Any) -> str:
    return position.deck[-1] if position.deck else "nothing"


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
    key: str, beside: str, secret: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whisper(monkeypatch, beside, secret)
    with pytest.raises(Broken, match=r"the row tells .*, which its view does not show: events\.\d\.what"):
        PARTS["secrets"](open_game(key, 3), Random(1), 4)


def whisper(monkeypatch: pytest.MonkeyPatch, beside: str, secret: Callable[[Any], Any]) -> None:
    emit = Play.emit

    def emit_more(self: Play[Any], event: Event) -> None:
        emit(self, event)
        if type(event).__name__ == beside:
            emit(self, Whispered(str(secret(self.position))))

    monkeypatch.setattr(Play, "emit", emit_more)


def view_of_all_hands(self: Any, position: Any, viewer: Any) -> Any:
    shown = view(self, position, viewer)
    players = [
        msgspec.structs.replace(view, hand=player.hand)
        for view, player in zip(shown.players, position.players, strict=True)
    ]
    return msgspec.structs.replace(shown, players=tuple(players))


def standings_of_all(self: Any, position: Any, viewer: Any) -> list[Standing]:
    return [Standing(seat, 1, player.vp) for seat, player in enumerate(position.players)]


def prompt_with_hand(self: Any, position: Any, seat: int) -> str:
    return f"You hold {position.players[seat].hand.get('red', 0)} red shares."


def offer_of_the_top_card(self: Any, position: Any, seat: int) -> Any:
    yield Offer(TakeShare, share=OneOf(*dict.fromkeys([*position.market, *position.deck[-1:]])))


def refusal_with_deck(self: Any, position: Any, seat: int, move: Any) -> IllegalOrder:
    return IllegalOrder("no", f"The top card is {position.deck[-1] if position.deck else 'gone'}.")


def licence_with_a_card(self: Any, play: Any, seat: int, move: Any) -> None:
    apply_buy(self, play, seat, move)
    if play.position.deck[-1:] != ["scoring"]:
        add(play.position.players[seat].hand, [play.position.deck.pop()])


def imagine_without_looking(self: Any, view: Any, rng: Any) -> Any:
    other = imagine(self, view, rng)
    other.bought += 1
    return other


def imagine_cards(self: Any, view: Any, rng: Any) -> Any:
    other = imagine(self, view, rng)
    other.deck = [card if card == "scoring" else "red" for card in other.deck]
    return other


def view_that_remembers(self: Any, position: Any, viewer: Any) -> Any:
    self.remembered = position
    return view(self, position, viewer)


class Comment(OneOf):
    """A choice that is listed as it should be; the schema knows more."""

    def __init__(self, comment: str, *values: Any) -> None:
        super().__init__(*values)
        self.comment = comment

    def schema(self) -> dict[str, Any]:
        return super().schema() | {"$comment": self.comment}


class Known(Comment):
    """A choice that is read as the top card where it can be."""

    def schema(self) -> dict[str, Any]:
        return OneOf.schema(self)

    def canonical(self, value: Any) -> Any:
        return self.comment if self.comment in self.choices else value


def schema_with_the_top_card(self: Any, position: Any, seat: int) -> Iterator[Offer]:
    yield Offer(TakeShare, share=Comment(top_card(position), *dict.fromkeys(position.market)))


def reading_with_the_top_card(self: Any, position: Any, seat: int) -> Iterator[Offer]:
    yield Offer(TakeShare, share=Known(top_card(position), *dict.fromkeys([*position.market, "pile"])))


def default_after_the_top_card(self: Any, position: Any, seat: int) -> TakeShare:
    return TakeShare(max(position.market, key=lambda share: (share == top_card(position), share)))


def nearest_to_the_top_card(self: Any, position: Any, seat: int, move: Any) -> IllegalOrder:
    legal = TakeShare(max(position.market, key=lambda share: (share == top_card(position), share)))
    return IllegalOrder("no", "Not that one.", nearest=msgspec.to_builtins(legal))


def own_order_refused(self: Any, position: Any, seat: int) -> Iterator[Offer]:
    """The top card must not be of the kind that one takes."""
    shares = [share for share in dict.fromkeys(position.market) if share != top_card(position)]
    yield Offer(TakeShare, share=OneOf(*shares, "pile"))


def answer_out_of_turn(words: Words, position: Any, seat: int) -> IllegalOrder:
    error = not_asked(words, position, seat)
    return IllegalOrder(error.code, f"{error.message} The top card is {top_card(position)}.")


def receipt_of_the_position(self: Any, *arguments: Any) -> Receipt:
    return msgspec.structs.replace(seal(self, *arguments), commitment=digest(self.position))


def view_into_envelopes(self: Any, seat: int | None = None) -> Any:
    orders = tuple(digest(sealed.order.move) for _, sealed in sorted(self.sealed.items()))
    return msgspec.structs.replace(table_view(self, seat), sealed=orders)


def view_without_envelopes(self: Any, seat: int | None = None) -> Any:
    return msgspec.structs.replace(table_view(self, seat), sealed=())


LEAKS = [
    (AirlinesEurope, "secrets", ("deck", "players.*.hand", "players.*.vp"), "not shown .*players.*lot.*Game.secrets"),
    (AirlinesEurope, "view", view_of_all_hands, "the view shows .* players...hand, which Game.secrets names"),
    (AirlinesEurope, "standings", standings_of_all, "can tell an imagined position from the true one: standings"),
    (DrewShare, "hidden", (), "the row tells .*, which its view does not show: .*share"),
    (DrewShare, "hidden", ("sahre",), "names fields that do not exist.*sahre"),
    (DrewShare, "seen_by", lambda self, viewer: self, "is told the hidden .*share"),
    (Traded, "hidden", (), "the row tells .*, which its view does not show: .*hand"),
    (rules.Turn, "prompt", prompt_with_hand, "can tell an imagined position from the true one: .*prompt"),
    (
        rules.Share,
        "offer_take_share",
        offer_of_the_top_card,
        "can tell two worlds apart.*the list of offers",
    ),
    (rules.Turn, "why_not_play_shares", refusal_with_deck, "the answer to .* tells seat"),
    (rules.Licences, "apply_buy", licence_with_a_card, "Buy shows seat . something new.*`reveals`"),
    (AirlinesEurope, "imagine", imagine_without_looking, "can tell an imagined position from the true one: .*bought"),
    (AirlinesEurope, "imagine", imagine_cards, "imagine does not conserve"),
    (DrewShare, "knowers", lambda self: (0, 1, 2), "the row tells .*, which its view does not show: .*share"),
    (Trade, "hidden", (), "the order tells .* the hand of Trade, which its events hide"),
    (rules.Share, "offer_take_share", schema_with_the_top_card, "apart.*the schema of the offers differs"),
    (rules.Share, "offer_take_share", reading_with_the_top_card, "the answer to .*[Tt]ake.* tells seat"),
    (rules.Share, "offer_take_share", own_order_refused, "apart.*the list of offers"),
    (rules.Share, "default", default_after_the_top_card, "can tell two worlds apart.*the default differs"),
    (rules.Share, "why_not_take_share", nearest_to_the_top_card, "the answer to .* tells seat .*nearest"),
    (legality, "_not_asked", answer_out_of_turn, "the answer to .* tells seat .*The top card is"),
    (Table, "_seal", receipt_of_the_position, "the answer to .* tells seat .*commitment"),
    (Table, "view", view_into_envelopes, "can tell two worlds apart by a sealed move of seat .*sealed"),
    (Table, "view", view_without_envelopes, "the sealed move of seat . is not noted for"),
]


@pytest.mark.parametrize(
    ("thing", "name", "replacement", "message"),
    [pytest.param(*leak, id=re.sub(r"\W+", "-", f"{leak[0].__name__}-{leak[1]}-{leak[3]}")[:60]) for leak in LEAKS],
)
def test_a_secret_told_on_any_channel_is_found(
    thing: Any, name: str, replacement: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thing, name, replacement)
    with pytest.raises(Broken, match=f"(?s){message}"):
        some_games()


def some_games() -> None:
    """A rare move does not come up in every game."""
    for seed in range(1, 4):
        PARTS["secrets"](open_game("airlines-europe", 3), Random(seed), 4)


def imagine_in_place(self: Any, view: Any, rng: Any) -> Any:
    other = imagine(self, view, rng)
    view.table.players[0].holdings["red"] = 99
    return other


def imagine_what_is_remembered(self: Any, view: Any, rng: Any) -> Any:
    other = imagine(self, view, rng)
    if view.you is not None:
        first, *others = self.remembered.players[view.you - 1].lot
        other.players[view.you - 1].lot = [*others, first]
    return other


def imagine_scoring_cards_at_the_bottom(self: Any, view: Any, rng: Any) -> Any:
    other = imagine(self, view, rng)
    other.deck.sort(key=lambda card: card != "scoring")
    return other


def imagine_without_the_turn(self: Any, view: Any, rng: Any) -> Any:
    table = msgspec.structs.replace(view.table, scorings=0) if view.table.deck is not None else view.table
    return imagine(self, msgspec.structs.replace(view, table=table), rng)


@pytest.mark.parametrize(
    ("replacement", "message"),
    [
        (imagine_in_place, "imagine changes the position that it is shown"),
        (imagine_what_is_remembered, "equal views of seat . and equal numbers give unequal worlds: players"),
        (imagine_scoring_cards_at_the_bottom, "after the setup, deck.0=scoring is true in .* games and in 150 worlds"),
        (imagine_without_the_turn, "a view of everything is not enough for the position: scorings"),
    ],
)
def test_a_world_that_is_not_made_of_the_view_by_the_rules_is_found(
    replacement: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AirlinesEurope, "view", view_that_remembers)
    monkeypatch.setattr(AirlinesEurope, "imagine", replacement)
    with pytest.raises(Broken, match=message):
        PARTS["imagining"](open_game("airlines-europe", 3), Random(1), 4)


def imagine_hands_of_nothing(self: Any, view: Any, rng: Any) -> Any:
    """A world that looks right and cannot be played."""
    other = imagine(self, view, rng)
    for seen, player in zip(view.table.players, other.players, strict=True):
        if seen.hand is None:
            player.hand = {"nothing that is known": seen.hand_size}
    return other


def test_a_world_that_cannot_be_played_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AirlinesEurope, "imagine", imagine_hands_of_nothing)
    game = open_game("airlines-europe", 3)
    table, _ = open_table(game, ["", "", ""], b"seed")
    with pytest.raises(Broken, match="what seat 0 may imagine cannot be played on"):
        some_forks(table)


def some_forks(table: Table) -> None:
    for seed in range(20):
        check_fork(table, 0, Random(seed))


@pytest.mark.parametrize(("name", "draw"), [("text board", "text"), ("picture", "picture")])
def test_a_label_made_from_more_than_the_view_is_found(name: str, draw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = getattr(AirlinesEurope, draw)
    monkeypatch.setattr(AirlinesEurope, "view", view_that_remembers)
    monkeypatch.setattr(
        AirlinesEurope, draw, lambda self, shown, part="": drawn(self, shown) + top_card(self.remembered)
    )
    with pytest.raises(Broken, match=f"can tell two worlds apart in an imagined position: the {name} differs"):
        PARTS["secrets"](open_game("airlines-europe", 3), Random(1), 4)


class Omen(Event, frozen=True):
    what: int

    def sentence(self, words: Words) -> str:
        return f"The omen was {self.what}."


class OmenPosition(toy.Position, kw_only=True):
    omen: int


class OmenToy(toy.Toy):
    """A toy with a number that is drawn in the setup and shown to nobody; its `imagine` has forgotten it."""

    position_type = OmenPosition

    def setup(self, chance: Chance) -> Play[Any]:
        start = super().setup(chance)
        fields = {name: getattr(start.position, name) for name in start.position.__struct_fields__}
        return Play(OmenPosition(**fields, omen=chance.below("omen", 100)), chance)

    def imagine(self, view: Any, rng: Any) -> Any:
        return OmenPosition(**msgspec.structs.asdict(super().imagine(view, rng)), omen=0)

    def view(self, position: Any, viewer: Viewer) -> toy.Position:
        fields = {name: getattr(position, name) for name in toy.Position.__struct_fields__}
        return toy.Position(**fields)


def test_a_secret_that_imagine_has_forgotten_is_missed_by_nobody_when_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = OmenToy(toy.Board(game="toy", name="toy", fidelity="made up"), 2, toy.Settings(30))
    for kind in toy.Journey.moves:
        monkeypatch.setattr(kind, "reveals", True)
    PARTS["secrets"](game, Random(1), 4)
    apply = toy.Journey.apply

    def apply_and_emit(self: Any, now: Play[Any], seat: int, move: Any) -> None:
        apply(self, now, seat, move)
        if now.position.left == 5:
            now.emit(Omen(now.position.omen))

    monkeypatch.setattr(toy.Journey, "apply", apply_and_emit)
    with pytest.raises(Broken, match=r"the row tells .* what was hidden before, .*: events\.1\.what"):
        PARTS["secrets"](game, Random(1), 4)

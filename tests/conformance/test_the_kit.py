"""The conformance checks can fail: each way to break Airlines Europe is found by the part that looks for it.

For pictures, marks and parts see test_the_kit_looks.py, for secrets told test_the_kit_finds_leaks.py.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from referee import legality, moves
from referee.chance import Chance
from referee.conformance import PARTS, pictures, playing, records, words
from referee.conformance.playing import Broken
from referee.contract import Play, Standing, canonical
from referee.errors import IllegalOrder, InvalidOrder, OrderError, RecordError
from referee.games import open_game
from referee.games.airlines_europe import AirlinesEurope, rules, setup
from referee.games.airlines_europe.events import TookMoney
from referee.games.airlines_europe.state import Buy, TakeShare, Trade
from referee.options import Bag, OneOf
from referee.orders import notation
from referee.pictures import wording
from referee.pictures.drawing import Box, document, group, text
from referee.record import load, verify
from referee.table import Outcome, Table
from tests import toy

view, picture, text_board = AirlinesEurope.view, AirlinesEurope.picture, AirlinesEurope.text
apply_take_share, apply_take_money = rules.Share.apply_take_share, rules.Turn.apply_take_money
nouns = notation._nouns
illegal, submit, check, offers = legality._illegal, Table.submit, Table.check, Table.offers


def standings_of_one(self: Any, position: Any, viewer: Any) -> list[Standing]:
    return [Standing(0, 1, 0)]


def prompt_that_plays(self: Any, position: Any, seat: int) -> str:
    position.market.reverse()
    return "One action."


def money_from_nowhere(self: Any, play: Any, seat: int, move: Any) -> None:
    play.position.players[seat].cash += 8
    play.emit(TookMoney(seat, 8))
    rules.end_turn(self, play)


def share_lost(self: Any, play: Any, seat: int, move: Any) -> None:
    apply_take_share(self, play, seat, move)
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


def refusal_that_changes_something(self: Any, seat: int, order: Any) -> Any:
    try:
        return check(self, seat, order)
    except OrderError:
        self.sealed = {7: None}
        raise


def open_after_the_end(self: Any, position: Any) -> Any:
    return (self.phases[position.phase],)


def open_beside_the_sealed(self: Any, position: Any) -> Any:
    return (self.phases[position.phase], self.phases["turn"])


def standings_of_second_places(self: Any, position: Any, viewer: Any) -> list[Standing]:
    return [Standing(seat, 2, 0) for seat in range(len(position.players))]


def conserved_by_phase(self: Any, position: Any) -> dict[str, int]:
    return {position.phase: 1}


def accepts_any_shares(self: Any, value: Any) -> bool:
    return isinstance(value, tuple) and self.low <= len(value) <= self.high


def accepts_one(self: Any, value: Any) -> bool:
    return bool(value == self.choices[0])


def check_for_anybody(self: Any, seat: int, order: Any) -> Any:
    asked = [decision.seat for decision in self.decisions()]
    return check(self, asked[0] if len(asked) == 1 else seat, order)


def offers_to_anybody(self: Any, seat: int) -> Any:
    return offers(self, seat) or [offer for decision in self.decisions() for offer in offers(self, decision.seat)]


def refusal_with_a_key(self: Any, *arguments: Any) -> IllegalOrder:
    return IllegalOrder("no_shares", "Buy dublin-london first.")


def refusal_without_a_way_out(*arguments: Any) -> Any:
    error = illegal(*arguments)
    error.nearest = None
    return error


def guess(offers: Any, readers: Any, found: Any) -> Any:
    return nouns(offers, readers, found)[:1]


def submit_and_forgive(self: Any, seat: int, orders: Any, by: str = "player") -> Any:
    try:
        return submit(self, seat, orders, by)
    except InvalidOrder:
        return Outcome(self.game, ())


def submit_and_count_wrong(self: Any, seat: int, orders: Any, by: str = "player") -> Any:
    try:
        return submit(self, seat, orders, by)
    except OrderError as error:
        error.index += 1
        raise


def submit_one_by_one(self: Any, seat: int, orders: Any, by: str = "player") -> Any:
    """As `submit`, but the good orders before a bad one stay played."""
    try:
        return submit(self, seat, orders, by)
    except OrderError as error:
        for order in orders[: error.index]:
            submit(self, seat, [order], by)
        raise


def submit_without_the_last(self: Any, seat: int, orders: Any, by: str = "player") -> Any:
    return submit(self, seat, orders[:-1] or orders, by)


def submit_and_keep(self: Any, seat: int, orders: Any, by: str = "player") -> Any:
    """As `submit`, but the table goes on with a position in which things lie in another order than in its text."""
    outcome = submit(self, seat, orders, by)
    self.position.airlines = dict(reversed(self.position.airlines.items()))
    return outcome


def redacted_by_memory(number: Iterator[int]) -> Any:
    return lambda *arguments: next(number)


def view_that_counts() -> Any:
    """A view that shows how many different positions were looked at so far."""
    seen: set[bytes] = set()

    def look(self: Any, position: Any, viewer: Any) -> Any:
        seen.add(canonical(position))
        return msgspec.structs.replace(view(self, position, viewer), bank=len(seen))

    return look


def money_by_memory(number: Iterator[int]) -> Any:
    def apply(self: Any, play: Any, seat: int, move: Any) -> None:
        play.position.players[seat].vp += next(number)
        apply_take_money(self, play, seat, move)

    return apply


def load_other_names(data: bytes) -> Any:
    record = load(data)
    header = msgspec.structs.replace(record.header, players=record.header.players[::-1])
    return msgspec.structs.replace(record, header=header)


def load_or_remember() -> Any:
    """Reads a broken file as the last good one."""
    good = []

    def read(data: bytes) -> Any:
        with suppress(RecordError):
            good.append(load(data))
        return good[-1]

    return read


def load_or_crash(data: bytes) -> Any:
    try:
        return load(data)
    except RecordError as error:
        raise KeyError(error) from None


def verify_nowhere(game: Any, record: Any) -> Any:
    try:
        return verify(game, record)
    except RecordError:
        raise RecordError("Something is wrong.") from None


def verify_nothing_true(game: Any, record: Any) -> Any:
    raise RecordError("It cannot be.")


def drawn_with(*parts: str) -> Any:
    """The picture with something more on it."""
    return lambda self, view, part="": picture(self, view).replace("</svg>", "".join(parts) + "</svg>")


def told_with(words: str) -> Any:
    return lambda self, view, part="": text_board(self, view, part) + words


def picture_without_escapes(self: Any, view: Any, part: str = "") -> str:
    return picture(self, view).replace("&lt;script&gt;x&lt;/script&gt;", "<script>x</script>")


def names_as_they_are(self: Any, view: Any, part: str = "") -> str:
    return text_board(self, view, part) + "".join(name for name in view.players if "\x1b" in name)


def only_what_is_asked(self: Any, view: Any, part: str = "") -> str:
    return wording.asked(view)


BREAKS = [
    (rules.Turn, "prompt", prompt_that_plays, "course", "looking at the position changed it"),
    (rules.Turn, "apply_take_money", money_from_nowhere, "course", "did not conserve.*money"),
    (rules.Share, "apply_take_share", share_lost, "course", "did not conserve"),
    (rules.Turn, "seats", lambda self, position: (), "course", "waits for nobody"),
    (rules.Turn, "prompt", lambda self, position, seat: "", "course", "is empty or does not end with a full stop"),
    (rules.Share, "default", default_nowhere, "course", "has as its default .*nowhere.* and it was refused"),
    (AirlinesEurope, "standings", standings_of_one, "course", "do not hold every seat once"),
    (AirlinesEurope, "endings", {"blocked": "It ended."}, "course", "'third_scoring', which is not among its endings"),
    (playing, "MOST_ROWS", 20, "course", "has not ended after 20 rows"),
    (AirlinesEurope, "open_phases", open_after_the_end, "course", "is over and still asks"),
    (AirlinesEurope, "open_phases", open_beside_the_sealed, "course", "a sealed phase must be open alone"),
    (rules.Turn, "seats", lambda self, position: (position.active,) * 2, "course", "asked twice"),
    (rules.Turn, "seats", lambda self, position: (position.active, 9), "course", "there is no seat 9 to ask"),
    (rules.Share, "offers", lambda self, *arguments: iter(()), "course", "is asked .* and is offered nothing"),
    (AirlinesEurope, "standings", standings_of_second_places, "course", "final places .2, 2, 2.: best first"),
    (AirlinesEurope, "conserved", conserved_by_phase, "course", "did not conserve"),
    (setup.Opening, "reveal", crash, "course", "the reveal of .* crashed: ZeroDivisionError"),
    (rules.Turn, "apply_take_money", crash, "options", r"was offered TakeMoney\(\) and playing it crashed"),
    (rules.Turn, "why_not_play_shares", crash, "options", "crashed the check: ZeroDivisionError"),
    (Bag, "schema", schema_without_limits, "options", "the JSON Schema of the offers accepts .* but it is refused"),
    (OneOf, "schema", schema_too_narrow, "options", "is drawn from the offers, but their JSON Schema refuses"),
    (OneOf, "nearest", nearest_nowhere, "options", "told that the nearest legal move is .*nowhere"),
    (Table, "check", refusal_that_changes_something, "options", "was refused and changed the game all the same"),
    (OneOf, "accepts", accepts_one, "options", "was offered .* and it was refused"),
    (
        Bag,
        "accepts",
        accepts_any_shares,
        "options",
        "is accepted, but the JSON Schema of the offers refuses it",
    ),
    (Bag, "canonical", lambda self, value: tuple(sorted(value))[::-1], "options", "is drawn .* and logged as"),
    (rules.Turn, "why_not_play_shares", lambda *_: IllegalOrder("", ""), "options", "without a code or a message"),
    (legality, "_illegal", refusal_without_a_way_out, "options", "is refused and nothing legal named instead"),
    (Table, "submit", submit_and_forgive, "options", "was played although the check refused it"),
    (Table, "submit", submit_and_count_wrong, "options", "at order 1 instead of one of"),
    (Table, "submit", submit_one_by_one, "options", "was refused and changed the game all the same"),
    (Table, "offers", offers_to_anybody, "options", "is not asked and is offered"),
    (Table, "check", check_for_anybody, "options", "is not asked, but its .* is accepted"),
    (legality, "parse", crash, "options", "crashed the check: ZeroDivisionError"),
    (moves, "pattern_of", lambda kind: kind.notation, "options", "is refused with '.' in the message: .*{"),
    (rules.Turn, "why_not_play_shares", refusal_with_a_key, "options", "with 'dublin-london' in the message"),
    (notation, "_nouns", guess, "words", "which can mean “.*” or “.*”, and it is read as “"),
    (notation, "patterns", lambda offers: "take_share", "options", "is refused with 'e_s' in the message"),
    (
        AirlinesEurope,
        "picture",
        drawn_with(text(100, 400, "Reno"), text(110, 405, "Boise")),
        "pictures",
        "the labels “Reno” and “Boise” overlap by 12 px: move one in chart.py or drawing.py, or shorten it with `fit`",
    ),
    (AirlinesEurope, "picture", drawn_with(text(1190, 5, "Reno")), "pictures", "“Reno” reaches out of the picture"),
    (AirlinesEurope, "picture", drawn_with(text(20, 145, "air_abacus", 9)), "pictures", "picture .* says “air_abacus”"),
    (
        AirlinesEurope,
        "picture",
        lambda self, view, part="": document(Box(0, 0, 900, 9), "", ""),
        "pictures",
        "is 900 wide: make it 1200",
    ),
    (
        AirlinesEurope,
        "picture",
        lambda self, view, part="": document(Box(0, 0, 1200, 9), "", ""),
        "pictures",
        "does not say what is asked",
    ),
    (AirlinesEurope, "picture", picture_without_escapes, "pictures", "elements that no picture needs: .'script'"),
    (AirlinesEurope, "picture", drawn_with(group(text(9, 9, "x"), transform="scale(2)")), "pictures", "place it by x"),
    (AirlinesEurope, "text", told_with("Bank: None"), "pictures", "the text board for .* says “None”"),
    (AirlinesEurope, "text", told_with("┌──┐"), "pictures", "has the character '┌'"),
    (AirlinesEurope, "text", names_as_they_are, "pictures", r"has the character '\\x1b'"),
    (
        AirlinesEurope,
        "text",
        only_what_is_asked,
        "pictures",
        "does not say on which board it is",
    ),
    (pictures, "png", lambda svg, width: b"", "pictures", "cannot be drawn in pixels"),
    (records, "verify", lambda game, record: None, "records", "was forged and the record still verifies"),
    (records, "verify", verify_nowhere, "records", r"row \d+ was forged; verify names row None"),
    (records, "verify", verify_nothing_true, "records", "the record of a good game does not hold: It cannot be"),
    (records, "load", load_or_remember(), "records", r"byte \d+ changed still verifies"),
    (records, "load", load_or_crash, "records", r"byte \d+ changed crashes verify: KeyError"),
    (records, "load", load_other_names, "records", "differs from what was exported"),
    (records, "transcript", redacted_by_memory(count()), "records", "the transcript differs"),
    (
        records,
        "redacted",
        redacted_by_memory(count()),
        "records",
        "is shown something else when the row",
    ),
    (rules.Turn, "apply_take_money", money_by_memory(count()), "records", "replay differs: .*vp"),
    (AirlinesEurope, "view", view_that_counts(), "records", "is the same in the replay, but a view of it is not"),
    (Table, "submit", submit_and_keep, "records", "the order of things in it, differs when the text is read anew"),
    (Table, "submit", submit_without_the_last, "records", "in one submission .* lead elsewhere than one by one"),
    (TookMoney, "sentence", lambda self, words: "takes {amount}.", "words", "the sentence contains '{'"),
    (TookMoney, "sentence", lambda self, words: "He takes money", "words", "does not end with a full stop"),
    (TookMoney, "sentence", lambda self, words: "air_abacus pays.", "words", "contains 'r_a'"),
    (TookMoney, "sentence", crash, "words", "has no sentence: ZeroDivisionError"),
    (Buy, "notation", "buy {route}", "words", "writes Buy.* as buy .* and it was refused: .* can mean"),
    (
        Trade,
        "notation",
        "trade {hand} {held}",
        "words",
        "writes Trade.* and it was refused|is written .* which is read",
    ),
    (AirlinesEurope, "event_types", (), "words", "is not among the event_types"),
    (words, "read_event", lambda game, data: data, "words", "is read back from the log as"),
]


@pytest.mark.parametrize(
    ("thing", "name", "replacement", "part", "message"),
    [pytest.param(*case, id=re.sub(r"\W+", "-", f"{case[0].__name__}-{case[1]}-{case[4]}")[:60]) for case in BREAKS],
)
def test_what_is_broken_is_found(
    thing: Any, name: str, replacement: Any, part: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thing, name, replacement)
    with pytest.raises(Broken, match=f"(?s){message}"):
        PARTS[part](open_game("airlines-europe", 3), Random(1), 4)


class Weighed(toy.Position, kw_only=True):
    weight: float


class WeighedToy(toy.Toy):
    position_type = Weighed

    def setup(self, chance: Chance) -> Play[Any]:
        start = super().setup(chance)
        fields = {name: getattr(start.position, name) for name in toy.Position.__struct_fields__}
        return Play(Weighed(**fields, weight=0.5), chance)


def test_a_float_in_a_position_is_found() -> None:
    game = WeighedToy(toy.Board(game="toy", name="toy", fidelity="made up"), 2)
    with pytest.raises(Broken, match=r"position\.weight is 0\.5: a position holds no floats"):
        PARTS["course"](game, Random(1), 4)

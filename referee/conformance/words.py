"""Orders that can be written and read back, and events that are sentences."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from referee.conformance.playing import Broken, Moment, accept, moments, one_of, plain, where
from referee.contract import EVERYTHING, Viewer
from referee.errors import OrderError
from referee.moves import read_event, read_move
from referee.options import Move, Offer, Rng
from referee.orders.notation import default, format_move, say
from referee.orders.templates import Field, Group, template, tokens
from referee.table import AnyGame, Table

MOVES_OF_AN_OFFER = 30  # that are looked at for nouns which two orders share


def check_words(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Every order can be written and read back, and every event is a sentence."""
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        for seat in (None, *range(game.seats)) if close_look else (None,):
            check_sentences(moment, Viewer(seat))
        check_sentences(moment, EVERYTHING)
        if moment.before:
            for order in moment.entry.row.orders:
                check_notation(moment.before, order.seat, read_move(game, order.move))
        if close_look:
            for seat in sorted({decision.seat for decision in table.decisions()}):
                offers = table.offers(seat)
                for offer in offers:
                    check_notation(table, seat, offer.sample(rng))
                check_nouns(table, seat, offers, rng)


def check_notation(table: Table, seat: int, move: Move) -> None:
    """parse(format(move)) == move, in capitals too."""
    text = format_move(table.game, move)
    for line in (text, text.upper()):
        read = accept(table, seat, line, f"writes {move} as")
        if read != move:
            raise Broken(f"{where(table)}: seat {seat}: {move} is written “{line}”, which is read as {read}")


def check_nouns(table: Table, seat: int, offers: Sequence[Offer], rng: Rng) -> None:
    """The nouns of an order without its verb are read as the one legal order that they can be, or asked back; where
    they are those of two orders, neither is guessed."""
    meant: dict[tuple[str, ...], dict[Move, None]] = {}
    for offer in offers:
        for move in islice(offer.moves(), MOVES_OF_AN_OFFER):
            meant.setdefault(nouns(table.game, move), {})[offer.canonical(move)] = None
    meant.pop((), None)
    shared = [said for said, moves in meant.items() if len(moves) > 1]
    for said in {one_of(lines, rng) for lines in (shared, list(meant)) if lines}:
        line, moves = " ".join(said), meant[said]
        try:
            read = table.check(seat, line)
        except OrderError:
            continue
        if nouns(table.game, read) != said or {*moves, read} != {read}:
            could = " or ".join(f"“{format_move(table.game, move)}”" for move in moves)
            raise Broken(
                f"{where(table)}: seat {seat} says “{line}”, which can mean {could}, and it is read as “"
                f"{format_move(table.game, read)}”"
            )


def nouns(game: AnyGame, move: Move) -> tuple[str, ...]:
    """What an order says beside the words of its notation."""
    said: list[str] = []
    for part in template(move.notation):
        named = [field for field in (part if isinstance(part, Group) else (part,)) if isinstance(field, Field)]
        is_unsaid = isinstance(part, Group) and all(
            getattr(move, field) == default(type(move), field) for field in named
        )
        said += [] if is_unsaid else [say(game, field, getattr(move, field)) for field in named]
    return tokens(" ".join(said))


def check_sentences(moment: Moment, viewer: Viewer) -> None:
    game, table = moment.table.game, moment.table
    for event in moment.entry.row.events:
        seen = event.seen_by(viewer)
        try:
            sentence = seen.sentence(table.words)
        except Exception as error:
            raise Broken(f"{where(table)}: {seen} has no sentence: {error!r}") from error
        check_sentence(table, str(seen), sentence)
        if type(event) not in game.event_types:
            raise Broken(f"{type(event).__name__} is not among the event_types of {game.name}")
        if read_event(game, plain(event)) != event:
            raise Broken(f"{where(table)}: {event} is read back from the log as {read_event(game, plain(event))}")


INTERNAL = re.compile(r"[{}`]|\bNone\b|\w_\w|\[['\"\]]")


def check_message(table: Table, order: Any, error: OrderError) -> None:
    """A refusal speaks to people: no identifier, no JSON, no key of a thing with a name, unless the sender wrote it."""
    said = error.message
    for written in _strange_words(table.game, order):
        said = said.replace(written, "")
    if isinstance(order, str):
        said = re.sub(r"“([^”]*)”", lambda quoted: "" if _is_of(quoted[1], order) else quoted[0], said)
    wrong = INTERNAL.search(said) or next(_keys(table, said), None)
    if wrong:
        raise Broken(f"{where(table)}: {order!r:.400} is refused with {wrong[0]!r} in the message: “{error.message}”")


def _strange_words(game: AnyGame, order: Any) -> list[str]:
    """The texts in a move as data that are no values of their fields, longest first."""
    fields = order.items() if isinstance(order, dict) else ()
    values = [(field, item) for field, value in fields for item in (value if isinstance(value, list) else [value])]
    return sorted(
        {
            item
            for field, item in values
            if item and isinstance(item, str) and item not in game.vocabulary.get(field, {})
        },
        key=len,
        reverse=True,
    )


def _is_of(quoted: str, line: str) -> bool:
    return quoted in line or quoted in " ".join(tokens(line))


def _keys(table: Table, said: str) -> Iterator[re.Match[str]]:
    """The keys in a message of things that have names; one that the text board says too is a plain word, like corn."""
    for found in _all_keys(table.game).finditer(said):
        if not re.search(rf"\b{re.escape(found[0])}\b", table.game.text(table.view(), "full")):
            yield found


@lru_cache(maxsize=64)
def _all_keys(game: AnyGame) -> re.Pattern[str]:
    names = {str(key): spellings[0] for named in game.vocabulary.values() for key, spellings in named.items()}
    in_names = {word for name in names.values() for word in re.findall(r"\w+", name)}
    keys = [re.escape(key) for key, name in names.items() if key != name and key not in in_names]
    return re.compile(rf"\b(?:{'|'.join(keys) or '(?!)'})\b")


def check_sentence(table: Table, what: str, sentence: str) -> None:
    wrong = re.search(r"[{}]|\bNone\b|\w_\w|\s\s|\s[.,;]|^\s|^$", sentence)
    if wrong or not sentence.endswith((".", "?", "!")):
        reason = f"contains {wrong[0]!r}" if wrong and wrong[0] else "is empty or does not end with a full stop"
        raise Broken(f"{where(table)}: {what}: the sentence {reason}: “{sentence}”")

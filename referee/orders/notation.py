"""Orders as text. One parser for all games, lenient towards people and exact in what it means.

`format_move` writes an order by its move type's `notation`, `parse` reads it back; `also` has more ways to say it.
Every way to read a line has a penalty for each liberty taken; the best reading is played, two equally good ones are an
AmbiguousOrder. A word that fits exactly always wins, even where it makes the order illegal: better a refusal than a
move nobody meant. What is left of an order without its verb is read where that can be one legal order only.
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from referee.errors import AmbiguousOrder, InvalidOrder
from referee.options import Move, Offer, fields_of
from referee.orders.likeness import likeness
from referee.orders.reader import EMPTY, Reader
from referee.orders.templates import AnyGame, Field, Tokens, is_numbered, template, tokens

LONGEST_LINE = 400
OPENINGS = frozenset({("i",), ("i", "will"), ("ill",)})  # of a sentence, before the verb


@cache
def pattern_of(kind: type[Move]) -> str:
    """How orders of a type are written, for people: `buy ROUTE for AIRLINE`."""
    return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), kind.notation)


def patterns(offers: Iterable[Offer]) -> str:
    """How what is on offer is written: `buy ROUTE for AIRLINE; take money`."""
    return "; ".join(pattern_of(kind) for kind in dict.fromkeys(offer.move for offer in offers))


def format_move(game: AnyGame, move: Move) -> str:
    """The order as a player would write it."""
    said = ""
    for is_optional, first, rest in _written(move.notation):
        if is_optional and all(getattr(move, field) == default(type(move), field) for field, _ in rest):
            continue
        said += first
        for field, literal in rest:
            said += say(game, field, getattr(move, field)) + literal
    return " ".join(said.split())


def say(game: AnyGame, field: str, value: Any) -> str:
    """A value of a field as a player would write it."""
    if isinstance(value, tuple):
        if any(isinstance(item, int) for item in value) or is_numbered(game, field):
            return ", ".join(say(game, field, item) for item in value) or EMPTY
        runs = [(say(game, field, item), len(list(run))) for item, run in groupby(value)]
        return ", ".join(f"{n} {name}" if n > 1 else name for name, n in runs) or EMPTY
    return game.vocabulary.get(field, {}).get(value, (str(value),))[0]


@cache
def _written(notation: str) -> tuple[tuple[bool, str, tuple[tuple[str, str], ...]], ...]:
    """The parts of a notation: whether it is optional, how it begins, and each field with the text behind it."""
    parts = [re.split(r"\{(\w+)\}", part) for part in re.split(r"\[([^\]]*)\]", notation)]
    return tuple(
        (number % 2 == 1, first, tuple(zip(rest[::2], rest[1::2], strict=True)))
        for number, (first, *rest) in enumerate(parts)
    )


@cache
def default(move_type: type[Move], field: str) -> Any:
    """What a field is where an order does not say it."""
    return next(found.default for found in fields_of(move_type) if found.name == field)


def parse(game: AnyGame, offers: Iterable[Offer], line: str, players: Sequence[str] = ()) -> Move:
    """The move a line means. It may still be illegal: that is for the offers to say. `players` are the names of the
    seats, which are read where a field names a seat."""
    if len(line) > LONGEST_LINE:
        raise InvalidOrder("too_long", f"An order has at most {LONGEST_LINE} characters; this line has {len(line)}.")
    said = tokens(line)
    offers = list(offers)
    readers = _readers(game, offers, said, players)
    as_written = {move for reader in readers for move in reader.moves_as_written()}
    if len(as_written) == 1:
        return as_written.pop()
    found = [reading for reader in readers for reading in reader.moves()]
    if not found and (opening := max((o for o in OPENINGS if said[: len(o)] == o), key=len, default=None)):
        readers = _readers(game, offers, said[len(opening) :], players)
        found = [reading for reader in readers for reading in reader.moves()]
    best = _nouns(offers, readers, found) or _best((penalty, move) for penalty, _, move in found)
    if len(best) > 1:
        best = _meant(game, offers, said, best)
    if not best:
        raise _unreadable(game, offers, line, players)
    if len(best) > 1:
        readings = tuple(format_move(game, move) for move in best)
        raise AmbiguousOrder("ambiguous", f"“{line.strip()}” can mean: {'; '.join(readings[:8])}.", readings=readings)
    return best[0]


def _readers(game: AnyGame, offers: list[Offer], said: Tokens, players: Sequence[str]) -> list[Reader]:
    return [
        Reader(game, kind, said, [offer for offer in offers if offer.move is kind], players) for kind in game.move_types
    ]


def _nouns(offers: list[Offer], readers: list[Reader], found: list[tuple[int, bool, Move]]) -> list[Move]:
    """The legal moves that a line without a verb can mean. A verb that is said as it is leaves none; where it may be
    one cut short, as `e` is of `end`, the nouns must be exact, and what the verb would do can be meant as well."""
    spoken = [(penalty, move) for penalty, has_verb, move in found if has_verb]
    if not all(penalty for penalty, _ in spoken):
        return []
    nouns = [reading for reader in readers for reading in reader.moves_without_verb() if not (spoken and reading[0])]
    best = _best(nouns)
    return best and list(dict.fromkeys([*best, *(move for move in _best(spoken) if _is_legal(offers, move))]))


def _best(found: Iterable[tuple[int, Move]]) -> list[Move]:
    """The moves with the least penalty, each once."""
    best: list[Move] = []
    least = None
    for penalty, move in found:
        if least is None or penalty < least:
            least, best = penalty, []
        if penalty == least and move not in best:
            best.append(move)
    return best


def _meant(game: AnyGame, offers: list[Offer], said: Tokens, moves: list[Move]) -> list[Move]:
    """Of moves that a line can mean equally well those that are legal. Where none is, the first of a kind that is
    possible now, or that is written just so: who is refused hears a reason, and is not asked which refusal it shall be.
    """
    if legal := [move for move in moves if _is_legal(offers, move)]:
        return legal
    kinds = {offer.move for offer in offers}
    possible = [move for move in moves if type(move) in kinds]
    return (possible or [move for move in moves if tokens(format_move(game, move)) == said] or moves)[:1]


def _is_legal(offers: list[Offer], move: Move) -> bool:
    return any(offer.accepts(move) for offer in offers)


def _unreadable(game: AnyGame, offers: list[Offer], line: str, players: Sequence[str]) -> InvalidOrder:
    """Says which word was not understood, as far as that can be told, and what on offer it could have been."""
    said, shown = tokens(line), line.strip()[:80]
    known = [kind for kind in game.move_types if said and likeness(said[:1], tokens(kind.notation)[:1]) is not None]
    meant = [offer for offer in offers if offer.move in known]
    kinds = list(dict.fromkeys(offer.move for offer in meant))
    if not kinds:
        not_now = f"“{shown}” cannot be read, and “{pattern_of(known[0])}” is not possible now." if known else ""
        message = not_now or f"“{shown}” is no order here."
        return InvalidOrder("unknown_order", f"{message} You can write: {patterns(offers)}.")
    written = f"It is written: {patterns(meant)}."
    if len(kinds) > 1:
        return InvalidOrder("unreadable", f"“{shown}” cannot be read. {written}")
    (kind,) = kinds
    parts = template(kind.notation)
    reader = Reader(game, kind, said, meant, players)
    read = max(k for k in range(len(parts) + 1) if any(True for _ in reader.match(parts[:k], 0, True)))
    if read == len(parts) or not isinstance(parts[read], Field):
        return InvalidOrder("unreadable", f"“{shown}” cannot be read. {written}")
    field = str(parts[read])
    rest = " ".join(said[max(end for _, _, end in reader.match(parts[:read], 0, True)) :])
    names = sorted({say(game, field, value) for _, value, is_legal in reader.names(field) if is_legal})
    spelled = {" ".join(tokens(name)): name for name in names}
    alike = difflib.get_close_matches(rest, spelled, n=3, cutoff=0.4)
    hint = f" Near it: {', '.join(spelled[value] for value in alike)}." if alike else ""
    fault = f"“{rest}” is no {field.upper()} here." if rest else f"“{shown}” says no {field.upper()}."
    return InvalidOrder("unreadable", f"{fault}{hint} {written}", field=field)

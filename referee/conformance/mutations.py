"""Moves that are nearly right, for trying out what the referee refuses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.contract import Game
from referee.options import type_name

Plain = dict[str, Any]

# No domain holds a float with a fraction, null, an object or an empty name; the rest is wrong for most fields only.
STRANGE_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3.0, 2.5, 10**30, -(10**30), 2**63, 1e300, "", " ", "0", "None", "é", "\x00",
    "\U0001f6e9", "x" * 1000, [], [[]], [None], [0], [True], [""], ["nothing"], {}, {"type": "x"}, [{}],
)  # fmt: skip
STRANGE_ORDERS: tuple[Any, ...] = (None, True, 7, 2.5, [], [[]], {}, {"type": None}, {"type": []}, {"type": {}})
NONSENSE = {"type": "no_such_move"}
STRANGE_LINES = (
    "", " ", "?", "\x00", "\U0001f6e9 \U0001f6e9", "nothing", "0", "-1", "x " * 150, "z" * 1000, "{} [] {seat}",
)  # fmt: skip


def wrong_lines(game: Game[Any, Any, Any], line: str) -> Iterator[str]:
    """Variations of a legal order as people and programs would write it: slips, gaps, and orders of other times."""
    words = line.split()
    for place, word in enumerate(words):
        for instead in ("", word[:1], word[::-1], f"{word}x", f"{word} {word}", "xyzzy", "7", "no_such_thing"):
            yield " ".join([*words[:place], instead, *words[place + 1 :]])
    for kind in game.move_types:
        verb = kind.notation.split()[0]
        yield from (kind.notation, type_name(kind), verb, f"{verb} xyzzy", f"{verb} {' '.join(words[1:])}")
        yield str({"type": type_name(kind)})


def mutations(game: Game[Any, Any, Any], move: Plain, others: Sequence[Plain]) -> Iterator[Any]:
    """Variations of a legal move. A few may be legal after all: the offers decide, not this list.

    `others` are moves that are legal too; mixing their fields finds offers that are wider or narrower than the rules.
    """
    yield from STRANGE_ORDERS
    yield [move]
    yield {**move, "extra": 1}
    yield {**move, "seat": 0}
    yield {**move, "TYPE": move["type"]}
    for field in move:
        yield {name: value for name, value in move.items() if name != field}
    for kind in [*map(type_name, game.move_types), "no_such_move", move["type"].upper(), "", None, 0]:
        yield {**move, "type": kind}
        yield {"type": kind}
    for other in others:
        if other["type"] == move["type"]:
            yield from ({**move, field: other[field]} for field in move)
    for field, value in move.items():
        if field != "type":
            yield from ({**move, field: changed} for changed in _values(game.vocabulary.get(field, {}), value))
            yield from ({**move, field: move[name]} for name in move if name != field)


def _values(vocabulary: Mapping[str, Any], value: Any) -> Iterator[Any]:
    """Values close to a legal one, every value the field knows at other times, and strange ones."""
    yield from STRANGE_VALUES
    yield [value]
    yield {"value": value}
    if isinstance(value, int):
        yield from (value - 1, value + 1, value * 1000, -value, float(value), value + 0.5, str(value), [value])
    if isinstance(value, str):
        yield from (value.upper(), value + " ", value[:-1], value[::-1], value + "\u0301")
        yield from vocabulary
        yield from (spelling for names in vocabulary.values() for spelling in names)
    if isinstance(value, list):
        yield from (value[:-1], value[1:], value[::-1], sorted(value, key=str), value * 2, value * 50)
        yield ", ".join(map(str, value))
        yield from ([*value, value[0]] for _ in value[:1])
        more: list[Any] = [*vocabulary, None, 0, 1.5, "", []]
        yield from ([*value, item] for item in more)
        for place in range(len(value)):
            items = [*vocabulary, *value] if isinstance(value[place], str) else [value[place] + 1, value[place] - 1]
            yield from ([*value[:place], item, *value[place + 1 :]] for item in [*items, None, True])

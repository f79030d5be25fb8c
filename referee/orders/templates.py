"""How orders are written: words, and templates of words and fields.

A move type's `notation` is a template: `buy {route} for {airline}`, with `[optional parts]`. Case, accents and
punctuation do not matter.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

from referee.contract import Game

AnyGame = Game[Any, Any, Any]
Tokens = tuple[str, ...]

FILLERS = frozenset({"a", "an", "the", "please", "my"})

_SIGNS = {ord(sign): "-" for sign in "‐‒–—―−"} | {ord(sign): "" for sign in "'‘’"}


class Field(str):
    """A `{field}` of a template."""


class Group(tuple[Any, ...]):
    """An `[optional part]` of a template."""


Part = str | Field | Group


@cache
def template(notation: str) -> tuple[Part, ...]:
    """`buy {route} [for {airline}]` as parts: words, fields and groups."""
    parts: list[Part] = []
    for group, field, word in re.findall(r"\[([^\]]*)\]|\{(\w+)\}|([^\s{\[]+)", notation):
        if group:
            parts.append(Group(template(group)))
        elif field:
            parts.append(Field(field))
        else:
            parts.extend(tokens(word))
    return tuple(parts)


@lru_cache(maxsize=4096)
def tokens(text: str) -> Tokens:
    """Lower-case words and numbers, without accents and punctuation. A minus before a number stays."""
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_SIGNS)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(word for word in re.findall(r"(?<![^\W_])-\d+|[^\W_]+", plain) if word not in FILLERS)


def is_word(part: Part) -> bool:
    return not isinstance(part, Field | Group)


@lru_cache(maxsize=1024)
def is_numbered(game: AnyGame, field: str) -> bool:
    """Whether values of a field are called by numbers: then no number before them is a count."""
    return any(name.isdigit() for spellings in game.vocabulary.get(field, {}).values() for name in spellings)

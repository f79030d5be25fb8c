"""How alike what was said is to a name: the same, a beginning of it, some of its words, a slip of the pen."""

from functools import lru_cache

from referee.orders.templates import Tokens

PREFIX, SOME_WORDS, NEAR = 2, 4, 5  # penalties; one less where the value is on offer now
SKIPPED_WORD = 1


def likeness(said: Tokens, name: Tokens) -> int | None:
    """0 for the same words, PREFIX when each word begins its counterpart, NEAR for a slip of the pen, else None."""
    if said == name:
        return 0
    if len(said) == len(name) and all(full.startswith(word) for word, full in zip(said, name, strict=True)):
        return PREFIX
    written, meant = "".join(said), "".join(name)
    slips = 2 if len(meant) >= 8 else 1 if len(meant) >= 4 else 0
    if not slips or abs(len(written) - len(meant)) > slips or len(set(written) ^ set(meant)) > 2 * slips:
        return None  # a slip changes two letters at most: hardly any of thousands of names has to be looked at further
    return NEAR if _distance(written, meant, slips) <= slips else None


def is_some_of(said: Tokens, name: Tokens) -> bool:
    """Whether the words are some of a name's, in its order: `stinson chicago` for Stinson of Chicago, say."""
    if len(said) >= len(name):
        return False
    words = iter(name)
    return all(any(word == said_word or (len(said_word) > 3 and word.startswith(said_word)) for word in words)
               for said_word in said)  # fmt: skip


@lru_cache(maxsize=4096)
def _distance(first: str, other: str, most: int) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours between two words; `most` is far enough to stop."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(first, 1):
        before, last, row = row, before, [i]
        if min(before) > most:
            break
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == other[j - 2] and first[i - 2] == b:
                row[j] = min(row[j], last[j - 2] + 1)
    else:
        return row[-1]
    return most + 1

"""Verifiable randomness: every draw comes from a committed seed and a label. See docs/engine.md for test vectors."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from struct import Struct
from typing import TypeVar

import msgspec

T = TypeVar("T")

WORDS = Struct(">8I")  # drawn one at a time
WORD_VALUES = 2**32
BLOCK = 64  # bytes that SHA-256 takes at a time
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Draw(msgspec.Struct, frozen=True):
    """One use of chance as the record keeps it: `result` can be recomputed from the seed and the label."""

    label: str
    kind: str  # "below", "roll" or "shuffle"
    size: int  # the bound, the sides of the dice, or the number of things shuffled
    result: tuple[int, ...]


def commitment(seed: bytes) -> str:
    """What is published before the first move, so that the seed cannot be changed afterwards."""
    return hashlib.sha256(b"waybill seed\n" + seed).hexdigest()


@lru_cache(maxsize=1024)
def game_key(seed: bytes, entropy: tuple[str, ...]) -> bytes:
    """The key of all draws: the referee's seed mixed with what each player added on joining, in seat order."""
    return hmac_sha256(seed, b"waybill key\n" + msgspec.json.encode(list(entropy)))


def derive(key: bytes, *parts: object) -> str:
    """A value that nobody can compute without the key and everybody can check with it."""
    return hmac_sha256(key, "/".join(map(str, parts)).encode()).hex()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """As RFC 2104 has it. Every row is salted with the key of its game, so what depends on the key alone is worked out
    once: a third of the time that the library takes."""
    begun_inner, begun_outer = _begun(key)
    inner, outer = begun_inner.copy(), begun_outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=1024)
def _begun(key: bytes) -> "tuple[hashlib._Hash, hashlib._Hash]":
    padded = (key if len(key) <= BLOCK else hashlib.sha256(key).digest()).ljust(BLOCK, b"\0")
    return hashlib.sha256(padded.translate(INNER)), hashlib.sha256(padded.translate(OUTER))


class Chance:
    """The draws of one row of the log. A label names a draw and may be used once a row."""

    def __init__(self, key: bytes, row: int) -> None:
        self._key = key
        self._row = row
        self.draws: list[Draw] = []

    def below(self, label: str, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        value = self._stream(label).below(bound)
        self._note(label, "below", bound, (value,))
        return value

    def roll(self, label: str, dice: int = 2, sides: int = 6) -> tuple[int, ...]:
        """The faces of some dice, in the order thrown."""
        stream = self._stream(label)
        faces = tuple([stream.below(sides) + 1 for _ in range(dice)])
        self._note(label, "roll", sides, faces)
        return faces

    def shuffle(self, label: str, things: Sequence[T]) -> list[T]:
        """The same things in a random order (Fisher-Yates from the end); the input stays as it is."""
        stream = self._stream(label)
        order = list(range(len(things)))
        for last in range(len(order) - 1, 0, -1):
            other = stream.below(last + 1)
            order[last], order[other] = order[other], order[last]
        self._note(label, "shuffle", len(order), tuple(order))
        return [things[i] for i in order]

    def _stream(self, label: str) -> "_Stream":
        if self.draws and label in [draw.label for draw in self.draws]:
            raise ValueError(f"the label {label!r} has been drawn for already in this row")
        return _Stream(self._key, f"{self._row}/{label}")

    def _note(self, label: str, kind: str, size: int, result: tuple[int, ...]) -> None:
        self.draws.append(Draw(label, kind, size, result))


class Draws:
    """Random numbers for what is no part of a game, a bot's choice or an imagined world: the same key and row give the
    same numbers."""

    def __init__(self, key: bytes, row: int) -> None:
        self._stream = _Stream(key, str(row))

    def randrange(self, stop: int, /) -> int:
        return self._stream.below(stop)


class _Stream:
    """HMAC-SHA256 in counter mode, read four bytes at a time, big-endian."""

    __slots__ = ("_block", "_key", "_label", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._words: Iterator[int] = iter(())

    def below(self, bound: int) -> int:
        """Rejection sampling: words past the last whole multiple of the bound are thrown away."""
        if not 0 < bound <= WORD_VALUES:
            raise ValueError(f"a bound is from 1 to {WORD_VALUES}, not {bound}")
        limit = WORD_VALUES - WORD_VALUES % bound
        while True:
            for word in self._words:
                if word < limit:
                    return word % bound
            message = f"{self._label}/{self._block}".encode()
            self._words = iter(WORDS.unpack(hmac_sha256(self._key, message)))
            self._block += 1

"""Every draw can be computed again by anybody, from the seed and the label alone."""

import hashlib
import hmac
from collections import Counter

import pytest

from referee.chance import Chance, commitment, derive, game_key, hmac_sha256

SEED = bytes(range(32))
ENTROPY = ("heads", "", "täils")


def key() -> bytes:
    return hmac.new(SEED, 'waybill key\n["heads","","täils"]'.encode(), hashlib.sha256).digest()


def words(label: str):
    """The stream of a label, by the description: blocks of HMAC-SHA256, four bytes at a time, big-endian."""
    block = 0
    while True:
        data = hmac.new(key(), f"{label}/{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def below(stream, bound: int) -> int:
    return next(word % bound for word in stream if word < 2**32 - 2**32 % bound)


def test_key_mixes_the_seed_with_what_the_players_added():
    assert game_key(SEED, ENTROPY) == key()
    assert game_key(SEED, ENTROPY).hex() == "7157156995d307049bf10edabf28fb888f310856eaf37acca8aa9d8f8d9141c0"


def test_vectors_computed_elsewhere():
    """Computed with openssl, not with this code."""
    assert Chance(key(), 5).roll("die", dice=8) == (2, 1, 6, 4, 1, 3, 6, 3)
    assert Chance(key(), 0).shuffle("deck", range(8)) == [6, 2, 5, 1, 3, 4, 7, 0]


def test_entropy_changes_the_key_and_its_parts_cannot_be_shifted():
    keys = {game_key(SEED, entropy) for entropy in (("ab", ""), ("a", "b"), ("", "ab"), ("ab",), ("a,b",), ('a","b',))}
    assert len(keys) == 6


def test_commitment_is_a_hash_of_the_seed():
    assert commitment(SEED) == hashlib.sha256(b"waybill seed\n" + SEED).hexdigest()
    assert commitment(SEED) != commitment(SEED[:-1])


def test_derived_values_are_hmacs_of_their_parts():
    assert derive(key(), "salt", 7) == hmac.new(key(), b"salt/7", hashlib.sha256).hexdigest()


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_our_hmac_is_the_standard_one(length):
    for size in (0, 1, 55, 64, 1000):
        long_key, message = bytes(range(length)), b"m" * size
        assert hmac_sha256(long_key, message) == hmac.digest(long_key, message, "sha256")


@pytest.mark.parametrize("bound", [1, 2, 6, 7, 1000, 3_000_000_019, 2**32])
def test_below_follows_the_published_description(bound):
    chance = Chance(key(), 5)
    for number in range(20):
        assert chance.below(f"draw {number}", bound) == below(words(f"5/draw {number}"), bound)


def test_dice_come_from_one_stream_in_the_order_thrown():
    stream = words("9/attack")
    assert Chance(key(), 9).roll("attack", dice=40, sides=6) == tuple(below(stream, 6) + 1 for _ in range(40))


def test_shuffle_is_fisher_yates_from_the_end():
    things = list("abcdefghijklmnopqrstuvwxyz")
    expected, stream = list(things), words("0/deck")
    for last in range(25, 0, -1):
        other = below(stream, last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    chance = Chance(key(), 0)
    assert chance.shuffle("deck", things) == expected
    assert things == list("abcdefghijklmnopqrstuvwxyz")
    (draw,) = chance.draws
    assert (draw.label, draw.kind, draw.size) == ("deck", "shuffle", 26)
    assert [things[place] for place in draw.result] == expected


def test_a_label_can_be_used_once_a_row():
    chance = Chance(key(), 1)
    chance.below("die", 6)
    for draw in (chance.below, chance.roll):
        with pytest.raises(ValueError, match="'die' has been drawn for already"):
            draw("die", 6)
    with pytest.raises(ValueError, match="'die'"):
        chance.shuffle("die", [1, 2])
    Chance(key(), 2).below("die", 6)
    assert len(chance.draws) == 1


def test_rows_labels_and_keys_give_different_draws():
    draws = {
        Chance(key_, row).roll(label, dice=20)
        for key_ in (key(), game_key(SEED, ()))
        for row in (1, 11)
        for label in ("a", "b", "1/a")
    }
    assert len(draws) == 12


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_that_cannot_be_drawn_for_is_refused(bound):
    with pytest.raises(ValueError, match="a bound is from 1 to 4294967296"):
        Chance(key(), 1).below("x", bound)


def test_draws_are_spread_evenly():
    chance = Chance(key(), 3)
    counts = Counter(chance.roll("many", dice=6000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 1000) < 150 for count in counts.values())  # five standard deviations
    orders = Counter(tuple(chance.shuffle(f"{n}", "abc")) for n in range(1200))
    assert len(orders) == 6
    assert all(abs(count - 200) < 65 for count in orders.values())

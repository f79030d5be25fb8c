"""Secrets that are shown once and kept as a digest: tokens, invitations, and what letters ask to be sent back."""

import hashlib
import secrets
import string
import zlib

ALPHABET = string.digits + string.ascii_letters
TOKEN_PREFIX = "wb_"  # so that tokens are found where they do not belong
INVITATION_PREFIX = "wi_"
LINK_PREFIX = "wl_"
RANDOM = 32  # letters: 190 bits
CHECK = 6
HINT = len(TOKEN_PREFIX) + 4  # letters of a token by which its owner recognises it


def make_secret(prefix: str = TOKEN_PREFIX) -> str:
    """A new token or invitation: prefix, random letters, and a checksum of both."""
    text = prefix + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM))
    return text + _check(text)


def is_well_formed(secret: str, prefix: str = TOKEN_PREFIX) -> bool:
    """Whether this can be one of ours; a typing error is seen without asking the database."""
    text, check = secret[:-CHECK], secret[-CHECK:]
    return len(text) == len(prefix) + RANDOM and text.startswith(prefix) and text.isascii() and _check(text) == check


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _check(text: str) -> str:
    number, letters = zlib.crc32(text.encode()), ""
    for _ in range(CHECK):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return letters

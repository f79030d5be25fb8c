"""Reply addresses: `play+<game>.<seat>.<proof>@host` says for which seat of which game a mail speaks, and proves it.

The proof is a keyed hash over game, seat and player: it cannot be guessed, moved to another seat, or used by someone
whose seat has gone to somebody else. Case does not matter, for some mail programs change it.
"""

import base64
import hashlib
import hmac
import re

import msgspec

PREFIX = "play"
PROOF = 20  # letters: 100 bits
_ADDRESS = re.compile(rf"^{PREFIX}\+([a-z0-9]{{4,20}})\.(\d{{1,2}})\.([a-z2-7]{{{PROOF}}})@", re.IGNORECASE)


class ReplyTo(msgspec.Struct, frozen=True):
    """What a reply address says; whether it is true `proves` tells."""

    game_id: str
    seat: int
    proof: str

    def proves(self, key: bytes, player_id: int) -> bool:
        return hmac.compare_digest(self.proof, _proof(key, self.game_id, self.seat, player_id))


def address(key: bytes, host: str, game_id: str, seat: int, player_id: int) -> str:
    return f"{PREFIX}+{game_id}.{seat}.{_proof(key, game_id, seat, player_id)}@{host}"


def read_address(text: str) -> ReplyTo | None:
    found = _ADDRESS.match(text)
    return ReplyTo(found[1].lower(), int(found[2]), found[3].lower()) if found else None


def unsubscribe_token(key: bytes, player_id: int) -> str:
    """What stops the mail of a player, and can do nothing else."""
    digest = hmac.digest(key, f"waybill unsubscribe\n{player_id}".encode(), hashlib.sha256)
    return f"{player_id}.{base64.b32encode(digest).decode().lower()[:PROOF]}"


def read_unsubscribe_token(key: bytes, token: str) -> int | None:
    """Whose mail a token stops; None if it is none of ours."""
    number = token.partition(".")[0]
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and token.isascii()):
        return None
    return int(number) if hmac.compare_digest(token.lower(), unsubscribe_token(key, int(number))) else None


def _proof(key: bytes, game_id: str, seat: int, player_id: int) -> str:
    digest = hmac.digest(key, f"waybill reply\n{game_id}\n{seat}\n{player_id}".encode(), hashlib.sha256)
    return base64.b32encode(digest).decode().lower()[:PROOF]

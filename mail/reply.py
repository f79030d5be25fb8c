"""Addresses of ours that say who speaks, and prove it.

`play+<game>.<seat>.<row>.<proof>@host` speaks for a seat of a game, by someone who has seen the table after that row of
its log; without a row it does not say what was seen. `me+<player>.<proof>@host` speaks for a player at no table, and
`invited+<invitation>.<proof>@host` for somebody who is not a player yet. What comes back goes to
`bounce+<player>.<game>.<proof>@host` or `bounce+i<invitation>.<proof>@host`, and tells whose address it is that does
not work.

A proof is a keyed hash over all that the address says and over whom it was made for: it cannot be guessed, moved to
another seat, or used by someone whose seat has gone to somebody else. Case does not matter, for some mail programs
change it.
"""

import base64
import hashlib
import hmac
import re

import msgspec

PROOF = 20  # letters: 100 bits
LONGEST_LOCAL_PART = 64  # RFC 5321
# By Unicode ſ is a small S, too: such letters are none of ours, and cannot be compared in constant time.
_FLAGS = re.ASCII | re.IGNORECASE
_PLAY = re.compile(rf"^play\+([a-z0-9]{{4,20}})\.(\d{{1,2}})(?:\.(\d{{1,9}}))?\.([a-z2-7]{{{PROOF}}})@", _FLAGS)
_ME = re.compile(rf"^me\+(\d{{1,18}})\.([a-z2-7]{{{PROOF}}})@", _FLAGS)
_INVITED = re.compile(rf"^invited\+(\d{{1,18}})\.([a-z2-7]{{{PROOF}}})@", _FLAGS)
_BOUNCE_OF_INVITATION = re.compile(rf"^bounce\+i(\d{{1,18}})\.([a-z2-7]{{{PROOF}}})@", _FLAGS)
_BOUNCE = re.compile(rf"^bounce\+(\d{{1,18}})\.([a-z0-9]{{0,20}})\.([a-z2-7]{{{PROOF}}})@", _FLAGS)


class ReplyTo(msgspec.Struct, frozen=True):
    """What a reply address says; whether it is true `proves` tells."""

    game_id: str
    seat: int
    proof: str
    row: int | None = None  # of the log, the last that who answers has seen

    def proves(self, key: bytes, player_id: int) -> bool:
        return hmac.compare_digest(self.proof, _seat_proof(key, self.game_id, self.seat, player_id, self.row))


class BounceTo(msgspec.Struct, frozen=True):
    """For whom a mail was that has come back, and of which game it was."""

    player_id: int
    game_id: str
    proof: str

    def proves(self, key: bytes, email_key: str) -> bool:
        """Whether it was sent to this address of the player: one that was changed since is not blamed."""
        return hmac.compare_digest(self.proof, _proof(key, "bounce", self.player_id, self.game_id, email_key))


def address(key: bytes, host: str, game_id: str, seat: int, player_id: int, row: int | None = None) -> str:
    seen = "" if row is None else f".{row}"
    return f"play+{game_id}.{seat}{seen}.{_seat_proof(key, game_id, seat, player_id, row)}@{host}"


def read_address(text: str) -> ReplyTo | None:
    found = _PLAY.match(text)
    if found is None:
        return None
    row = int(found[3]) if found[3] else None
    return ReplyTo(found[1].lower(), int(found[2]), found[4].lower(), row)


def own_address(key: bytes, host: str, player_id: int) -> str:
    """By which a player speaks who speaks for no seat."""
    return f"me+{player_id}.{_proof(key, 'me', player_id)}@{host}"


def read_own_address(key: bytes, text: str) -> int | None:
    """Who speaks by an address; None if it is none of ours."""
    return _signed_number(key, "me", _ME.match(text))


def invitation_address(key: bytes, host: str, number: int) -> str:
    """By which somebody answers an invitation who is not a player yet."""
    return f"invited+{number}.{_proof(key, 'invited', number)}@{host}"


def read_invitation_address(key: bytes, text: str) -> int | None:
    """Which invitation is answered; None if it is none of ours."""
    return _signed_number(key, "invited", _INVITED.match(text))


def invitation_token(key: bytes, number: int) -> str:
    """What answers an invitation by a link."""
    return f"{number}.{_proof(key, 'invitation link', number)}"


def read_invitation_token(key: bytes, token: str) -> int | None:
    return _signed_number(key, "invitation link", re.fullmatch(rf"(\d{{1,18}})\.([a-z2-7]{{{PROOF}}})", token, _FLAGS))


def invitation_bounce_address(key: bytes, host: str, number: int) -> str:
    return f"bounce+i{number}.{_proof(key, 'bounced invitation', number)}@{host}"


def read_invitation_bounce_address(key: bytes, text: str) -> int | None:
    return _signed_number(key, "bounced invitation", _BOUNCE_OF_INVITATION.match(text))


def address_mark(key: bytes, email_key: str) -> bytes:
    """By which an address is known where it is not kept."""
    return hmac.digest(key, f"waybill address\n{email_key}".encode(), hashlib.sha256)


def bounce_address(key: bytes, host: str, player_id: int, game_id: str, email_key: str) -> str:
    return f"bounce+{player_id}.{game_id}.{_proof(key, 'bounce', player_id, game_id, email_key)}@{host}"


def read_bounce_address(text: str) -> BounceTo | None:
    found = _BOUNCE.match(text)
    return BounceTo(int(found[1]), found[2].lower(), found[3].lower()) if found else None


def unsubscribe_token(key: bytes, player_id: int) -> str:
    """What stops the mail of a player, and can do nothing else."""
    return f"{player_id}.{_proof(key, 'unsubscribe', player_id)}"


def read_unsubscribe_token(key: bytes, token: str) -> int | None:
    """Whose mail a token stops; None if it is none of ours."""
    number = token.partition(".")[0]
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and token.isascii()):
        return None
    return int(number) if hmac.compare_digest(token.lower(), unsubscribe_token(key, int(number))) else None


def _signed_number(key: bytes, use: str, found: re.Match[str] | None) -> int | None:
    if found is None or not hmac.compare_digest(found[2].lower(), _proof(key, use, int(found[1]))):
        return None
    return int(found[1])


def _seat_proof(key: bytes, game_id: str, seat: int, player_id: int, row: int | None) -> str:
    return _proof(key, "reply", game_id, seat, player_id, *([] if row is None else [row]))


def _proof(key: bytes, use: str, *parts: object) -> str:
    said = "\n".join([f"waybill {use}", *map(str, parts)])
    return base64.b32encode(hmac.digest(key, said.encode(), hashlib.sha256)).decode().lower()[:PROOF]

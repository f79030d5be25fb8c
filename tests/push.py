"""A browser as far as web push goes: it has keys, and reads what is sent to it by RFC 8291 and RFC 8292, without the
library that the service encrypts with."""

import hmac
import json
import secrets
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from runtime.web_push import base64url, from_base64url
from tests.receiver import Receiver

VAPID_KEY = bytes(range(1, 33))
CONTACT = "mailto:keeper@example.org"


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256, for no more than one block."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\1", "sha256")[:length]


class Browser:
    def __init__(self, endpoint: str, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"") -> None:
        self.endpoint = endpoint
        self.key, self.auth = key or ec.generate_private_key(ec.SECP256R1()), auth or secrets.token_bytes(16)

    def subscription(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON()`."""
        keys = {"p256dh": base64url(point(self.key)), "auth": base64url(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys}

    def decrypted(self, body: bytes) -> bytes:
        salt, record, sender = body[:16], int.from_bytes(body[16:20], "big"), body[21 : 21 + body[20]]
        sealed = body[21 + body[20] :]
        assert 18 <= len(sealed) <= record, "one record"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), public)
        secret = derived(self.auth, shared, b"WebPush: info\0" + point(self.key) + sender, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2"), "the last record"
        return padded[:-1]

    def messages(self, program: Receiver) -> list[dict[str, Any]]:
        """What was sent to it, each signature checked."""
        return [self.read(headers, body) for headers, body in program.raw]

    def read(self, headers: dict[str, str], body: bytes) -> dict[str, Any]:
        assert headers["Content-Encoding"] == "aes128gcm"
        assert len(body) <= 4096
        claims = signed_claims(headers["Authorization"])
        assert self.endpoint.startswith(claims["aud"] + "/")
        assert claims["sub"] == CONTACT
        left = claims["exp"] - datetime.now(UTC).timestamp()
        assert 0 < left <= 24 * 60 * 60
        assert int(headers["TTL"]) > 0
        assert len(headers["Topic"]) <= 32
        found: dict[str, Any] = json.loads(self.decrypted(body))
        return found


def signed_claims(authorization: str) -> dict[str, Any]:
    """What a push service finds in the header; it raises if the signature is not by the key that comes along."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = fields["t"].split(".")
    assert json.loads(from_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = from_base64url(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(fields["k"]))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(from_base64url(claims))
    return found

"""Messages to browsers: encrypted for one of them (RFC 8291), and signed by this service (VAPID, RFC 8292).

The push service in between learns who sends and whom to ask about it, and nothing of what is said.
"""

import base64
import binascii
import json
import secrets
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_BYTES, POINT_BYTES, AUTH_BYTES = 32, 65, 16
MOST_CONTENT = 3993  # bytes: what is encrypted must fit into 4096 (RFC 8291, section 4)
GOOD_FOR = timedelta(hours=12)  # a signature; push services refuse more than 24
CURVE = ec.SECP256R1


class Device(msgspec.Struct, frozen=True):
    """A browser that wants messages: where to send them, and what to encrypt them with."""

    endpoint: str
    p256dh: bytes
    auth: bytes


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def is_point(key: bytes) -> bool:
    """Whether it is a public key: a point of the curve, uncompressed."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE(), key)
    except ValueError:
        return False
    return len(key) == POINT_BYTES


def private_key(key: bytes) -> ec.EllipticCurvePrivateKey:
    """Raises ValueError if there is no such key."""
    if len(key) != KEY_BYTES:
        raise ValueError("not 32 bytes")
    return ec.derive_private_key(int.from_bytes(key, "big"), CURVE())


def new_key() -> str:
    """A key for WAYBILL_VAPID_KEY."""
    number = ec.generate_private_key(CURVE()).private_numbers().private_value
    return base64url(number.to_bytes(KEY_BYTES, "big"))


def encrypted(content: bytes, device: Device) -> bytes:
    """The body of a message that this browser alone can read."""
    if len(content) > MOST_CONTENT:
        raise ValueError(f"A message has at most {MOST_CONTENT} bytes, not {len(content)}.")
    body: bytes = http_ece.encrypt(
        content,
        salt=secrets.token_bytes(16),
        private_key=ec.generate_private_key(CURVE()),
        dh=device.p256dh,
        auth_secret=device.auth,
        version="aes128gcm",
    )
    return body


class Vapid:
    """Who this service is to push services: they take messages for a browser from whom it has subscribed with alone."""

    def __init__(self, key: bytes, contact: str) -> None:
        self._key, self.contact = private_key(key), contact
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = base64url(point)

    def authorization(self, endpoint: str, now: datetime) -> str:
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int((now + GOOD_FOR).timestamp()),
            "sub": self.contact,
        }
        signed = ".".join(base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = base64url(r.to_bytes(KEY_BYTES, "big") + s.to_bytes(KEY_BYTES, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"

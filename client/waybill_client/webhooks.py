"""Checking that a request came from the service: the convention of Standard Webhooks, in a few lines."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from waybill_client.errors import BadSignature
from waybill_client.models import Notice

TOLERANCE = 300  # seconds between their clock and ours


class Told(msgspec.Struct, frozen=True):
    """`id` stays the same however often it is delivered: keep it, and do nothing twice."""

    id: str
    type: str
    notice: Notice


def verified(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> Told:
    """What was told by a request with these headers, or BadSignature."""
    found = {name.lower(): value for name, value in headers.items()}
    try:
        number, moment, signatures = (found[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age = abs((time.time() if now is None else now) - int(moment))
    except (KeyError, ValueError):
        raise BadSignature("It lacks one of webhook-id, webhook-timestamp and webhook-signature.") from None
    if age > TOLERANCE:
        raise BadSignature(f"The request was signed {age:.0f} seconds ago, or the clocks differ.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    right = hmac.digest(key, f"{number}.{moment}.".encode() + body, hashlib.sha256)
    wanted = f"v1,{base64.b64encode(right).decode()}"
    if not any(hmac.compare_digest(one.encode(), wanted.encode()) for one in signatures.split(" ")):
        raise BadSignature("The signature is not ours.")
    data: dict[str, Any] = msgspec.json.decode(body)
    return Told(number, data["type"], msgspec.convert(data["data"], Notice))

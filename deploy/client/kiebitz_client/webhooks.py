"""Verification of webhook signatures after the Standard Webhooks specification, in constant time."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from kiebitz_client.errors import SignatureError


def verify_webhook(
    secret: str, body: bytes, headers: Mapping[str, str], *, tolerance: float = 300.0, now: float | None = None
) -> dict[str, Any]:
    """Return the message of a signed body, as it was received. Raises ``SignatureError``.

    ``tolerance``: seconds that the timestamp may differ from ``now`` (the clock). Check ``webhook-id`` for repeated messages yourself.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, sent_at, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (id and sent_at.isdecimal() and signatures):
        raise SignatureError("the headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed")
    if abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise SignatureError("the message is too old, or a clock is wrong")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{id}.{sent_at}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise SignatureError("no signature fits the secret")
    message: dict[str, Any] = msgspec.json.decode(body)
    return message

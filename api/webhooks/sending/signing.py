"""Secrets and signatures after the Standard Webhooks specification (https://www.standardwebhooks.com), version 1."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from hashlib import sha256

PREFIX = "whsec_"
_BYTES = 32
"""Of a secret; the specification wants 24 to 64."""


def new_secret(chance: Callable[[], bytes]) -> str:
    drawn = b""
    while len(drawn) < _BYTES:
        drawn += chance()
    return PREFIX + b64encode(drawn[:_BYTES]).decode()


def signed_headers(message: str, seconds: int, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """``seconds``: of the attempt, since 1970. One signature for each secret."""
    content = f"{message}.{seconds}.".encode() + body
    signatures = (f"v1,{_signature(secret, content)}" for secret in secrets)
    return {"webhook-id": message, "webhook-timestamp": str(seconds), "webhook-signature": " ".join(signatures)}


def _signature(secret: str, content: bytes) -> str:
    return b64encode(hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, sha256)).decode()

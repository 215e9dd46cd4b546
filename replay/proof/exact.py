"""Canonical text encodings: texts that have one spelling only. Two spellings would be two files that prove the same."""

from base64 import b64encode
from binascii import Error, a2b_base64
from typing import Literal, TypeAlias

Fault: TypeAlias = Literal[
    "malformed",
    "note_malformed",
    "key_malformed",
    "key_unknown",
    "signature_wrong",
    "signed_twice",
    "not_witnessed",
]
"""The reason why a proof is not accepted; the sentences stand in ``deploy/texts.*.toml`` under ``verify.…``."""


class VerificationError(Exception):
    """Something does not prove what it should. ``where``: the place in the file, the name of a key, or a position."""

    def __init__(self, fault: Fault, where: str = "") -> None:
        super().__init__(f"{fault}: {where}")
        self.fault = fault
        self.where = where


def to_base64(data: bytes) -> str:
    return b64encode(data).decode()


def from_base64(text: str, where: str, length: int | None = None) -> bytes:
    """Return the bytes, so many if ``length`` is given. Raises ``VerificationError`` for every spelling but the one of ``to_base64``."""
    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):  # the second, where it is not ASCII
        raise VerificationError("malformed", where) from None
    if to_base64(data) != text or len(data) != (len(data) if length is None else length):
        raise VerificationError("malformed", where)
    return data

"""Texts that have one spelling. What could be written in two ways would be two files that prove the same."""

import json
from base64 import b64encode
from binascii import Error, a2b_base64
from typing import Literal, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")

Fault: TypeAlias = Literal[
    "malformed",
    "note_malformed",
    "key_malformed",
    "key_unknown",
    "signature_wrong",
    "signed_twice",
    "not_witnessed",
    "not_in_tree",
    "not_as_told",
    "not_earlier",
    "not_comparable",
    "not_the_record",
]
"""Why a proof is not accepted; the sentences stand in ``deploy/texts.*.toml`` under ``verify.…``."""


class Unproven(Exception):
    """Something does not prove what it should. ``where``: the place in the file, the name of a key, or a position."""

    def __init__(self, fault: Fault, where: str = "") -> None:
        super().__init__(f"{fault}: {where}")
        self.fault = fault
        self.where = where


def to_base64(data: bytes) -> str:
    return b64encode(data).decode()


def from_base64(text: str, where: str, length: int | None = None) -> bytes:
    """The bytes, so many if ``length`` is given. Raises ``Unproven`` for every spelling but the one of ``to_base64``."""
    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):  # the second, where it is not ASCII
        raise Unproven("malformed", where) from None
    if to_base64(data) != text or len(data) != (len(data) if length is None else length):
        raise Unproven("malformed", where)
    return data


def read_json(data: bytes, kind: type[T]) -> T:
    """Raises ``Unproven`` for what is no such JSON, and for an object in which a key stands twice."""
    try:
        json.loads(data.decode(), object_pairs_hook=_once)
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError):  # the first is the base of msgspec's, too
        raise Unproven("malformed", "JSON") from None


def _once(pairs: list[tuple[str, object]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands there twice")

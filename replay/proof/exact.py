"""Canonical text encodings: one spelling only, also in words to compare by eye. Two spellings would be two files that prove the same."""

from base64 import b64encode
from binascii import Error, a2b_base64
from functools import cache
from pathlib import Path
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


# Human-readable form of a root or mark for comparison: 12 words or 40 digits, of its first 132 bits.
#
# The words are those of BIP-39, the English list: 2,048 of them, any two differ in their first four letters. German pages show them as
# well, so that a sheet in one language can be compared with a screen in the other; the digits are an alternative.


WORDS, DIGITS = 12, 40
_BITS = 11
"""Bits of a word."""
_GROUP = 5
"""Digits in a group."""
_LIST = Path(__file__).with_name("words.txt")


def words_of(hashed: bytes) -> str:
    """Return twelve words. ``hashed``: 32 bytes."""
    number = _first_bits(hashed)
    places = [number >> _BITS * after & (1 << _BITS) - 1 for after in reversed(range(WORDS))]
    return " ".join(_words()[place] for place in places)


def digits_of(hashed: bytes) -> str:
    """Return forty digits in groups of five: the same bits, as one number."""
    digits = f"{_first_bits(hashed):0{DIGITS}}"
    return " ".join(digits[at : at + _GROUP] for at in range(0, DIGITS, _GROUP))


def matches_hash(said: str, hashed: bytes) -> bool:
    """Return whether the typed text is the words, of which four letters are enough, or the digits of this hash; in any case and spacing."""
    bits = parse_bits(said)
    return bits is not None and has_bits(hashed, bits)


def parse_bits(said: str) -> int | None:
    """Return the typed text as a number, for ``has_bits``; ``None`` if it is neither twelve words nor forty digits."""
    typed = said.lower().replace("-", " ").split()
    digits = "".join(typed)
    if digits.isascii() and digits.isdecimal():
        return int(digits) if len(digits) == DIGITS else None
    places = [_places().get(word[:4]) for word in typed]
    if len(places) != WORDS or None in places:
        return None
    return sum((place or 0) << _BITS * after for after, place in enumerate(reversed(places)))


def has_bits(hashed: bytes, bits: int) -> bool:
    """Return whether the hash has these bits; the quick way to search many."""
    return _first_bits(hashed) == bits


def _first_bits(hashed: bytes) -> int:
    return int.from_bytes(hashed) >> len(hashed) * 8 - WORDS * _BITS


@cache
def _words() -> tuple[str, ...]:
    return tuple(_LIST.read_text(encoding="ascii").split())


@cache
def _places() -> dict[str, int]:
    """Return the places of the words by their first four letters, which are enough."""
    return {word[:4]: place for place, word in enumerate(_words())}

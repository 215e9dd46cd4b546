"""Lots: drawn from the seed of the tournament alone, so that anybody can draw them again.

A lot is the first twelve hexadecimal digits of the SHA-256 of some words with colons between them, the seed first. The lowest
goes first. ``printf '%s' 'kiebitz:lots:7' | sha256sum | head -c 12`` is the lot that entrant 7 draws where the seed is ``kiebitz``.
"""

from hashlib import sha256

_DIGITS = 12  # 48 bits: a number of JSON is exact up to 53


def lot(seed: str, *words: str | int) -> int:
    """A number below 2**48, so that JSON holds it exactly. Raises ValueError before there is a seed."""
    if not seed:
        raise ValueError("the lots are not drawn yet")
    text = ":".join(str(word) for word in (seed, *words))
    return int(sha256(text.encode()).hexdigest()[:_DIGITS], 16)

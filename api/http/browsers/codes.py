"""Join codes: eight characters that a person can type.

31 characters to the power of 8 are 8.5 · 10¹¹ codes, 39.6 bits. Failed attempts are limited to one a second in all (``attempts.py``): who
tries for a whole day, with a thousand codes in force, finds one of them with a probability of one in ten thousand. Codes for a whole
tournament stay in force while it lasts: a thousand of them, tried for two weeks, are found with one in seven hundred. A code is also short
enough to be tried out against a stolen register; so its digest is a slow one.
"""

from hashlib import scrypt

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0 and O, 1 and I and L."""
LENGTH = 8
_SALT = b"kiebitz join code"
_COST = 2**12  # some 10 ms and 4 MB


def code_from(chance: bytes) -> str:
    """A code from at least 16 random bytes: so many that no code is likelier than another."""
    number, found = int.from_bytes(chance), ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        found += ALPHABET[place]
    return found


def as_typed(text: str) -> str | None:
    """The code that somebody typed, in whatever case, with blanks and hyphens or without. ``None`` for what can be no code."""
    found = "".join(text.split()).replace("-", "").upper()
    return found if len(found) == LENGTH and set(found) <= set(ALPHABET) else None


def digest(code: str) -> str:
    """As the register keeps it."""
    return scrypt(code.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32).hex()

"""Secrets of tokens."""

from hashlib import sha256
from itertools import count

from api.access.tokens import hash_secret, new_secret


def test_a_secret_is_recognisable_long_and_new_each_time():
    numbers = count()
    one, other = (new_secret(lambda: next(numbers).to_bytes(16)) for _ in range(2))
    assert one.startswith("kb_")
    assert len(one) >= 3 + 32
    assert one != other


def test_a_digest_is_stored_and_not_the_secret():
    assert hash_secret("kb_x") == sha256(b"kb_x").hexdigest()

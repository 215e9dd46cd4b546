"""Codes that a person can type."""

from hashlib import scrypt, sha256

import pytest

from api.http.browsers.cookies import ALPHABET, LENGTH, as_typed, code_from, digest


def test_a_code_is_eight_characters_that_look_like_no_others():
    assert (len(code_from(b"\x07" * 16)), LENGTH) == (8, 8)
    assert len(set(ALPHABET)) == 31
    assert not set("0O1IL") & set(ALPHABET)


def test_codes_follow_from_chance_alone_and_use_every_character():
    codes = [code_from(sha256(bytes([number])).digest()[:16]) for number in range(200)]
    assert len(set(codes)) == 200
    assert set("".join(codes)) == set(ALPHABET)


@pytest.mark.parametrize("typed", ["ABCD2345", "abcd2345", "abcd-2345", " a b c d 2 3 4 5 ", "ABCD\u00a02345", "ab cd-23-45\n"])
def test_case_blanks_and_hyphens_do_not_matter(typed: str):
    assert as_typed(typed) == "ABCD2345"


@pytest.mark.parametrize("typed", ["", "ABCD234", "ABCD23456", "ABCD234O", "ABCD2341", "ÄBCD2345", "ABCD_345", "kb_ABCD2"])
def test_what_no_code_is_made_of_is_none(typed: str):
    assert as_typed(typed) is None


@pytest.fixture(scope="module")
def codes_are_digested_fast() -> None:
    """Here they are not."""


def test_the_register_keeps_a_slow_digest():
    assert digest("ABCD2345") == digest("ABCD2345") != digest("ABCD2346")
    assert digest("ABCD2345") == scrypt(b"ABCD2345", salt=b"kiebitz join code", n=2**12, r=8, p=1, dklen=32).hex()

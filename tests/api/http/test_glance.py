"""Short bodies are read at a glance: what is read so is read the same with care."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from api.http.decoding import _DECODER, _decode_value, _parse_fast

MOVE = b'{"seat": 0, "move": {"type": "capture", "card": "9C", "groups": [["5D", "4C"]]}, "happened_at": "2026-11-26T10:00:00Z"}'

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:", max_size=2), inner, max_size=3),
    max_leaves=8,
)
PIECES = st.sampled_from(
    [b"", b"a", b":", b"{", b"}", b",", b"0", b".", b"e5", b"\0", b"\xff", b"\xed\xa0\x80", b"\\u0000", b'"', b'"a":1,', b"NaN"]
)
CUTS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), PIECES), max_size=2)


@given(VALUES, st.booleans(), CUTS)
@settings(max_examples=100, deadline=None)
def test_what_is_read_at_a_glance_is_read_the_same_with_care(value: Any, wide: bool, cuts: list[tuple[int, int, bytes]]):
    raw = json.dumps(value, ensure_ascii=False, separators=None if wide else (",", ":")).encode()
    for at, length, piece in cuts:
        raw = raw[:at] + piece + raw[at + length :]
    glanced = _parse_fast(raw)
    assert glanced is UNSET or repr(glanced) == repr(_decode_value(raw, _DECODER))


@pytest.mark.parametrize(
    ("raw", "is_read"),
    [
        (MOVE, True),
        (b'{":":":"}', True),
        (b'{"a":1,"a":1}', False),
        (b'[{"a":{"b":1,"b":":"}}]', False),
        (b'{"a":1,"\\u0061":1}', False),
        (b'"' + b"x" * 500 + b'"', False),
    ],
)
def test_a_glance_is_enough_for_what_is_short_and_hides_nothing(raw: bytes, is_read: bool):
    assert (_parse_fast(raw) is not UNSET) == is_read

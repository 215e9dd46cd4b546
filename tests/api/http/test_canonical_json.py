"""Bodies as they are compared: the same bytes for the same value."""

import pytest

from api.http.decoding import canonical_json

SAME = {
    "blanks": (b' { "a" : [ 1 , 2 ] } \n', b'{"a":[1,2]}'),
    "keys": (b'{"b":{"d":1,"c":2},"a":3}', b'{"a":3,"b":{"c":2,"d":1}}'),
    "numbers": (b"[1.0,1e0,10E-1,-0.0,1.50,2e2,1e400]", b"[1,1,1,0,1.5,200,Infinity]"),
    "texts": (b'["\\u004b\\u00f6nig\\/\\ud83c\\udca1"]', '["König/🂡"]'.encode()),
}


@pytest.mark.parametrize(("given", "canonical"), SAME.values(), ids=SAME)
def test_what_means_the_same_is_the_same(given: bytes, canonical: bytes):
    assert canonical_json(given) == canonical
    if b"Infinity" not in canonical:
        assert canonical_json(canonical) == canonical


OTHERS = {
    "no JSON": b"player;rating\np1;1600\n",
    "several lines": b'{"a": 1}\n{"a": 2}\n',
    "nothing": b"",
    "a key twice": b'{"a": 1, "a": 1}',
    "NaN": b"[ NaN ]",
    "no UTF-8": b'{"a": "\xff"}',
    "depths": b"[" * 100_000,
    "a number of 5000 digits": b"[ " + b"9" * 5000 + b" ]",
}


@pytest.mark.parametrize("given", OTHERS.values(), ids=OTHERS)
def test_what_is_no_json_is_compared_byte_for_byte(given: bytes):
    assert canonical_json(given) == given


def test_values_that_differ_stay_apart():
    bodies = [b"1", b'"1"', b"true", b"null", b"[1]", b"1.5", b'{"a":1}', b'{"a":null}', b"{}", b'"a"', b'"A"', b'"a "']
    assert len({canonical_json(body) for body in bodies}) == len(bodies)
